"""An umpire's corrections: single values with a reason, always logged."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from combat.guided_play import EventKind, GuidedRulebook
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


class Form(StrEnum):
    """The format of a value."""

    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"
    """Names separated by spaces."""
    PAIRS = "pairs"
    """Names and numbers in turn."""
    WORD = "word"
    POSE = "pose"
    LEVEL = "level"
    """Of visibility: a number, or X."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a ship or of the battle."""

    key: str
    form: Form
    title: Message | None = None
    """What to call it, where the page has no words of its own for it."""


OF_A_SHIP: Final = tuple(
    Value(key, form)
    for form, keys in {
        Form.POSE: ("pose",),
        Form.NUMBER: ("speed", "hull_lost", "superstructure_lost"),
        Form.PAIRS: ("turrets_lost", "jammed_guns", "ammunition"),
        Form.LIST: ("turrets_out", "secondaries_lost", "helm"),
        Form.FLAG: (
            "director_destroyed",
            "plot_destroyed",
            "radar_lost",
            "torpedoes_fired",
            "sunk",
            "withdrawn",
            "hit_last_segment",
        ),
        Form.WORD: ("evolution",),
    }.items()
    for key in keys
) + tuple(
    Value(key, Form.NUMBER)
    for key in ("movement_factors_lost", "command_modifier", "rounds_of_fire", "rounds_outside")
)
OF_THE_BATTLE: Final = (
    Value("visibility", Form.LEVEL),
    Value("night", Form.FLAG),
    Value("starting_range_yards", Form.NUMBER),
)


def of_the_battle(rulebook: GuidedRulebook[object]) -> tuple[Value, ...]:
    """What holds for the whole battle: weather, starting range, optional rules."""
    options = rulebook.optional_rules()
    return (*OF_THE_BATTLE, *(Value(each.key, Form.FLAG, each.title) for each in options))


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
    "/api/battle/correct",
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
        changed: {body.what: read_value(body, battle.rulebook)},
    }
    return call.act(Play(battle.rulebook.schemas.action.read(document)))


def read_value(body: Correction, rulebook: GuidedRulebook[object]) -> object:
    """What was written, as the rulebook reads it."""
    forms = {value.key: value.form for value in (*OF_A_SHIP, *of_the_battle(rulebook))}
    form = forms.get(body.what)
    if form is None:
        raise BadField(
            "correction",
            "what",
            Message("schema.choice", choices=tuple(forms)),
            shorten(body.what),
        )
    if form is Form.POSE:
        return {"x": body.x, "y": body.y, "heading": body.heading}
    if form is Form.LEVEL:
        level = read_visibility(body.value)
        if level is None:
            expected = Message("schema.visibility", most=WORST_LEVEL)
            raise BadField("correction", "value", expected, shorten(body.value))
        return level
    words = body.value.replace(",", " ").split()
    if form is Form.LIST:
        return words
    if form is Form.PAIRS:
        if not words or len(words) % 2:
            raise BadField("correction", "value", Message("battle.expected.pairs"), body.value)
        return dict(zip(words[::2], map(_number, words[1::2]), strict=True))
    if form is Form.FLAG:
        if body.value not in ("yes", "no"):
            raise BadField(
                "correction", "value", Message("battle.expected.yes_or_no"), shorten(body.value)
            )
        return body.value == "yes"
    return body.value.strip() if form is Form.WORD else _number(body.value)


def _number(written: str) -> float | int:
    number = typed_number(written)
    if number is None:
        raise BadField("correction", "value", Message("schema.number"), shorten(written))
    return number
