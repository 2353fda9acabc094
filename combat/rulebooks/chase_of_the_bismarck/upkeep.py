"""What ships do between combats: repairs at sea and refuelling (7.3 to 7.5)."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from combat.dice import Dice
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.actions import Marks, Mended, Refuel, Repair
from combat.rulebooks.chase_of_the_bismarck.attack import dice_strength, modifier
from combat.rulebooks.chase_of_the_bismarck.checks import CheckResult
from combat.rulebooks.chase_of_the_bismarck.events import Refuelled, Repaired
from combat.rulebooks.chase_of_the_bismarck.stations import counters_of, is_german
from combat.rulebooks.chase_of_the_bismarck.table_files import REPAIR_WEATHER
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, read_row, strength_of
from tabletop.messages import Message, ShipRef

_BEST_DIE = 0
"""The result that may mend a rudder instead."""


def repair_strength(attack: Attempt[Repair, Vessel], tables: TableSet) -> Strength:
    """One die, with the weather; only evasion and a rudder are ever repaired (7.3, 9)."""
    ship, action = attack.actor, attack.action
    _check_free(attack, "7.3")
    if action.moves:
        raise Forbidden(Message("chase.refused.moves", ship=ShipRef(ship.id)), "7.3")
    if not (ship.marks.evasion_lost or ship.marks.rudder_damaged):
        raise Forbidden(Message("chase.refused.nothing_to_repair", ship=ShipRef(ship.id)), "7.3")
    return dice_strength(1, "7.3", [*_weather(action, tables)])


def _weather(action: Repair, tables: TableSet) -> Iterator[Modifier]:
    rows = [row for row, least in REPAIR_WEATHER.items() if action.weather >= least]
    if rows:
        yield modifier(tables, "repair_modifiers", rows[-1])


def run_repair(
    attack: Attempt[Repair, Vessel], added: int, dice: Dice, tables: TableSet
) -> tuple[CheckResult, Repaired, Callable[[Marks], Marks]]:
    """Roll a repair: the evasion regained, or the rudder with the best result."""
    ship, marks = attack.actor, attack.actor.marks
    purpose = Message("chase.roll.repair", ship=ShipRef(ship.id))
    die = dice.ten_sided(purpose)
    cell = read_row(tables["repair_at_sea"], "regained", die + added)
    wanted = attack.action.mends is Mended.RUDDER or not marks.evasion_lost
    rudder = die + added <= _BEST_DIE and marks.rudder_damaged and wanted
    regained = 0 if rudder else min(int(cell.value), marks.evasion_lost)
    if rudder:
        words = Message("chase.result.rudder_repaired")
    elif regained:
        words = Message("chase.result.regained", evasion=regained)
    else:
        words = Message("chase.result.not_repaired")
    throw = Throw(purpose, "7.3", die, added, "", cell.provenance, words)

    def mended(marks: Marks) -> Marks:
        return replace(
            marks,
            evasion_lost=marks.evasion_lost - regained,
            rudder_damaged=marks.rudder_damaged and not rudder,
        )

    evasion = ship.left("evasion") + regained
    event = Repaired(ship=ship.id, rule="7.3", regained=regained, rudder=rudder, evasion=evasion)
    return CheckResult((throw,), (words,) if rudder or regained else ()), event, mended


def refuel_strength(attack: Attempt[Refuel, Vessel], tables: TableSet) -> Strength:
    """No die: the fuel points of a turn; at sea German ships alone take them (7.5)."""
    ship, rule = attack.actor, "7.4" if attack.action.in_port else "7.5"
    _check_free(attack, rule)
    if not (attack.action.in_port or is_german(ship)):
        raise Forbidden(Message("chase.refused.no_tanker_of_hers", ship=ShipRef(ship.id)), rule)
    if not (ship.marks.fuel_lost or ship.marks.torpedoes_used):
        raise Forbidden(Message("chase.refused.nothing_to_take", ship=ShipRef(ship.id)), rule)
    cell = tables["refuelling"].cell(_row(attack), "fuel")
    reference = Message("chase.reference.fuel", rule=rule)
    label = Message("chase.factor.fuel")
    return strength_of(int(cell.value), reference, [], [cell], label)


def _row(attack: Attempt[Refuel, Vessel]) -> str:
    if attack.action.in_port:
        return "in port"
    flotilla = attack.actor.card.ship_class is ShipClass.DESTROYER
    return "destroyers at sea" if flotilla else "at sea"


def run_refuel(
    attack: Attempt[Refuel, Vessel], strength: Strength
) -> tuple[Refuelled, Callable[[Marks], Marks]]:
    """Fuel that damage has cost her, and all her torpedoes."""
    marks = attack.actor.marks
    fuel = min(strength.factor, marks.fuel_lost)
    event = Refuelled(
        ship=attack.actor.id, rule="7.4; 7.5", fuel=fuel, torpedoes=marks.torpedoes_used
    )
    return event, lambda marks: replace(marks, fuel_lost=marks.fuel_lost - fuel, torpedoes_used=0)


def _check_free(attack: Attempt[Repair | Refuel, Vessel], rule: str) -> None:
    """Forbidden for a ship that has sunk or is in combat."""
    ship = attack.actor
    if ship.sunk:
        raise Forbidden(Message("chase.refused.sunk", ship=ShipRef(ship.id)), "2.4")
    board = counters_of(attack.fleet)
    fighting = len({each.attacker for each in board}) > 1
    if fighting and any(each.name == ship.id for each in board):
        raise Forbidden(Message("chase.refused.in_combat", ship=ShipRef(ship.id)), rule)
