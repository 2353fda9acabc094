"""The figures of a chart."""

from collections.abc import Iterator, Sequence
from typing import Final

from web.drawing.chart.frame import ChartFrame
from web.drawing.chart.parts import (
    Cartouche,
    Chart,
    Label,
    Pill,
    Rings,
    Rose,
    SharedSpot,
    ShipMark,
    SightLine,
)
from web.drawing.figures import ArcText, Circle, Drawing, Figure, Group, Shape, Text, line
from web.drawing.fonts import Face
from web.drawing.geometry import Path, Point, corners, hatching
from web.drawing.side_marks import badge
from web.drawing.silhouettes import silhouette
from web.drawing.theme import HAIRLINE, MEDIUM, STRONG, THIN, side_colour

_KEY_ROLES: Final = ("firer", "target")
_SMALL: Final = 12.5
"""The size of small text, in pixels of the screen."""
_LINE_STYLES: Final = {
    "title": (Face.SERIF, "ink"),
    "name": (Face.SERIF_ITALIC, "ink"),
    "italic": (Face.SERIF_ITALIC, "ink_2"),
    "plain": (Face.SANS, "ink_2"),
    "strong": (Face.SANS_SEMIBOLD, "ink"),
    "doubt": (Face.SANS_SEMIBOLD, "doubt"),
}


def paint_chart(chart: Chart) -> Drawing:
    """The drawing of a chart: sea, frame, title block, ships, and labels on top."""
    chart_frame, unit = chart.chart_frame, chart.chart_frame.unit
    items: list[Figure] = [
        Group(tuple(_sea(chart)), css="sea"),
        Group(tuple(_frame(chart)), css="frame"),
        Group(tuple(_cartouche(chart.cartouche, unit)), css="cartouche"),
        *(_ship(ship, unit) for ship in sorted(chart.ships, key=lambda ship: ship.role)),
        *(mark for sight in chart.sights for mark in _sight_marks(sight, unit)),
        *(Group(tuple(_shared(spot, unit)), css="shared") for spot in chart.shared),
        *(_haloed(note, "ink", unit, Face.SANS_SEMIBOLD) for note in chart.notes),
        *(Group(tuple(_pill(pill, unit)), css="pill") for pill in chart.pills),
    ]
    return Drawing(
        chart_frame.format.width, chart_frame.height, tuple(items), chart.spoken, chart.title
    )


# The sea


def _sea(chart: Chart) -> Iterator[Figure]:
    unit = chart.chart_frame.unit
    yield Shape(_whole(chart.chart_frame), fill=chart.rings.water)
    yield from _rings(chart.rings, unit)
    if chart.rose:
        yield Group(tuple(_rose(chart.rose, unit)), at=chart.rose.at, css="rose")
    yield from _quadrant_lines(chart.rings, unit)
    yield from _ring_words(chart.rings, unit)
    if chart.smoke:
        yield Group(tuple(_smoke(chart.smoke, unit)), css="smoke")
    for at in chart.wrecks:
        yield Group(tuple(_wreck(at, unit)), css="wreck-mark")
    for sight in chart.sights:
        yield from _sight(sight, unit)


def _rings(rings: Rings, unit: float) -> Iterator[Figure]:
    for ring in rings.rings:
        if ring.tint:
            yield Circle(rings.centre, ring.radius, fill=ring.tint)
    if rings.lit:
        yield Shape(rings.lit, fill="lit", opacity=0.07)
    for ring in rings.rings:
        colour, width = ("doubt", 1.8) if ring.doubtful else ("contour", THIN)
        yield Circle(rings.centre, ring.radius, stroke=colour, width=width * unit, css="ring")


def _rose(rose: Rose, unit: float) -> Iterator[Figure]:
    """A compass rose about the origin, with a half-filled star."""
    radius = rose.radius
    yield Circle((0, 0), radius, stroke="contour", width=unit)
    yield Circle((0, 0), 0.86 * radius, stroke="contour", width=HAIRLINE * unit)
    ticks = Path()
    for turn in range(0, 360, 10):
        tick = Path().move(0, -1).line(0, -0.8 if turn % 30 == 0 else -0.9)
        ticks = ticks.and_path(tick.placed(0, 0, radius, turn))
    yield Shape(ticks, stroke="contour", width=unit, round_ends=False)
    star, filled = Path().move(0, -0.74), Path()
    for turn in (0, 90, 180, 270):
        reach = 0.74 if turn == 0 else 0.5
        star = star.and_path(Path().line(0, -reach).line(0.11, -0.11).placed(0, 0, 1, turn))
        half = ((0.0, -reach), (0.11, -0.11), (0.0, 0.0))
        filled = filled.and_path(Path().polygon(half).placed(0, 0, 1, turn))
    yield Shape(star.close().placed(0, 0, radius), stroke="contour", width=unit)
    yield Shape(filled.placed(0, 0, radius), fill="contour")


def _quadrant_lines(rings: Rings, unit: float) -> Iterator[Figure]:
    for quadrant_line in rings.quadrant_lines:
        colour, width = ("doubt", STRONG) if quadrant_line.doubtful else ("brass_ink", 1.1)
        yield Shape(
            Path().move(*rings.centre).line(*quadrant_line.end),
            stroke=colour,
            width=width * unit,
            dashes=(2 * unit, 5 * unit),
            round_ends=True,
        )


def _ring_words(rings: Rings, unit: float) -> Iterator[Figure]:
    size = 1.06 * _SMALL * unit
    for band in rings.bands:
        yield ArcText(
            rings.centre,
            band.radius,
            band.turn_deg,
            band.words,
            size,
            "ink_3",
            inward=band.inward,
            css="band",
        )
    for limit in rings.limits:
        face, colour = (Face.SANS_SEMIBOLD, "doubt") if limit.doubtful else (Face.SANS, "ink_2")
        # The baseline is below the ring by half a digit's height, in the direction of the text.
        words = Text(
            (0, 4.2 * unit),
            limit.words,
            _SMALL * unit,
            colour,
            "middle",
            face,
            halo="halo",
            halo_width=4 * unit,
            css="limit",
        )
        yield Group((words,), at=limit.at, turn_deg=limit.turn_deg)
    for name in rings.quadrant_names:
        yield _haloed(name, "brass_ink", unit, Face.SERIF_ITALIC, 3)


def _smoke(fronts: Sequence[tuple[Point, Point]], unit: float) -> Iterator[Figure]:
    paths = [Path().move(*start).line(*end) for start, end in fronts]
    puffs = (
        Shape(
            path,
            stroke="smoke",
            width=width * unit,
            dashes=(0.01, gap * unit),
            round_ends=True,
        )
        for path in paths
        for width, gap in ((11, 7.5), (8, 5.1))
    )
    # One group for all fronts: a picture needs a layer for each group that is not opaque.
    yield Group(tuple(puffs), opacity=0.5)
    dashes = (5 * unit, 3.5 * unit)
    for path in paths:
        yield Shape(path, stroke="ink_2", width=1.3 * unit, dashes=dashes, round_ends=True)


def _wreck(at: Point, unit: float) -> Iterator[Figure]:
    """A cross where a ship has sunk."""
    (x, y), reach = at, 8 * unit
    for way in (-1, 1):
        start, end = (x - reach, y - way * reach), (x + reach, y + way * reach)
        yield line(start, end, colour="ink_3", width=2 * unit)


def _sight(sight: SightLine, unit: float) -> Iterator[Figure]:
    ink = "doubt" if sight.doubtful else "ink"
    till = sight.broken_at or sight.end
    if sight.strong:
        width, opacity = STRONG, 1.0
    else:
        width, opacity = (0.8, 0.4) if sight.faint else (MEDIUM, 0.85)
    path = Path().move(*sight.start).line(*till)
    css = "sight blocked" if sight.broken_at else "sight"
    yield Shape(path, stroke=ink, width=width * unit, opacity=opacity, css=css)
    if sight.broken_at:
        yield Shape(
            Path().move(*till).line(*sight.end),
            stroke=ink,
            width=(1.6 if sight.strong else 1.1) * unit,
            dashes=(0.5 * unit, 6 * unit),
            opacity=0.5 if sight.faint else 0.9,
            round_ends=True,
            css="beyond",
        )


# The margin and the title block


def _whole(chart_frame: ChartFrame) -> Path:
    return Path().rectangle(0, 0, chart_frame.format.width, chart_frame.height)


def _frame(chart: Chart) -> Iterator[Figure]:
    """The margin is drawn over the sea, which is cheaper for a renderer than clipping."""
    chart_frame, unit = chart.chart_frame, chart.chart_frame.unit
    yield Shape(_whole(chart_frame).and_path(chart_frame.sea.path), fill="page")
    for away, width in ((0, THIN), (3, HAIRLINE), (6, MEDIUM)):
        path = chart_frame.sea.grown(away * unit).path
        yield Shape(path, stroke="ink_2", width=width * unit)
    bars = Path()
    for bar in chart.graduations:
        bars = bars.and_path(bar.path)
    yield Shape(bars, fill="ink_2")


def _cartouche(block: Cartouche, unit: float) -> Iterator[Figure]:
    middle = block.box.centre[0]
    yield Shape(block.box.path, fill="surface", stroke="ink_2", width=1.2 * unit)
    inner = block.box.grown(-3 * unit).path
    yield Shape(inner, stroke="line_strong", width=HAIRLINE * unit)
    for row in block.lines:
        if row.style == "rule":
            half = 34 * unit
            ends = (middle - half, row.y), (middle + half, row.y)
            yield line(*ends, colour="line_strong", width=HAIRLINE * unit)
            continue
        face, colour = _LINE_STYLES[row.style]
        yield Text((middle, row.y), row.words, row.size, colour, "middle", face)
    bar = block.bar
    for number in range(bar.cells):
        cell = Path().rectangle(bar.x + number * bar.cell, bar.y, bar.cell, 4 * unit)
        fill = "ink_2" if number % 2 == 0 else ""
        yield Shape(cell, fill=fill, stroke="ink_2", width=THIN * unit)
    for label in bar.labels:
        yield Text((label.x, label.y), label.words, 12 * unit, "ink_2", "middle")


# Ships


def _ship(ship: ShipMark, unit: float) -> Group:
    items: list[Figure] = [Group(tuple(_hull(ship, unit)), at=ship.at, turn_deg=ship.heading_deg)]
    if ship.role == "firer":
        radius = 0.68 * ship.length
        items.append(Circle(ship.at, radius, stroke="brass_ink", width=1.6 * unit, css="looking"))
    elif ship.role == "target":
        reticle = _reticle(0.72 * ship.length, 0.22 * ship.length).placed(*ship.at)
        items.append(Shape(reticle, stroke="brass_ink", width=1.8 * unit, css="reticle"))
    items += _name_tag(ship, unit)
    return Group(
        tuple(items),
        title=ship.spoken,
        css=f"vessel {ship.role}".strip(),
        ship=ship.name,
    )


def _hull(ship: ShipMark, unit: float) -> Iterator[Figure]:
    """Her heading, quadrant lines, true base and silhouette, bow up."""
    colour = side_colour(ship.side)
    is_key = ship.role in _KEY_ROLES
    bow = -0.5 * ship.length
    tip = bow - ship.vector
    arrow = Path().move(0, bow).line(0, tip).move(-3.2 * unit, tip + 5 * unit)
    arrow = arrow.line(0, tip).line(3.2 * unit, tip + 5 * unit)
    yield Shape(arrow, stroke=colour, width=1.5 * unit, css="heading")
    ticks = Path()
    for turn in ship.quadrant_ticks_deg:
        tick = Path().move(0, -0.17 * ship.length).line(0, -(0.5 if is_key else 0.3) * ship.length)
        ticks = ticks.and_path(tick.placed(0, -ship.bridge, 1, turn))
    yield Shape(ticks, stroke="brass_ink", width=THIN * unit, opacity=0.8, round_ends=False)
    base = corners(-ship.base_width / 2, -ship.base_length / 2, ship.base_width, ship.base_length)
    outline = Path().polygon(base)
    yield Shape(
        outline,
        fill=colour if is_key else "halo",
        fill_opacity=0.26 if is_key else 0.6,
        stroke=colour,
        width=(STRONG if is_key else 1.2) * unit,
        css="base",
    )
    drawing = silhouette(ship.silhouette, colour, fine=not ship.is_small)
    yield Group(drawing, scale=(1.12 * ship.scale, ship.scale))
    if ship.is_enlarged:
        yield Shape(outline, stroke="ink", width=HAIRLINE * unit, opacity=0.7, css="true-base")
    if ship.role == "blocker":
        strokes = Path()
        for pair in hatching(base, 3.6 * unit):
            strokes = strokes.polyline(pair)
        yield Group(
            (
                Shape(strokes, stroke="ink", width=2.4 * unit, opacity=0.75, round_ends=False),
                Shape(outline, stroke="ink", width=1.6 * unit),
            ),
            css="hatched",
        )


def _reticle(reach: float, arm: float) -> Path:
    """Four corner marks about a target."""
    path = Path()
    corner = ((-reach, -reach + arm), (-reach, -reach), (-reach + arm, -reach))
    for turn in (0, 90, 180, 270):
        path = path.and_path(Path().polyline(corner).placed(0, 0, 1, turn))
    return path


def _name_tag(ship: ShipMark, unit: float) -> Iterator[Figure]:
    tag = ship.tag
    if tag is None:
        return
    colour = side_colour(ship.side)
    if tag.leader:
        yield line(*tag.leader, colour=colour, width=THIN * unit)
    yield from badge(ship.side, tag.badge, 0.5 * tag.size)
    yield Text(
        (tag.text.x, tag.text.y),
        tag.text.words,
        tag.size,
        colour,
        face=Face.SERIF_ITALIC,
        halo="halo",
        halo_width=3.5 * unit,
        css="name",
    )


# Labels and marks on top


def _haloed(label: Label, colour: str, unit: float, face: Face, halo_width: float = 3.5) -> Text:
    return Text(
        (label.x, label.y),
        label.words,
        _SMALL * unit,
        colour,
        "middle",
        face,
        halo="halo",
        halo_width=halo_width * unit,
    )


def _sight_marks(sight: SightLine, unit: float) -> Iterator[Figure]:
    """Marks where a line passes smoke, and a stroke across it where it is blocked."""
    for at in sight.through_smoke:
        waves = Path()
        for y in (-1.2, 2.6):
            waves = waves.move(-4, y)
            for x, way in ((0, -1), (4, 1)):
                # Half a wave as a cubic curve, whose height is three quarters of its control
                # points'.
                pull = y + way * 1.73
                waves = waves.curve((x - 2.67, pull), (x - 1.33, pull), (x, y))
        yield Group(
            (
                Circle((0, 0), 7, fill="surface", stroke="ink_2", width=1.1),
                Shape(waves, stroke="ink", width=1.3),
            ),
            at=at,
            scale=(unit, unit),
            css="smoke-mark",
        )
    if sight.bar:
        halo, width = (5.5, 3.0) if sight.strong else (4.0, 2.0)
        yield line(*sight.bar, colour="halo", width=halo * unit)
        yield line(*sight.bar, colour="doubt" if sight.doubtful else "ink", width=width * unit)


def _shared(spot: SharedSpot, unit: float) -> Iterator[Figure]:
    dashes = (5 * unit, 3 * unit)
    yield Circle(spot.at, spot.radius, stroke="doubt", width=STRONG * unit, dashes=dashes)
    if spot.label:
        yield _haloed(spot.label, "doubt", unit, Face.SANS_SEMIBOLD)


def _pill(pill: Pill, unit: float) -> Iterator[Figure]:
    edge, scale = "doubt" if pill.doubtful else "ink", unit * pill.scale
    if pill.leader:
        yield line(*pill.leader, colour=edge, width=unit)
    box, x = pill.box, pill.box.centre[0]
    outline = Path().rounded(box.left, box.top, box.width, box.height, 10 * scale)
    yield Shape(outline, fill="surface", stroke=edge, width=1.3 * unit)
    first = (x, box.top + 16 * scale)
    yield Text(first, pill.words, 13.5 * scale, "ink", "middle", Face.SANS_SEMIBOLD)
    if pill.second:
        second = (x, box.top + 31.5 * scale)
        yield Text(second, pill.second, _SMALL * scale, "doubt", "middle")
