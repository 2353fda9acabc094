"""The API of the battle: its events, the checks of what is being typed, dice, story and sheets."""

import random
from collections.abc import Callable
from typing import Final

from pydantic import BaseModel

from combat.dice import OneRoll, RolledDice
from combat.guided_actions import Move, RollDice, StartingConditions
from combat.guided_play import EventKind
from combat.views import FireCheck, MoveCheck, PlotCheck
from tabletop.errors import DreyerError
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
from web.actions.context import Action
from web.api import battle_answers
from web.api.action_routes import acts
from web.api.battle_requests import checked, read_draft, read_play
from web.api.models import Done
from web.api.reading import Query
from web.api.route import Answer, Call, Handler, Needs, route
from web.auth.seats import Forbidden
from web.battle import api_models as models
from web.games.guided_game import BattleNow
from web.views.battle import seat_seen
from web.views.table import may_measure

_TAG: Final = "battle"
_CHANCE: Final = random.SystemRandom()
"""The app's dice; the values go into the journal, so that replaying never rolls."""


def _tells(
    path: str, summary: str, answer: type[BaseModel], query: type[Query] | None = None
) -> Callable[[Handler], Handler]:
    """An address that says how something stands."""
    return route("GET", path, summary, needs=Needs.LOOK, query=query, answer=answer, tag=_TAG)


def _act(call: Call, action: Action) -> Answer:
    return {"seq": call.session.act(call.caller, action, key=call.key)}


def _battle(call: Call) -> BattleNow:
    battle = call.session.moment.battle
    if battle is None:
        raise DreyerError("no battle is under way: the host begins one")
    return battle


@route(
    "POST",
    "/api/battle/begin",
    "Begin a battle with the ships on the table",
    operation="begin",
    needs=Needs.HOST,
    body=models.Beginning,
    answer=Done,
    tag=_TAG,
)
def begin(call: Call, body: models.Beginning) -> Answer:
    """From here on the rulebook's sequence of play leads."""
    conditions = StartingConditions(
        visibility=body.visibility,
        night=body.night,
        starting_range_yards=body.starting_range_yards,
    )
    values = owner_values(call, call.session.moment.state.ruleset)
    return _act(call, BeginBattle(conditions, values, hidden=body.hidden))


def owner_values(call: Call, ruleset: str) -> str:
    """The owner's table values as they are now; they hold for the whole battle."""
    return call.running.owner.written(ruleset)


@route(
    "POST",
    "/api/battle/play",
    "One action of the battle",
    operation="act",
    needs=Needs.PLAY,
    body=models.Played,
    answer=Done,
    tag=_TAG,
)
def play(call: Call, body: models.Played) -> Answer:
    """By the caller's own side; an umpire acts for anybody."""
    return _act(call, read_play(call, body.kind, body.data))


acts(
    "POST", "/api/battle/undo", "Take back your own last step that nobody has seen", UndoOwn,
    body=models.Nothing, faults=(), tag=_TAG, operation="undo",
)  # fmt: skip
acts(
    "POST", "/api/battle/undo/ask", "Ask every other side to go back", AskUndo,
    body=models.UndoTo, faults=(), tag=_TAG,
)  # fmt: skip
acts(
    "POST", "/api/battle/undo/answer", "Agree to go back, or refuse", AnswerUndo,
    body=models.UndoAnswer, faults=(), tag=_TAG,
)  # fmt: skip


@route(
    "POST",
    "/api/battle/roll",
    "Let the app roll",
    operation="dice",
    needs=Needs.PLAY,
    body=models.Rolling,
    answer=Done,
    tag=_TAG,
)
def roll(call: Call, body: models.Rolling) -> Answer:
    """The next dice, or all that are still wanted."""
    battle = _battle(call)
    wanted = battle.rulebook.dice_wanted(battle.state)
    if wanted is None:
        raise DreyerError("no dice are wanted now")
    # Two phones that press at once must not roll for the same hit twice.
    number = wanted.number if body.number is None else body.number
    if with_kept_rolls(battle.game) is not None:
        # Dice that have fallen are not rolled again because of a step back.
        return _act(call, RollKept(number))
    dice = RolledDice(_CHANCE)
    action = RollDice(first=number)
    return _act(call, Play(action, dice if body.what == "rest" else OneRoll(dice)))


@_tells(
    "/api/battle/plot", "Check a plot as it is typed", battle_answers.CheckedPlot, models.PlotDraft
)
def check_plot(call: Call, query: models.PlotDraft) -> Answer:
    """The path to draw, the factors used, and every fault with its place."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    draft = read_draft(battle, side, EventKind.PLOT, query.model_dump())
    found = checked(battle, draft, PlotCheck)
    return battle_answers.CheckedPlot(plot=found)


@_tells("/api/battle/move", "How the models stand to their plots", battle_answers.Standings)
def check_move(call: Call) -> Answer:
    """Which model is not where its plot puts it."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    poses = standing_poses(call.session.ground(call.caller), battle, side)
    found = checked(battle, Move(side=side, poses=poses), MoveCheck)
    return battle_answers.Standings(standing=found.standings)


def _must_measure(call: Call) -> None:
    """Odds tell ranges: where the house measures only what is declared, they are not given."""
    if may_measure(call.session.moment, call.caller) != "yes":
        raise Forbidden("this house measures only what is declared: designate by eye, or ask")


@_tells("/api/battle/fire", "What a ship could fire at", battle_answers.FireOptions, models.OneShip)
def fire_options(call: Call, query: models.OneShip) -> Answer:
    """Every target with what bears, what it costs, and the exact odds."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    return battle_answers.FireOptions(targets=battle.fire_options(side, query.ship))


@route(
    "POST",
    "/api/battle/fire/check",
    "Check fire orders as they are chosen",
    needs=Needs.PLAY,
    body=models.FireDraft,
    answer=battle_answers.CheckedFires,
    tag=_TAG,
)
def check_fire(call: Call, body: models.FireDraft) -> Answer:
    """Each order with its ledger and odds, or what is wrong; nothing is kept."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    draft = read_draft(battle, side, EventKind.DESIGNATE, body.model_dump())
    return battle_answers.CheckedFires(checked(battle, draft, FireCheck))


@_tells("/api/battle/story", "What has happened", battle_answers.Story, models.StoryFrom)
def story(call: Call, query: models.StoryFrom) -> Answer:
    """Every entry folds to one line."""
    battle, caller = _battle(call), call.caller
    seat = seat_seen(battle, caller)
    entries = battle.rulebook.story(battle.state, seat, since=query.since)
    return battle_answers.Story(story=entries)


@_tells("/api/battle/sheet", "A ship's record sheet", battle_answers.Sheet, models.OneShip)
def sheet(call: Call, query: models.OneShip) -> Answer:
    """As it stands, where the caller may see it."""
    battle, caller = _battle(call), call.caller
    found = battle.rulebook.sheet(battle.state, query.ship, seat_seen(battle, caller))
    return battle_answers.Sheet(sheet=found)
