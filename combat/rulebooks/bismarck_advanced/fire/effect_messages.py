"""The effects of a hit as messages: one for each of its events."""

from collections.abc import Iterable, Iterator
from functools import reduce
from math import ceil

from combat.events import Event, Sunk
from combat.rulebooks.bismarck_advanced.fire.events import (
    CommandHit,
    CourseHeld,
    DirectorOut,
    HullHit,
    HullMark,
    NoEffect,
    PlotOut,
    RadarOut,
    RudderHit,
    SecondaryOut,
    SpeedHeld,
    SpeedLost,
    SuperstructureHit,
    TurretDestroyed,
    TurretHit,
    TurretOut,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS
from tabletop.messages import Message

_PLAIN: dict[type[Event], Message] = {
    RadarOut: Message("advanced.effect.radar_out"),
    DirectorOut: Message("advanced.effect.director_out"),
    PlotOut: Message("advanced.effect.plot_out"),
    CourseHeld: Message("advanced.effect.course_held"),
    SpeedHeld: Message("advanced.effect.speed_held"),
}


def effect_message(event: Event) -> Message:
    """One effect of a hit."""
    match event:
        case HullHit():
            return _hull_message(event)
        case SuperstructureHit(quarters=quarters):
            return Message(
                "advanced.effect.superstructure", n=begun(quarters), boxes=in_boxes(quarters)
            )
        case SpeedLost(factors=factors):
            return Message("advanced.effect.speed_lost", n=factors)
        case SecondaryOut(turret=turret):
            return Message("advanced.effect.secondary_out", turret=turret)
        case NoEffect(why=why, turret=turret):
            return Message(f"advanced.effect.no_effect.{why}", turret=turret)
        case Sunk(rule=rule):
            return Message("advanced.effect.sunk", rule=rule)
        case RudderHit(fault=fault):
            return Message(f"advanced.effect.rudder.{fault}")
        case CommandHit(modifier=modifier):
            return Message("advanced.effect.command", modifier=modifier)
        case TurretHit() | TurretDestroyed() | TurretOut():
            return _turret_message(event)
        case _:
            return _PLAIN[type(event)]


def effects_message(events: Iterable[Event]) -> Message:
    """All effects of a hit."""
    return joined(map(effect_message, events))


def joined(effects: Iterable[Message]) -> Message:
    """Several effects in one message."""
    *others, last = (*effects,) or (Message("advanced.effect.none"),)
    return reduce(
        lambda rest, first: Message("advanced.effect.more", first=first, rest=rest),
        reversed(others),
        last,
    )


def added_up(results: Iterable[Event]) -> Iterator[Event]:
    """What several hits did together, with the boxes of each part in one event."""
    hull = superstructure = 0
    turrets: dict[str, int] = {}
    others = []
    for result in results:
        match result:
            case HullHit(quarters=quarters):
                hull += quarters
            case SuperstructureHit(quarters=quarters):
                superstructure += quarters
            case TurretHit(turret=turret, quarters=quarters):
                turrets[turret] = turrets.get(turret, 0) + quarters
            case NoEffect():
                pass
            case _:
                others.append(result)
    if hull:
        yield HullHit(quarters=hull)
    if superstructure:
        yield SuperstructureHit(quarters=superstructure)
    for turret, quarters in turrets.items():
        yield TurretHit(turret=turret, quarters=quarters)
    yield from others


def in_boxes(quarters: int) -> str:
    """A number of quarters as boxes: 6 is "1½"."""
    whole, rest = divmod(quarters, QUARTERS)
    return f"{whole or ''}{('', '¼', '½', '¾')[rest]}"


def begun(quarters: int) -> int:
    """The boxes of these quarters in words: "½ box", "1½ boxes"."""
    return ceil(quarters / QUARTERS)


def _hull_message(event: HullHit) -> Message:
    n, boxes = begun(event.quarters), in_boxes(event.quarters)
    match event.why:
        case HullMark.HIT:
            return Message("advanced.effect.hull", n=n, boxes=boxes)
        case HullMark.OVERFLOW:
            return Message("advanced.effect.hull_overflow", n=n, boxes=boxes)
        case HullMark.BESIDES:
            return Message("advanced.effect.hull_besides", n=n, boxes=boxes)


def _turret_message(event: TurretHit | TurretDestroyed | TurretOut) -> Message:
    turret = event.turret
    match event:
        case TurretHit(quarters=quarters):
            return Message(
                "advanced.effect.turret_holds",
                turret=turret,
                n=begun(quarters),
                boxes=in_boxes(quarters),
            )
        case TurretDestroyed(rule=""):
            return Message("advanced.effect.turret_destroyed", turret=turret)
        case TurretDestroyed(rule=rule):
            return Message("advanced.effect.turret_destroyed_by", turret=turret, rule=rule)
        case TurretOut(phases=None):
            return Message("advanced.effect.turret_jammed", turret=turret)
        case TurretOut(phases=phases):
            return Message("advanced.effect.turret_out", turret=turret, n=phases or 0)
