"""Two tables that differ in what one side hides: the other side is told the same at both.

Every answer that a phone gets is compared byte for byte through a segment, an undo and the file.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence

import pytest
from flask import Flask

from tests.web.actions.test_two_seats import PAGES
from tests.web.data_folders import play
from tests.web.phones import fresh_app, host_of, seated
from web.session import Session

_ALIKE = re.compile(
    # What differs between any two tables: times, numbers that count changes, codes, names of files.
    r'\b\d\d:\d\d\b|"seq":\s*\d+|data-seq="\d+"|"id":\s*"[^"]*"|/kept/[^/"]+|data-id="[^"]*"|dreyer=[0-9a-f]+'
    r'|"battle":"[0-9a-f]{16}"|data-battle="[0-9a-f]{16}"'
)


@pytest.fixture(autouse=True)
def everybody_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose phone was heard of lately depends on how fast the machine is."""
    monkeypatch.setattr(Session, "is_present", lambda *_: True)


class Told:
    """All that a phone was told at one table, in order."""

    def __init__(self, app: Flask, types: tuple[str, str]) -> None:
        self.app = app
        self.host = host_of(app)
        self.ann, self.bob = seated(app), seated(app, "Bob", side="german")
        self.said: list[tuple[str, str]] = []
        body = {
            "title": "Fog",
            "hidden": True,
            "numbers": {"0": 11, "1": 12, "2": 41, "3": 42},
            "ships": [
                {"name": name, "type": type_, "side": side, "place": {"x": x, "y": y, "heading": 0}}
                for name, type_, side, x, y in (
                    ("Quagga", "Hood", "british", 20_000, 4_000),
                    ("Okapi", "Norfolk", "british", 20_000, 2_000),
                    ("Zwartkop", types[0], "german", 17_000, 4_000),
                    ("Springbok", types[1], "german", 17_000, 2_000),
                )
            ],
        }
        answer = self.host.post("/api/battles", body)
        assert answer.status_code == 200, answer.text
        self.id = answer.get_json()["id"]

    def look(self, when: str, pages: Iterable[str]) -> None:
        """Ask for these in Ann's name, and act against the rules."""
        for path in pages:
            answer = self.ann.get(path.format(id=self.id))
            text = _ALIKE.sub("", answer.text.replace(self.id, ""))
            self.said.append((f"{when}: {path}", f"{answer.status} {text}"))
        for kind, data in (
            ("dice", {"values": ["11"] * 90}),
            ("dice", {"values": ["99"]}),
            ("plot", {"ship": "Ship 41", "speed": 4, "notation": "2"}),
            ("plot", {"ship": "Springbok", "speed": 4, "notation": "2"}),
            ("designate", {"ship": "Quagga", "orders": [{"target": "Springbok"}]}),
            ("correct", {"ship": "Ship 41", "values": {}, "reason": "x"}),
        ):
            answer = self.ann.post("/api/battle/play", {"kind": kind, "data": data})
            assert answer.status_code >= 400, (when, kind)
            self.said.append((f"{when}: {kind}", f"{answer.status} {answer.text}"))


def fight(told: Told, torpedoes: bool) -> Iterator[str]:
    """A segment in which hidden ships are fired at, by guns or torpedoes, until the first roll."""
    ann, bob = told.ann, told.bob
    yield "begun"
    for ship in ("Quagga", "Okapi"):
        aim = {"torpedo": "Ship 41"} if torpedoes and ship == "Okapi" else {}
        play(ann, "plot", ship=ship, speed=8, notation="4", **aim)
    for ship in ("Zwartkop", "Springbok"):
        play(bob, "plot", ship=ship, speed=8, notation="4")
    yield "plotted"
    play(bob, "commit")
    yield "one committed"
    play(ann, "commit")
    yield "moving"
    play(bob, "move")
    yield "moved"
    for ship, target in () if torpedoes else (("Quagga", "Ship 41"), ("Okapi", "Ship 42")):
        play(ann, "designate", ship=ship, orders=[{"target": target}])
    yield "designated"
    play(ann, "commit")
    play(bob, "commit")
    yield "fire is open"
    if _step(told) == "reduce":
        play(ann, "commit")
        play(bob, "commit")
    yield "to roll"


def _step(told: Told) -> str:
    return str(told.host.view()["battle"]["step"]["kind"])


_GUNS_AND_TORPEDOES = pytest.mark.parametrize("torpedoes", [False, True])


@_GUNS_AND_TORPEDOES
def test_the_dice_do_not_tell_which_number_is_which_ship(*, torpedoes: bool) -> None:
    assert_alike(("/battle/dice/part", "/api/view"), ("to roll",), torpedoes)


@pytest.mark.soak
@_GUNS_AND_TORPEDOES
def test_nothing_tells_which_number_is_which_ship(*, torpedoes: bool) -> None:
    assert_alike(tuple(_every_page()), None, torpedoes)


def assert_alike(pages: Sequence[str], moments: Container[str] | None, torpedoes: bool) -> None:
    """Two hidden ships change numbers: nothing that the enemy asks for is different."""
    heard = []
    for types in (("Bismarck", "Destroyer"), ("Destroyer", "Bismarck")):
        told = Told(fresh_app(), types)
        for when in fight(told, torpedoes):
            if moments is None or when in moments:
                told.look(when, pages)
        heard.append(told.said)
    first, second = heard
    found = [
        difference(one, other) for one, other in zip(first, second, strict=True) if one != other
    ]
    assert found == []


def _every_page() -> Iterator[str]:
    yield from PAGES
    yield from ("/api/battles/kept/{id}/export", "/api/battle/move", "/battle/now", "/tv")
    yield from ("/battle/dice/part", "/api/television", "/table/ships", "/report/part")
    for ship in ("Quagga", "Okapi", "Ship 41", "Ship 42"):
        for path in ("/api/battle/sheet", "/api/battle/fire", "/api/fields-of-fire"):
            yield f"{path}?ship={ship}"
        yield from (f"/sheet/{ship}", f"/battle/fire/{ship}/part")
        yield f"/battle/plot/{ship}/part?torpedo=Ship 41&speed=8&notation=4"
        yield f"/api/battle/plot?ship={ship}&torpedo=Ship 41&speed=8&notation=4"
    for firer, target in (("Ship 11", "Ship 41"), ("Ship 41", "Ship 11"), ("Quagga", "Ship 42")):
        for path in ("/api/check", "/check", "/proof.svg"):
            yield f"{path}?firer={firer}&target={target}"


def difference(one: tuple[str, str], other: tuple[str, str]) -> str:
    """Where two answers differ, and what they say there."""
    at = next((n for n, (a, b) in enumerate(zip(one[1], other[1], strict=False)) if a != b), 0)
    return f"{one[0]}: …{one[1][max(0, at - 90) : at + 60]}… or …{other[1][at : at + 60]}…"
