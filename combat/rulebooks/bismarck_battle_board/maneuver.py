"""Places, moves and withdrawal on the battle board (9.28, 9.5, 9.9)."""

from dataclasses import dataclass, replace
from typing import Final

from combat.actions import Action
from combat.dice import Dice
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.bismarck_battle_board.actions import (
    BreakOff,
    Level,
    Marks,
    Movement,
    NewTurn,
    Placement,
    Role,
    Withdrawal,
    WithdrawalMove,
)
from combat.rulebooks.bismarck_battle_board.attack import (
    enemies,
    fastest_near,
    in_naval_combat,
    strength,
)
from combat.rulebooks.bismarck_battle_board.board import (
    LAST_B,
    MOST_IN_A_HEX,
    Place,
    centre_place,
    direction_changes,
    edge_place,
    hexes_between,
    most_hexes,
    range_limit,
)
from combat.rulebooks.bismarck_battle_board.table_files import NO_MOVE
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_data.rolls import Throw, read
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

_FIRST_ROUND: Final = 1
_FARTHEST_BEYOND: Final = 13
"""Hexes off the board within which an entry is looked for; the enemy stands on it."""


# Set-up


def place_strength(attack: Attempt[Placement, Vessel], tables: TableSet) -> Strength:
    """How far from the centre she is placed, before the die for the edge."""
    in_naval_combat(attack)
    action, ship = attack.action, attack.actor
    reinforces = action.role is Role.REINFORCEMENT
    if action.role is not Role.DEFENDER and ship.card.ship_class is ShipClass.CARRIER:
        reason = Message("board.refused.carrier_attacks", ship=ShipRef(ship.id))
        raise Forbidden(reason, "9.43" if reinforces else "9.221")
    distance = _start_distance(action, tables)
    most = 6 if action.role is Role.DEFENDER else distance + _beyond(action)
    if action.hex > most:
        reason = Message("board.refused.no_such_hex", most=most)
        raise Forbidden(reason, "9.28" if action.level is Level.BASIC else "18.3")
    sisters = [other for other in attack.others if other.side == ship.side and other.place]
    at_start = not reinforces and attack.round_number <= _FIRST_ROUND
    if at_start and any(other.marks.heading != action.heading for other in sisters):
        raise Forbidden(Message("board.refused.one_heading"), "9.282")
    if action.role is Role.DEFENDER:
        _defender_hex(attack, sisters)
        return strength(0, "9.28", "hexes_from_centre")
    edge = _known_edge(attack)
    if edge is not None:
        place = _edge_place(action, edge, distance, action.hex, _beyond(action))
        _check_entry(attack, place, distance)
    return strength(distance, "9.28", "hexes_from_centre")


def run_place(
    attack: Attempt[Placement, Vessel], dice: Dice, tables: TableSet
) -> tuple[Place, int | None, tuple[Throw, ...]]:
    """Her place, the edge that she comes from, and the die for it where it was not known.

    With an edge that only the die has named, she takes the allowed hex nearest to the one named.
    """
    action = attack.action
    if action.role is Role.DEFENDER:
        return centre_place(action.hex, action.heading), None, ()
    distance, edge = _start_distance(action, tables), _known_edge(attack)
    if edge is not None:
        return _edge_place(action, edge, distance, action.hex, _beyond(action)), edge, ()
    purpose = Message("board.roll.edge")
    edge = dice.die(purpose)
    rule = "9.42" if action.role is Role.REINFORCEMENT else "9.28"
    throws = (read(purpose, rule, edge, Message("board.result.edge", edge=edge)),)
    return _nearest_entry(attack, edge, distance), edge, throws


def _known_edge(attack: Attempt[Placement, Vessel]) -> int | None:
    """The edge as stated; one die serves all ships that attack together (9.28)."""
    action = attack.action
    if action.edge is not None or action.role is not Role.ATTACKER:
        return action.edge
    own = attack.actor.side
    sisters = (each.marks for each in attack.others if each.side == own and each.place)
    return next((marks.edge for marks in sisters if marks.attacker and marks.edge), None)


def _beyond(action: Placement) -> int:
    """The hexes off the board: a reinforcement alone may start there (9.56)."""
    return action.beyond if action.role is Role.REINFORCEMENT else 0


def _edge_place(action: Placement, edge: int, distance: int, index: int, beyond: int) -> Place:
    return edge_place(edge, distance + beyond, index, action.heading)


def _check_entry(attack: Attempt[Placement, Vessel], place: Place, distance: int) -> None:
    """Forbidden where a hex is taken, or an enemy too near for a reinforcement (9.42, 18.1)."""
    _not_on_enemies(attack, place)
    _room_in(attack, place)
    action = attack.action
    if action.role is not Role.REINFORCEMENT:
        return
    basic = action.level is Level.BASIC
    least = LAST_B if basic else distance
    if any(foe.place and hexes_between(foe.place, place) < least for foe in enemies(attack)):
        reason = Message("board.refused.reinforcement_near", hexes=least)
        raise Forbidden(reason, "9.42" if basic else "18.1")


def _nearest_entry(attack: Attempt[Placement, Vessel], edge: int, distance: int) -> Place:
    """The allowed hex of an edge nearest to the one named, off the board if need be (9.56)."""
    action = attack.action
    first = _beyond(action)
    for beyond in range(first, first + _FARTHEST_BEYOND):
        for index in sorted(range(distance + beyond + 1), key=lambda at: abs(at - action.hex)):
            place = _edge_place(action, edge, distance, index, beyond)
            try:
                _check_entry(attack, place, distance)
            except Forbidden:
                continue
            return place
    raise Forbidden(Message("board.refused.no_room", edge=edge), "9.42")


def _start_distance(action: Placement, tables: TableSet) -> int:
    """Six hexes, or what visibility allows; a defender's radar adds one (9.28, 18.1, 18.2)."""
    radar = action.defender_radar
    return range_limit(action.level, action.visibility, tables, night=action.night, radar=radar)


def _defender_hex(attack: Attempt[Placement, Vessel], sisters: list[Vessel]) -> None:
    """The centre first, then the hexes beside it (9.281)."""
    place = centre_place(attack.action.hex, attack.action.heading)
    _room_in(attack, place)
    at_centre = [each for each in sisters if each.place and each.place.hex == (0, 0)]
    if attack.action.hex and len(at_centre) < MOST_IN_A_HEX:
        raise Forbidden(Message("board.refused.centre_first"), "9.281")


def _room_in(attack: Attempt[Action, Vessel], place: Place) -> None:
    own = attack.actor.side
    there = [
        other
        for other in attack.others
        if other.side == own
        and other.place
        and other.place.hex == place.hex
        and not (other.sunk or other.marks.withdrawn)
    ]
    if len(there) >= MOST_IN_A_HEX:
        raise Forbidden(Message("board.refused.full_hex", most=MOST_IN_A_HEX), "9.281")


def _not_on_enemies(attack: Attempt[Action, Vessel], place: Place) -> None:
    for enemy in enemies(attack):
        if enemy.place and enemy.place.hex == place.hex:
            raise Forbidden(Message("board.refused.enemy_hex", ship=ShipRef(enemy.id)), "9.55")


# Movement


def move_strength(attack: Attempt[Movement, Vessel], tables: TableSet) -> Strength:
    """No die: the hexes that she may move."""
    in_naval_combat(attack)
    action, ship = attack.action, attack.actor
    if ship.marks.moved:
        raise Forbidden(Message("board.refused.moved", ship=ShipRef(ship.id)), "9.51")
    _check_turn(attack)
    cell = direction_changes(ship.evasion, action.hexes, tables)
    if cell.value == NO_MOVE:
        most = most_hexes(ship.evasion, tables)
        reason = Message("board.refused.too_far", ship=ShipRef(ship.id), most=most)
        raise Forbidden(reason, "9.53")
    turns = turns_of(action)
    if turns > int(cell.value):
        reason = Message("board.refused.turns", ship=ShipRef(ship.id), n=int(cell.value))
        raise Forbidden(reason, "9.53")
    if ship.marks.avoids_torpedoes and not turns and _may_turn(ship, tables):
        raise Forbidden(Message("board.refused.must_turn", ship=ShipRef(ship.id)), "19.5")
    _check_way(attack)
    hexes = most_hexes(ship.evasion, tables)
    return strength(hexes, "9.53", "hexes", (), [cell, ship.cells["evasion"]])


def _may_turn(ship: Vessel, tables: TableSet) -> bool:
    return direction_changes(ship.evasion, 0, tables).value not in (NO_MOVE, "0")


def turn_to_move(ship: Vessel) -> tuple[bool, int, bool]:
    """When a ship moves in a round, as a sort key (9.31, 19.5).

    Who avoids torpedoes comes first, then the slowest; of equals those who attack.
    """
    return not ship.marks.avoids_torpedoes, ship.evasion, not ship.marks.attacker


def _check_turn(attack: Attempt[Movement, Vessel]) -> None:
    """Forbidden after the fire of a round, or after a ship whose turn comes later (9.31).

    A ship whose turn was passed over has stayed where she was. Without places nobody keeps order.
    """
    ship = attack.actor
    if ship.place is None:
        return
    for other in _on_board(attack):
        if other.has_fired:
            raise Forbidden(Message("board.refused.fire_began", ship=ShipRef(other.id)), "9.31")
        if other.marks.moved and turn_to_move(other) > turn_to_move(ship):
            reason = Message(
                "board.refused.turn_passed", ship=ShipRef(ship.id), other=ShipRef(other.id)
            )
            raise Forbidden(reason, "9.31")


def _on_board(attack: Attempt[Action, Vessel]) -> list[Vessel]:
    """The other ships that stand on the board, of both sides."""
    return [each for each in attack.others if each.place and not each.marks.withdrawn]


def turns_of(action: Movement) -> int:
    """The direction changes of a move (9.52)."""
    return abs(action.turn) + abs(action.turn_between) + abs(action.turn_after)


def way_of(place: Place, action: Movement) -> tuple[Place, ...]:
    """Her places hex by hex, the last with her heading at the end."""
    place, way = place.turned(action.turn), list[Place]()
    for number in range(action.hexes):
        place = place.turned(action.turn_between).ahead() if number else place.ahead()
        way.append(place)
    if action.hexes < 2:
        place = place.turned(action.turn_between)
    last = place.turned(action.turn_after)
    return (*way[:-1], last)


def _check_way(attack: Attempt[Movement, Vessel]) -> None:
    """No hex of an enemy (9.55), no crowd, and not nearer while she withdraws (9.96)."""
    place, action = attack.actor.place, attack.action
    if place is None:
        return
    way = way_of(place, action)
    if action.hexes:
        for each in way:
            _not_on_enemies(attack, each)
        _room_in(attack, way[-1])
    if attack.actor.marks.withdrawing:
        for enemy in enemies(attack):
            other = enemy.place
            if other and hexes_between(way[-1], other) < hexes_between(place, other):
                reason = Message("board.refused.nearer", ship=ShipRef(enemy.id))
                raise Forbidden(reason, "9.96")


def stands_at(marks: Marks, place: Place | None) -> Marks:
    """The marks of a ship that stands somewhere else now."""
    if place is None:
        return marks
    return replace(marks, column=place.column, row=place.row, heading=place.heading)


# Withdrawal


def withdraw_strength(attack: Attempt[Withdrawal, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as the others
    """No die: her evasion, which must be higher than that of every enemy who could hold her."""
    in_naval_combat(attack)
    ship = attack.actor
    if ship.marks.withdrawing:
        raise Forbidden(Message("board.refused.withdraws", ship=ShipRef(ship.id)), "9.99")
    begun = [each for each in (ship, *_on_board(attack)) if each.marks.moved or each.has_fired]
    if ship.place and begun:
        raise Forbidden(Message("board.refused.round_began", ship=ShipRef(begun[0].id)), "9.94")
    fastest = _fastest(attack, attack.action.enemy_evasion)
    if fastest is not None and ship.evasion <= fastest:
        reason = Message("board.refused.too_slow", ship=ShipRef(ship.id), fastest=fastest)
        raise Forbidden(reason, "9.93")
    return strength(ship.evasion, "9.93", "evasion", (), [ship.cells["evasion"]])


def _fastest(
    attack: Attempt[Withdrawal | WithdrawalMove, Vessel], stated: int | None
) -> int | None:
    return fastest_near(attack, LAST_B) if stated is None else stated


def ships_in_combat(attack: Attempt[Action, Vessel]) -> list[Vessel]:
    """The ships that still fight: those on the board, or all where nobody has a place."""
    left = [
        ship for ship in attack.fleet if not (ship.sunk or ship.marks.withdrawn or ship.is_flotilla)
    ]
    return [ship for ship in left if ship.place] or left


def break_off_strength(attack: Attempt[BreakOff, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as the others
    """No die: the ships that leave."""
    left = ships_in_combat(attack)
    if not left:
        raise Forbidden(Message("board.refused.nobody_fights"), "9.92")
    return strength(len(left), "9.92", "ships")


def new_turn_strength(attack: Attempt[NewTurn, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as the others
    """No die: the ships of the fight."""
    return strength(len(attack.fleet), "9.33", "ships")


@dataclass(frozen=True, slots=True)
class WithdrawnTo:
    """What a bonus move comes to."""

    place: Place | None
    escaped: bool
    held: bool
    """Whether she has become too slow to withdraw."""


def withdrawal_strength(attack: Attempt[WithdrawalMove, Vessel], tables: TableSet) -> Strength:
    """No die: the hexes beyond which she has escaped."""
    in_naval_combat(attack)
    ship = attack.actor
    stated = attack.action.withdrawing
    if not (ship.marks.withdrawing if stated is None else stated):
        raise Forbidden(Message("board.refused.not_withdrawing", ship=ShipRef(ship.id)), "9.95")
    place = _bonus_place(attack)
    if place is not None:
        _not_on_enemies(attack, place)
    return strength(_escape_range(attack.action, tables), "9.97", "escape")


def run_withdrawal(attack: Attempt[WithdrawalMove, Vessel], tables: TableSet) -> WithdrawnTo:
    """One hex on, and away if no enemy is near (9.94, 9.95, 9.97, 18.4)."""
    ship, action = attack.actor, attack.action
    fastest = _fastest(attack, action.enemy_evasion)
    if fastest is not None and ship.evasion < fastest:
        return WithdrawnTo(ship.place, escaped=False, held=True)
    place, foes = _bonus_place(attack), list(enemies(attack))
    nearest = action.nearest_enemy
    if nearest is None and place is not None:
        found = [hexes_between(place, foe.place) for foe in foes if foe.place]
        nearest = min(found, default=None) if len(found) == len(foes) else 1
    elif nearest is None and foes:
        # Nobody knows where they are: they count as near.
        nearest = 1
    escaped = nearest is None or nearest > _escape_range(action, tables)
    return WithdrawnTo(place, escaped=escaped, held=False)


def _bonus_place(attack: Attempt[WithdrawalMove, Vessel]) -> Place | None:
    place = attack.actor.place
    return place and place.ahead().turned(attack.action.turn_entered)


def _escape_range(action: WithdrawalMove, tables: TableSet) -> int:
    return range_limit(action.level, action.visibility, tables, night=action.night, radar=False)
