"""The tables of the Advanced Game, parsed for the rules.

The tables are data (`tables/*.csv`, with the owner's values). Each is parsed once into the form
that a rule needs; every look-up returns the provenance with the value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from combat.dice import FACES, LAST_INDEX, Pair, base_six
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand, RangeGroup
from combat.tables import Cell, TableSet

LOWEST_ROW, HIGHEST_ROW = 1, 48
"""The indices of the Hit Table's rows "11 or less" and "86+"."""
LAST_COLUMN = 28


class Location(StrEnum):
    """The location of a hit (63.2)."""

    BOW_TURRET = "bow_turret"
    STERN_TURRET = "stern_turret"
    SECONDARY = "secondary"
    SUPERSTRUCTURE = "superstructure"
    HULL = "hull"
    SPEED = "speed"
    CONNING_TOWER = "conning_tower"
    DIRECTOR = "director"
    PLOT = "plot"
    RUDDER = "rudder"
    SPECIAL_A = "special_a"
    SPECIAL_B = "special_b"


class Mark(StrEnum):
    """The asterisks of the Damage Table."""

    NONE = ""
    SPECIAL_IF_PENETRATED = "*"
    HULL_HIT_ALSO = "**"
    SPECIAL_IF_NOT_PENETRATED = "***"


class EffectKind(StrEnum):
    """The effects of the special tables."""

    HULL = "hull"
    SPEED = "speed"
    SPEED_TABLE = "speed_table"
    DIRECTOR = "director"
    PLOT = "plot"
    TURRET = "turret"
    OUT = "out"
    JAMMED = "jammed"
    STEADY = "steady"
    NO_PORT = "no_port"
    NO_STARBOARD = "no_starboard"
    NO_TURNS = "no_turns"
    HARD_OVER = "hard_over"
    NO_SPEED_CHANGE = "no_speed_change"
    MODIFIER = "modifier"


@dataclass(frozen=True, slots=True)
class Effect:
    """One term of a special table's result, with its number if it has one."""

    kind: EffectKind
    amount: int = 0


@dataclass(frozen=True, slots=True)
class DamageRow:
    """A row of the Damage Table: location, armour at each range, and asterisks."""

    location: Location
    armour: Mapping[RangeGroup, ArmourCode]
    mark: Mark
    provenance: Mapping[RangeGroup, Provenance]
    """The worst provenance of the cells used there."""


@dataclass(frozen=True, eq=False)
class CombatTables:
    """All tables of the Advanced Game, parsed, and the edition that uses them."""

    tables: TableSet
    edition: Edition = CURRENT

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, tables: TableSet, edition: Edition = CURRENT) -> "CombatTables":
        """The parsed tables of a set, cached."""
        return cls(tables, edition)

    def row_name(self, index: int) -> str:
        """The Hit Table's row for a modified roll."""
        if index <= LOWEST_ROW:
            return "11 or less"
        return "86+" if index >= HIGHEST_ROW else base_six(index)

    def hits_cell(self, factor: int, index: int) -> Cell:
        """The Hit Table's cell for a gunnery factor of 1 to 28 and a modified roll (62.44)."""
        return self.tables["hit_table"].cell(self.row_name(index), str(factor))

    @cached_property
    def hits(self) -> tuple[tuple[int, ...], ...]:
        """The Hit Table as numbers: hits[index − 1][factor]; factor 0 has no hits."""
        return tuple(
            (0, *(int(self.hits_cell(factor, index).value) for factor in range(1, LAST_COLUMN + 1)))
            for index in range(LOWEST_ROW, HIGHEST_ROW + 1)
        )

    @cached_property
    def damage_rows(self) -> Mapping[bool, tuple[DamageRow, ...]]:
        """The Damage Table's 36 rows by end-on (True) or broadside (False)."""
        return {
            end_on: tuple(self._damage_row(name, index) for index in range(1, LAST_INDEX + 1))
            for end_on, name in ((True, "damage_end_on"), (False, "damage_broadside"))
        }

    def damage_row(self, *, end_on: bool, roll: Pair) -> DamageRow:
        """The Damage Table's row for a roll (63.2)."""
        return self.damage_rows[end_on][roll.index - 1]

    def penetration(self, gun: GunType, band: RangeBand) -> tuple[int | None, Provenance]:
        """The inches a gun penetrates at a range; None if it cannot penetrate armour (63.5)."""
        return self._penetration[gun, band]

    def shell_quarters(self, gun: GunType) -> int:
        """The quarters of a box that a hit of this gun marks (64.2, 64.33)."""
        return self._shell_quarters[gun]

    def effects(self, table: str, die: int) -> tuple[Effect, ...]:
        """The effects of a special table for a die (63.7)."""
        return self._effects[table, die]

    def speed_loss(self, die: int) -> int:
        """The movement factors lost by the Speed Loss Table (58.2)."""
        return self._speed_loss[die]

    def destroys_fire_control(self, table: str, die: int) -> bool:
        """Whether a penetrating hit on the director or the plot destroys it (64.71)."""
        return self._fire_control[table, die]

    def ammunition(self, *, allied: bool, band: RangeBand) -> int:
        """The ammunition that one gun uses in a fire at this range (65.1–65.3)."""
        return self.tables["ammunition"].integer("allied" if allied else "german", band.group)

    def modifier(self, case: str) -> Cell:
        """A hit modification by its row, such as "8 CA" (62.5)."""
        return self.tables["modifiers"].cell(case, "value")

    def provenance(self, table: str, row: str, column: str = "result") -> Provenance:
        """The provenance of one cell."""
        return self.tables[table].cell(row, column).provenance

    def _damage_row(self, name: str, index: int) -> DamageRow:
        table, row = self.tables[name], base_six(index)
        return DamageRow(
            location=Location(table.text(row, "location")),
            armour={group: ArmourCode(table.text(row, group)) for group in RangeGroup},
            mark=Mark(table.text(row, "mark")),
            provenance={
                group: Provenance.worst(
                    table.cell(row, column).provenance for column in ("location", group, "mark")
                )
                for group in RangeGroup
            },
        )

    @cached_property
    def _penetration(self) -> Mapping[tuple[GunType, RangeBand], tuple[int | None, Provenance]]:
        table = self.tables["penetration"]
        return {
            (gun, band): (
                None if table.text(gun, band) == "-" else table.integer(gun, band),
                table.cell(gun, band).provenance,
            )
            for gun in GunType
            for band in RangeBand
        }

    @cached_property
    def _shell_quarters(self) -> Mapping[GunType, int]:
        table = self.tables["shell_size"]
        return {gun: table.integer(gun, "quarters") for gun in GunType}

    @cached_property
    def _effects(self) -> Mapping[tuple[str, int], tuple[Effect, ...]]:
        return {
            (name, die): parse_effects(self.tables[name].text(str(die), "result"))
            for name in EFFECT_TABLES
            for die in range(1, FACES + 1)
        }

    @cached_property
    def _speed_loss(self) -> Mapping[int, int]:
        table = self.tables["speed_loss"]
        return {die: table.integer(str(die), "result") for die in range(1, FACES + 1)}

    @cached_property
    def _fire_control(self) -> Mapping[tuple[str, int], bool]:
        return {
            (name, die): self.tables[name].text(str(die), "fire_control") == "destroyed"
            for name in ("special_a", "special_b")
            for die in range(1, FACES + 1)
        }


EFFECT_TABLES = ("special_a", "special_b", "rudder", "main_gun", "conning_tower")


def parse_effects(text: str) -> tuple[Effect, ...]:
    """Parse a special table's cell, such as "hull:1+speed:2"; "none" has no terms."""
    if text == "none":
        return ()
    terms = (term.partition(":") for term in text.split("+"))
    return tuple(Effect(EffectKind(kind), int(amount or 0)) for kind, _, amount in terms)
