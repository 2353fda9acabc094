"""What must hold for the odds of any fire, and of several fires at one target."""

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.dice import RolledDice
from combat.forecast import every_outcome
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire, shell_of
from combat.rulebooks.bismarck_advanced.fire.odds import (
    forecast_fire,
    forecast_segment,
    hit_effects,
    hit_odds,
)
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Shot,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.odds_twins import (
    BOXES,
    EXACT,
    EXTREME,
    LARGE_FIRES,
    LONG_LOW,
    MEDIUM_LOW,
    SHORT,
    Chain,
    chained,
    chance_of,
    harm,
    shot,
)
from tests.combat.bismarck_advanced.sheets import CARD, SHIPS, fresh

# --- (c) samples, and what must hold for any fire ------------------------------------------


@pytest.mark.parametrize("name", ["Bismarck at Repulse, close", "at a battered Hood"])
def test_samples_agree(name: str) -> None:
    """Four standard deviations: a wrong forecast fails, an unlucky seed does not (it is fixed)."""
    fire, rolls = LARGE_FIRES[name], 1000
    forecast = forecast_fire(fire, CARD)
    dice = RolledDice(random.Random(1941))
    reports = [resolve_fire(fire, dice, CARD) for _ in range(rolls)]
    counts: dict[str, int] = defaultdict(int)
    for report in reports:
        for what in harm(fire.target, report):
            counts[what] += 1
    for what, chance in forecast.outcomes.items():
        sigma = sqrt(rolls * chance * (1 - chance))
        assert abs(counts[what] - rolls * chance) <= 4 * sigma + EXACT, what
    mean = sum(report.hits for report in reports) / rolls
    spread = sqrt(
        sum(p * (n - forecast.expected_hits) ** 2 for n, p in forecast.hits.items()) / rolls
    )
    assert abs(mean - forecast.expected_hits) <= 4 * spread


NAMES = [ship.name for ship in SHIPS]


@settings(max_examples=60, deadline=None)
@given(
    firer=st.sampled_from(NAMES),
    target=st.sampled_from(NAMES),
    band=st.sampled_from(list(RangeBand)),
    aspect=st.sampled_from(list(Quadrant)),
    battery=st.sampled_from(list(Battery)),
    extra=st.integers(0, 30),
    lost=st.fractions(0, 1, max_denominator=16),
)
def test_every_forecast_is_a_forecast(
    firer: str,
    target: str,
    band: RangeBand,
    aspect: Quadrant,
    battery: Battery,
    extra: int,
    lost: Fraction,
) -> None:
    ship = fresh(target)
    ship = replace(ship, hull_lost=min(int(ship.hull_quarters * lost), ship.hull_quarters - 1))
    fire = shot(firer, ship, band, aspect=aspect, battery=battery, extra=extra)
    try:
        forecast = forecast_fire(fire, CARD)
    except Forbidden:
        with pytest.raises(Forbidden):
            resolve_fire(fire, RolledDice(random.Random(1)), CARD)
        return
    assert abs(sum(forecast.hits.values()) - 1) <= EXACT
    assert all(chance > 0 for chance in forecast.hits.values())
    assert all(-EXACT <= chance <= 1 + EXACT for chance in forecast.outcomes.values())
    left = (ship.hull_quarters - ship.hull_lost) / QUARTERS
    assert -EXACT <= forecast.expected_boxes["hull"] <= left + EXACT
    assert forecast.outcomes["sunk"] <= 1 - forecast.hits.get(0, 0.0) + EXACT
    marks = hit_effects(shell_of(fire), ship.warship, CARD).marks
    assert abs(sum(marks.values()) - 1) <= EXACT


def test_a_damaged_ship_sinks_no_less_often() -> None:
    chances = [
        forecast_fire(
            shot("Bismarck", replace(fresh("Hood"), hull_lost=lost), MEDIUM_LOW), CARD
        ).outcomes["sunk"]
        for lost in range(40)
    ]
    assert chances == sorted(chances)
    assert 0 < chances[0] < chances[20] < chances[-1] < 1


def test_more_guns_and_better_aim_hurt_no_less() -> None:
    target = replace(fresh("Hood"), hull_lost=24)
    by_guns = [
        forecast_fire(shot("Bismarck", target, MEDIUM_LOW, guns=guns), CARD) for guns in range(1, 9)
    ]
    by_aim = [
        forecast_fire(shot("Bismarck", target, MEDIUM_LOW, extra=extra), CARD)
        for extra in range(40, -1, -4)
    ]
    for series in (by_guns, by_aim):
        for weaker, stronger in pairwise(series):
            assert weaker.expected_hits <= stronger.expected_hits
            for name, chance in weaker.outcomes.items():
                assert chance <= stronger.outcomes[name] + EXACT, name


# --- several fires at one target -----------------------------------------------------------


def in_turn(fires: Iterable[Shot]) -> float:
    """Every fall of the dice of several fires, each on the marks of those before it."""
    ships: dict[Vessel, Fraction] = {}
    for fire in fires:
        ships = ships or {fire.target: Fraction(1)}
        following: dict[Vessel, Fraction] = defaultdict(Fraction)
        for ship, chance in ships.items():
            play = partial(resolve_fire, fire, combat_tables=CARD, target_now=ship)
            for way in every_outcome(play):
                following[BOXES(way.result.target_after)] += chance * way.probability
        ships = following
    return float(sum(chance for ship, chance in ships.items() if ship.is_sunk))


def test_several_fires_sink_her_together() -> None:
    almost = BOXES(replace(fresh("Prinz Eugen"), hull_lost=21, superstructure_lost=6))
    fires = [
        shot("Hood", almost, LONG_LOW, guns=2, extra=4),
        shot("Norfolk", almost, LONG_LOW, guns=1, extra=4, aspect=Quadrant.BOW),
    ]
    together = forecast_segment(fires, CARD).outcomes["sunk"]
    assert together == pytest.approx(in_turn(fires), abs=EXACT)
    assert together == pytest.approx(
        forecast_segment(fires[::-1], CARD).outcomes["sunk"], abs=EXACT
    )
    alone = [forecast_segment([fire], CARD).outcomes["sunk"] for fire in fires]
    assert alone == [forecast_fire(fire, CARD).outcomes["sunk"] for fire in fires]
    assert together > max(alone) > 0


def test_several_large_fires() -> None:
    hood = fresh("Hood")
    first, second = (
        shot("Bismarck", hood, MEDIUM_LOW, extra=3),
        shot("Rodney", hood, MEDIUM_LOW, extra=3, aspect=Quadrant.BOW),
    )
    odds = chained(first, BOXES)
    odds = Chain(second, BOXES).after(odds, hit_odds(second, CARD, Options()))
    assert forecast_segment([first, second], CARD).outcomes["sunk"] == pytest.approx(
        chance_of(odds, lambda ship: ship.is_sunk), abs=1e-11
    )


def test_fires_at_two_ships_have_no_common_odds() -> None:
    fires = [shot("Bismarck", "Hood", SHORT), shot("Bismarck", "Rodney", SHORT)]
    with pytest.raises(DreyerError, match=r"advanced\.forecast\.one_target"):
        forecast_segment(fires, CARD).outcomes["sunk"]


def test_a_forbidden_fire_has_no_odds() -> None:
    fire = shot("Prinz Eugen", "Hood", EXTREME)
    for ask in (
        lambda: forecast_fire(fire, CARD),
        lambda: forecast_segment([fire], CARD).outcomes["sunk"],
    ):
        with pytest.raises(Forbidden, match=r"62\.42"):
            ask()


def test_dozens_of_hits() -> None:
    """Twelve 6-inch guns at point blank make a factor of 240, eight columns and a rest."""
    fire = shot("Manchester", "Nelson", RangeBand.POINT_BLANK)
    forecast = forecast_fire(fire, CARD, Options(factors_past_the_table_add_up=True))
    assert max(forecast.hits) == 8 * CARD.hits[0][28] + CARD.hits[0][16]
    assert all(0.0 <= chance <= 1.0 for chance in forecast.outcomes.values())
    assert sum(forecast.boxes.values()) == pytest.approx(1.0, abs=EXACT)


def test_what_is_gone_cannot_be_lost_again() -> None:
    hood = replace(fresh("Hood"), movement_factors_lost=10, director_destroyed=True)
    outcomes = forecast_fire(shot("Bismarck", hood, RangeBand.SHORT), CARD).outcomes
    assert outcomes["speed_lost"] == outcomes["director_lost"] == 0.0


def test_a_segment_is_the_same_as_its_fires_one_after_the_other() -> None:
    """Brute force over both salvos: every fall of the dice of the first, then of the second."""
    target = replace(fresh("Hood"), hull_lost=36, superstructure_lost=10)
    fires = [shot("Bismarck", target, RangeBand.LONG_LOW, guns=1, extra=8) for _ in range(2)]
    odds: dict[str, float] = defaultdict(float)
    for first in every_outcome(lambda dice: resolve_fire(fires[0], dice, CARD)):
        after = first.result.target_after
        second = forecast_fire(replace(fires[1], target=after), CARD) if not after.is_sunk else None
        chance = float(first.probability)
        odds["sunk"] += chance * (second.outcomes["sunk"] if second else 1.0)
        lost = any(state.destroyed for state in after.turrets)
        spared = 0.0 if lost or second is None else 1.0 - second.outcomes["turret_lost"]
        odds["turret_lost"] += chance * (1.0 - spared if second or lost else 0.0)
    forecast = forecast_segment(fires, CARD)
    assert forecast.outcomes["sunk"] == pytest.approx(odds["sunk"], abs=EXACT)
