"""Attacks as every screen shows them, from the events of one action; nothing of them is secret."""

from collections.abc import Iterator, Sequence
from typing import Final

from combat.event_reports import events_of
from combat.events import Acted, Departed, Event, Rolled, Sunk
from combat.rulebooks.grand_fleets.card import TORPEDOES
from combat.rulebooks.grand_fleets.damage import is_torpedo
from combat.rulebooks.grand_fleets.events import (
    DamageChecked,
    Fired,
    HealthChanged,
    HullHit,
    HullMarked,
)
from combat.rulebooks.grand_fleets.guided_battle.events import BattleEnded, ValuesCorrected
from combat.rulebooks.grand_fleets.report import boxes_message
from combat.rulebooks.grand_fleets.terms import health_message
from combat.salvos import SalvoHit, SalvoView, Weapon, actions_of
from tabletop.messages import NO_WORDS, Message, ShipRef

_SHOWN: Final = (Fired, DamageChecked, Sunk, Departed, ValuesCorrected, BattleEnded)


def is_shown(events: Sequence[Event]) -> bool:
    """Whether an action is shown on every screen."""
    return any(isinstance(event, _SHOWN) for event in events)


def salvos(events: Sequence[Event]) -> Iterator[SalvoView]:
    """The attacks of an action that had dice."""
    for group in actions_of(events):
        fired, rolls = events_of(Fired, group), events_of(Rolled, group)
        if fired and rolls and rolls[0].dice:
            yield _attack(fired[0], rolls[0], group)


def _attack(fired: Fired, rolled: Rolled, group: Sequence[Event]) -> SalvoView:
    (acted,) = events_of(Acted, group)
    torpedoes = acted.action == TORPEDOES
    hits = events_of(HullHit, group)
    return SalvoView(
        weapon=Weapon.TORPEDOES if torpedoes else Weapon.GUNS,
        firer=fired.ship,
        target=fired.target or "",
        title=acted.title,
        count=acted.factor,
        range_yards=float(fired.range_yards),
        dice=tuple(rolled.dice.split()),
        hits=len(hits),
        result=Message("combat.salvo.hits", n=len(hits)) if hits else Message("combat.salvo.miss"),
        hit_results=tuple(_hit(hit, torpedoes=torpedoes) for hit in hits),
        losses=tuple(_losses(group)),
        sunk=bool(events_of(Sunk, group)),
    )


def _hit(hit: HullHit, *, torpedoes: bool) -> SalvoHit:
    """A hit; a shell costs one box, which is not said of each."""
    effect = boxes_message(hit.boxes) if torpedoes else NO_WORDS
    return SalvoHit(dice=(hit.dice,), part="hull", effect=effect)


def _losses(group: Sequence[Event]) -> Iterator[Message]:
    """What the hits and the damage checks have cost, part by part, and how her hull is now."""
    lost: dict[Message, int] = {}
    for marked in events_of(HullMarked, group):
        if marked.boxes:
            lost[Message("grand_fleets.salvo.hull")] = marked.boxes
    for check in events_of(DamageChecked, group):
        if check.boxes:
            torpedo = Message("grand_fleets.salvo.torpedoes")
            part = torpedo if is_torpedo(check.part) else check.name
            lost[part] = lost.get(part, 0) + check.boxes
    for part, boxes in lost.items():
        yield Message("grand_fleets.salvo.lost", part=part, boxes=boxes_message(boxes))
    for changed in events_of(HealthChanged, group):
        ship, health = ShipRef(changed.target or ""), health_message(changed.after)
        yield Message("grand_fleets.salvo.health", ship=ship, health=health)
