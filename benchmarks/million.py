"""A million seeded resolutions against the exact odds: part of `make soak`.

Every outcome of every forecast must lie within five standard deviations of its count.
"""

import math
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from combat.dice import RolledDice
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire
from combat.rulebooks.bismarck_advanced.fire.odds import forecast_fire
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Conditions, Shot, Sightline
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import Quadrant

RESOLUTIONS = 1_000_000
CHUNK = 5_000
SIGMAS = 5.0
FIRES = (
    ("Bismarck", "Hood", Battery.MAIN, RangeBand.MEDIUM_HIGH, Quadrant.PORT, 0),
    ("Hood", "Bismarck", Battery.MAIN, RangeBand.SHORT, Quadrant.STERN, 20),
    ("Scharnhorst", "Renown", Battery.MAIN, RangeBand.LONG_HIGH, Quadrant.BOW, 12),
    ("Prinz Eugen", "Norfolk", Battery.MAIN, RangeBand.MEDIUM_LOW, Quadrant.STARBOARD, 4),
    ("Manchester", "Nelson", Battery.MAIN, RangeBand.MEDIUM_LOW, Quadrant.PORT, 8),
)


def shot_of(number: int) -> Shot:
    """One of the fires, by its number."""
    firer, target, battery, band, aspect, hull_lost = FIRES[number]
    warships = load_warships()
    ship = Vessel.fresh(warships.named(target, "soak"))
    return Shot(
        firer=Vessel.fresh(warships.named(firer, "soak")),
        target=replace(ship, hull_lost=min(hull_lost, ship.hull_quarters - 4)),
        firer_speed=7,
        target_speed=7,
        battery=battery,
        sightline=Sightline(10_000, band, Quadrant.PORT, aspect),
        conditions=Conditions(first_fire_at_target=False, under_fire=True),
    )


def play(number: int, seed: int) -> Counter[str]:
    """Play a chunk of resolutions and count what came of them."""
    shot, card = shot_of(number), CombatTables.of(get_ruleset("bismarck-advanced").tables)
    dice = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
    counts: Counter[str] = Counter()
    before = shot.target
    for _ in range(CHUNK):
        report = resolve_fire(shot, dice, card, options=Options())
        after = report.target_after
        counts[f"{report.hits} hits"] += 1
        counts["sunk"] += after.is_sunk
        counts["speed_lost"] += after.movement_factor < before.movement_factor
        counts["director_lost"] += after.director_destroyed
        counts["plot_lost"] += after.plot_destroyed
        counts["secondary_lost"] += bool(after.secondaries_lost)
        counts["turret_lost"] += any(state.destroyed for state in after.turrets)
        for turret, state in zip(before.warship.turrets, after.turrets, strict=True):
            counts[f"turret_{turret.name}_lost"] += state.destroyed
    return counts


def main(resolutions: int = RESOLUTIONS) -> None:
    """Play them on all cores and compare with the exact odds; exit 1 where they disagree."""
    card = CombatTables.of(get_ruleset("bismarck-advanced").tables)
    chunks = max(1, resolutions // len(FIRES) // CHUNK)
    worst, failed = 0.0, 0
    with ProcessPoolExecutor() as pool:
        for number in range(len(FIRES)):
            seeds = range(number * chunks, (number + 1) * chunks)
            counts = sum(pool.map(play, [number] * chunks, seeds), Counter[str]())
            played = chunks * CHUNK
            forecast = forecast_fire(shot_of(number), card)
            odds = {f"{hits} hits": chance for hits, chance in forecast.hits.items()}
            odds |= {name: p for name, p in forecast.outcomes.items() if name in counts}
            for name, chance in odds.items():
                sigma = math.sqrt(played * chance * (1 - chance)) or 1e-9
                off = abs(counts[name] - played * chance) / sigma
                worst = max(worst, off)
                if off > SIGMAS:
                    failed += 1
                    print(f"  {FIRES[number][:2]}: {name}: {off:.1f} σ off")
    print(
        f"{len(FIRES) * chunks * CHUNK:,} seeded resolutions against the exact odds: the worst "
        f"of all outcomes is {worst:.1f} σ off, {failed} past {SIGMAS:.0f} σ"
    )
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RESOLUTIONS)
