"""The result as one picture: what it tells, and that it fits."""

from pathlib import Path

import pytest
from flask import Flask

from tests.web.battles import ONLOOKER, UMPIRE, Fought
from tests.web.drawing.inspected import box_of, words_in
from tests.web.phones import host_of, seated
from web import create_app
from web.battle.report.card import WIDTH, best_salvo, result_card
from web.battle.report.report import battle_report
from web.drawing.figures import Group, Text
from web.http.context import ServerContext


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Fought:
    return Fought(tmp_path_factory.mktemp("card") / "t.db", seed=3).segments(3)


@pytest.fixture(scope="module")
def app(fought: Fought) -> Flask:
    app = create_app(server_context=ServerContext(fought.session))
    app.config["TESTING"] = True
    return app


def test_it_names_every_ship_and_what_became_of_her(fought: Fought) -> None:
    report = battle_report(fought.battle, UMPIRE)
    told = words_in(result_card(report))
    for fate in report.fates:
        assert fate.ship in told
        assert f"· {fate.words}" in told
    assert report.title in told


def test_the_best_salvo_has_the_most_hits(fought: Fought) -> None:
    report = battle_report(fought.battle, UMPIRE)
    best = best_salvo(report)
    assert best is not None
    assert best.hits == max(fire.hits for each in report.segments for fire in each.fires)


def test_before_the_first_fire_there_is_no_best_salvo(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db")
    report = battle_report(fought.battle, ONLOOKER)
    assert best_salvo(report) is None
    assert result_card(report).height < WIDTH
    fought.session.close()


def test_no_line_is_wider_than_the_card(fought: Fought) -> None:
    for item in result_card(battle_report(fought.battle, UMPIRE)).items:
        for text in item.items if isinstance(item, Group) else ():
            if isinstance(text, Text):
                assert box_of(text).right <= WIDTH


def test_it_is_a_png_for_everybody_at_the_table(app: Flask) -> None:
    answer = seated(app, "Ann", side="british").get("/report.png")
    assert answer.mimetype == "image/png"
    assert answer.data.startswith(b"\x89PNG")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="denmark-strait.png"'
    assert host_of(create_app()).get("/report.png").status_code == 404
