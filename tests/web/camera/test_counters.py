"""Plain counters that were given names: a restarted server knows them by where they stand."""

from pathlib import Path

import pytest
from flask import Flask

from tabletop.errors import DreyerError
from tests.web.camera.test_camera_thread import Seat, counter_named
from tests.web.phones import host_of, running_in
from tests.web.pictures import table_with_counters
from web.camera import measurement as camera_measure
from web.camera.settings import CameraSetup, read_setup, write_setup
from web.camera.storage import SETUP_FILE
from web.table.moment import CameraHealth, CameraStatus, CarriedCounter, UnknownMarker


def test_names_of_counters_outlast_the_server(tmp_path: Path) -> None:
    first = Seat()
    camera_thread = first.open(tmp_path, table_with_counters())
    camera_thread.memory.change(plain=True)
    camera_thread.start("0")
    first.wait(
        lambda: (
            camera_thread.latest is not None and len(camera_thread.latest.snapshot.counters) == 2
        )
    )
    assert camera_thread.latest is not None
    counters = {round(c.pose.x_mm, -2): c.key for c in camera_thread.latest.snapshot.counters}
    camera_measure.name_counter(camera_thread, counters[600], "Hood", camera_measure.Bow.RIGHT)
    first.wait(lambda: "Hood" in camera_thread.memory.setup.counters)
    camera_thread.close()

    second = Seat()
    again = second.open(tmp_path, table_with_counters())
    again.resume()
    try:
        second.wait(lambda: counter_named(again, "Hood") and "Hood" in second.ships)
        assert second.ships["Hood"].pose.heading_deg == pytest.approx(80, abs=2)
    finally:
        again.close()


def test_one_put_elsewhere_is_offered_and_named_in_one_tap() -> None:
    first = Seat()
    camera_thread = first.open(None, table_with_counters())
    camera_thread.memory.change(plain=True)
    camera_thread.start("0")
    try:
        first.wait(
            lambda: (
                camera_thread.latest is not None
                and len(camera_thread.latest.snapshot.counters) == 2
            )
        )
        assert camera_thread.latest is not None
        keys = {round(c.pose.x_mm, -2): c.key for c in camera_thread.latest.snapshot.counters}
        camera_measure.name_counter(camera_thread, keys[600], "Hood", camera_measure.Bow.RIGHT)
        first.wait(lambda: "Hood" in first.ships and first.status.carried == ())
        # No hand is in the picture, so nobody can say how she came there.
        first.cameras[-1].sends = table_with_counters((900.0, 900.0, 110.0))
        first.wait(lambda: any(each.may_be == ("Hood",) for each in first.status.carried))
        asked = next(each for each in first.status.carried if each.may_be)
        camera_measure.name_counter(camera_thread, asked.key, "Hood", None)
        first.wait(lambda: first.status.carried == ())
        first.wait(lambda: abs(first.ships["Hood"].pose.x_mm - 900) < 2)
        # Her bow is where it was, as nearly as the new place allows.
        assert first.ships["Hood"].pose.heading_deg == pytest.approx(110, abs=2)
    finally:
        camera_thread.close()


def test_the_tables_page_asks_in_one_tap(app: Flask) -> None:
    status = CameraStatus(CameraHealth.LIVE, carried=(CarriedCounter(7, ("Hood",)),))
    host = host_of(app)
    running_in(app).session.update_camera(status, None)
    part = host.get("/table/camera").text
    assert "/api/camera/counter" in part
    assert "&#34;Hood&#34;" in part
    assert host.get("/api/view").get_json()["camera"]["carried"] == [{"key": 7, "may_be": ["Hood"]}]


def test_the_tables_page_asks_who_a_half_hidden_marker_is(app: Flask) -> None:
    marker = UnknownMarker(3, 34, 12, ("Bismarck", "Hood"))
    host = host_of(app)
    running_in(app).session.update_camera(CameraStatus(CameraHealth.LIVE, unknown=(marker,)), None)
    part = host.get("/table/camera").text
    assert part.count("/api/camera/unknown") == 2
    assert "34 in from the left and 12 in" in part
    asked = host.get("/api/view").get_json()["camera"]["unknown"]
    assert asked == [{"key": 3, "x_inches": 34, "y_inches": 12, "may_be": ["Bismarck", "Hood"]}]
    # Nobody looks through a camera here.
    refused = host.post("/api/camera/unknown", {"key": 3, "ship": "Hood"})
    assert refused.status_code == 400


def test_the_file_keeps_counters_and_names_its_faults() -> None:
    setup = CameraSetup(counters={"Hood": (600.0, 400.5, 80.0), 'HMS "X"': (1.0, 2.0, 3.0)})
    assert read_setup(write_setup(setup).encode(), SETUP_FILE) == setup
    for wrong in ("[1, 2]", "[1, 2, nan]", "['a', 2, 3]", "7"):
        with pytest.raises(DreyerError, match="Hood"):
            read_setup(f"[counters]\nHood = {wrong}\n".encode(), SETUP_FILE)
