"""Fires, torpedoes and air strikes as a viewer may see them, from the events of one action."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from combat.events import Departed, Event, Sunk
from combat.rulebooks.bismarck_advanced.fire.effect_messages import effects_message
from combat.rulebooks.bismarck_advanced.fire.events import (
    AmmunitionSpent,
    Fired,
    HitScored,
    TorpedoesRan,
    TorpedoStruck,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import hits_message, hits_of
from combat.rulebooks.bismarck_advanced.guided_battle.events import (
    BattleEnded,
    Corrected,
    FireResolved,
    Revealed,
    StrikeFlown,
)
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames
from combat.salvos import SalvoHit, SalvoView, Weapon
from tabletop.messages import Message

_SHOWN: Final = (
    Fired, TorpedoesRan, StrikeFlown, FireResolved, Sunk, Departed, Revealed, Corrected,
    BattleEnded,
)  # fmt: skip


def is_shown(events: Sequence[Event]) -> bool:
    """Whether an action is shown on every screen."""
    return any(isinstance(event, _SHOWN) for event in events)


def salvos(events: Sequence[Event], names: KnownNames) -> Iterator[SalvoView]:
    """The salvos of an action, each once its last die has fallen."""
    if names.own is not None:
        told = names.in_story
        own = {names.in_story(name) for name in names.own}
        found = _salvos(events, replace(told, own=None))
        yield from (each for each in found if own & {each.firer, each.target})
        return
    yield from _salvos(events, names)


def _salvos(events: Sequence[Event], names: KnownNames) -> Iterator[SalvoView]:
    begun: list[Event] = []
    for event in events:
        match event:
            case Fired() | TorpedoesRan():
                yield from _salvo(begun, names)
                begun = [event]
            case TorpedoStruck():
                begun.append(event)
            case AmmunitionSpent():
                yield from _salvo(begun, names)
                begun = []
            case StrikeFlown():
                yield from _salvo(begun, names)
                begun = []
                yield _strike(event, names)
            case _ if begun and isinstance(begun[0], Fired):
                begun.append(event)
    yield from _salvo(begun, names)


def _salvo(events: Sequence[Event], names: KnownNames) -> Iterator[SalvoView]:
    match events:
        case [Fired(dice=str()) as fired, *_]:
            yield _fire(fired, events, names)
        case [TorpedoesRan(dice=str()) as ran, *_]:
            yield _torpedoes(ran, events, names)


def _fire(fired: Fired, events: Sequence[Event], names: KnownNames) -> SalvoView:
    """A fire; of a hidden target its hits alone are told, as in the story."""
    firer, target = fired.ship or "", fired.target or ""
    hits = hits_of(events)
    return SalvoView(
        weapon=Weapon.GUNS,
        firer=names(firer),
        target=names(target),
        title=Message(f"advanced.guns.{fired.battery}"),
        count=fired.guns,
        range_yards=None if names.unseen & {firer} or names.hides(target) else fired.range_yards,
        dice=(fired.dice or "",),
        hits=fired.hits,
        result=hits_message(fired.hits),
        hit_results=tuple(_known(_hit(hit, results), names) for hit, results in hits),
    )


def _hit(hit: HitScored, results: Sequence[Event]) -> SalvoHit:
    # The turret that was struck is a part of the sheet by its name, all else by its kind.
    turret = dict(hit.place.params).get("turret")
    return SalvoHit(
        dice=hit.dice,
        place=hit.place,
        part=str(turret or hit.location or "hull"),
        armoured=hit.armour is not None,
        armour_inches=hit.armour_inches,
        penetration_inches=hit.penetration_inches,
        penetrated=hit.penetrated,
        effect=effects_message(results),
    )


def _torpedoes(ran: TorpedoesRan, events: Sequence[Event], names: KnownNames) -> SalvoView:
    struck = [event for event in events if isinstance(event, TorpedoStruck)]
    return SalvoView(
        weapon=Weapon.TORPEDOES,
        firer=names(ran.ship or ""),
        target=names(ran.target or ""),
        title=Message("advanced.salvo.torpedoes"),
        count=ran.torpedoes,
        range_yards=None,
        dice=(ran.dice or "",),
        hits=ran.hits,
        result=hits_message(ran.hits),
        hit_results=tuple(_known(_torpedo(each), names) for each in struck),
        sunk=any(each.sunk for each in struck),
    )


def _torpedo(struck: TorpedoStruck) -> SalvoHit:
    dice = () if struck.die is None else (str(struck.die),)
    return SalvoHit(dice=dice, part="hull", effect=struck.effect)


def _strike(flown: StrikeFlown, names: KnownNames) -> SalvoView:
    return SalvoView(
        weapon=Weapon.AIRCRAFT,
        firer=None,
        target=names(flown.target or ""),
        title=Message(f"advanced.bomber.{flown.bomber}", n=flown.planes),
        count=flown.planes,
        range_yards=None,
        dice=(),
        hits=flown.hits,
        result=hits_message(flown.hits),
        losses=tuple(names.message(step.words) for step in flown.steps),
    )


def _known(hit: SalvoHit, names: KnownNames) -> SalvoHit:
    return replace(hit, place=names.message(hit.place), effect=names.message(hit.effect))
