"""A ship in combat: her row of the Hit Record Pad, or a flotilla's, and the marks on it (9.7)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from combat.participants import Ship, ShipStatus
from combat.provenance import Provenance
from combat.rulebooks.bismarck_battle_board.actions import MOST_MARKS, Marks
from combat.rulebooks.bismarck_battle_board.board import Place
from combat.rulebooks.bismarck_battle_board.damage import Damage
from combat.rulebooks.bismarck_data.table_files import PAD, SECTIONS, UNLIMITED
from combat.ships import ShipClass, ShipType
from combat.tables import Cell, TableSet
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.schema import bounds

PARTS: Final = ("midships", *SECTIONS)
"""What damage is marked on."""
_HITS: Final = {
    "midships": "midships_hits",
    "bow": "bow_hits",
    "stern": "stern_hits",
    "port": "port_secondary_hits",
    "starboard": "starboard_secondary_hits",
}
_SALVOS: Final = {section: f"{section}_salvos" for section in SECTIONS}
_SIZES: Final = {
    ShipClass.BATTLESHIP: 3, ShipClass.BATTLE_CRUISER: 3, ShipClass.POCKET_BATTLESHIP: 3,
    ShipClass.HEAVY_CRUISER: 2, ShipClass.LIGHT_CRUISER: 2, ShipClass.CARRIER: 1,
}  # fmt: skip
"""The general types in their order (9.241); destroyers take no part in naval combat (23.32)."""


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship, or a destroyer flotilla, in combat."""

    id: str
    name: str
    side: str
    card: ShipType
    cells: Mapping[str, Cell]
    """What the Hit Record Pad and her counter say, by column."""
    evasion_rate: Cell | None
    """The evasion that she loses with each midships hit; None for a flotilla."""
    marks: Marks

    @property
    def is_flotilla(self) -> bool:
        """Whether she is a flotilla of destroyers (23.13)."""
        return self.card.ship_class is ShipClass.DESTROYER

    @property
    def is_cruiser(self) -> bool:
        """Whether she is a cruiser of any kind."""
        return self.card.ship_class in (ShipClass.HEAVY_CRUISER, ShipClass.LIGHT_CRUISER)

    @property
    def size(self) -> int:
        """Where her general type stands in the order of 9.241."""
        return _SIZES.get(self.card.ship_class, 0)

    def number(self, column: str) -> int:
        """A number of her card."""
        return int(self.cells[column].value)

    # Boxes

    def boxes(self, section: str) -> tuple[int, ...]:
        """The salvo numbers printed in a gun section, from left to right (9.64)."""
        return tuple(map(int, self.cells[section].value.split()))

    def total(self, part: str) -> int:
        """How many boxes a part has."""
        return self.number("midships") if part == "midships" else len(self.boxes(part))

    def hits(self, part: str) -> int:
        """How many of them are marked."""
        count: int = getattr(self.marks, _HITS[part])
        return count

    def left(self, part: str) -> int:
        """How many are not."""
        return max(0, self.total(part) - self.hits(part))

    def salvos(self, section: str) -> int:
        """The salvos that a section has: the number in its first box without a mark (9.64)."""
        left = self.boxes(section)[self.hits(section) :]
        return left[0] if left else 0

    def fired(self, section: str) -> int:
        """The salvos that a section has fired in this round (9.62)."""
        count: int = getattr(self.marks, _SALVOS[section])
        return count

    @property
    def has_fired(self) -> bool:
        """Whether her guns have fired in this round."""
        return any(map(self.fired, SECTIONS))

    def solid(self, part: str) -> int:
        """The boxes of a part that can no longer be repaired at sea (40.3)."""
        count: int = getattr(self.marks, f"{part}_solid")
        return min(count, self.hits(part))

    def with_hits(self, part: str, hits: int, solid: int) -> Marks:
        """Her marks with other boxes marked in a part, and some of them solid."""
        changed: dict[str, Any] = {_HITS[part]: hits, f"{part}_solid": solid}
        return replace(self.marks, **changed)

    # What is left of her

    @property
    def evasion(self) -> int:
        """Her current evasion level (9.727)."""
        return max(0, self.number("evasion") - self.marks.evasion_lost)

    @property
    def destroyers(self) -> int:
        """The destroyers left in a flotilla."""
        return max(0, self.number("destroyers") - self.marks.destroyers_lost)

    @property
    def torpedo_salvos(self) -> int:
        """The torpedo salvos left in a flotilla: one a destroyer, for the whole game (23.42)."""
        return min(self.destroyers, max(0, self.number("destroyers") - self.marks.salvos_spent))

    @property
    def ammunition(self) -> int | None:
        """The ammunition factors left; None where they are not counted (20.7)."""
        if self.is_flotilla or self.cells["ammunition"].value == UNLIMITED:
            return None
        return max(0, self.number("ammunition") - self.marks.ammunition_spent)

    @property
    def sunk(self) -> bool:
        """Whether every midships box is marked (9.714), or no destroyer is left."""
        return not (self.destroyers if self.is_flotilla else self.left("midships"))

    @property
    def status(self) -> ShipStatus:
        """In action until she is sunk or has withdrawn (9.97)."""
        if self.sunk:
            return ShipStatus.SUNK
        return ShipStatus.WITHDRAWN if self.marks.withdrawn else ShipStatus.IN_ACTION

    @property
    def place(self) -> Place | None:
        """Where she stands on the board; None where nobody has said it."""
        marks = self.marks
        if marks.column is None or marks.row is None or marks.heading is None:
            return None
        return Place(marks.column, marks.row, marks.heading)

    # Damage

    def lost_by(self, damage: Damage) -> dict[str, int]:
        """The boxes of each part that some damage marks.

        A hit on a gun section that is knocked out is a midships hit (9.717). One that may be
        recorded on either side goes to port first, then to starboard.
        """
        left = {section: self.left(section) for section in SECTIONS}
        wanted = {section: getattr(damage, section) for section in SECTIONS}
        lost = {section: min(left[section], wanted[section]) for section in SECTIONS}
        either = damage.secondary
        beyond = sum(wanted.values()) - sum(lost.values())
        for side in ("port", "starboard"):
            more = min(left[side] - lost[side], either)
            lost[side] += more
            either -= more
        midships, hits = self.left("midships"), damage.midships + beyond + either
        lost["midships"] = midships if damage.sunk else min(midships, hits)
        return lost

    def hurt(self, damage: Damage) -> "Vessel":
        """The same ship after some more damage; none is marked beyond what she has."""
        marks = self.marks
        if self.is_flotilla:
            lost = min(self.destroyers, damage.destroyers)
            return replace(self, marks=replace(marks, destroyers_lost=marks.destroyers_lost + lost))
        lost_by = self.lost_by(damage)
        rate = int(self.evasion_rate.value) if self.evasion_rate else 0
        most = self.number("evasion")
        for_good = min(most, marks.evasion_lost_for_good + damage.evasion)
        evasion = marks.evasion_lost + damage.evasion + rate * lost_by["midships"]
        hits: dict[str, Any] = {
            _HITS[part]: self.hits(part) + count for part, count in lost_by.items()
        }
        return replace(
            self,
            marks=replace(
                marks,
                **hits,
                evasion_lost=max(marks.evasion_lost, min(most, evasion)),
                evasion_lost_for_good=max(marks.evasion_lost_for_good, for_good),
            ),
        )

    def provenance_of(self, *columns: str) -> Provenance:
        """That of some values of her card."""
        return Provenance.worst(self.cells[column].provenance for column in columns)


def vessel_of(ship: Ship, marks: Marks, card: ShipType, tables: TableSet) -> Vessel:
    """A ship with her card and the marks on it."""
    flotilla = card.ship_class is ShipClass.DESTROYER
    table = tables["flotillas" if flotilla else PAD]
    cells = {column: table.cell(card.name, column) for column in table.columns}
    rates = tables["midships_evasion"]
    row = card.name if card.name in rates.rows else card.ship_class.value
    rate = None if flotilla else rates.cell(row, "evasion")
    return Vessel(ship.id, ship.name, ship.side, card, cells, rate, marks)


def check_marks(vessel: Vessel) -> None:
    """BadField where more is marked than there is, or a place is not whole."""
    marks = vessel.marks
    limits: dict[str, int] = {"evasion_lost_for_good": marks.evasion_lost}
    if vessel.is_flotilla:
        limits |= dict.fromkeys(_HITS.values(), 0) | {"evasion_lost": 0, "ammunition_spent": 0}
        limits |= dict.fromkeys(("destroyers_lost", "salvos_spent"), vessel.number("destroyers"))
        limits |= {f"{part}_solid": 0 for part in PARTS}
    else:
        limits |= {_HITS[part]: vessel.total(part) for part in PARTS}
        limits |= {f"{part}_solid": vessel.total(part) for part in PARTS}
        limits |= {
            "destroyers_lost": 0,
            "salvos_spent": 0,
            "evasion_lost": vessel.number("evasion"),
        }
        ammunition = vessel.cells["ammunition"].value
        limits["ammunition_spent"] = MOST_MARKS if ammunition == UNLIMITED else int(ammunition)
    for key, most in limits.items():
        count = getattr(marks, key)
        if count > most:
            raise BadField(vessel.name, key, bounds("whole", least=0, most=most), repr(count))
    stated = [each is not None for each in (marks.column, marks.row, marks.heading)]
    if any(stated) and not all(stated):
        expected = Message("board.expected.whole_place")
        raise BadField(vessel.name, "heading", expected, Message("schema.found.nothing"))
