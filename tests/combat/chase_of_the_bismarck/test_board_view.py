"""The Battle Board as a page draws it: cells, counters, and where a ship may go (10, step 4)."""

from dataclasses import replace
from typing import Any

from combat.board_views import BoardMoves, RowCell
from combat.dice import TypedDice
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.rulebooks import get_ruleset
from combat.rulebooks.chase_of_the_bismarck.actions import Movement
from combat.rulebooks.chase_of_the_bismarck.board import Position
from tabletop.messages import NO_WORDS
from tests.combat.free_battles import marked, rulebook_of

RULEBOOK = rulebook_of(get_ruleset("chase-of-the-bismarck"))
SHIPS = ("Bismarck", "Hood", "Norfolk")


def _state(*actions: dict[str, Any], visibility: int = 4) -> FreeState[Any]:
    start = {"action": "start", "answers": {"visibility": visibility, "attackers": "german"}}
    document = {"ship": [{"name": name} for name in SHIPS], "action": [start, *actions]}
    return play_fight(RULEBOOK, document, "fight").state


def _move(ship: str, position: str, zones: int = 0) -> dict[str, Any]:
    return {"action": "move", "by": ship, "answers": {"new_position": position, "zones": zones}}


def _moves(state: FreeState[Any], ship: str) -> BoardMoves:
    return RULEBOOK.board_moves(state, ship)


def test_nine_sea_zones_of_three() -> None:
    view = RULEBOOK.board(_state())
    assert view is not None
    assert [cell.id for cell in view.cells] == [str(zone) for zone in range(1, 28)]
    assert view.cells[26].place == RowCell(8, 2)
    assert len(view.rows) == 9


def test_counters_stand_and_point_where_the_start_puts_them() -> None:
    view = RULEBOOK.board(_state())
    assert view is not None
    places = {piece.ship: (piece.cell, piece.facing_deg) for piece in view.pieces}
    # The attackers close from their fourth zone, the defenders break off in theirs.
    assert places == {"Bismarck": ("4", 180.0), "Hood": ("24", 180.0), "Norfolk": ("24", 180.0)}
    assert view.next_ship == "Hood"


def test_no_ship_is_on_the_board_before_a_start() -> None:
    document = {"ship": [{"name": name} for name in SHIPS], "action": []}
    view = RULEBOOK.board(play_fight(RULEBOOK, document, "fight").state)
    assert view is not None
    assert (view.pieces, view.setup, view.next_ship) == ((), "start", "")


def test_a_ship_reaches_as_many_zones_as_the_movement_table_gives() -> None:
    moves = _moves(_state(), "Bismarck")
    # Evasion 30: three zones either way.
    assert moves.reached == {str(zone) for zone in range(1, 8)}
    assert [moves.cost(cell) for cell in ("7", "4", "1", "8")] == [3, 0, 3, None]
    stays = [move.action for move in moves.to("4")]
    assert [action.new_position for action in stays if isinstance(action, Movement)] == [
        Position.CLOSING, Position.OPENING, Position.BREAKING_OFF,
    ]  # fmt: skip
    (far,) = moves.to("8")
    assert (far.forbidden.code, far.rule) == ("chase.refused.too_far", "10, Movement Table")


def test_every_move_can_be_played_and_leads_to_its_zone() -> None:
    state = _state()
    for ship in SHIPS:
        for move in _moves(state, ship).moves:
            if move.action is not None:
                after = RULEBOOK.play(state, move.action, TypedDice("")).state
                view = RULEBOOK.board(after)
                piece = view.piece(ship) if view else None
                assert piece is not None
                assert piece.cell == move.cell, move


def test_beyond_the_edge_the_board_shifts_and_she_stays_at_it() -> None:
    moves = _moves(_state(visibility=2), "Bismarck")
    # Zone 1 is one zone astern: the second and third take all others along.
    astern = [move for move in moves.to("1") if move.cost]
    assert [move.cost for move in astern] == [1, 2, 3]
    assert [move.title.code for move in astern] == [
        "chase.board.moves", "chase.board.shifts", "chase.board.shifts",
    ]  # fmt: skip


def test_who_has_moved_may_go_nowhere() -> None:
    state = _state(_move("Hood", "closing", 1))
    moves = _moves(state, "Hood")
    assert moves.reached == frozenset()
    assert moves.refusal is not None
    assert moves.refusal.forbidden.code == "chase.refused.moved"
    assert _moves(state, "Bismarck").reached


def test_a_rudder_keeps_her_where_she_is() -> None:
    document = {
        "ship": [{"name": "Bismarck", "state": {"rudder_damaged": True}}, {"name": "Hood"}],
        "action": [{"action": "start", "answers": {"visibility": 4, "attackers": "german"}}],
    }
    moves = RULEBOOK.board_moves(play_fight(RULEBOOK, document, "fight").state, "Bismarck")
    assert moves.reached == {"4"}
    assert moves.to("5")[0].forbidden.code == "chase.refused.rudder"


def test_a_sunk_ship_lies_where_she_was() -> None:
    state = _state()
    hull = RULEBOOK.record_sheet(state.ship("Hood"), state.marks["Hood"]).parts[0].total
    document = {
        "ship": [{"name": "Bismarck"}, {"name": "Hood", "state": {"hull_lost": int(hull)}}],
        "action": [],
    }
    start = RULEBOOK.board(play_fight(RULEBOOK, document, "fight").state)
    assert start is not None
    assert start.pieces == ()
    assert _moves(play_fight(RULEBOOK, document, "fight").state, "Hood").moves == ()


def test_the_board_says_when_one_side_has_sunk_or_left() -> None:
    sunk = {"hull_lost": 12}
    document = {
        "ship": [{"name": "Bismarck", "state": sunk}, {"name": "Prinz Eugen"}, {"name": "Hood"}],
        "action": [{"action": "start", "answers": {"visibility": 4, "attackers": "german"}}],
    }
    state = play_fight(RULEBOOK, document, "fight").state
    going = RULEBOOK.board(state)
    gone = marked(state, "Hood", replace(state.marks["Hood"], aborted=True))
    over = RULEBOOK.board(gone)
    assert going is not None
    assert over is not None
    assert going.ended == NO_WORDS
    assert over.ended.code == "chase.board.ended"
