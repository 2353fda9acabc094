"""How the temperaments of captains differ: who wins, how near they fight, what they give and take.

`python -m benchmarks.temperaments [BATTLES] [SEED]`: each pair of captains of the Advanced Game
fights BATTLES mirrored battles of two a side, and as many with the sides exchanged. A captain
against itself shows the range that it seeks.
"""

import itertools
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from combat.balance.battle import actions
from combat.balance.plan import fighting_sides, plan_of
from combat.captain.temperament import temperaments
from combat.guided_play import GuidedRulebook, StepKind
from combat.participants import UMPIRE, ShipStatus
from combat.rulebooks import get_ruleset
from combat.scenarios import read_scenario
from tests.combat.balance.grounds import MIRRORED

BATTLES = 6


@dataclass
class Figures:
    """What came of one captain's battles."""

    points: float = 0.0
    battles: int = 0
    ranges: list[float] = field(default_factory=list)
    """To the nearest enemy, of every ship after every move."""
    lost: list[float] = field(default_factory=list)
    """The part of the own fleet's boxes at the end of each battle."""
    given: list[float] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    left: int = 0
    """Ships that left the battle."""

    @property
    def line(self) -> str:
        """The figures in a line."""
        yards = np.nanpercentile(self.ranges, [25, 50, 75])
        return (
            f"{self.points:.1f} of {self.battles} points; range {yards[1]:,.0f} yd "
            f"({yards[0]:,.0f} to {yards[2]:,.0f}); of the fleet lost {np.mean(self.lost):.0%}, "
            f"of the enemy's {np.mean(self.given):.0%}; {np.mean(self.rounds):.1f} rounds; "
            f"{self.left} ships left the battle"
        )


def main(battles: int = BATTLES, seed: int = 1) -> None:
    """Print the figures."""
    scenario = read_scenario(MIRRORED.encode(), "mirrored.toml")
    ruleset = get_ruleset(scenario.ruleset)
    assert ruleset.battle is not None
    rulebook: GuidedRulebook[object] = ruleset.battle(ruleset.tables)
    overall = {name: Figures() for name in temperaments()}
    for pair in itertools.combinations_with_replacement(temperaments(), 2):
        here = {name: Figures() for name in pair}
        counted = (here,) if pair[0] == pair[1] else (here, overall)
        for number in range(battles):
            for names in dict.fromkeys((pair, pair[::-1])):
                sides = dict(zip(fighting_sides(scenario), names, strict=True))
                _fight(rulebook, sides, seed * 1_000 + number, counted)
        print(" against ".join(pair))
        for name, figures in here.items():
            print(f"  {name}: {figures.line}", flush=True)
    print("all together, but against themselves")
    for name, figures in overall.items():
        print(f"  {name}: {figures.line}")


def _fight(
    rulebook: GuidedRulebook[object],
    sides: Mapping[str, str],
    seed: int,
    counted: tuple[Mapping[str, Figures], ...],
) -> None:
    plan = plan_of(
        MIRRORED.encode(), "mirrored.toml", battles=1, seed=seed, captains=tuple(sides.values())
    )
    ranges: list[float] = []
    state: object = None
    for work in plan.works:
        for played in actions(plan, work):
            state = played.outcome.state
            if rulebook.step(state).kind is StepKind.DESIGNATE:
                ranges += _nearest(rulebook, state)
    view = rulebook.view(state, UMPIRE)
    lost = {
        side: float(
            np.mean(
                [
                    1.0 if ship.status is ShipStatus.SUNK else ship.trouble or 0.0
                    for ship in view.ships
                    if ship.side == side
                ]
            )
        )
        for side in sides
    }
    for each in counted:
        for side, name in sides.items():
            figures = each[name]
            other = next(key for key in sides if key != side)
            lead = lost[other] - lost[side]
            figures.points += 0.5 if abs(lead) < 0.1 else float(lead > 0)
            figures.battles += 1
            figures.ranges += ranges
            figures.lost.append(lost[side])
            figures.given.append(lost[other])
            figures.rounds.append(rulebook.place(state).round_number)
            figures.left += sum(
                ship.side == side and ship.status is ShipStatus.WITHDRAWN for ship in view.ships
            )


def _nearest(rulebook: GuidedRulebook[object], state: object) -> list[float]:
    ships = [
        ship for ship in rulebook.view(state, UMPIRE).ships if ship.status is ShipStatus.IN_ACTION
    ]
    return [
        min(
            (
                float(
                    np.hypot(
                        ship.pose.x_yards - other.pose.x_yards,
                        ship.pose.y_yards - other.pose.y_yards,
                    )
                )
                for other in ships
                if other.side != ship.side
            ),
            default=np.nan,
        )
        for ship in ships
    ]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
