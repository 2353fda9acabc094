"""The battle at this moment: the rulebook's state, kept in step with its record."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from combat.battle import BattleRules, Step, StepKind, replay
from combat.overlay import read_overlay
from combat.rulesets import get_ruleset
from combat.tables import TableSet
from tabletop.errors import DreyerError
from web.battle.record import BattleRecord


@dataclass(frozen=True, slots=True)
class BattleNow:
    """A battle with its rules, its tables and the state that its record gives."""

    rules: BattleRules[Any]
    tables: TableSet
    record: BattleRecord
    state: Any

    @property
    def step(self) -> Step:
        """Where it stands in its sequence of play."""
        return self.rules.step(self.state)

    @property
    def phase(self) -> str:
        """The name of the present segment, under which its dice are kept."""
        return phase_name(self.step)

    @property
    def sides(self) -> tuple[str, ...]:
        """The two sides."""
        return tuple(self.record.setup["sides"])

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.step.kind is StepKind.ENDED


def phase_name(step: Step) -> str:
    """A segment of a round, as a key."""
    return f"{step.round_number}.{step.segment}"


def battle_rules(ruleset: str) -> BattleRules[Any]:
    """The sequence of play of a rulebook that has one."""
    rules = get_ruleset(ruleset).battle
    if rules is None:
        raise DreyerError(
            f"{get_ruleset(ruleset).title} has no guided battle here; "
            "check ranges on the chart, or use the calculator"
        )
    return rules


@cache
def tables_with(ruleset: str, owner_values: str) -> TableSet:
    """The tables of a battle: the rulebook's, with the owner's values of its beginning on top."""
    tables = get_ruleset(ruleset).tables
    if not owner_values:
        return tables
    source = "the battle's own table values"
    return tables.with_overlay(read_overlay(owner_values.encode(), source), source)


def follow(ruleset: str, record: BattleRecord | None, before: BattleNow | None) -> BattleNow | None:
    """The battle that a record gives; only what is new is played where the old still stands."""
    if record is None:
        return None
    if before is not None and before.record == record:
        return before
    rules, tables = battle_rules(ruleset), tables_with(ruleset, record.owner_values)
    if before is not None and _goes_on(before.record, record):
        state = before.state
        for recorded in record.events[len(before.record.events) :]:
            state = rules.apply(state, recorded.event, tables)
    else:
        state = replay(rules, record.setup, record.played, tables)
    return BattleNow(rules, tables, record, state)


def _goes_on(before: BattleRecord, after: BattleRecord) -> bool:
    """Whether the later record is the earlier one with something added."""
    return before.begun == after.begun and after.events[: len(before.events)] == before.events
