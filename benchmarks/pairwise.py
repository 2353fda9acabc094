"""The plain way: shapely, one pair and one obstacle at a time.

It is the baseline of the survey benchmark and the independent twin that the tests compare the
array arithmetic with, so it shares no geometry with `tabletop` but the corners of a base.
"""

import math
from dataclasses import dataclass

from shapely import LineString, Point, Polygon

from tabletop.rules import TableRules
from tabletop.table import Model, Table


@dataclass(frozen=True, slots=True)
class PlainCheck:
    """What the plain loop finds for one ordered pair."""

    firer: str
    target: str
    range_yards: float
    bearing_deg: float | None
    relative_bearing_deg: float | None
    quadrant: str | None
    aspect: str | None
    segment: str | None
    blockers: tuple[tuple[str, float], ...]
    smoke: bool


def plain_survey(table: Table, rules: TableRules) -> list[PlainCheck]:
    """Every ordered pair, measured one after the other."""
    polygons = {model.name: _polygon(model) for model in table.models}
    fronts = [LineString([(f.x1_yards, f.y1_yards), (f.x2_yards, f.y2_yards)]) for f in table.smoke]
    return [
        _check(firer, target, table, rules, polygons, fronts)
        for firer in table.models
        for target in table.models
        if firer is not target
    ]


def _check(
    firer: Model,
    target: Model,
    table: Table,
    rules: TableRules,
    polygons: dict[str, Polygon],
    fronts: list[LineString],
) -> PlainCheck:
    here, there = _point(firer, rules), _point(target, rules)
    line = LineString([here, there])
    distance = here.distance(there)
    relative = aspect = bearing = None
    if distance > 0:
        bearing = math.degrees(math.atan2(there.x - here.x, there.y - here.y)) % 360
        relative = (bearing - firer.pose.heading_deg) % 360
        aspect = (bearing + 180 - target.pose.heading_deg) % 360
        if rules.contact_range_yards is not None and polygons[firer.name].intersects(
            polygons[target.name]
        ):
            distance = rules.contact_range_yards
    blockers = []
    for model in table.models:
        if model is firer or model is target or not _as_large(model, firer, target, rules):
            continue
        if line.intersects(polygons[model.name]):
            at = here.distance(line.intersection(polygons[model.name]))
            sight = rules.sight
            if distance <= sight.whole_line_range_yards or at <= sight.near_reach_yards:
                blockers.append((model.name, at))
    return PlainCheck(
        firer=firer.name,
        target=target.name,
        range_yards=distance,
        bearing_deg=bearing,
        relative_bearing_deg=relative,
        quadrant=_quadrant(relative),
        aspect=_quadrant(aspect),
        segment=_segment(distance, rules),
        blockers=tuple(sorted(blockers, key=lambda blocker: blocker[1])),
        smoke=any(line.intersects(front) for front in fronts),
    )


def _polygon(model: Model) -> Polygon:
    return Polygon(model.corners())


def _point(model: Model, rules: TableRules) -> Point:
    offset = model.base.bridge_offset_yards if rules.measure_from_bridge else 0.0
    angle = math.radians(model.pose.heading_deg)
    return Point(
        model.pose.x_yards + offset * math.sin(angle), model.pose.y_yards + offset * math.cos(angle)
    )


def _as_large(model: Model, firer: Model, target: Model, rules: TableRules) -> bool:
    sizes = rules.sight.sizes
    if not sizes:
        return True
    rank = [sizes.index(each.size or rules.sight.default_size) for each in (model, firer, target)]
    return rank[0] >= min(rank[1:])


def _quadrant(relative_deg: float | None) -> str | None:
    if relative_deg is None:
        return None
    if relative_deg < 45 or relative_deg > 315:
        return "bow"
    if 135 < relative_deg < 225:
        return "stern"
    return "starboard" if relative_deg < 180 else "port"


def _segment(distance: float, rules: TableRules) -> str | None:
    if not rules.segments:
        return None
    for segment in rules.segments:
        if distance <= segment.upper_yards:
            return segment.name
    return "out_of_range"
