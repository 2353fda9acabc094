"""Forecasts against brute force: every fall of the dice, a chain over whole ships, and samples.

`odds.py` takes shortcuts (a boundless ship, a walk over boxes, a multinomial count of turrets).
Nothing here does: the twins play `resolve_fire` or `resolve_hit` on the real target.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.dice import RolledDice
from combat.forecast import Forecast, every_outcome
from combat.rulesets.bismarck_advanced.bands import Battery, RangeBand
from combat.rulesets.bismarck_advanced.card import Card, Location
from combat.rulesets.bismarck_advanced.damage import resolve_hit
from combat.rulesets.bismarck_advanced.gunnery import (
    FireReport,
    Options,
    resolve_fire,
    shell_of,
)
from combat.rulesets.bismarck_advanced.odds import (
    forecast_fire,
    forecast_segment,
    hit_marks,
    hit_odds,
)
from combat.rulesets.bismarck_advanced.shot import Conditions, FireForbidden, Shot, Sightline
from combat.rulesets.bismarck_advanced.tabledata import load_tables
from combat.rulesets.bismarck_advanced.vessel import QUARTERS, TurretState, Vessel
from combat.rulesets.bismarck_advanced.warship_files import load_warships
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError

CARD, SHIPS = Card.of(load_tables()), load_warships()
EXACT = 1e-12
ON_TARGET = Conditions(first_fire_at_target=False, under_fire=True)
BLANK, SHORT, EXTREME = RangeBand.POINT_BLANK, RangeBand.SHORT, RangeBand.EXTREME
MEDIUM_LOW, LONG_LOW = RangeBand.MEDIUM_LOW, RangeBand.LONG_LOW


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def shot(
    firer: str,
    target: str | Vessel,
    band: RangeBand,
    *,
    guns: int | None = None,
    extra: int = 0,
    aspect: Quadrant = Quadrant.PORT,
    battery: Battery = Battery.MAIN,
) -> Shot:
    """A fire with so many guns; `extra` is added to the roll (as if by conning tower hits)."""
    return Shot(
        firer=replace(fresh(firer), command_modifier=extra),
        target=fresh(target) if isinstance(target, str) else target,
        firer_speed=7,
        target_speed=7,
        battery=battery,
        sightline=Sightline(
            4000 * list(RangeBand).index(band) + 2000, band, Quadrant.STARBOARD, aspect
        ),
        guns=guns,
        conditions=ON_TARGET,
    )


# --- the twins -----------------------------------------------------------------------------


def harm(before: Vessel, report: FireReport) -> set[str]:
    """What a fire did, by comparing the two sheets."""
    after = report.target_after
    marked = {
        "sunk": after.is_sunk,
        "turret_lost": any(
            new.destroyed and not old.destroyed
            for old, new in zip(before.turrets, after.turrets, strict=True)
        ),
        "secondary_lost": after.secondaries_lost > before.secondaries_lost,
        "speed_lost": after.movement_factor < before.movement_factor,
        "director_lost": after.director_destroyed and not before.director_destroyed,
        "plot_lost": after.plot_destroyed and not before.plot_destroyed,
    }
    hurt = {
        hit.location
        for hit in report.hit_reports
        if hit.penetrated and hit.effects != ("no further effect",)
    }
    marked["rudder_damaged"] = Location.RUDDER in hurt
    marked["conning_tower_damaged"] = Location.CONNING_TOWER in hurt
    for turret, old, new in zip(before.warship.turrets, before.turrets, after.turrets, strict=True):
        marked[f"turret_{turret.name}_lost"] = new.destroyed and not old.destroyed
    return {name for name, happened in marked.items() if happened}


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


Keep = Callable[[Vessel], Vessel]


def keeping(*names: str) -> Keep:
    """Forget every mark but some, so that the chain has few states."""

    def keep(ship: Vessel) -> Vessel:
        blank = Vessel.fresh(ship.warship, ship.name)
        return replace(blank, **{name: getattr(ship, name) for name in names})

    return keep


BOXES = keeping("hull_lost", "superstructure_lost")
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


class Chain:
    """The odds of whole ships, hit by hit: a dictionary, and `resolve_hit` as its only step."""

    def __init__(self, fire: Shot, keep: Keep) -> None:
        self._shell, self._keep = shell_of(fire), keep
        self._steps: dict[Vessel, Mapping[Vessel, float]] = {}

    def after(
        self, start: Mapping[Vessel, float], hits: Mapping[int, float]
    ) -> dict[Vessel, float]:
        now, total = dict(start), defaultdict[Vessel, float](float)
        for number in range(max(hits) + 1):
            if number:
                now = self._one_more(now)
            for ship, chance in now.items():
                total[ship] += chance * hits.get(number, 0.0)
        return dict(total)

    def _one_more(self, now: Mapping[Vessel, float]) -> dict[Vessel, float]:
        following = defaultdict[Vessel, float](float)
        for ship, chance in now.items():
            for later, share in self._step(ship).items():
                following[later] += chance * share
        return dict(following)

    def _step(self, ship: Vessel) -> Mapping[Vessel, float]:
        if ship not in self._steps:
            odds: dict[Vessel, Fraction] = defaultdict(Fraction)
            for way in every_outcome(lambda dice: resolve_hit(self._shell, ship, dice, CARD)[0]):
                odds[self._keep(way.result)] += way.probability
            self._steps[ship] = {later: float(chance) for later, chance in odds.items()}
        return self._steps[ship]


def chained(fire: Shot, keep: Keep, options: Options | None = None) -> dict[Vessel, float]:
    hits = hit_odds(fire, CARD, options or Options())
    return Chain(fire, keep).after({keep(fire.target): 1.0}, hits)


def chance_of(odds: Mapping[Vessel, float], happens: Callable[[Vessel], bool]) -> float:
    return sum(chance for ship, chance in odds.items() if happens(ship))


def mean_of(odds: Mapping[Vessel, float], quarters: Callable[[Vessel], int]) -> float:
    return sum(chance * quarters(ship) for ship, chance in odds.items()) / QUARTERS


# --- (a) every fall of the dice of whole fires ---------------------------------------------

BATTERED = replace(
    fresh("Hood"),
    hull_lost=36,
    superstructure_lost=10,
    director_destroyed=True,
    turrets=(
        TurretState(12, destroyed=True),
        TurretState(8),
        TurretState(5, out_for_phases=1),
        TurretState(),
    ),
    secondaries_lost=frozenset({"P1"}),
)
SMALL_FIRES = {
    "one gun at Hood": shot("Scharnhorst", "Hood", LONG_LOW, guns=1, extra=5),
    "battered Hood, one hit": shot("Bismarck", BATTERED, LONG_LOW, guns=1),
    "battered Hood, from astern": shot(
        "Bismarck", BATTERED, LONG_LOW, guns=1, aspect=Quadrant.STERN
    ),
    "two hits on battered Hood": shot("Bismarck", BATTERED, LONG_LOW, guns=2, extra=8),
    "two hits by D shells": shot("Scharnhorst", "Admiral Scheer", LONG_LOW, guns=2, extra=6),
    "Rodney from astern": shot("Bismarck", "Rodney", SHORT, guns=1, extra=30,
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
    assert sunk["battered Hood, one hit"] > 0
    assert sunk["one gun at Hood"] == 0


@pytest.mark.parametrize("adding", [False, True])
def test_factors_past_the_table(adding: bool) -> None:
    """At a destroyer, so that dozens of hits need no dice."""
    options = Options(factors_past_the_table_add_up=adding)
    fire = shot("Bismarck", "Destroyer", BLANK, extra=3)
    twin = brute_force(fire, options)
    assert (max(twin.hits) > 28) is adding
    same(forecast_fire(fire, CARD, options), twin)


def test_a_factor_of_nothing() -> None:
    fire = shot("Hood", "Bismarck", EXTREME, guns=2)
    forecast = forecast_fire(fire, CARD)
    same(forecast, brute_force(fire))
    assert (forecast.hits, forecast.expected_hits) == ({0: 1.0}, 0.0)
    assert set(forecast.outcomes.values()) == {0.0}
    assert set(forecast.expected_boxes.values()) == {0.0}


# --- (b) large salvos against a chain over ships -------------------------------------------

LARGE_FIRES = {
    "Bismarck at Repulse, close": shot("Bismarck", "Repulse", MEDIUM_LOW),
    "at a battered Hood": shot("Bismarck", BATTERED, MEDIUM_LOW, extra=4),
    "Hood at Bismarck": shot("Hood", "Bismarck", SHORT),
    "Scharnhorst at Scheer, end-on": shot(
        "Scharnhorst", "Admiral Scheer", MEDIUM_LOW, aspect=Quadrant.BOW
    ),
    "Bismarck at Dunkerque from astern": shot(
        "Bismarck", "Dunkerque", SHORT, aspect=Quadrant.STERN
    ),
    "Norfolk at Scheer": shot("Norfolk", "Admiral Scheer", MEDIUM_LOW, extra=6),
}


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
    except FireForbidden:
        with pytest.raises(FireForbidden):
            resolve_fire(fire, RolledDice(random.Random(1)), CARD)
        return
    assert abs(sum(forecast.hits.values()) - 1) <= EXACT
    assert all(chance > 0 for chance in forecast.hits.values())
    assert all(-EXACT <= chance <= 1 + EXACT for chance in forecast.outcomes.values())
    left = (ship.hull_quarters - ship.hull_lost) / QUARTERS
    assert -EXACT <= forecast.expected_boxes["hull"] <= left + EXACT
    assert forecast.outcomes["sunk"] <= 1 - forecast.hits.get(0, 0.0) + EXACT
    marks = hit_marks(shell_of(fire), ship.warship, CARD)
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
            play = partial(resolve_fire, fire, card=CARD, target_now=ship)
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
    with pytest.raises(DreyerError, match="one and the same target"):
        forecast_segment(fires, CARD).outcomes["sunk"]


def test_a_forbidden_fire_has_no_odds() -> None:
    fire = shot("Prinz Eugen", "Hood", EXTREME)
    for ask in (
        lambda: forecast_fire(fire, CARD),
        lambda: forecast_segment([fire], CARD).outcomes["sunk"],
    ):
        with pytest.raises(FireForbidden, match=r"62\.42"):
            ask()


def test_hundreds_of_hits() -> None:
    """Twelve 6-inch guns at point blank make a factor of 240: no number may overflow."""
    fire = shot("Manchester", "Nelson", RangeBand.POINT_BLANK)
    forecast = forecast_fire(fire, CARD, Options(factors_past_the_table_add_up=True))
    assert max(forecast.hits) == 240
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
