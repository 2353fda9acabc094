"""The exception tree of the whole program, at a glance.

    DreyerError           anything the user can put right; its message is a code with parameters
    ├── UnreadableFile    a file that cannot be opened, is not UTF-8 or is not TOML
    │   └── FileProblem   the same, with the problem apart from the file's name
    ├── BadField          a value that is missing, misspelt, of the wrong kind or out of bounds
    │   └── UnknownKey    a key that does not belong where it stands
    ├── UnknownName       a name that is not in the list it should come from
    └── BadPlot           a movement plot that cannot be read or that the rules forbid

Every message quotes what was found and names what was expected, so that showing it is enough.
`web.strings.words` turns it into words; `str` is for developers.
"""

import difflib
import unicodedata
from collections.abc import Iterable

from tabletop.messages import Message, ShipRef, Value
from tabletop.places import DocumentPlace, Key, PlaceLike, shorten

Where = DocumentPlace | str | ShipRef | Message
"""Where something is wrong: in a document, a file by its name, a ship, or a message of ours."""


class DreyerError(ValueError):
    """Anything the user can put right; the words of its message name the remedy."""

    def __init__(self, code: str, /, **params: Value) -> None:
        self.message = Message(code, **params)
        super().__init__(self.message)

    def __str__(self) -> str:
        return str(self.message)


class UnreadableFile(DreyerError):
    """A file that cannot be opened, is not UTF-8 or is not TOML."""


class FileProblem(UnreadableFile):
    """A file, named by its source, and what is wrong with it."""

    def __init__(self, source: Where, problem: Message) -> None:
        self.problem = problem
        super().__init__("errors.file.problem", source=source, problem=problem)


class BadField(DreyerError):
    """A value that is missing, misspelt, of the wrong kind or out of bounds."""

    def __init__(
        self,
        place: PlaceLike,
        key: Key | str,
        expected: Message,
        found: str | Message,
        guess: str | None = None,
    ) -> None:
        self.place = DocumentPlace.of(place)
        """The table or object that has the field; a text is the name of the whole document."""
        self.key = Key(key) if isinstance(key, str) else key
        """The field; without a name where the whole document is meant."""
        self.expected = expected
        self.found = found
        self.guess = guess
        """What was perhaps meant."""
        self._say()

    @property
    def field(self) -> str:
        """The field as text: its key, and which value under it."""
        return str(self.key)

    def _say(self) -> None:
        told: dict[str, Value] = {"expected": self.expected, "found": self.found}
        if self.place and self.field:
            told |= {"place": self.place, "field": self.field}
            if self.guess is None:
                super().__init__("errors.bad_field", **told)
            else:
                super().__init__("errors.bad_field_like", nearest=self.guess, **told)
            return
        if self.guess is not None:
            told["found"] = Message("errors.perhaps", found=self.found, nearest=self.guess)
        if self.field:
            super().__init__("errors.bad_request_field", field=self.field, **told)
        elif self.place:
            super().__init__("errors.bad_document", place=self.place, **told)
        else:
            super().__init__("errors.bad_value", **told)

    def within(self, place: DocumentPlace) -> "BadField":
        """The same error, seen from the file or the action that the value stands in."""
        place = self.place.within(place)
        return BadField(place, self.key, self.expected, self.found, self.guess)

    def called(self, field: Message) -> Message:
        """What it says of a request, with another name for the field."""
        return Message("errors.bad_request_field", **{**dict(self.message.params), "field": field})


class UnknownKey(BadField):
    """A key that does not belong where it stands; the message names the nearest that does."""

    def __init__(self, place: PlaceLike, key: Key | str, known: Iterable[str]) -> None:
        self.known = tuple(known)
        name = str(key)
        expected = Message("errors.a_known_key")
        super().__init__(place, key, expected, shorten(name), nearest(name, self.known))

    def _say(self) -> None:
        told: dict[str, Value] = {"place": self.place} if self.place else {}
        told |= {"nearest": self.guess} if self.guess else {}
        code = "errors.unknown_key" if self.place else "errors.unknown_request_key"
        code += "" if self.guess else "_alone"
        DreyerError.__init__(self, code, key=shorten(self.field), **told)

    def within(self, place: DocumentPlace) -> "UnknownKey":
        """The same error, seen from the file or the action that the key stands in."""
        return UnknownKey(self.place.within(place), self.key, self.known)


class UnknownName(DreyerError):
    """A name that is not in the list it should come from; the message offers the nearest.

    The kind of name is a key of the words in `errors.kind`.
    """

    def __init__(self, place: Where, kind: str, name: str, known: Iterable[str]) -> None:
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

    def within(self, place: DocumentPlace) -> "UnknownName":
        """The same error, seen from the file or the action that the name stands in."""
        if isinstance(self.place, DocumentPlace | str):
            inner: Where = DocumentPlace.of(self.place).within(place)
        else:
            inner = Message("errors.where.within", outer=place, inner=self.place)
        return UnknownName(inner, self.kind, self.name, self.known)


class BadPlot(DreyerError):
    """A plot that cannot be read or that the rules forbid, with the character at fault."""

    def __init__(self, plot: str, position: int, reason: Message, rule: str = "") -> None:
        self.plot = plot
        self.position = position
        self.reason = reason
        self.rule = rule
        super().__init__(
            "errors.bad_plot", plot=shorten(plot), character=position + 1, reason=self.reason
        )


_LOOKS_ALIKE = 0.5
_MOST_LISTED = 8


def nearest(name: str, known: Iterable[str], cutoff: float = 0.0) -> str | None:
    """The known name that looks most like this one, or None when none is like enough."""
    by_folded = {candidate.casefold(): str(candidate) for candidate in known}
    # Letters in another type or width look like themselves.
    folded = unicodedata.normalize("NFKC", name).casefold()
    matches = difflib.get_close_matches(folded, by_folded, n=1, cutoff=cutoff)
    return by_folded[matches[0]] if matches else None
