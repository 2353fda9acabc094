"""Record sheets: every row of boxes of a card, and what the marks have taken from it."""

import pytest

from combat.record_sheets import RecordSheet
from combat.rulebooks.grand_fleets import load
from combat.rulebooks.grand_fleets.card_file import load_cards
from tabletop.errors import DreyerError
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused
from web.strings import words

DESK = ShotRunner(load())


def sheet(kind: str, **state: object) -> RecordSheet:
    return DESK.sheet("She", kind, "blue", state)


def test_a_fresh_sheet() -> None:
    found = sheet("Sample cruiser")
    assert (found.ship, found.type, found.ship_class, found.side) == (
        "She", "Sample cruiser", "CA", "blue",
    )  # fmt: skip
    assert (found.status, found.trouble) == ("in action", 0.0)
    assert words(found.glance) == "sound, 12 of 12 hull boxes left, speed 7"
    parts = {part.key: (part.kind, part.total, part.lost) for part in found.parts}
    assert parts == {
        "hull": ("hull", 12, 0),
        "speed": ("speed", 5, 0),
        "guns 1": ("turret", 5, 0),
        "anti_air": ("secondary", 3, 0),
        "torpedoes_P": ("torpedoes", 3, 0),
        "torpedoes_S": ("torpedoes", 3, 0),
        "flag": ("conning_tower", 1, 0),
    }
    assert not any(part.words or part.destroyed for part in found.parts)
    assert {part.unit for part in found.parts} == {"boxes"}


def test_marks_show() -> None:
    found = sheet(
        "Sample cruiser", hull_lost=5, speed_lost=2, dice_lost={"guns 1": 2, "anti_air": 3},
        torpedoes_fired={"P": 3, "S": 1}, out_of_command=True, checks_due=1,
    )  # fmt: skip
    parts = {part.key: part for part in found.parts}
    assert (parts["hull"].lost, words(parts["hull"].words)) == (5, "damaged")
    assert (parts["speed"].lost, words(parts["speed"].words)) == (2, "speed 4")
    assert words(parts["guns 1"].words) == "6 dice at full strength"
    assert (parts["anti_air"].destroyed, words(parts["anti_air"].words)) == (True, "out of action")
    assert (parts["torpedoes_P"].destroyed, words(parts["torpedoes_S"].words)) == (
        True,
        "2 of 3 left",
    )
    assert parts["torpedoes_P"].details.labels == ("P2", "P")
    assert words(parts["flag"].words) == "out of command"
    assert words(found.glance) == (
        "damaged, 7 of 12 hull boxes left, speed 4, out of command, damage checks to roll"
    )
    assert found.trouble == pytest.approx(5 / 12)


def test_sunk() -> None:
    found = sheet("Sample cruiser", hull_lost=12)
    assert (found.status, found.trouble, words(found.glance)) == ("sunk", 1.0, "sunk")
    assert found.parts[0].destroyed
    left = sheet("Sample cruiser", left_table=True)
    assert (left.status, words(left.glance)) == ("withdrawn", "has left the table")


def test_every_card_has_a_sheet_and_gaps_show() -> None:
    for card in load_cards():
        found = sheet(card.name)
        assert found.parts[0].details.gaps == card.gaps
    assert words(sheet("Pensacola").glance) == "sound, 11 of 11 hull boxes left"


def test_wrong_marks() -> None:
    with refused(DreyerError, match="unknown key 'hull'"):
        sheet("Iron Duke", hull=3)
    with refused(DreyerError, match="unknown ship 'Hood'"):
        sheet("Hood")
