"""The available rulebooks, some of them with the players' own ship cards. Immutable."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from combat.ships import ShipList, ShipType
from combat.tables import TableSet
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.places import PlaceLike

if TYPE_CHECKING:
    from combat.conversions import ConversionRules
    from combat.guided_actions import StartingMarks


@dataclass(frozen=True)
class Library:
    """All rulebooks by name, in the order of the menu."""

    changed: Mapping[str, Ruleset] = field(default_factory=lambda: MappingProxyType({}))
    """Rulebooks that replace a built-in one."""

    def __iter__(self) -> Iterator[Ruleset]:
        return (self.get(name) for name in NAMES)

    def get(self, name: str, place: PlaceLike = "ruleset") -> Ruleset:
        """The rulebook of this name. Raises UnknownName."""
        return self.changed.get(name) or get_ruleset(name, place)

    def with_ruleset(self, ruleset: Ruleset) -> "Library":
        """The library with one rulebook replaced. Raises BadField if names of ships clash."""
        if ruleset.name not in NAMES:
            raise UnknownName(Message("errors.where.ruleset"), "ruleset", ruleset.name, NAMES)
        changed = replace(self, changed=MappingProxyType({**self.changed, ruleset.name: ruleset}))
        for name in NAMES:
            changed.known_ships(name)
        return changed

    def without(self, name: str) -> "Library":
        """The library with one rulebook reset to the built-in one."""
        left = {each: ruleset for each, ruleset in self.changed.items() if each != name}
        return replace(self, changed=MappingProxyType(left))

    def known_ships(self, name: str) -> ShipList[ShipType]:
        """The ships of a rulebook, followed by those of the other rulebooks."""
        self.get(name)
        return self._known_ships[name]

    def find_ship(self, ruleset: str, name: str) -> ShipType | None:
        """A ship that a rulebook knows; the others are not loaded for one of its own."""
        own: ShipList[ShipType] = self.get(ruleset).ships
        return own.find(name) or self.known_ships(ruleset).find(name)

    def named_ship(self, ruleset: str, name: str, place: PlaceLike) -> ShipType:
        """The ship of this name that a rulebook knows. Raises UnknownName."""
        return self.find_ship(ruleset, name) or self.known_ships(ruleset).named(name, place)

    @cached_property
    def known_sizes(self) -> tuple[str, ...]:
        """The size classes of every rulebook that has them."""
        sizes = (ruleset.sizes for ruleset in self)
        return tuple(dict.fromkeys(size for each in sizes if each for size in each.order))

    @cached_property
    def _known_ships(self) -> Mapping[str, ShipList[ShipType]]:
        found: dict[str, ShipList[ShipType]] = {}
        for ruleset in self:
            ships: ShipList[ShipType] = ruleset.ships
            for other in self:
                ships = ships | other.ships
            found[ruleset.name] = ships
        return found


BUILT_IN = Library()
"""Every rulebook without players' cards."""


def conversion_rules(
    ruleset: Ruleset, tables: TableSet
) -> "ConversionRules[object, StartingMarks]":
    """The conversions of a rulebook with these tables. Raises DreyerError if it has none."""
    if ruleset.conversions is None:
        others = tuple(each.title for each in BUILT_IN if each.conversions is not None)
        raise DreyerError("combat.no_conversions", ruleset=ruleset.title, others=others)
    return ruleset.conversions(tables)
