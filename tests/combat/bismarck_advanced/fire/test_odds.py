"""Forecasts of one fire against brute force: every fall of the dice, a chain over whole ships."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from combat.forecast import Forecast, every_outcome
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire
from combat.rulebooks.bismarck_advanced.fire.odds import (
    forecast_fire,
    hit_odds,
)
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Shot,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.arcs import Quadrant
from tests.combat.bismarck_advanced.odds_twins import (
    BATTERED,
    BLANK,
    BOXES,
    EXACT,
    EXTREME,
    LARGE_FIRES,
    LONG_LOW,
    MEDIUM_LOW,
    SHORT,
    chained,
    chance_of,
    harm,
    keeping,
    shot,
)
from tests.combat.bismarck_advanced.sheets import CARD, fresh


def brute_force(fire: Shot, options: Options | None = None) -> Forecast:
    """Every fall of every die of the whole fire."""
    hits: dict[int, Fraction] = defaultdict(Fraction)
    outcomes: dict[str, Fraction] = defaultdict(Fraction)
    hull, superstructure = Fraction(0), Fraction(0)
    boxes: dict[tuple[float, float], Fraction] = defaultdict(Fraction)
    for way in every_outcome(lambda dice: resolve_fire(fire, dice, CARD, options=options)):
        report, after = way.result, way.result.target_after
        hits[report.hits] += way.probability
        for name in harm(fire.target, report):
            outcomes[name] += way.probability
        hull_marked = after.hull_lost - fire.target.hull_lost
        superstructure_marked = after.superstructure_lost - fire.target.superstructure_lost
        hull += way.probability * hull_marked
        superstructure += way.probability * superstructure_marked
        boxes[hull_marked / 4, superstructure_marked / 4] += way.probability
    assert sum(hits.values()) == 1
    return Forecast(
        {number: float(chance) for number, chance in hits.items()},
        {name: float(chance) for name, chance in outcomes.items()},
        {"hull": float(hull / 4), "superstructure": float(superstructure / 4)},
        {state: float(chance) for state, chance in boxes.items()},
    )


def same(forecast: Forecast, twin: Forecast) -> None:
    assert set(forecast.hits) == set(twin.hits)
    assert forecast.hits == pytest.approx(dict(twin.hits), abs=EXACT)
    assert set(twin.outcomes) <= set(forecast.outcomes)
    for name, chance in forecast.outcomes.items():
        assert chance == pytest.approx(twin.outcomes.get(name, 0.0), abs=EXACT), name
    assert forecast.expected_boxes == pytest.approx(dict(twin.expected_boxes), abs=EXACT)
    assert forecast.expected_hits == pytest.approx(twin.expected_hits, abs=EXACT)
    if twin.boxes:
        assert forecast.boxes == pytest.approx(dict(twin.boxes), abs=EXACT)


TURRETS = keeping("turrets")
SECONDARIES = keeping("secondaries_lost")
FIRE_CONTROL = keeping("director_destroyed", "plot_destroyed")


def only_guns(ship: Vessel) -> Vessel:
    """The turrets' boxes, without what silences a turret for a while."""
    states = tuple(TurretState(t.lost_quarters, destroyed=t.destroyed) for t in ship.turrets)
    return replace(TURRETS(ship), turrets=states)


def everything_forecast(ship: Vessel) -> Vessel:
    """All that a forecast speaks of; how much speed is lost does not matter."""
    kept = keeping(
        "hull_lost", "superstructure_lost", "secondaries_lost", "director_destroyed",
        "plot_destroyed",
    )(ship)  # fmt: skip
    return replace(
        kept,
        turrets=only_guns(ship).turrets,
        movement_factors_lost=min(ship.movement_factors_lost, 1),
    )


def mean_of(odds: Mapping[Vessel, float], quarters: Callable[[Vessel], int]) -> float:
    return sum(chance * quarters(ship) for ship, chance in odds.items()) / QUARTERS


SMALL_FIRES = {
    "one gun at Hood": shot("Scharnhorst", "Hood", LONG_LOW, guns=1, extra=5),
    "battered Hood, one hit": shot("Bismarck", BATTERED, LONG_LOW, guns=1),
    "battered Hood, from astern": shot(
        "Bismarck", BATTERED, LONG_LOW, guns=1, aspect=Quadrant.STERN
    ),
    "two hits on battered Hood": shot("Bismarck", BATTERED, LONG_LOW, guns=2, extra=8),
    "two hits by D shells": shot("Scharnhorst", "Admiral Scheer", LONG_LOW, guns=2, extra=6),
    "Rodney from astern": shot("Bismarck", "Rodney", SHORT, guns=1, extra=21,
                               aspect=Quadrant.STERN),
    "Rodney from broadside": shot("Bismarck", "Rodney", LONG_LOW, guns=1),
    "a carrier": shot("Scharnhorst", "Ark Royal", LONG_LOW, guns=2, extra=7),
    "a destroyer": shot("Bismarck", "Destroyer", SHORT),
    "a destroyer in the last rows": shot("Bismarck", "Destroyer", SHORT, extra=20),
    "a destroyer by small shells": shot(
        "Bismarck", "Destroyer", MEDIUM_LOW, battery=Battery.SECONDARY
    ),
    "a destroyer nearly gone": shot(
        "Bismarck", replace(fresh("Destroyer"), hull_lost=3), SHORT, battery=Battery.SECONDARY
    ),
    "no chance at all": shot("Bismarck", "Hood", EXTREME, extra=60),
}  # fmt: skip


@pytest.mark.parametrize("fire", SMALL_FIRES.values(), ids=SMALL_FIRES.keys())
def test_every_fall_of_the_dice(fire: Shot) -> None:
    twin = brute_force(fire)
    assert fire.target.warship.is_destroyer or max(twin.hits) <= 2
    same(forecast_fire(fire, CARD), twin)


def test_the_cases_above_are_worth_it() -> None:
    """Two of them do reach two hits, some sink and some do not."""
    most = {name: max(hit_odds(fire, CARD, Options())) for name, fire in SMALL_FIRES.items()}
    assert most["two hits on battered Hood"] == most["two hits by D shells"] == 2
    sunk = {name: forecast_fire(fire, CARD).outcomes["sunk"] for name, fire in SMALL_FIRES.items()}
    assert sunk["two hits on battered Hood"] > 0
    assert sunk["one gun at Hood"] == 0


@pytest.mark.parametrize("adding", [False, True])
def test_factors_past_the_table(adding: bool) -> None:
    """At a destroyer, so that many hits need no dice."""
    options = Options(factors_past_the_table_add_up=adding)
    fire = shot("Bismarck", "Destroyer", BLANK, extra=3)
    twin = brute_force(fire, options)
    assert (max(twin.hits) > CARD.hits[0][28]) is adding
    same(forecast_fire(fire, CARD, options), twin)


def test_a_factor_of_nothing() -> None:
    fire = shot("Hood", "Bismarck", EXTREME, guns=2)
    forecast = forecast_fire(fire, CARD)
    same(forecast, brute_force(fire))
    assert (forecast.hits, forecast.expected_hits) == ({0: 1.0}, 0.0)
    assert set(forecast.outcomes.values()) == {0.0}
    assert set(forecast.expected_boxes.values()) == {0.0}


@pytest.mark.parametrize("fire", LARGE_FIRES.values(), ids=LARGE_FIRES.keys())
def test_large_salvos(fire: Shot) -> None:
    forecast, target = forecast_fire(fire, CARD), fire.target
    assert max(forecast.hits) > 5
    boxes = chained(fire, BOXES)
    assert forecast.outcomes["sunk"] == pytest.approx(
        chance_of(boxes, lambda ship: ship.is_sunk), abs=EXACT
    )
    assert forecast.expected_boxes["hull"] == pytest.approx(
        mean_of(boxes, lambda ship: ship.hull_lost - target.hull_lost), abs=1e-11
    )
    assert forecast.expected_boxes["superstructure"] == pytest.approx(
        mean_of(boxes, lambda ship: ship.superstructure_lost - target.superstructure_lost),
        abs=1e-11,
    )
    gone = sum(state.destroyed for state in target.turrets)
    guns = chained(fire, only_guns)
    assert forecast.outcomes["turret_lost"] == pytest.approx(
        chance_of(guns, lambda ship: sum(t.destroyed for t in ship.turrets) > gone), abs=1e-11
    )
    lost = target.secondaries_lost
    assert forecast.outcomes["secondary_lost"] == pytest.approx(
        chance_of(chained(fire, SECONDARIES), lambda ship: ship.secondaries_lost > lost),
        abs=EXACT,
    )
    control = chained(fire, FIRE_CONTROL)
    assert forecast.outcomes["director_lost"] == pytest.approx(
        chance_of(control, lambda s: s.director_destroyed and not target.director_destroyed),
        abs=EXACT,
    )
    assert forecast.outcomes["plot_lost"] == pytest.approx(
        chance_of(control, lambda s: s.plot_destroyed and not target.plot_destroyed), abs=EXACT
    )


def test_nothing_is_lost_by_looking_at_one_thing_at_a_time() -> None:
    """The whole ship at once, three hits deep: all marks together, not one kind after another."""
    before = replace(fresh("Admiral Scheer"), hull_lost=17, superstructure_lost=7)
    fire = shot("Bismarck", before, LONG_LOW, guns=4, extra=4)
    forecast = forecast_fire(fire, CARD)
    assert max(forecast.hits) >= 3
    odds = chained(fire, everything_forecast)
    assert sum(odds.values()) == pytest.approx(1.0, abs=EXACT)
    expected = {
        "sunk": chance_of(odds, lambda s: s.is_sunk),
        "turret_lost": chance_of(odds, lambda s: any(t.destroyed for t in s.turrets)),
        "secondary_lost": chance_of(odds, lambda s: bool(s.secondaries_lost)),
        "speed_lost": chance_of(odds, lambda s: s.movement_factors_lost > 0),
        "director_lost": chance_of(odds, lambda s: s.director_destroyed),
        "plot_lost": chance_of(odds, lambda s: s.plot_destroyed),
    }
    for name, chance in expected.items():
        assert forecast.outcomes[name] == pytest.approx(chance, abs=EXACT), name
    assert forecast.expected_boxes["hull"] == pytest.approx(
        mean_of(odds, lambda s: s.hull_lost - before.hull_lost), abs=EXACT
    )
