"""Replays of cases about movement, the table, set-up, jams and conversions.

Rules 55.2, 57 to 59, 61.5, 67.3, 67.5, 69.3, 71 and 72.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from combat.dice import TypedDice
from combat.participants import Ship
from combat.rulebooks.bismarck_advanced.basic_game.marks import BasicMarks
from combat.rulebooks.bismarck_advanced.basic_game.rules import AdvancedConversions
from combat.rulebooks.bismarck_advanced.conversion import (
    Rate,
    from_advanced,
    hexes_apart,
    hexes_in_yards,
    to_advanced,
    turret_quarters,
)
from combat.rulebooks.bismarck_advanced.fire.jams import roll_jams
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.rulebooks.bismarck_advanced.movement import speed as speeds
from combat.rulebooks.bismarck_advanced.movement.plot import Helm, Order, StraightMove, parse_plot
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.rulebooks.bismarck_advanced.setup.approach import (
    NoAttack,
    direction_by_die,
    direction_by_zones,
    direction_of_shadowers,
    roll_starting_range,
    zones_counted,
)
from combat.rulebooks.bismarck_advanced.worked_examples.replay import (
    NOTHING,
    Count,
    Engine,
    Kind,
    exact,
    warship,
)
from combat.ships import ShipClass
from combat.verification import Figure
from tabletop.schema import Flag, Number, Positive, Text
from tabletop.survey import survey
from tabletop.table import Base, Model, Pose, Table

# --- movement: 57 to 59, 67.3 --------------------------------------------------------------


_Class = Annotated[ShipClass, Field(alias="class")]


def _orders(engine: Engine, plot: Text, ship_class: _Class = ShipClass.BATTLESHIP) -> Figure:
    """The orders of a plot in words."""
    return [_order_text(order) for order in parse_plot(plot, ship_class, engine.edition).orders]


def _order_text(order: Order) -> str:
    match order:
        case StraightMove():
            return f"{order.factors} ahead"
        case Helm():
            words = ("short" if order.short else "", order.side.name.lower(), order.amount_text)
            return " ".join(filter(None, words))


def _plot_factors(engine: Engine, plot: Text, ship_class: _Class = ShipClass.BATTLESHIP) -> Figure:
    """The movement factors that a plot uses."""
    return parse_plot(plot, ship_class, engine.edition).factors or 0


def _evolution(engine: Engine, plot: Text, ship_class: _Class = ShipClass.BATTLESHIP) -> Figure:
    """The evolution of a plot."""
    return parse_plot(plot, ship_class, engine.edition).evolution.value


def _halves(_: Engine, speed: Count) -> Figure:
    """The factors of the two moves of a round."""
    return list(speeds.halves(speed))


def _speed_limits(
    _: Engine,
    movement_factor: Count,
    previous: Count | None = None,
    ship_class: _Class = ShipClass.BATTLESHIP,
) -> Figure:
    """The lowest and the highest speed that a ship may choose."""
    limits = speeds.speed_limits(ship_class, speeds.SpeedRecord(movement_factor, previous))
    return [limits.lowest, limits.highest]


def _speed_lost(_: Engine, speed: Count, movement_factor: Count) -> Figure:
    """Speed and second move after the initial combat left a movement factor (58.8)."""
    after = speeds.after_damage(_moving(speed), movement_factor)
    return [after.speed, after.second_factors]


def _collision(_: Engine, speed: Count, movement_factor: Count) -> Figure:
    """Speed after a collision, and the highest of the next two rounds, moved at that speed."""
    after = speeds.after_collision(_moving(speed), Segment.SECOND)
    record = speeds.end_round(speeds.SpeedRecord(movement_factor), after, movement_factor)
    ship_class = ShipClass.DESTROYER
    first = speeds.speed_limits(ship_class, record).highest
    moved = speeds.begin_round(ship_class, record, first)
    ended = speeds.end_round(record, moved, movement_factor)
    return [after.speed, first, speeds.speed_limits(ship_class, ended).highest]


def _moving(speed: int) -> speeds.RoundSpeed:
    return speeds.RoundSpeed(speed, *speeds.halves(speed))


# --- the table: 61.5, 67.5, 69.3 -----------------------------------------------------------


_RangeYards = Annotated[Number, Field(ge=0)]


def _segment(engine: Engine, range_yards: _RangeYards) -> Figure:
    """The range segment of a distance."""
    return engine.rules.segment(range_yards) or NOTHING


def _sight(engine: Engine, range_yards: Positive, other_at_yards: Positive) -> Figure:
    """Whether a ship at a distance along the line blocks the sight of a target."""
    base = Base(1000.0, 400.0)
    models = tuple(
        Model(name, Pose(0.0, away, 90.0), base)
        for name, away in (
            ("firer", 0.0),
            ("target", range_yards),
            ("other", other_at_yards),
        )
    )
    check = survey(Table(models), engine.rules)["firer", "target"]
    return "blocked" if check.blocked else "clear"


def _torpedo_range(engine: Engine, range_yards: _RangeYards) -> Figure:
    """The half of the torpedo table for a distance."""
    hexes = hexes_apart(range_yards, engine.tables)
    return hexes.value if hexes else NOTHING


# --- before and beside the fight: 55.2, 71, 72 ---------------------------------------------


def _starting_range(
    engine: Engine,
    ship: Text,
    visibility: Text,
    radar: Flag = True,
    night: Flag = False,
    die: Text = "1",
) -> Figure:
    """The starting range."""
    found = roll_starting_range(
        [replace(Vessel.fresh(warship(ship)), radar_lost=not radar)],
        TypedDice(die),
        engine.tables,
        visibility="X" if visibility == "X" else int(visibility),
        night=night,
    )
    return "no attack" if isinstance(found, NoAttack) else found.yards


def _direction(
    engine: Engine,
    zones: Count | None = None,
    die: Text | None = None,
    shadowing: Flag = False,
) -> Figure:
    """The quadrant of attack: by zones counted, by a die, or astern for shadowers."""
    if zones is not None:
        count = zones_counted(0, zones - 1)
        return direction_by_zones(count, engine.tables).quadrant.value
    if die is not None:
        return direction_by_die(TypedDice(die), engine.tables).quadrant.value
    return direction_of_shadowers().quadrant.value if shadowing else NOTHING


def _jam(engine: Engine, ship: Text, dice: Text, firing: tuple[Text, ...] | None = None) -> Figure:
    """The result of a jam roll: the turret, the number of guns, and the duration."""
    vessel = Vessel.fresh(warship(ship))
    turrets = [turret.name for turret in vessel.warship.turrets]
    report = roll_jams(vessel, list(firing or turrets), TypedDice(dice), engine.tables)
    if report is None or report.turret is None or not report.guns:
        return NOTHING
    return [report.turret, report.guns, "battle" if report.permanent else "fire"]


def _to_advanced(engine: Engine, rate: Rate, count: Count) -> Figure:
    """Units of the other games in those of this one."""
    return to_advanced(rate, count, engine.tables)


def _from_advanced(engine: Engine, rate: Rate, count: Count) -> Figure:
    """Units of this game in those of the others."""
    return from_advanced(rate, count, engine.tables)


def _turret_boxes(engine: Engine, hits: Count, boxes: Count) -> Figure:
    """Bow or stern hits as boxes of a turret."""
    return exact(Fraction(turret_quarters(hits, boxes, engine.tables), QUARTERS))


def _advanced_sheet(engine: Engine, ship: Text, marks: BasicMarks, figure: Text) -> Figure:
    """One figure of a ship's sheet from her marks on the pad."""
    rules, named = _conversions(engine, ship)
    return _figure(rules.to_advanced(named, marks).state, figure)


def _basic_sheet(engine: Engine, ship: Text, state: ShipState, figure: Text) -> Figure:
    """One figure of a ship's marks on the pad from her sheet."""
    rules, named = _conversions(engine, ship)
    return _figure(rules.to_basic(named, state).marks, figure)


def _conversions(engine: Engine, ship: str) -> tuple[AdvancedConversions, Ship]:
    found = warship(ship)
    named = Ship(found.name, found.name, found.nation.lower(), found.name)
    return AdvancedConversions(engine.tables, load_warships()), named


def _figure(marks: object, figure: str) -> Figure:
    found = getattr(marks, figure)
    if isinstance(found, Mapping):
        return [f"{key} {value:g}" for key, value in found.items()]
    return list(found) if isinstance(found, tuple) else exact(Fraction(found))


def _hex_yards(engine: Engine, hexes: Count) -> Figure:
    """The yards that some hexes of the battle board stand for: the least and the most."""
    found = hexes_in_yards(hexes, engine.tables)
    return [found.least_yards, found.most_yards]


BATTLE_KINDS: Mapping[str, Kind] = {
    "orders": _orders,
    "plot_factors": _plot_factors,
    "evolution": _evolution,
    "halves": _halves,
    "speed_limits": _speed_limits,
    "speed_lost": _speed_lost,
    "collision": _collision,
    "segment": _segment,
    "sight": _sight,
    "torpedo_range": _torpedo_range,
    "starting_range": _starting_range,
    "direction": _direction,
    "jam": _jam,
    "to_advanced": _to_advanced,
    "from_advanced": _from_advanced,
    "turret_boxes": _turret_boxes,
    "advanced_sheet": _advanced_sheet,
    "basic_sheet": _basic_sheet,
    "hex_yards": _hex_yards,
}
"""The kinds of cases that are not about fire, by name in `examples.toml`."""
