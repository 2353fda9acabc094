"""Fires between two ships, for tests."""

from dataclasses import replace

from combat.dice import TypedDice
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, resolve_fire
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Shot,
    Sightline,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import Quadrant
from tests.combat.bismarck_advanced.sheets import CARD, fresh

BOW, STERN, PORT, STARBOARD = Quadrant.BOW, Quadrant.STERN, Quadrant.PORT, Quadrant.STARBOARD
MAIN, SECONDARY = Battery.MAIN, Battery.SECONDARY
Values = dict[int | str, int]


def line(
    band: RangeBand | None,
    quadrant: Quadrant = STARBOARD,
    aspect: Quadrant = PORT,
    *,
    blocked: bool = False,
    smoke: bool = False,
) -> Sightline:
    """A line to a target in the middle of a range segment, or 2,000 yards beyond them all."""
    number = len(RangeBand) if band is None else list(RangeBand).index(band)
    return Sightline(4000 * number + 2000, band, quadrant, aspect, blocked, smoke)


def shot(
    firer: str | Vessel = "Bismarck",
    target: str | Vessel = "Hood",
    sightline: Sightline | None = None,
    *,
    speeds: tuple[int, int] = (7, 7),
    battery: Battery = MAIN,
    turrets: tuple[str, ...] = (),
    guns: int | None = None,
    held_back: bool = False,
    conditions: Conditions | None = None,
) -> Shot:
    """Bismarck's broadside at Hood, broadside to broadside, unless told otherwise."""
    return Shot(
        fresh(firer) if isinstance(firer, str) else firer,
        fresh(target) if isinstance(target, str) else target,
        *speeds,
        battery,
        sightline or line(RangeBand.LONG_LOW),
        turrets,
        guns,
        held_back,
        conditions or Conditions(),
    )


def values(fire: Shot) -> Values:
    """The ledger by number; modifiers that share a word are added up."""
    found: Values = {}
    for modifier in modifications(fire, CARD):
        found[modifier.number] = found.get(modifier.number, 0) + modifier.value
    return found


def resolved(fire: Shot, dice: str, options: Options | None = None) -> FireReport:
    typed = TypedDice(dice)
    report = resolve_fire(fire, typed, CARD, options=options)
    typed.finish()
    return report


HOOD_FIRST = shot("Hood", "Prinz Eugen", line(RangeBand.EXTREME, BOW, PORT), speeds=(9, 9))


PLAIN = shot()


def with_firer(**marks: object) -> Shot:
    return replace(PLAIN, firer=replace(PLAIN.firer, **marks))  # type: ignore[arg-type]
