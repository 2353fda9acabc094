"""The specifications of Sink the Bismarck!'s tables, and loading them."""

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from combat.rulebook_info import ship_files
from combat.ships import ShipList, ShipType, read_ships
from combat.table_spec import TableSpec, by_column, every, pattern, whole, word
from combat.tables import TableSet, read_tables
from tabletop.messages import Message

NAME: Final = "sink-the-bismarck"

UNKNOWN: Final = "?"
"""The value of cells that only the owner's copy has."""
DETECTED: Final = "detected"
TOTALS: Final = tuple(map(str, range(-1, 17)))
"""Every modified die that 10.2 allows: 1 − 2 to 10 + 1 + 3 + 2."""
SPEED_ROWS: Final = {"30-34": 30, "24-29": 24, "15-23": 15, "8-14": 8, "1-7": 1, "0": 0}
"""The rows of 7.14, each with its lowest evasion rating."""
HIGHEST_EVASION: Final = 34
EVEN_TURNS: Final = "even turns"


class Convoy(StrEnum):
    """The convoys, by their routes (9.7)."""

    HX = "HX"
    SC = "SC"
    ON = "ON"
    ONS = "ONS"
    SL = "SL"
    WS = "WS"
    OG = "OG"


_DETECTION_MODIFIERS = (
    "visibility good", "visibility poor or night", "recon aircraft by day", "3 or 4 ships",
    "5 or 6 ships", "7 or more ships", "aircraft carrier",
)  # fmt: skip
_LIMITS = (
    "convoys on the map", "convoys in a hex", "hexes from the track", "convoy speed",
    "first turn for convoys", "task forces in a hex",
)  # fmt: skip


def _specs(ships: tuple[str, ...]) -> tuple[TableSpec, ...]:
    return (
        TableSpec(
            "detection", "Detection Table", TOTALS, ("result",),
            every(word((DETECTED, "not detected", UNKNOWN))),
        ),
        TableSpec(
            "detection_modifiers", "Detection modifiers", _DETECTION_MODIFIERS, ("value",),
            every(whole(-9, 9, "added_to_the_die")),
        ),
        TableSpec(
            "speed", "Evasion rating and maximum speed", tuple(SPEED_ROWS), ("hexes",),
            every(whole(0, 9, words=(EVEN_TURNS,))),
        ),
        TableSpec(
            "convoys", "Convoys", tuple(map(str, Convoy)), ("track", "entry", "leaves the map"),
            by_column({"track": word(("Atlantic", "African")),
                       "entry": pattern(Message("sink.expected.hex"), r"[0-9]{4}|\?"),
                       "leaves the map": word(("yes", "no"))}),
        ),
        TableSpec("limits", "Limits", _LIMITS, ("most",), every(whole(0, 99))),
        TableSpec(
            "ships", "Ships", ships, ("evasion",), every(whole(0, HIGHEST_EVASION, "evasion"))
        ),
    )  # fmt: skip


@cache
def load_ships() -> ShipList[ShipType]:
    """The built-in ships, by name, class and nation."""
    return read_ships(ship_files(files(__package__)))


@cache
def load_tables() -> TableSet:
    """The tables of the ruleset, from the files beside this module."""
    specs = _specs(tuple(ship.name for ship in load_ships()))
    return read_tables(NAME, files(__package__), specs)
