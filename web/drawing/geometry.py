"""Points, boxes and outlines in the units of a drawing: x to the right, y down."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Point = tuple[float, float]
Command = Literal["M", "L", "C", "Z"]
Step = tuple[Command, tuple[Point, ...]]
"""One segment of an outline: move, line, cubic curve with two control points, or close."""

_QUARTER_TURN: Final = 4 / 3 * math.tan(math.pi / 8)
"""The distance of the control points of a quarter circle, in radii."""
_HATCH_GAP: Final = 3.6


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle along the axes."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, centre: Point, width: float, height: float) -> "Box":
        """The box of this size about a point."""
        x, y = centre
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        """The middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def path(self) -> "Path":
        """Its outline."""
        return Path().rectangle(self.left, self.top, self.width, self.height)

    def grown(self, margin: float) -> "Box":
        """The box with a margin on all sides, which may be negative."""
        return Box(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)

    def contains(self, other: "Box") -> bool:
        """Whether the other box lies wholly inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def nearest(self, point: Point) -> Point:
        """The point of the box that is nearest to another one."""
        return (
            min(max(point[0], self.left), self.right),
            min(max(point[1], self.top), self.bottom),
        )

    def slid_into(self, frame: "Box") -> "Box":
        """The box, moved into the frame by the shortest way."""
        across = max(frame.left - self.left, 0.0) or min(frame.right - self.right, 0.0)
        down = max(frame.top - self.top, 0.0) or min(frame.bottom - self.bottom, 0.0)
        return Box(self.left + across, self.top + down, self.right + across, self.bottom + down)

    def overlap(self, other: "Box") -> float:
        """The area of the intersection."""
        # Most boxes do not overlap, and this is called very often.
        if (
            self.right <= other.left
            or other.right <= self.left
            or self.bottom <= other.top
            or other.bottom <= self.top
        ):
            return 0.0
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height

    def meets_line(self, start: Point, end: Point) -> bool:
        """Whether a straight line passes through the box."""
        near, far = 0.0, 1.0
        for low, high, a, b in (
            (self.left, self.right, start[0], end[0]),
            (self.top, self.bottom, start[1], end[1]),
        ):
            if a == b:
                if not low <= a <= high:
                    return False
                continue
            first, second = sorted(((low - a) / (b - a), (high - a) / (b - a)))
            near, far = max(near, first), min(far, second)
        return near <= far


@dataclass(frozen=True, slots=True)
class Path:
    """An outline of straight and curved segments. Immutable: every method returns a longer one."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def from_svg(cls, data: str) -> "Path":
        """Parse an SVG path with the absolute commands M, L, H, V, C and Z."""
        path = cls()
        for command, figures in re.findall(r"([MLHVCZ])([^MLHVCZ]*)", data):
            values = [float(each) for each in re.findall(r"-?\d*\.?\d+", figures)]
            last = path.end
            if command == "Z":
                path = path.close()
            elif command == "H":
                path = path.lines((x, last[1]) for x in values)
            elif command == "V":
                path = path.lines((last[0], y) for y in values)
            else:
                points = list(zip(values[::2], values[1::2], strict=True))
                if command == "M":
                    path, points = path.move(*points[0]), points[1:]
                if command == "C":
                    for number in range(0, len(points), 3):
                        path = path.curve(*points[number : number + 3])
                else:
                    path = path.lines(points)
        return path

    @property
    def points(self) -> tuple[Point, ...]:
        """The ends of the segments, without the control points of curves."""
        return tuple(points[-1] for command, points in self.steps if command != "Z")

    @property
    def end(self) -> Point:
        """The last point."""
        return self.points[-1] if self.steps else (0.0, 0.0)

    def move(self, x: float, y: float) -> "Path":
        """Begin a new part here."""
        return self._with(("M", ((x, y),)))

    def line(self, x: float, y: float) -> "Path":
        """Go straight to a point."""
        return self._with(("L", ((x, y),)))

    def lines(self, points: Iterable[Point]) -> "Path":
        """Go straight from point to point; an empty path begins at the first."""
        start: Command = "L" if self.steps and self.steps[-1][0] != "Z" else "M"
        found: list[Step] = [("L", (point,)) for point in points]
        if found:
            found[0] = (start, found[0][1])
        return self._with(*found)

    def curve(self, pull: Point, other_pull: Point, end: Point) -> "Path":
        """Add a cubic curve to a point, with two control points."""
        return self._with(("C", (pull, other_pull, end)))

    def close(self) -> "Path":
        """Go back to where this part began."""
        return self._with(("Z", ()))

    def polyline(self, points: Iterable[Point]) -> "Path":
        """Add an open part of straight lines."""
        found = tuple(points)
        return self.move(*found[0]).lines(found[1:])

    def polygon(self, corners: Iterable[Point]) -> "Path":
        """Add a closed part of straight lines."""
        return self.polyline(corners).close()

    def rectangle(self, x: float, y: float, width: float, height: float) -> "Path":
        """Add a rectangle by its upper left corner."""
        return self.polygon(corners(x, y, width, height))

    def rounded(self, x: float, y: float, width: float, height: float, radius: float) -> "Path":
        """Add a rectangle with round corners."""
        return self._rounded(x, y, width, height, radius, radius)

    def ellipse(self, x: float, y: float, half_width: float, half_height: float) -> "Path":
        """Add an ellipse by its centre."""
        left, top = x - half_width, y - half_height
        return self._rounded(left, top, 2 * half_width, 2 * half_height, half_width, half_height)

    def circle(self, x: float, y: float, radius: float) -> "Path":
        """Add a circle by its centre."""
        return self.ellipse(x, y, radius, radius)

    def arc(self, centre: Point, radius: float, start_deg: float, end_deg: float) -> "Path":
        """Add a line to an arc's start and the arc; degrees are clockwise from the top."""
        pieces = max(1, math.ceil(abs(end_deg - start_deg) / 90))
        part = math.radians(end_deg - start_deg) / pieces
        pull = 4 / 3 * math.tan(part / 4) * radius
        path = self.lines([on_circle(centre, radius, start_deg)])
        for number in range(pieces):
            angle = math.radians(start_deg) + number * part
            x1, y1 = on_circle(centre, radius, math.degrees(angle))
            x2, y2 = on_circle(centre, radius, math.degrees(angle + part))
            path = path.curve(
                (x1 + pull * math.cos(angle), y1 + pull * math.sin(angle)),
                (x2 - pull * math.cos(angle + part), y2 - pull * math.sin(angle + part)),
                (x2, y2),
            )
        return path

    def placed(self, x: float, y: float, scale: float = 1.0, turn_deg: float = 0.0) -> "Path":
        """The outline scaled, rotated clockwise about its origin and moved."""
        cosine, sine = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))

        def carry(point: Point) -> Point:
            px, py = point
            return x + scale * (px * cosine - py * sine), y + scale * (px * sine + py * cosine)

        return Path(tuple((command, tuple(map(carry, points))) for command, points in self.steps))

    def and_path(self, other: "Path") -> "Path":
        """Both outlines as one."""
        return self._with(*other.steps)

    def _rounded(
        self, x: float, y: float, width: float, height: float, across: float, down: float
    ) -> "Path":
        right, bottom = x + width, y + height
        pull_x, pull_y = across * (1 - _QUARTER_TURN), down * (1 - _QUARTER_TURN)
        path = self.move(x + across, y).line(right - across, y)
        path = path.curve((right - pull_x, y), (right, y + pull_y), (right, y + down))
        path = path.line(right, bottom - down)
        path = path.curve(
            (right, bottom - pull_y), (right - pull_x, bottom), (right - across, bottom)
        )
        path = path.line(x + across, bottom)
        path = path.curve((x + pull_x, bottom), (x, bottom - pull_y), (x, bottom - down))
        path = path.line(x, y + down)
        return path.curve((x, y + pull_y), (x + pull_x, y), (x + across, y)).close()

    def _with(self, *steps: Step) -> "Path":
        return Path((*self.steps, *steps))


def corners(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle by its upper left one."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def octagon(centre: Point, width: float, height: float, cut: float) -> tuple[Point, ...]:
    """The corners of a rectangle with cut corners."""
    x, y = centre[0] - width / 2, centre[1] - height / 2
    right, bottom = x + width, y + height
    return (
        (x + cut, y),
        (right - cut, y),
        (right, y + cut),
        (right, bottom - cut),
        (right - cut, bottom),
        (x + cut, bottom),
        (x, bottom - cut),
        (x, y + cut),
    )


def on_circle(centre: Point, radius: float, turn_deg: float) -> Point:
    """The point of a circle at an angle clockwise from the top."""
    turn = math.radians(turn_deg)
    return centre[0] + radius * math.sin(turn), centre[1] - radius * math.cos(turn)


def between(start: Point, end: Point, part: float) -> Point:
    """The point of a line at a fraction of its length."""
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def hatching(outline: Sequence[Point], gap: float = _HATCH_GAP) -> Iterator[tuple[Point, Point]]:
    """Parallel lines from lower left to upper right within a convex figure."""
    sums = [x + y for x, y in outline]
    edges = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    step = gap * math.sqrt(2)
    level = (math.floor(min(sums) / step) + 1) * step
    while level < max(sums):
        crossings = sorted(
            between((x1, y1), (x2, y2), (level - x1 - y1) / (x2 + y2 - x1 - y1))
            for (x1, y1), (x2, y2) in edges
            if (x1 + y1 < level) is not (x2 + y2 < level)
        )
        if len(crossings) >= 2:
            yield crossings[0], crossings[-1]
        level += step


def smooth(points: Sequence[Point], pieces: int = 5) -> tuple[Point, ...]:
    """A smooth line through the points, as short straight segments."""
    found = [points[0]]
    for number in range(len(points) - 1):
        before = points[max(number - 1, 0)]
        start, end = points[number], points[number + 1]
        after = points[min(number + 2, len(points) - 1)]
        for piece in range(1, pieces + 1):
            part = piece / pieces
            found.append(
                (
                    _spline(before[0], start[0], end[0], after[0], part),
                    _spline(before[1], start[1], end[1], after[1], part),
                )
            )
    return tuple(found)


def _spline(before: float, start: float, end: float, after: float, part: float) -> float:
    """A spline through four values, between the two in the middle."""
    slope, next_slope = (end - before) / 2, (after - start) / 2
    bend, twist = 3 * (end - start) - 2 * slope - next_slope, 2 * (start - end) + slope + next_slope
    return start + part * (slope + part * (bend + part * twist))


def spread(
    wanted: Sequence[float], rooms: Sequence[float], limits: tuple[float, float]
) -> list[float]:
    """Positions near the wanted ones, in the same order, at least their sizes apart."""
    places: list[float] = []
    floor = limits[0]
    for want, room in zip(wanted, rooms, strict=True):
        places.append(max(want, floor + room / 2))
        floor = places[-1] + room / 2
    ceiling = limits[1]
    for number in range(len(places) - 1, -1, -1):
        room = rooms[number]
        places[number] = min(places[number], ceiling - room / 2)
        ceiling = places[number] - room / 2
    return places


def round_step(size: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is not above this size."""
    power = 10.0 ** math.floor(math.log10(size))
    return max(
        (factor * power for factor in (1, 2, 5) if factor * power <= size * 1.000001),
        default=power,
    )
