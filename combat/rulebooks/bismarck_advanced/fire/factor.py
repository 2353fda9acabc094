"""The gunnery factor, the Hit Table's columns for it, and the credit for guns held back."""

from fractions import Fraction
from functools import lru_cache
from math import floor

from combat.rulebooks.bismarck_advanced.combat_tables import LAST_COLUMN
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot

HALF = Fraction(1, 2)


def gunnery_factor(shot: Shot) -> int:
    """62.43: guns times multiplier, rounded to the nearest whole number, halves up."""
    multiplier = shot.multiplier
    return 0 if multiplier is None else factor_of(shot.guns_firing, multiplier)


@lru_cache(maxsize=1024)
def factor_of(guns: int, multiplier: Fraction) -> int:
    """The gunnery factor of a number of guns (62.43)."""
    return floor(guns * multiplier + HALF)


def columns(factor: int, options: Options) -> tuple[int, ...]:
    """The Hit Table's columns for a factor: one, or several if factors beyond 28 add up."""
    if factor <= LAST_COLUMN:
        return (factor,) if factor else ()
    if not options.factors_past_the_table_add_up:
        return (LAST_COLUMN,)
    whole, rest = divmod(factor, LAST_COLUMN)
    return (LAST_COLUMN,) * whole + ((rest,) if rest else ())


def held_back_credit(shot: Shot, edition: Edition, options: Options) -> int:
    """67.42: the number of guns held back that improve the aim."""
    held_back, multiplier = shot.guns_held_back, shot.multiplier
    every_gun = options.every_held_back_gun_counts or not edition.held_back_gun_must_lower_column
    if every_gun or multiplier is None:
        return held_back
    return guns_that_count(shot.guns_firing, shot.guns_firing + held_back, multiplier)


def guns_that_count(firing: int, bearing: int, multiplier: Fraction) -> int:
    """The guns held back that lower the column when taken away one at a time.

    The column is the highest that the fire uses, so none counts as long as column 28 is filled,
    whether or not factors beyond it add up.
    """
    guns = range(firing, bearing + 1)
    return len({min(factor_of(each, multiplier), LAST_COLUMN) for each in guns}) - 1
