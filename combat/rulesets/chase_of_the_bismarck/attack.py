"""Dice that fall: an attack with what follows from each die, or a die against its limit."""

from dataclasses import dataclass

from combat.dice import Dice
from combat.one_die import Throw, read_row
from combat.rulesets.chase_of_the_bismarck.board import range_of
from combat.rulesets.chase_of_the_bismarck.damage import NO_DAMAGE, Damage, Resolver
from combat.rulesets.chase_of_the_bismarck.shot import (
    ABORT,
    CONTACT,
    GUNS,
    REINFORCEMENT,
    RULES,
    Shot,
    classes_present,
    strength_of_shot,
)
from combat.rulesets.chase_of_the_bismarck.tabledata import FOUND_CLASSES
from combat.tables import TableSet

CHECKS = {
    ABORT: ("aborted", "she leaves the combat", "she stays"),
    REINFORCEMENT: ("entered", "she enters", "she stays out"),
    CONTACT: ("contact", "contact", "no contact"),
}
"""What is one die against a limit: what it comes to, and the words for success and failure."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One die of an attack, the dice that followed from it, and the marks it made."""

    throws: tuple[Throw, ...]
    damage: Damage


def resolve_attack(shot: Shot, dice: Dice, tables: TableSet) -> tuple[Roll, ...]:
    """Roll every die of an attack, and after each what follows from it."""
    strength = strength_of_shot(shot, tables)
    total, rolls = NO_DAMAGE, []
    for number in range(1, strength.factor + 1):
        resolver = Resolver(dice, tables, shot.victim.left("evasion", total))
        purpose = f"{shot.battery}, die {number} of {strength.factor}"
        if shot.battery is GUNS:
            reach = range_of(shot.zones_between, tables)
            damage = resolver.gun(reach, strength.ledger.total, purpose)
        else:
            hits = resolver.hits(strength.ledger.total, purpose)
            damage = sum((resolver.marker() for _ in range(hits)), NO_DAMAGE)
        rolls.append(Roll(tuple(resolver.throws), damage))
        total += damage
    return tuple(rolls)


def found_by(die: int, present: tuple[str, ...], tables: TableSet) -> str:
    """The class of ship that a die lets a submarine find; "" where it is rolled again (11.1)."""
    name = tables["submarine_target"].text(str(die), "class")
    default = FOUND_CLASSES[-1]
    return next((each for each in (name, default) if each in present), "")


def resolve_found(shot: Shot, dice: Dice, tables: TableSet) -> tuple[str, tuple[Throw, ...]]:
    """The class of ship that must be revealed to a submarine, and the dice it took."""
    present, throws = classes_present(shot), list[Throw]()
    found = present[0] if len(present) == 1 else ""
    while not found:
        die = dice.ten_sided("the class that is found")
        found = found_by(die, present, tables)
        cell = tables["submarine_target"].cell(str(die), "class")
        words = found or f"no {cell.value} and no destroyers: rolled again"
        throws.append(Throw("the class that is found", "11.1", die, 0, words, cell.provenance))
    return found, tuple(throws)


def resolve_check(
    shot: Shot, dice: Dice, tables: TableSet
) -> tuple[tuple[str, ...], tuple[Throw, ...]]:
    """What one die against its limit comes to, and the dice it took; nothing where it fails."""
    total = strength_of_shot(shot, tables).ledger.total
    word, success, failure = CHECKS[shot.battery]
    purpose = f"{shot.ship.name}, {shot.battery}" if shot.firer else shot.battery.value
    die, limit = dice.ten_sided(purpose), tables["thresholds"].cell(shot.battery, "most")
    rule, passed = RULES[shot.battery], die + total <= int(limit.value)
    words = success if passed else failure
    first = Throw(purpose, rule, die, total, words, limit.provenance)
    if not passed:
        return (), (first,)
    if shot.battery is not CONTACT:
        return (word,), (first,)
    purpose = "the submarine attack"
    die = dice.ten_sided(purpose)
    cell = read_row(tables["submarine_attack"], "result", die)
    second = Throw(purpose, rule, die, 0, cell.value, cell.provenance)
    return (word, cell.value), (first, second)
