"""The exact odds of some attacks on one ship.

Marks on a card simply add up, so the odds of many dice are those of one die, added to themselves
again and again; the one die is played by the code that resolves it. What does not depend on each
other is added apart: that keeps a broadside of fifteen dice quick.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import fsum
from operator import add

from combat.dice import Dice
from combat.forecast import Forecast, every_outcome
from combat.rulesets.chase_of_the_bismarck.damage import Damage, Resolver
from combat.rulesets.chase_of_the_bismarck.shot import Shot, Weapon, dice_of, ledger_of
from combat.tables import TableSet

_STRUCTURE = ("hull", "bow", "stern", "sunk")
"""Hits on guns that are gone go to the hull, so these must be counted together."""
_SINGLE = ("hits", "secondary", "evasion", "fuel", "fire_control", "radar", "rudder")
_BOXES = ("hull", "bow", "stern", "secondary", "evasion")
_MARKERS = ("fire_control", "radar", "rudder")

Marks = tuple[int, ...]
Odds = Mapping[Marks, float]


def forecast_shots(shots: Sequence[Shot], tables: TableSet) -> Forecast:
    """The odds of what all these attacks together do to their one target."""
    target = shots[0].target
    attacks = [_attack(shot, tables) for shot in shots]
    single = {part: _total(attacks, (part,)) for part in _SINGLE}
    structure = [
        (Damage(**dict(zip(_STRUCTURE, marks, strict=True))), chance)
        for marks, chance in _total(attacks, _STRUCTURE).items()
    ]
    alone = {
        part: [(Damage(**{part: marks[0]}), chance) for marks, chance in odds.items()]
        for part, odds in single.items()
    }
    lost = {
        part: [
            (target.left(part) - target.left(part, damage), chance)
            for damage, chance in alone.get(part, structure)
        ]
        for part in _BOXES
    }
    outcomes = {
        **{f"{part}_lost": fsum(p for count, p in lost[part] if count) for part in _BOXES},
        "fuel_lost": _any(single["fuel"]),
        **{f"{part}_damaged": _any(single[part]) for part in _MARKERS},
        "sunk": fsum(chance for damage, chance in structure if target.sunk(damage)),
    }
    return Forecast(
        hits={marks[0]: chance for marks, chance in sorted(single["hits"].items())},
        outcomes=outcomes,
        expected_boxes={part: fsum(count * p for count, p in lost[part]) for part in _BOXES},
    )


Attack = Callable[[tuple[str, ...]], Odds]
"""The odds of an attack's marks on some parts of a card."""


def _attack(shot: Shot, tables: TableSet) -> Attack:
    dice, modifier = dice_of(shot, tables), ledger_of(shot, tables).total
    if shot.weapon is Weapon.GUNS:
        die = _odds(lambda resolver: resolver.gun(shot.range, modifier, ""), tables)
        return lambda parts: _times(_onto(parts, die), dice)
    thrown = _odds(lambda resolver: Damage(hits=resolver.hits(modifier, "")), tables)
    marker = _odds(Resolver.marker, tables)

    def of_markers(parts: tuple[str, ...]) -> Odds:
        one = _onto(parts, marker)
        each: dict[Marks, float] = defaultdict(float)
        for hits, chance in thrown.items():
            for marks, share in _times(one, hits.hits).items():
                each[marks] += chance * share
        return _times(each, dice)

    return of_markers


def _odds(play: Callable[[Resolver], Damage], tables: TableSet) -> dict[Damage, float]:
    """The odds of one die and all that follows from it."""

    def one(dice: Dice) -> Damage:
        # A chit that finds no evasion left changes nothing, so every one may be drawn here.
        return play(Resolver(dice, tables, evasion_left=sys.maxsize))

    odds: dict[Damage, float] = defaultdict(float)
    for outcome in every_outcome(one):
        odds[outcome.result] += float(outcome.probability)
    return odds


def _onto(parts: tuple[str, ...], odds: Mapping[Damage, float]) -> Odds:
    """The same odds with an eye on some parts only."""
    seen: dict[Marks, float] = defaultdict(float)
    for damage, chance in odds.items():
        seen[tuple(getattr(damage, part) for part in parts)] += chance
    return seen


def _times(odds: Odds, count: int) -> Odds:
    """The odds of as many of the same, added up."""
    nothing = (0,) * len(next(iter(odds)))
    return reduce(_sum, [odds] * count, {nothing: 1.0})


def _total(attacks: Sequence[Attack], parts: tuple[str, ...]) -> Odds:
    return reduce(_sum, (attack(parts) for attack in attacks))


def _sum(first: Odds, second: Odds) -> Odds:
    both: dict[Marks, float] = defaultdict(float)
    for marks, chance in first.items():
        for more, share in second.items():
            both[tuple(map(add, marks, more))] += chance * share
    return both


def _any(odds: Odds) -> float:
    return fsum(chance for marks, chance in odds.items() if any(marks))
