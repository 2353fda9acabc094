"""Which captains there are for which rulebook. A captain of another rulebook gets a line here."""

from typing import TYPE_CHECKING, Final, cast

from combat.captain.advanced import AdvancedCaptain
from combat.captain.decision import Captain
from combat.captain.fleets import FleetCaptain
from combat.captain.temperament import Temperament, temperaments
from combat.captain.without_forecasts import PlayerByLot, QuickCaptain
from combat.guided_play import GuidedRulebook
from combat.rulebooks.bismarck_advanced.guided_battle.rulebook import AdvancedBattle
from combat.rulebooks.grand_fleets.guided_battle.rulebook import FleetBattle
from tabletop.errors import UnknownName
from tabletop.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT: Final = "steady"
QUICK: Final = "quick"
BY_LOT: Final = "by-lot"

_FORESEEING: Final = {
    AdvancedBattle.name: lambda rulebook, temperament: AdvancedCaptain(rulebook, temperament),
    FleetBattle.name: lambda rulebook, temperament: FleetCaptain(rulebook, temperament),
}
_WITHOUT_FORECASTS: Final = {
    (AdvancedBattle.name, QUICK): QuickCaptain,
    (AdvancedBattle.name, BY_LOT): PlayerByLot,
}


def captain_names(ruleset: str) -> tuple[str, ...]:
    """The captains of a rulebook; none where it is not guided."""
    if ruleset not in _FORESEEING:
        return ()
    simple = (name for known, name in _WITHOUT_FORECASTS if known == ruleset)
    return (*temperaments(), *simple)


def captain_of(rulebook: GuidedRulebook[object], name: str) -> Captain[object]:
    """A captain for a side of a battle. Raises UnknownName."""
    known = captain_names(rulebook.name)
    if name not in known:
        raise UnknownName(Message("errors.where.captains"), "captain", name, known)
    simple = _WITHOUT_FORECASTS.get((rulebook.name, name))
    if simple is not None:
        return cast("Captain[object]", simple(cast("AdvancedBattle", rulebook)))
    make = cast(
        "Callable[[GuidedRulebook[object], Temperament], Captain[object]]",
        _FORESEEING[rulebook.name],
    )
    return make(rulebook, temperaments()[name])
