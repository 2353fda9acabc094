"""The tables of the battle board: their shapes, what their cells may hold, and loading."""

from functools import cache
from importlib.resources import files
from typing import Final

from combat.dice import Pair
from combat.rulebook_info import ship_files
from combat.rulebooks.bismarck_data.table_files import (
    ALL,
    DIE,
    EVASIONS,
    PAD,
    SECTIONS,
    SUMS,
    UNSUCCESSFUL,
    air_specs,
    fighter_specs,
    pad_spec,
    repair_specs,
    salvo_specs,
    shared_tables,
    torpedo_specs,
)
from combat.ships import ShipClass, ShipList, ShipType, read_ships
from combat.table_spec import (
    Axis,
    CellKind,
    Spans,
    TableSpec,
    Trend,
    by_column,
    every,
    pattern,
    whole,
    word,
)
from combat.tables import Table, TableSet, read_tables
from tabletop.messages import Message

NAME: Final = "bismarck-battle-board"

FIELDS: Final = ("broadside", "bow", "stern")
"""What of the target is fired at (9.67)."""
SECTORS: Final = ("bow", "port", "starboard", "stern")
MOVEMENT: Final = Spans((0, 1, 4, 11, 18, 25, 30))
"""Evasion, in the table of movement."""
START_RANGES: Final = Spans((0, 4, 7), highest=8)
"""Visibility, in the At Start Range Table."""
AIR_CONVOY_ANTIAIRCRAFT: Final = Spans((1, 2, 5, 8, 11, 14, 17))
ANTISUBMARINE: Final = Spans((0, 1, 3, 5, 7, 9, 11, 13, 15, 17))
DEFENSIVE_FIRE: Final = Spans((2, 4, 7), highest=12)
HITS_RECEIVED: Final = Spans((0, 1, 3, 5, 7, 9, 11, 13))
"""Hits on the attacker, in the Ship/Convoy Attack Table."""
NO_MOVE: Final = "-"
CONVOYS: Final = ("slow", "fast", "Britannic")
SHIP_EVASION: Final = ("Bismarck", "Tirpitz", "Prinz Eugen")
"""Ships that lose another evasion than their class with each midships hit (9.724, 9.725, 48.2)."""
CONVOY_EVASIONS: Final = Spans((10, 13, 16, 19, 22, 25, 28, 31))
CONVOY_ROWS: Final = {
    "13 or less": Pair(1, 3),
    **{
        f"{coloured}{first}-{coloured}{last}": Pair(coloured, last)
        for coloured in range(1, 7)
        for first, last in ((1, 3), (4, 6))
        if (coloured, first) != (1, 1)
    },
}
"""The rows of the Ship/Convoy Attack Table, with the last roll of each."""

_RISES: Final = Trend(Axis.DOWN, rises=True)
_FALLS_ACROSS: Final = Trend(Axis.ACROSS, rises=False)
_HIT: Final = every(word(("hit", "miss")))
_DIE_MODIFIER: Final = ("value",), every(whole(-36, 36, "rolls_of_the_dice"))


def _terms(*terms: str) -> CellKind:
    """Terms joined by `+`, N a number."""
    term = "|".join(text.replace("N", "[1-9][0-9]?") for text in terms)
    return pattern(Message("board.expected.terms", terms=terms), rf"(?:{term})(?:\+(?:{term}))*")


_BOXES: Final = ("midships:N", "bow:N", "stern:N", "secondary:N")


def _fire_specs() -> tuple[TableSpec, ...]:
    fire = every(_terms("miss", "special_a", "special_b", *_BOXES))
    special = every(_terms("miss", "sunk", "evasion:N", *_BOXES))
    yes_no = every(word(("yes", "no")))
    return (
        TableSpec("fire_a", "Fire, A range", SUMS, FIELDS, fire),
        TableSpec("fire_b", "Fire, B range", SUMS, FIELDS, fire),
        TableSpec("special_damage", "Special Damage", SUMS, ("A", "B"), special),
        TableSpec("sectors", "Sector Diagram", SECTORS, SECTIONS, yes_no),
        TableSpec(
            "movement", "Movement on Battle Board, direction changes by hexes", MOVEMENT.names,
            ("0", "1", "2"), every(whole(0, 6, words=(NO_MOVE,))),
        ),
        TableSpec(
            "start_range", "At Start Range Table", ("day", "night"), START_RANGES.names,
            every(whole(1, 9, "hexes")), (_FALLS_ACROSS,),
        ),
        TableSpec(
            "midships_evasion", "Evasion lost with a midships hit",
            (*SHIP_EVASION, *(each.value for each in ShipClass if each != ShipClass.DESTROYER)),
            ("evasion",), every(whole(0, 30, "evasion_lost")),
        ),
        TableSpec(
            "evasion_repair", "Evasion Rating Repair Table", DIE, ("evasion",),
            every(whole(0, 30, "evasion")), (_RISES,),
        ),
        *repair_specs(),
        TableSpec(
            "secondary_repair_at_sea", "Repair at Sea Table, secondary armament", DIE, ("boxes",),
            every(whole(1, 9, words=(ALL, UNSUCCESSFUL))), (Trend(Axis.DOWN, rises=False),),
        ),
        TableSpec(
            "avoidance", "A target that avoids torpedoes", ("avoids",), ("coloured_die",),
            every(whole(-5, 0, "added_to_the_coloured_die")),
        ),
    )  # fmt: skip


def _air_specs() -> tuple[TableSpec, ...]:
    bombs = every(_terms("miss", "evasion:N", *_BOXES))
    return (
        TableSpec("german_bombers", "German Dive/Level Bomber Result", SUMS, ("result",), bombs),
        TableSpec(
            "british_bombers", "British Dive/Level Bomber Result", SUMS, ("battleship", "other"),
            bombs,
        ),
        TableSpec(
            "british_torpedo_bombers", "British Torpedo Bomber Result", SUMS, ("result",), bombs
        ),
        *air_specs(),
        *fighter_specs(),
        TableSpec(
            "air_convoy", "Air/Convoy Attack Table", SUMS,
            AIR_CONVOY_ANTIAIRCRAFT.names, _HIT,
        ),
    )  # fmt: skip


def _torpedo_specs() -> tuple[TableSpec, ...]:
    salvos = pattern(Message("board.expected.salvos"), r"[0-9]\*{0,3}")
    loss = pattern(Message("board.expected.salvo_value"), r"A|-|[1-6][1-6]")
    six = tuple(str(count) for count in range(1, 7))
    return (
        *torpedo_specs(),
        TableSpec(
            "submarine_attack", "Submarine Attack Table", ("0 or less", *DIE),
            ANTISUBMARINE.names,
            every(salvos),
        ),
        TableSpec(
            "antisubmarine", "Anti-submarine strength",
            ("destroyer", "carrier", "recon", "convoy outside escort", "convoy inside escort",
             "near Bergen or Trondheim"),
            ("day", "night"), every(whole(0, 40)),
        ),
        *salvo_specs(),
        TableSpec(
            "convoy_speeds", "Convoys in the Torpedo Hit Table", CONVOYS, ("column",),
            every(word(EVASIONS.names)),
        ),
        TableSpec(
            "defensive_fire", "Defensive Fire Table", DEFENSIVE_FIRE.names, ("day", "night"),
            every(word(("lost", "miss"))),
        ),
        TableSpec("torpedo_loss", "Torpedo Loss Table", six, six, every(loss)),
        TableSpec(
            "ship_convoy", "Ship/Convoy Attack Table",
            tuple(CONVOY_ROWS), HITS_RECEIVED.names,
            every(whole(0, 9, "merchant_ships")), (_RISES, _FALLS_ACROSS),
        ),
        TableSpec(
            "convoy_modifiers", "Ship/Convoy Attack Table, modifications",
            (*(f"evasion {span}" for span in CONVOY_EVASIONS.names), "dispersed"), *_DIE_MODIFIER,
        ),
    )  # fmt: skip


def _card_specs(ships: ShipList[ShipType]) -> tuple[TableSpec, ...]:
    of_class = {destroyers: tuple(ship.name for ship in ships if _is_flotilla(ship) is destroyers)
                for destroyers in (False, True)}  # fmt: skip
    return (
        pad_spec(of_class[False]),
        TableSpec(
            "flotillas", "Destroyer flotillas", of_class[True],
            ("evasion", "destroyers", "antiaircraft"),
            by_column({"evasion": whole(1, 60), "destroyers": whole(1, 6, "destroyers"),
                       "antiaircraft": whole(0, 20)}),
        ),
    )  # fmt: skip


def _is_flotilla(ship: ShipType) -> bool:
    return ship.ship_class is ShipClass.DESTROYER


@cache
def load_ships() -> ShipList[ShipType]:
    """The ships of the Hit Record Pad and the destroyer flotillas, by name and class."""
    return read_ships(ship_files(files(__package__)))


@cache
def load_tables() -> TableSet:
    """The tables that come with the ruleset: those of this folder and those that are shared."""
    below = (*torpedo_specs(), *salvo_specs(), *air_specs(), *fighter_specs(), *repair_specs())
    shared = {spec.name for spec in below} | {PAD}
    specs = (
        *_fire_specs(),
        *_air_specs(),
        *_torpedo_specs(),
        *_card_specs(load_ships()),
    )
    own = read_tables(NAME, files(__package__), [spec for spec in specs if spec.name not in shared])
    others = shared_tables(NAME, [spec for spec in specs if spec.name in shared])
    tables: dict[str, Table] = {table.name: table for table in (*own, *others)}
    return TableSet(NAME, [tables[spec.name] for spec in specs])
