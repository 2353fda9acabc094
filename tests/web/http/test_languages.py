"""Each phone has its own language: chosen on the menu, or the browser's."""

from pathlib import Path

import pytest
import tomli_w
from flask import Flask

from web import create_app
from web.strings import in_language, text


def lang_of(app: Flask, **headers: str) -> str:
    client = app.test_client()
    page = client.get("/join", headers={"Host": "localhost", **headers}).text
    return page.partition('lang="')[2].partition('"')[0]


@pytest.fixture(scope="module")
def app() -> Flask:
    app = create_app()
    app.config["TESTING"] = True
    return app


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.5", "de"),
        ("fr", "en"),
        ("", "en"),
    ],
)
def test_a_browser_is_answered_in_its_language(app: Flask, accepted: str, language: str) -> None:
    assert lang_of(app, **({"Accept-Language": accepted} if accepted else {})) == language


def test_what_was_chosen_on_the_menu_comes_before_the_browsers(app: Flask) -> None:
    client = app.test_client()
    headers = {"Host": "localhost", "Accept-Language": "en"}
    answer = client.get("/menu?language=de&back=/help", headers=headers)
    assert answer.headers["Location"] == "/help"
    assert 'lang="de"' in client.get("/help", headers=headers).text
    client.get("/menu?language=en", headers=headers)
    assert '<html lang="en"' in client.get("/help", headers=headers).text


def test_a_language_that_is_not_there_is_no_choice(app: Flask) -> None:
    client = app.test_client()
    answer = client.get("/menu?language=xx", headers={"Host": "localhost"})
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


def test_a_servers_own_language_comes_before_the_browsers(tmp_path: Path) -> None:
    path = tmp_path / "pl.toml"
    path.write_text(tomli_w.dumps({"common": {"language": "pl", "language_name": "polski"}}))
    app = create_app(language=str(path))
    assert lang_of(app, **{"Accept-Language": "de"}) == "pl"
    assert "polski" in app.test_client().get("/help", headers={"Host": "localhost"}).text


def test_numbers_have_the_marks_of_the_language() -> None:
    assert text("survey.limit.yards", limit=18400) == "18,400 yd"
    with in_language("de"):
        assert "18.400" in text("survey.limit.yards", limit=18400)
        assert "1,5" in text("advanced.glance.hull", left=1.5, boxes=8)
