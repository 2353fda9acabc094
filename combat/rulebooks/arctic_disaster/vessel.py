"""A naval unit with her counter, Damage Roster and marks (12)."""

from dataclasses import dataclass, replace

from combat.participants import Ship, ShipStatus
from combat.rulebooks.arctic_disaster.actions import Marks
from combat.ships import ShipType
from combat.tables import Cell, TableSet
from tabletop.errors import BadField
from tabletop.messages import Message

SUNK = "sunk"
_NO_AIRCRAFT = "/no aircraft"


@dataclass(frozen=True, slots=True)
class Rating:
    """One space of a Damage Roster: the ship's factors with this many hits."""

    move: int
    guns: int
    secondary: int
    antiaircraft: int
    flying: bool = True


_NOTHING = Rating(0, 0, 0, 0, flying=False)


@dataclass(frozen=True, slots=True)
class Vessel:
    """A naval unit in combat."""

    id: str
    name: str
    card: ShipType
    unit: str
    """Her type: CA, DD, MT."""
    roster: tuple[Rating, ...]
    """One rating for every number of hits with which she is still afloat."""
    cells: tuple[Cell, ...]
    """The table cells of her counter and roster."""
    range: int
    secondary_range: int
    has_torpedoes: bool
    marks: Marks

    @property
    def capacity(self) -> int:
        """The number of hits that sinks her."""
        return len(self.roster)

    @property
    def sunk(self) -> bool:
        """Whether she is sunk."""
        return self.marks.damage >= self.capacity

    @property
    def status(self) -> ShipStatus:
        """In action until her roster is full (12.0)."""
        return ShipStatus.SUNK if self.sunk else ShipStatus.IN_ACTION

    @property
    def rating(self) -> Rating:
        """Her current factors."""
        return self.after(self.marks.damage)

    def after(self, damage: int) -> Rating:
        """Her factors after a number of hits."""
        return self.roster[damage] if damage < self.capacity else _NOTHING

    @property
    def move(self) -> int:
        """The areas that she may enter in a round (11.4.3)."""
        return max(0, self.rating.move - self.marks.move_lost)

    @property
    def guns(self) -> int:
        """Her main gunnery factor."""
        return max(0, self.rating.guns - self.marks.guns_lost)

    @property
    def flak(self) -> int:
        """Her antiaircraft factor."""
        return self.rating.antiaircraft

    def with_damage(self, damage: int, move_lost: int, guns_lost: int) -> "Vessel":
        """The ship after further hits, up to her capacity."""
        marks = replace(
            self.marks,
            damage=min(self.capacity, self.marks.damage + damage),
            move_lost=min(self.roster[0].move, self.marks.move_lost + move_lost),
            guns_lost=min(self.roster[0].guns, self.marks.guns_lost + guns_lost),
        )
        return replace(self, marks=marks)


def vessel_of(ship: Ship, marks: Marks, card: ShipType, tables: TableSet) -> Vessel:
    """A ship with her counter, her roster and her marks."""
    counters, rosters = tables["counters"], tables["rosters"]
    spaces = [rosters.text(card.name, column) for column in rosters.columns]
    # She sinks at the first space that says so; an owner's roster may differ in length.
    floating = spaces[: spaces.index(SUNK)] if SUNK in spaces else spaces
    if not floating:
        raise BadField("rosters", card.name, Message("arctic.expected.a_space"), SUNK)
    return Vessel(
        id=ship.id,
        name=ship.name,
        card=card,
        unit=counters.text(card.name, "type"),
        roster=tuple(_rating(space) for space in floating),
        cells=tuple(counters.cell(card.name, column) for column in counters.columns)
        + tuple(rosters.cell(card.name, str(space)) for space in range(len(floating))),
        range=counters.integer(card.name, "range"),
        secondary_range=counters.integer(card.name, "secondary range"),
        has_torpedoes=counters.text(card.name, "torpedoes") == "yes",
        marks=marks,
    )


def _rating(space: str) -> Rating:
    numbers = space.removesuffix(_NO_AIRCRAFT)
    move, guns, secondary, flak = map(int, numbers.split("/"))
    return Rating(move, guns, secondary, flak, flying=numbers == space)
