"""A ship's data card, with the source of each value.

A value that the source has lost, or that the owner has not entered, is empty. `gaps` names the lost
values, to distinguish a ship without torpedoes from one whose torpedoes are unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, get_args

from combat.provenance import Provenance, Source
from combat.ships import ModelBase, ShipType
from tabletop.arcs import Quadrant

OWNER: Final = Source(Provenance.OWNER, "the owner's card")
GunBattery = Literal["guns 1", "guns 2", "guns 3", "guns 4", "guns 5", "guns 6"]
"""The gun batteries of a card by position."""
GUNS: Final[tuple[GunBattery, ...]] = get_args(GunBattery)
MOST_BATTERIES: Final = len(GUNS)
TORPEDOES: Final = "torpedoes"
ANTI_AIR: Final = "anti_air"
DiceRow = Literal["guns 1", "guns 2", "guns 3", "guns 4", "guns 5", "guns 6", "anti_air"]
"""The rows of attack dice boxes of a card."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A number of the card with an optional plus or minus, which a special rule uses."""

    value: int
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.value}{self.mark}"


class Tube(StrEnum):
    """A torpedo box by its arcs (Torpedoes)."""

    FORWARD = "F"
    AFT = "A"
    PORT = "P"
    STARBOARD = "S"
    EITHER = "PS"

    @property
    def quadrants(self) -> tuple[Quadrant, ...]:
        """The arcs that it bears into."""
        return _BEARS[self]


_BEARS: Final = {
    Tube.FORWARD: (Quadrant.BOW,),
    Tube.AFT: (Quadrant.STERN,),
    Tube.PORT: (Quadrant.PORT,),
    Tube.STARBOARD: (Quadrant.STARBOARD,),
    Tube.EITHER: (Quadrant.PORT, Quadrant.STARBOARD),
}


@dataclass(frozen=True, slots=True)
class TubeBox:
    """One torpedo box: its arcs, and whether it has one torpedo or two."""

    tube: Tube
    torpedoes: int = 1

    def __str__(self) -> str:
        return self.tube + (str(self.torpedoes) if self.torpedoes > 1 else "")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a card, with optional sources of single values."""

    name: str
    sources: Mapping[str, Source] = field(default_factory=dict, kw_only=True)

    def source_of(self, key: str, otherwise: Source) -> Source:
        """The source of one of its values."""
        return self.sources.get(key, otherwise)


@dataclass(frozen=True, slots=True)
class Guns(Part):
    """A battery of guns (Weapons)."""

    calibre: float
    """In inches."""
    turrets: bool
    """Whether the modifiers for the ends are in parentheses."""
    forward: int | None
    """The modifier into the forward arc; None if she cannot fire there."""
    aft: int | None
    range: tuple[float, float, float]
    """The limits of short, medium and long range in thousands of yards."""
    extreme: bool
    """Whether the range has an asterisk."""
    penetration: Rating
    dice: tuple[int, ...]

    def end_modifier(self, quadrant: Quadrant) -> int | None:
        """The modifier of an arc; None if the guns do not bear."""
        return {Quadrant.BOW: self.forward, Quadrant.STERN: self.aft}.get(quadrant, 0)


@dataclass(frozen=True, slots=True)
class Torpedoes(Part):
    """A ship's torpedoes: one shot each."""

    range: tuple[float, float, float]
    damage: int
    """Added to each damage die."""
    tubes: tuple[TubeBox, ...]

    @property
    def carried(self) -> dict[Tube, int]:
        """The number of torpedoes of each kind of box."""
        kinds = {box.tube: 0 for box in self.tubes}
        for box in self.tubes:
            kinds[box.tube] += box.torpedoes
        return kinds


@dataclass(frozen=True, slots=True)
class AntiAir(Part):
    """The anti-air battery, which in the basic rules only takes damage."""

    dice: tuple[int, ...]
    dual_purpose: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(ShipType):
    """A ship's data card."""

    sisters: str = ""
    """Her class of ships."""
    year: int | None = None
    victory_points: int | None = None
    flag: int | None = None
    """The command quality of the admiral on board, if she is a flagship."""
    armour: tuple[Rating, ...] = ()
    """Side and ends; empty if unknown."""
    speed: tuple[Rating, ...] = ()
    """Thousands of yards per turn, box by box."""
    hull: tuple[int, ...] = ()
    """The three sets of boxes."""
    guns: tuple[Guns, ...] = ()
    torpedoes: Torpedoes | None = None
    anti_air: AntiAir | None = None
    base_length_inches: float | None = None
    """Of her model, like the next two; the rulebook's usual base where None (Miniatures)."""
    base_width_inches: float | None = None
    bridge_offset_inches: float = 0.0
    """How far ahead of the base's middle the bridge is, from which all is measured."""
    gaps: tuple[str, ...] = ()
    """The values that the source has lost."""
    sample: bool = False
    """Whether she is an invented ship for demonstrations."""
    source: Source = OWNER
    sources: Mapping[str, Source] = field(default_factory=dict)

    @property
    def base(self) -> ModelBase:
        """The base of her model."""
        return ModelBase(self.base_length_inches, self.base_width_inches, self.bridge_offset_inches)

    def source_of(self, key: str, part: Part | None = None) -> Source:
        """The source of a value of the card or of one of its parts."""
        if part is not None:
            return part.source_of(key, self.source)
        return self.sources.get(key, self.source)

    def provenance(self, key: str, part: Part | None = None) -> Provenance:
        """The provenance of a value."""
        return self.source_of(key, part).provenance

    def battery(self, name: str) -> Guns | None:
        """The gun battery of this name, "guns 1" for the first; None if she has none."""
        return next((each for own, each in zip(GUNS, self.guns, strict=False) if own == name), None)

    @property
    def dice_boxes(self) -> dict[DiceRow, tuple[int, ...]]:
        """The attack dice boxes of every battery with damage checks, in order."""
        boxes: dict[DiceRow, tuple[int, ...]] = {
            name: guns.dice for name, guns in zip(GUNS, self.guns, strict=False)
        }
        return boxes | ({ANTI_AIR: self.anti_air.dice} if self.anti_air else {})
