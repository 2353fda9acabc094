"""The lists beside the chart: ships by distance, and known ships."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from combat.rulebooks import NAMES, get_ruleset
from combat.ships import ShipType
from tabletop.closecall import CloseCallKind
from tabletop.rulings import SettledPair, Source
from tabletop.scale import Scale, Unit
from web.auth.seats import Caller
from web.strings import figure, words
from web.table.moment import Moment
from web.table.survey_text import segment_title, sigma_text, yards_text
from web.views.table import Measure, PieceView, looks_first, may_measure

UNITS: Final = tuple(Unit)


@dataclass(frozen=True, slots=True)
class ShipRow:
    """One ship seen from another; without figures if they may not be known."""

    name: str
    side: str
    range: str = ""
    sigma: str = ""
    segment: str = ""
    blocked: bool = False
    smoke: bool = False
    doubtful: bool = False
    fate: str = ""
    """What became of a ship that takes no part any more."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The ships of the table seen from one of them, the nearest first."""

    looking: str | None
    """The ship from which the ranges are measured; None if no ship is on the table."""
    rows: tuple[ShipRow, ...]
    beside: tuple[ShipRow, ...]
    """The ships of the list that are not on the table."""
    measure: Measure


@dataclass(frozen=True, slots=True)
class PlaceFigures:
    """A place on the table in the reader's unit."""

    x: str
    y: str
    heading: str
    x_words: str
    y_words: str


def roster(moment: Moment, caller: Caller, looking: str | None) -> Roster:
    """The ships seen from one of them, by default the caller's own first ship."""
    measure = may_measure(moment, caller)
    placed = list(moment.in_play)
    beside = tuple(
        ShipRow(
            name,
            now.piece.side,
            fate=words(moment.fates[name].status.message) if name in moment.fates else "",
        )
        for name, now in moment.ships.items()
        if name not in moment.in_play
    )
    if looking is None or looking not in moment.in_play:
        looking = looks_first(moment, caller)
    if looking is None:
        return Roster(None, (), beside, measure)
    others = [name for name in placed if name != looking]
    if measure is Measure.YES:
        pairs = [moment.settled(looking, name) for name in others]
        pairs.sort(key=lambda settled: settled.shown_range_yards)
        rows = tuple(_row(moment, settled) for settled in pairs)
    else:
        rows = tuple(ShipRow(name, moment.ships[name].piece.side) for name in others)
    return Roster(looking, rows, beside, measure)


def _row(moment: Moment, settled: SettledPair) -> ShipRow:
    assert moment.scene is not None  # noqa: S101  # Only asked where ships are on the table.
    entered = settled.source(CloseCallKind.RANGE) is Source.BY_HAND
    sigma = settled.range_sigma_yards
    return ShipRow(
        name=settled.target,
        side=moment.ships[settled.target].piece.side,
        range=yards_text(settled.shown_range_yards),
        sigma=sigma_text(sigma) if sigma else "",
        segment="" if entered else segment_title(moment.scene, settled.segment) or "",
        blocked=settled.blocked,
        smoke=settled.smoke,
        doubtful=not entered
        and any(settled.source(call.what) is Source.MEASURED for call in settled.close_calls),
    )


def figures(ship: PieceView, yards_per_inch: float, unit: Unit) -> PlaceFigures | None:
    """A ship's place in a unit; None while she is not on the table."""
    if ship.x is None or ship.y is None or ship.heading is None:
        return None
    decimals = 2 if unit is Unit.INCHES else 0
    scale, heading = Scale(yards_per_inch), round(ship.heading) % 360
    x, y = (f"{scale.yards_to(unit, yards):.{decimals}f}" for yards in (ship.x, ship.y))
    shown = (in_words(yards, yards_per_inch, unit) for yards in (ship.x, ship.y))
    return PlaceFigures(x, y, str(heading), *shown)


def in_words(yards: float, yards_per_inch: float, unit: Unit) -> str:
    """A length as text: whole yards and millimetres, inches to 1/100."""
    if unit is Unit.YARDS:
        return yards_text(yards)
    length = Scale(yards_per_inch).yards_to(unit, yards)
    return figure(length, ",.2f" if unit is Unit.INCHES else ",.0f")


def fleet(moment: Moment) -> Iterator[tuple[str, tuple[ShipType, ...]]]:
    """Every known ship that is not on this table's list, by nation."""
    if not moment.state.is_open:
        return
    taken = {now.piece.type for now in moment.ships.values()}
    free = [
        ship for ship in moment.library.known_ships(moment.state.ruleset) if ship.name not in taken
    ]
    free.sort(key=lambda ship: (ship.nation, ship.name))
    for nation, ships in groupby(free, key=lambda ship: ship.nation):
        yield nation, tuple(ships)


def rulebooks() -> tuple[tuple[str, str, float], ...]:
    """The rulebooks of a table: name, title, yards per inch."""
    books = [get_ruleset(name) for name in NAMES]
    return tuple(
        (book.name, book.title, book.default_scale.yards_per_inch)
        for book in books
        if book.needs_table
    )
