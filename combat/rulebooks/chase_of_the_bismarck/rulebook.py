"""The Chase of the Bismarck in free play."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from combat.actions import Action, ActionInfo, ActionOffer
from combat.board_views import BoardMoves, BoardView
from combat.dice import Dice
from combat.event_reports import events_of
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
from combat.previews import Document, Forbidden, Line, MountInfo
from combat.record_sheets import RecordSheet
from combat.rulebooks.chase_of_the_bismarck import (
    board_view,
    chance,
    checks,
    maneuver,
    odds,
    prizes,
    report,
    results,
    steps,
    strike,
    upkeep,
)
from combat.rulebooks.chase_of_the_bismarck.actions import (
    INFOS,
    Abort,
    AirAttack,
    ConvoyAttack,
    ConvoyHunt,
    Gunfire,
    Marks,
    Movement,
    RandomSpotting,
    Refuel,
    Reinforcement,
    Repair,
    Start,
    SubmarineAttack,
    SubmarineContact,
    SubmarineTarget,
    TankerCaught,
    Torpedoes,
)
from combat.rulebooks.chase_of_the_bismarck.events import OWN_EVENTS, CardLeft
from combat.rulebooks.chase_of_the_bismarck.sheet import record_sheet
from combat.rulebooks.chase_of_the_bismarck.stations import known_fields
from combat.rulebooks.chase_of_the_bismarck.table_files import EDITIONS, NAME
from combat.rulebooks.chase_of_the_bismarck.vessel import (
    ARMAMENT,
    Vessel,
    check_marks,
    vessel_of,
)
from combat.strength import Strength
from combat.victory_points import VictoryPoints
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef

_STRENGTHS: Final[Mapping[str, StrengthRule[Vessel]]] = {
    "guns": strike.gun_strength,
    "torpedoes": strike.torpedo_strength,
    "move": maneuver.move_strength,
    "abort": checks.abort_strength,
    "reinforcement": checks.reinforcement_strength,
    "start": maneuver.start_strength,
    "air": strike.air_strength,
    "tanker": checks.caught_strength,
    "submarine": strike.submarine_strength,
    "submarine contact": checks.contact_strength,
    "submarine target": checks.found_strength,
    "spotting": chance.spotting_strength,
    "convoy hunt": chance.hunt_strength,
    "convoy attack": prizes.attack_strength,
    "repair": upkeep.repair_strength,
    "refuel": upkeep.refuel_strength,
}


class ChaseRulebook(FreeRulebook[Marks]):
    """The rules of The Chase of the Bismarck with their tables."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = INFOS
    state_type: ClassVar[type] = Marks
    own_events: ClassVar[tuple[type[Event], ...]] = OWN_EVENTS
    simultaneous: ClassVar[bool] = True
    editions: ClassVar[tuple[int, ...]] = EDITIONS
    keeps_steps: ClassVar[bool] = True
    """Whether the steps of a combat round follow one another (10)."""
    keeps_convoys: ClassVar[bool] = True
    """Whether a convoy is located once in a game, and victory points are counted (4; 11.3)."""

    def known(
        self, state: FreeState[Marks], info: ActionInfo, by: Ship | None, at: Ship | None
    ) -> Mapping[str, object]:
        """Zones, positions, visibility and the combat round, once the fight is on the board."""
        return known_fields(state, info, by, at, self._fleet(state))

    def board(self, state: FreeState[Marks]) -> BoardView:
        """The Battle Board."""
        return board_view.board_view(self._fleet(state))

    def board_moves(self, state: FreeState[Marks], ship: str) -> BoardMoves:
        """The movement zones that a ship may go to."""
        vessel = self._vessel(state.ship(ship), state.marks[ship])
        return board_view.board_moves(vessel, partial(self.check, state))

    def round_ended(self, ship: Ship, marks: Marks, firing: Marks) -> Marks:  # noqa: ARG002 - nothing of it is counted
        """A new combat round: every ship may fire, move and try to enter again."""
        return marks.on_next_round()

    def marks_from(self, ship: Ship, written: Marks) -> Marks:
        """The marks of a ship. Raises BadField for more marks than her card has boxes."""
        check_marks(self._vessel(ship, written))
        return written

    def status_of(self, ship: Ship, marks: Marks) -> ShipStatus:
        """Her status by her Ship Card."""
        return self._vessel(ship, marks).status

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        """The actions of a type of ship; for "" those that no ship takes."""
        card = self.ship_types.find(ship_type)
        if card is None:
            return super().offers(ship_type)
        vessel = self._vessel(Ship("", card.name, "", card.name), Marks())
        counted = {
            "guns": sum(vessel.printed(part) for part in ARMAMENT),
            "torpedoes": vessel.printed("torpedoes"),
        }
        return tuple(
            ActionOffer(info, info.title, counted.get(info.kind, 0))
            for info in self.infos
            if info.by_ship
            and counted.get(info.kind, 1)
            and (info.type is TankerCaught) == vessel.is_tanker
            and (info.type not in (ConvoyHunt, ConvoyAttack) or chance.may_hunt(vessel))
        )

    def strength(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Strength:
        """The factor and modifiers of an action; without a die, a zone or a movement allowance."""
        target = attempt.at
        # Fire is simultaneous: who has sunk in this round may still be fired at (10, step 2).
        if target and target.at_start.zone and self._vessel(target.ship, target.at_start).sunk:
            raise Forbidden(Message("chase.refused.sunk", ship=ShipRef(target.id)), "2.4")
        attack = self._attack(attempt)
        if self.keeps_steps:
            steps.check_step(attack)
        return _STRENGTHS[attempt.action.kind](attack, self.tables)

    def mounts(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> tuple[MountInfo, ...]:
        """The parts of the card with factors left; a torpedo marker counts as one."""
        attack, action, tables = self._attack(attempt), attempt.action, self.tables
        if isinstance(action, Torpedoes):
            in_reach = strike.torpedoes_reach(action, tables)
            return (_mount("torpedoes", attack.actor.left("torpedoes"), in_reach),)
        if not isinstance(action, Gunfire):
            return ()
        bearing = strike.factors_bearing(attack.of(action), tables)
        left = {part: attack.actor.left(part) for part in ARMAMENT}
        return tuple(_mount(part, n, part in bearing) for part, n in left.items() if n)

    def resolve(self, attempt: Attempt[Action, MarkedShip[Marks]], dice: Dice) -> Result[Marks]:
        """Roll an action."""
        attack, strength, tables = self._attack(attempt), self.strength(attempt), self.tables
        acted = self.acted(attempt, strength)
        match attempt.action:
            case Start() as action:
                standing = maneuver.start_position(attack.of(action), tables)
                return results.position_result(attack.of(action), acted, standing, tables)
            case Movement() as action:
                standing = maneuver.position_after_move(attack.of(action), tables)
                return results.position_result(attack.of(action), acted, standing, tables)
            case SubmarineTarget() as action:
                return results.found_result(attack.of(action), acted, dice, tables)
            case RandomSpotting() | ConvoyHunt() as action:
                found = results.chance_result(attack.of(action), acted, strength, dice, tables)
                return found if self.keeps_convoys else replace(found, spent=None)
            case ConvoyAttack() as action:
                return results.prize_result(attack.of(action), acted, dice, tables)
            case Repair() as action:
                return results.repair_result(attack.of(action), acted, strength, dice, tables)
            case Refuel() as action:
                return results.refuel_result(attack.of(action), acted, strength)
            case TankerCaught() as action:
                return results.caught_result(attack.of(action), acted)
            case Gunfire() | Torpedoes() | AirAttack() | SubmarineAttack() as action:
                return results.strike_result(attack.of(action), acted, strength, dice, tables)
            case Abort() | Reinforcement() | SubmarineContact() as action:
                return results.check_result(attack.of(action), acted, strength, dice, tables)
            case _:
                raise TypeError(attempt.action)

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[Marks]]]) -> Forecast:
        """The exact odds of these attacks on one target, or of one other roll."""
        attacks, tables = [self._attack(attempt) for attempt in attempts], self.tables
        strengths = [self.strength(attempt) for attempt in attempts]
        if isinstance(attacks[0].action, TankerCaught):
            return Forecast({1: 1.0}, {"hit": 1.0, "sunk": 1.0}, {})
        strikes = [
            (attack.of(attack.action), strength)
            for attack, strength in zip(attacks, strengths, strict=True)
            if isinstance(attack.action, strike.Strike)
        ]
        if len(strikes) == len(attacks):
            positions = {
                attack.action.target_position
                for attack, _ in strikes
                if isinstance(attack.action, Gunfire | Torpedoes)
            }
            if len(positions) > 1:
                found = tuple(Message(f"chase.position.{each}") for each in sorted(positions))
                raise DreyerError("chase.forecast.positions", found=found)
            return odds.forecast_strikes(strikes, tables)
        if len(attacks) > 1:
            raise DreyerError("combat.forecast.alone")
        (attack,), (strength,) = attacks, strengths
        match attack.action:
            case Start() | Movement() | Refuel():
                return Forecast({0: 1.0}, {}, {})
            case ConvoyAttack() as action:
                return odds.forecast_prize(attack.of(action), tables)
            case Repair() as action:
                return odds.forecast_repair(attack.of(action), strength, tables)
            case SubmarineTarget() as action:
                return odds.forecast_found(attack.of(action), tables)
            case RandomSpotting() | ConvoyHunt() as action:
                return odds.forecast_chance(attack.of(action), strength, tables)
            case Abort() | Reinforcement() | SubmarineContact() as action:
                return odds.forecast_check(attack.of(action), strength, tables)
            case _:
                raise TypeError(attack.action)

    def victory_points(self, state: FreeState[Marks]) -> tuple[VictoryPoints, ...]:
        """The German player's, for ships and convoys (4; 11.3)."""
        if not self.keeps_convoys:
            return ()
        return (prizes.victory_points(self._fleet(state), self.tables),)

    def record_sheet(self, ship: Ship, marks: Marks) -> RecordSheet:
        """Her Ship Card."""
        return record_sheet(self._vessel(ship, marks), ship.side, self.tables)

    def document(self, events: Sequence[Event]) -> Document:
        """The document of `dreyer resolve --json`."""
        return {**super().document(events), **report.own_keys(events)}

    def story(self, events: Sequence[Event]) -> tuple[Line, ...]:
        """An action line by line, its title with range and positions."""
        title, *lines = super().story(events)
        return (report.with_range(title, events), *lines)

    def endings(self, events: Sequence[Event]) -> Iterator[Line]:
        """The results of an action."""
        return report.endings(events)

    def outcome(self, events: Sequence[Event]) -> Message:
        """What an attack left on the target's card (2.4), not what that does to her movement."""
        left = next(report.endings(events_of(CardLeft, events)), None)
        return left.text if left else super().outcome(events)

    def _fleet(self, state: FreeState[Marks]) -> tuple[Vessel, ...]:
        return tuple(self._vessel(ship, state.marks[ship.id]) for ship in state.ships)

    def _vessel(self, ship: Ship, marks: Marks) -> Vessel:
        return vessel_of(ship, marks, self.ship_type(ship), self.tables)

    def _attack(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Attempt[Action, Vessel]:
        return with_vessels(attempt, self._vessel)


class SecondChaseRulebook(ChaseRulebook):
    """The rules of edition 2: the order of steps is the players', and so are convoys."""

    infos: ClassVar[tuple[ActionInfo, ...]] = tuple(
        info for info in INFOS if info.type not in (ConvoyAttack, Repair, Refuel)
    )
    keeps_steps: ClassVar[bool] = False
    keeps_convoys: ClassVar[bool] = False


class FirstChaseRulebook(SecondChaseRulebook):
    """The rules of edition 1, without tankers and the Chance Phase's further tables."""

    infos: ClassVar[tuple[ActionInfo, ...]] = tuple(
        info
        for info in SecondChaseRulebook.infos
        if info.type not in (RandomSpotting, ConvoyHunt, TankerCaught)
    )


def _mount(part: str, count: int, bears: bool) -> MountInfo:
    return MountInfo(part, count, bears, Message(f"chase.mount.{part}"))
