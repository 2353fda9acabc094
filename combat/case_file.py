"""A rulebook's worked examples as data: named shots, and cases that check the engine with them.

    [shot.first]                  laid out as a shot file
    [[case]]
    rule, source, what            the origin of the figure, and what it is
    kind, given                   the function of the case, and its arguments
    expected, book_conflict       the book's figure, and any contradiction in the book

A kind of case is a function that takes `given` as keyword arguments and returns the figure. A fire
that the rules forbid has the figure "refused: RULE".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from combat.previews import Forbidden
from combat.verification import Case, CaseSource, Figure
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import (
    Expected,
    Line,
    Schema,
    Text,
    file_document,
    one_of,
    parameters_of,
    present_values,
)

_Words = Annotated[Line, Field(min_length=1, max_length=300)]
Kind = Callable[..., Figure]
"""The function of a kind of case."""


def as_figure(value: object) -> Figure:
    """A value as a book prints it: flags as "yes" and "no", other values as text."""
    if isinstance(value, list | tuple):
        return [as_figure(each) for each in value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float | Message) else str(value)


def _written_figure(value: object) -> Figure:
    if isinstance(value, list):
        return [_written_figure(each) for each in value]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError  # noqa: TRY004 - a fault of the file
    return value


@file_document
class CaseTable:
    """A case in a file."""

    rule: Text
    source: CaseSource
    what: _Words
    kind: str
    given: dict[str, object] = field(default_factory=dict)
    expected: Annotated[
        Any, AfterValidator(_written_figure), Expected(Message("combat.case.figure"))
    ]
    book_conflict: _Words | None = None

    def replayed(self, ruleset: str, got: Figure) -> Case:
        """The case with the engine's figure."""
        return Case(
            ruleset=ruleset,
            rule=self.rule,
            source=self.source,
            what=self.what,
            expected=self.expected,
            got=got,
            book_conflict=self.book_conflict,
        )


class Kinds:
    """The kinds of cases by name, with the schemas of their arguments."""

    def __init__(self, functions: Mapping[str, Kind], engine: Iterable[str] = ()) -> None:
        """`engine` names parameters of the functions that are not keys of a case."""
        self._functions = functions
        self._schemas: dict[str, Schema[object]] = {
            name: Schema(parameters_of(function, engine)) for name, function in functions.items()
        }

    def question(self, case: CaseTable, place: DocumentPlace) -> Kind:
        """The function of a case with its arguments bound, except those of the engine."""
        kind = one_of(case.kind, self._functions, place, "kind")
        given = self._schemas[kind].read_table(case.given, place.table("given"))
        return partial(self._functions[kind], **present_values(given))


@file_document
class CaseFile:
    """A file of cases."""

    shot: dict[str, dict[str, object]] = field(default_factory=dict)
    """Shots by name, each laid out as a shot file."""
    case: tuple[CaseTable, ...] = ()

    def placed(self, source: str) -> Iterator[tuple[DocumentPlace, CaseTable]]:
        """Each case with its place in the file, for messages."""
        for number, case in enumerate(self.case, start=1):
            yield DocumentPlace(source).item("case", number), case


CASE_FILE: Final[Schema[CaseFile]] = Schema(CaseFile)


def replay_cases(
    ruleset: str, file: CaseFile, source: str, kinds: Mapping[str, Kind]
) -> Iterator[Case]:
    """Every case of a file with the engine's figure."""
    known = Kinds(kinds)
    for place, case in file.placed(source):
        try:
            got = known.question(case, place)()
        except Forbidden as refusal:
            got = f"refused: {refusal.rule}"
        yield case.replayed(ruleset, got)


def shown(document: object, path: str) -> Figure:
    """The figure at a dotted path of keys in a report's document."""
    for key in path.split("."):
        document = document[key] if isinstance(document, Mapping) else None
    return as_figure(document)
