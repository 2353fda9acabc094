"""Messages and keys turned into words, in the language of the answer.

`web.language_files` has the words. Words within words may begin with a small or a capital letter:
`{title:small}`, `{title:capital}`. An error may have a table of `words` and `remedy`, and a
`remedy_command` where there is another remedy on the command line. The table `[js]` of a family
goes to the page.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from combat.provenance import Reference
from combat.table_spec import label
from tabletop.errors import DreyerError
from tabletop.messages import VERBATIM, Message, ShipRef, SideRef, Value
from tabletop.places import DocumentPlace, NamedDocument
from web.language_files import ENGLISH, language_named

LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)
"""The language of the current response: its code, or the path of its file."""
ON_COMMAND_LINE: ContextVar[bool] = ContextVar("on_command_line", default=False)
"""Whether text is made for the command line, whose remedies are options and commands."""
NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})
"""Ships are called by their ids."""
_log = logging.getLogger(__name__)


class UnknownString(DreyerError):
    """A key that no string table has."""


def check_language(language: str) -> None:
    """Read the words of a language; a fault in its file comes up before anybody needs it."""
    with in_language(language):
        strings()


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Use a language within the block."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def strings() -> Mapping[str, str]:
    """All words by key; words that count have a key for each plural form."""
    return language_named(LANGUAGE.get()).words


def text(key: str, /, **values: object) -> str | Markup:
    """The string of a key with its parameters; messages are rendered, markup is kept.

    Raises UnknownString for an unknown key, and KeyError for a missing parameter.
    """
    found = _template(key, values)
    values = {name: _shown(value) for name, value in values.items()}
    if found is None:
        raise UnknownString("errors.unknown_string", key=key)
    if any(isinstance(value, Markup) for value in values.values()):
        return escape(found).format(**values)
    return found.format(**values)


def data_words(english: str) -> str:
    """A text of a data file, such as the title of a table; English where it is not translated."""
    return language_named(LANGUAGE.get()).data.get(english, english)


def row_words(name: str) -> str:
    """A row or a column of a table, as it is read."""
    return data_words(label(name))


def forgiving_text(key: str, /, **values: object) -> str | Markup:
    """As `text`, but an unknown key is shown itself, because a game must not stop for a label."""
    try:
        return text(key, **values)
    except (UnknownString, KeyError, IndexError, ValueError):
        _log.warning("no words for %s", key)
        return key


def words(message: Message | DreyerError, names: Mapping[str, str] = NO_NAMES) -> str:
    """A message in words, with its remedy if it has one.

    `names` are the names of ships by id. A message without a string shows its code, because a game
    must not stop for it.
    """
    message = message.message if isinstance(message, DreyerError) else message
    alone, remedy = words_without_remedy(message, names), remedy_words(message, names)
    return str(text("common.with_remedy", words=alone, remedy=remedy)) if remedy else alone


def shown(value: object) -> object:
    """A value in a template; a message is rendered."""
    return words(value) if isinstance(value, Message) else value


def sentence(message: str | Message) -> str:
    """The words with a capital first letter; strings begin small for the command line."""
    return f"{_Words(words(message) if isinstance(message, Message) else message):capital}"


def json_words(value: object, names: Mapping[str, str] = NO_NAMES) -> str:
    """A message in words, as the `default` of `json.dumps`."""
    if isinstance(value, Message):
        return words(value, names)
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def words_without_remedy(message: Message, names: Mapping[str, str] = NO_NAMES) -> str:
    """A message in words, without its remedy."""
    if message.code == VERBATIM:
        return data_words(str(message["text"]))
    values = _values(message, names)
    for key in (message.code, f"{message.code}.words"):
        if _template(key, values) is not None:
            return str(forgiving_text(key, **values))
    _log.warning("no words for %s", message.code)
    return str(message)


def remedy_words(message: Message, names: Mapping[str, str] = NO_NAMES) -> str:
    """The remedy of an error; empty if its string has none."""
    key, values = f"{message.code}.remedy", _values(message, names)
    if ON_COMMAND_LINE.get() and _template(f"{key}_command", values) is not None:
        key = f"{key}_command"
    return "" if _template(key, values) is None else str(forgiving_text(key, **values))


def figure(value: float, spec: str = "") -> str:
    """A number in Python's number format, with the marks of the language: 18.390 in German."""
    return format(_Figure(value, _marks()), spec)


def signed(value: int) -> str:
    """A number that is added, with its sign; 0 has none."""
    return (
        str(text("common.minus", figure=-value)) if value < 0 else f"{value:+d}" if value else "0"
    )


def strong(value: object) -> Markup:
    """A value in bold type, to be put into words."""
    return Markup("<b>{}</b>").format(value)


def cited(reference: str) -> str:
    """What a value rests on, for players."""
    return words(Reference.read(reference).message)


def page_strings() -> Markup:
    """The strings for scripts, as JSON that is safe inside a page."""
    return _page_strings(LANGUAGE.get())


@cache
def _page_strings(language: str) -> Markup:
    found = {
        f"{family}.{rest.removeprefix('js.')}": value
        for key, value in language_named(language).words.items()
        for family, _, rest in [key.partition(".")]
        if rest.startswith("js.")
    }
    data = json.dumps(found, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Markup(data.replace("<", "\\u003c"))  # noqa: S704  # No tag can begin in it any more.


def _template(key: str, values: Mapping[str, object]) -> str | None:
    return language_named(LANGUAGE.get()).template(key, values.get("n"))


def _values(message: Message, names: Mapping[str, str]) -> dict[str, object]:
    return {name: _rendered(value, names) for name, value in message.params}


def _rendered(value: Value, names: Mapping[str, str]) -> object:
    """A parameter for a format string: numbers stay numbers."""
    if isinstance(value, ShipRef):
        return names.get(value.id, value.id)
    if isinstance(value, SideRef):
        return _Words(strings().get(f"sides.{value.key}", f"{_Words(value.key):capital}"))
    if isinstance(value, Message):
        return _Words(words(value, names))
    if isinstance(value, DocumentPlace):
        return str(replace(value, source=str(_rendered(value.source, names))))
    if isinstance(value, NamedDocument):
        return str(text(f"common.document.{value}"))
    if isinstance(value, tuple):
        listed = str(text("common.list_comma")).join(
            str(_figure(_rendered(each, names))) for each in value
        )
        return _Words(listed)
    return value


def _shown(value: object) -> object:
    if isinstance(value, Message):
        return _Words(words(value))
    return _Words(value) if type(value) is str else _figure(value)


def _figure(value: object) -> object:
    """A number with the decimal mark and the thousands mark of the language."""
    if type(value) not in (int, float):
        return value
    return _Figure(value, marks) if (marks := _marks()) else value


def _marks() -> Mapping[str, str]:
    """The marks of numbers that differ from Python's."""
    marks = strings()["common.decimal_mark"], strings()["common.thousands_mark"]
    return {} if marks == (".", ",") else dict(zip(".,", marks, strict=True))


class _Figure:
    """A number within a string."""

    __slots__ = ("_marks", "_value")

    def __init__(self, value: object, marks: Mapping[str, str]) -> None:
        self._value, self._marks = value, marks

    def __format__(self, spec: str) -> str:
        return "".join(self._marks.get(sign, sign) for sign in format(self._value, spec))

    def __str__(self) -> str:
        return format(self)


class _Words(str):
    """A message within a string; `{title:small}` and `{title:capital}` change the first letter."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if spec == "small":
            return f"{self[:1].lower()}{self[1:]}"
        if spec == "capital":
            return f"{self[:1].upper()}{self[1:]}"
        return super().__format__(spec)
