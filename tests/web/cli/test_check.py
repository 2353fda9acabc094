"""`dreyer check`: the document scripts rely on, the text people read, and every error path."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from web.cli import main

SCENE = """
title = "A test"
[[ship]]
name = "Hood"
x = 0
y = 0
heading = 0
position_sigma_mm = 1
[[ship]]
name = "Bismarck"
x = 0
y = 19990
heading = 90
[[ship]]
name = "Prinz Eugen"
x = 100
y = 3000
heading = 90
"""
PAIR_KEYS = [
    "firer", "target", "range_yards", "range_sigma_yards", "segment", "bearing_deg",
    "relative_bearing_deg", "quadrant", "aspect", "blocked", "smoke", "blockers", "close_calls",
]  # fmt: skip


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(SCENE, encoding="utf-8")
    return path


def test_json_has_exactly_the_promised_keys(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(scene), "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document = json.loads(captured.out)
    assert list(document) == ["pairs"]
    assert len(document["pairs"]) == 6
    assert all(list(pair) == PAIR_KEYS for pair in document["pairs"])
    pair = document["pairs"][0]
    assert (pair["firer"], pair["target"], pair["range_yards"]) == ("Hood", "Bismarck", 19990)
    assert pair["range_sigma_yards"] == pytest.approx(500 / 25.4)
    assert (pair["segment"], pair["quadrant"], pair["aspect"]) == ("long_low", "bow", "starboard")
    assert (pair["blocked"], pair["smoke"]) == (True, False)
    assert pair["blockers"] == [{"name": "Prinz Eugen", "at_yards": 2800.0}]
    (call,) = pair["close_calls"]
    assert call == {
        "what": "range", "limit": 20000.0, "readings": ["long_low", "long_high"], "margin": 10.0,
    }  # fmt: skip


def test_text_is_for_people(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(scene)]) == 0
    text = capsys.readouterr().out
    assert "A test · BISMARCK, Advanced Game · 500 yards to the inch" in text
    assert "19,990 ± 20 yd" in text
    assert "blocked by Prinz Eugen at 2,800" in text
    assert (
        "Too close to call: Hood to Bismarck: range: long low or long high; "
        "10 yd from the limit (20,000 yd)" in text
    )


def test_one_ship_has_no_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    path.write_text('[[ship]]\nname = "Hood"\nx = 0\ny = 0\nheading = 0\n')
    assert main(["check", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"pairs": []}
    assert main(["check", str(path)]) == 0
    assert "Hood is alone on the table" in capsys.readouterr().out


def test_one_spot_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "spot.toml"
    ship = '[[ship]]\nname = "{}"\nx = 0\ny = 0\nheading = 0\n'
    path.write_text(ship.format("a") + ship.format("b"))
    assert main(["check", str(path), "--json"]) == 0
    pair = json.loads(capsys.readouterr().out)["pairs"][0]
    assert pair["range_yards"] == 0
    assert pair["bearing_deg"] is pair["quadrant"] is pair["aspect"] is None
    assert len(pair["close_calls"]) >= 1
    assert main(["check", str(path)]) == 0
    assert "both stand on one spot" in capsys.readouterr().out


def test_pictures(scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    arguments = ["check", str(scene), "--svg", str(svg), "--png", str(png), "--from", "Bismarck"]
    assert main(arguments) == 0
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.svg", "scene.toml"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"hello", "not a TOML file"),
        (b"", "the table is empty"),
        (SCENE.replace("heading = 90", "heding = 90").encode(), "nearest known key is 'heading'"),
        (SCENE.replace("x = 100", "").encode(), "ship 3 'Prinz Eugen': x"),
    ],
)
def test_wrong_input_is_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, words: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    assert main(["check", str(path), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert str(path) in captured.err
    assert words in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "no-such-file.toml"],
        ["check", "."],
        ["check", "bad\0name"],
        ["check"],
        ["chek"],
        ["check", "a.toml", "--jsn"],
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--from", "Hod"], "did you mean 'Hood'"),
        (["--to", "Bismark"], "did you mean 'Bismarck'"),
    ],
)
def test_a_picture_of_nobody(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: list[str], words: str
) -> None:
    assert main(["check", str(scene), "--svg", str(tmp_path / "a.svg"), *option]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""
    assert not (tmp_path / "a.svg").exists()


def test_a_picture_that_cannot_be_written(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(scene), "--svg", str(scene.parent / "no" / "folder.svg")]) == 2
    captured = capsys.readouterr()
    assert "cannot be written" in captured.err
    assert captured.out == ""


def test_the_installed_command_and_a_closed_pipe(scene: Path) -> None:
    """`dreyer check … | head -1` must end quietly."""
    command = [sys.executable, "-c", "from web.cli import main; raise SystemExit(main())"]
    process = subprocess.Popen(
        [*command, "check", str(scene), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert b"Traceback" not in errors


def test_a_full_disk_is_one_line(scene: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        return
    command = [sys.executable, "-c", "from web.cli import main; raise SystemExit(main())"]
    with full.open("w") as nowhere:
        process = subprocess.run(
            [*command, "check", str(scene)], stdout=nowhere, stderr=subprocess.PIPE, check=False
        )
    assert process.returncode == 1
    assert process.stderr.count(b"\n") == 1
    assert b"cannot be written" in process.stderr


def test_any_code_page_will_do(scene: Path) -> None:
    command = [sys.executable, "-c", "from web.cli import main; raise SystemExit(main())"]
    process = subprocess.run(
        [*command, "check", str(scene)],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert "±" in process.stdout.decode("utf-8")


def test_a_picture_option_without_a_picture(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(scene), "--from", "Hood"]) == 2
    assert "add --svg or --png" in capsys.readouterr().err


def test_too_many_ships(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.toml"
    ship = '[[ship]]\nname = "{0}"\nx = {0}\ny = 0\nheading = 0\n'
    path.write_text("".join(ship.format(number) for number in range(201)))
    assert main(["check", str(path)]) == 2
    assert "from 0 to 200 of them, got a list of 201" in capsys.readouterr().err


def in_line(*places: tuple[str, str, float, str]) -> str:
    """Ships of Grand Fleets heading east, each with her type, where she is and what else."""
    ships = (
        f'[[ship]]\nname = "{name}"\ntype = "{kind}"\nx = {x}\ny = 5000\nheading = 90\n{more}\n'
        for name, kind, x, more in places
    )
    return 'ruleset = "grand-fleets"\n' + "".join(ships)


FIRST = 'division = "First"'
LINE = [
    ("Iron Duke", "Iron Duke", 9000, FIRST + "\nflagship = true"),
    ("Benbow", "Iron Duke", 7999, FIRST),
    ("Marlborough", "Iron Duke", 10000, FIRST),
    ("Emperor", "Iron Duke", 11000, FIRST),
]


def divisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *places: tuple[str, str, float, str]
) -> list[dict[str, Any]]:
    path = tmp_path / "line.toml"
    path.write_text(in_line(*places), encoding="utf-8")
    assert main(["check", str(path), "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["divisions"]
    return found


def test_a_division_is_in_command_by_its_chain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kyd from ship to ship links them with the flagship; a yard more does not."""
    (first,) = divisions(tmp_path, capsys, *LINE)
    assert first == {
        "name": "First", "flagship": "Iron Duke", "points": 520, "faults": [],
        "in_command": ["Iron Duke", "Marlborough", "Emperor"], "out_of_command": ["Benbow"],
    }  # fmt: skip
    assert main(["check", str(tmp_path / "line.toml")]) == 0
    said = capsys.readouterr().out
    assert "First, flagship Iron Duke, 520 points" in said
    assert "out of command: Benbow" in said


def test_what_is_wrong_with_a_division(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ships = [*LINE, ("Acheron", "Sample destroyers", 12000.0, FIRST)]
    weak = [("Lion", "Sample battleship", 3000.0, 'division = "Second"'),
            ("Tiger", "Sample battleship", 2000.0, 'division = "Third"')]  # fmt: skip
    first, second, _ = divisions(tmp_path, capsys, *ships, *weak)
    (fault,) = first["faults"]
    assert "sizes that are not next to each other" in fault["message"]
    assert fault["reference"] == "Divisions"
    (fault,) = second["faults"]
    assert "at least 3" in fault["message"], "she could sail with the ships of the third"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("flagship = true", "flagship: expected a ship that has a division"),
        (FIRST + "\nflagship = true", "flagship: expected one of First, Iron Duke is hers"),
    ],
)
def test_a_division_has_one_flagship(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, words: str
) -> None:
    path = tmp_path / "line.toml"
    path.write_text(in_line(*LINE, ("Tiger", "Iron Duke", 3000.0, more)), encoding="utf-8")
    assert main(["check", str(path)]) == 2
    assert words in capsys.readouterr().err


MARKED = """
ruleset = "grand-fleets"
[[ship]]
name = "Ares"
type = "Sample cruiser"
x = 1000
y = 1000
heading = 90
marker = "SLOW"
[[ship]]
name = "Boreas"
type = "Sample cruiser"
x = 13001
y = 1000
heading = 270
position_sigma_mm = 1.1
[[ship]]
name = "Old"
type = "Sample cruiser"
x = 6000
y = 1000
heading = 0
wreck = true
"""


def test_markers_wrecks_and_close_calls_of_bands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(MARKED.replace("Sample cruiser", "Sample battleship"), encoding="utf-8")
    data = ["--data", str(tmp_path / "data")]
    assert main(["check", str(path), "--json", *data]) == 0
    document = json.loads(capsys.readouterr().out)
    (marked,) = document["markers"]
    assert (marked["ship"], marked["marker"], marked["out_of_command"]) == ("Ares", "slow", False)
    assert len(marked["effects"]) == 2
    assert document["wrecks"] == [{"ship": "Old", "x": 6000, "y": 1000}]
    pair = next(each for each in document["pairs"] if each["firer"] == "Ares")
    assert not pair["blocked"]
    # 12,001 ± 22 yards against the 12 kyd of her main guns.
    assert round(pair["range_sigma_yards"]) == 22
    assert [call["limit"] for call in pair["close_calls"] if call["what"] == "range"] == [12_000]


def test_a_wrong_marker_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(MARKED.replace('"SLOW"', '"SLOWLY"'), encoding="utf-8")
    assert main(["check", str(path), "--data", str(tmp_path / "data")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "'slow'" in err
