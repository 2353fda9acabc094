"""`dreyer sheets`: both files, the document scripts rely on, and every error path."""

import json
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pytest

from calibration.marker_file import read_marker_file
from web.cli import main

MARKER_KEYS = ["id", "name", "kind", "page", "x_mm", "y_mm", "size_mm", "up_deg"]


def run(folder: Path, *options: str) -> dict[str, Any]:
    assert main(["sheets", "--out", str(folder), *options]) == 0
    document: dict[str, Any] = json.loads((folder / "sheets.json").read_text("utf-8"))
    return document


def names(document: dict[str, Any]) -> list[str]:
    return [marker["name"] for marker in document["markers"] if marker["kind"] == "ship"]


def test_the_plain_order_is_the_demo_and_blanks_up_to_twenty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "folder"
    document = run(folder)
    assert list(document) == ["family", "markers", "pages"]
    assert document["family"] == "DICT_4X4_50"
    assert all(list(marker) == MARKER_KEYS for marker in document["markers"])
    assert document["pages"][0] == {"width_mm": 210.0, "height_mm": 297.0}
    corners = [(m["id"], m["name"]) for m in document["markers"] if m["kind"] == "corner"]
    assert corners == [(0, "near left"), (1, "near right"), (2, "far right"), (3, "far left")]
    ships = names(document)
    assert len(ships) == 20
    assert {"Hood", "Prince of Wales", "Prinz Eugen", "Bismarck"} < set(ships)
    assert ships[-1] == "marker 26"
    assert sorted(path.name for path in folder.iterdir()) == ["sheets.json", "sheets.pdf"]
    pdf = pdfium.PdfDocument((folder / "sheets.pdf").read_bytes())
    assert len(pdf) == len(document["pages"])
    pdf.close()
    assert "100 %" in capsys.readouterr().out


def test_json_prints_the_document_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run(tmp_path, "--json", "--ships", "Hood", "--paper", "letter")
    captured = capsys.readouterr()
    assert json.loads(captured.out) == document
    assert captured.err == ""
    assert document["pages"][0] == {"width_mm": 215.9, "height_mm": 279.4}
    read_marker_file((tmp_path / "sheets.json").read_bytes(), "sheets.json")


def test_known_ships_are_spelt_right_and_others_stay_as_typed(tmp_path: Path) -> None:
    document = run(tmp_path, "--ships", "hood, KOLN ,, H.M.S. Pinafore", "--numbered", "1")
    assert names(document) == ["Hood", "Köln", "H.M.S. Pinafore", "marker 7"]


@pytest.mark.parametrize("name", ["denmark_strait", "Denmark-Strait"])
def test_a_scenario_by_its_name(tmp_path: Path, name: str) -> None:
    document = run(tmp_path, "--scenario", name)
    assert names(document) == ["Hood", "Prince of Wales", "Prinz Eugen", "Bismarck"]


def test_a_scenario_from_a_file(tmp_path: Path) -> None:
    scene = tmp_path / "mine.toml"
    scene.write_text('[[ship]]\nname = "Ajax the Second"\ntype = "Hood"\nx = 0\ny = 0\nheading = 0')
    assert names(run(tmp_path / "out", "--scenario", str(scene))) == ["Ajax the Second"]


def test_sizes_and_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run(tmp_path, "--numbered", "3", "--tag-mm", "15", "--corner-mm", "50")
    assert names(document) == ["marker 4", "marker 5", "marker 6"]
    assert [marker["size_mm"] for marker in document["markers"]] == [50.0] * 4 + [15.0] * 3
    assert "4K" in capsys.readouterr().out


def test_hidden_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run(tmp_path, "--scenario", "denmark_strait", "--hidden", "--numbered", "2")
    assert len(names(document)) == 6
    assert set(names(document)) > {"Hood", "Bismarck"}
    assert "do not show sheets.json to the players" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scenario", "denmark"], "unknown scenario 'denmark'; did you mean 'denmark_strait'?"),
        (["--scenario", "no/such.toml"], "no/such.toml: there is no such file"),
        (["--scenario", ""], "unknown scenario ''"),
        (["--ships", " , "], "expected names with commas between them, got none"),
        (["--ships", "Hood,hood"], "'Hood' is listed twice"),
        (["--tag-mm", "5"], "ship tags are 10 to 80 mm, got 5 mm"),
        (["--tag-mm", "nan"], "ship tags are 10 to 80 mm"),
        (["--corner-mm", "inf"], "corner tags are 20 to 120 mm"),
        (["--numbered", "300"], "246 ships at most"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["sheets", "--out", str(tmp_path / "out"), *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--out", "x", "--paper", "a5"],
        ["--out", "x", "--numbered", "some"],
        ["--out", "x", "--numbered", "-1"],
        ["--out", "x", "--ships", "Hood", "--scenario", "denmark_strait"],
    ],
)
def test_a_wrong_command_line_is_one_line(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["sheets", *options])
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_in_the_place_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("here")
    assert main(["sheets", "--out", str(tmp_path / "taken")]) == 2
    assert "cannot be made a folder" in capsys.readouterr().err


def test_a_form_that_does_not_exist_names_those_that_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["sheets", "--out", str(tmp_path), "--form", "ship"])
    assert caught.value.code == 2
    assert "'counter', 'plate', 'base', 'paper-ship'" in capsys.readouterr().err
