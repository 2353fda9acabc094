"""What fire in the Advanced Game may be expected to do at places where nobody stands yet.

The means are exact: the odds of every number of hits over the 36 rolls, times the mean of what one
hit marks over every fall of its dice. What they leave out is that a ship has no more boxes than
she has; close to the end a captain relies on the forecasts of the fire itself.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.damage import Shell
from combat.rulebooks.bismarck_advanced.fire.factor import factor_of
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.odds import hit_effects, hit_odds_of
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Crew,
    Shot,
    Sightline,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode, Warship
from combat.rulebooks.bismarck_advanced.guns import Battery, GunType, RangeBand
from combat.weather import Visibility
from tabletop.angles import FloatArray
from tabletop.arcs import CLOCKWISE, Quadrant
from tabletop.sight import IndexArray
from tabletop.table import Pose

BANDS: Final = tuple(RangeBand)
OUT_OF_RANGE: Final = len(BANDS)
"""The code of every range beyond the last band."""
BROADSIDE: Final = CLOCKWISE.index(Quadrant.STARBOARD)
_QUADRANTS: Final = len(CLOCKWISE)
_CELLS: Final = (OUT_OF_RANGE + 1) * _QUADRANTS * _QUADRANTS
_TURRETS: Final = 0.5
"""What the loss of all her turrets counts of a ship's worth; of her hull it is all."""
_SUPERSTRUCTURE: Final = 0.25
_SPEED: Final = 0.1
_FIRE_CONTROL: Final = 0.1
_MOST_KEPT: Final = 4096


@dataclass(frozen=True)
class SeenShip:
    """A ship as a captain's side knows her."""

    name: str
    side: str
    pose: Pose
    speed: int
    vessel: Vessel
    was_hit: bool = False
    fired_at: frozenset[tuple[Battery, str]] = frozenset()

    @property
    def worth(self) -> int:
        """What all of her counts: her boxes."""
        return self.vessel.warship.hull_boxes + self.vessel.warship.superstructure_boxes

    @property
    def strength(self) -> float:
        """Her worth as far as she is still afloat and can fire."""
        vessel = self.vessel
        hull = 1.0 - vessel.hull_lost / vessel.hull_quarters
        able = sum(turret.can_fire for turret in vessel.turrets) if vessel.main_ammunition else 0
        return self.worth * hull * (1 + able) / (1 + len(vessel.turrets))

    @cached_property
    def facts(self) -> tuple[object, ...]:
        """Everything about her that expected harm depends on."""
        vessel = self.vessel
        return (
            self.name,
            self.speed,
            self.was_hit,
            self.fired_at,
            vessel.turrets,
            vessel.secondaries_lost,
            vessel.hull_lost,
            vessel.movement_factor,
            vessel.director_destroyed,
            vessel.plot_destroyed,
            vessel.has_radar,
            vessel.command_modifier,
            Crew.after(vessel.rounds_of_fire),
            vessel.main_ammunition > 0,
            vessel.secondary_ammunition > 0,
            vessel.ammunition_by_turret,
            frozenset(vessel.turret_spent.items()),
        )


@dataclass(slots=True)
class _Fire:
    """One ship's fire at another, and what is known of it."""

    firer: SeenShip
    target: SeenShip
    harm: FloatArray = field(default_factory=lambda: np.full(_CELLS, np.nan))
    """The expected harm in each cell; nothing where it was not asked for."""
    totals: dict[tuple[Battery, int | None, bool], int] = field(default_factory=dict)
    """The sums of ledgers."""
    _guns: dict[tuple[Battery, Quadrant], int] = field(default_factory=dict)

    def guns(self, battery: Battery, quadrant: Quadrant) -> int:
        """How many guns bear into a quadrant."""
        key = (battery, quadrant)
        if key not in self._guns:
            ready = turrets_bearing(self.firer.vessel, battery, quadrant, {})
            self._guns[key] = sum(turret.guns for turret in ready)
        return self._guns[key]


@dataclass(frozen=True, slots=True)
class _MeanHit:
    """What one hit marks in the mean, and how often it does."""

    hull: float
    superstructure: float
    turret: float
    speed: float
    control: float


@dataclass
class Gunnery:
    """Expected harm between ships, by range band and quadrants; what was worked out is kept."""

    combat_tables: CombatTables
    options: Options
    visibility: Visibility
    night: bool
    _fires: dict[tuple[object, ...], _Fire] = field(default_factory=dict)
    _mean_hits: dict[tuple[object, ...], _MeanHit] = field(default_factory=dict)
    """By what they follow from."""
    _mean_hit_at: dict[tuple[object, ...], _MeanHit] = field(default_factory=dict)
    """By ship, aspect, gun and range."""

    def harm_at(self, firer: SeenShip, target: SeenShip, cells: IndexArray) -> FloatArray:
        """The expected harm of all her fire at the target, in each of these cells."""
        key = (firer.facts, target.facts)
        fire = self._fires.get(key)
        if fire is None:
            if len(self._fires) >= _MOST_KEPT:
                self._fires.clear()
            fire = self._fires[key] = _Fire(firer, target)
        known = fire.harm
        for cell in np.unique(cells[np.isnan(known[cells])]).tolist():
            known[cell] = self._cell(fire, cell)
        return known[cells]

    def broadsides(self, firer: SeenShip, target: SeenShip) -> FloatArray:
        """The expected harm in each band, broadside to broadside."""
        return self.harm_at(firer, target, _BROADSIDES)

    def _cell(self, fire: _Fire, cell: int) -> float:
        band_code, quadrants = divmod(cell, _QUADRANTS * _QUADRANTS)
        if band_code == OUT_OF_RANGE:
            return 0.0
        quadrant, aspect = divmod(quadrants, _QUADRANTS)
        line = Sightline(0.0, BANDS[band_code], CLOCKWISE[quadrant], CLOCKWISE[aspect])
        harm = sum(self._of_battery(fire, battery, line) for battery in Battery)
        return min(harm, float(fire.target.worth))

    def _of_battery(self, fire: _Fire, battery: Battery, line: Sightline) -> float:
        vessel, target, band = fire.firer.vessel, fire.target, line.band
        gun = vessel.warship.gun_types.get(battery)
        if gun is None or band is None or vessel.ammunition(battery) <= 0:
            return 0.0
        multiplier = vessel.warship.rate_of_fire.multiplier(battery, band)
        if multiplier is None:
            return 0.0
        factor = factor_of(fire.guns(battery, line.quadrant), multiplier)
        if not factor:
            return 0.0
        total = self._total(fire, battery, band, line)
        odds = hit_odds_of(factor, total, self.combat_tables, self.options)
        hits = sum(number * chance for number, chance in odds.items())
        if not hits:
            return 0.0
        each = self._mean_hit(gun, band, target.vessel.warship, not line.aspect.is_broadside)
        return hits * self._share_lost(each, target.vessel) * target.worth

    def _total(self, fire: _Fire, battery: Battery, band: RangeBand, line: Sightline) -> int:
        """The sum of the ledger."""
        firer, target = fire.firer, fire.target
        # The ledger asks of the range what finding it costs (62.53), and of the quadrants only
        # whether both are broadsides, or neither (16).
        targeting = firer.vessel.warship.rate_of_fire.targeting(band)
        like = line.quadrant.is_broadside == line.aspect.is_broadside
        key = (battery, targeting, like)
        if key not in fire.totals:
            shot = Shot(
                firer=firer.vessel,
                target=target.vessel,
                firer_speed=firer.speed,
                target_speed=target.speed,
                battery=battery,
                sightline=line,
                conditions=Conditions(
                    visibility=self.visibility,
                    night=self.night,
                    first_fire_at_target=(battery, target.name) not in firer.fired_at,
                    hit_last_segment=firer.was_hit,
                    under_fire=True,
                    crew=Crew.after(firer.vessel.rounds_of_fire),
                ),
            )
            fire.totals[key] = modifications(shot, self.combat_tables, self.options).total
        return fire.totals[key]

    def _share_lost(self, hit: _MeanHit, vessel: Vessel) -> float:
        """The part of a ship's worth that one hit takes in the mean."""
        standing = sum(not turret.destroyed for turret in vessel.turrets)
        return (
            hit.hull / max(vessel.hull_quarters - vessel.hull_lost, 1)
            + _TURRETS * hit.turret * (standing > 0) / max(len(vessel.turrets), 1)
            + _SUPERSTRUCTURE
            * hit.superstructure
            / max(vessel.warship.superstructure_boxes * QUARTERS, 1)
            + _SPEED * hit.speed
            + _FIRE_CONTROL * hit.control
        )

    def _mean_hit(self, gun: GunType, band: RangeBand, warship: Warship, end_on: bool) -> _MeanHit:
        known = self._mean_hit_at.get((warship.name, end_on, gun, band))
        if known is not None:
            return known
        # What a shell does follows from its size, the group of ranges, and what it penetrates.
        tables = self.combat_tables
        penetration, _ = tables.penetration(gun, band)
        armour = (warship.armour.inches(code, band, end_on) for code in ArmourCode)
        goes_through = tuple(
            inches is None or (penetration is not None and penetration >= inches)
            for inches in armour
        )
        key = (warship.name, end_on, band.group, tables.shell_quarters(gun), goes_through)
        if key not in self._mean_hits:
            aspect = Quadrant.BOW if end_on else Quadrant.STARBOARD
            marks = hit_effects(Shell(gun, band, aspect), warship, self.combat_tables).marks
            self._mean_hits[key] = _MeanHit(
                hull=sum(mark.hull * odds for mark, odds in marks.items()),
                superstructure=sum(mark.superstructure * odds for mark, odds in marks.items()),
                turret=sum(odds for mark, odds in marks.items() if mark.turret_destroyed),
                speed=sum(odds for mark, odds in marks.items() if mark.speed_lost),
                control=sum(odds for mark, odds in marks.items() if mark.director or mark.plot),
            )
        found = self._mean_hit_at[warship.name, end_on, gun, band] = self._mean_hits[key]
        return found


def cells_of(bands: IndexArray, quadrants: IndexArray, aspects: IndexArray) -> IndexArray:
    """The cells of range bands, the firer's quadrants and the target's."""
    found: IndexArray = (bands * _QUADRANTS + quadrants) * _QUADRANTS + aspects
    return found


_BROADSIDES: Final = cells_of(
    np.arange(OUT_OF_RANGE, dtype=np.intp),
    np.full(OUT_OF_RANGE, BROADSIDE, dtype=np.intp),
    np.full(OUT_OF_RANGE, BROADSIDE, dtype=np.intp),
)
