"""A ship in play: her card and the marks on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final

from combat.provenance import Provenance
from combat.report import Forbidden
from combat.rulesets.grand_fleets.card import Card, Tube
from tabletop.arcs import Quadrant

CARDS: Final = "Ship Data Cards"


class Health(StrEnum):
    """How far her hull is gone."""

    SOUND = "sound"
    DAMAGED = "damaged"
    CRIPPLED = "crippled"
    SUNK = "sunk"


@dataclass(frozen=True, slots=True)
class Marks:
    """What has been marked on a card and stands beside the model."""

    hull_lost: int = 0
    speed_lost: int = 0
    dice_lost: Mapping[str, int] = field(default_factory=dict)
    torpedoes_fired: Mapping[str, int] = field(default_factory=dict)
    torpedoes_lost: Mapping[str, int] = field(default_factory=dict)
    checks_due: int | None = None
    """Series of damage checks still to be rolled; None where nobody counts them."""
    marker: str = "none"
    out_of_command: bool = False
    left_table: bool = False
    command_quality: int | None = None
    initiative: int | None = None
    """The score of her division in this turn, noted on the flagship's card."""
    fired: Mapping[str, int] = field(default_factory=dict)
    """Battery and arc, such as "guns 2 port", with the turn in which it last fired there."""
    torpedoed: Mapping[str, int] = field(default_factory=dict)
    """Targets of her torpedoes, with the turn in which she last launched at them."""

    @property
    def as_state(self) -> dict[str, object]:
        """The marks that are not as on a fresh card, with the keys of a shot file."""
        fresh = Marks()
        return {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) != getattr(fresh, each.name)
        }


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship by her name on the table, with her card and her marks."""

    name: str
    card: Card
    marks: Marks = field(default_factory=Marks)

    def marked(self, **changes: Any) -> "Vessel":
        """The same ship with other marks."""
        return replace(self, marks=replace(self.marks, **changes))

    @property
    def hull_boxes(self) -> int:
        """All her hull boxes; none where the card does not say."""
        return sum(self.card.hull)

    @property
    def hull_left(self) -> int:
        """Hull boxes that are not checked off."""
        return max(0, self.hull_boxes - self.marks.hull_lost)

    @property
    def health(self) -> Health:
        """Sound, damaged, crippled or sunk: by the sets of hull boxes that are full."""
        full = sum(limit <= self.marks.hull_lost for limit in accumulate(self.card.hull))
        return tuple(Health)[full] if self.card.hull else Health.SOUND

    @property
    def out_of_the_game(self) -> str:
        """Why she takes no more part, in words; empty where she does."""
        if self.health is Health.SUNK:
            return "is sunk"
        return "has left the table" if self.marks.left_table else ""

    @property
    def speed_kyds(self) -> int:
        """Her first unchecked speed box; 0 where none is left (decided)."""
        if not self.card.speed:
            raise Forbidden(f"the card of {self.name} has no speed boxes; enter them", CARDS)
        left = self.card.speed[self.marks.speed_lost :]
        return left[0].value if left else 0

    def dice_left(self, battery: str) -> tuple[int, ...]:
        """The unchecked attack dice boxes of a battery."""
        return self.card.dice_boxes[battery][self.marks.dice_lost.get(battery, 0) :]

    def torpedoes_left(self) -> dict[Tube, int]:
        """Torpedoes neither fired nor lost yet, by the kind of their box."""
        carried = self.card.torpedoes.carried if self.card.torpedoes else {}
        fired, lost = self.marks.torpedoes_fired, self.marks.torpedoes_lost
        return {
            tube: max(0, count - fired.get(tube, 0) - lost.get(tube, 0))
            for tube, count in carried.items()
        }

    def torpedoes_bearing(self, quadrant: Quadrant) -> dict[Tube, int]:
        """Torpedoes that can be fired into an arc; boxes that bear nowhere else come first."""
        left = self.torpedoes_left()
        bearing = [tube for tube in left if quadrant in tube.quadrants and left[tube]]
        return {tube: left[tube] for tube in sorted(bearing, key=lambda tube: len(tube.quadrants))}

    @property
    def quality(self) -> int:
        """The command quality on board: as marked, or as the card has it, or average."""
        said = self.marks.command_quality
        return said if said is not None else (self.card.flag or 0)

    def armour(self, aspect: Quadrant) -> int:
        """Her armour against fire from one of her arcs (Armor vs. Penetration)."""
        if not self.card.armour:
            raise Forbidden(f"the card of {self.name} has no armour; enter it", CARDS)
        return self.card.armour[0 if aspect.is_broadside else 1].value

    @property
    def hull_provenance(self) -> Provenance:
        """How far her hull boxes can be trusted."""
        return self.card.provenance("hull")
