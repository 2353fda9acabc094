"""The sheet of the chart: its size and scale."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tabletop.rules import TableRules
from tabletop.table import Model, SmokeFront, Table
from web.drawing.geometry import Box, Point


@dataclass(frozen=True, slots=True)
class Format:
    """A sheet format for a kind of screen."""

    width: float
    least_aspect: float
    """The least height divided by width; the actual one depends on the ships' spread."""
    most_aspect: float
    unit: float
    """Pixels of the sheet per pixel of the screen."""


PHONE = Format(width=1080, least_aspect=0.95, most_aspect=1.3, unit=1080 / 390)
"""For the width of a phone."""

WIDE = Format(width=1600, least_aspect=0.64, most_aspect=0.82, unit=1600 / 860)
"""For most of a laptop's screen."""


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """A sheet with its scale: from yards on the table to pixels, away from the host upwards."""

    format: Format
    height: float
    sea: Box
    """The area inside the frame."""
    px_per_yard: float
    middle_yards: Point
    """The place at the centre of `ships_px`."""
    ships_px: Box
    """The area that the ships were fitted into."""

    @property
    def unit(self) -> float:
        """One pixel of the screen in pixels of the sheet."""
        return self.format.unit

    @property
    def diagonal(self) -> float:
        """Longer than any visible line."""
        return math.hypot(self.format.width, self.height)

    def at(self, x_yards: float, y_yards: float) -> Point:
        """The point on the sheet of a place on the table."""
        x, y = self.ships_px.centre
        return (
            x + (x_yards - self.middle_yards[0]) * self.px_per_yard,
            y - (y_yards - self.middle_yards[1]) * self.px_per_yard,
        )

    def px(self, yards: float) -> float:
        """A distance in yards as pixels of the sheet."""
        return yards * self.px_per_yard


def measuring_point(model: Model, rules: TableRules) -> Point:
    """A ship's measuring point in yards: her bridge or the centre of her base."""
    offset = model.base.bridge_offset_yards if rules.measure_from_bridge else 0.0
    pose = model.pose.moved(ahead_yards=offset)
    return pose.x_yards, pose.y_yards


def plan_frame(
    table: Table, rules: TableRules, format_: Format, *, room_below: float = 0.0
) -> ChartFrame:
    """The sheet that shows every ship, with extra space below them for a title if needed."""
    unit = format_.unit
    left, bottom, right, top = _spread(table, rules)
    margin = 42 * unit
    border = 9 * unit
    width = format_.width
    usable = width - 2 * (border + margin)
    tallest = format_.most_aspect * width - 2 * (border + margin)
    scale = min(usable / (right - left), tallest / (top - bottom))
    needed = (top - bottom) * scale + 2 * (border + margin)
    height = min(max(needed, format_.least_aspect * width), format_.most_aspect * width)
    height, room_below = round(height), round(room_below)
    return ChartFrame(
        format=format_,
        height=height + room_below,
        sea=Box(border, border, width - border, height + room_below - border),
        px_per_yard=scale,
        middle_yards=((left + right) / 2, (top + bottom) / 2),
        ships_px=Box(border, border, width - border, height - border),
    )


def _spread(table: Table, rules: TableRules) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the shown area, in yards."""
    corners = [corner for model in table.models for corner in model.corners()]
    corners += [measuring_point(model, rules) for model in table.models]
    left, bottom, right, top = _bounds(corners)
    longest = max(model.base.length_yards for model in table.models)
    if len(table.models) == 1 and rules.segments:
        # A single ship is shown with her range rings.
        least = 2.2 * rules.segments[len(rules.segments) // 2].upper_yards
    else:
        least = 7 * longest
    reach = max(right - left, top - bottom, least) / 3
    inside = [
        _towards(front, left - reach, bottom - reach, right + reach, top + reach)
        for front in table.smoke
    ]
    left, bottom, right, top = _bounds([*corners, *(end for ends in inside for end in ends)])
    x, y = (left + right) / 2, (bottom + top) / 2
    half_width, half_height = max(right - left, least) / 2, max(top - bottom, least * 0.7) / 2
    return x - half_width, y - half_height, x + half_width, y + half_height


def _bounds(points: Iterable[Point]) -> tuple[float, float, float, float]:
    across, up = zip(*points, strict=True)
    return min(across), min(up), max(across), max(up)


def _towards(
    front: SmokeFront, left: float, bottom: float, right: float, top: float
) -> tuple[Point, ...]:
    """The ends of a front, clipped so that far smoke does not shrink the ships."""
    return tuple(
        (min(max(x, left), right), min(max(y, bottom), top))
        for x, y in ((front.x1_yards, front.y1_yards), (front.x2_yards, front.y2_yards))
    )
