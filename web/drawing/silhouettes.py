# ruff: noqa: E501  # Outlines are data.
"""Silhouettes of ships from above: bow up, 100 units long, about the middle of the base.

The kind depends on the class; round or angular depends on the shape of the side.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from combat.participants import Side
from combat.ships import ShipClass, ShipType
from combat.views import ShipView
from web.drawing.figures import Figure, Group, Shape
from web.drawing.geometry import Path
from web.sides import side_of

KINDS: Final = ("battleship", "battlecruiser", "cruiser", "destroyer", "carrier", "unknown")
_KIND_OF_CLASS: Final = {
    ShipClass.BATTLESHIP: "battleship",
    ShipClass.BATTLE_CRUISER: "battlecruiser",
    ShipClass.POCKET_BATTLESHIP: "cruiser",
    ShipClass.CARRIER: "carrier",
    ShipClass.HEAVY_CRUISER: "cruiser",
    ShipClass.LIGHT_CRUISER: "cruiser",
    ShipClass.DESTROYER: "destroyer",
}
HULL: Final = "hull"
DETAIL: Final = "detail"


@dataclass(frozen=True, slots=True)
class _Part:
    """One figure of a silhouette: an SVG path as area or line, a house, or a round part."""

    ink: str
    area: str = ""
    line: str = ""
    width: float = 0.0
    dashes: tuple[float, ...] = ()
    house: tuple[float, float, float, float, float] | None = None
    """Left, top, width, height and the radius of its corners."""
    round: tuple[float, float, float] | None = None
    """On the keel: the distance aft, and half its width and length."""
    fine: bool = False
    """Drawn only if it is large enough to be seen."""


_BATTLESHIP_ROUND: Final = (
    _Part(
        HULL,
        area="M0-50C4.4-43 9-31 10.8-13 11.4-2 11.4 14 10.7 24 9.6 38 7.6 46 5 49 2.4 50.3-2.4 50.3-5 49-7.6 46-9.6 38-10.7 24-11.4 14-11.4-2-10.8-13-9-31-4.4-43 0-50Z",
    ),
    _Part(
        DETAIL,
        line="M-3.3-39.5V-30M-1.1-39.5V-30M1.1-39.5V-30M3.3-39.5V-30M-1.4-28V-20M1.4-28V-20M-3.3 34V43.5M-1.1 34V43.5M1.1 34V43.5M3.3 34V43.5",
        width=1.3,
        fine=True,
    ),
    _Part(DETAIL, house=(-5.2, -32, 10.4, 8.4, 3.6)),
    _Part(DETAIL, house=(-4, -21.5, 8, 7, 3)),
    _Part(DETAIL, house=(-5.2, 27.5, 10.4, 8.4, 3.6)),
    _Part(
        DETAIL,
        area="M-4-12.5C-2-13.5 2-13.5 4-12.5 6.6-11 7-7 6-4 5.6 0 5.6 4 6 8 6.6 14 6 20 4 23-2 24.5-4 24-4 23-6 20-6.6 14-6 8-5.6 4-5.6 0-6-4-7-7-6.6-11-4-12.5Z",
    ),
    _Part(HULL, round=(-1, 2.3, 2.8)),
    _Part(HULL, round=(13, 2.3, 2.8)),
    _Part(HULL, round=(-8.5, 1.7, 1.7), fine=True),
    _Part(HULL, round=(20, 1.3, 1.3), fine=True),
)
_BATTLECRUISER_ROUND: Final = (
    _Part(
        HULL,
        area="M0-50C4-43 8-31 9.6-15 10.4-4 10.4 12 9.7 22 8.7 36 6.2 45 3.2 48.6 1.7 50.4-1.7 50.4-3.2 48.6-6.2 45-8.7 36-9.7 22-10.4 12-10.4-4-9.6-15-8-31-4-43 0-50Z",
    ),
    _Part(
        DETAIL,
        line="M-1.4-38.5V-30M1.4-38.5V-30M-1.4-29.5V-21M1.4-29.5V-21M-1.4 29V37M1.4 29V37M-1.4 38V45.5M1.4 38V45.5",
        width=1.3,
        fine=True,
    ),
    _Part(DETAIL, house=(-4, -31.5, 8, 7.2, 3.2)),
    _Part(DETAIL, house=(-4, -22.5, 8, 7.2, 3.2)),
    _Part(DETAIL, house=(-4, 24, 8, 7.2, 3.2)),
    _Part(DETAIL, house=(-4, 33, 8, 7.2, 3.2)),
    _Part(
        DETAIL,
        area="M-4-13.5C-2-14.5 2-14.5 4-13.5 6-12 6.4-8 5.6-5.5 5.2 2 5.6 10 5 18 4 21.5-4 21.5-5 18-5.6 10-5.2 2-5.6-5.5-6.4-8-6-12-4-13.5Z",
    ),
    _Part(HULL, round=(-0.5, 2.4, 3.2)),
    _Part(HULL, round=(8, 2.4, 3.2)),
    _Part(HULL, round=(-9.5, 1.7, 1.7), fine=True),
    _Part(HULL, round=(16, 1.3, 1.3), fine=True),
)
_BATTLESHIP_ANGULAR: Final = (
    _Part(
        HULL,
        area="M0-50 4.2-42 9.2-27 11.4-10 11.6 14 10.2 32 6.6 46 3.6 50H-3.6L-6.6 46-10.2 32-11.6 14-11.4-10-9.2-27-4.2-42Z",
    ),
    _Part(
        DETAIL,
        line="M-1.5-39.5V-30M1.5-39.5V-30M-1.5-30.5V-21M1.5-30.5V-21M-1.5 29V36M1.5 29V36M-1.5 38V45M1.5 38V45",
        width=1.3,
        fine=True,
    ),
    _Part(
        DETAIL,
        area="M-9.2-9H-7.2V-4.5H-9.2ZM-9.6 2H-7.6V6.5H-9.6ZM-9.2 13H-7.2V17.5H-9.2ZM7.2-9H9.2V-4.5H7.2ZM7.6 2H9.6V6.5H7.6ZM7.2 13H9.2V17.5H7.2Z",
        fine=True,
    ),
    _Part(
        DETAIL,
        area="M-3.4-33H3.4L4.6-28.5 3.4-25H-3.4L-4.6-28.5ZM-3.4-23.5H3.4L4.6-19 3.4-15.5H-3.4L-4.6-19ZM-3.4 23H3.4L4.6 26.5 3.4 31H-3.4L-4.6 26.5ZM-3.4 32.5H3.4L4.6 36 3.4 40.5H-3.4L-4.6 36ZM-3-13.5H3L6-9V-2L5 0V8L6 10V17L3.5 20.5H-3.5L-6 17V10L-5 8V0L-6-2V-9Z",
    ),
    _Part(HULL, area="M-2.3 1H2.3V7H-2.3Z"),
    _Part(HULL, area="M-1.8-10H1.8V-6.5H-1.8ZM-1.3 13.5H1.3V16.5H-1.3Z", fine=True),
)
_CRUISER_ROUND: Final = (
    _Part(
        HULL,
        area="M0-50C3.2-43 6.6-31 7.8-15 8.4-4 8.4 12 7.8 22 7 36 5.2 45 2.8 48.6 1.4 50.2-1.4 50.2-2.8 48.6-5.2 45-7 36-7.8 22-8.4 12-8.4-4-7.8-15-6.6-31-3.2-43 0-50Z",
    ),
    _Part(
        DETAIL,
        line="M-1.1-39V-31M1.1-39V-31M-1.1-30V-22.5M1.1-30V-22.5M-1.1 29V36M1.1 29V36M-1.1 38V45M1.1 38V45",
        width=1.1,
        fine=True,
    ),
    _Part(DETAIL, house=(-3.2, -32.5, 6.4, 6.4, 2.8)),
    _Part(DETAIL, house=(-3.2, -23.5, 6.4, 6.4, 2.8)),
    _Part(DETAIL, house=(-3.2, 24.5, 6.4, 6.4, 2.8)),
    _Part(DETAIL, house=(-3.2, 33.5, 6.4, 6.4, 2.8)),
    _Part(
        DETAIL,
        area="M-3-14C-1.5-15 1.5-15 3-14 4.8-12.5 5-9 4.4-6 4 2 4.4 10 3.8 18 3 21-3 21-3.8 18-4.4 10-4 2-4.4-6-5-9-4.8-12.5-3-14Z",
    ),
    _Part(HULL, round=(-4, 1.8, 2.6)),
    _Part(HULL, round=(4, 1.8, 2.6)),
    _Part(HULL, round=(12, 1.8, 2.6)),
)
_CRUISER_ANGULAR: Final = (
    _Part(
        HULL,
        area="M0-50 3.2-42 7-27 8.8-10 9 14 8 32 5.2 46 3 50H-3L-5.2 46-8 32-9 14-8.8-10-7-27-3.2-42Z",
    ),
    _Part(
        DETAIL,
        line="M-1.2-39V-30M1.2-39V-30M-1.2-30.5V-21M1.2-30.5V-21M-1.2 29V36M1.2 29V36M-1.2 38V45M1.2 38V45",
        width=1.2,
        fine=True,
    ),
    _Part(
        DETAIL,
        area="M-2.8-32.5H2.8L3.8-28.5 2.8-25.5H-2.8L-3.8-28.5ZM-2.8-23H2.8L3.8-19 2.8-16H-2.8L-3.8-19ZM-2.8 23.5H2.8L3.8 26.5 2.8 30.5H-2.8L-3.8 26.5ZM-2.8 33H2.8L3.8 36 2.8 40H-2.8L-3.8 36ZM-2.6-13.5H2.6L4.8-9V-2L4 0V8L4.8 10V17L2.8 20.5H-2.8L-4.8 17V10L-4 8V0L-4.8-2V-9Z",
    ),
    _Part(HULL, area="M-1.9 1H1.9V6.5H-1.9Z"),
    _Part(HULL, area="M-1.5-10H1.5V-7H-1.5ZM-1.1 13.5H1.1V16H-1.1Z", fine=True),
)
_DESTROYER_ROUND: Final = (
    _Part(
        HULL,
        area="M0-50C2.6-43 5.2-30 6-14 6.5-2 6.5 14 6 26 5.4 38 4.4 46 2.8 49 1.4 50.2-1.4 50.2-2.8 49-4.4 46-5.4 38-6 26-6.5 14-6.5-2-6-14-5.2-30-2.6-43 0-50Z",
    ),
    _Part(DETAIL, round=(-29, 2.5, 2.5)),
    _Part(DETAIL, round=(-20.5, 2.5, 2.5)),
    _Part(DETAIL, round=(29, 2.5, 2.5)),
    _Part(DETAIL, round=(38, 2.5, 2.5)),
    _Part(DETAIL, area="M-2.6-15H2.6L3.4-10 2.6-6H-2.6L-3.4-10Z"),
    _Part(DETAIL, house=(-1.7, -3.5, 3.4, 7.5, 1.7)),
    _Part(DETAIL, house=(-2.6, 7, 5.2, 5.5, 0.8)),
    _Part(DETAIL, house=(-2.6, 16, 5.2, 5.5, 0.8)),
    _Part(DETAIL, line="M0-37V-29M0-28V-21M0 30V36M0 38V45", width=1.1, fine=True),
)
_DESTROYER_ANGULAR: Final = (
    _Part(
        HULL,
        area="M0-50 2.6-41 5.4-26 6.6-8 6.8 16 6 34 4 47 2.6 50H-2.6L-4 47-6 34-6.8 16-6.6-8-5.4-26-2.6-41Z",
    ),
    _Part(
        DETAIL,
        area="M-2.3-31.5H2.3V-26.8H-2.3ZM-2.3-23H2.3V-18.3H-2.3ZM-2.3 26.5H2.3V31.2H-2.3ZM-2.3 35.5H2.3V40.2H-2.3ZM-2.6-15H2.6L3.6-11V-7H-3.6V-11ZM-1.9-4H1.9V3.5H-1.9ZM-2.8 6.5H2.8V12H-2.8ZM-2.8 15.5H2.8V21H-2.8Z",
    ),
    _Part(DETAIL, line="M0-38V-31M0-28V-22M0 30V36M0 38V45", width=1.1, fine=True),
)
_CARRIER_ROUND: Final = (
    _Part(
        HULL,
        area="M-6-49C-2-50.4 2-50.4 6-49 8.6-40 10.4-26 10.8-10 11 6 10.8 26 10 40 9.6 46 8 49.6 5.6 50H-5.6C-8 49.6-9.6 46-10 40-10.8 26-11 6-10.8-10-10.4-26-8.6-40-6-49Z",
    ),
    _Part(DETAIL, house=(6.4, -13, 3.6, 20, 1.8)),
    _Part(DETAIL, house=(-3.4, -30, 6.8, 7.5, 1)),
    _Part(DETAIL, house=(-3.4, 27, 6.8, 7.5, 1)),
    _Part(DETAIL, line="M0-46V-32M0-20V25M0 37V48", width=1.2, dashes=(5, 4)),
)
_CARRIER_ANGULAR: Final = (
    _Part(HULL, area="M-5-50H5L8.4-40 10.6-26V34L8.6 46 6 50H-6L-8.6 46-10.6 34V-26L-8.4-40Z"),
    _Part(DETAIL, area="M6.2-14H8.6L10-11V6L8.6 9H6.2Z"),
    _Part(DETAIL, house=(-3.4, -30, 6.8, 7.5, 0)),
    _Part(DETAIL, house=(-3.4, -3, 6.8, 7.5, 0)),
    _Part(DETAIL, house=(-3.4, 27, 6.8, 7.5, 0)),
    _Part(DETAIL, line="M0-47V-32M0-20V-5M0 7V25M0 37V48", width=1.2, dashes=(5, 4)),
)
_UNKNOWN: Final = (
    _Part(
        HULL,
        area="M0-50C3.6-43 7.4-31 8.8-15 9.4-4 9.4 12 8.8 22 7.8 36 5.8 45 3 48.6 1.6 50.3-1.6 50.3-3 48.6-5.8 45-7.8 36-8.8 22-9.4 12-9.4-4-8.8-15-7.4-31-3.6-43 0-50Z",
    ),
    _Part(DETAIL, area="M-3.6-16H3.6L4.8-8V16L3.4 21H-3.4L-4.8 16V-8Z"),
)
_PARTS: Final = {
    "battleship-round": _BATTLESHIP_ROUND,
    "battlecruiser-round": _BATTLECRUISER_ROUND,
    "battleship-angular": _BATTLESHIP_ANGULAR,
    "battlecruiser-angular": _BATTLESHIP_ANGULAR,
    "cruiser-round": _CRUISER_ROUND,
    "cruiser-angular": _CRUISER_ANGULAR,
    "destroyer-round": _DESTROYER_ROUND,
    "destroyer-angular": _DESTROYER_ANGULAR,
    "carrier-round": _CARRIER_ROUND,
    "carrier-angular": _CARRIER_ANGULAR,
}


def kind_of_class(ship_class: ShipClass) -> str:
    """The kind of silhouette of a class."""
    return _KIND_OF_CLASS[ship_class]


def silhouette_of(ship: ShipType | None, side: Side | None = None) -> str:
    """The key of a ship's silhouette: by class, and by the shape of her side."""
    kind = kind_of_class(ship.ship_class) if ship else "unknown"
    return f"{kind}-{(side or side_of(ship)).shape.hull}"


def kind_of_ship(ship: ShipView) -> str:
    """The kind of silhouette of a ship of a battle, whose class may be unknown."""
    return kind_of_class(ship.ship_class) if ship.ship_class else "unknown"


def ship_symbol(key: str, colour: str, *, fine: bool, scale: float, opacity: float = 1.0) -> Group:
    """The symbol of a key at a scale; pages use it by name."""
    return Group(
        silhouette(key, colour, fine=fine),
        scale=(scale, scale),
        opacity=opacity,
        symbol=f"ship-{key}" if fine else f"ship-{key}-plain",
        colour=colour,
    )


def silhouette(key: str, hull: str, detail: str = "detail", *, fine: bool) -> tuple[Figure, ...]:
    """The silhouette of a key in two colours; `fine` adds barrels, boats and funnels."""
    return tuple(
        _shape(part, hull if part.ink == HULL else detail)
        for part in _PARTS.get(key, _UNKNOWN)
        if fine or not part.fine
    )


def _shape(part: _Part, colour: str) -> Shape:
    path = _outline(part)
    if part.line:
        return Shape(path, stroke=colour, width=part.width, dashes=part.dashes, round_ends=False)
    return Shape(path, fill=colour)


@cache
def _outline(part: _Part) -> Path:
    if part.house is not None:
        left, top, width, height, radius = part.house
        return Path().rounded(left, top, width, height, radius)
    if part.round is not None:
        aft, half_width, half_length = part.round
        return Path().ellipse(0.0, aft, half_width, half_length)
    return Path.from_svg(part.area or part.line)
