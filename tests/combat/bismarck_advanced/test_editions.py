"""The editions of the Advanced Game, and a battle that keeps the one it was begun with."""

from dataclasses import fields, replace
from typing import TYPE_CHECKING, cast

from combat.rulebooks.bismarck_advanced.editions import CURRENT, EARLIER
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle
from combat.ships import ShipList
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, RULES, RULESET, TABLES, near

if TYPE_CHECKING:
    from combat.guided_play import GuidedRulebook


def test_the_cards_are_the_rulebooks_own() -> None:
    stronger = ShipList(
        tuple(
            replace(ship, hull_boxes=ship.hull_boxes + 5) if ship.name == "Hood" else ship
            for ship in load_warships()
        )
    )
    base = BATTLE.begin(BATTLE.schemas.setup.read(near())).engagement["Hood"].base
    second = AdvancedBattle(TABLES, stronger, RULES, base)
    latest = replace(
        RULESET,
        edition=4,
        battle=lambda _: cast("GuidedRulebook[object]", second),
        earlier={3: RULESET},
    )
    boxes = {}
    for edition in (3, 4):
        rulebook = latest.of_edition(edition).battle
        assert rulebook is not None
        battle = rulebook(TABLES)
        state = battle.begin(battle.schemas.setup.read(near()))
        hull = next(part for part in battle.sheet(state, "Hood").parts if part.kind == "hull")
        boxes[edition] = hull.details.boxes
    assert boxes[3] is not None
    assert boxes[4] == boxes[3] + 5


def test_every_earlier_edition_is_described_by_what_differs() -> None:
    assert RULESET.edition == CURRENT.number == 3
    assert tuple(RULESET.earlier) == tuple(each.number for each in EARLIER) == (1, 2)
    for edition in EARLIER:
        differing = [
            each.name
            for each in fields(edition)
            if getattr(edition, each.name) != getattr(CURRENT, each.name)
        ]
        assert differing[0] == "number"
        assert len(differing) > 1


def test_only_the_tables_that_an_edition_names_are_others() -> None:
    for edition in EARLIER:
        tables = RULESET.of_edition(edition.number).tables
        assert {table.name for table in tables if table.cells != TABLES[table.name].cells} == set(
            edition.table_files
        )
