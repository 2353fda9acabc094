"""Every word that players read, by key, and messages turned into words.

English is in `web/strings/en/<family>.toml` and, for each rulebook, in `strings/en.toml` of its own
folder. A key is the path in its file, behind the family: `join.pin.hint`; a rulebook's file begins
with its family itself. A word that counts has a table of `one` and `other`, chosen by the value
`n`. Words within words may begin with a small or a capital letter: `{title:small}`,
`{title:capital}`. An error may have a table of `words` and `remedy`, and a `remedy_command` where
there is another remedy on the command line. The table `[js]` of a family goes to the page.

Another language is one file with the same keys below their families: `web/strings/<language>.toml`,
or any file that `dreyer serve --language` names. Keys that it leaves out are English.
"""

import json
import logging
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from tabletop.errors import DreyerError
from tabletop.messages import VERBATIM, Message, ShipRef, Value
from tabletop.places import DocumentPlace

ENGLISH: Final = "en"
LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)
"""The language of the answer that is being made: its code, or the path of its file."""
ON_COMMAND_LINE: ContextVar[bool] = ContextVar("on_command_line", default=False)
"""Whether words are made for the command line, whose remedies are options and commands."""
NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})
"""Ships that are called by their ids."""
_log = logging.getLogger(__name__)


class UnknownString(DreyerError):
    """A key that no string table has."""


def languages() -> tuple[str, ...]:
    """The languages that come with the program."""
    found = (entry.name.removesuffix(".toml") for entry in (files("web") / "strings").iterdir())
    return tuple(sorted({*found} - {"__pycache__"}))


def check_language(language: str) -> None:
    """Read the words of a language; a fault in its file is told before anybody needs it."""
    with in_language(language):
        strings()


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Answer in a language."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def strings() -> Mapping[str, str]:
    """All words by key; a plural has two keys, ending in `.one` and `.other`."""
    return _strings(LANGUAGE.get())


@cache
def _strings(language: str) -> Mapping[str, str]:
    english: dict[str, str] = {}
    for family, file in _english_files():
        _collect(family, tomllib.loads(file.read_text(encoding="utf-8")), english)
    if language == ENGLISH:
        return MappingProxyType(english)
    translated: dict[str, str] = {}
    _collect("", _read_language(language), translated)
    for key, value in translated.items():
        _check_translation(language, key, value, english)
    return MappingProxyType(english | translated)


def _read_language(language: str) -> Mapping[str, object]:
    if language in languages():
        return tomllib.loads((files("web") / "strings" / f"{language}.toml").read_text("utf-8"))
    try:
        return tomllib.loads(Path(language).read_text("utf-8"))
    except FileNotFoundError:
        known = ", ".join(languages())
        raise UnknownString("errors.language.unknown", language=language, known=known) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnknownString("errors.language.file", file=language, reason=str(error)) from None


def _check_translation(file: str, key: str, value: str, english: Mapping[str, str]) -> None:
    """A translation takes no values but those that the English words take."""
    original = english.get(key, english.get(_one_as_other(key)))
    if original is None:
        raise UnknownString("errors.language.key", file=file, key=key)
    try:
        unknown = _values_of(value) - _values_of(original)
    except ValueError as error:
        raise UnknownString(
            "errors.language.value", file=file, key=key, reason=str(error)
        ) from None
    if unknown:
        raise UnknownString("errors.language.value", file=file, key=key, reason=min(unknown))


def _one_as_other(key: str) -> str:
    return f"{key.removesuffix('.one')}.other"


def _values_of(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _english_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of English words and its family; a rulebook's file names the family itself."""
    for entry in sorted((files("web") / "strings" / ENGLISH).iterdir(), key=lambda each: each.name):
        family, _, kind = entry.name.partition(".")
        if kind == "toml":
            yield family, entry
    for folder in (files("combat") / "rulebooks").iterdir():
        file = folder / "strings" / f"{ENGLISH}.toml"
        if file.is_file():
            yield "", file


def text(key: str, /, **values: object) -> str | Markup:
    """The words of a key with the values put in, messages in words; markup stays markup.

    Raises UnknownString for a key that is not there, and KeyError for a value that is missing.
    """
    values = {name: _shown(value) for name, value in values.items()}
    found = _template(key, values)
    if found is None:
        raise UnknownString("errors.unknown_string", key=key)
    if any(isinstance(value, Markup) for value in values.values()):
        return escape(found).format(**values)
    return found.format(**values)


def forgiving_text(key: str, /, **values: object) -> str | Markup:
    """As `text`, but a gap in the words shows the key: a game must not stop for a label."""
    try:
        return text(key, **values)
    except (UnknownString, KeyError, IndexError, ValueError):
        _log.warning("no words for %s", key)
        return key


def words(message: Message | DreyerError, names: Mapping[str, str] = NO_NAMES) -> str:
    """A message in words, with the remedy where it has one.

    `names` are the names of ships by their ids, where they differ. A message without words shows
    its code: a game must not stop for it.
    """
    message = message.message if isinstance(message, DreyerError) else message
    told, remedy = words_alone(message, names), remedy_words(message, names)
    return str(text("common.with_remedy", words=told, remedy=remedy)) if remedy else told


def shown(value: object) -> object:
    """A value as a template shows it: a message in words."""
    return words(value) if isinstance(value, Message) else value


def sentence(said: str | Message) -> str:
    """Words as a sentence: most begin small, since the command line puts its name before."""
    told = words(said) if isinstance(said, Message) else said
    return told[:1].upper() + told[1:]


def json_words(value: object, names: Mapping[str, str] = NO_NAMES) -> str:
    """A message in words, as the `default` of `json.dumps`."""
    if isinstance(value, Message):
        return words(value, names)
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def words_alone(message: Message, names: Mapping[str, str] = NO_NAMES) -> str:
    """A message in words, without its remedy."""
    if message.code == VERBATIM:
        return str(message["text"])
    values = _values(message, names)
    for key in (message.code, f"{message.code}.words"):
        if _template(key, values) is not None:
            return str(forgiving_text(key, **values))
    _log.warning("no words for %s", message.code)
    return str(message)


def remedy_words(message: Message, names: Mapping[str, str] = NO_NAMES) -> str:
    """What to do about an error, where its string table says so; else empty."""
    key, values = f"{message.code}.remedy", _values(message, names)
    if ON_COMMAND_LINE.get() and _template(f"{key}_command", values) is not None:
        key = f"{key}_command"
    return "" if _template(key, values) is None else str(forgiving_text(key, **values))


def cited(reference: str) -> str:
    """Where a value comes from, for players: the rulebook, or what we noted on what it lost."""
    return reference.replace("README", str(text("common.notes")))


def page_strings() -> Markup:
    """The words that scripts use, as JSON that is safe inside a page."""
    return _page_strings(LANGUAGE.get())


@cache
def _page_strings(language: str) -> Markup:
    found = {
        f"{family}.{rest.removeprefix('js.')}": value
        for key, value in _strings(language).items()
        for family, _, rest in [key.partition(".")]
        if rest.startswith("js.")
    }
    data = json.dumps(found, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Markup(data.replace("<", "\\u003c"))  # noqa: S704  # No tag can begin in it any more.


def _template(key: str, values: Mapping[str, object]) -> str | None:
    known = strings()
    found = known.get(key)
    if found is None and "n" in values:
        found = known.get(f"{key}.{'one' if values['n'] == 1 else 'other'}")
    return found


def _values(message: Message, names: Mapping[str, str]) -> dict[str, object]:
    return {name: _rendered(value, names) for name, value in message.params}


def _rendered(value: Value, names: Mapping[str, str]) -> object:
    """A parameter as a template takes it: numbers stay numbers, for their format."""
    if isinstance(value, ShipRef):
        return names.get(value.id, value.id)
    if isinstance(value, Message):
        return _Words(words(value, names))
    if isinstance(value, DocumentPlace):
        return str(value)
    if isinstance(value, tuple):
        listed = str(text("common.list_comma")).join(str(_rendered(each, names)) for each in value)
        return _Words(listed)
    return value


def _shown(value: object) -> object:
    return _Words(words(value)) if isinstance(value, Message) else value


class _Words(str):
    """Words within other words; `{title:small}` and `{title:capital}` change the first letter."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if spec == "small":
            return f"{self[:1].lower()}{self[1:]}"
        if spec == "capital":
            return f"{self[:1].upper()}{self[1:]}"
        return super().__format__(spec)


def _collect(prefix: str, table: Mapping[str, object], into: dict[str, str]) -> None:
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        if isinstance(value, str):
            into[key] = value
        elif isinstance(value, dict):
            _collect(key, value, into)
        else:
            raise UnknownString("errors.not_a_string", key=key, found=repr(value))
