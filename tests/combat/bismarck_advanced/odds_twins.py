"""Twins of the forecasts, for tests: every fall of the dice, and a chain over whole ships.

`odds.py` takes shortcuts (a boundless ship, a walk over boxes, a multinomial count of turrets).
Nothing here does: the twins play `resolve_fire` or `resolve_hit` on the real target.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from combat.forecast import every_outcome
from combat.rulebooks.bismarck_advanced.combat_tables import Location
from combat.rulebooks.bismarck_advanced.fire.damage import resolve_hit
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, shell_of
from combat.rulebooks.bismarck_advanced.fire.odds import (
    hit_odds,
)
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Shot,
    Sightline,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import TurretState, Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import Quadrant
from tests.combat.bismarck_advanced.hits import NOTHING_MORE
from tests.combat.bismarck_advanced.sheets import CARD, fresh

EXACT = 1e-12
ON_TARGET = Conditions(first_fire_at_target=False, under_fire=True)
BLANK, SHORT, EXTREME = RangeBand.POINT_BLANK, RangeBand.SHORT, RangeBand.EXTREME
MEDIUM_LOW, LONG_LOW = RangeBand.MEDIUM_LOW, RangeBand.LONG_LOW


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
        if hit.penetrated and hit.effects != (NOTHING_MORE,)
    }
    marked["rudder_damaged"] = Location.RUDDER in hurt
    marked["conning_tower_damaged"] = Location.CONNING_TOWER in hurt
    for turret, old, new in zip(before.warship.turrets, before.turrets, after.turrets, strict=True):
        marked[f"turret_{turret.name}_lost"] = new.destroyed and not old.destroyed
    return {name for name, happened in marked.items() if happened}


Keep = Callable[[Vessel], Vessel]


def keeping(*names: str) -> Keep:
    """Forget every mark but some, so that the chain has few states."""

    def keep(ship: Vessel) -> Vessel:
        blank = Vessel.fresh(ship.warship, ship.name)
        return replace(blank, **{name: getattr(ship, name) for name in names})

    return keep


BOXES = keeping("hull_lost", "superstructure_lost")


class Chain:
    """The odds of whole ships, hit by hit: a dictionary, and `resolve_hit` as its only step."""

    def __init__(self, fire: Shot, keep: Keep) -> None:
        self._shell, self._keep, self._lost_before = shell_of(fire), keep, fire.lost_before
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
            for way in every_outcome(
                lambda dice: resolve_hit(
                    self._shell, ship, dice, CARD, lost_before=self._lost_before
                )
            ):
                odds[self._keep(way.result[0])] += way.probability
            self._steps[ship] = {later: float(chance) for later, chance in odds.items()}
        return self._steps[ship]


def chained(fire: Shot, keep: Keep, options: Options | None = None) -> dict[Vessel, float]:
    hits = hit_odds(fire, CARD, options or Options())
    return Chain(fire, keep).after({keep(fire.target): 1.0}, hits)


def chance_of(odds: Mapping[Vessel, float], happens: Callable[[Vessel], bool]) -> float:
    return sum(chance for ship, chance in odds.items() if happens(ship))


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
