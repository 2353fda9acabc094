"""Name plates, bases, paper ships and contacts: printed, laid on a table, photographed and read."""

import math
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.code_size import CodeAdvice, advice_before_printing
from calibration.homography import TableSize
from calibration.marker_file import MarkerSet, PrintedMarker
from calibration.marker_layout import MarkerLayout, MarkerOrder, lay_out_markers
from calibration.markers import CORNER_IDS, MarkerKind
from calibration.model_pieces import CodePlace, MarkerForm, MarkerPaint, ModelPiece, ModelScale
from combat.library import BUILT_IN
from combat.rulebooks import DEFAULT
from combat.sides import usual
from tabletop.errors import DreyerError
from tests.web.drawing.test_marker_pages import pictures
from vision.locate import locate
from web.camera.model_markers import code_advice, decks_of, length_of, usual_code_mm
from web.drawing.marker_pages import print_markers
from web.drawing.ship_layout import ShipLayout

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

BRITISH, GERMAN = (usual().sides[key] for key in ("british", "german"))
SIDES = {"Hood": BRITISH, "Prince of Wales": BRITISH, "Bismarck": GERMAN, "Prinz Eugen": GERMAN}
TYPES = {
    name: ship for name in SIDES if (ship := BUILT_IN.known_ships(DEFAULT).find(name)) is not None
}
TABLE = TableSize(1219.2, 914.4)
PX_PER_MM = 4.0
SEA = 92
PX_PER_MM_IN_PICTURE = 1.3


def order(form: MarkerForm, **changes: object) -> MarkerOrder:
    scale = changes.get("scale", ModelScale.S2400)
    assert isinstance(scale, ModelScale)
    values: dict[str, object] = {
        "ships": tuple(SIDES),
        "numbered": 12,
        "form": form,
        "tag_mm": usual_code_mm(form, scale),
        "lengths_m": tuple((name, length_of(ship)) for name, ship in TYPES.items()),
    }
    return MarkerOrder(**{**values, **changes})  # type: ignore[arg-type]


ORDERS = {
    "white plates of 12 mm": order(MarkerForm.PLATE, tag_mm=12.0),
    "grey plates of 15 mm": order(MarkerForm.PLATE, paint=MarkerPaint.GREY),
    "sea plates of 15 mm": order(MarkerForm.PLATE, paint=MarkerPaint.SEA),
    "sea plates of 30 mm": order(MarkerForm.PLATE, paint=MarkerPaint.SEA, tag_mm=30.0),
    "bases 1/6000": order(MarkerForm.BASE, scale=ModelScale.S6000),
    "bases 1/3000": order(MarkerForm.BASE, scale=ModelScale.S3000, code=CodePlace.AHEAD),
    "sea bases 1/2400": order(MarkerForm.BASE, paint=MarkerPaint.SEA),
    "bases 1/1200": order(MarkerForm.BASE, scale=ModelScale.S1200, numbered=0),
    "boxed game": order(MarkerForm.BASE, scale=ModelScale.BOXED),
    "paper ships 1/2400": order(MarkerForm.PAPER_SHIP),
    "paper ships 1/1200": order(MarkerForm.PAPER_SHIP, scale=ModelScale.S1200, numbered=2),
    "contacts and anchors": order(
        MarkerForm.COUNTER, hidden=True, dummies=5, numbered=0, anchors=3
    ),
    "contacts of five modules": order(
        MarkerForm.PLATE, hidden=True, dummies=3, numbered=0, anchors=42, paint=MarkerPaint.SEA
    ),
}


class Table:
    """A table with the pieces of some pages cut out and laid on it, seen from straight above."""

    def __init__(self, layout: MarkerLayout, margin_mm: float = 90.0) -> None:
        self.margin = margin_mm
        self.layout = layout
        self.pages = pictures(
            print_markers(layout, SIDES, decks_of(TYPES, SIDES)), 25.4 * PX_PER_MM
        )
        size = (TABLE.height_mm + 2 * margin_mm, TABLE.width_mm + 2 * margin_mm)
        shape = tuple(round(side * PX_PER_MM) for side in size)
        self.ground = np.full(shape, SEA, np.uint8)

    def lay(
        self, marker: PrintedMarker, piece: tuple[float, float, float, float],
        place: tuple[float, float], heading_deg: float,
    ) -> None:  # fmt: skip
        """Cut out the rectangle around a code (left, right, top, bottom) and lay it down."""
        left, right, top, bottom = piece
        corners = np.array([[-left, -top], [right, -top], [right, bottom], [-left, bottom]])
        on_page = (corners + np.array([marker.x_mm, marker.y_mm])) * PX_PER_MM
        angle = math.radians(heading_deg)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        at = np.array([place[0] + self.margin, TABLE.height_mm - place[1] + self.margin])
        on_table = (corners @ turn.T + at) * PX_PER_MM
        low = np.floor(on_table.min(axis=0)).astype(int)
        high = np.ceil(on_table.max(axis=0)).astype(int) + 1
        here = on_table - low
        way = cv2.getPerspectiveTransform(on_page.astype(np.float32), here.astype(np.float32))
        page = cv2.warpPerspective(self.pages[marker.page - 1], way, tuple(high - low))
        mask = np.zeros_like(page)
        cv2.fillConvexPoly(mask, np.round(here).astype(np.int32), 255)
        ground = self.ground[low[1] : high[1], low[0] : high[0]]
        ground[mask > 0] = page[mask > 0]

    def photograph(self, seed: int) -> Picture:
        """From the host's side at a slant, a little soft, with noise."""
        height, width = self.ground.shape
        soft = cv2.GaussianBlur(self.ground, (0, 0), PX_PER_MM / PX_PER_MM_IN_PICTURE * 0.55)
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        target = np.array([[250, 40], [1670, 40], [1910, 1070], [10, 1070]], np.float32)
        seen = cv2.warpPerspective(
            soft, cv2.getPerspectiveTransform(source, target), (1920, 1080), borderValue=60
        ).astype(np.float64)
        noise = np.random.default_rng(seed).normal(0, 2.0, seen.shape)
        return np.clip(seen * 0.92 + 6 + noise, 0, 255).astype(np.uint8)


def extents(layout: MarkerLayout, marker: PrintedMarker) -> tuple[float, float, float, float]:
    model: ModelPiece | None = next(
        (each.model for each in layout.ships if each.marker_id == marker.id), None
    )
    if model is not None:
        return model.left, model.right, model.top, model.bottom
    if marker.kind in (MarkerKind.CORNER, MarkerKind.ANCHOR):
        edge = layout.corner_piece.white
        return edge, edge, edge, edge
    piece = layout.piece
    return piece.half_width, piece.half_width, piece.shoulder, piece.bottom


def on_table(layout: MarkerLayout) -> tuple[Table, dict[int, tuple[float, float, float]]]:
    """The pieces in rows at random headings; where the middle of each base truly is."""
    table, random = Table(layout), Random(5)
    places = TABLE.corner_places_mm
    truth = {}
    ships: list[PrintedMarker] = []
    for marker in layout.marker_set.markers:
        if marker.kind is MarkerKind.CORNER:
            x, y = places[marker.id]
            table.lay(marker, extents(layout, marker), (float(x), float(y)), 0.0)
        elif marker.kind is not MarkerKind.ANCHOR:
            ships.append(marker)
    for number, marker in enumerate(ships):
        heading = random.uniform(0, 360)
        if len(ships) <= 6:
            row, column = divmod(number, 3)
            x, y = 230 + 370 * column, 250 + 410 * row
        else:
            row, column = divmod(number, 4)
            x, y = 130 + 320 * column, 150 + 205 * row
        table.lay(marker, extents(layout, marker), (x, y), heading)
        angle = math.radians(heading)
        truth[marker.id] = (
            x + marker.ahead_mm * math.sin(angle), y + marker.ahead_mm * math.cos(angle), heading,
        )  # fmt: skip
    return table, truth


@pytest.mark.parametrize("name", ORDERS)
def test_every_piece_is_read_in_a_photo(name: str) -> None:
    layout = lay_out_markers(ORDERS[name], Random(3))
    table, truth = on_table(layout)
    found = locate(table.photograph(1), layout.marker_set, TABLE)
    assert found.corners_found == len(CORNER_IDS)
    assert {ship.id for ship in found.ships} == set(truth)
    for ship in found.ships:
        x, y, heading = truth[ship.id]
        assert ship.name == layout.marker_set.names[ship.id]
        assert math.hypot(ship.pose.x_mm - x, ship.pose.y_mm - y) < 1.5
        assert abs((ship.pose.heading_deg - heading + 180) % 360 - 180) < 1.0


@pytest.mark.parametrize("name", ORDERS)
def test_pieces_lie_apart_on_the_paper(name: str) -> None:
    layout = lay_out_markers(ORDERS[name], Random(3))
    boxes: dict[int, list[tuple[float, float, float, float]]] = {}
    for marker in layout.ships:
        if marker.model is None:
            continue
        (x, y), piece = marker.at, marker.model
        box = (x - piece.left, y - piece.top, x + piece.right, y + piece.bottom)
        size = layout.order.paper.value
        assert min(box) >= 8
        assert box[2] <= size.width_mm - 8
        assert box[3] <= size.height_mm - 8
        for left, top, right, bottom in boxes.setdefault(marker.page, []):
            assert box[0] >= right or box[2] <= left or box[1] >= bottom or box[3] <= top
        boxes[marker.page].append(box)


def test_every_known_ship_has_a_deck_to_be_drawn_by() -> None:
    ships = {ship.name: ship for each in BUILT_IN for ship in BUILT_IN.known_ships(each.name)}
    decks = decks_of(ships, {})
    assert set(decks) == set(ships)
    # A ship with a record sheet by her plan, another by the silhouette of her class.
    assert isinstance(decks["Hood"], ShipLayout)
    assert any(isinstance(deck, str) for deck in decks.values())


def test_hidden_ships_and_dummies_look_alike_on_paper() -> None:
    layout = lay_out_markers(ORDERS["contacts and anchors"], Random(3))
    kinds = [marker.kind for marker in layout.marker_set.markers]
    assert kinds.count(MarkerKind.DUMMY) == 5
    assert kinds.count(MarkerKind.ANCHOR) == 3
    dummies = [m for m in layout.marker_set.markers if m.kind is MarkerKind.DUMMY]
    assert {m.name for m in dummies} == {f"Contact {m.id}" for m in dummies}
    # Another deal, other numbers.
    again = lay_out_markers(ORDERS["contacts and anchors"], Random(4)).marker_set
    assert _ids(again, MarkerKind.DUMMY) != _ids(layout.marker_set, MarkerKind.DUMMY)


def test_many_anchors_and_dummies_take_the_larger_family() -> None:
    layout = lay_out_markers(ORDERS["contacts of five modules"], Random(3))
    assert layout.family.modules == 7
    assert len(layout.marker_set.anchor_ids) == 42
    assert set(layout.marker_set.anchor_ids).isdisjoint(layout.marker_set.names)


@pytest.mark.parametrize("place", CodePlace)
@pytest.mark.parametrize("scale", ModelScale)
def test_the_code_is_ahead_or_behind_and_never_beside(scale: ModelScale, place: CodePlace) -> None:
    layout = lay_out_markers(order(MarkerForm.BASE, scale=scale, code=place))
    for marker in layout.ships:
        piece = marker.model
        assert piece is not None
        assert piece.left == piece.right
        room = max(piece.top, piece.bottom) - piece.white
        assert room >= min(length_of(ship) for ship in TYPES.values()) * 1000 / 6000 * 0.9
        assert (piece.ahead_mm > 0) is (place is CodePlace.BEHIND)
    if scale is ModelScale.BOXED:
        assert all(m.model and (m.model.width, m.model.height) == pytest.approx((20.32, 50.8))
                   for m in layout.ships)  # fmt: skip


def test_a_code_too_broad_for_the_boxed_counter_is_refused() -> None:
    with pytest.raises(DreyerError) as caught:
        lay_out_markers(order(MarkerForm.BASE, scale=ModelScale.BOXED, tag_mm=16.0))
    assert caught.value.message.code == "calibration.print.too_broad"


def test_dummies_need_hidden_names() -> None:
    with pytest.raises(DreyerError) as caught:
        MarkerOrder(dummies=2)
    assert caught.value.message.code == "calibration.print.dummies_seen"


def test_sizes_are_advised_by_the_pixels_that_a_millimetre_gets() -> None:
    advice = CodeAdvice(0.8)
    assert (advice.least_mm, advice.good_mm) == pytest.approx((13.75, 20.0))
    codes = [code_advice(advice, size).code.rpartition(".")[2] for size in (12.0, 15.0, 20.0)]
    assert codes == ["small", "fair", "good"]
    # A 1080p camera over 6 ft, a 4K camera over the same.
    assert advice_before_printing(1920, 1828.8).good_mm == pytest.approx(24.6, abs=0.1)
    assert advice_before_printing(3840, 1828.8).good_mm == pytest.approx(12.3, abs=0.1)


def _ids(marker_set: MarkerSet, kind: MarkerKind) -> set[int]:
    return {marker.id for marker in marker_set.markers if marker.kind is kind}
