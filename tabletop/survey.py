"""Range, bearing, arc and line of sight of every ordered pair of a table.

`survey()` measures the whole table in arrays. The `PairCheck` of a pair, with its blockers and
close calls, is built on demand.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop import doubt
from tabletop.angles import FloatArray
from tabletop.arcs import CLOCKWISE, Quadrant, QuadrantCodes
from tabletop.closecall import TOLERANCE_YARDS, CloseCall, RangeLimit
from tabletop.errors import DreyerError, UnknownName
from tabletop.measure import BaseGaps, BoolArray, Layout, Measurements, base_gaps, measure_layout
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.sight import Crossings, IndexArray, LinesOfSight, SightRule, SmokeOnLines
from tabletop.table import Table

PairLimits = Callable[[str, str], Sequence[RangeLimit]]
"""The ranges that matter for one ship and another, by their names, besides the segments."""


def no_limits(firer: str, target: str) -> tuple[RangeLimit, ...]:  # noqa: ARG001 - one signature
    """No range matters but those of the table's segments."""
    return ()


@dataclass(frozen=True, slots=True)
class Blocker:
    """A ship in the line of sight, and where the line first meets her base, from the firer."""

    name: str
    at_yards: float


@dataclass(frozen=True, slots=True)
class PairCheck:
    """What was measured from one ship to another; bearings are None if both share one spot."""

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
    """The firer's quadrant that the target lies in."""
    aspect: Quadrant | None
    """The target's quadrant that the firer lies in."""
    smoke: bool
    blockers: tuple[Blocker, ...]
    close_calls: tuple[CloseCall, ...]

    @property
    def blocked(self) -> bool:
        """Whether any ship blocks the line."""
        return bool(self.blockers)


@dataclass(frozen=True, slots=True)
class PairSummary:
    """A `PairCheck` without bearings, uncertainties, blockers' names and close calls."""

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


def survey(table: Table, rules: TableRules, limits: PairLimits = no_limits) -> "Survey":
    """Measure every ordered pair of the table. Raises DreyerError if the table is empty."""
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
        smoke=SmokeOnLines.of(layout, sight.lines, table.smoke),
        rank=rules.sight.ranks(table),
        limits=limits,
    )


@dataclass(frozen=True)
class _PortionSight:
    """The obstacles on the lines of one portion's firers, judged by the sight rule."""

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
        """The blockers of each pair of ship indices, nearest first."""
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
        """The close calls about sight, by pair of ship indices."""
        return doubt.sight_calls(
            self.rule,
            self.crossings,
            self.blocks,
            self.range_yards,
            self.range_sigma_yards,
            self.names,
        )


@dataclass(frozen=True)
class _PortionSmoke:
    """The smoke fronts on the lines of one portion's firers."""

    crossings: Crossings

    @cached_property
    def through(self) -> frozenset[tuple[int, int]]:
        """The pairs of ship indices whose line passes through smoke."""
        met = self.crossings.pick(self.crossings.met)
        return frozenset(zip(met.firer.tolist(), met.target.tolist(), strict=True))

    @cached_property
    def close_calls(self) -> doubt.Calls:
        """The close calls about smoke, by pair of ship indices."""
        return doubt.smoke_calls(self.crossings)


@dataclass(frozen=True)
class Survey:
    """Every ordered pair of one table under one set of rules.

    In the arrays, row i and column j are for ship i looking at ship j, in the table's order.
    """

    table: Table
    rules: TableRules
    measured: Measurements
    """From measuring point to measuring point, before any rule about contact."""
    contacts: BaseGaps | None
    """Bases that touch or nearly touch; None if the rules have no contact range."""
    sight: LinesOfSight
    smoke: SmokeOnLines
    rank: IndexArray
    """Each ship's index in `SightRule.sizes`."""
    limits: PairLimits = no_limits

    def __getitem__(self, pair: tuple[str, str]) -> PairCheck:
        firer, target = self._indices(*pair)
        return self._pair_check(firer, target, self._sight_of(firer), self._smoke_of(firer))

    def __iter__(self) -> Iterator[PairCheck]:
        count = len(self.table.models)
        for firer in range(count):
            sight, smoke = self._sight_of(firer), self._smoke_of(firer)
            for target in range(count):
                if firer != target:
                    yield self._pair_check(firer, target, sight, smoke)

    def summary(self, firer: str, target: str) -> PairSummary:
        """The measured values of a pair without its close calls; cheaper than a PairCheck."""
        firer_index, target_index = self._indices(firer, target)
        return self._summaries[firer_index][target_index]

    def crossings(self, firer: str, target: str) -> Crossings:
        """The bases that a pair's line meets or nearly meets, except bases that cover both."""
        pair = self._indices(firer, target)
        return self._sight_of(pair[0]).crossings.between(*pair)

    def smoke_crossings(self, firer: str, target: str) -> Crossings:
        """The smoke fronts that a pair's line meets or nearly meets."""
        pair = self._indices(firer, target)
        return self._smoke_of(pair[0]).crossings.between(*pair)

    def smoke_at_yards(self, firer: str, target: str) -> tuple[float, ...]:
        """The distances from the firer at which a pair's line crosses smoke fronts."""
        crossings = self.smoke_crossings(firer, target)
        return tuple(crossings.at_yards[crossings.met].tolist())

    @cached_property
    def range_yards(self) -> FloatArray:
        """The measured ranges, with `contact_range_yards` where bases touch."""
        ranges = self.measured.range_yards.copy()
        if self.rules.contact_range_yards is not None:
            ranges[self._in_contact] = self.rules.contact_range_yards
        return ranges

    @cached_property
    def range_sigma_yards(self) -> FloatArray:
        """The 1 σ uncertainty of `range_yards`; 0 if bases touch."""
        return np.where(self._in_contact, 0.0, self.measured.range_sigma_yards)

    @cached_property
    def quadrant_codes(self) -> QuadrantCodes:
        """The quadrant of ship i that ship j lies in, as an index into `arcs.CLOCKWISE`."""
        return self.rules.arcs.codes(self.measured.relative_bearing_deg)

    @cached_property
    def blocked(self) -> BoolArray:
        """Whether a ship blocks the line from ship i to ship j."""
        covers, blocked = self.sight.covers, np.zeros(self.sight.covers.shape, dtype=np.bool_)
        # A ship under the base of a third ship sees nobody. Handling this first keeps tables
        # with many stacked ships fast.
        for rank in np.unique(self.rank) if covers.any() else ():
            covering = covers & (self.rank >= rank)
            by_third = np.sum(covering, axis=1)[:, None] > covering
            blocked |= by_third & (np.minimum.outer(self.rank, self.rank) == rank)
        np.fill_diagonal(blocked, val=True)
        for firers in self.sight.portions:
            if not blocked[firers].all():
                sight = self._sight_of(firers[0])
                found = sight.crossings.pick(sight.blocks)
                blocked[found.firer, found.target] = True
        np.fill_diagonal(blocked, val=False)
        return blocked

    @cached_property
    def through_smoke(self) -> BoolArray:
        """Whether the line from ship i to ship j passes through smoke."""
        through = np.zeros(self.range_yards.shape, dtype=np.bool_)
        for firers in self.smoke.portions:
            crossings = self._smoke_of(firers[0]).crossings
            met = crossings.met
            through[crossings.firer[met], crossings.target[met]] = True
        return through

    @cached_property
    def _in_contact(self) -> BoolArray:
        touching = np.zeros(self.measured.range_yards.shape, dtype=np.bool_)
        if self.contacts is not None:
            touching[self.contacts.first, self.contacts.second] = self.contacts.touching
            touching |= touching.T
        # Two ships on one spot have range 0, not the contact range.
        return touching & (self.measured.range_yards > 0.0)

    def _sight_of(self, firer: int) -> _PortionSight:
        """The crossings of the portion of the table that a firer belongs to."""
        firers = next(firers for firers in self.sight.portions if firer in firers)
        sight = self._sight_cache.get(firers)
        if sight is None:
            sight = self._compute_sight(firers)
            # Only one portion is kept, to bound memory; others are computed again when needed.
            self._sight_cache.clear()
            self._sight_cache[firers] = sight
        return sight

    def _smoke_of(self, firer: int) -> _PortionSmoke:
        """The smoke of the portion of the table that a firer belongs to; one portion is kept."""
        firers = next(firers for firers in self.smoke.portions if firer in firers)
        smoke = self._smoke_cache.get(firers)
        if smoke is None:
            smoke = _PortionSmoke(self.smoke.crossings(firers))
            self._smoke_cache.clear()
            self._smoke_cache[firers] = smoke
        return smoke

    @cached_property
    def _smoke_cache(self) -> dict[range, _PortionSmoke]:
        return {}

    def _compute_sight(self, firers: range) -> _PortionSight:
        rank, line = self.rank, self.sight.crossings(firers)
        line = line.pick(rank[line.obstacle] >= np.minimum(rank[line.firer], rank[line.target]))
        return _PortionSight(
            self.rules.sight,
            self.table.names,
            line,
            self.range_yards[line.firer, line.target],
            self.range_sigma_yards[line.firer, line.target],
        )

    @cached_property
    def _sight_cache(self) -> dict[range, _PortionSight]:
        return {}

    @cached_property
    def _under_same_base(self) -> list[list[bool]]:
        """Whether ships i and j lie under the base of the same third ship."""
        covers = self.sight.covers.astype(np.float64)
        shared: list[list[bool]] = (covers @ covers.T > 0.0).tolist()
        return shared

    @cached_property
    def _covering_blockers(self) -> NDArray[np.object_]:
        """For each ship, the Blocker that she is for ships under her base."""
        return np.array([Blocker(name, 0.0) for name in self.table.names], dtype=object)

    def _blockers_of(self, firer: int, target: int, sight: _PortionSight) -> tuple[Blocker, ...]:
        """The blockers of a pair, the nearest first."""
        met = sight.blockers.get((firer, target), [])
        if not self._under_same_base[firer][target]:
            return tuple(met)
        covers, rank = self.sight.covers, self.rank
        large = rank >= min(rank[firer], rank[target])
        covering = self._covering_blockers[covers[firer] & covers[target] & large].tolist()
        if met:
            covering = sorted(
                covering + met, key=lambda b: (b.at_yards, self._index_by_name[b.name])
            )
        return tuple(covering)

    @cached_property
    def _reading_calls(self) -> doubt.Calls:
        rules = self.rules
        kinds = [
            doubt.position_calls(self.quadrant_codes),
            doubt.range_calls(rules, self.range_yards, self.range_sigma_yards),
            doubt.quadrant_calls(rules.arcs, self.measured, self.quadrant_codes),
        ]
        return _merge(kinds)

    @cached_property
    def _contact_calls(self) -> doubt.Calls:
        if self.contacts is None or self.rules.contact_range_yards is None:
            return {}
        return doubt.contact_calls(self.contacts, self.measured, self.rules.contact_range_yards)

    @cached_property
    def _quadrants(self) -> NDArray[np.object_]:
        return np.array([*CLOCKWISE, None], dtype=object)[self.quadrant_codes]

    @cached_property
    def _segments(self) -> NDArray[np.object_]:
        names = self.rules.segment_names if self.rules.segments else (None,)
        return np.array(names, dtype=object)[self.rules.segment_codes(self.range_yards)]

    @cached_property
    def _readings(self) -> list[list[_Readings]]:
        """The measured fields of each PairCheck, as lists: indexing single array cells is slow."""
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
    def _summaries(self) -> list[list[PairSummary]]:
        """All pairs at once, because a battle asks for most of them in every segment."""
        names, blocked = self.table.names, self.blocked.tolist()
        smoke_rows = self.through_smoke.tolist()
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
                    smoke_rows[i][j],
                    blocked[i][j],
                )
                for j, target in enumerate(names)
            ]
            for i, firer in enumerate(names)
        ]

    @cached_property
    def _index_by_name(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.table.names)}

    def _index(self, name: str) -> int:
        try:
            return self._index_by_name[name]
        except KeyError:
            raise UnknownName(
                Message("errors.where.table"), "ship", name, self.table.names
            ) from None

    def _indices(self, firer: str, target: str) -> tuple[int, int]:
        firer_index, target_index = self._index(firer), self._index(target)
        if firer_index == target_index:
            raise DreyerError("tabletop.itself", ship=ShipRef(firer))
        return firer_index, target_index

    def _pair_check(
        self, firer: int, target: int, sight: _PortionSight, smoke: _PortionSmoke
    ) -> PairCheck:
        pair = firer, target
        one, other = self.table.models[firer].name, self.table.models[target].name
        range_yards, range_sigma_yards, *_ = self._readings[firer][target]
        return PairCheck(
            one,
            other,
            *self._readings[firer][target],
            pair in smoke.through,
            self._blockers_of(firer, target, sight),
            (
                *doubt.limit_calls(self.limits(one, other), range_yards, range_sigma_yards),
                *self._reading_calls.get(pair, ()),
                *sight.close_calls.get(pair, ()),
                *smoke.close_calls.get(pair, ()),
                *self._contact_calls.get(pair, ()),
            ),
        )


def _merge(kinds: Sequence[doubt.Calls]) -> doubt.Calls:
    calls: doubt.Calls = defaultdict(list)
    for kind in kinds:
        for pair, found in kind.items():
            calls[pair] += found
    return calls


def _none_for_nan(values: FloatArray) -> NDArray[np.object_]:
    objects = values.astype(object)
    objects[np.isnan(values)] = None
    return objects
