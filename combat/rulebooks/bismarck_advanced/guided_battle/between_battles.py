"""The turns between two battles: repairs at sea and in port, refuelling, who goes on (40, 68).

They are actions of the battle that has ended, so that its journal has their dice and undoes them.
"""

from collections.abc import Iterator
from dataclasses import replace

from combat.dice import Dice, DiceKind, RecordedDice, Roll
from combat.dice_wanted import DiceWanted, short_id
from combat.guided_actions import EarlierBattles, RollDice
from combat.guided_play import StepKind, Survivor
from combat.rulebooks.bismarck_advanced.after_battle.port import (
    PortReport,
    RefuelReport,
    check_in_port,
    check_refuelling,
    lacks,
    port_prospects,
    refuel,
    repair_in_port,
)
from combat.rulebooks.bismarck_advanced.after_battle.repair import (
    Part,
    Prospect,
    Section,
    after_battle,
    attempt_repair,
    check_repairs,
    prospect_of,
    prospects,
    repair_purpose,
)
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.glance import glance_at
from combat.rulebooks.bismarck_advanced.fire.jams import cleared_after_battle
from combat.rulebooks.bismarck_advanced.fleet.vessel import TurretState, Vessel
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState, state_of
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Repair
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import find
from combat.rulebooks.bismarck_advanced.guided_battle.orders import check_roll
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState, Yard
from combat.tables import TableSet
from combat.views import ProspectView, RefuelView, ShipRepairsView, StayView
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message, ShipRef, SideRef
from tabletop.schema import MISSING


def order_repair(state: AdvancedState, action: Repair, tables: TableSet) -> AdvancedState:
    """A repair named or made, a ship refuelled, or some turns let pass."""
    if state.kind is not StepKind.ENDED:
        raise DreyerError("advanced.repair_order.not_now")
    if action.next_turn:
        return _next_turn(state, action.turns)
    ship = _own_ship(state, action)
    if action.part is None and not action.refuel:
        parts = Message("schema.choice", choices=tuple(Part))
        raise BadField("repair", "part", parts, MISSING)
    if action.refuel:
        state = _refuel(state, ship, action, tables)
        ship = state.engagement[ship.name]
    if action.part is None:
        return state
    if ship.name in state.yard.tried:
        raise DreyerError("advanced.repair_order.tried", ship=ShipRef(ship.name))
    section = Section(action.part, action.turret)
    if action.in_port and section.part is not Part.RUDDER:
        return _repair_in_port(state, ship, section, action.turns, tables)
    return _attempt_named(state, ship, section, action)


def _own_ship(state: AdvancedState, action: Repair) -> Combatant:
    if action.ship is None:
        raise BadField("repair", "ship", Message("advanced.expected.ship_name"), MISSING)
    ship, side = find(state, action.side, action.ship), action.side
    if side is not None and ship.side != side:
        raise DreyerError(
            "advanced.repair_order.not_yours", ship=ShipRef(ship.name), side=SideRef(side)
        )
    if state.yard.pending is not None:
        pending = ShipRef(state.yard.pending[0])
        raise DreyerError("advanced.repair_order.other_waiting", ship=pending)
    return ship


def _next_turn(state: AdvancedState, turns: int) -> AdvancedState:
    yard = state.yard
    if yard.pending is not None:
        raise DreyerError("advanced.repair_order.waiting")
    return replace(state, yard=replace(yard, turn=yard.turn + turns))


def _attempt_named(
    state: AdvancedState, ship: Combatant, section: Section, action: Repair
) -> AdvancedState:
    """40.2: the section is named before the die falls."""
    if action.turns != 1:
        expected = Message("advanced.expected.one_turn")
        raise BadField("repair", "turns", expected, str(action.turns))
    check_repairs(ship.vessel, moved_two_zones=action.moved_two_zones)
    if action.in_port:
        check_in_port(ship.vessel, section)
    else:
        prospect_of(ship.vessel, section)
    pending = replace(
        state.yard,
        pending=(ship.name, section),
        moved_two_zones=action.moved_two_zones,
        in_port=action.in_port,
    )
    return replace(state, yard=pending)


def _repair_in_port(
    state: AdvancedState, ship: Combatant, section: Section, turns: int, tables: TableSet
) -> AdvancedState:
    yard, name = state.yard, ship.name
    before = yard.turns_on_hull.get(name, 0)
    report = repair_in_port(ship.vessel, section, turns, tables, turns_before=before)
    if section.part is Part.HULL:
        yard = replace(yard, turns_on_hull={**yard.turns_on_hull, name: before + turns})
    yard = replace(
        yard,
        busy={**yard.busy, name: yard.turn + turns - 1},
        reports=(*yard.reports, report),
    )
    return _reported(state, report, yard)


def _refuel(
    state: AdvancedState, ship: Combatant, action: Repair, tables: TableSet
) -> AdvancedState:
    yard, name = state.yard, ship.name
    if yard.refuelled.get(name, 0) >= yard.turn:
        raise DreyerError("advanced.refuel.done", ship=ShipRef(name))
    report = refuel(ship.vessel, action.turns, tables, in_port=action.in_port)
    yard = replace(
        yard,
        refuelled={**yard.refuelled, name: yard.turn + action.turns - 1},
        reports=(*yard.reports, report),
    )
    return _reported(state, report, yard)


def _reported(state: AdvancedState, report: PortReport | RefuelReport, yard: Yard) -> AdvancedState:
    ship = state.engagement[report.ship]
    changed = {ship.name: replace(ship, vessel=report.vessel_after)}
    return replace(state, engagement=state.engagement.with_combatants(changed), yard=yard)


def repair_wanted(state: AdvancedState) -> DiceWanted | None:
    """The die of the repair that is being attempted."""
    if state.yard.pending is None:
        return None
    name, section = state.yard.pending
    number = len(state.yard.reports) + 1
    purpose = repair_purpose(name, section)
    roll = short_id(state.phase, number, purpose)
    return DiceWanted(DiceKind.DIE, purpose, state.engagement[name].side, number, 1, roll)


def roll_repair(
    state: AdvancedState, action: RollDice, dice: Dice, tables: TableSet
) -> tuple[AdvancedState, tuple[Roll, ...]]:
    """The die of a repair: what it mends, or that what is marked stays so (40.3)."""
    yard = state.yard
    if yard.pending is None:
        raise DreyerError("advanced.repair_order.none_named")
    name, section = yard.pending
    check_roll(action, repair_wanted(state))
    ship = state.engagement[name]
    recorded = RecordedDice(dice, ship.side)
    # 40.3: what is filled in solid is so at sea.
    vessel = replace(ship.vessel, solid_helm=frozenset()) if yard.in_port else ship.vessel
    report = attempt_repair(vessel, section, recorded, tables, moved_two_zones=yard.moved_two_zones)
    mended = state.engagement.with_combatants({name: replace(ship, vessel=report.vessel_after)})
    yard = replace(
        yard,
        pending=None,
        in_port=False,
        busy={**yard.busy, name: yard.turn},
        reports=(*yard.reports, report),
    )
    return replace(state, engagement=mended, yard=yard), recorded.rolls


# What pages show


def ship_repairs(state: AdvancedState, ship: Combatant) -> ShipRepairsView:
    """One ship between the battles: what was done, and what may be."""
    verdict, vessel = after_battle(ship.vessel), ship.vessel
    try:
        check_repairs(vessel)
        in_port = port_prospects(vessel)
    except DreyerError:
        in_port = ()
    torpedoes, ammunition = lacks(vessel)
    return ShipRepairsView(
        stays=StayView(verdict.stays, verdict.why, verdict.rule),
        tries=tuple(_done(state.yard, ship.name)),
        prospects=tuple(map(_prospect_view, prospects(vessel))),
        in_port=tuple(map(_prospect_view, in_port)),
        refuel=RefuelView(
            torpedoes=torpedoes,
            ammunition=ammunition,
            at_sea=_may_refuel(vessel, in_port=False),
            in_port=_may_refuel(vessel, in_port=True),
            done=state.yard.refuelled.get(ship.name, 0) >= state.yard.turn,
        ),
        busy_until=state.yard.busy.get(ship.name, 0),
    )


def _may_refuel(vessel: Vessel, *, in_port: bool) -> bool:
    try:
        check_refuelling(vessel, in_port=in_port)
    except DreyerError:
        return False
    return after_battle(vessel).stays


def _done(yard: Yard, ship: str) -> Iterator[Message]:
    for report in yard.reports:
        if report.ship != ship:
            continue
        if isinstance(report, PortReport | RefuelReport):
            yield report.words
        else:
            yield Message(
                "advanced.repair_order.try",
                section=report.section.title,
                die=report.die,
                result=report.words,
            )


def _prospect_view(prospect: Prospect) -> ProspectView:
    return ProspectView(
        part=prospect.section.part.value,
        turret=prospect.section.turret,
        title=prospect.section.title,
        marked=prospect.marked,
        repairable=prospect.repairable,
        why_not=prospect.why_not,
        reference=prospect.rule,
    )


# The next battle


def survivors(state: AdvancedState) -> tuple[Survivor, ...]:
    """Every ship of a battle that has ended, and with what she begins the next."""
    if state.kind is not StepKind.ENDED:
        raise DreyerError("advanced.next_battle.not_ended")
    if state.yard.pending is not None:
        raise DreyerError("advanced.repair_order.waiting")
    return tuple(map(_survivor, state.engagement.combatants))


def _survivor(ship: Combatant) -> Survivor:
    verdict, vessel = after_battle(ship.vessel), carried_over(ship.vessel)
    marks = state_of(vessel)
    return Survivor(
        name=ship.name,
        type=vessel.warship.name,
        side=ship.side,
        goes_on=verdict.stays,
        why=verdict.why,
        rule=verdict.rule,
        marks=None if marks == ShipState() or not verdict.stays else marks,
        glance=glance_at(vessel if verdict.stays else ship.vessel),
    )


def carried_over(vessel: Vessel) -> Vessel:
    """The ship as she begins her next battle.

    Marks, ammunition and spent torpedoes stay (64.1, 65, 19.3), and so does what can no longer be
    repaired (40.3). Jams end with the battle (71.4), and with them whatever lasts for some phases
    or rounds of it; the crew is fresh, since it tires by the rounds of one battle (decided).
    """
    rested = cleared_after_battle(vessel)
    return replace(
        rested,
        turrets=tuple(map(_turret_carried, rested.turrets)),
        steady_for_phases=0,
        held_speed_rounds=0,
        rounds_of_fire=0,
    )


def _turret_carried(state: TurretState) -> TurretState:
    return replace(state, out_for_phases=0, out_for_battle=False)


def next_of(state: AdvancedState) -> EarlierBattles:
    """How the battle after this one is numbered, and what it follows."""
    before = state.follows
    return EarlierBattles(
        campaign=before.campaign if before else state.title,
        previous=state.title,
        number=before.number + 1 if before else 2,
    )
