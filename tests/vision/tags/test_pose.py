"""What is not known of a marker's height is part of its place's uncertainty."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Lens
from calibration.homography import TablePlane
from vision.tags.pose import height_sigma_mm, lens_sigma_mm

# A camera 2 m above the table's origin, with a focal length of 1,000 px: half a pixel to the mm.
LENS = Lens(1920, 1080, fx_px=1000.0, fy_px=1000.0, cx_px=960.0, cy_px=540.0)
OVERHEAD = TablePlane(LENS, np.diag([2000.0, -2000.0, 1.0]), np.array([0.0, 0.0, 2000.0]))
PLACES = np.array([[0.0, 0.0], [600.0, 800.0]])


def test_a_base_of_unknown_height_leans_away_from_the_camera() -> None:
    near, far = height_sigma_mm(OVERHEAD, PLACES, np.array([0.0, 0.0]), np.array([2.0, 2.0]))
    assert near == 0
    # 1,000 mm away from a camera 2,000 mm high: half of 2 mm, for two axes together.
    assert far == pytest.approx(1.2)


def test_a_camera_whose_height_nobody_said_makes_a_known_base_uncertain() -> None:
    unsaid = replace(OVERHEAD, camera_mm=None)
    heights, sigmas = np.array([6.0, 6.0]), np.array([0.1, 0.1])
    near, far = height_sigma_mm(unsaid, PLACES, heights, sigmas)
    assert near == pytest.approx(0.0, abs=1e-6)
    assert far == pytest.approx(3.6, rel=0.01)
    assert height_sigma_mm(OVERHEAD, PLACES, heights, sigmas)[1] == pytest.approx(0.06)


def test_a_lens_that_was_measured_leaves_what_it_does_not_explain() -> None:
    flat = np.zeros(2)
    shift = np.eye(3)
    shift[0, 2] = 1.0
    moved = replace(OVERHEAD, to_table=shift @ OVERHEAD.to_table)
    assert not lens_sigma_mm(replace(OVERHEAD, variants=(moved,)), PLACES, flat).any()
    bent = replace(OVERHEAD, lens=replace(LENS, distortion=(0.02, 0.0, 0.0, 0.0, 0.0)))
    near, far = lens_sigma_mm(replace(OVERHEAD, variants=(moved, bent)), PLACES, flat)
    assert near == pytest.approx(0.0, abs=1e-6)
    # A radius of half the focal length: 1,000 mm shift by 0.02 x 0.25 of themselves.
    assert far == pytest.approx(1.2 * 5.0, rel=0.05)
