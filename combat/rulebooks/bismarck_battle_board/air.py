"""Aircraft against ships: strikes of the Basic Game, waves of the Intermediate Game (9.1, 27)."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from combat.dice import Dice
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.bismarck_battle_board.actions import AirAttack, AirStrike, Bomber, Strikers
from combat.rulebooks.bismarck_battle_board.attack import strength, table_line, takes_part
from combat.rulebooks.bismarck_battle_board.damage import (
    MISS,
    NO_DAMAGE,
    Damage,
    cell_message,
    terms_of,
)
from combat.rulebooks.bismarck_battle_board.events import PlanesStopped
from combat.rulebooks.bismarck_battle_board.rolls import Throw, read, sum_row
from combat.rulebooks.bismarck_battle_board.torpedoes import torpedo_hit
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_battle_board.volley import Opening, Resolved, Volley
from combat.rulebooks.bismarck_data.table_files import ANTIAIRCRAFT
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import Cell, TableSet
from tabletop.messages import Message

WORST_VISIBILITY: Final = 6
"""The last visibility level at which aircraft attack (27.25)."""
PORT_ANTIAIRCRAFT: Final = 10
"""The anti-aircraft strength of a port (37.2)."""
_BASIC_TABLES: Final = {
    Strikers.GERMAN: "german_bombers",
    Strikers.BRITISH: "british_bombers",
    Strikers.BRITISH_TORPEDO: "british_torpedo_bombers",
}
_MOST_STRIKES: Final = {Strikers.GERMAN: 1, Strikers.BRITISH: 2, Strikers.BRITISH_TORPEDO: 2}
_TARGETS: Final = {
    ShipClass.BATTLESHIP: "battleship", ShipClass.BATTLE_CRUISER: "battleship",
    ShipClass.POCKET_BATTLESHIP: "cruiser", ShipClass.HEAVY_CRUISER: "cruiser",
    ShipClass.LIGHT_CRUISER: "cruiser", ShipClass.CARRIER: "carrier", ShipClass.DESTROYER: "DD",
}  # fmt: skip
"""The columns of the Bomber Hit and the Bomber Damage Table."""
_BIG: Final = (ShipClass.BATTLESHIP, ShipClass.BATTLE_CRUISER)


# The Basic Game


def strike_strength(attack: Attempt[AirStrike, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as the others
    """The strikes of a bomber unit (9.16)."""
    action, target = attack.action, attack.victim
    takes_part(target)
    if action.night:
        raise Forbidden(Message("board.refused.air_at_night"), "9.16")
    if target.is_flotilla:
        raise Forbidden(Message("board.refused.basic_flotilla"), "27.11")
    most = _MOST_STRIKES[action.bombers]
    if action.strikes > most:
        raise Forbidden(Message("board.refused.strikes", n=most), "9.16")
    return strength(action.strikes, "9.16", "strikes")


@dataclass(frozen=True, slots=True)
class StrikeVolley(Volley):
    """Strikes of the Basic Game: two dice each."""

    attack: Attempt[AirStrike, Vessel]
    tables: TableSet

    def opening(self, dice: Dice) -> Opening:  # noqa: ARG002 - nothing is rolled first
        """The strikes."""
        return Opening(self.attack.action.strikes)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """Roll one strike (9.17)."""
        purpose = Message("board.roll.strike", number=number, count=count)
        pair, bombers = dice.pair(purpose), self.attack.action.bombers
        column = "result"
        if bombers is Strikers.BRITISH:
            big = self.attack.victim.card.ship_class in _BIG
            column = "battleship" if big else "other"
        cell = self.tables[_BASIC_TABLES[bombers]].cell(sum_row(pair), column)
        throw = read(purpose, "9.17", pair, cell_message(cell.value), cell)
        if cell.value == MISS:
            return Resolved((throw,), NO_DAMAGE)
        damage = Damage(hits=1)
        for name, boxes in terms_of(cell.value):
            damage += Damage(**{name: boxes})
        return Resolved((throw,), damage)


# The Intermediate Game


def air_strength(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> Strength:
    """The planes of a wave, and what is added to the die of their losses (27.5, 29.2)."""
    action, target = attack.action, attack.victim
    takes_part(target)
    may_fly(action.visibility, "27.25", night=action.night)
    lines = loss_lines(action.visibility, tables)
    return strength(action.planes, "27.52", "planes", lines, [target.cells["antiaircraft"]])


def may_fly(visibility: int, rule: str, *, night: bool) -> None:
    """Forbidden at night and in bad weather (24.43, 27.25)."""
    if night:
        raise Forbidden(Message("board.refused.air_at_night"), rule)
    if visibility > WORST_VISIBILITY:
        raise Forbidden(Message("board.refused.air_weather", most=WORST_VISIBILITY), rule)


def loss_lines(visibility: int, tables: TableSet) -> list[Modifier]:
    """What visibility adds to the die on the Air Loss Table."""
    table = tables["air_loss_visibility"]
    row = f"visibility {min(max(1, visibility), len(table.rows))}"
    label = Message("board.modifier.visibility", level=visibility)
    return [table_line(table, row, "value", label)]


def bomb_harm(cell: str, target: Vessel) -> Damage:
    """What a cell of the Bomber Damage Table does; the asterisk sinks a battle cruiser."""
    starred = cell.endswith("*") and target.card.ship_class is ShipClass.BATTLE_CRUISER
    if cell == MISS:
        return NO_DAMAGE
    if cell == "sunk" or starred:
        return Damage(destroyers=1) if target.is_flotilla else Damage(sunk=1)
    return sum((Damage(**{name: count}) for name, count in terms_of(cell)), NO_DAMAGE)


@dataclass(frozen=True, slots=True)
class AirVolley(Volley):
    """The planes of one wave, after anti-aircraft fire."""

    attack: Attempt[AirAttack, Vessel]
    modifier: int
    tables: TableSet

    @property
    def _antiaircraft(self) -> int:
        action = self.attack.action
        own = self.attack.victim.number("antiaircraft")
        own = own if action.antiaircraft is None else action.antiaircraft
        return own + PORT_ANTIAIRCRAFT if action.in_port else own

    def opening(self, dice: Dice) -> Opening:
        """Anti-aircraft fire: how many planes it keeps away, and how many of them are lost."""
        action, throws, strong = self.attack.action, list[Throw](), self._antiaircraft
        if not strong:
            return Opening(action.planes)
        purpose = Message("board.roll.penetration")
        die = dice.die(purpose)
        cell = self.tables["air_penetration"].cell(str(die), action.bomber)
        stopped = min(action.planes, _nearest(Fraction(int(cell.value), 100) * strong))
        words = Message("board.result.stopped", n=stopped, share=int(cell.value))
        throws.append(read(purpose, "27.53", die, words, cell))
        lost = self._losses(dice, strong, stopped, throws) if stopped else 0
        through = action.planes - stopped
        event = PlanesStopped(
            target=self.attack.victim.id, rule="27.53", stopped=stopped, lost=lost, through=through
        )
        return Opening(through, tuple(throws), (event,))

    def _losses(self, dice: Dice, strong: int, stopped: int, throws: list[Throw]) -> int:
        """Those that were shot down, never more than did not get through (29.2)."""
        purpose, table = Message("board.roll.air_loss"), self.tables["antiaircraft_losses"]
        die = dice.die(purpose)
        row = str(max(1, die + self.modifier))
        cell = table.cell(row, ANTIAIRCRAFT.name_of(strong))
        lost = min(stopped, int(cell.value))
        words = Message("board.result.planes_lost", n=lost)
        throws.append(read(purpose, "29.2", die, words, cell, modifier=self.modifier))
        return lost

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """Roll one plane on the Bomber Hit Table, and its hit (27.54, 27.55)."""
        action, target = self.attack.action, self.attack.victim
        purpose = Message("board.roll.plane", number=number, count=count)
        die, column = dice.die(purpose), _TARGETS[target.card.ship_class]
        # A ship in port cannot evade (37.3).
        modifier = -1 if action.in_port else 0
        row = str(max(1, die + modifier))
        cell = self.tables["bomber_hits"].cell(row, f"{action.bomber} {column}")
        throw = read(purpose, "27.54", die, cell_message(cell.value), cell, modifier=modifier)
        if cell.value == MISS:
            return Resolved((throw,), NO_DAMAGE)
        name = Message("board.hit.number", number=number)
        if action.bomber is Bomber.TORPEDO:
            after, damage = torpedo_hit(dice, target, self.tables, name)
        else:
            after, damage = self._bomb(dice, column, name)
        return Resolved((throw, after) if after else (throw,), damage + Damage(hits=1))

    def _bomb(self, dice: Dice, column: str, hit: Message) -> tuple[Throw, Damage]:
        purpose = Message("board.roll.bomb_damage", hit=hit)
        die = dice.die(purpose)
        cell: Cell = self.tables["bomber_damage"].cell(str(die), column)
        damage = bomb_harm(cell.value, self.attack.victim)
        return read(purpose, "27.55", die, damage.message, cell), damage


def _nearest(number: Fraction) -> int:
    """Rounded to the nearest whole number, halves up (27.53)."""
    return floor(number + Fraction(1, 2))
