"""Where hits and splashes lie on the drawing of a ship that is fired at."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from combat.participants import Side
from combat.record_sheets import RecordSheet
from web.drawing.figures import Drawing
from web.drawing.geometry import Point
from web.drawing.ship_layout import MIDDLE, PartSpot, ShipLayout, lay_out
from web.drawing.ship_plan import draw_small

_ALONG: Final = (0.42, 0.66, 0.28, 0.55, 0.78, 0.35, 0.7, 0.2, 0.5, 0.6)
"""Where hits on the hull are drawn, from the bow."""
_ABEAM: Final = (0.3, -0.45, 0.1, 0.5, -0.2, -0.55, 0.35, 0.0, 0.6, -0.35)
"""How far off her keel, as parts of her half breadth."""
_SPLASHES: Final = (
    (0.16, -1.4), (0.72, 1.4), (0.47, -1.5), (0.9, -1.3), (0.3, 1.5), (1.0, 0.9), (0.62, -1.4),
    (0.06, 1.3),
)  # fmt: skip
"""Where shells that miss fall: along her, and off her keel."""

_APART: Final = 42.0
"""From one hit to the next, so that the number of each can be read."""
_RINGS: Final = (42.0, 60.0, 84.0, 120.0)
_PLACES_ON_A_RING: Final = 12


@dataclass(frozen=True, slots=True)
class StruckShip:
    """A ship with her bow to the left, and where shells fall on her and about her."""

    drawing: Drawing
    hits: tuple[Point, ...]
    splashes: tuple[Point, ...]


def draw_struck(sheet: RecordSheet, side: Side, parts: Sequence[str], misses: int) -> StruckShip:
    """A ship with a place for each part that was hit, by its key or kind, and for each miss."""
    plan = lay_out(sheet, side.shape.hull)
    drawing = draw_small(sheet, side)
    half = drawing.height / 2

    def turned(at: Point) -> Point:
        return at[1], half + MIDDLE - at[0]

    def beside(along: float, abeam: float) -> Point:
        return along * drawing.width, half * (1 + abeam)

    hits: list[Point] = []
    for number, part in enumerate(parts):
        spot = _spot_of(plan, part)
        place = number % len(_ALONG)
        at = beside(_ALONG[place], _ABEAM[place]) if spot is None else turned(spot.at)
        hits.append(_beside_others(at, hits, drawing))
    splashes = tuple(beside(*each) for each in _SPLASHES[: max(0, misses)])
    return StruckShip(drawing, tuple(hits), splashes)


def _beside_others(at: Point, others: Sequence[Point], drawing: Drawing) -> Point:
    """The place nearest to a hit's own at which its number covers no other's; its own if all do."""

    def is_free(place: Point) -> bool:
        x, y = place
        within = 0 <= x <= drawing.width and 0 <= y <= drawing.height
        return within and all(math.dist(place, other) >= _APART for other in others)

    rings = (
        (at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn))
        for radius in _RINGS
        for turn in (math.tau * step / _PLACES_ON_A_RING for step in range(_PLACES_ON_A_RING))
    )
    return next(filter(is_free, (at, *rings)), at)


def _spot_of(plan: ShipLayout, part: str) -> PartSpot | None:
    """The place of a part; None where it is the hull, or has none of its own."""
    rudder = () if plan.rudder is None else (plan.rudder,)
    spots = (*plan.turrets, *plan.secondaries, *plan.block_parts, *rudder)
    named = (spot for spot in spots if spot.part.key == part)
    alike = (spot for spot in spots if spot.part.kind == part)
    return next(named, None) or next(alike, None)
