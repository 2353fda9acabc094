"""The movement resolution phases: all ships move, models judged and put in place (56.2, 56.6).

The plots give every ship a place. Where the models on the table stand elsewhere, the referee says
so; what is agreed on then counts, and collisions, smoke and ranges are judged by it. In edition 1 a
short turn ends where its player likes (57.3).
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import (
    ActualMove,
    MoveReport,
    move,
)
from combat.rulebooks.bismarck_advanced.fire.sightlines import cached_survey
from combat.rulebooks.bismarck_advanced.guided_battle.state import (
    AdvancedState,
    LogEntry,
    OpenMove,
)
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.movement.plot import Plot, PlotNote
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import Identity, revealed_by_move
from combat.views import MoveLeg, PlacementView
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.movement import Path
from tabletop.referee import PlacementCheck, referee
from tabletop.rules import TableRules
from tabletop.table import Pose

_FAR_TOLERANCES: Final = 3.0
"""A model is far out of place that is a whole factor off, or so many tolerances of its heading."""


def open_plots(state: AdvancedState, rules: TableRules, combat_tables: CombatTables) -> OpenMove:
    """All plots moved by together: where each leads."""
    orders = {
        ship.name: state.plots[ship.name]
        for ship in state.engagement.in_action
        if ship.name in state.plots
    }
    moved, report = move(state.engagement, orders, rules, combat_tables)
    return OpenMove(orders, moved, report)


def logged(state: AdvancedState, move: OpenMove) -> tuple[LogEntry, ...]:
    """The log with the plots of the present segment, in the place of any that it had."""
    before = tuple(each for each in state.log if each.phase != state.phase)
    return (*before, *(_log_entry(ship.name, state, move) for ship in state.engagement.in_action))


def _log_entry(ship: str, state: AdvancedState, move: OpenMove) -> LogEntry:
    order, plot = move.orders[ship], move.report.plots[ship]
    return LogEntry(
        ship=ship,
        phase=state.phase,
        speed=state.engagement[ship].speed if order.speed is None else order.speed,
        notation=str(plot),
        follows=(order.follows or "") if plot.follows else None,
        evolution=move.moved[ship].evolution,
        smoke_cover=PlotNote.SMOKE_COVER in plot.notes,
        smoke_front=order.smoke_side if PlotNote.SMOKE_FRONT in plot.notes else None,
    )


def judge(move: OpenMove, poses: Mapping[str, Pose]) -> dict[str, PlacementCheck]:
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


def move_legs(plot: Plot, path: Path) -> tuple[MoveLeg, ...]:
    """The parts of a move as a player measures them off, order by order."""
    if plot.follows:
        steps = [step for step in path.steps if step.length_yards or abs(step.angle_deg) >= 0.5]
        return tuple(MoveLeg("", step.length_yards, step.angle_deg) for step in steps)
    return tuple(
        MoveLeg(str(order), step.length_yards, step.angle_deg)
        for order, step in zip(plot.orders, path.steps, strict=True)
    )


def standing(name: str, ruling: PlacementCheck, *, sealed: bool) -> PlacementView:
    """A ruling as pages show it; where a plot is sealed, only whether her model is in its place."""
    far = not ruling.in_place and (
        ruling.off_yards > MOVEMENT.factor_yards
        or abs(ruling.off_heading_deg) > _FAR_TOLERANCES * MOVEMENT.heading_tolerance_deg
    )
    if sealed:
        return PlacementView(ship=name, in_place=ruling.in_place, far=far)
    return PlacementView(
        ship=name,
        in_place=ruling.in_place,
        far=far,
        doubtful=ruling.by_benefit_of_doubt,
        why=ruling.why,
        plotted=ruling.expected,
        off_yards=ruling.off_yards,
        off_heading_deg=ruling.off_heading_deg,
    )


def refuse_differences(
    rulings: Mapping[str, PlacementCheck], accepted: frozenset[str], sealed: Collection[str]
) -> dict[str, Message]:
    """What is out of place and accepted; a DreyerError for the first that is not.

    Of ships whose plots are `sealed` it does not say where they were plotted.
    """
    wrong = {name: ruling.why for name, ruling in rulings.items() if not ruling.in_place}
    for name, why in wrong.items():
        if name not in accepted and name in sealed:
            raise DreyerError("advanced.order.not_as_plotted", ship=ShipRef(name))
        if name not in accepted:
            raise DreyerError("advanced.order.out_of_place", ship=ShipRef(name), why=why)
    return wrong


def settle(
    before: Engagement,
    opened: OpenMove,
    poses: Mapping[str, Pose],
    rulings: Mapping[str, PlacementCheck],
    rules: TableRules,
    combat_tables: CombatTables,
) -> tuple[Engagement, MoveReport]:
    """The battle with the models where they stand, and all that follows from it judged anew."""
    if not poses:
        return opened.moved, opened.report
    placed = {name: ActualMove(poses[name], ruling.steps) for name, ruling in rulings.items()}
    return move(before, opened.orders, rules, combat_tables, placed=placed)


def collided_pairs(report: MoveReport) -> list[tuple[str, str]]:
    """Ships that have run into each other (59)."""
    return [(clash.first, clash.second) for clash in report.collisions if clash.collided]


def turned_up_by_move(
    state: AdvancedState, moved: Engagement, rules: TableRules, edition: Edition
) -> dict[str, Identity]:
    """67.12: hidden ships that have come into a nearer range segment of an enemy."""
    hidden = [name for name, identity in state.identities.items() if identity.is_hidden]
    if not hidden:
        return {}
    before = state.engagement
    seen, all_moved = cached_survey(before.table, rules), cached_survey(moved.table, rules)
    turned = {}
    for ship in moved.in_action:
        if ship.name not in hidden:
            continue
        sees = all_moved
        if edition.closing_move_is_her_own:
            alone = replace(before[ship.name], pose=ship.pose)
            sees = cached_survey(before.with_combatants({ship.name: alone}).table, rules)
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
