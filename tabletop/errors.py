"""The exceptions of the program.

    DreyerError           an error that the user can correct; its message is a code with parameters
    ├── UnreadableFile    a file that cannot be opened or parsed
    │   └── FileProblem   the same, with the problem separate from the file's name
    ├── BadField          a value that is missing, of the wrong type or out of bounds
    │   └── UnknownKey    a key that is not allowed where it was found
    ├── UnknownName       a name that is not in a list of known names
    └── BadPlot           a movement plot that cannot be parsed or that the rules forbid

Every message quotes what was found and says what was expected. `web.strings.words` renders it for
players; `str` is for developers.
"""

import difflib
import unicodedata
from collections.abc import Iterable

from tabletop.messages import Message, ShipRef, Value

Place = str | ShipRef | Message
"""Where the error is: a file, a ship, or a message."""


class DreyerError(ValueError):
    """An error that the user can correct; the words of its message say how."""

    def __init__(self, code: str, /, **params: Value) -> None:
        self.message = Message(code, **params)
        super().__init__(self.message)

    def __str__(self) -> str:
        return str(self.message)


class UnreadableFile(DreyerError):
    """A file that cannot be opened or parsed."""


class FileProblem(UnreadableFile):
    """A file, and separately what is wrong with it."""

    def __init__(self, source: Place, problem: Message) -> None:
        self.problem = problem
        super().__init__("errors.file.problem", source=source, problem=problem)


class BadField(DreyerError):
    """A value that is missing, of the wrong type or out of bounds."""

    def __init__(
        self,
        place: str,
        field: str,
        expected: Message,
        found: str | Message,
        guess: str | None = None,
    ) -> None:
        self.place = place
        """The file and the table in it; empty for a request."""
        self.field = field
        """The key; empty if the whole document is wrong."""
        self.expected = expected
        self.found = found
        self.guess = guess
        """A known value that resembles the one found."""
        self._set_message()

    def _set_message(self) -> None:
        params: dict[str, Value] = {"expected": self.expected, "found": self.found}
        if self.place and self.field:
            params |= {"place": self.place, "field": self.field}
            if self.guess is None:
                super().__init__("errors.bad_field", **params)
            else:
                super().__init__("errors.bad_field_like", nearest=self.guess, **params)
            return
        if self.guess is not None:
            params["found"] = Message("errors.perhaps", found=self.found, nearest=self.guess)
        if self.field:
            super().__init__("errors.bad_request_field", field=self.field, **params)
        elif self.place:
            super().__init__("errors.bad_document", place=self.place, **params)
        else:
            super().__init__("errors.bad_value", **params)

    def within(self, place: str) -> "BadField":
        """The same error with the enclosing file or action put before its place."""
        place = _inner(place, self.place)
        return BadField(place, self.field, self.expected, self.found, self.guess)

    def called(self, field: str) -> Message:
        """The message for a request, with another name for the field."""
        return Message("errors.bad_request_field", **{**dict(self.message.params), "field": field})


class UnknownKey(BadField):
    """A key that is not allowed where it was found; the message names the most similar one."""

    def __init__(self, place: str, key: str, known: Iterable[str]) -> None:
        self.known = tuple(known)
        expected = Message("errors.a_known_key")
        super().__init__(place, key, expected, shorten(key), nearest(key, self.known))

    def _set_message(self) -> None:
        params: dict[str, Value] = {"place": self.place} if self.place else {}
        params |= {"nearest": self.guess} if self.guess else {}
        code = "errors.unknown_key" if self.place else "errors.unknown_request_key"
        code += "" if self.guess else "_alone"
        DreyerError.__init__(self, code, key=shorten(self.field), **params)

    def within(self, place: str) -> "UnknownKey":
        """The same error with the enclosing file or action put before its place."""
        return UnknownKey(_inner(place, self.place), self.field, self.known)


class UnknownName(DreyerError):
    """A name that is not in a list of known names; the message names the most similar one.

    `kind` is a key under `errors.kind` in the string tables.
    """

    def __init__(self, place: Place, kind: str, name: str, known: Iterable[str]) -> None:
        self.place = place
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        self.nearest = nearest(name, self.known, cutoff=_LOOKS_ALIKE)
        if self.nearest:
            code = "errors.unknown_name.like"
            remedy: dict[str, Value] = {"nearest": self.nearest}
        elif self.known:
            more = ("…",) if len(self.known) > _MOST_LISTED else ()
            code = "errors.unknown_name.listed"
            remedy = {"known": (*self.known[:_MOST_LISTED], *more)}
        else:
            code, remedy = "errors.unknown_name.none", {}
        super().__init__(
            code,
            place=place,
            kind=Message(f"errors.kind.{kind}"),
            name=shorten(name),
            **remedy,
        )

    def within(self, place: Place) -> "UnknownName":
        """The same error with the enclosing file or action put before its place."""
        inner = Message("errors.where.within", outer=place, inner=self.place)
        return UnknownName(inner, self.kind, self.name, self.known)


class BadPlot(DreyerError):
    """A plot that cannot be parsed or that the rules forbid, and the index of the character."""

    def __init__(self, plot: str, position: int, reason: Message, rule: str = "") -> None:
        self.plot = plot
        self.position = position
        self.reason = reason
        self.rule = rule
        super().__init__(
            "errors.bad_plot", plot=shorten(plot), character=position + 1, reason=self.reason
        )


def _inner(place: str, inner: str) -> str:
    return f"{place}, {inner}" if inner else place


_LOOKS_ALIKE = 0.5
_MOST_LISTED = 8


def nearest(name: str, known: Iterable[str], cutoff: float = 0.0) -> str | None:
    """The known name most similar to this one, or None if none reaches the cutoff (0 to 1)."""
    by_folded = {candidate.casefold(): str(candidate) for candidate in known}
    # Compatibility forms such as full-width letters count as the plain letters.
    folded = unicodedata.normalize("NFKC", name).casefold()
    matches = difflib.get_close_matches(folded, by_folded, n=1, cutoff=cutoff)
    return by_folded[matches[0]] if matches else None


def shorten(value: object, limit: int = 60) -> str:
    """The `repr` of a value, cut to `limit` characters."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
