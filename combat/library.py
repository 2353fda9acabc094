"""The rulebooks that a program plays with, some of them with the players' own ship cards.

A library is a value: with other cards it is another library.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from combat.ships import ShipList, ShipType
from tabletop.errors import UnknownName
from tabletop.messages import Message
from tabletop.places import PlaceLike


@dataclass(frozen=True)
class Library:
    """All rulebooks by name, in the order in which players are offered them."""

    changed: Mapping[str, Ruleset] = field(default_factory=lambda: MappingProxyType({}))
    """Those that are not as they came."""

    def __iter__(self) -> Iterator[Ruleset]:
        return (self.get(name) for name in NAMES)

    def get(self, name: str, place: PlaceLike = "ruleset") -> Ruleset:
        """The rulebook of this name; an unknown one is an error that offers the nearest."""
        return self.changed.get(name) or get_ruleset(name, place)

    def with_ruleset(self, ruleset: Ruleset) -> "Library":
        """The same with another version of one rulebook; ships whose names clash are an error."""
        if ruleset.name not in NAMES:
            raise UnknownName(Message("errors.where.ruleset"), "ruleset", ruleset.name, NAMES)
        changed = replace(self, changed=MappingProxyType({**self.changed, ruleset.name: ruleset}))
        for name in NAMES:
            changed.known_ships(name)
        return changed

    def without(self, name: str) -> "Library":
        """The same with one rulebook as it came."""
        left = {each: ruleset for each, ruleset in self.changed.items() if each != name}
        return replace(self, changed=MappingProxyType(left))

    def known_ships(self, name: str) -> ShipList[ShipType]:
        """The ships a rulebook knows, and after them those of every other."""
        self.get(name)
        return self._known_ships[name]

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
"""Every rulebook as it came."""
