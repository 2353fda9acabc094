"""What a rulebook says of an action between two ships, before it is rolled."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from combat.actions import Action, ActionOffer
from combat.forecast import Forecast
from combat.free_play import Attempt, FreeRulebook, FreeState, MarkedShip
from combat.previews import Preview
from combat.provenance import Provenance
from combat.rulebook_info import Ruleset
from combat.ships import ShipType

_MOST_KEPT: Final = 2048


class NoOddsReason(StrEnum):
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
    """What a rulebook says of one fire before it is rolled."""

    preview: Preview
    forecast: Forecast | None
    """None where the rules forbid the fire."""

    @property
    def expected_hits(self) -> float:
        """The hits on average; none where the fire is forbidden."""
        return self.forecast.expected_hits if self.forecast else 0.0

    @property
    def provenance(self) -> Provenance:
        """The least certain of all that the odds rest on, or of the ledger where there are none."""
        return self.forecast.provenance if self.forecast else self.preview.provenance

    @property
    def at_least_one(self) -> float:
        """The chance of hitting at all."""
        return 1.0 - self.forecast.hits.get(0, 0.0) if self.forecast else 0.0


def no_odds_reason(
    ruleset: Ruleset,
    rulebook: FreeRulebook[object] | None,
    firer: ShipType | None,
    target: ShipType | None,
) -> NoOddsReason | None:
    """Why this ruleset has nothing to say of this fire; None where it has."""
    if rulebook is None:
        return NoOddsReason.RULESET
    # A ship of another rulebook may take part, but this one cannot fire her guns.
    if firer is None or ruleset.ships.find(firer.name) is None:
        return NoOddsReason.FIRER
    if target is None or ruleset.ships.find(target.name) is None:
        return NoOddsReason.TARGET
    return None if weapons_of(rulebook, firer.name) else NoOddsReason.UNARMED


def weapons_of(rulebook: FreeRulebook[object], ship_type: str) -> tuple[ActionOffer, ...]:
    """What one ship can do to another; the rest of what a rulebook rolls for is no fire."""
    return tuple(offer for offer in rulebook.offers(ship_type) if offer.info.at_ship)


def answer(rulebook: FreeRulebook[object], state: FreeState[object], action: Action) -> Answer:
    """What bears, the ledger and the exact odds of one fire."""
    preview = rulebook.check(state, action)
    return Answer(preview, None if preview.forbidden else _forecast(rulebook, state, action))


def _forecast(rulebook: FreeRulebook[object], state: FreeState[object], action: Action) -> Forecast:
    """The exact odds, kept where they can be: pages ask for the same ones again and again."""
    attempt = rulebook.attempt(state, action)
    try:
        hash(attempt)
    except TypeError:
        return rulebook.odds([attempt])
    return _odds(rulebook, attempt)


@lru_cache(maxsize=_MOST_KEPT)
def _odds(rulebook: FreeRulebook[object], attempt: Attempt[Action, MarkedShip[object]]) -> Forecast:
    return rulebook.odds([attempt])
