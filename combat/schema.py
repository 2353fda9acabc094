"""Typed values read from JSON and written as JSON.

A value is a frozen dataclass whose annotations say what it takes. `Schema` reads a JSON document
into it with pydantic, and says what is wrong in one line: where, which field, what was expected
and what was found. The same annotations describe it in the API's schema.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cached_property
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, PydanticOmit, core_schema

from tabletop.errors import BadField, DreyerError, nearest, shorten
from tabletop.fields import bounds, describe_value

Value = TypeVar("Value")

CONFIG: Final = ConfigDict(
    extra="forbid",
    allow_inf_nan=False,
    use_attribute_docstrings=True,
    revalidate_instances="always",
)
"""For every dataclass that a schema reads, as its `__pydantic_config__`."""
MOST_NESTED: Final = 12
FARTHEST_YARDS: Final = 1_000_000.0


def squeezed(value: object) -> object:
    """A text with single blanks between its words; anything else as it is."""
    return " ".join(value.split()) if isinstance(value, str) else value


def printable(text: str) -> str:
    """The text, unless something in it cannot be seen."""
    if not text.isprintable():
        raise ValueError("a line of printable characters")
    return text


Flag = Annotated[bool, Strict()]
"""True or false, and nothing that only looks like it."""
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
Line = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(printable)]
"""Text on one line."""
Reason = Annotated[str, BeforeValidator(squeezed), AfterValidator(printable)]
"""Text on one line, with single blanks between its words."""
ShipName = Annotated[str, Field(max_length=40)]
"""A ship by the name that the caller knows her by: a hidden enemy by her number, as "Ship 3"."""
SideName = Annotated[str, Field(max_length=40)]
Yards = Annotated[Number, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]


@dataclass(frozen=True, slots=True)
class ServerSets:
    """Marks a field that the server sets: the API does not name it."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Left out of the description."""
        raise PydanticOmit


SERVER_SETS: Final = ServerSets()


@dataclass(frozen=True, slots=True)
class StoredAs:
    """Marks a field whose JSON has other keys than its type: the type of the JSON, both ways."""

    document: type
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read and described as the document is."""

        def read(value: object, read_document: core_schema.ValidatorFunctionWrapHandler) -> Any:
            # A value that was made in the program is checked by the limits of its document.
            document = self.write(value) if isinstance(value, source) else value
            return self.read(read_document(document))

        return core_schema.no_info_wrap_validator_function(
            read,
            handler.generate_schema(self.document),
            serialization=core_schema.plain_serializer_function_ser_schema(self.write),
        )


class Schema(Generic[Value]):
    """How values of a type, or of a union told apart by `kind`, are read and written."""

    def __init__(self, type_: Any, place: str) -> None:
        self._type, self._place = type_, place

    @cached_property
    def _adapter(self) -> TypeAdapter[Value]:
        # Made when it is first used: it takes a tenth of a second, and most commands need none.
        return TypeAdapter(self._type)

    def read(self, document: object) -> Value:
        """The value that a JSON document describes; null is the same as a key that is not there."""
        return self.check(without_nulls(document, self._place))

    def check(self, value: object) -> Value:
        """The value with every field as its annotation has it; a fault is told as in a document."""
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise self._fault(error) from None

    def write(self, value: Value) -> dict[str, Any]:
        """The same as a JSON document, without what is as usual."""
        written: dict[str, Any] = self._adapter.dump_python(
            value, mode="json", by_alias=True, exclude_defaults=True
        )
        return written

    def _fault(self, error: ValidationError) -> DreyerError:
        found = error.errors(include_url=False)
        # A key that is misspelt is told before the one that is missing for it.
        first = next((each for each in found if each["type"] == _UNKNOWN_KEY), found[0])
        context = first.get("ctx", {})
        own = context.get("error")
        if isinstance(own, DreyerError):
            return own
        if first["type"] in _TAG_FAULTS:
            kinds = ", ".join(kind_of(each) for each in _dataclasses_in(self._type))
            kind = first["input"].get("kind") if isinstance(first["input"], Mapping) else None
            return BadField(self._place, "kind", f"one of {kinds}", describe_value(kind))
        place, field, inside = self._locate(first)
        hint = _hint_of(inside, first["loc"][-1]) if first["loc"] else None
        if first["type"] == _UNKNOWN_KEY:
            known = _keys_of(inside)
            return DreyerError(
                "verbatim",
                text=f"{place}: unknown key {shorten(first['loc'][-1])}; "
                f"the nearest known key is {nearest(str(first['loc'][-1]), known)!r}",
            )
        if first["type"] == "missing":
            return BadField(place, field, "a value", "nothing: the key is missing")
        expected = str(own) if own else _expected(first, hint)
        choices, guess = _choices(hint), None
        if choices and isinstance(first["input"], str):
            guess = nearest(first["input"], choices)
        return BadField(place, field, expected, describe_value(first["input"]), guess)

    def _locate(self, fault: ErrorDetails) -> tuple[str, str, type | None]:
        """Where a fault is, the field it is about, and the dataclass that has the field."""
        parts = list(fault["loc"])
        tagged = {kind_of(each): each for each in _dataclasses_in(self._type)}
        inside = next(iter(tagged.values()), None)
        place = self._place
        if len(tagged) > 1 and parts and parts[0] in tagged:
            place = str(parts[0])
            inside = tagged[str(parts.pop(0))]
        words: list[str] = []
        for part in parts:
            if isinstance(part, int) and words:
                words[-1] += f" {part + 1}"
            else:
                words.append(shorten(part)[1:-1] if isinstance(part, str) else str(part + 1))
        for part in parts[:-1]:
            hint = _hints(inside).get(str(part)) if inside else None
            inside = next(iter(_dataclasses_in(hint)), inside) if hint is not None else inside
        field = words.pop() if words else place
        return ", ".join((place, *words)), field, inside


def without_nulls(value: Any, place: str, depth: int = 0) -> Any:
    """A document without the keys whose value is null."""
    if depth > MOST_NESTED:
        raise BadField(place, place, f"objects within objects {MOST_NESTED} deep", "more")
    if isinstance(value, Mapping):
        return {
            str(key): without_nulls(item, place, depth + 1)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, list | tuple):
        return [without_nulls(item, place, depth + 1) for item in value]
    return value


def _hints(type_: type) -> dict[str, Any]:
    return get_type_hints(type_, include_extras=True)


def _dataclasses_in(hint: Any) -> list[type]:
    """The dataclasses that an annotation is made of, by their JSON."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, StoredAs):
            return [mark.document]
    if isinstance(hint, type) and is_dataclass(hint):
        return [hint]
    return [found for part in get_args(hint) for found in _dataclasses_in(part)]


def kind_of(type_: type) -> str:
    """The `kind` by which a dataclass is told from the others of its union."""
    kinds = {each.name: each.default for each in fields(type_)}
    return str(kinds.get("kind", ""))


def _keys_of(type_: type | None) -> list[str]:
    if type_ is None:
        return []
    keys = []
    for name, hint in _hints(type_).items():
        marks = getattr(hint, "__metadata__", ())
        if any(isinstance(mark, ServerSets) for mark in marks) or name == "kind":
            continue
        aliases = (getattr(mark, "alias", None) for mark in marks)
        keys.append(next((alias for alias in aliases if alias), name))
    return [key for key in keys if not key.startswith("__")]


def _hint_of(type_: type | None, key: object) -> Any:
    """The annotation of a field by its key; None for what is no field, as an item of a list."""
    if type_ is None or not isinstance(key, str):
        return None
    hint = _hints(type_).get(key)
    # A field that may be absent is expected as it is when it is there.
    parts = [part for part in get_args(hint) if part is not NoneType]
    return parts[0] if get_origin(hint) in (Union, UnionType) and len(parts) == 1 else hint


def _limits(hint: Any) -> dict[str, Any]:
    """The constraints of an annotation by their names."""
    marks = [
        mark
        for each in getattr(hint, "__metadata__", ())
        for mark in (each.metadata if isinstance(each, FieldInfo) else (each,))
    ]
    names = ("gt", "ge", "le", "min_length", "max_length")
    return {name: getattr(mark, name) for mark in marks for name in names if hasattr(mark, name)}


def _choices(hint: Any) -> list[str]:
    base = get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
    is_enum = isinstance(base, type) and issubclass(base, StrEnum)
    return [str(each) for each in base] if is_enum else []


def _expected(fault: ErrorDetails, hint: Any) -> str:
    """What a field takes, with all its limits."""
    limits, kind = _limits(hint), fault["type"]
    if kind in ("enum", "literal_error"):
        choices = _choices(hint)
        return f"one of {', '.join(choices)}" if choices else str(fault["ctx"]["expected"])
    if kind in _NUMBER_FAULTS:
        base = get_args(hint)[0] if hasattr(hint, "__metadata__") else None
        word = "a whole number" if base is int or kind == "int_type" else "a number"
        above, least = limits.get("gt", -math.inf), limits.get("ge", -math.inf)
        return bounds(word, above, least, limits.get("le", math.inf))
    least, most = limits.get("min_length", 0), limits.get("max_length")
    if kind in ("string_too_long", "string_too_short"):
        return f"a text of {least} to {most} characters" if most else "a text"
    if kind in ("too_long", "too_short"):
        return f"from {least} to {most} of them" if most else "fewer of them"
    if kind == "tuple_type" and not _dataclasses_in(hint):
        return "a list of texts"
    return _EXPECTED.get(kind, fault["msg"])


_UNKNOWN_KEY: Final = "unexpected_keyword_argument"
_TAG_FAULTS: Final = ("union_tag_invalid", "union_tag_not_found", "model_attributes_type")
_NUMBER_FAULTS: Final = (
    "int_type",
    "float_type",
    "finite_number",
    "greater_than",
    "greater_than_equal",
    "less_than_equal",
)
_EXPECTED: Final = {
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "mapping_type": "an object",
    "dict_type": "an object",
    "dataclass_type": "an object",
}
