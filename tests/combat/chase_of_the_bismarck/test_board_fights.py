"""Fights on the Battle Board with several ships: order, convoy, reinforcements (10; 11.3)."""

from typing import Any

import pytest

from combat.actions import AddShip, NextRound
from combat.dice import TypedDice
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from combat.rulebooks.chase_of_the_bismarck.actions import Reinforcement
from tests.combat.free_battles import rulebook_of

RULEBOOK = rulebook_of(get_ruleset("chase-of-the-bismarck"))
Action = dict[str, Any]
START: Action = {"action": "start", "answers": {"visibility": 4, "attackers": "german"}}
NEXT: Action = {"action": "next-round"}


def _move(ship: str, position: str, zones: int = 0) -> Action:
    answers = {"new_position": position, "zones": zones}
    return {"action": "move", "by": ship, "answers": answers}


def _fought(
    *actions: Action, ships: tuple[str, ...] = ("Bismarck", "Hood", "Norfolk")
) -> Game[FreeState[Any]]:
    document = {"ship": [{"name": name} for name in ships], "action": list(actions)}
    return play_fight(RULEBOOK, document, "fight")


def _rule(*actions: Action) -> str:
    with pytest.raises(Forbidden) as error:
        _fought(*actions)
    return error.value.rule


def test_slower_ships_move_first() -> None:
    hood, norfolk = _move("Hood", "closing", 2), _move("Norfolk", "closing", 1)
    game = _fought(START, hood, norfolk)
    assert [game.state.marks[ship].zone for ship in ("Hood", "Norfolk")] == [6, 5]
    assert _rule(START, norfolk, hood) == "10, step 4"
    assert _rule(START, hood, hood) == "10, step 4"


def test_the_escorts_of_a_convoy_may_not_abort() -> None:
    convoy = {**START, "answers": {"visibility": 1, "attackers": "german", "convoy": True}}
    assert _rule(convoy, {"action": "abort", "by": "Norfolk", "dice": "0"}) == "11.3"
    free = {**START, "answers": {"visibility": 1, "attackers": "german"}}
    game = _fought(free, {"action": "abort", "by": "Norfolk", "dice": "0"})
    assert RULEBOOK.status(game.state, "Norfolk").value == "withdrawn"
    assert game.state.marks["Norfolk"].zone is None


def test_a_shift_takes_all_ships_along() -> None:
    # Norfolk runs two zones beyond the edge: everybody is shifted back by two.
    away = {**START, "answers": {"visibility": 2, "attackers": "german"}}
    game = _fought(away, _move("Norfolk", "breaking-off", 3))
    marks = game.state.marks
    assert marks["Norfolk"].zone == 1
    assert marks["Hood"].zone == 4, "two zones on from her own edge"
    # Bismarck is slower than Norfolk: her turn is gone, and she is pushed off.
    assert marks["Bismarck"].aborted
    assert marks["Bismarck"].zone is None


def test_rounds_let_a_reinforcement_in_once_a_round() -> None:
    suffolk: AddShip[Any] = AddShip(ship=Ship("Suffolk", "Suffolk", "british", "Suffolk"))
    game = _fought(START).play(2, suffolk, TypedDice(""))
    enters = Reinforcement(by="Suffolk")
    with pytest.raises(Forbidden):
        game.play(3, enters, TypedDice("4"))
    for n in (3, 4):
        game = game.play(n, NextRound(), TypedDice(""))
    game = game.play(5, enters, TypedDice("5"))
    with pytest.raises(Forbidden):
        game.play(6, enters, TypedDice("4"), anew=True)
    game = game.play(6, NextRound(), TypedDice("")).play(7, enters, TypedDice("4"))
    marks = game.state.marks["Suffolk"]
    assert (marks.zone, marks.position, marks.attacker) == (3, "closing", False)
    info = RULEBOOK.info_by_kind["reinforcement"]
    asked = RULEBOOK.questions_for(info, game.state.ship("Suffolk"), None, state=game.state)
    assert asked == (), "the fight knows round and visibility"
    assert game.undo(7).undo(5).state == game.state_after(4)
