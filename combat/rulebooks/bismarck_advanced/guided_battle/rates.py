"""Reduced rate of fire: with how many guns each turret fires (67.4).

Jams are rolled for first (71.2). Then every side chooses in secret for its own fires, and commits;
the first die of a fire is rolled when all have.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireKey, FireOrder
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.guided_battle.actions import RateOfFire, Reduce
from combat.rulebooks.bismarck_advanced.guided_battle.designations import FireViewer, checked_fire
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import Resolution
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames
from combat.rulebooks.bismarck_advanced.guided_battle.orders import Find
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.views import DraftFault, FireCheck, FireRateView, TurretRate
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef


def reduced_orders(
    state: AdvancedState, ship: Combatant, draft: Reduce, find: Find
) -> tuple[FireOrder, ...]:
    """A ship's fire orders with the rates of a draft; Forbidden where one is not allowed."""
    chosen: dict[FireKey, Mapping[str, int]] = {}
    shots = {(shot.target.name, shot.battery): shot for shot in shots_of(state, ship)}
    for rate in draft.rates:
        target = find(rate.target)
        shot = shots.get((target, rate.battery))
        if shot is None:
            raise DreyerError(
                "advanced.rate.no_such_fire",
                ship=ShipRef(ship.name),
                target=ShipRef(target),
                battery=Message(f"advanced.battery.{rate.battery}"),
            )
        key = ship.name, target, rate.battery
        if key in chosen:
            raise DreyerError(
                "advanced.rate.twice", ship=ShipRef(ship.name), target=ShipRef(target)
            )
        chosen[key] = _checked(shot, rate)
    orders = state.fires.get(ship.name, ())
    return tuple(replace(order, rates=chosen.get(order.key, {})) for order in orders)


def _checked(shot: Shot, rate: RateOfFire) -> Mapping[str, int]:
    """The turrets of a fire that are to fire with fewer guns than they could."""
    ready = {turret.name: turret.guns for turret in shot.ready}
    ship = ShipRef(shot.firer.name)
    for name, guns in rate.guns.items():
        if name not in ready:
            raise DreyerError(
                "advanced.rate.turret_not_firing",
                ship=ship,
                turret=name,
                target=ShipRef(shot.target.name),
                firing=tuple(ready),
            )
        if guns < 1:
            raise Forbidden(Message("advanced.rate.one_gun", ship=ship, turret=name), "67.41")
        if guns > ready[name]:
            raise Forbidden(
                Message(
                    "advanced.rate.too_many", ship=ship, turret=name, guns=guns, ready=ready[name]
                ),
                "67.41",
            )
    return {name: guns for name, guns in rate.guns.items() if guns < ready[name]}


def still_allowed(
    reduced: Mapping[str, tuple[FireOrder, ...]], resolution: Resolution
) -> Mapping[str, tuple[FireOrder, ...]]:
    """The drafts that fit the phase as it is now."""
    ready = {
        (shot.firer.name, shot.target.name, shot.battery): {
            turret.name: turret.guns for turret in shot.ready
        }
        for shot in resolution.shots
    }
    designated = {order.key: order for order in resolution.orders}

    def fits(order: FireOrder) -> bool:
        key = order.key
        guns = ready.get(key, {})
        as_designated = designated.get(key) == replace(order, rates={})
        return as_designated and all(n < guns.get(name, 0) for name, n in order.rates.items())

    return {ship: orders for ship, orders in reduced.items() if all(map(fits, orders))}


def shots_of(state: AdvancedState, ship: Combatant) -> Iterator[Shot]:
    """A ship's fires after the jams, each with the rates that are drafted for it."""
    resolution = state.resolution
    drafted = {order.key: order.rates for order in state.reduced.get(ship.name, ())}
    for shot in resolution.shots if resolution is not None else ():
        if shot.firer.name == ship.name:
            rates = drafted.get((ship.name, shot.target.name, shot.battery), {})
            yield replace(shot, rates=rates)


def fire_rates(
    state: AdvancedState, ship: Combatant, names: KnownNames
) -> tuple[FireRateView, ...]:
    """A ship's fires, turret by turret, with the rates that are drafted."""
    return tuple(
        FireRateView(
            target=names(shot.target.name),
            battery=shot.battery.value,
            title=Message(f"advanced.guns.{shot.battery}"),
            turrets=tuple(
                TurretRate(turret.name, turret.guns, shot.rate_of(turret)) for turret in shot.ready
            ),
            ammunition=shot.firer.ammunition(shot.battery),
        )
        for shot in shots_of(state, ship)
    )


def check_rates(
    state: AdvancedState,
    ship: Combatant,
    draft: Reduce,
    find: Find,
    viewer: FireViewer,
) -> FireCheck:
    """A ship's fires at the rates of a draft: each with its ledger, its cost and its odds."""
    try:
        orders = reduced_orders(state, ship, draft, find)
    except Forbidden as error:
        reason = viewer.names.message(error.reason)
        return FireCheck(ship.name, DraftFault("rates", reason, error.rule))
    drafted = replace(state, reduced={**state.reduced, ship.name: orders})
    shots = map(viewer.as_shown, shots_of(drafted, ship))
    return FireCheck(ship.name, None, tuple(checked_fire(shot, viewer) for shot in shots))
