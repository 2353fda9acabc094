"""Convoys, victory points and the order of a round's steps in a whole fight (4; 10; 11.3)."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combat.actions import NextRound
from combat.dice import TypedDice
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from combat.rulebooks.chase_of_the_bismarck.actions import (
    Abort,
    ConvoyAttack,
    Gunfire,
    Marks,
    Movement,
    Prize,
    Reinforcement,
    TankerCaught,
)
from combat.rulebooks.chase_of_the_bismarck.board import Position
from tests.combat.free_battles import add, marked, rulebook_of

CHASE = get_ruleset("chase-of-the-bismarck")
RULEBOOK = rulebook_of(CHASE)
FILE = Path(__file__).parents[1] / "fights" / "chase_of_the_bismarck_convoy.toml"


def _hunt(actions: int) -> Game[FreeState[Any]]:
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    some = document["action"][:actions]
    return play_fight(RULEBOOK, {**document, "action": some}, FILE.name)


def _points(state: FreeState[Any]) -> list[tuple[str, Fraction]]:
    (german,) = RULEBOOK.victory_points(state)
    return [(line.label.code, line.points) for line in german.lines]


def test_points_for_ships_and_convoys_are_added_up() -> None:
    state = _hunt(26).state
    assert _points(state) == [
        ("chase.points.convoys", 3),
        ("chase.points.damaged", -1),
        ("chase.points.merchant", Fraction(1, 2)),
        ("chase.points.convoys", 3),
        ("chase.points.sunk", 7),
        ("chase.points.sunk", 1),
    ]
    (german,) = RULEBOOK.victory_points(state)
    assert german.total == Fraction(27, 2)
    assert german.notes == ()


def test_no_convoy_is_sunk_while_an_escort_is_afloat() -> None:
    attack = ConvoyAttack(by="Bismarck", prize=Prize.HX_128)
    for actions in (2, 10):
        assert RULEBOOK.check(_hunt(actions).state, attack).rule == "11.3"
    assert RULEBOOK.check(_hunt(17).state, attack).forbidden is None


def test_own_losses_count_against_the_german_player() -> None:
    state: FreeState[Marks] = FreeState()
    for name, kind, side in (
        ("Bismarck", "Bismarck", "german"),
        ("Köln", "Köln", "german"),
        ("Lothringen", "German Tanker", "german"),
        ("Norfolk", "Norfolk", "british"),
        ("Hood", "Hood", "british"),
    ):
        state = add(RULEBOOK, state, Ship(name, name, side, kind))
    state = marked(state, "Bismarck", Marks(hull_lost=12))
    state = marked(state, "Köln", Marks(hull_lost=3))
    state = marked(state, "Norfolk", Marks(bow_lost=1, stern_lost=1, hull_lost=1))
    state = marked(state, "Hood", Marks(secondary_lost=1))
    caught = TankerCaught(by="Lothringen")
    state = RULEBOOK.play(state, caught, TypedDice("")).state
    # Twelve hull boxes, a light cruiser and a tanker; three hits on a CA are one point, one on a
    # BC is none.
    assert [points for _, points in _points(state)] == [-12, -1, -1, 1]
    (german,) = RULEBOOK.victory_points(state)
    assert [note.text.code for note in german.notes] == ["chase.points.bismarck_sunk"]


def test_earlier_editions_count_no_points_and_no_convoys() -> None:
    for edition in (1, 2):
        earlier = rulebook_of(CHASE.of_edition(edition))
        assert earlier.victory_points(_hunt(3).state) == ()


def _board(**more: dict[str, Any]) -> FreeState[Marks]:
    state: FreeState[Marks] = FreeState()
    here = Marks(zone=2, position=Position.BREAKING_OFF, attacker=False, visibility=2, began=1)
    for name, side in (("Bismarck", "german"), ("Norfolk", "british"), ("Suffolk", "british")):
        state = add(RULEBOOK, state, Ship(name, name, side, name))
        position = Position.CLOSING if side == "german" else Position.BREAKING_OFF
        marks = replace(here, attacker=side == "german", position=position)
        state = marked(state, name, replace(marks, **more.get(name, {})))
    return state


def _rule(game: Game[FreeState[Any]], action: Any, dice: str = "9 9 9 9 9") -> str:
    with pytest.raises(Forbidden) as error:
        game.play(0, action, TypedDice(dice))
    return error.value.rule


def test_the_steps_of_a_round_follow_one_another() -> None:
    away = {"zone": None, "position": None, "attacker": None, "visibility": None, "began": None}
    state = replace(_board(Suffolk=away), round_number=3)
    game: Game[FreeState[Any]] = Game(RULEBOOK, state)
    game = game.play(0, Movement(by="Norfolk", new_position=Position.BREAKING_OFF), TypedDice(""))
    assert _rule(game, Gunfire(by="Bismarck", at="Norfolk")) == "10, step 2"
    game = game.play(0, Abort(by="Norfolk"), TypedDice("9"))
    assert _rule(game, Abort(by="Norfolk")) == "10, step 5"
    assert _rule(game, Movement(by="Bismarck")) == "10, step 4"
    game = game.play(0, Reinforcement(by="Suffolk"), TypedDice("9"))
    assert _rule(game, Movement(by="Bismarck")) == "10, step 4"
    # The next round begins with fire again.
    game = game.play(0, NextRound(), TypedDice(""))
    assert RULEBOOK.check(game.state, Gunfire(by="Norfolk", at="Bismarck")).rule != "10, step 2"
    second = rulebook_of(CHASE.of_edition(2))
    moved = second.play(state, Movement(by="Norfolk"), TypedDice("")).state
    assert second.check(moved, Gunfire(by="Bismarck", at="Norfolk")).forbidden is None
