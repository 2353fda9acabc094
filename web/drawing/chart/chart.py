"""The chart of a table as SVG.

`lay_out_chart()` computes the geometry as frozen values in pixels; `paint_chart()` makes figures of
them.
"""

from dataclasses import dataclass, replace

from combat.scene_file import Scene
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.survey import PairCheck, Survey
from web.drawing.chart.frame import PHONE, ChartFrame, Format, plan_frame
from web.drawing.chart.paint import paint_chart
from web.drawing.chart.parts import Cartouche, Chart, PlacedModel, Rose
from web.drawing.chart.rings import RingPlan
from web.drawing.chart.shared_spots import draw_shared, plan_shared
from web.drawing.chart.ships import FEW, lay_out_ships, name_wishes, with_names
from web.drawing.chart.sights import (
    FAN,
    SightPlan,
    draw_notes,
    draw_pills,
    is_one_spot,
    plan_sight,
    sight_price,
)
from web.drawing.chart.title_block import (
    ROSE_KEY,
    draw_cartouche,
    graduations,
    not_named,
    rose_radius,
    rose_wish,
)
from web.drawing.geometry import Box, Point
from web.drawing.labels import AvoidedLine, place
from web.drawing.svg import svg_file
from web.drawing.theme import FileTheme
from web.strings import text
from web.table.survey_text import describe


def draw_chart(
    scene: Scene,
    result: Survey,
    *,
    firer: str | None = None,
    target: str | None = None,
    theme: FileTheme = "dark",
    format_: Format = PHONE,
) -> str:
    """The chart as an SVG file, with lines of sight from one ship to all others or to one.

    The firer is the scene's first ship unless given. With a `target`, the title block states the
    result.
    """
    chart = lay_out_chart(scene, result, firer=firer, target=target, format_=format_)
    return svg_file(paint_chart(chart), theme)


def lay_out_chart(
    scene: Scene,
    result: Survey,
    *,
    firer: str | None = None,
    target: str | None = None,
    format_: Format = PHONE,
) -> Chart:
    """The geometry of the chart."""
    firer = scene.table.names[0] if firer is None else firer
    for name in (firer, target):
        if name is not None and name not in scene.table.names:
            raise UnknownName(Message("errors.where.table"), "ship", name, scene.table.names)
    if firer == target:
        raise DreyerError("check.pair.herself", firer=firer)
    check = result[firer, target] if target is not None else None
    # The title block states how many names found no room, which is known only after the layout;
    # with many ships that line is reserved from the start.
    guess = len(scene.table.models) if len(scene.table.models) > FEW else 0
    chart = _lay_out(scene, result, firer, check, format_, unnamed=guess)
    if bool(guess) is not bool(_unnamed(chart)):
        guess = _unnamed(chart)
        chart = _lay_out(scene, result, firer, check, format_, unnamed=guess)
    unnamed = _unnamed(chart)
    words = not_named(unnamed) if unnamed else ""
    lines = tuple(
        replace(line, words=words) if line.words == not_named(guess) else line
        for line in chart.cartouche.lines
    )
    return replace(chart, cartouche=replace(chart.cartouche, lines=lines))


def _unnamed(chart: Chart) -> int:
    return sum(ship.tag is None for ship in chart.ships)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What is on the chart before any words but those of the title block are placed."""

    chart_frame: ChartFrame
    ships: tuple[PlacedModel, ...]
    sights: tuple[SightPlan, ...]
    hulls: list[Box]
    lines: list[AvoidedLine]
    cartouche: Cartouche
    is_clear: bool
    """Whether the title block lies on no ship."""


def _ground(
    scene: Scene,
    result: Survey,
    firer: str,
    check: PairCheck | None,
    format_: Format,
    unnamed: int,
    room_below: float = 0.0,
) -> _Ground:
    crowd = check is None and len(scene.table.models) > FEW
    chart_frame = plan_frame(scene.table, result.rules, format_, room_below=room_below)
    ships = lay_out_ships(scene, result, chart_frame, firer=firer, check=check)
    sights = _plan_sights(result, chart_frame, ships, firer, check)
    hulls = [box for placed in ships for box in placed.mark.boxes]
    size = 20 * chart_frame.unit
    hulls += [Box.around(at, size, size) for at in _wrecks(scene, chart_frame)]
    lines = [
        AvoidedLine(plan.line.start, plan.line.end, sight_price(crowd=crowd)) for plan in sights
    ]
    cartouche, is_clear = draw_cartouche(
        scene, chart_frame, hulls, lines, finding=check, unnamed=unnamed
    )
    return _Ground(chart_frame, ships, sights, hulls, lines, cartouche, is_clear)


def _wrecks(scene: Scene, chart_frame: ChartFrame) -> tuple[Point, ...]:
    return tuple(chart_frame.at(wreck.pose.x_yards, wreck.pose.y_yards) for wreck in scene.wrecks)


def _lay_out(
    scene: Scene,
    result: Survey,
    firer: str,
    check: PairCheck | None,
    format_: Format,
    *,
    unnamed: int,
) -> Chart:
    ground = _ground(scene, result, firer, check, format_, unnamed)
    if not ground.is_clear:
        # No corner is free of ships: the sheet is extended downwards for the title block.
        room = ground.cartouche.box.height + 8 * ground.chart_frame.unit
        ground = _ground(scene, result, firer, check, format_, unnamed, room_below=room)
    chart_frame, ships, sights = ground.chart_frame, ground.ships, ground.sights
    lines, cartouche = ground.lines, ground.cartouche

    looking = next(placed for placed in ships if placed.model.name == firer)
    rings = RingPlan(scene, result.rules, chart_frame, looking, check)
    fronts = tuple(
        (
            chart_frame.at(front.x1_yards, front.y1_yards),
            chart_frame.at(front.x2_yards, front.y2_yards),
        )
        for front in scene.table.smoke
    )
    crossable = [AvoidedLine(start, end, price=16.0) for start, end in fronts]
    crossable += [AvoidedLine(looking.point, end, price=4.0) for end in rings.quadrant_ends()]
    shared = plan_shared(result, chart_frame, ships, firer, check)
    names = name_wishes(ships, chart_frame)
    key_count = sum(bool(placed.mark.role) for placed in ships)
    wishes = (
        *names[:key_count],
        *(plan.pill for plan in sights if plan.line.strong or is_one_spot(plan.check)),
        *(plan.wish for plan in shared if plan.wish),
        *names[key_count:],
        *(plan.note for plan in sights if plan.note),
        *(plan.pill for plan in sights if not plan.line.strong and not is_one_spot(plan.check)),
        rose_wish(chart_frame),
        *rings.wishes([*lines, *crossable]),
    )
    spots = place(
        wishes,
        frame=chart_frame.sea.grown(-4 * chart_frame.unit),
        obstacles=ground.hulls,
        lines=[*lines, *crossable],
        taken=[cartouche.box.grown(3 * chart_frame.unit)],
    )
    return Chart(
        chart_frame=chart_frame,
        title=" · ".join(filter(None, (scene.title, scene.ruleset.title))),
        spoken=_description(scene, result, firer, check),
        graduations=graduations(chart_frame),
        rings=rings.draw(spots),
        smoke=fronts,
        wrecks=_wrecks(scene, chart_frame),
        sights=tuple(plan.line for plan in sights),
        notes=draw_notes(sights, spots, chart_frame),
        pills=draw_pills(sights, spots),
        ships=with_names(ships, chart_frame, spots),
        shared=draw_shared(shared, spots, chart_frame),
        cartouche=cartouche,
        rose=Rose(spots[ROSE_KEY].centre, rose_radius(chart_frame)) if ROSE_KEY in spots else None,
    )


def _plan_sights(
    result: Survey,
    chart_frame: ChartFrame,
    ships: tuple[PlacedModel, ...],
    firer: str,
    check: PairCheck | None,
) -> tuple[SightPlan, ...]:
    """The lines from the firer: to the target, or to all ships, the nearest first."""
    by_name = {placed.model.name: placed for placed in ships}
    if check is not None:
        checks = [check]
    else:
        others = [name for name in by_name if name != firer]
        checks = sorted((result[firer, name] for name in others), key=lambda c: c.range_yards)
    # With few ships no range label covers a ship; with many, at least not the selected ones.
    spared = [placed for placed in ships if placed.mark.role or len(checks) <= FAN]
    bases = tuple(box for placed in spared for box in placed.mark.core)
    return tuple(
        plan_sight(
            result,
            one,
            chart_frame,
            by_name[firer],
            by_name[one.target],
            bases=bases,
            strong=check is not None,
            fan=len(checks),
        )
        for one in checks
    )


def _description(scene: Scene, result: Survey, firer: str, check: PairCheck | None) -> str:
    if check is not None:
        return f"{describe(scene, check)}."
    others = [name for name in scene.table.names if name != firer]
    if not others:
        return text("chart.alone", ship=firer)
    sentences = [describe(scene, result[firer, name]) for name in others[:8]]
    if len(others) > 8:
        sentences.append(text("chart.more_ships", n=len(others) - 8))
    return f"{'; '.join(sentences)}."
