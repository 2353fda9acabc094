"""Record sheets: a counter and its Damage Roster, with what is marked off (12)."""

from collections.abc import Iterator, Mapping

from combat.plain_sheet import factor_part, plain_sheet
from combat.record_sheets import RecordSheet, SheetPart
from combat.rulesets.arctic_disaster.asking import LAYOUT
from combat.rulesets.arctic_disaster.vessel import Vessel, read_vessel
from combat.tables import TableSet
from tabletop.errors import BadField
from tabletop.fields import Fields


def record_sheet(
    name: str, ship_type: str, side: str, state: Mapping[str, object], tables: TableSet
) -> RecordSheet:
    """A ship's sheet, with marks as in `[target.state]` of a shot file."""
    entry = {"name": name, "type": ship_type, "state": dict(state)}
    said = LAYOUT.read_fields(Fields({"target": entry}, name, ("target",)))
    vessel = read_vessel("target", said, tables)
    if vessel is None:
        raise BadField(name, "type", "a known ship", "nothing")
    ship, parts = vessel.ship, tuple(_parts(vessel))
    return plain_sheet(
        name, ship.name, ship.ship_class, side, parts, kind=vessel.unit, sunk=vessel.sunk
    )


def _parts(vessel: Vessel) -> Iterator[SheetPart]:
    whole, left = vessel.roster[0], vessel.rating
    hits = (vessel.capacity, max(0, vessel.capacity - vessel.damage))
    yield factor_part("hull", "hull", "Hits", hits, unit="boxes")
    yield factor_part("speed", "speed", "Movement", (whole.move, vessel.move))
    for key, kind, title, factors, station in (
        ("main", "turret", "Gunnery", (whole.guns, vessel.guns), 0.2),
        ("secondary", "secondary", "Secondary gunnery", (whole.secondary, left.secondary), 0.45),
        ("antiaircraft", "secondary", "Antiaircraft", (whole.antiaircraft, vessel.flak), 0.65),
    ):
        if factors[0]:
            yield factor_part(key, kind, title, factors, station=station)
    if vessel.has_torpedoes:
        spent = (1, int(not vessel.torpedoes_fired))
        yield factor_part("torpedoes", "torpedoes", "Torpedoes", spent, unit="boxes", station=0.8)
    if vessel.unit == "CV":
        flying = (1, int(left.flying))
        yield factor_part("aircraft", "director", "Flight deck", flying, unit="boxes", station=0.5)
