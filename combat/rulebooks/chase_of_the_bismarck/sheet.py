"""A Ship Card with its marks as data for a drawing (2.4)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from combat.record_sheets import RecordSheet, SheetPart, factor_part, sheet_of_parts
from combat.rulebooks.chase_of_the_bismarck.board import movement_zones
from combat.rulebooks.chase_of_the_bismarck.vessel import ARMAMENT, Part, Vessel
from combat.tables import TableSet

_BOXES: Final[tuple[tuple[Part, str, str, float | None], ...]] = (
    ("hull", "hull", "Hull", None),
    ("bow", "turret", "Primary armament, bow", 0.2),
    ("stern", "turret", "Primary armament, stern", 0.8),
    ("secondary", "secondary", "Secondary armament", 0.5),
    ("torpedoes", "torpedoes", "Torpedo markers", None),
)


def record_sheet(ship: Vessel, side: str, tables: TableSet) -> RecordSheet:
    """A ship's sheet."""
    card, parts = ship.card, tuple(_parts(ship, tables))
    sheet = sheet_of_parts(ship.name, card.name, card.ship_class, side, parts, status=ship.status)
    if ship.sunk:
        return sheet
    fuel = f", fuel lost: {ship.marks.fuel_lost}" if ship.marks.fuel_lost else ""
    return replace(sheet, trouble=_trouble(ship), glance=f"{sheet.glance}{fuel}")


def _parts(ship: Vessel, tables: TableSet) -> Iterator[SheetPart]:
    for key, kind, title, station in _BOXES:
        if ship.printed(key):
            factors = ship.printed(key), ship.left(key)
            yield factor_part(key, kind, title, factors, unit="boxes", station=station)
    zones = movement_zones(ship.agility, tables)
    moves = f"moves {zones} movement zone{'s' * (zones != 1)}"
    speed = factor_part(
        "evasion", "speed", "Evasion", (ship.printed("evasion"), ship.left("evasion")),
        unit="boxes",
    )  # fmt: skip
    # What a whole ship may move is to be seen too, but she has no damage to put into words.
    if speed.words or ship.marks.rudder_damaged:
        yield replace(speed, words=f"{speed.words}, {moves}".removeprefix(", "))
    else:
        yield replace(speed, title=f"Evasion, {moves}")
    marks = ship.marks
    for control, kind, title, station, broken in (
        ("fire_control", "director", "Fire control", 0.33, marks.fire_control_damaged),
        ("radar", "radar", "Radar", 0.3, marks.radar_damaged),
        ("rudder", "rudder", "Rudder", 0.98, marks.rudder_damaged),
    ):
        if control == "radar" and ship.cells["radar"].value == "-":
            continue
        part = factor_part(
            control, kind, title, (1, int(not broken)), unit="boxes", station=station
        )
        yield replace(part, words="damaged" if broken else "")


def _trouble(ship: Vessel) -> float:
    """The worst of hull, guns, engines and what is broken; torpedoes that are used are none."""

    def gone(*parts: Part) -> float:
        printed = sum(map(ship.printed, parts))
        return 1 - sum(map(ship.left, parts)) / printed if printed else 0.0

    engines = 1.0 if ship.marks.rudder_damaged else gone("evasion")
    broken = ship.marks.fire_control_damaged or ship.marks.radar_damaged
    return min(0.99, max(gone("hull"), 0.8 * gone(*ARMAMENT), 0.8 * engines, 0.4 * broken))
