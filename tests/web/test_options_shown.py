"""The options of a battle where people meet them: what-ifs and the report."""

import pypdfium2  # type: ignore[import-untyped]
import pytest
from flask import Flask

from combat.provenance import CHANGED_MARK
from tests.web.data_folders import begin
from tests.web.phones import Phone, host_of

OPTIONS = {"ammunition_by_turret": True, "factors_past_the_table_add_up": True}


def selected(page: str, name: str) -> str:
    """The value of a list or of a tick on a page."""
    field = page[page.index(f'name="{name}"') :]
    chosen = field[: field.index(" selected")]
    return chosen[chosen.rindex('value="') + 7 : chosen.rindex('"')]


@pytest.fixture
def host(app: Flask) -> Phone:
    phone = host_of(app)
    begin(phone, "denmark-strait", options=OPTIONS)
    return phone


def test_a_what_if_presets_the_options_of_the_battle(host: Phone) -> None:
    page = host.get("/calculator", query_string={"firer": "Hood", "target": "Bismarck"}).text
    for key in OPTIONS:
        assert selected(page, f"options.{key}") == "true"
    assert 'name="options.every_held_back_gun_counts"' in page
    unticked = {"firer": "Hood", "target": "Bismarck", "options.ammunition_by_turret": "false"}
    page = host.get("/calculator", query_string=unticked).text
    assert selected(page, "options.ammunition_by_turret") == "false"
    assert selected(page, "options.factors_past_the_table_add_up") == "true"


def test_without_a_battle_the_usual_game_is_preset(app: Flask) -> None:
    query = {"firer": "Hood", "target": "Bismarck"}
    page = host_of(app).get("/calculator", query_string=query).text
    for key in OPTIONS:
        field = page[page.index(f'name="options.{key}"') :]
        assert "checked" not in field[: field.index(">")]


def test_the_report_lists_edition_and_options(host: Phone) -> None:
    rules = host.get("/api/rules").get_json()["rules"]
    titles = [each["title"] for each in rules["options"] if each["on"]]
    assert len(titles) == len(OPTIONS)
    pdf = pypdfium2.PdfDocument(host.get("/report.pdf").data)
    printed = "".join(page.get_textpage().get_text_bounded() for page in pdf)
    for told in (host.get("/report").text, host.get("/report.html").text, printed):
        flat = " ".join(told.split())
        assert f"edition {rules['edition']}" in flat
        for title in titles:
            assert title.casefold() in flat.casefold()
        assert CHANGED_MARK in flat


def test_a_report_of_the_usual_game_says_so(app: Flask) -> None:
    phone = host_of(app)
    begin(phone, "denmark-strait")
    assert "No optional rules" in phone.get("/report").text
