"""A ship's record sheet outside a guided battle."""

from combat.record_sheets import RecordSheet
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.record_sheets import record_sheet
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.movement.speed import SpeedRecord
from tabletop.table import Base, Pose


def sheet_outside_battle(vessel: Vessel, side: str) -> RecordSheet:
    """The sheet of a ship that is not on a table."""
    nowhere = Pose(0.0, 0.0, 0.0)
    return record_sheet(Combatant(vessel, side, nowhere, Base(1.0, 1.0), SpeedRecord(0)))
