"""What players do with an attack: roll it, take it back, go on to the next round, begin anew."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from combat.battle import plain
from combat.dice import Pair, RolledDice
from combat.overlay import short_checksum
from combat.report import Report
from combat.rulesets import get_ruleset
from combat.tables import TableSet
from combat.unfolding import roll_on, unfold
from tabletop.errors import DreyerError
from web.attacks.fights import Attack, story_data
from web.checks.calculator import Calculation, calculate
from web.seats import Caller, Forbidden, Right
from web.table.ground import Ground
from web.table.state import Event, Kind

MOST_KEPT = 400
"""Attacks that stand under one rulebook at a time; more than any evening has."""


class KeptDice(RolledDice):
    """Dice that fell before a step back are read again; what is still wanted is rolled."""

    def __init__(self, source: random.Random, kept: tuple[str, ...]) -> None:
        super().__init__(source)
        self._kept = list(kept)

    def pair(self, purpose: str) -> Pair:
        """The next two dice."""
        figures = self._next(2)
        return Pair(int(figures[0]), int(figures[1])) if figures else super().pair(purpose)

    def die(self, purpose: str) -> int:
        """The next die."""
        return int(self._next(1, "123456") or super().die(purpose))

    def ten_sided(self, purpose: str) -> int:
        """The next ten-sided die."""
        return int(self._next(1) or super().ten_sided(purpose))

    def _next(self, figures: int, faces: str = "") -> str:
        fits = bool(self._kept) and len(self._kept[0]) == figures
        if not fits or (faces and self._kept[0] not in faces):
            # Another roll than the one they fell for: the rest of them mean nothing here.
            self._kept.clear()
            return ""
        return self._kept.pop(0)


@dataclass(frozen=True, slots=True)
class MakeAttack:
    """Roll the attack that the calculator shows, and put its marks on the sheets."""

    needs: ClassVar = Right.PLAY
    ruleset: str
    said: Mapping[str, str]
    """What the calculator's address says."""
    dice: tuple[str, ...]
    roll: bool
    """Whether the app rolls what is not there."""
    tables_of: Callable[[str], TableSet]
    """The tables in effect of a rulebook."""
    chance: random.Random

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The attack with everything that came of it."""
        ruleset = get_ruleset(self.ruleset)
        if ruleset.fire is None:
            raise DreyerError(f"{ruleset.title} has no attacks to roll: choose another rulebook")
        fights = ground.state.fights
        if len(fights.of(ruleset.name)) >= MOST_KEPT:
            raise DreyerError("this fight is very long: begin a new one before you roll on")
        tables = self.tables_of(ruleset.name)
        calc = calculate(ruleset, ruleset.fire, tables, self.said, fights=fights)
        if calc.faults or calc.shot is None:
            raise DreyerError(calc.faults[-1] if calc.faults else "nothing here can attack")
        key = (ruleset.name, calc.facts.firer, calc.facts.target, calc.battery)
        if self.roll:
            dice = KeptDice(self.chance, () if self.dice else fights.kept.get(key, ()))
            values, report = roll_on(ruleset.fire, calc.shot, self.dice, tables, dice)
        else:
            found = unfold(ruleset.fire, calc.shot, self.dice, tables)
            if not isinstance(found, Report):
                raise DreyerError(f"one more roll is wanted: {found.purpose}")
            values, report = self.dice, found
        typed = len(self.dice)
        how = "typed" if typed == len(values) else "mixed" if typed else "rolled"
        data = {
            "ruleset": ruleset.name,
            "round": fights.round_of(ruleset.name),
            "simultaneous": ruleset.simultaneous,
            "when_marked": calc.when_marked,
            "tables": short_checksum(tables.checksum),
            "dice": list(values),
            "how": how,
            **_told(calc, report),
        }
        # What the journal gives back after a restart is what is kept now.
        return (Event(Kind.ATTACK_MADE, json.loads(json.dumps(data))),)


@dataclass(frozen=True, slots=True)
class UndoAttack:
    """Take back the last attack of a fight; its dice are kept."""

    needs: ClassVar = Right.PLAY
    ruleset: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The step back."""
        attacks = ground.state.fights.of(self.ruleset)
        if not attacks:
            raise DreyerError("no attack stands that could be taken back")
        last = attacks[-1]
        if not may_undo(last, ground.caller):
            raise Forbidden(f"{last.who} rolled it: only {last.who} or an umpire takes it back")
        return (Event(Kind.ATTACK_UNDONE, {"n": last.n, "words": last.data["words"]}),)


def may_undo(attack: Attack, caller: Caller) -> bool:
    """Whether a caller may take an attack back: whoever rolled it, or an umpire."""
    own = caller.seat is not None and caller.seat.id == attack.seat
    return caller.is_umpire or own or (attack.seat is None and caller.seat is None)


@dataclass(frozen=True, slots=True)
class NextRound:
    """All have fired: the next round of a fight begins."""

    needs: ClassVar = Right.PLAY
    ruleset: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The round."""
        number = ground.state.fights.round_of(get_ruleset(self.ruleset).name) + 1
        return (Event(Kind.ATTACK_ROUND, {"ruleset": self.ruleset, "round": number}),)


@dataclass(frozen=True, slots=True)
class NewFight:
    """Clean sheets for a rulebook; what was rolled stays in the log."""

    needs: ClassVar = Right.PLAY
    ruleset: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The new beginning."""
        if not ground.state.fights.of(self.ruleset):
            raise DreyerError("the sheets are clean already")
        title = get_ruleset(self.ruleset).title
        return (Event(Kind.FIGHT_ENDED, {"ruleset": self.ruleset, "title": title}),)


def _told(calc: Calculation, report: Report) -> dict[str, Any]:
    """An attack as the journal keeps it: the facts, the ledger, the story and the marks."""
    facts, first = calc.facts, report.story[0].text if report.story else ""
    last = report.story[-1].text if report.story else ""
    return {
        "firer": facts.firer,
        "firer_type": facts.firer_type,
        "target": facts.target,
        "target_type": facts.target_type,
        "battery": calc.battery,
        "said": calc.onward,
        "file": calc.shot.data.decode() if calc.shot else "",
        "document": plain(report.document),
        "story": story_data(report.story),
        "after": plain(report.after),
        "words": first,
        "outcome": last if last != first else "",
    }
