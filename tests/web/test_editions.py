"""A battle keeps the edition of the rules that it was begun with."""

from dataclasses import replace
from typing import Any

from combat.library import BUILT_IN, Library
from combat.owner_values import Overlay
from combat.shot_file import ShotForm
from tabletop.errors import DreyerError
from tests.refusals import refused
from web.games.free_game import rulebook_for
from web.journal.free_record import FreeRecord

NAME = "arctic-disaster"


def second_edition() -> Library:
    """A library whose Arctic Disaster has another range modifier, and knows the one before."""
    first = BUILT_IN.get(NAME)
    overlay = Overlay(NAME, {("range_modifiers", "5", "value"): "-1"})
    tables = first.tables.with_overlay(overlay, "edition 2")
    second = replace(first, edition=2, load_tables=lambda: tables, earlier={1: first})
    return BUILT_IN.with_ruleset(second)


def modifier(edition: int) -> int:
    rulebook: Any = rulebook_for(FreeRecord(NAME, edition), second_edition())
    document = {"firer": {"name": "Norfolk"}, "target": {"name": "Hipper"}}
    shot = ShotForm(rulebook).read(document, "shot")
    return int(rulebook.check(shot.state, shot.action).total)


def test_a_battle_is_played_by_the_edition_of_its_beginning() -> None:
    assert modifier(1) == -2
    assert modifier(2) == -1


def test_an_edition_that_is_not_known_is_refused_in_words() -> None:
    with refused(DreyerError, match="edition 3"):
        rulebook_for(FreeRecord(NAME, 3), second_edition())
