"""What every roll of Arctic Disaster has in common: the attack, what came of it, its ledger."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from combat.attack_rules import Strength
from combat.dice import Dice
from combat.modifiers import Modifier
from combat.one_die import Throw, line_of, roll
from combat.provenance import Provenance
from combat.questions import Answers
from combat.report import BatteryInfo
from combat.rulesets.arctic_disaster.asking import Battery
from combat.rulesets.arctic_disaster.vessel import Vessel
from combat.tables import TableSet
from tabletop.errors import BadField


@dataclass(frozen=True, slots=True)
class Attack(Answers):
    """One thing that is rolled for, with those who take part in it."""

    battery: Battery
    firer: Vessel | None
    target: Vessel | None

    @property
    def ship(self) -> Vessel:
        """Who does it; an error where the file names nobody."""
        return self._there(self.firer, "firer")

    @property
    def victim(self) -> Vessel:
        """Whom it is done to; an error where the file names nobody."""
        return self._there(self.target, "target")

    def _there(self, vessel: Vessel | None, role: str) -> Vessel:
        if vessel is None:
            raise BadField(self.said.place, f"{role}.name", "a ship", "nothing")
        return vessel

    def tactical(self) -> Iterator[Modifier]:
        """The Tactical Advantage marker, used on this one die (5.10)."""
        value = int(self.word("tactical"))
        if value:
            label = "Tactical Advantage"
            yield Modifier("tactical", value, label, "5.10", Provenance.PRINTED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a roll; outcomes of one target add up."""

    hits: int = 0
    """Attacks that did damage, or rolls that succeeded."""
    damage: int = 0
    move_lost: int = 0
    guns_lost: int = 0
    words: frozenset[str] = frozenset()
    """What else happened, for odds and stories."""

    def __add__(self, other: "Outcome") -> "Outcome":
        both = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name != "words"
        }
        return Outcome(**both, words=self.words | other.words)


@dataclass(frozen=True, slots=True)
class Rolled:
    """An outcome with the dice that led to it."""

    outcome: Outcome
    throws: tuple[Throw, ...] = ()
    lines: tuple[Modifier, ...] = ()
    """What earlier dice of the same attack have added to the last one's ledger."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How one thing is rolled."""

    info: BatteryInfo
    rule: str
    strength: Callable[[Attack, TableSet], Strength]
    run: Callable[[Attack, Dice, TableSet], Rolled]


def listed(tables: TableSet, row: str, label: str, times: int = 1) -> Modifier:
    """A line of the list of modifiers."""
    return line_of(tables["modifiers"], row, label, times)


def check(
    dice: Dice,
    tables: TableSet,
    row: str,
    purpose: str,
    answers: tuple[str, str],
    modifier: int = 0,
) -> tuple[bool, Throw]:
    """One die against the span that succeeds, with the words for success and for failure."""
    table = tables["checks"]
    die = roll(dice, purpose)
    passed = table.integer(row, "least") <= die + modifier <= table.integer(row, "most")
    cell = table.cell(row, "least")
    words = answers[0] if passed else answers[1]
    return passed, Throw(purpose, cell.reference, die, modifier, words, cell.provenance)
