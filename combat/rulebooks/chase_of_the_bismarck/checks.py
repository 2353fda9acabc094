"""Single dice against a limit: leaving and entering a combat, and submarines (10; 11.1)."""

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
    TankerCaught,
)
from combat.rulebooks.chase_of_the_bismarck.attack import dice_strength, take_part
from combat.rulebooks.chase_of_the_bismarck.board import Position
from combat.rulebooks.chase_of_the_bismarck.stations import check_on_board, counters_of
from combat.rulebooks.chase_of_the_bismarck.table_files import DIFFERENCES, FOUND_CLASSES
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, read_row, table_modifier
from tabletop.messages import Message, ShipRef

CheckAction = Abort | Reinforcement | SubmarineContact
FREE_ZONES_TO_ABORT: Final = 6


@dataclass(frozen=True, slots=True)
class _Check:
    """The name of a success, and the texts of success and failure."""

    outcome: Message
    yes: Message
    no: Message


_CHECKS: Final = {
    "abort": _Check(
        Message("chase.outcome.aborted"),
        Message("chase.result.leaves"),
        Message("chase.result.stays"),
    ),
    "reinforcement": _Check(
        Message("chase.outcome.entered"),
        Message("chase.result.enters"),
        Message("chase.result.stays_out"),
    ),
    "submarine contact": _Check(
        Message("chase.outcome.contact"),
        Message("chase.result.contact"),
        Message("chase.result.no_contact"),
    ),
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one die against its limit, with its dice."""

    throws: tuple[Throw, ...]
    outcome: tuple[Message, ...] = ()
    """Empty on failure."""
    convoy: str = ""
    """The convoy that a hunt has found."""

    @property
    def passed(self) -> bool:
        """Whether it succeeded."""
        return bool(self.outcome)


@dataclass(frozen=True, slots=True)
class ContactResult:
    """The class of ship that a submarine finds, with its dice."""

    ship_class: str
    throws: tuple[Throw, ...] = ()


def abort_strength(attack: Attempt[Abort, Vessel], tables: TableSet) -> Strength:
    """The die for leaving, by the evasion differential (10, step 5)."""
    take_part(attack)
    check_on_board(attack)
    action, ship = attack.action, attack.actor
    if ship.marks.escort:
        raise Forbidden(Message("chase.refused.escort", ship=ShipRef(ship.id)), "11.3")
    if action.firer_position is not Position.BREAKING_OFF:
        reason = Message("chase.refused.not_breaking_off", ship=ShipRef(ship.id))
        raise Forbidden(reason, "10, step 5")
    if action.zones_between < FREE_ZONES_TO_ABORT:
        reason = Message("chase.refused.enemy_near", zones=FREE_ZONES_TO_ABORT)
        raise Forbidden(reason, "10, step 5")
    difference = min(max(ship.agility - action.enemy_evasion, -2), 2)
    row = next(row for row, value in DIFFERENCES.items() if value == difference)
    line = table_modifier(
        tables["abort_modifiers"], row, Message("chase.modifier.evasion", difference=row)
    )
    return dice_strength(1, "10, step 5", [line], [ship.cells["evasion"]])


def reinforcement_strength(attack: Attempt[Reinforcement, Vessel], _tables: TableSet) -> Strength:
    """The die for entering (10, step 6)."""
    take_part(attack)
    ship = attack.actor
    if ship.marks.zone is not None:
        raise Forbidden(Message("chase.refused.there", ship=ShipRef(ship.id)), "10, step 6")
    if ship.marks.tried_to_enter:
        raise Forbidden(Message("chase.refused.tried", ship=ShipRef(ship.id)), "10, step 6")
    board = counters_of(attack.fleet)
    if board and len({each.attacker for each in board}) < 2:
        raise Forbidden(Message("chase.refused.one_side_left"), "10, step 6")
    if attack.action.round < FIRST_REINFORCED_ROUND:
        reason = Message(
            "chase.refused.too_early",
            ship=ShipRef(attack.actor.id),
            round=FIRST_REINFORCED_ROUND,
        )
        raise Forbidden(reason, "10, step 6")
    return dice_strength(1, "10, step 6", [])


def contact_strength(_attack: Attempt[SubmarineContact, Vessel], _tables: TableSet) -> Strength:
    """The die for contact (11.1)."""
    return dice_strength(1, "11.1", [])


def caught_strength(attack: Attempt[TankerCaught, Vessel], _tables: TableSet) -> Strength:
    """A tanker that an Allied warship finds is sunk; no die is rolled (10, step 6)."""
    target = attack.actor
    if not target.is_tanker:
        raise Forbidden(Message("chase.refused.no_tanker", ship=ShipRef(target.id)), "10, step 6")
    if target.sunk:
        raise Forbidden(Message("chase.refused.sunk", ship=ShipRef(target.id)), "2.4")
    if not attack.action.spotted:
        reason = Message("chase.refused.not_spotted", ship=ShipRef(target.id))
        raise Forbidden(reason, "10, step 6")
    return dice_strength(0, "10, step 6", [])


def run_check(
    attack: Attempt[CheckAction, Vessel], strength: Strength, dice: Dice, tables: TableSet
) -> CheckResult:
    """Roll a check; contact with a submarine needs a second roll."""
    kind, added = attack.action.kind, strength.ledger.total
    rule = str(strength.reference["rule"])
    check, limit = _CHECKS[kind], tables["thresholds"].cell(kind, "most")
    purpose = _purpose(attack)
    die = dice.ten_sided(purpose)
    passed = die + added <= int(limit.value)
    words = check.yes if passed else check.no
    first = Throw(purpose, rule, die, added, "", limit.provenance, words)
    if not passed:
        return CheckResult((first,))
    if not isinstance(attack.action, SubmarineContact):
        return CheckResult((first,), (check.outcome,))
    purpose = Message("chase.roll.submarine_attack")
    die = dice.ten_sided(purpose)
    cell = read_row(tables["submarine_attack"], "result", die)
    second = Throw(purpose, rule, die, 0, cell.value, cell.provenance)
    return CheckResult((first, second), (check.outcome, contact_message(cell.value)))


def _purpose(attack: Attempt[CheckAction, Vessel]) -> Message:
    match attack.action:
        case Abort():
            return Message("chase.roll.abort", ship=ShipRef(attack.actor.id))
        case Reinforcement():
            return Message("chase.roll.reinforcement", ship=ShipRef(attack.actor.id))
        case SubmarineContact():
            return Message("chase.roll.contact")


def contact_message(result: str) -> Message:
    """The result of the Submarine Attack Table."""
    return Message(f"chase.contact.{result.replace(' ', '_')}")


def class_message(ship_class: str) -> Message:
    """The title of a class of ships that a submarine may find."""
    return Message(f"chase.class.{ship_class.replace(' ', '_')}")


def classes_present(action: SubmarineTarget) -> tuple[str, ...]:
    """The classes of ships that a submarine may find. Raises Forbidden if there are none (11.1)."""
    flags = (action.capital_ships, action.cruisers, action.destroyers)
    present = tuple(name for name, there in zip(FOUND_CLASSES, flags, strict=True) if there)
    if not present:
        raise Forbidden(Message("chase.refused.nobody"), "11.1")
    return present


def found_strength(attack: Attempt[SubmarineTarget, Vessel], _tables: TableSet) -> Strength:
    """The die for the class of ship; a single class needs none (11.1)."""
    return dice_strength(int(len(classes_present(attack.action)) > 1), "11.1", [])


def found_by(die: int, present: tuple[str, ...], tables: TableSet) -> str:
    """The class of ship of a die; "" if it has to be rolled again (11.1)."""
    name = tables["submarine_target"].text(str(die), "class")
    default = FOUND_CLASSES[-1]
    return next((each for each in (name, default) if each in present), "")


def run_found(
    attack: Attempt[SubmarineTarget, Vessel], dice: Dice, tables: TableSet
) -> ContactResult:
    """Roll for the class of ship that must be revealed to a submarine."""
    present, throws = classes_present(attack.action), list[Throw]()
    purpose = Message("chase.roll.found")
    found = present[0] if len(present) == 1 else ""
    while not found:
        die = dice.ten_sided(purpose)
        found = found_by(die, present, tables)
        cell = tables["submarine_target"].cell(str(die), "class")
        words = (
            class_message(found)
            if found
            else Message("chase.result.no_class", found=class_message(cell.value))
        )
        throws.append(Throw(purpose, "11.1", die, 0, "", cell.provenance, words))
    return ContactResult(found, tuple(throws))
