"""A wave of bombers at a ship: anti-aircraft fire, hits, what a bomb does (27.5, 29.2, 37)."""

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb, floor
from typing import Final

from combat.dice import FACES, Dice
from combat.distributions import odds_of
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.bismarck_data.events import PlanesStopped
from combat.rulebooks.bismarck_data.rolls import Throw, read, sum_row
from combat.rulebooks.bismarck_data.table_files import ANTIAIRCRAFT, LAND_BOMBERS
from combat.ships import ShipClass
from combat.tables import Cell, TableSet
from tabletop.messages import Message

MOST_PLANES: Final = 10
"""The largest wave of an air attack (27.52)."""
WORST_VISIBILITY: Final = 6
"""The last visibility level at which aircraft attack (27.25)."""
PORT_ANTIAIRCRAFT: Final = 10
"""The anti-aircraft strength of a port (37.2)."""
TARGETS: Final = {
    ShipClass.BATTLESHIP: "battleship", ShipClass.BATTLE_CRUISER: "battleship",
    ShipClass.POCKET_BATTLESHIP: "cruiser", ShipClass.HEAVY_CRUISER: "cruiser",
    ShipClass.LIGHT_CRUISER: "cruiser", ShipClass.CARRIER: "carrier", ShipClass.DESTROYER: "DD",
}  # fmt: skip
"""The columns of the Bomber Hit and the Bomber Damage Table."""
_HIT: Final = "hit"
_MISS: Final = "miss"
_SUNK: Final = "sunk"
_CONVERTS_TO_SUNK: Final = "*"


class Bomber(StrEnum):
    """The bombers of the Intermediate Game (27.33)."""

    DIVE = "dive"
    TORPEDO = "torpedo"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Wave:
    """At most ten planes of one kind at one ship."""

    bomber: Bomber
    planes: int
    antiaircraft: int
    """The strength that is committed against it (27.4), without a port's."""
    visibility: int
    in_port: bool = False

    @property
    def strength_against(self) -> int:
        """The whole anti-aircraft strength that it meets (37.2)."""
        return self.antiaircraft + (PORT_ANTIAIRCRAFT if self.in_port else 0)


@dataclass(frozen=True, slots=True)
class Passage:
    """What anti-aircraft fire has left of a wave."""

    through: int
    stopped: int = 0
    lost: int = 0
    throws: tuple[Throw, ...] = ()

    def events(self, target: str) -> tuple[PlanesStopped, ...]:
        """What is told of it, where anything was rolled."""
        if not self.throws:
            return ()
        stopped, lost, through = self.stopped, self.lost, self.through
        return (
            PlanesStopped(target=target, rule="27.53", stopped=stopped, lost=lost, through=through),
        )


@dataclass(frozen=True, slots=True)
class BombHarm:
    """What one bomb does, in boxes of the Hit Record Pad."""

    midships: int = 0
    sunk: bool = False


def check_weather(visibility: int, rule: str, *, night: bool) -> None:
    """Forbidden at night and in bad weather (24.43, 27.25)."""
    if night:
        raise Forbidden(Message("bismarck.refused.air_at_night"), rule)
    if visibility > WORST_VISIBILITY:
        raise Forbidden(Message("bismarck.refused.air_weather", most=WORST_VISIBILITY), rule)


def loss_modifier(visibility: int, tables: TableSet) -> Modifier:
    """What visibility adds to the die on the Air Loss Table."""
    table = tables["air_loss_visibility"]
    row = f"visibility {min(max(1, visibility), len(table.rows))}"
    cell = table.cell(row, "value")
    label = Message("bismarck.modifier.visibility", level=visibility)
    return Modifier(row, int(cell.value), label, cell.reference, cell.provenance)


def anti_aircraft_fire(
    wave: Wave, dice: Dice, tables: TableSet, *, spare_dice: bool = False
) -> Passage:
    """How many planes do not get through, and how many of those are lost (27.53, 29.2).

    With `spare_dice` the losses are not rolled for where every roll gives the same.
    """
    if not wave.strength_against:
        return Passage(wave.planes)
    purpose = Message("bismarck.roll.penetration")
    die = dice.die(purpose)
    cell = tables["air_penetration"].cell(str(die), wave.bomber)
    stopped = min(wave.planes, _nearest(Fraction(int(cell.value), 100) * wave.strength_against))
    words = Message("bismarck.result.stopped", n=stopped, share=int(cell.value))
    throws, lost = [read(purpose, "27.53", die, words, cell)], 0
    if stopped:
        modifier = loss_modifier(wave.visibility, tables).value
        purpose, table = Message("bismarck.roll.air_loss"), tables["antiaircraft_losses"]
        column = ANTIAIRCRAFT.name_of(wave.strength_against)
        cells = [table.cell(str(max(1, face + modifier)), column) for face in range(1, FACES + 1)]
        # Never more than did not get through.
        losses = [min(stopped, int(cell.value)) for cell in cells]
        if spare_dice and len(set(losses)) == 1:
            return Passage(wave.planes - stopped, stopped, losses[0], tuple(throws))
        die = dice.die(purpose)
        lost, cell = losses[die - 1], cells[die - 1]
        words = Message("bismarck.result.planes_lost", n=lost)
        throws.append(read(purpose, "29.2", die, words, cell, modifier=modifier))
    return Passage(wave.planes - stopped, stopped, lost, tuple(throws))


def bomber_run(
    wave: Wave, target: ShipClass, dice: Dice, tables: TableSet, number: int, count: int
) -> tuple[bool, Throw]:
    """Whether one plane that got through hits (27.54)."""
    purpose = Message("bismarck.roll.plane", number=number, count=count)
    die = dice.die(purpose)
    # A ship in port cannot evade (37.3).
    modifier = -1 if wave.in_port else 0
    column = f"{wave.bomber} {TARGETS[target]}"
    cell = tables["bomber_hits"].cell(str(max(1, die + modifier)), column)
    words = Message(f"bismarck.result.{cell.value}")
    throw = read(purpose, "27.54", die, words, cell, modifier=modifier)
    return cell.value == _HIT, throw


def bomb_damage(
    target: ShipClass, dice: Dice, tables: TableSet, hit: Message
) -> tuple[int, Message, Cell, BombHarm]:
    """The die of a bomb that hit, what it is for, its cell, and what it does (27.55)."""
    purpose = Message("bismarck.roll.bomb_damage", hit=hit)
    die = dice.die(purpose)
    cell = tables["bomber_damage"].cell(str(die), TARGETS[target])
    return die, purpose, cell, bomb_harm(cell.value, target)


def bomb_harm(cell: str, target: ShipClass) -> BombHarm:
    """What a cell of the Bomber Damage Table does; the asterisk sinks a battle cruiser."""
    starred = cell.endswith(_CONVERTS_TO_SUNK) and target is ShipClass.BATTLE_CRUISER
    if cell == _MISS:
        return BombHarm()
    if cell == _SUNK or starred:
        return BombHarm(sunk=True)
    return BombHarm(int(cell.rstrip(_CONVERTS_TO_SUNK).partition(":")[2]))


def hit_odds(wave: Wave, target: ShipClass, tables: TableSet) -> dict[int, float]:
    """The chance of each number of hits of a wave."""
    through = odds_of(lambda dice: anti_aircraft_fire(wave, dice, tables).through)
    one = odds_of(lambda dice: bomber_run(wave, target, dice, tables, 1, 1)[0])
    p, odds = one.get(True, 0.0), defaultdict[int, float](float)
    for planes, share in through.items():
        for hits in range(planes + 1):
            odds[hits] += share * comb(planes, hits) * p**hits * (1 - p) ** (planes - hits)
    return {hits: chance for hits, chance in sorted(odds.items()) if chance}


def land_bombers(
    zones_to_base: int, visibility: int, dice: Dice, tables: TableSet
) -> tuple[Throw, int]:
    """The roll for the planes of a land-based bomber unit, and how many it brings (27.36)."""
    purpose = Message("bismarck.roll.land_bombers")
    pair = dice.pair(purpose)
    column = LAND_BOMBERS.name_of(zones_to_base + visibility)
    cell = tables["land_bombers"].cell(sum_row(pair), column)
    planes = int(cell.value)
    return read(purpose, "27.36", pair, planes_words(planes), cell), planes


def planes_words(planes: int) -> Message:
    """A number of planes in words."""
    return Message("bismarck.result.planes", n=planes)


def stopped_by_fighters(patrol: int, escorts: int) -> int:
    """The bombers that fighters on patrol stop, less those that escorts hold (28.81, 28.82)."""
    return 2 * max(0, patrol - escorts)


def in_waves(planes: int) -> tuple[int, ...]:
    """The planes of a group in waves of ten, the last with what is left (27.52)."""
    whole, rest = divmod(planes, MOST_PLANES)
    return (*(MOST_PLANES,) * whole, *((rest,) if rest else ()))


def _nearest(number: Fraction) -> int:
    """Rounded to the nearest whole number, halves up (27.53)."""
    return floor(number + Fraction(1, 2))
