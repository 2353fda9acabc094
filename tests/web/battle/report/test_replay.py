"""The replay as data, the same as the report's; and its script, which needs no other file."""

import json
import re
from pathlib import Path

import pytest

from combat.participants import ShipStatus
from tabletop.errors import DreyerError
from tests.web.battle.test_sheet_drawing import hidden_ships
from tests.web.battles import BRITISH, GERMAN, UMPIRE, Fought
from tests.web.fleets import begin, line_ahead
from tests.web.phones import host_of, running_in
from web import create_app
from web.battle.report import scripts
from web.battle.report.replay import battle_replay, replay_json
from web.battle.report.report import battle_report
from web.battle.report.scripts import bundled


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Fought:
    return Fought(tmp_path_factory.mktemp("replay") / "t.db", seed=3).segments(2)


def test_it_tells_every_fire_of_the_report_in_order(fought: Fought) -> None:
    sides = fought.session.moment.state.sides
    replay = battle_replay(fought.battle, UMPIRE, sides)
    report = battle_report(fought.battle, UMPIRE)
    assert [each.title for each in replay.segments] == [each.title for each in report.segments]
    for ours, its in zip(replay.segments, report.segments, strict=True):
        fires = [(step.firer, step.target, step.hits) for step in ours.steps if step.firer]
        assert fires == [(fire.firer, fire.target, fire.hits) for fire in its.fires]
        assert all(step.words for step in ours.steps)
        assert ours.ships.keys() == its.ships.keys()
    assert {ship.name for ship in replay.ships} == {
        "Hood", "Prince of Wales", "Prinz Eugen", "Bismarck",
    }  # fmt: skip
    assert {ship.silhouette for ship in replay.ships if ship.name == "Prinz Eugen"} == {
        "cruiser-angular"
    }
    assert replay.start["Hood"].status is ShipStatus.IN_ACTION


def test_straight_ways_have_two_points_and_end_where_the_ship_is(fought: Fought) -> None:
    replay = battle_replay(fought.battle, UMPIRE, fought.session.moment.state.sides)
    for segment in replay.segments:
        for name, way in segment.paths.items():
            assert way[-1] == pytest.approx((segment.ships[name].x, segment.ships[name].y), abs=0.2)
            assert len(way) == 2


def test_hidden_ships_have_no_name_and_no_class_before_the_end(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    fought.move()
    sides = fought.session.moment.state.sides
    told = replay_json(battle_replay(fought.battle, BRITISH, sides))
    ships = {each["name"]: each["silhouette"] for each in json.loads(told)["ships"]}
    assert not {"Bismarck", "Prinz Eugen"} & ships.keys()
    assert {kind for name, kind in ships.items() if name.startswith("Ship ")} == {"unknown-angular"}
    assert "Bismarck" not in told
    assert "Bismarck" in replay_json(battle_replay(fought.battle, GERMAN, sides))
    fought.session.close()


def test_a_fleet_battle_has_a_replay_too() -> None:
    app = create_app()
    begin(app, [*line_ahead("british", 2), *line_ahead("german", 2)])
    answer = host_of(app).get("/replay/data")
    assert answer.status_code == 200
    assert len(answer.get_json()["ships"]) == 4
    assert running_in(app).session.moment.battle is not None


def test_without_a_battle_the_page_says_so() -> None:
    host = host_of(create_app())
    assert host.get("/replay").status_code == 200
    assert "dreyer-replay" not in host.get("/replay").text
    assert host.get("/replay/data").status_code == 404


def test_the_json_ends_no_script(fought: Fought) -> None:
    told = replay_json(battle_replay(fought.battle, UMPIRE, fought.session.moment.state.sides))
    assert "<" not in told
    assert json.loads(told)["title"] == "Denmark Strait"


def test_the_script_imports_nothing_and_has_each_module_once() -> None:
    script = bundled("battle/replay.js")
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    for module in ("common_geometry", "chart_elements", "chart_labels", "battle_replay"):
        assert len(re.findall(rf"^const \$\w*{module} = ", script, re.MULTILINE)) == 1
    assert "</script" not in script
    assert "fetch(" in script
    assert "(this.#parts.time)" in script


def test_a_script_in_a_form_that_cannot_be_bundled_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scripts, "_source", lambda path: 'import all from "./other.js";\n')
    with pytest.raises(DreyerError) as caught:
        bundled("nowhere.js")
    assert caught.value.message.code == "report.script_form"
