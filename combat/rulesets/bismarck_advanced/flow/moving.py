"""The movement resolution phases: plots open together, models judged and put in place (56.2, 56.6).

The plots give every ship a place. Where the models on the table stand elsewhere, because a short
turn ends where its player likes (57.3) or because a hand slipped, the referee says so; what is
agreed on then counts, and collisions, smoke and ranges are judged by it.
"""

from collections.abc import Mapping
from dataclasses import replace

from combat.rulesets.bismarck_advanced.engagement import Combatant, Engagement
from combat.rulesets.bismarck_advanced.flow.reading import place_of
from combat.rulesets.bismarck_advanced.flow.state import AdvancedState, OpenMove
from combat.rulesets.bismarck_advanced.handling import MOVEMENT
from combat.rulesets.bismarck_advanced.hidden import Identity, revealed_by_move
from combat.rulesets.bismarck_advanced.maneuver import move
from combat.rulesets.bismarck_advanced.plot import Note
from combat.rulesets.bismarck_advanced.smoke import Smoke, lay_front
from combat.rulesets.bismarck_advanced.speed import (
    RoundSpeed,
    Segment,
    after_collision,
    begin_round,
)
from combat.rulesets.bismarck_advanced.withdrawal import rounds_outside
from combat.showing import Standing
from combat.tables import TableSet
from tabletop.collision import collisions
from tabletop.errors import DreyerError
from tabletop.movement import Path
from tabletop.referee import Ruling, referee
from tabletop.rules import TableRules
from tabletop.survey import Survey, survey
from tabletop.table import Pose


def open_plots(state: AdvancedState, rules: TableRules, tables: TableSet) -> OpenMove:
    """All plots laid open together: where each leads."""
    orders = {
        ship.name: state.plots[ship.name]
        for ship in state.engagement.in_action
        if ship.name in state.plots
    }
    moved, report = move(state.engagement, orders, rules, tables)
    return OpenMove(orders, moved, report)


def judge(move: OpenMove, poses: Mapping[str, Pose]) -> dict[str, Ruling]:
    """The referee's word on every model that was looked at."""
    return {
        name: referee(
            path.start,
            path.steps,
            poses[name],
            placing_tolerance_yards=MOVEMENT.placing_tolerance_yards,
            heading_tolerance_deg=MOVEMENT.heading_tolerance_deg,
        )
        for name, path in move.report.paths.items()
        if name in poses
    }


def standing(name: str, ruling: Ruling) -> Standing:
    """A ruling as pages show it."""
    return Standing(
        ship=name,
        in_place=ruling.in_place,
        doubtful=ruling.by_benefit_of_doubt,
        why=ruling.why,
        plotted=place_of(ruling.expected),
        off_yards=ruling.off_yards,
        off_heading_deg=ruling.off_heading_deg,
    )


def refuse_differences(rulings: Mapping[str, Ruling], accepted: frozenset[str]) -> dict[str, str]:
    """What is out of place and accepted; a DreyerError for the first that is not."""
    wrong = {name: ruling.why for name, ruling in rulings.items() if not ruling.in_place}
    for name, why in wrong.items():
        if name not in accepted:
            raise DreyerError(f"{name} is {why}: move the model, or accept it as it stands (56.2)")
    return wrong


def settle(
    before: Engagement,
    move: OpenMove,
    poses: Mapping[str, Pose],
    rulings: Mapping[str, Ruling],
    rules: TableRules,
) -> Engagement:
    """The battle with the models where they stand, and all that follows from it judged anew."""
    if not poses:
        return move.moved
    paths = dict(move.report.paths)
    ships: dict[str, Combatant] = {}
    for ship in move.moved.in_action:
        pose = poses.get(ship.name, ship.pose)
        if ship.name in rulings:
            paths[ship.name] = Path(paths[ship.name].start, rulings[ship.name].steps)
        moving = _moving(before, move, ship.name)
        ships[ship.name] = replace(ship, pose=pose, track=paths[ship.name], moving=moving)
    battle = replace(move.moved.with_combatants(ships), smoke=before.smoke)
    battle = replace(battle, smoke=_smoke(battle, move, poses, paths))
    collided = {name for pair in collided_pairs(battle) for name in pair}
    slowed = {
        name: replace(ships[name], moving=after_collision(moving, before.segment))
        for name in collided
        if (moving := ships[name].moving) is not None
    }
    battle = battle.with_combatants(slowed)
    return _count_rounds_outside(before, battle, survey(battle.table, rules))


def collided_pairs(battle: Engagement) -> list[tuple[str, str]]:
    """Ships that have run into each other (59)."""
    clashes = collisions(battle.table, MOVEMENT.marker_diameter_yards)
    return [(clash.first, clash.second) for clash in clashes if clash.collided]


def _moving(before: Engagement, move: OpenMove, name: str) -> RoundSpeed | None:
    """A ship's speed in this round before any collision of this move."""
    ship, speed = before[name], move.orders[name].speed
    if before.segment is Segment.SECOND or speed is None:
        return ship.moving
    return begin_round(ship.vessel.warship.ship_class, ship.record, speed)


def _smoke(
    battle: Engagement, move: OpenMove, poses: Mapping[str, Pose], paths: Mapping[str, Path]
) -> Smoke:
    smoke = battle.smoke
    for ship in battle.in_action:
        notes, path = move.report.plots[ship.name].notes, paths[ship.name]
        if Note.SMOKE_COVER in notes:
            smoke = smoke.with_cover(ship.name, battle.phase)
        if Note.SMOKE_FRONT in notes:
            # The second marker goes beside the model where it stands (67.65).
            front = lay_front(
                ship.name, path, ship.base, move.orders[ship.name].smoke_side, battle.phase
            )
            if ship.name in poses:
                away = lay_front(
                    ship.name, Path(ship.pose), ship.base, front.side, battle.phase
                ).front
                ends = replace(front.front, x2_yards=away.x2_yards, y2_yards=away.y2_yards)
                front = replace(front, front=ends)
            smoke = smoke.with_front(front)
    return smoke


def _count_rounds_outside(before: Engagement, battle: Engagement, seen: Survey) -> Engagement:
    """66: who has kept outside the starting range, by the places that were agreed on."""
    changed = {}
    for ship in battle.in_action:
        ranges = [seen[ship.name, enemy.name].range_yards for enemy in battle.enemies_of(ship)]
        outside = rounds_outside(0, ranges, battle.starting_range_yards) > 0
        was = before[ship.name]
        if before.segment is Segment.INITIAL:
            new = replace(ship, came_inside=not outside, rounds_outside=was.rounds_outside)
        else:
            rounds = was.rounds_outside + 1 if outside and not was.came_inside else 0
            new = replace(ship, came_inside=False, rounds_outside=rounds)
        changed[ship.name] = new
    return battle.with_combatants(changed)


def turned_up_by_move(
    state: AdvancedState, moved: Engagement, rules: TableRules
) -> dict[str, Identity]:
    """67.12: hidden ships that have come into a nearer range segment of an enemy."""
    hidden = [name for name, identity in state.identities.items() if identity.is_hidden]
    if not hidden:
        return {}
    seen, sees = survey(state.engagement.table, rules), survey(moved.table, rules)
    turned = {}
    for ship in moved.in_action:
        if ship.name not in hidden:
            continue
        enemies = [enemy.name for enemy in moved.enemies_of(ship)]
        revelation = revealed_by_move(
            moved.phase,
            {enemy: seen[ship.name, enemy].range_yards for enemy in enemies},
            {enemy: sees[ship.name, enemy].range_yards for enemy in enemies},
            rules,
        )
        if revelation is not None:
            turned[ship.name] = state.identities[ship.name].revealed(revelation)
    return turned
