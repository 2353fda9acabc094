"""Record sheets: our text leaves a ship her evasion rating, and by it her speed (7.14)."""

from collections.abc import Mapping

from combat.plain_sheet import factor_part, plain_sheet
from combat.record_sheets import PartDetails, RecordSheet
from combat.rulesets.sink_the_bismarck.asking import LAYOUT
from combat.rulesets.sink_the_bismarck.fire import evasion_of, speed_row
from combat.rulesets.sink_the_bismarck.tabledata import load_ships
from combat.tables import TableSet
from tabletop.fields import Fields


def record_sheet(
    name: str, ship_type: str, side: str, state: Mapping[str, object], tables: TableSet
) -> RecordSheet:
    """A ship's sheet, with marks as in `[firer.state]` of a shot file."""
    said = LAYOUT.read_fields(Fields({"firer": {"state": dict(state)}}, name, ("firer",)))
    ship = load_ships().named(ship_type, name)
    whole = evasion_of(ship.name, 0, tables)
    left = evasion_of(ship.name, said.number("firer.state.evasion_lost"), tables)
    hexes = tables["speed"].text(speed_row(left), "hexes")
    details = PartDetails(hexes=hexes)
    part = factor_part("evasion", "speed", "Evasion", (whole, left), details=details)
    return plain_sheet(name, ship.name, ship.ship_class, side, (part,))
