"""How ships leave and battles end, and the repairs after them (56, 66, 68)."""

from dataclasses import replace

from combat.dice import Dice, DiceKind, RecordedDice, Roll
from combat.guided_actions import EndBattle, RollDice, Withdraw
from combat.guided_play import StepKind
from combat.rulebook import DiceWanted
from combat.rulebooks.bismarck_advanced.after_battle.repair import (
    Part,
    RepairForbidden,
    Section,
    after_battle,
    attempt_repair,
    check_repairs,
    prospects,
)
from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import judge_withdrawal
from combat.rulebooks.bismarck_advanced.fire.jams import cleared_after_battle
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Repair
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import as_typed, command, find
from combat.rulebooks.bismarck_advanced.guided_battle.orders import check_first
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState, Yard
from combat.rulebooks.bismarck_advanced.guided_battle.story import tell
from combat.tables import TableSet
from tabletop.errors import BadField, DreyerError


def withdraw(state: AdvancedState, action: Withdraw) -> AdvancedState:
    """66: a ship that has been out of reach long enough leaves, before she is moved again."""
    ship = command(state, action.side, action.ship)
    if state.kind is not StepKind.PLOT or ship.side in state.committed:
        raise DreyerError("ships withdraw while their side's plots are open (66)")
    battle = state.engagement
    verdict = judge_withdrawal(ship.rounds_outside, battle.starting_range_yards)
    if not verdict.may_withdraw:
        raise DreyerError(f"{ship.name} cannot withdraw: {verdict.why} ({verdict.rule})")
    gone = battle.with_combatants({ship.name: replace(ship, withdrawn=True)})
    plots = {name: order for name, order in state.plots.items() if name != ship.name}
    state = replace(state, engagement=gone, plots=plots)
    state = state.telling(tell("withdraw", f"{ship.name} withdraws", "66", (ship.name,)))
    return ended_if_over(state)


def agree_to_end(state: AdvancedState, action: EndBattle) -> AdvancedState:
    """A battle ends before its time when every side says so, or the umpire."""
    side, reason = action.side, as_typed(action.reason)
    if state.kind is StepKind.ENDED:
        raise DreyerError("the battle is over already")
    if side is None:
        return ended(state, f"The umpire ends the battle: {reason}")
    wants = state.wants_to_end | {side} if action.agree else state.wants_to_end - {side}
    state = replace(state, wants_to_end=wants)
    if wants >= set(state.sides):
        count = "Both" if len(state.sides) == 2 else "All"
        return ended(state, f"{count} sides end the battle: {reason}")
    return state


def ended_if_over(state: AdvancedState) -> AdvancedState:
    """56: over when all of one side's ships are sunk or gone."""
    if not state.engagement.is_over:
        return state
    left = [side for side in state.sides if state.fleet(side)]
    beaten = " and ".join(side for side in state.sides if side not in left)
    victory = f": {' and '.join(left)} victory" if left else ""
    return ended(state, f"All {beaten} ships are sunk or gone{victory}")


def ended(state: AdvancedState, why: str) -> AdvancedState:
    """The battle over: every ship turned up, no gun jammed any longer (71.4)."""
    rested = {
        ship.name: replace(ship, vessel=cleared_after_battle(ship.vessel))
        for ship in state.engagement.combatants
    }
    state = replace(
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
    verdicts = (after_battle(ship.vessel) for ship in state.engagement.combatants)
    leave = [verdict for verdict in verdicts if not verdict.stays and verdict.rule == "70.6"]
    told = (tell("end", verdict.why, verdict.rule) for verdict in leave)
    return state.telling(tell("end", why, "56"), *told)


def order_repair(state: AdvancedState, action: Repair) -> AdvancedState:
    """68: name the section that an attempt is made on, or begin the next turn of repairs."""
    if state.kind is not StepKind.ENDED:
        raise DreyerError("repairs are made between battles (68, 40.1): end this one first")
    side, yard = action.side, state.yard
    if action.next_turn:
        if yard.pending is not None:
            raise DreyerError("a repair is waiting for its die: roll it first")
        fresh = Yard(turn=yard.turn + 1, reports=yard.reports)
        return replace(state, yard=fresh)
    if action.ship is None:
        raise BadField("repair", "ship", "the name of a ship", "nothing: the key is missing")
    ship = find(state, side, action.ship)
    if side is not None and ship.side != side:
        raise DreyerError(f"{ship.name} is not a {side} ship: repair your own")
    if yard.pending is not None:
        raise DreyerError(f"the repair of {yard.pending[0]} is waiting for its die: roll it first")
    if ship.name in yard.tried:
        raise DreyerError(f"{ship.name} has had her attempt in this turn (40.1)")
    check_repairs(ship.vessel, moved_two_zones=action.moved_two_zones)
    if action.part is None:
        parts = f"one of {', '.join(Part)}"
        raise BadField("repair", "part", parts, "nothing: the key is missing")
    section = Section(action.part, action.turret)
    prospect = next((p for p in prospects(ship.vessel) if p.section == section), None)
    if prospect is None:
        raise RepairForbidden(f"{ship.name}'s {section} is not damaged", "40.1")
    if prospect.why_not is not None:
        raise RepairForbidden(f"{ship.name}: {prospect.why_not}", prospect.rule)
    pending = replace(yard, pending=(ship.name, section), moved_two_zones=action.moved_two_zones)
    return replace(state, yard=pending)


def repair_wanted(state: AdvancedState) -> DiceWanted | None:
    """The die of the repair that is being attempted."""
    if state.yard.pending is None:
        return None
    name, section = state.yard.pending
    number = len(state.yard.reports) + 1
    purpose = f"the repair of {name}'s {section}"
    return DiceWanted(DiceKind.DIE, purpose, state.engagement[name].side, number)


def roll_repair(
    state: AdvancedState, action: RollDice, dice: Dice, tables: TableSet
) -> tuple[AdvancedState, tuple[Roll, ...]]:
    """The die of a repair: what it mends, or that what is marked stays so (40.3)."""
    yard = state.yard
    if yard.pending is None:
        raise DreyerError("no dice are wanted now: name a repair first (68)")
    name, section = yard.pending
    check_first(action, len(yard.reports) + 1)
    ship = state.engagement[name]
    recorded = RecordedDice(dice, ship.side)
    report = attempt_repair(
        ship.vessel, section, recorded, tables, moved_two_zones=yard.moved_two_zones
    )
    mended = state.engagement.with_combatants({name: replace(ship, vessel=report.vessel_after)})
    yard = replace(yard, pending=None, tried=yard.tried | {name}, reports=(*yard.reports, report))
    text = f"{name}'s {section}, {report.die}: {report.words}"
    told = tell("repair", text, report.rule, (name,))
    return replace(state, engagement=mended, yard=yard).telling(told), recorded.rolls
