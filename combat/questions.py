"""Conditions in one line each, and the answers to them: how a rulebook asks its questions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.report import Condition, Takes
from combat.shot_layout import Said


def flag(name: str, label: str, rule: str, *batteries: str, usual: bool = False) -> Condition:
    """Something that holds or does not."""
    return Condition(
        name, label, Takes.FLAG, "true" if usual else "false", rule, batteries=batteries
    )


def number(
    name: str, label: str, rule: str, span: tuple[int, int, int], *batteries: str
) -> Condition:
    """A whole number: what it is as usual, the least and the most."""
    usual, least, most = span
    return Condition(name, label, Takes.NUMBER, str(usual), rule, least, most, batteries=batteries)


def choice(
    name: str, label: str, rule: str, choices: Sequence[tuple[str, str]], *batteries: str
) -> Condition:
    """One of several things, the usual one first; each with what players call it."""
    return Condition(
        name, label, Takes.CHOICE, choices[0][0], rule, choices=tuple(choices), batteries=batteries
    )


def called_so(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Choices that players call by their own names."""
    return tuple((each, each) for each in words)


def mutual(condition: Condition) -> Condition:
    """A condition that is the same for both ships, such as the range or the weather."""
    return replace(condition, mutual=True)


def battery_key(batteries: Sequence[str], rule: str) -> Condition:
    """The key that says what is rolled for; a page chooses it before it asks anything."""
    return Condition(
        "battery", "what is rolled for", Takes.CHOICE, batteries[0], rule,
        choices=called_so(batteries), asked=False,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answers:
    """What a shot file says of the conditions, by their own names."""

    said: Said

    def flag(self, name: str) -> bool:
        """Whether a condition holds."""
        return self.said.flag(f"conditions.{name}")

    def number(self, name: str) -> int:
        """A condition that is a number."""
        return self.said.number(f"conditions.{name}")

    def word(self, name: str) -> str:
        """A condition that is a choice."""
        return self.said.word(f"conditions.{name}")
