"""The replay of a battle as data: who stood where after each segment, and what happened in it.

It is made from the report, so it holds what the caller may see and nothing else, and it is the same
on the page, on a television, and inside the saved report.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from combat.battle_history import Point, ShipPosition
from combat.participants import Seat, ShipStatus
from combat.sides import Sides
from tabletop.schema import Schema
from web.auth.seats import Caller
from web.battle.report.report import (
    Key,
    Report,
    ReportedFire,
    SegmentReport,
    battle_report,
)
from web.drawing.silhouettes import kind_of_ship
from web.games.guided_game import GuidedGame
from web.sides import SideView
from web.strings import words
from web.views.battle import side_seen

_ROUTINE: Final = frozenset({"fire-held", "model-moved", "order-set", "phase-began", "rate"})
"""What is not worth a line of a replay."""
_STRAIGHT_YARDS: Final = 5.0
FilmAddress = Callable[[Key], str | None]
"""The address of the photo of a segment, if there is one."""


@dataclass(frozen=True, slots=True)
class ReplayShip:
    """A ship of a replay."""

    name: str
    side: str
    silhouette: str


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """Where a ship stands, in yards and degrees."""

    x: float
    y: float
    heading: float
    status: ShipStatus


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A salvo, or anything else that happened in a segment."""

    words: str
    firer: str | None
    """None for what is no salvo."""
    target: str | None
    side: str | None
    hits: int


@dataclass(frozen=True, slots=True)
class ReplaySegment:
    """A segment: the ways and places of the ships, then what happened."""

    title: str
    ships: Mapping[str, ReplayPosition]
    paths: Mapping[str, tuple[Point, ...]]
    smoke: tuple[tuple[Point, Point], ...]
    steps: tuple[ReplayStep, ...]
    photo: str | None
    """The address of the photo of the table after the move."""


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A battle from its start, segment by segment, as the caller may see it."""

    title: str
    over: bool
    sides: tuple[SideView, ...]
    ships: tuple[ReplayShip, ...]
    table: tuple[float, float] | None
    """The width and height of the table in yards, for the photos."""
    start: Mapping[str, ReplayPosition]
    segments: tuple[ReplaySegment, ...]


_SCHEMA: Final[Schema[ReplayView]] = Schema(ReplayView)


def no_film(key: Key) -> str | None:  # noqa: ARG001
    """No photo was taken of any segment."""
    return None


def battle_replay(
    battle: GuidedGame,
    caller: Caller,
    sides: Sides,
    *,
    table: tuple[float, float] | None = None,
    film: FilmAddress = no_film,
) -> ReplayView:
    """The replay that a caller may see."""
    return replay_of(battle_report(battle, caller, sides), battle, caller, table=table, film=film)


def replay_of(
    report: Report,
    battle: GuidedGame,
    caller: Caller,
    *,
    table: tuple[float, float] | None = None,
    film: FilmAddress = no_film,
) -> ReplayView:
    """The replay of what a report tells."""
    seat = Seat(side_seen(battle, caller), umpire=caller.is_umpire or battle.is_over)
    kinds = {ship.id: kind_of_ship(ship) for ship in battle.view(seat).ships}
    return ReplayView(
        title=report.title,
        over=report.over,
        sides=tuple(SideView.of(side) for side in report.sides),
        ships=tuple(
            ReplayShip(name, side, f"{kinds.get(name, 'unknown')}-{report.sides[side].shape.hull}")
            for name, side in report.side_of.items()
        ),
        table=table,
        start=_positions(report.start),
        segments=tuple(_segment(segment, film) for segment in report.segments),
    )


def replay_json(view: ReplayView) -> str:
    """The replay as JSON that may stand in the text of a page."""
    written: bytes = _SCHEMA.adapter.dump_json(view, by_alias=True, context={"words": words})
    return written.decode().replace("<", "\\u003c")


def _segment(segment: SegmentReport, film: FilmAddress) -> ReplaySegment:
    return ReplaySegment(
        title=segment.title,
        ships=_positions(segment.ships),
        paths={name: _bends(way) for name, way in segment.paths.items() if len(way) > 1},
        smoke=segment.smoke,
        steps=tuple(_steps(segment)),
        photo=film(segment.key),
    )


def _steps(segment: SegmentReport) -> Iterator[ReplayStep]:
    for entry in segment.events:
        fire: ReportedFire | None = segment.fire_of(entry)
        line = words(entry.line.text)
        if fire is not None:
            yield ReplayStep(line, fire.firer, fire.target, fire.side, fire.hits)
        elif entry.kind not in _ROUTINE:
            yield ReplayStep(line, None, None, None, 0)


def _bends(way: tuple[Point, ...]) -> tuple[Point, ...]:
    """The way without the points between which it is straight."""
    kept = [way[0]]
    for at, after in pairwise(way[1:]):
        (x, y), before = at, kept[-1]
        across = (after[0] - before[0]) * (y - before[1]) - (after[1] - before[1]) * (x - before[0])
        if abs(across) > _STRAIGHT_YARDS * math.dist(before, after):
            kept.append(at)
    return tuple((round(x, 1), round(y, 1)) for x, y in (*kept, way[-1]))


def _positions(ships: Mapping[str, ShipPosition]) -> dict[str, ReplayPosition]:
    return {
        name: ReplayPosition(round(at.x, 1), round(at.y, 1), round(at.heading, 1), at.status)
        for name, at in ships.items()
    }
