"""A Ship Card with its marks, as data for a drawing (2.4)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from combat.record_sheets import RecordSheet, SheetPart, factor_part, sheet_of_parts
from combat.rulebooks.chase_of_the_bismarck.board import movement_zones
from combat.rulebooks.chase_of_the_bismarck.vessel import ARMAMENT, Part, Vessel
from combat.tables import TableSet
from tabletop.messages import NO_WORDS, Message

_BOXES: Final[tuple[tuple[Part, str, float | None], ...]] = (
    ("hull", "hull", None),
    ("bow", "turret", 0.2),
    ("stern", "turret", 0.8),
    ("secondary", "secondary", 0.5),
    ("torpedoes", "torpedoes", None),
)


def record_sheet(ship: Vessel, side: str, tables: TableSet) -> RecordSheet:
    """A ship's sheet."""
    card, parts = ship.card, tuple(_parts(ship, tables))
    kind = "TK" if ship.is_tanker else ""
    sheet = sheet_of_parts(
        ship.name, card.name, card.ship_class, side, parts, kind=kind, status=ship.status
    )
    if ship.sunk:
        return sheet
    glance, fuel = sheet.glance, ship.marks.fuel_lost
    if fuel:
        glance = Message("chase.glance.fuel", glance=glance, fuel=fuel)
    return replace(sheet, trouble=_trouble(ship), glance=glance)


def _parts(ship: Vessel, tables: TableSet) -> Iterator[SheetPart]:
    for key, kind, station in _BOXES:
        if ship.printed(key):
            title, factors = Message(f"chase.part.{key}"), (ship.printed(key), ship.left(key))
            yield factor_part(key, kind, title, factors, unit="boxes", station=station)
    moves = Message("chase.part.moves", n=movement_zones(ship.agility, tables))
    evasion = Message("chase.part.evasion")
    speed = factor_part(
        "evasion",
        "speed",
        evasion,
        (ship.printed("evasion"), ship.left("evasion")),
        unit="boxes",
    )
    # The movement of an undamaged ship is shown too, but is not damage.
    if speed.words:
        words = Message("chase.part.lost_and_moves", lost=speed.words, moves=moves)
        yield replace(speed, words=words)
    elif ship.marks.rudder_damaged:
        yield replace(speed, words=moves)
    else:
        title = Message("chase.part.evasion_and_moves", evasion=evasion, moves=moves)
        yield replace(speed, title=title)
    marks = ship.marks
    for control, kind, station, broken in (
        ("fire_control", "director", 0.33, marks.fire_control_damaged),
        ("radar", "radar", 0.3, marks.radar_damaged),
        ("rudder", "rudder", 0.98, marks.rudder_damaged),
    ):
        if control == "radar" and ship.cells["radar"].value == "-":
            continue
        title, left = Message(f"chase.part.{control}"), (1, int(not broken))
        part = factor_part(control, kind, title, left, unit="boxes", station=station)
        yield replace(part, words=Message("chase.part.damaged") if broken else NO_WORDS)


def _trouble(ship: Vessel) -> float:
    """The worst damage of hull, guns, engines and equipment; used torpedoes are not damage."""

    def gone(*parts: Part) -> float:
        printed = sum(map(ship.printed, parts))
        return 1 - sum(map(ship.left, parts)) / printed if printed else 0.0

    engines = 1.0 if ship.marks.rudder_damaged else gone("evasion")
    broken = ship.marks.fire_control_damaged or ship.marks.radar_damaged
    return min(0.99, max(gone("hull"), 0.8 * gone(*ARMAMENT), 0.8 * engines, 0.4 * broken))
