"""The specifications of the Advanced Game's tables, and loading them."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand, RangeGroup
from combat.rulebooks.bismarck_data.table_files import (
    DICE,
    DIE,
    UNSUCCESSFUL,
    air_specs,
    repair_specs,
    shared_tables,
    torpedo_specs,
)
from combat.table_spec import (
    Axis,
    CellKind,
    TableSpec,
    Trend,
    by_column,
    every,
    fraction,
    line_of_text,
    pattern,
    whole,
    word,
)
from combat.tables import TableSet, read_tables
from tabletop.arcs import Quadrant
from tabletop.messages import Message

NAME: Final = "bismarck-advanced"

LOWEST_ROW: Final = "11 or less"
HIGHEST_ROW: Final = "86+"
HIT_ROWS: Final = (
    LOWEST_ROW,
    *DICE[1:],
    *[f"{tens}{units}" for tens in "78" for units in DIE][:-1],
    HIGHEST_ROW,
)
FACTORS: Final = tuple(str(factor) for factor in range(1, 29))
BANDS: Final = tuple(band.value for band in RangeBand)
RANGE_GROUPS: Final = tuple(group.value for group in RangeGroup)
GUNS: Final = tuple(gun.value for gun in GunType)
LOCATIONS: Final = (
    "bow_turret", "stern_turret", "hull", "superstructure", "secondary", "speed",
    "conning_tower", "director", "plot", "rudder", "special_a", "special_b",
)  # fmt: skip
ARMOUR: Final = ("MG", "CA", "DA", "BA", "SA", "CT", "PL", "DI", "RU", "-")
MARKS: Final = ("", "*", "**", "***")
SPEED_DIFFERENCES: Final = (
    "+7 or more", "+6 to +3", "+2 to -1", "-2 to -5", "-6 to -9", "-10 or less",
)  # fmt: skip
TARGET_SPEEDS: Final = ("15 stopped", "15 1-3", "15 4-6", "15 7-9", "15 10-11", "15 12+")
HULL_THIRDS: Final = ("3 hull first third", "3 hull second third", "3 hull last third")
VISIBILITIES: Final = tuple(str(level) for level in range(1, 9))
MODIFIERS: Final = (
    "1 radar", "1 no radar",
    *(f"2 visibility {level}" for level in VISIBILITIES), "2 night",
    *HULL_THIRDS,
    "4 none", "4 director", "4 plot",
    "5 not hit", "5 hit",
    "6 less", "6 full speed",
    "7 steady", "7 weaving", "7 salvo chasing",
    "8 BB", "8 BC", "8 PB", "8 CV", "8 CA", "8 CL", "8 DD",
    "9 did not fire", "9 fired", "9 fired and hit",
    "10 fresh", "10 tired", "10 exhausted",
    "11 one target", "11 several targets",
    "12 alone", "12 several",
    "13 fired upon", "13 not fired upon",
    "14 steady", "14 weaving", "14 salvo chasing",
    *TARGET_SPEEDS,
    "sight", "smoke target", "smoke own", "smoke front", "held_back",
)  # fmt: skip
CONVERSIONS: Final = (
    "midships_box", "evasion_factor", "ammunition_factor", "secondary_hit", "turret_hit",
    "one_hex_yards", "two_hexes_yards",
)  # fmt: skip

NONE: Final = "none"
SHIP_TERMS: Final = (
    "hull:N", "speed:N", "speed_table", "director", "plot", "turret",
    "steady", "no_port", "no_starboard", "no_turns", "hard_over", "no_speed_change", "modifier:N",
)  # fmt: skip
"""The values of special damage tables: `none`, or terms joined by `+`; N is 1 to 99."""
TURRET_TERMS: Final = ("out:N", "jammed")
"""The terms for a turret that is not destroyed."""


def _terms(allowed: Iterable[str]) -> CellKind:
    allowed = tuple(allowed)
    term = "|".join(text.replace("N", "[1-9][0-9]?") for text in allowed)
    expected = Message("advanced.expected.terms", none=NONE, terms=allowed)
    return pattern(expected, rf"{NONE}|(?:{term})(?:\+(?:{term}))*")


def _falls(axis: Axis, order: tuple[str, ...] = ()) -> Trend:
    return Trend(axis, rises=False, order=order)


def _rises(axis: Axis, order: tuple[str, ...] = ()) -> Trend:
    return Trend(axis, rises=True, order=order)


_HITS = tuple(whole(0, factor, "hits_up_to_factor") for factor in range(29))
_DAMAGE = by_column(
    {
        "location": word(LOCATIONS),
        **dict.fromkeys(RANGE_GROUPS, word(ARMOUR)),
        "mark": word(MARKS),
    }
)
_DAMAGE_COLUMNS = ("location", *RANGE_GROUPS, "mark")
_SPECIAL = by_column(
    {"result": _terms(SHIP_TERMS), "fire_control": word(("destroyed", "no_effect"))}
)
_MODIFIER = every(whole(-30, 30, "added_to_the_white_die"))


def _gunnery() -> tuple[TableSpec, ...]:
    down, across = Axis.DOWN, Axis.ACROSS
    return (
        TableSpec(
            "hit_table", "Hit Table", HIT_ROWS, FACTORS,
            lambda _row, column: _HITS[int(column)],
            (_falls(down), _rises(across)),
        ),
        TableSpec(
            "penetration", "Penetration Table", GUNS, BANDS,
            every(whole(1, 40, "inches", words=("-",))),
            (_falls(across), _falls(down)),
        ),
        TableSpec(
            "shell_size", "Damage of one hit, by the gun", GUNS, ("quarters",),
            every(whole(1, 4, "quarters_of_a_box")), (_falls(down),),
        ),
        TableSpec("gun_types", "Gun types", GUNS, ("calibres",), every(line_of_text())),
        TableSpec(
            "ammunition", "Ammunition factors of one gun", ("allied", "german"), RANGE_GROUPS,
            every(whole(0, 20)), (_falls(across),),
        ),
        TableSpec(
            "modifiers", "Hit modifications", MODIFIERS, ("value",), _MODIFIER,
            (
                _rises(down, tuple(f"2 visibility {level}" for level in VISIBILITIES)),
                _rises(down, HULL_THIRDS),
                _rises(down, ("7 steady", "7 weaving", "7 salvo chasing")),
                _rises(down, ("8 BB", "8 CA", "8 CL", "8 DD")),
                _rises(down, ("10 fresh", "10 tired", "10 exhausted")),
                _rises(down, ("14 steady", "14 weaving", "14 salvo chasing")),
                _rises(down, TARGET_SPEEDS),
            ),
        ),
        TableSpec(
            "ship_speed", "Ship speed modification (16)", SPEED_DIFFERENCES, ("unlike", "like"),
            _MODIFIER, (_falls(across),),
        ),
    )  # fmt: skip


def _damage() -> tuple[TableSpec, ...]:
    ship, turret = every(_terms(SHIP_TERMS)), every(_terms(TURRET_TERMS))
    return (
        TableSpec(
            "damage_broadside", "Damage Table, from the broadside", DICE, _DAMAGE_COLUMNS, _DAMAGE
        ),
        TableSpec(
            "damage_end_on", "Damage Table, from bow or stern", DICE, _DAMAGE_COLUMNS, _DAMAGE
        ),
        TableSpec("special_a", "Special Damage A", DIE, ("result", "fire_control"), _SPECIAL),
        TableSpec("special_b", "Special Damage B", DIE, ("result", "fire_control"), _SPECIAL),
        TableSpec(
            "speed_loss", "Speed Loss Table", DIE, ("result",),
            every(whole(0, 14, "movement_factors_lost")), (_rises(Axis.DOWN),),
        ),
        TableSpec("rudder", "Rudder Damage Table", DIE, ("result",), ship),
        TableSpec("main_gun", "Main Gun Damage Table", DIE, ("result",), turret),
        TableSpec("conning_tower", "Conning Tower Table", DIE, ("result",), ship),
    )  # fmt: skip


def _placing() -> tuple[TableSpec, ...]:
    levels = tuple(f"visibility {level}" for level in VISIBILITIES)
    towards = ("quadrant",), every(word(Quadrant))
    return (
        TableSpec(
            "range_establishment", "Range Establishment Table", DIE, ("yards",),
            every(whole(1_000, 28_000, "yards")), (_rises(Axis.DOWN),),
        ),
        TableSpec(
            "range_modifiers", "Die modifications of the starting range",
            ("night", *levels, "visibility X", "radar"), ("value",),
            every(whole(-6, 6, words=("no_attack",))), (_falls(Axis.DOWN, levels),),
        ),
        TableSpec("direction_by_zone", "Direction by the zones counted", DIE, *towards),
        TableSpec("direction_by_die", "Direction Establishment Table", DIE, *towards),
    )  # fmt: skip


def _special_ships() -> tuple[TableSpec, ...]:
    jam = Message("advanced.expected.jam")
    return tuple(
        TableSpec(
            name, f"Gun jams, {ships}", DICE, ("result",),
            every(pattern(jam, rf"{NONE}|[{turrets}]:[1-4](?::permanent)?")),
        )
        for name, ships, turrets in (
            ("jams_tirpitz", "Tirpitz", "ABXY"),
            ("jams_king_george_v", "King George V and Prince of Wales", "ABX"),
        )
    )  # fmt: skip


def _repairs() -> tuple[TableSpec, ...]:
    falls = (_falls(Axis.DOWN),)
    return (
        *repair_specs(),
        TableSpec(
            "secondary_repair", "Secondary Repair Table, turrets", DIE, ("result",),
            every(whole(1, 9, words=(UNSUCCESSFUL,))), falls,
        ),
        TableSpec(
            "rudder_repair", "Rudder Repair Table", DIE, ("result",),
            every(word(("repaired", UNSUCCESSFUL))),
        ),
        TableSpec("conversions", "Conversions", CONVERSIONS, ("value",), every(fraction())),
    )  # fmt: skip


_TORPEDOES: Final = torpedo_specs()
_BEFORE: Final = (*_gunnery(), *_damage(), *_placing(), *_special_ships())
_AFTER: Final = _repairs()
_AIR: Final = air_specs()
SPECS: Final = (*_BEFORE, *_TORPEDOES, *_AIR, *_AFTER)
"""Every table of the ruleset, in the order in which they are shown."""


@cache
def load_tables(edition: Edition = CURRENT) -> TableSet:
    """The tables that come with an edition of the ruleset, from the files beside this module.

    The tables of torpedoes, repairs at sea and aircraft are those of the Intermediate Game (69.2,
    68.2, 27).
    """
    air = _AIR if edition.air_attacks else ()
    shared = (*_TORPEDOES, *air, *repair_specs())
    names = {spec.name for spec in (*_TORPEDOES, *_AIR, *repair_specs())}
    specs = [spec for spec in SPECS if spec.name not in names]
    own = read_tables(NAME, files(__package__), specs, edition.table_files)
    tables = {table.name: table for table in (*own, *shared_tables(NAME, shared))}
    return TableSet(NAME, [tables[spec.name] for spec in SPECS if spec.name in tables])
