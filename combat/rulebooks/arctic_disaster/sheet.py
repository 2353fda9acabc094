"""Record sheets: a counter and its Damage Roster with its marks (12)."""

from collections.abc import Iterator

from combat.record_sheets import RecordSheet, SheetPart, factor_part, sheet_of_parts
from combat.rulebooks.arctic_disaster.vessel import Vessel
from tabletop.messages import Message


def record_sheet(vessel: Vessel, side: str) -> RecordSheet:
    """A ship's sheet."""
    card, parts = vessel.card, tuple(_parts(vessel))
    return sheet_of_parts(
        vessel.name, card.name, card.ship_class, side, parts, kind=vessel.unit, status=vessel.status
    )


def _parts(vessel: Vessel) -> Iterator[SheetPart]:
    whole, left = vessel.roster[0], vessel.rating
    hits = (vessel.capacity, max(0, vessel.capacity - vessel.marks.damage))
    yield factor_part("hull", "hull", Message("arctic.part.hull"), hits, unit="boxes")
    yield factor_part("speed", "speed", Message("arctic.part.speed"), (whole.move, vessel.move))
    for key, kind, factors, station in (
        ("main", "turret", (whole.guns, vessel.guns), 0.2),
        ("secondary", "secondary", (whole.secondary, left.secondary), 0.45),
        ("antiaircraft", "secondary", (whole.antiaircraft, vessel.flak), 0.65),
    ):
        if factors[0]:
            title = Message(f"arctic.part.{key}")
            yield factor_part(key, kind, title, factors, station=station)
    if vessel.has_torpedoes:
        spent = (1, int(not vessel.marks.torpedoes_fired))
        title = Message("arctic.part.torpedoes")
        yield factor_part("torpedoes", "torpedoes", title, spent, unit="boxes", station=0.8)
    if vessel.unit == "CV":
        flying = (1, int(left.flying))
        title = Message("arctic.part.aircraft")
        yield factor_part("aircraft", "director", title, flying, unit="boxes", station=0.5)
