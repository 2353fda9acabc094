"""Where a table comes from: the demo is known by its origin, not by its title."""

from dataclasses import replace
from pathlib import Path

from combat.guided_actions import StartingConditions
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from web.data_folder import THE_SERVER
from web.journal.store import Store
from web.scenes import demo_scene, opening, scene_file
from web.session import Session


def is_demo(session: Session) -> bool:
    return session.moment.state.demo


def test_only_the_demo_itself_is_the_demo(tmp_path: Path) -> None:
    session = Session(Store(tmp_path / "table.db"))
    session.act(THE_SERVER, opening(demo_scene()))
    assert is_demo(session)
    session.close()
    session = Session(Store(tmp_path / "table.db"))
    assert is_demo(session)
    own = replace(demo_scene(), table=demo_scene().table)
    assert own.title == demo_scene().title
    session.act(THE_SERVER, opening(own))
    assert not is_demo(session)
    session.close()


SCENARIO = """
title = "Trial"
[scenario]
date = "1941"
story = "Two ships."
victory = "None."
audience = "Nobody."
visibility = 4
night = true
starting_range_yards = 18000
[[ship]]
name = "Hood"
x = 1000
y = 1000
heading = 0
state = { hull_lost = 2 }
[[ship]]
name = "Bismarck"
x = 9000
y = 9000
heading = 90
"""


def test_a_scenario_file_brings_its_weather_and_marks(tmp_path: Path) -> None:
    file = tmp_path / "trial.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    plan = opening(scene_file(file)()).plan
    assert plan is not None
    assert plan.conditions == StartingConditions(
        visibility=4, night=True, starting_range_yards=18_000
    )
    assert plan.marks == {"Hood": ShipState(hull_lost=2.0)}


def test_a_scene_without_a_battle_brings_no_plan(tmp_path: Path) -> None:
    file = tmp_path / "trial.toml"
    about = SCENARIO[SCENARIO.index("[scenario]") : SCENARIO.index("[[ship]]")]
    state = "state = { hull_lost = 2 }\n"
    file.write_text(SCENARIO.replace(about, "").replace(state, ""), encoding="utf-8")
    assert opening(scene_file(file)()).plan is None
