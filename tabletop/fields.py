"""Checked reading of TOML: every value is validated once, when it is loaded.

A `Fields` is one table of a file together with its place in it, so that every error can say
"scene.toml, ship 2 'Hood': x: expected a number, got 'twelve'". The keys a table may have are
declared when it is opened; any other key is a misspelling and the message names the nearest.
"""

import math
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Final

from tabletop.errors import BadField, DreyerError, UnreadableFile, nearest, shorten


class _Required:
    """Marks a value that has no default."""


REQUIRED: Final = _Required()
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MOST_DOTS = 500


def parse_toml(data: bytes, source: str) -> dict[str, object]:
    """The document in these bytes; anything that is not UTF-8 TOML is an UnreadableFile."""
    # Windows editors put a byte order mark in front, which TOML does not know.
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile("errors.file.not_utf8", source=source, line=line) from None
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        # A key of thousands of parts would take gigabytes to read.
        raise UnreadableFile("errors.file.toml_deep", source=source)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = " ".join(str(error).split())
        raise UnreadableFile("errors.file.toml", source=source, reason=reason) from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise UnreadableFile("errors.file.toml_number", source=source) from None
    except RecursionError:
        raise UnreadableFile("errors.file.toml_deep", source=source) from None


class Fields:
    """One TOML table being read, with its place in the file and the keys it may have."""

    def __init__(self, values: Mapping[str, object], place: str, known: Iterable[str]) -> None:
        self._values = values
        self.place = place
        known = tuple(known)
        for key in values:
            if key not in known:
                raise DreyerError(
                    "errors.unknown_key",
                    place=place,
                    key=shorten(key),
                    nearest=nearest(key, known),
                )

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def number(
        self,
        key: str,
        default: float | _Required = REQUIRED,
        *,
        above: float = -math.inf,
        least: float = -math.inf,
        most: float = math.inf,
        unit: str = "",
    ) -> float:
        """A finite number, greater than `above` and from `least` to `most`."""
        expected = bounds("a number", above, least, most, unit)
        value = self._get(key, default, expected)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, expected, value)
        try:
            number = float(value)
        except OverflowError:
            raise self.wrong(key, expected, value) from None
        if not (math.isfinite(number) and number > above and least <= number <= most):
            raise self.wrong(key, expected, value)
        return number

    def integer(
        self, key: str, default: int | _Required = REQUIRED, *, least: int, most: int
    ) -> int:
        """A whole number from `least` to `most`."""
        expected = bounds("a whole number", -math.inf, least, most, "")
        value = self._get(key, default, expected)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(key, expected, value)
        return value

    def text(self, key: str, default: str | _Required = REQUIRED, *, most: int = 80) -> str:
        """A line of text: not empty, not too long, nothing unprintable in it."""
        expected = f"a line of text of 1 to {most} printable characters"
        value = self._get(key, default, expected)
        if not isinstance(value, str):
            raise self.wrong(key, expected, value)
        text = value.strip()
        if not text or len(text) > most or not text.isprintable():
            raise self.wrong(key, expected, value)
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of lines of text; an absent key is an empty list."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(key, "a list of texts", value)
        return tuple(value)

    def flag(self, key: str, default: bool | _Required = REQUIRED) -> bool:
        """Yes or no, written true or false."""
        value = self._get(key, default, "true or false")
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false", value)
        return value

    def value(self, key: str, expected: str) -> object:
        """Whatever is there, for the caller to check."""
        return self._get(key, REQUIRED, expected)

    def values(self, key: str, count: int | None, what: str) -> tuple[object, ...]:
        """A list, of so many values if a count is given, for the caller to check one by one."""
        expected = f"a list of {what}" if count is None else f"a list of {count} {what}"
        value = self._get(key, REQUIRED, expected)
        if not isinstance(value, list) or count not in (None, len(value)):
            raise self.wrong(key, expected, value)
        return tuple(value)

    def inheriting(self, model: "Fields", keys: Iterable[str]) -> "Fields":
        """This table, with what it does not state of these keys taken from a model.

        A sub-table is completed key by key; any other value is taken whole or not at all.
        """
        values = dict(self._values)
        for key in keys:
            own, other = values.get(key), model._values.get(key)
            if key not in values and key in model:
                values[key] = other
            elif isinstance(own, dict) and isinstance(other, dict):
                values[key] = {**other, **own}
        return Fields(values, self.place, values)

    def choice(self, key: str, choices: Iterable[str], default: str | _Required = REQUIRED) -> str:
        """One of the given words."""
        choices = tuple(choices)
        expected = f"one of {', '.join(choices)}"
        value = self._get(key, default, expected)
        if not isinstance(value, str) or value not in choices:
            guess = nearest(value, choices) if isinstance(value, str) else None
            raise BadField(self.place, key, expected, describe_value(value), guess)
        return value

    def table(self, key: str, known: Iterable[str]) -> "Fields":
        """A sub-table `[key]`; an absent one is empty."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"a table, written [{key}]", value)
        return Fields(value, f"{self.place}, [{key}]", known)

    def tables(self, key: str, known: Iterable[str]) -> list["Fields"]:
        """The tables of a list `[[key]]`, each with its number (and its name, if it has one)."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, f"tables, each written [[{key}]] with double brackets", value)
        known = tuple(known)
        return [
            Fields(item, f"{self.place}, {key} {number}{_name_of(item)}", known)
            for number, item in enumerate(value, start=1)
        ]

    def wrong(self, key: str, expected: str, found: object) -> BadField:
        """The error for a value of this table; for checks that only the caller can make."""
        return BadField(self.place, key, expected, describe_value(found))

    def missing(self, key: str, expected: str) -> BadField:
        """The error for a value that is not there."""
        return BadField(self.place, key, expected, "nothing: the key is missing")

    def _get(self, key: str, default: object, expected: str) -> object:
        value = self._values.get(key, default)
        if value is REQUIRED:
            raise self.missing(key, expected)
        return value


def bounds(kind: str, above: float, least: float, most: float, unit: str = "") -> str:
    """A number of some kind and where it must lie, in words."""
    words = f"{kind} of {unit}" if unit else kind
    if above > -math.inf:
        words += f" above {above:,.12g}"
        return words if most == math.inf else f"{words} and up to {most:,.12g}"
    if least > -math.inf and most < math.inf:
        return f"{words} from {least:,.12g} to {most:,.12g}"
    if least > -math.inf:
        return f"{words} of at least {least:,.12g}"
    return words


def describe_value(found: object) -> str:
    """A value as an error message quotes it."""
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, dict):
        return "a table"
    if isinstance(found, list | tuple):
        return f"a list of {len(found)}"
    if isinstance(found, str):
        return f"the text {shorten(found)}"
    if isinstance(found, date | time):
        return f"the date or time {found}"
    return shorten(found)


def _name_of(item: Mapping[str, object]) -> str:
    name = item.get("name")
    return f" {shorten(name)}" if isinstance(name, str) else ""
