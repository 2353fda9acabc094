"""The pictures of a report: a map for each segment, and luck against expectation."""

from collections.abc import Sequence
from typing import Final

from combat.participants import ShipStatus
from web.battle.report.report import Report
from web.drawing.figures import Drawing
from web.drawing.luck_plot import LuckCurve, draw_luck
from web.drawing.report_map import (
    MapFire,
    MapScale,
    MapShip,
    MapTrack,
    SegmentMap,
    draw_segment,
)
from web.sides import side_name
from web.strings import text

_TAIL: Final = 12
"""How many segments a track goes back: all of a long battle on each map would be too much."""


def segment_maps(report: Report) -> tuple[Drawing, ...]:
    """The maps of all segments, on one scale that shows everybody at any time."""
    if not report.segments:
        return ()
    places = [(each.x, each.y) for each in report.start.values()]
    for segment in report.segments:
        places += [(each.x, each.y) for each in segment.ships.values()]
    scale = MapScale.around(places)
    return tuple(
        draw_segment(_segment_map(report, number), scale) for number in range(len(report.segments))
    )


def luck_plot(report: Report) -> Drawing:
    """The hits of all sides against the hits that the exact odds promised."""
    words = " ".join(f"{side_name(report.sides[luck.side])}: {luck.words}." for luck in report.luck)
    numbers = _numbers(report)
    told = text("report.luck_segments", **_example(report, numbers))
    return draw_luck(
        [LuckCurve(report.sides[luck.side], luck.expected, luck.actual) for luck in report.luck],
        numbers,
        str(told),
        str(text("report.luck_spoken", words=words)),
    )


def _numbers(report: Report) -> list[str]:
    """Rounds and segments in short; turns where each has one picture."""
    keys = [segment.key for segment in report.segments]
    alone = len({turn for turn, _ in keys}) == len(keys)
    return [str(turn) if alone else f"{turn}.{segment}" for turn, segment in keys]


def _example(report: Report, numbers: Sequence[str]) -> dict[str, str]:
    """The last short number whose parts differ, or the last of all, and what it means."""
    titled = list(zip(numbers, report.segments, strict=True))
    differing = [each for each in titled if len(set(each[1].key)) > 1]
    number, segment = (differing or titled)[-1]
    return {"number": number, "title": segment.title}


def _segment_map(report: Report, number: int) -> SegmentMap:
    segment = report.segments[number]
    before = report.segments[number - 1].ships if number else {}
    gone = {name for name, each in before.items() if each.status is not ShipStatus.IN_ACTION}
    earlier = report.segments[max(number - _TAIL, 0) : number]
    return SegmentMap(
        segment.title,
        tuple(
            MapShip(
                name,
                report.sides[report.side_of[name]],
                (standing.x, standing.y),
                standing.heading,
                standing.status,
                name in gone,
            )
            for name, standing in segment.ships.items()
        ),
        tuple(
            MapTrack(
                report.sides[side],
                segment.paths.get(name, ()),
                tuple(each.paths[name] for each in earlier if len(each.paths.get(name, ())) > 1),
            )
            for name, side in report.side_of.items()
        ),
        segment.smoke,
        tuple(
            MapFire(fire.firer, fire.target, report.sides[fire.side], fire.hits)
            for fire in segment.fires
        ),
    )
