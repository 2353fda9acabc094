"""Exact odds of a salvo, against sampling our own resolution to the same accuracy."""

import random
import time
from dataclasses import replace

from benchmarks.timing import best_seconds
from combat.dice import RolledDice
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire
from combat.rulebooks.bismarck_advanced.fire.odds import (
    forecast_fire,
    forecast_segment,
    hit_effects,
)
from combat.rulebooks.bismarck_advanced.fire.shot import Conditions, Shot, Sightline
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import Quadrant

ACCURACY = 0.001
"""Sampling must bring 95 % of its answers within this of the true sinking odds."""
SAMPLES = 3_000


def main() -> None:
    """Print the ratio for one salvo, and the time of a segment with six firing ships."""
    card = CombatTables.of(get_ruleset("bismarck-advanced").tables)
    shot = _salvo("Bismarck")

    def cold() -> None:
        hit_effects.cache_clear()
        forecast_fire(shot, card)

    forecast = forecast_fire(shot, card)
    exact = best_seconds(cold, rounds=9)
    warm = best_seconds(lambda: forecast_fire(shot, card), rounds=9)
    dice = RolledDice(random.Random(1941))  # noqa: S311 - a game, not a secret
    start = time.perf_counter()
    sunk = sum(resolve_fire(shot, dice, card).target_after.is_sunk for _ in range(SAMPLES))
    each = (time.perf_counter() - start) / SAMPLES
    odds = forecast.outcomes["sunk"]
    needed = 1.96**2 * odds * (1 - odds) / ACCURACY**2
    print(
        f"Forecast of an 8-gun salvo that averages {forecast.expected_hits:.1f} hits on a ship "
        f"near sinking ({odds:.1%} exact, {sunk / SAMPLES:.1%} in {SAMPLES:,} samples)"
    )
    print(
        f"  exact: {exact * 1e3:.1f} ms cold, {warm * 1e3:.1f} ms warm; baseline: sampling our own "
        f"resolution to ±{ACCURACY:.1%}: {needed:,.0f} samples of {each * 1e6:.0f} µs, "
        f"{needed * each:.0f} s ({needed * each / exact:,.0f}×)"
    )
    six = [
        _salvo(name)
        for name in (
            "Bismarck",
            "Tirpitz",
            "Scharnhorst",
            "Gneisenau",
            "Prinz Eugen",
            "Admiral Scheer",
        )
    ]

    def segment() -> None:
        hit_effects.cache_clear()
        for each_shot in six:
            forecast_fire(each_shot, card)
        forecast_segment(six, card)

    print(f"  a segment with six firing ships: {best_seconds(segment, rounds=5) * 1e3:.0f} ms")


def _salvo(firer: str) -> Shot:
    warships = load_warships()
    hood = Vessel.fresh(warships.named("Hood", "benchmark"))
    return Shot(
        firer=Vessel.fresh(warships.named(firer, "benchmark")),
        target=replace(hood, hull_lost=hood.hull_quarters - 8, superstructure_lost=6),
        firer_speed=8,
        target_speed=8,
        battery=Battery.MAIN,
        sightline=Sightline(14_000, RangeBand.MEDIUM_HIGH, Quadrant.PORT, Quadrant.PORT),
        conditions=Conditions(first_fire_at_target=False, under_fire=True),
    )


if __name__ == "__main__":
    main()
