"""The facts of one fire: ships, guns, line of fire and conditions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, LostTurrets, Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.weather import Visibility
from tabletop.arcs import Quadrant
from tabletop.messages import Message, ShipRef
from tabletop.rulings import SettledPair
from tabletop.survey import PairCheck, PairSummary

TIRED_AFTER_ROUNDS, EXHAUSTED_AFTER_ROUNDS = 6, 12
"""Rounds of fire after which a crew tires (modification 10, reconstructed)."""


class Crew(StrEnum):
    """How tired a crew is."""

    FRESH = "fresh"
    TIRED = "tired"
    EXHAUSTED = "exhausted"

    @classmethod
    def after(cls, rounds_of_fire: int) -> "Crew":
        """The crew's state after a number of rounds of fire."""
        if rounds_of_fire >= EXHAUSTED_AFTER_ROUNDS:
            return cls.EXHAUSTED
        return cls.TIRED if rounds_of_fire >= TIRED_AFTER_ROUNDS else cls.FRESH


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a fire; the defaults are a clear day and the first salvo."""

    visibility: Visibility = 2
    night: bool = False
    first_fire_at_target: bool = True
    """Whether her guns of this type did not fire at this target in the previous phase (62.53)."""
    hit_target_last_segment: bool = False
    hit_last_segment: bool = False
    """Whether the firing ship was hit in the previous segment (modification 5)."""
    under_fire: bool = False
    crew: Crew = Crew.FRESH
    several_targets: bool = False
    """Whether she fires this gun type at more than one target (modification 11)."""
    several_firers: bool = False
    """Whether more than one gun type or ship fires at this target (modification 12)."""
    firer_evolution: Evolution = Evolution.STEADY
    target_evolution: Evolution = Evolution.STEADY
    firer_smoke_cover: bool = False
    target_smoke_cover: bool = False
    jammed: Mapping[str, int] = field(default_factory=dict)
    """Guns jammed in this phase, by turret (71.5)."""


_BANDS: Mapping[str, RangeBand] = {band.value: band for band in RangeBand}


@dataclass(frozen=True, slots=True)
class Sightline:
    """The line of fire, as measured or entered."""

    range_yards: float
    band: RangeBand | None
    """None beyond the longest range."""
    quadrant: Quadrant
    """The firer's quadrant that the target lies in."""
    aspect: Quadrant
    """The target's quadrant that the firer lies in."""
    blocked: bool = False
    smoke: bool = False
    """Whether a smoke front crosses the line (67.652)."""

    @classmethod
    def from_check(cls, check: PairCheck | PairSummary | SettledPair) -> "Sightline":
        """The line of fire of a measured pair."""
        if check.quadrant is None or check.aspect is None:
            raise Forbidden(
                Message(
                    "advanced.forbidden.one_spot",
                    firer=ShipRef(check.firer),
                    target=ShipRef(check.target),
                ),
                "61.4",
            )
        return cls(
            range_yards=check.range_yards,
            band=_BANDS.get(check.segment or ""),
            quadrant=check.quadrant,
            aspect=check.aspect,
            blocked=check.blocked,
            smoke=check.smoke,
        )


@dataclass(frozen=True, slots=True)
class ReadyTurret:
    """A turret that bears, and the number of its guns that can fire."""

    name: str
    guns: int


@dataclass(frozen=True)
class Shot:
    """One ship firing one gun type at one target."""

    firer: Vessel
    target: Vessel
    firer_speed: int
    target_speed: int
    battery: Battery
    sightline: Sightline
    turrets: tuple[str, ...] = ()
    """The turrets designated; empty means all that bear."""
    guns: int | None = None
    """The number of guns that fire; None for all of the designated turrets."""
    held_back: bool = False
    """Whether the guns that do not fire are held back for accuracy (67.42)."""
    conditions: Conditions = field(default_factory=Conditions)
    target_before: Vessel | None = None
    """The target as the segment began, if `target` has marks of this segment."""
    rates: Mapping[str, int] = field(default_factory=dict)
    """The number of guns that fire, for each turret at a reduced rate of fire (67.41). The others
    of these turrets count as held back (67.42); other turrets fire all guns."""

    @property
    def lost_before(self) -> LostTurrets:
        """The target's turrets destroyed before this segment.

        All fire in a segment is simultaneous (62.2).
        """
        return (self.target_before or self.target).lost_turrets

    @property
    def multiplier(self) -> Fraction | None:
        """The gunfire multiplier of the Rate of Fire Chart at this range (62.42)."""
        band = self.sightline.band
        if band is None:
            return None
        return self.firer.warship.rate_of_fire.multiplier(self.battery, band)

    @cached_property
    def ready(self) -> tuple[ReadyTurret, ...]:
        """The designated turrets that bear and can fire, each with its guns."""
        bearing = turrets_bearing(
            self.firer, self.battery, self.sightline.quadrant, self.conditions.jammed
        )
        return tuple(
            turret for turret in bearing if not self.turrets or turret.name in self.turrets
        )

    @property
    def guns_firing(self) -> int:
        """The number of guns that fire."""
        return sum(map(self.rate_of, self.ready)) if self.guns is None else self.guns

    def rate_of(self, turret: ReadyTurret) -> int:
        """The number of guns of a turret that fire at its rate of fire (67.41)."""
        return min(self.rates.get(turret.name, turret.guns), turret.guns)

    @property
    def guns_held_back(self) -> int:
        """The number of guns held back for accuracy (67.41, 67.42)."""
        if not self.held_back and not self.rates:
            return 0
        return sum(turret.guns for turret in self.ready) - self.guns_firing


def turrets_bearing(
    vessel: Vessel, battery: Battery, quadrant: Quadrant, jammed: Mapping[str, int]
) -> tuple[ReadyTurret, ...]:
    """The turrets of a battery that can fire into a quadrant now (60.4, 61.4, 64, 70.4, 71)."""
    return tuple(
        ReadyTurret(name, guns)
        for name, guns, bears in _mounts(vessel, battery, quadrant, jammed)
        if bears and guns > 0 and vessel.turret_ammunition(battery, name) > 0
    )


def _mounts(
    vessel: Vessel, battery: Battery, quadrant: Quadrant, jammed: Mapping[str, int]
) -> list[tuple[str, int, bool]]:
    """Every turret of a battery: its name, its working guns, and whether it bears."""
    warship = vessel.warship
    if battery is Battery.SECONDARY:
        return [
            (
                turret.name,
                0 if vessel.secondary_lost(turret) else turret.guns,
                turret.arc.bears_into(quadrant),
            )
            for turret in warship.secondaries
        ]
    mounts = []
    for turret, state in zip(warship.turrets, vessel.turrets, strict=True):
        guns = turret.guns - state.jammed_guns - jammed.get(turret.name, 0)
        if warship.is_destroyer:
            # 70.4: a destroyer's gunnery decreases with her one box.
            guns = guns * (QUARTERS - min(vessel.hull_lost, QUARTERS)) // QUARTERS
        working = max(guns, 0) if state.can_fire else 0
        mounts.append((turret.name, working, turret.arc.bears_into(quadrant)))
    return mounts


def check_allowed(shot: Shot) -> None:
    """Raise Forbidden if the rules forbid this fire."""
    firer, target, line = shot.firer, shot.target, shot.sightline
    battery, ship = shot.battery, ShipRef(firer.name)
    guns = Message(f"advanced.battery.{battery}")
    quadrant = Message(f"advanced.quadrant.{line.quadrant}")
    for vessel in (firer, target):
        if vessel.is_sunk:
            raise Forbidden(Message("advanced.forbidden.sunk", ship=ShipRef(vessel.name)), "64.8")
    if not firer.warship.guns(battery):
        raise Forbidden(Message("advanced.forbidden.no_guns", ship=ship, battery=guns), "60.1")
    if line.band is None:
        raise Forbidden(
            Message(
                "advanced.forbidden.beyond_all_guns",
                ship=ShipRef(target.name),
                range_yards=line.range_yards,
            ),
            "61.5",
        )
    if shot.multiplier is None:
        raise Forbidden(
            Message(
                "advanced.forbidden.beyond_reach",
                ship=ship,
                battery=guns,
                band=Message(f"advanced.band.{line.band}"),
            ),
            "62.42",
        )
    if firer.ammunition(battery) <= 0:
        raise Forbidden(
            Message("advanced.forbidden.no_ammunition", ship=ship, battery=guns), "65.5"
        )
    _check_turrets(shot)
    bearing = sum(turret.guns for turret in shot.ready)
    if bearing == 0:
        raise Forbidden(
            Message("advanced.forbidden.no_gun_bears", ship=ship, battery=guns, quadrant=quadrant),
            "61.4",
        )
    if not 1 <= shot.guns_firing <= bearing:
        raise Forbidden(
            Message(
                "advanced.forbidden.too_many_guns",
                ship=ship,
                guns=shot.guns_firing,
                bearing=bearing,
                battery=guns,
                quadrant=quadrant,
            ),
            "61.4",
        )


def _check_turrets(shot: Shot) -> None:
    mounts = _mounts(shot.firer, shot.battery, shot.sightline.quadrant, shot.conditions.jammed)
    known = {name: (guns, bears) for name, guns, bears in mounts}
    ship = ShipRef(shot.firer.name)
    battery = Message(f"advanced.battery.{shot.battery}")
    for name in shot.turrets:
        if not known:
            raise Forbidden(
                Message("advanced.forbidden.no_turret", ship=ship, battery=battery, turret=name),
                "60.2",
            )
        if name not in known:
            raise Forbidden(
                Message(
                    "advanced.forbidden.no_such_turret",
                    ship=ship,
                    battery=battery,
                    turret=name,
                    known=tuple(known),
                ),
                "60.2",
            )
        guns, bears = known[name]
        if not bears:
            raise Forbidden(
                Message(
                    "advanced.forbidden.turret_does_not_bear",
                    ship=ship,
                    turret=name,
                    quadrant=Message(f"advanced.quadrant.{shot.sightline.quadrant}"),
                ),
                "61.4",
            )
        if not guns:
            raise Forbidden(
                Message("advanced.forbidden.turret_cannot_fire", ship=ship, turret=name),
                "64.32, 71.2",
            )
        if shot.firer.turret_ammunition(shot.battery, name) <= 0:
            raise Forbidden(
                Message("advanced.forbidden.turret_spent", ship=ship, turret=name), "65.6"
            )
    if len(set(shot.turrets)) != len(shot.turrets):
        raise Forbidden(Message("advanced.forbidden.turret_twice"), "61.2")
