"""`dreyer camera`: photos and the demo are judged, whatever is missing is told in one line."""

import json
from pathlib import Path

import numpy as np
import pytest

from vision.picture_files import encode_image
from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene, render
from web.cli import main

KEYS = [
    "source", "width_px", "height_px", "frames", "frames_per_second", "milliseconds",
    "corners_found", "ships", "near_px_per_mm", "far_px_per_mm", "smallest_tag_mm", "blur_px",
    "sharpness", "contrast", "remedies",
]  # fmt: skip
SHIPS = (RenderedMarker(4, 500, 400, 30), RenderedMarker(5, 1200, 700, 250))


def photo(path: Path, view: CameraView) -> Path:
    image = render(RenderScene(markers=SHIPS), view).image
    path.write_bytes(encode_image(image, path.name))
    return path


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    view = CameraView(width_px=1280, height_px=720, blur_px=0.5, noise=1.5)
    return photo(tmp_path_factory.mktemp("camera") / "table.png", view)


def test_json_has_exactly_the_promised_keys(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save, drawn = tmp_path / "frame.png", tmp_path / "seen.jpg"
    arguments = ["camera", str(good), "--json", "--save", str(save), "--overlay", str(drawn)]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    report = json.loads(captured.out)
    assert list(report) == KEYS
    assert (report["width_px"], report["height_px"], report["frames"]) == (1280, 720, 1)
    assert report["corners_found"] == 4
    assert [ship["name"] for ship in report["ships"]] == ["marker 4", "marker 5"]
    assert report["ships"][0]["x_mm"] == pytest.approx(500, abs=0.5)
    assert {ship["state"] for ship in report["ships"]} == {"settled"}
    assert 0.5 < report["near_px_per_mm"] < 0.8
    assert 0.3 < report["far_px_per_mm"] < report["near_px_per_mm"]
    assert 25 < report["smallest_tag_mm"] < 40
    assert report["sharpness"] == "sharp"
    assert report["frames_per_second"] is None
    assert any("nearer" in remedy for remedy in report["remedies"])
    assert save.read_bytes().startswith(b"\x89PNG")
    assert drawn.read_bytes().startswith(b"\xff\xd8")


def test_text_is_for_people(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", str(good)]) == 0
    text = capsys.readouterr().out
    assert "4 of 4 corner markers, 2 ships" in text
    assert "a millimetre at the near edge" in text
    assert "are found everywhere on the table" in text
    assert "sharp (edges" in text


def test_a_soft_picture_gets_its_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view = CameraView(width_px=1280, height_px=720, blur_px=2.0, tilt_deg=10)
    assert main(["camera", str(photo(tmp_path / "soft.png", view)), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["sharpness"] in ("soft", "blurred")
    assert any("lock the focus" in remedy for remedy in report["remedies"])


def test_a_folder_is_watched(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(good.read_bytes())
    assert main(["camera", str(tmp_path), "--json", "--seconds", "2"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["frames"] == 3
    assert len(report["ships"]) == 2


def test_a_picture_without_markers_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gray = np.full((480, 640, 3), 128, np.uint8)
    gray[100:200, 100:300] = 30
    path = tmp_path / "empty.png"
    path.write_bytes(encode_image(gray, path.name))
    assert main(["camera", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["corners_found"] == 0
    assert report["ships"] == []
    assert report["near_px_per_mm"] is None
    assert "no coded marker found" in report["remedies"][0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such-camera"], "not plugged in"),
        (["missing.png"], "cannot be read"),
        (["97"], "camera 97"),
        (["http://127.0.0.1:1/video"], "does not answer"),
        (["demo", "--table-inches", "large"], "72x48"),
        (["demo", "--save", "frame.txt"], ".png"),
        (["demo", "--markers", "missing.json"], "no such file"),
        (["demo", "--seconds", "0"], "above 0"),
        (["demo", "--seconds", "soon"], "above 0"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(
            ["camera", *arguments, *([] if "--seconds" in arguments else ["--seconds", "1"])]
        )
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_a_text_file_called_jpg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("buy more ships")
    assert main(["camera", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "notes.jpg" in captured.err


def test_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "demo", "--seconds", "3.5", "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert report["corners_found"] == 4
    assert len(report["ships"]) >= 2
    assert report["frames_per_second"] > 0
