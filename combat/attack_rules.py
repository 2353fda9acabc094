"""The part of `FireRules` that is the same in every rulebook that declares its shot files.

A rulebook says what its attack is: how it is read, what it is rolled with, what comes of it and
what the odds are. Files, messages, previews and the ships' marks are handled here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from combat.dice import Dice
from combat.forecast import Forecast
from combat.report import (
    BatteryInfo,
    Condition,
    Facts,
    Forbidden,
    MountInfo,
    Preview,
    Report,
    ShotFile,
    ShotKey,
    States,
    naming,
)
from combat.shot_layout import Layout, Said
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.errors import DreyerError

Attack = TypeVar("Attack")


class AttackRules(ABC, Generic[Attack]):
    """`FireRules` for a rulebook that describes one kind of attack, its `Attack`."""

    layout: Layout

    @abstractmethod
    def read(self, said: Said, tables: TableSet) -> Attack:
        """The attack that a shot file describes."""

    @abstractmethod
    def strength(self, attack: Attack, tables: TableSet) -> Strength:
        """What it is rolled with; Forbidden, with the rule, where it is not allowed."""

    @abstractmethod
    def play(self, attack: Attack, dice: Dice, tables: TableSet) -> Report:
        """Roll the attack."""

    @abstractmethod
    def odds(self, attacks: Sequence[Attack], tables: TableSet) -> Forecast:
        """The exact odds of all these attacks on one target."""

    @abstractmethod
    def target_of(self, attack: Attack) -> object:
        """The target and her marks: the same for all attacks that are forecast together."""

    @abstractmethod
    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """What a known ship can do, heaviest first; for "" what comes from nobody's ship."""

    def mounts(self, attack: Attack, tables: TableSet) -> tuple[MountInfo, ...]:  # noqa: ARG002 - for those that have mounts
        """The mounts of the battery; none where a rulebook does not count them."""
        return ()

    def battery_of(self, attack: Attack) -> str:  # noqa: ARG002 - for those that have several
        """The name of the battery."""
        return ""

    def conditions(self, firer_type: str, target_type: str) -> tuple[Condition, ...]:
        """What a page may ask besides the facts."""
        return self.layout.asked(firer_type, target_type)

    def facts_as_keys(self, facts: Facts) -> Mapping[str, object]:
        """The keys that the facts themselves fill; a rulebook without a table takes the battery."""
        known = [battery.name for battery in self.batteries(facts.firer_type)]
        return {"fire.battery": facts.battery or (known[0] if known else "")}

    @property
    def shot_keys(self) -> tuple[ShotKey, ...]:
        """Every key that its shot files may have."""
        return self.layout.keys

    def shot(self, facts: Facts, states: States | None = None) -> ShotFile:
        """The shot file of these facts and of the ships' marks; what is not said is as usual."""
        return self.layout.write(facts, self.facts_as_keys(facts), states)

    def resolve(self, file: ShotFile, dice: Dice, tables: TableSet) -> Report:
        """Resolve the attack in a shot file with these dice."""
        attack = self._read(file, tables)
        with naming(file):
            return self.play(attack, dice, tables)

    def forecast(self, files: Sequence[ShotFile], tables: TableSet) -> Forecast:
        """The exact odds of all the attacks in some shot files, at one target."""
        attacks = [self._read(file, tables) for file in files]
        for attack, file in zip(attacks, files, strict=True):
            with naming(file):
                self.strength(attack, tables)
            if self.target_of(attack) != self.target_of(attacks[0]):
                raise DreyerError(
                    f"{file.source}: target: expected the ship of {files[0].source} with the "
                    "same marks, got another"
                )
        return self.odds(attacks, tables)

    def preview(self, file: ShotFile, tables: TableSet) -> Preview:
        """The attack in a shot file before any die is thrown; a forbidden one says why."""
        attack = self._read(file, tables)
        battery, mounts = self.battery_of(attack), self.mounts(attack, tables)
        try:
            found = self.strength(attack, tables)
        except Forbidden as error:
            return Preview.refused(battery, mounts, error)
        return Preview(
            battery=battery,
            mounts=mounts,
            factor=found.factor,
            factor_reference=found.reference,
            ledger=found.ledger.modifiers,
            total=found.ledger.total,
            provenance=found.provenance,
            factor_label=found.factor_label,
            total_label=found.total_label,
        )

    def _read(self, file: ShotFile, tables: TableSet) -> Attack:
        return self.read(self.layout.read(file), tables)
