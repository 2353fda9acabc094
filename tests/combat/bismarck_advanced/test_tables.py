"""The Advanced Game's tables: what the source prints, and every constraint on what it lost.

The tables that decide whether a shell hits and penetrates are in `test_tables_gunnery.py`.
"""

import re
from collections import Counter
from fractions import Fraction
from importlib.resources import files

import pytest

from combat.provenance import Provenance
from combat.rulebooks import bismarck_advanced
from combat.rulebooks.bismarck_advanced import table_files
from combat.rulebooks.bismarck_advanced.table_files import (
    ARMOUR,
    LOCATIONS,
    RANGE_GROUPS,
    SPECS,
    load_tables,
)
from combat.rulebooks.bismarck_data.table_files import DICE, DIE, air_specs
from combat.tables import Table

TABLES = load_tables()
SHARED = {spec.name for spec in air_specs()}
SECTIONS = ("damage_broadside", "damage_end_on")


def column(name: str, label: str = "result") -> list[str]:
    table = TABLES[name]
    return [table.text(row, label) for row in table.rows]


# All tables


def test_the_tables_belong_to_the_ruleset() -> None:
    assert TABLES.ruleset == table_files.NAME == bismarck_advanced.NAME
    assert len(TABLES) == len(SPECS) == 34


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_no_shipped_table_breaks_its_own_trends(table: Table) -> None:
    broken = [
        step
        for step in table.spec.steps()
        if step.broken_by(table.text(*step.first), table.text(*step.second))
    ]
    assert broken == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_reconstructed_cell_names_its_chapter_of_the_readme(table: Table) -> None:
    readme = (files(bismarck_advanced) / "README.md").read_text("utf-8")
    chapters = [line.casefold() for line in readme.splitlines() if line.startswith(("### ", "| "))]
    for cell in table.cells.values():
        if cell.provenance is Provenance.RECONSTRUCTED:
            if table.name in SHARED:
                # A shared cell says itself how it was read: several READMEs are beside it.
                assert len(cell.reference.partition("; ")[2]) > 20, cell
                continue
            key, _, chapter = cell.reference.partition(";")[0].partition(": ")
            assert key == "README"
            assert any(re.search(rf"\b{chapter.casefold()}\b", line) for line in chapters)


# Missing 2 and 3: the Damage Table


@pytest.mark.parametrize("section", SECTIONS)
def test_damage_has_36_results_with_four_armour_codes(section: str) -> None:
    assert TABLES[section].rows == DICE
    assert TABLES[section].columns == ("location", *RANGE_GROUPS, "mark")
    assert set(column(section, "location")) == set(LOCATIONS)
    codes = {code for group in RANGE_GROUPS for code in column(section, group)}
    assert codes == set(ARMOUR)


@pytest.mark.parametrize(
    ("section", "turrets", "hull", "superstructure", "secondary"),
    [("damage_broadside", 5, 9, 5, 4), ("damage_end_on", 6, 10, 4, 2)],
)
def test_damage_counts(
    section: str, turrets: int, hull: int, superstructure: int, secondary: int
) -> None:
    assert Counter(column(section, "location")) == {
        "bow_turret": turrets, "stern_turret": turrets, "hull": hull,
        "superstructure": superstructure, "secondary": secondary, "speed": 2,
        "conning_tower": 1, "director": 1, "plot": 1, "rudder": 1, "special_a": 1, "special_b": 1,
    }  # fmt: skip


@pytest.mark.parametrize("section", SECTIONS)
def test_marks_go_with_their_locations(section: str) -> None:
    rows = list(zip(column(section, "location"), column(section, "mark"), strict=True))
    marks = Counter(mark for place, mark in rows if place.endswith("_turret"))
    assert marks["**"] == 4
    assert set(marks) == {"**", "***"}
    special = {"conning_tower", "director", "plot", "rudder"}
    assert {place for place, mark in rows if mark == "*"} == special
    assert {place for place, mark in rows if mark in ("**", "***")} == {
        "bow_turret",
        "stern_turret",
    }


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    ("location", "codes"),
    [("bow_turret", {"MG", "CA"}), ("stern_turret", {"MG", "CA"}), ("hull", {"BA", "DA"}),
     ("superstructure", {"-"}), ("secondary", {"SA"}), ("speed", {"BA", "DA"}),
     ("conning_tower", {"CT"}), ("director", {"DI"}), ("plot", {"PL"}), ("rudder", {"RU"}),
     ("special_a", {"BA", "DA"}), ("special_b", {"BA", "DA"})],
)  # fmt: skip
def test_a_location_has_its_own_armour(section: str, location: str, codes: set[str]) -> None:
    table = TABLES[section]
    rows = [row for row in DICE if table.text(row, "location") == location]
    assert {table.text(row, group) for row in rows for group in RANGE_GROUPS} == codes


@pytest.mark.parametrize("section", SECTIONS)
def test_deck_and_crown_come_with_range_and_once_near(section: str) -> None:
    counts = {group: Counter(column(section, group)) for group in RANGE_GROUPS}
    for code in ("DA", "CA"):
        by_range = [counts[group][code] for group in RANGE_GROUPS]
        assert by_range == sorted(by_range)
        assert by_range[0] + by_range[1] >= 1, "or the record sheet's 'or closer' would be empty"
        assert by_range[2] >= 1
    for group in ("short", "medium"):
        assert counts[group]["BA"] > counts[group]["DA"]
        assert counts[group]["MG"] > counts[group]["CA"]
    for group in ("long", "extreme"):
        assert counts[group]["DA"] > counts[group]["BA"]
        assert counts[group]["CA"] > counts[group]["MG"]
    assert counts["long"]["BA"] >= 1


@pytest.mark.parametrize("section", SECTIONS)
def test_turrets_take_most_hits_and_bow_and_stern_alike(section: str) -> None:
    counts = Counter(column(section, "location"))
    assert counts["bow_turret"] == counts["stern_turret"]
    assert 2 * counts["bow_turret"] > counts["hull"] == max(counts.values())


# Missing 4: the special tables


def terms(value: str) -> dict[str, int]:
    parts = [term.partition(":") for term in value.split("+") if value != "none"]
    return {word: int(amount or 1) for word, _, amount in parts}


@pytest.mark.parametrize("name", ["special_a", "special_b", "speed_loss", "rudder", "main_gun",
                                  "conning_tower"])  # fmt: skip
def test_special_tables_have_six_rows(name: str) -> None:
    assert TABLES[name].rows == DIE


@pytest.mark.parametrize("name", ["special_a", "special_b"])
def test_fire_control_is_sometimes_spared(name: str) -> None:
    assert set(column(name, "fire_control")) == {"destroyed", "no_effect"}
    assert {"director", "plot"} <= {word for value in column(name) for word in terms(value)}


def test_special_a_is_worse_than_b() -> None:
    a, b = ([terms(value) for value in column(name)] for name in ("special_a", "special_b"))
    assert sum(t.get("hull", 0) for t in a) > sum(t.get("hull", 0) for t in b)
    assert all(x.get("hull", 0) >= y.get("hull", 0) for x, y in zip(a, b, strict=True))
    destroyed = [
        column(name, "fire_control").count("destroyed") for name in ("special_a", "special_b")
    ]
    assert destroyed[0] > destroyed[1]


@pytest.mark.parametrize("name", ["special_a", "special_b"])
def test_special_damage_is_worst_at_6(name: str) -> None:
    hull = [terms(value).get("hull", 0) for value in column(name)]
    assert hull[-1] == max(hull) > hull[0]
    spared = [value == "no_effect" for value in column(name, "fire_control")]
    assert spared == sorted(spared, reverse=True)


def test_speed_loss_sometimes_exceeds_7_and_is_mostly_small() -> None:
    losses = [int(value) for value in column("speed_loss")]
    assert max(losses) > 7, "or 58.6 and 58.8 would never apply"
    assert losses == sorted(losses)
    assert sum(loss <= 3 for loss in losses) >= 4


def test_rudder_damage_restricts_turning_and_once_costs_what_a_torpedo_does() -> None:
    results = [terms(value) for value in column("rudder")]
    turning = {"steady", "no_port", "no_starboard", "no_turns", "hard_over"}
    assert sum(bool(turning & result.keys()) for result in results) == 5
    evasion = TABLES["conversions"].fraction("evasion_factor", "value")
    assert results[-1]["speed"] == int(20 * evasion) == 6


def test_a_turret_that_holds_is_never_destroyed_by_the_main_gun_table() -> None:
    words = {word for value in column("main_gun") for word in terms(value)}
    assert words == {"out", "jammed"}
    assert column("main_gun").count("none") == 3


def test_the_conning_tower_affects_performance() -> None:
    words = {word for value in column("conning_tower") for word in terms(value)}
    assert words == {"no_speed_change", "steady", "modifier"}


# Whole in the source


def test_starting_range() -> None:
    assert column("range_establishment", "yards") == [
        "8000",
        "12000",
        "18000",
        "24000",
        "26000",
        "28000",
    ]
    levels = [TABLES["range_modifiers"].integer(f"visibility {n}", "value") for n in range(1, 9)]
    assert levels == [5, 5, 4, 2, 0, -1, -2, -3]
    assert TABLES["range_modifiers"].text("visibility X", "value") == "no_attack"
    assert TABLES["range_modifiers"].integer("night", "value") == -4
    assert TABLES["range_modifiers"].integer("radar", "value") == 3


def test_direction() -> None:
    zones = ["stern", "port", "port", "bow", "starboard", "starboard"]
    assert column("direction_by_zone", "quadrant") == zones
    die = ["bow", "stern", "port", "port", "starboard", "starboard"]
    assert column("direction_by_die", "quadrant") == die


@pytest.mark.parametrize(
    ("name", "turrets", "last_jam"),
    [("jams_tirpitz", "ABXY", "42"), ("jams_king_george_v", "ABX", "33")],
)
def test_jams_are_contiguous_and_even(name: str, turrets: str, last_jam: str) -> None:
    results = column(name)
    end = DICE.index(last_jam) + 1
    assert "none" not in results[:end]
    assert set(results[end:]) == {"none"}
    expected = {f"{turret}:1:permanent": 1 for turret in turrets}
    expected |= {f"{turret}:{guns}": 2 for turret in turrets for guns in (1, 2)}
    assert Counter(results[:end]) == expected


def test_the_doubled_roll_of_the_jam_table_goes_to_the_first_band() -> None:
    cell = TABLES["jams_king_george_v"].cell("25", "result")
    assert (cell.value, cell.provenance) == ("A:2", Provenance.DERIVED)
    assert TABLES["jams_king_george_v"].text("26", "result") == "B:2"


def test_torpedo_hits_rise_with_the_roll_and_the_salvo_and_fall_with_range() -> None:
    table = TABLES["torpedo_hits"]
    for row, hits in (("46", "00000000"), ("51", "00110000"), ("55", "01110001"),
                      ("61", "01120011"), ("63", "11120111"), ("66", "11221111")):  # fmt: skip
        assert "".join(table.text(row, label) for label in table.columns) == hits
    for label in table.columns:
        values = [table.integer(row, label) for row in DICE]
        assert values == sorted(values)
    for row in DICE:
        one, two = ([table.integer(row, f"{h} {n}") for n in (2, 3, 4, 6)] for h in ("one", "two"))
        assert (one, two) == (sorted(one), sorted(two))
        assert all(near >= far for near, far in zip(one, two, strict=True))


def test_slow_ships_are_torpedoed_more_easily() -> None:
    assert column("torpedo_evasion", "coloured_die") == ["5", "4", "3", "2", "1", "0"]


def test_torpedo_damage() -> None:
    assert column("torpedo_damage", "cruiser")[-2:] == ["sunk", "sunk"]
    assert column("torpedo_damage", "carrier")[-1] == "sunk"
    assert column("torpedo_damage", "battleship") == [
        "midships:1", "midships:1+evasion:4", "midships:1+evasion:6*", "midships:1+evasion:20",
        "midships:2+evasion:8*", "midships:2+evasion:10*",
    ]  # fmt: skip


def test_repairs() -> None:
    no = "unsuccessful"
    assert column("repair_at_sea", "midships") == ["2", "1", "1", "1", no, no]
    assert column("repair_at_sea", "turret") == ["all", "3", "1", no, no, no]
    assert column("secondary_repair") == ["2", "1", "1", "1", no, no]
    assert column("rudder_repair") == ["repaired"] * 4 + [no] * 2


def test_ammunition() -> None:
    table = TABLES["ammunition"]
    assert [table.integer("allied", group) for group in RANGE_GROUPS] == [6, 6, 3, 3]
    assert [table.integer("german", group) for group in RANGE_GROUPS] == [6, 6, 4, 4]


def test_conversions() -> None:
    values = [Fraction(value) for value in column("conversions", "value")]
    assert values == [Fraction(3, 2), Fraction(1, 3), 24, 1, Fraction(1, 2), 4000, 8000]
