"""BISMARCK's battle board in free play: everything that it rolls for, on one battle."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final

from combat.actions import Action, ActionInfo, ActionOffer
from combat.board_views import BoardMoves, BoardView
from combat.dice import Dice
from combat.events import Event
from combat.forecast import Forecast
from combat.free_play import (
    Attempt,
    FreeRulebook,
    FreeState,
    MarkedShip,
    Result,
    StrengthRule,
    with_vessels,
)
from combat.participants import Ship, ShipStatus
from combat.previews import Document, Line, MountInfo
from combat.record_sheets import RecordSheet
from combat.rulebook import Outcome
from combat.rulebooks.bismarck_battle_board import (
    air,
    board_view,
    checks,
    gunnery,
    maneuver,
    odds,
    report,
    results,
    torpedoes,
)
from combat.rulebooks.bismarck_battle_board.actions import (
    INFOS,
    AirAttack,
    AirConvoyAttack,
    AirStrike,
    BreakOff,
    EscortHits,
    FlotillaAttack,
    FuelDamage,
    Gunfire,
    Marks,
    Movement,
    NewTurn,
    Placement,
    SubmarineAttack,
    SubmarineConvoyAttack,
    Torpedoes,
    Withdrawal,
    WithdrawalMove,
)
from combat.rulebooks.bismarck_battle_board.board import most_hexes
from combat.rulebooks.bismarck_battle_board.events import OWN_EVENTS
from combat.rulebooks.bismarck_battle_board.sheet import record_sheet
from combat.rulebooks.bismarck_battle_board.table_files import NAME
from combat.rulebooks.bismarck_battle_board.vessel import Vessel, check_marks, vessel_of
from combat.rulebooks.bismarck_battle_board.volley import Volley
from combat.rulebooks.bismarck_data.table_files import SECTIONS
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tabletop.messages import Message

_STRENGTHS: Final[Mapping[str, StrengthRule[Vessel]]] = {
    "guns": gunnery.gun_strength,
    "torpedoes": torpedoes.torpedo_strength,
    "place": maneuver.place_strength,
    "move": maneuver.move_strength,
    "withdraw": maneuver.withdraw_strength,
    "withdrawal move": maneuver.withdrawal_strength,
    "reinforcement": checks.reinforcement_strength,
    "evasion repair": checks.repair_strength,
    "break off": maneuver.break_off_strength,
    "new turn": maneuver.new_turn_strength,
    "repair": checks.section_strength,
    "refuel": checks.refuel_strength,
    "surprise attack": checks.surprise_strength,
    "escort hits": torpedoes.escort_strength,
    "fuel damage": checks.fuel_strength,
    "ship convoy": checks.ship_convoy_strength,
    "flotilla": torpedoes.flotilla_strength,
    "salvo loss": checks.salvo_loss_strength,
    "air strike": air.strike_strength,
    "air attack": air.air_strength,
    "land bombers": checks.land_strength,
    "fighters": checks.fighter_strength,
    "air convoy": checks.air_convoy_strength,
    "submarine": torpedoes.submarine_strength,
    "submarine convoy": torpedoes.submarine_strength,
}
_CHECKS: Final[
    Mapping[str, Callable[[Attempt[Any, Vessel], int, Dice, TableSet], checks.Checked]]
] = {
    "reinforcement": checks.run_reinforcement,
    "evasion repair": checks.run_repair,
    "repair": checks.run_section,
    "refuel": checks.run_refuel,
    "surprise attack": checks.run_surprise,
    "ship convoy": checks.run_ship_convoy,
    "salvo loss": checks.run_salvo_loss,
    "land bombers": checks.run_land,
    "fighters": checks.run_fighters,
}
_OF_FLOTILLAS: Final = ("flotilla", "salvo loss")


class BattleBoardRulebook(FreeRulebook[Marks]):
    """The rules of the battle board with the tables that they are played with."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = INFOS
    state_type: ClassVar[type] = Marks
    own_events: ClassVar[tuple[type[Event], ...]] = OWN_EVENTS
    simultaneous: ClassVar[bool] = True

    def board(self, state: FreeState[Marks]) -> BoardView:
        """The battle board."""
        fleet = (self._vessel(ship, state.marks[ship.id]) for ship in state.ships)
        return board_view.board_view(tuple(fleet))

    def board_moves(self, state: FreeState[Marks], ship: str) -> BoardMoves:
        """The hexes that a ship may go to."""
        found = state.ship(ship)
        vessel = self._vessel(found, state.marks[ship])
        # What she has suffered in this round does not slow her down yet.
        as_began = self._vessel(found, state.firing[ship])
        most = most_hexes(as_began.evasion, self.tables)
        cells = self.board(state).cells
        return board_view.board_moves(vessel, cells, most, partial(self.check, state))

    def marks_from(self, ship: Ship, written: Marks) -> Marks:
        """The marks of a ship; more of them than she has boxes is an error."""
        check_marks(self._vessel(ship, written))
        return written

    def corrected(self, ship: Ship, before: Marks, written: Marks) -> Marks:
        """Marks entered by hand; evasion lost for good is no more than all that is lost."""
        if written.evasion_lost_for_good == before.evasion_lost_for_good:
            lost = min(written.evasion_lost_for_good, written.evasion_lost)
            written = replace(written, evasion_lost_for_good=lost)
        return self.marks_from(ship, written)

    def status_of(self, ship: Ship, marks: Marks) -> ShipStatus:
        """What has become of her."""
        return self._vessel(ship, marks).status

    def round_ended(self, ship: Ship, marks: Marks, firing: Marks) -> Marks:  # noqa: ARG002 - all that counts is marked
        """What a round begins anew: moves, salvos, ammunition for them, turrets that fail."""
        return results.round_over(marks)

    def play(
        self, state: FreeState[Marks], action: Action, dice: Dice
    ) -> Outcome[FreeState[Marks]]:
        """Roll an action; a new turn begins the count of combat rounds anew (9.41)."""
        outcome = super().play(state, action, dice)
        if isinstance(action, NewTurn):
            return replace(outcome, state=replace(outcome.state, round_number=1))
        return outcome

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        """Guns, torpedoes and rolls of a type; for "" what comes from nobody's ship."""
        card = self.ship_types.find(ship_type)
        if card is None:
            return super().offers(ship_type)
        vessel = self._vessel(Ship("", card.name, "", card.name), Marks())
        counted = {} if vessel.is_flotilla else {
            "guns": sum(vessel.salvos(section) for section in SECTIONS),
            "torpedoes": vessel.number("torpedoes"),
        }  # fmt: skip
        return tuple(
            ActionOffer(info, info.title, counted.get(info.kind, 0))
            for info in self.infos
            if info.by_ship
            and counted.get(info.kind, 1)
            and vessel.is_flotilla == (info.kind in _OF_FLOTILLAS)
        )

    def strength(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Strength:
        """What an action is rolled with; where nothing is rolled, how far she may go."""
        return self._strength(self._attack(attempt))

    def mounts(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> tuple[MountInfo, ...]:
        """The gun sections with salvos left in this round; torpedoes count by their strength."""
        attack = self._attack(attempt)
        if isinstance(attempt.action, Torpedoes) and not attack.actor.is_flotilla:
            left = 0 if attack.actor.marks.torpedoes_fired else attack.actor.number("torpedoes")
            return (_mount("torpedoes", left, bool(left)),)
        if not isinstance(attempt.action, Gunfire) or attack.actor.is_flotilla:
            return ()
        bearing = gunnery.sections_bearing(attack.of(attempt.action), self.tables)
        left_by = {each: attack.actor.salvos(each) - attack.actor.fired(each) for each in SECTIONS}
        return tuple(_mount(each, n, each in bearing) for each, n in left_by.items() if n > 0)

    def resolve(self, attempt: Attempt[Action, MarkedShip[Marks]], dice: Dice) -> Result[Marks]:
        """Roll an action."""
        attack, tables = self._attack(attempt), self.tables
        strength = self._strength(attack)
        acted = self.acted(attempt, strength)
        match attempt.action:
            case Placement() as action:
                return results.place_result(attack.of(action), acted, dice, tables)
            case Movement() as action:
                return results.move_result(attack.of(action), acted)
            case Withdrawal() as action:
                return results.withdraw_result(attack.of(action), acted)
            case WithdrawalMove() as action:
                return results.withdrawal_result(attack.of(action), acted, tables)
            case BreakOff() as action:
                return results.break_off_result(attack.of(action), acted)
            case NewTurn() as action:
                return results.new_turn_result(attack.of(action), acted)
        volley = self._volley(attack, strength)
        if volley is not None:
            return results.volley_result(attack, acted, volley, dice)
        run = _CHECKS[attempt.action.kind]
        return results.check_result(acted, run(attack, strength.ledger.total, dice, tables))

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[Marks]]]) -> Forecast:
        """The exact odds of all these attacks on one target, or of one other roll."""
        attacks = [self._attack(attempt) for attempt in attempts]
        strengths = [self._strength(attack) for attack in attacks]
        volleys = [
            volley
            for attack, strength in zip(attacks, strengths, strict=True)
            if (volley := self._volley(attack, strength)) is not None
        ]
        if len(volleys) == len(attacks) and (attacks[0].at is not None or len(attacks) == 1):
            return odds.forecast_volleys(volleys, attacks[0].at)
        if len(attacks) > 1:
            raise DreyerError("combat.forecast.alone")
        (attack,), (strength,) = attacks, strengths
        run = _CHECKS.get(attack.action.kind)
        if run is None:
            return Forecast({0: 1.0}, {}, {})
        total = strength.ledger.total
        return odds.forecast_check(lambda dice: run(attack, total, dice, self.tables))

    def record_sheet(self, ship: Ship, marks: Marks) -> RecordSheet:
        """Her row of the Hit Record Pad."""
        return record_sheet(self._vessel(ship, marks), ship.side, self.tables)

    def document(self, events: Sequence[Event]) -> Document:
        """The document of `dreyer resolve --json`."""
        return {**super().document(events), **report.own_keys(events)}

    def story(self, events: Sequence[Event]) -> tuple[Line, ...]:
        """An action line by line, its title with range and sectors."""
        title, *lines = super().story(events)
        return (report.with_range(title, events), *lines)

    def endings(self, events: Sequence[Event]) -> Iterator[Line]:
        """What an action came to."""
        return report.endings(events)

    def _volley(self, attack: Attempt[Action, Vessel], strength: Strength) -> Volley | None:
        """The attack as its shots, planes or salvos; None where it is no such attack."""
        tables, total = self.tables, strength.ledger.total
        match attack.action:
            case Gunfire() as action:
                return gunnery.GunVolley(attack.of(action), tables)
            case Torpedoes() as action:
                return torpedoes.TorpedoVolley(attack.of(action), total, tables)
            case AirStrike() as action:
                return air.StrikeVolley(attack.of(action), tables)
            case AirAttack() as action:
                return air.AirVolley(attack.of(action), tables)
            case SubmarineAttack() as action:
                return torpedoes.SubmarineVolley(attack.of(action), tables, strength.factor)
            case EscortHits() as action:
                return torpedoes.EscortVolley(attack.of(action), tables)
            case FlotillaAttack() as action:
                return torpedoes.FlotillaVolley(attack.of(action), tables, strength.factor)
            case AirConvoyAttack() as action:
                return checks.AirConvoyVolley(attack.of(action), tables)
            case SubmarineConvoyAttack() as action:
                return checks.SubmarineConvoyVolley(attack.of(action), strength.factor, tables)
            case FuelDamage() as action:
                return checks.FuelVolley(attack.of(action))
        return None

    def _strength(self, attack: Attempt[Action, Vessel]) -> Strength:
        return _STRENGTHS[attack.action.kind](attack, self.tables)

    def _vessel(self, ship: Ship, marks: Marks) -> Vessel:
        return vessel_of(ship, marks, self.ship_type(ship), self.tables)

    def _attack(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Attempt[Action, Vessel]:
        return with_vessels(attempt, self._vessel)


def _mount(part: str, count: int, bears: bool) -> MountInfo:
    return MountInfo(part, count, bears, Message(f"board.mount.{part}"))
