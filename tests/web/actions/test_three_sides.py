"""A guided battle between three sides, two of them allied, over the API and on the pages."""

from typing import Any

import pytest
from flask import Flask

from tests.web.data_folders import Open
from tests.web.phones import Phone, host_of, running_in, seated, words_of

SIDES: list[dict[str, Any]] = [
    {"key": "british", "letter": "B", "shape": "round", "colour": "blue"},
    {"key": "german", "letter": "G", "shape": "angular", "colour": "orange"},
    {
        "key": "italian",
        "name": "Italian",
        "letter": "I",
        "shape": "hexagon",
        "colour": "violet",
        "allies": ["german"],
    },
]
SHIPS = [
    ("Hood", "Hood", "british", (20_000, 4_000, 0)),
    ("Bismarck", "Bismarck", "german", (20_000, 18_000, 180)),
    ("Vittorio Veneto", "Dunkerque", "italian", (24_000, 17_000, 180)),
]
PEOPLE = {"Ann": "british", "Bob": "german", "Ida": "italian"}


class Table:
    """Three players, an umpire and the host at one table."""

    def __init__(self, app: Flask) -> None:
        self.app, self.host = app, host_of(app)
        body = {
            "title": "Three navies",
            "sides": SIDES,
            "ships": [
                {
                    "name": name,
                    "type": kind,
                    "side": side,
                    "place": dict(zip(("x", "y", "heading"), place, strict=True)),
                }
                for name, kind, side, place in SHIPS
            ],
        }
        begun = self.host.post("/api/battles", body)
        assert begun.status_code == 200, begun.text
        self.people = {side: seated(app, name, side=side) for name, side in PEOPLE.items()}

    def play(self, side: str, kind: str, **data: Any) -> None:
        answer = self.people[side].post("/api/battle/play", {"kind": kind, "data": data})
        assert answer.status_code == 200, (side, kind, answer.text)

    def all_play(self, kind: str) -> None:
        for side in self.people:
            self.play(side, kind)

    @property
    def battle(self) -> dict[str, Any]:
        found: dict[str, Any] = self.host.view()["battle"]
        return found

    @property
    def step(self) -> str:
        return str(self.battle["step"]["kind"])

    def plot(self) -> None:
        for name, _, side, _ in SHIPS:
            self.play(side, "plot", ship=name, speed=5, notation="3")
        self.all_play("commit")

    def resolve(self) -> None:
        while (wanted := self.battle["wanted"]) is not None:
            value = "34" if wanted["kind"] == "pair" else "3"
            self.play(wanted["side"] or "british", "dice", values=[value])

    def fight(self) -> None:
        """A whole segment."""
        self.plot()
        self.play("british", "move")
        self.play("british", "designate", ship="Hood", orders=[{"target": "Vittorio Veneto"}])
        self.play("german", "designate", ship="Bismarck", orders=[{"target": "Hood"}])
        self.play("italian", "designate", ship="Vittorio Veneto", orders=[{"target": "Hood"}])
        self.all_play("commit")
        # Three sides commit their rates of fire, too (67.41).
        self.all_play("commit")
        self.resolve()


@pytest.fixture
def table(open_app: Open) -> Table:
    return Table(open_app())


def test_a_segment_is_fought_by_three_sides(table: Table) -> None:
    battle = table.battle
    assert battle["sides"] == ["british", "german", "italian"]
    table.plot()
    assert table.step == "move"
    table.play("italian", "move")
    assert table.battle["step"]["waiting_for"] == ["british", "german", "italian"]
    friendly = {"ship": "Vittorio Veneto", "orders": [{"target": "Bismarck"}]}
    ida = table.people["italian"]
    refused = ida.post("/api/battle/play", {"kind": "designate", "data": friendly})
    assert refused.status_code == 400
    assert "61.1" in words_of(refused), "allies do not fire at each other"


def test_the_whole_segment_goes_on_to_the_next(table: Table) -> None:
    table.fight()
    assert (table.step, table.battle["segment"]) == ("plot", 2)


def test_every_other_side_agrees_to_go_back(table: Table) -> None:
    table.plot()
    table.play("british", "move")
    ann, bob, ida = (table.people[side] for side in ("british", "german", "italian"))
    after = _step_before_the_move(table)
    assert ann.post("/api/battle/undo/ask", {"after": after}).status_code == 200
    own = ann.answer_undo(agree=True)
    assert own.status_code == 403
    assert bob.answer_undo(agree=True).status_code == 200
    undo = ida.view()["battle"]["undo"]
    assert undo["request"]["side"] == "british"
    assert undo["agreed"] == ["german"], "it waits for the third side"
    assert table.step == "designate"
    assert ida.get("/battle/ask").status_code == 200
    assert ida.answer_undo(agree=True).status_code == 200
    assert table.step == "move"
    undo = table.battle["undo"]
    assert (undo["own"], undo["request"], undo["agreed"]) == (False, None, [])


def test_one_side_can_refuse_and_an_umpire_decides_alone(table: Table) -> None:
    table.plot()
    table.play("british", "move")
    after = _step_before_the_move(table)
    ann, bob = table.people["british"], table.people["german"]
    uma = seated(table.app, "Uma", role="umpire", side=None)
    ann.post("/api/battle/undo/ask", {"after": after})
    assert bob.answer_undo(agree=False).status_code == 200
    assert table.battle["undo"]["request"] is None
    assert table.step == "designate"
    session = running_in(table.app).session
    later = session.now() + 20
    session._monotonic = lambda: later
    ann.post("/api/battle/undo/ask", {"after": after})
    assert uma.answer_undo(agree=True).status_code == 200
    assert table.step == "move"


def test_an_ally_without_people_is_not_waited_for(table: Table) -> None:
    table.plot()
    table.play("british", "move")
    after = _step_before_the_move(table)
    seat = next(each["id"] for each in table.host.view()["seats"] if each["side"] == "italian")
    assert table.host.post("/api/host/release", {"seat": seat}).status_code == 200
    table.people["british"].post("/api/battle/undo/ask", {"after": after})
    table.people["german"].answer_undo(agree=True)
    assert table.step == "move"


def test_pages_sheets_report_and_papers_show_the_third_side(table: Table) -> None:
    table.fight()
    ida = table.people["italian"]
    for path in ("/battle", "/battle/now", "/sheets", "/report", "/table", "/battle/story"):
        page = ida.get(path)
        assert page.status_code == 200, path
    for path in ("/battle/now", "/sheets", "/report"):
        text = ida.get(path).text
        assert "side-violet" in text, path
        assert 'aria-label="Italian"' in text, path
    assert "var(--side-violet)" in ida.get("/sheet/Vittorio Veneto").text
    for path in ("/report.pdf", "/sheet/Vittorio Veneto.pdf", "/sheets-record.pdf"):
        answer = ida.get(path)
        assert answer.status_code == 200, path
        assert answer.data.startswith(b"%PDF")
    assert "side-violet" in ida.get("/report.html").text


def test_it_comes_back_after_a_restart_and_from_its_export(open_app: Open) -> None:
    table = Table(open_app())
    table.fight()
    before = table.host.view()["sides"]
    host = host_of(open_app())
    assert host.view()["sides"] == before
    id_ = next(b["id"] for b in host.get("/api/battles").get_json()["battles"] if b["open"])
    uma = seated(host.app, "Uma", role="umpire", side=None)
    exported = uma.get(f"/api/battles/kept/{id_}/export")
    assert exported.status_code == 200, exported.text
    taken = host.send(
        "POST", "/api/battles/import", data=exported.data, content_type="application/octet-stream"
    )
    assert taken.status_code == 200, taken.text
    new = taken.get_json()["id"]
    assert host.post(f"/api/battles/kept/{new}/resume").status_code == 200
    assert host.view()["sides"] == before
    assert host.view()["battle"]["sides"] == ["british", "german", "italian"]


def test_sides_of_a_battle_stay_while_it_is_fought(table: Table) -> None:
    assert table.host.post("/api/ships/Hood/side", {"side": "german"}).status_code == 400
    refused = table.host.delete("/api/sides/italian")
    assert refused.status_code == 400
    refused = table.host.post("/api/sides/italian", {"allies": []})
    assert refused.status_code == 400
    assert table.host.post("/api/sides/italian", {"letter": "V"}).status_code == 200
    assert table.host.view()["sides"][2]["letter"] == "V"


def test_the_host_sets_a_battle_of_three_sides_up_on_the_page(open_app: Open) -> None:
    host = host_of(open_app())
    host.post("/api/sides", {"name": "Italian", "allies": ["german"]})
    query = "ships.british=Hood&ships.german=Bismarck&ships.italian=Dunkerque"
    page = host.get(f"/battles/new?{query}&range_die=3&direction_die=2&attacker=german").text
    assert "German + Italian" in page, "allies are one party of the set-up"
    ready = host.get(f"/battles/new?{query}&range_die=3&direction_die=2&ready=yes")
    assert 'id="begin"' in ready.text
    host.post("/api/sides/italian", {"allies": []})
    alone = host.get(f"/battles/new?{query}").text
    assert "(55)" in alone, "dice set up two parties only"


@pytest.mark.parametrize(
    "change",
    [
        {"sides": SIDES[:1]},
        {"sides": [*SIDES, SIDES[0]]},
        {"sides": SIDES[:2]},
        {"sides": [*SIDES[:2], {**SIDES[2], "allies": ["french"]}]},
        {"sides": [*SIDES[:2], {**SIDES[2], "colour": "pink"}]},
    ],
)
def test_sides_that_do_not_fit_the_ships_are_refused(open_app: Open, change: Any) -> None:
    host = host_of(open_app())
    ships = [{"name": n, "type": kind, "side": side} for n, kind, side, _ in SHIPS]
    body = {"title": "Three navies", "sides": SIDES, "ships": ships, "lay_only": True}
    answer = host.post("/api/battles", {**body, **change})
    assert answer.status_code in (400, 404), answer.text
    assert words_of(answer)
    assert host.post("/api/battles", body).status_code == 200


def _step_before_the_move(table: Table) -> int:
    log = table.host.view()["log"]
    commits = [line["n"] for line in log if line["kind"] == "battle"]
    return int(commits[-2])


def test_phones_of_the_third_side_see_their_own_secrets_alone(table: Table) -> None:
    table.play("italian", "plot", ship="Vittorio Veneto", speed=5, notation="2R")
    assert table.people["italian"].view()["battle"]["plots"]
    for side in ("british", "german"):
        other: Phone = table.people[side]
        assert not other.view()["battle"]["plots"]


def test_a_battle_begins_later_with_the_allies_of_the_table(open_app: Open) -> None:
    host = host_of(open_app())
    ships = [
        {
            "name": name,
            "type": kind,
            "side": side,
            "place": dict(zip(("x", "y", "heading"), place, strict=True)),
        }
        for name, kind, side, place in SHIPS
    ]
    body = {"title": "Three navies", "sides": SIDES, "ships": ships, "lay_only": True}
    assert host.post("/api/battles", body).status_code == 200
    assert host.view()["battle"] is None
    assert host.post("/api/battle/begin", {"visibility": 2}).status_code == 200
    record = running_in(host.app).session.moment.state.battle
    assert record is not None
    assert record.setup.allies == (("german", "italian"),)


def test_every_side_has_to_end_the_battle(table: Table) -> None:
    for side in ("british", "german"):
        table.play(side, "end", reason="dusk")
    assert table.step != "ended"
    assert table.battle["wants_to_end"] == ["british", "german"]
    proposed = table.people["italian"].get("/battle").text.split('class="notice"')[1]
    assert "British, German" in proposed.split("</p>")[0]
    table.play("italian", "end", reason="dusk")
    assert table.step == "ended"
    assert table.battle["ending"].startswith("All sides")


def test_the_sides_order_of_fire_is_the_battles(open_app: Open) -> None:
    app = open_app()
    host = host_of(app)
    order = {"british": 2, "german": 1, "italian": 0}
    ships = [
        {"name": name, "type": kind, "side": side, "place": {"x": x, "y": y, "heading": turn}}
        for name, kind, side, (x, y, turn) in SHIPS
    ]
    sides = [{**side, "order_of_fire": order[side["key"]]} for side in SIDES]
    begun = host.post("/api/battles", {"title": "Order", "sides": sides, "ships": ships})
    assert begun.status_code == 200, begun.text
    battle = running_in(app).session.moment.battle
    assert battle is not None
    assert battle.record.setup.order_of_fire == ("italian", "german", "british")


def test_sides_of_one_place_leave_the_order_to_the_rulebook(table: Table) -> None:
    battle = running_in(table.app).session.moment.battle
    assert battle is not None
    assert battle.record.setup.order_of_fire == ()
