"""Ships on the chart: true bases, readable silhouettes, sides, and names that keep apart."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from combat.participants import Side
from combat.scene_file import Scene
from combat.ships import ShipClass, ShipType
from combat.sides import usual
from tabletop.survey import PairCheck, Survey
from web.charts.labels import Box, Point, Roam, Spot, Wanted, around, shrunk
from web.charts.lettering import Face, fit, text_width
from web.charts.paper import Sheet, measuring_point
from web.charts.parts import NameTag, Placed, ShipMark, Text
from web.table.survey_text import describe

FEW = 12
"""Up to so many ships, all may take their time; more are a crowd."""

Link = Callable[[str], str]
"""The address that a tap on the ship of this name leads to."""

_SILHOUETTES = {
    ShipClass.BATTLESHIP: "battleship",
    ShipClass.BATTLE_CRUISER: "battlecruiser",
    ShipClass.POCKET_BATTLESHIP: "cruiser",
    ShipClass.CARRIER: "carrier",
    ShipClass.HEAVY_CRUISER: "cruiser",
    ShipClass.LIGHT_CRUISER: "cruiser",
    ShipClass.DESTROYER: "destroyer",
}
_MARKER_PX, _SMALLEST_MARKER_PX = 32, 16
"""How long a silhouette is at least, on the screen; the smaller where ships crowd."""

_RANK = {"firer": 0, "target": 1, "blocker": 2, "": 3}
"""Who is named first where there is not room for all."""

_SMALLEST_NAME_PX = 11.5
_FINGER_PX = 22.5
"""Half of what a fingertip needs to hit."""


def side_of(ship: ShipType | None) -> Side:
    """The usual side of a ship's nation, with the nation's own letter where it has no side."""
    nation = ship.nation if ship else ""
    side = usual().of_nation(nation)
    letter = side.letter if side.key != usual().others else nation[:1] or side.letter
    return replace(side, name=nation or "Unknown side", letter=letter)


def silhouette_of(ship: ShipType | None, side: Side | None = None) -> str:
    """The drawing for a ship: by class, and by the shape of her side."""
    style = (side or side_of(ship)).shape.hull
    return f"{silhouette_by_class(ship.ship_class) if ship else 'unknown'}-{style}"


def silhouette_by_class(ship_class: ShipClass) -> str:
    """The kind of drawing for a class."""
    return _SILHOUETTES[ship_class]


def lay_out_ships(
    scene: Scene,
    result: Survey,
    sheet: Sheet,
    *,
    firer: str,
    check: PairCheck | None,
    link: Link | None,
) -> tuple[Placed, ...]:
    """Every ship at her true place, as yet without a name."""
    models = scene.table.models
    centres = [sheet.at(model.pose.x_yards, model.pose.y_yards) for model in models]
    apart = [_nearest(number, centres) for number in range(len(models))]
    least = _least_marker(apart, sheet.unit)
    blockers = {blocker.name for blocker in check.blockers} if check else set()
    target = check.target if check else None
    placed = []
    for model, centre, room in zip(models, centres, apart, strict=True):
        ship = scene.ships.get(model.name)
        side = scene.side_of(model.name) or side_of(ship)
        base_length = sheet.px(model.base.length_yards)
        base_width = sheet.px(model.base.width_yards)
        length = max(base_length * 0.96, least)
        if model.name == firer:
            role = "firer"
        elif model.name == target:
            role = "target"
        else:
            role = "blocker" if model.name in blockers else ""
        spoken = (
            f"{model.name}, looking"
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
            bridge=sheet.px(model.base.bridge_offset_yards),
            quadrant_ticks_deg=result.rules.arcs.lines_deg,
            vector=length * (0.62 if len(models) <= FEW else 0.3),
            hit_radius=max(length / 2, _FINGER_PX * sheet.unit),
            core_radius=max(length / 2, min(_FINGER_PX * sheet.unit, room / 2)),
            role=role,
            boxes=(
                (Box.around(centre, 1.45 * length, 1.45 * length),)
                if role in ("firer", "target")
                else _hull_boxes(centre, model.pose.heading_deg, length, base_width)
            ),
            core=_core_boxes(centre, model.pose.heading_deg, length, base_length, base_width),
            tag=None,
            link=link(model.name) if link else None,
            spoken=spoken,
        )
        placed.append(Placed(model, mark, sheet.at(*measuring_point(model, result.rules))))
    return tuple(placed)


def name_wishes(ships: Sequence[Placed], sheet: Sheet) -> tuple[Wanted[tuple[str, str]], ...]:
    """The places each name would like; the ships that matter choose before the others."""
    key_bases = tuple(box for placed in ships if placed.mark.role for box in placed.mark.core)
    order = sorted(ships, key=lambda placed: _RANK[placed.mark.role])
    return tuple(_name_wish(placed, sheet, key_bases, count=len(ships)) for placed in order)


def _name_wish(
    placed: Placed, sheet: Sheet, key_bases: tuple[Box, ...], *, count: int
) -> Wanted[tuple[str, str]]:
    mark = placed.mark
    size = name_size(count, sheet)
    frame = sheet.sea.grown(-4 * sheet.unit)
    reach = max(mark.length * 0.2, mark.base_width / 2)

    def spots(scale: float) -> tuple[Spot, ...]:
        box = _tag_size(mark.name, size * scale, sheet)
        return around(mark.at, reach, *box, gap=10 * sheet.unit, frame=frame)

    if not mark.role:
        # In a crowd an unnamed ship is better than a name across three others.
        worst = math.inf if count <= FEW else 11.9
        return Wanted(("name", mark.name), spots(1.0), worst=worst, clear_of=key_bases)
    small = max(_SMALLEST_NAME_PX * sheet.unit / size, 0.8)
    return Wanted(
        ("name", mark.name),
        (*spots(1.0), *shrunk(spots(small), small, 5.0)),
        worst=45.0,
        clear_of=key_bases,
        roams=Roam(mark.at, *_tag_size(mark.name, size * small, sheet), small),
    )


def name_size(count: int, sheet: Sheet) -> float:
    """How large names are: smaller in a crowd."""
    crowd = 1.0 if count <= 8 else 0.9 if count <= 16 else 0.76
    return 16 * sheet.unit * crowd


def with_names(
    ships: Sequence[Placed], sheet: Sheet, spots: Mapping[tuple[str, str], Spot]
) -> tuple[ShipMark, ...]:
    """The ships with their names where the placer put them."""
    size = name_size(len(ships), sheet)
    marks = []
    for placed in ships:
        spot = spots.get(("name", placed.model.name))
        tag = (
            None
            if spot is None
            else _tag(placed.mark, spot, size * spot.scale, sheet, crowd=len(ships) > FEW)
        )
        marks.append(replace(placed.mark, tag=tag))
    return tuple(marks)


def _tag_size(name: str, size: float, sheet: Sheet) -> tuple[float, float]:
    words = fit(name, Face.SERIF_ITALIC, size, _widest_name(sheet))
    width = text_width(words, Face.SERIF_ITALIC, size)
    return width + size * 1.35 + 4 * sheet.unit, size * 1.3


def _widest_name(sheet: Sheet) -> float:
    return sheet.format.width * 0.42


def _tag(mark: ShipMark, spot: Spot, size: float, sheet: Sheet, *, crowd: bool) -> NameTag:
    box = spot.boxes[0]
    middle = (box.top + box.bottom) / 2
    badge = box.left + size * 0.62
    words = fit(mark.name, Face.SERIF_ITALIC, size, _widest_name(sheet))
    edge = (
        min(max(mark.at[0], box.left), box.right),
        min(max(mark.at[1], box.top), box.bottom),
    )
    distance = math.dist(edge, mark.at)
    # In a crowd a name a little apart might be a neighbour's.
    far = distance > max(mark.length * 0.6, (15 if crowd else 26) * sheet.unit)
    return NameTag(
        box=box,
        badge=(badge, middle),
        text=Text(badge + size * 0.78, middle + size * 0.33, words),
        size=size,
        leader=(edge, _along(mark.at, edge, 0.3 * mark.length / distance)) if far else None,
    )


def _along(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _nearest(number: int, centres: Sequence[Point]) -> float:
    return min(
        (math.dist(centres[number], other) for i, other in enumerate(centres) if i != number),
        default=math.inf,
    )


def _least_marker(apart: Sequence[float], unit: float) -> float:
    """As long as reads well, or shorter where the ships would lie on top of each other."""
    # Ships on one spot overlap at any size and say nothing about the crowd.
    distances = sorted(distance for distance in apart if distance > 8 * unit)
    if not distances:
        return _MARKER_PX * unit
    close = distances[len(distances) // 5]
    return min(max(close * 0.85, _SMALLEST_MARKER_PX * unit), _MARKER_PX * unit)


def _core_boxes(
    centre: Point, heading_deg: float, length: float, base_length: float, base_width: float
) -> tuple[Box, ...]:
    """Squares that hide nothing of the base: so close that a turned base shows between none."""
    across = max(base_width, length * 0.28)
    whole = max(length, base_length)
    count = max(math.ceil(3 * whole / across), 3)
    ahead = math.sin(math.radians(heading_deg)), -math.cos(math.radians(heading_deg))
    reach = max(whole - across, 0.0)
    return tuple(
        Box.around(
            (centre[0] + ahead[0] * reach * step, centre[1] + ahead[1] * reach * step),
            across * 1.42,
            across * 1.42,
        )
        for step in (number / (count - 1) - 0.5 for number in range(count))
    )


def _hull_boxes(centre: Point, heading_deg: float, length: float, width: float) -> tuple[Box, ...]:
    """Squares along the hull and a little ahead of the bow, for labels to keep clear of."""
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
