"""Messages: what the program has to say, as a code with parameters.

Rules, eyes and geometry make messages; `web.strings` turns them into words from its string tables,
for one viewer and one language. No code looks into the words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from tabletop.places import DocumentPlace

VERBATIM: Final = "verbatim"
"""The code of a text that was written by a player or by an older version of the program."""


@dataclass(frozen=True, slots=True)
class ShipRef:
    """A ship in a message. Each viewer is shown the name that the viewer may know."""

    id: str


Value: TypeAlias = (
    "str | int | float | bool | ShipRef | DocumentPlace | Message | tuple[Value, ...] | None"
)
"""What a parameter may be; a word that has to be translated is a message itself."""


@final
class Message:
    """A code of the string tables and the values that its words take; immutable.

    It is no dataclass, so that `dataclasses.asdict` leaves it whole: a document that has messages
    is written with words, not with codes.
    """

    __slots__ = ("_code", "_params")

    def __init__(self, code: str, /, **params: Value) -> None:
        self._code = code
        self._params = tuple(sorted(params.items()))

    @property
    def code(self) -> str:
        """The key of its words in the string tables."""
        return self._code

    @property
    def params(self) -> tuple[tuple[str, Value], ...]:
        """The values by name, in alphabetical order."""
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
        """Whether it says anything: an empty text does not."""
        return self != NO_WORDS

    def __str__(self) -> str:
        """The code and its parameters, for developers; a verbatim text as it is."""
        if self.code == VERBATIM:
            return str(self["text"])
        listed = ", ".join(f"{name}={_plain(value)}" for name, value in self.params)
        return f"{self.code}({listed})" if listed else self.code

    def with_ships(self, labels: Mapping[str, str]) -> "Message":
        """The same message with other ids for some ships: what a viewer may call them."""
        if not labels:
            return self
        return Message(
            self.code, **{name: _with_ships(value, labels) for name, value in self.params}
        )

    @classmethod
    def read(cls, stored: object) -> "Message":
        """A message from what the journal stores; a plain text was stored by an older version.

        Raises ValueError for anything else.
        """
        value = _read(stored)
        if isinstance(value, str):
            return verbatim(value)
        if isinstance(value, Message):
            return value
        raise ValueError("expected a message: a code with parameters, or a text")

    def store(self) -> dict[str, object]:
        """The message as the journal stores it."""
        if not self.params:
            return {"code": self.code}
        return {
            "code": self.code,
            "params": {name: _store(value) for name, value in self.params},
        }

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Stored as the journal does, or as words with `{"words": …}` as context."""
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
        """The API serves words."""
        return {"type": "string"}


def verbatim(text: str) -> Message:
    """A text as it is: a player's own words, or those of an older version."""
    return Message(VERBATIM, text=text)


NO_WORDS: Final = verbatim("")
"""Says nothing; of all messages only this one is false."""


def _plain(value: Value) -> str:
    if isinstance(value, ShipRef):
        return value.id
    if isinstance(value, Message):
        return str(value)
    if isinstance(value, DocumentPlace):
        return repr(str(value))
    if isinstance(value, tuple):
        return f"[{', '.join(map(_plain, value))}]"
    return repr(value)


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
    if isinstance(value, Message):
        return value.store()
    if isinstance(value, tuple):
        return [_store(each) for each in value]
    if isinstance(value, DocumentPlace):
        return str(value)
    return value


def _read(stored: object) -> Value:
    match stored:
        case Message() | ShipRef():
            return stored
        case None | bool() | int() | float() | str():
            return stored
        case list() | tuple():
            return tuple(map(_read, stored))
        case {"ship": str() as id_, **rest} if not rest:
            return ShipRef(id_)
        case {"code": str() as code, **rest} if not rest:
            return Message(code)
        case {"code": str() as code, "params": dict() as params, **rest} if not rest:
            return Message(code, **{str(name): _read(value) for name, value in params.items()})
    raise ValueError("expected a value of a message")


def _serialize(message: Message, info: core_schema.SerializationInfo) -> object:
    words: Callable[[Message], str] | None = (info.context or {}).get("words")
    return message.store() if words is None else words(message)
