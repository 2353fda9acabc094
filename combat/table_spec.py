"""The specification of a table: its rows and columns, the kinds of its values, and its trends.

A value that is not of its kind is an error. A value that breaks a trend, such as hits that rise
with the row, only gives a warning, because printed tables may have irregularities.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from tabletop.errors import BadField, UnknownName
from tabletop.messages import Message
from tabletop.places import DocumentPlace, PlaceLike, shorten
from tabletop.schema import bounds


@dataclass(frozen=True, slots=True)
class CellKind:
    """A kind of value, and its parser."""

    expected: Message
    read: Callable[[str], str | None]
    """Returns the stored form of a written value, or None if it is not of this kind."""


KindOfCell = Callable[[str, str], CellKind]
"""The kind of the value at a row and a column."""


class Axis(StrEnum):
    """The direction of a trend."""

    DOWN = "row"
    """From row to row, within a column."""
    ACROSS = "column"
    """From column to column, within a row."""


def size_of(value: str) -> float:
    """The size of a value in a trend: its number, infinity for `all`, 0 for any other word."""
    if value == "all":
        return math.inf
    return int(value) if _is_whole(value) else 0


@dataclass(frozen=True, slots=True)
class Trend:
    """A monotonic trend of the values along rows or columns."""

    axis: Axis
    rises: bool
    order: tuple[str, ...] = ()
    """The rows (columns) concerned, in the order of the trend; empty for all of them."""


@dataclass(frozen=True, slots=True)
class CellPair:
    """Two neighbouring cells of a trend."""

    trend: Trend
    first: tuple[str, str]
    second: tuple[str, str]

    def broken_by(self, first: str, second: str) -> bool:
        """Whether two values go against the trend."""
        before, after = size_of(first), size_of(second)
        return after < before if self.trend.rises else after > before

    @property
    def rule(self) -> Message:
        """The trend."""
        return Message(f"schema.cells.{'never_fall' if self.trend.rises else 'never_rise'}")


@dataclass(frozen=True, slots=True)
class Spans:
    """Rows or columns that each stand for a span of whole numbers, in rising order."""

    lowest: tuple[int, ...]
    """The lowest number of each span."""
    highest: int | None = None
    """The highest number of the last span; None if it has no upper limit."""

    @property
    def names(self) -> tuple[str, ...]:
        """The spans as tables name them, such as 0, 1-3 and 4+."""
        ends = [following - 1 for following in self.lowest[1:]]
        closed = [
            str(first) if first == end else f"{first}-{end}"
            for first, end in zip(self.lowest, ends, strict=False)
        ]
        first = self.lowest[-1]
        return (*closed, f"{first}+" if self.highest is None else f"{first}-{self.highest}")

    def index_of(self, number: int) -> int:
        """The position of the span with a number; the first or the last if no span has it."""
        return max(0, bisect_right(self.lowest, number) - 1)

    def name_of(self, number: int) -> str:
        """The name of the span with a number; the first or the last if no span has it."""
        return self.names[self.index_of(number)]


@dataclass(frozen=True, slots=True)
class TableSpec:
    """The rows and columns of one table, the kinds of its values, and their expected trends."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    kind: KindOfCell
    trends: tuple[Trend, ...] = field(default=())

    def read_value(self, row: str, column: str, value: str, place: PlaceLike) -> str:
        """The stored form of a value. Raises UnknownName or BadField."""
        if row not in self.rows:
            raise UnknownName(DocumentPlace.of(place).at(self.name), "row", row, self.rows)
        if column not in self.columns:
            raise UnknownName(DocumentPlace.of(place).at(self.name), "column", column, self.columns)
        kind = self.kind(row, column)
        stored = kind.read(value)
        if stored is None:
            where = f"{self.name}, row {row!r}, column {column!r}"
            raise BadField(place, where, kind.expected, shorten(value))
        return stored

    def steps(self) -> Iterator[CellPair]:
        """Every pair of neighbouring cells of each trend."""
        for trend in self.trends:
            down = trend.axis is Axis.DOWN
            order = trend.order or (self.rows if down else self.columns)
            for line in self.columns if down else self.rows:
                for first, second in pairwise(order):
                    if down:
                        yield CellPair(trend, (first, line), (second, line))
                    else:
                        yield CellPair(trend, (line, first), (line, second))


def label(name: str) -> str:
    """A row or a column of a table as it is read."""
    return name.replace("_", " ")


def every(kind: CellKind) -> KindOfCell:
    """The same kind of value in every cell."""
    return lambda _row, _column: kind


def by_column(kinds: Mapping[str, CellKind]) -> KindOfCell:
    """A kind of value for each column."""
    return lambda _row, column: kinds[column]


def whole(least: int, most: int, unit: str = "", words: Iterable[str] = ()) -> CellKind:
    """A whole number from `least` to `most`, with or without a plus sign, or one of the words.

    The unit is a key of `schema.cells.unit` in the string tables.
    """
    words = tuple(words)
    expected = bounds("whole", least=least, most=most)
    if unit:
        expected = Message(
            "schema.cells.in_unit", what=expected, unit=Message(f"schema.cells.unit.{unit}")
        )
    for each in words:
        expected = Message("schema.either", first=expected, second=repr(each))

    def read(value: str) -> str | None:
        text = value.strip()
        if text in words:
            return text
        if not _is_whole(text) or not least <= int(text) <= most:
            return None
        return str(int(text))

    return CellKind(expected, read)


def word(choices: Iterable[str]) -> CellKind:
    """One of the given words; the empty one may be among them."""
    choices = tuple(choices)

    def read(value: str) -> str | None:
        text = value.strip()
        return text if text in choices else None

    nothing = Message("schema.cells.nothing")
    shown = tuple(choice or nothing for choice in choices)
    return CellKind(Message("schema.choice", choices=shown), read)


def pattern(expected: Message, expression: str) -> CellKind:
    """A text that fully matches a regular expression."""
    compiled = re.compile(expression, re.ASCII)

    def read(value: str) -> str | None:
        text = value.strip()
        return text if compiled.fullmatch(text) else None

    return CellKind(expected, read)


def fraction() -> CellKind:
    """A positive whole number or fraction: 24, 3/2."""

    def read(value: str) -> str | None:
        text = value.strip()
        if not re.fullmatch(r"[0-9]{1,6}(/[0-9]{1,6})?", text, re.ASCII):
            return None
        try:
            number = Fraction(text)
        except ZeroDivisionError:
            return None
        return str(number) if number > 0 else None

    return CellKind(Message("schema.cells.fraction"), read)


def line_of_text(most: int = 120) -> CellKind:
    """Any line of text up to `most` characters."""

    def read(value: str) -> str | None:
        text = value.strip()
        return text if text and len(text) <= most and text.isprintable() else None

    return CellKind(Message("schema.cells.line", most=most), read)


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII) is not None
