"""A ship's state as in files, and what the next round of free play needs of this one.

Shot files, scenarios, requests and the journal of a guided battle use the same keys. A round of
free play is one combat phase.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Final

from pydantic import ConfigDict

from combat.guided_actions import StartingMarks
from combat.questions import Question, QuestionInfo, at_least, between, questions
from combat.rulebooks.bismarck_advanced.fire.air_attacks import AirReport
from combat.rulebooks.bismarck_advanced.fire.events import TurretOut
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.jams import JamReport
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport
from combat.rulebooks.bismarck_advanced.fleet.vessel import (
    QUARTERS,
    RudderFault,
    TurretState,
    Vessel,
)
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import BadField, UnknownName
from tabletop.messages import NO_WORDS, Message, verbatim
from tabletop.places import NOWHERE, DocumentPlace
from tabletop.schema import CONFIG, Flag, Unit, bounds

STATE: Final = NOWHERE.table("state")
"""The table of the keys of a ship's state."""


def _state_field(rule: str, without: Message = NO_WORDS) -> QuestionInfo:
    return QuestionInfo("advanced", rule, table="state", by_page=False, without=without)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipState(StartingMarks):
    """A ship's marks, as files and requests write them.

    A field that is None leaves the ship as she is: without such marks at the start of a battle.
    How much she can have of what her own sheet limits, `vessel_with` checks.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    hull_lost: Annotated[
        float,
        at_least(0),
        Unit("boxes"),
        _state_field("64.6, 64.8"),
    ] = 0.0
    superstructure_lost: Annotated[
        float,
        at_least(0),
        Unit("boxes"),
        _state_field("64.5"),
    ] = 0.0
    turrets_lost: Annotated[
        Mapping[str, Annotated[float, at_least(0)]],
        _state_field("64.32", Message("advanced.without.none")),
    ] = field(default_factory=dict)
    turrets_out: Annotated[
        tuple[str, ...], _state_field("64.32, 71", Message("advanced.without.none"))
    ] = ()
    secondaries_lost: Annotated[
        tuple[str, ...], _state_field("64.35", Message("advanced.without.none"))
    ] = ()
    director_destroyed: Annotated[Flag, _state_field("64.71")] = False
    plot_destroyed: Annotated[Flag, _state_field("64.71")] = False
    radar_lost: Annotated[Flag, _state_field("64.5")] = False
    movement_factors_lost: Annotated[int, at_least(0), _state_field("58.2")] = 0
    command_modifier: Annotated[int, between(0, 99), _state_field("64.72")] = 0
    rudder_faults: Annotated[
        tuple[RudderFault, ...], _state_field("64.72", Message("advanced.without.none"))
    ] = ()
    ammunition: Annotated[
        Mapping[str, Annotated[int, at_least(0)]],
        _state_field("65", Message("advanced.without.full")),
    ] = field(default_factory=dict)
    turrets_spent: Annotated[
        Mapping[str, Annotated[int, at_least(0)]] | None,
        _state_field("65.6", Message("advanced.without.none")),
    ] = None
    torpedoes_fired: Annotated[
        Flag | None, _state_field("19.3, 69", Message("advanced.without.no"))
    ] = None
    jammed_guns: Annotated[
        Mapping[str, Annotated[int, at_least(0)]] | None,
        _state_field("71.4", Message("advanced.without.none")),
    ] = None
    rounds_of_fire: Annotated[
        int | None,
        between(0, 99),
        _state_field("62.53", Message("advanced.without.none")),
    ] = None
    hull_solid: Annotated[
        int | None,
        at_least(0),
        _state_field("40.3", Message("advanced.without.none")),
    ] = None
    turrets_solid: Annotated[
        Mapping[str, Annotated[int, at_least(0)]] | None,
        _state_field("40.3", Message("advanced.without.none")),
    ] = None
    secondaries_solid: Annotated[
        tuple[str, ...] | None,
        _state_field("40.3", Message("advanced.without.none")),
    ] = None
    rudder_solid: Annotated[
        tuple[RudderFault, ...] | None,
        _state_field("40.3", Message("advanced.without.none")),
    ] = None
    sunk: Annotated[Flag | None, _state_field("69.2", Message("advanced.without.no"))] = None


_AT_THE_START: Final = (
    *("hull_lost", "superstructure_lost", "turrets_lost", "secondaries_lost"),
    *("ammunition", "torpedoes_fired", "movement_factors_lost", "rudder_faults"),
    *("director_destroyed", "plot_destroyed", "radar_lost", "command_modifier"),
)
"""Marks that outlast a battle and that a page asks for; files may have the others."""


def starting_questions(warship: Warship) -> tuple[Question, ...]:
    """The questions about the state in which a ship begins a battle, with her own limits."""
    asked = {each.name: each for each in questions(ShipState)}
    most = {
        "hull_lost": warship.hull_boxes,
        "superstructure_lost": warship.superstructure_boxes,
        "movement_factors_lost": warship.movement_factor,
    }
    names = {
        "turrets_lost": [turret.name for turret in warship.turrets if turret.boxes],
        "secondaries_lost": [turret.name for turret in warship.secondaries],
        "ammunition": [battery.value for battery in Battery if warship.ammunition[battery]],
    }
    has = {"torpedoes_fired": bool(warship.torpedoes), "radar_lost": warship.radar}
    found = []
    for key in _AT_THE_START:
        if not (most.get(key, 1) and names.get(key, True) and has.get(key, True)):
            continue
        question = asked[key]
        if key in most:
            question = question.up_to(most[key])
        if key in names:
            question = replace(
                question, choices=tuple((name, verbatim(name)) for name in names[key])
            )
        found.append(question)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class GunsFired:
    """A gun type fired at a ship in a round, and whether it hit her."""

    battery: Battery
    target: str
    """Her id."""
    hit: bool


@dataclass(frozen=True, slots=True)
class FightMarks:
    """A ship in a battle of several rounds."""

    vessel: Vessel
    fired: tuple[GunsFired, ...] = ()
    """The fires of her guns in this round."""
    fired_before: tuple[GunsFired, ...] = ()
    """The fires of her guns in the previous round (62.53, modification 9)."""
    hit: bool = False
    """Whether she was hit in this round."""
    hit_before: bool = False
    """Whether she was hit in the previous round (modification 5)."""
    put_out: tuple[TurretOut, ...] = ()
    """The turrets put out of action in this round; their phases count from the next one."""
    jams_rolled: bool = False
    """Whether she has rolled for jams in this round (71.2)."""
    jammed: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Guns jammed for the fire of this round, by turret (71.5); her sheet has the lasting ones."""

    def fired_at(self, battery: Battery, target: str) -> bool:
        """Whether these guns fired at a ship in the previous round."""
        return any((each.battery, each.target) == (battery, target) for each in self.fired_before)

    def hit_target(self, battery: Battery, target: str) -> bool:
        """Whether these guns hit a ship in the previous round."""
        return GunsFired(battery, target, hit=True) in self.fired_before

    def after_firing(self, report: FireReport, target: str) -> "FightMarks":
        """The ship after one of her fires."""
        used, battery = report.expenditure, report.shot.battery
        return replace(
            self,
            vessel=self.vessel.spending(battery, used.spent, used.by_turret),
            fired=(*self.fired, GunsFired(battery, target, report.hits > 0)),
        )

    def after_fire_at_her(self, report: FireReport) -> "FightMarks":
        """The ship after a fire at her, which was resolved on these marks."""
        results = [result for hit in report.hit_reports for result in hit.results]
        out = (result for result in results if isinstance(result, TurretOut) and result.phases)
        return replace(
            self,
            vessel=report.target_after,
            hit=self.hit or report.hits > 0,
            put_out=(*self.put_out, *out),
        )

    def after_torpedoes(self) -> "FightMarks":
        """The same ship with her torpedoes fired (19.3)."""
        return replace(self, vessel=replace(self.vessel, torpedoes_fired=True))

    def after_torpedoes_at_her(self, report: TorpedoReport) -> "FightMarks":
        """The same ship after torpedoes at her, which were resolved on these very marks."""
        return replace(self, vessel=report.receiver_after, hit=self.hit or report.hits > 0)

    def after_air_attack(self, report: AirReport) -> "FightMarks":
        """The same ship after a wave of bombers."""
        return replace(self, vessel=report.on(self.vessel), hit=self.hit or bool(report.damage))

    def after_jams(self, report: JamReport) -> "FightMarks":
        """The same ship after her roll for jams."""
        vessel = self.vessel
        if report.permanent and report.turret and report.guns:
            number = vessel.turret_number(report.turret)
            state = vessel.turrets[number]
            jammed = replace(state, jammed_guns=state.jammed_guns + report.guns)
            vessel = vessel.with_turret(number, jammed)
        return replace(self, vessel=vessel, jams_rolled=True, jammed=report.jammed)

    def after_round(self, firing: Vessel) -> "FightMarks":
        """The ship at the start of the next round; `firing` is her state as she fired.

        Turrets that were out have waited one phase; those put out in this round begin to wait.
        """
        waits: dict[str, int] = {}
        for out in self.put_out:
            waits[out.turret] = max(waits.get(out.turret, 0), out.phases or 0)
        rested = firing.turrets_rested().turrets
        vessel = self.vessel
        turrets = tuple(
            replace(state, out_for_phases=max(before.out_for_phases, waits.get(turret.name, 0)))
            for turret, state, before in zip(
                vessel.warship.turrets, vessel.turrets, rested, strict=True
            )
        )
        return FightMarks(
            vessel=replace(vessel, turrets=turrets), fired_before=self.fired, hit_before=self.hit
        )


def vessel_with(state: ShipState, vessel: Vessel) -> Vessel:
    """The ship with these marks; omitted ones stay as they are.

    Raises DreyerError for marks that her sheet has no room for; what else may be wrong with them,
    `state_checks.check_state` finds.
    """
    warship = vessel.warship
    known = [turret.name for turret in warship.turrets]
    secondaries = [turret.name for turret in warship.secondaries]
    _check_names("turrets_out", state.turrets_out, known)
    _check_names("secondaries_lost", state.secondaries_lost, secondaries)
    _check_names("secondaries_solid", state.secondaries_solid or (), secondaries)
    for key in ("turrets_lost", "jammed_guns", "turrets_solid"):
        _check_keys(key, getattr(state, key) or {}, known)
    _check_keys("turrets_spent", state.turrets_spent or {}, [*known, *secondaries])
    _check_keys("ammunition", state.ammunition, list(Battery))
    _check_whole("movement_factors_lost", state.movement_factors_lost, warship.movement_factor)
    marked = replace(
        vessel,
        turrets=tuple(
            TurretState(jammed_guns=old.jammed_guns, solid_boxes=old.solid_boxes)
            for old in vessel.turrets
        ),
        main_ammunition=_ammunition(state, warship.ammunition[Battery.MAIN] or 0, Battery.MAIN),
        secondary_ammunition=_ammunition(
            state, warship.ammunition[Battery.SECONDARY] or 0, Battery.SECONDARY
        ),
        hull_lost=_quarters(STATE, "hull_lost", state.hull_lost, warship.hull_boxes),
        superstructure_lost=_quarters(
            STATE, "superstructure_lost", state.superstructure_lost, warship.superstructure_boxes
        ),
        secondaries_lost=frozenset(state.secondaries_lost),
        director_destroyed=state.director_destroyed,
        plot_destroyed=state.plot_destroyed,
        radar_lost=state.radar_lost,
        movement_factors_lost=state.movement_factors_lost,
        command_modifier=state.command_modifier,
        helm=frozenset(state.rudder_faults),
        **_stated(state, warship),
    )
    return _turrets_with(state, marked, vessel).solid_where_marked()


def _turrets_with(state: ShipState, marked: Vessel, before: Vessel) -> Vessel:
    for number, (turret, old) in enumerate(
        zip(marked.warship.turrets, before.turrets, strict=True)
    ):
        name = turret.name
        lost = state.turrets_lost.get(name, 0.0)
        quarters = _quarters(STATE.table("turrets_lost"), name, lost, turret.boxes)
        marked = marked.turret_marked(number, quarters)
        now = marked.turrets[number]
        if state.jammed_guns is not None:
            place = STATE.table("jammed_guns")
            guns = _check_whole(name, state.jammed_guns.get(name, 0), turret.guns, place)
            now = replace(now, jammed_guns=guns)
        if state.turrets_solid is not None:
            place = STATE.table("turrets_solid")
            solid = _check_whole(name, state.turrets_solid.get(name, 0), turret.boxes, place)
            now = replace(now, solid_boxes=solid)
        if name in state.turrets_out:
            # A file says only that she cannot fire now; for how long is known only in a battle.
            now = replace(
                now,
                out_for_phases=old.out_for_phases if _waits(old) else 1,
                out_for_battle=old.out_for_battle,
            )
        marked = marked.with_turret(number, now)
    return marked


def _stated(state: ShipState, warship: Warship) -> dict[str, Any]:
    """The values of a vessel for fields that a state may omit."""
    stated: dict[str, Any] = {
        "turret_spent": state.turrets_spent,
        "torpedoes_fired": state.torpedoes_fired,
        "rounds_of_fire": state.rounds_of_fire,
        "sunk_outright": state.sunk,
    }
    if state.hull_solid is not None:
        most = warship.hull_boxes
        stated["solid_hull_boxes"] = _check_whole("hull_solid", state.hull_solid, most)
    if state.secondaries_solid is not None:
        stated["solid_secondaries"] = frozenset(state.secondaries_solid)
    if state.rudder_solid is not None:
        stated["solid_helm"] = frozenset(state.rudder_solid)
    return {key: value for key, value in stated.items() if value is not None}


def state_of(vessel: Vessel) -> ShipState:
    """The marks of a ship as in a file."""
    warship, fresh = vessel.warship, Vessel.fresh(vessel.warship)
    turrets = list(zip(warship.turrets, vessel.turrets, strict=True))
    return ShipState(
        hull_lost=vessel.hull_lost / QUARTERS,
        superstructure_lost=vessel.superstructure_lost / QUARTERS,
        turrets_lost={
            turret.name: float(turret.boxes) if state.destroyed else state.lost_quarters / QUARTERS
            for turret, state in turrets
            if turret.boxes and (state.destroyed or state.lost_quarters)
        },
        turrets_out=tuple(
            turret.name for turret, state in turrets if not (state.can_fire or state.destroyed)
        ),
        secondaries_lost=tuple(sorted(vessel.secondaries_lost)),
        director_destroyed=vessel.director_destroyed,
        plot_destroyed=vessel.plot_destroyed,
        radar_lost=vessel.radar_lost,
        movement_factors_lost=vessel.movement_factors_lost,
        command_modifier=vessel.command_modifier,
        rudder_faults=tuple(sorted(vessel.helm)),
        ammunition={
            battery.value: vessel.ammunition(battery)
            for battery in Battery
            if vessel.ammunition(battery) != fresh.ammunition(battery)
        },
        turrets_spent={name: spent for name, spent in vessel.turret_spent.items() if spent} or None,
        torpedoes_fired=vessel.torpedoes_fired or None,
        jammed_guns={t.name: state.jammed_guns for t, state in turrets if state.jammed_guns}
        or None,
        rounds_of_fire=vessel.rounds_of_fire or None,
        hull_solid=vessel.solid_hull_boxes or None,
        turrets_solid={t.name: state.solid_boxes for t, state in turrets if state.solid_boxes}
        or None,
        secondaries_solid=tuple(sorted(vessel.solid_secondaries)) or None,
        rudder_solid=tuple(sorted(vessel.solid_helm)) or None,
        sunk=vessel.sunk_outright or None,
    )


def _waits(state: TurretState) -> bool:
    return bool(state.out_for_phases or state.out_for_battle)


def _check_names(key: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(STATE.at(key), "turret", name, known)


def _check_keys(key: str, table: Mapping[str, object], known: Sequence[str]) -> None:
    for name in table:
        if name not in known:
            raise UnknownName(STATE.table(key), "key", name, known)


def _check_whole(key: str, value: int, most: int, place: DocumentPlace = STATE) -> int:
    if not 0 <= value <= most:
        raise BadField(place, key, bounds("whole", least=0, most=most), str(value))
    return value


def _ammunition(state: ShipState, full: int, battery: Battery) -> int:
    left = state.ammunition.get(battery, full)
    return _check_whole(battery, left, full, STATE.table("ammunition"))


def _quarters(place: DocumentPlace, key: str, boxes: float, most: int) -> int:
    """A number of lost boxes as quarters (64.33)."""
    if not 0 <= boxes <= most:
        expected = bounds("number", least=0, most=most, unit="boxes")
        raise BadField(place, key, expected, f"{boxes:g}")
    quarters = boxes * QUARTERS
    if quarters != int(quarters):
        raise BadField(place, key, Message("advanced.expected.quarters"), f"{boxes:g}")
    return int(quarters)
