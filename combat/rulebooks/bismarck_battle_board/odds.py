"""The exact odds of attacks: those of one shot, plane or salvo, added to themselves.

One is played by the code that resolves it. Boxes beyond what a ship has are not counted, which
keeps two broadsides of seventeen shots quick.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from math import fsum
from typing import Final

from combat.distributions import Counts, Odds, chance, convolve, marginal, odds_of
from combat.forecast import BranchingDice, Forecast
from combat.rulebooks.bismarck_battle_board.checks import Checked
from combat.rulebooks.bismarck_battle_board.damage import Damage
from combat.rulebooks.bismarck_battle_board.vessel import PARTS, Vessel
from combat.rulebooks.bismarck_battle_board.volley import Volley
from tabletop.messages import Message

_STRUCTURE: Final = (*PARTS, "secondary", "sunk", "evasion")
"""Hits on sections that are gone are midships hits, so these must be counted together."""


def forecast_check(run: Callable[[BranchingDice], Checked]) -> Forecast:
    """The odds of what a few dice come to."""
    odds = odds_of(lambda dice: _told(run(dice)))
    hits: dict[int, float] = defaultdict(float)
    results: dict[Message, float] = defaultdict(float)
    for (count, told), share in odds.items():
        hits[count] += share
        for each in told:
            results[each] += share
    return Forecast(dict(sorted(hits.items())), {}, {}, results=dict(results))


def _told(checked: Checked) -> tuple[int, tuple[Message, ...]]:
    return checked.hits, checked.results


def forecast_volleys(volleys: Sequence[Volley], target: Vessel | None) -> Forecast:
    """The odds of what all these attacks together do to their one target."""
    hits = _sum_of(volleys, ("hits",))
    by_count = {counts[0]: share for counts, share in sorted(hits.items())}
    if target is None:
        return Forecast(by_count, {}, {})
    if target.is_flotilla:
        left = target.destroyers
        lost = [
            (min(counts[0], left), share)
            for counts, share in _sum_of(volleys, ("destroyers",)).items()
        ]
        outcomes = {
            "sunk": fsum(share for count, share in lost if count == left),
            "destroyers_lost": fsum(share for count, share in lost if count),
        }
        boxes = {"destroyers": fsum(count * share for count, share in lost)}
        return Forecast(by_count, outcomes, boxes)
    structure = _structure(target, volleys)
    parts = {part: number for number, part in enumerate(PARTS)}
    outcomes = {
        "sunk": chance(structure, lambda lost: lost[0] == target.left("midships")),
        "midships_lost": chance(structure, lambda lost: lost[0] > 0),
        "bow_lost": chance(structure, lambda lost: lost[parts["bow"]] > 0),
        "stern_lost": chance(structure, lambda lost: lost[parts["stern"]] > 0),
        "secondary_lost": chance(
            structure, lambda lost: lost[parts["port"]] + lost[parts["starboard"]] > 0
        ),
        "evasion_lost": chance(structure, lambda lost: _slows(target, lost)),
    }
    boxes = {
        part: fsum(lost[number] * share for lost, share in structure.items())
        for part, number in parts.items()
    }
    return Forecast(by_count, outcomes, boxes)


def _slows(target: Vessel, lost: Counts) -> bool:
    """Whether she loses any evasion: for good, or with a midships box."""
    rate = int(target.evasion_rate.value) if target.evasion_rate else 0
    return target.evasion > 0 and bool(lost[-1] or (lost[0] and rate))


def _sum_of(volleys: Sequence[Volley], parts: tuple[str, ...]) -> Odds:
    """The odds of some counts that simply add up."""
    return reduce(convolve, (_counted(volley, parts) for volley in volleys))


def _counted(volley: Volley, parts: tuple[str, ...]) -> Odds:
    one = marginal(parts, volley.one_odds())
    return _mixed(volley.count_odds(), one, lambda counts: counts)


def _mixed(
    counts: Mapping[int, float],
    one: Odds,
    settled: Callable[[Counts], Counts],
    start: Odds | None = None,
) -> Odds:
    """The odds of the sum of so many results, where their number is left to chance too."""
    width = len(next(iter(one)))
    odds: Odds = start or {(0,) * width: 1.0}
    found: dict[Counts, float] = defaultdict(float)
    for number in range(max(counts) + 1):
        if number:
            after: dict[Counts, float] = defaultdict(float)
            for marks, share in convolve(odds, one).items():
                after[settled(marks)] += share
            odds = after
        share_of_number = counts.get(number, 0.0)
        if share_of_number:
            for marks, share in odds.items():
                found[marks] += share * share_of_number
    return found


def _structure(target: Vessel, volleys: Sequence[Volley]) -> Odds:
    """The odds of the boxes that each part loses, and of any evasion lost for good (0 or 1).

    Boxes beyond what there is to lose are left out.
    """

    @cache
    def settled(marks: Counts) -> Counts:
        damage = Damage(**dict(zip(_STRUCTURE, marks, strict=True)))
        lost = target.lost_by(damage)
        return (*(lost[part] for part in PARTS), 0, 0, min(1, damage.evasion))

    odds: Odds = {(0,) * len(_STRUCTURE): 1.0}
    for volley in volleys:
        one = marginal(_STRUCTURE, volley.one_odds())
        odds = _mixed(volley.count_odds(), one, settled, odds)
    return odds
