"""Close calls as players answer them: one question each, however many limits it turns on."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tabletop.closecall import CloseCall, Question
from tabletop.rules import TableRules
from tabletop.survey import PairCheck


def asked(calls: Iterable[CloseCall]) -> tuple[CloseCall, ...]:
    """One close call for each question: its nearest limit, and every reading that is open.

    A measurement may reach over two limits at once; then there are three readings to agree on.
    """
    found: dict[Question, CloseCall] = {}
    for call in calls:
        known = found.setdefault(call.what, call)
        nearest = min(known, call, key=lambda each: each.margin)
        readings = tuple(dict.fromkeys((*known.readings, *call.readings)))
        found[call.what] = replace(nearest, readings=readings)
    return tuple(found.values())


def limits_of(calls: Iterable[CloseCall], what: Question) -> tuple[float | str, ...]:
    """Every limit that a question turns on."""
    return tuple(call.limit for call in calls if call.what is what)


def chances(
    rules: TableRules, check: PairCheck, call: CloseCall, sigma: float | None
) -> tuple[float | None, ...]:
    """How likely each reading is, from the margin and its σ; None where that cannot be told."""
    several = len(limits_of(check.close_calls, call.what)) > 1
    if sigma and several and call.what is Question.RANGE:
        return _segment_chances(rules, check.range_yards, sigma, call.readings)
    if not sigma or several:
        return tuple(None for _ in call.readings)
    as_measured = _normal(call.margin / sigma)
    return as_measured, 1.0 - as_measured


def _segment_chances(
    rules: TableRules, range_yards: float, sigma: float, segments: Sequence[str | float]
) -> tuple[float, ...]:
    """How likely the true range lies in each of some segments, if it lies in one of them."""
    limits = [-math.inf, *(each.upper_yards for each in rules.segments), math.inf]
    below = [_normal((limit - range_yards) / sigma) for limit in limits]
    places = [rules.segment_names.index(str(segment)) for segment in segments]
    chances = [below[place + 1] - below[place] for place in places]
    return tuple(chance / sum(chances) for chance in chances)


def _normal(sigmas: float) -> float:
    return 0.5 * (1.0 + math.erf(sigmas / math.sqrt(2.0)))
