"""A marker that may be two ships' is asked about, and followed once somebody says who she is."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from calibration.homography import TableSize
from calibration.markers import MarkerKind
from tabletop.errors import DreyerError
from tests.vision.flat_table import SEA, FlatTable, LaidMarker
from vision.images import Image
from vision.locate import UNKNOWN
from vision.snapshot import ShipState, Snapshot
from vision.synthetic.camera import CameraView
from vision.tracking.tracker import Tracker

WAIT_SECONDS = 20.0
VIEW = CameraView(1280, 720, tilt_deg=15, blur_px=0.6, noise=1.5, field_of_view_deg=60)
# Codes that differ in their upper left corner only, two modules by three.
SHE, RIVAL = 22, 30
PLACE_MM = (300.0, 200.0)


class Film:
    """A camera over one ship, of whose marker the corner that tells her name is hidden."""

    def __init__(self) -> None:
        table = FlatTable(600.0, 400.0, 3.0)
        for number in (SHE, RIVAL):
            table.lay(LaidMarker(number, MarkerKind.SHIP, *PLACE_MM, size_mm=30.0))
        self.tracker = Tracker(table.marker_set(), TableSize(600.0, 400.0), background=True)
        del table.markers[RIVAL]
        bare = table.texture()
        hidden = bare.copy()
        left, top = (round(each) for each in ((300 + 120 - 24) * 3, (400 - 200 + 120 - 24) * 3))
        # Neither black nor white.
        hidden[top : top + 87, left : left + 72] = (120, 130, 140)
        covered = bare.copy()
        covered[top - 60 : top + 200, left - 60 : left + 200] = SEA
        self.hidden, self.covered = (table.photograph(VIEW, each) for each in (hidden, covered))
        self.frames = self.show(self.hidden)

    def show(self, image: Image) -> Iterator[Snapshot]:
        number = getattr(self, "number", 0)
        while True:
            number += 1
            self.number = number
            yield self.tracker.update(image, number * 0.2)

    def until(self, image: Image, done: Callable[[Snapshot], object]) -> Snapshot:
        begun = time.monotonic()
        for snapshot in self.show(image):
            if done(snapshot):
                return snapshot
            assert time.monotonic() - begun < WAIT_SECONDS, snapshot
        raise AssertionError


def test_one_tap_says_who_she_is_and_she_is_known_again_when_a_hand_has_passed() -> None:
    film = Film()
    seen = film.until(film.hidden, lambda snapshot: snapshot.unknown)
    assert seen.ships == ()
    assert [note.code for note in seen.notes] == [UNKNOWN]
    (tag,) = seen.unknown
    assert set(tag.may_be) == {f"marker {SHE}", f"marker {RIVAL}"}
    assert np.hypot(tag.x_mm - PLACE_MM[0], tag.y_mm - PLACE_MM[1]) < 3
    with pytest.raises(DreyerError, match=r"vision\.unknown\.gone"):
        film.tracker.identify(tag.key, "marker 40")
    # She keeps her number from one search to the next.
    for _ in range(8):
        film.tracker.update(film.hidden, film.number * 0.2)
        film.number += 1
    film.tracker.identify(tag.key, f"marker {SHE}")
    known = film.until(film.hidden, lambda snapshot: snapshot.ships)
    assert known.unknown == ()
    ship = known.ship(f"marker {SHE}")
    assert ship is not None
    assert np.hypot(ship.pose.x_mm - PLACE_MM[0], ship.pose.y_mm - PLACE_MM[1]) < 1
    assert ship.pose.heading_deg == pytest.approx(360, abs=2) or ship.pose.heading_deg < 2
    film.until(film.covered, lambda snapshot: snapshot.ships[0].state is ShipState.STALE)
    again = film.until(film.hidden, lambda snapshot: snapshot.ships[0].state is not ShipState.STALE)
    assert [ship.name for ship in again.ships] == [f"marker {SHE}"]
