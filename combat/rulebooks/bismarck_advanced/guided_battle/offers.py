"""Which actions a seat may take now, by the step of the sequence of play (56)."""

from collections.abc import Iterator
from typing import Final

from combat.actions import ActionInfo, ActionOffer, by_kind
from combat.guided_actions import (
    Commit,
    EndBattle,
    Mark,
    Move,
    Reveal,
    RollDice,
    Settle,
    Uncommit,
    Withdraw,
)
from combat.guided_play import StepKind
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import judge_withdrawal
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.guided_battle.actions import (
    AirStrike,
    Arrange,
    Correct,
    Designate,
    Orders,
    Plot,
    Reduce,
    Repair,
    RollNext,
)
from combat.rulebooks.bismarck_advanced.guided_battle.air_strikes import may_strike, targets
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import is_reducible
from combat.rulebooks.bismarck_advanced.guided_battle.fog import is_foggy
from combat.rulebooks.bismarck_advanced.guided_battle.rates import shots_of
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.guided_battle.transitions import may_arrange
from combat.rulebooks.bismarck_advanced.guided_battle.views import Viewer, fire_choices
from tabletop.messages import Message

INFOS: Final = by_kind(
    (
        ActionInfo("plot", Message("advanced.battle_action.plot"), "56.1", Plot),
        ActionInfo("designate", Message("advanced.battle_action.designate"), "56.3", Designate),
        ActionInfo("orders", Message("advanced.battle_action.orders"), "56.1", Orders),
        ActionInfo("reduce", Message("advanced.battle_action.reduce"), "67.41", Reduce),
        ActionInfo("arrange", Message("advanced.battle_action.arrange"), "55.11", Arrange),
        ActionInfo("commit", Message("advanced.battle_action.commit"), "56.1", Commit),
        ActionInfo("uncommit", Message("advanced.battle_action.uncommit"), "56.1", Uncommit),
        ActionInfo("move", Message("advanced.battle_action.move"), "56.2", Move),
        ActionInfo("rule", Message("advanced.battle_action.rule"), "61.5", Settle),
        ActionInfo("roll_next", Message("advanced.battle_action.roll_next"), "62.3", RollNext),
        ActionInfo("dice", Message("advanced.battle_action.dice"), "62.44", RollDice),
        ActionInfo("mark", Message("advanced.battle_action.mark"), "56.4", Mark),
        ActionInfo("withdraw", Message("advanced.battle_action.withdraw"), "66", Withdraw),
        ActionInfo("reveal", Message("advanced.battle_action.reveal"), "67.1", Reveal),
        ActionInfo("air_strike", Message("advanced.battle_action.air_strike"), "9.14", AirStrike),
        ActionInfo("repair", Message("advanced.battle_action.repair"), "68", Repair),
        ActionInfo("end", Message("advanced.battle_action.end"), "56", EndBattle),
        ActionInfo("correct", Message("advanced.battle_action.correct"), "", Correct),
    )
)


def offers(
    state: AdvancedState, seat: Seat, edition: Edition, *, rolls: bool
) -> tuple[ActionOffer, ...]:
    """What a seat may do; `rolls` says whether dice are wanted."""
    if not seat.umpire and seat.side not in state.sides:
        return ()
    kinds = set(_kinds(state, seat, edition, rolls=rolls))
    return tuple(ActionOffer(info, info.title) for kind, info in INFOS.items() if kind in kinds)


def _kinds(state: AdvancedState, seat: Seat, edition: Edition, *, rolls: bool) -> Iterator[str]:
    sides = [side for side in state.sides if seat.may_act_for(side)]
    waiting = [side for side in sides if side in state.waiting_for]
    own = [ship for ship in state.engagement.in_action if ship.side in sides]
    if rolls:
        yield "dice"
    match state.kind:
        case StepKind.REDUCE:
            open_ships = [ship for ship in own if ship.side in waiting]
            if any(map(is_reducible, (s for ship in open_ships for s in shots_of(state, ship)))):
                yield "reduce"
            if waiting:
                yield "commit"
            if any(side in state.committed for side in sides):
                yield "uncommit"
        case StepKind.PLOT | StepKind.DESIGNATE:
            open_ships = [ship for ship in own if ship.side in waiting]
            if open_ships:
                yield "plot" if state.kind is StepKind.PLOT else "designate"
                yield "orders"
            hidden = [ship.side for ship in open_ships if _is_hidden(state, ship)]
            if may_arrange(state, edition) and len(hidden) > len(set(hidden)):
                yield "arrange"
            if state.strike is None and any(_may_commit(state, side) for side in waiting):
                yield "commit"
            if any(side in state.committed for side in sides):
                yield "uncommit"
            if state.kind is StepKind.DESIGNATE:
                yield "rule"
            elif any(_may_withdraw(state, ship) for ship in open_ships):
                yield "withdraw"
        case StepKind.MOVE if seat.umpire or not is_foggy(state):
            yield "move"
        case StepKind.RESOLVE:
            viewer = Viewer.of(state, seat)
            if state.resolution is not None and any(fire_choices(viewer, state.resolution)):
                yield "roll_next"
        case StepKind.MARK if waiting:
            yield "mark"
        case StepKind.ENDED:
            yield "repair"
    if may_strike(state, edition) and any(targets(state, side) for side in sides):
        yield "air_strike"
    if any(_is_hidden(state, ship) for ship in own):
        yield "reveal"
    if state.kind is not StepKind.ENDED:
        yield "end"
    if seat.umpire:
        yield "correct"


def _may_commit(state: AdvancedState, side: str) -> bool:
    """56.1: every ship needs a plot; whoever designates no fire holds it."""
    plotted = all(ship.name in state.plots for ship in state.fleet(side))
    return plotted or state.kind is StepKind.DESIGNATE


def _may_withdraw(state: AdvancedState, ship: Combatant) -> bool:
    starting_range = state.engagement.starting_range_yards
    return judge_withdrawal(ship.rounds_outside, starting_range).may_withdraw


def _is_hidden(state: AdvancedState, ship: Combatant) -> bool:
    identity = state.identities.get(ship.name)
    return identity is not None and identity.is_hidden
