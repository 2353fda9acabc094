"""`python -m benchmarks.held_back`: whether it ever pays to hold guns back (67.42).

For every ship, battery and range, for every number of guns that may bear (all of them, or what
arcs, damage and jams leave), every number of them that fire, and every sum of modifications: the
hits that are expected with all guns firing against those with some held back. Exits with 1 where
the present edition lets it pay.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import FIRST
from combat.rulebooks.bismarck_advanced.fire.factor import factor_of, guns_that_count
from combat.rulebooks.bismarck_advanced.fire.odds import hit_odds_of
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.rulebooks.bismarck_advanced.table_files import load_tables

TOTALS = range(-60, 61)
"""Below them every roll reads the first row, above them every roll misses."""
EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class Guns:
    """So many guns of a ship at a range."""

    ship: str
    battery: Battery
    band: RangeBand
    bearing: int
    multiplier: Fraction


@dataclass(frozen=True, slots=True)
class Gain:
    """A fire that hits more with fewer guns."""

    guns: Guns
    firing: int
    total: int
    """The sum of all other modifications."""
    hits_of_all: float
    hits_of_some: float


def batteries(ships: Iterable[Warship]) -> Iterator[Guns]:
    """Every number of guns of every battery at every range that it reaches."""
    for ship in ships:
        for battery in Battery:
            for band in RangeBand:
                multiplier = ship.rate_of_fire.multiplier(battery, band)
                if multiplier is None:
                    continue
                for bearing in range(2, ship.guns(battery) + 1):
                    yield Guns(ship.name, battery, band, bearing, multiplier)


def gains(
    guns: Guns, card: CombatTables, options: Options, totals: Iterable[int] = TOTALS
) -> Iterator[Gain]:
    """Where it pays to hold some of these guns back."""
    every_gun = (
        options.every_held_back_gun_counts or not card.edition.held_back_gun_must_lower_column
    )
    for firing in range(1, guns.bearing):
        credit = guns_that_count(firing, guns.bearing, guns.multiplier)
        if every_gun:
            credit = guns.bearing - firing
        for total in totals:
            some = factor_of(firing, guns.multiplier)
            of_all = expected(factor_of(guns.bearing, guns.multiplier), total, card, options)
            of_some = expected(some, total - credit, card, options)
            if of_some > of_all + EXACT:
                yield Gain(guns, firing, total, of_all, of_some)


@lru_cache(maxsize=100_000)
def expected(factor: int, total: int, card: CombatTables, options: Options) -> float:
    """The hits of a factor on average."""
    return sum(hits * odds for hits, odds in hit_odds_of(factor, total, card, options).items())


def main() -> None:
    """Sweep the present edition with its options, and others to compare."""
    current, first = CombatTables.of(get_ruleset("bismarck-advanced").tables), load_tables(FIRST)
    adding = Options(factors_past_the_table_add_up=True)
    printed = Options(every_held_back_gun_counts=True)
    failed = False
    for name, card, options, must_hold in (
        ("edition 2", current, Options(), True),
        ("edition 2, factors past 28 add up", current, adding, True),
        ("edition 2, the printed −1", current, printed, False),
        ("edition 1", CombatTables.of(first, FIRST), Options(), False),
    ):
        fires = paying = 0
        worst: Gain | None = None
        seen: dict[tuple[Fraction, int], list[Gain]] = {}
        for guns in batteries(load_warships()):
            key = guns.multiplier, guns.bearing
            if key not in seen:
                # What pays depends on nothing else.
                seen[key] = list(gains(guns, card, options))
            fires += (guns.bearing - 1) * len(TOTALS)
            paying += len(seen[key])
            for gain in seen[key]:
                if worst is None or _worth(gain) > _worth(worst):
                    worst = gain
        print(f"{name}: {fires:,} fires with guns held back, {paying:,} pay")
        if worst is not None:
            print(
                f"  most at {worst.guns.ship}'s {worst.guns.battery} guns, {worst.guns.band}, sum "
                f"{worst.total:+}: {worst.firing} of {worst.guns.bearing} guns hit "
                f"{worst.hits_of_some:.2f}, all of them {worst.hits_of_all:.2f}"
            )
        failed |= bool(paying) and must_hold
    if failed:
        sys.exit(1)


def _worth(gain: Gain) -> float:
    return gain.hits_of_some - gain.hits_of_all


if __name__ == "__main__":
    main()
