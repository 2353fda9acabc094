"""A rulebook's worked examples as data: shots by name, and cases that ask the engine about them.

    [shot.first]                  laid out as a shot file
    [[case]]
    rule, source, what            where the figure stands, and what it is
    kind, given                   what the engine is asked, and with what
    expected, book_conflict       the book's figure, and where the book contradicts itself

A ruleset's engine is an object whose public methods are the kinds of cases; each takes the fields
of `given` and gives the figure. A fire that the rules forbid is the figure "refused: RULE".
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from combat.previews import Forbidden
from combat.verification import Case, CaseSource, Figure
from tabletop.documents import parse_toml
from tabletop.fields import Fields
from tabletop.messages import Message

_CASE_KEYS = ("rule", "source", "what", "kind", "given", "expected", "book_conflict")
_LONGEST_WORDS = 300
_SHOT_TABLES = ("firer", "target", "fire", "conditions")
Shot = TypeVar("Shot")
Kind = tuple[Callable[[Fields], Figure], tuple[str, ...]]
"""How a kind of case is answered, and the keys that it is given."""


def shots_in(data: bytes, source: str, read: Callable[[Fields], Shot]) -> dict[str, Shot]:
    """The shots of a file by their names."""
    document = parse_toml(data, source)
    written = document.get("shot", {})
    names = tuple(written) if isinstance(written, dict) else ()
    shots = Fields(document, source, ("shot", "case")).table("shot", names)
    return {name: read(shots.table(name, _SHOT_TABLES)) for name in names}


def replay_cases(
    ruleset: str, data: bytes, source: str, kinds: Mapping[str, Kind]
) -> Iterator[Case]:
    """Every case of a file, asked."""
    for case in Fields(parse_toml(data, source), source, ("shot", "case")).tables(
        "case", _CASE_KEYS
    ):
        answer, keys = kinds[case.choice("kind", kinds)]
        try:
            got = answer(case.table("given", keys))
        except Forbidden as refusal:
            got = f"refused: {refusal.rule}"
        conflict = "book_conflict" in case
        yield Case(
            ruleset=ruleset,
            rule=case.text("rule"),
            source=CaseSource(case.choice("source", list(CaseSource))),
            what=case.text("what", most=_LONGEST_WORDS),
            expected=as_figure(case.value("expected", Message("combat.expected.figure"))),
            got=got,
            book_conflict=case.text("book_conflict", most=_LONGEST_WORDS) if conflict else None,
        )


def as_figure(value: object) -> Figure:
    """A value as a book would print it: yes and no for flags, words for the rest."""
    if isinstance(value, list | tuple):
        return [as_figure(each) for each in value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float | Message) else str(value)


def shown(document: object, path: str) -> Figure:
    """What a report's document says under a dotted path of keys."""
    for key in path.split("."):
        document = document[key] if isinstance(document, Mapping) else None
    return as_figure(document)
