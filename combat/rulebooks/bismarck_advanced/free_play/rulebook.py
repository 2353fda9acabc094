"""The Advanced Game in free play: guns, torpedoes and jams of any ship, at any time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, TypeVar

from combat.actions import Action, ActionInfo, ActionOffer
from combat.dice import Dice
from combat.events import Acted, Event
from combat.forecast import Forecast
from combat.free_play import Attempt, FreeRulebook, FreeState, MarkedShip, Result
from combat.optional_rules import OptionalRule
from combat.participants import Ship, ShipStatus
from combat.previews import Document, Line, MountInfo
from combat.provenance import Provenance
from combat.questions import Question
from combat.record_sheets import RecordSheet
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, EARLIER, Edition
from combat.rulebooks.bismarck_advanced.fire import fire_report, torpedo_report
from combat.rulebooks.bismarck_advanced.fire.events import OWN_EVENTS, Fired
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.odds import (
    AttackOdds,
    fire_odds,
    forecast_attacks,
)
from combat.rulebooks.bismarck_advanced.fire.options import Options, options_of_edition
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Shot,
    Sightline,
    check_allowed,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fire.torpedo_odds import without_gunfire
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.free_play import air, jam_rolls, torpedo_fire
from combat.rulebooks.bismarck_advanced.free_play.actions import (
    INFOS,
    PREVIOUS_FIRE,
    AirAttack,
    Fire,
    Jams,
    LandBombers,
    PreviousFire,
    Torpedoes,
)
from combat.rulebooks.bismarck_advanced.free_play.record_sheet import sheet_outside_battle
from combat.rulebooks.bismarck_advanced.free_play.ship_state import (
    FightMarks,
    ShipState,
    state_of,
    vessel_with,
)
from combat.rulebooks.bismarck_advanced.free_play.state_checks import check_state
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.rulebooks.bismarck_advanced.table_files import NAME
from combat.ships import ShipList, ShipType
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from tabletop.arcs import FiringArc, Quadrant
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.fields_of_fire import Reach, ReachBand
from tabletop.messages import Message
from tabletop.places import NOWHERE, DocumentPlace
from tabletop.rules import TableRules
from tabletop.schema import bounds, describe_value

A = TypeVar("A", bound=Action)
_CONDITIONS: Final = NOWHERE.table("conditions")
"""The table of shot files with the conditions of a fire."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A gun fire with the ships that take part in it."""

    action: Fire
    by: Ship
    firer: FightMarks
    at: Ship
    target: FightMarks
    target_before: FightMarks
    """The target as the round began."""


class AdvancedRulebook(FreeRulebook[FightMarks, ShipState]):
    """The rules of fire with their tables and table settings."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = INFOS
    state_type: ClassVar[type] = ShipState
    own_events: ClassVar[tuple[type[Event], ...]] = OWN_EVENTS
    simultaneous: ClassVar[bool] = True
    editions: ClassVar[tuple[int, ...]] = tuple(each.number for each in (*EARLIER, CURRENT))
    usual_in_files: ClassVar[bool] = True

    def __init__(
        self,
        tables: TableSet,
        warships: ShipList[Warship],
        rules: TableRules,
        edition: Edition = CURRENT,
    ) -> None:
        super().__init__(tables, warships)
        self._warships = warships
        self.rules = rules
        self.edition = edition

    # Ships

    def fresh(self, ship: Ship) -> FightMarks:
        """An undamaged ship with full magazines."""
        return FightMarks(Vessel.fresh(self._warship(ship), ship.id))

    def marks_from(self, ship: Ship, written: ShipState) -> FightMarks:
        """The ship with these marks. Raises BadField for marks that she cannot have."""
        self.check_marks(ship, written)
        return FightMarks(vessel_with(written, self.fresh(ship).vessel))

    def check_marks(self, ship: Ship, written: ShipState) -> None:
        """Raise BadField for marks that she cannot have."""
        if self.edition.marks_must_agree:
            check_state(written, self._warship(ship))

    def corrected(self, ship: Ship, before: FightMarks, written: ShipState) -> FightMarks:  # noqa: ARG002 - her marks name her
        """The ship with these marks; her fire and hits of the last rounds are kept."""
        out = tuple(each for each in before.put_out if each.turret in written.turrets_out)
        return replace(before, vessel=vessel_with(written, before.vessel), put_out=out)

    def written(self, ship: Ship, marks: FightMarks) -> ShipState:  # noqa: ARG002 - as above
        """Her marks as in a file."""
        return state_of(marks.vessel)

    def round_ended(self, ship: Ship, marks: FightMarks, firing: FightMarks) -> FightMarks:  # noqa: ARG002 - as above
        """Her marks at the start of the next combat phase."""
        return marks.after_round(firing.vessel)

    def status_of(self, ship: Ship, marks: FightMarks) -> ShipStatus:  # noqa: ARG002 - as above
        """In action until every hull box is marked (64.8)."""
        return ShipStatus.SUNK if marks.vessel.is_sunk else ShipStatus.IN_ACTION

    def record_sheet(self, ship: Ship, marks: FightMarks) -> RecordSheet:
        """Her hit record sheet."""
        return replace(sheet_outside_battle(marks.vessel, ship.side), ship=ship.name)

    # What is asked and offered

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        """The gun types of a ship that have guns, torpedoes, and jams where she is prone to them.

        The main guns come first.
        """
        if not ship_type:
            return super().offers("") if self.edition.air_attacks else ()
        warship = self._warships.find(ship_type)
        if warship is None:
            return ()
        offers = [
            ActionOffer(
                self.info_by_kind[battery],
                Message(f"advanced.battery_title.{battery}"),
                warship.guns(battery),
                Message("advanced.unit.guns"),
            )
            for battery in Battery
            if warship.guns(battery)
        ]
        if warship.torpedoes:
            info = self.info_by_kind["torpedoes"]
            bands = torpedo_fire.bands(self.tables)
            offers.append(ActionOffer(info, info.title, warship.torpedoes, bands=bands))
        if warship.jam_table is not None:
            title = Message("advanced.battery_title.jams")
            offers.append(ActionOffer(self.info_by_kind["jams"], title))
        return tuple(offers)

    def question(self, asked: Question, by: ShipType | None, at: ShipType | None) -> Question:
        """Speeds have bounds and defaults by ship; a page asks for what a battle would know."""
        ship = {"firer": by, "target": at}.get(asked.table)
        if ship is not None and asked.key == "speed":
            factor = ship.movement_factor or 0
            label = Message("advanced.question.speed")
            return replace(asked.up_to(factor), label=label, default=_usual_speed(factor))
        if asked.name == PREVIOUS_FIRE:
            return replace(asked, default=PreviousFire.NONE)
        return replace(asked, default=False) if asked.name == "hit_last_segment" else asked

    def reaches(self, ship: Ship, marks: FightMarks) -> tuple[Reach, ...]:  # noqa: ARG002 - as above
        """The quadrants that a gun type bears into now (61.4), and its ranges (62.42)."""
        vessel = marks.vessel
        if vessel.is_sunk:
            return ()
        chart = vessel.warship.rate_of_fire
        limits = [0.0, *(segment.upper_yards for segment in self.rules.segments)]
        return tuple(
            Reach(
                battery,
                FiringArc(
                    frozenset(
                        quadrant
                        for quadrant in Quadrant
                        if turrets_bearing(vessel, battery, quadrant, {})
                    )
                ),
                tuple(
                    ReachBand(segment.name, inner, segment.upper_yards)
                    for segment, inner in zip(self.rules.segments, limits, strict=False)
                    if chart.multiplier(battery, RangeBand(segment.name)) is not None
                ),
            )
            for battery in Battery
            if vessel.warship.guns(battery)
        )

    # What is done

    def attempt(
        self, state: FreeState[FightMarks], action: Action
    ) -> Attempt[Action, MarkedShip[FightMarks]]:
        """An action with its ships; what does not fit them is an error."""
        attempt = super().attempt(state, action)
        if isinstance(action, Jams):
            jam_rolls.check_turrets(_narrowed(attempt, action))
        if not isinstance(action, Fire):
            return attempt
        line = _line(attempt)
        _check_speed(NOWHERE.table("firer"), line.action.firer_speed, line.firer.vessel.warship)
        _check_speed(NOWHERE.table("target"), line.action.target_speed, line.target.vessel.warship)
        _check_jammed(line.action.jammed, line.firer.vessel.warship)
        _check_previous_fire(line)
        return attempt

    @property
    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """Those that make a difference in this edition."""
        return options_of_edition(super().optional_rules, self.edition)

    def shot(self, attempt: Attempt[Action, MarkedShip[FightMarks]]) -> Shot:
        """The facts of a fire; those that the action omits are taken from the battle."""
        line = _line(attempt)
        action, target = line.action, line.target.vessel
        firer = self._counting(line.firer.vessel, action)
        first, hit = _previous_fire(line)
        segment = self.rules.segment(action.range_yards)
        return Shot(
            firer=firer,
            target=target,
            firer_speed=_speed(action.firer_speed, firer),
            target_speed=_speed(action.target_speed, target),
            battery=action.battery,
            sightline=Sightline(
                range_yards=action.range_yards,
                band=next((band for band in RangeBand if band == segment), None),
                quadrant=action.quadrant,
                aspect=action.aspect,
                blocked=action.blocked,
                smoke=action.smoke,
            ),
            turrets=action.turrets,
            guns=action.guns,
            held_back=action.held_back,
            conditions=Conditions(
                visibility=action.visibility,
                night=action.night,
                first_fire_at_target=first,
                hit_target_last_segment=hit,
                hit_last_segment=_entered_or(action.hit_last_segment, line.firer.hit_before),
                under_fire=action.under_fire,
                crew=action.crew,
                several_targets=action.several_targets,
                several_firers=action.several_firers,
                firer_evolution=action.firer_evolution,
                target_evolution=action.target_evolution,
                firer_smoke_cover=action.firer_smoke_cover,
                target_smoke_cover=action.target_smoke_cover,
                # What is said of a turret counts before what was rolled (71.5).
                jammed={**line.firer.jammed, **action.jammed},
            ),
            target_before=line.target_before.vessel,
        )

    def strength(self, attempt: Attempt[Action, MarkedShip[FightMarks]]) -> Strength:
        """The gunnery factor (62.43), torpedoes (19.4) or guns that may jam, and the ledger."""
        match attempt.action:
            case AirAttack() as action:
                return air.air_strength(_narrowed(attempt, action), self.tables, self.edition)
            case LandBombers() as action:
                return air.land_strength(_narrowed(attempt, action), self.edition)
            case Torpedoes() as action:
                return torpedo_fire.torpedo_strength(_narrowed(attempt, action), self.tables)
            case Jams() as action:
                return jam_rolls.jam_strength(_narrowed(attempt, action))
        shot = self.shot(attempt)
        check_allowed(shot)
        ledger = modifications(shot, self._combat_tables, fire_options(_line(attempt).action))
        certainty = Provenance.worst(modifier.provenance for modifier in ledger)
        return Strength(gunnery_factor(shot), rule_reference("62.43"), ledger, certainty)

    def mounts(self, attempt: Attempt[Action, MarkedShip[FightMarks]]) -> tuple[MountInfo, ...]:
        """The turrets of the gun type, and which of them can fire; none for torpedoes."""
        match attempt.action:
            case Torpedoes() | AirAttack() | LandBombers():
                return ()
            case Jams() as action:
                return jam_rolls.jam_mounts(_narrowed(attempt, action))
        shot = self.shot(attempt)
        bearing = turrets_bearing(
            shot.firer, shot.battery, shot.sightline.quadrant, shot.conditions.jammed
        )
        ready = {turret.name: turret.guns for turret in bearing}
        return tuple(
            MountInfo(mount.name, ready.get(mount.name, mount.guns), mount.name in ready)
            for mount in shot.firer.warship.mounts(shot.battery)
            # A box that only takes damage has no guns (60.3).
            if mount.guns
        )

    def resolve(
        self, attempt: Attempt[Action, MarkedShip[FightMarks]], dice: Dice
    ) -> Result[FightMarks]:
        """Resolve an action; the rules are those of the guided battle (62 to 65, 69, 71)."""
        match attempt.action:
            case AirAttack() as action:
                acted = self.acted(attempt, self.strength(attempt))
                return air.air_result(_narrowed(attempt, action), acted, dice, self.tables)
            case LandBombers() as action:
                acted = self.acted(attempt, self.strength(attempt))
                return air.land_result(_narrowed(attempt, action), acted, dice, self.tables)
            case Torpedoes() as action:
                acted = self.acted(attempt, self.strength(attempt))
                salvo = _narrowed(attempt, action)
                return torpedo_fire.torpedo_result(salvo, acted, dice, self.tables)
            case Jams() as action:
                acted = self.acted(attempt, self.strength(attempt))
                roll = _narrowed(attempt, action)
                return jam_rolls.jam_result(roll, acted, dice, self.tables)
        line = _line(attempt)
        report = resolve_fire(
            self.shot(attempt), dice, self._combat_tables, options=fire_options(line.action)
        )
        return Result(
            tuple(fire_report.fire_events(report, line.by.id, line.at.id)),
            spent=lambda marks: self._divided(marks, line.action).after_firing(report, line.at.id),
            suffered=lambda marks: marks.after_fire_at_her(report),
        )

    def _counting(self, vessel: Vessel, action: Fire) -> Vessel:
        """The firer as her ammunition is counted in this fire (65.6)."""
        if not action.ammunition_by_turret:
            return vessel
        counting = replace(vessel, ammunition_by_turret=True)
        shared = self.edition.ammunition_spent_before_is_shared
        return counting.with_equal_shares() if shared else counting

    def _divided(self, marks: FightMarks, action: Fire) -> FightMarks:
        """The firer's marks with each turret's part of what she had spent before."""
        spent = self._counting(marks.vessel, action).turret_spent
        return replace(marks, vessel=replace(marks.vessel, turret_spent=spent))

    def odds(self, attempts: Sequence[Attempt[Action, MarkedShip[FightMarks]]]) -> Forecast:
        """The exact odds of fire and torpedoes at one target in one combat phase, or of jams."""
        actions = [attempt.action for attempt in attempts]
        if any(isinstance(action, Jams | LandBombers) for action in actions):
            return super().odds(attempts)
        fires = [action for action in actions if isinstance(action, Fire)]
        options = fire_options(fires[-1]) if fires else Options()
        found = forecast_attacks(
            attempts[0].victim.marks.vessel,
            [self._attack_odds(attempt, options) for attempt in attempts],
        )
        return found if fires else without_gunfire(found)

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[FightMarks]]]) -> Forecast:
        """The odds of one roll for jams, or for the planes of a unit."""
        action = attempts[0].action
        if len(attempts) > 1 or not isinstance(action, Jams | LandBombers):
            raise DreyerError("combat.forecast.alone")
        if isinstance(action, LandBombers):
            return air.land_forecast(_narrowed(attempts[0], action), self.tables)
        return jam_rolls.jam_forecast(_narrowed(attempts[0], action), self.tables)

    def _attack_odds(
        self, attempt: Attempt[Action, MarkedShip[FightMarks]], options: Options
    ) -> AttackOdds:
        action = attempt.action
        if isinstance(action, AirAttack):
            return air.air_attack_odds(_narrowed(attempt, action), self.tables)
        if isinstance(action, Torpedoes):
            return torpedo_fire.torpedo_attack_odds(_narrowed(attempt, action), self.tables)
        return fire_odds(self.shot(attempt), self._combat_tables, options)

    def document(self, events: Sequence[Event]) -> Document:
        """The document of `dreyer resolve --json`."""
        match events:
            case [Fired(), *_]:
                return fire_report.document(events)
            case [Acted(action="torpedoes"), *_]:
                return torpedo_report.document(events)
            case [Acted(action="air attack"), *_]:
                return {**super().document(events), **air.air_keys(events)}
            case [Acted(action="jams"), *_]:
                return {**super().document(events), **jam_rolls.jam_keys(events)}
        return super().document(events)

    def story(self, events: Sequence[Event]) -> tuple[Line, ...]:
        """An action line by line."""
        match events:
            case [Fired(), *_]:
                return tuple(fire_report.story(events))
            case [Acted(action="torpedoes"), *_]:
                return tuple(torpedo_report.story(events))
        return super().story(events)

    def outcome(self, events: Sequence[Event]) -> Message:
        """The hits of a fire and all that they did, or what else an action came to."""
        match events:
            case [Fired(), *_]:
                return fire_report.outcome(events)
            case [Acted(action="torpedoes"), *_]:
                return torpedo_report.outcome(events)
        return super().outcome(events)

    def endings(self, events: Sequence[Event]) -> Iterator[Line]:
        """What an action came to, with the hits of aircraft."""
        yield from air.endings(events)
        yield from super().endings(events)

    @property
    def _combat_tables(self) -> CombatTables:
        return CombatTables.of(self.tables, self.edition)

    def _warship(self, ship: Ship) -> Warship:
        return self._warships.named(ship.type, ship.name)


def _narrowed(
    attempt: Attempt[Action, MarkedShip[FightMarks]], action: A
) -> Attempt[A, MarkedShip[FightMarks]]:
    """The same attempt, known to be one of this action."""
    return Attempt(action, attempt.round_number, attempt.by, attempt.at)


def _line(attempt: Attempt[Action, MarkedShip[FightMarks]]) -> _Line:
    action, by, at = attempt.action, attempt.actor, attempt.victim
    if not isinstance(action, Fire):
        raise TypeError("only gun fire has a line")
    return _Line(action, by.ship, by.marks, at.ship, at.marks, at.at_start)


def fire_options(action: Fire) -> Options:
    """The optional rules of a fire."""
    return Options(
        radar_lost_with_superstructure=action.radar_lost_with_superstructure,
        factors_past_the_table_add_up=action.factors_past_the_table_add_up,
        ammunition_by_turret=action.ammunition_by_turret,
        every_held_back_gun_counts=action.every_held_back_gun_counts,
    )


def _usual_speed(movement_factor: int) -> int:
    """Just below full speed, which would spoil the aim (modification 6)."""
    return max(movement_factor - 1, 0)


def _speed(stated: int | None, vessel: Vessel) -> int:
    return _usual_speed(vessel.movement_factor) if stated is None else stated


def _entered_or(stated: bool | None, battle: bool) -> bool:
    return battle if stated is None else stated


def _previous_fire(line: _Line) -> tuple[bool, bool]:
    """Whether this is the guns' first fire at this target, and whether they hit her before."""
    action, battery, target = line.action, line.action.battery, line.at.id
    if action.previous_fire is not None:
        return (
            action.previous_fire is PreviousFire.NONE,
            action.previous_fire is PreviousFire.HIT,
        )
    first = _entered_or(action.first_fire_at_target, not line.firer.fired_at(battery, target))
    hit = not first and line.firer.hit_target(battery, target)
    return first, _entered_or(action.hit_target_last_segment, hit)


def _check_previous_fire(line: _Line) -> None:
    action = line.action
    flags = (action.first_fire_at_target, action.hit_target_last_segment)
    if action.previous_fire is not None and flags != (None, None):
        expected = Message("advanced.expected.previous_fire")
        raise BadField(_CONDITIONS, PREVIOUS_FIRE, expected, action.previous_fire)
    if all(_previous_fire(line)):
        expected = Message("advanced.expected.not_hit")
        raise BadField(_CONDITIONS, "hit_target_last_segment", expected, "true")


def _check_speed(place: DocumentPlace, speed: int | None, ship: Warship) -> None:
    most = ship.movement_factor
    if speed is not None and not 0 <= speed <= most:
        expected = bounds("whole", least=0, most=most)
        raise BadField(place, "speed", expected, describe_value(speed))


def _check_jammed(jammed: Mapping[str, int], firer: Warship) -> None:
    guns = {turret.name: turret.guns for turret in firer.turrets}
    place = _CONDITIONS.table("jammed")
    for name, count in jammed.items():
        if name not in guns:
            raise UnknownName(place, "key", name, guns)
        if not 0 <= count <= guns[name]:
            expected = bounds("whole", least=0, most=guns[name])
            raise BadField(place, name, expected, str(count))
