"""Torpedoes in the report: their hits count for the luck, against the odds that they had."""

from pathlib import Path

import pytest

from combat.story_entries import VolleyDocument
from tests.web.battles import UMPIRE, Fought
from web.battle.report.report import battle_report

CLOSE = """
title = "Close"
[[ship]]
name = "Hood"
x = 20000
y = 8000
heading = 0
[[ship]]
name = "Prinz Eugen"
x = 23000
y = 8000
heading = 0
"""


def launched(path: Path, *dice: str) -> Fought:
    """Torpedoes from where nobody moves, with these dice first."""
    fought = Fought(path, scene=CLOSE)
    for ship, torpedo in (("Hood", {}), ("Prinz Eugen", {"torpedo": "Hood"})):
        fought.do("plot", ship=ship, speed=0, notation="", **torpedo)
    fought.do("commit")
    fought.do("move")
    fought.do("commit")
    if dice:
        fought.do("dice", values=list(dice))
    fought.roll()
    return fought


def test_their_hits_are_set_against_their_odds(tmp_path: Path) -> None:
    report = battle_report(launched(tmp_path / "close.db").battle, UMPIRE)
    (salvo,) = report.segments[0].fires
    assert (salvo.firer, salvo.target, salvo.entry.kind) == ("Prinz Eugen", "Hood", "torpedo")
    document = salvo.entry.document
    assert isinstance(document, VolleyDocument)
    assert sum(document.hit_odds.values()) == pytest.approx(1)
    (german,) = (luck for luck in report.luck if luck.side == "german")
    assert german.expected[-1] == pytest.approx(document.expected_hits)
    assert german.expected[-1] > 0
    assert german.actual[-1] == document.hits == salvo.hits


def test_the_odds_are_those_of_all_rolls(tmp_path: Path) -> None:
    found: dict[int, int] = {}
    expected: dict[int, float] = {}
    for coloured in "123456":
        for white in "123456":
            fought = launched(tmp_path / f"{coloured}{white}.db", coloured + white)
            (salvo,) = battle_report(fought.battle, UMPIRE).segments[0].fires
            found[salvo.hits] = found.get(salvo.hits, 0) + 1
            assert isinstance(salvo.entry.document, VolleyDocument)
            expected = dict(salvo.entry.document.hit_odds)
            fought.session.close()
    assert {hits: pytest.approx(n / 36) for hits, n in found.items()} == expected
