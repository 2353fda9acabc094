"""A hidden battle played by two phones: at each step, what each of them can get to know."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from flask import Flask

from tests.web.data_folders import battles_of, play
from tests.web.phones import Phone, host_of, seated

NAMES = {"ann": ("Quagga", "Okapi"), "bob": ("Zwartkop", "Springbok")}
"""Names of ships that cannot stand anywhere by accident."""
PAGES = (
    "/api/view", "/api/battle/story", "/api/battle/plots", "/api/log", "/battle", "/battle/story",
    "/battle/plots", "/battles/list", "/table", "/ships", "/report", "/sheets", "/log",
    "/battle/dice", "/calculator",
)  # fmt: skip


class Table:
    """Ann has Hood and Norfolk, Bob Bismarck and Prinz Eugen, all of them under other names."""

    def __init__(self, app: Flask, *, hidden: bool = True) -> None:
        self.host = host_of(app)
        self.ann, self.bob = seated(app), seated(app, "Bob", side="german")
        self.wim = seated(app, "Wim", role="onlooker", side=None)
        body = {
            "title": "Fog",
            "hidden": hidden,
            **({"numbers": {"0": 11, "1": 12, "2": 41, "3": 42}} if hidden else {}),
            "ships": [
                {"name": name, "type": type_, "side": side, "place": {"x": x, "y": y, "heading": 0}}
                for name, type_, side, x, y in (
                    ("Quagga", "Hood", "british", 20_000, 4_000),
                    ("Okapi", "Norfolk", "british", 20_000, 2_000),
                    ("Zwartkop", "Bismarck", "german", 13_500, 4_000),
                    ("Springbok", "Prinz Eugen", "german", 13_500, 2_000),
                )
            ],
        }
        answer = self.host.post("/api/battles", body)
        assert answer.status_code == 200, answer.text
        self.id = answer.get_json()["id"]

    def everything(self, phone: Phone) -> str:
        """All that a phone is told, its file included."""
        told = []
        for page in PAGES:
            answer = phone.get(page)
            assert answer.status_code in (200, 303), (page, answer.status_code)
            told.append(answer.text)
        told.append(phone.get(f"/api/battles/kept/{self.id}/export").text)
        for ship in phone.view()["battle"]["ships"]:
            told.append(phone.get("/api/battle/sheet", query_string={"ship": ship["id"]}).text)
            if ship["yours"]:
                query = {"ship": ship["id"]}
                told.append(phone.get("/api/battle/fire", query_string=query).text)
                told.append(phone.get("/api/battle/plot", query_string={**query, "speed": 8}).text)
        told.append(phone.get("/api/battle/move").text)
        for dice in (["99"], ["11"] * 90):
            said = phone.post("/api/battle/play", {"kind": "dice", "data": {"values": dice}})
            assert said.status_code in (400, 403)
            told.append(said.text)
        return "\n".join(told)

    def assert_unheard(self, words: Iterable[str], *phones: Phone) -> None:
        for phone in phones:
            told = self.everything(phone)
            for word in words:
                at = told.find(word)
                assert at < 0, f"{word}: …{told[max(0, at - 200) : at + 80]}…"

    def step(self) -> str:
        return str(self.host.view()["battle"]["step"]["kind"])


def test_hidden_ships_stay_hidden_through_a_segment(app: Flask) -> None:
    table = Table(app)
    ann, bob, wim = table.ann, table.bob, table.wim

    def assert_hidden() -> None:
        table.assert_unheard(NAMES["ann"], bob, wim, table.host)
        table.assert_unheard(NAMES["bob"], ann, wim, table.host)

    assert_hidden()
    play(bob, "arrange", ship="Zwartkop", other="Springbok")
    assert_hidden()
    assert "battle.arrange" not in ann.get("/api/log").text
    places = {ship["label"]: ship["pose"]["y"] for ship in ann.view()["battle"]["ships"]}
    assert places == {"Ship 11": 4_000, "Ship 12": 2_000, "Ship 41": 4_000, "Ship 42": 2_000}
    # A model that is called by a suspected name stands for nobody.
    spy = {"name": "Zwartkop", "type": "Bismarck", "side": "german"}
    place = {"x": 100, "y": 100, "heading": 0}
    assert ann.post("/api/ships", spy).status_code == 200
    assert ann.post("/api/ships/Zwartkop/place", place).status_code == 200
    for phone, ships in ((ann, NAMES["ann"]), (bob, NAMES["bob"])):
        for ship in ships:
            play(phone, "plot", ship=ship, speed=8, notation="4")
        play(phone, "commit")
    assert not ann.get("/api/battle/move").get_json()["standing"]
    table.assert_unheard(NAMES["ann"], bob, wim)
    # Nor does it block the ship of this name.
    play(bob, "move")
    assert table.step() == "designate"
    assert ann.delete("/api/ships/Zwartkop").status_code == 200
    for phone in (ann, bob):
        export = phone.get(f"/api/battles/kept/{table.id}/export")
        assert export.status_code == 403


@pytest.mark.parametrize("far", [False, True])
def test_plots_and_torpedoes_are_sealed_at_every_exit(app: Flask, *, far: bool) -> None:
    table = Table(app, hidden=False)
    ann, bob, wim = table.ann, table.bob, table.wim
    others = (bob, wim, table.host)
    secrets = {"Quagga": "1RLR C", "Okapi": "1LL1"}
    seen = [form for each in secrets.values() for form in (f'"{each}"', f">{each}<")]
    # The target is named beside these words alone.
    at_target = ("torpedoes run at", "torpedoes at Zwartkop", '"torpedo": "Zwartkop"')
    if not far:
        uma = seated(app, "Uma", role="umpire", side=None)
        for ship, y in (("Zwartkop", 4_000), ("Springbok", 2_000)):
            pose = {"x": 17_000, "y": y, "heading": 0}
            play(uma, "correct", ship=ship, values={"pose": pose}, reason="nearer")
    for ship, notation in secrets.items():
        torpedo = {"torpedo": "Zwartkop"} if ship == "Okapi" else {}
        speed = 7 if ship == "Quagga" else 8
        play(ann, "plot", ship=ship, speed=speed, notation=notation, **torpedo)
    for ship in ("Zwartkop", "Springbok"):
        play(bob, "plot", ship=ship, speed=8, notation="4")
    sealed = [*seen, *at_target]
    table.assert_unheard(sealed, *others)
    for phone in (ann, bob):
        play(phone, "commit")
    assert table.step() == "move"
    table.assert_unheard(sealed, *others)
    assert ann.view()["battle"]["move"]["Quagga"]["notation"] == "1RLR C"
    play(bob, "move")
    table.assert_unheard(sealed, *others)
    for phone in (ann, bob):
        play(phone, "commit")
    if far:
        # The segment is over and its plots are open, the torpedoes run on.
        assert table.step() == "plot"
        table.assert_unheard(at_target, *others)
        log = bob.get("/api/battle/plots").get_json()["plots"]
        assert [each["notation"] for each in log if each["ship"] == "Quagga"] == ["1RLR C"]
        assert "1RLR C" in wim.get("/battle/plots").text
        actions = exported(bob, table.id)
        assert not [each for each in actions if each["kind"] == "plot"]
        for phone, ships in ((ann, secrets), (bob, ("Zwartkop", "Springbok"))):
            for ship in ships:
                factors = 3 if ship == "Quagga" else 4
                play(phone, "plot", ship=ship, notation=str(factors))
            play(phone, "commit")
        play(bob, "move")
        for phone in (ann, bob):
            play(phone, "commit")
    assert table.step() == "resolve"
    table.assert_unheard(at_target if far else sealed, *others)
    assert "torpedoes at Zwartkop" in json.dumps(ann.view()["battle"]["resolution"]["ahead"])
    while table.step() == "resolve":
        assert ann.post("/api/battle/roll", {"what": "next"}).status_code == 200
    assert "torpedoes run at Zwartkop" in bob.get("/api/battle/story").text
    kinds = [each["kind"] for each in exported(bob, table.id)]
    assert kinds.count("plot") == (8 if far else 4)


def exported(phone: Phone, id_: str) -> list[dict[str, Any]]:
    """The actions of the battle in the file that a phone gets."""
    answer = phone.get(f"/api/battles/kept/{id_}/export")
    assert answer.status_code == 200, answer.text
    rows = json.loads(answer.data)["entries"]
    assert battles_of(phone)
    return [row["data"]["action"] for row in rows if row["kind"] == "battle"]
