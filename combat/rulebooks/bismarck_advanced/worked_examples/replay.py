"""Common types of the replays in `fire_replays` and `battle_replays`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from combat.modifiers import Ledger
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot, check_allowed
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.shot_file import Shot as FileShot
from combat.tables import TableSet
from combat.verification import Figure
from tabletop.errors import UnknownName
from tabletop.rules import TableRules
from tabletop.schema import Whole

NOTHING = "none"
"""The figure for no effect."""
Count = Annotated[Whole, Field(ge=0, le=1_000)]
"""A whole number that a case gives."""
Kind = Callable[..., Figure]
"""The function of a kind of case: it takes an engine, and the case's arguments."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The context of a replay: the tables, the table's measures, and the shots of the file."""

    tables: TableSet
    rules: TableRules
    shots: Mapping[str, Shot]
    options: Mapping[str, Options]
    """The optional rules of each shot."""
    files: Mapping[str, FileShot[FightMarks]]
    """Everything that is laid out like a shot file, torpedoes and jams among it."""
    edition: Edition = CURRENT

    @property
    def rulebook(self) -> AdvancedRulebook:
        """Free play with these tables."""
        return AdvancedRulebook(self.tables, load_warships(), self.rules, self.edition)

    def file(self, name: str) -> FileShot[FightMarks]:
        """What a case names, whatever is done in it."""
        if name not in self.files:
            raise UnknownName("shot", "shot", name, tuple(self.files))
        return self.files[name]

    @property
    def combat_tables(self) -> CombatTables:
        """The tables as parsed for the rules."""
        return CombatTables.of(self.tables, self.edition)

    def ledger(self, name: str) -> Ledger:
        """Every modification of a shot."""
        return modifications(self.allowed_shot(name), self.combat_tables, self.options[name])

    def shot(self, name: str) -> Shot:
        """The shot that a case names."""
        if name not in self.shots:
            raise UnknownName("shot", "shot", name, tuple(self.shots))
        return self.shots[name]

    def allowed_shot(self, name: str) -> Shot:
        """A shot that the rules allow. Raises Forbidden."""
        shot = self.shot(name)
        check_allowed(shot)
        return shot


def warship(name: str) -> Warship:
    """The ship that a case names."""
    return load_warships().named(name, "ship")


def exact(number: Fraction) -> int | float:
    """A fraction as printed: an integer if it is whole."""
    return int(number) if number.denominator == 1 else float(number)
