"""Convoys and merchant ships that are sunk, and the victory points of the game (4; 11.3)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

from combat.dice import Dice
from combat.free_play import Attempt
from combat.previews import Forbidden, Line
from combat.rulebooks.chase_of_the_bismarck.actions import ConvoyAttack, Marks, Prize
from combat.rulebooks.chase_of_the_bismarck.attack import dice_strength, take_part
from combat.rulebooks.chase_of_the_bismarck.chance import known_convoys, may_hunt
from combat.rulebooks.chase_of_the_bismarck.events import PrizeTaken
from combat.rulebooks.chase_of_the_bismarck.stations import is_german
from combat.rulebooks.chase_of_the_bismarck.table_files import (
    CONVOY_LINES,
    DIE,
    HULL_BOX,
    OTHER_SHIP,
    SINGLE_SHIP,
    TWO_HITS,
)
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw
from combat.victory_points import PointsLine, VictoryPoints
from tabletop.messages import Message, ShipRef

_HALF = "½"
_LARGE = (
    ShipClass.BATTLESHIP,
    ShipClass.CARRIER,
    ShipClass.BATTLE_CRUISER,
    ShipClass.HEAVY_CRUISER,
)
"""The classes that count by their hull boxes and by hits; others count one point when sunk."""
_BISMARCK = "Bismarck"


def attack_strength(attack: Attempt[ConvoyAttack, Vessel], tables: TableSet) -> Strength:
    """A die for each VP marker of a convoy that she has located, once its escorts are sunk."""
    take_part(attack)
    ship, prize = attack.actor, attack.action.prize
    if not may_hunt(ship):
        raise Forbidden(Message("chase.refused.no_hunter", ship=ShipRef(ship.id)), "11.3")
    if prize is Prize.MERCHANT:
        return dice_strength(0, "11.3", [])
    if prize not in known_convoys(attack.fleet):
        raise Forbidden(Message("chase.refused.not_located", convoy=prize), "11.3")
    if any(prize in each.marks.convoys_sunk for each in attack.fleet):
        raise Forbidden(Message("chase.refused.convoy_sunk", convoy=prize), "11.3")
    escort = next((each for each in attack.fleet if each.marks.escort and not each.sunk), None)
    if escort is not None:
        raise Forbidden(Message("chase.refused.escort_afloat", ship=ShipRef(escort.id)), "11.3")
    markers, _ = _markers(prize, tables)
    return dice_strength(markers, "11.3", [])


def _markers(prize: str, tables: TableSet) -> tuple[int, bool]:
    """The VP markers of a convoy, and whether its marker counts half."""
    table = tables["convoys"]
    cells = (table.text(row, line) for row in DIE for line in CONVOY_LINES)
    found = next((cell for cell in cells if cell.partition("/")[0] == prize), None)
    if found is None:
        # An owner's table may not have it.
        raise Forbidden(Message("chase.refused.not_located", convoy=prize), "11.3")
    points = found.rpartition("/")[2]
    return (1, True) if points == _HALF else (int(points), False)


def run_attack(
    attack: Attempt[ConvoyAttack, Vessel], dice: Dice, tables: TableSet
) -> tuple[tuple[Throw, ...], PrizeTaken, Callable[[Marks], Marks]]:
    """What she sinks, with its victory points; half a marker rounds up at the end of the game."""
    prize, ship = attack.action.prize, attack.actor
    if prize is Prize.MERCHANT:
        points = tables["victory_points"].text(SINGLE_SHIP, "points")
        taken = PrizeTaken(ship=ship.id, rule="11.3", prize=str(prize), points=points)
        return (), taken, lambda marks: replace(marks, merchants_sunk=marks.merchants_sunk + 1)
    markers, half = _markers(prize, tables)
    throws = tuple(_draw(number, markers, dice, tables) for number in range(1, markers + 1))
    drawn = sum(int(throw.result) for throw in throws)
    gained = ceil(Fraction(drawn, 2)) if half else drawn
    taken = PrizeTaken(ship=ship.id, rule="11.3", prize=str(prize), points=str(gained))

    def marked(marks: Marks) -> Marks:
        sunk = marks.convoys_sunk | {str(prize)}
        return replace(marks, convoys_sunk=sunk, convoy_points=marks.convoy_points + gained)

    return throws, taken, marked


def _draw(number: int, count: int, dice: Dice, tables: TableSet) -> Throw:
    purpose = Message("chase.roll.points", number=number, count=count)
    die = dice.ten_sided(purpose)
    cell = tables["convoy_markers"].cell(str(die), "points")
    words = Message("chase.result.points", points=cell.value)
    return Throw(purpose, "11.3", die, 0, cell.value, cell.provenance, words)


# Victory points


def victory_points(fleet: tuple[Vessel, ...], tables: TableSet) -> VictoryPoints:
    """The German player's victory points for ships and convoys; his own losses count against him.

    How the game ends for the Bismarck (4) is not of a fight and is not counted.
    """
    lines = [line for ship in fleet for line in (*_prizes(ship, tables), *_losses(ship, tables))]
    lost = next((each for each in fleet if each.card.name == _BISMARCK and each.sunk), None)
    notes = (Line(Message("chase.points.bismarck_sunk"), "4"),) if lost else ()
    return VictoryPoints(Message("chase.points.german"), tuple(lines), notes)


def _prizes(ship: Vessel, tables: TableSet) -> Iterator[PointsLine]:
    marks, who = ship.marks, ShipRef(ship.id)
    for _ in range(marks.merchants_sunk):
        each = tables["victory_points"].fraction(SINGLE_SHIP, "points")
        yield PointsLine(Message("chase.points.merchant", ship=who), each, "11.3")
    if marks.convoy_points:
        convoys = tuple(sorted(marks.convoys_sunk))
        label = Message("chase.points.convoys", ship=who, convoys=convoys)
        yield PointsLine(label, Fraction(marks.convoy_points), "11.3")


def _losses(ship: Vessel, tables: TableSet) -> Iterator[PointsLine]:
    table, sign = tables["victory_points"], -1 if is_german(ship) else 1
    large = ship.card.ship_class in _LARGE and not ship.is_tanker
    hits = sum(
        ship.printed(part) - ship.left(part) for part in ("hull", "bow", "stern", "secondary")
    )
    if ship.sunk and large:
        points = ship.printed("hull") * table.fraction(HULL_BOX, "points")
    elif ship.sunk:
        points = table.fraction(OTHER_SHIP, "points")
    elif large and hits > 1:
        points = hits // 2 * table.fraction(TWO_HITS, "points")
    else:
        return
    what = "sunk" if ship.sunk else "damaged"
    label = Message(f"chase.points.{what}", ship=ShipRef(ship.id), hits=hits)
    yield PointsLine(label, sign * points, "4")
