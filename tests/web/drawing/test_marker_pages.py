"""The marker pages, looked at with other eyes: rendered by another library, read by OpenCV."""

import json
import re
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pytest
from numpy.typing import NDArray

from calibration.charuco import CHARUCO_SQUARE_MM, charuco_board
from calibration.marker_file import PageSize, read_marker_file
from calibration.marker_layout import (
    MarkerLayout,
    MarkerOrder,
    PaperSize,
    lay_out_markers,
    tidy_name,
)
from calibration.markers import FAMILIES, LARGE, SMALL, Family, MarkerKind, dictionary, tag_bits
from combat.sides import usual
from tabletop.errors import DreyerError
from web.drawing.fonts import Face, text_width
from web.drawing.marker_pages import SMALLEST_NAME_PT, fit_name, print_markers
from web.drawing.pdf import MM_PER_POINT
from web.strings import words

BRITISH, GERMAN = (usual().sides[key] for key in ("british", "german"))
SIDES = {"Hood": BRITISH, "Prince of Wales": BRITISH, "Köln": GERMAN}
SHIPS = (
    *SIDES,
    "Аврора",
    "His Majesty’s Canadian Ship Assiniboine of the Escort Group",
)
Picture = NDArray[np.uint8]

ORDERS = {
    "a4": MarkerOrder(SHIPS, 15),
    "letter": MarkerOrder(SHIPS, 15, paper=PaperSize.LETTER),
    "20 mm": MarkerOrder(SHIPS, 3, tag_mm=20),
    "15 mm letter": MarkerOrder(SHIPS, 37, tag_mm=15, paper=PaperSize.LETTER),
    "hidden": MarkerOrder(SHIPS, 4, hidden=True, tag_mm=20),
    "many": MarkerOrder(tuple(f"Ship {n}" for n in range(50)), 20, tag_mm=25),
    "large corners": MarkerOrder(SHIPS, corner_mm=120, paper=PaperSize.LETTER),
    "small corners": MarkerOrder((), 2, corner_mm=20, tag_mm=10),
    "corners that leave no room for the bar": MarkerOrder((), 1, corner_mm=75),
    "no ships": MarkerOrder(),
}


class Printed:
    """The pages of an order, and what the file says of them."""

    def __init__(self, layout: MarkerLayout) -> None:
        self.pdf = print_markers(layout, SIDES)
        self.marker_set = layout.marker_set


def print_order(order: MarkerOrder, seed: int = 7) -> Printed:
    return Printed(lay_out_markers(order, Random(seed)))


@cache
def printed(name: str) -> Printed:
    return print_order(ORDERS[name])


def pictures(pdf: bytes, dpi: float) -> list[Picture]:
    document = pdfium.PdfDocument(pdf)
    try:
        return [
            page.render(scale=dpi / 72, grayscale=True).to_numpy().squeeze() for page in document
        ]
    finally:
        document.close()


def text_of(pdf: bytes) -> str:
    document = pdfium.PdfDocument(pdf)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def px_per_mm(picture: Picture, size: PageSize) -> NDArray[np.float64]:
    """Across and down: the renderer stretches a page to whole pixels."""
    height, width = picture.shape
    return np.array([width / size.width_mm, height / size.height_mm])


def tags_in(picture: Picture, family: Family, size: PageSize) -> Mapping[int, Any]:
    """The corners of every tag in millimetres from the page's top left."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    parameters.minMarkerPerimeterRate = 0.01
    detector = cv2.aruco.ArucoDetector(dictionary(family), parameters)
    corners, ids, _ = detector.detectMarkers(picture)
    # Where there is no tag, OpenCV gives None for the ids.
    found = [int(number) for number in np.ravel(ids if corners else [])]
    assert len(found) == len(set(found))
    return {
        marker_id: (np.asarray(quad)[0] + 0.5) / px_per_mm(picture, size)
        for marker_id, quad in zip(found, corners, strict=True)
    }


@pytest.mark.parametrize("name", ORDERS)
def test_every_marker_is_where_the_file_says(name: str) -> None:
    result, dpi = printed(name), 200
    marker_set = result.marker_set
    pages = pictures(result.pdf, dpi)
    assert len(pages) == len(marker_set.pages)
    for number, (picture, size) in enumerate(zip(pages, marker_set.pages, strict=True), start=1):
        height, width = picture.shape
        assert (width, height) == pytest.approx(
            (size.width_mm / 25.4 * dpi, size.height_mm / 25.4 * dpi), abs=1
        )
        tags = tags_in(picture, marker_set.family, size)
        expected = {marker.id: marker for marker in marker_set.markers if marker.page == number}
        assert set(tags) == set(expected)
        for marker_id, quad in tags.items():
            marker = expected[marker_id]
            assert quad.mean(axis=0) == pytest.approx((marker.x_mm, marker.y_mm), abs=0.1)
            ahead = quad[:2].mean(axis=0) - quad[2:].mean(axis=0)
            assert np.degrees(np.arctan2(ahead[0], -ahead[1])) == pytest.approx(0, abs=0.3)
            assert marker.up_deg == 0


@pytest.mark.parametrize("name", ["a4", "letter", "15 mm letter", "many"])
@pytest.mark.parametrize("dpi", [97, 150, 301])
def test_modules_are_clean_and_exact_at_any_resolution(name: str, dpi: float) -> None:
    """No seam between modules, no grey inside one, one module of white around the tag."""
    result = printed(name)
    pages = pictures(result.pdf, dpi)
    for marker in result.marker_set.markers:
        picture = pages[marker.page - 1]
        scale = px_per_mm(picture, result.marker_set.pages[0])
        bits = np.pad(tag_bits(result.marker_set.family, marker.id), 1, constant_values=1)
        module_mm = marker.size_mm / result.marker_set.family.modules
        corner = np.array([marker.x_mm, marker.y_mm]) - module_mm * len(bits) / 2
        first = np.ceil(corner * scale).astype(int) + 1
        last = np.floor((corner + module_mm * len(bits)) * scale).astype(int) - 1
        columns, rows = (np.arange(first[axis], last[axis]) for axis in (0, 1))
        seen = picture[np.ix_(rows, columns)]
        # A pixel is judged where it and its neighbours lie in modules of one colour.
        neighbours = [
            bits[
                np.ix_(
                    (((rows + dy) / scale[1] - corner[1]) / module_mm).astype(int),
                    (((columns + dx) / scale[0] - corner[0]) / module_mm).astype(int),
                )
            ]
            for dy in (-0.2, 1.2)
            for dx in (-0.2, 1.2)
        ]
        assert (seen[np.all(neighbours, axis=0)] == 255).all()
        assert (seen[~np.any(neighbours, axis=0)] == 0).all()
        # Along the middle of its left border, the darkness adds up to the size it should have.
        middle = int((corner[0] + 1.5 * module_mm) * scale[0])
        darkness = (1 - picture[first[1] : last[1], middle] / 255).sum() / scale[1]
        assert darkness == pytest.approx(marker.size_mm, abs=0.02)


@pytest.mark.parametrize("name", ORDERS)
def test_nothing_comes_near_the_edge(name: str) -> None:
    dpi = 72
    edge = int(8 / 25.4 * dpi)
    for picture in pictures(printed(name).pdf, dpi):
        inner = picture.copy()
        inner[edge:-edge, edge:-edge] = 255
        assert inner.min() > 250


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_the_board_is_exact(name: str) -> None:
    picture = pictures(printed(name).pdf, 200)[-1]
    corners, ids, tags, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(picture)
    assert len(np.asarray(ids)) == 24
    assert len(tags) == 17
    size = printed(name).marker_set.pages[-1]
    found = (np.asarray(corners).reshape(-1, 2) + 0.5) / px_per_mm(picture, size)
    inner = [(c, r) for r in range(1, 7) for c in range(1, 5)]
    expected = np.asarray(inner)[np.asarray(ids).ravel()] * CHARUCO_SQUARE_MM
    left = (size.width_mm - 5 * CHARUCO_SQUARE_MM) / 2
    shift = found - expected
    assert shift[:, 0] == pytest.approx([left] * 24, abs=0.1)
    assert shift[:, 1] == pytest.approx([shift[0, 1]] * 24, abs=0.1)


def test_pictures_and_board_hold_no_marker_of_ours() -> None:
    for dpi in (100, 150, 300):
        pages = pictures(printed("a4").pdf, dpi)
        for family in FAMILIES.values():
            assert not tags_in(pages[0], family, PaperSize.A4.value)
            assert not tags_in(pages[-1], family, PaperSize.A4.value)


def test_the_bar_measures_100_mm() -> None:
    dpi = 400
    picture = pictures(printed("a4").pdf, dpi)[1]
    rows = np.flatnonzero(picture.min(axis=1) < 128)
    # The lowest solid black of the page is the bar: five blocks of 10 mm.
    black = [row for row in rows if (picture[row] < 64).sum() > 48 / 25.4 * dpi]
    columns = np.flatnonzero(picture[black[-20]] < 128)
    ends = np.flatnonzero((picture[black[-1] + 20 : black[-1] + 35] < 160).all(axis=0))
    assert (ends[-1] - ends[0]) * 25.4 / dpi == pytest.approx(100, abs=0.3)
    assert columns[0] == pytest.approx(ends[0], abs=4)


def test_names_and_sides_are_on_the_paper() -> None:
    text = text_of(printed("a4").pdf)
    for word in ("Hood", "Prince of Wales", "Köln", "Аврора", "BRITISH", "GERMAN", "№ 5", "100 mm"):
        assert word in text
    assert "NEAR LEFT" in text
    assert "measure me" in text


def test_hidden_markers_carry_no_name() -> None:
    result = printed("hidden")
    text = text_of(result.pdf)
    for word in ("Hood", "Wales", "Köln", "Аврора", "BRITISH", "GERMAN", "Assiniboine"):
        assert word not in text
        assert word.encode() not in result.pdf
    ships = [marker for marker in result.marker_set.markers if marker.kind is MarkerKind.SHIP]
    assert set(SHIPS) < {marker.name for marker in ships}
    assert len(ships) == 9
    for marker in ships:
        assert f"\n{marker.id}" in text.replace("\r", "")


def test_hidden_numbers_are_dealt_by_the_given_randomness_alone() -> None:
    order = ORDERS["hidden"]
    assert print_order(order).pdf == printed("hidden").pdf
    assert print_order(order).marker_set == printed("hidden").marker_set
    deals = {tuple(lay_out_markers(order, Random(n)).marker_set.names.items()) for n in range(5)}
    assert len(deals) == 5
    # Whatever was dealt, the paper is the same and tells nothing.
    assert print_order(order, 1).pdf == print_order(order, 2).pdf


def test_more_than_42_ships_take_the_large_family() -> None:
    assert printed("many").marker_set.family is LARGE
    assert printed("a4").marker_set.family is SMALL
    assert printed("many").marker_set.names[4] == "Ship 0"
    assert printed("many").marker_set.names[73] == "marker 73"


def test_ids_are_given_out_in_order_without_the_unfit() -> None:
    ids = [marker.id for marker in printed("a4").marker_set.markers]
    assert ids[:10] == [0, 1, 2, 3, 4, 5, 6, 7, 10, 11]
    assert 17 not in ids


def test_viewers_are_asked_not_to_scale() -> None:
    assert b"/PrintScaling /None" in printed("a4").pdf


def test_names_are_as_large_as_fits() -> None:
    (line,), size = fit_name("Hood", Face.SERIF_BOLD_ITALIC, 30, 7)
    assert line == "Hood"
    assert size > 17
    lines, size = fit_name("Prince of Wales", Face.SERIF_BOLD_ITALIC, 14, 6)
    assert lines == ("Prince", "of Wales")
    assert size >= SMALLEST_NAME_PT
    lines, size = fit_name("A" * 60, Face.SERIF_BOLD_ITALIC, 20, 6)
    assert lines[0].endswith("…")
    assert size == SMALLEST_NAME_PT
    assert text_width(lines[0], Face.SERIF_BOLD_ITALIC, size * MM_PER_POINT) <= 20
    _, size = fit_name("Admiral Graf Spee", Face.SERIF_BOLD_ITALIC, 36, 7)
    assert size >= 9


def test_a_typed_name_is_put_in_order() -> None:
    assert tidy_name("  Ko\u0308ln \t II ") == "Köln II"


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ({"tag_mm": 9}, "ship tags are 10 to 80 mm, got 9 mm"),
        ({"tag_mm": float("nan")}, "ship tags are 10 to 80 mm, got nan"),
        ({"corner_mm": 121}, "corner tags are 20 to 120 mm"),
        ({"numbered": -1}, "0 or more"),
        ({"ships": ("Hood", "HOOD")}, "'HOOD' is listed twice"),
        ({"ships": (" ",)}, "1 to 60 characters"),
        ({"ships": ("x" * 61,)}, "1 to 60 characters"),
        ({"ships": ("marker 5",), "numbered": 1}, "name of another marker"),
        ({"ships": ("Near Left",)}, "name of another marker"),
        ({"numbered": 247}, "246 ships at most"),
    ],
)
def test_a_wrong_order_is_one_clear_line(order: dict[str, Any], message: str) -> None:
    with pytest.raises(DreyerError) as caught:
        lay_out_markers(MarkerOrder(**order))
    assert re.search(message, words(caught.value))
    assert "\n" not in words(caught.value)


@pytest.mark.parametrize("name", ORDERS)
def test_the_file_comes_back_as_it_was(name: str) -> None:
    marker_set = printed(name).marker_set
    data = json.dumps(marker_set.as_document()).encode()
    assert read_marker_file(data, "sheets.json") == marker_set
