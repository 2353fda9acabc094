"""What every rulebook's fire can be asked for: its shot file, its result, its odds.

A page or a script that knows only this module can describe, resolve and forecast a fire under
any ruleset; which keys a shot has and what its result says is the ruleset's own affair.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from combat.dice import Dice
from combat.forecast import Forecast
from combat.tables import TableSet


@dataclass(frozen=True, slots=True)
class ShotFile:
    """The content of a shot file, and what to call it in messages."""

    data: bytes
    source: str


@dataclass(frozen=True, slots=True)
class ShotKey:
    """One key of a shot file: where it stands, what it takes, and what it is without it."""

    name: str
    """With its table in front: "conditions.visibility"."""
    takes: str
    default: str
    """In words; "required" where there is none."""
    meaning: str


@dataclass(frozen=True, slots=True)
class Line:
    """One step of a report in words, with the rule it follows and its indent."""

    text: str
    reference: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a fire: a document for scripts, and the same as a story for people."""

    document: Mapping[str, object]
    story: tuple[Line, ...]


class FireRules(Protocol):
    """What a ruleset can do with a shot file."""

    @property
    def shot_keys(self) -> tuple[ShotKey, ...]:
        """Every key that its shot files may have."""
        ...

    def resolve(self, file: ShotFile, dice: Dice, tables: TableSet) -> Report:
        """Resolve the fire in a shot file with these dice."""
        ...

    def forecast(self, files: Sequence[ShotFile], tables: TableSet) -> Forecast:
        """The exact odds of all the fires in some shot files, at one target."""
        ...
