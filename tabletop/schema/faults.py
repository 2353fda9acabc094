"""What is wrong with a document, as the one kind of error: a `BadField`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, time
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tabletop.errors import BadField, DreyerError, UnknownKey, nearest
from tabletop.messages import Message, verbatim
from tabletop.places import DocumentPlace, Key, PlaceLike, shorten
from tabletop.schema.annotations import (
    annotation_at,
    annotations_by_key,
    choices_of,
    dataclasses_in,
    keys_of,
    metadata_of,
    union_member,
)
from tabletop.schema.field_types import Annotation, CheckFailed, Secret
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
    type_: Annotation,
    document: object,
    place: DocumentPlace,
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
        return own.fault.within(spot.whole) if isinstance(own.fault, BadField) else own.fault
    if fault["loc"][-1:] == ("[key]",):
        # A name that is none of those which a table of numbers by name may have.
        return UnknownKey(spot.place, spot.key, shape_of(spot.owner).choices)
    if fault["type"] in _UNKNOWN_KEY:
        return UnknownKey(spot.place, spot.key, keys_of(spot.owner))
    if fault["type"] in _TAG_FAULTS:
        kinds = tuple(
            kind
            for each in dataclasses_in(spot.hint)
            for kind in choices_of(annotations_by_key(each)["kind"])
        )
        kind = fault["input"].get("kind") if isinstance(fault["input"], Mapping) else None
        return BadField(
            spot.whole, "kind", Message("schema.choice", choices=kinds), describe_value(kind)
        )
    shape = shape_of(spot.hint)
    expected = shape.expected
    if toml and shape.said is None and shape.takes in _WRITTEN:
        expected = counted(Message(_WRITTEN[shape.takes], key=spot.header), shape)
    if fault["type"] == "missing":
        return BadField(spot.place, spot.key, expected, MISSING)
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
    return BadField(spot.place, spot.key, expected, found, guess)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where in a document a fault is."""

    place: DocumentPlace
    key: Key
    hint: Annotation
    """What was expected there; None where nothing is known of it."""
    owner: Annotation
    """The type of the table or object that has the field."""
    header: str
    """The keys that lead there, as the head of a table in TOML has them."""

    @property
    def whole(self) -> DocumentPlace:
        """The place of the value itself."""
        return self.place.key(self.key) if self.key.name else self.place

    @classmethod
    def at(
        cls,
        fault: ErrorDetails,
        type_: Annotation,
        document: object,
        place: DocumentPlace,
        field: str,
        *,
        toml: bool,
    ) -> "_Spot":
        hint: Annotation = type_
        owner: Annotation = None
        key = Key(field)
        header = [field] if field else []
        last = len(fault["loc"]) - 1
        for number, part in enumerate(fault["loc"]):
            inner = annotation_at(hint, part)
            if inner is None:
                # The kind of a union's member, or pydantic's own name for one.
                member = union_member(hint, part)
                if member is not None:
                    hint = member
                    place = place if str(key) else place.key(str(part))
                    continue
                if number < last or fault["type"] not in _UNKNOWN_KEY:
                    continue
            owner, hint, document = hint, inner, _item(document, part)
            if isinstance(part, int):
                name = document.get("name") if isinstance(document, Mapping) else None
                key = key.item(part + 1, name if isinstance(name, str) else None)
                continue
            if str(key):
                place = place.key(replace(key, is_table=toml and not key.numbers))
            key = Key(shorten(part)[1:-1])
            header.append(key.name)
        return cls(place, key, hint, owner, ".".join(header))


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


def one_of(value: object, choices: Iterable[str], place: PlaceLike, key: str) -> str:
    """A text of a file, where what may be chosen is known only when the program runs."""
    choices = tuple(choices)
    expected = Message("schema.choice", choices=choices)
    if value is None:
        raise missing(place, key, expected)
    if not isinstance(value, str) or value not in choices:
        guess = nearest(value, choices) if isinstance(value, str) else None
        raise BadField(place, key, expected, describe_value(value), guess)
    return value


def wrong(place: PlaceLike, key: str, expected: Message, found: object) -> BadField:
    """The error for a value that is read, but does not go with the others."""
    return BadField(place, key, expected, describe_value(found))


def missing(place: PlaceLike, key: str, expected: Message) -> BadField:
    """The error for a value that is not there, although the others need it."""
    return BadField(place, key, expected, MISSING)
