"""Several photos of a table that is larger than one of them, sent one after the other."""

import cv2
import pytest
from flask import Flask

from calibration.markers import SMALL, MarkerKind
from tests.vision.flat_table import FlatTable, LaidMarker
from tests.web.phones import Phone, host_of
from vision.synthetic.camera import CameraView

WIDE_INCHES, HIGH_INCHES = 70.0, 36.0
HOOD, PRINCE = SMALL.ship_ids[:2]
ANCHORS = SMALL.ship_ids[-2:]


def jpegs() -> tuple[bytes, bytes]:
    """The left and the right half of the table, which share two anchors and no corner."""
    table = FlatTable(WIDE_INCHES * 25.4, HIGH_INCHES * 25.4, 2.0)
    for number, place in zip(ANCHORS, ((880.0, 120.0), (930.0, 760.0)), strict=True):
        table.lay(LaidMarker(number, MarkerKind.ANCHOR, *place, 130.0))
    table.lay(LaidMarker(HOOD, MarkerKind.SHIP, 300, 400, 20.0, 30.0))
    table.lay(LaidMarker(PRINCE, MarkerKind.SHIP, 1480, 500, 250.0, 30.0))
    texture = table.texture()

    def photo(x_mm: float) -> bytes:
        view = CameraView(
            width_px=1280, height_px=720, height_mm=1000, tilt_deg=25, field_of_view_deg=66,
            aim_x_mm=x_mm, aim_y_mm=450, blur_px=0.5, noise=1.0,
        )  # fmt: skip
        image = table.photograph(view, texture)
        return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])

    return photo(450.0), photo(1330.0)


@pytest.fixture
def host(app: Flask) -> Phone:
    host = host_of(app)
    printed = host.post("/api/camera/sheets", {"paper": "a4", "anchors": 2})
    assert printed.get_json()["url"] == "/sheets.pdf?paper=a4&anchors=2"
    size = {"width": WIDE_INCHES, "height": HIGH_INCHES, "unit": "inches"}
    assert host.post("/api/camera/table", size).status_code == 200
    return host


def send(host: Phone, data: bytes, path: str = "/api/photo") -> dict[str, object]:
    answer = host.send("POST", path, data=data, content_type="image/jpeg")
    assert answer.status_code == 200, answer.text
    content: dict[str, object] = answer.get_json()
    return content


def names(content: dict[str, object]) -> set[str]:
    found = content["found"]
    assert isinstance(found, list)
    return {each["name"] for each in found if each["usable"]}


def test_two_photos_make_one_table_and_place_its_ships(host: Phone) -> None:
    left, right = jpegs()
    first = send(host, left)
    second = send(host, right, f"/api/photo?after={first['token']}")
    assert second["problem"] is None
    assert names(second) == {"Hood", "Prince of Wales"}
    page = host.get(f"/photo/{second['token']}").text
    assert "?after=" in page
    assert host.get(f"/photo/{first['token']}?add=1").status_code == 200
    used = host.post("/api/photo/use", {"token": second["token"]})
    assert set(used.get_json()["placed"]) == {"Hood", "Prince of Wales"}
    # A photo of the middle, with anchors alone, measures from now on.
    alone = send(host, right)
    assert "Prince of Wales" in names(alone)


def test_a_photo_after_one_that_is_gone_is_refused(host: Phone) -> None:
    answer = host.send(
        "POST", "/api/photo?after=notkeptany", data=jpegs()[0], content_type="image/jpeg"
    )
    assert answer.status_code == 404
