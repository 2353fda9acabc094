"""The combat designation phases: who fires what at whom, turret by turret (56.3, 56.7, 61)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireOrder, designate
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import expenditure
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.odds import forecast_fire, forecast_segment
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Shot,
    check_allowed,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fire.sightlines import Sights
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Designate
from combat.rulebooks.bismarck_advanced.guided_battle.agreements import agreed_message
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames
from combat.rulebooks.bismarck_advanced.guided_battle.sealed import guessed_modifications
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.views import (
    BatteryOption,
    CheckedFire,
    DraftFault,
    FireCheck,
    MountOption,
    OrdersCheck,
    ShipFire,
    TargetOption,
)
from tabletop.arcs import Quadrant
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.rulings import SettledPair

if TYPE_CHECKING:
    from combat.forecast import Forecast

_FACTOR_RULE: Final = "62.43"
_UNDER_FIRE: Final = 13
"""Whether she is fired upon is the other side's secret until all fire lies open (62.55)."""
_SECRET_OF_TARGET: Final = frozenset({8, 15, 16})
"""Modifications that follow from who the target is and how fast she goes (62.554, 62.555)."""


def check_whole_turrets(draft: Designate, edition: Edition) -> None:
    """67.41: turrets are designated; with how many of their guns they fire is said later."""
    if edition.rate_reduced_in_resolution and any(
        aim.guns is not None or aim.held_back for aim in draft.orders
    ):
        raise Forbidden(Message("advanced.rate.not_designated"), "67.41")


def check_orders(
    battle: Engagement, orders: Sequence[FireOrder], rules: TableRules
) -> tuple[Shot, ...]:
    """The shots of one side's orders; Forbidden for the first that is not allowed."""
    for number, order in enumerate(orders):
        for other in orders[:number]:
            alike = (order.firer, order.target, order.battery)
            if alike == (other.firer, other.target, other.battery):
                once = Message(
                    "advanced.order.twice_at_target",
                    ship=ShipRef(order.firer),
                    target=ShipRef(order.target),
                    battery=Message(f"advanced.battery.{order.battery}"),
                )
                raise Forbidden(once, "62.42")
    shots = designate(battle, orders, rules) if orders else ()
    for shot in shots:
        check_allowed(shot)
    return shots


def side_orders(
    state: AdvancedState, side: str, drafts: Mapping[str, tuple[FireOrder, ...]]
) -> tuple[FireOrder, ...]:
    """A side's fire orders, in the order of its ships."""
    return tuple(order for ship in state.fleet(side) for order in drafts.get(ship.name, ()))


def all_orders(state: AdvancedState) -> tuple[FireOrder, ...]:
    """Everybody's fire orders, in the order of the ships."""
    return tuple(
        order for ship in state.engagement.in_action for order in state.fires.get(ship.name, ())
    )


@dataclass(frozen=True, slots=True)
class FireViewer:
    """Who looks at a fire before its dice: what is known, and what is worked out with."""

    battle: Engagement
    """With the ships of others as their movement has shown them (57.6)."""
    names: KnownNames
    rules: TableRules
    combat_tables: CombatTables
    plots_sealed: bool
    """Whether the others' plots of this segment are sealed to the viewer."""
    fire_open: bool = False
    """Whether all designations are open, so that it is known who is fired upon."""

    def guessed(self, target: str) -> frozenset[int]:
        """The modifications that count as far as they are known, by their numbers."""
        found = frozenset() if self.fire_open else frozenset({_UNDER_FIRE})
        if self.plots_sealed:
            found |= guessed_modifications(self.battle[target], self.battle.segment)
        return found

    def as_shown(self, shot: Shot) -> Shot:
        """A shot with the target as her movement has shown her."""
        target = self.battle[shot.target.name]
        conditions = replace(shot.conditions, target_evolution=target.evolution)
        return replace(shot, target_speed=target.speed, conditions=conditions)


def fire_options(ship: Combatant, viewer: FireViewer) -> tuple[TargetOption, ...]:
    """Every enemy as a ship sees her, nearest first, and what each battery could do."""
    battle, rules = viewer.battle, viewer.rules
    seen = Sights(battle.table, rules, battle.agreed)
    checks = sorted(
        (
            seen.settled(ship.name, enemy.name)
            for enemy in battle.enemies_of(ship)
            if enemy.name not in viewer.names.unseen
        ),
        key=lambda check: check.range_yards,
    )
    return tuple(_target(ship, check, seen, viewer) for check in checks)


def allowed_fires(ship: Combatant, viewer: FireViewer) -> Iterator[tuple[str, Battery]]:
    """Each target and battery that a ship could fire with at her, nearest first; no odds."""
    battle, rules = viewer.battle, viewer.rules
    seen = Sights(battle.table, rules, battle.agreed)
    enemies = [
        enemy.name for enemy in battle.enemies_of(ship) if enemy.name not in viewer.names.unseen
    ]
    ranges = {name: seen.settled(ship.name, name).range_yards for name in enemies}
    for enemy in sorted(enemies, key=lambda name: ranges[name]):
        for battery in Battery:
            if not ship.vessel.warship.guns(battery):
                continue
            try:
                check_orders(battle, (FireOrder(ship.name, enemy, battery),), rules)
            except Forbidden:
                continue
            yield viewer.names(enemy), battery


def _target(ship: Combatant, check: SettledPair, seen: Sights, viewer: FireViewer) -> TargetOption:
    agreed, names = seen.agreed(ship.name, check.target), viewer.names
    guns = [battery for battery in Battery if ship.vessel.warship.guns(battery)]
    return TargetOption(
        target=names(check.target),
        range_yards=check.range_yards,
        range_sigma_yards=check.range_sigma_yards,
        segment=check.segment,
        quadrant=check.quadrant,
        aspect=check.aspect,
        blockers=tuple(names(blocker.name) for blocker in check.blockers),
        smoke=check.smoke,
        close_calls=tuple(map(names.close_call, check.close_calls)),
        batteries=tuple(_battery(ship, check, battery, viewer) for battery in guns),
        blocked=check.blocked,
        agreed=agreed_message(agreed),
        hidden=names.hides(check.target),
    )


def _battery(
    ship: Combatant, check: SettledPair, battery: Battery, viewer: FireViewer
) -> BatteryOption:
    vessel = ship.vessel
    order = FireOrder(ship.name, check.target, battery)
    mounts = () if check.quadrant is None else tuple(_mounts(ship, battery, check.quadrant))
    option = BatteryOption(
        battery=battery,
        title=Message(f"advanced.guns.{battery}"),
        mounts=mounts,
        guns_bearing=sum(mount.guns for mount in mounts if mount.bears),
        factor=None,
        ammunition=vessel.ammunition(battery),
        cost=None,
        allowed=False,
        fewer_guns=not viewer.combat_tables.edition.rate_reduced_in_resolution,
    )
    try:
        (shot,) = check_orders(viewer.battle, (order,), viewer.rules)
    except Forbidden as error:
        why_not = viewer.names.message(error.reason)
        return replace(option, why_not=why_not, reference=error.rule)
    fire = checked_fire(shot, viewer)
    return replace(
        option,
        factor=fire.factor,
        factor_reference=fire.factor_reference,
        cost=fire.cost,
        allowed=True,
        ledger=fire.ledger,
        modifier_total=fire.modifier_total,
        forecast=fire.forecast,
    )


def checked_fire(shot: Shot, viewer: FireViewer) -> CheckedFire:
    """A fire before its dice: factor, ledger and exact odds.

    Where the target is hidden, everything that follows from who she is stays out, and with it the
    sum and the odds (67.1). Before all fire lies open the ledger says what of it is a guess.
    """
    names, combat_tables, options = viewer.names, viewer.combat_tables, viewer.battle.options
    hidden, guessed = names.hides(shot.target.name), viewer.guessed(shot.target.name)
    ledger = modifications(shot, combat_tables, options)
    return CheckedFire(
        target=names(shot.target.name),
        battery=shot.battery.value,
        guns=shot.guns_firing,
        turrets=tuple(turret.name for turret in shot.ready),
        factor=gunnery_factor(shot),
        factor_reference=_FACTOR_RULE,
        cost=expenditure(shot, combat_tables).spent,
        ledger=tuple(
            _as_far_as_known(modifier) if modifier.number in guessed else modifier
            for modifier in ledger
            if not (hidden and modifier.number in _SECRET_OF_TARGET)
        ),
        modifier_total=None if hidden else ledger.total,
        forecast=None if hidden else forecast_fire(shot, combat_tables, options),
    )


def _as_far_as_known(modifier: Modifier) -> Modifier:
    """A line of a ledger before the dice that says that it is a guess."""
    return replace(
        modifier, label=Message("advanced.modifier.as_far_as_known", label=modifier.label)
    )


def check_fire(
    state: AdvancedState,
    ship: Combatant,
    orders: Sequence[FireOrder],
    viewer: FireViewer,
) -> FireCheck:
    """A ship's fire orders as chosen, beside what her side has drafted for the others."""
    drafts = {**state.fires, ship.name: tuple(orders)}
    mine = side_orders(state, ship.side, drafts)
    try:
        shots = check_orders(viewer.battle, mine, viewer.rules)
    except Forbidden as error:
        fault = DraftFault("orders", viewer.names.message(error.reason), error.rule)
        return FireCheck(ship.name, fault)
    own = (shot for shot in shots if shot.firer.name == ship.name)
    return FireCheck(ship.name, None, tuple(checked_fire(shot, viewer) for shot in own))


def check_several(
    state: AdvancedState,
    orders: Mapping[str, Sequence[FireOrder]],
    viewer: FireViewer,
) -> OrdersCheck:
    """The fire orders of several ships, beside what their sides have drafted for the others."""
    drafts = {**state.fires, **{name: tuple(each) for name, each in orders.items()}}
    battle, names = viewer.battle, viewer.names
    fires: list[ShipFire] = []
    targets: dict[str, Forecast] = {}
    for side in dict.fromkeys(battle[name].side for name in orders):
        try:
            shots = check_orders(battle, side_orders(state, side, drafts), viewer.rules)
        except Forbidden as error:
            return OrdersCheck(DraftFault("orders", names.message(error.reason), error.rule))
        fires += (ShipFire(shot.firer.name, checked_fire(shot, viewer)) for shot in shots)
        for target in dict.fromkeys(shot.target.name for shot in shots):
            if not names.hides(target):
                together = [shot for shot in shots if shot.target.name == target]
                targets[names(target)] = forecast_segment(
                    together, viewer.combat_tables, battle.options
                )
    return OrdersCheck(None, tuple(fires), targets)


def _mounts(ship: Combatant, battery: Battery, quadrant: Quadrant) -> Iterator[MountOption]:
    """Every mount of a battery, and why those that cannot fire cannot."""
    ready = {
        turret.name: turret.guns for turret in turrets_bearing(ship.vessel, battery, quadrant, {})
    }
    for mount in ship.vessel.warship.mounts(battery):
        if not mount.guns:
            # A box that is there for damage only has nothing to bear with (60.3).
            continue
        if mount.name in ready:
            yield MountOption(mount.name, ready[mount.name], True)
            continue
        why, rule = _why_not(ship, battery, mount.name)
        if not mount.arc.bears_into(quadrant):
            why = Message("advanced.mount.arc", quadrant=Message(f"advanced.quadrant.{quadrant}"))
            rule = "61.4"
        yield MountOption(mount.name, mount.guns, False, why, rule)


def _why_not(ship: Combatant, battery: Battery, name: str) -> tuple[Message, str]:
    vessel = ship.vessel
    if battery is Battery.SECONDARY and name in vessel.secondaries_lost:
        return Message("advanced.mount.destroyed"), "64.35"
    if battery is Battery.MAIN:
        state = vessel.turrets[vessel.turret_number(name)]
        if state.destroyed:
            return Message("advanced.mount.destroyed"), "64.32"
        if state.out_for_battle:
            return Message("advanced.mount.jammed_for_good"), "64.32"
        if state.out_for_phases:
            return Message("advanced.mount.out", phases=state.out_for_phases), "64.32"
        if state.jammed_guns:
            return Message("advanced.mount.jammed"), "71.4"
    if vessel.turret_ammunition(battery, name) <= 0:
        return Message("advanced.mount.no_ammunition"), "65.5"
    return Message("advanced.mount.no_gun"), "70.4"
