"""`make soak`: a few hundred Denmark Straits by simple captains: how long, and who sinks.

`python -m benchmarks.soak [BATTLES] [EDITION]`, 100 battles of the present edition without them.
"""

import random
import statistics
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from importlib.resources import files

from benchmarks.captains import MOST_ROUNDS, battle_from_scene, play
from combat.dice import RolledDice
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, EARLIER
from combat.rulebooks.bismarck_advanced.fire.events import HullHit
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, shell_of
from combat.rulebooks.bismarck_advanced.guns import GunType
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from combat.scene_file import Scene, read_scene
from tabletop.rules import TableRules

SCENARIO = "denmark_strait_opening.toml"
GOALS_YARDS = (8_000, 14_000, 20_000)
BATTLES = 100
LIGHT = (GunType.A, GunType.Z)
"""Guns of 6 inches and less."""


def opening() -> Scene:
    """The scenario that the soak run and the golden duel begin with."""
    folder = files("combat.rulebooks.bismarck_advanced") / "scenarios"
    return read_scene((folder / SCENARIO).read_bytes(), SCENARIO)


@dataclass
class Tally:
    """What came of many battles."""

    rounds_of_action: list[int] = field(default_factory=list)
    """From the round of the first shot on."""
    endings: Counter[str] = field(default_factory=Counter)
    sunk_in: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    light_share: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Of each ship sunk: the part of her hull that light shells marked."""
    fires: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)


def fight(
    tally: Tally, scene: Scene, seed: int, card: CombatTables, rules: TableRules, goal: int
) -> None:
    """Fight one battle and add it to the others."""
    dice = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
    battle, rounds, first = battle_from_scene(scene), 0, 0
    sunk: set[str] = set()
    hull: Counter[tuple[str, bool]] = Counter()
    for turn in play(battle, dice, card, rules, goal_yards=goal):
        rounds, battle = turn.moved.round_number, turn.after
        for fire in turn.report.fires:
            first = first or rounds
            tally.fires[fire.shot.battery] += 1
            tally.hits[fire.shot.battery] += fire.hits
            target, light = fire.shot.target.name, shell_of(fire.shot).gun in LIGHT
            hull[target, light] += _hull_quarters(fire)
        for name in turn.report.sunk:
            if name not in sunk:
                sunk.add(name)
                tally.sunk_in[name].append(rounds)
                marked = hull[name, True] + hull[name, False]
                tally.light_share[name].append(hull[name, True] / max(marked, 1))
    tally.rounds_of_action.append(rounds - first + 1 if first else 0)
    sides = sorted({ship.side for ship in battle.in_action})
    if len(sides) == 1:
        tally.endings[f"{sides[0]} victory"] += 1
    else:
        ending = "out of daylight" if rounds >= MOST_ROUNDS else "out of ammunition"
        tally.endings[ending] += 1


def _hull_quarters(fire: FireReport) -> int:
    return sum(
        event.quarters
        for hit in fire.hit_reports
        for event in hit.results
        if isinstance(event, HullHit)
    )


def main(battles: int = BATTLES, edition_number: int = CURRENT.number) -> None:
    """Fight the battles and print what came of them."""
    edition = {each.number: each for each in (CURRENT, *EARLIER)}[edition_number]
    card = CombatTables.of(load_tables(edition), edition)
    rules = get_ruleset("bismarck-advanced").table_rules
    scene = opening()
    for goal in GOALS_YARDS:
        tally = Tally()
        for seed in range(battles):
            fight(tally, scene, seed, card, rules, goal)
        lengths = tally.rounds_of_action
        tenths = statistics.quantiles(lengths, n=10)
        endings = ", ".join(f"{ending} {count}" for ending, count in tally.endings.most_common())
        hits = ", ".join(
            f"{tally.hits[battery] / count:.1f} of {battery} guns"
            for battery, count in tally.fires.most_common()
        )
        print(
            f"{battles} battles, edition {edition.number}, captains who close to {goal:,} yd: a "
            f"median of {statistics.median(lengths):.0f} rounds of action (8 of 10 battles "
            f"{tenths[0]:.0f}–{tenths[-1]:.0f}); {endings}; hits of a fire: {hits}",
            flush=True,
        )
        for name, rounds_sunk in sorted(tally.sunk_in.items(), key=lambda item: -len(item[1])):
            light = tally.light_share[name]
            print(
                f"  {name:<16} sunk in {len(rounds_sunk):>3}, in round "
                f"{statistics.median(rounds_sunk):.0f} ({min(rounds_sunk)}–{max(rounds_sunk)}); "
                f"light shells did {statistics.mean(light):.0%} of it, most of it "
                f"{sum(share > 0.5 for share in light)} times"
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
