"""Documents are read into values of a type and written again, with pydantic."""

import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, reduce
from operator import or_
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from tabletop.documents import parse_toml
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.places import NOWHERE, DocumentPlace, PlaceLike
from tabletop.schema.declarations import strict
from tabletop.schema.faults import PartFault, bad_field
from tabletop.schema.field_types import Annotation

Value = TypeVar("Value")
MOST_NESTED: Final = 12
PARSING: Final = threading.RLock()
"""Held while Python is parsed in this program: up to version 3.12 two threads that parse at the
same time make each other fail (`AST constructor recursion depth mismatch`)."""


class Schema(Generic[Value]):
    """How values of a type, or of a union told apart by `kind`, are read and written."""

    def __init__(self, type_: Annotation, source: str = "") -> None:
        self._type, self._place = type_, DocumentPlace(source)

    @cached_property
    def adapter(self) -> TypeAdapter[Value]:
        """The type as pydantic knows it."""
        # Made when it is first used: it takes a tenth of a second, and most commands need none.
        return adapter_of(self._type)

    def read(self, document: object, place: PlaceLike = "") -> Value:
        """The value that a JSON document describes; null is the same as a key that is not there."""
        return self.check(drop_nulls(document, place or self._place), place)

    def read_toml(self, data: bytes, source: str) -> Value:
        """The value that a TOML file describes."""
        return self.read_table(parse_toml(data, source), source)

    def read_table(self, table: Mapping[str, object], place: PlaceLike) -> Value:
        """The value that a table of a TOML file describes."""
        try:
            return self.adapter.validate_python(table)
        except ValidationError as error:
            raise bad_field(error, self._type, table, DocumentPlace.of(place), toml=True) from None

    def check(self, value: object, place: PlaceLike = "", *, context: object = None) -> Value:
        """The value with every field as its annotation has it; a fault is told as in a document.

        The context is for annotations that read with it.
        """
        try:
            return self.adapter.validate_python(value, context=context)
        except ValidationError as error:
            raise bad_field(error, self._type, value, self._at(place)) from None

    def check_part(self, value: object) -> Value:
        """A value within a document that another schema reads, which then says where it stands."""
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            raise PartFault(bad_field(error, self._type, value, NOWHERE)) from None

    def read_texts(self, texts: Mapping[str, str]) -> Value:
        """The value that an address or a form describes, where every value is a text at first."""
        try:
            return self.adapter.validate_strings(texts)
        except ValidationError as error:
            raise bad_field(error, self._type, texts, self._place) from None

    def _at(self, place: PlaceLike) -> DocumentPlace:
        return DocumentPlace.of(place) if place else self._place

    def dump(
        self,
        value: Value,
        words: Callable[[Message], str] | None = None,
        *,
        context: object = None,
    ) -> dict[str, object]:
        """The same as a JSON document, with every field; messages in words, where those are given.

        Without them messages are written as the journal stores them. The context is for
        annotations that write with it.
        """
        written: dict[str, object] = self.adapter.dump_python(
            value, mode="json", by_alias=True, context={"words": words} if words else context
        )
        return written

    def write(self, value: Value) -> dict[str, object]:
        """The same as a JSON document, without what is as usual."""
        written: dict[str, object] = self.adapter.dump_python(
            value, mode="json", by_alias=True, exclude_defaults=True
        )
        return written


class UnionSchema(Schema[Value]):
    """How values of several dataclasses are read and written, told apart by their `kind`."""

    def __init__(self, types: Iterable[Annotation], source: str = "") -> None:
        union: Annotation = reduce(or_, types)
        super().__init__(Annotated[union, Field(discriminator="kind")], source)

    def write(self, value: Value) -> dict[str, object]:
        """The same as a JSON document, without what is as usual; its kind is always there."""
        return {"kind": getattr(value, "kind", None), **super().write(value)}


def read_field(annotation: Annotation, value: object, place: PlaceLike, key: str) -> Any:
    """One value of a table or a form, as its annotation has it."""
    try:
        return _strict_adapter(annotation).validate_python(value)
    except ValidationError as error:
        place = DocumentPlace.of(place)
        raise bad_field(error, annotation, value, place, key, toml=True) from None


@cache
def _strict_adapter(annotation: Annotation) -> TypeAdapter[Any]:
    return adapter_of(strict(annotation))


def adapter_of(annotation: Annotation) -> TypeAdapter[Any]:
    """A type as pydantic knows it."""
    with PARSING:
        # It parses the sources of classes, for what is written beside their fields.
        return TypeAdapter(annotation)


def drop_nulls(value: Any, place: PlaceLike, depth: int = 0) -> Any:
    """A document without the keys whose value is null."""
    if depth > MOST_NESTED:
        expected = Message("schema.nested", most=MOST_NESTED)
        raise BadField(place, "", expected, Message("schema.found.more"))
    if isinstance(value, Mapping):
        return {
            str(key): drop_nulls(item, place, depth + 1)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, list | tuple):
        return [drop_nulls(item, place, depth + 1) for item in value]
    return value
