"""Ships on the chart: true bases, readable silhouettes, sides and names."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from combat.scene_file import Scene
from tabletop.survey import PairCheck, Survey
from web.drawing.chart.frame import ChartFrame, measuring_point
from web.drawing.chart.parts import Label, NameTag, PlacedModel, ShipMark
from web.drawing.fonts import Face, cut, label_width
from web.drawing.geometry import Box, Point, between
from web.drawing.labels import (
    FreeLabel,
    LabelRequest,
    LabelSpot,
    around,
    model_boxes,
    shrunk,
)
from web.drawing.silhouettes import silhouette_of
from web.sides import side_of
from web.strings import text
from web.strings import words as words_of
from web.table.survey_text import MOST_BLOCKERS, describe, marker_words

FEW = 12
"""Up to this many ships, labels are placed thoroughly."""

ALL_NAMED = 24
"""Up to this many ships, every ship has a name."""

_MARKER_PX, _SMALLEST_MARKER_PX = 32, 16
"""The least length of a silhouette on the screen; the smaller one for many ships."""

_RANK = {"firer": 0, "target": 1, "blocker": 2, "": 3}
"""The priority of names if there is not room for all."""

_SMALLEST_NAME_PX = 11.5


def lay_out_ships(
    scene: Scene,
    result: Survey,
    chart_frame: ChartFrame,
    *,
    firer: str,
    check: PairCheck | None,
) -> tuple[PlacedModel, ...]:
    """Every ship at her true place, without a name."""
    models = scene.table.models
    centres = [chart_frame.at(model.pose.x_yards, model.pose.y_yards) for model in models]
    apart = [_nearest(number, centres) for number in range(len(models))]
    least = _least_marker(apart, chart_frame.unit)
    blockers = {each.name for each in check.blockers[:MOST_BLOCKERS]} if check else set()
    target = check.target if check else None
    placed = []
    for model, centre in zip(models, centres, strict=True):
        ship = scene.ships.get(model.name)
        side = scene.side_of(model.name) or side_of(ship)
        base_length = chart_frame.px(model.base.length_yards)
        base_width = chart_frame.px(model.base.width_yards)
        length = max(base_length * 0.96, least)
        if model.name == firer:
            role = "firer"
        elif model.name == target:
            role = "target"
        else:
            role = "blocker" if model.name in blockers else ""
        spoken = (
            text("chart.looking", ship=model.name)
            if model.name == firer
            else describe(scene, result[firer, model.name])
        )
        mark = ShipMark(
            name=model.name,
            side=side,
            silhouette=silhouette_of(ship, side),
            at=centre,
            heading_deg=model.pose.heading_deg,
            length=length,
            base_length=base_length,
            base_width=base_width,
            bridge=chart_frame.px(model.base.bridge_offset_yards),
            quadrant_ticks_deg=result.rules.arcs.lines_deg,
            vector=length * (0.62 if len(models) <= FEW else 0.3),
            role=role,
            boxes=(
                (Box.around(centre, 1.45 * length, 1.45 * length),)
                if role in ("firer", "target")
                else _hull_boxes(centre, model.pose.heading_deg, length, base_width)
            ),
            core=model_boxes(centre, model.pose.heading_deg, max(length, base_length), base_width),
            tag=None,
            spoken=spoken,
            caption=" · ".join(
                (model.name, *map(words_of, marker_words(scene, model.name, short=True)))
            ),
        )
        placed.append(
            PlacedModel(model, mark, chart_frame.at(*measuring_point(model, result.rules)))
        )
    return tuple(placed)


def name_wishes(
    ships: Sequence[PlacedModel], chart_frame: ChartFrame
) -> tuple[LabelRequest[tuple[str, str]], ...]:
    """The label requests of the names, the most important ships first."""
    # Up to this many ships, each has a name; with more, one across three others is worse than none.
    are_all_named = len(ships) <= ALL_NAMED
    spared = [placed for placed in ships if placed.mark.role or are_all_named]
    bases = tuple(box for placed in spared for box in placed.mark.core)
    order = sorted(ships, key=lambda placed: _RANK[placed.mark.role])
    return tuple(
        _name_wish(placed, chart_frame, bases, count=len(ships), required=are_all_named)
        for placed in order
    )


def _name_wish(
    placed: PlacedModel,
    chart_frame: ChartFrame,
    bases: tuple[Box, ...],
    *,
    count: int,
    required: bool,
) -> LabelRequest[tuple[str, str]]:
    mark = placed.mark
    size = name_size(count, chart_frame)
    frame = chart_frame.sea.grown(-4 * chart_frame.unit)
    reach = max(mark.length * 0.2, mark.base_width / 2)

    def spots(scale: float) -> tuple[LabelSpot, ...]:
        box = _tag_size(mark.caption, size * scale, chart_frame)
        return around(mark.at, reach, *box, gap=10 * chart_frame.unit, frame=frame)

    def anywhere(scale: float) -> FreeLabel:
        return FreeLabel(mark.at, *_tag_size(mark.caption, size * scale, chart_frame), scale)

    key = ("name", mark.name)
    if not mark.role and not required:
        return LabelRequest(key, spots(1.0), worst=11.9, clear_of=bases)
    small = max(_SMALLEST_NAME_PX * chart_frame.unit / size, 0.8)
    return LabelRequest(
        key,
        (*spots(1.0), *shrunk(spots(small), small, 5.0)),
        worst=45.0,
        clear_of=bases,
        roams=(anywhere(small), anywhere(0.8 * small)),
    )


def name_size(count: int, chart_frame: ChartFrame) -> float:
    """The text size of names: smaller with many ships."""
    crowd = 1.0 if count <= 8 else 0.9 if count <= 16 else 0.76
    return 16 * chart_frame.unit * crowd


def with_names(
    ships: Sequence[PlacedModel],
    chart_frame: ChartFrame,
    spots: Mapping[tuple[str, str], LabelSpot],
) -> tuple[ShipMark, ...]:
    """The ships with their placed names."""
    size = name_size(len(ships), chart_frame)
    marks = []
    for placed in ships:
        spot = spots.get(("name", placed.model.name))
        tag = (
            None
            if spot is None
            else _tag(placed.mark, spot, size * spot.scale, chart_frame, crowd=len(ships) > FEW)
        )
        marks.append(replace(placed.mark, tag=tag))
    return tuple(marks)


def _tag_size(name: str, size: float, chart_frame: ChartFrame) -> tuple[float, float]:
    words = cut(name, Face.SERIF_ITALIC, size, _widest_name(chart_frame))
    width = label_width(words, Face.SERIF_ITALIC, size)
    return width + size * 1.35 + 4 * chart_frame.unit, size * 1.3


def _widest_name(chart_frame: ChartFrame) -> float:
    return chart_frame.format.width * 0.42


def _tag(
    mark: ShipMark, spot: LabelSpot, size: float, chart_frame: ChartFrame, *, crowd: bool
) -> NameTag:
    box = spot.boxes[0]
    middle = (box.top + box.bottom) / 2
    badge = box.left + size * 0.62
    words = cut(mark.caption, Face.SERIF_ITALIC, size, _widest_name(chart_frame))
    edge = box.nearest(mark.at)
    distance = math.dist(edge, mark.at)
    # With many ships a name apart from its ship could be taken for a neighbour's.
    far = distance > max(mark.length * 0.6, (15 if crowd else 26) * chart_frame.unit)
    return NameTag(
        box=box,
        badge=(badge, middle),
        text=Label(badge + size * 0.78, middle + size * 0.33, words),
        size=size,
        leader=(edge, between(mark.at, edge, 0.3 * mark.length / distance)) if far else None,
    )


def _nearest(number: int, centres: Sequence[Point]) -> float:
    return min(
        (math.dist(centres[number], other) for i, other in enumerate(centres) if i != number),
        default=math.inf,
    )


def _least_marker(apart: Sequence[float], unit: float) -> float:
    """The readable length of a silhouette, or less if ships would overlap."""
    # Ships on one spot overlap at any size and are not counted.
    distances = sorted(distance for distance in apart if distance > 8 * unit)
    if not distances:
        return _MARKER_PX * unit
    close = distances[len(distances) // 5]
    return min(max(close * 0.85, _SMALLEST_MARKER_PX * unit), _MARKER_PX * unit)


def _hull_boxes(centre: Point, heading_deg: float, length: float, width: float) -> tuple[Box, ...]:
    """Squares along the hull and a little ahead of the bow, which labels avoid."""
    across = max(width, length * 0.28)
    ahead = math.sin(math.radians(heading_deg)), -math.cos(math.radians(heading_deg))
    return tuple(
        Box.around(
            (centre[0] + ahead[0] * length * step, centre[1] + ahead[1] * length * step),
            across,
            across,
        )
        for step in (-0.38, -0.13, 0.13, 0.38, 0.7)
    )
