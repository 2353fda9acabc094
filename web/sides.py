"""The sides of a table in words, with their CSS classes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from combat.participants import Side
from combat.ships import ShipType
from combat.sides import Sides, usual
from web.strings import strings


def side_name(side: Side) -> str:
    """The name of a side: its own, or the string for its key."""
    return side.name or strings().get(f"sides.{side.key}", side.key)


def side_of(ship: ShipType | None) -> Side:
    """The default side of a ship's nation, with the nation's letter if it has no side."""
    nation = ship.nation if ship else ""
    side = usual().of_nation(nation)
    letter = side.letter if side.key != usual().others else nation[:1] or side.letter
    return replace(side, name=nation or "Unknown side", letter=letter)


@dataclass(frozen=True, slots=True)
class SideView:
    """A side for pages."""

    key: str
    name: str
    letter: str
    shape: str
    """The shape of its badge."""
    colour: str
    """An entry of the palette: --side-<colour> in the style sheets."""
    allies: Sequence[str] = ()
    """The keys of the allied sides."""

    @classmethod
    def of(cls, side: Side) -> "SideView":
        """The view of a side."""
        return cls(
            side.key, side_name(side), side.letter, side.shape, side.colour, tuple(side.allies)
        )

    @property
    def css(self) -> str:
        """The CSS class of its colour."""
        return f"side-{self.colour}"

    @property
    def shape_css(self) -> str:
        """The CSS class of its shape."""
        return f"shape-{self.shape}"


class SideViews:
    """The sides of a table for its pages."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def __iter__(self) -> Iterator[SideView]:
        return map(SideView.of, self._sides)

    def __getitem__(self, key: str | None) -> SideView:
        """The side with this key, or a plain one if it is not declared."""
        return SideView.of(self._sides[key or ""])

    def css(self, key: str | None) -> str:
        """The CSS class of a side's colour."""
        return self[key].css

    def hull(self, key: str | None) -> str:
        """The outline of a side's ships: "round" or "angular"."""
        return self._sides[key or ""].shape.hull
