"""Fields of actions and of ships' states: declared once, then read, asked and described.

A field is declared as `Annotated[int, between(0, 20), QuestionInfo("bathtub", "2.1")]` in a frozen
dataclass. `questions` turns the fields of such a class into data for a form, a
described file and an error message; `read_keys` reads a table of them.

The words of a field are in the string table of its rulebook: its label under
`<family>.question.<table>.<key>`, the values to choose from under `<family>.choice.<key>.<value>`,
what an option does under `<family>.option.<key>`.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, cast, get_type_hints

from pydantic import Field

from tabletop.errors import BadField
from tabletop.messages import NO_WORDS, Message
from tabletop.places import PlaceLike
from tabletop.schema import (
    Annotation,
    Schema,
    Shape,
    Takes,
    metadata_of,
    optional_keys,
    read_field,
    shape_of,
)
from tabletop.typed_numbers import typed_decimal, typed_whole

if TYPE_CHECKING:
    from collections.abc import Hashable

    from _typeshed import DataclassInstance
V = TypeVar("V")
Count = Annotated[int, Field(strict=True, ge=0, le=999)]
"""A number of boxes, guns or the like in a table of numbers by name."""
OPTIONS: Final = "options"
"""The table of a shot file that has the optional rules."""


def between(least: int, most: int) -> Any:
    """The bounds of a whole number: `Annotated[int, between(0, 20), …]`."""
    return Field(strict=True, ge=least, le=most)


def at_least(least: int) -> Any:
    """The lower bound of a number whose upper one is on a ship's card."""
    return Field(strict=True, ge=least)


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """How one field is shown to players and written in a file."""

    family: str
    """The first part of the codes of its rulebook."""
    rule: str = ""
    table: str = "conditions"
    """The table of a shot file that has it: fire, conditions, firer, target, options; of a ship's
    state, "state"."""
    key: str = ""
    """Its key in that table; if empty, the field's name."""
    by_page: bool = True
    """Whether a page asks for it."""
    by_file: bool = True
    """Whether files may have it; False if several keys of a file replace it."""
    required_in_file: bool = False
    """Whether a shot file must have it although the field has a default."""
    mutual: bool = False
    """Whether it is the same for both ships, so that it stays when they change roles."""
    without: Message = NO_WORDS
    """The description of the default, if it is not a plain value."""
    takes: Takes | None = None
    """The type of the value in files, if it does not follow from the annotation."""


@dataclass(frozen=True, slots=True)
class Question:
    """One field as data."""

    name: str
    """The field's name in its class."""
    table: str
    key: str
    label: Message
    meaning: Message
    """What an option does, in a sentence; no words for other questions."""
    rule: str
    takes: Takes
    default: object
    """None if a value is required, or if omitting it has a meaning of its own."""
    required: bool
    shape: Shape
    """Its type and bounds."""
    choices: tuple[tuple[str, Message], ...]
    """The values that a page offers, with their titles; empty if it is not a choice."""
    by_page: bool
    by_file: bool
    required_in_file: bool
    mutual: bool
    without: Message
    annotation: Annotation

    @property
    def least(self) -> float:
        """The smallest number that it takes."""
        return self.shape.least

    @property
    def most(self) -> float:
        """The largest number that it takes."""
        return self.shape.most

    def up_to(self, most: float) -> "Question":
        """The question with another largest number."""
        return replace(self, shape=replace(self.shape, most=most))

    @property
    def expected(self) -> Message:
        """The description of a valid value, for an error message."""
        return self.shape.expected

    @property
    def listed(self) -> Message:
        """The description of all valid values, for the description of files."""
        if self.takes is Takes.CHOICE:
            return Message("schema.names", choices=self.shape.choices)
        return self.shape.expected

    @property
    def default_text(self) -> str:
        """The default as text; empty if there is none."""
        return "" if self.default is None else answer_text(self.default)


def questions(declared: type) -> tuple[Question, ...]:
    """The fields of a dataclass that are declared with `QuestionInfo`, in order."""
    return _questions(cast("Hashable", declared))


@cache
def _questions(declared: type) -> tuple[Question, ...]:
    hints = get_type_hints(declared, include_extras=True)
    found = []
    for each in fields(declared):
        annotation = hints[each.name]
        asked = next((m for m in metadata_of(annotation) if isinstance(m, QuestionInfo)), None)
        if asked is None:
            continue
        default = each.default
        if default is MISSING and each.default_factory is not MISSING:
            default = each.default_factory()
        found.append(_question(each.name, annotation, asked, default))
    return tuple(found)


def read_keys(declared: type, table: Mapping[str, object], place: PlaceLike) -> dict[str, object]:
    """Check a table with the keys of such fields; returns the values by field name."""
    schema = _keys_schema(cast("Hashable", declared))
    return values_in(schema.read_table(table, place), declared)


def with_values(declared: V, values: Mapping[str, object]) -> V:
    """A dataclass of declared fields with other values, by field name."""
    return cast("V", replace(cast("DataclassInstance", declared), **values))


def values_in(document: object, declared: type) -> dict[str, object]:
    """The values of a `keys_document` that are not None, by field name."""
    found = {each.name: getattr(document, each.key) for each in questions(declared)}
    return {name: value for name, value in found.items() if value is not None}


def keys_document(declared: type) -> type:
    """A document class with the keys of such fields, all optional."""
    return _keys_document(cast("Hashable", declared))


@cache
def _keys_document(declared: type) -> type:
    annotations = {each.key: each.annotation for each in questions(declared)}
    return optional_keys(declared.__name__, annotations)


@cache
def _keys_schema(declared: type) -> Schema[object]:
    return Schema(keys_document(declared))


def read_answer(question: Question, text: str, place: PlaceLike) -> object:
    """Parse a value that a player typed into a form. Raises BadField."""
    value: object = None
    if question.takes is Takes.FLAG:
        value = {"true": True, "false": False}.get(text)
    elif question.takes is Takes.NUMBER:
        value = typed_whole(text)
    elif question.takes is Takes.DECIMAL:
        value = typed_decimal(text)
    elif question.takes is Takes.CHOICE:
        value = text
    if value is None:
        raise wrong(question, place, repr(text[:40]))
    try:
        return read_field(question.annotation, value, place, question.key)
    except BadField:
        raise wrong(question, place, repr(text[:40])) from None


def answer_text(value: object) -> str:
    """A value as the text of a form field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def wrong(question: Question, place: PlaceLike, found: str) -> BadField:
    """The error for an invalid value."""
    return BadField(place, question.key, question.expected, found)


def _question(name: str, annotation: Annotation, asked: QuestionInfo, default: object) -> Question:
    shape, key = shape_of(annotation), asked.key or name
    takes = asked.takes or shape.takes
    offered = shape.choices if asked.by_page and takes is Takes.CHOICE else ()
    return Question(
        name=name,
        table=asked.table,
        key=key,
        label=Message(f"{asked.family}.question.{asked.table}.{key}"),
        meaning=Message(f"{asked.family}.option.{key}") if asked.table == OPTIONS else NO_WORDS,
        rule=asked.rule,
        takes=takes,
        default=None if default is MISSING else default,
        required=default is MISSING,
        shape=replace(shape, takes=takes),
        choices=tuple((value, _choice(asked.family, key, value)) for value in offered),
        by_page=asked.by_page,
        by_file=asked.by_file,
        required_in_file=asked.required_in_file,
        mutual=asked.mutual,
        without=asked.without,
        annotation=annotation,
    )


def _choice(family: str, key: str, value: str) -> Message:
    return Message(f"{family}.choice.{key}.{value.replace(' ', '_')}")
