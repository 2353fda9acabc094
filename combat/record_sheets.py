"""A ship's record sheet as data: her parts, their losses, and where to draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from combat.participants import ShipStatus
from combat.ships import ShipClass
from tabletop.arcs import Quadrant
from tabletop.messages import NO_WORDS, Message

Inches = int | None
"""A thickness of armour; None if unarmoured."""
_BEAMS = {
    ShipClass.BATTLESHIP: 0.14, ShipClass.BATTLE_CRUISER: 0.13, ShipClass.CARRIER: 0.14,
    ShipClass.POCKET_BATTLESHIP: 0.12, ShipClass.HEAVY_CRUISER: 0.1,
}  # fmt: skip
UNHARMED: Final = Message("combat.sheet.unharmed")
"""The summary of an undamaged ship."""
_NARROW_BEAM = 0.09
_MOST_TROUBLE_AFLOAT = 0.99


@dataclass(frozen=True, slots=True)
class PartDetails:
    """Optional details of a part for the drawing, depending on the rulebook."""

    boxes: int | None = None
    """The number of boxes to mark."""
    labels: tuple[str, ...] = ()
    """The text in each box."""
    groups: tuple[int, ...] = ()
    """The number of boxes of each group."""
    gaps: tuple[str, ...] = ()
    """Details that the source does not give."""
    third: int | None = None
    """The third of the hull that is hit next, counted from 0."""
    solid_boxes: int | None = None
    """Boxes that cannot be repaired."""
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
    """The modifier of her fire because of the damage."""
    faults: tuple[str, ...] = ()
    speed: int | None = None
    previous: int | None = None
    """The speed of the round before."""
    hexes: str = ""
    """How far she moves in a turn."""


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One part of a record sheet, with its total and losses."""

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
    """The damage in words; empty if there is none."""
    destroyed: bool = False
    station: float | None = None
    """The position along the ship from 0 (bow) to 1 (stern); None if it has none."""
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
    """The damage from 0 (none) to 1 (sunk), to sort ships by."""
    glance: Message
    """A one-line summary of the damage."""
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
    """A sheet for rulebooks without ship plans; the outline depends on the ship's class.

    `kind` is the rulebook's name for her class.
    """
    sunk = status is ShipStatus.SUNK
    # Fired torpedoes are not damage.
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
