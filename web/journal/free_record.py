"""The records of battles in free play: one for each rulebook."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from web.journal.events import AttackMade, AttackRound, AttackUndone, FreePlayed, FreeUndone

FreeEvent = FreePlayed | FreeUndone | AttackMade | AttackUndone | AttackRound


@dataclass(frozen=True, slots=True)
class FreeEntry:
    """One journal entry of a battle in free play."""

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
    """The edition of the rules, fixed for the whole battle."""
    owner_values: str = ""
    """The file of owner's values at the beginning; empty without any."""
    begun: int = 0
    """The number of its first journal entry."""
    entries: tuple[FreeEntry, ...] = ()

    def with_entry(self, entry: FreeEntry) -> "FreeRecord":
        """The record with another entry."""
        return replace(self, entries=(*self.entries, entry))


@dataclass(frozen=True, slots=True)
class FreeBattles:
    """The battles in free play of a table, by rulebook."""

    records: Mapping[str, FreeRecord] = field(default_factory=lambda: MappingProxyType({}))
    server_context: str = ""
    """The rulebook that was played last."""

    def begun(self, record: FreeRecord) -> "FreeBattles":
        """The battles with a new one, which replaces one of the same rulebook."""
        return self._with(record)

    def with_entry(self, ruleset: str, entry: FreeEntry) -> "FreeBattles":
        """The battles with another entry; a battle without a beginning begins with it."""
        record = self.records.get(ruleset) or FreeRecord(ruleset, begun=entry.n)
        return self._with(record.with_entry(entry))

    def ended(self, ruleset: str) -> "FreeBattles":
        """The battles without that of a rulebook."""
        records = {name: each for name, each in self.records.items() if name != ruleset}
        server_context = "" if self.server_context == ruleset else self.server_context
        return FreeBattles(MappingProxyType(records), server_context)

    def _with(self, record: FreeRecord) -> "FreeBattles":
        records = MappingProxyType({**self.records, record.ruleset: record})
        return FreeBattles(records, record.ruleset)
