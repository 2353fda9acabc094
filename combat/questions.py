"""Fields of actions and of ships' states: declared once, then read, asked and described.

A field is declared as `Annotated[int, between(0, 20), Asked("range", "11.4.4")]` in a frozen
dataclass. `questions` turns the fields of such a class into data for a form, a
described file and an error message; `read_value` checks one value.
"""

import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum, StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from annotated_types import Ge, Le
from pydantic import Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from tabletop.errors import BadField, nearest
from tabletop.fields import Fields, bounds, describe_value

Count = Annotated[int, Field(strict=True, ge=0, le=999)]
"""A number of boxes, guns or the like in a table of numbers by name."""
_WHOLE: Final = re.compile(r"-?[0-9]{1,6}")
_DECIMAL: Final = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,6})?")


def between(least: int, most: int) -> Any:
    """The bounds of a whole number: `Annotated[int, between(0, 20), Asked("range")]`."""
    return Field(strict=True, ge=least, le=most)


class Takes(StrEnum):
    """What kind of value a field takes."""

    FLAG = "flag"
    NUMBER = "number"
    """A whole number."""
    DECIMAL = "decimal"
    CHOICE = "choice"
    COUNTS = "counts"
    """Whole numbers by name."""
    AMOUNTS = "amounts"
    """Numbers by name."""
    TEXTS = "texts"


@dataclass(frozen=True, slots=True)
class Asked:
    """How one field is shown to players and written in a file."""

    label: str
    rule: str = ""
    table: str = "conditions"
    """The table of a shot file that has it: fire, conditions, firer, target, options; of a ship's
    state, "state"."""
    key: str = ""
    """Its key in that table; the field's name where it is empty."""
    by_page: bool = True
    """Whether a page asks for it."""
    by_file: bool = True
    """Whether it may stand in a file; not so where one question of a page is several keys there."""
    required_in_file: bool = False
    """Whether a shot file must say it, although free play knows a value for it."""
    mutual: bool = False
    """Whether it is the same for both ships: it stays when they change parts."""
    words: tuple[tuple[str, str], ...] = ()
    """For a choice: what players call the values."""
    without: str = ""
    """What it is where a file does not say it, in words, if there is no plain default."""
    takes: Takes | None = None
    """What a file writes for it, where its type inside the program does not tell."""
    unit: str = ""
    """What a number counts: yards, boxes."""


@dataclass(frozen=True, slots=True)
class Question:
    """One field as data."""

    name: str
    """The field's name in its class."""
    table: str
    key: str
    label: str
    rule: str
    takes: Takes
    default: object
    """None where a value is required, or where leaving it out means something of its own."""
    required: bool
    least: float
    most: float
    choices: tuple[tuple[str, str], ...]
    """What may be chosen; of numbers by name, the names, or none where any will do."""
    by_page: bool
    by_file: bool
    required_in_file: bool
    mutual: bool
    without: str
    unit: str
    annotation: Any

    @property
    def expected(self) -> str:
        """The values that it takes, in words."""
        names = ", ".join(value for value, _ in self.choices)
        counted = f" of {self.unit}" if self.unit else ""
        return {
            Takes.FLAG: "true or false",
            Takes.NUMBER: f"a whole number{counted} from {self.least:g} to {self.most:g}",
            Takes.DECIMAL: f"a number{counted} from {self.least:g} to {self.most:,.12g}",
            Takes.CHOICE: names,
            Takes.COUNTS: "a table of whole numbers by name",
            Takes.AMOUNTS: "a table of numbers by name",
            Takes.TEXTS: f"a list of any of {names}" if names else "a list of texts",
        }[self.takes]

    @property
    def expected_value(self) -> str:
        """The one value that is wanted, in the words of an error message."""
        return f"one of {self.expected}" if self.takes is Takes.CHOICE else self.expected

    @property
    def default_text(self) -> str:
        """The default as a page or a file writes it; empty where there is none."""
        return "" if self.default is None else answer_text(self.default)


def questions(declared: type[Any]) -> tuple[Question, ...]:
    """The fields of a dataclass that are declared with `Asked`, in order."""
    return _questions(cast("Hashable", declared))


@cache
def _questions(declared: Any) -> tuple[Question, ...]:
    hints = get_type_hints(declared, include_extras=True)
    found = []
    for each in fields(declared):
        annotation = hints[each.name]
        asked = next((m for m in _metadata(annotation) if isinstance(m, Asked)), None)
        if asked is None:
            continue
        default = each.default
        if default is MISSING and each.default_factory is not MISSING:
            default = each.default_factory()
        found.append(_question(each.name, annotation, asked, default))
    return tuple(found)


def read_value(question: Question, value: object, place: str) -> object:
    """A value of a file or a request, checked; BadField says what was expected."""
    # None, not False: what is declared strict within a table of numbers stays so.
    strict = True if question.takes in (Takes.FLAG, Takes.NUMBER, Takes.DECIMAL) else None
    by_name = {Takes.COUNTS: "a whole number", Takes.AMOUNTS: "a number"}
    counts = value if question.takes in by_name and isinstance(value, Mapping) else {}
    table = f"{place}, [{question.key}]"
    # A misspelt name is told with the nearest that is known.
    Fields(counts, table, [name for name, _ in question.choices] or counts)
    try:
        return _adapter(question.annotation).validate_python(value, strict=strict)
    except ValidationError as invalid:
        name = next((str(each) for each in invalid.errors()[0]["loc"] if each in counts), None)
        if name is not None:
            found = describe_value(counts[name])
            least, most = _bounds(get_args(_plain(question.annotation))[1])
            expected = bounds(by_name[question.takes], -math.inf, least, most)
            raise BadField(table, name, expected, found) from None
        error = wrong(question, place, describe_value(value))
        if question.takes is Takes.CHOICE and isinstance(value, str):
            guess = nearest(value, [known for known, _ in question.choices])
            error.args = (f"{error}; did you mean {guess!r}?",)
        raise error from None


def read_answer(question: Question, text: str, place: str) -> object:
    """A value that a player typed into a form."""
    value: object = text
    if question.takes is Takes.FLAG and text in ("true", "false"):
        value = text == "true"
    elif question.takes is Takes.NUMBER and _WHOLE.fullmatch(text):
        value = int(text)
    elif question.takes is Takes.DECIMAL and _DECIMAL.fullmatch(text):
        value = float(text)
    elif question.takes is not Takes.CHOICE:
        raise wrong(question, place, repr(text[:40]), question.label)
    strict = question.takes is not Takes.CHOICE
    try:
        return _adapter(question.annotation).validate_python(value, strict=strict)
    except ValidationError:
        raise wrong(question, place, repr(text[:40]), question.label) from None


def answer_text(value: object) -> str:
    """A value as a form writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def wrong(question: Question, place: str, found: str, label: str = "") -> BadField:
    """The error for a value that a field does not take."""
    expected = question.expected if label else question.expected_value
    return BadField(place, label or question.key, expected, found)


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)


def _metadata(annotation: Any) -> tuple[Any, ...]:
    """Everything that annotates a type, through unions with None."""
    if get_origin(annotation) is Annotated:
        first, *others = get_args(annotation)
        return (*_metadata(first), *others)
    if _is_union(annotation):
        return tuple(m for each in get_args(annotation) for m in _metadata(each))
    return ()


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType)


def _plain(annotation: Any) -> Any:
    """The type without its annotations and without None."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if _is_union(annotation):
        (known,) = (each for each in get_args(annotation) if each is not NoneType)
        return _plain(known)
    return annotation


def _question(name: str, annotation: Any, asked: Asked, default: object) -> Question:
    plain = _plain(annotation)
    least, most = _bounds(annotation)
    words = dict(asked.words)
    # Of numbers by name, the names that there may be.
    values = _choices(_plain(get_args(plain)[0]) if _takes(plain) is Takes.COUNTS else plain)
    return Question(
        name=name,
        table=asked.table,
        key=asked.key or name,
        label=asked.label,
        rule=asked.rule,
        takes=asked.takes or _takes(plain),
        default=None if default is MISSING else default,
        required=default is MISSING,
        least=least,
        most=most,
        choices=tuple((value, words.get(value, value)) for value in values),
        by_page=asked.by_page,
        by_file=asked.by_file,
        required_in_file=asked.required_in_file,
        mutual=asked.mutual,
        without=asked.without,
        unit=asked.unit,
        annotation=annotation,
    )


def _takes(plain: Any) -> Takes:
    origin = get_origin(plain)
    if origin is not tuple and _choices(plain):
        return Takes.CHOICE
    simple = {bool: Takes.FLAG, int: Takes.NUMBER, float: Takes.DECIMAL}
    if plain in simple:
        return simple[plain]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        _, value = get_args(plain)
        return Takes.AMOUNTS if _plain(value) is float else Takes.COUNTS
    return Takes.TEXTS


def _choices(plain: Any) -> tuple[str, ...]:
    if get_origin(plain) is tuple:
        return _choices(get_args(plain)[0])
    if get_origin(plain) is Literal:
        return tuple(str(value) for value in get_args(plain))
    if isinstance(plain, type) and issubclass(plain, Enum):
        return tuple(str(member.value) for member in plain)
    return ()


def _bounds(annotation: Any) -> tuple[float, float]:
    least = most = 0.0
    for each in _metadata(annotation):
        constraints = each.metadata if isinstance(each, FieldInfo) else ()
        for constraint in constraints:
            if isinstance(constraint, Ge):
                least = float(str(constraint.ge))
            elif isinstance(constraint, Le):
                most = float(str(constraint.le))
    return least, most
