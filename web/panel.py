"""What the page says beside the chart: one pair in full, and every range in short."""

import math
from dataclasses import dataclass

from combat.scene import Scene
from tabletop.angles import forward
from tabletop.arcs import CLOCKWISE, Arcs, Quadrant
from tabletop.closecall import CLOSE_CALL_SIGMAS, CloseCall, Question
from tabletop.survey import PairCheck, Survey
from web.chart_parts import Side, Text
from web.chart_ships import side_of
from web.words import (
    CallWords,
    bearing_text,
    call_words,
    describe,
    segment_title,
    sigma_text,
    yards_text,
)

MATRIX_SHIPS = 12
"""Up to so many ships, everybody's range to everybody is shown at once."""

_DIAL_RADIUS = 9.0
_RULER_WIDTH = 338.0


@dataclass(frozen=True, slots=True)
class ShipChoice:
    """A ship in the lists to choose from."""

    name: str
    side: Side


@dataclass(frozen=True, slots=True)
class Dial:
    """A little quadrant dial, bow up: the lit sector and the four lines."""

    name: str
    sector: str
    lines: str


@dataclass(frozen=True, slots=True)
class Ruler:
    """A range on a ruler: the reading with two σ to either side, and the limit in doubt."""

    width: float
    reading: float
    low: float
    high: float
    limit: float
    labels: tuple[Text, ...]
    limit_label: Text


@dataclass(frozen=True, slots=True)
class Call:
    """A close call with its ruler, where it is about a limit of range."""

    words: CallWords
    ruler: Ruler | None


@dataclass(frozen=True, slots=True)
class Pair:
    """One ship looking at another, in words and little pictures."""

    firer: ShipChoice
    target: ShipChoice
    range: str
    sigma: str
    segment: str | None
    bearing: str
    relative_bearing: str
    quadrant: Dial | None
    aspect: Dial | None
    blockers: tuple[str, ...]
    smoke: bool
    calls: tuple[Call, ...]
    spoken: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One pair in the matrix of all."""

    firer: str
    target: str
    range: str
    segment: str
    blocked: bool
    smoke: bool
    doubtful: bool
    spoken: str


def choices(scene: Scene) -> tuple[ShipChoice, ...]:
    """Every ship of the table, in its order."""
    return tuple(_choice(scene, name) for name in scene.table.names)


def pair_in_words(scene: Scene, result: Survey, check: PairCheck) -> Pair:
    """Everything there is to say about one pair."""
    arcs = result.rules.arcs
    return Pair(
        firer=_choice(scene, check.firer),
        target=_choice(scene, check.target),
        range=yards_text(check.range_yards),
        sigma=sigma_text(check.range_sigma_yards) if check.range_sigma_yards else "",
        segment=segment_title(scene, check.segment),
        bearing=bearing_text(check.bearing_deg),
        relative_bearing=bearing_text(check.relative_bearing_deg),
        quadrant=_dial(arcs, check.quadrant),
        aspect=_dial(arcs, check.aspect),
        blockers=tuple(f"{b.name} at {yards_text(b.at_yards)} yd" for b in check.blockers),
        smoke=check.smoke,
        calls=tuple(
            Call(call_words(scene, call), _ruler(check, call)) for call in check.close_calls
        ),
        spoken=describe(scene, check),
    )


def ranges_from(scene: Scene, result: Survey, firer: str) -> tuple[Cell, ...]:
    """Every other ship as the firer sees her, the nearest first."""
    checks = [result[firer, name] for name in scene.table.names if name != firer]
    return tuple(
        _cell(scene, check) for check in sorted(checks, key=lambda check: check.range_yards)
    )


def matrix(scene: Scene, result: Survey) -> tuple[tuple[str, tuple[Cell | None, ...]], ...]:
    """Everybody's range to everybody, a row for each firer; empty for a large table."""
    names = scene.table.names
    if not 2 <= len(names) <= MATRIX_SHIPS:
        return ()
    return tuple(
        (
            firer,
            tuple(
                None if firer == target else _cell(scene, result[firer, target]) for target in names
            ),
        )
        for firer in names
    )


def _choice(scene: Scene, name: str) -> ShipChoice:
    return ShipChoice(name, side_of(scene.ships.get(name)))


def _cell(scene: Scene, check: PairCheck) -> Cell:
    sigma = f" ± {sigma_text(check.range_sigma_yards)}" if check.range_sigma_yards else ""
    return Cell(
        firer=check.firer,
        target=check.target,
        range=f"{yards_text(check.range_yards)}{sigma}",
        segment=segment_title(scene, check.segment) or "",
        blocked=check.blocked,
        smoke=check.smoke,
        doubtful=bool(check.close_calls),
        spoken=describe(scene, check),
    )


def _dial(arcs: Arcs, quadrant: Quadrant | None) -> Dial | None:
    if quadrant is None:
        return None
    ends = [
        (across * _DIAL_RADIUS, -up * _DIAL_RADIUS) for across, up in map(forward, arcs.lines_deg)
    ]
    number = CLOCKWISE.index(quadrant)
    (x1, y1), (x2, y2) = ends[number - 1], ends[number]
    return Dial(
        name=quadrant.capitalize(),
        sector=f"M0 0L{x1:.1f} {y1:.1f}A{_DIAL_RADIUS} {_DIAL_RADIUS} 0 0 1 {x2:.1f} {y2:.1f}Z",
        lines="".join(f"M0 0L{x:.1f} {y:.1f}" for x, y in ends),
    )


def _ruler(check: PairCheck, call: CloseCall) -> Ruler | None:
    if call.what is not Question.RANGE or isinstance(call.limit, str):
        return None
    spread = CLOSE_CALL_SIGMAS * check.range_sigma_yards
    low, high = check.range_yards - spread, check.range_yards + spread
    shown = max(high, call.limit) - min(low, call.limit)
    start = min(low, call.limit) - max(shown, 1.0) * 0.3
    scale = _RULER_WIDTH / (max(shown, 1.0) * 1.6)

    def at(yards: float) -> float:
        return (yards - start) * scale

    # Figures that would stand on the limit's own are left out.
    ends = [
        Text(at(yards), 12.0, yards_text(yards))
        for yards in {low, high}
        if math.fabs(at(yards) - at(call.limit)) > 52
    ]
    return Ruler(
        width=_RULER_WIDTH,
        reading=at(check.range_yards),
        low=at(low),
        high=at(high),
        limit=at(call.limit),
        labels=tuple(sorted(ends, key=lambda text: text.x)),
        limit_label=Text(at(call.limit), 12.0, yards_text(call.limit)),
    )
