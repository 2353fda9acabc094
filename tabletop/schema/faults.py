"""What is wrong with a document, as the one kind of error: a `BadField`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tabletop.errors import BadField, DreyerError, UnknownKey, nearest, shorten
from tabletop.messages import Message, verbatim
from tabletop.schema.annotations import (
    annotation_at,
    annotations_by_key,
    choices_of,
    dataclasses_in,
    keys_of,
    metadata_of,
    union_member,
)
from tabletop.schema.field_types import CheckFailed, Secret
from tabletop.schema.shape import Takes, counted, shape_of

MISSING: Final = Message("schema.found.missing")
"""What is found where a key is not there."""
_WRITTEN: Final = {
    Takes.TABLE: "schema.table",
    Takes.TABLES: "schema.tables",
}
_UNKNOWN_KEY: Final = ("unexpected_keyword_argument", "extra_forbidden")
_TAG_FAULTS: Final = ("union_tag_invalid", "union_tag_not_found", "model_attributes_type")


class PartFault(ValueError):
    """What is wrong with a part of a document."""

    def __init__(self, fault: DreyerError) -> None:
        self.fault = fault
        super().__init__(str(fault))


def bad_field(
    error: ValidationError,
    type_: Any,
    document: object,
    place: str,
    key: str = "",
    *,
    toml: bool = False,
) -> DreyerError:
    """The first thing that is wrong with a document, as the one kind of error.

    The key is that of the document itself, where it is a value of another one.
    """
    faults = error.errors(include_url=False)
    # A key that is misspelt is told before the one that is missing for it.
    fault = next((each for each in faults if each["type"] in _UNKNOWN_KEY), faults[0])
    if fault["type"] == "missing" and isinstance(fault["loc"][-1], int):
        # A list of so many values that has fewer.
        fault = {**fault, "type": "too_short", "loc": fault["loc"][:-1]}
    own = fault.get("ctx", {}).get("error")
    if isinstance(own, DreyerError):
        return own
    spot = _Spot.at(fault, type_, document, place, key, toml=toml)
    if isinstance(own, PartFault):
        where = ", ".join(filter(None, (spot.place, spot.field)))
        return own.fault.within(where) if isinstance(own.fault, BadField) else own.fault
    if fault["loc"][-1:] == ("[key]",):
        # A name that is none of those which a table of numbers by name may have.
        return UnknownKey(spot.place, spot.field, shape_of(spot.owner).choices)
    if fault["type"] in _UNKNOWN_KEY:
        return UnknownKey(spot.place, spot.field, keys_of(spot.owner))
    if fault["type"] in _TAG_FAULTS:
        kinds = tuple(
            kind
            for each in dataclasses_in(spot.hint)
            for kind in choices_of(annotations_by_key(each)["kind"])
        )
        kind = fault["input"].get("kind") if isinstance(fault["input"], Mapping) else None
        within = f"{spot.place}, {spot.field}" if spot.field else spot.place
        return BadField(
            within, "kind", Message("schema.choice", choices=kinds), describe_value(kind)
        )
    shape = shape_of(spot.hint)
    expected = shape.expected
    if toml and shape.said is None and shape.takes in _WRITTEN:
        expected = counted(Message(_WRITTEN[shape.takes], key=spot.header), shape)
    if fault["type"] == "missing":
        return BadField(spot.place, spot.field, expected, MISSING)
    if isinstance(own, CheckFailed):
        expected = own.expected
    elif own is not None and shape.said is None and shape.takes is not Takes.TEXT:
        # A check of our own that is not in the annotations says itself what it expected.
        expected = verbatim(str(own))
    guess = None
    if isinstance(fault["input"], str) and shape.takes is Takes.CHOICE:
        guess = nearest(fault["input"], shape.choices)
    secret = any(isinstance(mark, Secret) for mark in metadata_of(spot.hint))
    found = Message("schema.found.secret") if secret else describe_value(fault["input"])
    return BadField(spot.place, spot.field, expected, found, guess)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where in a document a fault is."""

    place: str
    field: str
    hint: Any
    """What was expected there; None where nothing is known of it."""
    owner: Any
    """The type of the table or object that has the field."""
    header: str
    """The keys that lead there, as the head of a table in TOML has them."""

    @classmethod
    def at(
        cls,
        fault: ErrorDetails,
        type_: Any,
        document: object,
        place: str,
        field: str,
        *,
        toml: bool,
    ) -> "_Spot":
        hint: Any = type_
        owner: Any = None
        words: list[str] = []
        key = field
        keys = [field] if field else []
        last = len(fault["loc"]) - 1
        for number, part in enumerate(fault["loc"]):
            inner = annotation_at(hint, part)
            if inner is None:
                # The kind of a union's member, or pydantic's own name for one.
                member = union_member(hint, part)
                if member is not None:
                    hint = member
                    words += () if field else (str(part),)
                    continue
                if number < last or fault["type"] not in _UNKNOWN_KEY:
                    continue
            owner, hint, document = hint, inner, _item(document, part)
            if isinstance(part, int):
                name = document.get("name") if isinstance(document, Mapping) else None
                named = f" {shorten(name)}" if isinstance(name, str) else ""
                before = fault["loc"][number - 1] if number else None
                # A list within a list is counted as 1.2, the second of the first.
                field = f"{field}.{part + 1}" if isinstance(before, int) else f"{key} {part + 1}"
                field = f"{field}{named}".strip()
                continue
            if field:
                words.append(f"[{field}]" if toml and field == key else field)
            key = field = shorten(part)[1:-1]
            keys.append(key)
        return cls(", ".join(filter(None, (place, *words))), field, hint, owner, ".".join(keys))


def _item(document: object, part: str | int) -> object:
    if isinstance(document, Mapping):
        return document.get(part)
    if isinstance(document, list | tuple) and isinstance(part, int) and part < len(document):
        return document[part]
    return None


def describe_value(found: object) -> Message:
    """A value as an error message quotes it."""
    if isinstance(found, bool):
        return verbatim(str(found).lower())
    if isinstance(found, Mapping):
        return Message("schema.found.table")
    if isinstance(found, list | tuple):
        return Message("schema.found.list", count=len(found))
    if isinstance(found, str):
        return Message("schema.found.text", text=shorten(found))
    if isinstance(found, date | time):
        return Message("schema.found.date", date=str(found))
    return verbatim(shorten(found))


def one_of(value: object, choices: Iterable[str], place: str, key: str) -> str:
    """A text of a file, where what may be chosen is known only when the program runs."""
    choices = tuple(choices)
    expected = Message("schema.choice", choices=choices)
    if value is None:
        raise missing(place, key, expected)
    if not isinstance(value, str) or value not in choices:
        guess = nearest(value, choices) if isinstance(value, str) else None
        raise BadField(place, key, expected, describe_value(value), guess)
    return value


def wrong(place: str, key: str, expected: Message, found: object) -> BadField:
    """The error for a value that is read, but does not go with the others."""
    return BadField(place, key, expected, describe_value(found))


def missing(place: str, key: str, expected: Message) -> BadField:
    """The error for a value that is not there, although the others need it."""
    return BadField(place, key, expected, MISSING)


def table_place(place: str, key: str) -> str:
    """Where a table `[key]` of a file stands."""
    return f"{place}, [{key}]"


def item_place(place: str, key: str, number: int, name: str | None = None) -> str:
    """Where one of the tables `[[key]]` of a file stands, counted from 1."""
    return f"{place}, {key} {number}" + ("" if name is None else f" {shorten(name)}")
