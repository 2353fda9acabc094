"""What many battles say of a scenario: who wins how often, and how sure that is.

Every share has the 95 % interval of Wilson's score, which is right for few battles, and for
scenarios that one side always wins. A draw counts half a win for each side.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from combat.balance.battle import Ending, Result
from combat.balance.plan import Plan, fighting_sides
from combat.participants import ShipStatus
from combat.scenarios import read_scenario

_Z: Final = 1.959963984540054
"""Of the normal distribution, for 95 %."""
_LEAST_CASES: Final = 5
"""So many battles with and without a ship are needed to say what her loss means."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of battles with its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(won: float, of: int) -> Share:
    """The share of successes, with Wilson's interval."""
    if not of:
        return Share(0.0, 0.0, 1.0)
    share = won / of
    centre = (share + _Z**2 / (2 * of)) / (1 + _Z**2 / of)
    half = _Z * math.sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2)) / (1 + _Z**2 / of)
    return Share(share, max(0.0, centre - half), min(1.0, centre + half))


@dataclass(frozen=True, slots=True)
class SideReport:
    """How a side fared."""

    side: str
    captain: str
    wins: int
    beaten: int
    """Of the wins: those in which no enemy was left, or that the rulebook declared."""
    win_share: Share
    """With draws as halves."""
    lost: float
    """The mean part of its ships that was lost."""


@dataclass(frozen=True, slots=True)
class ShipReport:
    """How a ship fared, and what her loss meant."""

    ship: str
    side: str
    sunk: Share
    withdrawn: float
    lost: float
    decides: float | None
    """How much oftener her side wins when she stays afloat; None with too few cases."""


@dataclass(frozen=True, slots=True)
class Part:
    """The report of all battles with one value of what is varied."""

    value: float | None
    battles: int
    draws: int
    sides: tuple[SideReport, ...]
    ships: tuple[ShipReport, ...]
    """Those that decide most first."""
    rounds_median: float
    rounds_tenths: tuple[float, float]
    """Eight of ten battles are as long as these, or between them."""
    lengths: tuple[tuple[int, int], ...]
    """How many battles took each number of rounds."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported of a plan."""

    scenario: str
    source: str
    ruleset: str
    seed: int
    planned: int
    fought: int
    varied: str | None
    parts: tuple[Part, ...]

    def document(self) -> dict[str, object]:
        """The report as JSON."""
        return asdict(self)


def report_of(plan: Plan, results: Iterable[Result]) -> Report:
    """The report of the battles that were fought, whatever their order."""
    scenario = read_scenario(plan.file, plan.source)
    ordered = sorted(results, key=lambda each: each.number)
    values = (None,) if plan.sweep is None else plan.sweep.values
    parts = ((value, [each for each in ordered if each.value == value]) for value in values)
    return Report(
        scenario=scenario.title,
        source=plan.source,
        ruleset=scenario.ruleset,
        seed=plan.seed,
        planned=plan.count,
        fought=len(ordered),
        varied=None if plan.sweep is None else plan.sweep.varied.value,
        parts=tuple(_part(plan, value, fought) for value, fought in parts if fought),
    )


def _part(plan: Plan, value: float | None, results: Sequence[Result]) -> Part:
    scenario = read_scenario(plan.file, plan.source)
    parties = scenario.sides.parties(fighting_sides(scenario))
    party = {side: each[0] for each in parties for side in each}
    captains = dict(plan.captains)
    lengths = sorted(each.rounds for each in results)
    return Part(
        value=value,
        battles=len(results),
        draws=sum(each.winner is None for each in results),
        sides=tuple(
            _side(side, party[side], captains[side], results) for side in fighting_sides(scenario)
        ),
        ships=tuple(
            sorted(
                (_ship(ship.name, ship.side, party[ship.side], results) for ship in scenario.ships),
                key=lambda each: (-(each.decides or 0.0), each.ship),
            )
        ),
        rounds_median=_quantile(lengths, 0.5),
        rounds_tenths=(_quantile(lengths, 0.1), _quantile(lengths, 0.9)),
        lengths=tuple(sorted(Counter(lengths).items())),
    )


def _side(side: str, party: str, captain: str, results: Sequence[Result]) -> SideReport:
    won = [each for each in results if each.winner == party]
    draws = sum(each.winner is None for each in results)
    losses = [
        sum(own) / len(own)
        for each in results
        if (own := [ship.lost for ship in each.ships if ship.side == side])
    ]
    return SideReport(
        side=side,
        captain=captain,
        wins=len(won),
        beaten=sum(each.ending is Ending.BEATEN for each in won),
        win_share=wilson(len(won) + draws / 2, len(results)),
        lost=math.fsum(losses) / len(losses) if losses else 0.0,
    )


def _ship(name: str, side: str, party: str, results: Sequence[Result]) -> ShipReport:
    sunk: list[float] = []
    afloat: list[float] = []
    lost: list[float] = []
    withdrawn = 0
    for result in results:
        ship = next(each for each in result.ships if each.name == name)
        points = 0.5 if result.winner is None else float(result.winner == party)
        (sunk if ship.status is ShipStatus.SUNK else afloat).append(points)
        withdrawn += ship.status is ShipStatus.WITHDRAWN
        lost.append(ship.lost)
    decides = None
    if min(len(sunk), len(afloat)) >= _LEAST_CASES:
        decides = sum(afloat) / len(afloat) - sum(sunk) / len(sunk)
    return ShipReport(
        ship=name,
        side=side,
        sunk=wilson(len(sunk), len(results)),
        withdrawn=withdrawn / len(results),
        lost=math.fsum(lost) / len(lost),
        decides=decides,
    )


def _quantile(ordered: Sequence[int], share: float) -> float:
    """The value below which a share of them lies, between neighbours where it has to be."""
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
