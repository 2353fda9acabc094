"""A ship in play: her card and her marks."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate
from typing import Annotated, Any, Final, Literal, cast

from combat.participants import ShipStatus
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.questions import Count, between
from combat.rulebooks.grand_fleets.card import Card, DiceRow, GunBattery, Tube
from combat.rulebooks.grand_fleets.table_files import Marker
from combat.rulebooks.grand_fleets.terms import asked
from tabletop.arcs import Quadrant
from tabletop.messages import Message, ShipRef
from tabletop.schema import Flag

CARDS: Final = "Ship Data Cards"


class Health(StrEnum):
    """The health of her hull."""

    SOUND = "sound"
    DAMAGED = "damaged"
    CRIPPLED = "crippled"
    SUNK = "sunk"


FiringArc = Literal[
    "guns 1 bow", "guns 1 starboard", "guns 1 stern", "guns 1 port",
    "guns 2 bow", "guns 2 starboard", "guns 2 stern", "guns 2 port",
    "guns 3 bow", "guns 3 starboard", "guns 3 stern", "guns 3 port",
    "guns 4 bow", "guns 4 starboard", "guns 4 stern", "guns 4 port",
    "guns 5 bow", "guns 5 starboard", "guns 5 stern", "guns 5 port",
    "guns 6 bow", "guns 6 starboard", "guns 6 stern", "guns 6 port",
]  # fmt: skip
"""A battery and the arc that it fires into."""


def firing_arc(battery: GunBattery, quadrant: Quadrant) -> FiringArc:
    """A battery with the arc that it fires into, as marks and files name both."""
    return cast("FiringArc", f"{battery} {quadrant}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The marks on a card and beside the model."""

    hull_lost: Annotated[
        int,
        between(0, 999),
        asked("Making an Attack", "state", by_page=False),
    ] = 0
    speed_lost: Annotated[
        int,
        between(0, 5),
        asked("Damage Checks", "state", by_page=False),
    ] = 0
    dice_lost: Annotated[
        Mapping[DiceRow, Count],
        asked("Damage Checks", "state", by_page=False),
    ] = field(default_factory=dict)
    torpedoes_fired: Annotated[
        Mapping[Tube, Count],
        asked("Torpedoes", "state", by_page=False),
    ] = field(default_factory=dict)
    torpedoes_lost: Annotated[
        Mapping[Tube, Count],
        asked("Damage Checks", "state", by_page=False),
    ] = field(default_factory=dict)
    checks_due: Annotated[
        Annotated[int, between(0, 2)] | None,
        asked("Damage Checks", "state", by_page=False),
    ] = None
    """None if unknown."""
    marker: Annotated[
        Marker,
        asked("Speed Markers", "state", by_page=False),
    ] = "none"
    moved: Annotated[
        int,
        between(0, 999),
        asked("The Movement Phase", "state", by_page=False),
    ] = 0
    """The turn of her last move; 0 where she has not moved, or nobody counts turns."""
    out_of_command: Annotated[Flag, asked("The Command Phase", "state")] = False
    left_table: Annotated[Flag, asked("The Movement Phase", "state", by_page=False)] = False
    command_quality: Annotated[
        Annotated[int, between(-2, 2)] | None,
        asked("Divisions", "state", by_page=False),
    ] = None
    """None for the card's value."""
    initiative: Annotated[
        Annotated[int, between(0, 20)] | None,
        asked("Sequence of Play", "state", by_page=False),
    ] = None
    """Noted on the flagship's card."""
    fired: Annotated[
        Mapping[FiringArc, Count],
        asked("The Combat Phase", "state", by_page=False),
    ] = field(default_factory=dict)
    torpedoed: Annotated[
        Mapping[str, Count],
        asked("Torpedoes", "state", by_page=False),
    ] = field(default_factory=dict)
    """By ship id."""


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship with her name on the table, her card and her marks."""

    name: str
    card: Card
    marks: Marks = field(default_factory=Marks)
    id: str = ""
    """Her id in a battle; empty outside one."""

    def marked(self, **changes: Any) -> "Vessel":
        """The ship with other marks."""
        return replace(self, marks=replace(self.marks, **changes))

    @property
    def hull_boxes(self) -> int:
        """All her hull boxes; 0 if the card has none."""
        return sum(self.card.hull)

    @property
    def hull_left(self) -> int:
        """Hull boxes that are not checked off."""
        return max(0, self.hull_boxes - self.marks.hull_lost)

    @property
    def health(self) -> Health:
        """Sound, damaged, crippled or sunk, by the full sets of hull boxes."""
        full = sum(limit <= self.marks.hull_lost for limit in accumulate(self.card.hull))
        return tuple(Health)[full] if self.card.hull else Health.SOUND

    @property
    def status(self) -> ShipStatus:
        """In action until her last hull box is checked off, or she leaves the table."""
        if self.health is Health.SUNK:
            return ShipStatus.SUNK
        return ShipStatus.WITHDRAWN if self.marks.left_table else ShipStatus.IN_ACTION

    @property
    def ref(self) -> ShipRef:
        """The ship in a message."""
        return ShipRef(self.id or self.name)

    @property
    def out_of_the_game(self) -> bool:
        """Whether she is sunk or has left the table."""
        return self.status is not ShipStatus.IN_ACTION

    def refuse_out_of_the_game(self, rule: str) -> None:
        """Raise Forbidden if she is sunk or has left the table."""
        if self.status is ShipStatus.SUNK:
            raise Forbidden(Message("grand_fleets.refused.sunk", ship=self.ref), rule)
        if self.status is ShipStatus.WITHDRAWN:
            raise Forbidden(Message("grand_fleets.refused.left", ship=self.ref), rule)

    @property
    def speed_kyds(self) -> int:
        """Her first unchecked speed box; 0 if none is left (decided)."""
        if not self.card.speed:
            raise Forbidden(Message("grand_fleets.refused.no_speed", ship=self.ref), CARDS)
        left = self.card.speed[self.marks.speed_lost :]
        return left[0].value if left else 0

    def dice_left(self, battery: DiceRow) -> tuple[int, ...]:
        """The unchecked attack dice boxes of a battery."""
        return self.card.dice_boxes[battery][self.marks.dice_lost.get(battery, 0) :]

    def torpedoes_left(self) -> dict[Tube, int]:
        """Torpedoes neither fired nor lost, by the kind of their box."""
        carried = self.card.torpedoes.carried if self.card.torpedoes else {}
        fired, lost = self.marks.torpedoes_fired, self.marks.torpedoes_lost
        return {
            tube: max(0, count - fired.get(tube, 0) - lost.get(tube, 0))
            for tube, count in carried.items()
        }

    def torpedoes_bearing(self, quadrant: Quadrant) -> dict[Tube, int]:
        """Torpedoes that bear into an arc; boxes that bear into no other arc come first."""
        left = self.torpedoes_left()
        bearing = [tube for tube in left if quadrant in tube.quadrants and left[tube]]
        return {tube: left[tube] for tube in sorted(bearing, key=lambda tube: len(tube.quadrants))}

    @property
    def quality(self) -> int:
        """The command quality on board: as marked, or as on the card, or average."""
        entered = self.marks.command_quality
        return entered if entered is not None else (self.card.flag or 0)

    def armour(self, aspect: Quadrant) -> int:
        """Her armour against fire from one of her arcs (Armor vs. Penetration)."""
        if not self.card.armour:
            raise Forbidden(Message("grand_fleets.refused.no_armour", ship=self.ref), CARDS)
        return self.card.armour[0 if aspect.is_broadside else 1].value

    @property
    def hull_provenance(self) -> Provenance:
        """The provenance of her hull boxes."""
        return self.card.provenance("hull")
