"""The specifications of Arctic Disaster's tables, and loading them."""

from functools import cache
from importlib.resources import files
from typing import Final

from combat.rulebook_info import ship_files
from combat.ships import ShipList, ShipType, read_ships
from combat.table_spec import (
    Axis,
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

NAME: Final = "arctic-disaster"
EDITIONS: Final = (1, 2, 3)
"""Edition 2 has the Surface Combat Display, and marks what the rounds of a fight decide; edition 3
keeps the order of a round's segments there, and has targets designated before the first die."""

DIE: Final = tuple(str(face) for face in range(1, 11))
"""A ten-sided die; 0 counts as 10 (2.0)."""
DAMAGE: Final = tuple(str(step) for step in range(11))
"""The spaces of a Damage Roster: the number of hits taken."""
FARTHEST_AREAS: Final = 20
LAST_AREA: Final = 24
"""The areas of the Surface Combat Display lie in a line, from 1 to this one."""
UNITS: Final = (
    "BB", "CV", "CA", "CL", "DD", "TB", "FF", "AT", "MS", "SS", "AA", "R", "MT", "TA",
)  # fmt: skip
"""The types of naval units (2.3.4)."""
MODIFIERS: Final = (
    "firer moved", "smoke", "fog beyond sight", "torpedo, each area beyond", "partial ice",
    "B against CV", "DB against CV", "TB from ahead or astern",
    "search in fog", "search in partial ice", "intelligence report",
    "disengage, each round before", "disengage in fog",
    "each four escorts", "each escort detached", "new fog, convoy shadowed",
    "Tirpitz detected at sea", "Home Fleet, convoy scattered",
    "Victorious detected far off", "Victorious sunk", "Victorious detected near",
    "Hitler, convoy scattered",
)  # fmt: skip
CHECKS: Final = (
    "disengage", "counterattack", "fire back", "escort submarine", "new fog", "shadow in fog",
    "grounding", "Home Fleet", "Hitler",
)  # fmt: skip
AIRCRAFT: Final = ("Ju-88", "Ju-87", "He-111", "He-115", "Albacore", "Albacore of 817 Squadron")
SEARCHERS: Final = (
    "carrier", "cruiser or battleship", "other ship", "land-based aircraft", "intelligence report",
)  # fmt: skip
FLEETS: Final = ("German", "Allied", "Soviet")
TORPEDO_NATIONS: Final = ("German", "American", "British", "Soviet", "escort submarine")
ROUNDS: Final = {"1-3": 3, "4-6": 6, "7 or more": 8}
"""The rows of the Surface Combat MP Penalty Table, each with its last round."""
DEPLOYMENT: Final = ("German in clear weather", "German in fog",
                     "Allied in clear weather", "Allied in fog")  # fmt: skip
"""The columns of areas on the Surface Combat Display (11.4.2)."""

GERMAN_AWARDS: Final = {
    "CV": "CV sunk", "BB": "BB sunk", "CA": "CA or CL sunk", "CL": "CA or CL sunk",
    "TA": "TA sunk", "MT": "MT sunk",
}  # fmt: skip
"""What the German player is awarded for, by the type of an Allied ship (15.1)."""
ALLIED_AWARDS: Final = (
    "Tirpitz sunk", "Tirpitz with more than 3 points of damage", "Tirpitz damaged",
    "German CA sunk", "German CA damaged", "German DD sunk",
)  # fmt: skip
_ADDED_TABLES: Final = {2: ("deployment",), 3: ("victory_points",)}
"""The tables that come with an edition, and are not in those before it."""

_YES_NO = word(("yes", "no"))
_VALUE = ("value",), every(whole(-9, 9, "added_to_the_die"))
_BOTH_RISE = (Trend(Axis.DOWN, rises=True), Trend(Axis.ACROSS, rises=True))
_DAMAGE = every(pattern(Message("arctic.expected.damage"), r"[0-9]\*?"))
_FLAK = every(pattern(Message("arctic.expected.flak"), r"(?:0|-[1-9])(?:/[12])?"))
_RATING = every(
    pattern(
        Message("arctic.expected.rating"),
        r"sunk|[0-9]{1,2}(?:/[0-9]{1,2}){3}(?:/no aircraft)?",
    )
)


def _specs(ships: tuple[str, ...]) -> tuple[TableSpec, ...]:
    return (
        TableSpec(
            "damage", "Damage Table", DIE, (*DIE[:9], "12", "16"), _DAMAGE, _BOTH_RISE
        ),
        TableSpec(
            "critical", "Critical Hit Table", DIE, ("effect",),
            every(pattern(Message("arctic.expected.critical"), "none|(?:damage|move|guns):[1-9]")),
        ),
        TableSpec(
            "antiaircraft", "Antiaircraft Table", DIE, ("1", "2", "3", "4", "5", "7", "12"), _FLAK
        ),
        TableSpec(
            "air_to_air", "Air-to-Air Combat Table", DIE, ("2", "4", "6", "8", "12"),
            every(whole(0, 9, "steps_lost")), _BOTH_RISE,
        ),
        TableSpec(
            "search", "Search Table", DIE, ("result",),
            every(word(("none", "detected", "within 3", "within 2", "within 1", "accurate"))),
        ),
        TableSpec(
            "submarine_warfare", "Submarine Warfare Table", DIE, ("attack", "shadow"),
            every(_YES_NO),
        ),
        TableSpec(
            "range_modifiers", "Range in areas", tuple(map(str, range(FARTHEST_AREAS + 1))),
            *_VALUE, (Trend(Axis.DOWN, rises=False),),
        ),
        TableSpec("modifiers", "Die roll modifiers", MODIFIERS, *_VALUE),
        TableSpec(
            "types", "Types of ships as targets", UNITS,
            ("modifier", "guns", "from light guns", "from cruiser guns", "critical"),
            by_column({"modifier": whole(-9, 9), "guns": word(("light", "cruiser", "heavy")),
                       "from light guns": fraction(), "from cruiser guns": fraction(),
                       "critical": _YES_NO}),
        ),
        TableSpec(
            "multipliers", "Hits, times",
            ("guns", "bombs", "torpedo aircraft", "submarine torpedoes", "ship torpedoes"),
            ("factor",), every(fraction()),
        ),
        TableSpec(
            "torpedoes", "Torpedoes of surface ships", TORPEDO_NATIONS,
            ("column", "normal", "most"), every(whole(0, FARTHEST_AREAS)),
        ),
        TableSpec(
            "submarines", "Submarines", FLEETS, ("column", "contact"), every(whole(-9, 16))
        ),
        TableSpec(
            "aircraft", "Air units", AIRCRAFT, ("kind", "factor", "reduced", "steps"),
            lambda _row, column: word(("B", "DB", "TB")) if column == "kind" else whole(0, 16),
        ),
        TableSpec("checks", "Dice that succeed", CHECKS, ("least", "most"), every(whole(-99, 99))),
        TableSpec(
            "search_ranges", "Search range", SEARCHERS, ("hexes",),
            every(whole(0, 99, words=("any",))),
        ),
        TableSpec(
            "mp_penalty", "Surface Combat MP Penalty Table", tuple(ROUNDS), ("points",),
            every(whole(0, 9, words=("all",))),
        ),
        TableSpec(
            "counters", "Counters", ships, ("type", "range", "secondary range", "torpedoes"),
            by_column({"type": word(UNITS), "range": whole(0, FARTHEST_AREAS, "areas"),
                       "secondary range": whole(0, FARTHEST_AREAS, "areas"),
                       "torpedoes": _YES_NO}),
        ),
        TableSpec("rosters", "Damage Rosters", ships, DAMAGE, _RATING),
        TableSpec(
            "deployment", "Areas of the Surface Combat Display", DIE, DEPLOYMENT,
            every(whole(1, LAST_AREA)),
        ),
        TableSpec(
            "victory_points", "Victory points for ships",
            (*dict.fromkeys(GERMAN_AWARDS.values()), *ALLIED_AWARDS), ("points",),
            every(whole(0, 99)),
        ),
    )  # fmt: skip


@cache
def load_ships() -> ShipList[ShipType]:
    """The ships with a counter, by name, class and nation."""
    return read_ships(ship_files(files(__package__)))


@cache
def load_tables(edition: int = EDITIONS[-1]) -> TableSet:
    """The tables that come with an edition of the ruleset, from the files beside this module."""
    specs = _specs(tuple(ship.name for ship in load_ships()))
    later = {name for added, names in _ADDED_TABLES.items() if added > edition for name in names}
    specs = tuple(spec for spec in specs if spec.name not in later)
    return read_tables(NAME, files(__package__), specs)
