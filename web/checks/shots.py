"""From what is known of a fire to its odds, through whatever the ruleset offers.

Nothing here knows a rule: the ruleset makes the shot file, says what bears and sums the ledger.
Answers are kept, since a page asks for the same fire again whenever anything on the table moves.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from combat.forecast import Forecast
from combat.report import BatteryInfo, Facts, FireRules, Preview, ShotFile, States
from combat.ruleset import Ruleset
from combat.ships import ShipType
from combat.tables import TableSet

if TYPE_CHECKING:
    from collections.abc import Hashable

_MOST_KEPT = 2048


class Silence(StrEnum):
    """Why there are no odds."""

    RULESET = "ruleset"
    """The ruleset does not resolve fire."""
    FIRER = "firer"
    """It does not know the ship that fires."""
    TARGET = "target"
    UNARMED = "unarmed"
    """She has no guns."""
    BEARING = "bearing"
    """The two stand on one spot, so that nothing bears anywhere."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a ruleset says of one fire before it is rolled."""

    facts: Facts
    preview: Preview
    forecast: Forecast | None
    """None where the rules forbid the fire."""
    shot: ShotFile | None = None
    """What it was worked out from; None for an answer that a battle has kept."""

    @property
    def expected_hits(self) -> float:
        """The hits on average; none where the fire is forbidden."""
        return self.forecast.expected_hits if self.forecast else 0.0

    @property
    def at_least_one(self) -> float:
        """The chance of hitting at all."""
        return 1.0 - self.forecast.hits.get(0, 0.0) if self.forecast else 0.0


def silence(ruleset: Ruleset, firer: ShipType | None, target: ShipType | None) -> Silence | None:
    """Why this ruleset has nothing to say of this fire; None where it has."""
    if ruleset.fire is None:
        return Silence.RULESET
    # A ship of another rulebook may take part, but this one cannot fire her guns.
    if firer is None or ruleset.ships.find(firer.name) is None:
        return Silence.FIRER
    if target is None or ruleset.ships.find(target.name) is None:
        return Silence.TARGET
    return None if guns_of(ruleset.fire, firer.name) else Silence.UNARMED


def guns_of(fire: FireRules, ship_type: str) -> tuple[BatteryInfo, ...]:
    """What one ship can do to another; the rest of what a rulebook rolls for is no fire."""
    return tuple(each for each in fire.batteries(ship_type) if each.at_a_target)


def answer(fire: FireRules, facts: Facts, tables: TableSet, states: States | None = None) -> Answer:
    """The guns that bear, the ledger and the exact odds of one fire."""
    shot = fire.shot(facts, states)
    # A protocol does not promise a hash, but every object that fulfils it has one.
    preview, forecast = _worked_out(cast("Hashable", fire), shot, tables)
    return Answer(facts, preview, forecast, shot)


@lru_cache(maxsize=_MOST_KEPT)
def _worked_out(
    fire: FireRules, file: ShotFile, tables: TableSet
) -> tuple[Preview, Forecast | None]:
    preview = fire.preview(file, tables)
    return preview, None if preview.forbidden else fire.forecast([file], tables)
