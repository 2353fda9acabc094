"""The API of the battle: its events, the checks of what is being typed, dice, story and sheets."""

import random
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Annotated, Any, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from combat.dice import OneRoll, RolledDice
from combat.guided_actions import (
    MOST_SHIPS,
    Move,
    RollDice,
    StartingConditions,
    StartingMarks,
)
from combat.guided_play import EventKind
from combat.record_sheets import RecordSheet
from combat.rulebooks import DEFAULT
from combat.story_entries import Entry
from combat.views import FireCheck, MoveCheck, PlotCheck, Standing, TargetOption
from tabletop.errors import DreyerError
from tabletop.schema import Flag, Line, Number, Whole, document, kind_of
from web.actions.battle import (
    AnswerUndo,
    AskUndo,
    BeginBattle,
    Play,
    RollKept,
    UndoOwn,
    acting_side,
    standing_poses,
    with_kept_rolls,
)
from web.actions.battle_requests import TypedRolls, checked, read_draft, read_play
from web.actions.field_types import Name
from web.api.action_routes import acted, acts
from web.api.models import Done
from web.api.route import Call, Needs, route
from web.auth.seats import Forbidden
from web.games.guided_game import BattleNow, guided_rulebook
from web.views.battle import seat_seen
from web.views.table import may_measure

_TAG: Final = "battle"
_CHANCE: Final = random.SystemRandom()
"""The app's dice; the values go into the journal, so that replaying never rolls."""


class _DescribedState:
    """Describes a ship's state by the keys that the rulebook knows."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The rulebook checks it as it is read."""
        return handler(TypeAdapter(guided_rulebook(DEFAULT).marks_type).core_schema)


StateDocument = Annotated[Mapping[str, Any], _DescribedState()]
"""What a ship begins with: the keys of a shot file's [firer.state]."""


@document
class Beginning:
    """How the battle begins; the ships are those on the table."""

    visibility: Annotated[Whole, Field(ge=1, le=8)] = 2
    night: Flag = False
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    hidden: Flag = False
    states: Annotated[Mapping[Name, StateDocument], Field(max_length=MOST_SHIPS)] = field(
        default_factory=dict
    )
    """What ships begin with, by name; the others as the table was laid, or fresh."""


_ACTIONS: Final = {
    **{kind_of(each): each for each in guided_rulebook(DEFAULT).action_types},
    EventKind.DICE: TypedRolls,
}
_SCHEMAS: Final = {kind: TypeAdapter(each).core_schema for kind, each in _ACTIONS.items()}


def _data_schema(kind: str, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """What a request says of an action: its fields without its kind."""
    found = handler.resolve_ref_schema(handler(_SCHEMAS[kind]))
    told = {name: value for name, value in found["properties"].items() if name != "kind"}
    return {**found, "properties": told}


@document
class Played:
    """One action of the battle."""

    kind: EventKind
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """One shape for each kind, so that a script's author sees what goes with which."""
        found = handler.resolve_ref_schema(handler(core_schema))
        shapes = []
        for kind, action in _ACTIONS.items():
            data = _data_schema(kind, handler)
            shapes.append(
                {
                    "title": kind,
                    "description": action.__doc__,
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["kind", "data"] if data.get("required") else ["kind"],
                    "properties": {"kind": {"const": kind}, "data": data},
                }
            )
        found.clear()
        found.update(
            {
                "title": "Played",
                "description": "One action of the battle, by its kind.",
                "oneOf": shapes,
            }
        )
        return found


@document
class Rolling:
    """Whether the app rolls the next dice only, or all that are still wanted."""

    what: Literal["next", "rest"] = "next"
    number: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = None
    """The number of the roll that is meant: refused when somebody was faster."""


@document
class PlotDraft:
    """A plot as it is being typed."""

    ship: Name
    speed: Annotated[Whole, Field(ge=0, le=99)] | None = None
    notation: Annotated[Line, Field(max_length=80)] = ""
    follows: Name | None = None
    torpedo: Name | None = None
    smoke_side: Annotated[Line, Field(max_length=10)] | None = None


@document
class OneShip:
    """A ship by the name that the caller knows her by."""

    ship: Name


@document
class FireDraft:
    """Fire orders as they are being chosen."""

    ship: Name
    orders: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """As the action that designates it."""
        found = handler.resolve_ref_schema(handler(core_schema))
        found["properties"] = _data_schema(EventKind.DESIGNATE, handler)["properties"]
        return found


@document
class StoryFrom:
    """The story from this entry on."""

    since: Annotated[Whole, Field(ge=0, le=1_000_000)] = 0


@document
class CheckedPlot:
    """A plot as typed: the path to draw, the factors used, and every fault."""

    plot: PlotCheck


@document
class Standings:
    """How the models stand to their plots."""

    standing: tuple[Standing, ...]


@document
class FireOptions:
    """Every target with what bears, what it costs, and the exact odds."""

    targets: tuple[TargetOption, ...]


@document
class Story:
    """What has happened, oldest first."""

    story: tuple[Entry, ...]


@document
class Sheet:
    """A ship's record sheet."""

    sheet: RecordSheet


def _battle(call: Call) -> BattleNow:
    battle = call.session.moment.battle
    if battle is None:
        raise DreyerError("battle.not_begun")
    return battle


@route(
    "POST",
    "/api/battle/begin",
    "Begin a battle with the ships on the table",
    operation="begin",
    needs=Needs.HOST,
    tag=_TAG,
)
def begin(call: Call, body: Beginning) -> Done:
    """From here on the rulebook's sequence of play leads."""
    conditions = StartingConditions(
        visibility=body.visibility,
        night=body.night,
        starting_range_yards=body.starting_range_yards,
    )
    ruleset = call.session.moment.state.ruleset
    marks = {name: read_state(ruleset, name, state) for name, state in body.states.items()}
    action = BeginBattle(conditions, owner_values(call, ruleset), hidden=body.hidden, marks=marks)
    return acted(call, action)


def read_state(ruleset: str, ship: str, state: Mapping[str, Any]) -> StartingMarks:
    """What a ship begins with, as a request states it."""
    return guided_rulebook(ruleset).read_marks(state, f"{ship}, state")


def owner_values(call: Call, ruleset: str) -> str:
    """The owner's table values as they are now; they hold for the whole battle."""
    return call.running.owner.written(ruleset)


@route(
    "POST",
    "/api/battle/play",
    "One action of the battle",
    operation="act",
    needs=Needs.PLAY,
    tag=_TAG,
)
def play(call: Call, body: Played) -> Done:
    """By the caller's own side; an umpire acts for anybody."""
    return acted(call, read_play(call.session.ground(call.caller), body.kind, body.data))


acts(
    "POST", "/api/battle/undo", "Take back your own last step that nobody has seen", UndoOwn,
    faults=(), tag=_TAG, operation="undo",
)  # fmt: skip
acts(
    "POST", "/api/battle/undo/ask", "Ask every other side to go back", AskUndo,
    faults=(), tag=_TAG,
)  # fmt: skip
acts(
    "POST", "/api/battle/undo/answer", "Agree to go back, or refuse", AnswerUndo,
    faults=(), tag=_TAG,
)  # fmt: skip


@route(
    "POST",
    "/api/battle/roll",
    "Let the app roll",
    operation="dice",
    needs=Needs.PLAY,
    tag=_TAG,
)
def roll(call: Call, body: Rolling) -> Done:
    """The next dice, or all that are still wanted."""
    battle = _battle(call)
    wanted = battle.rulebook.dice_wanted(battle.state)
    if wanted is None:
        raise DreyerError("battle.dice.none_wanted")
    # Two phones that press at once must not roll for the same hit twice.
    number = wanted.number if body.number is None else body.number
    if with_kept_rolls(battle.game) is not None:
        # Dice that have fallen are not rolled again because of a step back.
        return acted(call, RollKept(number))
    dice = RolledDice(_CHANCE)
    action = RollDice(first=number)
    return acted(call, Play(action, dice if body.what == "rest" else OneRoll(dice)))


@route("GET", "/api/battle/plot", "Check a plot as it is typed", needs=Needs.LOOK, tag=_TAG)
def check_plot(call: Call, query: PlotDraft) -> CheckedPlot:
    """The path to draw, the factors used, and every fault with its place."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    draft = read_draft(battle, side, EventKind.PLOT, asdict(query))
    found = checked(battle, draft, PlotCheck)
    return CheckedPlot(plot=found)


@route("GET", "/api/battle/move", "How the models stand to their plots", needs=Needs.LOOK, tag=_TAG)
def check_move(call: Call) -> Standings:
    """Which model is not where its plot puts it."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    poses = standing_poses(call.session.ground(call.caller), battle, side)
    found = checked(battle, Move(side=side, poses=poses), MoveCheck)
    return Standings(standing=found.standings)


def _must_measure(call: Call) -> None:
    """Odds tell ranges: where the house measures only what is declared, they are not given."""
    if may_measure(call.session.moment, call.caller) != "yes":
        raise Forbidden("check.pair.declared_only")


@route("GET", "/api/battle/fire", "What a ship could fire at", needs=Needs.LOOK, tag=_TAG)
def fire_options(call: Call, query: OneShip) -> FireOptions:
    """Every target with what bears, what it costs, and the exact odds."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    return FireOptions(targets=battle.fire_options(side, query.ship))


@route(
    "POST",
    "/api/battle/fire/check",
    "Check fire orders as they are chosen",
    needs=Needs.PLAY,
    tag=_TAG,
)
def check_fire(call: Call, body: FireDraft) -> FireCheck:
    """Each order with its ledger and odds, or what is wrong; nothing is kept."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    draft = read_draft(battle, side, EventKind.DESIGNATE, asdict(body))
    return checked(battle, draft, FireCheck)


@route("GET", "/api/battle/story", "What has happened", needs=Needs.LOOK, tag=_TAG)
def story(call: Call, query: StoryFrom) -> Story:
    """Every entry folds to one line."""
    battle, caller = _battle(call), call.caller
    seat = seat_seen(battle, caller)
    return Story(story=battle.story(seat)[query.since :])


@route("GET", "/api/battle/sheet", "A ship's record sheet", needs=Needs.LOOK, tag=_TAG)
def sheet(call: Call, query: OneShip) -> Sheet:
    """As it stands, where the caller may see it."""
    battle, caller = _battle(call), call.caller
    found = battle.rulebook.sheet(battle.state, query.ship, seat_seen(battle, caller))
    return Sheet(sheet=found)
