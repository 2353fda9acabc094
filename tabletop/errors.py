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
from tabletop.places import DocumentPlace, Key, PlaceLike, shorten

Where = DocumentPlace | str | ShipRef | Message
"""Where something is wrong: in a document, a file by its name, a ship, or a message of ours."""


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

    def __init__(self, source: Where, problem: Message) -> None:
        self.problem = problem
        super().__init__("errors.file.problem", source=source, problem=problem)


class BadField(DreyerError):
    """A value that is missing, of the wrong type or out of bounds."""

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
        """A known value that resembles the one found."""
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
        """The same error with the enclosing file or action put before its place."""
        place = self.place.within(place)
        return BadField(place, self.key, self.expected, self.found, self.guess)

    def under(self, name: str) -> "BadField":
        """The same error with another name for the outermost key of its place."""
        return BadField(self.place.under(name), self.key, self.expected, self.found, self.guess)

    def called(self, field: Message) -> Message:
        """The message for a request, with another name for the field."""
        return Message("errors.bad_request_field", **{**dict(self.message.params), "field": field})


class UnknownKey(BadField):
    """A key that is not allowed where it was found; the message names the most similar one."""

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
        """The same error with the enclosing file or action put before its place."""
        return UnknownKey(self.place.within(place), self.key, self.known)


class UnknownName(DreyerError):
    """A name that is not in a list of known names; the message names the most similar one.

    `kind` is a key under `errors.kind` in the string tables.
    """

    def __init__(self, place: Where, kind: str, name: str, known: Iterable[str]) -> None:
        self.place = place
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        # A word that is known elsewhere only is not proposed in place of itself.
        others = (each for each in self.known if each != name)
        self.nearest = nearest(name, others, cutoff=_LOOKS_ALIKE)
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
        """The same error with the enclosing file or action put before its place."""
        if isinstance(self.place, DocumentPlace | str):
            inner: Where = DocumentPlace.of(self.place).within(place)
        else:
            inner = Message("errors.where.within", outer=place, inner=self.place)
        return UnknownName(inner, self.kind, self.name, self.known)

    def under(self, name: str) -> "UnknownName":
        """The same error with another name for the outermost key of its place."""
        place = self.place
        inner = place.under(name) if isinstance(place, DocumentPlace) else place
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


_LOOKS_ALIKE = 0.5
_MOST_LISTED = 8


def nearest(name: str, known: Iterable[str], cutoff: float = 0.0) -> str | None:
    """The known name most similar to this one, or None if none reaches the cutoff (0 to 1)."""
    by_folded = {candidate.casefold(): str(candidate) for candidate in known}
    # Compatibility forms such as full-width letters count as the plain letters.
    folded = unicodedata.normalize("NFKC", name).casefold()
    matches = difflib.get_close_matches(folded, by_folded, n=1, cutoff=cutoff)
    return by_folded[matches[0]] if matches else None
