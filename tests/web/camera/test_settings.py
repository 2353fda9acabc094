"""What a camera's set-up remembers: written, read again, and refused where it is wrong."""

import pytest

from calibration.calibration_file import UNMEASURED_PRINT, measured_print
from calibration.homography import HandCorner
from calibration.markers import Corner
from tabletop.errors import DreyerError
from web.camera.settings import CameraSetup, KnownDistance, SetupStep, read_setup, write_setup


def test_the_set_up_survives_its_file() -> None:
    setup = CameraSetup(
        source='http://a/"b"',
        step=SetupStep.CORNERS,
        bar_mm=101.5,
        paper="letter",
        height_mm=3.0,
        heights_mm={"BB": 5.5, "other": 0.0},
        camera_height_mm=1400.0,
        markers={12: "Öland"},
        corners={Corner.FAR_RIGHT: HandCorner(10.5, 20.0, found=True)},
        distance=KnownDistance("Hood", "marker 12", 500.0, 503.0),
    )
    again = read_setup(write_setup(setup).encode(), "camera.toml")
    assert write_setup(again) == write_setup(setup)
    assert dict(again.markers) == {12: "Öland"}
    assert again.corners[Corner.FAR_RIGHT].found
    assert again.distance is not None
    assert again.distance.off == pytest.approx(0.006)


def test_a_bar_of_100_mm_is_known_only_where_it_was_measured() -> None:
    assert read_setup(b"", "camera.toml").print_scale == UNMEASURED_PRINT
    measured = read_setup(write_setup(CameraSetup(bar_mm=100.0)).encode(), "camera.toml")
    assert measured.print_scale == measured_print(1.0)
    # Older versions wrote 100 for everybody.
    assert read_setup(b"bar_mm = 100.0", "camera.toml").bar_mm is None
    assert read_setup(b"bar_mm = 98.5", "camera.toml").print_scale == measured_print(0.985)


@pytest.mark.parametrize(
    "text",
    ["bar_mm = 80", "bar_mm = nan", 'step = "x"', "[markers]\n2 = 'Hood'", "[heights]\nBB = -1",
     "[corners]\nfar_right = [1, 2]", "colour = 1", "[markers]\nx = 'Hood'"],
)  # fmt: skip
def test_a_wrong_set_up_file_is_refused(text: str) -> None:
    with pytest.raises(DreyerError, match=r"camera\.toml"):
        read_setup(text.encode(), "camera.toml")
