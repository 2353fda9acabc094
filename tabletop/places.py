"""Where in a document something stands: a file, a form or a request, and the keys that lead there.

>>> str(DocumentPlace("scene.toml").item("ship", 2, "Hood").table("state"))
"scene.toml, ship 2 'Hood', [state]"
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias


class NamedDocument(StrEnum):
    """A document that is no file of somebody's; what it is called is in the string tables."""

    REQUEST = "request"
    IMPORT = "import"
    TABLE = "table"
    OWNER_VALUES = "owner_values"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a document, or one of the values in the list under it."""

    name: str
    numbers: tuple[int, ...] = ()
    """Which value of the list, counted from 1; of a list within a list, both numbers."""
    label: str | None = None
    """The name that this value has, such as a ship's."""
    is_table: bool = False
    """Whether it is written as the head of a table, `[fire]`."""

    def __str__(self) -> str:
        name = f"[{self.name}]" if self.is_table else self.name
        numbers = ".".join(map(str, self.numbers))
        label = "" if self.label is None else shorten(self.label)
        return " ".join(filter(None, (name, numbers, label)))

    def item(self, number: int, label: str | None = None) -> "Key":
        """One of the values in the list under it; the number is counted from 1."""
        return replace(self, numbers=(*self.numbers, number), label=label)


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """A place in a document; `str` gives its text, which no code looks into."""

    source: str = ""
    """The file, or what else has the value; empty for a request."""
    path: tuple[Key, ...] = ()
    """The keys that lead to the table or object that is meant."""
    field: str = ""
    """The key in it that is meant, where it is one."""

    def __bool__(self) -> bool:
        return self != NOWHERE

    def __str__(self) -> str:
        table = ", ".join(filter(None, (self.source, *map(str, self.path))))
        return f"{table}: {self.field}" if self.field else table

    @classmethod
    def of(cls, place: "PlaceLike") -> "DocumentPlace":
        """The place; of a whole document, where only its name is given."""
        return cls(place) if isinstance(place, str) else place

    def key(self, key: Key | str) -> "DocumentPlace":
        """The value under a key of it."""
        return replace(self, path=(*self.path, Key(key) if isinstance(key, str) else key))

    def table(self, name: str) -> "DocumentPlace":
        """The table `[name]` in it."""
        return self.key(Key(name, is_table=True))

    def item(self, name: str, number: int, label: str | None = None) -> "DocumentPlace":
        """One of the tables `[[name]]` in it; the number is counted from 1."""
        return self.key(Key(name, (number,), label))

    def at(self, field: str) -> "DocumentPlace":
        """One of its fields."""
        return replace(self, field=field)

    def under(self, name: str) -> "DocumentPlace":
        """The same with another name for its outermost key."""
        first, *inner = self.path
        return replace(self, path=(replace(first, name=name), *inner))

    @property
    def inner(self) -> "DocumentPlace":
        """The same without the name of the document."""
        return replace(self, source="")

    def within(self, outer: "DocumentPlace") -> "DocumentPlace":
        """The same, seen from the place that this document stands in."""
        own = (Key(self.source),) if self.source else ()
        return DocumentPlace(outer.source, (*outer.path, *own, *self.path), self.field)

    def is_in(self, outer: "DocumentPlace") -> bool:
        """Whether it is another place or somewhere in it."""
        return self.source == outer.source and self.path[: len(outer.path)] == outer.path


PlaceLike: TypeAlias = DocumentPlace | str
"""A place, or a whole document by its name."""
NOWHERE: Final = DocumentPlace()
"""The place of a request, which has no name."""


def shorten(value: object, limit: int = 60) -> str:
    """The `repr` of a value, cut to `limit` characters."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
