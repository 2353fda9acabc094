"""How ships leave and battles end, and the repairs after them (56, 66, 68)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from combat.dice import Dice, DiceKind, RecordedDice, Roll
from combat.guided_actions import EndBattle, RollDice, Withdraw
from combat.guided_play import StepKind
from combat.rulebook import DiceWanted
from combat.rulebooks.bismarck_advanced.after_battle.repair import (
    Part,
    Section,
    attempt_repair,
    check_repairs,
    prospect_of,
    repair_purpose,
)
from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import judge_withdrawal
from combat.rulebooks.bismarck_advanced.fire.jams import cleared_after_battle
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Repair
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import command, find
from combat.rulebooks.bismarck_advanced.guided_battle.orders import check_first
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState, Yard
from combat.tables import TableSet
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.schema import MISSING


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
        lambda rest, side: Message("advanced.end.and", side=side, rest=rest),
        reversed(others),
        Message("advanced.end.side", side=last),
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
        open_move=None,
        resolution=None,
        committed=frozenset(),
        wants_to_end=frozenset(),
        ending=why,
    )


def order_repair(state: AdvancedState, action: Repair) -> AdvancedState:
    """68: name the section that an attempt is made on, or begin the next turn of repairs."""
    if state.kind is not StepKind.ENDED:
        raise DreyerError("advanced.repair_order.not_now")
    side, yard = action.side, state.yard
    if action.next_turn:
        if yard.pending is not None:
            raise DreyerError("advanced.repair_order.waiting")
        fresh = Yard(turn=yard.turn + 1, reports=yard.reports)
        return replace(state, yard=fresh)
    if action.ship is None:
        raise BadField("repair", "ship", Message("advanced.expected.ship_name"), MISSING)
    ship = find(state, side, action.ship)
    if side is not None and ship.side != side:
        raise DreyerError("advanced.repair_order.not_yours", ship=ShipRef(ship.name), side=side)
    if yard.pending is not None:
        raise DreyerError("advanced.repair_order.other_waiting", ship=ShipRef(yard.pending[0]))
    if ship.name in yard.tried:
        raise DreyerError("advanced.repair_order.tried", ship=ShipRef(ship.name))
    check_repairs(ship.vessel, moved_two_zones=action.moved_two_zones)
    if action.part is None:
        parts = Message("schema.choice", choices=tuple(Part))
        raise BadField("repair", "part", parts, MISSING)
    section = Section(action.part, action.turret)
    prospect_of(ship.vessel, section)
    pending = replace(yard, pending=(ship.name, section), moved_two_zones=action.moved_two_zones)
    return replace(state, yard=pending)


def repair_wanted(state: AdvancedState) -> DiceWanted | None:
    """The die of the repair that is being attempted."""
    if state.yard.pending is None:
        return None
    name, section = state.yard.pending
    number = len(state.yard.reports) + 1
    purpose = repair_purpose(name, section)
    return DiceWanted(DiceKind.DIE, purpose, state.engagement[name].side, number)


def roll_repair(
    state: AdvancedState, action: RollDice, dice: Dice, tables: TableSet
) -> tuple[AdvancedState, tuple[Roll, ...]]:
    """The die of a repair: what it mends, or that what is marked stays so (40.3)."""
    yard = state.yard
    if yard.pending is None:
        raise DreyerError("advanced.repair_order.none_named")
    name, section = yard.pending
    check_first(action, len(yard.reports) + 1)
    ship = state.engagement[name]
    recorded = RecordedDice(dice, ship.side)
    report = attempt_repair(
        ship.vessel, section, recorded, tables, moved_two_zones=yard.moved_two_zones
    )
    mended = state.engagement.with_combatants({name: replace(ship, vessel=report.vessel_after)})
    yard = replace(yard, pending=None, tried=yard.tried | {name}, reports=(*yard.reports, report))
    return replace(state, engagement=mended, yard=yard), recorded.rolls
