"""One die against its limit: leaving a combat, entering one, and submarines (10; 11.1)."""

from dataclasses import dataclass
from typing import Final

from combat.dice import Dice
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.actions import (
    FIRST_REINFORCED_ROUND,
    Abort,
    Reinforcement,
    SubmarineContact,
    SubmarineTarget,
)
from combat.rulebooks.chase_of_the_bismarck.attack import dice_strength, take_part
from combat.rulebooks.chase_of_the_bismarck.board import Position
from combat.rulebooks.chase_of_the_bismarck.table_files import DIFFERENCES, FOUND_CLASSES
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, read_row, table_modifier

CheckAction = Abort | Reinforcement | SubmarineContact
FREE_ZONES_TO_ABORT: Final = 6


@dataclass(frozen=True, slots=True)
class _Check:
    """What a success is called, and the words for success and failure."""

    outcome: str
    yes: str
    no: str


_CHECKS: Final = {
    "abort": _Check("aborted", "she leaves the combat", "she stays"),
    "reinforcement": _Check("entered", "she enters", "she stays out"),
    "submarine contact": _Check("contact", "contact", "no contact"),
}


@dataclass(frozen=True, slots=True)
class Checked:
    """What one die against its limit came to, and the dice it took."""

    throws: tuple[Throw, ...]
    outcome: tuple[str, ...] = ()
    """Empty where it failed."""

    @property
    def passed(self) -> bool:
        """Whether it succeeded."""
        return bool(self.outcome)


@dataclass(frozen=True, slots=True)
class Found:
    """The class of ship that a submarine finds, and the dice it took."""

    ship_class: str
    throws: tuple[Throw, ...] = ()


def abort_strength(attack: Attempt[Abort, Vessel], tables: TableSet) -> Strength:
    """The die for leaving, by the evasion differential (10, step 5)."""
    take_part(attack)
    action, ship = attack.action, attack.actor
    if action.firer_position is not Position.BREAKING_OFF:
        raise Forbidden(f"{ship.name} is not in breaking-off position", "10, step 5")
    if action.zones_between < FREE_ZONES_TO_ABORT:
        reason = f"the nearest enemy is less than {FREE_ZONES_TO_ABORT} free sea zones away"
        raise Forbidden(reason, "10, step 5")
    difference = min(max(ship.agility - action.enemy_evasion, -2), 2)
    row = next(row for row, value in DIFFERENCES.items() if value == difference)
    line = table_modifier(tables["abort_modifiers"], row, f"Evasion {row} to the fastest enemy's")
    return dice_strength(1, "10, step 5", [line], [ship.cells["evasion"]])


def reinforcement_strength(attack: Attempt[Reinforcement, Vessel], _tables: TableSet) -> Strength:
    """The die for entering (10, step 6)."""
    take_part(attack)
    if attack.action.round < FIRST_REINFORCED_ROUND:
        reason = f"{attack.actor.name} may not enter before combat round {FIRST_REINFORCED_ROUND}"
        raise Forbidden(reason, "10, step 6")
    return dice_strength(1, "10, step 6", [])


def contact_strength(_attack: Attempt[SubmarineContact, Vessel], _tables: TableSet) -> Strength:
    """The die for contact (11.1)."""
    return dice_strength(1, "11.1", [])


def run_check(
    attack: Attempt[CheckAction, Vessel], strength: Strength, dice: Dice, tables: TableSet
) -> Checked:
    """Roll it; a submarine that is met is rolled for once more."""
    kind, rule, added = attack.action.kind, strength.reference, strength.ledger.total
    check, limit = _CHECKS[kind], tables["thresholds"].cell(kind, "most")
    purpose = f"{attack.by.name}, {kind}" if attack.by else kind
    die = dice.ten_sided(purpose)
    passed = die + added <= int(limit.value)
    words = check.yes if passed else check.no
    first = Throw(purpose, rule, die, added, words, limit.provenance)
    if not passed:
        return Checked((first,))
    if not isinstance(attack.action, SubmarineContact):
        return Checked((first,), (check.outcome,))
    purpose = "the submarine attack"
    die = dice.ten_sided(purpose)
    cell = read_row(tables["submarine_attack"], "result", die)
    second = Throw(purpose, rule, die, 0, cell.value, cell.provenance)
    return Checked((first, second), (check.outcome, cell.value))


def classes_present(action: SubmarineTarget) -> tuple[str, ...]:
    """The classes of ships that a submarine may find; Forbidden where there are none (11.1)."""
    flags = (action.capital_ships, action.cruisers, action.destroyers)
    present = tuple(name for name, there in zip(FOUND_CLASSES, flags, strict=True) if there)
    if not present:
        raise Forbidden("no ship is there to be found", "11.1")
    return present


def found_strength(attack: Attempt[SubmarineTarget, Vessel], _tables: TableSet) -> Strength:
    """The die for the class of ship; a single class is found without one (11.1)."""
    return dice_strength(int(len(classes_present(attack.action)) > 1), "11.1", [])


def found_by(die: int, present: tuple[str, ...], tables: TableSet) -> str:
    """The class of ship that a die lets a submarine find; "" where it is rolled again (11.1)."""
    name = tables["submarine_target"].text(str(die), "class")
    default = FOUND_CLASSES[-1]
    return next((each for each in (name, default) if each in present), "")


def run_found(attack: Attempt[SubmarineTarget, Vessel], dice: Dice, tables: TableSet) -> Found:
    """Roll for the class of ship that must be revealed to a submarine."""
    present, throws = classes_present(attack.action), list[Throw]()
    found = present[0] if len(present) == 1 else ""
    while not found:
        die = dice.ten_sided("the class that is found")
        found = found_by(die, present, tables)
        cell = tables["submarine_target"].cell(str(die), "class")
        words = found or f"no {cell.value} and no destroyers: rolled again"
        throws.append(Throw("the class that is found", "11.1", die, 0, words, cell.provenance))
    return Found(found, tuple(throws))
