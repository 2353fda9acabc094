"""The specifications of Grand Fleets' tables, and loading them."""

from functools import cache
from importlib.resources import files
from typing import Final, Literal, get_args

from combat.modifiers import Modifier
from combat.provenance import Provenance
from combat.table_spec import Axis, TableSpec, Trend, by_column, every, whole, word
from combat.tables import Cell, TableSet, read_tables
from tabletop.messages import Message

NAME: Final = "grand-fleets"

YARDS_A_KYD: Final = 1000
Size = Literal["very small", "small", "medium", "large", "very large"]
SIZES: Final[tuple[Size, ...]] = get_args(Size)
BANDS: Final = ("short", "medium", "long", "extreme")
Marker = Literal["stop", "slow", "none", "fast"]
"""The speed markers, and "none"."""
MARKERS: Final[tuple[Marker, ...]] = get_args(Marker)
CALIBRES: Final = {
    "below 6 inches": 6.0,
    "6 to below 12 inches": 12.0,
    "12 inches and more": float("inf"),
}
"""The columns of gun sizes, each with its upper limit of calibre (exclusive)."""
TORPEDO_ROWS: Final = {
    "+3 or more": 3, "+2": 2, "+1": 1, "0": 0, "-1": -1, "-2": -2, "-3 or -4": -4, "-5 to -7": -7,
    "-8 or less": -999,
}  # fmt: skip
"""The rows of the torpedo table, each with its lowest modifier."""
HIT_ROWS: Final = {"+3 or more": 3, "+2": 2, "+1": 1, "0 or less": -999}
EXTREME: Final = "extreme range"
Quality = Literal["terrible", "poor", "average", "good", "superb"]
QUALITIES: Final[tuple[Quality, ...]] = get_args(Quality)
FIGURES: Final = (
    "return to command, lowest total", "new flagship, added to the roll",
    "command distance, yards", "placing distance, yards", "least move with a turn, yards",
    "nudge off another model, yards", "largest turn, degrees",
    "leaving the table, per cent of points", "extreme range, per cent of long",
    "fewest ships in a division", "most ships in a division",
)  # fmt: skip

_MODIFIER = whole(-9, 9, "added_to_the_attack_modifier")
_YARDS = whole(0, 30_000, "yards")
_BOXES = whole(0, 9, "boxes")
_RISES = (Trend(Axis.DOWN, rises=True),)

_SPECS: Final = (
    TableSpec("range_bands", "Range", BANDS, ("modifier",), every(_MODIFIER)),
    TableSpec(
        "hit_numbers", "Lowest die that hits", (*reversed(HIT_ROWS), EXTREME), ("lowest_die",),
        every(whole(1, 6)),
    ),
    TableSpec(
        "size_guns", "Target size, gunfire", SIZES, tuple(CALIBRES), every(_MODIFIER), _RISES
    ),
    TableSpec(
        "size_torpedoes", "Target size, torpedoes", SIZES, ("broadside", "end"), every(_MODIFIER),
        _RISES,
    ),
    TableSpec(
        "speed_markers", "Speed markers", MARKERS, ("least_yards", "modifier"),
        by_column({"least_yards": _YARDS, "modifier": _MODIFIER}),
    ),
    TableSpec(
        "acceleration", "Farthest move after a marker", ("slow", "stop"), ("straight", "turning"),
        every(_YARDS),
    ),
    TableSpec(
        "torpedo_hits", "Torpedo hits on two dice", tuple(TORPEDO_ROWS),
        tuple(str(total) for total in range(7, 13)), every(word(("hit", "miss"))),
    ),
    TableSpec(
        "damage_checks", "Boxes checked off by a damage check", tuple("123456"),
        ("engines", "guns", "torpedoes"),
        by_column({"engines": _BOXES, "guns": _BOXES, "torpedoes": whole(0, 1, "lost")}),
        (Trend(Axis.DOWN, rises=False),),
    ),
    TableSpec(
        "command_quality", "Command quality", QUALITIES,
        ("lowest_roll", "modifier", "points_percent"),
        by_column({"lowest_roll": whole(2, 12), "modifier": whole(-5, 5),
                   "points_percent": whole(-99, 100)}),
        _RISES,
    ),
    TableSpec(
        "battle_sizes", "Battle sizes", SIZES, ("fleet_limit", "threshold"),
        every(whole(1, 100_000, "victory_points")), _RISES,
    ),
    TableSpec(
        "figures", "Single figures of the rules", FIGURES, ("value",), every(whole(-9, 30_000))
    ),
)  # fmt: skip


@cache
def load_tables() -> TableSet:
    """The tables of the ruleset, from the files beside this module."""
    return read_tables(NAME, files(__package__), _SPECS)


def figure(tables: TableSet, name: str) -> int:
    """A single figure of the rules."""
    return tables["figures"].integer(name, "value")


def band_limits(
    kyds: tuple[float, ...], tables: TableSet, *, extreme: bool = False
) -> dict[str, float]:
    """The limit of each range band in yards, nearest first."""
    limits = [limit * YARDS_A_KYD for limit in kyds]
    if extreme:
        # One and a half times, unrounded: an odd long range ends on half a kyd (decided).
        limits.append(limits[-1] * figure(tables, "extreme range, per cent of long") / 100)
    return dict(zip(BANDS, limits, strict=False))


def row_of(rows: dict[str, int], modifier: int) -> str:
    """The row of a table for a net modifier; rows are sorted from the highest down."""
    return next(row for row, lowest in rows.items() if modifier >= lowest)


def ledger_line(number: str, cell: Cell, label: Message, *others: Provenance) -> Modifier:
    """A ledger line from a cell; its provenance is the worst of the cell's and the given ones."""
    known = Provenance.worst((cell.provenance, *others))
    return Modifier(number, int(cell.value), label, cell.reference, known)
