"""Lines of fire, as measured on the table or as agreed by the players.

An agreement counts for one line of fire, from one ship to another, until a ship moves.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from combat.rulebooks.bismarck_advanced.fire.shot import Sightline
from tabletop.rules import TableRules
from tabletop.rulings import AS_MEASURED, Figures, SettledPair, settle
from tabletop.survey import Survey, survey
from tabletop.table import Table


@dataclass(frozen=True, slots=True)
class AgreedLine:
    """The figures agreed for one ship's line to another, and the reason."""

    firer: str
    target: str
    figures: Figures = AS_MEASURED
    reason: str = ""
    who: str = ""


@lru_cache(maxsize=32)
def cached_survey(table: Table, rules: TableRules) -> Survey:
    """A table's survey, cached, because it is used many times in a segment."""
    return survey(table, rules)


class Sights:
    """Every line of sight of a table, with agreements applied to measurements."""

    def __init__(self, table: Table, rules: TableRules, agreed: Iterable[AgreedLine]) -> None:
        self._seen = cached_survey(table, rules)
        self._rules = rules
        self._agreed = {(each.firer, each.target): each for each in agreed}

    def agreed(self, firer: str, target: str) -> AgreedLine:
        """The agreement about a pair, if any."""
        return self._agreed.get((firer, target)) or AgreedLine(firer, target)

    def settled(self, firer: str, target: str) -> SettledPair:
        """A pair with its agreement applied."""
        figures = self.agreed(firer, target).figures
        return settle(self._rules, self._seen[firer, target], figures=figures)

    def line(self, firer: str, target: str) -> Sightline:
        """The line of fire from one ship to another."""
        if (firer, target) in self._agreed:
            return Sightline.from_check(self.settled(firer, target))
        return Sightline.from_check(self._seen.summary(firer, target))
