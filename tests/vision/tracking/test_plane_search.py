"""The search beside the frames: ships of which a model hides a part, on a running camera."""

import json
import math
import time
from pathlib import Path

import cv2
import numpy as np

from calibration.homography import TableSize
from calibration.marker_layout import MarkerOrder, lay_out_markers
from vision.snapshot import ShipState, Snapshot, TrackedShip
from vision.tracking.tracker import Tracker

FOLDER = Path(__file__).parents[1] / "raytraced"
WAIT_SECONDS = 20.0


def in_sight(snapshot: Snapshot) -> list[TrackedShip]:
    return [ship for ship in snapshot.ships if ship.state is not ShipState.STALE]


def test_a_running_camera_finds_what_models_half_hide_and_keeps_it() -> None:
    truth = json.loads((FOLDER / "hidden.json").read_text(encoding="utf-8"))
    image = np.asarray(cv2.imread(str(FOLDER / "hidden-exposed.jpg")), dtype=np.uint8)
    printed = lay_out_markers(MarkerOrder(numbered=38, tag_mm=truth["tag_mm"])).marker_set
    tracker = Tracker(printed, TableSize(*truth["table_mm"]), background=True)
    plain = Tracker(printed, TableSize(*truth["table_mm"]))
    begun = time.monotonic()
    number = 0
    snapshot = tracker.update(image, 0.0)
    while number < 30 or (len(in_sight(snapshot)) < 15 and time.monotonic() - begun < WAIT_SECONDS):
        number += 1
        snapshot = tracker.update(image, number / 10)
        if number <= 30:
            without = plain.update(image, number / 10)
    assert len(in_sight(snapshot)) >= 15 > len(in_sight(without))
    for _ in range(5):
        number += 1
        snapshot = tracker.update(image, number / 10)
    places = {each["id"]: each for each in truth["markers"]}
    assert len(in_sight(snapshot)) >= 15
    for ship in in_sight(snapshot):
        x, y = places[ship.id]["x_mm"], places[ship.id]["y_mm"]
        assert math.hypot(ship.pose.x_mm - x, ship.pose.y_mm - y) < truth["tag_mm"] / 2
