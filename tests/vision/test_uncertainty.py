"""The truth lies within 2 σ: a sample of `benchmarks/uncertainty.py`, whose table is larger."""

import numpy as np

from benchmarks.uncertainty import SHIPS, SIZES, calibrations, compare, frame_of, webcam_picture


def test_what_nobody_measured_is_part_of_the_uncertainty() -> None:
    frame = frame_of(SIZES[0], 30.0, 1)
    # The base, the lens and the print are not what the program takes them for.
    assert frame.base_mm > 1
    assert abs(frame.print_factor - 1) > 0.003
    assert frame.camera.distortion.any()
    picture = webcam_picture(frame, SIZES[0], 1, clipped=True)
    unmeasured, measured = (compare(frame, picture, each) for each in calibrations(frame, 1))
    for tally in (unmeasured, measured):
        assert len(tally.places_mm) >= 0.9 * SHIPS
        assert tally.wrong == 0
        assert np.mean(np.array(tally.place_sigmas) < 2) >= 0.9
        assert np.mean(np.array(tally.heading_sigmas) < 2) >= 0.9
    # Without their part of σ the errors would not be within it.
    assert np.median(unmeasured.places_mm) > 5 * np.median(measured.places_mm)
