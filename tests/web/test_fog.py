"""Fog of war: each side is told what its ships see, and nothing else changes a byte of it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.web.actions.test_twin_tables import difference
from tests.web.data_folders import play
from tests.web.phones import Phone, fresh_app, host_of, rules_of, seated
from web.http import fog
from web.session import Session

_COUNTS = re.compile(
    r'\b\d\d:\d\d\b|"seq":\s*\d+|"(?:id|battle)":\s*"[^"]*"|"n":\s*\d+'
    r'|data-(?:battle|begun)="\w+"'
)
_PAGES = (
    "/api/view", "/table", "/table/ships", "/log", "/api/log", "/battle", "/battle/now",
    "/battle/story", "/api/battle/story", "/api/battle/plots", "/battle/plots", "/sheets",
    "/battle/dice/part", "/tv", "/api/television", "/tv/happenings", "/api/battle/happenings",
    "/api/battle/fire?ship=Quagga", "/battle/fire/Quagga/part", "/api/fields-of-fire?ship=Quagga",
    "/battle/plot/Quagga/part?speed=8&notation=4&torpedo=Zwartkop", "/join", "/api/rules",
    "/api/battle/plot?ship=Quagga&speed=8&notation=4&torpedo=Zwartkop",
    "/api/check?firer=Quagga&target=Zwartkop", "/check?firer=Quagga&target=Zwartkop",
    "/proof.svg?firer=Quagga&target=Zwartkop", "/api/battle/sheet?ship=Zwartkop",
)  # fmt: skip


@pytest.fixture(autouse=True)
def everybody_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose phone was heard of lately depends on how fast the machine is."""
    monkeypatch.setattr(Session, "is_present", lambda *_: True)


class Foggy:
    """Ann has two ships, Bob two under names that cannot stand anywhere by accident."""

    def __init__(
        self, app: Flask, *, x: float, type_: str = "Bismarck", hidden: bool = False
    ) -> None:
        self.host = host_of(app)
        self.ann, self.bob = seated(app), seated(app, "Bob", side="german")
        self.uma = seated(app, "Uma", role="umpire", side=None)
        body = {
            "title": "Fog",
            "hidden": hidden,
            "visibility": 8,
            "night": True,
            "options": {"fog_of_war": True},
            **({"numbers": {"0": 11, "1": 12, "2": 41, "3": 42}} if hidden else {}),
            "ships": [
                {"name": name, "type": type_, "side": side, "place": {"x": x, "y": y, "heading": 0}}
                for name, type_, side, x, y in (
                    ("Quagga", "Hood", "british", 40_000, 4_000),
                    ("Okapi", "Norfolk", "british", 40_000, 2_000),
                    ("Zwartkop", type_, "german", 40_000 - x, 4_000),
                    ("Springbok", "Prinz Eugen", "german", 40_000 - x, 2_000),
                )
            ],
        }
        answer = self.host.post("/api/battles", body)
        assert answer.status_code == 200, answer.text
        self.id = answer.get_json()["id"]

    def fight(self, notation: str = "4", segments: int = 1) -> Iterator[None]:
        """Segments of a round, in each of which each side plots, and fires if it may."""
        yield
        for segment in range(segments):
            yield from self._segment(notation, first=segment == 0)

    def _segment(self, notation: str, *, first: bool) -> Iterator[None]:
        speed = {"speed": 8} if first else {}
        for phone, ships, plot in (
            (self.bob, ("Zwartkop", "Springbok"), notation),
            (self.ann, ("Quagga", "Okapi"), "4"),
        ):
            for ship in ships:
                play(phone, "plot", ship=ship, notation=plot, **speed)
            yield
            play(phone, "commit")
            yield
        play(self.uma, "move")
        yield
        play(self.ann, "commit")
        assert self.bob.post("/api/battle/undo").status_code in (200, 400)
        play(self.bob, "commit")
        yield

    def told(self, phone: Phone) -> list[tuple[str, str]]:
        """All that a phone gets to know, as it stands."""
        found = []
        for page in (*_PAGES, f"/api/battles/kept/{self.id}/export"):
            answer = phone.get(page)
            assert answer.status_code < 500, page
            text = _COUNTS.sub("", answer.text.replace(self.id, ""))
            found.append((page.replace(self.id, ""), f"{answer.status_code} {text}"))
        for kind, data in (
            ("designate", {"ship": "Quagga", "orders": [{"target": "Zwartkop"}]}),
            ("designate", {"ship": "Quagga", "orders": [{"target": "Ship 41"}]}),
            ("plot", {"ship": "Quagga", "speed": 8, "notation": "4", "torpedo": "Zwartkop"}),
            ("move", {}),
        ):
            answer = phone.post("/api/battle/play", {"kind": kind, "data": data})
            assert answer.status_code in (400, 403), (kind, answer.text)
            found.append((kind, answer.text))
        return found


def test_what_is_out_of_sight_changes_no_byte(app: Flask) -> None:
    assert_alike(app, moments={5})


@pytest.mark.soak
def test_what_is_out_of_sight_never_changes_a_byte(app: Flask) -> None:
    assert_alike(app, moments=set(range(13)), segments=2)


def assert_alike(app: Flask, moments: set[int], segments: int = 1) -> None:
    """At two tables that differ in what is out of Ann's sight she is told the same.

    That an umpire is told different things shows that a difference would be found.
    """
    heard: list[list[tuple[str, str]]] = []
    control: list[str] = []
    for x, type_, notation in ((30_000.0, "Bismarck", "4"), (38_000.0, "Scharnhorst", "1R2")):
        table = Foggy(fresh_app() if heard else app, x=x, type_=type_)
        heard.append([])
        for at, _ in enumerate(table.fight(notation, segments)):
            if at in moments:
                heard[-1] += table.told(table.ann)
        control.append(table.uma.get("/table/ships").text)
    first, second = heard
    differs = [difference(a, b) for a, b in zip(first, second, strict=True) if a != b]
    assert differs == []
    assert not [page for page, text in first if "Springbok" in text]
    assert control[0] != control[1]


def ships(view: dict[str, Any]) -> set[str]:
    return {each["name"] for each in view["ships"]}


@pytest.mark.parametrize(
    ("x", "seen", "contacts"),
    [
        (7_900.0, True, []),
        (8_100.0, False, [("Quagga", 270.0), ("Okapi", 270.0)]),
        (11_900.0, False, [("Quagga", 270.0), ("Okapi", 270.0)]),
        (12_500.0, False, []),
    ],
)
def test_a_ship_is_a_bearing_first_and_then_has_a_place(
    app: Flask, x: float, *, seen: bool, contacts: list[tuple[str, float]]
) -> None:
    table = Foggy(app, x=x)
    view = table.ann.view()
    assert ("Zwartkop" in ships(view)) is seen
    assert ("Quagga" in ships(table.bob.view())) is seen
    found = [(each["observer"], each["bearing_deg"]) for each in view["battle"]["contacts"]]
    assert sorted(found) == sorted(contacts)
    umpires = table.uma.view()
    assert ships(umpires) == {"Quagga", "Okapi", "Zwartkop", "Springbok"}
    assert umpires["battle"]["contacts"] == []


def test_smoke_hides_and_its_end_shows_again(app: Flask) -> None:
    table = Foggy(app, x=6_000.0)
    assert "Zwartkop" in ships(table.ann.view())
    for phone, names, notes in (
        (table.ann, ("Quagga", "Okapi"), {}),
        (table.bob, ("Zwartkop", "Springbok"), {"smoke_side": "starboard"}),
    ):
        for ship in names:
            notation = "4 SF" if notes else "4"
            play(phone, "plot", ship=ship, speed=8, notation=notation, **notes)
        play(phone, "commit")
    play(table.uma, "move")
    view = table.ann.view()
    assert len(view["smoke"]) == 2
    assert "Zwartkop" not in ships(view)
    assert "Zwartkop" in ships(table.uma.view())


def test_all_is_open_when_the_battle_is_over(app: Flask) -> None:
    table = Foggy(app, x=30_000.0)
    for path in ("/report", "/camera.jpg", "/ships", f"/api/battles/kept/{table.id}/export"):
        assert table.ann.get(path).status_code == 403
    play(table.uma, "end")
    assert "Zwartkop" in ships(table.ann.view())
    for path in ("/report", f"/api/battles/kept/{table.id}/export"):
        assert "Zwartkop" in table.ann.get(path).text


def test_every_open_endpoint_is_one(app: Flask) -> None:
    known = {rule.endpoint for rule in rules_of(app)}
    assert known >= fog.OPEN


def test_no_page_names_a_ship_out_of_sight(app: Flask) -> None:
    table = Foggy(app, x=30_000.0, hidden=True)
    values = {"ship": "Quagga", "name": "Zwartkop", "id_": table.id, "id": 1, "token": "x"}
    values |= {"step": "print", "filename": "css/tokens.css", "firer": "Quagga", "target": "Okapi"}
    named = []
    for rule in rules_of(app):
        skipped = rule.endpoint.startswith(("tables.", "rules.", "static", "api.api_live"))
        if skipped or "GET" not in (rule.methods or ()):
            continue
        built = rule.build({key: values.get(key, 1) for key in rule.arguments})
        assert built is not None
        answer = table.ann.get(built[1])
        assert answer.status_code < 500, built[1]
        if re.search(rb"Springbok|Ship 4[12]", answer.data):
            named.append(built[1])
    assert named == []


def test_whoever_fires_is_a_contact_and_the_story_tells_no_more(app: Flask) -> None:
    table = Foggy(app, x=7_900.0)
    # One of Ann's ships is out of Zwartkop's sight, and sees as little of her.
    pose = {"x": 44_500.0, "y": 4_000.0, "heading": 0}
    correct = {"what": "pose", "ship": "Okapi", "reason": "apart", **pose}
    assert table.uma.post("/api/battle/correct", correct).status_code == 200
    for phone, names in ((table.ann, ("Quagga", "Okapi")), (table.bob, ("Zwartkop", "Springbok"))):
        for ship in names:
            play(phone, "plot", ship=ship, speed=8, notation="4")
        play(phone, "commit")
    play(table.uma, "move")
    play(table.bob, "designate", ship="Zwartkop", orders=[{"target": "Quagga"}])
    for phone in (table.ann, table.bob):
        play(phone, "commit")
    if table.host.view()["battle"]["step"]["kind"] == "reduce":
        for phone in (table.ann, table.bob):
            play(phone, "commit")
    assert table.bob.post("/api/battle/roll", {"what": "rest"}).status_code == 200
    away = {**correct, "ship": "Zwartkop", "x": 20_000.0}
    assert table.uma.post("/api/battle/correct", away).status_code == 200
    view = table.ann.view()
    assert "Zwartkop" not in ships(view)
    # Springbok is near enough to be noticed, Zwartkop is not and has fired.
    assert [(each["ship"], each["bearing"]) for each in view["contacts"]] == [
        ("Quagga", 256.0),
        ("Quagga", 267.0),
    ]
    told = table.ann.get("/api/battle/story").get_json()["story"]
    fires = [each for each in told if each["kind"] == "fire"]
    assert [each["document"] for each in fires] == [None]
    assert not [each for each in told if each["kind"] == "move"]
    mine = table.bob.get("/api/battle/story").get_json()["story"]
    assert [each["document"] is None for each in mine if each["kind"] == "fire"] == [False]
    assert table.ann.get("/battle/dice/part").status_code == 200
