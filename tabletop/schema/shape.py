"""What a field takes, as data: for error messages, forms and described files."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from typing import Any, Final, get_args, get_origin

from tabletop.messages import Message
from tabletop.schema.annotations import (
    choices_of,
    limits_of,
    metadata_of,
    stored_type,
    union_members,
    without_metadata,
)
from tabletop.schema.field_types import Expected, Unit, printable


class Takes(StrEnum):
    """What kind of value a field takes."""

    FLAG = "flag"
    NUMBER = "number"
    """A whole number."""
    DECIMAL = "decimal"
    CHOICE = "choice"
    TEXT = "text"
    COUNTS = "counts"
    """Whole numbers by name."""
    AMOUNTS = "amounts"
    """Numbers by name."""
    TEXTS = "texts"
    LIST = "list"
    TABLE = "table"
    TABLES = "tables"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Shape:
    """What an annotation says, as data: for error messages, forms and described files."""

    takes: Takes
    least: float = -math.inf
    most: float = math.inf
    """The bounds of a number, or of how long a text or a list is."""
    above: float = -math.inf
    choices: tuple[str, ...] = ()
    """What may be chosen; of numbers by name, the names, or none where any will do."""
    unit: str = ""
    said: Message | None = None
    """What it takes, where the rest does not tell."""
    one_line: bool = False
    """Of a text: whether all of it stands on one line and can be seen."""
    item: "Shape | None" = None
    """Of a list or a table: what each of its values takes."""

    @property
    def expected(self) -> Message:
        """The values that it takes."""
        return self.said or _EXPECTED[self.takes](self)


def bounds(
    kind: str,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    unit: str = "",
) -> Message:
    """A number of some kind, "whole" or "number", and where it must lie."""
    what = Message(f"schema.{kind}")
    if unit:
        what = Message("schema.counting", what=what, unit=Message(f"schema.unit.{unit}"))
    if above > -math.inf:
        if most == math.inf:
            return Message("schema.above", what=what, above=above)
        return Message("schema.above_up_to", what=what, above=above, most=most)
    if least > -math.inf and most < math.inf:
        return Message("schema.between", what=what, least=least, most=most)
    return Message("schema.at_least", what=what, least=least) if least > -math.inf else what


def _number(kind: str) -> Callable[[Shape], Message]:
    return lambda shape: bounds(kind, shape.above, shape.least, shape.most, shape.unit)


def _text(shape: Shape) -> Message:
    kind = "line" if shape.one_line else "text"
    if shape.most == math.inf:
        return Message(f"schema.{kind}")
    return Message(f"schema.{kind}_of", least=max(shape.least, 0), most=shape.most)


def _list(shape: Shape) -> Message:
    if shape.item is None or shape.item.takes is Takes.ANY:
        return counted(Message("schema.list"), shape)
    if shape.least == shape.most:
        return Message("schema.list_exactly", count=shape.most, each=shape.item.expected)
    return counted(Message("schema.list_each", each=shape.item.expected), shape)


def counted(what: Message, shape: Shape) -> Message:
    """Several of something, with how many there must be where the shape limits it."""
    if shape.most == math.inf:
        return what
    return Message("schema.many", what=what, least=max(shape.least, 0), most=shape.most)


def _texts(shape: Shape) -> Message:
    if shape.choices:
        return Message("schema.any_of", choices=shape.choices)
    return counted(Message("schema.texts"), shape)


def _plain(code: str) -> Callable[[Shape], Message]:
    return lambda _: Message(code)


_EXPECTED: Final[Mapping[Takes, Callable[[Shape], Message]]] = {
    Takes.FLAG: _plain("schema.flag"),
    Takes.NUMBER: _number("whole"),
    Takes.DECIMAL: _number("number"),
    Takes.CHOICE: lambda shape: Message("schema.choice", choices=shape.choices),
    Takes.TEXT: _text,
    Takes.COUNTS: _plain("schema.counts"),
    Takes.AMOUNTS: _plain("schema.amounts"),
    Takes.TEXTS: _texts,
    Takes.LIST: _list,
    Takes.TABLE: _plain("schema.object"),
    Takes.TABLES: lambda shape: counted(Message("schema.objects"), shape),
    Takes.ANY: _plain("schema.value"),
}


def shape_of(hint: Any) -> Shape:
    """What an annotation says."""
    marks = metadata_of(hint)
    said = next((mark.message for mark in marks if isinstance(mark, Expected)), None)
    unit = next((mark.name for mark in marks if isinstance(mark, Unit)), "")
    members = union_members(hint)
    if len(members) > 1:
        if all(is_dataclass(stored_type(each)) for each in members):
            return Shape(Takes.TABLE, said=said)
        first, *others = (shape_of(each).expected for each in members)
        for other in others:
            first = Message("schema.either", first=first, second=other)
        return Shape(Takes.ANY, said=said or first)
    plain, limits = stored_type(members[0]), limits_of(marks)
    takes, choices = _takes(plain), choices_of(plain)
    if takes in (Takes.COUNTS, Takes.AMOUNTS, Takes.TABLE) and get_args(plain):
        choices = choices_of(without_metadata(get_args(plain)[0]))
    item = None
    if takes in (Takes.LIST, Takes.TABLES, Takes.TEXTS, Takes.COUNTS, Takes.AMOUNTS):
        args = get_args(plain)
        item = shape_of(args[-1] if len(args) > 1 and args[-1] is not Ellipsis else args[0])
    least, most = limits.get("ge", -math.inf), limits.get("le", math.inf)
    if takes not in (Takes.NUMBER, Takes.DECIMAL):
        least, most = limits.get("min_length", -math.inf), limits.get("max_length", math.inf)
        args = get_args(plain)
        if takes is Takes.LIST and get_origin(plain) is tuple and args[-1] is not Ellipsis:
            least = most = len(args)
    above = limits.get("gt", -math.inf)
    one_line = any(getattr(mark, "func", None) is printable for mark in marks)
    return Shape(takes, least, most, above, choices, unit, said, one_line, item)


def _takes(plain: Any) -> Takes:
    if plain in _SIMPLE:
        return _SIMPLE[plain]
    origin, args = get_origin(plain), get_args(plain)
    if origin in (list, tuple):
        inner = stored_type(without_metadata(args[0]))
        if is_dataclass(inner):
            return Takes.TABLES
        # A list of so many values is no list of names.
        named = origin is list or args[-1] is Ellipsis
        texts = inner is str or bool(choices_of(inner))
        return Takes.TEXTS if named and texts else Takes.LIST
    if isinstance(origin, type) and issubclass(origin, Mapping):
        value = without_metadata(args[1])
        return {float: Takes.AMOUNTS, int: Takes.COUNTS}.get(value, Takes.TABLE)
    if choices_of(plain):
        return Takes.CHOICE
    return Takes.TABLE if is_dataclass(plain) else Takes.ANY


_SIMPLE: Final[Mapping[Any, Takes]] = {
    bool: Takes.FLAG,
    int: Takes.NUMBER,
    float: Takes.DECIMAL,
    str: Takes.TEXT,
    dict: Takes.TABLE,
}
