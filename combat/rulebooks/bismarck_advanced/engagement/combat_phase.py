"""The combat phases: fire is designated, then resolved as simultaneous (56.3, 56.4, 62)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from combat.dice import Dice
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.engagement import (
    Combatant,
    Engagement,
    FireRecord,
)
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, resolve_fire
from combat.rulebooks.bismarck_advanced.fire.jams import JamReport, roll_jams
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Crew,
    Shot,
    Sightline,
    check_allowed,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fire.sightlines import Sights
from combat.rulebooks.bismarck_advanced.fire.torpedoes import (
    Salvo,
    SalvoTarget,
    TorpedoReport,
    due_in,
    find_receiver,
    resolve_salvo,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.speed import RoundSpeed, after_damage, end_round
from combat.rulebooks.bismarck_advanced.phases import Segment
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.survey import Survey

FireKey = tuple[str, str, Battery]
"""Firer, target and battery: one fire of a phase."""


@dataclass(frozen=True, slots=True)
class FireOrder:
    """A player's order for one target in a fire designation phase (61.1)."""

    firer: str
    target: str
    battery: Battery = Battery.MAIN
    turrets: tuple[str, ...] = ()
    """Empty means all that bear."""
    guns: int | None = None
    """How many guns fire of all those turrets, where that is designated."""
    held_back: bool = False
    rates: Mapping[str, int] = field(default_factory=dict, hash=False)
    """How many guns fire of each turret whose rate of fire is reduced, after jams (67.41)."""

    @property
    def key(self) -> FireKey:
        """The fire that the order is for; each is designated once."""
        return self.firer, self.target, self.battery


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The results of a combat phase, in the order of resolution (62.3)."""

    round_number: int
    segment: Segment
    jams: tuple[JamReport, ...]
    fires: tuple[FireReport, ...]
    torpedoes: tuple[TorpedoReport, ...]
    sunk: tuple[str, ...]
    slowed: Mapping[str, RoundSpeed]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A salvo of torpedoes that is due, and the ship that it hits (69.6)."""

    salvo: Salvo
    reception: SalvoTarget
    receiver: str


@dataclass(frozen=True, slots=True)
class PhasePlan:
    """The fires of a phase after the rolls for jams, which determine all further dice."""

    battle: Engagement
    """The state in which everybody fires, with this phase's lasting jams (71.4)."""
    jams: tuple[JamReport, ...]
    shots: tuple[Shot, ...]
    """In the order of resolution (62.3)."""
    arrivals: tuple[Arrival, ...]

    @property
    def marks(self) -> dict[str, Vessel]:
        """Every ship as the first fire finds her.

        A turret that is out does not fire in this phase; hits on it count from the next phase.
        """
        return {ship.name: ship.vessel.turrets_rested() for ship in self.battle.combatants}


@dataclass(frozen=True, slots=True)
class Fallen:
    """The rolls of a combat phase and the marks they made."""

    battle: Engagement
    """The state in which everybody fires, with this phase's lasting jams (71.4)."""
    now: Mapping[str, Vessel]
    """Every ship with her current marks."""
    jams: tuple[JamReport, ...]
    fires: tuple[FireReport, ...]
    torpedoes: tuple[TorpedoReport, ...]


def resolve_fire_phase(
    battle: Engagement,
    orders: Sequence[FireOrder],
    dice: Dice,
    combat_tables: CombatTables,
    rules: TableRules,
    *,
    spare_dice: bool = False,
) -> tuple[Engagement, PhaseReport]:
    """Resolve all fire of a segment as simultaneous (62.2), the Allies' first (62.3).

    Every ship fires in her state at the start of the phase; damage is collected separately. With
    `spare_dice` nothing is rolled that cannot change anything.
    """
    plan = plan_fire_phase(battle, orders, dice, combat_tables, rules, spare_dice=spare_dice)
    now = plan.marks
    fires = tuple(
        resolve_shot(shot, plan.battle, now, dice, combat_tables, spare_dice=spare_dice)
        for shot in plan.shots
    )
    torpedoes = tuple(
        resolve_arrival(each, plan.battle, now, dice, combat_tables, spare_dice=spare_dice)
        for each in plan.arrivals
    )
    return conclude_fire_phase(Fallen(plan.battle, now, plan.jams, fires, torpedoes))


def plan_fire_phase(
    battle: Engagement,
    orders: Sequence[FireOrder],
    dice: Dice,
    combat_tables: CombatTables,
    rules: TableRules,
    *,
    spare_dice: bool = False,
) -> PhasePlan:
    """Roll for jams (71.2), and put all remaining fire into its order (62.3).

    With `spare_dice` a ship does not roll where none of her guns that fire can jam.
    """
    _check_designations(battle, orders)
    seen = Sights(battle.table, rules, battle.agreed)
    battle, jams = _roll_jams(battle, orders, seen, dice, combat_tables, spare_dice=spare_dice)
    jammed = {report.ship: report.jammed for report in jams}
    shots = [_shot(battle, order, orders, seen, jammed) for order in orders]
    # If all guns have jammed, nothing is fired (71.2).
    fired = [shot for shot in shots if shot.ready or shot.firer.name not in jammed]
    for shot in fired:
        check_allowed(shot)
    return PhasePlan(
        battle,
        tuple(jams),
        tuple(sorted(fired, key=lambda shot: battle.fires_after(battle[shot.firer.name]))),
        tuple(_arrivals(battle)),
    )


def resolve_shot(
    shot: Shot,
    battle: Engagement,
    now: dict[str, Vessel],
    dice: Dice,
    combat_tables: CombatTables,
    *,
    spare_dice: bool = False,
) -> FireReport:
    """Resolve one fire of the phase; its marks and ammunition are added to `now`.

    With `spare_dice` it spares the dice that `resolve_fire` spares.
    """
    firer, target = shot.firer.name, shot.target.name
    report = resolve_fire(
        shot,
        dice,
        combat_tables,
        options=battle.options,
        target_now=now[target],
        spare_dice=spare_dice,
    )
    now[target] = report.target_after
    used = report.expenditure
    now[firer] = now[firer].spending(shot.battery, used.spent, used.by_turret)
    return report


def resolve_arrival(
    arrival: Arrival,
    battle: Engagement,
    now: dict[str, Vessel],
    dice: Dice,
    combat_tables: CombatTables,
    *,
    spare_dice: bool = False,
) -> TorpedoReport:
    """Resolve one salvo that is due, simultaneous with gunfire (19.6, 69.4); updates `now`.

    With `spare_dice` nothing is rolled that cannot change anything.
    """
    receiver = battle[arrival.receiver]
    report = resolve_salvo(
        arrival.salvo,
        arrival.reception,
        receiver.vessel,
        receiver.evolution,
        dice,
        combat_tables.tables,
        receiver_now=now[receiver.name],
        spare_dice=spare_dice,
    )
    now[receiver.name] = report.receiver_after
    return report


def conclude_fire_phase(fallen: Fallen) -> tuple[Engagement, PhaseReport]:
    """The battle after the last die: sunk and slowed ships, and the next segment."""
    battle, now, fires, torpedoes = fallen.battle, fallen.now, fallen.fires, fallen.torpedoes
    struck = {report.shot.target.name for report in fires if report.hits}
    struck |= {report.receiver_after.name for report in torpedoes if report.hits}
    changed = {
        ship.name: _after_phase(ship, now[ship.name], fires, struck, battle.segment)
        for ship in battle.in_action
    }
    phase = PhaseReport(
        battle.round_number,
        battle.segment,
        fallen.jams,
        fires,
        torpedoes,
        tuple(name for name, after in changed.items() if after.vessel.is_sunk),
        {
            name: after.moving
            for name, after in changed.items()
            if after.moving is not None and after.moving != battle[name].moving
        },
    )
    return _next_segment(battle.with_combatants(changed)), phase


def designate(
    battle: Engagement, orders: Sequence[FireOrder], rules: TableRules
) -> tuple[Shot, ...]:
    """The shots of the fire orders, with the conditions that depend on other orders."""
    _check_designations(battle, orders)
    seen = Sights(battle.table, rules, battle.agreed)
    return tuple(_shot(battle, order, orders, seen, {}) for order in orders)


def guns_that_bear(battle: Engagement, seen: Survey, firer: str, target: str) -> Iterator[Battery]:
    """The gun types of a ship that could fire at a target now."""
    vessel = battle[firer].vessel
    line = Sightline.from_check(seen.summary(firer, target))
    if line.band is None:
        return
    for battery in Battery:
        reaches = vessel.warship.rate_of_fire.multiplier(battery, line.band) is not None
        bears = turrets_bearing(vessel, battery, line.quadrant, {})
        if reaches and bears and vessel.ammunition(battery) > 0:
            yield battery


def _check_designations(battle: Engagement, orders: Sequence[FireOrder]) -> None:
    """61.2: no turret at two targets, and nobody at friends or at herself."""
    taken: dict[tuple[str, Battery], list[tuple[str, ...]]] = {}
    for order in orders:
        firer = _in_action(battle, order.firer)
        target = _in_action(battle, order.target)
        if battle.are_friends(firer.side, target.side):
            friends = Message(
                "advanced.forbidden.friends",
                ship=ShipRef(order.firer),
                target=ShipRef(order.target),
            )
            raise Forbidden(friends, "61.1")
        others = taken.setdefault((order.firer, order.battery), [])
        everything = not order.turrets or any(not other for other in others)
        shared = {turret for other in others for turret in other} & set(order.turrets)
        if others and (everything or shared):
            raise Forbidden(
                Message(
                    "advanced.forbidden.turrets_shared",
                    ship=ShipRef(order.firer),
                    battery=Message(f"advanced.battery.{order.battery}"),
                ),
                "61.2",
            )
        others.append(order.turrets)


def _in_action(battle: Engagement, name: str) -> Combatant:
    ship = battle[name]
    if ship.vessel.is_sunk:
        raise Forbidden(Message("advanced.forbidden.sunk", ship=ShipRef(name)), "64.8")
    if ship.withdrawn:
        raise Forbidden(Message("advanced.forbidden.withdrawn", ship=ShipRef(name)), "66")
    return ship


def _roll_jams(
    battle: Engagement,
    orders: Sequence[FireOrder],
    seen: Sights,
    dice: Dice,
    combat_tables: CombatTables,
    *,
    spare_dice: bool,
) -> tuple[Engagement, list[JamReport]]:
    """71.2: one roll for each ship that is prone to jams and fires, before any fire."""
    reports, changed = [], {}
    for ship in battle.in_action:
        if ship.vessel.warship.jam_table is None:
            continue
        firing = {
            turret.name
            for order in orders
            if order.firer == ship.name and order.battery is Battery.MAIN
            for turret in turrets_bearing(
                ship.vessel,
                Battery.MAIN,
                seen.line(ship.name, order.target).quadrant,
                {},
            )
            if not order.turrets or turret.name in order.turrets
        }
        report = roll_jams(ship.vessel, firing, dice, combat_tables.tables, spare_dice=spare_dice)
        if report is not None:
            reports.append(report)
            changed[ship.name] = replace(ship, vessel=report.vessel_after)
    return battle.with_combatants(changed), reports


def _shot(
    battle: Engagement,
    order: FireOrder,
    orders: Sequence[FireOrder],
    seen: Sights,
    jammed: Mapping[str, Mapping[str, int]],
) -> Shot:
    firer, target = battle[order.firer], battle[order.target]
    fired_before = {(f.battery, f.target): f.hit for f in firer.fired}
    key = order.battery, order.target
    same_guns = {o.target for o in orders if (o.firer, o.battery) == (order.firer, order.battery)}
    at_target = {(o.firer, o.battery) for o in orders if o.target == order.target}
    shot = Shot(
        firer=firer.vessel,
        target=target.vessel,
        firer_speed=firer.speed,
        target_speed=target.speed,
        battery=order.battery,
        sightline=seen.line(order.firer, order.target),
        turrets=order.turrets,
        guns=order.guns,
        held_back=order.held_back,
        rates=order.rates,
        conditions=Conditions(
            visibility=battle.visibility,
            night=battle.night,
            first_fire_at_target=key not in fired_before,
            hit_target_last_segment=fired_before.get(key, False),
            hit_last_segment=firer.hit_last_segment,
            under_fire=any(o.target == order.firer for o in orders),
            crew=Crew.after(firer.vessel.rounds_of_fire),
            several_targets=len(same_guns) > 1,
            several_firers=len(at_target) > 1,
            firer_evolution=firer.evolution,
            target_evolution=target.evolution,
            firer_smoke_cover=battle.smoke.is_covered(order.firer, battle.phase),
            target_smoke_cover=battle.smoke.is_covered(order.target, battle.phase),
            jammed=jammed.get(order.firer, {}),
        ),
    )
    if order.firer not in jammed:
        return shot
    # Guns that jammed after the designation are removed from it.
    ready = tuple(turret for turret in shot.ready if turret.guns)
    guns = None if order.guns is None else min(order.guns, sum(turret.guns for turret in ready))
    names = tuple(turret.name for turret in ready)
    return replace(shot, turrets=names if names else order.turrets, guns=guns)


def _arrivals(battle: Engagement) -> Iterator[Arrival]:
    """19.6, 69.4: the salvos that are due and hit a ship."""
    for salvo in due_in(battle.salvos, battle.phase):
        reception = find_receiver(salvo, battle.table)
        if reception.receiver is not None:
            yield Arrival(salvo, reception, reception.receiver)


def _after_phase(
    before: Combatant,
    vessel: Vessel,
    fires: Sequence[FireReport],
    struck: set[str],
    segment: Segment,
) -> Combatant:
    """A ship's state after a combat phase; modifications change only now (62.552)."""
    own = [report for report in fires if report.shot.firer.name == before.name]
    moving = before.moving
    if segment is Segment.INITIAL:
        if moving is not None:
            moving = after_damage(moving, vessel.movement_factor)
    elif own or before.fired or vessel.rounds_of_fire:
        vessel = replace(vessel, rounds_of_fire=vessel.rounds_of_fire + 1)
    return replace(
        before,
        vessel=vessel,
        moving=moving,
        fired=tuple(FireRecord(r.shot.battery, r.shot.target.name, r.hits > 0) for r in own),
        hit_last_segment=before.name in struck,
    )


def _one_round_less_held(vessel: Vessel) -> Vessel:
    if not vessel.held_speed_rounds:
        return vessel
    return replace(vessel, held_speed_rounds=vessel.held_speed_rounds - 1)


def _next_segment(battle: Engagement) -> Engagement:
    smoke = battle.smoke.after(battle.phase)
    salvos = tuple(salvo for salvo in battle.salvos if salvo.due > battle.phase)
    # Agreements about lines of fire end with the phase, because ships move.
    battle = replace(battle, smoke=smoke, salvos=salvos, agreed=())
    if battle.segment is Segment.INITIAL:
        return replace(battle, segment=Segment.SECOND)
    ended = {
        ship.name: replace(
            ship,
            record=end_round(ship.record, ship.moving, ship.vessel.movement_factor),
            vessel=_one_round_less_held(ship.vessel),
        )
        for ship in battle.in_action
        if ship.moving is not None
    }
    return replace(
        battle.with_combatants(ended),
        round_number=battle.round_number + 1,
        segment=Segment.INITIAL,
    )
