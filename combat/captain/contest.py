"""A battle between captains, from its start to its end, without anybody at the table."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from combat.captain.decision import Captain, Decision
from combat.dice import RolledDice
from combat.guided_actions import BattleAction, EndBattle, Mark, Move, RollDice
from combat.guided_play import GuidedRulebook, StepKind
from combat.rulebook import Outcome
from tabletop.errors import DreyerError

State = TypeVar("State")

MOST_ROUNDS: Final = 40
"""Then it is dark."""
_MOST_ACTIONS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Played(Generic[State]):
    """An action of a contest and what came of it; no decision where nobody had to take one."""

    action: BattleAction
    outcome: Outcome[State]
    decision: Decision | None = None


class Stalled(DreyerError):
    """No captain has anything to decide, and the battle is not over."""


def contest(
    rulebook: GuidedRulebook[State],
    start: State,
    captains: Mapping[str, Captain[State]],
    seed: int,
    *,
    most_rounds: int = MOST_ROUNDS,
) -> Iterator[Played[State]]:
    """Every action of a battle; the same seed gives the same battle."""
    source = random.Random(seed)  # noqa: S311 - a game, not a secret
    dice = RolledDice(random.Random(source.getrandbits(64)))  # noqa: S311 - as above
    own = {side: random.Random(source.getrandbits(64)) for side in captains}  # noqa: S311
    state = start
    for _ in range(_MOST_ACTIONS):
        step = rulebook.step(state)
        if step.kind is StepKind.ENDED:
            return
        if rulebook.place(state).round_number > most_rounds:
            action: BattleAction = EndBattle()
            yield Played(action, rulebook.play(state, action, dice))
            return
        decision = None
        # Dice and models are nobody's decision; between captains they need nobody's hand either.
        if rulebook.dice_wanted(state) is not None:
            action = RollDice()
        elif step.kind is StepKind.MOVE:
            action = Move()
        elif step.kind is StepKind.MARK:
            action = Mark()
        else:
            decision = _next_decision(state, captains, own)
            action = decision.action
        outcome = rulebook.play(state, action, dice)
        yield Played(action, outcome, decision)
        state = outcome.state
    raise Stalled("captain.stalled", actions=_MOST_ACTIONS)


def _next_decision(
    state: State, captains: Mapping[str, Captain[State]], own: Mapping[str, random.Random]
) -> Decision:
    for side, captain in captains.items():
        decision = captain.decide(state, side, own[side])
        if decision is not None:
            return decision
    raise Stalled("captain.stalled", actions=0)
