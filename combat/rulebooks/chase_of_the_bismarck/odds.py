"""The exact odds of attacks on one ship, or of a single die against its limit.

Marks on a card add up, so the odds of many dice are convolutions of those of one die, which is
played by the code that resolves it. Independent parts are computed separately, and counts are
capped at what a ship has; this keeps two broadsides of fifteen dice fast.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import fsum
from typing import Final

from combat.dice import TEN_SIDES
from combat.distributions import (
    Counts,
    Odds,
    chance,
    convolve,
    convolve_all,
    convolve_repeated,
    marginal,
    odds_of,
)
from combat.forecast import Forecast
from combat.free_play import Attempt
from combat.rulebooks.chase_of_the_bismarck.actions import (
    ConvoyAttack,
    Gunfire,
    Repair,
    SubmarineTarget,
)
from combat.rulebooks.chase_of_the_bismarck.board import range_of
from combat.rulebooks.chase_of_the_bismarck.chance import ChanceAction, run_chance
from combat.rulebooks.chase_of_the_bismarck.checks import (
    CheckAction,
    class_message,
    classes_present,
    found_by,
    run_check,
)
from combat.rulebooks.chase_of_the_bismarck.damage import Damage, Resolver
from combat.rulebooks.chase_of_the_bismarck.prizes import run_attack
from combat.rulebooks.chase_of_the_bismarck.strike import Strike
from combat.rulebooks.chase_of_the_bismarck.upkeep import run_repair
from combat.rulebooks.chase_of_the_bismarck.vessel import Part, Vessel
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import NO_WORDS, Message

_STRUCTURE: Final[tuple[Part, ...]] = ("hull", "bow", "stern")
"""Hits on lost guns go to the hull, so these must be counted together."""
_BROKEN: Final = ("fire_control", "radar", "rudder")

OneDie = Callable[[tuple[str, ...]], Odds]
"""The odds of the marks that one die of an attack makes on some parts of a card."""


def forecast_check(
    attack: Attempt[CheckAction, Vessel], strength: Strength, tables: TableSet
) -> Forecast:
    """The odds of the results of one die against its limit."""
    return _forecast_outcomes(
        odds_of(lambda dice: run_check(attack, strength, dice, tables).outcome)
    )


def _forecast_outcomes(odds: Mapping[tuple[Message, ...], float]) -> Forecast:
    results: dict[Message, float] = defaultdict(float)
    for outcome, share in odds.items():
        for result in outcome:
            results[result] += share
    passed = chance(odds, bool)
    return Forecast({0: 1 - passed, 1: passed}, {}, {}, results=dict(results))


def forecast_chance(
    attack: Attempt[ChanceAction, Vessel], strength: Strength, tables: TableSet
) -> Forecast:
    """The odds of what the Chance Phase brings."""
    return _forecast_outcomes(
        odds_of(lambda dice: run_chance(attack, strength, dice, tables).outcome)
    )


def forecast_prize(attack: Attempt[ConvoyAttack, Vessel], tables: TableSet) -> Forecast:
    """The odds of the victory points of a convoy."""
    odds = odds_of(lambda dice: run_attack(attack, dice, tables)[1].points)
    results = {Message("chase.result.points", points=each): p for each, p in odds.items()}
    return Forecast({1: 1.0}, {}, {}, results=results)


def forecast_repair(
    attack: Attempt[Repair, Vessel], strength: Strength, tables: TableSet
) -> Forecast:
    """The odds of what a repair at sea brings."""
    added = strength.ledger.total
    return _forecast_outcomes(
        odds_of(lambda dice: run_repair(attack, added, dice, tables)[0].outcome)
    )


def forecast_found(attack: Attempt[SubmarineTarget, Vessel], tables: TableSet) -> Forecast:
    """The odds of the class of ship that a submarine finds."""
    present = classes_present(attack.action)
    dice = [found_by(die, present, tables) for die in range(TEN_SIDES)]
    # Results that are rolled again do not count; the others share their probability.
    result = present * TEN_SIDES if len(present) == 1 else [name for name in dice if name]
    results = {class_message(name): result.count(name) / len(result) for name in present}
    return Forecast({0: 0.0, 1: 1.0}, {}, {}, results=results)


def forecast_strikes(
    strikes: Sequence[tuple[Attempt[Strike, Vessel], Strength]], tables: TableSet
) -> Forecast:
    """The odds of the combined effect of all attacks on their target."""
    target = strikes[0][0].victim
    attacks = [
        (_one_die(attack, strength.ledger.total, tables), strength.factor)
        for attack, strength in strikes
    ]

    def alone(part: str) -> Odds:
        return convolve_all(convolve_repeated(die((part,)), count) for die, count in attacks)

    structure = _structure(target, attacks)
    counted: tuple[tuple[Part, Odds, int], ...] = (
        ("hull", structure, 0),
        ("bow", structure, 1),
        ("stern", structure, 2),
        ("secondary", alone("secondary"), 0),
        ("evasion", alone("evasion"), 0),
    )
    outcomes: dict[str, float] = {}
    boxes: dict[str, float] = {}
    for part, odds, column in counted:
        left = target.left(part)
        lost = [(min(marks[column], left), share) for marks, share in odds.items()]
        outcomes[f"{part}_lost"] = fsum(share for count, share in lost if count)
        boxes[part] = fsum(count * share for count, share in lost)
    outcomes["fuel_lost"] = chance(alone("fuel"), any)
    outcomes |= {f"{part}_damaged": chance(alone(part), any) for part in _BROKEN}
    outcomes["sunk"] = chance(structure, lambda marks: marks[0] == target.left("hull"))
    hits = {marks[0]: share for marks, share in sorted(alone("hits").items())}
    return Forecast(hits, outcomes, boxes)


def _structure(target: Vessel, attacks: Iterable[tuple[OneDie, int]]) -> Odds:
    """The odds of the losses of hull, bow and stern, limited to what is left."""

    @cache
    def settled(marks: Counts) -> Counts:
        hull, bow, stern, sunk = marks
        damage = Damage(hull=hull, bow=bow, stern=stern, sunk=sunk)
        return (*(target.left(part) - target.left(part, damage) for part in _STRUCTURE), 0)

    odds: Odds = {(0, 0, 0, 0): 1.0}
    for die, count in attacks:
        one = die((*_STRUCTURE, "sunk"))
        for _ in range(count):
            after: dict[Counts, float] = defaultdict(float)
            for marks, share in convolve(odds, one).items():
                after[settled(marks)] += share
            odds = after
    return odds


def _one_die(attack: Attempt[Strike, Vessel], modifier: int, tables: TableSet) -> OneDie:
    action, tanker = attack.action, attack.victim.is_tanker
    if isinstance(action, Gunfire):
        reach = range_of(action.zones_between, tables)
        die = _odds(lambda resolver: resolver.gun(reach, modifier, NO_WORDS), tables)
        return lambda parts: marginal(parts, die)
    thrown = _odds(lambda resolver: Damage(hits=resolver.hits(modifier, NO_WORDS)), tables)
    marker = _odds(Resolver.marker, tables, tanker=tanker)

    def of_markers(parts: tuple[str, ...]) -> Odds:
        one = marginal(parts, marker)
        each: dict[Counts, float] = defaultdict(float)
        for hits, share in thrown.items():
            for marks, part in convolve_repeated(one, hits.hits).items():
                each[marks] += share * part
        return each

    return of_markers


def _odds(
    play: Callable[[Resolver], Damage], tables: TableSet, *, tanker: bool = False
) -> Mapping[Damage, float]:
    """The odds of one die and the rolls that follow from it."""
    # A marker without evasion left has no effect, so drawing all of them here is harmless.
    return odds_of(lambda dice: play(Resolver(dice, tables, sys.maxsize, tanker)))
