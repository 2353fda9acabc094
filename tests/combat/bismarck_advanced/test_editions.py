"""A guided battle keeps the cards and tables of the edition that it was begun with."""

from dataclasses import replace

from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle
from combat.ships import ShipList
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, RULES, RULESET, TABLES, near


def test_the_cards_are_the_rulebooks_own() -> None:
    stronger = ShipList(
        tuple(
            replace(ship, hull_boxes=ship.hull_boxes + 5) if ship.name == "Hood" else ship
            for ship in load_warships()
        )
    )
    base = BATTLE.begin(BATTLE.schemas.setup.read(near())).engagement["Hood"].base
    second = AdvancedBattle(TABLES, stronger, RULES, base)
    latest = replace(RULESET, edition=2, battle=lambda _: second, earlier={1: RULESET})
    boxes = {}
    for edition in (1, 2):
        rulebook = latest.of_edition(edition).battle
        assert rulebook is not None
        battle = rulebook(TABLES)
        state = battle.begin(battle.schemas.setup.read(near()))
        hull = next(part for part in battle.sheet(state, "Hood").parts if part.kind == "hull")
        boxes[edition] = hull.details.boxes
    assert boxes[1] is not None
    assert boxes[2] == boxes[1] + 5
