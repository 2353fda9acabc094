"""Ships as they are at the start of a battle, and the card by which they fight, for tests."""

from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.table_files import load_tables

TABLES, SHIPS = load_tables(), load_warships()
CARD = CombatTables.of(TABLES)


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))
