"""A picture becomes a table: accuracy, honesty and bad pictures, on rendered scenes."""

import math
import random
from functools import cache

import numpy as np
import pytest

from calibration.homography import TableSize
from calibration.markers import SMALL, Corner
from calibration.sheetfile import default_marker_sheet
from tabletop.angles import wrap_180
from vision.locate import Located, locate
from vision.render import CameraView, Glare, RenderedHand, RenderedMarker, RenderScene, render

TABLE = TableSize(72 * 25.4, 48 * 25.4)
SHEET = default_marker_sheet()


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
        off.append(math.hypot(ship.x_mm - true.x_mm, ship.y_mm - true.y_mm))
        turned.append(abs(wrap_180(ship.heading_deg - true.heading_deg)))
        assert off[-1] <= 4 * ship.position_sigma_mm
    limit = 0.25 if tilt <= 30 else 0.5
    assert np.percentile(off, 95) <= limit
    assert np.percentile(turned, 95) <= 0.5


def test_a_mirrored_picture_is_turned_round_and_said() -> None:
    scene = RenderScene(fleet(4, 5))
    image = render(scene, CameraView(width_px=1280, height_px=720, mirrored=True)).image
    located = locate(image, SHEET, TABLE)
    assert located.mirrored
    assert any("mirrored" in note for note in located.notes)
    assert {ship.id for ship in located.ships} == {marker.id for marker in scene.markers}


def test_two_markers_of_one_number_are_both_refused() -> None:
    markers = fleet(3, 6)
    twin = RenderedMarker(markers[0].id, 1000, 1100, 0)
    image = render(RenderScene((*markers, twin)), CameraView()).image
    located = locate(image, SHEET, TABLE)
    assert markers[0].id not in {ship.id for ship in located.ships}
    assert any("twice" in note for note in located.notes)


def test_a_hand_and_a_glare_hide_but_never_mislead() -> None:
    markers = fleet(8, 7)
    hand = RenderedHand(markers[0].x_mm, markers[0].y_mm)
    glare = Glare(markers[1].x_mm, markers[1].y_mm)
    image = render(RenderScene(markers, hands=(hand,)), CameraView(glare=(glare,))).image
    truth = {marker.id: marker for marker in markers}
    for ship in locate(image, SHEET, TABLE).ships:
        true = truth[ship.id]
        assert math.hypot(ship.x_mm - true.x_mm, ship.y_mm - true.y_mm) < 2.0


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
