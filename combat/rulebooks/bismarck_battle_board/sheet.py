"""A ship's row of the Hit Record Pad with its marks as data for a drawing (9.71)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from combat.record_sheets import PartDetails, RecordSheet, SheetPart, factor_part, sheet_of_parts
from combat.rulebooks.bismarck_battle_board.board import most_hexes
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.tables import TableSet
from tabletop.messages import Message

_SECTIONS: Final = (
    ("bow", "turret", 0.2, "both"),
    ("stern", "turret", 0.8, "both"),
    ("port", "secondary", 0.5, "port"),
    ("starboard", "secondary", 0.5, "starboard"),
)


def record_sheet(ship: Vessel, side: str, tables: TableSet) -> RecordSheet:
    """A ship's sheet."""
    parts = tuple(_flotilla_parts(ship) if ship.is_flotilla else _parts(ship, tables))
    sheet = sheet_of_parts(
        ship.name, ship.card.name, ship.card.ship_class, side, parts, status=ship.status
    )
    if ship.sunk:
        return sheet
    notes = tuple(_notes(ship))
    if notes:
        sheet = replace(
            sheet, glance=Message("board.glance.notes", glance=sheet.glance, notes=notes)
        )
    return replace(sheet, trouble=_trouble(ship))


def _parts(ship: Vessel, tables: TableSet) -> Iterator[SheetPart]:
    midships = ship.total("midships"), ship.left("midships")
    yield factor_part("midships", "hull", Message("board.part.midships"), midships, unit="boxes")
    for section, kind, station, side in _SECTIONS:
        printed = ship.boxes(section)
        if not any(printed):
            continue
        details = PartDetails(boxes=len(printed), labels=tuple(map(str, printed)))
        title = Message(f"board.part.{section}")
        boxes = len(printed), ship.left(section)
        part = factor_part(
            section, kind, title, boxes, unit="boxes", station=station, details=details
        )
        words = part.words
        if words:
            words = Message("board.part.left_and_salvos", left=words, n=ship.salvos(section))
        yield replace(part, side=side, words=words)
    yield _evasion(ship, tables)
    if ship.number("torpedoes"):
        left = 0 if ship.marks.torpedoes_fired else ship.number("torpedoes")
        title = Message("board.part.torpedoes")
        yield factor_part("torpedoes", "torpedoes", title, (ship.number("torpedoes"), left))
    if ship.ammunition is not None:
        title, whole = Message("board.part.ammunition"), ship.number("ammunition")
        yield factor_part("ammunition", "ammunition", title, (whole, ship.ammunition))


def _evasion(ship: Vessel, tables: TableSet) -> SheetPart:
    """Her evasion, and the hexes that it lets her move."""
    title, hexes = Message("board.part.evasion"), most_hexes(ship.evasion, tables)
    part = factor_part("evasion", "speed", title, (ship.number("evasion"), ship.evasion))
    # What a whole ship may move is to be seen too, but she has no damage to put into words.
    if not part.words:
        return replace(part, title=Message("board.part.evasion_and_hexes", n=hexes))
    return replace(part, words=Message("board.part.left_and_hexes", left=part.words, n=hexes))


def _flotilla_parts(ship: Vessel) -> Iterator[SheetPart]:
    whole = ship.number("destroyers")
    title = Message("board.part.destroyers")
    yield factor_part("destroyers", "hull", title, (whole, ship.destroyers), unit="boxes")
    title = Message("board.part.salvos")
    yield factor_part("salvos", "torpedoes", title, (whole, ship.torpedo_salvos), unit="boxes")


def _notes(ship: Vessel) -> Iterator[Message]:
    marks = ship.marks
    if marks.evasion_lost_for_good:
        yield Message("board.glance.for_good", evasion=marks.evasion_lost_for_good)
    if marks.fuel_lost:
        yield Message("board.glance.fuel", fuel=marks.fuel_lost)
    if marks.withdrawing:
        yield Message("board.glance.withdrawing")
    place = ship.place
    if place is not None:
        yield Message(
            "board.glance.place", column=place.column, row=place.row, heading=place.heading
        )


def _trouble(ship: Vessel) -> float:
    """The worst of hull, guns and evasion; torpedoes and ammunition that are used are none."""
    if ship.is_flotilla:
        return min(0.99, 1 - ship.destroyers / ship.number("destroyers"))
    hull = 1 - ship.left("midships") / ship.total("midships")
    sections = [section for section, *_ in _SECTIONS if any(ship.boxes(section))]
    whole = sum(ship.total(section) for section in sections)
    guns = 1 - sum(ship.left(section) for section in sections) / whole if whole else 0.0
    speed = 1 - ship.evasion / ship.number("evasion")
    return min(0.99, max(hull, 0.8 * guns, 0.8 * speed))
