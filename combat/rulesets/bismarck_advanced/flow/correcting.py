"""What an umpire may set right, and the state in which a ship may begin: every mark of a sheet.

Boxes are given in boxes, a quarter being 0.25, as players say them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from combat.rulesets.bismarck_advanced.bands import Battery
from combat.rulesets.bismarck_advanced.engagement import Combatant, Engagement
from combat.rulesets.bismarck_advanced.fleet.vessel import (
    QUARTERS,
    RudderFault,
    TurretState,
    Vessel,
)
from combat.rulesets.bismarck_advanced.flow.reading import opened, read_pose
from combat.rulesets.bismarck_advanced.moving.evolution import Evolution
from combat.rulesets.bismarck_advanced.moving.speed import RoundSpeed, halves
from tabletop.errors import DreyerError, UnknownName
from tabletop.fields import Fields

SHEET_KEYS: Final = (
    "hull_lost",
    "superstructure_lost",
    "turrets_lost",
    "turrets_out",
    "jammed_guns",
    "secondaries_lost",
    "director_destroyed",
    "plot_destroyed",
    "radar_lost",
    "movement_factors_lost",
    "command_modifier",
    "helm",
    "ammunition",
    "torpedoes_fired",
    "rounds_of_fire",
    "sunk",
)
SHIP_KEYS: Final = (
    *SHEET_KEYS,
    "pose",
    "speed",
    "evolution",
    "withdrawn",
    "rounds_outside",
    "hit_last_segment",
)
MOST_REASON: Final = 200
BATTLE_KEYS: Final = ("visibility", "night", "starting_range_yards")


def corrected_ship(ship: Combatant, values: object, *, between_rounds: bool) -> Combatant:
    """A ship with some values set; whatever is not named stays as it is.

    A speed is that of the round being played; between two rounds it is that of the last one,
    which limits the next (58.5).
    """
    fields = opened(values, ship.name, SHIP_KEYS)
    changes: dict[str, object] = {"vessel": corrected_sheet(ship.vessel, fields)}
    if "pose" in fields:
        changes["pose"] = read_pose(fields.value("pose", "a pose"), f"{ship.name}, pose")
        # The wake of a model that was picked up and put elsewhere leads nobody (57.7).
        changes["track"] = None
    if "speed" in fields:
        speed = fields.integer("speed", least=0, most=99)
        changes["moving"] = RoundSpeed(speed, *halves(speed))
        if between_rounds:
            changes["record"] = replace(ship.record, previous_speed=speed)
    if "evolution" in fields:
        changes["evolution"] = Evolution(fields.choice("evolution", list(Evolution)))
    for key in ("withdrawn", "hit_last_segment"):
        if key in fields:
            changes[key] = fields.flag(key)
    if "rounds_outside" in fields:
        changes["rounds_outside"] = fields.integer("rounds_outside", least=0, most=999)
    corrected: Combatant = replace(ship, **changes)  # type: ignore[arg-type]
    factor = corrected.vessel.movement_factor
    if factor == ship.vessel.movement_factor:
        return corrected
    return replace(corrected, record=replace(corrected.record, movement_factor=factor))


def corrected_battle(battle: Engagement, values: object) -> Engagement:
    """The weather and the starting range, set right."""
    fields = opened(values, "battle", BATTLE_KEYS)
    changes: dict[str, object] = {}
    if "visibility" in fields:
        changes["visibility"] = fields.integer("visibility", least=1, most=8)
    if "night" in fields:
        changes["night"] = fields.flag("night")
    if "starting_range_yards" in fields:
        changes["starting_range_yards"] = fields.number("starting_range_yards", above=0, most=1e6)
    return replace(battle, **changes)  # type: ignore[arg-type]


def begun_sheet(vessel: Vessel, values: object) -> Vessel:
    """A ship's sheet as a battle begins, where she is not fresh."""
    return corrected_sheet(vessel, opened(values, f"{vessel.name}, state", SHEET_KEYS))


def corrected_sheet(vessel: Vessel, fields: Fields) -> Vessel:
    """A sheet with the marks that are named."""
    warship = vessel.warship
    changes: dict[str, object] = {}
    if "hull_lost" in fields:
        changes["hull_lost"] = _quarters(fields, "hull_lost", warship.hull_boxes)
    if "superstructure_lost" in fields:
        boxes = warship.superstructure_boxes
        changes["superstructure_lost"] = _quarters(fields, "superstructure_lost", boxes)
    if "secondaries_lost" in fields:
        names = [turret.name for turret in warship.secondaries]
        changes["secondaries_lost"] = frozenset(_known(fields, "secondaries_lost", names))
    for key in ("director_destroyed", "plot_destroyed", "radar_lost", "torpedoes_fired"):
        if key in fields:
            changes[key] = fields.flag(key)
    if "sunk" in fields:
        changes["sunk_outright"] = fields.flag("sunk")
    if "movement_factors_lost" in fields:
        most = warship.movement_factor
        changes["movement_factors_lost"] = fields.integer(
            "movement_factors_lost", least=0, most=most
        )
    for key in ("command_modifier", "rounds_of_fire"):
        if key in fields:
            changes[key] = fields.integer(key, least=0, most=99)
    if "helm" in fields:
        faults = _known(fields, "helm", list(RudderFault))
        changes["helm"] = frozenset(RudderFault(fault) for fault in faults)
    if "ammunition" in fields:
        left = fields.table("ammunition", list(Battery))
        for battery, key in (
            (Battery.MAIN, "main_ammunition"),
            (Battery.SECONDARY, "secondary_ammunition"),
        ):
            if battery in left:
                most = warship.ammunition[battery] or 0
                changes[key] = left.integer(battery, least=0, most=most)
    changed: Vessel = replace(vessel, **changes)  # type: ignore[arg-type]
    return _corrected_turrets(changed, fields)


def _corrected_turrets(vessel: Vessel, fields: Fields) -> Vessel:
    names = [turret.name for turret in vessel.warship.turrets]
    lost, jammed = fields.table("turrets_lost", names), fields.table("jammed_guns", names)
    out = _known(fields, "turrets_out", names)
    for number, turret in enumerate(vessel.warship.turrets):
        state: TurretState = vessel.turrets[number]
        if turret.name in lost:
            state = replace(state, lost_quarters=0, destroyed=False)
            vessel = vessel.with_turret(number, state)
            vessel = vessel.turret_marked(number, _quarters(lost, turret.name, turret.boxes))
            state = vessel.turrets[number]
        if "turrets_out" in fields:
            is_out = turret.name in out
            state = replace(state, out_for_phases=int(is_out), out_for_battle=False)
        if turret.name in jammed:
            guns = jammed.integer(turret.name, least=0, most=turret.guns)
            state = replace(state, jammed_guns=guns)
        vessel = vessel.with_turret(number, state)
    return vessel


def _quarters(fields: Fields, key: str, boxes: int) -> int:
    """A number of boxes lost, as quarters; a box is marked by quarters (64.33)."""
    lost = fields.number(key, least=0, most=boxes, unit="boxes")
    quarters = lost * QUARTERS
    if quarters != int(quarters):
        raise fields.wrong(key, "boxes in quarters, such as 1.25", lost)
    return int(quarters)


def _known(fields: Fields, key: str, known: list[str]) -> tuple[str, ...]:
    names = fields.texts(key)
    for name in names:
        if name not in known:
            raise UnknownName(fields.place, key, name, known)
    return names


def reason_of(data: Mapping[str, object]) -> str:
    """Why something is set right: nobody changes a value without saying why."""
    reason = data.get("reason")
    words = " ".join(reason.split()) if isinstance(reason, str) else ""
    if not words or len(words) > MOST_REASON or not words.isprintable():
        raise DreyerError(
            f"a correction needs a reason for the log: a line of up to {MOST_REASON} characters"
        )
    return words
