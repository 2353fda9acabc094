"""Two cameras over one table, as streams on this machine, against the truth."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from flask import Flask

from calibration.homography import TableSize
from calibration.markers import MarkerKind
from tests.vision.flat_table import FlatTable, LaidMarker
from tests.web.phones import host_of, running_in
from vision.images import Image
from vision.picture_files import encode_image
from vision.snapshot import ShipState, TrackedShip
from vision.synthetic.camera import CameraView
from web.camera.setup_view import camera_picture
from web.camera.storage import CALIBRATION_FILE, SETUP_FILE, SecondCameraStore
from web.camera.table_access import ListedShip
from web.camera.table_cameras import TableCameras
from web.table.moment import CameraHealth, CameraStatus

PATIENCE_SECONDS = 60.0
SIZE = TableSize(1500.0, 540.0)
LEFT, BOTH, RIGHT = "marker 5", "marker 6", "marker 7"
PLACES = {LEFT: (200.0, 240.0, 30.0), BOTH: (750.0, 300.0, 100.0), RIGHT: (1300.0, 240.0, 250.0)}


class Stream:
    """A camera on the network that sends one picture again and again, while it is on."""

    def __init__(self, image: Image) -> None:
        self.jpeg = encode_image(image, "a.jpg")
        self.on = True
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if not stream.on:
                    self.send_error(503)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while stream.on:
                    data = stream.jpeg
                    head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
                    try:
                        self.wfile.write(head % len(data) + data + b"\r\n")
                    except OSError:
                        return
                    time.sleep(0.2)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/video"

    def close(self) -> None:
        self.on = False
        self.server.shutdown()
        self.server.server_close()


class Table:
    def size(self) -> TableSize:
        return SIZE

    def ships(self) -> tuple[ListedShip, ...]:
        return tuple(ListedShip(name, "BB", "british") for name in PLACES)


class Watched:
    """A table that two streams look at, each at one half of it."""

    def __init__(self, folder: Path) -> None:
        self.laid = FlatTable(SIZE.width_mm, SIZE.height_mm, 2.5)
        for number, (x, y, heading) in zip((5, 6, 7), PLACES.values(), strict=True):
            self.laid.lay(LaidMarker(number, MarkerKind.SHIP, x, y, heading, 30.0))
        self.left, self.right = Stream(self.picture(450.0)), Stream(self.picture(1050.0))
        self.status = CameraStatus()
        self.ships: dict[str, TrackedShip] = {}
        self.cameras = TableCameras(folder, Table(), self.see)
        self.cameras.first.memory.save_marker_set(self.laid.marker_set())
        self.cameras.first.memory.change(height_mm=0.0)

    def picture(self, middle_mm: float) -> Image:
        return self.laid.photograph(
            CameraView(
                1280, 720, tilt_deg=20, aim_x_mm=middle_mm, aim_y_mm=255.0, height_mm=1000.0,
                field_of_view_deg=60.0, blur_px=0.6, noise=1.5,
            )
        )  # fmt: skip

    def see(self, status: CameraStatus, ships: Iterable[TrackedShip] | None) -> None:
        self.status = status
        if ships is not None:
            self.ships = {ship.name: ship for ship in ships}

    def wait(self, until: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not until():
            assert time.monotonic() < end, (self.status, self.ships)
            time.sleep(0.02)

    def settled(self, *names: str) -> bool:
        return all(
            name in self.ships and self.ships[name].state is ShipState.SETTLED for name in names
        )

    def close(self) -> None:
        self.cameras.close()
        self.left.close()
        self.right.close()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path)
    yield watched
    watched.close()


def test_two_cameras_make_one_table_and_one_goes_on_alone(watched: Watched, tmp_path: Path) -> None:
    cameras = watched.cameras
    cameras.first.start(watched.left.address)
    watched.wait(lambda: watched.settled(LEFT, BOTH))
    assert RIGHT not in watched.ships
    alone = watched.ships[BOTH].pose
    cameras.second.start(watched.right.address)
    watched.wait(lambda: watched.settled(*PLACES))
    watched.wait(lambda: watched.status.corners == ("seen",) * 4)
    assert (watched.status.state, watched.status.beside) == (CameraHealth.LIVE, ())
    for name, (x, y, heading) in PLACES.items():
        pose = watched.ships[name].pose
        error = np.hypot(pose.x_mm - x, pose.y_mm - y)
        assert error < min(2.5 * pose.position_sigma_mm, 4.0), (name, pose)
        assert abs(pose.heading_deg - heading) < 1.0
    # The set-up can go on, though neither sees all corners.
    assert len(camera_picture(cameras.first).missing) == 2
    whole = camera_picture(cameras.first, cameras.second)
    assert (whole.missing, whole.fixed) == ((), True)
    # Both see her, so she is surer.
    assert watched.ships[BOTH].pose.position_sigma_mm < alone.position_sigma_mm
    assert (tmp_path / SecondCameraStore.setup_file).is_file()
    # What is out of date says so; the other camera's ships do not change.
    watched.left.on = False
    watched.wait(lambda: watched.status.beside)
    assert [message.code for message in watched.status.beside] == ["camera.one_lost"]
    assert watched.status.state is CameraHealth.LIVE
    watched.wait(lambda: watched.ships[LEFT].state is ShipState.STALE)
    assert watched.settled(BOTH, RIGHT)
    watched.left.on = True
    watched.wait(lambda: watched.status.beside == () and watched.settled(*PLACES))
    # Switched off for good.
    cameras.second.stop(forget=True)
    watched.wait(lambda: watched.ships[RIGHT].state is ShipState.STALE)
    assert watched.settled(LEFT, BOTH)


def test_the_second_camera_has_a_place_of_its_own_and_the_tables_paper(tmp_path: Path) -> None:
    cameras = TableCameras(tmp_path, Table(), lambda *_: None)
    first, second = cameras.first.memory, cameras.second.memory
    first.change(bar_mm=98.0, height_mm=3.0, camera_height_mm=1500.0, plain=True)
    assert second.setup.print_scale == first.setup.print_scale
    assert (second.setup.height_mm, second.setup.camera_height_mm) == (3.0, None)
    assert second.counter_kind is None
    second.change(camera_height_mm=1800.0)
    assert first.setup.camera_height_mm == 1500.0
    again = TableCameras(tmp_path, Table(), lambda *_: None).second.memory
    assert (again.setup.camera_height_mm, again.setup.bar_mm) == (1800.0, 98.0)
    assert SecondCameraStore.setup_file != SETUP_FILE
    assert SecondCameraStore.calibration_file != CALIBRATION_FILE


def test_the_second_camera_is_chosen_on_the_set_up_page(app: Flask) -> None:
    host = host_of(app)
    context = running_in(app)
    assert "/api/camera/second" not in host.get("/setup/camera").text
    assert host.post("/api/camera/second", {"source": "/nowhere.mp4"}).status_code == 400
    assert host.post("/api/camera", {"source": "/nowhere.mp4"}).status_code == 200
    try:
        assert "/api/camera/second" in host.get("/setup/camera").text
        assert host.post("/api/camera/second", {"source": "/nowhere.mp4"}).status_code == 400
        assert host.post("/api/camera/second", {"source": "/elsewhere.mp4"}).status_code == 200
        assert context.second_camera.memory.setup.source == "/elsewhere.mp4"
        assert host.get("/camera.jpg?camera=2").status_code == 404
        assert host.get("/camera.jpg?camera=3").status_code == 400
        assert host.delete("/api/camera/second").status_code == 200
        assert context.second_camera.memory.setup.source == ""
    finally:
        context.cameras.close()
