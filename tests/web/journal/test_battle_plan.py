"""How a battle is meant to begin, as the entry of its table keeps it."""

import json
from dataclasses import replace

import pytest

from combat.guided_actions import StartingConditions
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.scenarios import scenario_named
from tabletop.errors import DreyerError
from web.actions.table import OpenTable
from web.auth.seats import Caller
from web.journal.battle_plan import BattlePlan
from web.journal.event_documents import EventReader, write_event
from web.journal.events import JournalKind, TableOpened
from web.journal.store import Store
from web.session import Session

HOST = Caller("host", host=True)
TABLE = TableOpened(
    title="Final battle",
    ruleset="bismarck-advanced",
    yards_per_inch=500,
    width_yards=30_000,
    height_yards=20_000,
    ships=(),
    smoke=(),
)


def plan_data(plan: BattlePlan) -> object:
    return json.loads(json.dumps(write_event(replace(TABLE, plan=plan))["plan"]))


def read_plan(data: object) -> BattlePlan | None:
    event = EventReader().read(JournalKind.TABLE_OPENED, {**write_event(TABLE), "plan": data})
    assert isinstance(event, TableOpened)
    return event.plan


def test_a_plan_is_written_as_it_always_was_and_read_again() -> None:
    marks = {ship.name: ship.marks for ship in scenario_named("final-battle").ships if ship.marks}
    plan = BattlePlan(
        scenario="final-battle",
        conditions=StartingConditions(visibility=4, starting_range_yards=25_000.0),
        marks=marks,
    )
    written = plan_data(plan)
    assert written == {
        "scenario": "final-battle",
        "visibility": 4,
        "night": False,
        "starting_range_yards": 25_000.0,
        "states": {"Bismarck": {"movement_factors_lost": 7, "rudder_faults": ["no_turns"]}},
    }
    assert read_plan(written) == plan


def test_what_is_not_in_the_entry_is_as_usual() -> None:
    empty = {"scenario": None, "visibility": None, "night": None, "hidden": None, "states": None}
    assert read_plan({}) == read_plan(empty) == BattlePlan()
    assert plan_data(BattlePlan(hidden=True)) == {
        "visibility": 2,
        "night": False,
        "hidden": True,
    }


@pytest.mark.parametrize("state", [{"hul_lost": 1}, {"hull_lost": -1}, 3])
def test_marks_that_make_no_sense_are_refused(state: object) -> None:
    with pytest.raises(DreyerError, match="state"):
        read_plan({"states": {"Hood": state}})


def test_marks_need_a_rulebook_that_guides_a_battle() -> None:
    plan = BattlePlan(marks={"Hood": ShipState(hull_lost=1.0)})
    with pytest.raises(DreyerError, match=r"errors\.not_guided"):
        Session(Store(None)).act(HOST, OpenTable("x", "arctic-disaster", 500, 60, 40, plan=plan))
