"""No ship's name stops the eyes: settings and marker files are read again as they were written."""

from dataclasses import replace

import pytest

from calibration.marker_file import read_marker_file
from calibration.marker_layout import MarkerOrder, lay_out_markers
from tests.web.phones import fresh_app, host_of, running_in
from web.camera.marker_pages import marker_file_bytes
from web.camera.settings import CameraSetup, read_setup, write_setup

NAMES = ("大和", "大" * 40, "Å" * 40, "e\u0301", "🚢", 'a"b\\c', "زبير", "a\u00a0b", "'", "x" * 40)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_with_any_name_is_seen_after_a_restart(name: str) -> None:
    app = fresh_app()
    host = host_of(app)
    response = host.post("/api/ships", {"name": name})
    if response.status_code == 400:
        # A name that the table takes is one that the markers take, too.
        assert not name.isprintable()
        return
    taken = next(iter(set(running_in(app).session.moment.state.pieces) - set(_demo())))
    marker_set = lay_out_markers(MarkerOrder((taken,))).marker_set
    assert taken in read_marker_file(marker_file_bytes(marker_set), "sheets.json").names.values()
    setup = replace(CameraSetup(), markers={30: taken})
    assert dict(read_setup(write_setup(setup).encode(), "camera.toml").markers) == {30: taken}
    assert host.get("/sheets.pdf").status_code == 200


def _demo() -> tuple[str, ...]:
    return ("Hood", "Prince of Wales", "Bismarck", "Prinz Eugen")
