"""Fire that a page proposes for all ships of a side at once, from the exact odds (61, 62).

Every battery is given the target to which it may be expected to do most harm. Fire of several
batteries at one target spoils their aim (modification 12), so batteries are changed one after the
other until no change does more harm; a battery that cannot hit keeps its ammunition.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from combat.forecast import Forecast
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireOrder
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.fire.odds import hit_odds
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.guided_battle.designations import (
    FireViewer,
    check_orders,
)
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.views import BatteryOption, FireOrderView, TargetOption

_MOST_PASSES: Final = 8
_HITS_SHARE: Final = 0.01
"""Of a hit that marks nothing: it decides between fires that would otherwise be equal."""


@dataclass(frozen=True, slots=True)
class _Gun:
    """A battery of a ship, and the harm that it may be expected to do to each target."""

    ship: str
    battery: Battery
    harm: Mapping[str, tuple[float, float]]
    """By target: if it fires at her alone, and if another fires at her, too."""


def propose(
    ships: Sequence[Combatant],
    options: Mapping[str, Sequence[TargetOption]],
    viewer: FireViewer,
) -> Mapping[str, tuple[FireOrderView, ...]]:
    """The fire of these ships of one side, by their names; no orders hold a ship's fire.

    `options` are what each of them could fire at.
    """
    names = {
        viewer.names(enemy.name): enemy.name
        for ship in ships[:1]
        for enemy in viewer.battle.enemies_of(ship)
    }
    guns = [gun for ship in ships for gun in _guns(ship, options[ship.name], names, viewer)]
    aims = _aims(guns)
    found: dict[str, list[FireOrderView]] = {ship.name: [] for ship in ships}
    for gun, target in zip(guns, aims, strict=True):
        if target is not None:
            found[gun.ship].append(FireOrderView(target, gun.battery.value, (), None, False))
    for ship in ships:
        if not found[ship.name]:
            found[ship.name] = _at_hidden(options[ship.name])
    return {name: tuple(orders) for name, orders in found.items()}


def _guns(
    ship: Combatant, options: Sequence[TargetOption], names: Mapping[str, str], viewer: FireViewer
) -> Iterator[_Gun]:
    for battery in Battery:
        harm = {}
        for option in options:
            fire = next((each for each in option.batteries if each.battery == battery), None)
            if fire is None or not fire.allowed or fire.forecast is None:
                continue
            alone = _harm(fire.forecast)
            if alone:
                shared = _shared(ship, names[option.target], battery, fire, viewer)
                harm[option.target] = (alone, alone * shared)
        if harm:
            yield _Gun(ship.name, battery, harm)


def _harm(forecast: Forecast) -> float:
    """The boxes and turrets that she may be expected to lose; nothing where no hit is possible."""
    turrets = sum(
        odds
        for outcome, odds in forecast.outcomes.items()
        if outcome.startswith("turret_") and outcome != "turret_lost"
    )
    boxes = sum(forecast.expected_boxes.values())
    return boxes + turrets + forecast.outcomes["sunk"] + _HITS_SHARE * forecast.expected_hits


def _shared(
    ship: Combatant, target: str, battery: Battery, fire: BatteryOption, viewer: FireViewer
) -> float:
    """The part of its hits that are left where others fire at the same target (62.554)."""
    assert fire.forecast is not None, "only fire with odds is shared"  # noqa: S101
    order = FireOrder(ship.name, target, battery)
    try:
        (shot,) = check_orders(viewer.battle, (order,), viewer.rules)
    except Forbidden:
        return 0.0
    hits = _mean_hits(
        replace(shot, conditions=replace(shot.conditions, several_firers=True)), viewer
    )
    return hits / fire.forecast.expected_hits


def _mean_hits(shot: Shot, viewer: FireViewer) -> float:
    odds = hit_odds(shot, viewer.combat_tables, viewer.battle.options)
    return sum(number * chance for number, chance in odds.items())


def _aims(guns: Sequence[_Gun]) -> list[str | None]:
    """The targets of all batteries, changed one by one while that does more harm."""
    aims: list[str | None] = [max(gun.harm, key=lambda name: gun.harm[name][0]) for gun in guns]
    for _ in range(_MOST_PASSES):
        before = list(aims)
        for number, gun in enumerate(guns):
            tries = [*gun.harm, None]
            aims[number] = max(
                tries,
                key=lambda target: (
                    round(_all_harm(guns, [*aims[:number], target, *aims[number + 1 :]]), 9),
                    target == before[number],
                ),
            )
        if aims == before:
            break
    return aims


def _all_harm(guns: Sequence[_Gun], aims: Sequence[str | None]) -> float:
    return sum(
        gun.harm[target][aims.count(target) > 1]
        for gun, target in zip(guns, aims, strict=True)
        if target is not None
    )


def _at_hidden(options: Sequence[TargetOption]) -> list[FireOrderView]:
    """The main guns at the nearest ship that is face down: nobody knows the odds (67.1)."""
    for option in options:
        for fire in option.batteries:
            if option.hidden and fire.allowed and fire.battery == Battery.MAIN:
                return [FireOrderView(option.target, fire.battery, (), None, False)]
    return []
