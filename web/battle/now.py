"""The battle at this moment: the rulebook's state, kept in step with its record."""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import Any

from combat.battle import BattleRules, Step, StepKind, counted_together
from combat.overlay import read_overlay
from combat.ruleset import Ruleset
from combat.rulesets import get_ruleset
from combat.tables import TableSet
from tabletop.errors import DreyerError
from web.battle.record import BattleRecord


@dataclass(frozen=True, slots=True)
class Waypoint:
    """The battle as a segment began: what came before it need not be played again."""

    played: int
    """How many events of the record had been played."""
    state: Any
    round_number: int
    segment: int


@dataclass(frozen=True, slots=True)
class BattleNow:
    """A battle with its rules, its tables and the state that its record gives."""

    rules: BattleRules[Any]
    tables: TableSet
    record: BattleRecord
    state: Any
    waypoints: tuple[Waypoint, ...] = field(compare=False, repr=False)
    """The beginning of every segment, the first being that of the battle."""

    def waypoints_to(self, place: int) -> tuple[Waypoint, ...]:
        """The segments begun when the event at this place of the record came; its own is last."""
        return self.waypoints[: bisect_right(self.waypoints, place, key=lambda at: at.played)]

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


def phase_name(at: Step | Waypoint) -> str:
    """A segment of a round, as a key."""
    return f"{at.round_number}.{at.segment}"


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
    return tables_of(get_ruleset(ruleset), owner_values)


def tables_of(ruleset: Ruleset, owner_values: str) -> TableSet:
    """The tables of an edition of a rulebook, with the owner's values of a battle on top."""
    tables = ruleset.tables
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
    if before is None or before.record.begun != record.begun:
        state = rules.begin(record.setup)
        step = rules.step(state)
        played, waypoints = 0, [Waypoint(0, state, step.round_number, step.segment)]
    else:
        played = _shared(before.record, record)
        state, waypoints = before.state, list(before.waypoints)
        if played < len(before.record.events):
            # Something is undone: its segment is played again from the beginning.
            waypoints = list(before.waypoints_to(played))
            played, state = waypoints[-1].played, waypoints[-1].state
    for event, count in counted_together(each.event for each in record.events[played:]):
        state = rules.apply(state, event, tables)
        played += count
        step, last = rules.step(state), waypoints[-1]
        if (step.round_number, step.segment) != (last.round_number, last.segment):
            waypoints.append(Waypoint(played, state, step.round_number, step.segment))
    return BattleNow(rules, tables, record, state, tuple(waypoints))


def _shared(before: BattleRecord, after: BattleRecord) -> int:
    """How many events both records begin with."""
    if after.events[: len(before.events)] == before.events:
        return len(before.events)
    pairs = zip(before.events, after.events, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
