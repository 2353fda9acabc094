"""The drawing over a frame: on a copy, in the right places, told by more than colour."""

import numpy as np
import pytest

from calibration.camera import assumed_lens
from calibration.homography import TablePlane, TableSize
from calibration.markers import Corner
from tabletop.messages import verbatim
from vision.overlay import COLOURS, captions_of, draw_snapshot
from vision.snapshot import (
    CameraReport,
    CameraState,
    SeenCorner,
    ShipState,
    Snapshot,
    TablePose,
    TrackedShip,
)
from web.strings import words

LENS = assumed_lens(1280, 720)
# One pixel to a millimetre, seen from straight above.
PLANE = TablePlane(
    LENS,
    np.array([[LENS.fx_px, 0, LENS.cx_px], [0, -LENS.fy_px, 719 - LENS.cy_px], [0, 0, 1.0]]),
    None,
)
SEA = np.full((720, 1280, 3), (90, 60, 30), np.uint8)


def snapshot(*ships: TrackedShip, **changes: object) -> Snapshot:
    corner = SeenCorner(
        Corner.NEAR_LEFT, np.array([[20.0, 640], [80, 640], [80, 700], [20, 700]]), True
    )
    values: dict[str, object] = {
        "seconds": 1.0,
        "ships": ships,
        "corners": (corner,),
        "camera": CameraReport(CameraState.OK),
        "notes": (),
        "plane": PLANE,
    }
    return Snapshot(**{**values, **changes})  # type: ignore[arg-type]


def ship(state: ShipState, name: str = "Hood", age: float = 0.0) -> TrackedShip:
    return TrackedShip(4, name, TablePose(600, 360, 90, 0.2, 0.3), state, age, 9)


def test_the_frame_itself_is_left_alone() -> None:
    before = SEA.copy()
    drawn = draw_snapshot(SEA, snapshot(ship(ShipState.SETTLED)), TableSize(1000, 600))
    assert drawn.shape == SEA.shape
    assert np.array_equal(before, SEA)
    assert (drawn != SEA).any()


def test_the_arrow_points_where_the_bow_does() -> None:
    drawn = draw_snapshot(SEA, snapshot(ship(ShipState.SETTLED)))
    green = np.array(COLOURS[ShipState.SETTLED])
    is_green = np.abs(drawn.astype(int) - green).max(axis=2) < 60
    columns = np.flatnonzero(is_green[355:365].any(axis=0))
    assert columns.max() == pytest.approx(662, abs=3)  # 62 mm to the right of x = 600
    assert columns.min() == pytest.approx(579, abs=3)  # the outline's left side


def test_states_differ_by_more_than_colour() -> None:
    shapes = []
    for state in ShipState:
        drawn = draw_snapshot(SEA, snapshot(ship(state, name="")))
        shapes.append((drawn != SEA).any(axis=2)[335:385, 575:625])
    for i, one in enumerate(shapes):
        for other in shapes[:i]:
            assert (one != other).mean() > 0.02


def test_gray_mirrored_and_lost_pictures_are_drawn_too() -> None:
    drawn = draw_snapshot(SEA[..., 0], snapshot(ship(ShipState.STALE, "Köln ± ß", 12.0)))
    assert drawn.shape == SEA.shape
    half = SEA.copy()
    half[:, :640] = 255
    flipped = draw_snapshot(half, snapshot(mirrored=True))
    assert (flipped[300, 700:1200] == 255).all()


def test_the_captions_name_ships_and_corners_and_say_what_is_wrong() -> None:
    lost = CameraReport(CameraState.LOST, verbatim("the picture is black"))
    notes = (verbatim("one"), verbatim("two"))
    found = captions_of(
        snapshot(ship(ShipState.STALE, "大和", 12.0), camera=lost, notes=notes), words
    )
    (caption,) = found.ships
    assert caption.name == "大和"
    assert caption.note.startswith("090 ")
    assert caption.at == pytest.approx((600, 359))
    assert caption.covers[-1] == pytest.approx((662, 359))
    assert [each.at for each in found.corners] == [pytest.approx((50, 640))]
    assert len(found.banner) == 3
    assert "the picture is black" in found.banner[0]
    assert captions_of(snapshot(ship(ShipState.SETTLED), plane=None), words).ships == ()


def test_a_ship_far_outside_the_picture_does_no_harm() -> None:
    far = TrackedShip(5, "Far", TablePose(1e7, -1e7, 10, 1e6, 5), ShipState.MOVING, 0.0, 3)
    assert draw_snapshot(SEA, snapshot(far)).shape == SEA.shape
