"""Attacks: guns, torpedoes, aircraft and submarines at a ship (9; 10, steps 1 to 3; 11.1)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from combat.dice import Dice
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.actions import (
    MOST_TORPEDOES,
    AirAttack,
    Gunfire,
    Refuelling,
    SubmarineAttack,
    Torpedoes,
)
from combat.rulebooks.chase_of_the_bismarck.attack import (
    dice_strength,
    modifier,
    take_part,
)
from combat.rulebooks.chase_of_the_bismarck.board import range_of
from combat.rulebooks.chase_of_the_bismarck.damage import NO_DAMAGE, Damage, Resolver
from combat.rulebooks.chase_of_the_bismarck.stations import check_on_board
from combat.rulebooks.chase_of_the_bismarck.vessel import ARMAMENT, Part, Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw
from tabletop.messages import Message, ShipRef

Strike = Gunfire | Torpedoes | AirAttack | SubmarineAttack
_SLOW_BELOW = 25
_BLIND_LEVEL = 9


@dataclass(frozen=True, slots=True)
class AttackDie:
    """One die of an attack, the dice that follow from it, and their damage."""

    throws: tuple[Throw, ...]
    damage: Damage


def gun_strength(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> Strength:
    """The dice of a ship's guns, with every modifier in the order of the printed list."""
    take_part(attack)
    check_on_board(attack)
    if attack.actor.marks.fired:
        raise Forbidden(Message("chase.refused.fired", ship=ShipRef(attack.actor.id)), "10, step 2")
    lines = [modifier(tables, "gun_modifiers", row) for row in _gun_rows(attack, tables)]
    bearing = factors_bearing(attack, tables)
    cells = [attack.actor.cells[part] for part in (*bearing, "radar")]
    return dice_strength(_gun_dice(attack, tables), "10, step 2", lines, cells)


def torpedo_strength(attack: Attempt[Torpedoes, Vessel], tables: TableSet) -> Strength:
    """The assigned torpedo markers, with every modifier in the order of the printed list."""
    take_part(attack)
    check_on_board(attack)
    return _hit_strength(attack, _torpedo_dice(attack, tables), "10, step 3", tables)


def air_strength(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> Strength:
    """The die of an air attack."""
    return _hit_strength(attack, 1, "9", tables)


def submarine_strength(attack: Attempt[SubmarineAttack, Vessel], tables: TableSet) -> Strength:
    """The die of a submarine's attack; no tanker is revealed to one (11.1)."""
    if attack.victim.is_tanker:
        raise Forbidden(Message("chase.refused.tanker", ship=ShipRef(attack.victim.id)), "11.1")
    return _hit_strength(attack, 1, "11.1", tables)


def run_strike(
    attack: Attempt[Strike, Vessel], strength: Strength, dice: Dice, tables: TableSet
) -> tuple[AttackDie, ...]:
    """Roll every die of an attack, and after each the rolls that follow from it."""
    action, added = attack.action, strength.ledger.total
    total, rolls = NO_DAMAGE, []
    for number in range(1, strength.factor + 1):
        target = attack.victim
        resolver = Resolver(dice, tables, target.left("evasion", total), target.is_tanker)
        purpose = Message(f"chase.roll.{action.kind}", number=number, count=strength.factor)
        if isinstance(action, Gunfire):
            damage = resolver.gun(range_of(action.zones_between, tables), added, purpose)
        else:
            hits = resolver.hits(added, purpose)
            damage = sum((resolver.marker() for _ in range(hits)), NO_DAMAGE)
        rolls.append(AttackDie(tuple(resolver.throws), damage))
        total += damage
    return tuple(rolls)


def factors_bearing(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> dict[Part, int]:
    """The armament factors that can fire at this position and range, by part (10, step 2)."""
    action, reach = attack.action, range_of(attack.action.zones_between, tables)
    return {
        part: attack.actor.left(part)
        for part in ARMAMENT
        if tables["positions"].text(action.firer_position, part) == "yes"
        and (part != "secondary" or tables["ranges"].text(reach, part) == "yes")
    }


def torpedoes_reach(action: Torpedoes, tables: TableSet) -> bool:
    """Whether torpedoes reach this range (10, step 1)."""
    return tables["ranges"].text(range_of(action.zones_between, tables), "torpedoes") == "yes"


def _gun_dice(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> int:
    firer, reach = attack.actor, range_of(attack.action.zones_between, tables)
    if reach == "extreme" and firer.cells["extreme"].value == "no":
        raise Forbidden(Message("chase.refused.extreme", ship=ShipRef(firer.id)), "10, step 2")
    factors = sum(factors_bearing(attack, tables).values())
    if not factors:
        position = attack.action.firer_position
        raise Forbidden(
            Message(
                "chase.refused.no_armament",
                ship=ShipRef(firer.id),
                range=Message(f"chase.range.{reach}"),
                position=Message(f"chase.position.{position}"),
            ),
            "10, Position Table",
        )
    return math.ceil(factors * tables["ranges"].fraction(reach, "dice"))


def _torpedo_dice(attack: Attempt[Torpedoes, Vessel], tables: TableSet) -> int:
    action, firer, left = attack.action, attack.actor, attack.actor.left("torpedoes")
    if not torpedoes_reach(action, tables):
        reach = range_of(action.zones_between, tables)
        reason = Message("chase.refused.torpedo_range", range=Message(f"chase.range.{reach}"))
        raise Forbidden(reason, "10, step 1")
    if action.torpedoes + action.torpedoes_elsewhere > MOST_TORPEDOES:
        reason = Message(
            "chase.refused.most_torpedoes", ship=ShipRef(firer.id), most=MOST_TORPEDOES
        )
        raise Forbidden(reason, "10, step 1")
    if action.torpedoes > left:
        reason = Message(
            "chase.refused.torpedoes_left",
            ship=ShipRef(firer.id),
            left=left,
            wanted=action.torpedoes,
        )
        raise Forbidden(reason, "10, step 1")
    return action.torpedoes


def _gun_rows(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> Iterator[str]:
    action, firer, target = attack.action, attack.actor, attack.victim
    if action.target_acquired or target.id in firer.marks.acquired:
        yield "target acquired"
    if firer.has_radar(action.first_round):
        yield "radar"
    yield f"firer {action.firer_position}"
    yield f"target {action.target_position}"
    if firer.marks.fire_control_damaged:
        yield "fire control damaged"
    classes = f"{firer.card.ship_class} vs {target.card.ship_class}"
    if classes in tables["gun_modifiers"].rows:
        yield classes
    yield f"visibility {action.visibility}"
    if action.crew_exhausted:
        yield "crew exhausted"


def _hit_strength(
    attack: Attempt[Torpedoes | AirAttack | SubmarineAttack, Vessel],
    count: int,
    rule: str,
    tables: TableSet,
) -> Strength:
    """Dice on the Torpedo & Air Attack Hit Table (9)."""
    lines = [modifier(tables, "hit_modifiers", row) for row in _hit_rows(attack, tables)]
    return dice_strength(count, rule, lines, [attack.victim.cells["evasion"]])


def _hit_rows(
    attack: Attempt[Torpedoes | AirAttack | SubmarineAttack, Vessel], tables: TableSet
) -> Iterator[str]:
    action, target = attack.action, attack.victim
    # Against air attacks a damaged rudder has a separate modifier.
    in_combat = isinstance(action, Torpedoes)
    evasion = target.agility if in_combat else target.left("evasion")
    if evasion < _SLOW_BELOW and action.visibility != _BLIND_LEVEL:
        yield "evasion below 25"
    match action:
        case SubmarineAttack():
            yield "submarine"
        case AirAttack():
            yield from _air_rows(action, rudder_damaged=target.marks.rudder_damaged)
        case Torpedoes():
            yield f"target {action.target_position}"
            if range_of(action.zones_between, tables) == "medium":
                yield "torpedo at medium range"
    yield f"visibility {action.visibility}"


def _air_rows(action: AirAttack, *, rudder_damaged: bool) -> Iterator[str]:
    if action.channel:
        yield "channel"
    if rudder_damaged or action.refuelling is Refuelling.AT_SEA:
        yield "rudder damaged or refuelling at sea"
    if action.refuelling is Refuelling.IN_PORT:
        yield "refuelling in port"
    if action.night:
        yield "night"
