"""A move as it is made by hand: what to measure off on the table, leg by leg."""

from collections.abc import Iterable
from dataclasses import dataclass

from combat.views import MoveLeg
from tabletop.scale import Unit
from web.strings import text
from web.views.lists import in_words


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg in words, with the sign that the plot has for it."""

    sign: str
    words: str


def move_card(legs: Iterable[MoveLeg], yards_per_inch: float, unit: Unit) -> tuple[Leg, ...]:
    """The legs in inches or millimetres: nobody has a ruler with yards."""
    unit = unit if unit is Unit.MM else Unit.INCHES
    return tuple(Leg(leg.sign, _words(leg, yards_per_inch, unit)) for leg in legs)


def _words(leg: MoveLeg, yards_per_inch: float, unit: Unit) -> str:
    short = text(f"common.short_{unit}")
    length = f"{in_words(leg.length_yards, yards_per_inch, unit)} {short}"
    if not leg.angle_deg:
        return str(text("battle.leg_ahead", length=length))
    side = "port" if leg.angle_deg < 0 else "starboard"
    case = "turn" if leg.length_yards else "spot"
    degrees = f"{abs(leg.angle_deg):.1f}".removesuffix(".0")
    return str(text(f"battle.leg_{case}_{side}", length=length, degrees=degrees))
