"""Places on the Battle Board: at the start, and after a move (10).

Movement zones are counted by each side from its own edge of the board.
"""

from dataclasses import dataclass, replace

from combat.free_play import Attempt
from combat.rulebooks.chase_of_the_bismarck.actions import Movement, Start
from combat.rulebooks.chase_of_the_bismarck.attack import take_part
from combat.rulebooks.chase_of_the_bismarck.board import (
    LAST_ZONE,
    Counter,
    Position,
    allowance,
    from_own_edge,
    move,
    start_zone,
    with_turn_of,
    zones_between,
)
from combat.rulebooks.chase_of_the_bismarck.stations import (
    check_on_board,
    check_start,
    counters_of,
    enemies_of,
)
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import strength_of
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class RelativePosition:
    """The places of two ships relative to each other; zones from their own edges."""

    zone: int
    enemy_zone: int | None
    """None if the enemy was pushed off the board."""
    shifted: int = 0
    """Movement zones by which all ships were shifted to keep her on the board."""
    held_up: int = 0
    """Movement zones that the shift costs an enemy who has yet to move."""
    board: tuple[Counter, ...] = ()
    """All counters after her move, where the fight is on the board."""

    @property
    def between(self) -> int | None:
        """The sea zones between them."""
        if self.enemy_zone is None:
            return None
        return zones_between(self.zone, LAST_ZONE + 1 - self.enemy_zone)


def start_strength(attack: Attempt[Start, Vessel], _tables: TableSet) -> Strength:
    """The movement zone in which both sides start; no die is rolled."""
    check_start(attack)
    zone = attack.action.visibility
    reference = Message("chase.reference.zone", rule="10")
    return strength_of(zone, reference, [], label=Message("chase.factor.zone"))


def start_position(attack: Attempt[Start, Vessel], _tables: TableSet) -> RelativePosition:
    """The places of the sides at the start of a combat."""
    zone = start_zone(attack.action.visibility, attacker=True)
    return RelativePosition(zone, zone)


def move_strength(attack: Attempt[Movement, Vessel], tables: TableSet) -> Strength:
    """The movement zones that she may move in this step; no die is rolled."""
    take_part(attack)
    check_on_board(attack)
    position_after_move(attack, tables)
    zones = allowance(_counters(attack)[0], tables)
    reference = Message("chase.reference.zones", rule="10, Movement Table")
    return strength_of(zones, reference, [], label=Message("chase.factor.zones"))


def position_after_move(attack: Attempt[Movement, Vessel], tables: TableSet) -> RelativePosition:
    """The places after her move. Raises Forbidden if she may not make it."""
    if attack.actor.marks.zone is not None:
        return _after_move_on_board(attack, tables)
    action, (she, enemy) = attack.action, _counters(attack)
    board = move((she, enemy), she.name, action.new_position, action.zones, tables)
    # A move never takes a ship off the board: the board and all other ships shift (10, step 4).
    mine = next(counter for counter in board if counter.attacker)
    theirs = next((counter for counter in board if not counter.attacker), None)
    ahead = action.zones * replace(she, position=action.new_position).forward
    return RelativePosition(
        zone=mine.zone,
        enemy_zone=LAST_ZONE + 1 - theirs.zone if theirs else None,
        shifted=abs(she.zone + ahead - mine.zone),
        held_up=theirs.held_up if theirs else 0,
    )


def _after_move_on_board(attack: Attempt[Movement, Vessel], tables: TableSet) -> RelativePosition:
    action, name = attack.action, attack.actor.id
    board = with_turn_of(counters_of(attack.fleet), name)
    she = next(each for each in board if each.name == name)
    after = move(board, name, action.new_position, action.zones, tables)
    mine = next(each for each in after if each.name == name)
    nearest = min(enemies_of(mine, after), key=lambda foe: abs(foe.zone - mine.zone), default=None)
    ahead = action.zones * replace(she, position=action.new_position).forward
    return RelativePosition(
        zone=from_own_edge(mine.zone, mine.attacker),
        enemy_zone=from_own_edge(nearest.zone, nearest.attacker) if nearest else None,
        shifted=abs(she.zone + ahead - mine.zone),
        board=after,
    )


def _counters(attack: Attempt[Movement, Vessel]) -> tuple[Counter, Counter]:
    """Her counter and the enemy's; she counts as the attacker, at whose edge zones begin."""
    action, ship = attack.action, attack.actor
    she = Counter(
        ship.id, True, action.zone, action.firer_position, ship.left("evasion"),
        ship.marks.rudder_damaged, held_up=action.held_up,
    )  # fmt: skip
    enemy = Counter(
        "the enemy", False, LAST_ZONE + 1 - action.enemy_zone, Position.OPENING,
        action.enemy_evasion, moved=action.enemy_moved,
    )  # fmt: skip
    return she, enemy
