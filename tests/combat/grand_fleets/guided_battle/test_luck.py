"""What a fire could expect when it was rolled: for the report's luck."""

import pytest

from combat.participants import UMPIRE
from combat.rulebooks.grand_fleets.guided_battle.actions import DeclareFire, Shot
from combat.story_entries import Entry, VolleyDocument
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, Table
from tests.combat.grand_fleets.guided_battle.test_sequence import combat


def fires(table: Table) -> list[Entry]:
    events = [*BATTLE.opening(table.game.start), *(e for p in table.game.played for e in p.events)]
    return [
        e
        for e in BATTLE.story(table.state, events, UMPIRE)
        if e.document is not None and len(e.ships) == 2
    ]


def test_gunfire_against_its_exact_odds() -> None:
    table = combat()
    options = BATTLE.fire_options(table.state, None, "Boreas")
    at_ares = next(each for each in options if each.target == "Ares")
    guns = next(each for each in at_ares.batteries if each.battery == "guns 1")
    assert guns.forecast is not None
    table.play(DeclareFire(ship="Boreas", shots=(Shot(battery="guns 1", target="Ares"),)))
    (entry,) = fires(table.dice("1 6 5"))
    document = entry.document
    assert entry.kind == "fire"
    assert isinstance(document, VolleyDocument)
    assert (document.firer, document.target) == ("Boreas", "Ares")
    assert (document.shots, document.hits) == (3, 2)
    assert document.expected_hits == pytest.approx(guns.forecast.expected_hits)
    assert document.hit_odds == pytest.approx(guns.forecast.hits)
