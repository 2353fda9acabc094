"""The movement phases: plots checked, torpedoes launched, ships moved, smoke laid (56.1, 56.2)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import rounds_outside
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.fire.sightlines import cached_survey
from combat.rulebooks.bismarck_advanced.fire.torpedoes import Salvo, launch
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault, Vessel
from combat.rulebooks.bismarck_advanced.movement.evolution import read_evolution
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.movement.plot import (
    Order,
    Plot,
    PlotNote,
    StraightMove,
    TurnSide,
    parse_plot,
)
from combat.rulebooks.bismarck_advanced.movement.smoke import SmokeSide, lay_front
from combat.rulebooks.bismarck_advanced.movement.speed import (
    RoundSpeed,
    after_collision,
    begin_round,
    check_factors,
    speed_limits,
)
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.tables import TableSet
from tabletop.collision import CollisionCheck, collisions
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.movement import Path, Step, following
from tabletop.rules import TableRules
from tabletop.table import Pose


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """A player's order for one ship in a movement plot phase (57.51)."""

    plot: str
    speed: int | None = None
    """For the whole round; written with the first segment's plot only (56.1, 58.2)."""
    follows: str | None = None
    """The ship ahead, if the plot says to follow (57.7)."""
    torpedo_target: str | None = None
    """The target of her torpedoes, if she fires them (69.4)."""
    smoke_side: SmokeSide = SmokeSide.STARBOARD
    """The side of the smoke front's markers (67.65)."""


@dataclass(frozen=True, slots=True)
class ActualMove:
    """A model that is not exactly where its plot ends, and the steps that lead there."""

    pose: Pose
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class MoveReport:
    """The results of a movement phase."""

    plots: Mapping[str, Plot]
    paths: Mapping[str, Path]
    launched: tuple[Salvo, ...]
    collisions: tuple[CollisionCheck, ...]


def move(
    battle: Engagement,
    orders: Mapping[str, MoveOrder],
    rules: TableRules,
    combat_tables: CombatTables,
    *,
    placed: Mapping[str, ActualMove] | None = None,
) -> tuple[Engagement, MoveReport]:
    """Move every ship as plotted: leaders first, then followers.

    Models in `placed` are taken where they stand for collisions, smoke and ranges.
    """
    placed = placed or {}
    for name in orders:
        battle[name]
    plots: dict[str, Plot] = {}
    moving: dict[str, RoundSpeed] = {}
    for ship in battle.in_action:
        if ship.name not in orders:
            raise DreyerError("advanced.move.no_plot", ship=ShipRef(ship.name))
        order = orders[ship.name]
        moving[ship.name] = _speed_of(battle, ship, order)
        ship_class = ship.vessel.warship.ship_class
        plots[ship.name] = parse_plot(order.plot, ship_class, combat_tables.edition)
        check_factors(plots[ship.name], moving[ship.name].factors(battle.segment))
        check_rudder(ship.vessel, plots[ship.name])

    launched_from, launched = _launch(battle, orders, rules, combat_tables.tables)
    paths: dict[str, Path] = {}
    for ship in battle.in_action:
        _run(ship.name, battle, orders, plots, moving, paths)
    moved = launched_from.with_combatants(
        {
            ship.name: _moved(ship, plots[ship.name], paths[ship.name], moving[ship.name])
            for ship in launched_from.in_action
        }
    )
    paths |= {name: Path(paths[name].start, model.steps) for name, model in placed.items()}
    moved = moved.with_combatants(
        {
            name: replace(moved[name], pose=model.pose, track=paths[name])
            for name, model in placed.items()
        }
    )
    moved = _with_smoke(moved, orders, plots, paths, placed)
    clashes = collisions(moved.table, MOVEMENT.marker_diameter_yards)
    collided = {name for clash in clashes if clash.collided for name in (clash.first, clash.second)}
    slowed = {
        name: replace(moved[name], moving=after_collision(moving[name], battle.segment))
        for name in collided
    }
    moved = _count_rounds_outside(moved.with_combatants(slowed), rules)
    return moved, MoveReport(plots, paths, launched, clashes)


def check_rudder(vessel: Vessel, plot: Plot) -> None:
    """Raise if her damaged rudder or conning tower does not allow a plot (64.72)."""
    if plot.follows:
        if vessel.helm or vessel.steady_for_phases:
            reason = Message("advanced.plot.cannot_follow", ship=ShipRef(vessel.name))
            raise BadPlot(plot.text, 0, reason, "64.72")
        return
    if not vessel.helm and not vessel.steady_for_phases:
        return
    hard_over = {
        RudderFault.HARD_TO_PORT: TurnSide.LEFT,
        RudderFault.HARD_TO_STARBOARD: TurnSide.RIGHT,
    }
    jammed = [hard_over[fault] for fault in vessel.helm if fault in hard_over]
    for order in plot.orders:
        why = _why_not(vessel, order, jammed)
        if why is not None:
            raise BadPlot(plot.text, order.position, why, "64.72")


def _why_not(vessel: Vessel, order: Order, jammed: list[TurnSide]) -> Message | None:
    """Why a damaged ship cannot execute an order; None if she can."""
    ship = ShipRef(vessel.name)
    # A rudder jammed to both sides by two hits keeps her straight.
    hard = jammed[0] if len(jammed) == 1 else None
    if isinstance(order, StraightMove):
        return Message("advanced.plot.not_straight", ship=ship, turn=hard) if hard else None
    if hard:
        # A jammed rudder turns her regardless of other damage.
        return None if order.side is hard else Message("advanced.plot.jammed", ship=ship)
    if vessel.steady_for_phases or RudderFault.NO_TURNS in vessel.helm or len(jammed) > 1:
        return Message("advanced.plot.no_turns", ship=ship)
    barred = RudderFault.NO_PORT if order.side is TurnSide.LEFT else RudderFault.NO_STARBOARD
    return Message("advanced.plot.not_that_way", ship=ship) if barred in vessel.helm else None


def _speed_of(battle: Engagement, ship: Combatant, order: MoveOrder) -> RoundSpeed:
    if battle.segment is Segment.SECOND:
        if ship.moving is None:
            raise DreyerError("advanced.move.no_speed", ship=ShipRef(ship.name))
        return ship.moving
    if order.speed is None:
        raise DreyerError("advanced.move.speed_wanted", ship=ShipRef(ship.name))
    ship_class, held = ship.vessel.warship.ship_class, ship.record.previous_speed
    # Damage may force her to slow down nevertheless (58.6).
    if (
        ship.vessel.held_speed_rounds
        and held is not None
        and order.speed != held
        and held in speed_limits(ship_class, ship.record)
    ):
        raise DreyerError("advanced.move.speed_held", ship=ShipRef(ship.name), speed=held)
    return begin_round(ship_class, ship.record, order.speed)


def _launch(
    battle: Engagement, orders: Mapping[str, MoveOrder], rules: TableRules, tables: TableSet
) -> tuple[Engagement, tuple[Salvo, ...]]:
    """69.4, 69.5: torpedoes are launched from the ships' places before the move."""
    launchers = [ship for ship in battle.in_action if orders[ship.name].torpedo_target is not None]
    if not launchers:
        return battle, ()
    seen = cached_survey(battle.table, rules)
    salvos, changed = [], {}
    for ship in launchers:
        target = battle[orders[ship.name].torpedo_target or ""]
        check = seen[ship.name, target.name]
        vessel, salvo = launch(
            ship.vessel,
            target.vessel,
            ship.pose,
            check.range_yards,
            battle.phase,
            tables,
            blocked=check.blocked,
        )
        salvos.append(salvo)
        changed[ship.name] = replace(ship, vessel=vessel)
    battle = replace(battle.with_combatants(changed), salvos=(*battle.salvos, *salvos))
    return battle, tuple(salvos)


def _run(
    name: str,
    battle: Engagement,
    orders: Mapping[str, MoveOrder],
    plots: Mapping[str, Plot],
    moving: Mapping[str, RoundSpeed],
    paths: dict[str, Path],
    waiting: tuple[str, ...] = (),
) -> Path:
    """The path of a ship; a follower's needs that of the ship ahead first (57.7)."""
    if name in paths:
        return paths[name]
    ship, plot = battle[name], plots[name]
    if not plot.follows:
        paths[name] = Path(ship.pose, plot.steps())
        return paths[name]
    ahead = orders[name].follows
    if ahead is None or ahead == name or ahead in waiting:
        raise DreyerError("advanced.move.nobody_ahead", ship=ShipRef(name))
    if ahead not in plots:
        raise DreyerError("advanced.move.leader_gone", ship=ShipRef(name), ahead=ShipRef(ahead))
    lead_path = _run(ahead, battle, orders, plots, moving, paths, (*waiting, name))
    # The track begins where the leader was in the previous segment.
    track = battle[ahead].track
    paths[name] = following(
        ship.pose,
        track.then(lead_path.steps) if track else lead_path,
        moving[name].factors(battle.segment) * MOVEMENT.factor_yards,
        off_track_yards=MOVEMENT.off_track_yards,
    )
    return paths[name]


def _moved(ship: Combatant, plot: Plot, path: Path, moving: RoundSpeed) -> Combatant:
    vessel = ship.vessel
    if vessel.steady_for_phases:
        vessel = replace(vessel, steady_for_phases=vessel.steady_for_phases - 1)
    return replace(
        ship,
        vessel=vessel,
        pose=path.end,
        track=path,
        moving=moving,
        evolution=read_evolution(path.steps, chase=PlotNote.CHASE in plot.notes).evolution,
    )


def _with_smoke(
    battle: Engagement,
    orders: Mapping[str, MoveOrder],
    plots: Mapping[str, Plot],
    paths: Mapping[str, Path],
    placed: Mapping[str, ActualMove],
) -> Engagement:
    smoke = battle.smoke
    for ship in battle.in_action:
        notes = plots[ship.name].notes
        if PlotNote.SMOKE_COVER in notes:
            smoke = smoke.with_cover(ship.name, battle.phase)
        if PlotNote.SMOKE_FRONT in notes:
            side = orders[ship.name].smoke_side
            front = lay_front(ship.name, paths[ship.name], ship.base, side, battle.phase)
            if ship.name in placed:
                # The second marker is placed beside the model where it stands (67.65).
                away = lay_front(ship.name, Path(ship.pose), ship.base, side, battle.phase).front
                ends = replace(front.front, x2_yards=away.x2_yards, y2_yards=away.y2_yards)
                front = replace(front, front=ends)
            smoke = smoke.with_front(front)
    return replace(battle, smoke=smoke)


def _count_rounds_outside(battle: Engagement, rules: TableRules) -> Engagement:
    """66: after a round's second move, count the ships that stayed outside the starting range."""
    seen = cached_survey(battle.table, rules)
    changed = {}
    for ship in battle.in_action:
        summaries = (seen.summary(ship.name, enemy.name) for enemy in battle.enemies_of(ship))
        ranges = (summary.range_yards for summary in summaries)
        outside = rounds_outside(0, ranges, battle.starting_range_yards) > 0
        came_inside = not outside
        rounds = ship.rounds_outside
        if battle.segment is Segment.SECOND:
            rounds = rounds + 1 if outside and not ship.came_inside else 0
            came_inside = False
        if (rounds, came_inside) != (ship.rounds_outside, ship.came_inside):
            changed[ship.name] = replace(ship, rounds_outside=rounds, came_inside=came_inside)
    return battle.with_combatants(changed)
