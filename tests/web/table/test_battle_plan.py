"""How a battle is meant to begin, as the entry of its table keeps it."""

import json

import pytest

from combat.guided_actions import StartingConditions
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.scenarios import scenario_named
from tabletop.errors import DreyerError
from web.table.battle_plan import BattlePlan, plan_data, read_plan

RULES = "bismarck-advanced"


def test_a_plan_is_written_as_it_always_was_and_read_again() -> None:
    marks = {ship.name: ship.marks for ship in scenario_named("final-battle").ships if ship.marks}
    plan = BattlePlan(
        scenario="final-battle",
        conditions=StartingConditions(visibility=4, starting_range_yards=25_000.0),
        marks=marks,
    )
    written = json.loads(json.dumps(plan_data(plan, RULES)))
    assert written == {
        "scenario": "final-battle",
        "visibility": 4,
        "night": False,
        "starting_range_yards": 25_000.0,
        "states": {"Bismarck": {"movement_factors_lost": 7, "rudder_faults": ["no_turns"]}},
    }
    assert read_plan(written, RULES) == plan


def test_what_is_not_in_the_entry_is_as_usual() -> None:
    empty = {"scenario": None, "visibility": None, "night": None, "hidden": None, "states": None}
    assert read_plan({}, RULES) == read_plan(empty, RULES) == BattlePlan()
    assert plan_data(BattlePlan(hidden=True), RULES) == {
        "visibility": 2,
        "night": False,
        "hidden": True,
    }


@pytest.mark.parametrize("state", [{"hul_lost": 1}, {"hull_lost": -1}, 3])
def test_marks_that_make_no_sense_are_refused(state: object) -> None:
    with pytest.raises(DreyerError, match="state"):
        read_plan({"states": {"Hood": state}}, RULES)


def test_marks_need_a_rulebook_that_guides_a_battle() -> None:
    plan = BattlePlan(marks={"Hood": ShipState(hull_lost=1.0)})
    with pytest.raises(DreyerError, match=r"errors\.not_guided"):
        plan_data(plan, "grand-fleets")
