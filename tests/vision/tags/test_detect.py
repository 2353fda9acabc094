"""Coded markers in pictures: all of them, nobody else, and more of them than OpenCV finds."""

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.markers import LARGE, SMALL, dictionary, tag_bits
from vision.images import Image
from vision.synthetic.renderer import (
    CameraView,
    Rendered,
    RenderedMarker,
    RenderScene,
    Shadow,
    Surface,
    render,
)
from vision.tags.align import apply, to_tag_from_corners
from vision.tags.decode import identify, turned
from vision.tags.detect import detect


@cache
def table(surface: Surface = Surface.SEA, blur_px: float = 0.6, tag_mm: float = 25.0) -> Rendered:
    rng = np.random.default_rng(24)
    markers = tuple(
        RenderedMarker(
            SMALL.ship_ids[number],
            160 + 360 * (number % 5) + float(rng.uniform(-60, 60)),
            150 + 300 * (number // 5) + float(rng.uniform(-60, 60)),
            float(rng.uniform(0, 360)),
            tag_mm=tag_mm,
        )
        for number in range(20)
    )
    view = CameraView(
        blur_px=blur_px, noise=2, jpeg_quality=88, seed=24, shadow=(Shadow(600, 700),)
    )
    return render(RenderScene(markers, surface=surface), view)


def ids(frame: Rendered) -> set[int]:
    return {marker.id for marker in (*frame.truth.markers, *frame.truth.corners)}


@pytest.mark.parametrize(
    ("surface", "blur_px"),
    [(Surface.SEA, 0.6), (Surface.SEA, 1.1), (Surface.CHECKED, 0.6), (Surface.WOOD, 0.6)],
)
def test_all_are_found_and_nobody_else(surface: Surface, blur_px: float) -> None:
    frame = table(surface, blur_px)
    found = detect(frame.image, SMALL)
    assert {s.marker_id for s in found.sightings} == ids(frame)
    assert found.twice == ()
    truth = {m.id: m.corners_px for m in (*frame.truth.markers, *frame.truth.corners)}
    errors = np.stack([s.corners_px - truth[s.marker_id] for s in found.sightings])
    assert np.sqrt(np.mean(errors**2)) < 0.08
    assert np.abs(errors.mean(axis=(0, 1))).max() < 0.02


@pytest.mark.parametrize("refinement", [0, 1, 2, 3])
def test_at_least_what_opencv_finds(refinement: int) -> None:
    frame = table(blur_px=1.1)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = refinement
    detector = cv2.aruco.ArucoDetector(dictionary(SMALL), parameters)
    theirs = set(np.ravel(detector.detectMarkers(frame.image)[1]).tolist())
    ours = {s.marker_id for s in detect(frame.image, SMALL).sightings}
    assert theirs & ids(frame) <= ours


def test_regions_and_ids_narrow_the_search() -> None:
    frame = table()
    wanted = frame.truth.markers[3]
    x, y = wanted.corners_px.mean(axis=0)
    region = (int(x) - 30, int(y) - 30, int(x) + 30, int(y) + 30)
    found = detect(frame.image, SMALL, regions=[region, (-50, -50, 5, 5)])
    assert [s.marker_id for s in found.sightings] == [wanted.id]
    assert found.sightings[0].corners_px == pytest.approx(wanted.corners_px, abs=0.15)
    assert found.sightings[0].centre_px == pytest.approx([x, y], abs=0.3)
    only = detect(frame.image, SMALL, ids=[wanted.id], thorough=False)
    assert [s.marker_id for s in only.sightings] == [wanted.id]


def test_one_number_in_two_places_is_believed_in_neither() -> None:
    scene = RenderScene(
        (
            RenderedMarker(7, 500, 500, 10),
            RenderedMarker(7, 1200, 700, 80),
            RenderedMarker(11, 900, 300, 0),
        )
    )
    found = detect(render(scene, CameraView(blur_px=0.5)).image, SMALL)
    assert found.twice == (7,)
    assert {s.marker_id for s in found.sightings} == {0, 1, 2, 3, 11}


def test_the_large_family() -> None:
    scene = RenderScene(
        (RenderedMarker(200, 700, 500, 33), RenderedMarker(44, 300, 900, 200)), family=LARGE
    )
    found = detect(render(scene, CameraView(blur_px=0.5)).image, LARGE)
    assert {s.marker_id for s in found.sightings} == {0, 1, 2, 3, 44, 200}


def test_ordinary_pictures_hold_no_tags() -> None:
    rng = np.random.default_rng(4)
    for cells in (20, 60, 150):
        small = rng.integers(0, 2, (cells, cells * 16 // 9), dtype=np.uint8) * 200 + 20
        clutter = cv2.resize(small, (1280, 720), interpolation=cv2.INTER_NEAREST)
        soft = np.asarray(cv2.GaussianBlur(clutter, (0, 0), 0.8), dtype=np.uint8)
        assert len(detect(soft, SMALL).sightings) <= 1
    assert detect(np.zeros((480, 640, 3), np.uint8), SMALL).sightings == ()
    assert detect(rng.integers(0, 255, (480, 640), dtype=np.uint8), SMALL).sightings == ()


@pytest.mark.parametrize("family", [SMALL, LARGE], ids=lambda family: family.name)
def test_the_soft_reading_knows_everybody_in_every_turn(family: object) -> None:
    known = SMALL if family is SMALL else LARGE
    for marker_id in (0, 5, 13, 30, 46):
        bits = np.pad(tag_bits(known, marker_id), 1, constant_values=1)
        picture = np.kron(bits, np.ones((7, 7), np.uint8)) * 180 + 30
        blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.2), dtype=np.uint8)
        far = 7 * (known.modules + 1) - 0.5
        corners = np.array([[6.5, 6.5], [far, 6.5], [far, far], [6.5, far]])
        for start in range(4):
            quad = np.roll(corners, -start, axis=0)
            from_tag = np.asarray(np.linalg.inv(to_tag_from_corners(known, quad)))
            (answer,) = identify(blurred, known, from_tag[None])
            assert answer is not None
            assert answer[0] == marker_id
            assert turned(quad, answer[1]) == pytest.approx(corners)
            assert apply(from_tag, np.zeros((1, 2)))[0] == pytest.approx(corners.mean(axis=0))


def soft_tag(marker_id: int, module_px: int, blur_px: float, gamma: float = 1.0) -> Image:
    """A tag on its paper, blurred in the light and brightened by the camera afterwards."""
    bits = np.pad(tag_bits(SMALL, marker_id), 2, constant_values=1).astype(np.float64)
    light = np.kron(bits * 0.8 + 0.05, np.ones((module_px, module_px))) ** gamma
    seen = cv2.GaussianBlur(light, (0, 0), blur_px) ** (1 / gamma) * 255
    return np.asarray(seen, dtype=np.uint8)


@pytest.mark.parametrize("marker_id", [5, 14, 28, 39])
@pytest.mark.parametrize("gamma", [1.0, 2.2])
def test_a_soft_code_is_read_where_white_runs_over(marker_id: int, gamma: float) -> None:
    picture = soft_tag(marker_id, 5, 2.6, gamma)
    corners = np.array([[9.5, 9.5], [39.5, 9.5], [39.5, 39.5], [9.5, 39.5]])
    from_tag = np.asarray(np.linalg.inv(to_tag_from_corners(SMALL, corners)))
    assert identify(picture, SMALL, from_tag[None]) == [(marker_id, 0)]


def test_a_tag_in_deep_shade_is_found() -> None:
    shade = np.full((400, 600), 30, np.uint8)
    for k, marker_id in enumerate((4, 7, 33)):
        dim = soft_tag(marker_id, 3, 1.1) * 0.26
        shade[150 : 150 + len(dim), 100 + 150 * k : 100 + 150 * k + len(dim)] = dim
    noisy = shade + np.random.default_rng(4).normal(0, 1.0, shade.shape)
    found = detect(np.clip(noisy, 0, 255).astype(np.uint8), SMALL)
    assert {s.marker_id for s in found.sightings} == {4, 7, 33}


def test_tiles_do_not_crowd_out_soft_tags() -> None:
    cell = np.kron(np.indices((36, 64)).sum(axis=0) % 2, np.ones((20, 20))) * 140 + 60
    picture = np.asarray(cell, dtype=np.uint8)
    wanted = (4, 6, 13, 20, 26, 31)
    for k, marker_id in enumerate(wanted):
        tag = soft_tag(marker_id, 3, 1.3)
        picture[300 : 300 + len(tag), 90 + 190 * k : 90 + 190 * k + len(tag)] = tag
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.5), dtype=np.uint8)
    found = detect(soft, SMALL)
    assert {s.marker_id for s in found.sightings} == set(wanted)
