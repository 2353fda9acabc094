"""Messages: texts for players as a code with parameters.

All packages make messages; `web.strings` renders them from its string tables for one viewer and
one language. Code compares codes and parameters, never rendered text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from tabletop.places import DocumentPlace

VERBATIM: Final = "verbatim"
"""The code of a text written by a player or by an older version of the program."""


@dataclass(frozen=True, slots=True)
class ShipRef:
    """A ship in a message, rendered as the name that the viewer may know."""

    id: str


@dataclass(frozen=True, slots=True)
class SideRef:
    """A side in a message, rendered as the name that players read."""

    key: str


Value: TypeAlias = (
    "str | int | float | bool | ShipRef | SideRef | DocumentPlace | Message"
    " | tuple[Value, ...] | None"
)
"""The type of a parameter. Text that has to be translated is a Message itself."""


@final
class Message:
    """An immutable code of the string tables with parameters.

    It is not a dataclass, so that `dataclasses.asdict` does not take it apart: documents contain
    the rendered text, not the code.
    """

    __slots__ = ("_code", "_params")

    def __init__(self, code: str, /, **params: Value) -> None:
        self._code = code
        self._params = tuple(sorted(params.items()))

    @property
    def code(self) -> str:
        """The key in the string tables."""
        return self._code

    @property
    def params(self) -> tuple[tuple[str, Value], ...]:
        """The parameters as (name, value), sorted by name."""
        return self._params

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self._code, self._params) == (other._code, other._params)

    def __hash__(self) -> int:
        return hash((self._code, self._params))

    def __repr__(self) -> str:
        params = "".join(f", {name}={value!r}" for name, value in self._params)
        return f"Message({self._code!r}{params})"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Message":
        return self

    def __getitem__(self, name: str) -> Value:
        return dict(self.params)[name]

    def __bool__(self) -> bool:
        """Whether this is not `NO_WORDS`."""
        return self != NO_WORDS

    def __str__(self) -> str:
        """The code and its parameters, for developers; of a verbatim message its text."""
        if self.code == VERBATIM:
            return str(self["text"])
        listed = ", ".join(f"{name}={_plain(value)}" for name, value in self.params)
        return f"{self.code}({listed})" if listed else self.code

    def has(self, name: str) -> bool:
        """Whether it has a parameter of this name, or a message within it has."""
        return any(key == name or _has(value, name) for key, value in self.params)

    def with_ships(self, labels: Mapping[str, str]) -> "Message":
        """The message with the ids of some ships replaced by what a viewer may call them."""
        if not labels:
            return self
        return Message(
            self.code, **{name: _with_ships(value, labels) for name, value in self.params}
        )

    @classmethod
    def read(cls, stored: object) -> "Message":
        """A message from its stored form; older versions stored a plain text.

        Raises ValueError for anything else.
        """
        value = _read(stored)
        if isinstance(value, str):
            return verbatim(value)
        if isinstance(value, Message):
            return value
        raise ValueError("expected a message: a code with parameters, or a text")

    def store(self) -> dict[str, object]:
        """The message as plain JSON values, as the journal stores it."""
        if not self.params:
            return {"code": self.code}
        return {
            "code": self.code,
            "params": {name: _store(value) for name, value in self.params},
        }

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Serialized by `store`, or rendered if the context has a function `words`."""
        return core_schema.no_info_plain_validator_function(
            cls.read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                _serialize, info_arg=True
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """A string, because the API serves rendered text."""
        return {"type": "string"}


def verbatim(text: str) -> Message:
    """A message that is rendered as this text, untranslated."""
    return Message(VERBATIM, text=text)


NO_WORDS: Final = verbatim("")
"""The empty message, the only one that is false."""


def _plain(value: Value) -> str:
    if isinstance(value, ShipRef):
        return value.id
    if isinstance(value, SideRef):
        return value.key
    if isinstance(value, Message):
        return str(value)
    if isinstance(value, DocumentPlace):
        return repr(str(value))
    if isinstance(value, tuple):
        return f"[{', '.join(map(_plain, value))}]"
    return repr(value)


def _has(value: Value, name: str) -> bool:
    if isinstance(value, tuple):
        return any(_has(each, name) for each in value)
    return isinstance(value, Message) and value.has(name)


def _with_ships(value: Value, labels: Mapping[str, str]) -> Value:
    if isinstance(value, ShipRef):
        return ShipRef(labels.get(value.id, value.id))
    if isinstance(value, Message):
        return value.with_ships(labels)
    if isinstance(value, tuple):
        return tuple(_with_ships(each, labels) for each in value)
    return value


def _store(value: Value) -> object:
    if isinstance(value, ShipRef):
        return {"ship": value.id}
    if isinstance(value, SideRef):
        return {"side": value.key}
    if isinstance(value, Message):
        return value.store()
    if isinstance(value, tuple):
        return [_store(each) for each in value]
    if isinstance(value, DocumentPlace):
        return str(value)
    return value


def _read(stored: object) -> Value:
    match stored:
        case Message() | ShipRef() | SideRef():
            return stored
        case None | bool() | int() | float() | str():
            return stored
        case list() | tuple():
            return tuple(map(_read, stored))
        case {"ship": str() as id_, **rest} if not rest:
            return ShipRef(id_)
        case {"side": str() as key, **rest} if not rest:
            return SideRef(key)
        case {"code": str() as code, **rest} if not rest:
            return Message(code)
        case {"code": str() as code, "params": dict() as params, **rest} if not rest:
            return Message(code, **{str(name): _read(value) for name, value in params.items()})
    raise ValueError("expected a value of a message")


def _serialize(message: Message, info: core_schema.SerializationInfo) -> object:
    words: Callable[[Message], str] | None = (info.context or {}).get("words")
    return message.store() if words is None else words(message)
