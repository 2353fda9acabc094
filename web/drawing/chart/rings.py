"""Range rings with their tints, their labels, and the quadrants about the firer."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from combat.scene_file import Scene
from tabletop.angles import wrap_180
from tabletop.arcs import CLOCKWISE, Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.messages import Message
from tabletop.rules import TableRules
from tabletop.survey import PairCheck
from web.drawing.chart.frame import ChartFrame
from web.drawing.chart.parts import Band, Label, PlacedModel, QuadrantLine, Ring, RingLimit, Rings
from web.drawing.fonts import Face, label_width
from web.drawing.geometry import Box, Path, Point, on_circle, round_step
from web.drawing.labels import AvoidedLine, LabelRequest, LabelSpot
from web.strings import words
from web.table.survey_text import yards_text

_TINTS = 8
_AWAY_FROM_AXIS_DEG = (
    0,
    *(side * away for away in (6, 12, 20, 30, 45, 60, 80, 105, 130, 155) for side in (1, -1)),
    180,
)
_LARGEST_RADIUS = 40_000.0
"""A radius whose edge is never visible; larger ones slow the renderer down."""


@dataclass(frozen=True, slots=True)
class _Label:
    key: tuple[str, str]
    words: str
    radius: float
    size: float
    face: Face
    is_limit: bool
    doubtful: bool = False


class RingPlan:
    """The rings about one ship: first their label requests, then the finished drawing."""

    def __init__(
        self,
        scene: Scene,
        rules: TableRules,
        chart_frame: ChartFrame,
        firer: PlacedModel,
        check: PairCheck | None,
    ) -> None:
        self._sheet = chart_frame
        self._firer = firer
        self._rules = rules
        self._check = check
        self._bands = tuple(
            (words(info.title), info.upper_yards) for info in scene.ruleset.segments
        )
        self._labels = {label.key: label for label in self._make_labels()}

    def wishes(self, lines: Sequence[AvoidedLine]) -> tuple[LabelRequest[tuple[str, str]], ...]:
        """The label requests of the rings and quadrants."""
        axis = self._axis_deg(lines)
        rings = (
            LabelRequest(label.key, self._spots(label, axis), worst=46.0)
            for label in self._labels.values()
        )
        quadrants = (
            LabelRequest(
                ("quadrant", str(quadrant)), self._quadrant_spots(number, quadrant), worst=30.0
            )
            for number, quadrant in enumerate(CLOCKWISE)
        )
        return (*quadrants, *rings)

    def quadrant_ends(self) -> tuple[Point, ...]:
        """The ends of the quadrant lines, beyond the edge of the sheet."""
        return tuple(
            self._towards(line, self._sheet.diagonal) for line in self._rules.arcs.lines_deg
        )

    def draw(self, spots: Mapping[tuple[str, str], LabelSpot]) -> Rings:
        """The rings with the labels that were placed."""
        doubtful_lines = self._limits(CloseCallKind.QUADRANT)
        size = self._small
        return Rings(
            centre=self._firer.point,
            water=f"t{_TINTS}" if self._bands else "t5",
            rings=self._rings(),
            limits=tuple(
                _limit(self._firer.point, label, spots[key].turn_deg)
                for key, label in self._labels.items()
                if key in spots and label.is_limit
            ),
            bands=tuple(
                _band(label, spots[key].turn_deg)
                for key, label in self._labels.items()
                if key in spots and not label.is_limit
            ),
            quadrant_lines=tuple(
                QuadrantLine(end, line in doubtful_lines)
                for line, end in zip(self._rules.arcs.lines_deg, self.quadrant_ends(), strict=True)
            ),
            quadrant_names=tuple(
                Label(
                    spots["quadrant", name].centre[0],
                    spots["quadrant", name].centre[1] + size * 0.33,
                    _quadrant_words(name),
                )
                for name in CLOCKWISE
                if ("quadrant", name) in spots
            ),
            lit=self._lit(),
        )

    @property
    def _small(self) -> float:
        return 12.5 * self._sheet.unit

    def _limits(self, question: CloseCallKind) -> set[float]:
        """The range limits of the selected pair's close calls."""
        calls = self._check.close_calls if self._check else ()
        return {
            call.limit
            for call in calls
            if call.what is question and not isinstance(call.limit, Message)
        }

    def _rings(self) -> tuple[Ring, ...]:
        doubtful = self._limits(CloseCallKind.RANGE)
        # The largest is drawn first, because nearer areas cover farther ones.
        return tuple(
            Ring(
                radius=min(self._sheet.px(upper), _LARGEST_RADIUS),
                tint=f"t{min(number + 1, _TINTS)}" if self._bands else None,
                doubtful=upper in doubtful,
            )
            for number, upper in reversed(list(enumerate(self._uppers())))
        )

    def _uppers(self) -> tuple[float, ...]:
        if self._bands:
            return tuple(upper for _, upper in self._bands)
        farthest = self._sheet.diagonal / self._sheet.px_per_yard
        step = round_step(max(farthest / 6, 1e-9))
        return tuple(step * number for number in range(1, math.ceil(farthest / step) + 1))

    def _make_labels(self) -> tuple[_Label, ...]:
        labels = []
        doubtful = self._limits(CloseCallKind.RANGE)
        inner = 0.0
        for number, upper in enumerate(self._uppers()):
            radius = self._sheet.px(upper)
            width = radius - inner
            if radius > self._sheet.diagonal and inner > self._sheet.diagonal:
                break
            if width > self._small * 1.5:
                key = ("limit", str(number))
                labels.append(
                    _Label(
                        key,
                        yards_text(upper),
                        radius,
                        self._small,
                        Face.SANS,
                        True,
                        upper in doubtful,
                    )
                )
            if self._bands and width > self._small * 2.9:
                title = self._bands[number][0].lower()
                middle = max((inner + radius) / 2, inner + width * 0.55 if number == 0 else 0.0)
                key = ("band", str(number))
                labels.append(
                    _Label(key, title, middle, self._small * 1.06, Face.SERIF_ITALIC, False)
                )
            inner = radius
        return tuple(labels)

    def _axis_deg(self, lines: Sequence[AvoidedLine]) -> float:
        """The bearing along which most labels fit, so that they are in a row."""
        frame = self._sheet.sea.grown(-6 * self._sheet.unit)

        def fitting(turn: float) -> float:
            score = 0.0
            for label in self._labels.values():
                boxes = _label_boxes(self._firer.point, label, turn)
                if all(frame.contains(box) for box in boxes):
                    crossed = any(
                        box.meets_line(line.start, line.end) for line in lines for box in boxes
                    )
                    score += 0.3 if crossed else 1.0
            # Of equals, the bearing whose text is rotated least.
            return score + 0.3 * math.cos(math.radians(turn))

        return max((float(turn) for turn in range(0, 360, 10)), key=fitting)

    def _spots(self, label: _Label, axis_deg: float) -> tuple[LabelSpot, ...]:
        spots = []
        for away in _AWAY_FROM_AXIS_DEG:
            turn = axis_deg + away
            boxes = _label_boxes(self._firer.point, label, turn)
            spots.append(LabelSpot(boxes, abs(away) * 0.12, turn))
        return tuple(spots)

    def _quadrant_spots(self, number: int, name: Quadrant) -> tuple[LabelSpot, ...]:
        """The middle of a quadrant, near the ship."""
        lines = self._rules.arcs.lines_deg
        start, end = lines[number - 1], lines[number]
        middle = start + ((end - start) % 360.0) / 2
        width = label_width(_quadrant_words(name), Face.SERIF_ITALIC, self._small) * 1.1
        spots = []
        for step in range(6):
            reach = max(self._firer.mark.length * 0.5, 30 * self._sheet.unit)
            distance = reach + (14 + step * 12) * self._sheet.unit
            for aside in (0, 14, -14, 26, -26):
                point = self._towards(middle + aside, distance)
                spots.append(
                    LabelSpot(
                        (Box.around(point, width, self._small * 1.1),), step * 3 + abs(aside) / 9
                    )
                )
        return tuple(spots)

    def _towards(self, relative_deg: float, distance: float) -> Point:
        turn = self._firer.model.pose.heading_deg + relative_deg
        return on_circle(self._firer.point, distance, turn)

    def _lit(self) -> Path | None:
        if self._check is None or self._check.quadrant is None:
            return None
        number = CLOCKWISE.index(self._check.quadrant)
        lines = self._rules.arcs.lines_deg
        start = self._firer.model.pose.heading_deg + lines[number - 1]
        end = start + (lines[number] - lines[number - 1]) % 360.0
        centre = self._firer.point
        return Path().move(*centre).arc(centre, self._sheet.diagonal, start, end).close()


def _quadrant_words(quadrant: Quadrant) -> str:
    return words(Message(f"survey.quadrant.{quadrant}"))


def _half_turn(label: _Label) -> float:
    width = label_width(label.words, label.face, label.size) + label.size * 0.6
    return min(math.degrees(width / 2 / label.radius), 150.0)


def _label_boxes(centre: Point, label: _Label, turn_deg: float) -> tuple[Box, ...]:
    """Squares along the arc of a label."""
    half = _half_turn(label)
    count = max(2, math.ceil(2 * math.radians(half) * label.radius / label.size))
    boxes = []
    for number in range(count + 1):
        middle = on_circle(centre, label.radius, turn_deg - half + 2 * half * number / count)
        boxes.append(Box.around(middle, label.size * 1.15, label.size * 1.15))
    return tuple(boxes)


def _limit(centre: Point, label: _Label, turn_deg: float) -> RingLimit:
    at = on_circle(centre, label.radius, turn_deg)
    # Below the ship the text is reversed, so that it is not upside down.
    upright = turn_deg if at[1] <= centre[1] else turn_deg + 180.0
    return RingLimit(at, wrap_180(upright), label.words, label.doubtful)


def _band(label: _Label, turn_deg: float) -> Band:
    """A label along its circle: clockwise above the ship, the other way below."""
    inward = math.cos(math.radians(turn_deg)) < -0.1
    # The baseline is half a letter's height below the middle of the text.
    radius = label.radius + label.size * (0.33 if inward else -0.33)
    return Band(radius, turn_deg, inward, label.words)
