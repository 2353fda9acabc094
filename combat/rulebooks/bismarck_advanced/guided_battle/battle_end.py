"""How ships leave and battles end (56, 66)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from combat.guided_actions import EndBattle, Withdraw
from combat.guided_play import StepKind
from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import judge_withdrawal
from combat.rulebooks.bismarck_advanced.fire.jams import cleared_after_battle
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import command
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef, SideRef


def withdraw(state: AdvancedState, action: Withdraw) -> AdvancedState:
    """66: a ship that has been out of reach long enough leaves, before she is moved again."""
    ship = command(state, action.side, action.ship)
    if state.kind is not StepKind.PLOT or ship.side in state.committed:
        raise DreyerError("advanced.withdraw.not_now")
    battle = state.engagement
    verdict = judge_withdrawal(ship.rounds_outside, battle.starting_range_yards)
    if not verdict.may_withdraw:
        raise DreyerError(
            "advanced.withdraw.not_yet",
            ship=ShipRef(ship.name),
            why=verdict.why,
            rule=verdict.rule,
        )
    gone = battle.with_combatants({ship.name: replace(ship, withdrawn=True)})
    plots = {name: order for name, order in state.plots.items() if name != ship.name}
    return ended_if_over(replace(state, engagement=gone, plots=plots))


def agree_to_end(state: AdvancedState, action: EndBattle) -> AdvancedState:
    """A battle ends before its time when every side says so, or the umpire."""
    side, reason = action.side, action.reason
    if state.kind is StepKind.ENDED:
        raise DreyerError("advanced.end.already")
    if side is None:
        return ended(state, Message("advanced.end.umpire", reason=reason))
    wants = state.wants_to_end | {side} if action.agree else state.wants_to_end - {side}
    state = replace(state, wants_to_end=wants)
    if wants >= set(state.sides):
        if len(state.sides) == 2:
            return ended(state, Message("advanced.end.both_sides", reason=reason))
        return ended(state, Message("advanced.end.all_sides", reason=reason))
    return state


def ended_if_over(state: AdvancedState) -> AdvancedState:
    """56: over when all of one side's ships are sunk or gone."""
    if not state.engagement.is_over:
        return state
    left = [side for side in state.sides if state.fleet(side)]
    beaten = _all_of([side for side in state.sides if side not in left])
    if not left:
        return ended(state, Message("advanced.end.nobody_left", beaten=beaten))
    return ended(state, Message("advanced.end.victory", beaten=beaten, victors=_all_of(left)))


def _all_of(sides: Sequence[str]) -> Message:
    """The sides as one phrase."""
    *others, last = sides
    return reduce(
        lambda rest, side: Message("advanced.end.and", side=SideRef(side), rest=rest),
        reversed(others),
        Message("advanced.end.side", side=SideRef(last)),
    )


def ended(state: AdvancedState, why: Message) -> AdvancedState:
    """The battle over: every ship turned up, no gun jammed any longer (71.4)."""
    rested = {
        ship.name: replace(ship, vessel=cleared_after_battle(ship.vessel))
        for ship in state.engagement.combatants
    }
    return replace(
        state,
        engagement=state.engagement.with_combatants(rested),
        kind=StepKind.ENDED,
        identities={},
        plots={},
        fires={},
        reduced={},
        open_move=None,
        resolution=None,
        committed=frozenset(),
        wants_to_end=frozenset(),
        ending=why,
    )
