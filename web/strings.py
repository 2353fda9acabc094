"""Every word the players read, by key: `web/strings/en/<family>.toml`, ready to be translated.

A key is the family and the path in its file: `join.pin.hint`. A word that counts has a table of
`one` and `other`, chosen by the value `n`. The table `[js]` of a family goes to the page itself.
"""

import json
import logging
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from markupsafe import Markup, escape

from tabletop.errors import DreyerError

LANGUAGE = "en"
_log = logging.getLogger(__name__)


class UnknownString(DreyerError):
    """A key that no file of words has; the text names it."""


@cache
def strings(language: str = LANGUAGE) -> Mapping[str, str]:
    """All words by key; a plural has two keys, ending in `.one` and `.other`."""
    found: dict[str, str] = {}
    folder = files("web") / "strings" / language
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        family, dot, kind = entry.name.partition(".")
        if (dot, kind) == (".", "toml"):
            _collect(family, tomllib.loads(entry.read_text(encoding="utf-8")), found)
    return MappingProxyType(found)


def text(key: str, /, **values: object) -> str | Markup:
    """The words of a key with the values put in; markup among the values stays markup.

    Raises UnknownString for a key that is not there, and KeyError for a value that is missing.
    """
    known = strings()
    found = known.get(key)
    if found is None and "n" in values:
        found = known.get(f"{key}.{'one' if values['n'] == 1 else 'other'}")
    if found is None:
        raise UnknownString(f"expected a key of web/strings/{LANGUAGE}, got {key!r}")
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


def cited(reference: str) -> str:
    """Where a value comes from, for players: the rulebook, or what we noted on what it lost."""
    return reference.replace("README", str(text("common.notes")))


@cache
def page_strings() -> Markup:
    """The words that scripts use, as JSON that is safe inside a page."""
    words = {
        f"{family}.{rest.removeprefix('js.')}": value
        for key, value in strings().items()
        for family, _, rest in [key.partition(".")]
        if rest.startswith("js.")
    }
    data = json.dumps(words, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Markup(data.replace("<", "\\u003c"))  # noqa: S704  # No tag can begin in it any more.


def _collect(prefix: str, table: Mapping[str, object], into: dict[str, str]) -> None:
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, str):
            into[key] = value
        elif isinstance(value, dict):
            _collect(key, value, into)
        else:
            raise UnknownString(f"expected words or a table of words at {key}, got {value!r}")
