"""`dreyer locate`: the document scripts rely on, and bad pictures that stop nothing."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene, render
from web.cli import main

SHIP_KEYS = [
    "id", "name", "x_mm", "y_mm", "heading_deg", "position_sigma_mm", "heading_sigma_deg",
]  # fmt: skip


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "table.png"
    marker = RenderedMarker(4, 900, 600, 45)
    cv2.imwrite(str(path), render(RenderScene((marker,)), CameraView()).image)
    return path


def test_json_has_exactly_the_promised_keys(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["locate", str(photo), "--table-inches", "72x48", "--json"]) == 0
    (frame,) = json.loads(capsys.readouterr().out)["frames"]
    assert {"file", "corners_found", "ships", "milliseconds"} <= set(frame)
    assert frame["corners_found"] == 4
    (ship,) = frame["ships"]
    assert [key for key in ship if key in SHIP_KEYS] == SHIP_KEYS
    assert ship["x_mm"] == pytest.approx(900, abs=0.5)
    assert ship["y_mm"] == pytest.approx(600, abs=0.5)
    assert ship["heading_deg"] == pytest.approx(45, abs=0.5)


@pytest.mark.parametrize("content", [b"not a picture", b"", b"\xff\xd8\xff\xe0 cut off"])
def test_a_bad_picture_is_one_line_and_the_others_go_on(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(content)
    assert main(["locate", str(bad), str(photo), "--table-inches", "72x48", "--json"]) == 0
    captured = capsys.readouterr()
    frames = json.loads(captured.out)["frames"]
    assert [bool(frame["ships"]) for frame in frames] == [False, True]
    assert str(bad) in captured.err
    assert main(["locate", str(bad), "--table-inches", "72x48"]) == 2


def test_a_black_picture_names_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    black = tmp_path / "black.png"
    cv2.imwrite(str(black), np.zeros((400, 600, 3), dtype=np.uint8))
    assert main(["locate", str(black), "--table-inches", "72x48"]) == 2
    assert str(black) in capsys.readouterr().err


def test_pixels_tell_every_marker_without_any_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tag = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 11, 120
    )
    picture = np.full((400, 600), 230, dtype=np.uint8)
    # Its top to the right: a quarter turn clockwise.
    picture[100:220, 300:420] = np.rot90(tag, -1)
    path = tmp_path / "tag.png"
    cv2.imwrite(str(path), picture)
    assert main(["locate", str(path), "--json", "--pixels"]) == 2
    (frame,) = json.loads(capsys.readouterr().out)["frames"]
    assert frame["ships"] == []
    (seen,) = frame["sightings"]
    assert set(seen) == {"id", "corners_px", "centre_px", "heading_px_deg", "sigma_px", "score"}
    assert seen["id"] == 11
    assert seen["heading_px_deg"] == pytest.approx(90, abs=0.2)
    # Whole numbers are the middles of pixels.
    assert seen["centre_px"] == pytest.approx([359.5, 159.5], abs=0.1)
    corners = [(419.5, 99.5), (419.5, 219.5), (299.5, 219.5), (299.5, 99.5)]
    assert np.array(seen["corners_px"]) == pytest.approx(np.array(corners), abs=0.3)
    assert 0 < seen["sigma_px"] < 0.5
    assert 0.9 < seen["score"] <= 1
    assert main(["locate", str(path), "--json"]) == 2
    assert "sightings" not in json.loads(capsys.readouterr().out)["frames"][0]


def test_a_mirrored_photo_is_told_in_its_own_pixels(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mirrored = tmp_path / "mirrored.png"
    image = cv2.imread(str(photo))
    assert image is not None
    cv2.imwrite(str(mirrored), image[:, ::-1])
    assert main(["locate", str(photo), str(mirrored), "--json", "--pixels"]) == 0
    straight, turned = (
        {seen["id"]: seen for seen in frame["sightings"]}
        for frame in json.loads(capsys.readouterr().out)["frames"]
    )
    assert set(straight) == set(turned) == {0, 1, 2, 3, 4}
    for marker, seen in straight.items():
        x, y = seen["centre_px"]
        assert turned[marker]["centre_px"] == pytest.approx([image.shape[1] - 1 - x, y], abs=0.05)
        heading = (360 - seen["heading_px_deg"]) % 360
        assert turned[marker]["heading_px_deg"] == pytest.approx(heading, abs=0.1)
