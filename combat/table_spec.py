"""What a table must look like: its rows and columns, the kind of each value, and its trends.

A value outside its kind is an error. A value that breaks a trend (hits that rise with the row)
is only worth a warning: a printed table may have its oddities, and the owner's copy is right.
"""

import math
import re
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
    """A kind of value, and how what was written becomes what is stored."""

    expected: Message
    read: Callable[[str], str | None]
    """The value as it is stored, or None for one that is not of this kind."""


KindOfCell = Callable[[str, str], CellKind]
"""The kind of the value at a row and a column."""


class Axis(StrEnum):
    """The direction in which a trend is followed."""

    DOWN = "row"
    """From row to row, within a column."""
    ACROSS = "column"
    """From column to column, within a row."""


def size_of(value: str) -> float:
    """How large a value counts in a trend: its number, `all` as more than any, a word as nothing.

    A dash, `none` and `unsuccessful` are such words.
    """
    if value == "all":
        return math.inf
    return int(value) if _is_whole(value) else 0


@dataclass(frozen=True, slots=True)
class Trend:
    """An order that values keep: along rows or columns they never fall, or never rise."""

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
class TableSpec:
    """The shape of one table, the kinds of its values, and the trends to expect of them."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    kind: KindOfCell
    trends: tuple[Trend, ...] = field(default=())

    def read_value(self, row: str, column: str, value: str, place: PlaceLike) -> str:
        """A value as it is stored; an unknown row or column or a wrong value is an error."""
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
        """Every pair of neighbouring cells that a trend ties together."""
        for trend in self.trends:
            down = trend.axis is Axis.DOWN
            order = trend.order or (self.rows if down else self.columns)
            for line in self.columns if down else self.rows:
                for first, second in pairwise(order):
                    if down:
                        yield CellPair(trend, (first, line), (second, line))
                    else:
                        yield CellPair(trend, (line, first), (line, second))


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
    """A text that matches a regular expression as a whole."""
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
    """A line of text, free in its content."""

    def read(value: str) -> str | None:
        text = value.strip()
        return text if text and len(text) <= most and text.isprintable() else None

    return CellKind(Message("schema.cells.line", most=most), read)


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII) is not None
