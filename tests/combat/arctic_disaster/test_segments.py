"""The segments of a round on the display: their order, targets, the convoy's boats (11.4)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from combat.actions import NextRound
from combat.dice import TypedDice
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from combat.rulebooks.arctic_disaster.actions import (
    AirAttack,
    Aircraft,
    Designation,
    Disengagement,
    Gunfire,
    Marks,
    Movement,
    Player,
    Submerging,
    Torpedoes,
)
from combat.rulebooks.arctic_disaster.events import CombatEnded
from tabletop.messages import NO_WORDS
from tests.combat.free_battles import add, marked, rulebook_of

RULEBOOK = rulebook_of(get_ruleset("arctic-disaster"))
Fought = Game[FreeState[Any]]
GERMAN = ("Scheer", "Hipper", "Z28")
TYPES = {"Z28": "German destroyer", "P614": "Escort submarine", "Somali": "British destroyer"}


def _fight(areas: Mapping[str, int], **more: dict[str, Any]) -> Fought:
    state: FreeState[Marks] = FreeState()
    for name, area in areas.items():
        side = "german" if name in GERMAN else "british"
        state = add(RULEBOOK, state, Ship(name, name, side, TYPES.get(name, name)))
        marks = Marks(area=area, began=1, in_segments=True)
        state = marked(state, name, replace(marks, **more.get(name, {})))
    return Game(RULEBOOK, state)


def _rule(game: Fought, action: Any, dice: str = "") -> str:
    with pytest.raises(Forbidden) as error:
        game.play(0, action, TypedDice(dice))
    return error.value.rule


def _target(by: str, at: str) -> Designation:
    return Designation(kind="main-target", by=by, at=at)


def _fire(by: str, at: str) -> Gunfire:
    return Gunfire(kind="main", by=by, at=at)


def test_all_targets_are_designated_before_the_first_die() -> None:
    game = _fight({"Scheer": 6, "Hipper": 6, "London": 12, "Norfolk": 12})
    assert _rule(game, _fire("Scheer", "London"), "1") == "11.4.4"
    game = game.play(1, _target("Scheer", "London"), TypedDice(""))
    game = game.play(2, _target("London", "Hipper"), TypedDice(""))
    assert _rule(game, Movement(by="Norfolk", to_area=13)) == "11.4"
    game = game.play(3, _fire("Scheer", "London"), TypedDice("1"))
    # Who has no target by now does not fire in this round.
    assert _rule(game, _target("Norfolk", "Hipper")) == "11.4.4"
    assert _rule(game, _fire("Norfolk", "Hipper"), "1") == "11.4.4"
    assert _rule(game, _fire("London", "Scheer"), "1") == "11.4.4"
    game = game.play(4, _fire("London", "Hipper"), TypedDice("1"))
    # Taken back to the first designation, she may choose again.
    back = game.undo(2)
    assert RULEBOOK.check(back.state, _target("London", "Scheer")).forbidden is None


def test_a_round_goes_from_movement_to_disengagement() -> None:
    game = _fight({"Scheer": 6, "Z28": 10, "London": 12, "Somali": 12})
    game = game.play(0, Movement(by="Z28", to_area=11), TypedDice(""))
    game = game.play(0, Torpedoes(by="Somali", at="Z28"), TypedDice("1"))
    assert _rule(game, _target("Scheer", "London")) == "11.4"
    assert _rule(game, Movement(by="London", to_area=13)) == "11.4"
    game = game.play(0, Torpedoes(by="Z28", at="Somali"), TypedDice("1"))
    game = game.play(0, Disengagement(leaver=Player.GERMAN), TypedDice("9"))
    assert _rule(game, Disengagement(leaver=Player.GERMAN), "9") == "11.4"
    assert _rule(game, _target("Scheer", "London")) == "11.4"
    game = _next(game)
    moved = game.play(0, Movement(by="London", to_area=13), TypedDice(""))
    # 9 and 1 for the round before are 10: the combat is over (11.4.9).
    ended = moved.play(0, Disengagement(leaver=Player.GERMAN), TypedDice("9"))
    assert {marks.area for marks in ended.state.marks.values()} == {None}


def _next(game: Fought) -> Fought:
    return game.play(0, NextRound(), TypedDice(""))


def test_a_carrier_under_attack_sends_her_aircraft_in_the_air_attack_segment() -> None:
    game = _fight({"Scheer": 6, "London": 12, "Victorious": 20})
    strike = AirAttack(at="Scheer", aircraft=Aircraft.ALBACORE)
    assert _rule(game, replace(strike, aircraft=Aircraft.HE_111), "1 1") == "11.4.8"
    assert _rule(game, replace(strike, at="London"), "1 1") == "11.4.8"
    game = game.play(0, strike, TypedDice("1 1"))
    assert _rule(game, Torpedoes(by="Scheer", at="London")) == "11.4"
    sunk = _fight({"Scheer": 6, "London": 12, "Victorious": 20}, Victorious={"damage": 6})
    assert _rule(sunk, strike, "1 1") == "11.4.8"
    foggy = _fight({"Scheer": 6, "Victorious": 20}, Scheer={"fog": True}, Victorious={"fog": True})
    assert _rule(foggy, strike, "1 1") == "5.1"


def test_a_boat_of_the_convoy_attacks_once_in_a_combat() -> None:
    game = _fight({"Scheer": 10, "P614": 12})
    game = game.play(0, Submerging(by="P614"), TypedDice(""))
    assert _rule(game, Submerging(by="P614")) == "13.10"
    game = game.play(0, Torpedoes(by="P614", at="Scheer"), TypedDice("6"))
    game = _next(game)
    assert game.state.marks["P614"].submerged
    assert _rule(game, Torpedoes(by="P614", at="Scheer"), "1") == "11.4.7"
    ended = game.play(0, Disengagement(agreed=True), TypedDice(""))
    assert ended.state.marks["P614"] == Marks(left=True)
    # The board tells it until the next round, or the next deployment.
    board = RULEBOOK.board(ended.state)
    assert board is not None
    assert (board.ended.code, board.after) == ("arctic.board.over", "deploy")
    later = RULEBOOK.board(_next(ended).state)
    assert later is not None
    assert later.ended == NO_WORDS


@pytest.mark.parametrize(
    ("areas", "action", "expected"),
    [
        # Nobody chose: two BB, CA and DD against one stay (11.4.10); a CL does not count.
        ({"Scheer": 6, "London": 12, "Somali": 12}, Disengagement(), (("german",), False)),
        ({"Scheer": 6, "Z28": 6, "London": 12, "Nigeria": 12}, Disengagement(),
         (("allied",), False)),
        ({"Scheer": 6, "London": 12}, Disengagement(), ((), True)),
        ({"Scheer": 6, "London": 12}, Disengagement(agreed=True), (("german", "allied"), False)),
    ],
)  # fmt: skip
def test_who_leaves_the_hex(
    areas: dict[str, int], action: Disengagement, expected: tuple[tuple[str, ...], bool]
) -> None:
    fought = {name: {"began": 1} for name in areas}
    game = _fight(areas, **fought)
    state = replace(game.state, round_number=8)
    ended = Game(RULEBOOK, state).play(0, action, TypedDice(""))
    (told,) = (each for each in ended.played[-1].events if isinstance(each, CombatEnded))
    assert (tuple(map(str, told.leaves)), told.tied) == expected


def test_after_eight_rounds_about_the_convoy_the_germans_remain() -> None:
    areas = {"Scheer": 6, "London": 12, "Merchant ship": 15}
    game = _fight(areas, **{"Merchant ship": {"convoy": True, "damage": 1}})
    assert _rule(game, Disengagement(leaver=Player.ALLIED), "1") == "11.4.9"
    last = Game(RULEBOOK, replace(game.state, round_number=8))
    ended = last.play(0, Disengagement(), TypedDice(""))
    (told,) = (each for each in ended.played[-1].events if isinstance(each, CombatEnded))
    assert told.leaves == (Player.ALLIED,)
    # A damaged ship that leaves may stay behind (11.4.11).
    assert told.damaged == ("Merchant ship",)


def test_victory_points_for_ships() -> None:
    game = _fight(
        {"Scheer": 6, "Hipper": 6, "Z28": 6, "London": 12, "Merchant ship": 12, "Somali": 12},
        Scheer={"damage": 4},
        Hipper={"damage": 1},
        Z28={"damage": 2},
        **{"London": {"damage": 4}, "Merchant ship": {"damage": 2}, "Somali": {"damage": 2}},
    )
    german, allied = RULEBOOK.victory_points(game.state)
    assert [line.points for line in german.lines] == [5, 3]
    assert [line.points for line in allied.lines] == [10, 2, 1]
    assert german.total == 8
    assert allied.total == 13


@pytest.mark.parametrize(("damage", "expected"), [(1, 5), (3, 5), (4, 10), (8, 30)])
def test_the_tirpitz_counts_by_her_damage(damage: int, expected: int) -> None:
    state: FreeState[Marks] = FreeState()
    state = add(RULEBOOK, state, Ship("Tirpitz", "Tirpitz", "german", "Tirpitz"))
    state = marked(state, "Tirpitz", Marks(damage=damage))
    _, allied = RULEBOOK.victory_points(state)
    assert allied.total == expected
