"""Where a ship may be after this segment: every plot that is worth offering, and where it ends.

The plots that are offered have few changes of helm, so that a finger finds them again; whoever
wants another writes it with the keys. All of them are legal by the very checks that a plot passes
when it is written.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import check_rudder
from combat.rulebooks.bismarck_advanced.guided_battle.plots import open_speeds
from combat.rulebooks.bismarck_advanced.movement.plot import Plot, parse_plot
from combat.rulebooks.bismarck_advanced.movement.speed import begin_round
from combat.ships import ShipClass
from combat.views import ReachedPlace
from tabletop.angles import forward
from tabletop.errors import BadPlot, DreyerError
from tabletop.movement import Path
from tabletop.shapes import outline_around
from tabletop.table import Pose

_MOST_CHANGES: Final = 3
"""How often the helm is put over in a plot that is offered."""
_CELL_YARDS: Final = 60.0
_CELL_DEG: Final = 15.0
"""Of two plots that end so near to each other the simpler one is offered."""
_HULL_RATIO: Final = 0.3
_ORIGIN: Final = Pose(0.0, 0.0, 0.0)
_STRAIGHT: Final = "1"
_FULL: Final = ("L", "R")
_SHORT: Final = ("l", "r")


def reached_places(
    battle: Engagement, ship: Combatant, edition: Edition
) -> tuple[ReachedPlace, ...]:
    """Where she may be after this segment, with the plot that leads there; speeds upwards."""
    return tuple(_places(battle, ship, edition))


def _places(battle: Engagement, ship: Combatant, edition: Edition) -> Iterator[ReachedPlace]:
    for speed, plot in _legal_plots(battle, ship, edition):
        path = Path(ship.pose, plot.steps())
        points = ((round(pose.x_yards, 1), round(pose.y_yards, 1)) for pose in path.stations)
        yield ReachedPlace(str(plot), speed, path.end, tuple(points))


@dataclass(frozen=True, slots=True)
class Manoeuvre:
    """A plot with at most one change of helm, and where it ends."""

    notation: str
    speed: int | None
    """To be written for it; None where the speed of the round stands."""
    end: Pose


def manoeuvres(battle: Engagement, ship: Combatant, edition: Edition) -> tuple[Manoeuvre, ...]:
    """Few plots for whoever compares them all: straight, or a full turn before or after."""
    found = []
    ship_class = ship.vessel.warship.ship_class
    for factors, speed in _factors(battle, ship).items():
        for plot, end in _simple_plots(factors, ship_class, edition):
            try:
                check_rudder(ship.vessel, plot)
            except BadPlot:
                continue
            there = ship.pose.moved(
                ahead_yards=end.y_yards, right_yards=end.x_yards, turned_deg=end.heading_deg
            )
            found.append(Manoeuvre(plot.text, speed, there))
    return tuple(found)


@lru_cache(maxsize=64)
def _simple_plots(
    factors: int, ship_class: ShipClass, edition: Edition
) -> tuple[tuple[Plot, Pose], ...]:
    """The plots of `manoeuvres`, and where each ends from the origin, heading 0."""
    notations = [_STRAIGHT * factors]
    for sign in _FULL:
        for turns in range(1, factors + 1):
            turn, straight = sign * turns, _STRAIGHT * (factors - turns)
            notations += dict.fromkeys((turn + straight, straight + turn))
    found = []
    for notation in notations:
        plot = parse_plot(" ".join(notation), ship_class, edition)
        found.append((replace(plot, text=str(plot)), Path(_ORIGIN, plot.steps()).end))
    return tuple(found)


def reach_outline(
    battle: Engagement, ship: Combatant, edition: Edition
) -> tuple[tuple[float, float], ...]:
    """The line round all places where she may be; empty where she can only stay."""
    plots = tuple(str(plot) for _, plot in _legal_plots(battle, ship, edition))
    ahead = forward(ship.pose.heading_deg)
    return tuple(
        (
            round(ship.pose.x_yards + x * ahead[1] + y * ahead[0]),
            round(ship.pose.y_yards - x * ahead[0] + y * ahead[1]),
        )
        for x, y in _outline(plots, ship.vessel.warship.ship_class, edition)
    )


@lru_cache(maxsize=64)
def _outline(
    plots: tuple[str, ...], ship_class: ShipClass, edition: Edition
) -> tuple[tuple[float, float], ...]:
    """The line round the ends of plots from the origin, heading 0."""
    ends = [Path(_ORIGIN, parse_plot(text, ship_class, edition).steps()).end for text in plots]
    points = ((round(end.x_yards, 1), round(end.y_yards, 1)) for end in ends)
    return outline_around(points, _HULL_RATIO)


def _legal_plots(
    battle: Engagement, ship: Combatant, edition: Edition
) -> Iterator[tuple[int | None, Plot]]:
    """The plots that her rudder allows, each with its speed."""
    for factors, speed in _factors(battle, ship).items():
        for plot in _plots(factors, ship.vessel.warship.ship_class, edition):
            try:
                check_rudder(ship.vessel, plot)
            except BadPlot:
                continue
            yield speed, plot


def _factors(battle: Engagement, ship: Combatant) -> dict[int, int | None]:
    """How many factors she may run, each with the speed to write for it; None where it stands."""
    speeds = open_speeds(battle, ship)
    if speeds.fixed:
        moving = ship.moving
        return {} if moving is None else {moving.factors(battle.segment): None}
    usual = speeds.highest if ship.moving is None else ship.speed
    found: dict[int, int | None] = {}
    for speed in range(speeds.lowest, speeds.highest + 1):
        try:
            moving = begin_round(ship.vessel.warship.ship_class, ship.record, speed)
        except DreyerError:
            continue
        factors = moving.factors(battle.segment)
        # Of two speeds with one first move her present one is kept, otherwise the faster counts.
        if found.get(factors) != usual:
            found[factors] = speed
    return found


@lru_cache(maxsize=64)
def _plots(factors: int, ship_class: ShipClass, edition: Edition) -> tuple[Plot, ...]:
    """The plots of so many factors; of those that end alike the simplest."""
    kept: dict[tuple[int, int, int], tuple[int, Plot]] = {}
    for notation in _notations(factors):
        plot = parse_plot(" ".join(notation), ship_class, edition)
        end = Path(_ORIGIN, plot.steps()).end
        cell = (
            round(end.x_yards / _CELL_YARDS),
            round(end.y_yards / _CELL_YARDS),
            round(end.heading_deg / _CELL_DEG),
        )
        price = _changes(notation) * 10 + len(str(plot))
        if cell not in kept or price < kept[cell][0]:
            kept[cell] = price, plot
    return tuple(replace(plot, text=str(plot)) for _, plot in kept.values())


def _notations(factors: int, before: str = "") -> Iterator[str]:
    """Every plot of so many signs, one for each factor, that 57.4 allows."""
    if _changes(before) > _MOST_CHANGES:
        return
    if len(before) == factors:
        yield before
        return
    yield from _notations(factors, before + _STRAIGHT)
    if before and before[-1] in _SHORT:
        # Behind a short turn the next factor is straight (57.4).
        return
    for sign in (*_FULL, *_SHORT):
        yield from _notations(factors, before + sign)


def _changes(notation: str) -> int:
    return sum(one != other for one, other in pairwise(notation))
