"""The page of conversions: marks typed, a whole side, the battle's ships handed back, its files."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pypdfium2  # type: ignore[import-untyped]
import pytest
from werkzeug.datastructures import MultiDict

from combat.conversions import GameLevel
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from tabletop.documents import parse_toml
from tests.web.battles import Fought, advanced_state
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated
from web.battle.setup.draft import read_draft
from web.http.context import ServerContext

BISMARCK = {
    "to": "advanced",
    "ship": "Bismarck",
    "midships_hits:Bismarck": "3",
    "bow_hits:Bismarck": "3",
    "director_destroyed:Bismarck": "true",
    "superstructure_lost:Bismarck": "1.25",
    "rudder_faults.no_port:Bismarck": "true",
}
RULESET = get_ruleset("bismarck-advanced")


def address(path: str, *more: tuple[str, str], **said: str) -> str:
    return f"{path}?{urlencode([*BISMARCK.items(), *more, *said.items()])}"


@pytest.fixture
def phone() -> Phone:
    return seated(fresh_app())


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fought]:
    fought = Fought(tmp_path_factory.mktemp("convert") / "t.db", seed=3).segments(4)
    yield fought
    fought.session.close()


@pytest.fixture
def at_battle(fought: Fought) -> Phone:
    return seated(fresh_app(ServerContext(fought.session)), "Uma", role="umpire", side=None)


def test_marks_are_asked_and_the_sheet_is_drawn(phone: Phone) -> None:
    page = phone.get(address("/convert"))
    assert page.status_code == 200
    for part in ("Midships", "72.2, 72.3", 'class="plan"', "bow_hits:Bismarck"):
        assert part in page.text
    assert "aria-invalid" not in page.text


def test_a_stranger_may_not_look() -> None:
    assert Phone(fresh_app()).get("/convert").status_code in (302, 303, 401, 403)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("midships_hits:Bismarck", "11"),
        ("midships_hits:Bismarck", "-1"),
        ("bow_hits:Bismarck", "many"),
        ("superstructure_lost:Bismarck", "0.3"),
        ("command_modifier:Bismarck", "1000"),
    ],
)
def test_a_wrong_mark_is_told_at_its_field(phone: Phone, name: str, value: str) -> None:
    query = urlencode({**BISMARCK, name: value})
    page = phone.get(f"/convert?{query}")
    assert page.status_code == 200
    assert 'class="fault" role="alert"' in page.text
    for file in ("pdf", "toml"):
        assert phone.get(f"/convert.{file}?{query}").status_code == 400


def test_an_unknown_ship_is_refused(phone: Phone) -> None:
    assert phone.get("/convert?ship=Bismark").status_code == 404


def test_a_whole_side_is_added_and_a_ship_left_out(phone: Phone) -> None:
    page = phone.get(address("/convert", ("add_side", "French"), ("remove", "Gloire")))
    chosen = [ship.name for ship in RULESET.ships if ship.nation == "French"]
    for name in chosen:
        here = f'name="ship" value="{name}"' in page.text
        # Destroyers have no sheet in the Basic Game.
        assert here == (name not in ("Gloire", "Contre-torpilleur")), name


def test_ships_states_are_downloaded_and_read_again(phone: Phone) -> None:
    answer = phone.get(address("/convert.toml"))
    assert answer.status_code == 200
    assert RULESET.conversions is not None
    rules = RULESET.conversions(RULESET.tables)
    file = rules.read_file(parse_toml(answer.data, "f.toml"), "f.toml")
    state = file.ships[0].state
    assert isinstance(state, ShipState)
    assert file.to is GameLevel.BASIC
    assert (state.hull_lost, state.superstructure_lost, state.director_destroyed) == (4, 1.25, True)
    assert state.rudder_faults == ("no_port",)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_it_is_printed(phone: Phone, paper: str) -> None:
    answer = phone.get(address("/convert.pdf", paper=paper))
    assert answer.mimetype == "application/pdf"
    pages = pypdfium2.PdfDocument(answer.data)
    assert "Bismarck" in pages[0].get_textpage().get_text_range()
    pages.close()


def test_nothing_chosen_is_no_file(phone: Phone) -> None:
    assert phone.get("/convert.pdf").status_code == 404
    assert phone.get("/convert.pdf?paper=a0").status_code == 400


def test_the_battle_is_handed_back(at_battle: Phone) -> None:
    page = at_battle.get("/convert?to=basic")
    assert page.status_code == 200
    for name in ("Hood", "Prince of Wales", "Bismarck", "Prinz Eugen"):
        assert f'data-key="{name}"' in page.text
    german = at_battle.get("/convert?to=basic&side=german")
    assert 'data-key="Hood"' not in german.text
    assert 'data-key="Bismarck"' in german.text
    assert 'data-key="side-british"' in german.text
    answer = at_battle.get("/convert.toml?to=basic&side=german")
    assert RULESET.conversions is not None
    rules = RULESET.conversions(RULESET.tables)
    file = rules.read_file(parse_toml(answer.data, "f.toml"), "f.toml")
    assert {each.ship.name for each in file.ships} == {"Bismarck", "Prinz Eugen"}
    assert file.to is GameLevel.ADVANCED


def test_no_battle_is_said(phone: Phone) -> None:
    page = phone.get("/convert?to=basic")
    assert page.status_code == 200
    assert 'class="empty"' in page.text


# The API


def test_the_api_converts_both_ways(phone: Phone) -> None:
    there = phone.post(
        "/api/conversions",
        {"to": "advanced", "ships": [{"name": "Bismarck", "marks": {"midships_hits": 3}}]},
    )
    assert there.status_code == 200, there.text
    state = there.get_json()["ships"][0]["state"]
    assert state["hull_lost"] == 4
    back = phone.post(
        "/api/conversions", {"to": "basic", "ships": [{"name": "Bismarck", "state": state}]}
    )
    assert back.status_code == 200, back.text
    assert back.get_json()["ships"][0]["marks"]["midships_hits"] == 2


@pytest.mark.parametrize(
    "ship",
    [
        {"name": "Bismark"},
        {"name": "Bismarck", "marks": {"midships_hits": 11}},
        {"name": "Bismarck", "marks": {"midship_hits": 1}},
        {"name": "Bismarck", "marks": {"midships_hits": "x"}},
        {"name": "Bismarck", "beside": {"hull_lost": 1}},
        {"name": "Destroyer", "marks": {}},
    ],
)
def test_the_api_refuses_in_words(phone: Phone, ship: dict[str, object]) -> None:
    answer = phone.post("/api/conversions", {"to": "advanced", "ships": [ship]})
    assert answer.status_code == (404 if ship["name"] == "Bismark" else 400)
    assert answer.get_json()["error"]["message"]


def test_a_battle_is_set_up_with_marks_of_the_basic_game() -> None:
    app = fresh_app()
    host = host_of(app)
    others = (("ship", "Hood"), ("bow_hits:Hood", "1"), ("ship", "Rodney"))
    page = host.get(address("/convert", *others, ("midships_hits:Rodney", "6")))
    (begin,) = re.findall(r'href="(/battles/new[^"]+)"', page.text)
    query = MultiDict(parse_qsl(urlsplit(unescape(begin)).query))
    draft = read_draft(query, running_in(app).session.moment.state.sides)
    # The Rodney is sunk and stays away.
    ships = {ship.name: ship for ship in draft.ships}
    assert {name: ship.side for name, ship in ships.items()} == {
        "Bismarck": "german", "Hood": "british",
    }  # fmt: skip
    bismarck, hood = (ships[name].marks for name in ("Bismarck", "Hood"))
    assert isinstance(bismarck, ShipState)
    assert isinstance(hood, ShipState)
    assert (bismarck.hull_lost, bismarck.director_destroyed) == (4, True)
    assert hood.turrets_lost == {"A": 1.5}
    assert host.get(unescape(begin)).status_code == 200


def test_a_second_ship_of_a_type_is_added_named_and_marked(phone: Phone) -> None:
    page = phone.get(address("/convert", ("add", "Bismarck")))
    assert 'name="midships_hits:Bismarck 2"' in page.text
    form = (("ship", "Bismarck 2"), ("type:Bismarck 2", "Bismarck"))
    marked = (*form, ("bow_hits:Bismarck 2", "1"), ("name:Bismarck 2", " Blücher "))
    page = phone.get(address("/convert", *marked))
    assert 'name="bow_hits:Blücher"' in page.text
    assert "Bismarck 2" not in page.text
    file = parse_toml(phone.get(address("/convert.toml", *marked)).data, "f.toml")
    ships: Any = file["ship"]
    assert [(each["name"], each["type"]) for each in ships] == [
        ("Bismarck", "Bismarck"), ("Blücher", "Bismarck"),
    ]  # fmt: skip
    assert [each["state"].get("hull_lost") for each in ships] == [4, None]
    left_out = phone.get(address("/convert", *marked, ("remove", "Bismarck 2")))
    assert "Blücher" not in left_out.text


def test_a_name_that_another_ship_has_is_refused_and_loses_nothing(phone: Phone) -> None:
    more = (("ship", "Hood"), ("bow_hits:Hood", "1"), ("name:Hood", "Bismarck"))
    page = phone.get(address("/convert", *more))
    assert 'class="fault" role="alert"' in page.text
    assert re.search(r'name="bow_hits:Hood"\s+value="1"', page.text)
    assert phone.get(address("/convert.toml", *more)).status_code == 400


def test_a_whole_side_adds_only_the_types_that_are_not_there(phone: Phone) -> None:
    page = phone.get(address("/convert", ("add_side", "German")))
    assert page.text.count('name="ship" value="Bismarck') == 1


def test_the_api_takes_sisters_but_no_name_twice(phone: Phone) -> None:
    sisters = [{"name": name, "type": "Hood", "marks": {"midships_hits": n}}
               for n, name in enumerate(("Hood", "Anson"), start=1)]  # fmt: skip
    answer = phone.post("/api/conversions", {"to": "advanced", "ships": sisters})
    assert [each["state"].get("hull_lost") for each in answer.get_json()["ships"]] == [1, 3]
    twice = phone.post("/api/conversions", {"to": "advanced", "ships": [sisters[0]] * 2})
    assert twice.status_code == 400


def test_a_battle_needs_two_sides_and_the_host(phone: Phone) -> None:
    others = (("ship", "Hood"),)
    assert "/battles/new" not in phone.get(address("/convert", *others)).text
    assert "/battles/new?" not in host_of(fresh_app()).get(address("/convert")).text


def test_a_state_that_the_api_gives_begins_a_battle() -> None:
    app = fresh_app()
    host = host_of(app)
    converted = host.post(
        "/api/conversions",
        {
            "to": "advanced",
            "ships": [
                {"name": "Bismarck", "marks": {"midships_hits": 3}},
                {"name": "Hood", "marks": {"bow_hits": 1}},
            ],
        },
    ).get_json()["ships"]
    ships = [
        {
            "name": each["name"],
            "type": each["type"],
            "side": each["side"],
            "state": each["state"],
            "place": {"x": 5000 + 9000 * number, "y": 9000, "heading": 90},
        }
        for number, each in enumerate(converted)
    ]
    begun = host.post("/api/battles", {"title": "From the pad", "ships": ships})
    assert begun.status_code == 200, begun.text
    battle = running_in(app).session.moment.battle
    assert battle is not None
    marked = {ship.name: ship.vessel for ship in advanced_state(battle).engagement.combatants}
    assert marked["Bismarck"].hull_lost == 16
    assert marked["Hood"].turrets[0].lost_quarters == 6
