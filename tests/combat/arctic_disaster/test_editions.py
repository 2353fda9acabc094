"""A fight that was begun with edition 1 knows no display and keeps no rounds."""

from combat.dice import TypedDice
from combat.free_play import FreeState
from combat.participants import Ship
from combat.rulebooks import get_ruleset
from combat.rulebooks.arctic_disaster.actions import AirAttack, Gunfire, Marks
from tests.combat.free_battles import add, rulebook_of

ARCTIC = get_ruleset("arctic-disaster")
FIRST = rulebook_of(ARCTIC.of_edition(1))
DISPLAY = {"deploy", "support", "adjust", "scatter"}
SEGMENTS = {"main-target", "secondary-target", "submerge"}


def _state() -> FreeState[Marks]:
    state: FreeState[Marks] = FreeState()
    for name, side in (("Scheer", "german"), ("Victorious", "british")):
        state = add(FIRST, state, Ship(name, name, side, name))
    return state


def test_edition_1_has_neither_the_display_nor_its_table() -> None:
    assert ARCTIC.edition == 3
    assert (DISPLAY | SEGMENTS) & set(FIRST.info_by_kind) == set()
    assert set(rulebook_of(ARCTIC).info_by_kind) >= DISPLAY
    names = {table.name for table in ARCTIC.of_edition(1).tables}
    assert {table.name for table in ARCTIC.tables} - names == {"deployment", "victory_points"}
    assert FIRST.board(_state()) is None
    assert {offer.kind for offer in FIRST.offers("Scheer")} == {
        "main", "secondary", "torpedoes", "antiaircraft", "move",
    }  # fmt: skip


def test_edition_1_marks_hits_alone() -> None:
    state = _state()
    fire = Gunfire(kind="main", by="Scheer", at="Victorious", range_areas=5)
    for _ in range(2):
        state = FIRST.play(state, fire, TypedDice("1")).state
    state = FIRST.play(state, AirAttack(at="Victorious", target_fires=False), TypedDice("1")).state
    assert set(state.marks.values()) == {Marks()}
