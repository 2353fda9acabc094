"""`python -m benchmarks.duel [SEED]`: Denmark Strait to the end, told by the program.

The tests keep the story of one seed as their golden text.
"""

import random
import sys
from collections.abc import Iterator

from benchmarks.captains import battle_from_scene, play
from benchmarks.soak import opening
from combat.dice import RolledDice
from combat.previews import Line
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.engagement.phase_text import (
    glance_at,
    tell_move,
    tell_phase,
)
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.messages import verbatim
from web.strings import words

GOLDEN_SEED = 1941
GOAL_YARDS = 14_000


def tell_duel(seed: int, edition: Edition = CURRENT) -> Iterator[Line]:
    """The whole battle as lines of text."""
    rules = get_ruleset("bismarck-advanced").table_rules
    card = CombatTables.of(load_tables(edition), edition)
    scene = opening()
    battle = battle_from_scene(scene)
    dice = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
    yield Line(verbatim(scene.title))
    for turn in play(battle, dice, card, rules, goal_yards=GOAL_YARDS):
        yield Line(verbatim(""))
        yield from tell_move(turn.moved, turn.move, turn.seen)
        yield from tell_phase(turn.report)
        battle = turn.after
    yield Line(verbatim(""))
    yield Line(verbatim("At the end"))
    for ship in battle.combatants:
        rule = "64.8" if ship.vessel.is_sunk else "64.1"
        yield Line(verbatim(f"{ship.name}: {words(glance_at(ship.vessel))}"), rule, 1)


def main() -> None:
    """Print the duel of a seed."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN_SEED
    for line in tell_duel(seed):
        reference = f"  [{line.reference}]" if line.reference else ""
        print(f"{'  ' * line.depth}{words(line.text)}{reference}")


if __name__ == "__main__":
    main()
