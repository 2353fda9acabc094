"""Optional rules and other values that the players of a battle choose, as data for people."""

from collections.abc import Iterable
from dataclasses import dataclass

from combat.guided_actions import BattleOptions
from combat.questions import Question, questions
from tabletop.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionalRule:
    """An optional rule, or a reading that the players choose, and whether it is played with."""

    key: str
    """As files and requests name it."""
    title: Message
    meaning: Message
    """A sentence on what it does."""
    rule: str
    on: bool
    default: bool

    @property
    def changed(self) -> bool:
        """Whether it is not as usual."""
        return self.on != self.default


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleValue:
    """A value that holds for the whole battle or table: visibility, scale."""

    key: str
    label: Message
    value: Message
    rule: str = ""
    changed: bool = False
    """Whether the players have set it otherwise than usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseDecision:
    """What this program decided where a book is silent, lost or contradicts itself."""

    text: Message
    rule: str


def optional_rules(options: BattleOptions) -> tuple[OptionalRule, ...]:
    """The optional rules of a battle, in the order in which they are declared."""
    return asked_options(
        (question, getattr(options, question.name)) for question in questions(type(options))
    )


def asked_options(answers: Iterable[tuple[Question, object]]) -> tuple[OptionalRule, ...]:
    """The optional rules among some questions with their answers."""
    return tuple(
        OptionalRule(
            key=question.key,
            title=question.label,
            meaning=question.meaning,
            rule=question.rule,
            on=bool(on),
            default=bool(question.default),
        )
        for question, on in answers
    )
