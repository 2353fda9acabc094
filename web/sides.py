"""The sides of a table in words, and the classes of the style sheets that show them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from combat.participants import Side
from combat.ships import ShipType
from combat.sides import Sides, usual
from web.strings import strings


def side_name(side: Side) -> str:
    """What players call a side: its own name, or the words for its key."""
    return side.name or strings().get(f"sides.{side.key}", side.key)


def side_of(ship: ShipType | None) -> Side:
    """The usual side of a ship's nation, with the nation's own letter where it has no side."""
    nation = ship.nation if ship else ""
    side = usual().of_nation(nation)
    letter = side.letter if side.key != usual().others else nation[:1] or side.letter
    return replace(side, name=nation or "Unknown side", letter=letter)


@dataclass(frozen=True, slots=True)
class SideView:
    """A side, and how it is drawn."""

    key: str
    name: str
    letter: str
    shape: str
    """The shape of its badge, so that colour is never the only sign."""
    colour: str
    """An entry of the palette: --side-<colour> in the style sheets."""
    allies: Sequence[str] = ()
    """The keys of the sides that it fights together with."""

    @classmethod
    def of(cls, side: Side) -> "SideView":
        """A side as pages show it."""
        return cls(
            side.key, side_name(side), side.letter, side.shape, side.colour, tuple(side.allies)
        )

    @property
    def css(self) -> str:
        """The class for what has this side's colour."""
        return f"side-{self.colour}"

    @property
    def shape_css(self) -> str:
        """The class for what has this side's shape."""
        return f"shape-{self.shape}"


class SideViews:
    """The sides of a table for its pages."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def __iter__(self) -> Iterator[SideView]:
        return map(SideView.of, self._sides)

    def __getitem__(self, key: str | None) -> SideView:
        """The side of this key; a key that is not declared gives a plain one."""
        return SideView.of(self._sides[key or ""])

    def css(self, key: str | None) -> str:
        """The class for what has the colour of the side of this key."""
        return self[key].css

    def hull(self, key: str | None) -> str:
        """How the ships of the side of this key are drawn: "round" or "angular"."""
        return self._sides[key or ""].shape.hull
