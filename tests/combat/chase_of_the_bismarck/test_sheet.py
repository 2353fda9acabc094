"""Ship Cards as data for a drawing."""

from collections.abc import Mapping

import pytest

from combat.record_sheets import RecordSheet, SheetPart
from combat.rulebooks.chase_of_the_bismarck import load
from tabletop.errors import BadField
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused
from web.strings import words

CHASE = load()
DESK = ShotRunner(CHASE)


def sheet(ship: str, **state: object) -> RecordSheet:
    return DESK.sheet("The lady", ship, "German", state)


def parts(drawn: RecordSheet) -> Mapping[str, SheetPart]:
    return {part.key: part for part in drawn.parts}


def test_a_whole_ship() -> None:
    drawn = sheet("prinz eugen")
    assert (drawn.ship, drawn.type, drawn.ship_class) == ("The lady", "Prinz Eugen", "CA")
    assert (drawn.status, drawn.trouble, words(drawn.glance)) == ("in action", 0.0, "unharmed")
    assert [(part.kind, part.total) for part in drawn.parts] == [
        ("hull", 5), ("turret", 3), ("turret", 3), ("torpedoes", 12), ("speed", 32),
        ("director", 1), ("radar", 1), ("rudder", 1),
    ]  # fmt: skip
    assert not any(part.lost or part.words for part in drawn.parts)
    assert words(parts(drawn)["evasion"].title) == "Evasion, moves 4 movement zones"


def test_a_ship_in_trouble() -> None:
    drawn = sheet(
        "Prinz Eugen", hull_lost=2, bow_lost=3, evasion_lost=5, fuel_lost=3, torpedoes_used=4,
        radar_damaged=True,
    )  # fmt: skip
    found = parts(drawn)
    assert words(found["evasion"].words) == "27 of 32 left, moves 3 movement zones"
    assert found["bow"].destroyed
    assert (found["torpedoes"].lost, words(found["radar"].words)) == (4, "damaged")
    assert drawn.trouble == pytest.approx(0.4)
    assert drawn.glance.code == "chase.glance.fuel"
    assert drawn.glance["fuel"] == 3


@pytest.mark.parametrize(
    ("state", "status"),
    [({"hull_lost": 5}, "sunk"), ({"aborted": True}, "withdrawn"), ({}, "in action")],
)
def test_what_has_become_of_her(state: dict[str, object], status: str) -> None:
    assert sheet("Prinz Eugen", **state).status == status


def test_a_ship_without_a_rudder_keeps_her_evasion_for_later() -> None:
    speed = parts(sheet("Prinz Eugen", rudder_damaged=True))["evasion"]
    assert (speed.lost, words(speed.words)) == (0, "moves 0 movement zones")


def test_every_ship_has_a_sheet_and_no_more_marks_than_boxes() -> None:
    for ship in CHASE.ships:
        assert {"hull", "speed"} <= {part.kind for part in sheet(ship.name).parts}
    with refused(BadField, match="hull_lost: expected a whole number from 0 to 5, got 6"):
        sheet("Prinz Eugen", hull_lost=6)
