"""67.42: what guns held back are worth, and that they are never worth more than they cost."""

from fractions import Fraction

import pytest

from benchmarks.held_back import Guns, batteries, gains
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, FIRST
from combat.rulebooks.bismarck_advanced.fire.factor import guns_that_count, held_back_credit
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tests.combat.bismarck_advanced.sheets import CARD
from tests.combat.bismarck_advanced.shots import line, shot

PRINTED = Options(every_held_back_gun_counts=True)


@pytest.mark.parametrize(
    ("multiplier", "firing", "bearing", "counting"),
    [
        ("1", 5, 8, 3),  # a column for each gun
        ("1/2", 1, 4, 1),  # 2, 2, 1, 1
        ("3/10", 5, 8, 0),  # 2.4, 2.1, 1.8, 1.5: column 2 throughout
        ("3/10", 1, 8, 2),
        ("15", 2, 8, 0),  # column 28 is filled by two guns
        ("15", 1, 8, 1),
        ("49/10", 5, 8, 1),  # 28 until six guns fire, then 25
    ],
)
def test_a_gun_counts_only_if_its_removal_lowers_the_column(
    multiplier: str, firing: int, bearing: int, counting: int
) -> None:
    assert guns_that_count(firing, bearing, Fraction(multiplier)) == counting


def test_the_printed_minus_one_is_a_switch_and_edition_1() -> None:
    fire = shot(
        "Prince of Wales", "Bismarck", line(RangeBand.LONG_HIGH), turrets=("A",), guns=1,
        held_back=True,
    )  # fmt: skip
    assert held_back_credit(fire, CURRENT, Options()) == 1
    assert held_back_credit(fire, CURRENT, PRINTED) == 3
    assert held_back_credit(fire, FIRST, Options()) == 3
    first = CombatTables.of(load_tables(FIRST), FIRST)
    for card, options, value, provenance in (
        (CARD, Options(), -1, Provenance.RECONSTRUCTED),
        (CARD, PRINTED, -3, Provenance.PRINTED),
        (first, Options(), -3, Provenance.PRINTED),
    ):
        (held,) = [
            each for each in modifications(fire, card, options) if each.number == "held_back"
        ]
        assert (held.value, held.provenance, held.reference) == (value, provenance, "67.42")


def every_multiplier() -> list[Guns]:
    """Each multiplier of the game once, with the most guns that have it, and fewer."""
    found = {(guns.multiplier, guns.bearing): guns for guns in batteries(load_warships())}
    return list(found.values())


@pytest.mark.parametrize("adding", [False, True])
def test_holding_guns_back_never_pays(adding: bool) -> None:
    """Every multiplier and number of guns of the game; `benchmarks.held_back` has every sum."""
    options = Options(factors_past_the_table_add_up=adding)
    for guns in every_multiplier():
        assert not list(gains(guns, CARD, options, range(-18, 48, 5)))


def test_it_did_pay_in_edition_1() -> None:
    """Two of Prince of Wales's eight secondaries at 11,000 yards hit more than all of them."""
    first = CombatTables.of(load_tables(FIRST), FIRST)
    multiplier = (
        load_warships()
        .named("Prince of Wales", "")
        .rate_of_fire.multiplier(Battery.SECONDARY, RangeBand.MEDIUM_LOW)
    )
    assert multiplier is not None
    guns = Guns("Prince of Wales", Battery.SECONDARY, RangeBand.MEDIUM_LOW, 8, multiplier)
    assert any(gain.firing == 2 for gain in gains(guns, first, Options()))
    assert not list(gains(guns, CARD, Options()))
