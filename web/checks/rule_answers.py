"""The rulebook's answer about an action between two ships, before it is rolled."""

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
    """The rulebook does not have the firing ship."""
    TARGET = "target"
    UNARMED = "unarmed"
    """She has no guns."""
    BEARING = "bearing"
    """Both ships are on one spot, so there is no bearing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The rulebook's answer about one fire before it is rolled."""

    preview: Preview
    forecast: Forecast | None
    """None if the rules forbid the fire."""

    @property
    def expected_hits(self) -> float:
        """The mean number of hits; 0 if the fire is forbidden."""
        return self.forecast.expected_hits if self.forecast else 0.0

    @property
    def provenance(self) -> Provenance:
        """The worst provenance of the odds, or of the ledger if there are none."""
        return self.forecast.provenance if self.forecast else self.preview.provenance

    @property
    def at_least_one(self) -> float:
        """The probability of at least one hit."""
        return 1.0 - self.forecast.hits.get(0, 0.0) if self.forecast else 0.0


def no_odds_reason(
    ruleset: Ruleset,
    rulebook: FreeRulebook[object] | None,
    firer: ShipType | None,
    target: ShipType | None,
) -> NoOddsReason | None:
    """Why this rulebook has no answer about this fire; None if it has."""
    if rulebook is None:
        return NoOddsReason.RULESET
    # A ship of another rulebook may be a target, but this one cannot fire her guns.
    if firer is None or ruleset.ships.find(firer.name) is None:
        return NoOddsReason.FIRER
    if target is None or ruleset.ships.find(target.name) is None:
        return NoOddsReason.TARGET
    return None if weapons_of(rulebook, firer.name) else NoOddsReason.UNARMED


def weapons_of(rulebook: FreeRulebook[object], ship_type: str) -> tuple[ActionOffer, ...]:
    """The possible actions of one ship at another."""
    return tuple(offer for offer in rulebook.offers(ship_type) if offer.info.at_ship)


def answer(rulebook: FreeRulebook[object], state: FreeState[object], action: Action) -> Answer:
    """The mounts, the ledger and the exact odds of one fire."""
    preview = rulebook.check(state, action)
    return Answer(preview, None if preview.forbidden else _forecast(rulebook, state, action))


def _forecast(rulebook: FreeRulebook[object], state: FreeState[object], action: Action) -> Forecast:
    """The exact odds, cached if possible, because pages ask for them repeatedly."""
    attempt = rulebook.attempt(state, action)
    try:
        hash(attempt)
    except TypeError:
        return rulebook.odds([attempt])
    return _odds(rulebook, attempt)


@lru_cache(maxsize=_MOST_KEPT)
def _odds(rulebook: FreeRulebook[object], attempt: Attempt[Action, MarkedShip[object]]) -> Forecast:
    return rulebook.odds([attempt])
