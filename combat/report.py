"""What every rulebook's fire can be asked for: its shot file, its result, its odds.

A page or a script that knows only this module can describe, resolve and forecast a fire under
any ruleset; which keys a shot has and what its result says is the ruleset's own affair. A page
that has two ships and what the table says of them, and nothing else, starts from `Facts`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from combat.dice import Dice
from combat.forecast import Forecast
from combat.modifiers import Modifier
from combat.provenance import Provenance
from combat.tables import TableSet
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError


class Forbidden(DreyerError):
    """A fire that the rules do not allow, with the rule that says so."""

    def __init__(self, reason: str, rule: str, source: str = "") -> None:
        self.reason = reason
        self.rule = rule
        super().__init__(f"{source}: {reason} ({rule})" if source else f"{reason} ({rule})")


@dataclass(frozen=True, slots=True)
class ShotFile:
    """The content of a shot file, and what to call it in messages."""

    data: bytes
    source: str


@contextmanager
def naming(file: ShotFile) -> Iterator[None]:
    """Name the file in front of the reason why a fire is forbidden."""
    try:
        yield
    except Forbidden as error:
        raise Forbidden(error.reason, error.rule, file.source) from None


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


States = Mapping[str, Mapping[str, object]]
"""The marks on ships' sheets by role, with the keys of `[firer.state]` and `[target.state]`."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a fire: a document for scripts, and the same as a story for people."""

    document: Mapping[str, object]
    story: tuple[Line, ...]
    after: States = field(default_factory=dict)
    """The marks afterwards; a role whose marks have not changed may be left out."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table, or a player's hand, says of one fire: all that is left are conditions."""

    firer: str
    """Her name on this table."""
    firer_type: str
    """The known ship that she is."""
    target: str
    target_type: str
    range_yards: float
    quadrant: Quadrant
    """Where the target lies for the firer."""
    aspect: Quadrant
    """Where the firer lies for the target."""
    blocked: bool = False
    smoke: bool = False
    battery: str = ""
    """One of `FireRules.batteries`; the first of them where it is empty."""
    conditions: tuple[tuple[str, str], ...] = ()
    """Those of `FireRules.conditions` that are not as usual, by name, each as its text."""
    round_number: int = 0
    """The round of the fight; 0 where nobody counts them."""


@dataclass(frozen=True, slots=True)
class RangeBand:
    """A band of ranges as players read it, up to and including its limit."""

    name: str
    title: str
    upper_yards: float


@dataclass(frozen=True, slots=True)
class BatteryInfo:
    """Guns of a ship that fire together, or whatever else a rulebook rolls dice for."""

    name: str
    title: str
    guns: int
    of_a_ship: bool = True
    """Whether a ship of one's own does it; an attack from the air comes from nobody's."""
    at_a_target: bool = True
    """Whether it is done to a ship; a ship disengages, or searches, on her own."""
    unit: str = ""
    """What `guns` counts, in a word for players; empty where it is plain."""
    bands: tuple[RangeBand, ...] = ()
    """Range bands of its own, nearest first; none where they are the table's."""
    when_marked: bool = False
    """Whether it comes after a round's simultaneous fire: she does it with all her damage."""


@dataclass(frozen=True, slots=True)
class MountInfo:
    """One mount of a battery, and whether it can fire at this target."""

    name: str
    guns: int
    """How many of its guns can fire; all it has where it does not bear."""
    bears: bool


class Takes(StrEnum):
    """What kind of answer a condition takes."""

    FLAG = "flag"
    NUMBER = "number"
    CHOICE = "choice"
    COUNTS = "counts"
    """Whole numbers by name; in a shot file only, no page asks for them."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something about a fire that no table shows, to be asked of the players."""

    name: str
    label: str
    takes: Takes
    usual: str
    """What it is unless somebody says otherwise: "true" or "false", a number, or a choice."""
    reference: str = ""
    least: int = 0
    most: int = 0
    choices: tuple[tuple[str, str], ...] = ()
    """For a choice: each value and what players call it."""
    asked: bool = True
    """Whether a page asks for it; what is left may still stand in a shot file."""
    batteries: tuple[str, ...] = ()
    """The batteries that it matters to; all of them where none is named."""
    mutual: bool = False
    """Whether it is the same for both ships: it stays when they change parts."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A fire before any die is thrown: what bears, how strong it is, and every modifier."""

    battery: str
    mounts: tuple[MountInfo, ...]
    factor: int | None
    """The strength that its table is entered with; None where the fire is forbidden."""
    factor_reference: str
    ledger: tuple[Modifier, ...]
    total: int
    """The sum of the ledger: what is added to the dice."""
    provenance: Provenance
    """The least certain of the ledger's values."""
    forbidden: str = ""
    """Why the rules do not allow it; empty where they do."""
    rule: str = ""
    """The rule that forbids it."""
    factor_label: str = ""
    """What players call the factor; empty where a page's own word will do."""
    total_label: str = ""
    """What players call the sum of the ledger."""

    @classmethod
    def refused(cls, battery: str, mounts: tuple[MountInfo, ...], error: Forbidden) -> "Preview":
        """A fire that the rules do not allow."""
        return cls(
            battery=battery,
            mounts=mounts,
            factor=None,
            factor_reference="",
            ledger=(),
            total=0,
            provenance=Provenance.PRINTED,
            forbidden=error.reason,
            rule=error.rule,
        )

    @property
    def guns(self) -> int:
        """All the guns of the battery that could fire into some quadrant."""
        return sum(mount.guns for mount in self.mounts)

    @property
    def guns_bearing(self) -> int:
        """How many guns can fire at the target."""
        return sum(mount.guns for mount in self.mounts if mount.bears)


class FireRules(Protocol):
    """What a ruleset can do with a shot file, and how to come by one."""

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

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """The batteries of a known ship, heaviest first; none for a ship it does not know."""
        ...

    def conditions(self, firer_type: str, target_type: str) -> tuple[Condition, ...]:
        """What a page may ask besides the facts, in the order in which players think of it."""
        ...

    def shot(self, facts: Facts, states: States | None = None) -> ShotFile:
        """The shot file of these facts and marks; what is not said is as usual."""
        ...

    def preview(self, file: ShotFile, tables: TableSet) -> Preview:
        """The fire in a shot file before any die is thrown; a forbidden one says why."""
        ...
