"""The Advanced Game's gunnery tables: every constraint on what the source lost of them."""

from fractions import Fraction
from itertools import pairwise

import pytest

from benchmarks.hit_table import Candidate, breaks_pin, is_flat, is_level, pays_to_hold_back
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import FIRST
from combat.rulebooks.bismarck_advanced.table_files import (
    BANDS,
    FACTORS,
    GUNS,
    HIT_ROWS,
    TARGET_SPEEDS,
    load_tables,
)
from combat.rulebooks.bismarck_data.table_files import DICE
from combat.tables import Table

TABLES = load_tables()
HITS, PENETRATION = TABLES["hit_table"], TABLES["penetration"]
LAST_ROWS = (16, 18, 20, 22, *range(24, 48))
"""The last row of each column that hits."""


def modifier(case: str) -> int:
    return TABLES["modifiers"].integer(case, "value")


def inches(gun: str) -> list[int]:
    return [int(PENETRATION.text(gun, band).replace("-", "0")) for band in BANDS]


# Missing 1: the Hit Table


def test_hit_table_has_the_frame_of_the_card() -> None:
    assert HITS.columns == FACTORS == tuple(str(n) for n in range(1, 29))
    assert (len(HIT_ROWS), HIT_ROWS[0], HIT_ROWS[1], HIT_ROWS[-2:]) == (
        48, "11 or less", "12", ("85", "86+"),
    )  # fmt: skip


def test_column_1_misses_at_44() -> None:
    """The Hood's roll of 12 at +20."""
    cell = HITS.cell("44", "1")
    assert (cell.value, cell.provenance) == ("0", Provenance.PRINTED)


@pytest.mark.parametrize("modification", [16, 20])
def test_column_1_cannot_hit_at_the_modifications_of_the_example(modification: int) -> None:
    rows = [HIT_ROWS[min(index + modification, 48) - 1] for index in range(1, 37)]
    assert {HITS.integer(row, "1") for row in rows} == {0}
    assert all(HITS.cell(row, "1").provenance is not Provenance.RECONSTRUCTED for row in rows)


def test_hits_never_rise_with_the_row() -> None:
    for factor in FACTORS:
        hits = [HITS.integer(row, factor) for row in HIT_ROWS]
        assert hits == sorted(hits, reverse=True)


def test_hits_never_fall_with_the_column() -> None:
    for row in HIT_ROWS:
        hits = [HITS.integer(row, factor) for factor in FACTORS]
        assert hits == sorted(hits)


def test_column_1_can_hit() -> None:
    assert HITS.integer("11 or less", "1") == 1


def test_never_more_hits_than_the_factor() -> None:
    assert all(HITS.integer(row, f) <= int(f) for row in HIT_ROWS for f in FACTORS)


def test_row_85_still_hits_in_column_28_and_86_never() -> None:
    assert HITS.integer("85", "28") == 1
    assert {HITS.integer("86+", factor) for factor in FACTORS} == {0}


def test_the_first_miss_moves_down_about_a_row_with_each_factor() -> None:
    last_hits = [
        max(i for i, row in enumerate(HIT_ROWS, 1) if HITS.integer(row, f)) for f in FACTORS
    ]
    assert last_hits[0] <= 16
    assert last_hits[-1] == 47
    assert 1.0 <= (last_hits[-1] - last_hits[0]) / 27 <= 1.4


def mean_hits(table: Table, factor: int) -> Fraction:
    """The hits of a column at a sum of 0."""
    rolls = ("11 or less", *DICE[1:])
    return Fraction(sum(table.integer(row, str(factor)) for row in rolls), 36)


def test_columns_flatten() -> None:
    """Edition 1 was proportional to the factor: light guns hit a dozen times a segment."""
    first = load_tables(FIRST)["hit_table"]
    assert mean_hits(first, 28) > 12
    assert mean_hits(HITS, 28) < 6
    for table in (first, HITS):
        assert 3 <= mean_hits(table, 8) <= 4, "the basic game's rate of damage"
    for factor in range(4, 15):
        assert mean_hits(HITS, 2 * factor) <= mean_hits(HITS, factor) * Fraction(2**0.7)


def test_the_hit_table_is_the_first_that_the_search_finds() -> None:
    found = Candidate("", tuple(LAST_ROWS), near=2, near_hits=4, far=10)
    assert found.table == CombatTables.of(TABLES).hits
    assert not breaks_pin(found.table)
    assert not any(pays_to_hold_back(found.table))
    assert is_flat(found)
    assert is_level(found)
    assert found.name.endswith("4 hits 2 rows apart, then 10")


def test_edition_1_paid_for_guns_held_back() -> None:
    assert any(pays_to_hold_back(CombatTables.of(load_tables(FIRST), FIRST).hits))


# Missing 5: hit modifications


@pytest.mark.parametrize(
    ("case", "value"),
    [("1 radar", 0), ("1 no radar", 2), ("2 visibility 2", 0), ("4 none", 0), ("5 hit", 2),
     ("5 not hit", 0), ("6 full speed", 3), ("6 less", 0), ("7 steady", 0), ("8 CA", 3),
     ("9 did not fire", 0), ("10 fresh", 0), ("11 one target", 0), ("11 several targets", 3),
     ("12 alone", 0), ("12 several", 3), ("13 fired upon", 2), ("13 not fired upon", -2),
     ("14 steady", 0), ("sight", 15), ("smoke target", 8), ("smoke own", 15), ("smoke front", 15),
     ("held_back", -1)],
)  # fmt: skip
def test_printed_modifications(case: str, value: int) -> None:
    assert modifier(case) == value
    assert TABLES["modifiers"].cell(case, "value").provenance is Provenance.PRINTED


def test_a_battleship_is_0_by_the_sum_of_the_example() -> None:
    assert 17 + 1 - 2 + modifier("8 BB") == 16
    assert TABLES["modifiers"].cell("8 BB", "value").provenance is Provenance.DERIVED


def test_visibility_never_gets_better_with_the_level() -> None:
    values = [modifier(f"2 visibility {level}") for level in range(1, 9)]
    assert values[0] <= 0
    assert values == sorted(values)
    assert values[-1] > 0


def test_hull_modification_rises_from_left_to_right() -> None:
    thirds = [modifier(f"3 hull {third} third") for third in ("first", "second", "last")]
    assert thirds[0] == 0
    assert thirds == sorted(set(thirds))


def test_fire_control_has_two_values_of_its_own() -> None:
    assert modifier("4 director") > 0
    assert modifier("4 plot") > 0


@pytest.mark.parametrize("number", ["7", "14"])
def test_weaving_and_salvo_chasing_differ(number: str) -> None:
    assert 0 < modifier(f"{number} weaving") < modifier(f"{number} salvo chasing")


def test_smaller_targets_are_harder() -> None:
    assert modifier("8 DD") > modifier("8 CL") > modifier("8 CA") > modifier("8 BB") == 0
    assert modifier("8 BC") == modifier("8 CV") == 0
    assert modifier("8 BB") < modifier("8 PB") < modifier("8 CA")


def test_slower_targets_are_easier_and_speed_9_is_0() -> None:
    values = [modifier(case) for case in TARGET_SPEEDS]
    assert values == sorted(set(values))
    assert modifier("15 7-9") == 0


def test_ship_speed_pins_bow_to_broadside() -> None:
    table = TABLES["ship_speed"]
    cell = table.cell("+2 to -1", "unlike")
    assert (cell.value, cell.provenance) == ("1", Provenance.PRINTED)
    assert len(table.rows) == 6
    assert all(table.integer(row, "like") <= table.integer(row, "unlike") for row in table.rows)


def test_the_example_sums_of_hood_and_prince_of_wales() -> None:
    attitude = TABLES["ship_speed"].integer("+2 to -1", "unlike")
    quiet = modifier("13 not fired upon")
    assert 18 + modifier("8 CA") + quiet + attitude + modifier("15 7-9") == 20
    assert 17 + modifier("8 BB") + quiet + attitude + modifier("15 7-9") == 16


# Missing 6: penetration


@pytest.mark.parametrize(
    ("gun", "row"),
    [("E", [16, 14, 12, 10, 8, 6, 4]), ("F", [18, 16, 14, 12, 10, 8, 6]),
     ("A", [4, 4, 0, 0, 0, 0, 0])],
)  # fmt: skip
def test_printed_penetration(gun: str, row: list[int]) -> None:
    assert inches(gun) == row
    printed = [PENETRATION.cell(gun, band).provenance is Provenance.PRINTED for band in BANDS]
    assert printed == [True] * 6 + [gun != "A"]


def test_penetration_is_even_and_never_grows_with_range() -> None:
    for gun in GUNS:
        assert all(value % 2 == 0 for value in inches(gun))
        assert inches(gun) == sorted(inches(gun), reverse=True)


def test_heavy_guns_lose_two_inches_a_segment() -> None:
    for gun in "GFED":
        assert {near - far for near, far in pairwise(inches(gun))} == {2}


def test_neighbouring_letters_differ_by_two_among_heavy_guns() -> None:
    for heavier, lighter in pairwise("GFED"):
        assert {x - y for x, y in zip(inches(heavier), inches(lighter), strict=True)} == {2}


def test_a_heavier_gun_never_penetrates_less_and_somewhere_more() -> None:
    for heavier, lighter in pairwise(GUNS):
        assert all(x >= y for x, y in zip(inches(heavier), inches(lighter), strict=True))
        assert inches(heavier) != inches(lighter)


def test_c_and_b_lie_between_d_and_a() -> None:
    for gun in "CB":
        assert 6 <= inches(gun)[0] <= 12


def test_light_guns_cannot_penetrate_at_extreme_range() -> None:
    assert [inches(gun)[-1] for gun in "CBAZ"] == [0, 0, 0, 0]


def test_z_is_at_most_a() -> None:
    assert max(inches("Z")) <= 4
    assert inches("Z")[2:] == [0] * 5


def test_only_f_and_g_reach_18_inches() -> None:
    assert {gun for gun in GUNS if max(inches(gun)) >= 18} == {"F", "G"}


# Missing 7: shell sizes


def test_shell_sizes_are_whole_quarters_by_the_rule() -> None:
    quarters = {gun: TABLES["shell_size"].integer(gun, "quarters") for gun in GUNS}
    assert {quarters[gun] for gun in "EFG"} == {4}
    assert 2 * quarters["D"] == 6, "64.33: two hits of D are one and a half boxes"
    assert [quarters[gun] for gun in "CBAZ"] == [2, 2, 1, 1]
