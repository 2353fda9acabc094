"""Warships as on their specification charts, without damage (54.2, 60).

A `Warship` has the data of `ships/*.toml`, which `warship_files` reads. Every value has a source:
`hood.source_of("hull_boxes")`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field

from combat.provenance import Source
from combat.rulebooks.bismarck_advanced.fleet.nations import Party, party_of
from combat.rulebooks.bismarck_advanced.guns import Battery, GunType, RangeBand
from combat.ships import ShipClass, ShipType
from tabletop.arcs import FiringArc, Quadrant
from tabletop.errors import UnknownName
from tabletop.messages import Message
from tabletop.schema import FILE_CONFIG, Expected, LongText, Number, Text

DASH: Final = "-"
"""A chart's dash: no armour, or no fire at this range."""
THICKEST_INCHES: Final = 40
_LARGEST: Final = 99


def _inches(value: object) -> int | None:
    return _dash_or_whole(value, 1, THICKEST_INCHES)


def _targeting(value: object) -> int | None:
    return _dash_or_whole(value, 0, _LARGEST)


def _dash_or_whole(value: object, least: int, most: int) -> int | None:
    if value == DASH or value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError
    return value


def _multiplier(value: object) -> Fraction | None:
    """The exact value of the decimal: 0.3 is three tenths."""
    if value == DASH or value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LARGEST:
        raise ValueError
    return Fraction(str(value))


Inches = Annotated[
    int | None,
    BeforeValidator(_inches),
    Expected(Message("advanced.card.inches", most=THICKEST_INCHES)),
]
"""Thickness of armour; None is the chart's dash: nothing to penetrate (63.6)."""
_Targeting = Annotated[
    int | None,
    BeforeValidator(_targeting),
    Expected(Message("advanced.card.targeting", most=_LARGEST)),
]
_Multiplier = Annotated[
    Fraction | None,
    BeforeValidator(_multiplier),
    Expected(Message("advanced.card.multiplier", most=_LARGEST)),
]
_RANGES: Final = len(RangeBand)
Station = Annotated[Number, Field(ge=0, le=1)]
"""A place along a ship from 0 (bow) to 1 (stern)."""


class ArmourCode(StrEnum):
    """The kinds of armour, by the codes of the Damage Table."""

    MAIN_GUN = "MG"
    CROWN = "CA"
    DECK = "DA"
    BELT = "BA"
    SECONDARY = "SA"
    CONNING_TOWER = "CT"
    PLOT = "PL"
    DIRECTOR = "DI"
    RUDDER = "RU"
    NONE = "-"


class HullSide(StrEnum):
    """The side of a mount, which determines from where it can be hit (64.41)."""

    PORT = "port"
    STARBOARD = "starboard"
    BOTH = "both"
    """On the centreline: can be hit from either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """Guns that are aimed and lost together."""

    name: str
    guns: int
    arc: FiringArc
    station: float
    """Its place along the ship from 0 (bow) to 1 (stern)."""
    side: HullSide = HullSide.BOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Turret(Mount):
    """A turret of the main battery: A, B, X, Y (60.2)."""

    boxes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondaryTurret(Mount):
    """One box of secondary guns (60.3); without guns it only takes damage."""


_PLUNGING: Final = {RangeBand.EXTREME: 0, RangeBand.LONG_HIGH: 1}
"""Which of three values of armour a band meets; every other band meets the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Armour:
    """Every armour value of a chart, in inches."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    belt: tuple[Inches, Inches]
    """Hit from broadside; hit from bow or stern."""
    deck: tuple[Inches, Inches, Inches]
    """At extreme range; at long high; at long low or closer."""
    main_gun: Inches
    crown: tuple[Inches, Inches, Inches]
    secondary: Inches
    conning_tower: Inches
    plot: Inches
    director: Inches
    rudder: tuple[Inches, Inches]

    def inches(self, code: ArmourCode, band: RangeBand, end_on: bool) -> Inches:
        """The armour against a shell at this range and aspect, by the notes of the record sheet."""
        match code:
            case ArmourCode.CROWN:
                return self.crown[_PLUNGING.get(band, 2)]
            case ArmourCode.DECK:
                return self.deck[_PLUNGING.get(band, 2)]
            case ArmourCode.BELT:
                return self.belt[end_on]
            case ArmourCode.RUDDER:
                return self.rudder[end_on]
            case ArmourCode.MAIN_GUN:
                return self.main_gun
            case ArmourCode.SECONDARY:
                return self.secondary
            case ArmourCode.CONNING_TOWER:
                return self.conning_tower
            case ArmourCode.PLOT:
                return self.plot
            case ArmourCode.DIRECTOR:
                return self.director
            case ArmourCode.NONE:
                return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RateOfFire:
    """A rate of fire chart, nearest range first; None is a dash: no fire at that range (62.42)."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    targeting_by_range: Annotated[
        tuple[_Targeting, ...], Field(alias="targeting", min_length=_RANGES, max_length=_RANGES)
    ]
    main_by_range: Annotated[
        tuple[_Multiplier, ...], Field(alias="main", min_length=_RANGES, max_length=_RANGES)
    ]
    secondary_by_range: Annotated[
        tuple[_Multiplier, ...], Field(alias="secondary", min_length=_RANGES, max_length=_RANGES)
    ]

    def targeting(self, band: RangeBand) -> int | None:
        """The targeting modification at a range (62.5)."""
        return self.targeting_by_range[_NUMBER[band]]

    def multiplier(self, battery: Battery, band: RangeBand) -> Fraction | None:
        """The multiplier of the number of guns, exactly as printed (62.43)."""
        main = battery is Battery.MAIN
        return (self.main_by_range if main else self.secondary_by_range)[_NUMBER[band]]


_NUMBER: Mapping[RangeBand, int] = {band: number for number, band in enumerate(RangeBand)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Further data for a drawing of the ship from above; stations as for mounts."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    beam: Annotated[Number, Field(gt=0, le=1)]
    """Her beam as a fraction of her length."""
    superstructure: tuple[Station, Station]
    """Its fore and after end."""
    funnels: tuple[Station, ...]
    island: HullSide = HullSide.BOTH
    """The side of a carrier's superstructure and funnels."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value that can be read in two ways."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    field: Text
    chosen: Text
    other: Text
    reason: LongText


@dataclass(frozen=True, slots=True, kw_only=True)
class Warship(ShipType):
    """A ship with her specification chart."""

    movement_factor: int
    radar: bool
    torpedoes: int
    """Her torpedo strength (69); 0 is none."""
    armour: Armour
    rate_of_fire: RateOfFire
    gun_types: Mapping[Battery, GunType | None] = field(hash=False)
    calibres_inches: Mapping[Battery, float | None] = field(hash=False)
    ammunition: Mapping[Battery, int | None] = field(hash=False)
    """Ammunition factors (65); None if she has no such guns."""
    turrets: tuple[Turret, ...]
    """The main battery, from bow to stern."""
    secondaries: tuple[SecondaryTurret, ...]
    hull_boxes: int
    superstructure_boxes: int
    layout: Layout
    jam_table: str | None = None
    """The table for jams of her guns, if she has one (71.1)."""
    doubts: tuple[Doubt, ...] = ()
    sources: Mapping[str, Source] = field(hash=False, repr=False)
    """The source of each value, by its name in the ship's file: "armour.belt"."""

    def source_of(self, name: str) -> Source:
        """The source of a value, by its name in the ship's file."""
        if name not in self.sources:
            raise UnknownName(self.name, "value", name, self.sources)
        return self.sources[name]

    @property
    def is_allied(self) -> bool:
        """Whether her nation counts as one of the Allies (65.1, 65.2)."""
        return party_of(self.nation) is Party.ALLIED

    @property
    def is_destroyer(self) -> bool:
        """Whether she is a destroyer, which has special rules (70)."""
        return self.ship_class is ShipClass.DESTROYER

    @property
    def bow_turrets(self) -> tuple[Turret, ...]:
        """The main turrets that bear into the bow quadrant (64.42)."""
        return tuple(turret for turret in self.turrets if turret.arc.bears_into(Quadrant.BOW))

    @property
    def stern_turrets(self) -> tuple[Turret, ...]:
        """The main turrets that bear into the stern quadrant (64.42)."""
        return tuple(turret for turret in self.turrets if turret.arc.bears_into(Quadrant.STERN))

    def mounts(self, battery: Battery) -> tuple[Turret, ...] | tuple[SecondaryTurret, ...]:
        """All turrets of a battery."""
        return self.turrets if battery is Battery.MAIN else self.secondaries

    def guns(self, battery: Battery) -> int:
        """The number of guns of a battery."""
        return sum(mount.guns for mount in self.mounts(battery))

    def guns_bearing(self, battery: Battery, quadrant: Quadrant) -> int:
        """The number of guns of a battery that bear into a quadrant (60.5, 60.6)."""
        return sum(mount.guns for mount in self.mounts(battery) if mount.arc.bears_into(quadrant))
