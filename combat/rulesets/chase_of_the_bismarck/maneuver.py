"""The Battle Board from a shot file: where the sides start, and where a move takes a ship (10).

A shot file counts movement zones as players do, each side from its own edge of the board.
"""

from dataclasses import dataclass, replace

from combat.rulesets.chase_of_the_bismarck.board import (
    LAST_ZONE,
    Counter,
    allowance,
    move,
    range_of,
    start_zone,
    zones_between,
)
from combat.rulesets.chase_of_the_bismarck.shot import Battery, Shot
from combat.rulesets.chase_of_the_bismarck.vessel import Position
from combat.tables import TableSet

_SHE, _ENEMY = "she", "the enemy"


@dataclass(frozen=True, slots=True)
class Standing:
    """How two ships stand to each other; zones from their own edges, None where one has left."""

    zone: int | None
    enemy_zone: int | None
    shifted: int = 0
    """Movement zones that all ships were shifted to keep her on the board."""
    held_up: int = 0
    """Movement zones that the shift costs an enemy who has yet to move."""

    @property
    def between(self) -> int | None:
        """The sea zones between them."""
        if self.zone is None or self.enemy_zone is None:
            return None
        return zones_between(self.zone, LAST_ZONE + 1 - self.enemy_zone)

    def words(self, tables: TableSet) -> str:
        """The distance as players say it."""
        if self.between is None:
            return "one of them has left the board and the combat"
        many = "s" * (self.between != 1)
        return f"{self.between} sea zone{many} between: {range_of(self.between, tables)} range"


def standing(shot: Shot, tables: TableSet) -> Standing:
    """Where they stand at the start, or after her move; Forbidden where she may not make it."""
    if shot.battery is Battery.START:
        zone = start_zone(shot.number("visibility"), attacker=True)
        return Standing(zone, zone)
    she, enemy = _counters(shot)
    board = move((she, enemy), she.name, _new_position(shot), shot.number("zones"), tables)
    after = {counter.name: counter for counter in board}
    mine, theirs = after.get(_name(shot)), after.get(_ENEMY)
    ahead = shot.number("zones") * replace(she, position=_new_position(shot)).forward
    return Standing(
        mine.zone if mine else None,
        LAST_ZONE + 1 - theirs.zone if theirs else None,
        abs(she.zone + ahead - mine.zone) if mine else 0,
        theirs.held_up if theirs else 0,
    )


def movement_of(shot: Shot, tables: TableSet) -> int:
    """The movement zones that she may move in this step."""
    return allowance(_counters(shot)[0], tables)


def _name(shot: Shot) -> str:
    return shot.ship.name or _SHE


def _new_position(shot: Shot) -> Position:
    return Position(shot.word("new_position"))


def _counters(shot: Shot) -> tuple[Counter, Counter]:
    """Her counter and the enemy's; she counts as the attacker, whose edge the board begins at."""
    ship = shot.ship
    she = Counter(
        _name(shot), True, shot.number("zone"), ship.position, ship.left("evasion"),
        bool(ship.marked.rudder), held_up=shot.number("held_up"),
    )  # fmt: skip
    enemy = Counter(
        _ENEMY, False, LAST_ZONE + 1 - shot.number("enemy_zone"), Position.OPENING,
        shot.number("enemy_evasion"), moved=shot.flag("enemy_moved"),
    )  # fmt: skip
    return she, enemy
