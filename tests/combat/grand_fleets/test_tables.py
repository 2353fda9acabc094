"""The tables: complete, printed, and read row by row as the book has them."""

import pytest

from combat.owner_values import Overlay
from combat.provenance import Provenance
from combat.rulebooks import get_ruleset
from combat.rulebooks.grand_fleets.table_files import (
    HIT_ROWS,
    NAME,
    TORPEDO_ROWS,
    figure,
    load_tables,
    row_of,
)
from tabletop.errors import BadField
from tests.refusals import refused

TABLES = load_tables()


def test_every_table_is_there_and_nothing_is_rebuilt() -> None:
    assert len(TABLES) == 11
    assert TABLES.counts[Provenance.RECONSTRUCTED] == 0
    assert TABLES.counts[Provenance.DERIVED] == 1
    assert get_ruleset(NAME).tables.checksum == TABLES.checksum


def test_torpedo_cells_as_scattered_as_they_are_printed() -> None:
    hits = {
        row: [int(total) for total in TABLES["torpedo_hits"].columns
              if TABLES["torpedo_hits"].text(row, total) == "hit"]
        for row in TABLES["torpedo_hits"].rows
    }  # fmt: skip
    assert hits == {
        "+3 or more": [7, 8, 10, 11, 12],
        "+2": [7, 10, 11, 12],
        "+1": [8, 11, 12],
        "0": [10, 11, 12],
        "-1": [10, 12],
        "-2": [11, 12],
        "-3 or -4": [11],
        "-5 to -7": [12],
        "-8 or less": [],
    }
    ways = {total: 6 - abs(total - 7) for total in range(2, 13)}
    chances = [sum(ways[total] for total in row) for row in hits.values()]
    assert chances == [17, 12, 8, 6, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("modifier", "torpedoes", "guns"),
    [
        (9, "+3 or more", "+3 or more"), (3, "+3 or more", "+3 or more"), (2, "+2", "+2"),
        (1, "+1", "+1"), (0, "0", "0 or less"), (-1, "-1", "0 or less"), (-2, "-2", "0 or less"),
        (-3, "-3 or -4", "0 or less"), (-4, "-3 or -4", "0 or less"), (-5, "-5 to -7", "0 or less"),
        (-7, "-5 to -7", "0 or less"), (-8, "-8 or less", "0 or less"),
        (-40, "-8 or less", "0 or less"),
    ],
)  # fmt: skip
def test_the_row_of_a_modifier(modifier: int, torpedoes: str, guns: str) -> None:
    assert row_of(TORPEDO_ROWS, modifier) == torpedoes
    assert row_of(HIT_ROWS, modifier) == guns


def test_command_quality_is_uneven_at_the_bottom_as_printed() -> None:
    table = TABLES["command_quality"]
    assert [table.integer(row, "points_percent") for row in table.rows] == [-25, -10, 0, 10, 20]
    assert [table.integer(row, "lowest_roll") for row in table.rows] == [2, 4, 6, 9, 11]


def test_an_owner_may_correct_a_figure() -> None:
    overlay = Overlay(NAME, {("figures", "return to command, lowest total", "value"): "8"})
    assert figure(TABLES.with_overlay(overlay), "return to command, lowest total") == 8
    with refused(BadField, match="one of hit, miss"):
        TABLES.with_overlay(Overlay(NAME, {("torpedo_hits", "0", "9"): "graze"}))


def test_the_list_of_what_is_missing_is_true() -> None:
    ruleset = get_ruleset(NAME)
    assert ruleset.rulebook is not None
    assert ruleset.cases is not None
    assert ruleset.needs_table
    assert not ruleset.simultaneous, "damage takes effect at once"
    assert not any("not there yet" in words for words in ruleset.missing)
    assert any("data cards" in words for words in ruleset.missing)
