"""Ships that the rulebooks know, found by their full, short or plainly spelt names."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from tabletop.documents import parse_toml
from tabletop.errors import BadField, UnknownName
from tabletop.fields import Fields
from tabletop.messages import Message


class ShipClass(StrEnum):
    """What kind of ship she is."""

    BATTLESHIP = "BB"
    BATTLE_CRUISER = "BC"
    POCKET_BATTLESHIP = "PB"
    CARRIER = "CV"
    HEAVY_CRUISER = "CA"
    LIGHT_CRUISER = "CL"
    DESTROYER = "DD"


@dataclass(frozen=True, slots=True)
class ShipType:
    """A ship as her rulebook describes her, before any damage."""

    name: str
    ship_class: ShipClass
    nation: str
    movement_factor: int | None = None
    """How many factors she moves in a round, where the rulebook counts so."""
    size: str | None = None
    """Her size class, where the rulebook has them."""
    short_names: tuple[str, ...] = ()
    several: bool = False
    """Whether she stands for a class of ships, so that two of one name may meet."""


ShipT = TypeVar("ShipT", bound=ShipType, covariant=True)


class ShipList(Generic[ShipT]):
    """Ships by name: full or short, with or without accents, in any case."""

    def __init__(self, ships: Iterable[ShipT]) -> None:
        self._ships = tuple(ships)
        self._by_key: dict[str, ShipT] = {}
        for ship in self._ships:
            for name in (ship.name, *ship.short_names):
                other = self._by_key.setdefault(plain_name(name), ship)
                if other is not ship:
                    raise BadField(
                        "ships",
                        name,
                        Message("combat.expected.own_name"),
                        Message("combat.found.also", name=other.name),
                    )

    def __iter__(self) -> Iterator[ShipT]:
        return iter(self._ships)

    def __or__(self, other: "ShipList[ShipType]") -> "ShipList[ShipType]":
        """Both lists; a ship of the first hides those of the second that share a name with her."""
        extra = [
            ship
            for ship in other._ships
            if all(self.find(name) is None for name in (ship.name, *ship.short_names))
        ]
        both: tuple[ShipType, ...] = (*self._ships, *extra)
        return ShipList(both)

    def find(self, name: str) -> ShipT | None:
        """The ship of this name, or None."""
        return self._by_key.get(plain_name(name))

    def named(self, name: str, place: str) -> ShipT:
        """The ship of this name; an unknown one is an error that offers the nearest."""
        ship = self.find(name)
        if ship is None:
            raise UnknownName(place, "ship", name, [ship.name for ship in self._ships])
        return ship


def read_ships(files: Mapping[str, bytes], sizes: Iterable[str] = ()) -> ShipList[ShipType]:
    """The ships of some TOML files, given by name and content."""
    keys = ("name", "short_names", "class", "nation", "movement_factor", "size", "several")
    return ShipList(
        _read_ship(fields, sizes)
        for source, data in sorted(files.items())
        for fields in Fields(parse_toml(data, source), source, ("ship",)).tables("ship", keys)
    )


def _read_ship(fields: Fields, sizes: Iterable[str]) -> ShipType:
    return ShipType(
        name=fields.text("name"),
        ship_class=ShipClass(fields.choice("class", list(ShipClass))),
        nation=fields.text("nation"),
        movement_factor=(
            fields.integer("movement_factor", least=0, most=20)
            if "movement_factor" in fields
            else None
        ),
        size=fields.choice("size", sizes) if "size" in fields else None,
        short_names=fields.texts("short_names"),
        several=fields.flag("several", False),
    )


def plain_name(name: str) -> str:
    """A name without accents, case or punctuation: Köln, KOLN and Koln are one ship."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())
