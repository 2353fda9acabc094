"""A battle that is to begin: the rulebook checks every value of it, and writes it for a journal."""

import json
from dataclasses import dataclass, replace

import pytest

from combat.guided_actions import Entrant, Opening, StartingConditions, StartingMarks
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from tabletop.errors import DreyerError
from tabletop.table import Base, Pose, SmokeFront
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE
from web.strings import words

HOOD = Entrant(name="Hood", side="british", pose=Pose(0, 0, 90), base=Base(900, 300), number=2)
BISMARCK = Entrant(
    name="Tirpitz",
    type="Bismarck",
    side="german",
    pose=Pose(12_000, 500, 270, 20, 1.5),
    number=1,
    marks=ShipState(hull_lost=2.25, turrets_out=("A",)),
)
OPENING = Opening(
    title="Trial",
    sides=("british", "german"),
    ships=(HOOD, BISMARCK),
    smoke=(SmokeFront(0, 1, 2, 3),),
    conditions=StartingConditions(visibility=3, night=True, starting_range_yards=12_000),
    hidden=True,
)


def test_an_opening_is_written_and_read_again() -> None:
    setup = BATTLE.set_up(OPENING)
    written = json.loads(json.dumps(BATTLE.schemas.setup.write(setup)))
    assert BATTLE.schemas.setup.read(written) == setup
    assert (setup.visibility, setup.night, setup.starting_range_yards) == (3, True, 12_000)
    hood, tirpitz = setup.ships
    assert (hood.pose, hood.base, hood.state) == (HOOD.pose, HOOD.base, None)
    assert (tirpitz.type, tirpitz.number, tirpitz.state) == ("Bismarck", 1, BISMARCK.marks)
    assert written["ships"][1]["state"] == {"hull_lost": 2.25, "turrets_out": ["A"]}


def test_what_is_as_usual_is_not_written() -> None:
    ships = (replace(HOOD, number=None, base=None), replace(BISMARCK, number=None, marks=None))
    plain = replace(OPENING, ships=ships, smoke=(), conditions=StartingConditions(), hidden=False)
    assert set(BATTLE.schemas.setup.write(BATTLE.set_up(plain))) == {"title", "sides", "ships"}


def _with(**changes: object) -> Opening:
    return replace(OPENING, ships=(replace(HOOD, **changes), BISMARCK))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("opening", "place", "field"),
    [
        (replace(OPENING, ships=(HOOD,)), "setup", "ships"),
        (replace(OPENING, title=""), "setup", "title"),
        (replace(OPENING, conditions=StartingConditions(visibility=9)), "setup", "visibility"),
        (_with(pose=Pose(2e6, 0, 0)), "setup, ships 1, pose", "x"),
        (_with(base=Base(30_000, 1)), "setup, ships 1, base", "length_yards"),
        (_with(number=0), "setup, ships 1", "number"),
        (_with(marks=ShipState(hull_lost=-1)), "setup, ships 1, state", "hull_lost"),
    ],
)
def test_a_value_out_of_its_limits_is_told_with_its_place(
    opening: Opening, place: str, field: str
) -> None:
    with pytest.raises(DreyerError) as refused:
        BATTLE.set_up(opening)
    assert words(refused.value).startswith(f"{place}: {field}: ")
    assert "Entrant" not in words(refused.value)
    assert "SetupShip" not in words(refused.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMarks(StartingMarks):
    """Of another rulebook."""


def test_marks_of_another_rulebook_are_refused() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.set_up\.other_marks"):
        BATTLE.set_up(_with(marks=OtherMarks()))
