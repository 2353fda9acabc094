"""Every bad picture, through every command that reads one: one clear line, and it goes on."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.charuco import charuco_board
from calibration.markers import Corner
from vision.picture_files import encode_image
from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene, render
from web.cli import main

SHIPS = (RenderedMarker(4, 500, 400, 30), RenderedMarker(5, 1200, 700, 250))
VIEW = CameraView(blur_px=0.5, noise=1.0)
TABLE = ["--table-inches", "72x48"]


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good picture and every bad one."""
    folder = tmp_path_factory.mktemp("album")

    def keep(name: str, image: np.ndarray) -> bytes:
        data = encode_image(image, name)
        (folder / name).write_bytes(data)
        return data

    good = render(RenderScene(markers=SHIPS), VIEW).image
    data = keep("good.jpg", good)
    keep("plain.jpg", render(RenderScene(corners=()), VIEW).image)
    keep("three.jpg", render(RenderScene(markers=SHIPS, corners=tuple(Corner)[:3]), VIEW).image)
    twin = RenderedMarker(5, 700, 900, 10)
    keep("twins.jpg", render(RenderScene(markers=(*SHIPS, twin)), VIEW).image)
    keep("mirrored.jpg", np.ascontiguousarray(good[:, ::-1]))
    keep("black.jpg", np.zeros_like(good))
    (folder / "cut.jpg").write_bytes(data[: len(data) // 2])
    keep("huge.jpg", np.zeros((10_000, 10_000), np.uint8))
    (folder / "text.jpg").write_text("not a picture at all\n")
    (folder / "empty.jpg").touch()
    (folder / "folder.jpg").mkdir()
    return folder


FAULTS = {
    "plain.jpg": "no coded marker found; bring the camera nearer",
    "black.jpg": "black; uncover the lens",
    "cut.jpg": "cut off or damaged; copy or send it again",
    "huge.jpg": "100 megapixels, and 60 is the most that is read; save it smaller",
    "text.jpg": "not a picture but text, whatever its name says; send a JPEG",
    "empty.jpg": "the file is empty; take or send the picture again",
    "folder.jpg": "a folder; name the pictures in it",
    "missing.jpg": "there is no such file; check its name",
}


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.strip().splitlines()


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("command", ["locate", "calibrate"])
def test_one_line_with_the_remedy_and_exit_2(
    name: str, command: str, album: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "camera.toml")] if command == "calibrate" else []
    assert main([command, str(album / name), *TABLE, *out]) == 2
    (line,) = lines(capsys)
    assert line.startswith(f"dreyer: {album / name}: ")
    assert FAULTS[name] in line
    assert not (tmp_path / "camera.toml").exists()


def test_all_of_them_in_one_call_and_the_good_one_is_located(
    album: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [*FAULTS, "good.jpg"]
    assert main(["locate", *(str(album / name) for name in names), *TABLE, "--json"]) == 0
    captured = capsys.readouterr()
    frames = json.loads(captured.out)["frames"]
    assert [Path(frame["file"]).name for frame in frames] == names
    assert all("error" in frame for frame in frames[:-1])
    assert [ship["id"] for ship in frames[-1]["ships"]] == [4, 5]
    assert len(captured.err.strip().splitlines()) == len(FAULTS)


@pytest.mark.parametrize(
    ("name", "words", "ships"),
    [
        ("three.jpg", "the far left corner marker is not in sight", [4, 5]),
        ("twins.jpg", "in the picture twice, so neither is believed; take one away", [4]),
        ("mirrored.jpg", "mirrored and was turned round; switch mirroring off", [4, 5]),
    ],
)
def test_a_poor_picture_is_told_and_still_read(
    name: str, words: str, ships: list[int], album: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["locate", str(album / name), *TABLE, "--json"]) == 0
    captured = capsys.readouterr()
    (frame,) = json.loads(captured.out)["frames"]
    assert [ship["id"] for ship in frame["ships"]] == ships
    assert words in captured.err
    assert len(captured.err.strip().splitlines()) == 1


@pytest.mark.parametrize("command", ["locate", "camera"])
def test_a_picture_damaged_in_its_middle_is_told_once(
    command: str, album: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = bytearray((album / "good.jpg").read_bytes())
    # The lower edge of the table: a marker of another kind ends the picture early.
    data[-2000:-1998] = b"\xff\xd9"
    (tmp_path / "bad.jpg").write_bytes(data)
    assert main([command, str(tmp_path / "bad.jpg"), *TABLE]) == 0
    told = [line for line in capfd.readouterr().err.splitlines() if "JPEG" in line or "bad" in line]
    assert len(told) == 1
    assert told[0].endswith("bad.jpg: the picture is damaged in places; take it or send it again")


def test_calibrate_says_when_the_picture_is_mirrored(
    album: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.toml"
    assert main(["calibrate", str(album / "mirrored.jpg"), *TABLE, "--out", str(out)]) == 2
    (line,) = lines(capsys)
    assert "the picture is mirrored; switch mirroring off" in line


def test_calibrate_leaves_a_bad_picture_out(
    album: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.toml"
    pictures = [str(album / "text.jpg"), str(album / "good.jpg")]
    assert main(["calibrate", *pictures, *TABLE, "--out", str(out)]) == 0
    (line,) = lines(capsys)
    assert line.startswith("dreyer: left out: ")
    assert out.exists()


def test_calibrate_when_the_mathematics_find_no_table(
    album: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    monkeypatch.setattr("web.cli.calibrate.calibrate", fail)
    out = tmp_path / "camera.toml"
    assert main(["calibrate", str(album / "good.jpg"), *TABLE, "--out", str(out)]) == 2
    (line,) = lines(capsys)
    assert "do not lie as those of a flat table would; lay them flat" in line


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cut.jpg", "cut off or damaged; copy or send it again"),
        ("empty.jpg", "the file is empty"),
        ("black.jpg", "is black all over; uncover the lens"),
        ("missing.jpg", "there is no such file; check its name"),
        ("missing.mp4", "there is no such file; check its name"),
        ("folder.jpg", "has no picture in it yet; put"),
    ],
)
def test_the_camera_command_says_it_too(
    name: str, words: str, album: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["camera", str(album / name), "--seconds", "0.5"]) == 2
    (line,) = lines(capsys)
    assert words in line


class _Phone(BaseHTTPRequestHandler):
    """A phone as a camera that goes dead after a few pictures."""

    picture = b""
    left = 0

    def do_GET(self) -> None:
        if type(self).left <= 0:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        while type(self).left > 0:
            type(self).left -= 1
            size = len(self.picture)
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {size}\r\n\r\n"
            self.wfile.write(head.encode() + self.picture + b"\r\n")
            time.sleep(0.1)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Silence."""


@pytest.fixture
def phone(album: Path) -> Iterator[str]:
    _Phone.picture, _Phone.left = (album / "good.jpg").read_bytes(), 12
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Phone)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video"
    server.shutdown()
    server.server_close()


def test_a_camera_that_vanishes_is_told_and_the_report_still_comes(
    phone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["camera", phone, "--seconds", "5", "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert report["frames"] >= 1
    assert report["corners_found"] == 4
    assert "stopped sending pictures" in captured.err
    assert any("stopped sending" in r or "error 503" in r for r in report["remedies"])


def boards(folder: Path, count: int) -> list[str]:
    """Pictures of the ChArUco board, tilted every way, by a camera with a known focal length."""
    board = charuco_board()
    columns, rows = board.getChessboardSize()
    side = board.getSquareLength()
    paper = board.generateImage((round(columns * side * 5), round(rows * side * 5)), marginSize=0)
    centre = np.array([columns * side / 2, rows * side / 2, 0.0])
    camera = np.array([[1000.0, 0, 639.5], [0, 1000.0, 359.5], [0, 0, 1]])
    to_mm = np.diag([0.2, 0.2, 1.0])
    names = []
    for number in range(count):
        turn = np.array([0.5 * np.cos(1.3 * number), 0.5 * np.sin(1.3 * number), 0.3 * number])
        rotation = np.asarray(cv2.Rodrigues(turn)[0])
        shift = np.array([20.0 * (number % 3 - 1), 10.0 * (number % 2), 380.0]) - rotation @ centre
        place = camera @ np.column_stack([rotation[:, :2], shift]) @ to_mm
        view = cv2.warpPerspective(paper, place, (1280, 720), borderValue=(200,))
        names.append(str(folder / f"board{number}.png"))
        Path(names[-1]).write_bytes(encode_image(np.asarray(view, np.uint8), names[-1]))
    return names


def test_calibrate_from_charuco_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.toml"
    arguments = ["calibrate", *boards(tmp_path, 6), "--charuco", "--out", str(out), "--json"]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["board_views"] == 6
    assert document["lens"]["source"] == "charuco"
    assert document["lens"]["focal_px"][0] == pytest.approx(1000, rel=0.01)
    assert "only the lens was measured" in captured.err
    assert main(["calibrate", *boards(tmp_path, 2), "--charuco", "--out", str(out)]) == 2
    assert len(lines(capsys)) == 1
