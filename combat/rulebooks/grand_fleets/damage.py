"""Damage: hull boxes, and the damage checks that follow when a set of them is full."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from combat.dice import Dice
from combat.rulebooks.grand_fleets.card import ANTI_AIR, GUNS, TORPEDOES, DiceRow, Tube
from combat.rulebooks.grand_fleets.vessel import Health, Vessel
from combat.tables import TableSet
from tabletop.messages import Message, verbatim

ENGINES: Final = "engines"
CHECKS: Final = "Damage Checks"


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """One die of a series of damage checks."""

    part: str
    """The engines, a battery by its name, or a torpedo by its box: "torpedoes P"."""
    die: int
    boxes: int
    """The table's result; fewer may be left."""


def with_hull_damage(ship: Vessel, boxes: int) -> Vessel:
    """A ship after further hull boxes, limited to the last."""
    return ship.marked(hull_lost=min(ship.hull_boxes, ship.marks.hull_lost + boxes))


def series_due(before: Vessel, after: Vessel) -> int:
    """The number of series of checks that are due: one for each filled set, none when sunk."""
    if after.health is Health.SUNK:
        return 0
    limits = tuple(accumulate(before.card.hull))[:-1]
    return sum(before.marks.hull_lost < limit <= after.marks.hull_lost for limit in limits)


def check_series(ship: Vessel, dice: Dice, tables: TableSet) -> tuple[CheckedPart, ...]:
    """One series: a die for the engines, for each battery of guns and for each torpedo on board."""
    return tuple(check_part(part, name, dice, tables) for part, name in parts_checked(ship))


def parts_checked(ship: Vessel) -> tuple[tuple[str, Message], ...]:
    """Every die of a series in order: its part, and the part's title."""
    torpedoes = (
        (
            torpedo_part(tube),
            Message("grand_fleets.part.torpedo", number=number, count=count, tube=str(tube)),
        )
        for tube, count in ship.torpedoes_left().items()
        for number in range(1, count + 1)
    )
    batteries = ((part, verbatim(name)) for part, name in battery_names(ship).items())
    return ((ENGINES, Message("grand_fleets.part.engines")), *batteries, *torpedoes)


def torpedo_part(tube: Tube) -> str:
    """The part of torpedoes of one kind of box."""
    return f"{TORPEDOES} {tube}"


_TUBES: Final = {torpedo_part(tube): tube for tube in Tube}


def is_torpedo(part: str) -> bool:
    """Whether a part is torpedoes, each of which has its own die."""
    return part in _TUBES


def checked(ship: Vessel, checks: tuple[CheckedPart, ...]) -> Vessel:
    """A ship after some checks; a part loses at most what it has left."""
    speed, dice, torpedoes = (
        ship.marks.speed_lost,
        dict(ship.marks.dice_lost),
        dict(ship.marks.torpedoes_lost),
    )
    boxes = ship.card.dice_boxes
    for check in checks:
        if check.part == ENGINES:
            speed = min(len(ship.card.speed), speed + check.boxes)
        elif is_torpedo(check.part):
            tube = _TUBES[check.part]
            torpedoes[tube] = torpedoes.get(tube, 0) + check.boxes
        else:
            row = next(row for row in boxes if row == check.part)
            dice[row] = min(len(boxes[row]), dice.get(row, 0) + check.boxes)
    return ship.marked(
        speed_lost=speed,
        dice_lost={part: lost for part, lost in dice.items() if lost},
        torpedoes_lost={tube: lost for tube, lost in torpedoes.items() if lost},
    )


def battery_names(ship: Vessel) -> dict[DiceRow, str]:
    """Every battery with damage checks, with its title on the card."""
    names: dict[DiceRow, str] = {
        part: guns.name for part, guns in zip(GUNS, ship.card.guns, strict=False)
    }
    return names | ({ANTI_AIR: ship.card.anti_air.name} if ship.card.anti_air else {})


def check_part(part: str, name: Message, dice: Dice, tables: TableSet) -> CheckedPart:
    """One die of a series: for the engines, a battery or a torpedo."""
    die = dice.die(Message("grand_fleets.roll.damage_check", part=name))
    column = ENGINES if part == ENGINES else TORPEDOES if is_torpedo(part) else "guns"
    return CheckedPart(part, die, tables["damage_checks"].integer(str(die), column))
