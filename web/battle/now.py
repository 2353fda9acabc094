"""The battle at this moment: the rulebook's state, kept in step with its record."""

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import Any, TypeVar

from combat.battle import BattleRules, BattleView, Step, StepKind, counted_together
from combat.overlay import read_overlay
from combat.ruleset import Ruleset
from combat.rulesets import get_ruleset
from combat.tables import TableSet
from combat.views import TargetOption
from tabletop.errors import DreyerError
from web.battle.record import BattleRecord

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Waypoint:
    """The battle as a segment began: what came before it need not be played again."""

    played: int
    """How many events of the record had been played."""
    state: Any
    round_number: int
    segment: int


class Answers:
    """What was worked out for one state of a battle, since phones ask alike; it goes with it."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}

    def find(self, question: Hashable, work_out: Callable[[], Found]) -> Found:
        """The answer to a question; two who ask at once may both work it out."""
        if question not in self._found:
            self._found[question] = work_out()
        answer: Found = self._found[question]
        return answer


@dataclass(frozen=True, slots=True)
class BattleNow:
    """A battle with its rules, its tables and the state that its record gives."""

    rules: BattleRules[Any]
    tables: TableSet
    record: BattleRecord
    state: Any
    waypoints: tuple[Waypoint, ...] = field(compare=False, repr=False)
    """The beginning of every segment, the first being that of the battle."""
    answers: Answers = field(default_factory=Answers, init=False, compare=False, repr=False)

    def view(self, side: str | None, *, sees_all: bool = False) -> BattleView:
        """The battle as a side may see it; side None sees what both may see."""
        return self.answers.find(
            ("view", side, sees_all),
            lambda: self.rules.view(self.state, side, sees_all=sees_all),
        )

    def fire_options(self, side: str | None, ship: str) -> tuple[TargetOption, ...]:
        """What a ship could fire at."""
        return self.answers.find(
            ("fire", side, ship),
            lambda: self.rules.fire_options(self.state, side, ship, self.tables),
        )

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
        """The sides that fight, by their keys."""
        return self.record.setup.sides

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.step.kind is StepKind.ENDED


def phase_name(at: Step | Waypoint) -> str:
    """A segment of a round, as a key."""
    return f"{at.round_number}.{at.segment}"


def battle_rules(ruleset: str, edition: int | None = None) -> BattleRules[Any]:
    """The sequence of play of a rulebook that has one; of its latest edition if none is named."""
    found = get_ruleset(ruleset)
    rules = (found if edition is None else found.of_edition(edition)).battle
    if rules is None:
        raise DreyerError(
            f"{get_ruleset(ruleset).title} has no guided battle here; "
            "check ranges on the chart, or use the calculator"
        )
    return rules


@cache
def tables_with(ruleset: str, owner_values: str, edition: int | None = None) -> TableSet:
    """The tables of a battle: the rulebook's, with the owner's values of its beginning on top."""
    found = get_ruleset(ruleset)
    return tables_of(found if edition is None else found.of_edition(edition), owner_values)


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
    rules = battle_rules(ruleset, record.edition)
    tables = tables_with(ruleset, record.owner_values, record.edition)
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
    for action, count in counted_together(each.action for each in record.events[played:]):
        state = rules.apply(state, action, tables)
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
