"""Replays of fire, dice, guns and armour: rules 13.2, 60 to 65, 67.4 and 69 to 71.

Nothing here knows an answer. Every replay calls the functions that a battle calls.
"""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal

from combat.case_file import shown
from combat.dice import LAST_INDEX, BadDice, Pair, RolledDice, TypedDice, base_six
from combat.event_reports import events_of
from combat.events import Event
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.events import TorpedoStruck
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, expenditure, resolve_fire
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Shot,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.guns import Battery, GunType, RangeBand
from combat.rulebooks.bismarck_advanced.worked_examples.replay import (
    NOTHING,
    Count,
    Engine,
    Kind,
    exact,
    warship,
)
from combat.verification import Figure
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tabletop.schema import Text

# --- one fire: 60 to 62, 65, 67 ------------------------------------------------------------

_FireFigure = Literal["guns", "multiplier", "factor", "total", "spent", "left", "row", "hits"]
_FIGURES: Mapping[str, Callable[[Shot, CombatTables], Figure]] = {
    "guns": lambda shot, _: shot.guns_firing,
    "multiplier": lambda shot, _: exact(shot.multiplier or Fraction(0)),
    "factor": lambda shot, _: gunnery_factor(shot),
    "spent": lambda shot, combat_tables: expenditure(shot, combat_tables).spent,
    "left": lambda shot, combat_tables: (
        shot.firer.ammunition(shot.battery) - expenditure(shot, combat_tables).spent
    ),
}
_ROLLED: Mapping[str, Callable[[FireReport], Figure]] = {
    "row": lambda report: report.row or NOTHING,
    "hits": lambda report: report.hits,
}


def _fire(engine: Engine, shot: Text, figure: _FireFigure, dice: Text | None = None) -> Figure:
    """One figure of a fire, before any dice or with those of the case."""
    fired = engine.allowed_shot(shot)
    if figure == "total":
        return engine.ledger(shot).total
    if figure in _FIGURES:
        return _FIGURES[figure](fired, engine.combat_tables)
    roll = TypedDice(dice or "").pair(Message("advanced.roll.to_hit"))
    options = engine.options[shot]
    return _ROLLED[figure](
        resolve_fire(fired, _HitRoll(roll), engine.combat_tables, options=options)
    )


class _HitRoll(RolledDice):
    """The hit roll of a case; the rolls of its hits are not checked, so any dice are used."""

    def __init__(self, roll: Pair) -> None:
        super().__init__(random.Random(0))  # noqa: S311 - a game, not a secret
        self._hit_roll = [roll]

    def pair(self, purpose: Message) -> Pair:
        return self._hit_roll.pop() if self._hit_roll else super().pair(purpose)


def _modification(engine: Engine, shot: Text, line: Text) -> Figure:
    """The value of one line of the ledger; lines of the same number are added."""
    return sum(each.value for each in engine.ledger(shot) if str(each.number) == line)


def _rolls_that_hit(engine: Engine, shot: Text) -> Figure:
    """The number of the 36 rolls with at least one hit."""
    fired = engine.allowed_shot(shot)
    column, total = gunnery_factor(fired), engine.ledger(shot).total
    cells = [
        engine.combat_tables.hits_cell(column, roll + total) for roll in range(1, LAST_INDEX + 1)
    ]
    return sum(int(cell.value) > 0 for cell in cells)


def _refusal(engine: Engine, shot: Text, by: Text) -> Figure:
    """Whether an action is refused, and by the rule that the case expects."""
    file, rulebook = engine.file(shot), engine.rulebook
    try:
        rulebook.strength(rulebook.attempt(file.state, file.action))
    except Forbidden as refusal:
        return "may not fire" if refusal.rule == by else f"may not fire by {refusal.rule}"
    return "may fire"


# --- torpedoes and jams: 69, 71 ------------------------------------------------------------


def _resolve(engine: Engine, shot: Text, dice: Text, show: Text) -> Figure:
    """One key of the document of an action, played with typed dice."""
    try:
        return shown(engine.rulebook.document(_played(engine, shot, dice)), show)
    except BadDice as error:
        # With an owner's table a miss may become a hit, which needs more dice.
        return error.message


def _torpedo_hit(engine: Engine, shot: Text, dice: Text) -> Figure:
    """What the first torpedo that hits does: hull boxes and movement factors, or that she sinks."""
    try:
        hit = next(iter(events_of(TorpedoStruck, _played(engine, shot, dice))), None)
    except BadDice as error:
        return error.message
    if hit is None:
        return NOTHING
    return "sunk" if hit.sunk else [hit.hull_boxes, hit.movement_factors]


def _played(engine: Engine, shot: str, dice: str) -> tuple[Event, ...]:
    file, typed = engine.file(shot), TypedDice(dice)
    events = engine.rulebook.play(file.state, file.action, typed).events
    typed.finish()
    return events


def _chances(engine: Engine, shot: Text) -> Figure:
    """How many of the 36 rolls of an action give no hit, one hit, two hits and so on."""
    file = engine.file(shot)
    hits = engine.rulebook.forecast(file.state, [file.action]).hits
    return [round(hits.get(number, 0.0) * LAST_INDEX) for number in range(max(hits) + 1)]


def _jams_in_36(engine: Engine, shot: Text) -> Figure:
    """How many of the 36 rolls jam a gun, and how many do so until the end of the battle."""
    file = engine.file(shot)
    found = engine.rulebook.forecast(file.state, [file.action]).outcomes
    return [round(found[name] * LAST_INDEX) for name in ("jammed", "jammed_for_battle")]


# --- dice: 13.2 ----------------------------------------------------------------------------


def _dice_sum(_: Engine, roll: Text, plus: Count) -> Figure:
    """A roll plus a number of steps, as dice."""
    rolled = TypedDice(roll).pair(Message("advanced.roll.case"))
    return base_six(rolled.index + plus)


def _in_base_six(_: Engine, steps: Count) -> Figure:
    """A modification in base six: its distance from 11 along the dice column."""
    return int(base_six(1 + steps)) - int(base_six(1))


def _hit_cell(engine: Engine, row: Text, column: Count) -> Figure:
    """The Hit Table's hits for a row, written as dice also beyond 66, and a column."""
    return engine.tables["hit_table"].integer(row, str(column))


# --- ships and armour: 60, 63, 64, 70 ------------------------------------------------------


def _guns(
    _: Engine,
    ship: Text,
    turret: Text | None = None,
    quadrant: Quadrant | None = None,
    hull_quarters_lost: Count = 0,
) -> Figure:
    """The main guns of a ship: all, those of a turret, or those that bear into a quadrant."""
    found = warship(ship)
    if turret is not None:
        return found.turrets[Vessel.fresh(found).turret_number(turret)].guns
    if quadrant is None:
        return found.guns(Battery.MAIN)
    vessel = Vessel.fresh(found).hull_marked(hull_quarters_lost)
    return sum(each.guns for each in turrets_bearing(vessel, Battery.MAIN, quadrant, {}))


_Fact = Literal[
    "movement_factor",
    "hull_boxes",
    "conning_tower",
    "rudder",
    "main_ammunition",
    "torpedoes",
    "main_gun_type",
]
_FACTS: Mapping[_Fact, Callable[[Warship], Figure]] = {
    "movement_factor": lambda ship: ship.movement_factor,
    "hull_boxes": lambda ship: ship.hull_boxes,
    "conning_tower": lambda ship: ship.armour.conning_tower or 0,
    "rudder": lambda ship: [inches or 0 for inches in ship.armour.rudder],
    "main_ammunition": lambda ship: ship.ammunition[Battery.MAIN] or 0,
    "torpedoes": lambda ship: ship.torpedoes,
    "main_gun_type": lambda ship: str(ship.gun_types[Battery.MAIN] or NOTHING),
}


def _chart(_: Engine, ship: Text, figure: _Fact) -> Figure:
    """One value of a ship's specification chart."""
    return _FACTS[figure](warship(ship))


def _penetration(engine: Engine, gun: GunType, cells: Count | None = None) -> Figure:
    """The row of a gun in the Penetration Table, with 0 for a dash; optionally its first cells."""
    bands = list(RangeBand)[:cells]
    return [engine.combat_tables.penetration(gun, band)[0] or 0 for band in bands]


def _boxes_marked(engine: Engine, ship: Text, gun: GunType, hits: Count) -> Figure:
    """The hull boxes that a number of hits of a gun mark."""
    vessel = Vessel.fresh(warship(ship))
    for _ in range(hits):
        vessel = vessel.hull_marked(engine.combat_tables.shell_quarters(gun))
    return exact(Fraction(vessel.hull_lost, QUARTERS))


def _damaged_movement(_: Engine, ship: Text, hull_quarters_lost: Count) -> Figure:
    """A ship's movement factor after losing quarters of her hull (70.5)."""
    return Vessel.fresh(warship(ship)).hull_marked(hull_quarters_lost).movement_factor


FIRE_KINDS: Mapping[str, Kind] = {
    "fire": _fire,
    "modification": _modification,
    "rolls_that_hit": _rolls_that_hit,
    "refusal": _refusal,
    "resolve": _resolve,
    "torpedo_hit": _torpedo_hit,
    "chances": _chances,
    "jams_in_36": _jams_in_36,
    "dice_sum": _dice_sum,
    "in_base_six": _in_base_six,
    "hit_cell": _hit_cell,
    "guns": _guns,
    "chart": _chart,
    "penetration": _penetration,
    "boxes_marked": _boxes_marked,
    "damaged_movement": _damaged_movement,
}
"""The kinds of cases about fire, by name in `examples.toml`."""
