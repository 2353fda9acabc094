"""Reads the sub-tables of a ship: armour, rate of fire, batteries and layout."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from combat.rulebooks.bismarck_advanced.fleet.warships import (
    Armour,
    Inches,
    Layout,
    Mount,
    RateOfFire,
    SecondaryTurret,
    Side,
    Turret,
)
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand
from tabletop.arcs import FiringArc, Quadrant
from tabletop.fields import Fields
from tabletop.messages import Message

ARMOUR_KEYS = (
    "belt",
    "deck",
    "main_gun",
    "crown",
    "secondary",
    "conning_tower",
    "plot",
    "director",
    "rudder",
)
RATE_KEYS = ("targeting", "main", "secondary")
MAIN_KEYS = ("gun", "calibre", "ammunition", "boxes", "turrets")
SECONDARY_KEYS = ("gun", "calibre", "ammunition", "turrets")
LAYOUT_KEYS = ("beam", "superstructure", "funnels", "island")

DASH = "-"
"""A chart's dash: no armour, or no fire at this range."""
_EACH = "each"
"""The side of a pair of secondary turrets: one to port and one to starboard."""
_THICKEST_INCHES = 40
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Guns:
    """What all guns of a battery have in common."""

    gun_type: GunType
    calibre_inches: float
    ammunition: int


def read_armour(fields: Fields) -> Armour:
    """The armour of a chart, in inches."""

    def one(key: str) -> Inches:
        return _dash_or(fields, key, fields.value(key, _INCHES), _inches, _INCHES)

    def several(key: str, count: int) -> tuple[Inches, ...]:
        return tuple(
            _dash_or(fields, key, value, _inches, _INCHES)
            for value in fields.values(key, count, _each(_INCHES))
        )

    def pair(key: str) -> tuple[Inches, Inches]:
        broadside, end_on = several(key, 2)
        return broadside, end_on

    def triple(key: str) -> tuple[Inches, Inches, Inches]:
        extreme, long_high, closer = several(key, 3)
        return extreme, long_high, closer

    return Armour(
        belt=pair("belt"),
        deck=triple("deck"),
        main_gun=one("main_gun"),
        crown=triple("crown"),
        secondary=one("secondary"),
        conning_tower=one("conning_tower"),
        plot=one("plot"),
        director=one("director"),
        rudder=pair("rudder"),
    )


def read_rate_of_fire(fields: Fields) -> RateOfFire:
    """A rate of fire chart: three rows of seven, from point blank to extreme."""

    def row(key: str, check: Callable[[object], _T | None], each: Message) -> tuple[_T | None, ...]:
        values = fields.values(key, len(RangeBand), _each(each))
        return tuple(_dash_or(fields, key, value, check, each) for value in values)

    return RateOfFire(
        targeting_by_range=row("targeting", _targeting, _TARGETING),
        main_by_range=row("main", _multiplier, _MULTIPLIER),
        secondary_by_range=row("secondary", _multiplier, _MULTIPLIER),
    )


def read_turrets(fields: Fields) -> tuple[Turret, ...]:
    """The main turrets (60.2)."""
    tables = fields.tables("turrets", ("name", "guns", "station", "side", "arc"))
    return tuple(
        Turret(
            name=table.text("name", most=8),
            guns=table.integer("guns", least=1, most=4),
            arc=_read_arc(table),
            station=_station(table),
            side=Side(table.choice("side", list(Side), Side.BOTH)),
            boxes=fields.integer("boxes", least=0, most=12),
        )
        for table in tables
    )


def read_secondaries(fields: Fields) -> tuple[SecondaryTurret, ...]:
    """The secondary turrets (60.3), named P1, P2 … S1 … and C1 … on the centreline."""
    turrets: list[SecondaryTurret] = []
    for table in fields.tables("turrets", ("guns", "station", "side", "arc")):
        side = table.choice("side", (_EACH, *Side))
        places: list[Side] = [Side.PORT, Side.STARBOARD] if side == _EACH else [Side(side)]
        for place in places:
            broadsides = ("port", "starboard") if place is Side.BOTH else (place.value,)
            number = 1 + sum(turret.side is place for turret in turrets)
            turrets.append(
                SecondaryTurret(
                    name=f"{_LETTERS[place]}{number}",
                    guns=table.integer("guns", least=0, most=16),
                    # 60.6: most fire neither over the bow nor over the stern.
                    arc=_read_arc(table) if "arc" in table else FiringArc.of(broadsides),
                    station=_station(table),
                    side=place,
                )
            )
    return tuple(sorted(turrets, key=lambda turret: tuple(_LETTERS).index(turret.side)))


_LETTERS = {Side.PORT: "P", Side.STARBOARD: "S", Side.BOTH: "C"}


def read_guns(fields: Fields, mounts: Sequence[Mount]) -> Guns | None:
    """The guns of a battery; None where its turrets have none."""
    keys = ("gun", "calibre", "ammunition")
    if not any(mount.guns for mount in mounts):
        for key in keys:
            if key in fields:
                expected = Message("advanced.expected.no_guns")
                raise fields.wrong(key, expected, fields.value(key))
        return None
    return Guns(
        gun_type=GunType(fields.choice("gun", list(GunType))),
        calibre_inches=fields.number("calibre", above=0, most=20, unit="inches"),
        ammunition=fields.integer("ammunition", least=0, most=10_000),
    )


def read_layout(fields: Fields) -> Layout:
    """What a drawing from above needs besides the turrets."""
    stations = Message("advanced.expected.stations")
    fore, after = (
        _on_board(fields, "superstructure", value, stations)
        for value in fields.values("superstructure", 2, stations)
    )
    return Layout(
        beam=fields.number("beam", above=0, most=1),
        superstructure=(fore, after),
        funnels=tuple(
            _on_board(fields, "funnels", value, stations)
            for value in fields.values("funnels", None, stations)
        ),
        island=Side(fields.choice("island", list(Side), Side.BOTH)),
    )


def _read_arc(fields: Fields) -> FiringArc:
    names = fields.texts("arc")
    if not names or not set(names) <= set(Quadrant):
        expected = Message("advanced.expected.quadrants", known=tuple(Quadrant))
        raise fields.wrong("arc", expected, ", ".join(names))
    return FiringArc.of(names)


def _station(fields: Fields) -> float:
    return fields.number("station", least=0, most=1)


def _on_board(fields: Fields, key: str, value: object, expected: Message) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise fields.wrong(key, expected, value)
    return float(value)


def _dash_or(
    fields: Fields, key: str, value: object, check: Callable[[object], _T | None], expected: Message
) -> _T | None:
    """None for a dash, or else the value as the check makes it."""
    if value == DASH:
        return None
    checked = None if isinstance(value, bool) else check(value)
    if checked is None:
        raise fields.wrong(key, expected, value)
    return checked


_INCHES = Message("advanced.expected.inches", most=_THICKEST_INCHES)
_TARGETING = Message("advanced.expected.targeting")
_MULTIPLIER = Message("advanced.expected.multiplier")


def _each(each: Message) -> Message:
    return Message("schema.values_each", each=each)


def _inches(value: object) -> int | None:
    return value if isinstance(value, int) and 1 <= value <= _THICKEST_INCHES else None


def _targeting(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= 99 else None


def _multiplier(value: object) -> Fraction | None:
    """Exactly the decimal that is written: 0.3 is three tenths."""
    valid = isinstance(value, int | float) and 0 < value <= 99
    return Fraction(str(value)) if valid else None
