"""Checked reading of TOML: every value is validated once, when it is loaded.

A `Fields` is one table of a file together with its place in it, so that every error can say
"scene.toml, ship 2 'Hood': x: expected a number, got 'twelve'". The keys a table may have are
declared when it is opened; any other key is a misspelling and the message names the nearest.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from tabletop.errors import BadField, UnknownKey, nearest, shorten
from tabletop.messages import Message
from tabletop.schema import MISSING, bounds, describe_value


class _Required:
    """Marks a value that has no default."""


REQUIRED: Final = _Required()
ANYTHING: Final = Message("schema.value")
VALUES: Final = Message("schema.values")


class Fields:
    """One TOML table being read, with its place in the file and the keys it may have."""

    def __init__(self, values: Mapping[str, object], place: str, known: Iterable[str]) -> None:
        self._values = values
        self.place = place
        known = tuple(known)
        for key in values:
            if key not in known:
                raise UnknownKey(place, key, known)

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
        expected = bounds("number", above, least, most, unit)
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
        expected = bounds("whole", least=least, most=most)
        value = self._get(key, default, expected)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(key, expected, value)
        return value

    def text(self, key: str, default: str | _Required = REQUIRED, *, most: int = 80) -> str:
        """A line of text: not empty, not too long, nothing unprintable in it."""
        expected = Message("schema.line_of", least=1, most=most)
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
            raise self.wrong(key, Message("schema.texts"), value)
        return tuple(value)

    def flag(self, key: str, default: bool | _Required = REQUIRED) -> bool:
        """Yes or no, written true or false."""
        value = self._get(key, default, Message("schema.flag"))
        if not isinstance(value, bool):
            raise self.wrong(key, Message("schema.flag"), value)
        return value

    def value(self, key: str, expected: Message = ANYTHING) -> object:
        """Whatever is there, for the caller to check."""
        return self._get(key, REQUIRED, expected)

    def values(
        self, key: str, count: int | None = None, what: Message = VALUES
    ) -> tuple[object, ...]:
        """A list, of so many values if a count is given, for the caller to check one by one."""
        expected = Message("schema.list_of", what=what)
        if count is not None:
            expected = Message("schema.list_of_count", count=count, what=what)
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
        expected = Message("schema.choice", choices=choices)
        value = self._get(key, default, expected)
        if not isinstance(value, str) or value not in choices:
            guess = nearest(value, choices) if isinstance(value, str) else None
            raise BadField(self.place, key, expected, describe_value(value), guess)
        return value

    def table(self, key: str, known: Iterable[str]) -> "Fields":
        """A sub-table `[key]`; an absent one is empty."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, Message("schema.table", key=key), value)
        return Fields(value, f"{self.place}, [{key}]", known)

    def tables(self, key: str, known: Iterable[str]) -> list["Fields"]:
        """The tables of a list `[[key]]`, each with its number (and its name, if it has one)."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, Message("schema.tables", key=key), value)
        known = tuple(known)
        return [
            Fields(item, f"{self.place}, {key} {number}{_name_of(item)}", known)
            for number, item in enumerate(value, start=1)
        ]

    def wrong(self, key: str, expected: Message, found: object) -> BadField:
        """The error for a value of this table; for checks that only the caller can make."""
        return BadField(self.place, key, expected, describe_value(found))

    def missing(self, key: str, expected: Message) -> BadField:
        """The error for a value that is not there."""
        return BadField(self.place, key, expected, MISSING)

    def _get(self, key: str, default: object, expected: Message) -> object:
        value = self._values.get(key, default)
        if value is REQUIRED:
            raise self.missing(key, expected)
        return value


def _name_of(item: Mapping[str, object]) -> str:
    name = item.get("name")
    return f" {shorten(name)}" if isinstance(name, str) else ""
