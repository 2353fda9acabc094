"""The explicit list of rulebooks; adding one means adding a folder and a line here."""

from functools import cache

from combat.ruleset import Ruleset
from combat.rulesets import (
    arctic_disaster,
    bismarck_advanced,
    chase_of_the_bismarck,
    grand_fleets,
    sink_the_bismarck,
)
from combat.ships import ShipList, ShipType
from tabletop.errors import DreyerError, UnknownName

DEFAULT = bismarck_advanced.NAME
"""The ruleset of a file that names none."""

_LOADERS = {
    bismarck_advanced.NAME: bismarck_advanced.load,
    grand_fleets.NAME: grand_fleets.load,
    chase_of_the_bismarck.NAME: chase_of_the_bismarck.load,
    arctic_disaster.NAME: arctic_disaster.load,
    sink_the_bismarck.NAME: sink_the_bismarck.load,
}
NAMES = _LOADERS.keys()
"""All of them, in the order in which players are offered them."""


def get_ruleset(name: str, place: str = "ruleset") -> Ruleset:
    """The ruleset of this name; an unknown one is an error that offers the nearest."""
    if name not in _LOADERS:
        raise UnknownName(place, "ruleset", name, NAMES)
    return _IN_USE.get(name) or _loaded(name)


_IN_USE: dict[str, Ruleset] = {}


def use(ruleset: Ruleset) -> None:
    """Let this ruleset be the one of its name, such as one with the players' own ship cards.

    A program plays with one set of cards, and all that asks for a ruleset asks by name: commands,
    scenes, tables, calculators. So the cards are put where everybody asks. Those who use another
    set for a while, as tests do, call `restore` at the end. What clashes changes nothing.
    """
    if ruleset.name not in _LOADERS:
        raise UnknownName("ruleset", "ruleset", ruleset.name, NAMES)
    before = _IN_USE.get(ruleset.name)
    _IN_USE[ruleset.name] = ruleset
    try:
        _ask_again()
    except DreyerError:
        _IN_USE.pop(ruleset.name)
        if before is not None:
            _IN_USE[ruleset.name] = before
        _ask_again()
        raise


def restore(name: str) -> None:
    """Go back to the ruleset as it was loaded."""
    if _IN_USE.pop(name, None) is not None:
        _ask_again()


def _ask_again() -> None:
    """The lists of all ships and sizes are made anew; ships whose names clash are an error."""
    known_ships.cache_clear()
    known_sizes.cache_clear()
    for name in NAMES:
        known_ships(name)


@cache
def _loaded(name: str) -> Ruleset:
    return _LOADERS[name]()


@cache
def known_ships(name: str) -> ShipList[ShipType]:
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
