"""What an umpire may set right: every mark of a sheet.

Boxes are given in boxes, a quarter being 0.25, as players say them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Final

from combat.corrections import CorrectableValue, ValueForm, typed
from combat.optional_rules import OptionalRule
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fleet.vessel import (
    QUARTERS,
    RudderFault,
    TurretState,
    Vessel,
)
from combat.rulebooks.bismarck_advanced.guided_battle.initial_state import check_visibility
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import (
    Ammunition,
    Conditions,
    ShipValues,
)
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.movement.speed import RoundSpeed, halves
from tabletop.errors import BadField, DreyerError, UnknownName, nearest
from tabletop.messages import Message, verbatim
from tabletop.places import DocumentPlace, shorten
from tabletop.schema import bounds

_AS_MARKED: Final = (
    "director_destroyed",
    "plot_destroyed",
    "radar_lost",
    "torpedoes_fired",
    "command_modifier",
    "rounds_of_fire",
)
"""Marks that a vessel has under the same name."""

_AS_IN_BATTLE: Final = ("evolution", "withdrawn", "rounds_outside", "hit_last_segment")
"""What a ship in battle has under the same name."""

_OF_A_SHIP: Final = {
    ValueForm.NUMBER: ("speed", "hull_lost", "superstructure_lost"),
    ValueForm.PAIRS: ("turrets_lost", "jammed_guns", "ammunition"),
    ValueForm.LIST: ("turrets_out", "secondaries_lost", "helm"),
    ValueForm.FLAG: (
        "director_destroyed", "plot_destroyed", "radar_lost", "torpedoes_fired", "sunk",
        "withdrawn", "hit_last_segment",
    ),
    ValueForm.CHOICE: ("evolution",),
    ValueForm.WHOLE: (
        "movement_factors_lost", "command_modifier", "rounds_of_fire", "rounds_outside",
    ),
}  # fmt: skip
_OF_THE_BATTLE: Final = {
    ValueForm.LEVEL: ("visibility",),
    ValueForm.FLAG: ("night",),
    ValueForm.NUMBER: ("starting_range_yards",),
}
_CHOICES: Final = {
    "evolution": tuple(
        (each.value, Message(f"advanced.choice.firer_evolution.{each}")) for each in Evolution
    ),
    "helm": tuple((each.value, Message(f"advanced.rudder_fault.{each}")) for each in RudderFault),
}
"""Of these values, what they may be; the others are named freely."""

_OPTIONS: Final = frozenset(each.name for each in fields(Options))


def correctable_ship(ship: Combatant) -> tuple[CorrectableValue, ...]:
    """What an umpire may set right of a ship, as it is now."""
    vessel = ship.vessel
    warship = vessel.warship
    turrets = list(zip(warship.turrets, vessel.turrets, strict=True))
    now: dict[str, object] = {
        "speed": ship.moving.speed if ship.moving else None,
        "hull_lost": vessel.hull_lost / QUARTERS,
        "superstructure_lost": vessel.superstructure_lost / QUARTERS,
        "turrets_lost": {
            turret.name: turret.boxes if state.destroyed else state.lost_quarters / QUARTERS
            for turret, state in turrets
        },
        "jammed_guns": {turret.name: state.jammed_guns for turret, state in turrets},
        "ammunition": {
            battery.value: vessel.ammunition(battery)
            for battery in (Battery.MAIN, Battery.SECONDARY)
            if warship.ammunition[battery]
        },
        "turrets_out": tuple(
            turret.name for turret, state in turrets if not (state.can_fire or state.destroyed)
        ),
        "secondaries_lost": tuple(sorted(vessel.secondaries_lost)),
        "helm": tuple(sorted(vessel.helm)),
        **{key: getattr(vessel, key) for key in _AS_MARKED},
        "sunk": vessel.is_sunk,
        "movement_factors_lost": vessel.movement_factors_lost,
        **{key: getattr(ship, key) for key in _AS_IN_BATTLE},
    }
    pose = CorrectableValue("pose", ValueForm.POSE, _title("pose"), "")
    return pose, *_values(now, _OF_A_SHIP)


def correctable_battle(
    battle: Engagement, rules: Iterable[OptionalRule]
) -> tuple[CorrectableValue, ...]:
    """What an umpire may set right of the whole battle, as it is now."""
    now: dict[str, object] = {
        "visibility": battle.visibility,
        "night": battle.night,
        "starting_range_yards": battle.starting_range_yards,
    }
    options = (
        CorrectableValue(each.key, ValueForm.FLAG, each.title, typed(each.on)) for each in rules
    )
    return *_values(now, _OF_THE_BATTLE), *options


def _values(
    now: dict[str, object], forms: Mapping[ValueForm, tuple[str, ...]]
) -> Iterator[CorrectableValue]:
    for form, keys in forms.items():
        for key in keys:
            yield CorrectableValue(key, form, _title(key), typed(now[key]), _CHOICES.get(key, ()))


def _title(key: str) -> Message:
    return Message(f"advanced.value.{key}")


def changes(
    before: Iterable[CorrectableValue], after: Iterable[CorrectableValue], keys: Collection[str]
) -> tuple[Message, ...]:
    """What the values with these keys were, and what they are.

    A place is seen on the chart, and a speed may be sealed (57.6): those are named alone.
    """
    were = {each.key: each for each in before}
    return tuple(
        value.title
        if value.form is ValueForm.POSE or value.key == "speed"
        else Message(
            "advanced.story.change",
            what=value.title,
            was=_shown(were[value.key], value.now),
            now=_shown(value, were[value.key].now),
        )
        for value in after
        if value.key in keys
    )


def _shown(value: CorrectableValue, other: str) -> Message:
    """A value in words; of pairs those that are not in the other value."""
    titles = dict(value.choices)
    if value.form is ValueForm.PAIRS:
        same = other.split(", ")
        left = [pair for pair in value.now.split(", ") if pair not in same]
        return verbatim(", ".join(left))
    if value.form is ValueForm.FLAG:
        return Message(f"advanced.story.flag.{value.now}")
    if not value.now:
        return Message("advanced.story.no_value")
    if value.form is ValueForm.CHOICE:
        return titles[value.now]
    if value.form is ValueForm.LIST and titles:
        names = tuple(titles.get(each, verbatim(each)) for each in value.now.split(", "))
        return Message("advanced.story.several_values", values=names)
    return verbatim(value.now)


def named(values: ShipValues | Conditions) -> tuple[str, ...]:
    """The values that are set."""
    return tuple(each.name for each in fields(values) if getattr(values, each.name) is not None)


def corrected_ship(ship: Combatant, values: ShipValues, *, between_rounds: bool) -> Combatant:
    """A ship with some values set; whatever is not named stays as it is.

    A speed is that of the round being played; between two rounds it is that of the last one,
    which limits the next (58.5).
    """
    changes: dict[str, object] = {
        "vessel": corrected_sheet(ship.vessel, values, DocumentPlace(ship.name))
    }
    if values.pose is not None:
        changes["pose"] = values.pose
        # The wake of a model that was picked up and put elsewhere leads nobody (57.7).
        changes["track"] = None
    if values.speed is not None:
        changes["moving"] = RoundSpeed(values.speed, *halves(values.speed))
        if between_rounds:
            changes["record"] = replace(ship.record, previous_speed=values.speed)
    for key in ("evolution", "withdrawn", "hit_last_segment", "rounds_outside"):
        if getattr(values, key) is not None:
            changes[key] = getattr(values, key)
    corrected: Combatant = replace(ship, **changes)  # type: ignore[arg-type]
    factor = corrected.vessel.movement_factor
    if factor == ship.vessel.movement_factor:
        return corrected
    return replace(corrected, record=replace(corrected.record, movement_factor=factor))


def corrected_battle(battle: Engagement, values: Conditions) -> Engagement:
    """The weather, the starting range and the optional rules, set right."""
    stated = {key: getattr(values, key) for key in named(values) if key not in _OPTIONS}
    changed = replace(battle, **stated, options=with_options(battle.options, values))
    check_visibility(changed)
    by_turret = changed.options.ammunition_by_turret
    if by_turret == battle.options.ammunition_by_turret:
        return changed
    return changed.with_combatants(
        {
            ship.name: replace(ship, vessel=ship.vessel.counting_by_turret(by_turret))
            for ship in changed.combatants
        }
    )


def with_options(options: Options, values: Conditions) -> Options:
    """The optional rules with those that are named set right."""
    return replace(
        options, **{key: getattr(values, key) for key in named(values) if key in _OPTIONS}
    )


def corrected_sheet(vessel: Vessel, marks: ShipValues, place: DocumentPlace) -> Vessel:
    """A sheet with the marks that are named; `place` is for the words of an error."""
    warship = vessel.warship
    changes: dict[str, object] = {
        key: getattr(marks, key) for key in _AS_MARKED if getattr(marks, key) is not None
    }
    if marks.hull_lost is not None:
        boxes = warship.hull_boxes
        changes["hull_lost"] = _quarters(place, "hull_lost", marks.hull_lost, boxes)
    if marks.superstructure_lost is not None:
        boxes, lost = warship.superstructure_boxes, marks.superstructure_lost
        changes["superstructure_lost"] = _quarters(place, "superstructure_lost", lost, boxes)
    if marks.secondaries_lost is not None:
        names = [turret.name for turret in warship.secondaries]
        _check_known(place, "secondaries_lost", marks.secondaries_lost, names)
        changes["secondaries_lost"] = frozenset(marks.secondaries_lost)
    if marks.sunk is not None:
        changes["sunk_outright"] = marks.sunk
    if marks.movement_factors_lost is not None:
        most = warship.movement_factor
        changes["movement_factors_lost"] = _whole(
            place, "movement_factors_lost", marks.movement_factors_lost, most
        )
    if marks.helm is not None:
        changes["helm"] = frozenset(marks.helm)
    if marks.ammunition is not None:
        changes |= _ammunition(vessel, marks.ammunition, place)
    changed: Vessel = replace(vessel, **changes)  # type: ignore[arg-type]
    return _corrected_turrets(changed, marks, place).solid_where_marked()


def _ammunition(vessel: Vessel, left: Ammunition, place: DocumentPlace) -> dict[str, int]:
    place = place.key("ammunition")
    return {
        f"{battery}_ammunition": _whole(
            place, battery, amount, vessel.warship.ammunition[battery] or 0
        )
        for battery, amount in ((Battery.MAIN, left.main), (Battery.SECONDARY, left.secondary))
        if amount is not None
    }


def _corrected_turrets(vessel: Vessel, marks: ShipValues, place: DocumentPlace) -> Vessel:
    names = [turret.name for turret in vessel.warship.turrets]
    lost, jammed, out = marks.turrets_lost or {}, marks.jammed_guns or {}, marks.turrets_out
    _check_keys(place.key("turrets_lost"), lost, names)
    _check_keys(place.key("jammed_guns"), jammed, names)
    _check_known(place, "turrets_out", out or (), names)
    for number, turret in enumerate(vessel.warship.turrets):
        state: TurretState = vessel.turrets[number]
        if turret.name in lost:
            state = replace(state, lost_quarters=0, destroyed=False)
            vessel = vessel.with_turret(number, state)
            where = place.key("turrets_lost")
            quarters = _quarters(where, turret.name, lost[turret.name], turret.boxes)
            vessel = vessel.turret_marked(number, quarters)
            state = vessel.turrets[number]
        if out is not None:
            is_out = turret.name in out
            state = replace(state, out_for_phases=int(is_out), out_for_battle=False)
        if turret.name in jammed:
            where = place.key("jammed_guns")
            guns = _whole(where, turret.name, jammed[turret.name], turret.guns)
            state = replace(state, jammed_guns=guns)
        vessel = vessel.with_turret(number, state)
    return vessel


def _quarters(place: DocumentPlace, key: str, lost: float, boxes: int) -> int:
    """A number of boxes lost, as quarters; a box is marked by quarters (64.33)."""
    if lost > boxes:
        expected = bounds("number", least=0, most=boxes, unit="boxes")
        raise BadField(place, key, expected, f"{lost:g}")
    quarters = lost * QUARTERS
    if quarters != int(quarters):
        raise BadField(place, key, Message("advanced.expected.quarters"), f"{lost:g}")
    return int(quarters)


def _whole(place: DocumentPlace, key: str, value: int, most: int) -> int:
    if value > most:
        raise BadField(place, key, bounds("whole", least=0, most=most), str(value))
    return value


def _check_keys(place: DocumentPlace, keys: Iterable[str], known: list[str]) -> None:
    for key in keys:
        if key not in known:
            raise DreyerError(
                "advanced.marks.unknown_turret",
                place=place,
                key=shorten(key),
                nearest=shorten(nearest(key, known)),
            )


def _check_known(place: DocumentPlace, key: str, names: Iterable[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(place, key, name, known)
