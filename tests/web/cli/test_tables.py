"""`dreyer tables`: the document scripts rely on, the card people read, the owner's values."""

import json
from pathlib import Path

import pytest

from combat.owner_values import Overlay, write_overlay
from tests.rulebooks import QUIET, quiet_rules, registered
from web.cli import main
from web.owner.tables.files import (
    default_data_folder,
    effective_tables,
    load_overlay,
    overlay_path,
)

RULESET = "bismarck-advanced"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "not yet made"


def run(data: Path, *arguments: str) -> int:
    return main(["tables", "--data", str(data), *arguments])


def refused(data: Path, captured: Captured, *arguments: str) -> str:
    assert run(data, *arguments) == 2
    output = captured.readouterr()
    assert output.out == ""
    assert output.err.startswith("dreyer: ")
    assert output.err.count("\n") == 1
    return output.err


def test_json_has_exactly_the_promised_keys(data: Path, capsys: Captured) -> None:
    assert run(data, "--json") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document = json.loads(captured.out)
    assert list(document) == ["tables", "checksum"]
    assert len(document["tables"]) == 34
    for table in document["tables"]:
        assert list(table) == ["name", "rows", "columns", "cells"]
        assert list(table["cells"]) == ["printed", "derived", "reconstructed", "owner"]
        assert sum(table["cells"].values()) == table["rows"] * table["columns"]
    assert document["tables"][0] == {
        "name": "hit_table", "rows": 48, "columns": 28,
        "cells": {"printed": 1, "derived": 31, "reconstructed": 1312, "owner": 0},
    }  # fmt: skip
    assert document["checksum"] == effective_tables(RULESET, data).checksum
    assert not data.exists(), "looking leaves no trace"


def test_a_ruleset_without_tables_has_an_empty_list(data: Path, capsys: Captured) -> None:
    with registered(QUIET, quiet_rules):
        assert run(data, QUIET, "--json") == 0
        assert json.loads(capsys.readouterr().out)["tables"] == []
        assert run(data, QUIET) == 0
        assert "no tables yet" in capsys.readouterr().out
        assert "unknown table 'hit_table'" in refused(data, capsys, QUIET, "--show", "hit_table")


def test_the_list_is_for_people(data: Path, capsys: Captured) -> None:
    assert run(data) == 0
    lines = capsys.readouterr().out.splitlines()
    checksum = effective_tables(RULESET, data).checksum
    assert lines[0] == f"BISMARCK, Advanced Game · 34 tables · checksum {checksum[:12]}"
    assert lines[1].split("  ")[0] == "table"
    assert "● printed  ◐ derived  ◌ reconstructed  ◆ owner" in lines[1]
    assert lines[2].split() == ["hit_table", "48", "×", "28", "1", "31", "1,312", "-"]
    assert lines[-1].startswith("all")
    assert len({len(line) for line in lines[1:]}) == 1, "aligned"


def test_a_third_partys_readings_are_listed_where_there_are_any(
    data: Path, capsys: Captured
) -> None:
    chase = "chase-of-the-bismarck"
    assert run(data, chase, "--json") == 0
    cells = {each["name"]: each["cells"] for each in json.loads(capsys.readouterr().out)["tables"]}
    assert cells["ship_cards"]["third_party"] == 94
    assert "third_party" not in cells["naval_combat"]
    assert run(data, chase) == 0
    assert "◇ third party" in capsys.readouterr().out.splitlines()[1]
    assert run(data, chase, "--show", "ship_cards") == 0
    assert "8◇" in capsys.readouterr().out


def test_show_prints_a_card(data: Path, capsys: Captured) -> None:
    assert run(data, "--show", "penetration") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Penetration Table (penetration)"
    assert lines[1].split()[:2] == ["point_blank", "short"]
    assert lines[4].split() == ["E", "16●", "14●", "12●", "10●", "8●", "6●", "4●"]
    assert lines[8].split() == ["A", "4●", "4●", "-●", "-●", "-●", "-●", "-◐"]
    assert len({len(line) for line in lines[1:10]}) == 1, "aligned"
    assert "◌ reconstructed: our notes: penetration (35 cells)" in lines


@pytest.mark.parametrize("name", [table.name for table in effective_tables(RULESET, Path("none"))])
def test_every_table_can_be_shown(name: str, data: Path, capsys: Captured) -> None:
    assert run(data, "--show", name) == 0
    assert f"({name})" in capsys.readouterr().out


def test_show_as_json_has_the_cells(data: Path, capsys: Captured) -> None:
    assert run(data, "--show", "speed_loss", "--json") == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["values"][5] == {
        "row": "6", "column": "result", "value": "8", "provenance": "reconstructed",
        "reference": "README: speed loss",
    }  # fmt: skip


def test_set_and_unset(data: Path, capsys: Captured) -> None:
    assert run(data, "--json") == 0
    before = json.loads(capsys.readouterr().out)["checksum"]
    assert run(data, "--set", "speed_loss", "6", "result", "+9",
               "--set", "modifiers", "15 stopped", "value", "-7",
               "--set", "penetration", "Z", "short", "-",
               "--set", "damage_broadside", "13", "mark", "") == 0  # fmt: skip
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines()[-1].split()[-1] == "4"
    assert run(data, "--show", "speed_loss") == 0
    assert "9◆" in capsys.readouterr().out
    tables = effective_tables(RULESET, data)
    assert tables["modifiers"].integer("15 stopped", "value") == -7
    assert tables["damage_broadside"].text("13", "mark") == ""
    assert tables.checksum != before
    assert run(data, "--unset", "speed_loss", "6", "result", "--unset", "penetration", "Z", "short",
               "--unset", "modifiers", "15 stopped", "value",
               "--unset", "damage_broadside", "13", "mark") == 0  # fmt: skip
    assert effective_tables(RULESET, data).checksum == before
    assert not overlay_path(RULESET, data).exists()


def test_odd_values_are_warned_of_on_standard_error(data: Path, capsys: Captured) -> None:
    assert run(data, "--json", "--set", "hit_table", "12", "28", "0") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["tables"][0]["cells"]["owner"] == 1
    assert all(line.startswith("dreyer: warning: hit_table") for line in captured.err.splitlines())
    assert captured.err.count("\n") == 2


def test_many_warnings_are_cut_short(data: Path, capsys: Captured) -> None:
    sets = [a for row in range(12, 17) for column in "2468"
            for a in ("--set", "hit_table", str(row), column, "0")]  # fmt: skip
    assert run(data, "--json", *sets) == 0
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 11
    assert errors[-1].endswith("more warnings")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "hit_tabel", "12", "1", "0"], "--set: unknown table 'hit_tabel'; did you mean"),
        (["--set", "hit_table", "11", "1", "0"], "hit_table: unknown row '11'; did you mean"),
        (["--set", "hit_table", "12", "29", "0"], "unknown column '29'; did you mean"),
        (["--set", "hit_table", "12", "3", "4"], "expected a whole number from 0 to 3 (hits"),
        (["--set", "rudder", "1", "result", "lost"], "expected 'none' or one or more of hull:N"),
        (["--unset", "rudder", "1", "result"], "there is no owner's value to remove"),
        (["--show", "ruder"], "unknown table 'ruder'; did you mean 'rudder'"),
        (["--import", "no such file"], "there is no such file"),
        (["--export", "no/such/folder/file"], "cannot be written"),
        (["grandfleets"], "unknown ruleset 'grandfleets'; did you mean 'grand-fleets'"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line(
    arguments: list[str], message: str, data: Path, capsys: Captured
) -> None:
    assert message in refused(data, capsys, *arguments)
    assert not data.exists()


def test_a_wrong_request_changes_nothing(data: Path, capsys: Captured) -> None:
    refused(data, capsys, "--set", "rudder", "1", "result", "steady", "--show", "nothing")
    assert load_overlay(RULESET, data).values == {}


def test_export_and_import_move_the_owners_values(
    data: Path, tmp_path: Path, capsys: Captured
) -> None:
    file, other = tmp_path / "owner.toml", tmp_path / "other"
    assert run(data, "--set", "rudder", "1", "result", "steady", "--export", str(file)) == 0
    assert run(other, "--set", "rudder", "2", "result", "none") == 0
    assert run(other, "--import", str(file)) == 0
    assert load_overlay(RULESET, other) == load_overlay(RULESET, data), "replaced, not mixed"
    assert effective_tables(RULESET, other).checksum == effective_tables(RULESET, data).checksum
    assert capsys.readouterr().err == ""


def test_an_import_is_checked_before_anything_is_replaced(
    data: Path, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "owner.toml"
    assert run(data, "--set", "rudder", "1", "result", "steady", "--export", str(file)) == 0
    capsys.readouterr()
    good = file.read_bytes()
    bad = {
        good.replace(b'"steady"', b'"no_port"'): "checksum",
        good[:-20]: "not a TOML file",
        b"": "format",
        b"\xff": "UTF-8",
        write_overlay(Overlay("grand-fleets")): "ruleset: expected 'bismarck-advanced'",
        write_overlay(Overlay(RULESET, {("rudder", "1", "result"): "sunk"})): "expected 'none' or",
        write_overlay(
            Overlay(RULESET, {("ruder", "1", "result"): "none"})
        ): "unknown table 'ruder'",
    }
    for content, message in bad.items():
        file.write_bytes(content)
        error = refused(data, capsys, "--import", str(file))
        assert message in error
        assert str(file) in error
    assert load_overlay(RULESET, data).values == {("rudder", "1", "result"): "steady"}


def test_a_damaged_store_is_told_and_mended_by_an_import(
    data: Path, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "owner.toml"
    assert run(data, "--set", "rudder", "1", "result", "steady", "--export", str(file)) == 0
    capsys.readouterr()
    stored = overlay_path(RULESET, data)
    stored.write_bytes(stored.read_bytes().replace(b"steady", b"no_port"))
    assert str(stored) in refused(data, capsys)
    assert run(data, "--import", str(file)) == 0
    capsys.readouterr()
    stored.write_bytes(write_overlay(Overlay("grand-fleets")))
    assert "expected the owner's values for 'bismarck-advanced'" in refused(data, capsys, "--json")


def test_values_live_outside_the_package() -> None:
    assert "dreyer-table" in str(default_data_folder())
    assert overlay_path(RULESET, Path("x")) == Path("x/tables/bismarck-advanced.toml")


def test_the_rules_in_force_are_printed_with_what_is_changed(data: Path, capsys: Captured) -> None:
    assert run(data, "--set", "penetration", "G", "extreme", "9", "--in-force") == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if line.startswith("◆")]
    assert len(marked) == 1
    assert run(data, "--in-force", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["changes"], document["edition"]) == (1, 3)
    assert document["owner_cells"][0]["own"] == "9"
    assert {option["on"] for option in document["options"]} == {False}
    assert run(data, "arctic-disaster", "--in-force") == 0
