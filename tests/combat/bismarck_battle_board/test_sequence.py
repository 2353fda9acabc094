"""The sequence of a combat on the board, and the turns between combats."""

from typing import Any

from combat.actions import NextRound
from combat.events import Departed
from combat.participants import ShipStatus
from combat.rulebooks.bismarck_battle_board.actions import (
    BreakOff,
    EvasionRepair,
    Gunfire,
    Level,
    Marks,
    Movement,
    NewTurn,
    Placement,
    Reduction,
    Refuelling,
    Reinforcement,
    Repair,
    RepairSection,
    Role,
    Torpedoes,
    Withdrawal,
)
from tests.combat.bismarck_battle_board.test_battle import (
    MISS,
    RULEBOOK,
    Battle,
    at,
    battle,
    play,
    rule,
)

BISMARCK = ("Bismarck", "german", at(0, 0))
HOOD = ("Hood", "british", at(5, -5, 5, attacker=True))


def strait() -> Battle:
    """The slow Rodney and the Hood attack the Bismarck."""
    return battle(BISMARCK, HOOD, ("Rodney", "british", at(6, -5, 5, attacker=True)))


# Movement


def test_the_slowest_moves_first_or_stays() -> None:
    game = play(strait(), Movement(by="Hood"))
    assert rule(game, Movement(by="Rodney")) == "9.31"
    play(play(strait(), Movement(by="Rodney")), Movement(by="Hood"))


def test_of_equals_those_who_attack_move_first() -> None:
    game = play(strait(), Movement(by="Bismarck"))
    assert rule(game, Movement(by="Hood")) == "9.31"
    play(play(strait(), Movement(by="Hood")), Movement(by="Bismarck"))


def test_nobody_moves_once_guns_have_fired() -> None:
    game = play(strait(), Gunfire(by="Hood", at="Bismarck", bow=2), MISS)
    assert rule(game, Movement(by="Bismarck")) == "9.31"
    play(play(game, NextRound()), Movement(by="Bismarck"))


def test_ships_without_places_keep_no_order() -> None:
    game = battle(("Bismarck", "german", {}), ("Hood", "british", {}))
    game = play(game, Gunfire(by="Hood", at="Bismarck", bow=2, stern=0, secondary=0), MISS)
    play(game, Movement(by="Bismarck"))


def test_withdrawal_is_stated_before_anybody_moves() -> None:
    game = battle(BISMARCK, ("Rodney", "british", at(0, -4)))
    play(game, Withdrawal(by="Bismarck"))
    moved = play(game, Movement(by="Rodney", hexes=0, turn=1))
    assert rule(moved, Withdrawal(by="Bismarck")) == "9.94"


def test_who_avoids_torpedoes_moves_first_and_turns() -> None:
    game = battle(
        ("Prinz Eugen", "german", at(0, 0)),
        ("Hood", "british", at(2, -2)),
        ("Rodney", "british", at(6, -6)),
    )
    game = play(game, Torpedoes(by="Prinz Eugen", at="Hood", avoids=True), "11")
    assert not game.state.firing["Hood"].avoids_torpedoes
    game = play(game, NextRound())
    assert rule(game, Movement(by="Hood", hexes=2)) == "19.5"
    slower_first = play(game, Movement(by="Rodney", hexes=0))
    assert rule(slower_first, Movement(by="Hood", hexes=1, turn=1)) == "9.31"
    game = play(game, Movement(by="Hood", hexes=1, turn=1))
    assert not game.state.marks["Hood"].avoids_torpedoes


# Fire


def test_defenders_fire_after_all_attackers() -> None:
    game = battle(BISMARCK, ("Hood", "british", at(3, -3, 5, attacker=True)))
    game = play(game, Gunfire(by="Bismarck", at="Hood", bow=2, stern=0, secondary=0), MISS)
    assert rule(game, Gunfire(by="Hood", at="Bismarck")) == "9.62"
    play(play(game, NextRound()), Gunfire(by="Hood", at="Bismarck", bow=2), MISS)


def test_shots_of_several_fires_count_together_for_ammunition() -> None:
    game = battle(("Bismarck", "german", {}), ("Hood", "british", {}), ("Renown", "british", {}))
    near: dict[str, Any] = {"level": Level.INTERMEDIATE, "hexes": 1, "secondary": 0}
    game = play(game, Gunfire(by="Bismarck", at="Hood", stern=0, **near), " ".join([MISS] * 7))
    assert game.state.marks["Bismarck"].ammunition_spent == 1
    game = play(game, Gunfire(by="Bismarck", at="Renown", bow=0, **near), " ".join([MISS] * 7))
    assert game.state.marks["Bismarck"].ammunition_spent == 2


# Set-up and reinforcements


def test_one_die_for_the_edge_serves_all_attackers() -> None:
    game = battle(BISMARCK, ("Hood", "british", {}), ("Renown", "british", {}))
    game = play(game, Placement(by="Hood", heading=5), "2")
    game = play(game, Placement(by="Renown", hex=1, heading=5))
    marks = game.state.marks["Renown"]
    assert (marks.column, marks.row, marks.edge, marks.attacker) == (6, -5, 2, True)


def test_with_a_rolled_edge_a_reinforcement_takes_the_nearest_allowed_hex() -> None:
    enters = Placement(by="Renown", role=Role.REINFORCEMENT, heading=5)
    near = battle(("Bismarck", "german", at(2, -6)), ("Renown", "british", {}))
    marks = play(near, enters, "2").state.marks["Renown"]
    assert (marks.column, marks.row, marks.attacker) == (6, -4, False)
    beyond = battle(("Bismarck", "german", at(6, -3)), ("Renown", "british", {}))
    marks = play(beyond, enters, "2").state.marks["Renown"]
    assert (marks.column, marks.row) == (9, -9)


def test_in_bad_weather_a_reinforcement_may_enter_nearer() -> None:
    game = battle(("Bismarck", "german", at(1, -1)), ("Renown", "british", {}))
    enters = Placement(
        by="Renown", role=Role.REINFORCEMENT, edge=2, heading=5, level=Level.INTERMEDIATE,
        visibility=7,
    )  # fmt: skip
    assert rule(game, enters) == "18.1"
    far = battle(("Bismarck", "german", at(0, 0)), ("Renown", "british", {}))
    assert play(far, enters).state.marks["Renown"].column == 4


def test_a_reinforcement_is_not_slower_than_every_enemy() -> None:
    game = battle(BISMARCK, ("Rodney", "british", {}))
    game = play(play(game, NextRound()), NextRound())
    assert rule(game, Reinforcement(by="Rodney")) == "9.43"
    play(game, Reinforcement(by="Rodney", accepted=True), "6")


# Breaking off and the next turn


def test_all_ships_break_off_by_agreement() -> None:
    game = play(strait(), BreakOff())
    assert {event.ship for event in game.played[-1].events if isinstance(event, Departed)} == {
        "Bismarck", "Hood", "Rodney",
    }  # fmt: skip
    assert {RULEBOOK.status(game.state, name) for name in ("Bismarck", "Hood")} == {
        ShipStatus.WITHDRAWN
    }
    assert rule(game, BreakOff()) == "9.92"


def test_the_next_turn_clears_the_board_and_keeps_the_damage() -> None:
    marks: dict[str, Any] = {
        "midships_hits": 3, "bow_hits": 2, "evasion_lost": 3, "ammunition_spent": 9,
        "torpedoes_fired": True, "entry_attempts": 2, "bow_salvos": 5, "moved": True,
        "reduced": Reduction.BOW, "round_shots": 3, "round_ammunition": 1,
    }  # fmt: skip
    game = battle(("Bismarck", "german", at(0, 0, **marks)), HOOD)
    game = play(play(play(game, NextRound()), BreakOff()), NewTurn())
    assert game.state.round_number == 1
    assert game.state.marks["Bismarck"] == Marks(
        midships_hits=3, bow_hits=2, evasion_lost=3, ammunition_spent=9, torpedoes_fired=True
    )
    assert game.state.firing == game.state.marks
    assert RULEBOOK.status(game.state, "Hood") is ShipStatus.IN_ACTION


def test_one_repair_of_each_kind_and_one_refuelling_a_turn() -> None:
    hurt: dict[str, Any] = {
        "midships_hits": 3,
        "stern_hits": 3,
        "evasion_lost": 6,
        "ammunition_spent": 12,
    }
    game = battle(("Bismarck", "german", hurt))
    game = play(game, Repair(by="Bismarck"), "4")
    game = play(game, EvasionRepair(by="Bismarck"), "3")
    game = play(game, Refuelling(by="Bismarck"))
    found = game.state.marks["Bismarck"]
    assert (found.midships_hits, found.evasion_lost, found.ammunition_spent) == (2, 4, 4)
    again = Repair(by="Bismarck", section=RepairSection.STERN)
    refused = [again, EvasionRepair(by="Bismarck"), Refuelling(by="Bismarck")]
    assert [rule(game, each) for each in refused] == ["40.1", "9.728", "20.6"]
    game = play(game, NewTurn())
    game = play(game, again, "6")
    assert game.state.marks["Bismarck"].stern_solid == 3
    game = play(game, NewTurn())
    assert rule(game, again) == "40.3"
    in_port = Repair(by="Bismarck", section=RepairSection.STERN, in_port=True)
    found = play(game, in_port).state.marks["Bismarck"]
    assert (found.stern_hits, found.stern_solid) == (1, 0)


def test_a_carrier_defends_herself_and_attacks_nobody() -> None:
    game = battle(("Bismarck", "german", {}), ("Victorious", "british", {}))
    assert rule(game, Placement(by="Victorious")) == "9.221"
    play(game, Placement(by="Victorious", role=Role.DEFENDER))
