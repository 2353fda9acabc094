"""`dreyer locate` with several photos of one table, none of which shows all of it."""

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from calibration.calibration_file import read_calibration
from calibration.markers import SMALL, MarkerKind
from tests.vision.flat_table import FlatTable, LaidMarker
from vision.synthetic.camera import CameraView
from web.camera.marker_pages import marker_file_bytes
from web.cli import main

HOOD, RODNEY, ANCHORS = SMALL.ship_ids[0], SMALL.ship_ids[1], SMALL.ship_ids[-2:]


def photos(folder: Path) -> FlatTable:
    table = FlatTable(1800, 900, 2.0)
    for number, place in zip(ANCHORS, ((880.0, 120.0), (930.0, 760.0)), strict=True):
        table.lay(LaidMarker(number, MarkerKind.ANCHOR, *place, 130.0))
    table.lay(LaidMarker(HOOD, MarkerKind.SHIP, 300, 400, 20.0, 30.0))
    table.lay(LaidMarker(RODNEY, MarkerKind.SHIP, 1500, 500, 250.0, 30.0))
    texture = table.texture()
    for name, x in (("left.png", 450.0), ("right.png", 1350.0)):
        view = CameraView(
            width_px=1280, height_px=720, height_mm=1000, tilt_deg=25, field_of_view_deg=66,
            aim_x_mm=x, aim_y_mm=450, blur_px=0.5, noise=1.0,
        )  # fmt: skip
        cv2.imwrite(str(folder / name), table.photograph(view, texture))
    marker_set = table.marker_set()
    marker_set = replace(
        marker_set,
        markers=tuple(
            replace(m, name={HOOD: "Hood", RODNEY: "Rodney"}.get(m.id, m.name))
            for m in marker_set.markers
        ),
    )
    (folder / "sheets.json").write_bytes(marker_file_bytes(marker_set))
    return table


def test_two_photos_make_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = photos(tmp_path)
    size = f"{table.width_mm / 25.4}x{table.height_mm / 25.4}"
    common = ["--table-inches", size, "--markers", str(tmp_path / "sheets.json")]
    both = [str(tmp_path / "left.png"), str(tmp_path / "right.png")]
    kept = tmp_path / "camera.toml"
    assert main(["locate", *both, *common, "--json", "--save-anchors", str(kept)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [len(frame["ships"]) for frame in document["frames"]] == [1, 1]
    ships = {ship["name"]: ship for ship in document["fused"]["ships"]}
    assert set(ships) == {"Hood", "Rodney"}
    for number, name, photo in ((HOOD, "Hood", both[0]), (RODNEY, "Rodney", both[1])):
        true, ship = table.markers[number], ships[name]
        assert math.hypot(ship["x_mm"] - true.x_mm, ship["y_mm"] - true.y_mm) < 2.0
        assert ship["files"] == [photo]
        assert ship["out_of_date"] is False
    places = {each["id"]: each for each in document["fused"]["anchors"]}
    assert set(places) == set(ANCHORS)
    for number, place in places.items():
        true = table.markers[number]
        assert math.hypot(place["x_mm"] - true.x_mm, place["y_mm"] - true.y_mm) < 1.0
    assert set(read_calibration(kept.read_bytes(), "camera.toml").anchors) == set(ANCHORS)
    # One photo has no common table.
    assert main(["locate", both[0], *common, "--json"]) in (0, 2)
    assert "fused" not in json.loads(capsys.readouterr().out)


def test_without_anchors_none_are_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos(tmp_path)
    kept = tmp_path / "camera.toml"
    both = [str(tmp_path / "left.png"), str(tmp_path / "right.png")]
    assert main(["locate", *both, "--save-anchors", str(kept)]) == 2
    assert str(kept) in capsys.readouterr().err
    assert not kept.exists()
