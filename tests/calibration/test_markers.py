"""Which tag is whom: the families, the ids left out, and the bits that OpenCV itself draws."""

import cv2
import numpy as np
import pytest

from calibration.charuco import CHARUCO_DICTIONARY_NAME, charuco_board, charuco_tags
from calibration.markers import (
    CORNER_IDS,
    FAMILIES,
    LARGE,
    SMALL,
    Corner,
    Family,
    dictionary,
    family_for,
    tag_bits,
)
from tabletop.errors import DreyerError


def test_ships_have_no_corner_ids_and_none_that_mislead() -> None:
    assert len(SMALL.ship_ids) == 42
    assert not {0, 1, 2, 3, 8, 9, 17, 47} & set(SMALL.ship_ids)
    assert LARGE.ship_ids == tuple(range(4, 250))


def test_corners_go_around_the_table() -> None:
    assert [CORNER_IDS[corner] for corner in Corner] == [0, 1, 2, 3]
    assert list(Corner) == ["near left", "near right", "far right", "far left"]


@pytest.mark.parametrize(("ships", "family"), [(0, SMALL), (42, SMALL), (43, LARGE), (246, LARGE)])
def test_the_family_has_enough_ids(ships: int, family: Family) -> None:
    assert family_for(ships) is family


def test_too_many_ships_is_one_clear_line() -> None:
    with pytest.raises(DreyerError, match=r"calibration\.markers\.too_many\(most=246, ships=247\)"):
        family_for(247)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_bits_are_what_opencv_reads_back(family: Family) -> None:
    detector = cv2.aruco.ArucoDetector(dictionary(family))
    for marker_id in (0, 3, family.size - 1):
        bits = tag_bits(family, marker_id)
        assert bits.shape == (family.modules, family.modules)
        assert not bits[0].any()
        assert not bits[:, -1].any()
        picture = np.pad(np.kron(255 * bits, np.ones((20, 20), np.uint8)), 40, constant_values=255)
        corners, ids, _ = detector.detectMarkers(picture)
        assert np.asarray(ids).ravel().tolist() == [marker_id]
        assert corners[0][0][0] == pytest.approx([40, 40], abs=1.5)


def test_bits_cannot_be_spoilt_by_a_caller() -> None:
    tag_bits(SMALL, 4)[:] = 1
    assert not tag_bits(SMALL, 4)[0].any()


def test_an_id_beyond_the_family_is_one_clear_line() -> None:
    with pytest.raises(DreyerError, match=r"no_such\(family='DICT_4X4_50', last=49, marker=50\)"):
        tag_bits(SMALL, 50)


def test_the_board_is_of_another_family_and_where_opencv_expects_it() -> None:
    assert CHARUCO_DICTIONARY_NAME not in FAMILIES
    tags = charuco_tags()
    assert len(tags) == 17
    assert (tags[0].x_mm, tags[0].y_mm, tags[0].size_mm) == (52.5, 17.5, 26.0)
    image = np.asarray(charuco_board().generateImage((500, 700)))
    for tag in tags:
        modules = len(tag.bits)
        for row, column in np.ndindex(modules, modules):
            x = tag.x_mm + (column + 0.5 - modules / 2) * tag.size_mm / modules
            y = tag.y_mm + (row + 0.5 - modules / 2) * tag.size_mm / modules
            seen = image[round(y / 0.35 - 0.5), round(x / 0.35 - 0.5)] > 127
            assert seen == bool(tag.bits[row, column])
