"""Aircraft against ships: strikes of the Basic Game, waves of the Intermediate Game (9.1, 27)."""

from dataclasses import dataclass
from typing import Final

from combat.dice import Dice
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.bismarck_battle_board.actions import AirAttack, AirStrike, Strikers
from combat.rulebooks.bismarck_battle_board.attack import strength, takes_part
from combat.rulebooks.bismarck_battle_board.damage import (
    MISS,
    NO_DAMAGE,
    Damage,
    cell_message,
    terms_of,
)
from combat.rulebooks.bismarck_battle_board.torpedoes import torpedo_hit
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_battle_board.volley import Opening, Resolved, Volley
from combat.rulebooks.bismarck_data.air_waves import (
    Bomber,
    Wave,
    anti_aircraft_fire,
    bomb_damage,
    bomber_run,
    check_weather,
    loss_modifier,
)
from combat.rulebooks.bismarck_data.rolls import Throw, read, sum_row
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import Message

_BASIC_TABLES: Final = {
    Strikers.GERMAN: "german_bombers",
    Strikers.BRITISH: "british_bombers",
    Strikers.BRITISH_TORPEDO: "british_torpedo_bombers",
}
_MOST_STRIKES: Final = {Strikers.GERMAN: 1, Strikers.BRITISH: 2, Strikers.BRITISH_TORPEDO: 2}
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
    check_weather(action.visibility, "27.25", night=action.night)
    lines = [loss_modifier(action.visibility, tables)]
    return strength(action.planes, "27.52", "planes", lines, [target.cells["antiaircraft"]])


@dataclass(frozen=True, slots=True)
class AirVolley(Volley):
    """The planes of one wave, after anti-aircraft fire."""

    attack: Attempt[AirAttack, Vessel]
    tables: TableSet

    @property
    def _wave(self) -> Wave:
        action = self.attack.action
        own = self.attack.victim.number("antiaircraft")
        strong = own if action.antiaircraft is None else action.antiaircraft
        return Wave(action.bomber, action.planes, strong, action.visibility, action.in_port)

    def opening(self, dice: Dice) -> Opening:
        """Anti-aircraft fire: how many planes it keeps away, and how many of them are lost."""
        passage = anti_aircraft_fire(self._wave, dice, self.tables)
        events = passage.events(self.attack.victim.id)
        return Opening(passage.through, passage.throws, events)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """Roll one plane on the Bomber Hit Table, and its hit (27.54, 27.55)."""
        target, wave = self.attack.victim, self._wave
        hits, throw = bomber_run(wave, target.card.ship_class, dice, self.tables, number, count)
        if not hits:
            return Resolved((throw,), NO_DAMAGE)
        name = Message("board.hit.number", number=number)
        if wave.bomber is Bomber.TORPEDO:
            after, damage = torpedo_hit(dice, target, self.tables, name)
        else:
            after, damage = self._bomb(dice, name)
        return Resolved((throw, after) if after else (throw,), damage + Damage(hits=1))

    def _bomb(self, dice: Dice, hit: Message) -> tuple[Throw, Damage]:
        target = self.attack.victim
        die, purpose, cell, harm = bomb_damage(target.card.ship_class, dice, self.tables, hit)
        damage = Damage(midships=harm.midships)
        if harm.sunk:
            damage = Damage(destroyers=1) if target.is_flotilla else Damage(sunk=1)
        return read(purpose, "27.55", die, damage.message, cell), damage
