"""Small battles, for tests."""

from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder, move
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.movement.speed import SpeedRecord
from tabletop.table import Base, Pose

RULESET = get_ruleset("bismarck-advanced")
RULES, TABLES = RULESET.table_rules, RULESET.tables
CARD = CombatTables.of(TABLES)


def ship(name: str, x: float, y: float, heading: float = 0.0) -> Combatant:
    warship = load_warships().named(name, "test")
    return Combatant(
        vessel=Vessel.fresh(warship),
        side="German" if warship.nation == "German" else "Allied",
        pose=Pose(x, y, heading),
        base=Base(1000, 400),
        record=SpeedRecord(warship.movement_factor),
    )


def battle(*ships: Combatant, speed: int = 8) -> Engagement:
    """A battle whose ships have made a first move straight ahead."""
    order = MoveOrder("4", speed)
    return move(Engagement(ships), {s.name: order for s in ships}, RULES, CARD)[0]
