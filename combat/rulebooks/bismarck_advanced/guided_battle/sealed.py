"""What is sealed to others: plots until their segment ends (57.6), torpedo targets (69.4).

Until a segment ends, all that others know of a ship's plot is what her model's movement has
shown. The orders of fire need her speed and whether she is chasing salvos (modifications 14–16):
before the dice those count as far as they are known, and when the fire is resolved as they are.
"""

from dataclasses import replace
from typing import Final

from combat.guided_play import StepKind
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState, LogEntry
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.movement.speed import RoundSpeed
from combat.rulebooks.bismarck_advanced.phases import CombatPhase, Segment

_TARGET_EVOLUTION: Final = 14
_TARGET_SPEED: Final = frozenset({15, 16})
"""Modifications that follow from a target's plot (62.555)."""


def sealed_phase(state: AdvancedState, edition: Edition) -> CombatPhase | None:
    """The segment whose plots have been moved by and are not open to all yet; None without one."""
    if not edition.plots_open_at_segment_end or state.kind is StepKind.ENDED:
        return None
    # The log has its segments in order, so that the present one's plots are the last.
    return state.phase if state.log and state.log[-1].phase == state.phase else None


def first_sealed_phase(state: AdvancedState, edition: Edition) -> CombatPhase | None:
    """The earliest segment of which anything is sealed, torpedoes under way included."""
    phases = [salvo.plotted for salvo in state.torpedoes_under_way]
    now = sealed_phase(state, edition)
    return min(phases if now is None else [*phases, now], default=None)


def is_sealed(ship: Combatant, state: AdvancedState, seat: Seat, edition: Edition) -> bool:
    """Whether a ship's present plot is not for a seat to read."""
    return sealed_phase(state, edition) is not None and not seat.may_act_for(ship.side)


def readable_log(state: AdvancedState, seat: Seat, edition: Edition) -> tuple[LogEntry, ...]:
    """The plots that a seat may read: its own side's, and those that are open."""
    sealed = sealed_phase(state, edition)
    return tuple(
        each
        for each in state.log
        if each.phase != sealed or seat.may_act_for(state.engagement[each.ship].side)
    )


def as_shown(state: AdvancedState, seat: Seat, edition: Edition) -> Engagement:
    """The battle with the ships of others as their movement has shown them."""
    battle = state.engagement
    return battle.with_combatants(
        {
            ship.name: _as_shown(ship, state.phase)
            for ship in battle.combatants
            if is_sealed(ship, state, seat, edition)
        }
    )


def _as_shown(ship: Combatant, phase: CombatPhase) -> Combatant:
    evolution = shown_evolution(ship)
    if ship.moving is None or phase.segment is Segment.SECOND:
        # The round's speed was opened with the first segment's plots.
        return replace(ship, evolution=evolution)
    speed = _shown_speed(ship.moving, ship.vessel.movement_factor)
    return replace(ship, evolution=evolution, moving=replace(ship.moving, speed=speed))


def guessed_modifications(target: Combatant, segment: Segment) -> frozenset[int]:
    """The modifications of fire at a ship that her sealed plot may change, by their numbers.

    She is given as her movement has shown her.
    """
    moving, found = target.moving, set()
    if target.evolution is Evolution.WEAVING:
        found.add(_TARGET_EVOLUTION)
    if segment is Segment.INITIAL and moving is not None and moving.initial_factors:
        only = moving.collision_limit is None and moving.speed < 2 * moving.initial_factors
        found |= set() if only else _TARGET_SPEED
    return frozenset(found)


def shown_evolution(ship: Combatant) -> Evolution:
    """What her turns show: the note C cannot be seen (67.34)."""
    chasing = ship.evolution is Evolution.SALVO_CHASING
    return Evolution.WEAVING if chasing else ship.evolution


def speed_is_sealed(ship: Combatant, state: AdvancedState, seat: Seat, edition: Edition) -> bool:
    """Whether her speed of this round is sealed: it was written with the first segment's plot."""
    return state.segment == 1 and is_sealed(ship, state, seat, edition)


def _shown_speed(moving: RoundSpeed, movement_factor: int) -> int:
    """The speed that her first move shows: it was half of it, rounded up (58.3).

    Two speeds have the same first move; the faster counts, if she can make it.
    """
    fast = 2 * moving.initial_factors
    speed = fast if fast <= movement_factor else max(0, fast - 1)
    return speed if moving.collision_limit is None else speed // 2
