"""The tables hold what the book prints, and every ship has a card."""

from combat.owner_values import Overlay
from combat.provenance import Provenance
from combat.rulebooks.chase_of_the_bismarck import NAME, load
from combat.rulebooks.chase_of_the_bismarck.table_files import DIE, TANKERS
from tabletop.errors import BadField
from tests.refusals import refused

CHASE = load()
TABLES = CHASE.tables
REBUILT = {
    "ship_cards", "damage_markers", "evasion_chits", "special_damage", "special_subtable",
    "abort_modifiers", "convoy_markers",
}  # fmt: skip


def test_the_naval_combat_table_reads_as_printed() -> None:
    steps = ["bow:1", "stern:1", "secondary:1"]
    two, one, miss = "hull:2+evasion:1", "hull:1+evasion:1", "miss"
    printed = {
        "extreme": ["special", "hull:1", *steps, *[miss] * 5],
        "long": [two, "special", "special", "hull:1", *steps, *[miss] * 3],
        "medium": [two, "special", "special", one, "hull:1", *steps, *[miss] * 2],
        "short": [two, two, "special", "special", one, "hull:1", *steps, miss],
    }
    table = TABLES["naval_combat"]
    assert {c: [table.text(row, c) for row in DIE] for c in table.columns} == printed


def test_only_what_is_lost_is_rebuilt() -> None:
    rebuilt = {table.name for table in TABLES if table.counts[Provenance.RECONSTRUCTED]}
    assert rebuilt == REBUILT
    assert all(name in " ".join(CHASE.missing) for name in REBUILT)
    assert not CHASE.needs_table


def test_every_ship_has_a_card_and_the_examples_pin_two() -> None:
    cards = TABLES["ship_cards"]
    assert cards.rows == tuple(ship.name for ship in CHASE.ships)
    assert len(cards.rows) == 38
    pinned = {
        "Norfolk": {"evasion": "31", "radar": "I", "bow": "2", "stern": "2", "secondary": "0",
                    "hull": "4", "torpedoes": "4"},
        "Prinz Eugen": {"evasion": "32", "radar": "II", "bow": "3", "secondary": "0",
                        "torpedoes": "12"},
        "Bismarck": {"evasion": "30", "radar": "II"},
        "Revenge": {"hull": "7"},
        "New York": {"extreme": "no"},
    }  # fmt: skip
    for ship, values in pinned.items():
        for column, value in values.items():
            cell = cards.cell(ship, column)
            assert cell.value == value
            assert cell.provenance.doubt is None


def test_third_party_readings_are_marked_and_stand_above_what_was_rebuilt() -> None:
    cards = TABLES["ship_cards"]
    read = {place: cell for place, cell in cards.cells.items()
            if cell.provenance is Provenance.THIRD_PARTY}  # fmt: skip
    assert len(read) == 94
    assert {column for _, column in read} == {"evasion", "radar", "hull"}
    assert read["Hood", "hull"].value == "8"
    assert read["Prince of Wales", "evasion"].value == "27"
    # Readings that cannot be: a light cruiser with the hull of Bismarck, one with none.
    assert ("Köln", "hull") not in read
    assert ("Cairo", "hull") not in read
    assert {table.name for table in TABLES if table.counts[Provenance.THIRD_PARTY]} == {
        "ship_cards"
    }


def test_a_fight_of_edition_1_keeps_its_cards() -> None:
    cards = CHASE.of_edition(1).tables["ship_cards"]
    assert cards.text("Bismarck", "hull") == "9"
    assert cards.counts[Provenance.THIRD_PARTY] == 0
    rebuilt = [ship for (ship, _), cell in cards.cells.items()
               if cell.provenance is Provenance.RECONSTRUCTED]  # fmt: skip
    assert sum(ship not in TANKERS for ship in rebuilt) == 244


def test_extreme_range_is_for_the_classes_the_rule_names() -> None:
    for ship in CHASE.ships:
        may = ship.ship_class in ("CA", "BC", "BB") and ship.name != "New York"
        assert TABLES["ship_cards"].text(ship.name, "extreme") == ("yes" if may else "no")


def test_an_owner_enters_a_card() -> None:
    owned = TABLES.with_overlay(Overlay(NAME).with_value("ship_cards", "Hood", "hull", "8"))
    assert owned["ship_cards"].cell("Hood", "hull").provenance is Provenance.OWNER
    with refused(BadField, match="joined by"):
        TABLES.with_overlay(Overlay(NAME).with_value("naval_combat", "0", "long", "keel:1"))
