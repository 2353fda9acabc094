"""The Chance Phase: spotting by chance, and the hunt for convoys (11.2, 11.3)."""

from collections.abc import Iterator
from typing import Final

from combat.dice import Dice
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.actions import ConvoyHunt, RandomSpotting
from combat.rulebooks.chase_of_the_bismarck.attack import dice_strength, modifier, take_part
from combat.rulebooks.chase_of_the_bismarck.checks import CheckResult
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, read_row
from tabletop.messages import Message, ShipRef

ChanceAction = RandomSpotting | ConvoyHunt
HUNTERS: Final = (ShipClass.BATTLESHIP, ShipClass.BATTLE_CRUISER, ShipClass.HEAVY_CRUISER)
"""The classes of German ships that may hunt for convoys (11.3)."""
NO_CONVOY: Final = "-"


def spotting_strength(_attack: Attempt[RandomSpotting, Vessel], _tables: TableSet) -> Strength:
    """One die without modifiers (11.2)."""
    return dice_strength(1, "11.2", [])


def may_hunt(ship: Vessel) -> bool:
    """Whether her type hunts for convoys: a German BB, BC or CA (11.3)."""
    return ship.card.nation == "German" and ship.card.ship_class in HUNTERS


def hunt_strength(attack: Attempt[ConvoyHunt, Vessel], tables: TableSet) -> Strength:
    """The die for a convoy, with its modifiers (11.3)."""
    take_part(attack)
    action, ship = attack.action, attack.actor
    if not may_hunt(ship):
        raise Forbidden(Message("chase.refused.no_hunter", ship=ShipRef(ship.id)), "11.3")
    if action.shadowed:
        raise Forbidden(Message("chase.refused.shadowed", ship=ShipRef(ship.id)), "11.3")
    if action.heads_for_port and ship.marks.evasion_lost:
        raise Forbidden(Message("chase.refused.heads_for_port", ship=ShipRef(ship.id)), "11.3")
    return dice_strength(1, "11.3", [*_hunt_lines(action, tables)])


def _hunt_lines(action: ConvoyHunt, tables: TableSet) -> Iterator[Modifier]:
    rows = {
        "task force": action.task_force,
        "center line": action.center_line,
        "night": action.night,
    }
    for row, applies in rows.items():
        if applies:
            yield modifier(tables, "convoy_modifiers", row)


def run_chance(
    attack: Attempt[ChanceAction, Vessel], strength: Strength, dice: Dice, tables: TableSet
) -> CheckResult:
    """Roll for spotting or for a convoy."""
    if isinstance(attack.action, RandomSpotting):
        return _run_spotting(attack.action, dice, tables)
    return _run_hunt(attack.of(attack.action), strength.ledger.total, dice, tables)


def _run_spotting(action: RandomSpotting, dice: Dice, tables: TableSet) -> CheckResult:
    """A 0 is a bearing alone; up to the value of the table she is located with her class."""
    purpose = Message("chase.roll.spotting")
    cell = tables["random_spotting"].cell(str(action.visibility), action.location)
    die = dice.ten_sided(purpose)
    if die == 0:
        words = Message("chase.result.huff_duff")
    elif die <= int(cell.value):
        words = Message("chase.result.located")
    else:
        words = Message("chase.result.unseen")
    seen = die <= int(cell.value) or die == 0
    throw = Throw(purpose, "11.2", die, 0, "", cell.provenance, words)
    return CheckResult((throw,), (words,) if seen else ())


def _run_hunt(
    attack: Attempt[ConvoyHunt, Vessel], added: int, dice: Dice, tables: TableSet
) -> CheckResult:
    """A contact is rolled for again; a convoy of the other line is none (11.3)."""
    purpose = Message("chase.roll.hunt")
    die = dice.ten_sided(purpose)
    cell = read_row(tables["convoy_hunting"], "result", die + added)
    words = Message(f"chase.hunt.{cell.value}")
    first = Throw(purpose, "11.3", die, added, "", cell.provenance, words)
    if cell.value == "nothing":
        return CheckResult((first,))
    if cell.value == "merchant":
        return CheckResult((first,), (words,))
    purpose = Message("chase.roll.convoy")
    die = dice.ten_sided(purpose)
    cell = read_row(tables["convoys"], attack.action.line, die)
    convoy = cell.value.partition("/")[0]
    # Each convoy is located once in a game: found again it is no result.
    again = convoy in known_convoys(attack.fleet)
    words = Message("chase.hunt.found_before", convoy=convoy) if again else _convoy(cell.value)
    second = Throw(purpose, "11.3", die, 0, "", cell.provenance, words)
    if again or convoy == NO_CONVOY:
        return CheckResult((first, second))
    return CheckResult((first, second), (words,), convoy)


def known_convoys(fleet: tuple[Vessel, ...]) -> frozenset[str]:
    """The convoys that have been located in this game."""
    return frozenset(each for ship in fleet for each in ship.marks.convoys_found)


def _convoy(cell: str) -> Message:
    """A convoy with its escorts and its victory point markers."""
    if cell == NO_CONVOY:
        return Message("chase.hunt.other_line")
    convoy, escorts, points = cell.split("/")
    if escorts == NO_CONVOY:
        return Message("chase.hunt.unescorted", convoy=convoy, points=points)
    return Message(
        "chase.hunt.escorted", convoy=convoy, escorts=tuple(escorts.split("+")), points=points
    )
