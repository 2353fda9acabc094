"""What every action on the battle board has in common: who takes part, and where ships stand."""

from collections.abc import Iterator, Sequence

from combat.actions import Action
from combat.free_play import Attempt
from combat.modifiers import Ledger, Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.bismarck_battle_board.actions import Level
from combat.rulebooks.bismarck_battle_board.board import hexes_between
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.strength import Strength
from combat.tables import Cell, Table
from tabletop.messages import NO_WORDS, Message, ShipRef

USUAL_HEXES = 3
"""The range of ships whose places nobody has said."""


def takes_part(ship: Vessel, rule: str = "9.714") -> None:
    """Forbidden where a ship is sunk or has withdrawn."""
    if ship.sunk:
        raise Forbidden(Message("board.refused.sunk", ship=ShipRef(ship.id)), rule)
    if ship.marks.withdrawn:
        raise Forbidden(Message("board.refused.withdrawn", ship=ShipRef(ship.id)), "9.97")


def in_naval_combat(attack: Attempt[Action, Vessel]) -> None:
    """Forbidden where somebody cannot take part in naval combat."""
    for ship in (attack.by, attack.at):
        if ship is None:
            continue
        if ship.is_flotilla:
            raise Forbidden(Message("board.refused.flotilla", ship=ShipRef(ship.id)), "23.32")
        if ship is attack.at:
            takes_part(ship)
    # Who was sunk in this round still fires in it (9.714): she comes as the round began.
    takes_part(attack.actor)


def enemies(attack: Attempt[Action, Vessel]) -> Iterator[Vessel]:
    """The enemies of the acting ship that still fight on the board."""
    own = attack.actor.side
    for other in attack.others:
        gone = other.sunk or other.marks.withdrawn or other.is_flotilla
        if other.side != own and not gone:
            yield other


def hexes_apart(attack: Attempt[Action, Vessel], stated: int | None, usual: int) -> int:
    """The range: as stated, as the ships stand, or the usual one."""
    if stated is not None:
        return stated
    one, other = attack.actor.place, attack.victim.place
    if one is None or other is None:
        return usual
    return max(1, hexes_between(one, other))


def fastest_near(attack: Attempt[Action, Vessel], within: int) -> int | None:
    """The evasion of the fastest enemy of her type or a larger one so near (9.93); None: nobody.

    An enemy without a place counts as near.
    """
    ship, place = attack.actor, attack.actor.place
    near = [
        enemy.evasion
        for enemy in enemies(attack)
        if enemy.size >= ship.size
        and (place is None or enemy.place is None or hexes_between(place, enemy.place) <= within)
    ]
    return max(near, default=None)


def needs_ammunition(ship: Vessel, level: Level) -> None:
    """Forbidden where a ship has none left (20.5)."""
    if level is Level.INTERMEDIATE and ship.ammunition == 0:
        raise Forbidden(Message("board.refused.no_ammunition", ship=ShipRef(ship.id)), "20.5")


def strength(
    factor: int,
    rule: str,
    label: str,
    lines: Sequence[Modifier] = (),
    cells: Sequence[Cell] = (),
) -> Strength:
    """What an action is rolled with: its label is a key of `board.factor`."""
    provenance = Provenance.worst(
        [*(line.provenance for line in lines), *(cell.provenance for cell in cells)]
    )
    return Strength(
        factor,
        Message("combat.reference.rule", rule=rule),
        Ledger(tuple(lines)),
        provenance,
        Message(f"board.factor.{label}") if label else NO_WORDS,
    )


def table_line(table: Table, row: str, column: str, label: Message, times: int = 1) -> Modifier:
    """A modifier from a cell of a table."""
    cell = table.cell(row, column)
    return Modifier(row, int(cell.value) * times, label, cell.reference, cell.provenance)


def plain_line(name: str, value: int, label: Message, rule: str) -> Modifier:
    """A modifier that a rule prints."""
    return Modifier(name, value, label, rule, Provenance.PRINTED)
