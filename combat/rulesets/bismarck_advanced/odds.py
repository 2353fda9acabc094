"""The exact odds of a fire: hits, and what they do to the target.

The marks that one hit makes are found by playing `resolve_hit` through every fall of the dice on
a ship too large to lose anything to another hit. What many hits do then follows by arithmetic:
hull and superstructure as a walk over their boxes, turrets by counting, the rest one by one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from combat.dice import LAST_INDEX
from combat.forecast import BranchingDice, Forecast, every_outcome
from combat.rulesets.bismarck_advanced.card import HIGHEST_ROW, LOWEST_ROW, Card, Location
from combat.rulesets.bismarck_advanced.damage import Shell, resolve_hit
from combat.rulesets.bismarck_advanced.gunnery import (
    Options,
    columns,
    gunnery_factor,
    shell_of,
)
from combat.rulesets.bismarck_advanced.ledger import modifications
from combat.rulesets.bismarck_advanced.shot import Shot, check_allowed
from combat.rulesets.bismarck_advanced.vessel import QUARTERS, Vessel
from combat.rulesets.bismarck_advanced.warships import Warship
from tabletop.angles import FloatArray
from tabletop.errors import DreyerError

_BOUNDLESS_BOXES = 1000


@dataclass(frozen=True, slots=True)
class Marks:
    """What one hit marks on a sheet, before asking whether there is anything left to mark."""

    hull: int = 0
    superstructure: int = 0
    turret: int | None = None
    """The main turret it strikes, by number."""
    turret_quarters: int = 0
    turret_destroyed: bool = False
    secondary: str | None = None
    speed_lost: bool = False
    director: bool = False
    plot: bool = False
    rudder: bool = False
    conning_tower: bool = False


MarkOdds = Mapping[Marks, float]


def forecast_fire(shot: Shot, card: Card, options: Options | None = None) -> Forecast:
    """The exact odds of one fire, by the same rules that resolve it."""
    options = options or Options()
    check_allowed(shot)
    hits = hit_odds(shot, card, options)
    marks = hit_marks(shell_of(shot), shot.target.warship, card)
    target = shot.target
    walk = HullWalk(target)
    walk.take(marks, hits)
    numbers = np.arange(max(hits) + 1)
    weights = np.array([hits.get(int(number), 0.0) for number in numbers])

    def at_least_once(happens: Callable[[Marks], bool]) -> float:
        chance = sum(odds for mark, odds in marks.items() if happens(mark))
        return float(weights @ (1.0 - (1.0 - chance) ** numbers))

    return Forecast(
        hits=hits,
        outcomes={
            "sunk": walk.sunk,
            "turret_lost": float(weights @ (1.0 - _every_turret_survives(marks, target, numbers))),
            "secondary_lost": at_least_once(
                lambda mark: (
                    mark.secondary is not None and mark.secondary not in target.secondaries_lost
                )
            ),
            "speed_lost": at_least_once(lambda mark: mark.speed_lost),
            "director_lost": at_least_once(
                lambda mark: mark.director and not target.director_destroyed
            ),
            "plot_lost": at_least_once(lambda mark: mark.plot and not target.plot_destroyed),
            "rudder_damaged": at_least_once(lambda mark: mark.rudder),
            "conning_tower_damaged": at_least_once(lambda mark: mark.conning_tower),
        },
        expected_boxes={
            "hull": walk.expected_hull / QUARTERS,
            "superstructure": walk.expected_superstructure / QUARTERS,
        },
    )


def sinking_odds(shots: Sequence[Shot], card: Card, options: Options | None = None) -> float:
    """The chance that several fires together sink the one target of them all (62.2)."""
    options = options or Options()
    if not shots or any(shot.target != shots[0].target for shot in shots):
        raise DreyerError("sinking odds are asked for fires at one and the same target")
    walk = HullWalk(shots[0].target)
    for shot in shots:
        check_allowed(shot)
        marks = hit_marks(shell_of(shot), shot.target.warship, card)
        walk.take(marks, hit_odds(shot, card, options))
    return walk.sunk


def hit_odds(shot: Shot, card: Card, options: Options) -> dict[int, float]:
    """The chance of each number of hits, over the 36 rolls."""
    factor = gunnery_factor(shot)
    total = modifications(shot, card).total
    counts: Counter[int] = Counter()
    for roll in range(1, LAST_INDEX + 1):
        row = min(max(roll + total, LOWEST_ROW), HIGHEST_ROW)
        counts[sum(card.hits[row - 1][column] for column in columns(factor, options))] += 1
    return {hits: count / LAST_INDEX for hits, count in sorted(counts.items())}


@lru_cache(maxsize=512)
def hit_marks(shell: Shell, warship: Warship, card: Card) -> MarkOdds:
    """What one hit of this shell marks on this ship, with the chance of each."""
    boundless = replace(
        warship,
        hull_boxes=_BOUNDLESS_BOXES,
        superstructure_boxes=_BOUNDLESS_BOXES,
        turrets=tuple(replace(turret, boxes=_BOUNDLESS_BOXES) for turret in warship.turrets),
    )
    before = Vessel.fresh(boundless)

    def play(dice: BranchingDice) -> Marks:
        after, report = resolve_hit(shell, before, dice, card)
        return _marks_between(before, after, report.location)

    odds: dict[Marks, Fraction] = defaultdict(Fraction)
    for outcome in every_outcome(play):
        odds[outcome.result] += outcome.probability
    return {marks: float(chance) for marks, chance in odds.items()}


def _marks_between(before: Vessel, after: Vessel, location: Location | None) -> Marks:
    struck = [
        number
        for number, (old, new) in enumerate(zip(before.turrets, after.turrets, strict=True))
        if new != old
    ]
    turret = struck[0] if struck else None
    state = None if turret is None else after.turrets[turret]
    return Marks(
        hull=after.hull_lost - before.hull_lost,
        superstructure=after.superstructure_lost - before.superstructure_lost,
        turret=turret,
        turret_quarters=0 if state is None or state.destroyed else state.lost_quarters,
        turret_destroyed=state is not None and state.destroyed,
        secondary=next(iter(after.secondaries_lost), None),
        speed_lost=after.movement_factor < before.movement_factor,
        director=after.director_destroyed,
        plot=after.plot_destroyed,
        rudder=location is Location.RUDDER and after != before,
        conning_tower=location is Location.CONNING_TOWER and after != before,
    )


class HullWalk:
    """The odds of every state of hull and superstructure, carried from hit to hit."""

    def __init__(self, target: Vessel) -> None:
        self._target = target
        hull_left = target.hull_quarters - target.hull_lost
        room = target.warship.superstructure_boxes * QUARTERS - target.superstructure_lost
        self._odds: FloatArray = np.zeros((hull_left + 1, room + 1))
        self._odds[0, 0] = 1.0

    @property
    def sunk(self) -> float:
        """The chance that every hull box is marked (64.8)."""
        return float(self._odds[-1].sum())

    @property
    def expected_hull(self) -> float:
        """The quarters of the hull marked, on average."""
        return float(np.arange(len(self._odds)) @ self._odds.sum(axis=1))

    @property
    def expected_superstructure(self) -> float:
        """The quarters of the superstructure marked, on average."""
        return float(self._odds.sum(axis=0) @ np.arange(self._odds.shape[1]))

    def take(self, marks: MarkOdds, hits: Mapping[int, float]) -> None:
        """Let a number of hits, with these odds, fall on the ship."""
        both: dict[tuple[int, int], float] = defaultdict(float)
        for mark, chance in marks.items():
            both[mark.hull, mark.superstructure] += chance
        moves = [
            (chance, hull, self._overflow(superstructure))
            for (hull, superstructure), chance in both.items()
        ]
        now, total = self._odds, np.zeros_like(self._odds)
        for number in range(max(hits) + 1):
            if number:
                now = _one_hit(now, moves)
            total += hits.get(number, 0.0) * now
        self._odds = total

    def _overflow(self, quarters: int) -> list[tuple[int, int]]:
        """For each state of the superstructure, the next one and what goes into the hull.

        The rule itself is asked what still fits (64.5).
        """
        if not quarters:
            return []
        states = []
        for taken in range(self._odds.shape[1]):
            lost = self._target.superstructure_lost + taken
            ship = replace(self._target, superstructure_lost=lost, hull_lost=0)
            marked = ship.superstructure_marked(quarters)
            here = marked.superstructure_lost - self._target.superstructure_lost
            states.append((here, marked.hull_lost))
        return states


def _one_hit(odds: FloatArray, moves: list[tuple[float, int, list[tuple[int, int]]]]) -> FloatArray:
    after = np.zeros_like(odds)
    for chance, hull, overflow in moves:
        if not overflow:
            _add_shifted(after, odds * chance, hull)
        for column, (here, extra) in enumerate(overflow):
            _add_shifted(after[:, here], odds[:, column] * chance, hull + extra)
    return after


def _add_shifted(into: FloatArray, odds: FloatArray, by: int) -> None:
    """Add odds moved down by so many quarters; what passes the end stays at the end."""
    if by == 0:
        into += odds
        return
    last = len(into) - 1
    kept = max(last - by, 0)
    into[last - kept : last] += odds[:kept] if by <= last else 0.0
    into[last] += odds[kept:].sum(axis=0)


def _every_turret_survives(
    marks: MarkOdds, target: Vessel, numbers: NDArray[np.intp]
) -> FloatArray:
    """The chance that no turret still standing is lost, for each number of hits.

    Each hit strikes at most one turret, so the counts of the hits on each follow a multinomial
    law: with exponential generating functions the odds are coefficients of a product.
    """
    most = int(numbers[-1])
    spared = 1.0
    survival = np.zeros(most + 1)
    survival[0] = 1.0
    for number, state in enumerate(target.turrets):
        if state.destroyed:
            continue
        struck = {m: p for m, p in marks.items() if m.turret == number}
        spared -= sum(struck.values())
        left = target.warship.turrets[number].boxes * QUARTERS - state.lost_quarters
        by_quarters: dict[int, float] = defaultdict(float)
        for mark, chance in struck.items():
            if not mark.turret_destroyed:
                by_quarters[mark.turret_quarters] += chance
        series = np.zeros(most + 1)
        # A shell always marks the same quarters, so the turret stands a fixed number of them.
        for quarters, chance in by_quarters.items():
            stands = -(-left // quarters) if quarters else most + 1
            for count in range(min(stands, most + 1)):
                series[count] = chance**count / factorial(count)
        if not by_quarters:
            series[0] = 1.0
        survival = np.convolve(survival, series)[: most + 1]
    rest = np.array([max(spared, 0.0) ** count / factorial(count) for count in range(most + 1)])
    survival = np.convolve(survival, rest)[: most + 1]
    scaled: FloatArray = survival * np.array([float(factorial(n)) for n in range(most + 1)])
    return scaled
