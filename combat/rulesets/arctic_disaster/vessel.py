"""A naval unit with what is left of her: counter, Damage Roster and marks (12)."""

from dataclasses import dataclass

from combat.rulesets.arctic_disaster.tabledata import load_ships
from combat.ships import ShipType
from combat.shot_layout import Said
from combat.tables import Cell, TableSet
from tabletop.errors import BadField

SUNK = "sunk"
_NO_AIRCRAFT = "/no aircraft"


@dataclass(frozen=True, slots=True)
class Rating:
    """One space of a Damage Roster: what a ship can still do."""

    move: int
    guns: int
    secondary: int
    antiaircraft: int
    flying: bool = True


_NOTHING = Rating(0, 0, 0, 0, flying=False)


@dataclass(frozen=True, slots=True)
class Vessel:
    """A naval unit in a fight."""

    name: str
    ship: ShipType
    unit: str
    """Her type: CA, DD, MT."""
    roster: tuple[Rating, ...]
    """One for every number of hits with which she still floats."""
    cells: tuple[Cell, ...]
    """What her counter and her roster rest on."""
    range: int
    secondary_range: int
    has_torpedoes: bool
    damage: int
    move_lost: int
    guns_lost: int
    torpedoes_fired: bool

    @property
    def capacity(self) -> int:
        """The hits that sink her."""
        return len(self.roster)

    @property
    def sunk(self) -> bool:
        """Whether she has taken them."""
        return self.damage >= self.capacity

    @property
    def rating(self) -> Rating:
        """What she can do with the hits that she has."""
        return self.after(self.damage)

    def after(self, damage: int) -> Rating:
        """What she can do with so many hits."""
        return self.roster[damage] if damage < self.capacity else _NOTHING

    @property
    def move(self) -> int:
        """The areas that she may enter in a round (11.4.3)."""
        return max(0, self.rating.move - self.move_lost)

    @property
    def guns(self) -> int:
        """Her main gunnery factor."""
        return max(0, self.rating.guns - self.guns_lost)

    @property
    def flak(self) -> int:
        """Her antiaircraft factor."""
        return self.rating.antiaircraft

    @property
    def marks(self) -> dict[str, object]:
        """Her marks, with the keys of a shot file."""
        return {
            "damage": self.damage,
            "move_lost": self.move_lost,
            "guns_lost": self.guns_lost,
            "torpedoes_fired": self.torpedoes_fired,
        }


def read_vessel(role: str, said: Said, tables: TableSet) -> Vessel | None:
    """The firer or the target of a shot file; None where it names none."""
    kind = said.word(f"{role}.type")
    if not kind:
        return None
    ship = load_ships().named(kind, said.place)
    counters, rosters = tables["counters"], tables["rosters"]
    spaces = [rosters.text(ship.name, column) for column in rosters.columns]
    # The first space that says so is where she sinks; an owner's roster may be shorter or longer.
    floating = spaces[: spaces.index(SUNK)] if SUNK in spaces else spaces
    if not floating:
        raise BadField("rosters", ship.name, "at least one space before sunk", SUNK)
    return Vessel(
        name=said.word(f"{role}.name") or ship.name,
        ship=ship,
        unit=counters.text(ship.name, "type"),
        roster=tuple(_rating(space) for space in floating),
        cells=tuple(counters.cell(ship.name, column) for column in counters.columns)
        + tuple(rosters.cell(ship.name, str(space)) for space in range(len(floating))),
        range=counters.integer(ship.name, "range"),
        secondary_range=counters.integer(ship.name, "secondary range"),
        has_torpedoes=counters.text(ship.name, "torpedoes") == "yes",
        damage=said.number(f"{role}.state.damage"),
        move_lost=said.number(f"{role}.state.move_lost"),
        guns_lost=said.number(f"{role}.state.guns_lost"),
        torpedoes_fired=said.flag(f"{role}.state.torpedoes_fired"),
    )


def _rating(space: str) -> Rating:
    numbers = space.removesuffix(_NO_AIRCRAFT)
    move, guns, secondary, flak = map(int, numbers.split("/"))
    return Rating(move, guns, secondary, flak, flying=numbers == space)
