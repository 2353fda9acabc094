"""The renderer: its truth is exact, its pictures are repeatable, each effect does something."""

import hashlib
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.markers import SMALL, Corner, dictionary
from tabletop.errors import DreyerError
from vision.synthetic.renderer import (
    CameraView,
    Glare,
    Rendered,
    RenderedCounter,
    RenderedHand,
    RenderedMarker,
    RenderScene,
    Shadow,
    Silhouette,
    Surface,
    TrueMarker,
    fitted,
    render,
    true_camera,
)

SMALL_VIEW = CameraView(width_px=640, height_px=360)
LENS = {"k1": -0.12, "k2": 0.03, "p1": 0.002, "p2": -0.001}
VIEWS = {
    "overhead": CameraView(tilt_deg=0),
    "tilted": CameraView(tilt_deg=35, pan_deg=20, roll_deg=4),
    "bent": CameraView(tilt_deg=25, **LENS),  # type: ignore[arg-type]
    "mirrored": CameraView(tilt_deg=20, k1=0.05, mirrored=True),
}


def ships(count: int, height_mm: float = 5.0, tag_mm: float = 30.0) -> tuple[RenderedMarker, ...]:
    rng = np.random.default_rng(7)
    return tuple(
        RenderedMarker(
            id=marker_id,
            x_mm=200 + (k % 5) * 350 + rng.uniform(-50, 50),
            y_mm=200 + (k // 5) * 260 + rng.uniform(-50, 50),
            heading_deg=rng.uniform(0, 360),
            tag_mm=tag_mm,
            height_mm=height_mm,
            name=f"Ship {k}",
            colour=("blue", "orange", "")[k % 3],
            silhouette=list(Silhouette)[k % len(Silhouette)],
        )
        for k, marker_id in enumerate(SMALL.ship_ids[:count])
    )


def digest(rendered: Rendered) -> str:
    return hashlib.sha256(rendered.image.tobytes()).hexdigest()


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_projecting_and_back(view: CameraView) -> None:
    camera = true_camera(view, 1829, 1219)
    rng = np.random.default_rng(1)
    points = np.column_stack([rng.uniform(0, 1829, 50), rng.uniform(0, 1219, 50), np.full(50, 7.0)])
    pixels = camera.project(points)
    assert np.abs(camera.unproject(pixels, 7.0) - points[:, :2]).max() < 1e-7


@pytest.mark.parametrize("name", ["overhead", "tilted", "bent"])
def test_the_camera_is_the_one_opencv_knows(name: str) -> None:
    camera = true_camera(VIEWS[name], 1829, 1219)
    points = np.array([[0.0, 0, 0], [1829, 0, 0], [1829, 1219, 20], [0, 1219, 0], [700, 300, 50]])
    theirs, _ = cv2.projectPoints(
        points, camera.rotation_vector, camera.translation, camera.matrix, camera.distortion
    )
    ours = camera.project(points)
    assert np.abs(theirs[:, 0] - ours).max() < 1e-8
    ideal = cv2.undistortPointsIter(
        ours[:, None],
        camera.matrix,
        camera.distortion,
        np.eye(3),
        np.eye(3),
        (cv2.TERM_CRITERIA_COUNT, 100, 0.0),
    )
    assert np.abs(ideal[:, 0] - camera.rays(ours)).max() < 1e-8


def test_seen_from_the_host_the_table_is_the_right_way_round() -> None:
    truth = render(RenderScene(), SMALL_VIEW).truth
    places = {marker.name: marker.corners_px.mean(axis=0) for marker in truth.corners}
    near_left, far_right = places[Corner.NEAR_LEFT], places[Corner.FAR_RIGHT]
    assert near_left[0] < far_right[0]
    assert near_left[1] > far_right[1]
    # The first corner of a tag is its upper left.
    first = truth.corners[0].corners_px
    assert (first[0] < first[2]).all()
    assert truth.camera.centre_mm[1] < 1219 / 2
    assert truth.camera.centre_mm[2] > 500


@pytest.mark.parametrize("tilt_deg", [0, 30, 45, 60])
@pytest.mark.parametrize("k1", [0.0, -0.15, 0.1])
def test_the_fitted_camera_sees_the_whole_table_and_little_else(tilt_deg: float, k1: float) -> None:
    truth = render(RenderScene(), replace(SMALL_VIEW, tilt_deg=tilt_deg, k1=k1)).truth
    assert all(corner.seen for corner in truth.corners)
    rim = np.concatenate([corner.corners_px for corner in truth.corners])
    assert np.ptp(rim, axis=0).max() > 0.6 * SMALL_VIEW.height_px


def test_a_fitted_view_has_a_height_and_an_aim() -> None:
    view = fitted(CameraView(), 1829, 1219)
    assert view.height_mm is not None
    assert 500 < view.height_mm < 3000
    given = fitted(replace(CameraView(), aim_x_mm=900.0, aim_y_mm=600.0), 1829, 1219)
    assert (given.aim_x_mm, given.aim_y_mm) == (900.0, 600.0)


def found_errors(rendered: Rendered) -> dict[int, np.ndarray[Any, Any]]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.minMarkerPerimeterRate = 0.01
    grey = cv2.cvtColor(rendered.image, cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(dictionary(SMALL), settings)
    corners, ids, _ = detector.detectMarkers(grey)
    truths: dict[int, TrueMarker] = {
        marker.id: marker for marker in (*rendered.truth.markers, *rendered.truth.corners)
    }
    return {
        int(i): quad[0] - truths[int(i)].corners_px
        for i, quad in zip(ids.ravel(), corners, strict=True)
    }


@pytest.mark.parametrize(
    "view",
    [
        CameraView(2560, 1440, tilt_deg=0),
        CameraView(2560, 1440, tilt_deg=30, k1=-0.1, k2=0.02, p1=0.001, blur_px=0.6),
    ],
    ids=["overhead", "tilted and bent"],
)
def test_tags_lie_where_the_truth_says(view: CameraView) -> None:
    rendered = render(RenderScene(ships(20, tag_mm=40)), view)
    errors = found_errors(rendered)
    assert len(errors) >= 22
    every = np.array(list(errors.values()))
    assert np.abs(every.mean(axis=(0, 1))).max() < 0.05
    assert np.abs(np.median(every, axis=(0, 1))).max() < 0.05
    assert np.sqrt((every**2).mean()) < 0.35


def edge_position(image: np.ndarray[Any, Any], row: int, left: int, right: int) -> float:
    """Where a white-to-black edge lies in a row, by how much white there is in all."""
    values = image[row, left : right + 1, 0].astype(float)
    white, black = values[0], values[-1]
    return float(left - 0.5 + ((values - black) / (white - black)).sum())


@pytest.mark.parametrize("shift_mm", [0.0, 0.13, 0.29, 0.41, 0.77])
def test_an_edge_along_the_pixels_is_exact(shift_mm: float) -> None:
    marker = RenderedMarker(4, 900 + shift_mm, 600, 0.0, silhouette=Silhouette.NONE)
    view = CameraView(640, 480, height_mm=400, tilt_deg=0, aim_x_mm=900, aim_y_mm=600)
    rendered = render(RenderScene((marker,)), view)
    (corners,) = (m.corners_px for m in rendered.truth.markers)
    left, top = corners[0]
    row = round((top + corners[3][1]) / 2)
    found = edge_position(rendered.image, row, round(left) - 3, round(left) + 3)
    # A pixel's value is rounded to one grey level in two hundred.
    assert found == pytest.approx(left, abs=0.02)


def test_the_same_seed_is_the_same_picture() -> None:
    scene = RenderScene(ships(4), hands=(RenderedHand(900, 400),))
    view = replace(SMALL_VIEW, noise=3.0, blur_px=0.5, jpeg_quality=80, seed=5)
    first = render(scene, view)
    assert digest(first) == digest(render(scene, view))
    assert digest(first) != digest(render(scene, replace(view, seed=6)))


@pytest.mark.parametrize(
    "change",
    [
        {"k1": -0.1},
        {"k2": 0.05},
        {"p1": 0.01},
        {"p2": 0.01},
        {"blur_px": 1.0},
        {"motion_blur_px": 5.0},
        {"motion_blur_px": 5.0, "motion_blur_deg": 90.0},
        {"noise": 3.0},
        {"vignette": 0.4},
        {"jpeg_quality": 60},
        {"light": 0.6},
        {"light_slope": 0.4},
        {"warmth": 0.6},
        {"glare": (Glare(900, 600),)},
        {"shadow": (Shadow(900, 600),)},
        {"roll_deg": 5.0},
        {"pan_deg": 30.0},
        {"mirrored": True},
    ],
    ids=lambda change: " ".join(change),
)
def test_every_effect_shows(change: dict[str, object]) -> None:
    scene = RenderScene(ships(3))
    base = replace(SMALL_VIEW, height_mm=1500.0)
    plain = render(scene, base).image.astype(int)
    changed = render(scene, replace(base, **change)).image.astype(int)  # type: ignore[arg-type]
    assert np.abs(changed - plain).mean() > 0.2


def test_what_each_effect_does() -> None:
    scene = RenderScene(ships(2))

    def picture(**change: object) -> np.ndarray[Any, Any]:
        view = replace(SMALL_VIEW, **change)  # type: ignore[arg-type]
        return cv2.cvtColor(render(scene, view).image, cv2.COLOR_BGR2GRAY).astype(float)

    plain = picture()
    assert cv2.Laplacian(picture(blur_px=2.0), cv2.CV_64F).std() < (
        0.6 * cv2.Laplacian(plain, cv2.CV_64F).std()
    )
    assert picture(light=0.0).max() == 0
    assert picture(vignette=0.5)[:20, :20].mean() < 0.7 * plain[:20, :20].mean()
    assert picture(glare=(Glare(914, 610, 200),)).max() >= 250
    shaded = picture(shadow=(Shadow(914, 610, 0, 600, 0.5),))
    assert shaded[180, 320] < 0.65 * plain[180, 320]
    noise = (picture(noise=4.0) - plain)[100:260, 100:540]
    assert abs(noise.mean()) < 0.3
    # Grey is the mean of three noisy channels.
    assert 0.8 < noise.std() < 4.0


def test_a_mirrored_picture_is_the_picture_mirrored() -> None:
    scene = RenderScene(ships(3))
    plain, mirrored = render(scene, SMALL_VIEW), render(scene, replace(SMALL_VIEW, mirrored=True))
    difference = plain.image[:, ::-1].astype(int) - mirrored.image
    assert np.abs(difference).mean() < 0.5
    flipped = plain.truth.markers[0].corners_px * (-1, 1) + (639, 0)
    assert np.allclose(flipped, mirrored.truth.markers[0].corners_px)


def test_hands_hide_what_the_truth_says() -> None:
    markers = (
        RenderedMarker(4, 600, 600, 20),
        RenderedMarker(5, 1200, 600, 70),
        RenderedMarker(6, 600, 250, 0),
        RenderedMarker(7, 1400, 610, 0, silhouette=Silhouette.NONE),
    )
    hand = RenderedHand(600, 600)
    scene = RenderScene(markers, hands=(hand,))
    view = CameraView(1280, 720, tilt_deg=10)
    rendered = render(scene, view)
    truth = rendered.truth
    assert truth.marker(4).visible == 0
    assert truth.marker(6).visible == 0, "the arm lies over her"
    assert truth.marker(7).seen
    assert not truth.marker(4).seen
    bare = render(replace(scene, hands=()), view)
    assert all(marker.seen for marker in bare.truth.markers if marker.id in (4, 6, 7))
    # What is not hidden has not changed, and what is hidden has.
    for marker in truth.markers:
        box = marker.corners_px
        (left, top), (right, bottom) = box.min(axis=0).astype(int), box.max(axis=0).astype(int)
        part = np.s_[top:bottom, left:right]
        changed = np.abs(rendered.image[part].astype(int) - bare.image[part]).mean()
        assert (changed > 20) == (marker.visible < 0.5)


def test_a_tag_half_out_of_the_picture_is_not_seen() -> None:
    view = CameraView(640, 360, height_mm=500, tilt_deg=0)
    truth = render(RenderScene((RenderedMarker(4, 914, 610, 0),)), view).truth
    assert truth.marker(4).seen
    assert not any(corner.seen for corner in truth.corners)
    edge = truth.camera.unproject(np.array([[0.0, 180.0]]))[0]
    moved = RenderedMarker(4, edge[0], edge[1], 0)
    half = render(RenderScene((moved,)), view).truth.marker(4)
    assert half.visible == pytest.approx(0.5, abs=0.1)


def test_a_base_in_front_hides_a_tag_behind() -> None:
    behind = RenderedMarker(4, 914, 610, 0)
    before = RenderedMarker(5, 914, 560, 90, height_mm=60)
    truth = render(RenderScene((behind, before)), CameraView(1280, 720, tilt_deg=60)).truth
    assert truth.marker(4).visible < 0.9
    assert truth.marker(5).seen


def test_a_plain_counter_has_a_white_stripe() -> None:
    counter = RenderedCounter(914, 610, 90, name="one")
    view = CameraView(1280, 720, tilt_deg=0, height_mm=500, aim_x_mm=914, aim_y_mm=610)
    rendered = render(RenderScene(counters=(counter,)), view)
    (truth,) = rendered.truth.counters
    middle = truth.corners_px.mean(axis=0).round().astype(int)
    ahead = (truth.corners_px[:2].mean(axis=0) * 0.7 + middle * 0.3).round().astype(int)
    assert rendered.image[middle[1], middle[0]].min() > 200
    assert rendered.image[ahead[1], ahead[0]].max() < 90
    assert truth.seen
    assert truth.name == "one"


@pytest.mark.parametrize("surface", list(Surface))
def test_every_surface_is_another_table(surface: Surface) -> None:
    image = render(RenderScene(surface=surface), SMALL_VIEW).image
    assert 20 < image.mean() < 220
    if surface is not Surface.SEA:
        assert digest(render(RenderScene(), SMALL_VIEW)) != digest(
            render(RenderScene(surface=surface), SMALL_VIEW)
        )


def test_corners_may_be_missing_or_lie_askew() -> None:
    scene = RenderScene(
        corners=(Corner.NEAR_LEFT, Corner.FAR_LEFT, Corner.FAR_RIGHT),
        lie_mm=((3.0, -2.0, 5.0),),
    )
    truth = render(scene, SMALL_VIEW).truth
    assert [corner.id for corner in truth.corners] == [0, 3, 2]
    first = truth.corners[0]
    assert (first.x_mm, first.y_mm, first.heading_deg) == (3.0, -2.0, 5.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CameraView(width_px=4), r"vision\.render\.size"),
        (lambda: CameraView(width_px=20_000, height_px=20_000), r"vision\.render\.size"),
        (lambda: CameraView(tilt_deg=85), r"vision\.render\.tilt"),
        (lambda: CameraView(height_mm=0), r"vision\.render\.height"),
        (lambda: render(RenderScene(), CameraView(k1=-0.9)), r"vision\.render\.folded"),
        (lambda: RenderedMarker(4, 0, 0, 0, tag_mm=0), r"vision\.render\.tag"),
        (lambda: RenderScene(table_width_mm=1), r"vision\.render\.table"),
    ],
)
def test_what_cannot_be_drawn_is_said(make: Any, message: str) -> None:
    with pytest.raises(DreyerError, match=message):
        make()
