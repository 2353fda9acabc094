"""The specifications of The Chase of the Bismarck's tables, and loading them."""

from functools import cache
from importlib.resources import files
from typing import Final

from combat.rulebook_info import ship_files
from combat.ships import ShipList, ShipType, read_ships
from combat.table_spec import (
    Axis,
    CellKind,
    TableSpec,
    Trend,
    by_column,
    every,
    fraction,
    pattern,
    whole,
    word,
)
from combat.tables import TableSet, read_tables
from tabletop.messages import Message

NAME: Final = "chase-of-the-bismarck"
EDITIONS: Final = (1, 2, 3)
"""Edition 2 has a third party's readings of Ship Cards in place of what edition 1 rebuilt, the
tankers, and the tables of the Chance Phase. Edition 3 keeps the steps of a combat round in order,
finds a convoy once, and has repairs, refuelling and victory points."""
_ADDED_TABLES: Final = {
    2: ("random_spotting", "convoy_hunting", "convoy_modifiers", "convoys"),
    3: ("repair_at_sea", "repair_modifiers", "refuelling", "convoy_markers", "victory_points"),
}
"""The tables that come with an edition, and are not in those before it."""
_TABLE_FILES: Final = {1: {"ship_cards": "ship_cards_edition_1"}}
"""The tables that an earlier edition reads from other files."""

DIE: Final = tuple("0123456789")
"""A ten-sided die; 0 counts as 0, not as 10 (2.8)."""
RANGES: Final = ("short", "medium", "long", "extreme")
POSITIONS: Final = ("closing", "opening", "breaking-off")
PARTS: Final = ("bow", "stern", "secondary")
MARKERS: Final = ("dud", "rudder", "bow", "stern", "hull", "critical", "fire_control")
TANKERS: Final = ("German Tanker",)
"""The ships that follow the rules of tankers (9; 10, step 6)."""
FOUND_CLASSES: Final = ("capital ship", "cruiser", "destroyers")
"""BB, BC or CV; CL or CA; a DD flotilla (11.1)."""
SPOTTING: Final = (
    "inside", "near a search factor", "outside",
    "on a convoy route",
)  # fmt: skip
"""Where a German ship is for random spotting (11.2)."""
CONVOY_LINES: Final = ("east-west", "north-south")
LEVELS: Final = tuple(f"visibility {level}" for level in range(1, 10))
GUN_MODIFIERS: Final = (
    "target acquired", "radar",
    *(f"{role} {position}" for role in ("firer", "target") for position in POSITIONS),
    "fire control damaged", "CA vs BC", "CA vs BB",
    *(f"{firer} vs {target}" for firer in ("CL", "DD") for target in ("CA", "BC", "BB")),
    *LEVELS, "crew exhausted",
)  # fmt: skip
HIT_MODIFIERS: Final = (
    "evasion below 25", "submarine", "channel", "rudder damaged or refuelling at sea",
    "refuelling in port", "night", *(f"target {position}" for position in POSITIONS),
    "torpedo at medium range", *LEVELS,
)  # fmt: skip
MOVEMENT: Final = {"below 20": 19, "20-25": 25, "26-30": 30, "above 30": 999}
"""The rows of the Movement Table, each with its highest evasion rating."""
DIFFERENCES: Final = {"-2 or less": -2, "-1": -1, "0": 0, "+1": 1, "+2 or more": 2}

REPAIR_WEATHER: Final = {"weather 4-6": 4, "weather 7-9": 7}
"""The rows of the modifiers of a repair at sea, each with its lowest box of the Weather Track."""
REFUELLING: Final = ("in port", "at sea", "destroyers at sea")
SINGLE_SHIP: Final = "single merchant ship"
HULL_BOX: Final = "hull box of a sunk BB CV BC or CA"
TWO_HITS: Final = "two hits on a BB CV BC or CA"
OTHER_SHIP: Final = "any other ship sunk"

_YES_NO = word(("yes", "no"))
_VALUE = ("value",), every(whole(-9, 9, "added_to_the_die"))
_FALLS = (Trend(Axis.DOWN, rises=False),)


def _terms(*terms: str) -> CellKind:
    """Terms joined by `+`; N is a number of hits."""
    term = "|".join(text.replace("N", "[1-9]") for text in terms)
    return pattern(Message("chase.expected.terms", terms=terms), rf"(?:{term})(?:\+(?:{term}))*")


_MARKS = ("hull:N", "bow:N", "stern:N", "secondary:N", "evasion:N")
_EFFECT = every(_terms("none", "rudder", "fire_control", "secondary_roll", *_MARKS))


def _specs(ships: tuple[str, ...]) -> tuple[TableSpec, ...]:
    return (
        TableSpec(
            "naval_combat", "Naval Combat Table", DIE, tuple(reversed(RANGES)),
            every(_terms("miss", "special", *_MARKS)),
        ),
        TableSpec(
            "ranges", "Ranges and the number of dice", RANGES,
            ("zones_between", "dice", "secondary", "torpedoes"),
            by_column({"zones_between": whole(0, 7, "intervening_sea_zones"), "dice": fraction(),
                       "secondary": _YES_NO, "torpedoes": _YES_NO}),
        ),
        TableSpec("positions", "Position Table", POSITIONS, PARTS, every(_YES_NO)),
        TableSpec("gun_modifiers", "Die Roll Modifiers", GUN_MODIFIERS, *_VALUE),
        TableSpec(
            "hit_table", "Torpedo & Air Attack Hit Table", DIE, ("hits",),
            every(whole(0, 3, "hits")), _FALLS,
        ),
        TableSpec("hit_modifiers", "Hit DRMs", HIT_MODIFIERS, *_VALUE),
        TableSpec(
            "damage_markers", "Damage markers drawn", DIE, ("marker",), every(word(MARKERS))
        ),
        TableSpec("marker_effects", "What a damage marker does", MARKERS, ("effect",), _EFFECT),
        TableSpec(
            "evasion_chits", "Evasion Effect markers drawn", DIE, ("loss",),
            every(whole(1, 40, "evasion_lost")),
        ),
        TableSpec(
            "special_damage", "Special Damage Table", DIE, ("result",),
            every(word(("none", "fire_control", "fuel", "radar", "subtable"))),
        ),
        TableSpec(
            "special_subtable", "Special Damage Subtable", DIE, ("effect",),
            every(_terms("sunk", *_MARKS)),
        ),
        TableSpec(
            "movement", "Movement Table", tuple(MOVEMENT), ("zones",),
            every(whole(0, 27, "movement_zones")), (Trend(Axis.DOWN, rises=True),),
        ),
        TableSpec(
            "thresholds", "Highest die that succeeds",
            ("secondary hit", "abort", "reinforcement", "submarine contact"), ("most",),
            every(whole(0, 9)),
        ),
        TableSpec(
            "submarine_attack", "Submarine Attack Table", DIE, ("result",),
            every(word(("Allied attack", "German sighting", "German attack"))),
        ),
        TableSpec(
            "submarine_target", "Class of ship that a submarine finds", DIE, ("class",),
            every(word(FOUND_CLASSES)),
        ),
        TableSpec(
            "random_spotting", "Random Spotting Table", tuple(map(str, range(1, 10))), SPOTTING,
            every(whole(0, 9)), (Trend(Axis.DOWN, rises=False),),
        ),
        TableSpec(
            "convoy_hunting", "Convoy Hunting Table", DIE, ("result",),
            every(word(("convoy", "merchant", "nothing"))),
        ),
        TableSpec(
            "convoy_modifiers", "Convoy Hunting DRMs", ("task force", "center line", "night"),
            *_VALUE,
        ),
        TableSpec(
            "convoys", "Convoy ID Table", DIE, CONVOY_LINES,
            every(pattern(Message("chase.expected.convoy"), r"-|[^/]+/[^/]+/(?:½|[1-9])")),
        ),
        TableSpec(
            "repair_at_sea", "Repair at Sea Table", DIE, ("regained",),
            every(whole(0, 40, "evasion_regained")), _FALLS,
        ),
        TableSpec(
            "repair_modifiers", "Repair at Sea, modifiers", tuple(REPAIR_WEATHER), *_VALUE
        ),
        TableSpec("refuelling", "Fuel taken on in a turn", REFUELLING, ("fuel",),
                  every(whole(0, 99))),
        TableSpec(
            "convoy_markers", "Convoy VP markers drawn", DIE, ("points",), every(whole(0, 20))
        ),
        TableSpec(
            "victory_points", "Victory Points Table",
            (SINGLE_SHIP, HULL_BOX, TWO_HITS, OTHER_SHIP), ("points",), every(fraction()),
        ),
        TableSpec(
            "abort_modifiers", "Abort, by the evasion differential", tuple(DIFFERENCES), *_VALUE,
            _FALLS,
        ),
        TableSpec(
            "ship_cards", "Ship Cards", ships,
            ("evasion", "radar", "bow", "stern", "secondary", "hull", "torpedoes", "extreme"),
            lambda _row, column: _CARD.get(column, _FACTORS),
        ),
    )  # fmt: skip


_FACTORS = whole(0, 40)
_CARD = {"radar": word(("-", "I", "II", "II*")), "extreme": _YES_NO}


@cache
def load_ships(edition: int = EDITIONS[-1]) -> ShipList[ShipType]:
    """The ships with a card in an edition, by name and class."""
    ships = read_ships(ship_files(files(__package__)))
    if edition > 1:
        return ships
    return ShipList([ship for ship in ships if ship.name not in TANKERS])


@cache
def load_tables(edition: int = EDITIONS[-1]) -> TableSet:
    """The tables that come with an edition of the ruleset, from the files beside this module."""
    specs = _specs(tuple(ship.name for ship in load_ships(edition)))
    later = {name for added, names in _ADDED_TABLES.items() if added > edition for name in names}
    specs = tuple(spec for spec in specs if spec.name not in later)
    return read_tables(NAME, files(__package__), specs, _TABLE_FILES.get(edition, {}))
