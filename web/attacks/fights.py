"""The attacks that were rolled on the calculator, and the marks that they have left.

Each attack is kept with its shot, its dice, its ledger and its story, so that it reads the same
for ever, whatever becomes of tables and rules. Taking one back keeps its dice: they are read
again before any are rolled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from combat.report import Line

Marks = Mapping[str, object]
NO_MARKS: Marks = MappingProxyType({})
Key = tuple[str, str, str, str]
"""Ruleset, firer, target and battery: what kept dice belong to."""
_ROLES = ("firer", "target")


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack as it came out, and who rolled it."""

    n: int
    seconds: float
    seat: str | None
    who: str
    data: Mapping[str, Any]

    @property
    def ruleset(self) -> str:
        """Its rulebook's name."""
        return str(self.data["ruleset"])

    @property
    def round_number(self) -> int:
        """The round in which it was rolled."""
        return int(self.data["round"])

    @property
    def key(self) -> Key:
        """What its dice belong to, should it be taken back."""
        data = self.data
        return data["ruleset"], data["firer"], data["target"], data["battery"]

    @property
    def story(self) -> tuple[Line, ...]:
        """What happened, line by line."""
        return tuple(Line(text, reference, depth) for text, reference, depth in self.data["story"])


def _none() -> Marks:
    return NO_MARKS


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ship's marks in a round: as it began, with what she spent, with what she suffered.

    Where fire is simultaneous she fires as she was when the round began, however badly she has
    been hit since; the two come together when somebody looks, and when the next round begins.
    """

    type: str
    start: Marks = field(default_factory=_none)
    spent: Marks = field(default_factory=_none)
    suffered: Marks = field(default_factory=_none)

    @property
    def now(self) -> Marks:
        """Everything that is marked."""
        return both_changes(self.start, self.spent, self.suffered)

    def after(
        self, role: str, marks: Marks, *, simultaneous: bool, when_marked: bool = False
    ) -> "Sheet":
        """The sheet after an attack in which she fired, or was fired at."""
        if not simultaneous:
            return Sheet(self.type, marks, marks, marks)
        if role == "firer":
            # With all her damage she went into it, so only what is new since then was spent.
            return replace(
                self, spent=both_changes(self.now, marks, self.spent) if when_marked else marks
            )
        return replace(self, suffered=marks)

    @property
    def settled(self) -> "Sheet":
        """The sheet as the next round begins."""
        return Sheet(self.type, self.now, self.now, self.now)


@dataclass(frozen=True, slots=True)
class Fights:
    """All attacks that stand, of every rulebook."""

    attacks: tuple[Attack, ...] = ()
    rounds: Mapping[str, int] = field(default_factory=dict)
    """The present round by rulebook; the first where it is not named."""
    kept: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    """Dice of attacks that were taken back."""

    def of(self, ruleset: str) -> tuple[Attack, ...]:
        """The attacks under one rulebook, the earliest first."""
        return tuple(attack for attack in self.attacks if attack.ruleset == ruleset)

    def round_of(self, ruleset: str) -> int:
        """The present round under a rulebook."""
        return self.rounds.get(ruleset, 1)

    def sheets(self, ruleset: str) -> dict[str, Sheet]:
        """Everyone who took part, in the order in which they came into it."""
        sheets: dict[str, Sheet] = {}
        now = 1
        for attack in self.of(ruleset):
            if attack.round_number != now:
                sheets = {name: sheet.settled for name, sheet in sheets.items()}
                now = attack.round_number
            for role in _ROLES:
                name = attack.data[role]
                if not name:
                    continue
                sheet = sheets.get(name, Sheet(attack.data[f"{role}_type"]))
                if role in attack.data["after"]:
                    marks = attack.data["after"][role]
                    sheet = sheet.after(
                        role,
                        marks,
                        simultaneous=attack.data["simultaneous"],
                        when_marked=attack.data.get("when_marked", False),
                    )
                sheets[name] = sheet
        if now != self.round_of(ruleset):
            sheets = {name: sheet.settled for name, sheet in sheets.items()}
        return sheets

    def states(
        self, ruleset: str, firer: str, target: str, *, when_marked: bool = False
    ) -> dict[str, Marks]:
        """What a shot file says of the marks of the two; one without any is left out."""
        sheets = self.sheets(ruleset)
        fresh = Sheet("")
        attacker = sheets.get(firer, fresh)
        found = {
            "firer": attacker.now if when_marked else attacker.spent,
            "target": sheets.get(target, fresh).suffered,
        }
        return {role: marks for role, marks in found.items() if marks}

    def with_attack(self, attack: Attack) -> "Fights":
        """One more; dice that were kept for it are used up."""
        kept = {key: dice for key, dice in self.kept.items() if key != attack.key}
        return replace(self, attacks=(*self.attacks, attack), kept=MappingProxyType(kept))

    def without(self, n: int) -> "Fights":
        """The same with one attack taken back."""
        gone = next(attack for attack in self.attacks if attack.n == n)
        return replace(
            self,
            attacks=tuple(attack for attack in self.attacks if attack.n != n),
            kept=MappingProxyType({**self.kept, gone.key: tuple(gone.data["dice"])}),
        )

    def in_next_round(self, ruleset: str) -> "Fights":
        """The next round of a rulebook begins."""
        rounds = {**self.rounds, ruleset: self.round_of(ruleset) + 1}
        return replace(self, rounds=MappingProxyType(rounds))

    def ended(self, ruleset: str) -> "Fights":
        """A clean sheet for a rulebook: its attacks stay in the log alone."""
        return replace(
            self,
            attacks=tuple(attack for attack in self.attacks if attack.ruleset != ruleset),
            rounds=MappingProxyType({k: n for k, n in self.rounds.items() if k != ruleset}),
            kept=MappingProxyType({k: d for k, d in self.kept.items() if k[0] != ruleset}),
        )


def both_changes(start: Marks, one: Marks, other: Marks) -> dict[str, object]:
    """The marks after two changes of the same sheet that knew nothing of each other."""
    found = {key: _both(start.get(key), one.get(key), other.get(key)) for key in {**one, **other}}
    return {key: value for key, value in found.items() if value is not None}


def _both(start: object, one: object, other: object) -> object:
    if one == start:
        return other
    if other in (start, one):
        return one
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return both_changes(start if isinstance(start, Mapping) else NO_MARKS, one, other)
    if isinstance(one, list) and isinstance(other, list):
        return sorted({*one, *other})
    # What a sheet does not mention is unmarked: nought.
    first, second, before = (0 if value is None else value for value in (one, other, start))
    if isinstance(first, int | float) and isinstance(second, int | float):
        return first + second - (before if isinstance(before, int | float) else 0)
    return other


def story_data(story: Sequence[Line]) -> list[list[object]]:
    """A story as plain JSON."""
    return [[line.text, line.reference, line.depth] for line in story]
