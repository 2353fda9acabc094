"""What a hit did, in words: one phrase for each event that it made."""

from collections.abc import Iterable

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
    Reason,
    RudderHit,
    SecondaryOut,
    SpeedHeld,
    SpeedLost,
    SuperstructureHit,
    TurretDestroyed,
    TurretHit,
    TurretOut,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, RudderFault

_NO_EFFECT = {
    Reason.NO_SUCH_TURRET: "she has no such turret: no damage",
    Reason.NO_SECONDARY: "she has no secondary turret there: no damage",
    Reason.TURRET_GONE: "turret {turret} was already destroyed (64.43)",
    Reason.SECONDARY_GONE: "already destroyed: no damage (64.43)",
    Reason.CONTROL_GONE: "already destroyed: ignored (64.73)",
    Reason.CONTROL_SPARED: "penetrated without effect (64.71)",
    Reason.NOTHING_MORE: "no further effect",
    Reason.ARMOUR_HELD: "armour not penetrated (63.5)",
}
_HULL = {HullMark.HIT: "", HullMark.OVERFLOW: " (64.5)", HullMark.BESIDES: " besides"}
_PLAIN: dict[type[Event], str] = {
    RadarOut: "radar lost (64.5, optional)",
    DirectorOut: "main fire control director destroyed (64.71)",
    PlotOut: "plotting room destroyed (64.71)",
    CourseHeld: "no turns in the next movement phase",
    SpeedHeld: "no change of speed in the next round",
}
_HARD_OVER = {
    RudderFault.HARD_TO_PORT: "rudder jammed hard over to port",
    RudderFault.HARD_TO_STARBOARD: "rudder jammed hard over to starboard",
}


def effect_words(event: Event) -> str:
    """One thing that a hit did."""
    match event:
        case HullHit(quarters=quarters, why=why):
            return _boxes(quarters, "hull") + _HULL[why]
        case SuperstructureHit(quarters=quarters):
            return _boxes(quarters, "superstructure")
        case SpeedLost(factors=factors):
            return f"{factors} movement factor{'s' * (factors > 1)} lost"
        case SecondaryOut(turret=turret):
            return f"secondary turret {turret} destroyed (64.35)"
        case NoEffect(why=why, turret=turret):
            return _NO_EFFECT[why].format(turret=turret)
        case Sunk():
            return f"sunk ({event.rule})"
        case RudderHit(fault=fault):
            usual = f"rudder damaged: {fault.replace('_', ' ')} until repaired"
            return _HARD_OVER.get(fault, usual)
        case CommandHit(modifier=modifier):
            return f"+{modifier} to her fire from now on"
        case TurretHit() | TurretDestroyed() | TurretOut():
            return _turret_words(event)
        case _:
            return _PLAIN[type(event)]


def effects_words(events: Iterable[Event]) -> str:
    """Everything that a hit did."""
    return "; ".join(map(effect_words, events)) or "no damage"


def _turret_words(event: TurretHit | TurretDestroyed | TurretOut) -> str:
    place = f"turret {event.turret}"
    match event:
        case TurretHit(quarters=quarters):
            return f"{place} holds, {_boxes(quarters)} lost (64.31)"
        case TurretDestroyed(rule=rule):
            return f"{place} destroyed" + (f" ({rule})" if rule else "")
        case TurretOut(phases=None):
            return f"{place} jammed for the rest of the battle"
        case TurretOut(phases=phases):
            count = phases or 0
            return f"{place} out of action for {count} combat phase{'s' * (count > 1)}"


def _boxes(quarters: int, place: str = "") -> str:
    """A number of quarters in words: 6 is "1½ hull boxes"."""
    whole, rest = divmod(quarters, QUARTERS)
    number = f"{whole or ''}{('', '¼', '½', '¾')[rest]}"
    return " ".join(filter(None, (number, place, "boxes" if quarters > QUARTERS else "box")))
