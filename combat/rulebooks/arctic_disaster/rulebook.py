"""Arctic Disaster in free play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from combat.actions import Action, ActionInfo, ActionOffer
from combat.board_views import BoardMoves, BoardView
from combat.dice import Dice
from combat.distributions import chance, odds_of
from combat.event_reports import begin_events
from combat.events import Concluded, Event, Sunk
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
from combat.previews import Document, Line
from combat.record_sheets import RecordSheet
from combat.rulebooks.arctic_disaster import (
    air,
    awards,
    board_view,
    checks,
    ending,
    maneuver,
    report,
    segments,
    strike,
)
from combat.rulebooks.arctic_disaster.actions import (
    INFOS,
    Adjustment,
    AirAttack,
    Deployment,
    Designation,
    Disengagement,
    Gunfire,
    Marks,
    Movement,
    Scattering,
    Submerging,
    Support,
    Torpedoes,
)
from combat.rulebooks.arctic_disaster.attack import AttackOutcome, ResolvedAttack
from combat.rulebooks.arctic_disaster.display import known_fields
from combat.rulebooks.arctic_disaster.events import (
    OWN_EVENTS,
    Damaged,
    Designated,
    FlightDeckLost,
    GunneryLost,
    MovementCost,
    SpeedLost,
    Supported,
    TorpedoesSpent,
)
from combat.rulebooks.arctic_disaster.maneuver import DisplayChange
from combat.rulebooks.arctic_disaster.sheet import record_sheet
from combat.rulebooks.arctic_disaster.table_files import EDITIONS, NAME
from combat.rulebooks.arctic_disaster.vessel import Vessel, vessel_of
from combat.strength import Strength
from combat.tables import TableSet
from combat.victory_points import VictoryPoints

if TYPE_CHECKING:
    from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class _Rules:
    """The functions of one kind of action."""

    strength: StrengthRule[Vessel]
    run: Callable[[Attempt[Any, Vessel], Dice, TableSet], ResolvedAttack]


_GUNS = _Rules(strike.gun_strength, strike.run_guns)
_CHECK = _Rules(checks.check_strength, checks.run_check)
_TARGET = _Rules(segments.designation_strength, maneuver.no_dice)
_RULES: Mapping[str, _Rules] = {
    "main": _GUNS,
    "secondary": _GUNS,
    "main-target": _TARGET,
    "secondary-target": _TARGET,
    "submerge": _Rules(segments.submerge_strength, maneuver.no_dice),
    "torpedoes": _Rules(strike.torpedo_strength, strike.run_torpedoes),
    "antiaircraft": _Rules(air.antiaircraft_strength, air.run_antiaircraft),
    "support": _Rules(air.support_strength, air.run_support),
    "deploy": _Rules(maneuver.deploy_strength, maneuver.run_deploy),
    "move": _Rules(maneuver.move_strength, maneuver.run_move),
    "adjust": _Rules(maneuver.adjust_strength, maneuver.no_dice),
    "scatter": _Rules(maneuver.scatter_strength, maneuver.no_dice),
    "air": _Rules(air.air_strength, air.run_air),
    "air-to-air": _Rules(air.patrol_strength, air.run_patrol),
    "submarine": _Rules(checks.submarine_strength, checks.run_submarine),
    "critical": _Rules(strike.critical_strength, strike.run_critical),
    "first-move": _Rules(checks.first_move_strength, checks.run_first_move),
    "search": _Rules(checks.search_strength, checks.run_search),
    "shadow": _Rules(checks.shadow_strength, checks.run_shadow),
    **dict.fromkeys(checks.CHECKS, _CHECK),
}


class ArcticRulebook(FreeRulebook[Marks]):
    """The rules of Arctic Disaster with their tables."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = INFOS
    state_type: ClassVar[type] = Marks
    own_events: ClassVar[tuple[type[Event], ...]] = OWN_EVENTS
    simultaneous: ClassVar[bool] = True
    editions: ClassVar[tuple[int, ...]] = EDITIONS
    marks_air_attacks: ClassVar[bool] = True
    """Whether it is marked who was attacked from the air in this round (11.1, step 5)."""
    keeps_segments: ClassVar[bool] = True
    """Whether a combat keeps the order of its segments, with targets designated (11.4, 11.4.4)."""
    damage_rolls: ClassVar[tuple[str, ...]] = strike.DAMAGE_PURPOSES

    def known(
        self, state: FreeState[Marks], info: ActionInfo, by: Ship | None, at: Ship | None
    ) -> Mapping[str, object]:
        """Range, weather, smoke and the round, once the fight is on the display."""
        return known_fields(state.round_number, info, by, at, self._fleet(state))

    def board(self, state: FreeState[Marks]) -> BoardView | None:
        """The Surface Combat Display."""
        return board_view.board_view(self._fleet(state), state.round_number)

    def board_moves(self, state: FreeState[Marks], ship: str) -> BoardMoves:
        """The areas that a ship may go to."""
        vessel = self._vessel(state.ship(ship), state.marks[ship])
        others = tuple(each for each in self._fleet(state) if each.id != ship)
        return board_view.board_moves(vessel, others, partial(self.check, state))

    def round_ended(self, ship: Ship, marks: Marks, firing: Marks) -> Marks:  # noqa: ARG002 - nothing of it is counted
        """A new round: every ship may move and fire again, and smoke is gone (11.4.3, 11.4.6)."""
        return marks.on_next_round()

    def status_of(self, ship: Ship, marks: Marks) -> ShipStatus:
        """Her status by her Damage Roster."""
        return self._vessel(ship, marks).status

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        """The actions of a type of ship; for "" those that no ship takes."""
        card, infos = self.ship_types.find(ship_type), self.info_by_kind
        if card is None:
            return super().offers(ship_type)
        vessel = self._vessel(Ship("", card.name, "", card.name), Marks())
        strengths = {
            "main": vessel.guns,
            "secondary": vessel.rating.secondary,
            "torpedoes": int(vessel.has_torpedoes),
            "antiaircraft": vessel.flak,
            "support": vessel.flak,
            "deploy": 1,
            "move": 1,
            "main-target": vessel.guns,
            "secondary-target": vessel.rating.secondary,
            "submerge": int(vessel.unit == segments.SUBMARINE),
        }
        return tuple(
            ActionOffer(infos[kind], infos[kind].title, strength)
            for kind, strength in strengths.items()
            if strength and kind in infos
        )

    def strength(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Strength:
        """The factor and modifiers of an action."""
        target, attack = attempt.at, self._attack(attempt)
        if isinstance(attempt.action, Gunfire | Designation) and target is not None:
            # Who has sunk in this segment may still be fired at (11.4.4).
            strike.afloat(self._vessel(target.ship, target.at_start))
        if self.keeps_segments:
            segments.check_submarine(attack)
            segments.check_segment(attack)
        return _RULES[attempt.action.kind].strength(attack, self.tables)

    def resolve(self, attempt: Attempt[Action, MarkedShip[Marks]], dice: Dice) -> Result[Marks]:
        """Roll an action."""
        attack, rules = self._attack(attempt), _RULES[attempt.action.kind]
        acted = self.acted(attempt, self.strength(attempt))
        rolled = rules.run(attack, dice, self.tables)
        events = (
            *begin_events(acted, rolled.throws, rolled.lines),
            *self._outcome_events(attack, rolled, acted.ship),
        )
        target = attack.at
        display = self._on_display(attack, rolled)
        return Result(
            (*events, *display.events),
            spent=_spent(attack),
            suffered=partial(self._suffered, target, attack, rolled) if target else None,
            others=display.marks,
        )

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[Marks]]]) -> Forecast:
        """The exact odds of these rolls in sequence."""
        so_far: dict[AttackOutcome, float] = {AttackOutcome(): 1.0}
        for attempt in attempts:
            so_far = self._one_more(so_far, self._attack(attempt))
        target = self._attack(attempts[0]).at
        hits: dict[int, float] = {}
        results: dict[Message, float] = {}
        outcomes: dict[str, float] = {}
        for outcome, share in so_far.items():
            hits[outcome.hits] = hits.get(outcome.hits, 0.0) + share
            for note in outcome.notes:
                results[note] = results.get(note, 0.0) + share
        boxes: dict[str, float] = {}
        if target is not None:
            left = target.capacity - target.marks.damage
            outcomes["hit"] = chance(so_far, lambda each: each.damage > 0)
            outcomes["sunk"] = chance(so_far, lambda each: each.damage >= left)
            boxes["damage"] = sum(min(each.damage, left) * p for each, p in so_far.items())
        return Forecast(dict(sorted(hits.items())), outcomes, boxes, results=results)

    def victory_points(self, state: FreeState[Marks]) -> tuple[VictoryPoints, ...]:
        """Both players' (15.1, 15.2)."""
        if not self.keeps_segments:
            return ()
        return awards.victory_points(self._fleet(state), self.tables)

    def record_sheet(self, ship: Ship, marks: Marks) -> RecordSheet:
        """Her counter and Damage Roster."""
        return record_sheet(self._vessel(ship, marks), ship.side)

    def document(self, events: Sequence[Event]) -> Document:
        """The document of `dreyer resolve --json`."""
        return {
            **super().document(events),
            **report.damage_keys(events),
            **report.end_keys(events),
        }

    def endings(self, events: Sequence[Event]) -> Iterator[Line]:
        """The results of an action."""
        return report.endings(events)

    def _on_display(self, attack: Attempt[Action, Vessel], rolled: ResolvedAttack) -> DisplayChange:
        """What an action changes on the Surface Combat Display."""
        match attack.action:
            case Deployment() as action:
                return maneuver.deployed(
                    attack.of(action), rolled, self.tables, in_segments=self.keeps_segments
                )
            case Movement() as action:
                return maneuver.moved(attack.of(action))
            case Adjustment() as action:
                return maneuver.adjusted(attack.of(action))
            case Scattering() as action:
                return maneuver.scattered(attack.of(action))
            case Submerging() as action:
                return maneuver.submerged(attack.of(action))
            case AirAttack():
                return maneuver.attacked_from_air(attack.victim)
            case Disengagement():
                after = maneuver.combat_ended if rolled.outcome.hits else maneuver.combat_goes_on
                return after(attack.fleet)
        return DisplayChange((), {})

    def _suffered(
        self, target: Vessel, attack: Attempt[Action, Vessel], rolled: ResolvedAttack, marks: Marks
    ) -> Marks:
        """What was done to a target: hits, who fired at her first, and fire at her attackers."""
        match attack.action:
            case Support():
                taken, steps = air.effect_of(rolled)
                return replace(
                    marks,
                    hindrance=(marks.hindrance or 0) - taken,
                    steps_taken=(marks.steps_taken or 0) + steps,
                    supporters=(marks.supporters or 0) + 1,
                )
            case AirAttack():
                marks = replace(
                    marks,
                    air_attacked=True if self.marks_air_attacks else None,
                    hindrance=None,
                    steps_taken=None,
                    supporters=None,
                )
            case Gunfire() if marks.area is not None and marks.first_firer is None:
                marks = replace(marks, first_firer=attack.actor.id)
        outcome = rolled.outcome
        damaged = replace(target, marks=marks)
        return damaged.with_damage(outcome.damage, outcome.move_lost, outcome.guns_lost).marks

    def _fleet(self, state: FreeState[Marks]) -> tuple[Vessel, ...]:
        return tuple(self._vessel(ship, state.marks[ship.id]) for ship in state.ships)

    def _vessel(self, ship: Ship, marks: Marks) -> Vessel:
        return vessel_of(ship, marks, self.ship_type(ship), self.tables)

    def _attack(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Attempt[Action, Vessel]:
        return with_vessels(attempt, self._vessel)

    def _outcome_events(
        self, attack: Attempt[Action, Vessel], rolled: ResolvedAttack, ship: str | None
    ) -> Iterator[Event]:
        outcome = rolled.outcome
        notes = tuple(sorted(outcome.notes - {strike.CRITICAL}, key=lambda note: note.code))
        rule = self.info_by_kind[attack.action.kind].rule
        target = attack.at
        target_id = target.id if target else None
        yield Concluded(ship=ship, target=target_id, rule=rule, hits=outcome.hits, results=notes)
        if isinstance(attack.action, Torpedoes):
            yield TorpedoesSpent(ship=ship, rule="11.4.7")
        if isinstance(attack.action, Support):
            taken, steps = air.effect_of(rolled)
            yield Supported(ship=ship, target=target_id, rule=rule, taken=taken, steps=steps)
        if isinstance(attack.action, Disengagement):
            cost = checks.movement_cost(attack.of(attack.action), self.tables)
            yield MovementCost(points=cost, rule="7.6.4")
            ended = ending.end_of_combat(attack.of(attack.action)) if outcome.hits else None
            if ended is not None and self.keeps_segments:
                yield ended
        if isinstance(attack.action, Designation):
            battery = attack.action.battery
            yield Designated(ship=ship, target=target_id, rule=rule, battery=battery)
        elif target is not None and not isinstance(attack.action, Support):
            yield from _target_events(target, outcome, ship)

    def _one_more(
        self, so_far: Mapping[AttackOutcome, float], attack: Attempt[Action, Vessel]
    ) -> dict[AttackOutcome, float]:
        """The odds after another roll; an air attack depends on the ship's damage so far."""
        rules, target, tables = _RULES[attack.action.kind], attack.at, self.tables
        known: dict[int, Mapping[AttackOutcome, float]] = {}
        both: dict[AttackOutcome, float] = {}
        for before, share in so_far.items():
            if not isinstance(attack.action, AirAttack) or target is None:
                if not known:
                    known[0] = odds_of(lambda dice: rules.run(attack, dice, tables).outcome)
                more = known[0]
            elif target.marks.damage + before.damage >= target.capacity:
                more = {AttackOutcome(): 1.0}
            else:
                if before.damage not in known:
                    damaged = target.with_damage(before.damage, 0, 0)
                    known[before.damage] = air.air_odds(
                        replace(attack.of(attack.action), at=damaged), tables
                    )
                more = known[before.damage]
            for outcome, part in more.items():
                both[before + outcome] = both.get(before + outcome, 0.0) + share * part
        return both


class SecondArcticRulebook(ArcticRulebook):
    """The rules of edition 2: the order of the segments, and the targets, are the players'."""

    infos: ClassVar[tuple[ActionInfo, ...]] = tuple(
        info for info in INFOS if info.type not in (Designation, Submerging)
    )
    keeps_segments: ClassVar[bool] = False


class FirstArcticRulebook(SecondArcticRulebook):
    """The rules of edition 1: ranges are said by the players, and no round is kept."""

    infos: ClassVar[tuple[ActionInfo, ...]] = tuple(
        info
        for info in SecondArcticRulebook.infos
        if info.type not in (Deployment, Support, Adjustment, Scattering)
    )
    marks_air_attacks: ClassVar[bool] = False

    def known(
        self,
        state: FreeState[Marks],  # noqa: ARG002 - nothing is kept
        info: ActionInfo,  # noqa: ARG002
        by: Ship | None,  # noqa: ARG002
        at: Ship | None,  # noqa: ARG002
    ) -> Mapping[str, object]:
        """Nothing: the players say everything."""
        return {}

    def board(self, state: FreeState[Marks]) -> BoardView | None:  # noqa: ARG002 - as above
        """None: there is no display."""
        return None

    def board_moves(self, state: FreeState[Marks], ship: str) -> BoardMoves:  # noqa: ARG002 - as above
        """None, without a display."""
        return BoardMoves(ship)


def _spent(attack: Attempt[Action, Vessel]) -> Callable[[Marks], Marks] | None:
    """What an action marks on the acting ship at once."""
    match attack.action:
        case Torpedoes() if attack.actor.marks.in_segments:
            return lambda marks: replace(marks, torpedoes_fired=True, launched=True)
        case Torpedoes():
            return lambda marks: replace(marks, torpedoes_fired=True)
        case Designation(kind=kind, at=target):
            if kind == "main-target":
                return lambda marks: replace(marks, main_target=target)
            return lambda marks: replace(marks, secondary_target=target)
        case Gunfire(kind=kind) if attack.actor.marks.area is not None:
            return _fired_main if kind == "main" else _fired_secondary
        case Support():
            return lambda marks: replace(marks, supported=True)
    return None


def _fired_main(marks: Marks) -> Marks:
    return replace(marks, fired_main=True)


def _fired_secondary(marks: Marks) -> Marks:
    return replace(marks, fired_secondary=True)


def _target_events(target: Vessel, outcome: AttackOutcome, ship: str | None) -> Iterator[Event]:
    """The events of hits and critical hits on a ship."""
    struck = target.with_damage(outcome.damage, outcome.move_lost, outcome.guns_lost)
    if outcome.move_lost:
        yield SpeedLost(ship=ship, target=target.id, rule="12.2", left=struck.move)
    if outcome.guns_lost:
        yield GunneryLost(ship=ship, target=target.id, rule="12.2", left=struck.guns)
    yield Damaged(
        ship=ship,
        target=target.id,
        rule="12.0",
        points=outcome.damage,
        damage=struck.marks.damage,
        capacity=struck.capacity,
    )
    if struck.unit == "CV" and target.rating.flying and not struck.rating.flying:
        yield FlightDeckLost(ship=ship, target=target.id, rule="12.1")
    if struck.sunk and not target.sunk:
        yield Sunk(ship=ship, target=target.id, rule="12.0")
