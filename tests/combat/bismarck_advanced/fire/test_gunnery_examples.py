"""Rules 60 to 62 by the book's own examples: from guns to hits."""

import pytest

from combat.dice import Pair
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Shot,
)
from combat.rulebooks.bismarck_advanced.guns import RangeBand
from tests.combat.bismarck_advanced.sheets import fresh
from tests.combat.bismarck_advanced.shots import (
    BOW,
    HOOD_FIRST,
    MAIN,
    PORT,
    line,
    resolved,
    shot,
    values,
)

PRINCE_FIRST = shot(
    "Prince of Wales", "Bismarck", line(RangeBand.EXTREME, BOW, PORT), speeds=(9, 9)
)


def test_example_of_62_43() -> None:
    """Bismarck's eight main guns at 26,000 yards: 8 × .3 = 2.4, a factor of 2."""
    assert gunnery_factor(shot(sightline=line(RangeBand.EXTREME))) == 2


@pytest.mark.parametrize(
    ("conditions", "targeting"),
    [(Conditions(), 16), (Conditions(first_fire_at_target=False), 0)],
)
def test_example_of_62_53(conditions: Conditions, targeting: int) -> None:
    fire = shot(sightline=line(RangeBand.EXTREME), conditions=conditions)
    assert values(fire)["targeting"] == targeting


HOOD_LEDGER = [
    ("targeting", 18), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 3), (9, 0),
    (10, 0), (11, 0), (12, 0), (13, -2), (14, 0), (15, 0), (16, 1),
]  # fmt: skip


def test_hood_fires_at_prinz_eugen() -> None:
    report = resolved(HOOD_FIRST, "12")
    assert (report.guns, report.gunnery_factor) == (4, 1)
    assert [(entry.number, entry.value) for entry in report.ledger] == HOOD_LEDGER
    assert report.ledger.total == 20
    assert (report.row, report.hits, report.hit_reports) == ("44", 0, ())
    assert (report.ammunition_spent, report.ammunition_left) == (6, 714)
    assert report.target_after == HOOD_FIRST.target


def test_prince_of_wales_fires_at_bismarck() -> None:
    report = resolved(PRINCE_FIRST, "11")
    assert (report.guns, report.gunnery_factor, report.ledger.total) == (6, 1, 16)
    seen = {number: value for number, value in values(PRINCE_FIRST).items() if value}
    assert seen == {"targeting": 17, 13: -2, 16: 1}
    assert report.row == "35"
    assert (report.ammunition_spent, report.ammunition_left) == (9, 591)


@pytest.mark.parametrize("fire", [HOOD_FIRST, PRINCE_FIRST])
@pytest.mark.parametrize("roll", range(1, 37))
def test_neither_can_possibly_hit(fire: Shot, roll: int) -> None:
    assert resolved(fire, str(Pair.of_index(roll))).hits == 0


@pytest.mark.parametrize(
    ("firer", "target", "left", "targeting", "factor", "spent"),
    [
        ("Prince of Wales", "Bismarck", 591, False, 3, 18),
        ("Hood", "Bismarck", 714, True, 2, 6),
    ],
)
def test_second_segment_at_long_high(
    firer: str, target: str, left: int, targeting: bool, factor: int, spent: int
) -> None:
    """6 × .5 = 3 and the two logs: 591 to 573, 714 to 708."""
    fire = shot(
        fresh(firer).with_ammunition(MAIN, left),
        target,
        line(RangeBand.LONG_HIGH, BOW, PORT),
        conditions=Conditions(first_fire_at_target=targeting),
    )
    report = resolved(fire, "66")
    assert report.gunnery_factor == factor
    assert (report.ammunition_spent, report.ammunition_left) == (spent, left - spent)


def test_bismarcks_first_fire_uses_the_german_rate() -> None:
    """Her sheet in the example took the Allied 3 a gun; 65.2 says 4."""
    report = resolved(shot(sightline=line(RangeBand.LONG_HIGH)), "66")
    assert (report.gunnery_factor, values(report.shot)["targeting"]) == (4, 14)
    assert report.ammunition_spent == 8 * 4 // 2
