"""Which captains there are for which rulebook. A captain of another rulebook gets a line here.

Each is imported when the first of its kind takes command.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from combat.captain.temperament import temperaments
from tabletop.errors import UnknownName
from tabletop.messages import Message

if TYPE_CHECKING:
    from combat.captain.decision import Captain
    from combat.guided_play import GuidedRulebook
    from combat.rulebooks.bismarck_advanced.guided_battle.rulebook import AdvancedBattle
    from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
    from combat.rulebooks.grand_fleets.guided_battle.rulebook import FleetBattle
    from combat.rulebooks.grand_fleets.guided_battle.state import FleetState

DEFAULT: Final = "steady"
QUICK: Final = "quick"
BY_LOT: Final = "by-lot"
_ADVANCED: Final = "bismarck-advanced"
_FLEETS: Final = "grand-fleets"
_WITHOUT_FORECASTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {_ADVANCED: (QUICK, BY_LOT), _FLEETS: (QUICK, BY_LOT)}
)
"""The rulebooks with captains, each with those that are no temperament."""


def captain_names(ruleset: str) -> tuple[str, ...]:
    """The captains of a rulebook; none where it is not guided."""
    if ruleset not in _WITHOUT_FORECASTS:
        return ()
    return (*temperaments(), *_WITHOUT_FORECASTS[ruleset])


def proposes_plots(ruleset: str) -> bool:
    """Whether the captains of a rulebook write plots for a beginner to look at."""
    return ruleset == _ADVANCED


def captain_of(
    rulebook: "GuidedRulebook[object]",
    name: str,
    table_yards: tuple[float, float] | None = None,
) -> "Captain[object]":
    """A captain for a side of a battle. Raises UnknownName.

    `table_yards` is the table's width and depth, for rulebooks whose battles do not know it; the
    sea is boundless without it.
    """
    known = captain_names(rulebook.name)
    if name not in known:
        raise UnknownName(Message("errors.where.captains"), "captain", name, known)
    # The type of its states is its own: others hand back what they were given.
    if rulebook.name == _ADVANCED:
        battle = cast("AdvancedBattle", rulebook)
        return cast("Captain[object]", _advanced(battle, name, table_yards))
    return cast("Captain[object]", _fleets(cast("FleetBattle", rulebook), name))


def _advanced(
    rulebook: "AdvancedBattle", name: str, table_yards: tuple[float, float] | None
) -> "Captain[AdvancedState]":
    from combat.captain.advanced import AdvancedCaptain
    from combat.captain.without_forecasts import PlayerByLot, QuickCaptain

    if name == QUICK:
        return QuickCaptain(rulebook)
    if name == BY_LOT:
        return PlayerByLot(rulebook)
    return AdvancedCaptain(rulebook, temperaments()[name], table_yards)


def _fleets(rulebook: "FleetBattle", name: str) -> "Captain[FleetState]":
    from combat.captain.fleets import FleetCaptain
    from combat.captain.fleets_without_forecasts import FleetPlayerByLot, QuickFleetCaptain

    if name == QUICK:
        return QuickFleetCaptain(rulebook)
    if name == BY_LOT:
        return FleetPlayerByLot(rulebook)
    return FleetCaptain(rulebook, temperaments()[name])
