"""The sides of a table or battle, and the default sides from `sides.toml`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import Field

from combat.participants import Side, SideColour, SideShape
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import (
    Flag,
    Line,
    Schema,
    Whole,
    file_document,
    missing,
    one_of,
    shape_of,
)

FEWEST_SIDES: Final = 2
MOST_SIDES: Final = 5
"""The most sides of a table: four that fight, and one that does not."""
MOST_IN_BATTLE: Final = 4
LONGEST_KEY: Final = 20
LONGEST_NAME: Final = 20
_SOURCE: Final = "sides.toml"


@dataclass(frozen=True, slots=True)
class Sides:
    """An ordered collection of sides. Immutable."""

    all: tuple[Side, ...]

    def __iter__(self) -> Iterator[Side]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __contains__(self, key: object) -> bool:
        return key in self.keys

    def __getitem__(self, key: str) -> Side:
        """The side with this key, or a plain one if it is not declared."""
        found = next((side for side in self.all if side.key == key), None)
        return found or Side(key, letter=key[:1].upper() or "–")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the sides."""
        return tuple(side.key for side in self.all)

    @property
    def fighting(self) -> "Sides":
        """The sides without the default side for ships of other nations."""
        return Sides(tuple(side for side in self.all if side.key != usual().others))

    def of(self, keys: Iterable[str]) -> "Sides":
        """The sides of these keys, in the order of the keys."""
        return Sides(tuple(self[key] for key in dict.fromkeys(keys)))

    def with_side(self, side: Side) -> "Sides":
        """The sides with one added or replaced; alliances of the others are updated."""
        others = tuple(
            replace(
                each,
                allies=tuple(key for key in each.allies if key != side.key)
                + ((side.key,) if each.key in side.allies else ()),
            )
            for each in self.all
        )
        if side.key in self:
            return Sides(tuple(side if each.key == side.key else each for each in others))
        return Sides((*others, side))

    def without(self, key: str) -> "Sides":
        """The sides without one of them."""
        return Sides(
            tuple(
                replace(side, allies=tuple(each for each in side.allies if each != key))
                for side in self.all
                if side.key != key
            )
        )

    def pairs_of_allies(self, keys: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Each pair of these sides that are allied, once."""
        present = tuple(dict.fromkeys(keys))
        return tuple(
            (one, other)
            for number, one in enumerate(present)
            for other in present[number + 1 :]
            if self[one].is_friend(other) or self[other].is_friend(one)
        )

    def order_of_fire(self, keys: Iterable[str]) -> tuple[str, ...]:
        """These sides in their order of fire; empty if all have the same."""
        order = {key: self[key].order_of_fire for key in keys}
        return tuple(sorted(order, key=order.__getitem__)) if len(set(order.values())) > 1 else ()

    def parties(self, keys: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """These sides, with allies in one group."""
        found: list[tuple[str, ...]] = []
        for key in dict.fromkeys(keys):
            friends = [
                party for party in found if any(self.pairs_of_allies((one, key)) for one in party)
            ]
            merged = (*(one for party in friends for one in party), key)
            found = [party for party in found if party not in friends] + [merged]
        return tuple(found)

    def proposed(self, key: str, name: str, letter: str = "") -> Side:
        """A new side with an unused colour, shape and letter, where possible."""
        colours, shapes = {side.colour for side in self}, {side.shape for side in self}
        letters = {side.letter for side in self}
        looks = [*usual().further, *((side.shape, side.colour) for side in usual().sides)]
        free = next((each for each in looks if each[1] not in colours), looks[0])
        shape = free[0] if free[0] not in shapes else _first_free(SideShape, shapes)
        wanted = [letter] if letter else [each.upper() for each in name if each.isalnum()]
        mark = next((each for each in wanted if each not in letters), (wanted or ["–"])[0])
        order = 1 + max((side.order_of_fire for side in self), default=-1)
        return Side(key, name, mark, shape, free[1], order_of_fire=order)


def _first_free(choices: type[SideShape], taken: set[SideShape]) -> SideShape:
    return next((each for each in choices if each not in taken), SideShape.SQUARE)


@dataclass(frozen=True, slots=True)
class UsualSides:
    """The content of `sides.toml`."""

    sides: Sides
    nations: Mapping[str, str]
    """The key of the side of each nation, in lower case."""
    others: str
    """The key of the side of ships of all other nations."""
    foes: Mapping[str, str]
    """The default enemy of each side."""
    further: tuple[tuple[SideShape, SideColour], ...]
    """The shapes and colours for added sides, in order of preference."""

    def of_nation(self, nation: str) -> Side:
        """The default side of a nation's ships."""
        return self.sides[self.nations.get(nation.casefold(), self.others)]


Key = Annotated[Line, Field(min_length=1, max_length=LONGEST_KEY)]


@file_document
class SideTable:
    """A side that a file declares; omitted values have defaults."""

    key: Key | None = None
    name: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)] | None = None
    letter: Annotated[Line, Field(min_length=1, max_length=1)] | None = None
    shape: SideShape | None = None
    colour: SideColour | None = None
    allies: tuple[str, ...] = ()
    order_of_fire: Annotated[Whole, Field(ge=0, le=99)] | None = None

    def completed(self, model: Side) -> Side:
        """The side, with omitted values from the model."""
        order = self.order_of_fire
        return replace(
            model,
            letter=self.letter or model.letter,
            shape=self.shape or model.shape,
            colour=self.colour or model.colour,
            allies=tuple(key_of(each) for each in self.allies),
            order_of_fire=model.order_of_fire if order is None else order,
        )


@file_document
class _UsualSide(SideTable):
    """A side of `sides.toml`."""

    key: Key
    nations: tuple[str, ...] = ()
    others: Flag = False
    foe: str


@file_document
class _Look:
    shape: SideShape
    colour: SideColour


@file_document
class _SidesFile:
    side: tuple[_UsualSide, ...]
    further: tuple[_Look, ...] = ()


_SIDES_FILE: Final[Schema[_SidesFile]] = Schema(_SidesFile)


@cache
def usual() -> UsualSides:
    """The default sides."""
    file = _SIDES_FILE.read_toml((files("combat") / _SOURCE).read_bytes(), _SOURCE)
    sides = Sides(
        tuple(
            replace(each.completed(Side(each.key)), order_of_fire=number)
            for number, each in enumerate(file.side)
        )
    )
    return UsualSides(
        sides,
        nations={nation.casefold(): each.key for each in file.side for nation in each.nations},
        others=next(each.key for each in file.side if each.others),
        foes={
            each.key: one_of(
                each.foe, sides.keys, DocumentPlace(_SOURCE).item("side", number), "foe"
            )
            for number, each in enumerate(file.side, start=1)
        },
        further=tuple((each.shape, each.colour) for each in file.further),
    )


def read_sides(tables: Sequence[SideTable], source: str) -> Sides:
    """The sides that a file declares; omitted values are those of a default side or proposed."""
    sides = Sides(())
    for number, table in enumerate(tables, start=1):
        if table.key is None and table.name is None:
            raise missing(DocumentPlace(source).item("side", number), "key", shape_of(Key).expected)
        name = table.name or ""
        key = key_of(table.key or name)
        known = usual().sides
        model = replace(known[key], name=name) if key in known else sides.proposed(key, name)
        sides = Sides((*sides, table.completed(model)))
    return checked(sides, source)


def checked(sides: Sides, source: str) -> Sides:
    """Check the sides of a table, and make alliances mutual. Raises DreyerError."""
    if not FEWEST_SIDES <= len(sides) <= MOST_SIDES:
        expected = Message("combat.expected.sides", least=FEWEST_SIDES, most=MOST_SIDES)
        raise BadField(source, "sides", expected, str(len(sides)))
    for side in sides:
        if sides.keys.count(side.key) > 1:
            expected = Message("combat.expected.side_once")
            raise BadField(source, "sides", expected, Message("combat.found.twice", name=side.key))
        check_allies(side, sides, source)
    pairs = sides.pairs_of_allies(sides.keys)
    return Sides(
        tuple(
            replace(side, allies=tuple(key for key in sides.keys if _paired(side.key, key, pairs)))
            for side in sides
        )
    )


def _paired(one: str, other: str, pairs: Sequence[tuple[str, str]]) -> bool:
    return (one, other) in pairs or (other, one) in pairs


def key_of(name: str) -> str:
    """The key of a side with this name."""
    return " ".join(name.casefold().split())[:LONGEST_KEY].strip()


def check_allies(side: Side, sides: Sides, source: str) -> None:
    """Raise DreyerError for an ally that is the side itself or not a side."""
    for ally in side.allies:
        if ally == side.key:
            raise DreyerError("combat.sides.own_ally", source=source, ally=ally)
        if ally not in sides:
            raise UnknownName(source, "ally", ally, sides.keys)
