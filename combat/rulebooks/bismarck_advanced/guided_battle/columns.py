"""Columns: who follows whom by default, at what distance, and a plot for the whole column (57.7).

A ship that followed another in the segment before does so again. Before anybody has moved, ships
are in column where they stand in line, about as close as 55.111 has it, and later where they also
wrote the same plot. Nobody has to: a column is what a page proposes.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder
from combat.rulebooks.bismarck_advanced.guided_battle.plots import PlotChecker, open_speeds
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState, LogEntry
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.movement.plot import FOLLOW, Plot, StraightMove, parse_plot
from combat.views import ColumnPlace, PlotCheck, PlotView
from tabletop.angles import wrap_180
from tabletop.errors import BadPlot
from tabletop.rules import TableRules

_SAME_HEADING_DEG: Final = 15.0
"""55.113 has a formation head in one direction; models are placed by hand."""
_ASTERN_DEG: Final = 25.0
_FARTHEST_INTERVALS: Final = 1.5
"""A column is closed up when it is placed (55.111), but not any more in the battle (55.12)."""


def columns(state: AdvancedState, side: str) -> tuple[tuple[str, ...], ...]:
    """The columns of a side, each from its leader on; a ship alone is a column of her own."""
    fleet = state.fleet(side)
    ahead_of = _ahead(state, fleet)
    behind = {ahead: name for name, ahead in ahead_of.items()}
    found = []
    for ship in fleet:
        if ship.name in ahead_of:
            continue
        column, name = [ship.name], behind.get(ship.name)
        while name is not None:
            column.append(name)
            name = behind.get(name)
        found.append(tuple(column))
    return tuple(found)


def _ahead(state: AdvancedState, fleet: Sequence[Combatant]) -> Mapping[str, str]:
    """The ship that each follower has immediately ahead; nobody is followed by two ships."""
    last = {each.ship: each for each in state.log}
    names = {ship.name for ship in fleet}
    found: dict[str, str] = {}
    for ship in fleet:
        ahead = _followed(ship.name, state.log, last, names)
        if ahead is not None and ahead not in found.values():
            found[ship.name] = ahead
    pairs = sorted(
        (math.dist(_place(ship), _place(lead)), ship.name, lead.name)
        for ship in fleet
        for lead in fleet
        if _in_line(ship, lead) and _same_plot(last.get(ship.name), last.get(lead.name))
    )
    for _, name, ahead in pairs:
        if name not in found and ahead not in found.values() and not _leads(name, ahead, found):
            found[name] = ahead
    return found


def _followed(
    name: str, log: Sequence[LogEntry], last: Mapping[str, LogEntry], names: set[str]
) -> str | None:
    """Whom she followed in her last move; the next one ahead where that ship is gone."""
    entry = last.get(name)
    if entry is None:
        return None
    then = {each.ship: each for each in log if each.phase == entry.phase}
    seen = {name}
    ahead = entry.follows
    while ahead and ahead not in names and ahead not in seen:
        seen.add(ahead)
        gone = then.get(ahead)
        ahead = None if gone is None else gone.follows
    return ahead if ahead in names and ahead != name else None


def _same_plot(one: LogEntry | None, other: LogEntry | None) -> bool:
    """Whether two ships kept together: neither has moved yet, or both wrote the same."""
    if one is None or other is None:
        return one is other
    return (one.phase, one.notation, one.speed) == (other.phase, other.notation, other.speed) and (
        one.follows is None
    )


def _leads(name: str, ahead: str, found: Mapping[str, str]) -> bool:
    """Whether a ship is somewhere ahead of the other already."""
    at: str | None = ahead
    while at is not None and at != name:
        at = found.get(at)
    return at == name


def _in_line(ship: Combatant, lead: Combatant) -> bool:
    """Whether a ship stands astern of another, at an interval of a column (55.111)."""
    if ship is lead:
        return False
    turned = abs(wrap_180(ship.pose.heading_deg - lead.pose.heading_deg))
    along, aside = lead.pose.offset_to(*_place(ship))
    off_astern_deg = math.degrees(math.atan2(abs(aside), -along))
    farthest_yards = _FARTHEST_INTERVALS * MOVEMENT.interval_most_yards
    return (
        turned <= _SAME_HEADING_DEG
        and off_astern_deg <= _ASTERN_DEG
        and math.hypot(along, aside) <= farthest_yards
    )


def _place(ship: Combatant) -> tuple[float, float]:
    return ship.pose.x_yards, ship.pose.y_yards


class ColumnPlotter:
    """Plots a column: the leader as she is told, the others in her wake."""

    def __init__(
        self, state: AdvancedState, rules: TableRules, combat_tables: CombatTables
    ) -> None:
        self._state, self._rules, self._combat_tables = state, rules, combat_tables

    def places(
        self, leader: Combatant, order: MoveOrder, followers: Sequence[Combatant]
    ) -> Iterator[ColumnPlace]:
        """Every follower in order: her plot, what the rules say of it, and her distance."""
        drafts = {
            name: plot
            for name, plot in self._state.plots.items()
            if name not in [ship.name for ship in followers]
        }
        state = replace(self._state, plots={**drafts, leader.name: order})
        ahead, end = leader, self._check(state, leader, order).end
        for ship in followers:
            hers = MoveOrder(FOLLOW, self._speed(ship, order.speed), follows=ahead.name)
            check = self._check(state, ship, hers)
            after = None
            if check.end is not None and end is not None:
                after = math.dist(
                    (check.end.x_yards, check.end.y_yards), (end.x_yards, end.y_yards)
                )
            yield ColumnPlace(
                ship=ship.name,
                ahead=ahead.name,
                plot=_view(hers),
                check=check,
                yards=math.dist(_place(ship), _place(ahead)),
                yards_after=after,
                too_close=after is not None and after < MOVEMENT.marker_diameter_yards,
            )
            if check.legal:
                # Whoever cannot follow leaves the column, and the next ship closes up.
                state = replace(state, plots={**state.plots, ship.name: hers})
                ahead, end = ship, check.end

    def repeated(self, ship: Combatant) -> PlotView | None:
        """Her last plot once more, its straight run as long as it may be now; None if illegal."""
        last = next((each for each in reversed(self._state.log) if each.ship == ship.name), None)
        if last is None or last.follows is not None:
            return None
        order = MoveOrder(last.notation, self._speed(ship, last.speed))
        if last.smoke_front is not None:
            order = replace(order, smoke_side=last.smoke_front)
        order = replace(order, plot=self._with_factors(ship, order))
        return _view(order) if self._check(self._state, ship, order).legal else None

    def _with_factors(self, ship: Combatant, order: MoveOrder) -> str:
        """The plot with its longest straight run changed to use all factors of this segment."""
        edition = self._combat_tables.edition
        try:
            plot = parse_plot(order.plot, ship.vessel.warship.ship_class, edition)
        except BadPlot:
            return order.plot
        allowed = self._check(self._state, ship, order).factors_allowed
        if allowed is None or plot.factors is None:
            return order.plot
        return str(_fitted(plot, allowed - plot.factors))

    def _speed(self, ship: Combatant, wanted: int | None) -> int | None:
        """The speed nearest to the wanted one that she may write down (58)."""
        speeds = open_speeds(self._state.engagement, ship)
        if speeds.fixed or wanted is None:
            return None
        return min(max(wanted, speeds.lowest), speeds.highest)

    def _check(self, state: AdvancedState, ship: Combatant, order: MoveOrder) -> PlotCheck:
        return PlotChecker(state, ship, order, self._rules, self._combat_tables).check()


def _fitted(plot: Plot, more: int) -> Plot:
    """A plot with so many factors more ahead, or fewer."""
    straights = [order for order in plot.orders if isinstance(order, StraightMove)]
    longest = max(straights, key=lambda order: order.factors, default=None)
    if longest is None:
        return replace(plot, orders=(*plot.orders, StraightMove(more))) if more > 0 else plot
    kept = longest.factors + more
    orders = tuple(
        replace(order, factors=kept) if order is longest else order
        for order in plot.orders
        if order is not longest or kept > 0
    )
    return replace(plot, orders=orders)


def _view(order: MoveOrder) -> PlotView:
    return PlotView(order.speed, order.plot, order.follows, None, order.smoke_side.value)
