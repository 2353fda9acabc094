"""The exception tree of the whole program, at a glance.

    DreyerError           anything the user can put right; its text is one clear line
    ├── UnreadableFile    a file that cannot be opened, is not UTF-8 or is not TOML
    ├── BadField          a value that is missing, misspelt, of the wrong kind or out of bounds
    │   └── UnknownKey    a key that does not belong where it stands
    ├── UnknownName       a name that is not in the list it should come from
    └── BadPlot           a movement plot that cannot be read or that the rules forbid

Every message quotes what was found and names what was expected, so that showing it is enough.
"""

import difflib
import unicodedata
from collections.abc import Iterable


class DreyerError(ValueError):
    """Anything the user can put right; the text is one clear line that names the remedy."""

    def __init__(self, words: str = "", *, remedy: str = "") -> None:
        super().__init__(f"{words}; {remedy}" if remedy else words)
        self.words = words
        """What is wrong."""
        self.remedy = remedy
        """What to do about it, where that is told apart; the text has both."""


class UnreadableFile(DreyerError):
    """A file that cannot be opened, is not UTF-8 or is not TOML."""


class BadField(DreyerError):
    """A value that is missing, misspelt, of the wrong kind or out of bounds."""

    def __init__(
        self, place: str, field: str, expected: str, found: str, guess: str | None = None
    ) -> None:
        self.place = place
        self.field = field
        """Its key; empty where the whole document is meant."""
        self.expected = expected
        self.found = found
        self.guess = guess
        """What was perhaps meant."""
        super().__init__(self._told())

    def within(self, place: str) -> "BadField":
        """The same error, seen from the file or the action that the value stands in."""
        return BadField(
            _inner(place, self.place), self.field, self.expected, self.found, self.guess
        )

    def _told(self) -> str:
        where = ": ".join(part for part in (self.place, self.field) if part)
        guess = f"; did you mean {self.guess!r}?" if self.guess else ""
        said = f"expected {self.expected}, got {self.found}{guess}"
        return f"{where}: {said}" if where else said


class UnknownKey(BadField):
    """A key that does not belong where it stands; the message names the nearest that does."""

    def __init__(self, place: str, key: str, known: Iterable[str]) -> None:
        self.known = tuple(known)
        super().__init__(place, key, "a known key", "an unknown one", nearest(key, self.known))

    def within(self, place: str) -> "UnknownKey":
        """The same error, seen from the file or the action that the key stands in."""
        return UnknownKey(_inner(place, self.place), self.field, self.known)

    def _told(self) -> str:
        remedy = f"; the nearest known key is {self.guess!r}" if self.guess else "; leave it out"
        said = f"unknown key {shorten(self.field)}{remedy}"
        return f"{self.place}: {said}" if self.place else said


class UnknownName(DreyerError):
    """A name that is not in the list it should come from; the message offers the nearest."""

    def __init__(self, place: str, kind: str, name: str, known: Iterable[str]) -> None:
        self.place = place
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        self.nearest = nearest(name, self.known, cutoff=_LOOKS_ALIKE)
        if self.nearest:
            remedy = f"; did you mean {self.nearest!r}?"
        else:
            listed = ", ".join(self.known[:_MOST_LISTED])
            more = ", …" if len(self.known) > _MOST_LISTED else ""
            remedy = f"; known are {listed}{more}" if listed else ""
        super().__init__(f"{place}: unknown {kind} {shorten(name)}{remedy}")

    def within(self, place: str) -> "UnknownName":
        """The same error, seen from the file or the action that the name stands in."""
        return UnknownName(_inner(place, self.place), self.kind, self.name, self.known)


class BadPlot(DreyerError):
    """A plot that cannot be read or that the rules forbid, with the character at fault."""

    def __init__(self, plot: str, position: int, reason: str) -> None:
        self.plot = plot
        self.position = position
        self.reason = reason
        super().__init__(f"plot {shorten(plot)}, character {position + 1}: {reason}")

    @property
    def pointer(self) -> str:
        """The plot on one line and a caret under the character at fault on the next."""
        return f"{self.plot}\n{' ' * self.position}^"


def _inner(place: str, inner: str) -> str:
    return f"{place}, {inner}" if inner else place


_LOOKS_ALIKE = 0.5
_MOST_LISTED = 8


def nearest(name: str, known: Iterable[str], cutoff: float = 0.0) -> str | None:
    """The known name that looks most like this one, or None when none is like enough."""
    by_folded = {candidate.casefold(): str(candidate) for candidate in known}
    # Letters in another type or width look like themselves.
    folded = unicodedata.normalize("NFKC", name).casefold()
    matches = difflib.get_close_matches(folded, by_folded, n=1, cutoff=cutoff)
    return by_folded[matches[0]] if matches else None


def shorten(value: object, limit: int = 60) -> str:
    """What the user wrote, quoted on one line and cut where it would drown the message."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
