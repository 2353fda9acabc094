"""Plain counters over time: who they are and where the bow is, told once and then followed.

A name is kept only while there is no doubt which counter is which. Two that came too close, or
one that turned too far at once, are marked as ambiguous: the page asks again.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tabletop.angles import wrap_180, wrap_360
from tabletop.errors import DreyerError
from vision.counters.fit import SeenCounter
from vision.snapshot import CounterState, TablePose


@dataclass(frozen=True, slots=True)
class Following:
    """How far a counter may go between two looks, and how sure one must be."""

    reach_mm: float = 60.0
    """The farthest that a counter in sight goes between two looks."""
    return_mm: float = 5.0
    """A hidden counter is believed to be back only this near to where she was."""
    return_deg: float = 10.0
    surer: float = 2.0
    """Any other match must be this many times as far."""
    most_turn_deg: float = 60.0
    least_move_mm: float = 0.5
    least_turn_deg: float = 1.0
    settle_frames: int = 3
    carried_seconds: float = 20.0
    """The longest that a counter is in the hand."""
    carried_turn_deg: float = 60.0
    """One that was turned farther in the hand may as well point the other way."""
    carried_mm_a_second: float = 2500.0


@dataclass(frozen=True, slots=True)
class IdentifiedCounter:
    """One plain counter as the eyes follow her."""

    key: int
    """Hers for as long as she is followed."""
    pose: TablePose
    """The heading is the bow's once it is known, otherwise one of the axis's two."""
    state: CounterState
    name: str | None = None
    seen_seconds: float = 0.0
    still_frames: int = 1
    sure_pose: TablePose | None = None
    """Where she was when it was last beyond doubt who she is."""
    sure_seconds: float = 0.0
    since_seconds: float = 0.0
    """When she was first seen."""

    def age_seconds(self, seconds: float) -> float:
        """How long she has not been seen."""
        return max(seconds - self.seen_seconds, 0.0)


class CounterIdentities:
    """Follows plain counters from look to look."""

    def __init__(self, following: Following | None = None) -> None:
        self._rules = Following() if following is None else following
        self._counters: dict[int, IdentifiedCounter] = {}
        self._next_key = 1
        self._unnamed_gone_seconds = float("-inf")
        """When an unnamed counter last went out of sight."""

    @property
    def counters(self) -> tuple[IdentifiedCounter, ...]:
        """Every counter that is followed, in the order in which they came."""
        return tuple(self._counters.values())

    def assign(self, key: int, name: str, bow_heading_deg: float) -> IdentifiedCounter:
        """Say who a counter is and roughly where her bow points; any other of the name loses it."""
        counter = self._counters.get(key)
        if counter is None:
            raise DreyerError("vision.counters.no_such", counter=key)
        self.forget(name)
        heading = _nearer(counter.pose.heading_deg, bow_heading_deg)
        state = CounterState.MOVING
        if counter.still_frames >= self._rules.settle_frames:
            state = CounterState.SETTLED
        pose = replace(counter.pose, heading_deg=heading)
        named = replace(
            counter, name=name, pose=pose, state=state, sure_pose=pose,
            sure_seconds=counter.seen_seconds,
        )  # fmt: skip
        self._counters[key] = named
        return named

    def forget(self, name: str) -> None:
        """No counter is this ship any more."""
        for counter in self._counters.values():
            if counter.name == name:
                self._counters[counter.key] = replace(
                    counter, name=None, state=CounterState.UNNAMED, sure_pose=None
                )

    def update(self, seen: Sequence[SeenCounter], seconds: float) -> tuple[IdentifiedCounter, ...]:
        """What is known once these counters have been seen."""
        matched, doubtful = self._match(seen)
        taken = set(matched.values()) | {index for _, index in doubtful}
        for key, counter in list(self._counters.items()):
            if key in matched:
                self._counters[key] = self._follow(counter, seen[matched[key]], seconds)
            elif any(key == other for other, _ in doubtful):
                self._counters[key] = self._doubt(counter)
            elif counter.name is None:
                # Nobody misses an unnamed counter that has gone.
                del self._counters[key]
                self._unnamed_gone_seconds = seconds
            elif counter.state is not CounterState.AMBIGUOUS:
                self._counters[key] = replace(counter, state=CounterState.STALE)
        for index in sorted(set(range(len(seen))) - taken):
            self._counters[self._next_key] = IdentifiedCounter(
                self._next_key, _pose(seen[index], 0.0), CounterState.UNNAMED, None, seconds,
                since_seconds=seconds,
            )  # fmt: skip
            self._next_key += 1
        return self.counters

    def may_be(self, counter: IdentifiedCounter) -> tuple[str, ...]:
        """The ships out of sight that an unnamed counter may be, the nearest first."""
        if counter.name is not None or counter.state is not CounterState.UNNAMED:
            return ()
        missing = [
            other
            for other in self._missing()
            if counter.since_seconds >= other.seen_seconds and other.sure_pose is not None
        ]
        missing.sort(key=lambda other: _distance_mm(other, counter))
        return tuple(other.name for other in missing if other.name is not None)

    def take_carried(
        self, way_fits: Callable[[IdentifiedCounter, IdentifiedCounter], bool]
    ) -> str | None:
        """Name the one new counter after the one that is missing, if a hand carried her there.

        Only where there is no other that either of them could be; returns the name.
        """
        rules, missing = self._rules, self._missing()
        if len(missing) != 1:
            return None
        lost = missing[0]
        fresh = [
            counter
            for counter in self._counters.values()
            if counter.state is CounterState.UNNAMED and counter.since_seconds > lost.seen_seconds
        ]
        if len(fresh) != 1 or lost.name is None or lost.state is not CounterState.STALE:
            return None
        found = fresh[0]
        passed = found.since_seconds - lost.seen_seconds
        turned = abs(wrap_180(2 * (found.pose.heading_deg - lost.pose.heading_deg))) / 2
        if (
            self._unnamed_gone_seconds >= lost.seen_seconds
            or found.still_frames < rules.settle_frames
            or not 0 < passed <= rules.carried_seconds
            or _distance_mm(lost, found) > rules.carried_mm_a_second * passed + rules.reach_mm
            or turned > rules.carried_turn_deg
            or not way_fits(lost, found)
        ):
            return None
        name = lost.name
        del self._counters[lost.key]
        self.assign(found.key, name, lost.pose.heading_deg)
        return name

    def _missing(self) -> list[IdentifiedCounter]:
        """The named counters that are not in sight, or of which it is unsure who they are."""
        doubtful = (CounterState.STALE, CounterState.AMBIGUOUS)
        return [
            counter
            for counter in self._counters.values()
            if counter.name is not None and counter.state in doubtful
        ]

    def _match(self, seen: Sequence[SeenCounter]) -> tuple[dict[int, int], set[tuple[int, int]]]:
        """Which counter is which sighting: the pairs beyond doubt, and those in doubt."""
        rules = self._rules
        far = {
            (key, index): math.hypot(
                counter.pose.x_mm - sighting.x_mm, counter.pose.y_mm - sighting.y_mm
            )
            for key, counter in self._counters.items()
            for index, sighting in enumerate(seen)
        }
        matched: dict[int, int] = {}
        doubtful: set[tuple[int, int]] = set()
        nearest = sorted(far.items(), key=lambda item: item[1])
        # Who is out of sight comes last: what lies in her place may be one who was in sight.
        for out_of_sight in (False, True):
            for (key, index), distance in nearest:
                counter = self._counters[key]
                if (
                    (counter.state is CounterState.STALE) is not out_of_sight
                    or key in matched
                    or index in matched.values()
                    or not self._may_be(counter, seen[index], distance)
                ):
                    continue
                rivals = [
                    other
                    for (k, i), other in far.items()
                    if (k == key) != (i == index) and k not in matched and i not in matched.values()
                ]
                sure = all(
                    other >= rules.surer * distance + rules.least_move_mm for other in rivals
                )
                if sure and not (out_of_sight and self._may_be_another(key, index, far, matched)):
                    matched[key] = index
                else:
                    doubtful.add((key, index))
        # A counter without a name has none to lose: she simply begins again.
        return matched, {
            (k, i) for k, i in doubtful if k not in matched and self._counters[k].name is not None
        }

    def _may_be(self, counter: IdentifiedCounter, sighting: SeenCounter, distance: float) -> bool:
        rules = self._rules
        if counter.state in (CounterState.STALE, CounterState.AMBIGUOUS):
            turn = abs(wrap_180(2 * (sighting.axis_deg - counter.pose.heading_deg))) / 2
            return distance <= rules.return_mm and turn <= rules.return_deg
        return distance <= rules.reach_mm

    def _may_be_another(
        self,
        key: int,
        index: int,
        far: Mapping[tuple[int, int], float],
        matched: Mapping[int, int],
    ) -> bool:
        """Whether what lies in the place of one out of sight may be another.

        It may be one who was in sight a look ago and is nowhere now: a hand can be faster than
        we think. If that one has no name, it is she herself who comes back, unless there is still
        another to whom the name may belong.
        """
        away = [k for k in self._counters if k != key and k not in matched]
        lost = [
            self._counters[k]
            for k in away
            if self._counters[k].state is not CounterState.STALE
            and far[k, index] <= 2 * self._rules.reach_mm
        ]
        if any(counter.name is not None for counter in lost):
            return True
        return bool(lost) and any(self._counters[k].name is not None for k in away)

    def _follow(
        self, counter: IdentifiedCounter, sighting: SeenCounter, seconds: float
    ) -> IdentifiedCounter:
        rules = self._rules
        pose = _pose(sighting, counter.pose.heading_deg)
        turn = abs(wrap_180(pose.heading_deg - counter.pose.heading_deg))
        far = math.hypot(pose.x_mm - counter.pose.x_mm, pose.y_mm - counter.pose.y_mm)
        at_rest = far <= rules.least_move_mm and turn <= rules.least_turn_deg
        frames = counter.still_frames + 1 if at_rest else 1
        if counter.state is CounterState.AMBIGUOUS or (
            counter.name is not None and turn > rules.most_turn_deg
        ):
            state = CounterState.AMBIGUOUS
        elif counter.name is None:
            state = CounterState.UNNAMED
        else:
            settled = frames >= rules.settle_frames
            state = CounterState.SETTLED if settled else CounterState.MOVING
        after = replace(counter, pose=pose, state=state, seen_seconds=seconds, still_frames=frames)
        if state in (CounterState.MOVING, CounterState.SETTLED):
            return replace(after, sure_pose=pose, sure_seconds=seconds)
        return after

    def _doubt(self, counter: IdentifiedCounter) -> IdentifiedCounter:
        return replace(counter, state=CounterState.AMBIGUOUS, still_frames=1)


def _pose(sighting: SeenCounter, near_deg: float) -> TablePose:
    return TablePose(
        sighting.x_mm,
        sighting.y_mm,
        _nearer(sighting.axis_deg, near_deg),
        sighting.position_sigma_mm,
        sighting.axis_sigma_deg,
    )


def _distance_mm(one: IdentifiedCounter, other: IdentifiedCounter) -> float:
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def _nearer(axis_deg: float, wanted_deg: float) -> float:
    """The one of an axis's two headings that is nearer to a wanted one."""
    away = abs(wrap_180(axis_deg - wanted_deg))
    return wrap_360(axis_deg if away <= 90 else axis_deg + 180)
