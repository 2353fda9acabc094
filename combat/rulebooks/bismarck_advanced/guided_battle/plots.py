"""The movement plot phases: plots checked as they are typed, drafted and committed (56.1, 56.5).

`maneuver.move` has the last word; what is checked here, fault by fault, is what it would refuse.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from combat.previews import Forbidden, Line
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import (
    MoveOrder,
    MoveReport,
    check_rudder,
    move,
)
from combat.rulebooks.bismarck_advanced.fire.sightlines import surveyed
from combat.rulebooks.bismarck_advanced.fire.torpedoes import launch
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.movement.plot import FOLLOW, Note, Plot, parse_plot
from combat.rulebooks.bismarck_advanced.movement.speed import (
    RoundSpeed,
    begin_round,
    check_factors,
    speed_limits,
)
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.tables import TableSet
from combat.views import Fault, PlotCheck, SpeedChoice
from tabletop.errors import BadPlot, DreyerError
from tabletop.movement import Path, Turn
from tabletop.rules import TableRules
from tabletop.table import Pose

SPACING_YARDS: Final = 75.0
"""How finely a path is drawn: a quarter of a movement factor."""
_RULE: Final = re.compile(r"\((\d[\d., –]*)\)")


def rule_in(text: str) -> str:
    """The rule that a message cites, the last where it cites several."""
    cited = _RULE.findall(text)
    return cited[-1] if cited else ""


def open_speeds(battle: Engagement, ship: Combatant) -> SpeedChoice:
    """What speeds a ship may write down now, with the reasons (58)."""
    if battle.segment is Segment.SECOND:
        why = "the speed is written with a round's first plot (58.2)"
        return SpeedChoice(ship.speed, ship.speed, why, why, fixed=True)
    limits = speed_limits(ship.vessel.warship.ship_class, ship.record)
    held = ship.record.previous_speed
    if ship.vessel.held_speed_rounds and held is not None and held in limits:
        why = f"her conning tower is hit: she keeps her speed of {held} in this round (64.72)"
        return SpeedChoice(held, held, why, why)
    lowest_reason, highest_reason = str(limits.lowest_reason), str(limits.highest_reason)
    return SpeedChoice(limits.lowest, limits.highest, lowest_reason, highest_reason)


class PlotChecker:
    """Checks one ship's plot against the battle and what else her side has drafted."""

    def __init__(
        self,
        state: AdvancedState,
        ship: Combatant,
        order: MoveOrder,
        rules: TableRules,
        tables: TableSet,
    ) -> None:
        self._battle, self._ship, self._order = state.engagement, ship, order
        self._drafts: Mapping[str, MoveOrder] = {**state.plots, ship.name: order}
        self._rules, self._tables = rules, tables
        self._speeds = open_speeds(self._battle, ship)
        self.faults: list[Fault] = []
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
        )

    def _allowed(self, moving: RoundSpeed | None) -> int | None:
        return None if moving is None else moving.factors(self._battle.segment)

    def _fault(self, field: str, error: DreyerError | str) -> None:
        text, position = str(error), None
        if isinstance(error, BadPlot):
            text, position = error.reason, error.position
        elif isinstance(error, Forbidden):
            text = error.reason
            self.faults.append(Fault(field, text, error.rule))
            return
        self.faults.append(Fault(field, text, rule_in(text), position))

    def _moving(self) -> RoundSpeed | None:
        speed, ship, open_to_her = self._order.speed, self._ship, self._speeds
        if self._battle.segment is Segment.SECOND:
            if speed is not None and speed != ship.speed:
                self._fault(
                    "speed",
                    f"her speed in this round is {ship.speed}: it is written with the first plot "
                    "and cannot be changed now (58.2)",
                )
            if ship.moving is None:
                # She has come back into the battle by the umpire's word, who owes her a speed.
                self._fault("speed", "she has none in this round: the umpire sets it (58.2)")
            return ship.moving
        if speed is None:
            self._fault("speed", "a speed is written with the first plot of a round (58.2)")
            return None
        if open_to_her.lowest == open_to_her.highest != speed:
            self._fault(
                "speed",
                f"speed {speed}: only {open_to_her.lowest} is open to her: "
                f"{open_to_her.highest_reason}",
            )
            return None
        try:
            return begin_round(ship.vessel.warship.ship_class, ship.record, speed)
        except DreyerError as error:
            self._fault("speed", error)
            return None

    def _plot(self, allowed: int | None) -> Plot | None:
        vessel = self._ship.vessel
        try:
            plot = parse_plot(self._order.plot, vessel.warship.ship_class)
        except BadPlot as error:
            self._fault("notation", error)
            return None
        if allowed is not None:
            try:
                check_factors(plot, allowed)
            except BadPlot as error:
                self._fault("notation", error)
        try:
            check_rudder(vessel, plot)
        except BadPlot as error:
            self._fault("notation", error)
        if self._order.follows is not None and not plot.follows:
            self._fault("follows", f"write {FOLLOW} in the plot, or name no ship ahead (57.7)")
        return plot

    def _path(self, plot: Plot, moving: RoundSpeed | None) -> Path | None:
        if not plot.follows:
            return Path(self._ship.pose, plot.steps())
        fault = self._why_not_follow()
        if fault:
            self._fault("follows", fault)
        if self.faults or moving is None:
            return None
        column = list(self._column())
        leader = next((name for name in column if name not in self._drafts), None)
        if leader is not None:
            self._notes.append(Line(f"her way is known once {leader} has her plot", "57.7"))
            return None
        try:
            _, report = _trial(self._battle, column, self._drafts, self._rules, self._tables)
        except DreyerError as error:
            self._fault("follows", error if rule_in(str(error)) else f"{error} (57.7)")
            return None
        return report.paths[self._ship.name]

    def _why_not_follow(self) -> str:
        ahead = self._order.follows
        if ahead is None:
            return "name the ship ahead whom she follows (57.7)"
        if ahead == self._ship.name or ahead not in [c.name for c in self._battle.in_action]:
            return "she can follow another ship in action only (57.7)"
        if self._battle[ahead].side != self._ship.side:
            return "she can follow a ship of her own side only (57.7)"
        column = list(self._column())
        if column and self._drafts.get(column[-1], MoveOrder("")).follows in column:
            return "the ships follow each other in a circle: one must lead (57.7)"
        return ""

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
            note = torpedo_note(self._battle, self._ship, target, self._rules, self._tables)
        except Forbidden as error:
            self._fault("torpedo", error)
        else:
            self._notes.append(note)

    def _note(self, plot: Plot, path: Path | None) -> None:
        if not plot.follows:
            self._notes.append(Line(plot.reading.why, "67.3"))
        if Note.SMOKE_COVER in plot.notes:
            self._notes.append(Line("smoke cover: +8 to fire at her, +15 to her own", "67.64"))
        if Note.SMOKE_FRONT in plot.notes:
            short = "; she does not move, so it is no more than a point" if (
                path is not None and not path.length_yards
            ) else ""  # fmt: skip
            side = self._order.smoke_side
            self._notes.append(
                Line(f"smoke front to {side}, for two combat phases{short}", "67.65")
            )


def torpedo_note(
    battle: Engagement, ship: Combatant, target_name: str, rules: TableRules, tables: TableSet
) -> Line:
    """When her torpedoes would be due; or Forbidden, with the reason (69.1)."""
    if target_name not in [c.name for c in battle.in_action]:
        raise Forbidden(f"{target_name} is no longer in action", "69.1")
    target = battle[target_name]
    if battle.are_friends(target.side, ship.side):
        raise Forbidden(f"{ship.name} and {target.name} are on one side", "69.1")
    check = surveyed(battle.table, rules)[ship.name, target.name]
    _, salvo = launch(
        ship.vessel,
        target.vessel,
        ship.pose,
        check.range_yards,
        battle.phase,
        tables,
        blocked=check.blocked,
    )
    return Line(
        f"{salvo.torpedoes} torpedoes at {target.name}, {salvo.range_yards:,.0f} yards: "
        f"due in {salvo.due}",
        "69.4",
    )


def check_commitment(state: AdvancedState, side: str, rules: TableRules, tables: TableSet) -> None:
    """Refuse a side's plots while one is missing, or cannot be followed any more.

    Each of them was checked when it was written; but a column runs in its leader's wake, and the
    leader may have been given another plot since.
    """
    names = [ship.name for ship in state.fleet(side)]
    for name in names:
        if name not in state.plots:
            raise DreyerError(f"{name} has no movement plot for this segment (56.1)")
    if any(state.plots[name].follows for name in names):
        _trial(state.engagement, names, state.plots, rules, tables)


def _trial(
    battle: Engagement,
    names: list[str],
    drafts: Mapping[str, MoveOrder],
    rules: TableRules,
    tables: TableSet,
) -> tuple[Engagement, MoveReport]:
    """The move of some ships as if they were alone; torpedoes are looked at on their own."""
    alone = replace(battle, combatants=tuple(c for c in battle.combatants if c.name in names))
    orders = {name: replace(drafts[name], torpedo_target=None) for name in names}
    return move(alone, orders, rules, tables)


def _shortest_end(path: Path) -> Pose | None:
    steps = tuple(
        step.part(step.least_fraction) if isinstance(step, Turn) and step.is_open_ended else step
        for step in path.steps
    )
    return Path(path.start, steps).end if steps != path.steps else None
