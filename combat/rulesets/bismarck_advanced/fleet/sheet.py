"""A ship's record sheet without a battle around her: her name, her type and her marks."""

from collections.abc import Mapping

from combat.record_sheets import RecordSheet
from combat.rulesets.bismarck_advanced.engagement import Combatant
from combat.rulesets.bismarck_advanced.firing.shotfile import vessel_with
from combat.rulesets.bismarck_advanced.flow.sheets import record_sheet
from combat.rulesets.bismarck_advanced.moving.speed import SpeedRecord
from combat.tables import TableSet
from tabletop.table import Base, Pose


def sheet_of(
    name: str,
    ship_type: str,
    side: str,
    marks: Mapping[str, object],
    tables: TableSet,  # noqa: ARG001 - her chart is in her own file, not in a table
) -> RecordSheet:
    """The sheet of a known ship with the marks of a shot file."""
    vessel = vessel_with(marks, ship_type, name)
    nowhere = Pose(0.0, 0.0, 0.0)
    return record_sheet(Combatant(vessel, side, nowhere, Base(1.0, 1.0), SpeedRecord(0)))
