"""The table from straight above: what lies where is where it was put."""

import numpy as np
import pytest

from calibration.camera import assumed_lens
from calibration.homography import TablePlane, TableSize
from vision.overhead import overhead

LENS = assumed_lens(1280, 720)
# One pixel to a millimetre, seen from straight above.
PLANE = TablePlane(
    LENS,
    np.array([[LENS.fx_px, 0, LENS.cx_px], [0, -LENS.fy_px, 719 - LENS.cy_px], [0, 0, 1.0]]),
    None,
)
TABLE = TableSize(1000, 600)


def picture() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A white square about x = 200, y = 100 mm on the table."""
    image = np.full((720, 1280, 3), 40, np.uint8)
    image[719 - 120 : 719 - 80, 180:220] = 255
    return image


@pytest.mark.parametrize("width_px", [500, 1000, 123])
def test_a_square_lies_where_it_was_put(width_px: int) -> None:
    found = overhead(picture(), PLANE, TABLE, width_px)
    assert found.shape == (round(width_px * 0.6), width_px, 3)
    rows, columns = np.nonzero(found[..., 0] > 150)
    scale = width_px / 1000
    assert columns.mean() / scale == pytest.approx(200, abs=3 + 1 / scale)
    assert 600 - rows.mean() / scale == pytest.approx(100, abs=3 + 1 / scale)
    assert np.ptp(columns) / scale == pytest.approx(40, abs=3 + 2 / scale)


def test_a_mirrored_picture_is_turned_first() -> None:
    flipped = np.ascontiguousarray(picture()[:, ::-1])
    found = overhead(flipped, PLANE, TABLE, 500, mirrored=True)
    assert np.array_equal(found, overhead(picture(), PLANE, TABLE, 500))


def test_what_the_picture_does_not_show_is_black() -> None:
    found = overhead(picture(), PLANE, TableSize(2000, 600), 500)
    assert (found[:, 400:] == 0).all()
    assert (found[:, :200] > 0).all()
