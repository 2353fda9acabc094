"""Torpedoes of ships, submarines and destroyers (19, 22.2, 23.3 to 23.6)."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from combat.dice import Dice, Pair
from combat.distributions import odds_of
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.bismarck_battle_board.actions import (
    EscortHits,
    FlotillaAttack,
    Marks,
    SubmarineAttack,
    SubmarineConvoyAttack,
    Torpedoes,
)
from combat.rulebooks.bismarck_battle_board.attack import (
    hexes_apart,
    in_naval_combat,
    plain_line,
    strength,
    table_line,
    takes_part,
)
from combat.rulebooks.bismarck_battle_board.damage import NO_DAMAGE, Damage, cell_message
from combat.rulebooks.bismarck_battle_board.events import SubmarinesLost
from combat.rulebooks.bismarck_battle_board.table_files import ANTISUBMARINE, DEFENSIVE_FIRE
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_battle_board.volley import Opening, Resolved, Volley
from combat.rulebooks.bismarck_data.rolls import Throw, read, sum_row
from combat.rulebooks.bismarck_data.table_files import EVASIONS, TORPEDO_EVASIONS, salvo_size
from combat.rulebooks.bismarck_data.torpedo_harm import COLUMN_BY_CLASS, SUNK, torpedo_harm
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

USUAL_HEXES: Final = 2
FARTHEST: Final = 2
"""How far ships fire torpedoes, in hexes (19.1)."""
_DISTANCES: Final = {1: "one", 2: "two"}
_STILL_ABOVE: Final = 15
_STILL_EVASION: Final = 11
_LOST_ON: Final = 6
"""The die on which an asterisk costs a submarine (Submarine Attack Table, note 1)."""
_LAST_SALVO_LOST: Final = 4
"""The highest die on which a lost destroyer takes her salvo down (23.63)."""


def torpedo_hit(
    dice: Dice, target: Vessel, tables: TableSet, hit: Message
) -> tuple[Throw | None, Damage]:
    """One torpedo that hit: a die on the Torpedo Damage Table, a destroyer without one (22.28)."""
    if target.is_flotilla:
        return None, Damage(destroyers=1)
    purpose = Message("board.roll.torpedo_damage", hit=hit)
    die = dice.die(purpose)
    cell = tables["torpedo_damage"].cell(str(die), COLUMN_BY_CLASS[target.card.ship_class])
    if cell.value == SUNK:
        return read(purpose, "22.281", die, Message("board.damage.sunk"), cell), Damage(sunk=1)
    harm = torpedo_harm(cell.value, target.card.name)
    if harm is None:
        words = Message("board.result.torpedo_miss", ship=ShipRef(target.id))
        return read(purpose, "22.281", die, words, cell), NO_DAMAGE
    damage = Damage(midships=harm.midships, evasion=int(harm.evasion))
    return read(purpose, "22.281", die, damage.message, cell), damage


# Ships


def torpedo_strength(attack: Attempt[Torpedoes, Vessel], tables: TableSet) -> Strength:
    """The strength of the salvo, and what is added to the coloured die (19.4)."""
    in_naval_combat(attack)
    firer = attack.actor
    hexes = hexes_apart(attack, attack.action.hexes, USUAL_HEXES)
    if not firer.number("torpedoes"):
        raise Forbidden(Message("board.refused.no_torpedoes", ship=ShipRef(firer.id)), "19.1")
    if firer.marks.torpedoes_fired:
        raise Forbidden(Message("board.refused.torpedoes_fired", ship=ShipRef(firer.id)), "19.3")
    if hexes > FARTHEST:
        reason = Message("board.refused.torpedo_range", hexes=hexes, most=FARTHEST)
        raise Forbidden(reason, "19.1")
    lines = list(_torpedo_lines(attack, tables))
    cells = [firer.cells["torpedoes"], attack.victim.cells["evasion"]]
    return strength(firer.number("torpedoes"), "19.4", "torpedoes", lines, cells)


def _torpedo_lines(attack: Attempt[Torpedoes, Vessel], tables: TableSet) -> Iterator[Modifier]:
    table, evasion = tables["torpedo_evasion"], attack.victim.evasion
    label = Message("board.modifier.evasion", evasion=evasion)
    yield table_line(table, TORPEDO_EVASIONS.name_of(evasion), "coloured_die", label)
    if attack.action.avoids:
        label = Message("board.modifier.avoids")
        yield table_line(tables["avoidance"], "avoids", "coloured_die", label)


@dataclass(frozen=True, slots=True)
class TorpedoVolley(Volley):
    """The torpedoes of one ship at another: one roll, and one for each hit."""

    attack: Attempt[Torpedoes, Vessel]
    modifier: int
    tables: TableSet

    @property
    def at_once(self) -> bool:
        """As gunfire (19.6)."""
        return False

    def opening(self, dice: Dice) -> Opening:  # noqa: ARG002 - nothing is rolled first
        """One salvo."""
        return Opening(1)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:  # noqa: ARG002 - only one
        """Roll the salvo on the Ship Combat Torpedo Table."""
        firer, hexes = self.attack.actor, hexes_apart(self.attack, self.attack.action.hexes, 2)
        purpose = Message("board.roll.torpedoes")
        pair = dice.pair(purpose)
        coloured = min(max(pair.coloured + self.modifier, 1), 6)
        torpedoes = salvo_size(firer.number("torpedoes"))
        column = f"{_DISTANCES[max(1, hexes)]} {torpedoes}"
        cell = self.tables["torpedo_hits"].cell(str(Pair(coloured, pair.white)), column)
        hits = int(cell.value)
        words, added = Message("board.result.hits", n=hits), 10 * (coloured - pair.coloured)
        throws = [read(purpose, "19.4", pair, words, cell, modifier=added, tens=True)]
        damage = Damage(hits=hits)
        for each in range(1, hits + 1):
            name = Message("board.hit.number", number=each)
            throw, done = torpedo_hit(dice, self.attack.victim, self.tables, name)
            throws += [throw] if throw else []
            damage += done
        return Resolved(tuple(throws), damage)

    def also_suffered(self, marks: Marks) -> Marks:
        """A target that avoids them moves first in the next round, and turns (19.5)."""
        return replace(marks, avoids_torpedoes=marks.avoids_torpedoes or self.attack.action.avoids)

    def spent(self, marks: Marks, opening: Opening) -> Marks:  # noqa: ARG002 - a launch is a launch
        """Her torpedo box is marked (19.3)."""
        return replace(marks, torpedoes_fired=True)


# Salvos on the Torpedo Hit Table


def hit_column(target: Vessel, slowest: int | None, *, did_not_move: bool) -> str:
    """The column of the Torpedo Hit Table for a ship or a flotilla, by its three notes."""
    evasion = target.evasion if slowest is None else min(slowest, target.evasion)
    at = EVASIONS.index_of(_STILL_EVASION if did_not_move and evasion > _STILL_ABOVE else evasion)
    large = not target.is_flotilla and not target.is_cruiser
    return EVASIONS.names[max(0, at - int(large))]


@dataclass(frozen=True, slots=True)
class SalvoVolley(Volley):
    """Torpedo salvos at a ship or a flotilla."""

    attack: Attempt[SubmarineAttack | FlotillaAttack, Vessel]
    tables: TableSet

    @abstractmethod
    def opening(self, dice: Dice) -> Opening:
        """Roll for the number of salvos."""

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """Roll one salvo, and the damage of its hit (22.28, 23.53)."""
        action, target = self.attack.action, self.attack.victim
        column = hit_column(target, action.slowest_evasion, did_not_move=action.did_not_move)
        hit, throw = roll_salvo(dice, column, self.tables, number, count)
        if not hit:
            return Resolved((throw,), NO_DAMAGE)
        name = Message("board.hit.number", number=number)
        after, damage = torpedo_hit(dice, target, self.tables, name)
        return Resolved((throw, after) if after else (throw,), damage + Damage(hits=1))


def roll_salvo(
    dice: Dice, column: str, tables: TableSet, number: int, count: int
) -> tuple[bool, Throw]:
    """One salvo on the Torpedo Hit Table, which has sums of two dice (22.28 says one die)."""
    purpose = Message("board.roll.salvo", number=number, count=count)
    pair = dice.pair(purpose)
    cell = tables["torpedo_salvo_hits"].cell(sum_row(pair), column)
    return cell.value == "hit", read(purpose, "22.28", pair, cell_message(cell.value), cell)


# Submarines


def antisubmarine(
    action: SubmarineAttack | SubmarineConvoyAttack, target: Vessel | None, tables: TableSet
) -> int:
    """The anti-submarine strength of a target and of those with it (22.23, 22.24)."""
    table, column = tables["antisubmarine"], "night" if action.night else "day"
    total = action.destroyers * table.integer("destroyer", column)
    total += action.carriers * table.integer("carrier", column)
    total += action.recon_units * table.integer("recon", column)
    if isinstance(action, SubmarineConvoyAttack):
        where = "inside" if action.inside_escort_zone else "outside"
        inherent = table.integer(f"convoy {where} escort", column)
        return total + (inherent // 2 if action.dispersed else inherent)
    total += action.ships_near_norway * table.integer("near Bergen or Trondheim", column)
    if target is not None and target.is_flotilla:
        total += target.destroyers * table.integer("destroyer", column)
    return total


def submarine_strength(
    attack: Attempt[SubmarineAttack | SubmarineConvoyAttack, Vessel], tables: TableSet
) -> Strength:
    """The anti-submarine strength, and what is added to the die (22.25)."""
    action = attack.action
    if attack.at is not None:
        takes_part(attack.at)
    if isinstance(action, SubmarineConvoyAttack) and action.dispersed and action.escorted:
        raise Forbidden(Message("board.refused.dispersed_escort"), "24.64")
    lines = []
    if action.submarines_lost:
        label = Message("board.modifier.submarines_lost", n=action.submarines_lost)
        rule = "Submarine Attack Table, note 2"
        lines.append(plain_line("submarines lost", -action.submarines_lost, label, rule))
    total = antisubmarine(action, attack.at, tables)
    return strength(total, "22.23", "antisubmarine", lines)


def salvos_fired(
    action: SubmarineAttack | SubmarineConvoyAttack,
    strength_against: int,
    dice: Dice,
    tables: TableSet,
) -> Opening:
    """The effective salvos of a submarine counter, and the submarines that it costs (22.25)."""
    purpose, table = Message("board.roll.submarine"), tables["submarine_attack"]
    die, modifier = dice.die(purpose), -action.submarines_lost
    row = str(die + modifier) if die + modifier > 0 else table.rows[0]
    cell = table.cell(row, ANTISUBMARINE.name_of(strength_against))
    salvos, risks = int(cell.value.rstrip("*")), cell.value.count("*")
    words = Message("board.result.salvos", n=salvos, risks=risks)
    throws = [read(purpose, "22.25", die, words, cell, modifier=modifier)]
    lost = 0
    for number in range(1, risks + 1):
        purpose = Message("board.roll.submarine_lost", number=number)
        die = dice.die(purpose)
        gone = die >= _LOST_ON
        lost += gone
        words = Message("board.result.submarine_lost" if gone else "board.result.submarine_safe")
        throws.append(read(purpose, "22.25", die, words))
    events = (SubmarinesLost(rule="22.17", lost=lost),) if lost else ()
    return Opening(salvos, tuple(throws), events)


@dataclass(frozen=True, slots=True)
class SubmarineVolley(SalvoVolley):
    """The salvos of a submarine counter at a ship or a flotilla."""

    attack: Attempt[SubmarineAttack, Vessel]
    antisubmarine: int

    def opening(self, dice: Dice) -> Opening:
        """Roll on the Submarine Attack Table."""
        return salvos_fired(self.attack.action, self.antisubmarine, dice, self.tables)


@dataclass(frozen=True, slots=True)
class EscortVolley(Volley):
    """Torpedoes that have hit an escort of a convoy: the damage of each (22.283)."""

    attack: Attempt[EscortHits, Vessel]
    tables: TableSet

    def opening(self, dice: Dice) -> Opening:  # noqa: ARG002 - nothing is rolled first
        """The hits."""
        return Opening(self.attack.action.hits)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:  # noqa: ARG002 - as the others
        """Roll the damage of one."""
        name = Message("board.hit.number", number=number)
        throw, damage = torpedo_hit(dice, self.attack.victim, self.tables, name)
        return Resolved((throw,) if throw else (), damage + Damage(hits=1))


def escort_strength(attack: Attempt[EscortHits, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as the others
    """The hits that she takes."""
    takes_part(attack.victim)
    return strength(attack.action.hits, "22.283", "hits")


# Destroyers


def flotilla_strength(attack: Attempt[FlotillaAttack, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as the others
    """The salvos that a flotilla fires (23.41 to 23.44)."""
    flotilla, target = attack.actor, attack.victim
    if not flotilla.is_flotilla:
        raise Forbidden(Message("board.refused.no_flotilla", ship=ShipRef(flotilla.id)), "23.31")
    for ship in (flotilla, target):
        takes_part(ship)
    if target.is_flotilla:
        raise Forbidden(Message("board.refused.flotilla", ship=ShipRef(target.id)), "23.33")
    left = flotilla.torpedo_salvos
    if not left:
        raise Forbidden(Message("board.refused.no_salvos", ship=ShipRef(flotilla.id)), "23.44")
    wanted = attack.action.salvos
    if wanted is not None and wanted > left:
        reason = Message("board.refused.salvos_left", ship=ShipRef(flotilla.id), left=left)
        raise Forbidden(reason, "23.42")
    cells = [flotilla.cells["destroyers"], target.cells["evasion"]]
    return strength(wanted or left, "23.41", "salvos", (), cells)


@dataclass(frozen=True, slots=True)
class FlotillaVolley(SalvoVolley):
    """The salvos of a flotilla, after the defensive fire of its target."""

    attack: Attempt[FlotillaAttack, Vessel]
    salvos: int

    @property
    def _fires(self) -> int:
        stated = self.attack.action.defensive_fires
        if stated is not None:
            return stated
        left = self.attack.victim.ammunition
        # A ship without ammunition does not fire (20.4, 20.5).
        return self.salvos if left is None else min(self.salvos, left)

    def opening(self, dice: Dice) -> Opening:
        """Defensive fire, one roll after the other while destroyers are left (23.6)."""
        throws, destroyers, salvos = list[Throw](), 0, 0
        for number in range(1, self._fires + 1):
            if destroyers == self.attack.actor.destroyers:
                break
            lost, with_salvo = self._fire(dice, number, throws)
            destroyers += lost
            salvos += with_salvo
        # A salvo of a destroyer that is lost is one of those being fired (23.63).
        salvos = min(salvos, self.salvos)
        return Opening(
            self.salvos - salvos,
            tuple(throws),
            destroyers_lost=destroyers,
            salvos_lost=salvos,
        )

    def _fire(self, dice: Dice, number: int, throws: list[Throw]) -> tuple[int, int]:
        """One defensive fire: whether a destroyer is lost, and her salvo with her."""
        purpose = Message("board.roll.defensive_fire", number=number, count=self._fires)
        pair, table = dice.pair(purpose), self.tables["defensive_fire"]
        row = DEFENSIVE_FIRE.name_of(pair.coloured + pair.white)
        cell = table.cell(row, "night" if self.attack.action.night else "day")
        lost = cell.value == "lost"
        words = Message("board.result.destroyer_lost" if lost else "board.damage.miss")
        throws.append(read(purpose, "23.63", pair, words, cell))
        if not lost:
            return 0, 0
        purpose = Message("board.roll.salvo_lost")
        die = dice.die(purpose)
        gone = die <= _LAST_SALVO_LOST
        words = Message("board.result.salvo_lost" if gone else "board.result.salvo_fired")
        throws.append(read(purpose, "23.63", die, words))
        return 1, int(gone)

    def count_odds(self) -> Mapping[int, float]:
        """The chance of each number of salvos that is left after the defensive fire."""
        one = odds_of(lambda dice: self._fire(dice, 1, []))
        most = self.attack.actor.destroyers
        odds: dict[tuple[int, int], float] = {(0, 0): 1.0}
        for _ in range(self._fires):
            after: dict[tuple[int, int], float] = defaultdict(float)
            for (destroyers, salvos), chance in odds.items():
                if destroyers == most:
                    after[destroyers, salvos] += chance
                    continue
                for (lost, gone), share in one.items():
                    after[destroyers + lost, salvos + gone] += chance * share
            odds = after
        counts: dict[int, float] = defaultdict(float)
        for (_, salvos), chance in odds.items():
            counts[self.salvos - min(salvos, self.salvos)] += chance
        return counts

    def spent(self, marks: Marks, opening: Opening) -> Marks:
        """All salvos that were to be fired are gone, and the destroyers that were lost (23.42)."""
        lost = marks.destroyers_lost + opening.destroyers_lost
        # Salvos of destroyers that were not to fire go down with them only by another roll.
        return replace(marks, destroyers_lost=lost, salvos_spent=marks.salvos_spent + self.salvos)

    def also_suffered(self, marks: Marks) -> Marks:
        """An ammunition factor for each defensive fire of her own (20.4).

        She makes one for each salvo at her (23.61); more than those are her task force's (23.62).
        """
        target = self.attack.victim
        if target.ammunition is None:
            return marks
        own = min(self._fires, self.salvos)
        spent = min(target.number("ammunition"), marks.ammunition_spent + own)
        return replace(marks, ammunition_spent=spent)
