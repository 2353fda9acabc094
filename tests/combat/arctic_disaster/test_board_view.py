"""The Surface Combat Display as data: areas, ships on it, and their moves."""

from dataclasses import replace

import pytest

from combat.board_views import RowCell
from combat.dice import TypedDice
from combat.free_play import FreeState
from combat.participants import Ship
from combat.rulebooks import get_ruleset
from combat.rulebooks.arctic_disaster.actions import Disengagement, Gunfire, Marks, Movement
from tabletop.messages import NO_WORDS
from tests.combat.free_battles import add, marked, rulebook_of

RULEBOOK = rulebook_of(get_ruleset("arctic-disaster"))
PLACES = {"Scheer": 6, "Z24": 6, "London": 19, "Merchant ship": 15, "Corvette": 15}
TYPES = {"Z24": "German destroyer"}


def _state(**more: Marks) -> FreeState[Marks]:
    state: FreeState[Marks] = FreeState()
    for name, area in PLACES.items():
        german = name in ("Scheer", "Z24")
        ship = Ship(name, name, "german" if german else "british", TYPES.get(name, name))
        state = add(RULEBOOK, state, ship)
        convoy = True if area == 15 else None
        marks = more.get(name, Marks(area=area, began=1, convoy=convoy))
        state = marked(state, name, marks)
    return state


def test_the_display_has_its_areas_in_a_line() -> None:
    board = RULEBOOK.board(_state())
    assert board is not None
    assert [cell.id for cell in board.cells] == [str(area) for area in range(1, 25)]
    assert board.cell("24").place == RowCell(7, 2)  # type: ignore[union-attr]
    assert {piece.ship: piece.cell for piece in board.pieces} == {
        name: str(area) for name, area in PLACES.items()
    }


def test_a_cruiser_moves_four_areas_and_a_destroyer_lays_smoke() -> None:
    state = _state()
    cruiser = RULEBOOK.board_moves(state, "Scheer")
    assert cruiser.reached == {"2", "3", "4", "5", "7", "8", "9", "10"}
    assert cruiser.cost("10") == 4
    (refused,) = cruiser.to("11")
    assert (refused.forbidden.code, refused.rule) == ("arctic.refused.too_far", "11.4.3")
    (smoke,) = RULEBOOK.board_moves(state, "Z24").to("6")
    assert smoke.action == Movement(by="Z24", smoke_laid=True)


def test_smoke_is_drawn_where_it_was_laid() -> None:
    laid = replace(Marks(area=6, began=1), smoke_area=6)
    board = RULEBOOK.board(_state(Z24=laid))
    assert [mark.cell for mark in board.marks] == ["6"]  # type: ignore[union-attr]
    assert RULEBOOK.board_moves(_state(Z24=laid), "Z24").reached == frozenset()


def test_the_convoy_moves_as_one_at_the_speed_of_its_slowest() -> None:
    state = _state()
    moves = RULEBOOK.board_moves(state, "Corvette")
    slowest = min(
        len(RULEBOOK.board_moves(_state(**{ship: Marks(area=15, began=1)}), ship).reached)
        for ship in ("Merchant ship", "Corvette")
    )
    assert len(moves.reached) == slowest
    (move,) = moves.to("16")
    assert move.action is not None
    after = RULEBOOK.play(state, move.action, TypedDice("")).state
    assert [after.marks[ship].area for ship in ("Merchant ship", "Corvette")] == [16, 16]
    assert after.marks["London"].area == 19


def test_a_sunk_ship_lies_there_and_goes_nowhere() -> None:
    sunk = Marks(area=6, began=1, damage=4)
    state = _state(Scheer=sunk)
    board = RULEBOOK.board(state)
    assert board is not None
    assert board.piece("Scheer") is not None
    assert RULEBOOK.board_moves(state, "Scheer").moves == ()


def test_the_board_says_when_one_side_is_sunk() -> None:
    sunk = {
        ship: Marks(area=6, began=1, damage=damage) for ship, damage in (("Scheer", 4), ("Z24", 2))
    }
    for state, ended in ((_state(), False), (_state(**sunk), True)):
        board = RULEBOOK.board(state)
        assert board is not None
        assert bool(board.ended.code != NO_WORDS.code) is ended
    # Then the combat ends without a die, and all ships leave the display.
    after = RULEBOOK.play(_state(**sunk), Disengagement(), TypedDice("")).state
    assert {marks.area for marks in after.marks.values()} == {None}


@pytest.mark.parametrize(("round_number", "dice"), [(1, "0"), (4, "7"), (8, "")])
def test_disengagement_counts_the_rounds_of_this_combat(round_number: int, dice: str) -> None:
    """A combat that began in round 3 of the fight; the eighth round needs no die (11.4.9)."""
    marks = {ship: Marks(area=area, began=3) for ship, area in PLACES.items()}
    state = replace(_state(**marks), round_number=2 + round_number)
    after = RULEBOOK.play(state, Disengagement(), TypedDice(dice)).state
    assert after.marks["London"].area is None


def test_after_eight_rounds_nobody_fires() -> None:
    marks = {ship: Marks(area=area, began=1) for ship, area in PLACES.items()}
    state = replace(_state(**marks), round_number=9)
    preview = RULEBOOK.check(state, Gunfire(kind="main", by="Scheer", at="London"))
    assert preview.forbidden is not None
    assert (preview.forbidden.code, preview.rule) == ("arctic.refused.rounds_over", "11.4.9")


def test_the_weather_and_the_range_are_not_asked_for_on_the_display() -> None:
    state = _state()
    info = RULEBOOK.info_by_kind["main"]
    by, at = state.ship("Scheer"), state.ship("London")
    asked = {each.name for each in RULEBOOK.questions_for(info, by, at, state=state)}
    assert asked == {"tactical"}
    off = {each.name for each in RULEBOOK.questions_for(info, by, at)}
    assert {"range_areas", "moved", "later_firer", "smoke", "fog"} <= off
