"""The lens from a board, and the calibration file with all its checks."""

import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.calibration_file import (
    HEIGHT_SIGMA_MM,
    UNKNOWN_HEIGHT,
    UNMEASURED_PRINT,
    Calibration,
    measured_print,
    read_calibration,
    write_calibration,
)
from calibration.camera import Lens, LensSource, assumed_lens, board_corners, lens_from_board
from calibration.charuco import charuco_board
from calibration.homography import TablePlane, TableSize
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.strings import words

Array = NDArray[np.float64]
WRITTEN_EARLIER = Path(__file__).with_name("data").joinpath("camera-0.1.0.toml").read_text("utf-8")
"""`calibration()` as version 0.1.0 wrote it."""
LENS = Lens(
    1280, 720, 930.0, 925.0, 651.0, 352.0, (-0.2, 0.05, 0.001, -0.002, 0.0),
    LensSource.CHARUCO, True, 0.2,
    ((0.8, 0.7, 0.1, -0.2, 0.0, 0.001, 0.0, 1e-5), (0.0, 0.1, 0.9, 0.3, 0.002, -0.004, 0.0, 2e-5)),
)  # fmt: skip
PIXELS = np.random.default_rng(4).uniform([0, 0], [1279, 719], (200, 2))
TABLE = TableSize(1828.8, 1219.2)


def test_rays_and_pixels_undo_each_other() -> None:
    assert LENS.pixels(LENS.rays(PIXELS)) == pytest.approx(PIXELS, abs=1e-6)


def test_the_lens_is_opencvs() -> None:
    rays = LENS.rays(PIXELS)
    spots = np.column_stack([rays, np.ones(len(rays))])
    theirs = cv2.projectPoints(
        spots, np.zeros(3), np.zeros(3), LENS.matrix, np.array(LENS.distortion)
    )[0]
    assert theirs[:, 0] == pytest.approx(PIXELS, abs=1e-6)


def test_a_mirrored_lens_sees_mirrored_pixels() -> None:
    flipped = np.column_stack([1279 - PIXELS[:, 0], PIXELS[:, 1]])
    assert LENS.mirrored().rays(flipped) * [-1, 1] == pytest.approx(LENS.rays(PIXELS), abs=1e-9)
    both = np.array([1.5, -0.5])
    rays = LENS.shifted(both).rays(PIXELS)
    assert LENS.mirrored().shifted(both).rays(flipped) * [-1, 1] == pytest.approx(rays, abs=1e-9)


def test_a_lens_fits_the_same_picture_at_another_size() -> None:
    larger = LENS.resized(2560, 1440)
    assert larger is not None
    assert larger.rays(2 * PIXELS + 0.5) == pytest.approx(LENS.rays(PIXELS), abs=1e-9)
    both = np.array([1.5, -0.5])
    rays = LENS.shifted(both).rays(PIXELS)
    assert larger.shifted(both).rays(2 * PIXELS + 0.5) == pytest.approx(rays, abs=1e-9)
    assert LENS.resized(1280, 1024) is None


def board_views(count: int) -> list[tuple[Array, Array]]:
    """Pictures of the printed board from all sides, as an ideal camera takes them."""
    board = charuco_board()
    scale = 6.0
    columns, rows = board.getChessboardSize()
    side = board.getSquareLength()
    paper = board.generateImage(
        (round(columns * side * scale), round(rows * side * scale)), marginSize=0
    )
    grid = np.stack(np.meshgrid(np.arange(1280.0), np.arange(720.0)), axis=-1)
    rays = LENS.rays(grid.reshape(-1, 2))
    views = []
    for number in range(count):
        turn = np.array([0.5 * np.cos(number * 1.3), 0.5 * np.sin(number * 1.3), 0.4 * number])
        rotation = np.asarray(cv2.Rodrigues(turn)[0])
        middle = np.array([columns * side / 2, rows * side / 2, 0])
        offset = np.array([60 * np.cos(number * 2.1), 30 * np.sin(number * 2.1), 330.0])
        shift = offset - rotation @ middle
        to_rays = np.column_stack([rotation[:, 0], rotation[:, 1], shift])
        spots = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(to_rays).T
        spots = spots[:, :2] / spots[:, 2:] * scale - 0.5
        maps = spots.astype(np.float32).reshape(720, 1280, 2)
        picture = cv2.remap(
            paper,
            maps,
            np.empty(0),
            cv2.INTER_AREA,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=200,
        )
        view = board_corners(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), dtype=np.uint8))
        if view is not None:
            views.append(view)
    return views


def test_the_lens_from_pictures_of_the_board() -> None:
    views = board_views(8)
    assert len(views) == 8
    lens = lens_from_board(views, 1280, 720)
    assert lens.residual_px < 0.3
    assert lens.fx_px == pytest.approx(930, rel=0.01)
    assert (lens.cx_px, lens.cy_px) == pytest.approx((651, 352), abs=6)
    middle = PIXELS[np.abs(PIXELS - [640, 360]).max(axis=1) < 330]
    assert np.abs(lens.rays(middle) - LENS.rays(middle)).max() * 930 < 6


def computed_views(lens: Lens, count: int, distance_mm: float = 330.0) -> list[tuple[Array, Array]]:
    """The board's corners through a lens, with a tenth of a pixel of noise."""
    board, rng = charuco_board(), np.random.default_rng(5)
    places = np.asarray(board.getChessboardCorners(), dtype=np.float64)
    views = []
    for number in range(count):
        turn = np.array([0.5 * np.cos(number * 1.3), 0.5 * np.sin(number * 1.3), 0.4 * number])
        rotation = np.asarray(cv2.Rodrigues(turn)[0])
        offset = np.array([60 * np.cos(number * 2.1), 30 * np.sin(number * 2.1), distance_mm])
        seen = (places - places.mean(axis=0)) @ rotation.T + offset
        points = lens.pixels(seen[:, :2] / seen[:, 2:])
        views.append((points + rng.normal(0, 0.1, points.shape), places))
    return views


def test_the_third_radial_term_is_kept_only_where_it_helps() -> None:
    assert lens_from_board(computed_views(LENS, 12), 1280, 720).distortion[4] == 0
    wide = replace(LENS, fx_px=620.0, fy_px=620.0, distortion=(-0.3, 0.12, 0.0, 0.0, -0.06))
    found = lens_from_board(computed_views(wide, 12, 220.0), 1280, 720)
    assert found.distortion[4] == pytest.approx(-0.06, abs=0.03)


def test_a_lens_from_few_pictures_is_more_in_doubt() -> None:
    def errors(views: int) -> tuple[Array, Array]:
        lens = lens_from_board(computed_views(LENS, views), 1280, 720)
        axes = np.array(lens.doubts)
        off = LENS.doubted - lens.doubted
        return np.linalg.solve(axes.T, off), np.sqrt((axes**2).sum(axis=0))

    many, few = errors(16), errors(4)
    assert (few[1] > many[1]).all()
    for sigmas, _ in (many, few):
        # Eight independent errors of one σ each.
        assert 0.5 < float(sigmas @ sigmas) < 20


def test_too_few_views_of_the_board() -> None:
    with pytest.raises(DreyerError, match=r"calibration\.board\.few\(needed=4, views=0\)"):
        lens_from_board([], 1280, 720)
    assert board_corners(np.full((400, 400), 128, np.uint8)) is None


def calibration() -> Calibration:
    plane = TablePlane(LENS, np.array([[900.0, 3, 800], [2, -950, 600], [0, 0.1, 1]]),
                       np.array([900.0, -300, 1500]), (), 0.04)  # fmt: skip
    return Calibration(
        LENS, TABLE, measured_print(0.985), 4.0, {'Bismarck "B"': 9.5, "Hood": 6.0}, 1500.0,
        {0: (100.5, 600.25), 2: (1100.0, 90.0)}, plane, "1941-05-24",
    )  # fmt: skip


def test_a_calibration_survives_its_file() -> None:
    before = calibration()
    after = read_calibration(write_calibration(before).encode(), "camera.toml")
    assert after.lens == before.lens
    assert (after.print_scale, after.date) == (measured_print(0.985), "1941-05-24")
    assert after.table.height_mm == pytest.approx(1219.2)
    assert after.height_of("Hood").mm == 6.0
    assert after.height_of('Bismarck "B"').mm == 9.5
    assert after.height_of("Norfolk") == (4.0, HEIGHT_SIGMA_MM)
    assert after.corners_px == before.corners_px
    assert after.camera_height_mm == 1500.0
    assert before.plane is not None
    assert after.plane is not None
    assert after.plane.to_table == pytest.approx(before.plane.to_table)
    assert after.plane.camera_mm == pytest.approx([900, -300, 1500])


def test_a_file_of_version_0_1_0_says_the_same() -> None:
    before = read_calibration(WRITTEN_EARLIER.encode(), "camera.toml")
    again = read_calibration(write_calibration(before).encode(), "camera.toml")
    assert write_calibration(before) == write_calibration(again) == write_calibration(calibration())


def test_a_file_of_before_lenses_had_doubts_still_loads() -> None:
    text = WRITTEN_EARLIER
    start, end = text.index("doubts = ["), text.index("\n]\n") + 3
    old = read_calibration((text[:start] + text[end:]).encode(), "camera.toml")
    assert old.lens == replace(LENS, doubts=())


def test_the_least_calibration() -> None:
    before = Calibration(assumed_lens(1920, 1080), TABLE)
    after = read_calibration(write_calibration(before).encode(), "camera.toml")
    assert after.plane is None
    assert after.lens == before.lens
    assert after.height_of("anyone") == UNKNOWN_HEIGHT
    assert after.print_scale == UNMEASURED_PRINT


def test_a_print_that_was_measured_is_known_as_such() -> None:
    lens = assumed_lens(1920, 1080)
    whole = write_calibration(Calibration(lens, TABLE, measured_print(1.0)))
    assert read_calibration(whole.encode(), "camera.toml").print_scale == measured_print(1.0)
    # Older versions wrote 1 for everybody.
    older = whole.replace("print_scale_sigma = 0.0025\n", "")
    assert read_calibration(older.encode(), "camera.toml").print_scale == UNMEASURED_PRINT
    older = older.replace("print_scale = 1.0", "print_scale = 0.97")
    assert read_calibration(older.encode(), "camera.toml").print_scale == measured_print(0.97)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[lens]", "[lense]", r"unknown key 'lense'; the nearest known key is 'lens'"),
        ("fx_px = 930.0", "fx_px = -1", r"\[lens\]: fx_px: expected a number of pixels above 0"),
        ("fx_px = 930.0", "", r"\[lens\]: fx_px: .* the key is missing"),
        (
            "distortion = [-0.2,",
            "distortion = [",
            r"distortion: expected a list of 5 values, each a number",
        ),
        (
            "distortion = [-0.2",
            "distortion = [-2000.0",
            r"distortion 1: expected a number from -100 to 100",
        ),
        ("  [0.8, 0.7,", "  [0.8,", r"doubts 1: expected a list of 8 values, each a number"),
        (
            "  [0.8, 0.7,",
            "  [0.8, true,",
            r"doubts 1.2: expected a number from -1,000 to 1,000, got true",
        ),
        (
            "  [0.8, 0.7,",
            "  [0.8, nan,",
            r"doubts 1.2: expected a number from -1,000 to 1,000, got nan",
        ),
        ('source = "charuco"', 'source = "charuko"', r"did you mean 'charuco'"),
        ('"Hood" = 6.0', '"Hood" = -6.0', r"Hood: expected a number of mm above the table"),
        ("print_scale = 0.985", "print_scale = 98.5", r"print_scale: expected a number"),
        ("width_inches = 72.0", "width_inches = 0", r"width_inches: expected"),
        ("camera_mm = [900.0", 'camera_mm = ["x"', r"camera_mm 1: expected a number"),
        ("to_table = [900.0, 3.0, 800.0,", "to_table = [0.0, 0.0, 0.0,", r"that make a plane"),
    ],
)
def test_every_fault_of_the_file_is_named(old: str, new: str, message: str) -> None:
    assert old in WRITTEN_EARLIER
    with pytest.raises(DreyerError) as caught:
        read_calibration(WRITTEN_EARLIER.replace(old, new).encode(), "camera.toml")
    assert re.search(r"camera\.toml.*" + message, words(caught.value))


def test_another_toml_is_no_calibration() -> None:
    with pytest.raises(DreyerError, match=r"calibration\.file\.no_lens"):
        read_calibration(b"", "scene.toml")


def test_a_moved_camera_and_another_size_are_noticed() -> None:
    known = calibration()
    steady = {0: np.array([100.6, 600.0]), 2: np.array([1100.0, 90.5])}
    assert known.stale(1280, 720, steady) is None
    bumped = known.stale(1280, 720, {**steady, 2: np.array([1110.0, 90.0])})
    assert bumped == Message("calibration.stale.moved", pixels=10)
    other = known.stale(1920, 1080, steady)
    assert other == Message(
        "calibration.stale.size",
        measured_width=1280,
        measured_height=720,
        width=1920,
        height=1080,
    )
    assert replace(known, corners_px={}).stale(1280, 720, steady) is None
