"""`dreyer calibrate`, and what `dreyer locate` makes of its file."""

import json
from pathlib import Path

import pytest

from vision.picture_files import encode_image
from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene, Silhouette, render
from web.cli import main

SHIPS = tuple(
    RenderedMarker(
        4 + i if i < 4 else 6 + i, 250 + 330 * (i % 5), 250 + 350 * (i // 5), 37.0 * i, height_mm=6
    )
    for i in range(10)
)


def photo(folder: Path, name: str, view: CameraView, ships: tuple[RenderedMarker, ...]) -> str:
    path = folder / name
    path.write_bytes(encode_image(render(RenderScene(ships), view).image, name))
    return str(path)


@pytest.fixture(scope="module")
def tilted(tmp_path_factory: pytest.TempPathFactory) -> str:
    view = CameraView(blur_px=0.5, noise=1, k1=-0.08, tilt_deg=30)
    return photo(tmp_path_factory.mktemp("photos"), "tilted.png", view, SHIPS)


def test_a_measured_camera_places_ships_on_their_bases(
    tilted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.toml"
    arguments = ["calibrate", tilted, "--table-inches", "72x48", "--base-height-mm", "6"]
    assert main([*arguments, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "Lens: from the table's markers" in said
    assert "mm above the table" in said
    assert main(["locate", tilted, "--calibration", str(out), "--json"]) == 0
    (frame,) = json.loads(capsys.readouterr().out)["frames"]
    truth = {ship.id: ship for ship in SHIPS}
    assert {ship["id"] for ship in frame["ships"]} == truth.keys()
    for ship in frame["ships"]:
        true = truth[ship["id"]]
        assert ship["x_mm"] == pytest.approx(true.x_mm, abs=0.6)
        assert ship["y_mm"] == pytest.approx(true.y_mm, abs=0.6)
    assert main(["locate", tilted, "--table-inches", "72x48", "--json"]) == 0
    (flat,) = json.loads(capsys.readouterr().out)["frames"]
    moved = [abs(ship["y_mm"] - truth[ship["id"]].y_mm) for ship in flat["ships"]]
    assert max(moved) > 2


def test_a_bumped_camera_is_told_and_solved_anew(
    tilted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.toml"
    assert main(["calibrate", tilted, "--base-height-mm", "6", "--out", str(out)]) == 0
    view = CameraView(blur_px=0.5, noise=1, k1=-0.08, tilt_deg=30, roll_deg=1.5)
    moved = photo(tmp_path, "bumped.png", view, SHIPS)
    capsys.readouterr()
    assert main(["locate", moved, "--calibration", str(out), "--json"]) == 0
    captured = capsys.readouterr()
    assert "has moved since it was measured" in captured.err
    (frame,) = json.loads(captured.out)["frames"]
    truth = {ship.id: ship for ship in SHIPS}
    for ship in frame["ships"]:
        assert ship["x_mm"] == pytest.approx(truth[ship["id"]].x_mm, abs=0.8)


def test_a_covered_corner_pair_falls_back_on_the_measured_camera(
    tilted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import numpy as np

    from vision.picture_files import decode_image

    out = tmp_path / "camera.toml"
    assert main(["calibrate", tilted, "--base-height-mm", "6", "--out", str(out)]) == 0
    image = decode_image(Path(tilted).read_bytes(), tilted)
    covered = np.array(image)
    covered[:, : image.shape[1] // 8] = 90
    covered[: image.shape[0] // 9] = 90
    covered[:, -image.shape[1] // 8 :] = 90
    path = tmp_path / "covered.png"
    path.write_bytes(encode_image(covered, path.name))
    capsys.readouterr()
    code = main(["locate", str(path), "--calibration", str(out), "--json"])
    captured = capsys.readouterr()
    (frame,) = json.loads(captured.out)["frames"]
    if frame["corners_found"] < 2:
        assert code == 0
        assert "where it was when the camera was measured" in captured.err
        truth = {ship.id: ship for ship in SHIPS}
        assert frame["ships"]
        for ship in frame["ships"]:
            assert ship["x_mm"] == pytest.approx(truth[ship["id"]].x_mm, abs=1.0)
            assert ship["position_sigma_mm"] > 0.4


def test_a_camera_overhead_is_asked_for_its_height(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    view = CameraView(tilt_deg=0, height_mm=2000, blur_px=0.5)
    ships = tuple(SHIPS[:4])
    above = photo(tmp_path, "above.png", view, ships)
    arguments = ["calibrate", above, "--out", str(tmp_path / "c.toml"), "--base-height-mm", "6"]
    assert main(arguments) == 2
    assert "--camera-height-mm" in capsys.readouterr().err
    assert not (tmp_path / "c.toml").exists()
    assert main([*arguments, "--camera-height-mm", "2000", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["camera_mm"][2] == pytest.approx(2000, rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bar-mm", "10"], "--bar-mm: expected what the printed 100 mm bar measures, got 10"),
        (["--base-height-mm", "tall"], "--base-height-mm: expected MM or NAME=MM"),
        (["--camera-height-mm", "3"], "--camera-height-mm: expected from 100 to 20,000 mm"),
        (["--table-inches", "72"], "--table-inches: expected the distances"),
        (["--charuco"], "the ChArUco board is clear in 0 of the pictures and 4 are needed"),
    ],
)
def test_every_wrong_option_is_one_line(
    tilted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    assert main(["calibrate", tilted, "--out", str(tmp_path / "c.toml"), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_no_table_in_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ship = RenderedMarker(4, 900, 600, 0, silhouette=Silhouette.NONE)
    path = tmp_path / "bare.png"
    scene = RenderScene((ship,), corners=())
    path.write_bytes(encode_image(render(scene, CameraView()).image, path.name))
    assert main(["calibrate", str(path), "--out", str(tmp_path / "c.toml")]) == 2
    assert "photograph the table with all four corner markers" in capsys.readouterr().err
