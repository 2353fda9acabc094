"""A ship in combat: her Ship Card and the marks on it (2.4)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from combat.participants import Ship, ShipStatus
from combat.rulebooks.chase_of_the_bismarck.actions import MOST_MARKS, Marks
from combat.rulebooks.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulebooks.chase_of_the_bismarck.table_files import TANKERS
from combat.ships import ShipType
from combat.tables import Cell, TableSet
from tabletop.errors import BadField
from tabletop.schema import bounds

Part = Literal["hull", "bow", "stern", "secondary", "evasion", "torpedoes"]
"""A part of a Ship Card with boxes or markers."""
BOXES: Final[tuple[Part, ...]] = ("hull", "bow", "stern", "secondary", "evasion")
"""The parts on which damage is marked."""
ARMAMENT: Final[tuple[Part, ...]] = ("bow", "stern", "secondary")


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship in combat."""

    id: str
    name: str
    card: ShipType
    cells: Mapping[str, Cell]
    """The cells of her Ship Card, by column."""
    marks: Marks

    def printed(self, part: Part) -> int:
        """The printed value of a part."""
        return int(self.cells[part].value)

    def left(self, part: Part, more: Damage = NO_DAMAGE) -> int:
        """What is left of a part after further damage; at least 0."""
        if part == "hull" and more.sunk:
            return 0
        return max(0, self._balance(part, more))

    def _balance(self, part: Part, more: Damage) -> int:
        marks = self.marks
        match part:
            case "hull":
                # Hits without a primary factor left go to the hull, one for one; secondary hits
                # never do (9; 10, step 2).
                beyond = min(0, self._balance("bow", more)) + min(0, self._balance("stern", more))
                lost = marks.hull_lost + more.hull - beyond
            case "bow":
                lost = marks.bow_lost + more.bow
            case "stern":
                lost = marks.stern_lost + more.stern
            case "secondary":
                lost = marks.secondary_lost + more.secondary
            case "evasion":
                lost = marks.evasion_lost + more.evasion
            case "torpedoes":
                lost = marks.torpedoes_used
        return self.printed(part) - lost

    @property
    def is_tanker(self) -> bool:
        """Whether she is a tanker, which takes no part in naval combat (10, step 6)."""
        return self.card.name in TANKERS

    @property
    def sunk(self) -> bool:
        """Whether her hull is reduced to 0 (2.4)."""
        return not self.left("hull")

    @property
    def status(self) -> ShipStatus:
        """In action until her hull is gone (2.4) or she has left the combat (10, step 5)."""
        if self.sunk:
            return ShipStatus.SUNK
        return ShipStatus.WITHDRAWN if self.marks.aborted else ShipStatus.IN_ACTION

    @property
    def agility(self) -> int:
        """Her evasion in tactical combat; 0 with a damaged rudder (10, step 4)."""
        return 0 if self.marks.rudder_damaged else self.left("evasion")

    def with_damage(self, damage: Damage) -> "Vessel":
        """The ship after further damage, limited to what she has."""
        marks = self.marks

        def lost(part: Part) -> int:
            return self.printed(part) - self.left(part, damage)

        after = replace(
            marks,
            hull_lost=lost("hull"),
            bow_lost=lost("bow"),
            stern_lost=lost("stern"),
            secondary_lost=lost("secondary"),
            evasion_lost=lost("evasion"),
            fuel_lost=min(MOST_MARKS, marks.fuel_lost + damage.fuel),
            fire_control_damaged=marks.fire_control_damaged or damage.fire_control > 0,
            radar_damaged=marks.radar_damaged or damage.radar > 0,
            rudder_damaged=marks.rudder_damaged or damage.rudder > 0,
        )
        return replace(self, marks=after)

    def has_radar(self, first_round: bool) -> bool:
        """Whether her radar works; II* fails after the first round of combat (2.3.1)."""
        symbol = self.cells["radar"].value
        works = symbol in ("I", "II") or (symbol == "II*" and first_round)
        return works and not self.marks.radar_damaged


def vessel_of(ship: Ship, marks: Marks, card: ShipType, tables: TableSet) -> Vessel:
    """A ship with her Ship Card and the marks on it."""
    cards = tables["ship_cards"]
    cells = {column: cards.cell(card.name, column) for column in cards.columns}
    return Vessel(ship.id, ship.name, card, cells, marks)


def check_marks(vessel: Vessel) -> None:
    """Raise BadField if more is marked on a card than it has."""
    marks = vessel.marks
    counts: tuple[tuple[Part, str, int], ...] = (
        ("hull", "hull_lost", marks.hull_lost),
        ("bow", "bow_lost", marks.bow_lost),
        ("stern", "stern_lost", marks.stern_lost),
        ("secondary", "secondary_lost", marks.secondary_lost),
        ("evasion", "evasion_lost", marks.evasion_lost),
        ("torpedoes", "torpedoes_used", marks.torpedoes_used),
    )
    for part, key, count in counts:
        most = vessel.printed(part)
        if count > most:
            expected = bounds("whole", least=0, most=most)
            raise BadField(vessel.name, key, expected, repr(count))
