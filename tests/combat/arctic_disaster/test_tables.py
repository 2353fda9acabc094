"""The tables load, hold what the examples pin, and follow the owner's copy."""

import pytest

from combat.owner_values import Overlay
from combat.provenance import Provenance
from combat.rulebooks.arctic_disaster import NAME, load
from combat.tables import Table, TableSet
from tabletop.errors import DreyerError
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused

RULES = load()
TABLES = RULES.tables


def first_hit(column: str) -> int:
    table = TABLES["damage"]
    return next(int(row) for row in table.rows if table.text(row, column) != "0")


def test_the_lowest_rolls_that_hit_are_those_of_the_examples() -> None:
    assert {column: first_hit(column) for column in "5789"} == {"5": 5, "7": 4, "8": 4, "9": 4}
    assert first_hit("4") in (5, 6)
    assert first_hit("3") >= 7


@pytest.mark.parametrize("name", ["damage", "air_to_air", "range_modifiers"])
def test_the_rebuilt_tables_never_turn_back(name: str) -> None:
    table = TABLES[name]
    for step in table.spec.steps():
        values = [table.text(*place).rstrip("*") for place in (step.first, step.second)]
        assert not step.broken_by(*values), step


def test_antiaircraft_fire_grows_with_the_die_and_the_column() -> None:
    table = TABLES["antiaircraft"]

    def worth(row: str, column: str) -> tuple[int, int]:
        taken, _, steps = table.text(row, column).partition("/")
        return -int(taken), int(steps or 0)

    for row, column in table.cells:
        for other, beyond in table.cells:
            if int(other) >= int(row) and int(beyond) >= int(column):
                assert all(
                    a <= b for a, b in zip(worth(row, column), worth(other, beyond), strict=True)
                )


def test_ranges_lie_on_the_line_through_both_pinned_points() -> None:
    table = TABLES["range_modifiers"]
    for areas in range(21):
        assert abs(table.integer(str(areas), "value") + (2 * areas - 1) / 5) <= 0.5
    assert table.cell("8", "value").provenance is Provenance.PRINTED


def test_most_of_it_is_rebuilt_and_says_so() -> None:
    counts = TABLES.counts
    assert counts[Provenance.RECONSTRUCTED] > counts[Provenance.PRINTED] > 100
    for table in TABLES:
        for cell in table.cells.values():
            if cell.provenance is Provenance.RECONSTRUCTED:
                assert "README" in cell.reference


def test_the_pinned_values_of_ships() -> None:
    rosters = TABLES["rosters"]
    first = {ship: rosters.text(ship, "0").split("/") for ship in rosters.rows}
    guns = {"Lützow": "7", "Scheer": "7", "London": "8", "Wichita": "9", "German destroyer": "5"}
    assert {ship: first[ship][1] for ship in guns} == guns
    flak = {"Victorious": "12", "Nigeria": "6", "Washington": "18", "Merchant ship": "2"}
    assert {ship: first[ship][3] for ship in flak} == flak


def sunk_after(table: Table, ship: str) -> int:
    return [table.text(ship, space) for space in table.columns].index("sunk")


def test_what_the_examples_say_of_hits() -> None:
    rosters = TABLES["rosters"]
    assert sunk_after(rosters, "Merchant ship") <= 2 < sunk_after(rosters, "London")
    assert sunk_after(rosters, "Tirpitz") > 4


def with_roster(spaces: dict[str, str]) -> TableSet:
    owned = Overlay(NAME)
    for space, value in spaces.items():
        owned = owned.with_value("rosters", "Merchant ship", space, value)
    return TABLES.with_overlay(owned)


SHOT = 'target = { name = "Bellingham", type = "Merchant ship" }\nfire.battery = "air"\n'


def test_an_owner_may_lengthen_a_roster() -> None:
    longer = with_roster({"2": "1/0/0/1"})
    before = ShotRunner(RULES).forecast([SHOT, SHOT]).outcomes["sunk"]
    assert ShotRunner(RULES, longer).forecast([SHOT, SHOT]).outcomes["sunk"] < before


def test_a_roster_that_begins_sunk_is_an_error() -> None:
    with refused(DreyerError, match="at least one space before sunk"):
        ShotRunner(RULES, with_roster({"0": "sunk"})).preview(SHOT)


@pytest.mark.parametrize(
    ("table", "row", "column", "value"),
    [
        ("damage", "5", "4", "hit"),
        ("antiaircraft", "5", "2", "-2/3"),
        ("rosters", "Tirpitz", "0", "4/11/7"),
        ("critical", "5", "effect", "rudder"),
    ],
)
def test_what_is_not_of_a_kind_is_refused(table: str, row: str, column: str, value: str) -> None:
    with refused(DreyerError, match=f"{table}, row"):
        TABLES.with_overlay(Overlay(NAME).with_value(table, row, column, value))


def test_the_page_says_what_is_missing() -> None:
    assert not RULES.complete
    assert not RULES.needs_table
    assert any("Damage Table" in words for words in RULES.missing)
