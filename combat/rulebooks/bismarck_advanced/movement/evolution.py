"""Weaving and salvo chasing, read off the turns that a ship makes in one move (67.3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, MovementRules
from tabletop.movement import Step


class Evolution(StrEnum):
    """How a ship's move upsets her own fire and that of others in the combat that follows."""

    STEADY = "steady"
    WEAVING = "weaving"
    SALVO_CHASING = "salvo_chasing"


@dataclass(frozen=True, slots=True)
class EvolutionReading:
    """An evolution and why it is that and no other."""

    evolution: Evolution
    why: str


def judge_turns(
    left: int, right: int, *, chase: bool, rules: MovementRules = MOVEMENT
) -> EvolutionReading:
    """The evolution of a move with so many turns either way, and with or without the note C.

    Short turns count: they are turns too (57.3).
    """
    turns = left + right
    if turns < rules.least_turns:
        vain = "; C asks for more turns (67.32)" if chase else ""
        return EvolutionReading(
            Evolution.STEADY,
            f"{turns} of the {rules.least_turns} turns that make weaving (67.31){vain}",
        )
    either_way = f"{left} to port, {right} to starboard"
    if not chase:
        lacking = "; no C in the plot for salvo chasing (67.34)" if left and right else ""
        return EvolutionReading(Evolution.WEAVING, f"{turns} turns (67.31){lacking}")
    if not (left and right):
        return EvolutionReading(
            Evolution.WEAVING, f"{turns} turns (67.31), but C asks for one the other way (67.32)"
        )
    return EvolutionReading(Evolution.SALVO_CHASING, f"C and {turns} turns, {either_way} (67.32)")


def read_evolution(
    steps: Iterable[Step], *, chase: bool, rules: MovementRules = MOVEMENT
) -> EvolutionReading:
    """The evolution of the steps a ship has run, as a follower runs those of the ship ahead.

    A follower may end or begin a move part-way along an arc; that part counts as a turn in
    either move, like a short turn, unless it is too little to see on the table.
    """
    angles = [step.angle_deg for step in steps if step.length_yards >= rules.least_turn_yards]
    left, right = sum(angle < 0 for angle in angles), sum(angle > 0 for angle in angles)
    return judge_turns(left, right, chase=chase, rules=rules)
