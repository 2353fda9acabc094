"""Players' rulings: close calls that they decided, and figures that they entered for a pair.

`settle` applies both to a measured pair; every rulebook uses the result.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCall, CloseCallKind, SightReading, SmokeReading
from tabletop.messages import Message
from tabletop.rules import OUT_OF_RANGE, TableRules
from tabletop.survey import Blocker, PairCheck

_A_YARD: Final = 1.0
Value = TypeVar("Value")


class Source(StrEnum):
    """Where a value of a pair comes from."""

    MEASURED = "measured"
    AGREED = "agreed"
    BY_HAND = "by_hand"


class Sight(StrEnum):
    """What obstructs a line of fire."""

    CLEAR = "clear"
    BLOCKED = "blocked"
    SMOKE = "smoke"
    BOTH = "both"
    """A ship in the way, and smoke."""

    @classmethod
    def of(cls, *, blocked: bool, smoke: bool) -> "Sight":
        """The member for these two conditions."""
        if blocked:
            return cls.BOTH if smoke else cls.BLOCKED
        return cls.SMOKE if smoke else cls.CLEAR

    @property
    def is_blocked(self) -> bool:
        """Whether a ship is in the way."""
        return self in (Sight.BLOCKED, Sight.BOTH)

    @property
    def is_smoky(self) -> bool:
        """Whether smoke is in the way."""
        return self in (Sight.SMOKE, Sight.BOTH)


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures that players entered for one ship's line to another; None means as measured."""

    range_yards: float | None = None
    quadrant: Quadrant | None = None
    """The firer's quadrant that the target lies in."""
    aspect: Quadrant | None = None
    """The target's quadrant that the firer lies in."""
    blocked: bool | None = None
    smoke: bool | None = None

    @property
    def has_any(self) -> bool:
        """Whether any figure is entered."""
        return self != AS_MEASURED

    @property
    def mirrored(self) -> "Figures":
        """The figures for the opposite direction of the line.

        Range and smoke are the same both ways; quadrant and aspect change places. Blocking is
        left open, because rulebooks consider how far the blocker is from the firer.
        """
        return Figures(self.range_yards, self.aspect, self.quadrant, None, self.smoke)

    def over(self, others: "Figures") -> "Figures":
        """These figures, with those that are None taken from the others."""

        def first(own: Value | None, other: Value | None) -> Value | None:
            return other if own is None else own

        return Figures(
            first(self.range_yards, others.range_yards),
            first(self.quadrant, others.quadrant),
            first(self.aspect, others.aspect),
            first(self.blocked, others.blocked),
            first(self.smoke, others.smoke),
        )

    def settles(self, what: CloseCallKind) -> bool:
        """Whether these figures answer a question."""
        match what:
            case CloseCallKind.RANGE | CloseCallKind.CONTACT:
                return self.range_yards is not None
            case CloseCallKind.QUADRANT:
                return self.quadrant is not None
            case CloseCallKind.ASPECT:
                return self.aspect is not None
            case CloseCallKind.SIGHT:
                return self.blocked is not None
            case CloseCallKind.SMOKE:
                return self.smoke is not None
            case CloseCallKind.POSITION:
                return self.quadrant is not None and self.aspect is not None


AS_MEASURED: Final = Figures()

Decided = Mapping[CloseCallKind, str]
"""The reading that the players agreed on, by its question."""
NOTHING_DECIDED: Final[Decided] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SettledPair:
    """A pair after all rulings, with the source of each value."""

    firer: str
    target: str
    range_yards: float
    range_sigma_yards: float
    segment: str | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    blocked: bool
    smoke: bool
    blockers: tuple[Blocker, ...]
    """As measured; empty if the players entered that the line is clear."""
    close_calls: tuple[CloseCall, ...]
    """Those that no entered figure answers, decided or not."""
    sources: Mapping[CloseCallKind, Source]
    measured_range_yards: float

    def source(self, what: CloseCallKind) -> Source:
        """The source of a value."""
        return self.sources.get(what, Source.MEASURED)

    @property
    def sight(self) -> Sight:
        """What obstructs the line."""
        return Sight.of(blocked=self.blocked, smoke=self.smoke)

    @property
    def overruled(self) -> Figures:
        """The values that replace measured ones."""

        def overrules(*what: CloseCallKind) -> bool:
            return any(self.source(each) is not Source.MEASURED for each in what)

        return Figures(
            range_yards=self.range_yards
            if overrules(CloseCallKind.RANGE, CloseCallKind.CONTACT)
            else None,
            quadrant=self.quadrant if overrules(CloseCallKind.QUADRANT) else None,
            aspect=self.aspect if overrules(CloseCallKind.ASPECT) else None,
            blocked=self.blocked if overrules(CloseCallKind.SIGHT) else None,
            smoke=self.smoke if overrules(CloseCallKind.SMOKE) else None,
        )

    @property
    def shown_range_yards(self) -> float:
        """The range to display: as measured, even if a range segment was decided."""
        by_hand = self.source(CloseCallKind.RANGE) is Source.BY_HAND
        in_contact = self.source(CloseCallKind.CONTACT) is Source.AGREED
        return self.range_yards if by_hand or in_contact else self.measured_range_yards


def settle(
    rules: TableRules,
    check: PairCheck,
    *,
    decided: Decided = NOTHING_DECIDED,
    figures: Figures = AS_MEASURED,
) -> SettledPair:
    """Apply the players' decisions and figures to a measured pair."""
    calls = tuple(call for call in check.close_calls if not figures.settles(call.what))
    settled = SettledPair(
        firer=check.firer,
        target=check.target,
        range_yards=check.range_yards,
        range_sigma_yards=check.range_sigma_yards,
        segment=check.segment,
        quadrant=check.quadrant,
        aspect=check.aspect,
        blocked=check.blocked,
        smoke=check.smoke,
        blockers=check.blockers,
        close_calls=calls,
        sources={},
        measured_range_yards=check.range_yards,
    )
    for call in merge_close_calls(calls):
        reading = decided_reading(call, decided)
        if reading is not None:
            settled = with_reading(rules, settled, call, reading)
            settled = replace(settled, sources={**settled.sources, call.what: Source.AGREED})
    return _with_figures(rules, settled, figures) if figures.has_any else settled


def merge_close_calls(calls: Iterable[CloseCall]) -> tuple[CloseCall, ...]:
    """One close call for each question, with its nearest limit and every possible reading.

    A measurement may be close to two limits at once; then there are three readings.
    """
    found: dict[CloseCallKind, CloseCall] = {}
    for call in calls:
        known = found.setdefault(call.what, call)
        nearest = min(known, call, key=lambda each: each.margin)
        readings = tuple(dict.fromkeys((*known.readings, *call.readings)))
        found[call.what] = replace(nearest, readings=readings)
    return tuple(found.values())


def decided_reading(call: CloseCall, decided: Decided) -> str | float | None:
    """The reading of a close call that was agreed on, or None.

    It is None also if the ships have moved to another limit since the players agreed.
    """
    wanted = decided.get(call.what)
    return next((reading for reading in call.readings if str(reading) == wanted), None)


def with_reading(
    rules: TableRules, settled: SettledPair, call: CloseCall, value: str | float
) -> SettledPair:
    """The pair with one reading of a close call applied."""
    match call.what:
        case CloseCallKind.RANGE if isinstance(value, float):
            return replace(settled, range_yards=value, segment=rules.segment(value))
        case CloseCallKind.RANGE:
            range_yards = _inside(rules, settled.range_yards, str(value))
            return replace(settled, segment=str(value), range_yards=range_yards)
        case CloseCallKind.CONTACT if isinstance(value, float):
            return replace(
                settled, range_yards=value, range_sigma_yards=0.0, segment=rules.segment(value)
            )
        case CloseCallKind.QUADRANT:
            return replace(settled, quadrant=Quadrant(str(value)))
        case CloseCallKind.ASPECT:
            return replace(settled, aspect=Quadrant(str(value)))
        case CloseCallKind.SIGHT:
            return replace(settled, blocked=value == SightReading.BLOCKED)
        case CloseCallKind.SMOKE:
            return replace(settled, smoke=value == SmokeReading.THROUGH)
    return settled


def limits_of(calls: Iterable[CloseCall], what: CloseCallKind) -> tuple[float | Message, ...]:
    """The limits of all close calls about a question."""
    return tuple(call.limit for call in calls if call.what is what)


def chances(
    rules: TableRules, check: PairCheck, call: CloseCall, sigma: float | None
) -> tuple[float | None, ...]:
    """The probability of each reading, from the margin and its σ; None if it is unknown."""
    several = len(limits_of(check.close_calls, call.what)) > 1
    if sigma and several and call.what is CloseCallKind.RANGE:
        numbers = [reading for reading in call.readings if isinstance(reading, float)]
        if len(numbers) == len(call.readings):
            limits = limits_of(check.close_calls, call.what)
            return _limit_chances(limits, check.range_yards, sigma, numbers)
        return _segment_chances(rules, check.range_yards, sigma, call.readings)
    if not sigma or several:
        return tuple(None for _ in call.readings)
    as_measured = _normal(call.margin / sigma)
    return as_measured, 1.0 - as_measured


def _with_figures(rules: TableRules, settled: SettledPair, figures: Figures) -> SettledPair:
    """Entered figures take precedence over measurements and decisions."""
    sources = dict(settled.sources)
    if figures.range_yards is not None:
        sources[CloseCallKind.RANGE] = Source.BY_HAND
        settled = replace(
            settled,
            range_yards=figures.range_yards,
            range_sigma_yards=0.0,
            segment=rules.segment(figures.range_yards),
        )
    if figures.quadrant is not None:
        sources[CloseCallKind.QUADRANT] = Source.BY_HAND
        settled = replace(settled, quadrant=figures.quadrant)
    if figures.aspect is not None:
        sources[CloseCallKind.ASPECT] = Source.BY_HAND
        settled = replace(settled, aspect=figures.aspect)
    if figures.blocked is not None:
        sources[CloseCallKind.SIGHT] = Source.BY_HAND
        blockers = settled.blockers if figures.blocked else ()
        settled = replace(settled, blocked=figures.blocked, blockers=blockers)
    if figures.smoke is not None:
        sources[CloseCallKind.SMOKE] = Source.BY_HAND
        settled = replace(settled, smoke=figures.smoke)
    return replace(settled, sources=sources)


def _inside(rules: TableRules, range_yards: float, segment: str) -> float:
    """The range itself if it lies in this segment, or the nearest range that does."""
    if rules.segment(range_yards) == segment:
        return range_yards
    limits = [each.upper_yards for each in rules.segments]
    number = rules.segment_names.index(segment)
    nearest = (limits[number - 1] + _A_YARD) if number else 0.0
    farthest = limits[number] if segment != OUT_OF_RANGE else math.inf
    return min(max(range_yards, nearest), farthest)


def _segment_chances(
    rules: TableRules, range_yards: float, sigma: float, segments: Sequence[str | float]
) -> tuple[float, ...]:
    """The probability of each segment, given that the true range lies in one of them."""
    limits = [each.upper_yards for each in rules.segments]
    places = [rules.segment_names.index(str(segment)) for segment in segments]
    return _part_chances(limits, range_yards, sigma, places)


def _limit_chances(
    limits: Iterable[float | Message], range_yards: float, sigma: float, readings: Sequence[float]
) -> tuple[float, ...]:
    """How likely the true range lies on the same side of each limit as each reading."""
    yards = sorted(limit for limit in limits if not isinstance(limit, Message))
    places = [bisect_left(yards, reading) for reading in readings]
    return _part_chances(yards, range_yards, sigma, places)


def _part_chances(
    limits: Sequence[float], range_yards: float, sigma: float, places: Sequence[int]
) -> tuple[float, ...]:
    """How likely the true range lies in some of the parts that limits cut it into."""
    ends = [-math.inf, *limits, math.inf]
    below = [_normal((limit - range_yards) / sigma) for limit in ends]
    chances = [below[place + 1] - below[place] for place in places]
    return tuple(chance / sum(chances) for chance in chances)


def _normal(sigmas: float) -> float:
    return 0.5 * (1.0 + math.erf(sigmas / math.sqrt(2.0)))
