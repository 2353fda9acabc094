"""Battles of Grand Fleets by simple captains: which side wins, and after how many turns.

`python -m benchmarks.fleet_balance [SCENARIO] [BATTLES]`, 208 battles of two a side without them.
Each captain wants to fight at a range of his own. Every pair of ranges is played equally often, so
that neither side has the better captains.
"""

import itertools
import math
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from benchmarks.fleet_captains import Captains, opening_of, rulebook
from combat.dice import RolledDice
from combat.rulebooks.grand_fleets.guided_battle.events import BattleEnded
from combat.scenarios import scenario_named

RANGES_YARDS: Final = (5000, 8000, 11_000, 14_000)
SCENARIO: Final = "two-a-side"
BATTLES: Final = 208


def main(arguments: Sequence[str]) -> None:
    """Play the battles, and print who won them."""
    name = arguments[0] if arguments else SCENARIO
    battles = int(arguments[1]) if len(arguments) > 1 else BATTLES
    battle = rulebook()
    begun = battle.begin(battle.set_up(opening_of(scenario_named(name))))
    first, second = begun.sides
    wins: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    turns = []
    pairs = itertools.cycle(itertools.product(RANGES_YARDS, repeat=2))
    for seed, pair in zip(range(battles), pairs, strict=False):
        captains = Captains(battle, dict(zip(begun.sides, pair, strict=True)))
        state = begun
        for step in captains.play(begun, RolledDice(random.Random(seed))):  # noqa: S311 - a game
            state = step.outcome.state
            for event in step.events:
                if isinstance(event, BattleEnded):
                    wins[pair][event.winner] += 1
        turns.append(state.turn)
    print(f"{name}, {battles} battles, {first}:{second} by the ranges that their captains want")
    print(f"{first:>12}", *(f"{yards:>8,}" for yards in RANGES_YARDS), f" {second}")
    for mine in RANGES_YARDS:
        row = (wins[mine, theirs] for theirs in RANGES_YARDS)
        print(f"{mine:>12,}", *(f"{f'{won[first]}:{won[second]}':>8}" for won in row))
    total: Counter[str] = sum(wins.values(), Counter())
    decided = total[first] + total[second]
    share = total[first] / max(decided, 1)
    noise = 1.96 * math.sqrt(0.25 / max(decided, 1))
    print(
        f"all {total[first]}:{total[second]}, {battles - decided} undecided: {first} {share:.1%}, "
        f"even within ±{noise:.1%}; {statistics.median(turns)} turns, {max(turns)} at most"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
