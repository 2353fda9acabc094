"""Who lies where for whom: as measured on the table, or as the players have agreed.

A reading that is too close to call, or a tape that says otherwise, is settled between the players.
What they settle counts for this one line of fire, from one ship to one other, until somebody moves.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from combat.rulesets.bismarck_advanced.firing.shot import Sightline
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCall, Question
from tabletop.rules import TableRules
from tabletop.survey import PairCheck, Survey, survey
from tabletop.table import Table


@dataclass(frozen=True, slots=True)
class Agreed:
    """What counts for one ship's line to another instead of what was measured; None as measured."""

    firer: str
    target: str
    range_yards: float | None = None
    quadrant: Quadrant | None = None
    aspect: Quadrant | None = None
    blocked: bool | None = None
    smoke: bool | None = None
    reason: str = ""
    who: str = ""

    @property
    def says_anything(self) -> bool:
        """Whether any figure is agreed at all."""
        figures = (self.range_yards, self.quadrant, self.aspect, self.blocked, self.smoke)
        return any(figure is not None for figure in figures)

    def settles(self, call: CloseCall) -> bool:
        """Whether a close call is no longer open."""
        figures = {
            Question.RANGE: self.range_yards,
            Question.CONTACT: self.range_yards,
            Question.QUADRANT: self.quadrant,
            Question.ASPECT: self.aspect,
            Question.SIGHT: self.blocked,
            Question.SMOKE: self.smoke,
            Question.POSITION: self.quadrant and self.aspect,
        }
        return figures[call.what] is not None


@lru_cache(maxsize=32)
def surveyed(table: Table, rules: TableRules) -> Survey:
    """A table's survey, kept: in one segment many ask about ships that stand where they stood."""
    return survey(table, rules)


class Sights:
    """Every line of sight of a table, with what is agreed laid over what is measured."""

    def __init__(self, table: Table, rules: TableRules, agreed: Iterable[Agreed]) -> None:
        self._seen = surveyed(table, rules)
        self._rules = rules
        self._agreed = {(each.firer, each.target): each for each in agreed}

    def agreed(self, firer: str, target: str) -> Agreed:
        """What is agreed about a pair."""
        return self._agreed.get((firer, target)) or Agreed(firer, target)

    def check(self, firer: str, target: str) -> PairCheck:
        """A pair as it counts; whether the line is blocked is for `line` to say."""
        check, agreed = self._seen[firer, target], self.agreed(firer, target)
        if not agreed.says_anything:
            return check
        if agreed.range_yards is not None:
            check = replace(
                check,
                range_yards=agreed.range_yards,
                range_sigma_yards=0.0,
                segment=self._rules.segment(agreed.range_yards),
            )
        return replace(
            check,
            quadrant=agreed.quadrant or check.quadrant,
            aspect=agreed.aspect or check.aspect,
            smoke=check.smoke if agreed.smoke is None else agreed.smoke,
            blockers=() if agreed.blocked is False else check.blockers,
            close_calls=tuple(call for call in check.close_calls if not agreed.settles(call)),
        )

    def line(self, firer: str, target: str) -> Sightline:
        """The line of fire from one ship to another."""
        agreed = self._agreed.get((firer, target))
        if agreed is None:
            return Sightline.from_check(self._seen.glance(firer, target))
        line = Sightline.from_check(self.check(firer, target))
        return line if agreed.blocked is None else replace(line, blocked=agreed.blocked)
