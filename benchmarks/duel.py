"""`python -m benchmarks.duel [SEED]`: Denmark Strait to the end, segment by segment.

The tests keep the text of one seed as their golden one.
"""

import random
import sys
from collections.abc import Iterator

from benchmarks.captains import Turn, battle_from_scene, play
from benchmarks.soak import opening
from combat.dice import RolledDice
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.engagement.glance import glance_at
from combat.rulebooks.bismarck_advanced.fire.fire_report import describe_hit, hits_message
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.survey import PairCheck
from web.strings import words

GOLDEN_SEED = 1941
GOAL_YARDS = 14_000
_SEGMENTS = {Segment.INITIAL: "first", Segment.SECOND: "second"}


def duel_lines(seed: int, edition: Edition = CURRENT) -> Iterator[str]:
    """The whole battle as lines of text, each with its rule."""
    rules = get_ruleset("bismarck-advanced").table_rules
    card = CombatTables.of(load_tables(edition), edition)
    scene = opening()
    battle = battle_from_scene(scene)
    dice = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
    yield scene.title
    for turn in play(battle, dice, card, rules, goal_yards=GOAL_YARDS):
        yield ""
        yield from _move_lines(turn)
        yield from _fire_phase_lines(turn)
        battle = turn.after
    yield ""
    yield "At the end"
    for ship in battle.combatants:
        rule = "64.8" if ship.vessel.is_sunk else "64.1"
        yield f"  {ship.name}: {words(glance_at(ship.vessel))}  [{rule}]"


def _move_lines(turn: Turn) -> Iterator[str]:
    """Who stands where after a move: speeds, ranges between enemies, collisions."""
    moved = turn.moved
    yield f"Round {moved.round_number}, {_SEGMENTS[moved.segment]} segment"
    for ship in moved.in_action:
        enemies = [turn.seen[ship.name, enemy.name] for enemy in moved.enemies_of(ship)]
        sights = map(_sight_text, sorted(enemies, key=lambda each: each.range_yards))
        yield f"  {ship.name}, speed {ship.speed}: {', '.join(sights)}  [56.2]"
    for clash in turn.move.collisions:
        if clash.collided:
            yield f"  {clash.first} and {clash.second} collide: speed halved  [59.1]"


def _sight_text(enemy: PairCheck) -> str:
    blocked = " (blocked)" if enemy.blocked else ""
    return f"{enemy.target} {enemy.range_yards:,.0f} yd {enemy.quadrant}{blocked}"


def _fire_phase_lines(turn: Turn) -> Iterator[str]:
    """What came of a combat phase, fire by fire."""
    report = turn.report
    for jam in report.jams:
        if jam.guns:
            yield f"  {jam.ship} rolls {jam.dice}: {words(jam.words)}  [{jam.rule}]"
    for fire in report.fires:
        yield from _fire_lines(fire)
    for salvo in report.torpedoes:
        yield from _torpedo_lines(salvo)
    for name, moving in report.slowed.items():
        yield f"  {name} slows to {moving.speed}  [58.8]"
    for name in report.sunk:
        yield f"  {name} is sunk.  [64.8]"


def _fire_lines(fire: FireReport) -> Iterator[str]:
    shot, guns = fire.shot, "gun" if fire.guns == 1 else "guns"
    salvo = (
        f"  {shot.firer.name} fires {fire.guns} {shot.battery} {guns} at {shot.target.name}, "
        f"factor {fire.gunnery_factor}"
    )
    if fire.dice is None:
        yield f"{salvo}: too little to hit  [62.43]"
        return
    yield f"{salvo}: {_result(fire)}  [62.44]"
    for hit in fire.hit_reports:
        yield f"    {words(describe_hit(hit))}"


def _torpedo_lines(report: TorpedoReport) -> Iterator[str]:
    launcher, target = report.salvo.launcher, report.reception.receiver
    yield f"  {launcher}'s torpedoes run at {target}: {_result(report)}  [69.2]"
    for hit in report.hit_reports:
        yield f"    {words(hit.words)}  [{hit.reference}]"


def _result(report: FireReport | TorpedoReport) -> str:
    """The dice, what was added to them, the row of the table, and the hits."""
    hits = words(hits_message(report.hits))
    return f"{report.dice} {report.ledger.total:+d}, row {report.row}: {hits}"


def main() -> None:
    """Print the duel of a seed."""
    for line in duel_lines(int(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN_SEED):
        print(line)


if __name__ == "__main__":
    main()
