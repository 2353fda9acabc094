"""`make soak`: a few hundred Denmark Straits by simple captains: how long, and who sinks."""

import random
import statistics
from collections import Counter, defaultdict
from importlib.resources import files

from benchmarks.captains import MOST_ROUNDS, battle_from_scene, play
from combat.dice import RolledDice
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.scene_file import Scene, read_scene

SCENARIO = "denmark_strait_opening.toml"
GOALS_YARDS = (8_000, 14_000, 20_000)
BATTLES = 100


def opening() -> Scene:
    """The scenario that the soak run and the golden duel begin with."""
    folder = files("combat.rulebooks.bismarck_advanced") / "scenarios"
    return read_scene((folder / SCENARIO).read_bytes(), SCENARIO)


def main() -> None:
    """Fight the battles and print what came of them."""
    scene = opening()
    ruleset = get_ruleset("bismarck-advanced")
    card = Card.of(ruleset.tables)
    for goal in GOALS_YARDS:
        lengths: list[int] = []
        sunk_in: dict[str, list[int]] = defaultdict(list)
        endings: Counter[str] = Counter()
        for seed in range(BATTLES):
            dice = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
            sunk: set[str] = set()
            battle = battle_from_scene(scene)
            rounds = 0
            for turn in play(battle, dice, card, ruleset.table_rules, goal_yards=goal):
                rounds, battle = turn.moved.round_number, turn.after
                for name in turn.report.sunk:
                    if name not in sunk:
                        sunk.add(name)
                        sunk_in[name].append(rounds)
            lengths.append(rounds)
            sides = sorted({ship.side for ship in battle.in_action})
            if len(sides) == 1:
                endings[f"{sides[0]} victory"] += 1
            else:
                endings["out of daylight" if rounds >= MOST_ROUNDS else "out of ammunition"] += 1
        print(
            f"{BATTLES} battles, captains who close to {goal:,} yd: a median of "
            f"{statistics.median(lengths):.0f} rounds ({min(lengths)}–{max(lengths)}); "
            + ", ".join(f"{ending} {count}" for ending, count in endings.most_common())
        )
        for name, rounds_sunk in sorted(sunk_in.items(), key=lambda item: -len(item[1])):
            print(
                f"  {name:<16} sunk in {len(rounds_sunk):>3}, in round "
                f"{statistics.median(rounds_sunk):.0f} ({min(rounds_sunk)}–{max(rounds_sunk)})"
            )


if __name__ == "__main__":
    main()
