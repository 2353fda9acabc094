"""Simple captains: they close to a range, show their broadside, and fire at the nearest enemy.

They exist to play whole battles by the rules, for the soak run and the golden duel; nobody would
promote them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from combat.dice import Dice
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import (
    FireOrder,
    PhaseReport,
    guns_that_bear,
    resolve_fire_phase,
)
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import (
    MoveOrder,
    MoveReport,
    check_rudder,
    move,
)
from combat.rulebooks.bismarck_advanced.fire.sightlines import cached_survey
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.movement.plot import parse_plot
from combat.rulebooks.bismarck_advanced.movement.speed import SpeedRecord, halves, speed_limits
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.scene_file import Scene
from combat.ships import ShipClass
from tabletop.angles import wrap_180
from tabletop.errors import BadPlot
from tabletop.rules import TableRules
from tabletop.survey import Survey

MOST_ROUNDS = 60
"""Then it is dark."""
OPEN_FIRE_BEYOND_GOAL_YARDS = 4_000.0
"""Much farther off than where they want to be, ammunition is wasted."""
BROADSIDE_DEG = 60.0
"""Off the bow, every turret bears and the range still closes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One segment as played: what was ordered and what came of it."""

    plots: dict[str, MoveOrder]
    move: MoveReport
    moved: Engagement
    seen: Survey
    """The table after the move."""
    report: PhaseReport
    after: Engagement


def battle_from_scene(scene: Scene) -> Engagement:
    """The battle that a scene file sets up: German ships against all others."""
    warships = load_warships()
    combatants = []
    for model in scene.table.models:
        warship = warships.named(scene.ships[model.name].name, model.name)
        combatants.append(
            Combatant(
                vessel=Vessel.fresh(warship, model.name),
                side="German" if warship.nation == "German" else "Allied",
                pose=model.pose,
                base=model.base,
                record=SpeedRecord(warship.movement_factor),
            )
        )
    return Engagement(tuple(combatants))


def play(
    battle: Engagement,
    dice: Dice,
    card: CombatTables,
    rules: TableRules,
    *,
    goal_yards: float,
    most_rounds: int = MOST_ROUNDS,
) -> Iterator[Turn]:
    """Play segment by segment until one side is gone, out of ammunition, or out of daylight."""
    while not battle.is_over and battle.round_number <= most_rounds:
        seen = cached_survey(battle.table, rules)
        plots = {c.name: _plot(battle, c, seen, goal_yards) for c in battle.in_action}
        moved, move_report = move(battle, plots, rules, card)
        seen = cached_survey(moved.table, rules)
        orders = list(_designations(moved, seen, goal_yards + OPEN_FIRE_BEYOND_GOAL_YARDS))
        after, report = resolve_fire_phase(moved, orders, dice, card, rules)
        yield Turn(plots, move_report, moved, seen, report, after)
        battle = after
        if not _anybody_can_fire(battle):
            return


def _anybody_can_fire(battle: Engagement) -> bool:
    """Whether a main gun is left with ammunition: without one, everybody goes home."""
    return any(
        ship.vessel.main_ammunition > 0 and any(turret.can_fire for turret in ship.vessel.turrets)
        for ship in battle.in_action
    )


def _nearest_enemy(battle: Engagement, ship: Combatant, seen: Survey) -> str:
    enemies = [c.name for c in battle.in_action if c.side != ship.side]
    return min(enemies, key=lambda name: seen.summary(ship.name, name).range_yards)


def _plot(battle: Engagement, ship: Combatant, seen: Survey, goal_yards: float) -> MoveOrder:
    check = seen[ship.name, _nearest_enemy(battle, ship, seen)]
    speed = None
    if battle.segment is Segment.INITIAL:
        limits = speed_limits(ship.vessel.warship.ship_class, ship.record)
        # One below full speed aims better (modification 6).
        speed = max(limits.lowest, limits.highest - 1)
        held = ship.record.previous_speed
        if ship.vessel.held_speed_rounds and held is not None and held in limits:
            speed = held
        factors = halves(speed)[0]
    else:
        factors = ship.moving.second_factors if ship.moving else 0
    off_bow = BROADSIDE_DEG if check.range_yards > goal_yards else 90.0
    relative = wrap_180(check.relative_bearing_deg or 0.0)
    # Bring the enemy to the wanted angle on the side where she already is.
    turn_deg = relative - off_bow if relative >= 0 else relative + off_bow
    return MoveOrder(_steer(ship, turn_deg, factors), speed)


def _steer(ship: Combatant, turn_deg: float, factors: int) -> str:
    """The plot nearest to what the captain wants of those that her rudder allows."""
    ship_class = ship.vessel.warship.ship_class
    step = MOVEMENT.turn_deg[MOVEMENT.handling[ship_class].arc_by_mark[""]]
    turns = min(round(abs(turn_deg) / step), factors, 2)
    letter = "R" if turn_deg > 0 else "L"
    straight = str(factors - turns) if factors > turns else ""
    wanted = (letter * turns + straight, str(factors) if factors else "", "L" * factors)
    for plot in wanted:
        try:
            check_rudder(ship.vessel, parse_plot(plot, ship_class))
        except BadPlot:
            continue
        return plot
    return "R" * factors


def _designations(battle: Engagement, seen: Survey, open_fire_yards: float) -> Iterator[FireOrder]:
    for ship in battle.in_action:
        target = _best_target(battle, ship, seen, open_fire_yards)
        if seen.summary(ship.name, target).range_yards > open_fire_yards:
            continue
        for battery in guns_that_bear(battle, seen, ship.name, target):
            yield FireOrder(ship.name, target, battery)


def _best_target(battle: Engagement, ship: Combatant, seen: Survey, open_fire_yards: float) -> str:
    """The nearest capital ship in range, or whoever is nearest."""
    capital = (ShipClass.BATTLESHIP, ShipClass.BATTLE_CRUISER)
    near = [
        c.name
        for c in battle.in_action
        if c.side != ship.side
        and c.vessel.warship.ship_class in capital
        and seen.summary(ship.name, c.name).range_yards <= open_fire_yards
    ]
    if near:
        return min(near, key=lambda name: seen.summary(ship.name, name).range_yards)
    return _nearest_enemy(battle, ship, seen)
