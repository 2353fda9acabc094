"""Who sees whom: every ordered pair of a table, measured at once and judged by given rules.

`survey()` does the arithmetic for the whole table in arrays; the readable result of a pair, with
its blockers and close calls, is made when it is asked for.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop import doubt
from tabletop.angles import FloatArray
from tabletop.arcs import CLOCKWISE, Quadrant, QuadrantCodes
from tabletop.closecall import TOLERANCE_YARDS, CloseCall
from tabletop.errors import DreyerError, UnknownName
from tabletop.measure import BaseGaps, BoolArray, Layout, Measurements, base_gaps, measure_layout
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.sight import Crossings, IndexArray, LinesOfSight, SightRule, smoke_crossings
from tabletop.table import Table


@dataclass(frozen=True, slots=True)
class Blocker:
    """A ship in the line of sight, and where the line first meets her base, from the firer."""

    name: str
    at_yards: float


@dataclass(frozen=True, slots=True)
class PairCheck:
    """All that one ship can say of another; bearings are None where both stand on one spot."""

    firer: str
    target: str
    range_yards: float
    range_sigma_yards: float
    segment: str | None
    bearing_deg: float | None
    bearing_sigma_deg: float | None
    relative_bearing_deg: float | None
    relative_bearing_sigma_deg: float | None
    quadrant: Quadrant | None
    """Where the target lies for the firer."""
    aspect: Quadrant | None
    """Where the firer lies for the target."""
    smoke: bool
    blockers: tuple[Blocker, ...]
    close_calls: tuple[CloseCall, ...]

    @property
    def blocked(self) -> bool:
        """Whether any ship blocks the line."""
        return bool(self.blockers)


@dataclass(frozen=True, slots=True)
class PairSummary:
    """The same in short: what a rule asks for that has no use for doubts and degrees."""

    firer: str
    target: str
    range_yards: float
    segment: str | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    smoke: bool
    blocked: bool


# The fields of a PairCheck from `range_yards` to `aspect`, in their order.
_Readings = tuple[
    float,
    float,
    str | None,
    float | None,
    float | None,
    float | None,
    float | None,
    Quadrant | None,
    Quadrant | None,
]


def survey(table: Table, rules: TableRules) -> "Survey":
    """Measure and judge every ordered pair of the table in one call."""
    if not table.models:
        raise DreyerError("tabletop.empty")
    layout = Layout.of(table, from_bridge=rules.measure_from_bridge)
    measured = measure_layout(layout)
    sight = LinesOfSight.of(layout, measured)
    return Survey(
        table=table,
        rules=rules,
        measured=measured,
        contacts=None if rules.contact_range_yards is None else base_gaps(layout),
        sight=sight,
        smoke=smoke_crossings(layout, sight.lines, table.smoke),
        rank=rules.sight.ranks(table),
    )


@dataclass(frozen=True)
class _Outlook:
    """What stands in the lines from some firers, and what the sight rule makes of it."""

    rule: SightRule
    names: tuple[str, ...]
    crossings: Crossings
    """Lines that meet, or nearly meet, a base large enough to matter."""
    range_yards: FloatArray
    """The ranges of the crossings' lines."""
    range_sigma_yards: FloatArray

    @cached_property
    def blocks(self) -> BoolArray:
        """Which of the crossings block the line."""
        rule, line = self.rule, self.crossings
        whole_line = self.range_yards <= rule.whole_line_range_yards + TOLERANCE_YARDS
        within_reach = line.at_yards <= rule.near_reach_yards + TOLERANCE_YARDS
        return line.met & (whole_line | within_reach)

    @cached_property
    def blockers(self) -> dict[tuple[int, int], list[Blocker]]:
        """The blockers of each pair, the nearest first."""
        found: dict[tuple[int, int], list[Blocker]] = defaultdict(list)
        blocking = self.crossings.pick(self.blocks)
        for firer, target, obstacle, at_yards in zip(
            blocking.firer.tolist(),
            blocking.target.tolist(),
            blocking.obstacle.tolist(),
            blocking.at_yards.tolist(),
            strict=True,
        ):
            found[firer, target].append(Blocker(self.names[obstacle], at_yards))
        return found

    @cached_property
    def close_calls(self) -> doubt.Calls:
        """The doubts about sight."""
        return doubt.sight_calls(
            self.rule,
            self.crossings,
            self.blocks,
            self.range_yards,
            self.range_sigma_yards,
            self.names,
        )


@dataclass(frozen=True)
class Survey:
    """Every ordered pair of one table under one set of rules.

    The arrays hold row i, column j for ship i looking at ship j, in the table's order.
    """

    table: Table
    rules: TableRules
    measured: Measurements
    """From measuring point to measuring point, before any rule about contact."""
    contacts: BaseGaps | None
    """Bases that touch or nearly touch, where the rules make something of it."""
    sight: LinesOfSight
    smoke: Crossings
    rank: IndexArray
    """Each ship's place in the order of sizes."""

    def __getitem__(self, pair: tuple[str, str]) -> PairCheck:
        firer, target = self._two(*pair)
        return self._check(firer, target, self._outlook(firer))

    def __iter__(self) -> Iterator[PairCheck]:
        count = len(self.table.models)
        for firer in range(count):
            outlook = self._outlook(firer)
            for target in range(count):
                if firer != target:
                    yield self._check(firer, target, outlook)

    def glance(self, firer: str, target: str) -> PairSummary:
        """What a PairCheck would say of a pair, where its doubts are not asked for."""
        one, other = self._two(firer, target)
        return self._glances[one][other]

    def crossings(self, firer: str, target: str) -> Crossings:
        """The bases that a pair's line meets, or nearly meets; of those over both, none."""
        one, other = self._two(firer, target)
        return self._outlook(one).crossings.between(one, other)

    def smoke_crossings(self, firer: str, target: str) -> Crossings:
        """The smoke fronts that a pair's line meets, or nearly meets."""
        return self.smoke.between(*self._two(firer, target))

    def smoke_at_yards(self, firer: str, target: str) -> tuple[float, ...]:
        """How far off a pair's line passes each front of smoke."""
        passed = self.smoke_crossings(firer, target)
        return tuple(passed.at_yards[passed.met].tolist())

    @cached_property
    def range_yards(self) -> FloatArray:
        """The ranges that count: measured, or fixed by contact."""
        ranges = self.measured.range_yards.copy()
        if self.rules.contact_range_yards is not None:
            ranges[self._in_contact] = self.rules.contact_range_yards
        return ranges

    @cached_property
    def range_sigma_yards(self) -> FloatArray:
        """The uncertainty of the ranges that count; a range fixed by contact has none."""
        return np.where(self._in_contact, 0.0, self.measured.range_sigma_yards)

    @cached_property
    def quadrant_codes(self) -> QuadrantCodes:
        """Where each ship lies for each other, as indices into `arcs.CLOCKWISE`."""
        return self.rules.arcs.codes(self.measured.relative_bearing_deg)

    @cached_property
    def blocked(self) -> BoolArray:
        """Whether a ship blocks the line from ship i to ship j."""
        covers, blocked = self.sight.covers, np.zeros(self.sight.covers.shape, dtype=np.bool_)
        # Whoever lies under the base of a third ship sees nobody; that settles a heap of ships.
        for rank in np.unique(self.rank):
            covering = covers & (self.rank >= rank)
            by_third = np.sum(covering, axis=1)[:, None] > covering
            blocked |= by_third & (np.minimum.outer(self.rank, self.rank) == rank)
        np.fill_diagonal(blocked, val=True)
        for firers in self.sight.portions:
            if not blocked[firers].all():
                outlook = self._outlook(firers[0])
                found = outlook.crossings.pick(outlook.blocks)
                blocked[found.firer, found.target] = True
        np.fill_diagonal(blocked, val=False)
        return blocked

    @cached_property
    def through_smoke(self) -> BoolArray:
        """Whether the line from ship i to ship j passes through smoke."""
        through = np.zeros(self.range_yards.shape, dtype=np.bool_)
        through[self.smoke.firer[self.smoke.met], self.smoke.target[self.smoke.met]] = True
        return through

    @cached_property
    def _in_contact(self) -> BoolArray:
        touching = np.zeros(self.measured.range_yards.shape, dtype=np.bool_)
        if self.contacts is not None:
            touching[self.contacts.first, self.contacts.second] = self.contacts.touching
            touching |= touching.T
        # Two ships on one spot have no range at all.
        return touching & (self.measured.range_yards > 0.0)

    def _outlook(self, firer: int) -> _Outlook:
        """The outlook of the portion of the table that a firer belongs to."""
        firers = next(firers for firers in self.sight.portions if firer in firers)
        outlook = self._outlooks.get(firers)
        if outlook is None:
            outlook = self._look(firers)
            # One portion at a time: the others can be found again.
            self._outlooks.clear()
            self._outlooks[firers] = outlook
        return outlook

    def _look(self, firers: range) -> _Outlook:
        rank, line = self.rank, self.sight.crossings(firers)
        line = line.pick(rank[line.obstacle] >= np.minimum(rank[line.firer], rank[line.target]))
        return _Outlook(
            self.rules.sight,
            self.table.names,
            line,
            self.range_yards[line.firer, line.target],
            self.range_sigma_yards[line.firer, line.target],
        )

    @cached_property
    def _outlooks(self) -> dict[range, _Outlook]:
        return {}

    @cached_property
    def _heaped(self) -> list[list[bool]]:
        """Which pairs lie under one base."""
        covers = self.sight.covers.astype(np.float64)
        heaped: list[list[bool]] = (covers @ covers.T > 0.0).tolist()
        return heaped

    @cached_property
    def _covering(self) -> NDArray[np.object_]:
        """Each ship as the blocker that covers a firer."""
        return np.array([Blocker(name, 0.0) for name in self.table.names], dtype=object)

    def _blockers_of(self, firer: int, target: int, outlook: _Outlook) -> tuple[Blocker, ...]:
        """The blockers of a pair, the nearest first."""
        met = outlook.blockers.get((firer, target), [])
        if not self._heaped[firer][target]:
            return tuple(met)
        covers, rank = self.sight.covers, self.rank
        large = rank >= min(rank[firer], rank[target])
        covering = self._covering[covers[firer] & covers[target] & large].tolist()
        if met:
            covering = sorted(covering + met, key=lambda b: (b.at_yards, self._numbers[b.name]))
        return tuple(covering)

    @cached_property
    def _smoked(self) -> list[list[bool]]:
        smoked: list[list[bool]] = self.through_smoke.tolist()
        return smoked

    @cached_property
    def _reading_calls(self) -> doubt.Calls:
        rules = self.rules
        kinds = [
            doubt.position_calls(self.quadrant_codes),
            doubt.range_calls(rules, self.range_yards, self.range_sigma_yards),
            doubt.quadrant_calls(rules.arcs, self.measured, self.quadrant_codes),
        ]
        return _together(kinds)

    @cached_property
    def _smoke_and_contact_calls(self) -> doubt.Calls:
        kinds = [doubt.smoke_calls(self.smoke)]
        if self.contacts is not None and self.rules.contact_range_yards is not None:
            kinds.append(
                doubt.contact_calls(self.contacts, self.measured, self.rules.contact_range_yards)
            )
        return _together(kinds)

    @cached_property
    def _quadrants(self) -> NDArray[np.object_]:
        return np.array([*CLOCKWISE, None], dtype=object)[self.quadrant_codes]

    @cached_property
    def _segments(self) -> NDArray[np.object_]:
        names = self.rules.segment_names if self.rules.segments else (None,)
        return np.array(names, dtype=object)[self.rules.segment_codes(self.range_yards)]

    @cached_property
    def _readings(self) -> list[list[_Readings]]:
        """The measured fields of each PairCheck; picking single cells out of arrays is slow."""
        columns = (
            self.range_yards,
            self.range_sigma_yards,
            self._segments,
            _none_for_nan(self.measured.bearing_deg),
            _none_for_nan(self.measured.bearing_sigma_deg),
            _none_for_nan(self.measured.relative_bearing_deg),
            _none_for_nan(self.measured.relative_bearing_sigma_deg),
            self._quadrants,
            self._quadrants.T,
        )
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [list(zip(*row, strict=True)) for row in rows]

    @cached_property
    def _glances(self) -> list[list[PairSummary]]:
        """Every pair's, as most of them are asked for in every segment of a battle."""
        names, smoked, blocked = self.table.names, self._smoked, self.blocked.tolist()
        ranges, segments = self.range_yards.tolist(), self._segments.tolist()
        quadrants = self._quadrants.tolist()
        return [
            [
                PairSummary(
                    firer,
                    target,
                    ranges[i][j],
                    segments[i][j],
                    quadrants[i][j],
                    quadrants[j][i],
                    smoked[i][j],
                    blocked[i][j],
                )
                for j, target in enumerate(names)
            ]
            for i, firer in enumerate(names)
        ]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.table.names)}

    def _number(self, name: str) -> int:
        try:
            return self._numbers[name]
        except KeyError:
            raise UnknownName(
                Message("errors.where.table"), "ship", name, self.table.names
            ) from None

    def _two(self, firer: str, target: str) -> tuple[int, int]:
        one, other = self._number(firer), self._number(target)
        if one == other:
            raise DreyerError("tabletop.itself", ship=ShipRef(firer))
        return one, other

    def _check(self, firer: int, target: int, outlook: _Outlook) -> PairCheck:
        pair = firer, target
        return PairCheck(
            self.table.models[firer].name,
            self.table.models[target].name,
            *self._readings[firer][target],
            self._smoked[firer][target],
            self._blockers_of(firer, target, outlook),
            (
                *self._reading_calls.get(pair, ()),
                *outlook.close_calls.get(pair, ()),
                *self._smoke_and_contact_calls.get(pair, ()),
            ),
        )


def _together(kinds: Sequence[doubt.Calls]) -> doubt.Calls:
    calls: doubt.Calls = defaultdict(list)
    for kind in kinds:
        for pair, found in kind.items():
            calls[pair] += found
    return calls


def _none_for_nan(values: FloatArray) -> NDArray[np.object_]:
    objects = values.astype(object)
    objects[np.isnan(values)] = None
    return objects
