"""Plain counters that were given names: a restarted server knows them by where they stand."""

from pathlib import Path

import pytest

from tabletop.errors import DreyerError
from tests.web.camera.test_camera_thread import Seat, counter_named
from tests.web.pictures import table_with_counters
from web.camera import measurement as camera_measure
from web.camera.settings import CameraSetup, read_setup, write_setup
from web.camera.storage import SETUP_FILE


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


def test_the_file_keeps_counters_and_names_its_faults() -> None:
    setup = CameraSetup(counters={"Hood": (600.0, 400.5, 80.0), 'HMS "X"': (1.0, 2.0, 3.0)})
    assert read_setup(write_setup(setup).encode(), SETUP_FILE) == setup
    for wrong in ("[1, 2]", "[1, 2, nan]", "['a', 2, 3]", "7"):
        with pytest.raises(DreyerError, match="Hood"):
            read_setup(f"[counters]\nHood = {wrong}\n".encode(), SETUP_FILE)
