"""Battles on the board: places of other ships, rounds, halvings, and what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from combat.actions import Action, AddShip, NextRound
from combat.dice import TypedDice
from combat.events import Departed, Sunk
from combat.free_play import FreeState
from combat.game import Game
from combat.owner_values import Overlay
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.bismarck_battle_board import load
from combat.rulebooks.bismarck_battle_board.actions import (
    AirAttack,
    FlotillaAttack,
    Gunfire,
    Level,
    Marks,
    Movement,
    Placement,
    Reduction,
    Reinforcement,
    Role,
    Sector,
    Withdrawal,
    WithdrawalMove,
)
from combat.rulebooks.bismarck_battle_board.events import WithdrawalEnded
from combat.rulebooks.bismarck_battle_board.rulebook import BattleBoardRulebook
from combat.rulebooks.bismarck_data.air_waves import Bomber
from combat.rulebooks.bismarck_data.table_files import load_pad
from tabletop.errors import BadField
from tests.refusals import refused

BOARD = load()
RULEBOOK = BattleBoardRulebook(BOARD.tables, BOARD.ships)
Battle = Game[FreeState[Marks]]
MISS = "34"


def battle(*ships: tuple[str, str, dict[str, Any]]) -> Battle:
    """Ships of a type and a side with some marks; a name is a type."""
    game: Battle = Game(RULEBOOK, FreeState())
    for name, side, marks in ships:
        kind = "Destroyer Flotilla" if name.endswith("Flotilla") else name
        game = play(game, AddShip(ship=Ship(name, name, side, kind), marks=Marks(**marks)))
    return game


def at(column: int, row: int, heading: int = 1, **more: Any) -> dict[str, Any]:
    return {"column": column, "row": row, "heading": heading, **more}


def play(game: Battle, action: Action, dice: str = "") -> Battle:
    typed = TypedDice(dice)
    game = game.play(len(game.played) + 1, action, typed)
    typed.finish()
    return game


def rule(game: Battle, action: Action) -> str:
    """The rule that refuses an action; its check says the same."""
    preview = RULEBOOK.check(game.state, action)
    with pytest.raises(Forbidden) as error:
        play(game, action)
    assert (preview.forbidden, preview.rule) == (error.value.reason, error.value.rule)
    return error.value.rule


# Places and moves


def test_two_ships_fill_the_centre() -> None:
    game = battle(
        *((name, "german", at(0, 0)) for name in ("Bismarck", "Tirpitz")), ("Köln", "german", {})
    )
    assert rule(game, Placement(by="Köln", role=Role.DEFENDER)) == "9.281"
    game = play(game, Placement(by="Köln", role=Role.DEFENDER, hex=3))
    assert (game.state.marks["Köln"].column, game.state.marks["Köln"].row) == (1, 0)


def test_the_centre_is_filled_first() -> None:
    game = battle(("Bismarck", "german", {}))
    assert rule(game, Placement(by="Bismarck", role=Role.DEFENDER, hex=3)) == "9.281"


def test_a_side_starts_in_one_direction() -> None:
    game = battle(("Hood", "british", at(6, -6, 5)), ("Renown", "british", {}))
    assert rule(game, Placement(by="Renown", edge=2, heading=4)) == "9.282"
    play(game, Placement(by="Renown", edge=2, heading=5))


def test_a_reinforcement_keeps_six_hexes_off() -> None:
    game = battle(("Bismarck", "german", at(3, -3)), ("Renown", "british", {}))
    near = Placement(by="Renown", role=Role.REINFORCEMENT, edge=2, heading=5)
    assert rule(game, near) == "9.42"
    play(game, Placement(by="Renown", role=Role.REINFORCEMENT, edge=5, heading=2))


def test_nobody_moves_into_an_enemy() -> None:
    game = battle(("Bismarck", "german", at(0, 0)), ("Hood", "british", at(0, -1)))
    assert rule(game, Movement(by="Bismarck", hexes=1)) == "9.55"
    assert rule(game, Movement(by="Bismarck", hexes=2)) == "9.55"
    play(game, Movement(by="Bismarck", hexes=1, turn=1))


def test_a_move_counts_once_a_round() -> None:
    game = play(battle(("Bismarck", "german", at(0, 0))), Movement(by="Bismarck"))
    assert rule(game, Movement(by="Bismarck")) == "9.51"
    assert play(play(game, NextRound()), Movement(by="Bismarck")).state.marks["Bismarck"].row == -2


def test_a_sunk_enemy_is_in_nobodys_way() -> None:
    game = battle(("Bismarck", "german", at(0, 0)), ("Hood", "british", at(0, -1, midships_hits=7)))
    assert play(game, Movement(by="Bismarck")).state.marks["Bismarck"].row == -1


# Withdrawal


def test_a_withdrawing_ship_may_not_come_nearer() -> None:
    game = battle(
        ("Prinz Eugen", "german", at(0, 0)), ("Norfolk", "british", at(0, -4, evasion_lost=5))
    )
    game = play(game, Withdrawal(by="Prinz Eugen"))
    assert rule(game, Withdrawal(by="Prinz Eugen")) == "9.99"
    assert rule(game, Movement(by="Prinz Eugen")) == "9.96"
    play(game, Movement(by="Prinz Eugen", hexes=0, turn=3))


def test_a_larger_ship_is_not_held_by_a_smaller_one() -> None:
    cruiser = ("Norfolk", "british", at(0, -4))
    play(battle(("Bismarck", "german", at(0, 0)), cruiser), Withdrawal(by="Bismarck"))
    equal = battle(("Prinz Eugen", "german", at(0, 0)), cruiser)
    assert rule(equal, Withdrawal(by="Prinz Eugen")) == "9.93"
    far = battle(("Prinz Eugen", "german", at(0, 0)), ("Norfolk", "british", at(0, -7)))
    play(far, Withdrawal(by="Prinz Eugen"))


def test_who_has_become_slower_withdraws_no_more() -> None:
    game = battle(
        ("Prinz Eugen", "german", at(0, 0, 4, withdrawing=True, midships_hits=1, evasion_lost=3)),
        ("Norfolk", "british", at(0, -4)),
    )
    game = play(game, WithdrawalMove(by="Prinz Eugen"))
    assert [type(event) for event in game.played[-1].events[1:]] == [WithdrawalEnded]
    assert not game.state.marks["Prinz Eugen"].withdrawing
    assert game.state.marks["Prinz Eugen"].row == 0


def test_a_bonus_move_beyond_six_hexes_is_away() -> None:
    game = battle(
        ("Prinz Eugen", "german", at(0, 2, 4, withdrawing=True)), ("Repulse", "british", at(0, -4))
    )
    game = play(game, WithdrawalMove(by="Prinz Eugen"))
    assert any(isinstance(event, Departed) for event in game.played[-1].events)
    assert RULEBOOK.status(game.state, "Prinz Eugen") is ShipStatus.WITHDRAWN
    assert rule(game, Movement(by="Prinz Eugen")) == "9.97"


# Fire


def test_range_sector_and_side_come_from_the_board() -> None:
    game = battle(("Bismarck", "german", at(0, 0, 6)), ("Hood", "british", at(4, -4, 5)))
    assert RULEBOOK.check(game.state, Gunfire(by="Bismarck", at="Hood")).factor == 7
    assert RULEBOOK.check(game.state, Gunfire(by="Hood", at="Bismarck")).factor == 2
    stated = Gunfire(by="Hood", at="Bismarck", hexes=1, sector=Sector.PORT)
    assert RULEBOOK.check(game.state, stated).factor == 11


def test_salvos_are_shared_between_targets() -> None:
    game = battle(("Bismarck", "german", {}), ("Hood", "british", {}), ("Renown", "british", {}))
    game = play(
        game, Gunfire(by="Bismarck", at="Hood", bow=4, stern=0, secondary=0), f"{MISS} {MISS}"
    )
    assert (
        RULEBOOK.check(game.state, Gunfire(by="Bismarck", at="Renown")).factor == (3 + 7 + 3) // 2
    )
    game = play(game, Gunfire(by="Bismarck", at="Renown"), " ".join([MISS] * 6))
    assert rule(game, Gunfire(by="Bismarck", at="Hood")) == "9.63"
    assert (
        RULEBOOK.check(play(game, NextRound()).state, Gunfire(by="Bismarck", at="Hood")).factor == 8
    )


def test_turrets_fail_once_a_round() -> None:
    game = battle(
        ("King George V", "british", {}), ("Bismarck", "german", {}), ("Tirpitz", "german", {})
    )
    game = play(
        game, Gunfire(by="King George V", at="Bismarck", bow=2, stern=0, secondary=0), f"6 2 {MISS}"
    )
    assert game.state.marks["King George V"].reduced is Reduction.BOW
    # Half of 7 are 3 bow salvos, 2 of them fired; 5 and 2 besides.
    game = play(game, Gunfire(by="King George V", at="Tirpitz"), " ".join([MISS] * 4))
    assert play(game, NextRound()).state.marks["King George V"].reduced is Reduction.NOT_ROLLED


def test_the_third_turret_follows_the_target_of_the_bow_turrets() -> None:
    game = battle(("Rodney", "british", {}), ("Bismarck", "german", {}), ("Tirpitz", "german", {}))
    bow = Gunfire(by="Rodney", at="Bismarck", hexes=3, stern=0, secondary=0)
    third = Gunfire(by="Rodney", at="Tirpitz", hexes=5, bow=0)
    near = play(game, bow, " ".join([MISS] * 4))
    assert near.state.marks["Rodney"].bow_in_a_range
    # Half of 4 salvos at a target in B range, halved by range.
    assert RULEBOOK.check(near.state, third).factor == 1
    near = play(near, third, MISS)
    assert rule(near, third) == "9.63"
    assert RULEBOOK.check(play(near, NextRound()).state, third).factor == 2
    far = play(game, replace(bow, hexes=5), " ".join([MISS] * 4))
    at_three = replace(third, hexes=3, secondary=0)
    assert RULEBOOK.check(far.state, at_three).factor == 2


def test_bow_turrets_may_not_make_good_what_the_third_turret_fired() -> None:
    game = battle(("Rodney", "british", {}), ("Bismarck", "german", {}), ("Tirpitz", "german", {}))
    game = play(game, Gunfire(by="Rodney", at="Tirpitz", hexes=5, bow=0), f"{MISS} {MISS}")
    assert rule(game, Gunfire(by="Rodney", at="Bismarck", hexes=3)) == "9.82"
    assert RULEBOOK.check(game.state, Gunfire(by="Rodney", at="Bismarck", hexes=5)).factor == 4


def test_a_ship_sunk_in_this_round_still_fires_but_is_fired_at_no_more() -> None:
    game = battle(("Rodney", "british", {}), ("Bismarck", "german", {"midships_hits": 9}))
    shot = Gunfire(by="Rodney", at="Bismarck", bow=2, stern=0, secondary=0)
    game = play(game, shot, "46")
    assert any(isinstance(event, Sunk) for event in game.played[-1].events)
    assert rule(game, shot) == "9.714"
    answer = Gunfire(by="Bismarck", at="Rodney", bow=2, stern=0, secondary=0)
    game = play(game, answer, MISS)
    assert rule(play(game, NextRound()), answer) == "9.714"


def test_ammunition_of_a_round_is_paid_once() -> None:
    game = battle(("Bismarck", "german", {}), ("Hood", "british", {}), ("Renown", "british", {}))
    part: dict[str, Any] = {"level": Level.INTERMEDIATE, "stern": 0, "secondary": 0}
    game = play(game, Gunfire(by="Bismarck", at="Hood", bow=2, **part), MISS)
    game = play(game, Gunfire(by="Bismarck", at="Renown", bow=2, **part), MISS)
    assert game.state.marks["Bismarck"].ammunition_spent == 1
    near = Gunfire(by="Bismarck", at="Hood", hexes=1, level=Level.INTERMEDIATE, bow=0)
    game = play(game, near, " ".join([MISS] * 10))
    assert game.state.marks["Bismarck"].ammunition_spent == 2


def test_damage_from_the_air_counts_at_once() -> None:
    game = battle(("Bismarck", "german", {}), ("Hood", "british", {}))
    bombs = AirAttack(at="Hood", bomber=Bomber.DIVE, planes=1, antiaircraft=0)
    game = play(game, bombs, "1 6")
    assert rule(game, Gunfire(by="Hood", at="Bismarck")) == "9.714"


def test_two_fires_are_forecast_together() -> None:
    game = battle(
        ("Bismarck", "german", {}), ("Prinz Eugen", "german", {}), ("Hood", "british", {})
    )
    fires = [Gunfire(by=name, at="Hood") for name in ("Bismarck", "Prinz Eugen")]
    both = RULEBOOK.forecast(game.state, fires)
    alone = [RULEBOOK.forecast(game.state, [each]) for each in fires]
    assert sum(both.hits.values()) == pytest.approx(1)
    assert both.expected_hits == pytest.approx(sum(each.expected_hits for each in alone))
    assert both.outcomes["sunk"] > max(each.outcomes["sunk"] for each in alone)
    assert both.provenance is Provenance.RECONSTRUCTED


# Flotillas and reinforcements


def test_a_flotilla_fires_no_salvo_twice() -> None:
    game = battle(("1st Flotilla", "british", {}), ("Bismarck", "german", {}))
    all_miss = " ".join(["66"] * 12)
    game = play(game, FlotillaAttack(by="1st Flotilla", at="Bismarck"), all_miss)
    assert rule(game, FlotillaAttack(by="1st Flotilla", at="Bismarck")) == "23.44"


def test_a_flotilla_may_be_shot_away_before_it_fires() -> None:
    game = battle(("1st Flotilla", "british", {"destroyers_lost": 5}), ("Bismarck", "german", {}))
    game = play(game, FlotillaAttack(by="1st Flotilla", at="Bismarck", defensive_fires=3), "11 1")
    assert RULEBOOK.status(game.state, "1st Flotilla") is ShipStatus.SUNK


def test_reinforcements_count_the_rounds_and_attempts_of_the_fight() -> None:
    game = battle(("Repulse", "british", {}), ("Bismarck", "german", {}))
    assert rule(game, Reinforcement(by="Repulse")) == "9.41"
    game = play(play(game, NextRound()), NextRound())
    game = play(game, Reinforcement(by="Repulse"), "2")
    game = play(game, Reinforcement(by="Repulse"), "2")
    assert [event.kind for event in game.played[-1].events][-1] == "entered"


# Marks and values


@pytest.mark.parametrize(
    "marks",
    [
        {"midships_hits": 11},
        {"bow_hits": 8},
        {"column": 1},
        {"evasion_lost_for_good": 1},
        {"destroyers_lost": 1},
    ],
)
def test_more_marks_than_she_has_boxes(marks: dict[str, Any]) -> None:
    with refused(BadField):
        battle(("Bismarck", "german", marks))


def test_an_owners_cell_changes_the_fire() -> None:
    overlay = Overlay(BOARD.name, {("fire_a", "7", "broadside"): "midships:1"})
    rulebook = BattleBoardRulebook(BOARD.tables.with_overlay(overlay), BOARD.ships)
    game = battle(("Bismarck", "german", {}), ("Hood", "british", {}))
    shot = Gunfire(by="Bismarck", at="Hood", bow=2, stern=0, secondary=0)
    after = rulebook.play(game.state, shot, TypedDice(MISS)).state
    assert after.marks["Hood"].midships_hits == 1


def test_the_pad_of_the_board_is_the_shared_one() -> None:
    assert BOARD.tables["hit_record_pad"].cells == load_pad().cells
