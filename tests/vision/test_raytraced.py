"""Ships found in ray-traced pictures of a table (`benchmarks/raytrace.py`), by size and exposure.

Nothing is calibrated. The clipped pictures are metered on the dark sea, so that white paper runs
over into the black of the markers.
"""

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.homography import TableSize
from calibration.marker_layout import MarkerOrder, lay_out_markers
from vision.locate import TOO_BRIGHT, Located, locate

FOLDER = Path(__file__).parent / "raytraced"
SCENES = ("overhead", "tilted", "steep", "small", "crowded")
EXPOSURES = ("clipped", "exposed")
WHOLLY_VISIBLE = 0.995


@dataclass(frozen=True)
class Marker:
    """A ship's marker as it stood on the table."""

    marker_id: int
    x_mm: float
    y_mm: float
    heading_deg: float
    visible: float
    side_px: float


@dataclass(frozen=True)
class Picture:
    """A picture with what is true and what was found."""

    tag_mm: float
    markers: dict[int, Marker]
    located: Located

    def place_sigmas(self) -> list[float]:
        return [
            math.hypot(
                ship.pose.x_mm - self.markers[ship.id].x_mm,
                ship.pose.y_mm - self.markers[ship.id].y_mm,
            )
            / ship.pose.position_sigma_mm
            for ship in self.located.ships
        ]

    def heading_sigmas(self) -> list[float]:
        sigmas = [ship.pose.heading_sigma_deg for ship in self.located.ships]
        return [error / sigma for error, sigma in zip(self.heading_errors(), sigmas, strict=True)]

    def heading_errors(self) -> list[float]:
        return [
            abs((ship.pose.heading_deg - self.markers[ship.id].heading_deg + 180) % 360 - 180)
            for ship in self.located.ships
        ]


@cache
def picture(scene: str, exposure: str) -> Picture:
    truth = json.loads((FOLDER / f"{scene}.json").read_text(encoding="utf-8"))
    image = cv2.imread(str(FOLDER / f"{scene}-{exposure}.jpg"))
    assert image is not None
    printed = lay_out_markers(MarkerOrder(numbered=38, tag_mm=truth["tag_mm"])).marker_set
    located = locate(np.asarray(image, dtype=np.uint8), printed, TableSize(*truth["table_mm"]))
    markers = {
        each["id"]: Marker(
            each["id"], each["x_mm"], each["y_mm"], each["heading_deg"], each["visible"],
            each["side_px"],
        )
        for each in truth["markers"]
    }  # fmt: skip
    return Picture(truth["tag_mm"], markers, located)


@pytest.mark.parametrize("exposure", EXPOSURES)
@pytest.mark.parametrize("scene", SCENES)
def test_no_wrong_name_and_exact_headings(scene: str, exposure: str) -> None:
    seen = picture(scene, exposure)
    for ship in seen.located.ships:
        marker = seen.markers[ship.id]
        away = math.hypot(ship.pose.x_mm - marker.x_mm, ship.pose.y_mm - marker.y_mm)
        # Bases whose height nobody set, seen aslant, are up to 6 mm off.
        assert away < seen.tag_mm / 2, ship.id
    assert np.percentile(seen.heading_errors(), 95) < (1.0 if exposure == "clipped" else 0.5)


@pytest.mark.parametrize("scene", SCENES)
def test_over_exposure_is_told(scene: str) -> None:
    clipped, exposed = (picture(scene, exposure).located for exposure in EXPOSURES)
    assert TOO_BRIGHT in clipped.notes
    assert TOO_BRIGHT not in exposed.notes


@pytest.mark.parametrize("exposure", EXPOSURES)
def test_honest_uncertainty(exposure: str) -> None:
    # The bases are 3 mm high, the lens is bent, and nobody said so.
    seen = [picture(scene, exposure) for scene in SCENES]
    places = np.array([sigma for each in seen for sigma in each.place_sigmas()])
    headings = np.array([sigma for each in seen for sigma in each.heading_sigmas()])
    assert np.mean(places < 2) >= 0.94
    assert np.mean(headings < 2) >= 0.93


@pytest.mark.parametrize(
    ("exposure", "least_px", "most_px", "share"),
    [
        ("exposed", 16, 99, 0.99),
        ("exposed", 13, 16, 0.95),
        ("exposed", 11, 13, 0.8),
        ("clipped", 20, 99, 0.99),
        ("clipped", 16, 20, 0.95),
        ("clipped", 13, 16, 0.9),
        ("clipped", 11, 13, 0.8),
    ],
)
def test_the_share_found_by_size(
    exposure: str, least_px: float, most_px: float, share: float
) -> None:
    found = visible = 0
    for scene in SCENES:
        seen = picture(scene, exposure)
        ids = {ship.id for ship in seen.located.ships}
        for marker in seen.markers.values():
            if marker.visible > WHOLLY_VISIBLE and least_px <= marker.side_px < most_px:
                visible += 1
                found += marker.marker_id in ids
    assert visible >= 5
    assert found >= share * visible, (found, visible)
