"""The camera of the running table: it looks, it survives, and it comes back by itself."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from calibration.homography import TableSize
from calibration.marker_file import MarkerSet
from calibration.markers import Corner
from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from tests.web.pictures import (
    CORNERS,
    GONE,
    Script,
    covered,
    lit,
    names,
    opener,
    table_picture,
    table_with_counters,
)
from vision.images import Image
from vision.picture_files import decode_image
from vision.setup.preview import CornerFault, PictureFault, kind_of_trouble, look_over
from vision.snapshot import ShipState, TrackedShip
from vision.sources.frame_source import Clock, FrameSource, Trouble
from vision.tracking.tracker import Tracker
from web.camera import measurement as camera_measure
from web.camera.camera_thread import WIDEST_PX, CameraThread, open_camera
from web.camera.demo import demo_marker_set
from web.camera.marker_pages import marker_set_for, with_ships
from web.camera.settings import CameraSetup, SetupStep
from web.camera.storage import CALIBRATION_FILE, SETUP_FILE, CameraSettingsStore
from web.camera.table_access import ListedShip, PrintChoice
from web.strings import words
from web.table.moment import CameraStatus

SHIPS = ("Hood", "Prince of Wales", "Prinz Eugen", "Bismarck")
SIZE = TableSize.of_inches(72, 48)
PATIENCE_SECONDS = 60.0
"""These tests wait for a thread; on a busy machine that may take its time."""


class Table:
    """A table of four ships."""

    def __init__(self) -> None:
        self.edges = SIZE

    def size(self) -> TableSize:
        return self.edges

    def ships(self) -> tuple[ListedShip, ...]:
        return tuple(ListedShip(name, "BB", "british") for name in SHIPS)


@dataclass
class Seat:
    """Somebody whom the eyes tell what they see."""

    camera_thread: CameraThread | None = None
    table: Table = field(default_factory=Table)
    cameras: list[Script] = field(default_factory=list)
    status: CameraStatus = field(default_factory=CameraStatus)
    ships: dict[str, TrackedShip] = field(default_factory=dict)

    def see(self, status: CameraStatus, ships: Iterable[TrackedShip] | None) -> None:
        self.status = status
        if ships is not None:
            self.ships = {ship.name: ship for ship in ships}

    def open(
        self,
        folder: Path | None = None,
        first: Image | Trouble | None = None,
        how: Callable[[str, Clock], FrameSource] | None = None,
    ) -> CameraThread:
        shown = table_picture() if first is None else first
        self.camera_thread = CameraThread(
            CameraSettingsStore(folder, self.table),
            self.see,
            opener=how or opener(self.cameras, shown),
        )
        return self.camera_thread

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not until():
            assert time.monotonic() < end, (self.status, self.ships.keys())
            time.sleep(0.02)

    def wait_for_ships(self) -> None:
        self.wait(lambda: self.status.state == "live" and len(self.ships) == len(SHIPS))


@pytest.fixture
def seat() -> Iterator[Seat]:
    seat = Seat()
    yield seat
    if seat.camera_thread is not None:
        seat.camera_thread.close()


# Looking


def test_a_camera_that_is_started_finds_the_table_and_its_ships(seat: Seat) -> None:
    camera_thread = seat.open()
    assert camera_thread.status() == CameraStatus()
    camera_thread.start("0")
    assert seat.status.state in ("starting", "live")
    seat.wait_for_ships()
    assert seat.status.corners == ("seen",) * 4
    assert names(seat.ships.values()) == set(SHIPS)
    assert seat.status.px_per_mm == pytest.approx(0.7, abs=0.1)


def test_a_picture_is_drawn_once_and_no_wider_than_a_phone_needs(seat: Seat) -> None:
    camera_thread = seat.open()
    assert camera_thread.jpeg() is None
    camera_thread.start("0")
    seat.wait_for_ships()
    number, data = camera_thread.jpeg() or (0, b"")
    assert number > 0
    assert decode_image(data, "it").shape[1] == WIDEST_PX
    plain = camera_thread.jpeg(marked=False)
    assert plain is not None
    assert plain[1] != data


def test_a_camera_that_vanishes_is_told_and_comes_back(seat: Seat) -> None:
    camera_thread = seat.open()
    camera_thread.start("0")
    seat.wait_for_ships()
    seat.cameras[0].sends = GONE
    seat.wait(lambda: seat.status.state == "lost")
    assert words(seat.status.words) == "the camera has gone; plug it in"
    assert {ship.state for ship in seat.ships.values()} == {ShipState.STALE}
    seat.cameras[0].sends = table_picture()
    seat.wait(lambda: seat.status.state == "live")
    seat.wait(lambda: any(s.state is not ShipState.STALE for s in seat.ships.values()))


def test_stopping_leaves_the_ships_where_they_were_seen(seat: Seat) -> None:
    camera_thread = seat.open()
    camera_thread.start("0")
    seat.wait_for_ships()
    camera_thread.close()
    assert seat.status.state == "none"
    assert names(seat.ships.values()) == set(SHIPS)
    assert {ship.state for ship in seat.ships.values()} == {ShipState.STALE}
    assert seat.cameras[0].closed


def test_another_camera_is_opened_when_the_first_has_been_let_go(seat: Seat) -> None:
    camera_thread = seat.open()
    camera_thread.start("0")
    seat.wait_for_ships()
    camera_thread.start("1")
    seat.wait(lambda: len(seat.cameras) == 2)
    assert seat.cameras[0].closed
    seat.wait_for_ships()


def test_a_source_that_cannot_be_opened_is_told(seat: Seat, tmp_path: Path) -> None:
    camera_thread = seat.open(how=open_camera)
    camera_thread.start(str(tmp_path / "gone.png"))
    seat.wait(lambda: seat.status.state == "trouble")
    assert seat.status.words.code == "vision.source.no_photo"


def test_a_table_of_another_size_is_looked_at_anew(seat: Seat) -> None:
    camera_thread = seat.open()
    camera_thread.start("0")
    seat.wait_for_ships()
    before = seat.ships["Hood"].pose.x_mm
    seat.table.edges = TableSize.of_inches(36, 24)
    seat.wait(lambda: seat.ships["Hood"].pose.x_mm < 0.6 * before)


# What is kept


def test_a_restart_comes_back_by_itself(seat: Seat, tmp_path: Path) -> None:
    camera_thread = seat.open(tmp_path)
    camera_thread.memory.change(bar_mm=99.0)
    camera_thread.start("0")
    camera_thread.memory.save_step(SetupStep.CHECK)
    camera_thread.close()
    again = Seat()
    other = again.open(tmp_path)
    other.resume()
    try:
        assert other.memory.setup.source == "0"
        assert other.memory.setup.bar_mm == 99.0
        assert other.memory.setup.step is SetupStep.CHECK
        again.wait_for_ships()
    finally:
        other.close()


def test_the_demo_of_the_command_line_leaves_the_folder_alone(seat: Seat, tmp_path: Path) -> None:
    camera_thread = seat.open(tmp_path)
    camera_thread.start("0")
    kept = (tmp_path / SETUP_FILE).read_bytes()
    camera_thread.start("demo", keep=False)
    camera_thread.memory.change(bar_mm=98.0)
    assert (tmp_path / SETUP_FILE).read_bytes() == kept
    assert camera_thread.memory.is_demo
    assert camera_thread.memory.marker_set.names == demo_marker_set().names


def test_a_damaged_file_is_told_and_left_out(tmp_path: Path) -> None:
    (tmp_path / SETUP_FILE).write_text("source = 3\n")
    (tmp_path / CALIBRATION_FILE).write_text("what")
    memory = CameraSettingsStore(tmp_path, Table())
    assert memory.setup == CameraSetup()
    assert memory.calibration is None
    assert len(memory.faults) == 2
    assert SETUP_FILE in memory.faults[0]


# Markers and ships


def test_a_blank_marker_can_stand_for_a_ship() -> None:
    marker_set = marker_set_for(Table().ships(), PrintChoice())
    assert marker_set.names[4] == "Hood"
    changed = with_ships(marker_set, {12: "Hood"})
    assert changed.names[12] == "Hood"
    assert changed.names[4] == "marker 4"
    assert len(set(changed.names.values())) == len(changed.names)


def test_assigning_needs_a_marker_and_a_ship(seat: Seat) -> None:
    camera_thread = seat.open()
    camera_measure.assign(camera_thread, 12, "Hood")
    assert camera_thread.memory.marker_set.names[12] == "Hood"
    camera_measure.assign(camera_thread, 13, "Hood")
    assert camera_thread.memory.marker_set.names[12] == "marker 12"
    camera_measure.assign(camera_thread, 4, "Hood")
    assert dict(camera_thread.memory.setup.markers) == {}
    camera_measure.assign(camera_thread, 4, None)
    assert "Hood" not in camera_thread.memory.marker_set.names.values()
    with pytest.raises(DreyerError, match="marker"):
        camera_measure.assign(camera_thread, 2, "Hood")
    with pytest.raises(DreyerError, match="Yamato"):
        camera_measure.assign(camera_thread, 12, "Yamato")


# Corners and measuring


def look(
    image: Image, marker_set: MarkerSet | None = None
) -> tuple[list[CornerFault | None], set[PictureFault]]:
    marker_set = marker_set or demo_marker_set()
    tracker = Tracker(marker_set, SIZE)
    snapshot = tracker.update(image, 0.0)
    preview = look_over(image, snapshot, marker_set, SIZE)
    return [each.fault for each in preview.corners], set(preview.faults)


@pytest.mark.parametrize(
    ("image", "fault"),
    [
        (lambda: lit(2, 500), CornerFault.BRIGHT),
        (lambda: lit(2, -1), CornerFault.DARK),
        (lambda: covered(2), CornerFault.COVERED),
        (lambda: table_picture()[:, :1560].copy(), CornerFault.OUTSIDE),
    ],
)
def test_a_missing_corner_is_diagnosed(image: Callable[[], Image], fault: CornerFault) -> None:
    found, _ = look(image())
    assert found[2] is fault
    assert found[3] is None


def test_poor_pictures_are_named() -> None:
    assert look(table_picture()) == ([None] * 4, set())
    dim = (table_picture() * 0.2).astype(np.uint8)
    assert PictureFault.DARK in look(dim)[1]
    mirrored = np.ascontiguousarray(table_picture()[:, ::-1])
    assert look(mirrored) == ([None] * 4, {PictureFault.MIRRORED})


@pytest.mark.parametrize(
    ("trouble", "source", "kind"),
    [
        (Trouble(verbatim("x; y"), black=True), "0", PictureFault.BLACK),
        (Trouble(verbatim("x; y")), "http://a/", PictureFault.NO_STREAM),
        (Trouble(verbatim("x; y")), "0", PictureFault.IN_USE),
        (Trouble(verbatim("x; y")), "3", PictureFault.NO_CAMERA),
        (Trouble(verbatim("x; y")), "/photos/tabel", PictureFault.NO_FILE),
        (Trouble(verbatim("x; y")), "evening.mp4", PictureFault.NO_FILE),
        (Trouble(verbatim("x; y"), over=True), "a.mp4", PictureFault.ENDED),
    ],
)
def test_each_trouble_has_its_picture(trouble: Trouble, source: str, kind: PictureFault) -> None:
    assert kind_of_trouble(trouble, source, frozenset({"0"})) is kind


def test_corners_can_be_shown_by_hand(seat: Seat) -> None:
    camera_thread = seat.open(first=covered(0, 1, 2, 3))
    camera_thread.start("0")
    seat.wait(lambda: camera_thread.latest is not None and camera_thread.latest.frame is not None)
    for corner, (x, y) in zip(Corner, CORNERS, strict=True):
        shown = camera_measure.show_corner(camera_thread, corner, x / 1919, y / 1079)
        assert not shown.found
    seat.wait_for_ships()
    seat.cameras[0].sends = table_picture()
    seat.wait(lambda: seat.status.corners == ("seen",) * 4)
    true = camera_measure.show_corner(camera_thread, Corner.FAR_LEFT, 0.18, 0.1)
    assert true.found
    assert (true.x_px, true.y_px) == pytest.approx((342.5, 107.4), abs=0.5)
    camera_measure.forget_corners(camera_thread)
    assert not camera_thread.memory.setup.corners


def test_corners_in_the_wrong_order_make_no_table(seat: Seat) -> None:
    camera_thread = seat.open(first=covered(0, 1, 2, 3))
    camera_thread.start("0")
    seat.wait(lambda: camera_thread.latest is not None and camera_thread.latest.frame is not None)
    for corner, (x, y) in zip(Corner, CORNERS[::-1], strict=False):
        if corner is Corner.FAR_LEFT:
            break
        camera_measure.show_corner(camera_thread, corner, x / 1919, y / 1079)
    with pytest.raises(DreyerError, match=r"vision\.corners\.crossed"):
        camera_measure.show_corner(camera_thread, Corner.FAR_LEFT, CORNERS[0][0] / 1919, 0.87)


def test_a_measured_camera_is_kept_and_a_push_is_told(seat: Seat, tmp_path: Path) -> None:
    camera_thread = seat.open(tmp_path)
    with pytest.raises(DreyerError, match=r"camera\.no_picture"):
        camera_measure.measure(camera_thread)
    camera_thread.start("0")
    seat.wait_for_ships()
    measured = camera_measure.measure(camera_thread)
    assert measured.corners_found == 4
    assert (tmp_path / CALIBRATION_FILE).is_file()
    assert camera_thread.memory.setup.step is SetupStep.DONE
    camera_thread.close()
    again = Seat()
    pushed = np.roll(table_picture(), 9, axis=1)
    other = again.open(tmp_path, first=pushed)
    other.resume()
    try:
        again.wait(lambda: again.status.words.code == "calibration.stale.moved")
        assert again.status.state == "live"
    finally:
        other.close()


def looks_large(camera_thread: CameraThread) -> bool:
    preview = camera_thread.preview()
    return preview is not None and (preview.size_factor or 0) > 1.05


def test_a_known_distance_is_compared(seat: Seat) -> None:
    camera_thread = seat.open()
    camera_thread.start("0")
    seat.wait_for_ships()
    seat.wait(lambda: len(camera_measure.markers_in_sight(camera_thread)) == 8)
    keys = {marker.name: marker.key for marker in camera_measure.markers_in_sight(camera_thread)}
    one, other = seat.ships["Hood"].pose, seat.ships["Bismarck"].pose
    true = float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
    good = camera_measure.known_distance(
        camera_thread, keys["Hood"], keys["Bismarck"], true * 1.004
    )
    assert abs(good.off) < 0.006
    assert camera_measure.advice_on(camera_thread, good) == ()
    # The tape says less: the markers' apparent size agrees with the table as it was typed in.
    wrong = camera_measure.known_distance(camera_thread, keys["Hood"], keys["Bismarck"], true * 0.9)
    advice = [each.what for each in camera_measure.advice_on(camera_thread, wrong)]
    assert advice[0] == "height"
    assert "again" in advice
    # Now a table that was said to be a tenth too large.
    seat.table.edges = TableSize(SIZE.width_mm * 1.1, SIZE.height_mm * 1.1)
    seat.wait(lambda: seat.ships["Hood"].pose.x_mm > 1.05 * one.x_mm)
    seat.wait(lambda: looks_large(camera_thread))
    large = camera_measure.known_distance(camera_thread, keys["Hood"], keys["Bismarck"], true)
    first = camera_measure.advice_on(camera_thread, large)[0]
    assert first.what == "table"
    assert first.width_inches == pytest.approx(72, rel=0.01)
    with pytest.raises(DreyerError, match=r"camera\.distance\.same"):
        camera_measure.known_distance(camera_thread, keys["Hood"], keys["Hood"], 1.0)
    with pytest.raises(DreyerError, match=r"camera\.distance\.out_of_sight"):
        camera_measure.known_distance(camera_thread, keys["Hood"], "99", 1.0)


def test_the_page_says_buttons_where_the_command_line_says_commands() -> None:
    said = words(Message("vision.calibrate.no_focal"))
    assert "--" not in said
    assert "lens board" in said


# Plain counters


def test_plain_counters_are_named_once_and_keep_their_names(seat: Seat) -> None:
    camera_thread = seat.open(first=table_with_counters())
    camera_thread.memory.change(plain=True)
    camera_thread.start("0")
    seat.wait(
        lambda: (
            camera_thread.latest is not None and len(camera_thread.latest.snapshot.counters) == 2
        )
    )
    assert camera_thread.latest is not None
    counters = {round(c.pose.x_mm, -2): c.key for c in camera_thread.latest.snapshot.counters}
    camera_measure.name_counter(camera_thread, counters[600], "Hood", camera_measure.Bow.RIGHT)
    seat.wait(lambda: "Hood" in seat.ships)
    assert seat.ships["Hood"].pose.heading_deg == pytest.approx(80, abs=2)
    # Other settings are another tracker: she is known by where she stands.
    camera_thread.memory.change(height_mm=1.0)
    seat.wait(
        lambda: camera_thread.memory.setup.height_mm == 1.0 and counter_named(camera_thread, "Hood")
    )
    with pytest.raises(DreyerError, match=r"camera\.counter\.out_of_sight"):
        camera_measure.name_counter(camera_thread, 999, "Hood", camera_measure.Bow.UP)
    with pytest.raises(DreyerError, match="Yamato"):
        camera_measure.name_counter(
            camera_thread, counter_key(camera_thread), "Yamato", camera_measure.Bow.UP
        )


def counter_named(camera_thread: CameraThread, name: str) -> bool:
    seen = camera_thread.latest
    return seen is not None and any(c.name == name for c in seen.snapshot.counters)


def counter_key(camera_thread: CameraThread) -> int:
    assert camera_thread.latest is not None
    return camera_thread.latest.snapshot.counters[0].key
