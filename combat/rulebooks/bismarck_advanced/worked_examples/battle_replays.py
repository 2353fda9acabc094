"""Replays of everything about the fire: movement, the table, set-up, jams, conversions.

Rules 55.2, 57 to 59, 61.5, 67.3, 67.5, 69.3, 71 and 72; as in `replay_fire`, the engine answers.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from combat.dice import TypedDice
from combat.participants import Ship
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
from combat.rulebooks.bismarck_advanced.movement import speed
from combat.rulebooks.bismarck_advanced.movement.plot import Ahead, Helm, Order, parse_plot
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
    Engine,
    Kind,
    exact,
    number,
    warship,
)
from combat.ships import ShipClass
from combat.verification import Figure
from tabletop.fields import Fields
from tabletop.messages import Message
from tabletop.survey import survey
from tabletop.table import Base, Model, Pose, Table

# --- movement: 57 to 59, 67.3 --------------------------------------------------------------


def _orders(given: Fields, _: Engine) -> Figure:
    """A plot read aloud, order by order."""
    return [_aloud(order) for order in parse_plot(given.text("plot"), _ship_class(given)).orders]


def _aloud(order: Order) -> str:
    match order:
        case Ahead():
            return f"{order.factors} ahead"
        case Helm():
            return ("short " if order.short else "") + order.side.name.lower()


def _plot_factors(given: Fields, _: Engine) -> Figure:
    """The movement factors that a plot uses."""
    return parse_plot(given.text("plot"), _ship_class(given)).factors or 0


def _evolution(given: Fields, _: Engine) -> Figure:
    """What a plot's turns amount to."""
    return parse_plot(given.text("plot"), _ship_class(given)).evolution.value


def _ship_class(given: Fields) -> ShipClass:
    return ShipClass(given.choice("class", list(ShipClass), ShipClass.BATTLESHIP))


def _halves(given: Fields, _: Engine) -> Figure:
    """The factors of the two moves of a round."""
    return list(speed.halves(number(given, "speed")))


def _speed_limits(given: Fields, _: Engine) -> Figure:
    """The lowest and the highest speed open to a ship."""
    previous = number(given, "previous") if "previous" in given else None
    record = speed.SpeedRecord(number(given, "movement_factor"), previous)
    limits = speed.speed_limits(_ship_class(given), record)
    return [limits.lowest, limits.highest]


def _speed_lost(given: Fields, _: Engine) -> Figure:
    """Speed and second move once the initial combat has left a movement factor (58.8)."""
    moving = _moving(given)
    after = speed.after_damage(moving, number(given, "movement_factor"))
    return [after.speed, after.second_factors]


def _collision(given: Fields, _: Engine) -> Figure:
    """Speed after a collision, and the highest of the next two rounds, moved at that speed."""
    factor = number(given, "movement_factor")
    after = speed.after_collision(_moving(given), Segment.SECOND)
    record = speed.end_round(speed.SpeedRecord(factor), after, factor)
    ship_class = ShipClass.DESTROYER
    first = speed.speed_limits(ship_class, record).highest
    moved = speed.begin_round(ship_class, record, first)
    second = speed.speed_limits(ship_class, speed.end_round(record, moved, factor)).highest
    return [after.speed, first, second]


def _moving(given: Fields) -> speed.RoundSpeed:
    before = number(given, "speed")
    return speed.RoundSpeed(before, *speed.halves(before))


# --- the table: 61.5, 67.5, 69.3 -----------------------------------------------------------


def _segment(given: Fields, engine: Engine) -> Figure:
    """The range segment of a distance."""
    return engine.rules.segment(given.number("range_yards", least=0)) or NOTHING


def _sight(given: Fields, engine: Engine) -> Figure:
    """Whether a ship so far along the line blocks the sight of a target."""
    base = Base(1000.0, 400.0)
    models = tuple(
        Model(name, Pose(0.0, away, 90.0), base)
        for name, away in (
            ("firer", 0.0),
            ("target", given.number("range_yards", above=0)),
            ("other", given.number("other_at_yards", above=0)),
        )
    )
    check = survey(Table(models), engine.rules)["firer", "target"]
    return "blocked" if check.blocked else "clear"


def _torpedo_range(given: Fields, engine: Engine) -> Figure:
    """The half of the torpedo table for a distance."""
    hexes = hexes_apart(given.number("range_yards", least=0), engine.tables)
    return hexes.value if hexes else NOTHING


# --- before and beside the fight: 55.2, 71, 72 ---------------------------------------------


def _starting_range(given: Fields, engine: Engine) -> Figure:
    """The range at which a battle begins."""
    vessel = replace(Vessel.fresh(warship(given)), radar_lost=not given.flag("radar", True))
    level = given.text("visibility")
    found = roll_starting_range(
        [vessel],
        TypedDice(given.text("die", "1")),
        engine.tables,
        visibility="X" if level == "X" else int(level),
        night=given.flag("night", False),
    )
    return "no attack" if isinstance(found, NoAttack) else found.yards


def _direction(given: Fields, engine: Engine) -> Figure:
    """The quadrant of attack: by zones counted, by a die, or astern for shadowers."""
    if "zones" in given:
        count = zones_counted(0, number(given, "zones") - 1)
        return direction_by_zones(count, engine.tables).quadrant.value
    if "die" in given:
        return direction_by_die(TypedDice(given.text("die")), engine.tables).quadrant.value
    given.flag("shadowing")
    return direction_of_shadowers().quadrant.value


def _jam(given: Fields, engine: Engine) -> Figure:
    """What jams by a roll: the turret, how many guns, and until when; all turrets fire or some."""
    vessel = Vessel.fresh(warship(given))
    firing = [turret.name for turret in vessel.warship.turrets]
    if "firing" in given:
        firing = list(given.texts("firing"))
    report = roll_jams(vessel, firing, TypedDice(given.text("dice")), engine.tables)
    if report is None or report.turret is None or not report.guns:
        return NOTHING
    return [report.turret, report.guns, "battle" if report.permanent else "fire"]


def _to_advanced(given: Fields, engine: Engine) -> Figure:
    """Units of the other games in those of this one."""
    rate = Rate(given.choice("rate", list(Rate)))
    return to_advanced(rate, number(given, "count"), engine.tables)


def _from_advanced(given: Fields, engine: Engine) -> Figure:
    """Units of this game in those of the others."""
    rate = Rate(given.choice("rate", list(Rate)))
    return from_advanced(rate, number(given, "count"), engine.tables)


def _turret_boxes(given: Fields, engine: Engine) -> Figure:
    """Bow or stern hits as boxes of a turret."""
    quarters = turret_quarters(number(given, "hits"), number(given, "boxes"), engine.tables)
    return exact(Fraction(quarters, QUARTERS))


def _advanced_sheet(given: Fields, engine: Engine) -> Figure:
    """One figure of a ship's sheet from her marks on the pad."""
    rules, ship = _conversions(given, engine)
    marks = rules.read_marks(_table(given, "marks"), ship, given.place)
    return _figure(rules.to_advanced(ship, marks).state, given)


def _basic_sheet(given: Fields, engine: Engine) -> Figure:
    """One figure of a ship's marks on the pad from her sheet."""
    rules, ship = _conversions(given, engine)
    state = rules.read_state(_table(given, "state"), given.place)
    return _figure(rules.to_basic(ship, state).marks, given)


def _conversions(given: Fields, engine: Engine) -> tuple[AdvancedConversions, Ship]:
    found = warship(given)
    ship = Ship(found.name, found.name, found.nation.lower(), found.name)
    return AdvancedConversions(engine.tables, load_warships()), ship


def _table(given: Fields, key: str) -> Mapping[str, object]:
    expected = Message("schema.table", key=key)
    found = given.value(key, expected)
    if not isinstance(found, Mapping):
        raise given.wrong(key, expected, found)
    return found


def _figure(marks: object, given: Fields) -> Figure:
    found = getattr(marks, given.text("figure"))
    if isinstance(found, Mapping):
        return [f"{key} {value:g}" for key, value in found.items()]
    return list(found) if isinstance(found, tuple) else exact(Fraction(found))


def _hex_yards(given: Fields, engine: Engine) -> Figure:
    """The yards that some hexes of the battle board stand for: the least and the most."""
    found = hexes_in_yards(number(given, "hexes"), engine.tables)
    return [found.least_yards, found.most_yards]


BATTLE_KINDS: Mapping[str, Kind] = {
    "orders": Kind(("plot", "class"), _orders),
    "plot_factors": Kind(("plot", "class"), _plot_factors),
    "evolution": Kind(("plot", "class"), _evolution),
    "halves": Kind(("speed",), _halves),
    "speed_limits": Kind(("class", "movement_factor", "previous"), _speed_limits),
    "speed_lost": Kind(("speed", "movement_factor"), _speed_lost),
    "collision": Kind(("speed", "movement_factor"), _collision),
    "segment": Kind(("range_yards",), _segment),
    "sight": Kind(("range_yards", "other_at_yards"), _sight),
    "torpedo_range": Kind(("range_yards",), _torpedo_range),
    "starting_range": Kind(("ship", "radar", "visibility", "night", "die"), _starting_range),
    "direction": Kind(("zones", "die", "shadowing"), _direction),
    "jam": Kind(("ship", "dice", "firing"), _jam),
    "to_advanced": Kind(("rate", "count"), _to_advanced),
    "from_advanced": Kind(("rate", "count"), _from_advanced),
    "turret_boxes": Kind(("hits", "boxes"), _turret_boxes),
    "advanced_sheet": Kind(("ship", "marks", "figure"), _advanced_sheet),
    "basic_sheet": Kind(("ship", "state", "figure"), _basic_sheet),
    "hex_yards": Kind(("hexes",), _hex_yards),
}
"""The kinds of case about all else, by their names in `examples.toml`."""
