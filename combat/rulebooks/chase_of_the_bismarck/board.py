"""The Battle Board: nine sea zones of three movement zones each, and movement on it (10).

Movement zones are counted from 1 at the attacker's edge to 27 at the defender's. Closing is towards
the enemy's edge, breaking off towards one's own.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.table_files import MOVEMENT, RANGES
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

SEA_ZONES = 9
ZONES_IN_A_SEA_ZONE = 3
LAST_ZONE = SEA_ZONES * ZONES_IN_A_SEA_ZONE
FARTHEST = SEA_ZONES - 2
"""The most sea zones between two ships."""


class Position(StrEnum):
    """A ship's position relative to the enemy (10)."""

    OPENING = "opening"
    CLOSING = "closing"
    BREAKING_OFF = "breaking-off"


@dataclass(frozen=True, slots=True)
class Counter:
    """A ship's counter on the board."""

    name: str
    """The ship's id."""
    attacker: bool
    zone: int
    position: Position
    evasion: int
    """Her printed rating minus all evasion effects."""
    rudder_damaged: bool = False
    moved: bool = False
    """Whether she has moved in this step."""
    held_up: int = 0
    """Movement zones that a shift of the board costs her (10, step 4)."""

    @property
    def agility(self) -> int:
        """Her evasion; 0 with a damaged rudder (10, step 4)."""
        return 0 if self.rudder_damaged else self.evasion

    @property
    def forward(self) -> int:
        """The direction of her bow along the board: 1 or -1; 0 in opening position."""
        towards_enemy = 1 if self.attacker else -1
        ways = {Position.CLOSING: towards_enemy, Position.BREAKING_OFF: -towards_enemy}
        return ways.get(self.position, 0)


def sea_zone(zone: int) -> int:
    """The sea zone, 1 to 9, of a movement zone."""
    return (zone - 1) // ZONES_IN_A_SEA_ZONE + 1


def zones_between(zone: int, other: int) -> int:
    """The number of sea zones between two movement zones."""
    return max(0, abs(sea_zone(zone) - sea_zone(other)) - 1)


def range_of(between: int, tables: TableSet) -> str:
    """The range for a number of intervening sea zones."""
    ranges = tables["ranges"]
    return next(
        (name for name in RANGES if between <= ranges.integer(name, "zones_between")), RANGES[-1]
    )


def from_own_edge(zone: int, attacker: bool) -> int:
    """A zone of the board as a side counts it from its own edge, or the other way round."""
    return zone if attacker else LAST_ZONE + 1 - zone


def in_order(board: tuple[Counter, ...]) -> tuple[Counter, ...]:
    """The ships in the order in which they move: slowest first, of equals the attacker's."""
    return tuple(sorted(board, key=_turn))


def _turn(ship: Counter) -> tuple[int, bool]:
    return ship.agility, not ship.attacker


def with_turn_of(board: tuple[Counter, ...], name: str) -> tuple[Counter, ...]:
    """The board as a ship's turn to move comes: the slower ones have stayed where they are.

    Forbidden where she has moved already, or a ship whose turn comes later has (10, step 4).
    """
    she = next(each for each in board if each.name == name)
    if she.moved:
        raise Forbidden(Message("chase.refused.moved", ship=ShipRef(name)), "10, step 4")
    later = next((each for each in board if each.moved and _turn(each) > _turn(she)), None)
    if later is not None:
        reason = Message("chase.refused.turn_passed", ship=ShipRef(name), other=ShipRef(later.name))
        raise Forbidden(reason, "10, step 4")
    return tuple(replace(each, moved=True) if _turn(each) < _turn(she) else each for each in board)


def start_zone(visibility: int, attacker: bool) -> int:
    """A ship's starting zone: the visibility level, counted from her own edge."""
    return visibility if attacker else LAST_ZONE + 1 - visibility


def reinforcement_zone(visibility: int, attacker: bool) -> int:
    """The zone of a reinforcement: one behind the starting zone, on the board (10, step 6)."""
    return start_zone(max(1, visibility - 1), attacker)


def movement_zones(evasion: int, tables: TableSet) -> int:
    """The Movement Table (10, step 4); a ship without evasion cannot move (2.3.1)."""
    row = next(row for row, most in MOVEMENT.items() if evasion <= most)
    return tables["movement"].integer(row, "zones") if evasion > 0 else 0


def allowance(counter: Counter, tables: TableSet) -> int:
    """The movement zones that she may move in this step."""
    return max(0, movement_zones(counter.agility, tables) - counter.held_up)


def move(
    board: tuple[Counter, ...], name: str, position: Position, zones: int, tables: TableSet
) -> tuple[Counter, ...]:
    """The board after a ship took a position and moved; ships pushed off it are removed."""
    ship = next(each for each in board if each.name == name)
    turned = replace(ship, position=position)
    if ship.rudder_damaged and (zones or turned != ship):
        raise Forbidden(Message("chase.refused.rudder", ship=ShipRef(name)), "10, step 4")
    if zones > allowance(ship, tables):
        most = allowance(ship, tables)
        reason = Message("chase.refused.too_far", ship=ShipRef(name), most=most, zones=zones)
        raise Forbidden(reason, "10, Movement Table")
    if zones and not turned.forward:
        raise Forbidden(Message("chase.refused.opening", ship=ShipRef(name)), "10, step 4")
    if ship.held_up and position is not Position.CLOSING:
        raise Forbidden(Message("chase.refused.must_close", ship=ShipRef(name)), "10, step 4")
    moved = replace(turned, zone=ship.zone + zones * turned.forward, moved=True)
    beyond = moved.zone - min(max(moved.zone, 1), LAST_ZONE)
    after = (moved if each is ship else each for each in board)
    shifted = (_shifted(each, beyond, tables) for each in after)
    return tuple(each for each in shifted if each is not None)


def _shifted(ship: Counter, beyond: int, tables: TableSet) -> Counter | None:
    """A ship after the board was shifted for one that would leave it (10, step 4).

    A ship that has yet to move stays at the edge, closing, and may move that much less; her player
    may also remove her.
    """
    zone = ship.zone - beyond
    edge = min(max(zone, 1), LAST_ZONE)
    pushed = abs(zone - edge)
    if not pushed:
        return replace(ship, zone=zone)
    if ship.moved or pushed > allowance(ship, tables):
        return None
    held_up = ship.held_up + pushed
    return replace(ship, zone=edge, position=Position.CLOSING, held_up=held_up)
