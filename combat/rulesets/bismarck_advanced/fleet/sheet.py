"""A ship's record sheet without a guided battle around her."""

from combat.record_sheets import RecordSheet
from combat.rulesets.bismarck_advanced.engagement import Combatant
from combat.rulesets.bismarck_advanced.fleet.vessel import Vessel
from combat.rulesets.bismarck_advanced.flow.sheets import record_sheet
from combat.rulesets.bismarck_advanced.moving.speed import SpeedRecord
from tabletop.table import Base, Pose


def sheet_outside_battle(vessel: Vessel, side: str) -> RecordSheet:
    """The sheet of a ship that stands on no table."""
    nowhere = Pose(0.0, 0.0, 0.0)
    return record_sheet(Combatant(vessel, side, nowhere, Base(1.0, 1.0), SpeedRecord(0)))
