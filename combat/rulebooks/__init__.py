"""The list of rulebooks. A new rulebook needs a folder and a line here."""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tabletop.errors import UnknownName
from tabletop.places import PlaceLike

if TYPE_CHECKING:
    from combat.rulebook_info import Ruleset

DEFAULT: Final = "bismarck-advanced"
"""The ruleset of files that name none."""


def _load(name: str) -> "Ruleset":
    """A rulebook by its name, which its folder has, too; imported when it is first asked for."""
    ruleset: Ruleset = import_module(f"{__name__}.{name.replace('-', '_')}").load()
    return ruleset


_LOADERS: Final[dict[str, Callable[[], "Ruleset"]]] = {
    name: partial(_load, name)
    for name in (
        DEFAULT,
        "grand-fleets",
        "chase-of-the-bismarck",
        "arctic-disaster",
        "sink-the-bismarck",
        "bismarck-battle-board",
    )
}
NAMES: Final = _LOADERS.keys()
"""All names, in the order of the menu."""


def get_ruleset(name: str, place: PlaceLike = "ruleset") -> "Ruleset":
    """The built-in ruleset of this name. Raises UnknownName."""
    if name not in _LOADERS:
        raise UnknownName(place, "ruleset", name, NAMES)
    return _loaded(name)


@cache
def _loaded(name: str) -> "Ruleset":
    return _LOADERS[name]()
