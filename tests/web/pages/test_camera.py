"""The camera set-up and the photo page, as browsers ask for them."""

import re
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask

from tabletop.messages import ShipRef
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated
from tests.web.pictures import Script, covered, jpeg, lit, opener, table_picture
from vision.images import Image
from vision.picture_files import decode_image
from web.camera.measurement import markers_in_sight
from web.camera.settings import SetupStep
from web.camera.setup_view import CameraPicture, MarkerInPicture, camera_picture
from web.camera.table_access import SessionTable
from web.camera.table_cameras import TableCameras
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene
from web.table.moment import CameraHealth, CameraStatus

PATIENCE_SECONDS = 60.0
STEPS = ("print", "camera", "corners", "check", "done")


class Room:
    """A server with a camera that the test holds in its hand."""

    def __init__(self, first: Image) -> None:
        self.cameras: list[Script] = []
        session = table_in_memory(demo_scene)
        cameras = TableCameras(
            None, SessionTable(session), session.update_camera, opener=opener(self.cameras, first)
        )
        self.camera_thread = cameras.first
        self.app = fresh_app(ServerContext(session, watched=cameras))
        self.host = host_of(self.app)

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not until():
            assert time.monotonic() < end, self.camera_thread.status()
            time.sleep(0.02)

    def start(self) -> None:
        answer = self.host.post("/api/camera", {"source": "0"})
        assert answer.status_code == 200, answer.text
        self.wait(
            lambda: (
                self.camera_thread.latest is not None
                and self.camera_thread.latest.frame is not None
            )
        )

    def ships(self) -> dict[str, Any]:
        return {ship["name"]: ship for ship in self.host.view()["ships"]}

    def wait_for_ships(self) -> None:
        self.wait(lambda: {s["source"] for s in self.ships().values()} == {"camera"})


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room(table_picture())
    yield room
    room.camera_thread.close()


# Who may


def test_only_the_host_sets_up_the_camera(app: Flask) -> None:
    stranger, player = Phone(app), seated(app)
    for path in ("/setup", *(f"/setup/{step}" for step in STEPS), "/setup/camera/live"):
        assert stranger.get(path).status_code == 303
        assert player.get(path).status_code == 403
    assert player.get("/sheets.pdf").status_code == 403
    for path, body in (
        ("/api/camera", {"source": "demo"}),
        ("/api/camera/table", {"width": 1.0, "height": 1.0}),
        ("/api/camera/print_bar", {"mm": 100}),
        ("/api/camera/corner", {"corner": "far left", "x": 0.5, "y": 0.5}),
        ("/api/camera/measure", {}),
    ):
        assert player.post(path, body).status_code == 403, path
    assert player.delete("/api/camera").status_code == 403


def test_no_camera_picture_without_a_seat(room: Room) -> None:
    room.start()
    stranger, onlooker = Phone(room.app), seated(room.app, role="onlooker", side=None)
    assert stranger.get("/camera.jpg").status_code == 401
    answer = onlooker.get("/camera.jpg")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert decode_image(answer.data, "it").shape[1] == 1280
    page = onlooker.get("/camera").text
    assert "The camera’s picture" in page
    assert "/camera.jpg?plain=1" in page
    assert 'data-part="marks"' in onlooker.get("/camera/live").text
    room.wait_for_ships()
    for path in ("/table", "/table/picture"):
        beside = onlooker.get(path).text
        assert "/camera.jpg?plain=1" in beside
        assert 'class="name side-blue"' in beside, "names over the picture, in their side's colour"
    for path in ("/camera", "/camera/live", "/photo", "/table/picture"):
        assert stranger.get(path).status_code == 303
    assert onlooker.get("/photo").status_code == 403


def test_without_a_camera_there_is_no_picture(app: Flask) -> None:
    host = host_of(app)
    assert host.get("/camera.jpg").status_code == 404
    assert host.view()["camera"]["state"] == "none"
    for step in STEPS:
        assert host.get(f"/setup/{step}").status_code == 200
    assert host.get("/setup/nowhere").status_code == 404
    assert host.get("/setup/print/live").status_code == 404
    assert "Choose a camera" in host.get("/setup/camera").text


# Step by step


def test_the_set_up_goes_on_where_it_was_left(app: Flask) -> None:
    host = host_of(app)
    assert host.get("/setup").location.endswith("/setup/print")
    assert host.post("/api/camera/step", {"step": "camera"}).status_code == 200
    assert host.get("/setup").location.endswith("/setup/camera")
    host.get("/setup/corners")
    assert host.get("/setup").location.endswith("/setup/corners")
    host.get("/setup/print")
    assert host.get("/setup").location.endswith("/setup/corners")


def test_the_sheets_are_those_of_the_table(app: Flask) -> None:
    host = host_of(app)
    answer = host.get("/sheets.pdf?paper=letter")
    assert answer.data.startswith(b"%PDF")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert host.get("/sheets.pdf?paper=a5").status_code == 400
    said = host.post("/api/camera/sheets", {"paper": "letter"}).get_json()
    assert said["url"] == "/sheets.pdf?paper=letter"
    memory = running_in(app).camera_thread.memory
    assert memory.printed.names[4] == "Hood"
    assert host.post("/api/ships", {"name": "Suffolk"}).status_code == 200
    assert "Suffolk" not in memory.printed.names.values()
    assert host.post("/api/camera/assign", {"marker": 12, "ship": "Suffolk"}).status_code == 200
    assert memory.marker_set.names[12] == "Suffolk"
    assert host.post("/api/camera/assign", {"marker": 12}).status_code == 200
    assert memory.marker_set.names[12] == "marker 12"
    assert host.post("/api/camera/assign", {"marker": 12, "ship": "Nobody"}).status_code == 404


@pytest.mark.parametrize(
    ("mm", "status"), [(100, 200), (90, 200), (110, 200), (89.9, 400), (254, 400)]
)
def test_the_bar_corrects_the_print_or_is_refused(app: Flask, mm: float, status: int) -> None:
    answer = host_of(app).post("/api/camera/print_bar", {"mm": mm})
    assert answer.status_code == status
    if status == 400:
        error = answer.get_json()["error"]
        assert error["field"] == "mm"
        assert "100 %" in error["message"]
    else:
        assert running_in(app).camera_thread.memory.setup.print_scale.factor == pytest.approx(
            mm / 100
        )


def test_a_camera_is_chosen_and_seen(room: Room) -> None:
    room.start()
    room.wait_for_ships()
    page = room.host.get("/setup/corners").text
    assert "4 of 4" in page
    assert "Next: check" in page
    live = room.host.get("/setup/check/live").text
    assert 'data-picture="' in live
    for name in room.ships():
        assert name in live
    assert room.camera_thread.memory.setup.source == "0"
    assert room.host.delete("/api/camera").status_code == 200
    assert room.host.view()["camera"]["state"] == "none"
    assert {ship["state"] for ship in room.ships().values()} == {"stale"}


def test_a_missing_corner_is_said_with_its_remedies() -> None:
    room = Room(lit(2, 500))
    try:
        room.start()
        room.wait_for_ships()
        live = room.host.get("/setup/corners/live").text
        assert "3 of 4" in live
        assert "The far right marker is too bright to read" in live
        assert "Move the lamp away from that corner" in live
        assert "Waiting for far right" in live
        room.cameras[0].sends = table_picture()
        room.wait(lambda: "Next: check" in room.host.get("/setup/corners/live").text)
    finally:
        room.camera_thread.close()


def test_a_corner_shown_by_hand_lets_one_go_on() -> None:
    room = Room(covered(2))
    try:
        room.start()
        room.wait_for_ships()
        body = {"corner": "far right", "x": 1577 / 1919, "y": 108 / 1079}
        assert room.host.post("/api/camera/corner", body).get_json()["read"] is False
        room.wait(lambda: "Next: check" in room.host.get("/setup/corners/live").text)
        assert "by hand" in room.host.get("/setup/corners/live").text
        assert room.host.delete("/api/camera/corner").status_code == 200
        room.wait(lambda: "Waiting for far right" in room.host.get("/setup/corners/live").text)
    finally:
        room.camera_thread.close()


def test_the_table_gets_another_size_and_keeps_its_ships(app: Flask) -> None:
    host = host_of(app)
    before = host.view()
    body = {"width": 1524, "height": 1016, "unit": "mm"}
    assert host.post("/api/camera/table", body).status_code == 200
    after = host.view()
    assert after["table"]["width_yards"] == pytest.approx(60 * 500)
    assert [ship["x"] for ship in after["ships"]] == [ship["x"] for ship in before["ships"]]
    seq = after["seq"]
    assert host.post("/api/camera/table", body).get_json()["seq"] == seq
    assert host.post("/api/camera/table", {"width": 0, "height": 5}).status_code == 400


def test_heights_and_scale_are_kept(app: Flask) -> None:
    host = host_of(app)
    before = {ship["name"]: ship for ship in host.view()["ships"]}
    body = {"all_mm": 3, "BB": 5.5, "camera_height_mm": 1400, "yards_per_inch": 1000}
    assert host.post("/api/camera/heights", body).status_code == 200
    setup = running_in(app).camera_thread.memory.setup
    assert (setup.height_mm, dict(setup.heights_mm)) == (3.0, {"BB": 5.5})
    assert setup.camera_height_mm == 1400
    view = host.view()
    assert view["table"]["yards_per_inch"] == 1000
    assert view["table"]["width_yards"] == pytest.approx(72_000)
    for ship in view["ships"]:
        # She stands where she stood on the table.
        assert ship["x"] == pytest.approx(2 * before[ship["name"]]["x"])
        assert ship["length_yards"] == pytest.approx(2 * before[ship["name"]]["length_yards"])
    calibration = running_in(app).camera_thread.memory.calibration_for(1920, 1080)
    assert calibration is not None
    assert calibration.height_of("Bismarck").mm == 5.5
    assert calibration.height_of("Prinz Eugen").mm == 3
    for wrong in ({"all_mm": -1}, {"all_mm": 201}, {"all_mm": 1, "ZZ": 3}, {}):
        assert host.post("/api/camera/heights", wrong).status_code == 400


def test_check_and_finish(room: Room) -> None:
    room.start()
    room.wait_for_ships()
    room.wait(
        lambda: (
            sum(each.marker_id is not None for each in markers_in_sight(room.camera_thread)) == 4
        )
    )
    body = {"first": "4", "second": "corner-0", "measured": 1317.4, "unit": "mm"}
    answer = room.host.post("/api/camera/distance", body).get_json()
    assert answer["good"] is True
    assert answer["ours_mm"] == pytest.approx(1317.4, rel=0.01)
    short = room.host.post("/api/camera/distance", {**body, "measured": 40, "unit": "inches"})
    assert short.get_json()["good"] is False
    page = room.host.get("/setup/check/live").text
    assert "too long" in page
    assert "What to fix" in page
    board = room.host.post("/api/camera/board", {})
    assert board.status_code == 400
    assert "lens board" in board.get_json()["error"]["message"]
    assert room.host.post("/api/camera/measure", {}).status_code == 200
    assert room.camera_thread.memory.setup.step is SetupStep.DONE
    done = room.host.get("/setup/done").text
    assert "The camera sees the table" in done
    assert "4 ships seen" in done


@pytest.mark.parametrize(
    ("state", "picture", "settled", "looking"),
    [
        (CameraHealth.STARTING, 0, False, True),
        (CameraHealth.STARTING, 7, True, True),
        (CameraHealth.LIVE, 7, False, True),
        (CameraHealth.LIVE, 12, True, False),
        (CameraHealth.LOST, 7, False, False),
        (CameraHealth.NONE, 0, False, False),
    ],
)
def test_nobody_says_that_there_is_no_ship_while_it_looks(
    state: CameraHealth, picture: int, settled: bool, looking: bool
) -> None:
    look = CameraPicture(
        CameraStatus(state), picture, 640, 480, (), (), (), None, None, None, settled
    )
    assert look.looking is looking
    ship = MarkerInPicture("Hood", "", 0.0, 0.0, moving=False)
    assert not replace(look, ships=(ship,)).looking


def test_the_set_up_names_the_ships_that_are_not_seen(room: Room) -> None:
    room.start()
    room.wait_for_ships()
    latest = room.camera_thread.latest
    assert latest is not None
    room.wait(lambda: camera_picture(room.camera_thread).settled)
    assert camera_picture(room.camera_thread).absent is None
    assert "ot seen:" not in room.host.get("/setup/check/live").text
    picture = table_picture().copy()
    plane = latest.snapshot.plane
    assert plane is not None
    gone = latest.snapshot.ships[0]
    x, y = plane.to_px(np.array([gone.pose.x_mm, gone.pose.y_mm])).round().astype(int)
    picture[y - 40 : y + 40, x - 40 : x + 40] = 90
    room.cameras[-1].sends = picture
    room.wait(lambda: camera_picture(room.camera_thread).absent is not None)
    absent = camera_picture(room.camera_thread).absent
    assert absent is not None
    assert absent.code == "vision.check.not_seen"
    assert dict(absent.params)["ships"] == (ShipRef(gone.name),)
    page = room.host.get("/setup/check/live").text
    assert f"ot seen: {gone.name}" in page


# Photos


def send(phone: Phone, data: bytes, kind: str = "image/jpeg") -> Any:
    return phone.send("POST", "/api/photo", data=data, headers={"Content-Type": kind})


def test_a_photo_is_read_shown_and_used(app: Flask) -> None:
    player = seated(app)
    before = {ship["name"]: (ship["x"], ship["y"]) for ship in player.view()["ships"]}
    player.post("/api/ships/Hood/place", {"x": 1000, "y": 1000, "heading": 0})
    answer = send(player, jpeg(table_picture()))
    assert answer.status_code == 200, answer.text
    said = answer.get_json()
    assert said["corners_found"] == 4
    assert {ship["name"] for ship in said["found"]} == set(before)
    # Nothing has changed yet.
    hood = next(ship for ship in player.view()["ships"] if ship["name"] == "Hood")
    assert (hood["x"], hood["source"]) == (1000, "hand")
    page = player.get(said["page"])
    assert re.search(r"<b>4</b>\s*ships found", page.text)
    assert player.get(said["picture"]).mimetype == "image/jpeg"
    used = player.post("/api/photo/use", {"token": said["token"], "ships": ["Hood"]}, key="a" * 16)
    assert used.get_json()["placed"] == ["Hood"]
    for ship in player.view()["ships"]:
        assert (ship["x"], ship["y"]) == pytest.approx(before[ship["name"]], abs=60)
        assert ship["source"] == ("photo" if ship["name"] == "Hood" else "hand")


def test_a_photo_without_a_table_or_without_sense_is_told(app: Flask) -> None:
    player = seated(app)
    said = send(player, jpeg(covered(0, 1, 2, 3))).get_json()
    assert said["problem"]
    assert said["missing"]
    assert "could not be read" in player.get(said["page"]).text
    assert player.post("/api/photo/use", {"token": said["token"]}).status_code == 400
    heic = send(player, b"\0\0\0\x18ftypheic" + bytes(300), "image/heic")
    assert heic.status_code == 400
    assert "HEIC" in heic.get_json()["error"]["message"]
    for data in (b"", b"no picture at all", b"\x89PNG\r\n\x1a\n" + bytes(60)):
        assert send(player, data).status_code == 400
    assert send(player, b"x", "text/html").status_code == 415
    assert player.get("/photo/gone-for-good").status_code == 404
    assert player.get("/photo.jpg?token=gone-for-good").status_code == 404
    assert player.post("/api/photo/use", {"token": "gone-for-good"}).status_code == 404


def test_a_huge_photo_is_refused_before_it_is_read(app: Flask) -> None:
    answer = send(seated(app), bytes(25_000_001))
    assert answer.status_code == 413


def test_camera_for_some_and_hand_for_others(room: Room) -> None:
    room.start()
    room.wait_for_ships()
    player = seated(room.app)
    moved = player.post(
        "/api/ships/Hood/place", {"x": 3000, "y": 3000, "heading": 90, "reason": "bumped"}
    )
    assert moved.status_code == 200, moved.text
    ships = room.ships()
    assert (ships["Hood"]["source"], ships["Hood"]["x"]) == ("hand", 3000)
    assert ships["Bismarck"]["source"] == "camera"
    assert player.post("/api/ships/Hood/follow").status_code == 200
    assert room.ships()["Hood"]["source"] == "camera"


def test_words_of_the_set_up_name_no_command(room: Room, tmp_path: Path) -> None:
    for step in STEPS:
        page = room.host.get(f"/setup/{step}").text
        assert "dreyer calibrate" not in page
        assert "--table" not in page


def turned(data: bytes, orientation: int) -> bytes:
    """A JPEG file that says how it is to be turned, as phones write it."""
    tiff = b"II*\0\x08\0\0\0" + struct.pack("<HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 0)
    part = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(part) + 2) + part + data[2:]


def test_a_photo_taken_upright_is_turned_as_it_says(app: Flask) -> None:
    upright = np.ascontiguousarray(np.rot90(table_picture()))
    said = send(seated(app), turned(jpeg(upright), 6)).get_json()
    assert said["corners_found"] == 4
    assert len(said["found"]) == 4
