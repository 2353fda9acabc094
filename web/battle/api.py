"""The API of the battle: its events, the checks of what is being typed, dice, story and sheets."""

import random
from typing import Any

from combat.battle import DiceKind, EventKind, plain, roll_the_rest
from combat.dice import RolledDice
from combat.overlay import write_overlay
from tabletop.errors import DreyerError
from web.api.models import Done
from web.api.route import Answer, Call, Needs, route
from web.battle import api_models as models
from web.battle.actions import (
    AnswerUndo,
    AskUndo,
    BeginBattle,
    Play,
    UndoOwn,
    acting_side,
    kept_dice,
    standing_poses,
)
from web.battle.now import BattleNow
from web.battle.record import KEPT
from web.battle.view import side_seen
from web.seats import Forbidden
from web.table.ground import Action
from web.view import may_measure

_CHANCE = random.SystemRandom()
"""The app's dice; the values go into the journal, so that replaying never rolls."""


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
    needs=Needs.HOST,
    body=models.Beginning,
    answer=Done,
    tag="battle",
)
def begin(call: Call, body: models.Beginning) -> Answer:
    """From here on the rulebook's sequence of play leads."""
    setup: dict[str, Any] = {
        "visibility": body.visibility,
        "night": body.night,
        "hidden": body.hidden,
    }
    if body.starting_range_yards is not None:
        setup["starting_range_yards"] = body.starting_range_yards
    ruleset = call.session.moment.state.ruleset
    return _act(call, BeginBattle(setup, owner_values(call, ruleset)))


def owner_values(call: Call, ruleset: str) -> str:
    """The owner's table values as they are now; they hold for the whole battle."""
    overlay = call.running.owner.overlay(ruleset)
    return write_overlay(overlay).decode() if overlay.values else ""


@route(
    "POST",
    "/api/battle/play",
    "One event of the battle",
    needs=Needs.PLAY,
    body=models.Played,
    answer=Done,
    tag="battle",
)
def play(call: Call, body: models.Played) -> Answer:
    """Plot, commit, move, designate, dice, mark and the rest."""
    return _act(call, Play(body.kind, body.data))


@route(
    "POST",
    "/api/battle/roll",
    "Let the app roll",
    needs=Needs.PLAY,
    body=models.Rolling,
    answer=Done,
    tag="battle",
)
def roll(call: Call, body: models.Rolling) -> Answer:
    """The next dice, or all that are still wanted."""
    battle = _battle(call)
    wanted = battle.rules.wanted(battle.state)
    if wanted is None:
        raise DreyerError("no dice are wanted now")
    number = wanted.number if body.number is None else body.number
    kept = kept_dice(battle)
    if kept:
        # Dice that have fallen are not rolled again because of a step back.
        data = {"values": list(kept), "how": KEPT, "from": number}
        return _act(call, Play(EventKind.DICE, data))
    dice = RolledDice(_CHANCE)
    if body.what == "rest":
        values = roll_the_rest(battle.rules, battle.state, battle.tables, dice)
    else:
        pair = wanted.kind is DiceKind.PAIR
        values = (str(dice.pair(wanted.purpose) if pair else dice.die(wanted.purpose)),)
    # Two phones that press at once must not roll for the same hit twice.
    data = {"values": list(values), "how": "rolled", "from": number}
    return _act(call, Play(EventKind.DICE, data))


@route(
    "POST",
    "/api/battle/undo",
    "Take back your own last step that nobody has seen",
    needs=Needs.PLAY,
    body=models.Nothing,
    answer=Done,
    tag="battle",
)
def undo(call: Call, body: models.Nothing) -> Answer:  # noqa: ARG001
    """At once."""
    return _act(call, UndoOwn())


@route(
    "POST",
    "/api/battle/undo/ask",
    "Ask the other side to go back",
    needs=Needs.PLAY,
    body=models.UndoTo,
    answer=Done,
    tag="battle",
)
def ask_undo(call: Call, body: models.UndoTo) -> Answer:
    """An umpire does not have to ask."""
    return _act(call, AskUndo(body.after, body.words))


@route(
    "POST",
    "/api/battle/undo/answer",
    "Agree to go back, or refuse",
    needs=Needs.PLAY,
    body=models.UndoAnswer,
    answer=Done,
    tag="battle",
)
def answer_undo(call: Call, body: models.UndoAnswer) -> Answer:
    """Agreeing goes back; refusing, or withdrawing one's own request, ends it."""
    return _act(call, AnswerUndo(body.agree))


@route(
    "GET",
    "/api/battle/plot",
    "Check a plot as it is typed",
    needs=Needs.LOOK,
    query=models.PlotDraft,
    tag="battle",
)
def check_plot(call: Call, query: models.PlotDraft) -> Answer:
    """The path to draw, the factors used, and every fault with its place."""
    battle = _battle(call)
    draft = {
        key: value for key, value in query.model_dump(exclude={"ship"}).items() if value is not None
    }
    side = acting_side(battle, call.caller)
    found = battle.rules.check_plot(battle.state, side, query.ship, draft, battle.tables)
    return {"plot": plain(found)}


@route(
    "GET",
    "/api/battle/move",
    "How the models stand to their plots",
    needs=Needs.LOOK,
    tag="battle",
)
def check_move(call: Call) -> Answer:
    """Which model is not where its plot puts it."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    poses = standing_poses(call.session.ground(call.caller), battle, side)
    return {"standing": plain(battle.rules.check_move(battle.state, side, poses))}


def _must_measure(call: Call) -> None:
    """Odds tell ranges: where the house measures only what is declared, they are not given."""
    if may_measure(call.session.moment, call.caller) != "yes":
        raise Forbidden("this house measures only what is declared: designate by eye, or ask")


@route(
    "GET",
    "/api/battle/fire",
    "What a ship could fire at",
    needs=Needs.LOOK,
    query=models.OneShip,
    tag="battle",
)
def fire_options(call: Call, query: models.OneShip) -> Answer:
    """Every target with what bears, what it costs, and the exact odds."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    found = battle.rules.fire_options(battle.state, side, query.ship, battle.tables)
    return {"targets": plain(found)}


@route(
    "POST",
    "/api/battle/fire/check",
    "Check fire orders as they are chosen",
    needs=Needs.PLAY,
    body=models.FireDraft,
    tag="battle",
)
def check_fire(call: Call, body: models.FireDraft) -> Answer:
    """Each order with its ledger and odds, or what is wrong; nothing is kept."""
    battle = _battle(call)
    side = acting_side(battle, call.caller)
    _must_measure(call)
    draft = {"orders": body.orders}
    return dict(battle.rules.check_fire(battle.state, side, body.ship, draft, battle.tables))


@route(
    "GET",
    "/api/battle/story",
    "What has happened",
    needs=Needs.LOOK,
    query=models.StoryFrom,
    tag="battle",
)
def story(call: Call, query: models.StoryFrom) -> Answer:
    """Every entry folds to one line."""
    battle, caller = _battle(call), call.caller
    entries = battle.rules.story(
        battle.state,
        side_seen(battle, caller),
        sees_all=caller.is_umpire,
        since=query.since,
    )
    return {"story": plain(entries)}


@route(
    "GET",
    "/api/battle/sheet",
    "A ship's record sheet",
    needs=Needs.LOOK,
    query=models.OneShip,
    tag="battle",
)
def sheet(call: Call, query: models.OneShip) -> Answer:
    """As it stands, where the caller may see it."""
    battle, caller = _battle(call), call.caller
    found = battle.rules.sheet(
        battle.state, side_seen(battle, caller), query.ship, sees_all=caller.is_umpire
    )
    return {"sheet": plain(found)}
