"""A ship's record sheet as data: her parts, what is lost of each, and where to draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from combat.participants import ShipStatus
from combat.ships import ShipClass
from tabletop.arcs import Quadrant
from tabletop.messages import NO_WORDS, Message

Inches = int | None
"""A thickness of armour; None if there is none."""
_BEAMS = {
    ShipClass.BATTLESHIP: 0.14, ShipClass.BATTLE_CRUISER: 0.13, ShipClass.CARRIER: 0.14,
    ShipClass.POCKET_BATTLESHIP: 0.12, ShipClass.HEAVY_CRUISER: 0.1,
}  # fmt: skip
UNHARMED: Final = Message("combat.sheet.unharmed")
"""The glance at a ship that has lost nothing."""
_NARROW_BEAM = 0.09
_MOST_TROUBLE_AFLOAT = 0.99


@dataclass(frozen=True, slots=True)
class PartDetails:
    """What else a drawing may show of a part; a rulebook fills in what it has."""

    boxes: int | None = None
    """How many boxes there are to mark."""
    labels: tuple[str, ...] = ()
    """What is printed in each box."""
    groups: tuple[int, ...] = ()
    """How many boxes each set has, from the first."""
    gaps: tuple[str, ...] = ()
    """What of it the source does not say."""
    third: int | None = None
    """Which third of the hull is being shot away, from 0."""
    solid_boxes: int | None = None
    """Boxes that no repair brings back."""
    guns: int = 0
    jammed_guns: int = 0
    can_fire: bool = True
    arcs: tuple[Quadrant, ...] = ()
    """The quadrants that the guns bear into."""
    armour: Inches | tuple[Inches, ...] = None
    """One thickness, or one for each direction."""
    belt: tuple[Inches, ...] = ()
    deck: tuple[Inches, ...] = ()
    crown: tuple[Inches, ...] = ()
    ammunition: int | None = None
    """Rounds left for this mount."""
    by_turret: bool | None = None
    """Whether the rounds are counted turret by turret."""
    spent: Mapping[str, int] = field(default_factory=dict)
    """Rounds fired by each turret."""
    modifier: int | None = None
    """What the damage adds to her fire."""
    faults: tuple[str, ...] = ()
    speed: int | None = None
    previous: int | None = None
    """The speed of the round before."""
    hexes: str = ""
    """How far she moves in a turn."""


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One part of a record sheet: where to draw it, how much there is, how much is lost."""

    key: str
    kind: str
    """hull, superstructure, turret, secondary, director, plot, radar, rudder, conning_tower,
    speed, ammunition or torpedoes."""
    title: Message
    total: int
    lost: int
    unit: str
    """quarters, factors, rounds or mounts."""
    words: Message
    """The damage; empty if there is none."""
    destroyed: bool = False
    station: float | None = None
    """Along the ship, 0 the bow and 1 the stern; None if it has no place of its own."""
    side: str = "both"
    details: PartDetails = field(default_factory=PartDetails)


@dataclass(frozen=True, slots=True)
class RecordSheet:
    """A ship's sheet as data for a drawing."""

    ship: str
    type: str
    ship_class: str
    side: str
    status: ShipStatus
    trouble: float
    """0 unharmed to 1 sunk: who needs a glance first."""
    glance: Message
    """One line: what she has lost and what she has left."""
    beam: float
    superstructure: tuple[float, float]
    funnels: tuple[float, ...]
    island: str
    parts: tuple[SheetPart, ...]


def factor_part(
    key: str,
    kind: str,
    title: Message,
    factors: tuple[int, int],
    *,
    unit: str = "factors",
    station: float | None = None,
    details: PartDetails | None = None,
) -> SheetPart:
    """A part that is one number: its full value and what is left of it."""
    whole, left = factors
    words = NO_WORDS
    if left != whole:
        words = (
            Message("combat.sheet.left", left=left, whole=whole)
            if left
            else Message("combat.sheet.none_left")
        )
    return SheetPart(
        key, kind, title, whole, whole - left, unit, words, destroyed=left <= 0 < whole,
        station=station, details=details or PartDetails(),
    )  # fmt: skip


def sheet_of_parts(
    name: str,
    ship_type: str,
    ship_class: ShipClass,
    side: str,
    parts: Sequence[SheetPart],
    *,
    kind: str = "",
    status: ShipStatus = ShipStatus.IN_ACTION,
) -> RecordSheet:
    """A sheet for games without ship plans: the outline comes from the class of the ship.

    `kind` is the book's own word for her class.
    """
    sunk = status is ShipStatus.SUNK
    # Torpedoes that were fired are no damage.
    counted = [part for part in parts if part.total and part.kind != "torpedoes"]
    worst = max((part.lost / part.total for part in counted), default=0.0)
    lost = tuple(
        Message("combat.sheet.part", title=part.title, words=part.words)
        for part in parts
        if part.words
    )
    return RecordSheet(
        ship=name,
        type=ship_type,
        ship_class=kind or ship_class.value,
        side=side,
        status=status,
        trouble=1.0 if sunk else min(_MOST_TROUBLE_AFLOAT, worst),
        glance=_glance(lost, sunk=sunk),
        beam=_BEAMS.get(ship_class, _NARROW_BEAM),
        superstructure=(0.42, 0.58) if ship_class is ShipClass.CARRIER else (0.32, 0.67),
        funnels=(0.49,),
        island="starboard" if ship_class is ShipClass.CARRIER else "both",
        parts=tuple(parts),
    )


def _glance(lost: tuple[Message, ...], *, sunk: bool) -> Message:
    if sunk:
        return ShipStatus.SUNK.message
    return Message("combat.sheet.lost", parts=lost) if lost else UNHARMED
