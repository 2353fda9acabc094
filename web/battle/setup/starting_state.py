"""The state in which a ship begins a battle, as a form of the set-up page asks for it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from combat.guided_actions import StartingMarks
from combat.guided_play import GuidedRulebook
from combat.questions import Question
from tabletop.documents import parse_json_text
from tabletop.errors import BadField, UnreadableFile
from tabletop.messages import Message
from tabletop.places import shorten
from tabletop.schema import Takes
from tabletop.typed_numbers import typed_number

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

FIELD: Final = "f."
"""How the fields of the form are named in the address, before the key of a state."""
_NAMED: Final = (Takes.COUNTS, Takes.AMOUNTS)


@dataclass(frozen=True, slots=True)
class StateField:
    """One question of the form, with what is so now."""

    question: Question
    value: object
    """Of a list of names the names, of numbers by name the numbers; None where nothing is said."""

    @property
    def name(self) -> str:
        """Its name in the form."""
        return FIELD + self.question.key

    @property
    def kind(self) -> str:
        """How it is asked: flag, number, names or numbers by name."""
        takes = self.question.takes
        if takes is Takes.FLAG:
            return "flag"
        if takes in _NAMED:
            return "counts"
        return "names" if takes is Takes.TEXTS else "number"


def fields_for(
    rulebook: GuidedRulebook[object], type_: str, marks: StartingMarks | None
) -> tuple[StateField, ...]:
    """The form for a ship of a type with these marks."""
    document = {} if marks is None else rulebook.schemas.marks.write(marks)
    return tuple(
        StateField(question, document.get(question.key))
        for question in rulebook.starting_questions(type_)
    )


def read_fields(
    rulebook: GuidedRulebook[object],
    type_: str,
    marks: StartingMarks | None,
    args: "MultiDict[str, str]",
) -> StartingMarks:
    """What the form says, over what it does not ask for."""
    document = {} if marks is None else dict(rulebook.schemas.marks.write(marks))
    for question in rulebook.starting_questions(type_):
        value = _read(question, args)
        document.pop(question.key, None)
        if value:
            document[question.key] = value
    found = rulebook.schemas.marks.read(document, "state")
    rulebook.condition(type_, found)
    return found


def _read(question: Question, args: "MultiDict[str, str]") -> object:
    name = FIELD + question.key
    if question.takes is Takes.FLAG:
        return name in args
    if question.takes is Takes.TEXTS:
        return args.getlist(name)
    if question.takes in _NAMED:
        typed = {key: args.get(f"{name}.{key}", "").strip() for key, _ in question.choices}
        return {key: _number(question, text) for key, text in typed.items() if text}
    text = args.get(name, "").strip()
    return _number(question, text) if text else 0


def _number(question: Question, text: str) -> float | int:
    number = typed_number(text)
    if number is None:
        raise BadField("state", question.key, question.expected, shorten(text))
    return number


def written(rulebook: GuidedRulebook[object], marks: StartingMarks) -> str:
    """A state for the address."""
    return json.dumps(rulebook.schemas.marks.write(marks), separators=(",", ":"))


def from_address(rulebook: GuidedRulebook[object], text: str, ship: str) -> StartingMarks:
    """The state that an address has for a ship."""
    try:
        found = parse_json_text(text, ship)
    except UnreadableFile:
        found = None
    if not isinstance(found, Mapping):
        raise BadField(ship, "state", Message("battles.expected.state"), shorten(text))
    return rulebook.schemas.marks.read(found, f"{ship}, state")
