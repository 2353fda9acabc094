"""The explicit list of rulebooks; adding one means adding a folder and a line here."""

from functools import cache

from combat.ruleset import Ruleset
from combat.rulesets import bismarck_advanced, grand_fleets
from combat.ships import Ship, ShipList
from tabletop.errors import UnknownName

DEFAULT = bismarck_advanced.NAME
"""The ruleset of a file that names none."""

_LOADERS = {
    bismarck_advanced.NAME: bismarck_advanced.load,
    grand_fleets.NAME: grand_fleets.load,
}
NAMES = tuple(_LOADERS)


def get_ruleset(name: str, place: str = "ruleset") -> Ruleset:
    """The ruleset of this name; an unknown one is an error that offers the nearest."""
    if name not in _LOADERS:
        raise UnknownName(place, "ruleset", name, NAMES)
    return _loaded(name)


@cache
def _loaded(name: str) -> Ruleset:
    return _LOADERS[name]()


@cache
def known_ships(name: str) -> ShipList[Ship]:
    """The ships a ruleset knows, and after them those of every other, so that any may take part."""
    ships = get_ruleset(name).ships
    for other in NAMES:
        ships = ships | get_ruleset(other).ships
    return ships


@cache
def known_sizes() -> tuple[str, ...]:
    """The size classes of every ruleset that has them."""
    sizes = (get_ruleset(name).sizes for name in NAMES)
    return tuple(dict.fromkeys(size for each in sizes if each for size in each.order))
