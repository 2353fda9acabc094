"""Battles in free play as the journal has them: one for each rulebook, and their entries."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from web.journal.events import AttackMade, AttackRound, AttackUndone, FreePlayed, FreeUndone

FreeEvent = FreePlayed | FreeUndone | AttackMade | AttackUndone | AttackRound


@dataclass(frozen=True, slots=True)
class FreeEntry:
    """One entry, as it stands in the journal."""

    n: int
    seconds: float
    seat: str | None
    who: str
    event: FreeEvent


@dataclass(frozen=True, slots=True)
class FreeRecord:
    """One battle in free play."""

    ruleset: str
    edition: int = 1
    """The edition of the rules that it is played by, to its end."""
    owner_values: str = ""
    """The owner's table values in effect when it began, as their file; empty without any."""
    begun: int = 0
    """The journal's number of its beginning."""
    entries: tuple[FreeEntry, ...] = ()

    def with_entry(self, entry: FreeEntry) -> "FreeRecord":
        """The same battle with one more entry."""
        return replace(self, entries=(*self.entries, entry))


@dataclass(frozen=True, slots=True)
class FreeBattles:
    """The battles in free play of a table, by their rulebook."""

    records: Mapping[str, FreeRecord] = field(default_factory=lambda: MappingProxyType({}))
    server_context: str = ""
    """The rulebook of the one that was played last; the others wait."""

    def begun(self, record: FreeRecord) -> "FreeBattles":
        """A new battle, in the place of one of the same rulebook."""
        return self._with(record)

    def with_entry(self, ruleset: str, entry: FreeEntry) -> "FreeBattles":
        """One more entry; a battle that no entry has begun begins here."""
        record = self.records.get(ruleset) or FreeRecord(ruleset, begun=entry.n)
        return self._with(record.with_entry(entry))

    def ended(self, ruleset: str) -> "FreeBattles":
        """The same without the battle of a rulebook."""
        records = {name: each for name, each in self.records.items() if name != ruleset}
        server_context = "" if self.server_context == ruleset else self.server_context
        return FreeBattles(MappingProxyType(records), server_context)

    def _with(self, record: FreeRecord) -> "FreeBattles":
        records = MappingProxyType({**self.records, record.ruleset: record})
        return FreeBattles(records, record.ruleset)
