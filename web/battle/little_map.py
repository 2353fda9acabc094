"""A little map of a battle's beginning, for a card: where the ships stand, and nothing more."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from combat.battle_setup import SetUpOrder, fit_on_table
from combat.rulebooks import get_ruleset
from combat.scenarios import Scenario, scenario_named
from combat.ships import ShipType
from combat.sides import Sides
from tabletop.table import Pose, SmokeFront
from web.charts.ships import silhouette_of
from web.sides import SideView

WIDTH: Final = 320.0
_SHIP_LENGTH: Final = 17.0
_LABEL_AWAY: Final = 13.0
_SAMPLE_DICE: Final = (4, 3)
"""How a battle that dice set up is drawn beforehand: one way they may fall."""


Columns = Mapping[str, tuple[tuple[str, ...], ...]]
"""The names of ships in columns, by the key of their side."""


@dataclass(frozen=True, slots=True)
class MapShip:
    """A ship on the map."""

    name: str
    css: str
    """The class of her side's colour."""
    symbol: str
    x: float
    y: float
    heading_deg: float
    scale: float
    label: tuple[float, float]
    """Where her number stands: away from the ships beside her."""


@dataclass(frozen=True, slots=True)
class LittleMap:
    """A map in the units of its drawing: `WIDTH` wide, the table's far edge at the top."""

    width: float
    height: float
    ships: tuple[MapShip, ...]
    smoke: tuple[tuple[float, float, float, float], ...]
    lines: tuple[tuple[float, float, float, float], ...]
    """The graticule."""


def little_map(
    ships: Iterable[tuple[str, str, ShipType | None, Pose]],
    width_yards: float,
    height_yards: float,
    sides: Sides,
    smoke: Iterable[SmokeFront] = (),
) -> LittleMap:
    """Ships, each with name, side, type and place, on a table of this size with these sides."""
    factor = WIDTH / width_yards
    height = height_yards * factor

    def at(x_yards: float, y_yards: float) -> tuple[float, float]:
        return round(x_yards * factor, 1), round(height - y_yards * factor, 1)

    placed = [
        (name, side, ship, pose, at(pose.x_yards, pose.y_yards)) for name, side, ship, pose in ships
    ]
    marks = []
    for name, side, ship, pose, (x, y) in placed:
        friends = [point for _, other, _, _, point in placed if other == side]
        marks.append(
            MapShip(
                name,
                SideView.of(sides[side]).css,
                silhouette_of(ship, sides[side]),
                x,
                y,
                round(pose.heading_deg, 1),
                _SHIP_LENGTH / 100,
                _away((x, y), friends),
            )
        )
    step = WIDTH / 6
    lines = [(n * step, 0.0, n * step, height) for n in range(1, 6)]
    lines += [(0.0, n * step, WIDTH, n * step) for n in range(1, int(height / step) + 1)]
    return LittleMap(
        WIDTH,
        round(height, 1),
        tuple(marks),
        tuple(
            (*at(front.x1_yards, front.y1_yards), *at(front.x2_yards, front.y2_yards))
            for front in smoke
        ),
        tuple(lines),
    )


def _away(point: tuple[float, float], friends: list[tuple[float, float]]) -> tuple[float, float]:
    """A spot beside a point, on the side where fewest friends are."""
    near = [one for one in friends if one != point and math.dist(one, point) < 4 * _LABEL_AWAY]
    dx = sum(point[0] - x for x, _ in near)
    dy = sum(point[1] - y for _, y in near)
    far = math.hypot(dx, dy)
    if far < 1:
        # In the middle of a column: abeam of it.
        dx, dy = (near[0][1] - point[1], point[0] - near[0][0]) if near else (1.0, -1.0)
        far = math.hypot(dx, dy) or 1.0
    return (
        round(point[0] + dx / far * _LABEL_AWAY, 1),
        round(point[1] + dy / far * _LABEL_AWAY + 4, 1),
    )


@cache
def map_of(key: str) -> LittleMap:
    """A scenario's beginning, or one of those that its dice may give."""
    return _drawn(scenario_named(key))


def _drawn(scenario: Scenario) -> LittleMap:
    width, height = scenario.size_yards
    poses = {ship.name: ship.pose for ship in scenario.ships if ship.pose is not None}
    rules = get_ruleset(scenario.ruleset).setting_up
    if scenario.attacker is not None and rules is not None:
        order = SetUpOrder(
            columns=in_parties(columns_of(scenario), scenario.sides),
            types={ship.name: ship.type.name for ship in scenario.ships},
            attacker=party_of(scenario.attacker, scenario.sides)[0],
            visibility=scenario.visibility,
            night=scenario.night,
            range_die=_SAMPLE_DICE[0],
            direction_die=_SAMPLE_DICE[1],
        )
        found = rules.set_up(order, get_ruleset(scenario.ruleset).tables)
        poses = fit_on_table(found.poses, width, height)
    ships = [
        (ship.name, ship.side, ship.type, poses[ship.name])
        for ship in scenario.ships
        if ship.name in poses
    ]
    return little_map(ships, width, height, scenario.sides, scenario.smoke)


def columns_of(scenario: Scenario) -> Columns:
    """A scenario's columns by side, as its file has them."""
    return {
        side: tuple(
            tuple(ship.name for ship in scenario.side(side) if ship.column == column)
            for column in sorted({ship.column for ship in scenario.side(side)})
        )
        for side in scenario.sides.keys
    }


def in_parties(columns: Columns, sides: Sides) -> Columns:
    """The columns of sides that fight together as those of one, by the first of them."""
    present = [side for side, its in columns.items() if its]
    return {
        party[0]: tuple(column for side in party for column in columns[side])
        for party in sides.parties(present)
    }


def party_of(side: str, sides: Sides) -> tuple[str, ...]:
    """The sides that fight together with a side, itself included."""
    return next(party for party in sides.parties(sides.keys) if side in party)
