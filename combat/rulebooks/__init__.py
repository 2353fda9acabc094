"""The list of rulebooks. A new rulebook needs a folder and a line here."""

from functools import cache

from combat.rulebook_info import Ruleset
from combat.rulebooks import (
    arctic_disaster,
    bismarck_advanced,
    bismarck_battle_board,
    chase_of_the_bismarck,
    grand_fleets,
    sink_the_bismarck,
)
from tabletop.errors import UnknownName
from tabletop.places import PlaceLike

DEFAULT = bismarck_advanced.NAME
"""The ruleset of files that name none."""

_LOADERS = {
    bismarck_advanced.NAME: bismarck_advanced.load,
    grand_fleets.NAME: grand_fleets.load,
    chase_of_the_bismarck.NAME: chase_of_the_bismarck.load,
    arctic_disaster.NAME: arctic_disaster.load,
    sink_the_bismarck.NAME: sink_the_bismarck.load,
    bismarck_battle_board.NAME: bismarck_battle_board.load,
}
NAMES = _LOADERS.keys()
"""All names, in the order of the menu."""


def get_ruleset(name: str, place: PlaceLike = "ruleset") -> Ruleset:
    """The built-in ruleset of this name. Raises UnknownName."""
    if name not in _LOADERS:
        raise UnknownName(place, "ruleset", name, NAMES)
    return _loaded(name)


@cache
def _loaded(name: str) -> Ruleset:
    return _LOADERS[name]()
