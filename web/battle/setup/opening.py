"""How a scenario begins: its columns, and where its ships stand."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from combat.battle_setup import SetUpOrder, fit_on_table
from combat.rulebooks import get_ruleset
from combat.scenarios import Scenario, scenario_named
from combat.sides import Sides
from web.drawing.figures import Drawing
from web.drawing.scenario_map import StartingShip, draw_scenario

_SAMPLE_DICE: Final = (4, 3)
"""How a battle that dice set up is drawn beforehand: one way they may fall."""

Columns = Mapping[str, tuple[tuple[str, ...], ...]]
"""The names of ships in columns, by the key of their side."""


@cache
def map_of(key: str) -> Drawing:
    """A scenario's beginning, or one of those that its dice may give."""
    return _drawn(scenario_named(key))


def _drawn(scenario: Scenario) -> Drawing:
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
        found = rules().set_up(order, get_ruleset(scenario.ruleset).tables)
        if found.poses:
            poses = fit_on_table(found.poses, width, height)
    ships = [
        StartingShip(scenario.sides[ship.side], ship.type, poses[ship.name])
        for ship in scenario.ships
        if ship.name in poses
    ]
    return draw_scenario(ships, width, height, scenario.smoke)


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
