"""A Ship Card with its marks as data for a drawing (2.4)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from combat.plain_sheet import factor_part, plain_sheet
from combat.record_sheets import RecordSheet, SheetPart, ShipStatus
from combat.rulesets.chase_of_the_bismarck.board import movement_zones
from combat.rulesets.chase_of_the_bismarck.tabledata import PARTS
from combat.rulesets.chase_of_the_bismarck.vessel import Vessel, vessel_of
from combat.tables import TableSet

_BOXES = (
    ("hull", "hull", "Hull", None),
    ("bow", "turret", "Primary armament, bow", 0.2),
    ("stern", "turret", "Primary armament, stern", 0.8),
    ("secondary", "secondary", "Secondary armament", 0.5),
    ("torpedoes", "torpedoes", "Torpedo markers", None),
)
_CONTROLS = (
    ("fire_control", "director", "Fire control", 0.33),
    ("radar", "radar", "Radar", 0.3),
    ("rudder", "rudder", "Rudder", 0.98),
)


def record_sheet(
    name: str, ship_type: str, side: str, state: Mapping[str, object], tables: TableSet
) -> RecordSheet:
    """The sheet of a ship with these marks, which have the keys of a shot file's state."""
    ship = vessel_of(name, ship_type, state, tables, name)
    parts = tuple(_parts(ship, tables))
    sheet = plain_sheet(
        ship.name, ship.ship_type, ship.ship_class, side, parts, sunk=ship.sunk()
    )  # fmt: skip
    if ship.sunk():
        return sheet
    status = ShipStatus.WITHDRAWN if ship.marked.aborted else sheet.status
    fuel = f", fuel lost: {ship.marked.fuel}" if ship.marked.fuel else ""
    return replace(sheet, status=status, trouble=_trouble(ship), glance=f"{sheet.glance}{fuel}")


def _parts(ship: Vessel, tables: TableSet) -> Iterator[SheetPart]:
    for key, kind, title, station in _BOXES:
        if ship.printed(key):
            factors = ship.printed(key), ship.left(key)
            yield factor_part(key, kind, title, factors, unit="boxes", station=station)
    zones = movement_zones(ship.agility(), tables)
    moves = f"moves {zones} movement zone{'s' * (zones != 1)}"
    speed = factor_part(
        "evasion", "speed", "Evasion", (ship.printed("evasion"), ship.left("evasion")),
        unit="boxes",
    )  # fmt: skip
    # What a whole ship may move is to be seen too, but she has no damage to put into words.
    if speed.words or ship.marked.rudder:
        yield replace(speed, words=f"{speed.words}, {moves}".removeprefix(", "))
    else:
        yield replace(speed, title=f"Evasion, {moves}")
    for key, kind, title, station in _CONTROLS:
        if key == "radar" and ship.card["radar"].value == "-":
            continue
        broken = bool(getattr(ship.marked, key))
        part = factor_part(key, kind, title, (1, int(not broken)), unit="boxes", station=station)
        yield replace(part, words="damaged" if broken else "")


def _trouble(ship: Vessel) -> float:
    """The worst of hull, guns, engines and what is broken; torpedoes that are used are none."""

    def gone(*parts: str) -> float:
        printed = sum(map(ship.printed, parts))
        return 1 - sum(map(ship.left, parts)) / printed if printed else 0.0

    engines = 1.0 if ship.marked.rudder else gone("evasion")
    broken = bool(ship.marked.fire_control or ship.marked.radar)
    return min(0.99, max(gone("hull"), 0.8 * gone(*PARTS), 0.8 * engines, 0.4 * broken))
