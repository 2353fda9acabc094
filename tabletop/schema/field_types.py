"""The types of fields, and the marks that an annotation may have besides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    StringConstraints,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticOmit, core_schema

from tabletop.messages import Message

Annotation: TypeAlias = Any
"""What stands behind the colon of a field: a class, a union or an `Annotated`. Python has no
narrower type for it."""

FARTHEST_YARDS: Final = 1_000_000.0


def single_spaced(value: object) -> object:
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
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Line = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(printable)]
"""Text on one line."""
Reason = Annotated[str, BeforeValidator(single_spaced), AfterValidator(printable)]
"""Text on one line, with single blanks between its words."""
Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=80),
    AfterValidator(printable),
]
"""A line of text that is there."""
ShipName = Annotated[str, Field(max_length=40)]
"""A ship by the name that the caller knows her by: a hidden enemy by her number, as "Ship 3"."""
SideName = Annotated[str, Field(max_length=40)]
Yards = Annotated[Number, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]
Positive = Annotated[Number, Field(gt=0)]
LongText = Annotated[Line, Field(min_length=1, max_length=400)]
"""A line of text that is there and may be a sentence or two."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Marks a number with what it counts: yards, inches, boxes."""

    name: str


@dataclass(frozen=True, slots=True)
class Expected:
    """Marks a field with what it takes, where its type does not tell."""

    message: Message


class CheckFailed(ValueError):
    """What a check of its own expected, where that is not what its field says."""

    def __init__(self, expected: Message) -> None:
        self.expected = expected
        super().__init__(str(expected))


@dataclass(frozen=True, slots=True)
class Secret:
    """Marks a value that no error message quotes."""


@dataclass(frozen=True, slots=True)
class ServerSets:
    """Marks a field that the server sets: the API does not name it."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Left out of the description."""
        raise PydanticOmit


SERVER_SETS: Final = ServerSets()


@dataclass(frozen=True, slots=True)
class StoredAs:
    """Marks a value whose JSON is of another type than the value: that type, and both ways."""

    document: object
    read: Callable[[Any], object] = lambda document: document
    write: Callable[[Any], object] | None = None
    """None for a value that is only read."""

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read and described as the document is."""

        schema = handler.generate_schema(self.document)
        write = self.write
        if write is None:
            return core_schema.no_info_after_validator_function(self.read, schema)

        def read(value: object, read_document: core_schema.ValidatorFunctionWrapHandler) -> object:
            # A value that was made in the program is checked by the limits of its document.
            document = write(value) if isinstance(value, source) else value
            return self.read(read_document(document))

        return core_schema.no_info_wrap_validator_function(
            read,
            schema,
            serialization=core_schema.plain_serializer_function_ser_schema(write),
        )
