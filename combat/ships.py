"""Ship types, and lists of them that are searched by full, short or unaccented names."""

import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Annotated, ClassVar, Final, Generic, TypeVar

from pydantic import ConfigDict, Field

from tabletop.errors import BadField, UnknownName
from tabletop.messages import Message
from tabletop.places import DocumentPlace, PlaceLike
from tabletop.schema import (
    FILE_CONFIG,
    Flag,
    Schema,
    Text,
    Whole,
    file_document,
    one_of,
)

LONGEST_NAME: Final = 40
"""The letters of a ship's name."""


class ShipClass(StrEnum):
    """The class of a ship."""

    BATTLESHIP = "BB"
    BATTLE_CRUISER = "BC"
    POCKET_BATTLESHIP = "PB"
    CARRIER = "CV"
    HEAVY_CRUISER = "CA"
    LIGHT_CRUISER = "CL"
    DESTROYER = "DD"


@dataclass(frozen=True, slots=True)
class ShipType:
    """The data of a ship in a rulebook, without damage."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    name: Text
    ship_class: Annotated[ShipClass, Field(alias="class")]
    nation: Text
    movement_factor: Annotated[Whole, Field(ge=0, le=20)] | None = None
    """The factors she moves in a round, in rulebooks that have movement factors."""
    size: str | None = None
    """Her size class, in rulebooks that have size classes."""
    short_names: tuple[str, ...] = ()
    several: Flag = False
    """Whether this is a class of ships, so that two of the same name may take part."""

    @property
    def base(self) -> "ModelBase":
        """The base of her model as her card has it; nothing where her rulebook's cards do not."""
        return ModelBase()


@dataclass(frozen=True, slots=True)
class ModelBase:
    """The base that a ship's model stands on, in inches; None is the rulebook's usual one."""

    length_inches: float | None = None
    width_inches: float | None = None
    bridge_offset_inches: float = 0.0
    """The place of the bridge, ahead of the middle."""


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
        """Both lists, without ships of the second that share a name with one of the first."""
        extra = [
            ship
            for ship in other._ships
            if all(self.find(name) is None for name in (ship.name, *ship.short_names))
        ]
        both: tuple[ShipType, ...] = (*self._ships, *extra)
        return ShipList(both)

    def find(self, name: str) -> ShipT | None:
        """The ship with this name, or None."""
        return self._by_key.get(plain_name(name))

    def named(self, name: str, place: PlaceLike) -> ShipT:
        """The ship of this name. Raises UnknownName."""
        ship = self.find(name)
        if ship is None:
            raise UnknownName(place, "ship", name, [ship.name for ship in self._ships])
        return ship


@file_document
class _ShipFile:
    """A file of ships."""

    ship: tuple[ShipType, ...] = ()


_SHIP_FILE: Final[Schema[_ShipFile]] = Schema(_ShipFile)


def read_ships(files: Mapping[str, bytes], sizes: Iterable[str] = ()) -> ShipList[ShipType]:
    """The ships of some TOML files, given by name and content."""
    found = []
    for source, data in sorted(files.items()):
        for number, ship in enumerate(_SHIP_FILE.read_toml(data, source).ship, start=1):
            if ship.size is not None:
                one_of(
                    ship.size, sizes, DocumentPlace(source).item("ship", number, ship.name), "size"
                )
            found.append(ship)
    return ShipList(found)


def numbered_name(name: str, taken: Container[str], first: int = 2) -> str:
    """A name that is not taken: `name` with the first free number from `first` on."""
    numbers = (f" {number}" for number in count(first))
    names = (f"{name[: LONGEST_NAME - len(number)]}{number}" for number in numbers)
    return next(each for each in names if each not in taken)


def plain_name(name: str) -> str:
    """A name without accents, case or punctuation: Köln, KOLN and Koln are one ship."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())
