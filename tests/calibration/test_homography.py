"""The table's plane: pixels to millimetres and back, with heights, lenses and honest doubts."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Lens, LensSource, assumed_lens
from calibration.homography import (
    TablePlane,
    TableSize,
    camera_centre,
    focal_scale,
    refocused,
)
from calibration.planefit import PlaneFit, solve_plane
from calibration.planeproblem import SeenSquare
from tabletop.errors import DreyerError

Array = NDArray[np.float64]

TABLE = TableSize(1828.8, 1219.2)
BENT = (-0.12, 0.03, 0.0, 0.0, 0.0)


def camera(tilt_deg: float, height_mm: float = 1700.0) -> tuple[Array, Array]:
    """A rotation and a centre that look at the table's middle from the host's side."""
    tilt = math.radians(tilt_deg)
    middle = np.array([TABLE.width_mm / 2, TABLE.height_mm / 2, 0.0])
    centre = middle + np.array([0, -height_mm * math.tan(tilt), height_mm])
    ahead = (middle - centre) / np.linalg.norm(middle - centre)
    right = np.array([1.0, 0.0, 0.0])
    return np.stack([right, np.cross(ahead, right), ahead]), centre


def lens(**changes: object) -> Lens:
    values: dict[str, object] = {
        "width_px": 1920, "height_px": 1080, "fx_px": 1400.0, "fy_px": 1400.0,
        "cx_px": 959.5, "cy_px": 539.5, "focal_known": True, "source": LensSource.CHARUCO,
    }  # fmt: skip
    return Lens(**{**values, **changes})  # type: ignore[arg-type]


def project(points_mm: Array, tilt_deg: float, through: Lens) -> Array:
    rotation, centre = camera(tilt_deg)
    if points_mm.shape[-1] == 2:
        points_mm = np.concatenate([points_mm, np.zeros((*points_mm.shape[:-1], 1))], axis=-1)
    seen = (points_mm - centre) @ rotation.T
    return through.pixels(seen[..., :2] / seen[..., 2:])


def true_plane(tilt_deg: float, through: Lens) -> TablePlane:
    rotation, centre = camera(tilt_deg)
    to_rays = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ centre])
    return TablePlane(through, np.asarray(np.linalg.inv(to_rays)), centre)


def square(x: float, y: float, heading_deg: float, size_mm: float) -> Array:
    turn = math.radians(heading_deg)
    bow, right = (
        np.array([math.sin(turn), math.cos(turn)]),
        np.array([math.cos(turn), -math.sin(turn)]),
    )
    return np.array(
        [
            np.array([x, y]) + size_mm / 2 * (s * right + t * bow)
            for s, t in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
    )


def seen_table(
    tilt_deg: float,
    through: Lens,
    *,
    corners: tuple[int, ...] = (0, 1, 2, 3),
    ships: int = 15,
    noise_px: float = 0.0,
    turned_deg: float = 0.0,
    printed: float = 1.0,
) -> list[SeenSquare]:
    rng = np.random.default_rng(4)
    seen = []
    for number in corners:
        x, y = TABLE.corner_places_mm[number]
        turn = float(rng.normal(0, turned_deg))
        shape = project(square(x, y, turn, 60 * printed), tilt_deg, through)
        seen.append(SeenSquare(shape + rng.normal(0, noise_px, (4, 2)), 0.03, 60.0, (x, y)))
    for _ in range(ships):
        x, y = rng.uniform([100, 100], [1700, 1100])
        shape = project(square(x, y, float(rng.uniform(0, 360)), 30), tilt_deg, through)
        seen.append(SeenSquare(shape + rng.normal(0, noise_px, (4, 2)), 0.03, 30.0))
    return seen


GRID = np.array([[x, y] for x in (100.0, 900.0, 1700.0) for y in (100.0, 600.0, 1100.0)])


def worst_mm(fit: PlaneFit, tilt_deg: float, through: Lens) -> float:
    return float(np.abs(fit.plane.to_mm(project(GRID, tilt_deg, through)) - GRID).max())


def doubt_mm(plane: TablePlane) -> float:
    pixels = plane.to_px(GRID)
    moves = [variant.to_mm(pixels) - GRID for variant in plane.variants]
    return float(np.sqrt(sum(np.square(move).sum(axis=1) for move in moves)).max())


@pytest.mark.parametrize("bend", [(0.0,) * 5, BENT], ids=["straight", "bent"])
@pytest.mark.parametrize("height_mm", [0.0, 5.0, 40.0])
def test_pixels_and_millimetres_undo_each_other(bend: tuple[float, ...], height_mm: float) -> None:
    plane = true_plane(30, lens(distortion=bend))
    pixels = plane.to_px(GRID, np.full(len(GRID), height_mm))
    assert plane.to_mm(pixels, height_mm) == pytest.approx(GRID, abs=1e-6)


@pytest.mark.parametrize("height_mm", [5.0, 40.0])
def test_a_marker_on_a_base_is_moved_by_its_height(height_mm: float) -> None:
    through = lens(distortion=BENT)
    above = np.column_stack([GRID, np.full(len(GRID), height_mm)])
    pixels = project(above, 30, through)
    plane = true_plane(30, through)
    assert plane.to_mm(pixels, height_mm) == pytest.approx(GRID, abs=1e-6)
    flat = plane.to_mm(pixels)
    assert np.linalg.norm(flat - GRID, axis=1).mean() > height_mm * 0.5
    assert plane.camera_mm is not None
    share = height_mm / plane.camera_mm[2]
    assert flat + (plane.camera_mm[:2] - flat) * share == pytest.approx(GRID, abs=1e-6)


def test_the_camera_and_its_focal_length_show_in_a_tilted_table() -> None:
    rotation, centre = camera(30)
    to_rays = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ centre])
    assert camera_centre(to_rays * -3.7) == pytest.approx(centre)
    wrong_focal = np.diag([1.25, 1.25, 1.0]) @ to_rays
    assert focal_scale(wrong_focal) == pytest.approx(1.25)


def test_a_camera_overhead_does_not_show_its_focal_length() -> None:
    rotation, centre = camera(0)
    to_rays = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ centre])
    assert focal_scale(to_rays) is None
    fit = solve_plane(seen_table(0, lens(), noise_px=0.02), TABLE, assumed_lens(1920, 1080))
    assert fit.plane.camera_mm is None
    assert worst_mm(fit, 0, lens()) < 0.1
    told = solve_plane(
        seen_table(0, lens(), noise_px=0.02),
        TABLE,
        assumed_lens(1920, 1080),
        camera_height_mm=1700,
    )
    assert told.plane.camera_mm == pytest.approx(camera(0)[1], abs=8)


@pytest.mark.parametrize("tilt_deg", [0, 15, 30, 45])
def test_four_corners_give_the_plane(tilt_deg: float) -> None:
    fit = solve_plane(seen_table(tilt_deg, lens(), noise_px=0.02, ships=0), TABLE, lens())
    assert worst_mm(fit, tilt_deg, lens()) < 0.08
    assert fit.plane.camera_mm == pytest.approx(camera(tilt_deg)[1], abs=4)
    assert fit.plane.residual_px < 0.06


def test_corner_markers_may_be_turned_and_printed_a_little_small() -> None:
    seen = seen_table(30, lens(), turned_deg=0.6, printed=0.97)
    fit = solve_plane(seen, TABLE, lens())
    assert worst_mm(fit, 30, lens()) < 0.15
    assert fit.size_factor == pytest.approx(0.97, abs=0.002)


@pytest.mark.parametrize("corners", [(0, 1, 2), (1, 3), (2, 3)])
def test_fewer_corners_are_solved_and_doubted(corners: tuple[int, ...]) -> None:
    whole = solve_plane(seen_table(30, lens(), noise_px=0.02), TABLE, lens())
    fit = solve_plane(seen_table(30, lens(), corners=corners, noise_px=0.02), TABLE, lens())
    doubt = doubt_mm(fit.plane)
    assert doubt > 3 * doubt_mm(whole.plane)
    assert worst_mm(fit, 30, lens()) < 3 * doubt


def test_one_corner_is_too_few() -> None:
    with pytest.raises(DreyerError, match=r"calibration\.plane\.few\(found=1, needed=2\)"):
        solve_plane(seen_table(30, lens(), corners=(2,)), TABLE, lens())


@pytest.mark.parametrize("tilt_deg", [0, 30])
def test_a_bent_lens_shows_in_the_markers_and_is_adopted(tilt_deg: float) -> None:
    through = lens(distortion=BENT)
    fit = solve_plane(seen_table(tilt_deg, through, noise_px=0.02), TABLE, assumed_lens(1920, 1080))
    assert fit.lens_adopted
    assert fit.plane.lens.source is LensSource.TAGS
    assert worst_mm(fit, tilt_deg, through) < min(0.8, 3 * doubt_mm(fit.plane))
    straight = solve_plane(seen_table(tilt_deg, through, ships=0), TABLE, lens())
    assert worst_mm(straight, tilt_deg, through) > 3


@pytest.mark.parametrize("tilt_deg", [0, 30])
def test_a_good_lens_is_left_alone(tilt_deg: float) -> None:
    seen = seen_table(tilt_deg, lens(), noise_px=0.05)
    fit = solve_plane(seen, TABLE, assumed_lens(1920, 1080))
    assert not fit.lens_adopted
    assert fit.plane.lens.is_straight


def test_corner_markers_that_look_too_tall_do_not_bend_a_lens() -> None:
    # As a sharp picture of 4K does where their edges run along its rows.
    through = lens(width_px=3840, height_px=2160, fx_px=2800.0, fy_px=2800.0, cx_px=1919.5,
                   cy_px=1079.5)  # fmt: skip
    tall_px = np.array([[0, 0.05], [0, 0.05], [0, -0.05], [0, -0.05]])
    seen = [
        replace(
            one,
            corners_px=one.corners_px + (tall_px if number in (0, 1) else 0),
            sigma_px=0.018 if number < 4 else 0.03,
        )
        for number, one in enumerate(seen_table(50, through, noise_px=0.02))
    ]
    fit = solve_plane(seen, TABLE, assumed_lens(3840, 2160))
    assert not fit.lens_adopted
    assert worst_mm(fit, 50, through) < min(0.05, 2 * doubt_mm(fit.plane))


def test_a_known_focal_length_changes_nothing_on_the_table() -> None:
    through = lens(distortion=BENT)
    fit = solve_plane(seen_table(30, through), TABLE, assumed_lens(1920, 1080))
    assert fit.focal_scale is not None
    sharp = refocused(fit.plane, fit.focal_scale)
    pixels = project(GRID, 30, through)
    assert sharp.to_mm(pixels) == pytest.approx(fit.plane.to_mm(pixels), abs=1e-6)
    assert sharp.lens.fx_px == pytest.approx(1400, rel=0.01)
    assert sharp.lens.distortion[0] == pytest.approx(-0.12, abs=0.01)
    assert sharp.camera_mm == pytest.approx(camera(30)[1], rel=0.01)


def test_pixels_per_millimetre_shrink_with_distance() -> None:
    near, far = true_plane(30, lens()).px_per_mm(np.array([[900.0, 0.0], [900.0, 1200.0]]))
    assert near > far > 0


def quadrangle_of(x: float, y: float, heading_deg: float, size_mm: float, through: Lens) -> Array:
    """The corners of the quadrangle that a whole bent tag is taken for."""
    line = np.linspace(-0.5, 0.5, 7)
    grid = np.array([[a, b] for a in line for b in line])
    corners = square(x, y, heading_deg, size_mm)
    right, bow = corners[1] - corners[0], corners[0] - corners[3]
    places = np.array([x, y]) + grid[:, :1] * right + grid[:, 1:] * bow
    pixels = project(places, 20, through)
    u, v = (pixels - pixels.mean(axis=0)).T
    a, b = grid.T
    zero, one = np.zeros_like(a), np.ones_like(a)
    rows = np.concatenate(
        [
            np.column_stack([a, b, one, zero, zero, zero, -u * a, -u * b]),
            np.column_stack([zero, zero, zero, a, b, one, -v * a, -v * b]),
        ]
    )
    h = np.append(np.linalg.lstsq(rows, np.concatenate([u, v]), rcond=None)[0], 1.0).reshape(3, 3)
    ends = np.array([[-0.5, 0.5, 1], [0.5, 0.5, 1], [0.5, -0.5, 1], [-0.5, -0.5, 1]]) @ h.T
    return np.asarray(ends[:, :2] / ends[:, 2:] + pixels.mean(axis=0))


def test_a_tag_under_a_bent_lens_is_no_quadrangle_and_that_is_allowed_for() -> None:
    through = lens(fx_px=1000.0, fy_px=1000.0, distortion=(-0.25, 0.08, 0.0, 0.0, 0.0))
    rng = np.random.default_rng(4)
    seen = [
        SeenSquare(quadrangle_of(x, y, 0, 60, through), 0.02, 60.0, (float(x), float(y)))
        for x, y in TABLE.corner_places_mm
    ]
    for _ in range(15):
        x, y = rng.uniform([100, 100], [1700, 1100])
        shape = quadrangle_of(float(x), float(y), float(rng.uniform(0, 360)), 30, through)
        seen.append(SeenSquare(shape, 0.02, 30.0))
    fit = solve_plane(seen, TABLE, assumed_lens(1920, 1080))
    assert fit.lens_adopted
    assert worst_mm(fit, 20, through) < 0.03


def test_a_bent_tag_under_a_measured_lens_is_no_quadrangle_either() -> None:
    through = lens(fx_px=1000.0, fy_px=1000.0, distortion=(-0.25, 0.08, 0.0, 0.0, 0.0))
    seen = [
        SeenSquare(quadrangle_of(x, y, 0, 60, through), 0.02, 60.0, (float(x), float(y)))
        for x, y in TABLE.corner_places_mm
    ]
    assert worst_mm(solve_plane(seen, TABLE, through), 20, through) < 0.01


@pytest.mark.parametrize("ships", [0, 15])
@pytest.mark.parametrize("sigmas", [-1.5, 1.0])
def test_what_a_measured_lens_may_be_off_by_is_found_or_doubted(ships: int, sigmas: float) -> None:
    through = lens(distortion=(-0.25, 0.03, 0.0, 0.0, 0.0))
    doubts = (
        (2.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0, 0.01, -0.02, 0.0, 0.0),
        (0.0, 0.0, 3.0, -3.0, 0.0, 0.0, 0.0, 0.0),
    )
    measured = replace(through, doubts=doubts).shifted(np.array([sigmas, -sigmas, sigmas]))
    seen = seen_table(30, through, ships=ships, noise_px=0.02)
    fit = solve_plane(seen, TABLE, measured)
    believed = solve_plane(seen, TABLE, replace(measured, doubts=()))
    off = worst_mm(fit, 30, through)
    assert off < worst_mm(believed, 30, through)
    assert off < 2 * doubt_mm(fit.plane)
    assert fit.plane.lens.source is LensSource.CHARUCO
    # What the markers told of it is passed on, and what they left open.
    left = np.sqrt((np.array(fit.lens_doubts) ** 2).sum(axis=0))
    assert 0 < left[4] < 0.01


def test_a_lens_taken_from_the_markers_keeps_its_doubts() -> None:
    through = lens(distortion=BENT)
    fit = solve_plane(seen_table(30, through, noise_px=0.03), TABLE, assumed_lens(1920, 1080))
    assert fit.focal_scale is not None
    sharp = refocused(fit.plane, fit.focal_scale).lens
    left = np.sqrt((np.array(fit.lens_doubts) ** 2).sum(axis=0))
    assert (np.abs(sharp.doubted - through.doubted) < 3 * left + 1e-6).all()
    again = solve_plane(
        seen_table(30, through, ships=0, noise_px=0.03),
        TABLE,
        replace(sharp, doubts=fit.lens_doubts),
    )
    assert worst_mm(again, 30, through) < 2 * doubt_mm(again.plane)


@pytest.mark.parametrize("tilt_deg", [0, 20])
def test_a_lens_may_sit_off_the_pictures_middle(tilt_deg: float) -> None:
    through = lens(distortion=(-0.24, 0.05, 0.0, 0.0, 0.0), cx_px=984.5, cy_px=549.5)
    fit = solve_plane(seen_table(tilt_deg, through, noise_px=0.02), TABLE, assumed_lens(1920, 1080))
    assert worst_mm(fit, tilt_deg, through) < min(0.6, 2 * doubt_mm(fit.plane))


def test_a_lens_in_the_pictures_middle_is_taken_for_one() -> None:
    through = lens(distortion=(-0.2, 0.03, 0.0, 0.0, 0.0))
    seen = seen_table(30, through, noise_px=0.03)
    fit = solve_plane(seen, TABLE, assumed_lens(1920, 1080))
    assert fit.lens_adopted
    assert (fit.plane.lens.cx_px, fit.plane.lens.cy_px) == pytest.approx((959.5, 539.5), abs=2)
    assert worst_mm(fit, 30, through) < min(0.25, 2 * doubt_mm(fit.plane))


@pytest.mark.parametrize("k1", [0.0, -0.002, -0.004, -0.008])
def test_a_lens_too_straight_to_be_seen_bent_is_doubted_all_the_same(k1: float) -> None:
    through = lens(distortion=(k1, 0.0, 0.0, 0.0, 0.0))
    fit = solve_plane(seen_table(30, through, noise_px=0.04), TABLE, assumed_lens(1920, 1080))
    assert worst_mm(fit, 30, through) < 2 * doubt_mm(fit.plane)


def test_a_second_term_too_small_to_be_sure_of_is_doubted_too() -> None:
    for k2 in (-0.02, 0.0, 0.02):
        through = lens(distortion=(-0.06, k2, 0.0, 0.0, 0.0))
        fit = solve_plane(seen_table(30, through, noise_px=0.04), TABLE, assumed_lens(1920, 1080))
        assert worst_mm(fit, 30, through) < min(1.0, 2 * doubt_mm(fit.plane))


@pytest.mark.parametrize("tilt_deg", [0, 10, 20, 30])
@pytest.mark.parametrize("focal_px", [900.0, 1000.0, 1200.0])
def test_the_search_for_a_strong_lens_comes_to_its_end(tilt_deg: float, focal_px: float) -> None:
    through = lens(fx_px=focal_px, fy_px=focal_px, distortion=(-0.25, 0.08, 5e-4, -5e-4, 0.0))
    fit = solve_plane(seen_table(tilt_deg, through, noise_px=0.03), TABLE, assumed_lens(1920, 1080))
    assert worst_mm(fit, tilt_deg, through) < min(1.5, 2 * doubt_mm(fit.plane))


@pytest.mark.parametrize("bend", [(-0.3, 0.05, 0.0, 0.0, 0.0), (-0.25, -0.02, 0.0, 0.0, 0.0)])
@pytest.mark.parametrize("ships", [6, 15])
def test_a_strongly_bent_lens_is_solved_from_few_markers(
    bend: tuple[float, float, float, float, float], ships: int
) -> None:
    # One linear step from a straight lens leads to a lens here that folds the picture over.
    through = lens(distortion=bend, fx_px=1000.0, fy_px=1000.0)
    fit = solve_plane(seen_table(15, through, ships=ships), TABLE, assumed_lens(1920, 1080))
    assert fit.lens_adopted
    assert worst_mm(fit, 15, through) < 0.2
