"""The API of the battle: its actions, checks of drafts, dice, story and sheets."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Final, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from combat.dice import RolledDice, SingleRollDice, TypedDice
from combat.guided_actions import (
    MOST_SHIPS,
    BattleOptions,
    DivisionName,
    Move,
    RollDice,
    StartingConditions,
    StartingMarks,
)
from combat.guided_play import PlottedRulebook
from combat.participants import SPECTATOR
from combat.record_sheets import RecordSheet
from combat.rulebooks import DEFAULT
from combat.shot_file import found_in
from combat.story_entries import Entry
from combat.views import (
    DivisionPlacingCheck,
    FireCheck,
    LoggedPlot,
    MoveCheck,
    PlacementView,
    PlotCheck,
    PlotView,
    ReachedPlace,
    ShipMoveCheck,
    TargetOption,
)
from combat.weather import StatedVisibility
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import Flag, Line, Number, Whole, document
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
from web.api.battle_requests import (
    CorrectRequest,
    FireDraft,
    PlayRequest,
    RateDraft,
    TypedRolls,
)
from web.api.corrections import CORRECT_ROUTE
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.auth.seats import Forbidden
from web.faults import Fault
from web.games.guided_game import GuidedGame, guided_rulebook
from web.journal.fields import Name, SideKey
from web.views.battle import seat_seen, unmeasured, without_ranges
from web.views.happenings import Happening, happenings
from web.views.roll_outlook import with_second_die
from web.views.table import Measure, may_measure
from web.views.turn import is_waited_for

routes: Final = Routes()

_TAG: Final = "battle"


class _DescribedState:
    """Describes a ship's state by the rulebook's keys."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The rulebook checks it when it is read."""
        return handler(guided_rulebook(DEFAULT).schemas.marks.adapter.core_schema)


StateDocument = Annotated[Mapping[str, object], _DescribedState()]
"""A ship's state at the start: the keys of a shot file's [firer.state]."""


class _DescribedOptions:
    """Describes optional rules by the keys that the rulebook knows."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The rulebook checks them as they are read."""
        return handler(guided_rulebook(DEFAULT).schemas.options.adapter.core_schema)


OptionsDocument = Annotated[Mapping[str, object], _DescribedOptions()]
"""The optional rules of a battle: the keys of a scenario file's [options]; false if left out."""


@document
class BattleStart:
    """The start of a battle; the ships are those on the table."""

    visibility: StatedVisibility = 2
    night: Flag = False
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    options: OptionsDocument | None = None
    """As the table was laid, or the rulebook's usual game, if left out."""
    hidden: Flag = False
    states: Annotated[Mapping[Name, StateDocument], Field(max_length=MOST_SHIPS)] = field(
        default_factory=dict
    )
    """What ships begin with, by name; the others as the table was laid, or fresh."""


@document
class RollRequest:
    """Whether the server rolls only the next dice, the rest of a fire, or all that are yours."""

    what: Literal["next", "fire", "rest"] = "next"
    roll: Annotated[Line, Field(max_length=40)] | None = None
    """The roll that it begins with, as in `all_wanted`; refused if it is no longer open."""


@document
class ReachAnswer:
    """Places where a ship may be; plots with more changes of helm are left out."""

    places: tuple[ReachedPlace, ...]


@document
class PlotDraft:
    """A plot being typed; its notation is that of the action `plot`."""

    ship: Name
    speed: Annotated[Whole, Field(ge=0, le=99)] | None = None
    notation: Annotated[Line, Field(max_length=80)] = ""
    follows: Name | None = None
    torpedo: Name | None = None
    smoke_side: Annotated[Line, Field(max_length=10)] | None = None


@document
class ShipRequest:
    """A ship by the name that the caller knows."""

    ship: Name


@document
class DivisionRequest:
    """A division by its name."""

    division: DivisionName


@document
class NudgeRequest:
    """A side to remind."""

    side: SideKey


@document
class HappeningsQuery:
    """What is shown of the actions after this one."""

    after: Annotated[Whole, Field(ge=0, le=1_000_000_000)] = 0


@document
class StoryQuery:
    """The story from this entry on."""

    since: Annotated[Whole, Field(ge=0, le=1_000_000)] = 0


@document
class PlotAnswer:
    """A plot as typed: its path, the factors used, and every fault."""

    plot: PlotCheck


@document
class HappeningsAnswer:
    """What is shown, in order."""

    happenings: tuple[Happening, ...]


@document
class PlacementsAnswer:
    """The models' positions compared with their plots."""

    standing: tuple[PlacementView, ...]


@document
class ReadMove:
    """A ship's move as it is read from her model."""

    move: ShipMoveCheck


@document
class ReadPlacing:
    """A division as its models stand."""

    placing: DivisionPlacingCheck


@document
class FireOptions:
    """Every target with the guns that bear, the ammunition, and the exact odds."""

    targets: tuple[TargetOption, ...]


@document
class StoryAnswer:
    """The story, oldest entry first."""

    story: tuple[Entry, ...]


@document
class MovementLog:
    """The movement plots that the caller may read, ship by ship."""

    plots: tuple[LoggedPlot, ...]


@document
class SheetAnswer:
    """A ship's record sheet."""

    sheet: RecordSheet


def _battle(call: Call) -> GuidedGame:
    battle = call.session.moment.battle
    if battle is None:
        raise DreyerError("battle.not_begun")
    return battle


@routes.route(
    "POST",
    "/api/battle/begin",
    "Begin a battle with the ships on the table",
    operation="begin",
    needs=Needs.HOST,
    tag=_TAG,
)
def begin(call: Call, body: BattleStart) -> Done:
    """Begin the rulebook's sequence of play."""
    conditions = StartingConditions(
        visibility=body.visibility,
        night=body.night,
        starting_range_yards=body.starting_range_yards,
    )
    ruleset = call.session.moment.state.ruleset
    marks = {
        name: guided_rulebook(ruleset).schemas.marks.read(state, _state_of(name))
        for name, state in body.states.items()
    }
    values = call.server_context.owner_values(ruleset)
    options = read_options(ruleset, body.options)
    return call.act(BeginBattle(conditions, values, options, hidden=body.hidden, marks=marks))


def read_options(ruleset: str, options: Mapping[str, object] | None) -> BattleOptions | None:
    """The optional rules that a request states; None where it states none."""
    return None if options is None else guided_rulebook(ruleset).schemas.options.read(options)


def read_state(ruleset: str, ship: str, type_: str, state: Mapping[str, object]) -> StartingMarks:
    """The state in which a ship of a type is to begin, as a request states it."""
    rulebook = guided_rulebook(ruleset)
    marks = rulebook.schemas.marks.read(state, _state_of(ship))
    with found_in(ship):
        rulebook.condition(type_, marks)
    return marks


def _state_of(ship: str) -> DocumentPlace:
    return DocumentPlace(ship).table("state")


@routes.route(
    "POST",
    "/api/battle/play",
    "One action of the battle",
    operation="act",
    needs=Needs.PLAY,
    tag=_TAG,
)
def play(call: Call, body: PlayRequest) -> Done:
    """For the caller's own side; an umpire acts for any side."""
    if isinstance(body, TypedRolls):
        typed = RollDice(first=body.first, roll=body.roll, only=body.only)
        return call.act(Play(typed, TypedDice(" ".join(_whole_rolls(call, body)))))
    if isinstance(body, CorrectRequest) and not isinstance(
        body, _battle(call).rulebook.action_types
    ):
        # This request has the fields of one rulebook only; that route has those of all.
        raise Fault(400, Message("api.fault.correct_route", route=CORRECT_ROUTE))
    return call.act(Play(body))


routes.action(
    "POST",
    "/api/battle/undo",
    "Take back your own last step that nobody has seen",
    UndoOwn,
    faults=(),
    tag=_TAG,
    operation="undo",
)
routes.action(
    "POST",
    "/api/battle/undo/ask",
    "Ask every other side to go back; 20 seconds after a refusal at the earliest",
    AskUndo,
    faults=(429,),
    tag=_TAG,
)
routes.action(
    "POST",
    "/api/battle/undo/answer",
    "Agree to the request to go back with this number, or refuse it",
    AnswerUndo,
    faults=(409,),
    tag=_TAG,
)


def _whole_rolls(call: Call, body: TypedRolls) -> tuple[str, ...]:
    """The typed rolls; of two dice the app rolls the second where it cannot change anything."""
    battle, (first, *more) = _battle(call), (*body.values, "")
    alone = more == [""] and len(first) == 1 and body.roll is not None
    if not alone or body.roll is None or not isinstance(battle.rulebook, PlottedRulebook):
        return body.values
    seat, chance = seat_seen(battle, call.caller), call.server_context.chance
    whole = with_second_die(battle, seat, body.roll, first, chance)
    return body.values if whole is None else (whole,)


@routes.route(
    "POST",
    "/api/battle/roll",
    "Let the app roll",
    operation="dice",
    needs=Needs.PLAY,
    tag=_TAG,
)
def roll(call: Call, body: RollRequest) -> Done:
    """Roll the next dice, the rest of a fire, or all that the caller may enter.

    Dice from before an undo are used again first.
    """
    battle = _battle(call)
    if with_kept_rolls(battle.rulebook, battle.game) is not None:
        return call.act(RollKept())
    dice = RolledDice(call.server_context.chance)
    action = RollDice(roll=body.roll, only=body.what != "rest")
    return call.act(Play(action, SingleRollDice(dice) if body.what == "next" else dice))


@routes.route("GET", "/api/battle/plot", "Check a plot as it is typed", needs=Needs.LOOK, tag=_TAG)
def check_plot(call: Call, query: PlotDraft) -> PlotAnswer:
    """The path, the factors used, and every fault with its position."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    written = PlotView(
        query.speed, query.notation, query.follows, query.torpedo, query.smoke_side or ""
    )
    found = battle.check(battle.plotted.plot(query.ship, written, side), PlotCheck)
    return PlotAnswer(plot=found if _measures(call) else without_ranges(found))


@routes.route(
    "GET",
    "/api/battle/reach",
    "Where a ship may be after this segment, and the plots that lead there",
    needs=Needs.LOOK,
    tag=_TAG,
)
def reach(call: Call, query: ShipRequest) -> ReachAnswer:
    """The places for one of the caller's own ships, while plots are written."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    return ReachAnswer(places=battle.plotted.reached_places(battle.state, query.ship, side))


@routes.route(
    "GET", "/api/battle/move", "How the models stand to their plots", needs=Needs.LOOK, tag=_TAG
)
def check_move(call: Call) -> PlacementsAnswer:
    """The models that are not where their plots put them."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    poses = standing_poses(call.session.action_context(call.caller), battle, side)
    found = battle.check(Move(side=side, poses=poses), MoveCheck)
    return PlacementsAnswer(standing=found.standings)


@routes.route(
    "GET",
    "/api/battle/reading",
    "What a ship's move amounts to, where ships act in turn",
    needs=Needs.LOOK,
    tag=_TAG,
)
def read_move(call: Call, query: ShipRequest) -> ReadMove:
    """From where she stood to where her model stands now: distance, limit, marker and faults."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    poses = standing_poses(call.session.action_context(call.caller), battle, side)
    action = battle.ordered.move_of(query.ship, poses.get(query.ship), side)
    return ReadMove(move=battle.check(action, ShipMoveCheck))


@routes.route(
    "GET",
    "/api/battle/placing",
    "Whether a division may stand as its models do, where divisions are placed",
    needs=Needs.LOOK,
    tag=_TAG,
)
def read_placing(call: Call, query: DivisionRequest) -> ReadPlacing:
    """The division as it enters the game, and what is wrong with it."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    poses = standing_poses(call.session.action_context(call.caller), battle, side)
    placing = battle.ordered.placing_of(query.division, poses, side)
    asked = battle.rulebook.with_models(battle.state, placing, poses)
    return ReadPlacing(placing=battle.check(asked, DivisionPlacingCheck))


def _measures(call: Call) -> bool:
    return may_measure(call.session.moment, call.caller) is Measure.YES


def _must_measure(call: Call) -> None:
    """Odds reveal ranges, so they are not given where measuring is restricted."""
    if not _measures(call):
        raise Forbidden("check.pair.declared_only")


@routes.route("GET", "/api/battle/fire", "What a ship could fire at", needs=Needs.LOOK, tag=_TAG)
def fire_options(call: Call, query: ShipRequest) -> FireOptions:
    """Every target with the guns that bear, the ammunition, and the exact odds."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    return FireOptions(targets=battle.fire_options(side, query.ship))


@routes.route(
    "POST",
    "/api/battle/fire/check",
    "Check fire orders as they are chosen",
    needs=Needs.PLAY,
    tag=_TAG,
)
def check_fire(call: Call, body: FireDraft) -> FireCheck:
    """Each order with its ledger and odds, or its fault; nothing is stored."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    return battle.check(replace(body, side=side), FireCheck)


@routes.route(
    "POST",
    "/api/battle/rate/check",
    "Check rates of fire as they are chosen",
    needs=Needs.PLAY,
    tag=_TAG,
)
def check_rate(call: Call, body: RateDraft) -> FireCheck:
    """Each fire of the ship with its ledger and odds, or what is wrong; nothing is kept."""
    battle = _battle(call)
    return battle.check(replace(body, side=acting_side(battle, call.caller)), FireCheck)


@routes.route("GET", "/api/battle/story", "What has happened", needs=Needs.LOOK, tag=_TAG)
def story(call: Call, query: StoryQuery) -> StoryAnswer:
    """Each entry has a line and details."""
    battle, caller = _battle(call), call.caller
    story = battle.story(seat_seen(battle, caller))
    if not _measures(call):
        story = unmeasured(story)
    return StoryAnswer(story=story[query.since :])


@routes.route(
    "POST",
    "/api/battle/nudge",
    "Remind a side that the battle waits for it, once in 20 seconds",
    needs=Needs.PLAY,
    faults=(429,),
    tag=_TAG,
)
def nudge(call: Call, body: NudgeRequest) -> Done:
    """Its phones sound, vibrate and say who it was."""
    battle, caller = _battle(call), call.caller
    view = battle.view(SPECTATOR)
    title = call.session.moment.state.sides[body.side].title
    if caller.seat is not None and caller.seat.side == body.side:
        raise Fault(409, Message("battle.nudge_fault.own"))
    if body.side not in view.sides or not is_waited_for(view, body.side):
        raise Fault(409, Message("battle.nudge_fault.nobody", side=title))
    return Done(seq=call.session.nudge(caller, body.side))


@routes.route(
    "GET",
    "/api/battle/happenings",
    "Salvos, and what became of ships, as every screen shows them",
    needs=Needs.LOOK,
    tag=_TAG,
)
def shown_happenings(call: Call, query: HappeningsQuery) -> HappeningsAnswer:
    """Those of the actions after a number, as the caller may see them."""
    battle = _battle(call)
    return HappeningsAnswer(
        happenings=happenings(battle, seat_seen(battle, call.caller), query.after)
    )


@routes.route(
    "GET", "/api/battle/plots", "The movement plots of the log", needs=Needs.LOOK, tag=_TAG
)
def movement_log(call: Call) -> MovementLog:
    """The caller's own, and those that are open to all."""
    battle, caller = _battle(call), call.caller
    plots = battle.plotted.movement_log(battle.state, seat_seen(battle, caller))
    return MovementLog(plots=plots)


@routes.route("GET", "/api/battle/sheet", "A ship's record sheet", needs=Needs.LOOK, tag=_TAG)
def sheet(call: Call, query: ShipRequest) -> SheetAnswer:
    """The current sheet, if the caller may see it."""
    battle, caller = _battle(call), call.caller
    found = battle.rulebook.sheet(battle.state, query.ship, seat_seen(battle, caller))
    return SheetAnswer(sheet=found)
