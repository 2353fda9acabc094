"""Battles a second: simple captains on the engine itself, captains through the rulebook's actions.

`python -m benchmarks.balance`. The time is the processor's, so that a busy machine counts little.
"""

import random
import time
from collections.abc import Callable

from benchmarks.captains import battle_from_scene, play
from benchmarks.soak import GOALS_YARDS, opening
from combat.balance.battle import fight
from combat.balance.plan import plan_of
from combat.captain.all_captains import captain_of
from combat.dice import RolledDice
from combat.guided_actions import Entrant, Opening, StartingConditions
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.table import Pose

SIMPLE_BATTLES = 20
CAPTAINS = (("quick", 20), ("steady", 6))
EIGHT = ("Hood", "Prince of Wales", "King George V", "Rodney", "Norfolk", "Suffolk")
EIGHT_MORE = ("Bismarck", "Tirpitz", "Scharnhorst", "Gneisenau", "Prinz Eugen", "Admiral Scheer")
SCENARIO = "denmark_strait_opening.toml"


def main() -> None:
    """Print the figures."""
    card = CombatTables.of(load_tables(CURRENT), CURRENT)
    rules = get_ruleset("bismarck-advanced").table_rules
    scene = opening()

    def simple(goal: int, seed: int) -> int:
        dice = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
        start = battle_from_scene(scene)
        return sum(1 for _ in play(start, dice, card, rules, goal_yards=goal))

    print("Denmark Strait between captains, battles a second of one core")
    for goal in GOALS_YARDS:
        segments, seconds = _timed(
            lambda goal=goal: sum(simple(goal, seed) for seed in range(SIMPLE_BATTLES))  # type: ignore[misc]
        )
        print(
            f"  simple captains who close to {goal:,} yd: {SIMPLE_BATTLES / seconds:.1f}, of "
            f"{segments / SIMPLE_BATTLES:.0f} half-rounds each: {segments / seconds:.0f} "
            f"half-rounds a second; baseline: 196 (7 battles of 28)"
        )
    files = get_ruleset("bismarck-advanced").scenario_files
    for name, battles in CAPTAINS:
        plan = plan_of(files[SCENARIO], SCENARIO, battles=battles, seed=1, captains=(name,))
        works = list(plan.works)
        fight(plan, works[0])

        def fought() -> int:
            return sum(fight(plan, work).rounds for work in works)  # noqa: B023 - called at once

        rounds, seconds = _timed(fought)
        print(
            f"  the {name} captain through the rulebook's actions: {battles / seconds:.2f}, of "
            f"{2 * rounds / battles:.0f} half-rounds each"
        )
    _eight_ships()


def _eight_ships() -> None:
    """One decision for eight ships against eight, from nothing known and again."""
    ruleset = get_ruleset("bismarck-advanced")
    assert ruleset.battle is not None
    rulebook = ruleset.battle(ruleset.tables)
    names = [ship.name for ship in ruleset.ships]
    allied = [*EIGHT, *(name for name in names if name not in (*EIGHT, *EIGHT_MORE))][:8]
    german = [*EIGHT_MORE, *(name for name in names if name not in (*allied, *EIGHT_MORE))][:8]
    ships = tuple(
        Entrant(name=f"{side} {n}", type=type_, side=side, pose=Pose(1500.0 * n, y, 90.0))
        for side, types, y in (("british", allied, 0.0), ("german", german, 14_000.0))
        for n, type_ in enumerate(types)
    )
    setup = Opening(
        title="Eight", sides=("british", "german"), ships=ships, conditions=StartingConditions()
    )
    state = rulebook.begin(rulebook.set_up(setup))
    captain = captain_of(rulebook, "steady")
    for what in ("first", "second"):
        _, seconds = _timed(lambda: (captain.decide(state, "british", random.Random(1)) and 1) or 0)  # noqa: S311
        print(f"  plots of eight ships against eight, {what} decision: {seconds:.2f} s; limit: 2 s")


def _timed(work: Callable[[], int]) -> tuple[int, float]:
    """What the work gives, and the processor's time for it."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


if __name__ == "__main__":
    main()
