"""The API of battles in free play: act, undo, next round, clean sheets, and the battle itself."""

import secrets
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, StringConstraints

from combat.participants import UMPIRE, Ship
from combat.rulebooks import get_ruleset
from web.actions.free_play import BeginRound, EndFree, TakeAction, UndoAction, written_steps
from web.api.action_routes import acts
from web.api.reading import Line, visible
from web.api.route import Call, Model, Needs, Query, route
from web.games.free_game import FreeNow
from web.http.context import running

_CHANCE: Final = secrets.SystemRandom()
_Name = Annotated[Line, Field(min_length=1, max_length=40)]
_ShipName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=80),
    AfterValidator(visible),
]
_Dice = Annotated[str, Field(pattern="^[0-9]{1,2}$")]


class OfARuleset(Model):
    """Which battle is meant."""

    ruleset: _Name


class ShipJoins(Model):
    """A ship that joins the battle, if it does not have her yet."""

    name: _ShipName
    type: _ShipName
    """A ship type of the rulebook."""
    side: _Name


class ActionTaken(OfARuleset):
    """An action, the ships that join for it, and the dice that fell for it."""

    action: dict[str, Any]
    """By its `kind`, with its ships by name (`by`, `at`) and the keys of a shot file: those of
    [fire], [conditions] and [options] as they are, `speed` of [firer] as `firer_speed`."""
    ships: Annotated[list[ShipJoins], Field(default_factory=list, max_length=4)]
    marks: Annotated[dict[_ShipName, dict[str, Any]], Field(default_factory=dict, max_length=4)]
    """Marks that are entered by hand first, with the keys of a shot file's [firer.state].

    What is not named stays as it is marked."""
    dice: Annotated[list[_Dice], Field(default_factory=list, max_length=1000)]
    roll: bool = False
    """Whether the server rolls what is not there."""


class UndoFrom(OfARuleset):
    """What is taken back."""

    to: Annotated[int, Field(ge=1, le=2**53)] | None = None
    """The number of the first action to take back; without it the last one."""


class WhichRuleset(Query):
    """Which battle is meant; without it the one that was played last."""

    ruleset: _Name | None = None


def owner_values_now(ruleset: str) -> str:
    """The owner's values of a rulebook, as their file; empty without any."""
    return running().owner.written(ruleset)


def act(
    ruleset: str,
    action: dict[str, Any],
    ships: list[ShipJoins],
    marks: dict[str, dict[str, Any]],
    dice: list[str],
    roll: bool,
) -> TakeAction:
    """What came of it stands in the log and on the sheets."""
    joining = [Ship(each.name, each.name, each.side, each.type) for each in ships]
    return TakeAction(ruleset, joining, marks, action, dice, roll, owner_values_now, _CHANCE)


def begin_round(ruleset: str) -> BeginRound:
    """All damage counts from here on."""
    return BeginRound(ruleset, owner_values_now)


@route("GET", "/api/free", "A battle in free play: its ships, its round, what was played",
       needs=Needs.LOOK, query=WhichRuleset, faults=(404,), tag="free",
       operation="view_free")  # fmt: skip
def view(call: Call, query: WhichRuleset) -> dict[str, object]:
    """The whole battle; nothing of it is secret."""
    free = call.session.moment.free
    now = free.of(get_ruleset(query.ruleset).name) if query.ruleset else free.running
    return {"seq": call.session.seq, "battle": None if now is None else free_as_json(now)}


def free_as_json(now: FreeNow) -> dict[str, object]:
    """A battle in free play as the API serves it."""
    state, rulebook = now.state, now.rulebook
    return {
        "ruleset": rulebook.name,
        "edition": now.record.edition,
        "round": state.round_number,
        "ships": [
            {
                "name": each.ship.name,
                "type": each.ship.type,
                "side": each.ship.side,
                "status": each.status.free_play_word,
                "state": rulebook.state_document(each.ship, state.marks[each.ship.id]),
            }
            for each in rulebook.view(state, UMPIRE).ships
        ],
        "played": [
            {"n": played.n, **step}
            for played, step in zip(now.game.played, written_steps(rulebook, now.game), strict=True)
        ],
    }


acts("POST", "/api/free", "Play an action in free play", act, body=ActionTaken, tag="free",
     operation="act_free")  # fmt: skip
acts("POST", "/api/free/undo", "Take actions back; their dice are kept", UndoAction,
     body=UndoFrom, tag="free", operation="undo_free")  # fmt: skip
acts("POST", "/api/free/round", "Begin the next round", begin_round, body=OfARuleset, tag="free")
acts("POST", "/api/free/end", "Clean sheets: begin a new battle in free play", EndFree,
     body=OfARuleset, tag="free")  # fmt: skip
