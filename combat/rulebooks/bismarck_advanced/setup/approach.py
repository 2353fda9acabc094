"""The starting range, and the direction of the attackers (55.22–55.25).

`placement` determines the ships' places. All ships start hidden (55.28): see `hidden_ships`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from combat.dice import FACES, Dice
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.tables import TableSet
from combat.weather import LEVELS, Visibility
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef

ADJACENT_ZONES: Final = 6
"""The zones about a zone of the search board."""
_NO_ATTACK: Final = "no_attack"


@dataclass(frozen=True, slots=True)
class NoAttack:
    """The weather forbids the attack, so there is no battle."""

    why: Message
    rule: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class StartingRange:
    """The starting range and how it was determined."""

    yards: int
    die: int
    ledger: Ledger
    row: int
    """The table's row: die and modifiers, limited to its first and last row."""
    why: Message
    rule: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Direction:
    """The defender's quadrant that the attackers come from, and how it was determined."""

    quadrant: Quadrant
    why: Message
    rule: str
    provenance: Provenance
    die: int | None = None


def range_modifications(
    attackers: Iterable[Vessel], tables: TableSet, *, visibility: Visibility, night: bool
) -> Ledger | NoAttack:
    """The modifiers of the die for the starting range, or NoAttack (55.22)."""
    weather = tables["range_modifiers"].cell(f"visibility {_level(visibility)}", "value")
    if weather.value == _NO_ATTACK:
        why = Message("advanced.setup.no_attack", visibility=visibility)
        return NoAttack(why, weather.reference, weather.provenance)
    return Ledger(tuple(_modifications(attackers, tables, visibility, night)))


def roll_starting_range(
    attackers: Iterable[Vessel],
    dice: Dice,
    tables: TableSet,
    *,
    visibility: Visibility,
    night: bool = False,
) -> StartingRange | NoAttack:
    """Roll for the starting range (55.22); NoAttack, without a roll, if the weather forbids it."""
    ledger = range_modifications(attackers, tables, visibility=visibility, night=night)
    if isinstance(ledger, NoAttack):
        return ledger
    die = dice.die(Message("advanced.roll.starting_range"))
    total = die + ledger.total
    # A sum outside the table uses its first or last row.
    row = min(max(total, 1), FACES)
    cell = tables["range_establishment"].cell(str(row), "yards")
    yards = int(cell.value)
    if row == total:
        why = Message("advanced.setup.range", die=die, added=ledger.total, total=total, yards=yards)
    else:
        why = Message(
            "advanced.setup.range_read_as",
            die=die,
            added=ledger.total,
            total=total,
            row=row,
            yards=yards,
        )
    return StartingRange(
        yards=yards,
        die=die,
        ledger=ledger,
        row=row,
        why=why,
        rule="55.22",
        provenance=Provenance.worst((cell.provenance, *(m.provenance for m in ledger))),
    )


def zones_counted(defender_from: int, attacker_from: int) -> int:
    """The zones clockwise from the defenders' former one (1) to the attackers' (55.231)."""
    for zone in (defender_from, attacker_from):
        _check_zone(zone)
    return (attacker_from - defender_from) % ADJACENT_ZONES + 1


def direction_by_zones(count: int, tables: TableSet) -> Direction:
    """The quadrant for a number of zones counted (55.232)."""
    if not 1 <= count <= ADJACENT_ZONES:
        raise DreyerError("advanced.setup.zone_count", most=ADJACENT_ZONES, found=count)
    cell = tables["direction_by_zone"].cell(str(count), "quadrant")
    why = Message("advanced.setup.by_zones", n=count)
    return Direction(Quadrant(cell.value), why, cell.reference, cell.provenance)


def direction_by_die(dice: Dice, tables: TableSet) -> Direction:
    """The quadrant by a die, if one side or both did not move (55.24)."""
    die = dice.die(Message("advanced.roll.direction"))
    cell = tables["direction_by_die"].cell(str(die), "quadrant")
    why = Message("advanced.setup.by_die", die=die)
    return Direction(Quadrant(cell.value), why, cell.reference, cell.provenance, die)


def direction_of_shadowers() -> Direction:
    """Shadowing ships come from astern (55.25)."""
    why = Message("advanced.setup.shadowing")
    return Direction(Quadrant.STERN, why, "55.25", Provenance.PRINTED)


def _modifications(
    attackers: Iterable[Vessel], tables: TableSet, visibility: Visibility, night: bool
) -> Iterator[Modifier]:
    """The three modifiers of the table in its order; those that do not apply are 0."""
    table = tables["range_modifiers"]

    def modifier(number: int, row: str, applies: bool, label: Message) -> Modifier:
        cell = table.cell(row, "value")
        value = int(cell.value) if applies else 0
        return Modifier(number, value, label, cell.reference, cell.provenance)

    hour = Message("advanced.setup.night") if night else Message("advanced.setup.day")
    yield modifier(1, "night", night, hour)
    sight = Message("advanced.setup.visibility", visibility=visibility)
    yield modifier(2, f"visibility {_level(visibility)}", True, sight)
    # 55.22 asks for an attacker with radar; the defenders' radar does not count.
    with_radar = next((vessel.name for vessel in attackers if vessel.has_radar), None)
    label = Message("advanced.setup.no_radar")
    if with_radar is not None:
        label = Message("advanced.setup.radar", ship=ShipRef(with_radar))
    yield modifier(3, "radar", with_radar is not None, label)


def _level(visibility: Visibility) -> str:
    if str(visibility) not in map(str, LEVELS):
        raise DreyerError("advanced.setup.bad_visibility", found=visibility)
    return str(visibility)


def _check_zone(zone: int) -> None:
    if not 0 <= zone < ADJACENT_ZONES:
        raise DreyerError("advanced.setup.bad_zone", most=ADJACENT_ZONES - 1, found=zone)
