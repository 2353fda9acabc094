"""A picture becomes a table: accuracy, honesty and bad pictures, on rendered scenes."""

import math
import random
from functools import cache

import numpy as np
import pytest

from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import SMALL, Corner
from tabletop.angles import wrap_180
from tabletop.messages import Message, ShipRef
from vision.images import to_gray
from vision.locate import Located, called, locate
from vision.synthetic.renderer import (
    CameraView,
    Glare,
    RenderedHand,
    RenderedMarker,
    RenderScene,
    render,
)
from vision.tags.pose import TagGuess, measure

TABLE = TableSize(72 * 25.4, 48 * 25.4)
SHEET = default_marker_set()


def fleet(count: int, seed: int, tag_mm: float = 30.0) -> tuple[RenderedMarker, ...]:
    """Ships strewn over the table, none within reach of another."""
    chance = random.Random(seed)
    cells = chance.sample([(column, row) for column in range(8) for row in range(5)], count)
    return tuple(
        RenderedMarker(
            marker_id,
            150 + 205 * column + chance.uniform(-60, 60),
            150 + 215 * row + chance.uniform(-60, 60),
            chance.uniform(0, 360),
            tag_mm=tag_mm,
        )
        for marker_id, (column, row) in zip(SMALL.ship_ids, cells, strict=False)
    )


@cache
def seen(seed: int, tilt: float, k1: float, width: int) -> tuple[RenderScene, Located]:
    scene = RenderScene(fleet(12, seed))
    view = CameraView(width_px=width, height_px=width * 9 // 16, tilt_deg=tilt, k1=k1, seed=seed)
    return scene, locate(render(scene, view).image, SHEET, TABLE)


@pytest.mark.parametrize(
    ("seed", "tilt", "k1"), [(1, 30, 0.0), (2, 30, -0.08), (3, 0, 0.0), (4, 45, 0.0)]
)
def test_every_ship_is_named_and_in_its_place(seed: int, tilt: float, k1: float) -> None:
    scene, located = seen(seed, tilt, k1, 1920)
    assert located.problem is None
    assert located.corners_found == 4
    truth = {marker.id: marker for marker in scene.markers}
    assert {ship.id for ship in located.ships} == set(truth)
    off, turned = [], []
    for ship in located.ships:
        true = truth[ship.id]
        off.append(math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm))
        turned.append(abs(wrap_180(ship.pose.heading_deg - true.heading_deg)))
        assert off[-1] <= 4 * ship.pose.position_sigma_mm
    limit = 0.25 if tilt <= 30 else 0.5
    assert np.percentile(off, 95) <= limit
    assert np.percentile(turned, 95) <= 0.5


def test_a_mirrored_picture_is_turned_round_and_said() -> None:
    scene = RenderScene(fleet(4, 5))
    image = render(scene, CameraView(width_px=1280, height_px=720, mirrored=True)).image
    located = locate(image, SHEET, TABLE)
    assert located.mirrored
    assert Message("vision.locate.mirrored") in located.notes
    assert {ship.id for ship in located.ships} == {marker.id for marker in scene.markers}


def test_two_markers_of_one_number_are_both_refused() -> None:
    markers = fleet(3, 6)
    twin = RenderedMarker(markers[0].id, 1000, 1100, 0)
    image = render(RenderScene((*markers, twin)), CameraView()).image
    located = locate(image, SHEET, TABLE)
    assert markers[0].id not in {ship.id for ship in located.ships}
    assert "vision.locate.twice" in [note.code for note in located.notes]


def test_a_hand_and_a_glare_hide_but_never_mislead() -> None:
    markers = fleet(8, 7)
    hand = RenderedHand(markers[0].x_mm, markers[0].y_mm)
    glare = Glare(markers[1].x_mm, markers[1].y_mm)
    image = render(RenderScene(markers, hands=(hand,)), CameraView(glare=(glare,))).image
    truth = {marker.id: marker for marker in markers}
    for ship in locate(image, SHEET, TABLE).ships:
        true = truth[ship.id]
        assert math.hypot(ship.pose.x_mm - true.x_mm, ship.pose.y_mm - true.y_mm) < 2.0


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_empty_picture_is_told_in_words(level: int) -> None:
    located = locate(np.full((720, 1280, 3), level, dtype=np.uint8), SHEET, TABLE)
    assert located.ships == ()
    assert located.corners_found == 0
    assert located.problem


def test_three_corners_will_do_one_will_not() -> None:
    markers = fleet(4, 8)
    three = (Corner.NEAR_LEFT, Corner.NEAR_RIGHT, Corner.FAR_RIGHT)
    image = render(RenderScene(markers, corners=three), CameraView()).image
    located = locate(image, SHEET, TABLE)
    assert located.corners_found == 3
    assert len(located.ships) == 4
    lone = render(RenderScene(markers, corners=(Corner.NEAR_LEFT,)), CameraView()).image
    assert locate(lone, SHEET, TABLE).problem


def test_a_ship_put_in_anothers_place_is_not_taken_for_her() -> None:
    scene = RenderScene((RenderedMarker(30, 900, 600, 20),))
    image = render(scene, CameraView(blur_px=0.6, noise=1)).image
    plane = locate(image, SHEET, TABLE).plane
    assert plane is not None
    guesses = [TagGuess(number, 900.5, 600.2, 20.5, 30.0) for number in SMALL.ship_ids]
    poses = measure(to_gray(image), SMALL, plane, guesses)
    assert [pose.marker_id for pose in poses if pose is not None] == [30]


def test_a_known_ship_is_measured_without_being_searched_for() -> None:
    scene = RenderScene(fleet(12, 9))
    image = render(scene, CameraView(blur_px=0.6, noise=2, jpeg_quality=88)).image
    plane = locate(image, SHEET, TABLE).plane
    assert plane is not None
    guesses = [
        TagGuess(m.id, m.x_mm + 1.5, m.y_mm - 1.2, m.heading_deg + 3, 30.0) for m in scene.markers
    ]
    for marker, pose in zip(
        scene.markers, measure(to_gray(image), SMALL, plane, guesses), strict=True
    ):
        assert pose is not None
        assert math.hypot(pose.x_mm - marker.x_mm, pose.y_mm - marker.y_mm) < 0.1
        assert abs(wrap_180(pose.heading_deg - marker.heading_deg)) < 0.3
        assert pose.size_mm == pytest.approx(30, rel=0.01)


def test_corners_that_make_no_table_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    monkeypatch.setattr("vision.locate.solve_plane", fail)
    located = locate(render(RenderScene(()), CameraView()).image, SHEET, TABLE)
    assert located.plane is None
    assert located.problem == Message("vision.locate.no_sense")


def test_a_marker_without_a_name_is_called_by_its_number_once() -> None:
    assert called(5, "marker 5") == Message("vision.marker.number", number=5)
    assert called(5, "Hood") == Message("vision.marker.named", number=5, ship=ShipRef("Hood"))
