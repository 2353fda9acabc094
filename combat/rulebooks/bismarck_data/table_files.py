"""The shared tables: their shapes, what their cells may hold, and loading."""

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from combat.table_spec import Axis, Spans, TableSpec, Trend, by_column, every, pattern, whole, word
from combat.tables import Table, TableSet, read_table, read_tables
from tabletop.messages import Message

DIE: Final = tuple("123456")
DICE: Final = tuple(f"{coloured}{white}" for coloured in DIE for white in DIE)
"""The 36 rolls of two dice, coloured then white (13.23)."""
SUMS: Final = tuple(str(total) for total in range(2, 13))
SALVO_SIZES: Final = (2, 3, 4, 6)
"""The torpedoes of a salvo that have a column."""
TORPEDO_COLUMNS: Final = {
    f"{hexes} {torpedoes}": torpedoes for hexes in ("one", "two") for torpedoes in SALVO_SIZES
}
"""The columns of the Ship Combat Torpedo Table, with the torpedoes of each."""
BOMBERS: Final = ("dive", "torpedo", "level")
BOMB_TARGETS: Final = ("DD", "cruiser", "battleship", "carrier")
EVASIONS: Final = Spans((0, 6, 11, 16, 21, 26, 31))
"""The columns of the Torpedo Hit Table."""
TORPEDO_EVASIONS: Final = Spans((0, 4, 10, 16, 22, 28))
"""The rows of the target's evasion in torpedo fire."""
FIGHTERS: Final = Spans(tuple(range(1, 11)))
ANTIAIRCRAFT: Final = Spans((1, 4, 7, 10, 13, 16, 19))
LAND_BOMBERS: Final = Spans(tuple(range(1, 13)))
"""Zones to the base and visibility, in the Land-Based Bomber Strength Table."""
UNSUCCESSFUL: Final = "unsuccessful"
ALL: Final = "all"
"""What a repair at sea comes to, besides a number of boxes."""
UNLIMITED: Final = "unlimited"
PAD: Final = "hit_record_pad"
PAD_ANTIAIRCRAFT: Final = "antiaircraft"
"""The column of the pad with the anti-aircraft strength of the counter (2.61)."""
SECTIONS: Final = ("bow", "stern", "port", "starboard")
PAD_COLUMNS: Final = (
    "evasion", *SECTIONS, "stern_fires", "midships", "torpedoes", "ammunition", PAD_ANTIAIRCRAFT,
    "radar",
)  # fmt: skip

_FOLDER: Final = files(__package__)
_RISES: Final = Trend(Axis.DOWN, rises=True)
_FALLS: Final = Trend(Axis.DOWN, rises=False)
_ACROSS: Final = Trend(Axis.ACROSS, rises=True)
_HIT: Final = every(word(("hit", "miss")))


def pad_spec(ships: tuple[str, ...]) -> TableSpec:
    """The Hit Record Pad of some ships, and what their counters say."""
    boxes = pattern(Message("bismarck.expected.boxes"), r"[0-9]{1,2}(?: [0-9]{1,2}){0,19}")
    kinds = {
        "evasion": whole(1, 60),
        **dict.fromkeys(SECTIONS, boxes),
        "stern_fires": word(("stern", "sides", "bow")),
        "midships": whole(1, 30, "boxes"),
        "torpedoes": whole(0, 6),
        "ammunition": whole(0, 99, words=(UNLIMITED,)),
        "antiaircraft": whole(0, 20),
        "radar": word(("yes", "no")),
    }
    return TableSpec(PAD, "Hit Record Pad", ships, PAD_COLUMNS, by_column(kinds))


def torpedo_specs() -> tuple[TableSpec, ...]:
    """Torpedoes of ships (19, 69.2) and what a torpedo does."""
    columns = tuple(TORPEDO_COLUMNS)
    damage = Message("bismarck.expected.torpedo_damage")
    return (
        TableSpec(
            "torpedo_hits", "Ship Combat Torpedo Table", DICE, columns,
            lambda _row, column: whole(0, TORPEDO_COLUMNS[column], "hits"),
            (
                _RISES,
                Trend(Axis.ACROSS, rises=True, order=columns[: len(SALVO_SIZES)]),
                Trend(Axis.ACROSS, rises=True, order=columns[len(SALVO_SIZES) :]),
                *(
                    Trend(Axis.ACROSS, rises=True, order=(f"two {count}", f"one {count}"))
                    for count in SALVO_SIZES
                ),
            ),
        ),
        TableSpec(
            "torpedo_evasion", "Torpedo fire by the target's evasion",
            TORPEDO_EVASIONS.names, ("coloured_die",),
            every(whole(0, 6, "added_to_the_coloured_die")), (_FALLS,),
        ),
        TableSpec(
            "torpedo_damage", "Torpedo Damage Table", DIE, ("cruiser", "battleship", "carrier"),
            every(pattern(damage, r"sunk|midships:[1-9](?:\+evasion:[1-9][0-9]?)?\*?")),
        ),
    )  # fmt: skip


def salvo_specs() -> tuple[TableSpec, ...]:
    """Torpedo salvos of submarines and destroyers (22.28, 23.53)."""
    return (
        TableSpec("torpedo_salvo_hits", "Torpedo Hit Table", SUMS, EVASIONS.names, _HIT),
    )  # fmt: skip


def air_specs() -> tuple[TableSpec, ...]:
    """Bombers against ships (27, 29.2)."""
    damage = Message("bismarck.expected.bomber_damage")
    losses = every(whole(0, 20, "planes"))
    return (
        TableSpec(
            "land_bombers", "Land-Based Bomber Strength Table", SUMS, LAND_BOMBERS.names,
            every(whole(0, 99, "planes")), (_FALLS, Trend(Axis.ACROSS, rises=False)),
        ),
        TableSpec(
            "air_penetration", "Air Penetration Table, hundredths", DIE, BOMBERS,
            every(whole(0, 200, "hundredths")), (_RISES,),
        ),
        TableSpec(
            "bomber_hits", "Bomber Hit Table", DIE,
            tuple(f"{kind} {target}" for kind in BOMBERS for target in BOMB_TARGETS), _HIT,
        ),
        TableSpec(
            "bomber_damage", "Bomber Damage Table", DIE, BOMB_TARGETS,
            every(pattern(damage, r"miss|sunk|midships:[1-9]\*?")),
        ),
        TableSpec(
            "antiaircraft_losses", "Air Loss Table, anti-aircraft against bomber", DIE,
            ANTIAIRCRAFT.names, losses, (_RISES, _ACROSS),
        ),
        TableSpec(
            "air_loss_visibility", "Air Loss Tables, modification by visibility",
            tuple(f"visibility {level}" for level in range(1, 8)), ("value",),
            every(whole(-9, 9, "added_to_the_die")),
        ),
    )  # fmt: skip


def fighter_specs() -> tuple[TableSpec, ...]:
    """Losses of fighters and to fighters (29.3)."""
    losses = every(whole(0, 20, "planes"))
    return (
        TableSpec(
            "fighters_against_fighters", "Air Loss Table, fighter against fighter", DIE,
            FIGHTERS.names, losses, (_RISES, _ACROSS),
        ),
        TableSpec(
            "fighters_against_bombers", "Air Loss Table, fighter against bomber", DIE,
            FIGHTERS.names, losses, (_RISES, _ACROSS),
        ),
    )  # fmt: skip


def repair_specs() -> tuple[TableSpec, ...]:
    """Repairs at sea of boxes that both games have (40.2, 68.2)."""
    return (
        TableSpec(
            "repair_at_sea", "Repair at Sea Table, boxes", DIE, ("midships", "turret"),
            every(whole(1, 9, words=(ALL, UNSUCCESSFUL))), (_FALLS,),
        ),
    )  # fmt: skip


def shared_tables(ruleset: str, specs: Collection[TableSpec]) -> TableSet:
    """Some of these tables, for a rulebook of this name."""
    return read_tables(ruleset, _FOLDER, specs)


def salvo_size(torpedoes: int) -> int:
    """The size of a salvo as the Ship Combat Torpedo Table has it: the next lower one."""
    return max((size for size in SALVO_SIZES if size <= torpedoes), default=SALVO_SIZES[0])


@cache
def load_pad() -> Table:
    """The Hit Record Pad of all ships that it has, in the order of its file."""
    data = (_FOLDER / "tables" / f"{PAD}.csv").read_bytes()
    lines = data.decode().splitlines()[1:]
    ships = tuple(name for name, _ in groupby(line.partition(",")[0] for line in lines))
    return read_table(data, f"{PAD}.csv", pad_spec(ships))
