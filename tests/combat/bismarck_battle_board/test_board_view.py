"""The battle board as data: hexes, ships on them, and their moves."""

from combat.board_views import BoardView, HexCell
from combat.free_play import FreeState
from combat.participants import Ship
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_battle_board.actions import Marks, Movement
from tests.combat.free_battles import add, marked, rulebook_of

RULEBOOK = rulebook_of(get_ruleset("bismarck-battle-board"))


def _state(**marks: Marks) -> FreeState[Marks]:
    state: FreeState[Marks] = FreeState()
    for name, written in marks.items():
        side = "german" if name == "Bismarck" else "british"
        state = add(RULEBOOK, state, Ship(name, name, side, name))
        state = marked(state, name, written)
    return state


def _board(state: FreeState[Marks]) -> BoardView:
    board = RULEBOOK.board(state)
    assert board is not None
    return board


def test_the_printed_board_reaches_six_hexes_from_its_centre() -> None:
    board = _board(_state(Bismarck=Marks(column=0, row=0, heading=1)))
    assert len(board.cells) == 127
    assert board.cell("6,-6").place == HexCell(6, -6)  # type: ignore[union-attr]
    assert board.cell("6,1") is None


def test_imaginary_hexes_are_drawn_where_a_ship_left_it() -> None:
    board = _board(_state(Bismarck=Marks(column=8, row=0, heading=3)))
    assert board.cell("8,0") is not None
    assert {cell.tint for cell in board.cells} == {0, 1}
    assert board.piece("Bismarck").facing_deg == 120.0  # type: ignore[union-attr]


def test_bismarck_at_evasion_29_moves_by_the_chart() -> None:
    state = _state(Bismarck=Marks(column=0, row=0, heading=1))
    moves = RULEBOOK.board_moves(state, "Bismarck")
    # Two hexes with one change of direction: straight on, or bent at either end.
    assert moves.cost("0,-2") == 2
    assert moves.cost("1,-2") == 2
    assert moves.cost("0,-1") == 1
    # Behind her she may not go.
    (behind,) = moves.to("0,1")
    assert (behind.rule, behind.allowed) == ("9.53", False)
    (far,) = moves.to("0,-5")
    assert far.forbidden.code == "board.refused.too_far"


def test_turns_alone_cost_no_hex_and_each_heading_is_offered_once() -> None:
    state = _state(Bismarck=Marks(column=0, row=0, heading=1))
    turns = RULEBOOK.board_moves(state, "Bismarck").to("0,0")
    assert all(move.cost == 0 for move in turns)
    found = [move.action.turn for move in turns if isinstance(move.action, Movement)]
    assert sorted(map(abs, found)) == [1, 1, 2, 2, 3]


def test_a_hex_of_an_enemy_is_refused_with_its_rule() -> None:
    state = _state(
        Bismarck=Marks(column=0, row=0, heading=1), Hood=Marks(column=0, row=-1, heading=4)
    )
    (move,) = RULEBOOK.board_moves(state, "Bismarck").to("0,-1")[:1]
    assert (move.allowed, move.rule) == (False, "9.55")


def test_who_has_moved_moves_no_more_and_who_withdrew_is_gone() -> None:
    state = _state(
        Bismarck=Marks(column=0, row=0, heading=1, moved=True),
        Hood=Marks(column=0, row=-6, heading=1, withdrawn=True),
    )
    board = _board(state)
    assert [piece.ship for piece in board.pieces] == ["Bismarck"]
    assert board.next_ship == ""
    assert RULEBOOK.board_moves(state, "Bismarck").reached == frozenset()
    refusal = RULEBOOK.board_moves(state, "Bismarck").refusal
    assert refusal is not None
    assert RULEBOOK.board_moves(state, "Hood").moves == ()
