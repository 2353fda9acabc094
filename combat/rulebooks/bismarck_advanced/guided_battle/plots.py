"""The movement plot phases: plots checked as they are typed, drafted and committed (56.1, 56.5).

`movement_phase.move` has the last word; what is checked here, fault by fault, is what it would
refuse.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from combat.previews import Forbidden, Line
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import (
    MoveOrder,
    MoveReport,
    check_rudder,
    move,
)
from combat.rulebooks.bismarck_advanced.fire.sightlines import cached_survey
from combat.rulebooks.bismarck_advanced.fire.torpedoes import launch
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.movement.plot import (
    FOLLOW,
    Helm,
    Plot,
    PlotNote,
    parse_plot,
)
from combat.rulebooks.bismarck_advanced.movement.speed import (
    BadSpeed,
    RoundSpeed,
    begin_round,
    check_factors,
    speed_limits,
)
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.tables import TableSet
from combat.views import DraftFault, PlotCheck, SpeedChoice
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.movement import Path, Turn
from tabletop.rules import TableRules
from tabletop.table import Pose

SPACING_YARDS: Final = 75.0
"""How finely a path is drawn: a quarter of a movement factor."""


def open_speeds(battle: Engagement, ship: Combatant) -> SpeedChoice:
    """What speeds a ship may write down now, with the reasons (58)."""
    if battle.segment is Segment.SECOND:
        why = Message("advanced.round_speed.written_before")
        return SpeedChoice(ship.speed, ship.speed, why, why, fixed=True)
    held = _held_speed(ship)
    if held is not None:
        why = Message("advanced.round_speed.held", speed=held)
        return SpeedChoice(held, held, why, why)
    limits = speed_limits(ship.vessel.warship.ship_class, ship.record)
    return SpeedChoice(
        limits.lowest,
        limits.highest,
        limits.lowest_reason.message,
        limits.highest_reason.message,
    )


def _held_speed(ship: Combatant) -> int | None:
    """The speed that a hit on her conning tower has her keep in this round (64.72)."""
    held = ship.record.previous_speed
    if not ship.vessel.held_speed_rounds or held is None:
        return None
    return held if held in speed_limits(ship.vessel.warship.ship_class, ship.record) else None


class PlotChecker:
    """Checks one ship's plot against the battle and what else her side has drafted."""

    def __init__(
        self,
        state: AdvancedState,
        ship: Combatant,
        order: MoveOrder,
        rules: TableRules,
        combat_tables: CombatTables,
    ) -> None:
        self._battle, self._ship, self._order = state.engagement, ship, order
        self._drafts: Mapping[str, MoveOrder] = {**state.plots, ship.name: order}
        self._rules, self._combat_tables = rules, combat_tables
        self._speeds = open_speeds(self._battle, ship)
        self.faults: list[DraftFault] = []
        self._notes: list[Line] = []

    def judge(self) -> tuple[RoundSpeed | None, Plot | None, Path | None]:
        """Find all that is wrong with the plot: her speed, orders and path as far as they go."""
        moving = self._moving()
        plot = self._plot(self._allowed(moving))
        path = None if plot is None else self._path(plot, moving)
        self._check_torpedoes()
        return moving, plot, path

    def check(self) -> PlotCheck:
        """The plot as it stands, with all that is wrong with it, and as it is drawn."""
        moving, plot, path = self.judge()
        if plot is not None:
            self._note(plot, path)
        ends = (None, None) if path is None else (path.end, _shortest_end(path))
        return PlotCheck(
            ship=self._ship.name,
            faults=tuple(self.faults),
            points=() if path is None else path.polyline(SPACING_YARDS),
            end=ends[0],
            shortest_end=ends[1],
            factors_used=None if plot is None else plot.factors,
            factors_allowed=self._allowed(moving),
            speed=None if moving is None else moving.speed,
            speeds=self._speeds,
            notes=tuple(self._notes),
            factor_ends=() if path is None or plot is None else tuple(_factor_ends(plot, path)),
        )

    def _allowed(self, moving: RoundSpeed | None) -> int | None:
        return None if moving is None else moving.factors(self._battle.segment)

    def _fault(self, field: str, message: Message, rule: str) -> None:
        self.faults.append(DraftFault(field, message, rule, cited=True))

    def _refused(self, field: str, error: DreyerError) -> None:
        """What the rules say against the plot."""
        match error:
            case BadPlot():
                fault = DraftFault(field, error.reason, error.rule, error.position, cited=True)
            case Forbidden():
                fault = DraftFault(field, error.reason, error.rule)
            case BadSpeed():
                fault = DraftFault(
                    field, error.message, error.limits.highest_reason.rule, cited=True
                )
            case _:
                fault = DraftFault(field, error.message, "57.7", cited=True)
        self.faults.append(fault)

    def _moving(self) -> RoundSpeed | None:
        speed, ship = self._order.speed, self._ship
        if self._battle.segment is Segment.SECOND:
            if speed is not None and speed != ship.speed:
                self._fault("speed", Message("advanced.round_speed.set", speed=ship.speed), "58.2")
            if ship.moving is None:
                # She has come back into the battle by the umpire's word, who owes her a speed.
                self._fault("speed", Message("advanced.round_speed.none"), "58.2")
            return ship.moving
        if speed is None:
            self._fault("speed", Message("advanced.round_speed.missing"), "58.2")
            return None
        held = _held_speed(ship)
        if held not in (None, speed):
            only = Message("advanced.round_speed.only_held", speed=speed, held=held)
            self._fault("speed", only, "64.72")
            return None
        try:
            return begin_round(ship.vessel.warship.ship_class, ship.record, speed)
        except DreyerError as error:
            self._refused("speed", error)
            return None

    def _plot(self, allowed: int | None) -> Plot | None:
        vessel = self._ship.vessel
        try:
            plot = parse_plot(
                self._order.plot, vessel.warship.ship_class, self._combat_tables.edition
            )
        except BadPlot as error:
            self._refused("notation", error)
            return None
        if allowed is not None:
            try:
                check_factors(plot, allowed)
            except BadPlot as error:
                self._refused("notation", error)
        try:
            check_rudder(vessel, plot)
        except BadPlot as error:
            self._refused("notation", error)
        if self._order.follows is not None and not plot.follows:
            self._fault("follows", Message("advanced.follow.not_written", follow=FOLLOW), "57.7")
        return plot

    def _path(self, plot: Plot, moving: RoundSpeed | None) -> Path | None:
        if not plot.follows:
            return Path(self._ship.pose, plot.steps())
        fault = self._why_not_follow()
        if fault is not None:
            self._fault("follows", fault, "57.7")
        if self.faults or moving is None:
            return None
        column = list(self._column())
        leader = next((name for name in column if name not in self._drafts), None)
        if leader is not None:
            self._notes.append(Line(Message("advanced.follow.waits", ship=ShipRef(leader)), "57.7"))
            return None
        try:
            _, report = _trial(self._battle, column, self._drafts, self._rules, self._combat_tables)
        except DreyerError as error:
            self._refused("follows", error)
            return None
        return report.paths[self._ship.name]

    def _why_not_follow(self) -> Message | None:
        ahead = self._order.follows
        if ahead is None:
            return Message("advanced.follow.nobody")
        if ahead == self._ship.name or ahead not in [c.name for c in self._battle.in_action]:
            return Message("advanced.follow.not_in_action")
        if self._battle[ahead].side != self._ship.side:
            return Message("advanced.follow.other_side")
        column = list(self._column())
        if column and self._drafts.get(column[-1], MoveOrder("")).follows in column:
            return Message("advanced.follow.circle")
        return None

    def _column(self) -> Iterator[str]:
        """She, and the ships ahead of her as far as they are known."""
        name: str | None = self._ship.name
        seen: list[str] = []
        while name is not None and name not in seen:
            seen.append(name)
            yield name
            draft = self._drafts.get(name)
            name = None if draft is None else draft.follows

    def _check_torpedoes(self) -> None:
        target = self._order.torpedo_target
        if target is None:
            return
        try:
            tables = self._combat_tables.tables
            note = torpedo_note(self._battle, self._ship, target, self._rules, tables)
        except Forbidden as error:
            self._refused("torpedo", error)
        else:
            self._notes.append(note)

    def _note(self, plot: Plot, path: Path | None) -> None:
        if not plot.follows:
            self._notes += _short_turns(plot)
            self._notes.append(Line(plot.reading.why, "67.3"))
        if PlotNote.SMOKE_COVER in plot.notes:
            self._notes.append(Line(Message("advanced.draft.smoke_cover"), "67.64"))
        if PlotNote.SMOKE_FRONT in plot.notes:
            side = self._order.smoke_side
            front = Message(f"advanced.draft.smoke_front.{side}")
            if path is not None and not path.length_yards:
                front = Message(f"advanced.draft.smoke_point.{side}")
            self._notes.append(Line(front, "67.65"))


def torpedo_note(
    battle: Engagement, ship: Combatant, target_name: str, rules: TableRules, tables: TableSet
) -> Line:
    """When her torpedoes would be due; or Forbidden, with the reason (69.1)."""
    if target_name not in [c.name for c in battle.in_action]:
        raise Forbidden(Message("advanced.order.not_in_action", ship=ShipRef(target_name)), "69.1")
    target = battle[target_name]
    if battle.are_friends(target.side, ship.side):
        friends = Message(
            "advanced.order.friends", ship=ShipRef(ship.name), target=ShipRef(target.name)
        )
        raise Forbidden(friends, "69.1")
    check = cached_survey(battle.table, rules)[ship.name, target.name]
    _, salvo = launch(
        ship.vessel,
        target.vessel,
        ship.pose,
        check.range_yards,
        battle.phase,
        tables,
        blocked=check.blocked,
    )
    note = Message(
        "advanced.draft.torpedoes",
        torpedoes=salvo.torpedoes,
        target=ShipRef(target.name),
        range_yards=salvo.range_yards,
        due=salvo.due.message,
    )
    return Line(note, "69.4")


def check_commitment(
    state: AdvancedState, side: str, rules: TableRules, combat_tables: CombatTables
) -> None:
    """Refuse a side's plots while one is missing, or cannot be followed any more.

    Each of them was checked when it was written; but a column runs in its leader's wake, and the
    leader may have been given another plot since.
    """
    names = [ship.name for ship in state.fleet(side)]
    for name in names:
        if name not in state.plots:
            raise DreyerError("advanced.draft.missing", ship=ShipRef(name))
    if any(state.plots[name].follows for name in names):
        _trial(state.engagement, names, state.plots, rules, combat_tables)


def _trial(
    battle: Engagement,
    names: list[str],
    drafts: Mapping[str, MoveOrder],
    rules: TableRules,
    combat_tables: CombatTables,
) -> tuple[Engagement, MoveReport]:
    """The move of some ships as if they were alone; torpedoes are looked at on their own."""
    alone = replace(battle, combatants=tuple(c for c in battle.combatants if c.name in names))
    orders = {name: replace(drafts[name], torpedo_target=None) for name in names}
    return move(alone, orders, rules, combat_tables)


def _short_turns(plot: Plot) -> Iterator[Line]:
    """How far each short turn turns (57.3)."""
    for order, step in zip(plot.orders, plot.steps(), strict=True):
        if isinstance(order, Helm) and order.amount is not None:
            note = Message(
                "advanced.draft.short_turn",
                turn=str(order),
                degrees=abs(step.angle_deg),
                yards=step.length_yards,
            )
            yield Line(note, "57.3")


def _factor_ends(plot: Plot, path: Path) -> Iterator[tuple[float, float]]:
    """The ends of the factors along the path; a short turn's is where it stops (58.4)."""
    if plot.follows:
        return
    passed_yards = 0.0
    for order, step in zip(plot.orders, path.steps, strict=True):
        for number in range(1, order.factors + 1):
            pose = path.pose_at(passed_yards + step.length_yards * number / order.factors)
            yield pose.x_yards, pose.y_yards
        passed_yards += step.length_yards


def _shortest_end(path: Path) -> Pose | None:
    steps = tuple(
        step.part(step.least_fraction) if isinstance(step, Turn) and step.is_open_ended else step
        for step in path.steps
    )
    return Path(path.start, steps).end if steps != path.steps else None
