"""`dreyer render`: the picture, its truth, and every fault in one line."""

import json
from pathlib import Path

import numpy as np
import pytest

from combat.scene_file import SceneFile
from tabletop.schema import keys_of
from vision.picture_files import decode_image
from vision.synthetic.picture_settings import PictureFile
from web.cli import main

SCENE = """
yards_per_inch = 500
[camera]
width_px = 640
height_px = 360
tilt_deg = 20
noise = 1
[table]
tag_mm = 40
tag_height_mm = 5
[[hand]]
x_mm = 1320
y_mm = 361
[[glare]]
x_mm = 800
y_mm = 300
[[shadow]]
x_mm = 200
y_mm = 300
[[counter]]
name = "spare"
x_mm = 900
y_mm = 600
heading_deg = 30
[[ship]]
name = "Hood"
x = 10000
y = 8000
heading = 290
[[ship]]
name = "Prince of Wales"
x = 26000
y = 7100
heading = 290
[[ship]]
name = "Suffolk"
x = 90000
y = 7100
heading = 290
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(SCENE, encoding="utf-8")
    return path


def test_the_picture_and_its_truth(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, truth = tmp_path / "frame.png", tmp_path / "truth.json"
    assert main(["render", str(scene), "--out", str(out), "--truth", str(truth)]) == 0
    captured = capsys.readouterr()
    assert "1 of 3 ships and 4 of 4 corner tags in full view" in captured.out
    assert "Prince of Wales: nothing of her tag can be seen" in captured.err
    assert "Suffolk: nothing of her tag can be seen" in captured.err
    assert decode_image(out.read_bytes(), "frame.png").shape == (360, 640, 3)
    document = json.loads(truth.read_text("utf-8"))
    assert list(document) == [
        "image", "table", "family", "camera", "corners", "ships", "counters",
    ]  # fmt: skip
    hood, prince, suffolk = document["ships"]
    assert list(hood) == [
        "id", "name", "x_mm", "y_mm", "heading_deg", "height_mm", "tag_mm", "visible",
        "visible_share", "corners_px",
    ]  # fmt: skip
    assert (hood["id"], hood["name"], hood["x_mm"], hood["y_mm"]) == (4, "Hood", 508.0, 406.4)
    assert (hood["heading_deg"], hood["height_mm"], hood["tag_mm"]) == (290.0, 5.0, 40.0)
    assert (hood["visible"], prince["visible"], suffolk["visible"]) == (True, False, False)
    assert [ship["id"] for ship in document["ships"]] == [4, 5, 6]
    assert np.array(hood["corners_px"]).shape == (4, 2)
    assert [corner["id"] for corner in document["corners"]] == [0, 1, 2, 3]
    assert document["counters"][0]["name"] == "spare"
    assert document["camera"]["centre_mm"][2] > 500


def test_json_prints_the_truth_and_nothing_else(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", str(scene), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["image"] == {"width_px": 640, "height_px": 360}


def test_the_same_file_gives_the_same_bytes(scene: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.jpg", tmp_path / "b.jpg"
    for out in (first, second):
        assert main(["render", str(scene), "--out", str(out)]) == 0
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes()[:2] == b"\xff\xd8"


def test_check_reads_the_same_file(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(scene), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["pairs"]) == 6


def test_the_reader_of_scenes_knows_the_keys_of_the_picture() -> None:
    assert set(keys_of(PictureFile)) == set(keys_of(SceneFile)) - {
        *(
            "title",
            "ruleset",
            "yards_per_inch",
            "side",
            "ship",
            "smoke",
            "options",
            "scenario",
            "fleets",
        )
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tilt_deg", "tilt", "[camera]: unknown key 'tilt'; the nearest known key is 'tilt_deg'"),
        ("[camera]", "[camra]", "unknown key 'camra'; the nearest known key is 'camera'"),
        ("tag_mm = 40", "tag_mm = 0", "tag_mm: expected a number of mm from 2 to 500, got 0"),
        ("noise = 1", "noise = -1", "noise: expected a number from 0 to 100, got -1"),
        ("noise = 1", 'surface = "sea"', "unknown key 'surface'"),
        ("tag_mm = 40", 'surface = "see"', "did you mean 'sea'?"),
        ("[[hand]]", "[hand]", "expected tables, each written [[hand]]"),
        ("x_mm = 1320\n", "", "hand 1: x_mm: expected a number of mm"),
        ("noise = 1", "k1 = -0.95", "folds the picture over itself"),
        ("width_px = 640", "width_px = 99999", "a whole number from 64 to 8,000, got 99999"),
    ],
)
def test_every_fault_is_one_clear_line(
    scene: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    scene.write_text(SCENE.replace(old, new, 1), encoding="utf-8")
    assert main(["render", str(scene), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_name_that_cannot_be_written(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", str(scene), "--out", str(tmp_path / "a.gif")]) == 2
    assert "ends in .png, .jpg, .jpeg, got .gif" in capsys.readouterr().err
    assert main(["render", str(scene), "--out", str(tmp_path / "no" / "a.png")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["render", str(scene)]) == 2
    assert "nothing to write" in capsys.readouterr().err
