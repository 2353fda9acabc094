"""Many ships at once on the pages: a column in one tap, the same again, the fire of all ships."""

import html
import json
import re
from typing import Any

import pytest

from tests.web.pages.test_battle import Table, words
from tests.web.phones import Phone, fresh_app
from web.strings import text

LEGAL = {"at": "1", "notation": "5", "speed": "9"}
COLUMN = {**LEGAL, "column": "Prince of Wales"}


@pytest.fixture
def table() -> Table:
    return Table(fresh_app())


@pytest.fixture
def firing(table: Table) -> Table:
    table.plot_all()
    table.play(table.ann, "move")
    return table


def page(phone: Phone, path: str, **query: Any) -> str:
    answer = phone.get(path, query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.text


def body_of(found: str, key: str) -> Any:
    """What the button with an attribute sends."""
    button = re.search(rf"<button[^>]*{re.escape(key)}[^>]*>", found)
    assert button is not None, key
    body = re.search(r"""data-body=(?:'([^']*)'|"([^"]*)")""", button.group())
    assert body is not None
    return json.loads(html.unescape(body.group(1) or body.group(2)))


def again(phone: Phone) -> str:
    """The button that repeats everybody's plots; empty where there is none."""
    now = page(phone, "/battle/now")
    return "same" if str(text("battle.same_again_all")) in html.unescape(now) else ""


def test_the_pad_of_a_leader_has_her_column(table: Table) -> None:
    found = page(table.ann, "/battle/plot/Hood")
    (tick,) = re.findall(r'<input[^>]*name="column"[^>]*>', found)
    assert 'value="Prince of Wales"' in tick
    assert "checked" in tick
    assert "1,780 yd" in found
    assert 'name="column"' not in page(table.ann, "/battle/plot/Prince of Wales")


def test_one_button_writes_the_column_down(table: Table) -> None:
    sent = body_of(page(table.ann, "/battle/plot/Hood/part", **COLUMN), 'id="save"')
    assert sent == {
        "kind": "orders",
        "data": {
            "plots": [
                {"ship": "Hood", "notation": "5", "speed": 9},
                {"ship": "Prince of Wales", "notation": "follow", "speed": 9, "follows": "Hood"},
            ]
        },
    }
    assert table.ann.post("/api/battle/play", sent).status_code == 200
    assert "behind Hood" in words(table.ann, "/battle/now")
    # One step takes both plots back.
    assert table.ann.post("/api/battle/undo", {}).status_code == 200
    assert "behind Hood" not in words(table.ann, "/battle/now")


def test_without_her_tick_she_plots_for_herself(table: Table) -> None:
    part = page(table.ann, "/battle/plot/Hood/part", **LEGAL)
    assert body_of(part, 'id="save"')["kind"] == "plot"
    assert "/battle/plot/Prince%20of%20Wales" in part


def test_who_has_a_plot_of_her_own_is_not_overwritten_unasked(table: Table) -> None:
    table.plot(table.ann, "Prince of Wales", notation="4l")
    (tick,) = re.findall(r'<input[^>]*name="column"[^>]*>', page(table.ann, "/battle/plot/Hood"))
    assert "checked" not in tick


def test_a_ship_of_the_others_follows_nobody_here(table: Table) -> None:
    part = page(table.ann, "/battle/plot/Hood/part", **{**LEGAL, "column": "Bismarck"})
    assert body_of(part, 'id="save"')["kind"] == "plot"


def test_a_key_that_does_not_fit_says_why(table: Table) -> None:
    part = page(table.ann, "/battle/plot/Hood/part", at="2", notation="3l", speed="9")
    found = re.search(r'data-why="([^"]*)"', part)
    assert found is not None
    why = json.loads(html.unescape(found.group(1)))
    assert "57.4" in why["L"]
    assert "58.3" in why["9"]
    assert "1" not in why


def test_the_same_again_is_offered_after_the_first_move(table: Table) -> None:
    assert not again(table.ann)
    table.to_next_segment()
    for phone in (table.ann, table.uma):
        assert again(phone)
    assert not again(table.wim)
    now = page(table.ann, "/battle/now")
    sent = body_of(now, f'data-key="{text("battle.same_again_all")}"')
    assert sent["data"]["plots"] == [
        {"ship": "Hood", "notation": "4"},
        {"ship": "Prince of Wales", "notation": "follow", "follows": "Hood"},
    ]
    assert table.ann.post("/api/battle/play", sent).status_code == 200
    assert not again(table.ann)
    assert 'data-all="4"' in page(table.bob, "/battle/plot/Bismarck")


def test_nobody_else_is_told_what_several_ships_were_ordered(table: Table) -> None:
    canary = {**COLUMN, "at": "4", "notation": "2Rl1"}
    sent = body_of(page(table.ann, "/battle/plot/Hood/part", **canary), 'id="save"')
    assert table.ann.post("/api/battle/play", sent).status_code == 200
    for other in (table.bob, table.wim):
        for path in (
            "/battle/now",
            "/battle/story",
            "/battle/plots",
            "/log",
            "/api/view",
            "/api/log",
        ):
            seen = other.get(path).text
            assert "2Rl1" not in seen
            assert "behind Hood" not in seen


# The fire of all ships


def chosen(found: str) -> dict[str, str]:
    """Which target each battery is given."""
    aims = re.findall(r'<input type="radio"\s+name="at\|([^"]+)"\s+value="([^"]*)"([^>]*)>', found)
    return {name: value for name, value, more in aims if "checked" in more}


def test_every_battery_is_given_a_target(firing: Table) -> None:
    found = page(firing.ann, "/battle/fire")
    assert chosen(found) == {"main|Hood": "", "main|Prince of Wales": "Prinz Eugen"}
    assert "61.4" in found
    sent = body_of(found, 'data-key="save"')
    assert sent["kind"] == "orders"
    assert [fire["ship"] for fire in sent["data"]["fires"]] == ["Hood", "Prince of Wales"]
    assert firing.ann.post("/api/battle/play", sent).status_code == 200
    now = words(firing.ann, "/battle/now")
    assert "Fires at Prinz Eugen" in now
    assert "Holds her fire" in now
    assert firing.ann.post("/api/battle/play", {"kind": "commit", "data": {}}).status_code == 200


def test_another_target_is_summed_up_by_targets(firing: Table) -> None:
    asked = {
        "chosen": "1",
        "at|main|Hood": "Prinz Eugen",
        "at|main|Prince of Wales": "Prinz Eugen",
    }
    part = page(firing.ann, "/battle/fire-part", **asked)
    assert part.count("under-fire") == 1
    fires = body_of(part, 'data-key="save"')["data"]["fires"]
    assert [[aim["target"] for aim in fire["orders"]] for fire in fires] == [["Prinz Eugen"]] * 2


def test_a_target_that_is_not_there_is_refused_in_words(firing: Table) -> None:
    asked = {"chosen": "1", "at|main|Hood": "Tirpitz"}
    answer = firing.ann.get("/battle/fire-part", query_string=asked)
    assert answer.status_code in (400, 404, 409)
    assert "Tirpitz" in answer.text


def test_orders_turret_by_turret_stay_as_written(firing: Table) -> None:
    orders = [{"target": "Prinz Eugen", "turrets": ["A"]}]
    firing.play(firing.ann, "designate", ship="Hood", orders=orders)
    found = page(firing.ann, "/battle/fire")
    assert chosen(found)["main|Hood"] == "="
    part = page(firing.ann, "/battle/fire-part", **{"chosen": "1", "at|main|Hood": "="})
    (hood, _) = body_of(part, 'data-key="save"')["data"]["fires"]
    assert [(aim["target"], aim["turrets"]) for aim in hood["orders"]] == [("Prinz Eugen", ["A"])]


def test_where_nobody_measures_first_nothing_is_proposed(firing: Table) -> None:
    assert firing.host.post("/api/host/premeasure", {"mode": "declare"}).status_code == 200
    found = page(firing.ann, "/battle/fire")
    assert "hits" not in re.sub(r"<[^>]+>", " ", found)
    assert set(chosen(found).values()) == {""}


def test_the_page_is_for_those_who_fire_and_only_now(firing: Table) -> None:
    assert firing.wim.get("/battle/fire").status_code == 403
    firing.play(firing.ann, "commit")
    assert firing.ann.get("/battle/fire").status_code == 303
    firing.play(firing.bob, "commit")
    assert firing.bob.get("/battle/fire").status_code == 303
    assert firing.bob.get("/battle/fire-part").status_code == 303
