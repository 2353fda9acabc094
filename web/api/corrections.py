"""An umpire's corrections: single values with a reason, always logged."""

from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import Field

from combat.corrections import CorrectableValue, ValueForm
from combat.guided_play import EventKind
from combat.weather import WORST_LEVEL, read_visibility
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.places import shorten
from tabletop.schema import Line, Number, document
from tabletop.typed_numbers import typed_number
from web.actions.battle import Play, under_way
from web.api.models import Done
from web.api.route import Call, Needs, Routes

routes: Final = Routes()
CORRECT_ROUTE: Final = "/api/battle/correct"


@document
class Correction:
    """One corrected value; without a ship it is one of the battle's conditions."""

    what: Annotated[Line, Field(min_length=1, max_length=40)]
    reason: Annotated[Line, Field(min_length=1, max_length=200)]
    ship: Annotated[Line, Field(max_length=40)] | None = None
    value: Annotated[Line, Field(max_length=120)] = ""
    x: Number | None = None
    y: Number | None = None
    heading: Number | None = None


@routes.route(
    "POST",
    CORRECT_ROUTE,
    "Set a value right, as the umpire",
    needs=Needs.PLAY,
    tag="battle",
)
def correct(call: Call, body: Correction) -> Done:
    """Checked by the rulebook, and logged with its reason."""
    battle = under_way(call.session.action_context(call.caller))
    changed = "conditions" if body.ship is None else "values"
    document = {
        "kind": EventKind.CORRECT,
        "ship": body.ship,
        "reason": body.reason,
        changed: {body.what: read_value(body, battle.correctable(body.ship))},
    }
    return call.act(Play(battle.rulebook.schemas.action.read(document)))


def read_value(body: Correction, values: Iterable[CorrectableValue]) -> object:
    """What was written, as the rulebook reads it."""
    forms = {value.key: value.form for value in values}
    form = forms.get(body.what)
    if form is None:
        raise BadField(
            "correction",
            "what",
            Message("schema.choice", choices=tuple(forms)),
            shorten(body.what),
        )
    written = body.value.strip()
    match form:
        case ValueForm.POSE:
            return {"x": body.x, "y": body.y, "heading": body.heading}
        case ValueForm.LEVEL:
            level = read_visibility(written)
            if level is None:
                expected = Message("schema.visibility", most=WORST_LEVEL)
                raise BadField("correction", "value", expected, shorten(written))
            return level
        case ValueForm.LIST:
            return _names(written)
        case ValueForm.PAIRS:
            return _pairs(written)
        case ValueForm.FLAG:
            if written not in ("yes", "no"):
                expected = Message("battle.expected.yes_or_no")
                raise BadField("correction", "value", expected, shorten(written))
            return written == "yes"
        case ValueForm.CHOICE:
            return written
        case ValueForm.NUMBER | ValueForm.WHOLE:
            return _number(written)


def _names(written: str) -> list[str]:
    """Names with commas or blanks between."""
    parts = written.split(",") if "," in written else written.split()
    return [part.strip() for part in parts]


def _pairs(written: str) -> dict[str, float | int]:
    """Names with numbers: "A: 1.5, B: 0", or "A 1.5 B 0" where no name has a blank."""
    if ":" in written or "," in written:
        parts = [part.replace(":", " ").rsplit(maxsplit=1) for part in written.split(",")]
    else:
        words = written.split()
        parts = [words[at : at + 2] for at in range(0, len(words), 2)]
    if not parts or any(len(part) != 2 for part in parts):
        raise BadField("correction", "value", Message("battle.expected.pairs"), shorten(written))
    return {name.strip(): _number(number) for name, number in parts}


def _number(written: str) -> float | int:
    number = typed_number(written)
    if number is None:
        raise BadField("correction", "value", Message("schema.number"), shorten(written))
    return number
