"""Replays of fire, dice, guns and armour: rules 13.2, 60 to 65, 67.4 and 70.

Nothing here knows an answer. Every replay calls the functions that a battle calls.
"""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction

from combat.dice import LAST_INDEX, Pair, RolledDice, TypedDice, base_six
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, expenditure, resolve_fire
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Shot,
    check_allowed,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.guns import Battery, GunType, RangeBand
from combat.rulebooks.bismarck_advanced.worked_examples.replay import (
    NOTHING,
    Engine,
    Kind,
    exact,
    number,
    warship,
)
from combat.verification import Figure
from tabletop.arcs import Quadrant
from tabletop.fields import Fields
from tabletop.messages import Message

# --- one fire: 60 to 62, 65, 67 ------------------------------------------------------------

_FIGURES: Mapping[str, Callable[[Shot, Card], Figure]] = {
    "guns": lambda shot, _: shot.guns_firing,
    "multiplier": lambda shot, _: exact(shot.multiplier or Fraction(0)),
    "factor": lambda shot, _: gunnery_factor(shot),
    "spent": lambda shot, card: expenditure(shot, card).spent,
    "left": lambda shot, card: shot.firer.ammunition(shot.battery) - expenditure(shot, card).spent,
}
_ROLLED: Mapping[str, Callable[[FireReport], Figure]] = {
    "row": lambda report: report.row or NOTHING,
    "hits": lambda report: report.hits,
}


def _fire(given: Fields, engine: Engine) -> Figure:
    """One figure of a fire, before any dice or with those of the case."""
    figure = given.choice("figure", (*_FIGURES, "total", *_ROLLED))
    shot = engine.allowed_shot(given)
    if figure == "total":
        return engine.ledger(given).total
    if figure in _FIGURES:
        return _FIGURES[figure](shot, engine.card)
    roll = TypedDice(given.text("dice")).pair(Message("advanced.roll.to_hit"))
    options = engine.options[given.text("shot")]
    return _ROLLED[figure](resolve_fire(shot, _HitRoll(roll), engine.card, options=options))


class _HitRoll(RolledDice):
    """The hit roll of a case; what its hits would then do is not asked, so any dice serve."""

    def __init__(self, roll: Pair) -> None:
        super().__init__(random.Random(0))  # noqa: S311 - a game, not a secret
        self._hit_roll = [roll]

    def pair(self, purpose: Message) -> Pair:
        return self._hit_roll.pop() if self._hit_roll else super().pair(purpose)


def _modification(given: Fields, engine: Engine) -> Figure:
    """The value of one line of the ledger; lines of the same name are added up."""
    wanted = given.text("line")
    engine.allowed_shot(given)
    return sum(line.value for line in engine.ledger(given) if str(line.number) == wanted)


def _rolls_that_hit(given: Fields, engine: Engine) -> Figure:
    """How many of the 36 rolls score at least one hit."""
    shot = engine.allowed_shot(given)
    column, total = gunnery_factor(shot), engine.ledger(given).total
    cells = [engine.card.hits_cell(column, roll + total) for roll in range(1, LAST_INDEX + 1)]
    return sum(int(cell.value) > 0 for cell in cells)


def _refusal(given: Fields, engine: Engine) -> Figure:
    """Whether a fire is refused, and by the rule that the case expects."""
    try:
        check_allowed(engine.shot(given))
    except Forbidden as refusal:
        expected = refusal.rule == given.text("by")
        return "may not fire" if expected else f"may not fire by {refusal.rule}"
    return "may fire"


# --- dice: 13.2 ----------------------------------------------------------------------------


def _dice_sum(given: Fields, _: Engine) -> Figure:
    """A roll and so many steps, read as dice."""
    roll = TypedDice(given.text("roll")).pair(Message("advanced.roll.case"))
    return base_six(roll.index + number(given, "plus"))


def _in_base_six(given: Fields, _: Engine) -> Figure:
    """A modification written in base six: how far it moves 11 along the dice column."""
    return int(base_six(1 + number(given, "steps"))) - int(base_six(1))


def _hit_cell(given: Fields, engine: Engine) -> Figure:
    """The Hit Table's hits for a row, written as dice past 66 too, and a column."""
    row, column = given.text("row"), number(given, "column")
    return engine.tables["hit_table"].integer(row, str(column))


# --- ships and armour: 60, 63, 64, 70 ------------------------------------------------------


def _guns(given: Fields, _: Engine) -> Figure:
    """The main guns of a ship: all, those of a turret, or those that bear into a quadrant."""
    ship = warship(given)
    if "turret" in given:
        vessel = Vessel.fresh(ship)
        return ship.turrets[vessel.turret_number(given.text("turret"))].guns
    if "quadrant" not in given:
        return ship.guns(Battery.MAIN)
    vessel = Vessel.fresh(ship).hull_marked(number(given, "hull_quarters_lost", 0))
    quadrant = Quadrant(given.choice("quadrant", list(Quadrant)))
    return sum(turret.guns for turret in turrets_bearing(vessel, Battery.MAIN, quadrant, {}))


_FACTS: Mapping[str, Callable[[Warship], Figure]] = {
    "movement_factor": lambda ship: ship.movement_factor,
    "hull_boxes": lambda ship: ship.hull_boxes,
    "conning_tower": lambda ship: ship.armour.conning_tower or 0,
    "rudder": lambda ship: [inches or 0 for inches in ship.armour.rudder],
    "main_ammunition": lambda ship: ship.ammunition[Battery.MAIN] or 0,
    "torpedoes": lambda ship: ship.torpedoes,
    "main_gun_type": lambda ship: str(ship.gun_types[Battery.MAIN] or NOTHING),
}


def _chart(given: Fields, _: Engine) -> Figure:
    """One value of a ship's specification chart."""
    return _FACTS[given.choice("figure", _FACTS)](warship(given))


def _penetration(given: Fields, engine: Engine) -> Figure:
    """The row of a gun in the Penetration Table, a dash as 0; or only its first cells."""
    gun = GunType(given.choice("gun", list(GunType)))
    bands = list(RangeBand)[: number(given, "cells", len(RangeBand))]
    return [engine.card.penetration(gun, band)[0] or 0 for band in bands]


def _boxes_marked(given: Fields, engine: Engine) -> Figure:
    """The hull boxes that so many hits of a gun mark."""
    gun = GunType(given.choice("gun", list(GunType)))
    vessel = Vessel.fresh(warship(given))
    for _ in range(number(given, "hits")):
        vessel = vessel.hull_marked(engine.card.shell_quarters(gun))
    return exact(Fraction(vessel.hull_lost, QUARTERS))


def _damaged_movement(given: Fields, _: Engine) -> Figure:
    """A ship's movement factor with quarters of her hull gone (70.5)."""
    vessel = Vessel.fresh(warship(given)).hull_marked(number(given, "hull_quarters_lost"))
    return vessel.movement_factor


FIRE_KINDS: Mapping[str, Kind] = {
    "fire": Kind(("shot", "figure", "dice"), _fire),
    "modification": Kind(("shot", "line"), _modification),
    "rolls_that_hit": Kind(("shot",), _rolls_that_hit),
    "refusal": Kind(("shot", "by"), _refusal),
    "dice_sum": Kind(("roll", "plus"), _dice_sum),
    "in_base_six": Kind(("steps",), _in_base_six),
    "hit_cell": Kind(("row", "column"), _hit_cell),
    "guns": Kind(("ship", "turret", "quadrant", "hull_quarters_lost"), _guns),
    "chart": Kind(("ship", "figure"), _chart),
    "penetration": Kind(("gun", "cells"), _penetration),
    "boxes_marked": Kind(("ship", "gun", "hits"), _boxes_marked),
    "damaged_movement": Kind(("ship", "hull_quarters_lost"), _damaged_movement),
}
"""The kinds of case about fire, by their names in `examples.toml`."""
