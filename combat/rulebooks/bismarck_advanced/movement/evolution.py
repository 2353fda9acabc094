"""Weaving and salvo chasing, determined by the turns in one move (67.3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, MovementRules
from tabletop.messages import Message
from tabletop.movement import Step


class Evolution(StrEnum):
    """The effect of a ship's move on her own fire and on fire at her."""

    STEADY = "steady"
    WEAVING = "weaving"
    SALVO_CHASING = "salvo_chasing"


@dataclass(frozen=True, slots=True)
class EvolutionReading:
    """An evolution and its reason."""

    evolution: Evolution
    why: Message


def judge_turns(
    left: int, right: int, *, chase: bool, rules: MovementRules = MOVEMENT
) -> EvolutionReading:
    """The evolution of a move, by its turns to each side and the note C.

    Short turns count as turns (57.3).
    """
    turns = left + right
    if turns < rules.least_turns:
        least = rules.least_turns
        if chase:
            why = Message("advanced.evolution.steady_with_chase", turns=turns, least=least)
        else:
            why = Message("advanced.evolution.steady", turns=turns, least=least)
        return EvolutionReading(Evolution.STEADY, why)
    both_ways = bool(left and right)
    if chase and both_ways:
        why = Message("advanced.evolution.chase", turns=turns, left=left, right=right)
        return EvolutionReading(Evolution.SALVO_CHASING, why)
    if chase:
        why = Message("advanced.evolution.weaving_one_way", turns=turns)
    elif both_ways:
        why = Message("advanced.evolution.weaving_without_chase", turns=turns)
    else:
        why = Message("advanced.evolution.weaving", turns=turns)
    return EvolutionReading(Evolution.WEAVING, why)


def read_evolution(
    steps: Iterable[Step], *, chase: bool, rules: MovementRules = MOVEMENT
) -> EvolutionReading:
    """The evolution of the steps that a follower ran along the track of the ship ahead.

    A follower may end or begin a move part-way along an arc; that part counts as a turn in either
    move, like a short turn, unless it is too small to see on the table.
    """
    angles = [step.angle_deg for step in steps if step.length_yards >= rules.least_turn_yards]
    left, right = sum(angle < 0 for angle in angles), sum(angle > 0 for angle in angles)
    return judge_turns(left, right, chase=chase, rules=rules)
