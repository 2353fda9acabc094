"""What the events of an action in Arctic Disaster say to scripts and to players."""

from collections.abc import Iterator, Mapping, Sequence

from combat.event_reports import events_of
from combat.events import Acted, Concluded, Event, Sunk
from combat.previews import Line
from combat.rulebooks.arctic_disaster.events import (
    Damaged,
    FlightDeckLost,
    GunneryLost,
    MovementCost,
    SpeedLost,
)


def damage_keys(events: Sequence[Event]) -> dict[str, object]:
    """The keys of `dreyer resolve --json` that tell the damage."""
    for hurt in events_of(Damaged, events):
        sunk = hurt.damage >= hurt.capacity
        return {"damage": hurt.points, "target_damage": hurt.damage, "target_sunk": sunk}
    return {"damage": 0}


def endings(events: Sequence[Event], names: Mapping[str, str]) -> Iterator[Line]:
    """What an action came to, line by line."""
    rule = next((event.rule for event in events_of(Acted, events)), "")
    sunk = bool(events_of(Sunk, events))
    for event in events:
        name = names.get(event.target or "", "")
        match event:
            case Concluded(results=results):
                yield from (Line(result, rule) for result in results)
            case MovementCost(points=points):
                yield Line(f"so far it costs the active force {points} MP", event.rule)
            case SpeedLost(left=left) if not sunk:
                yield Line(f"{name} has movement {left} left", event.rule)
            case GunneryLost(left=left) if not sunk:
                yield Line(f"{name} has gunnery {left} left", event.rule)
            case Damaged(points=points, damage=damage, capacity=capacity) if points:
                floating = f"{capacity - damage} of {capacity} left"
                fate = "she sinks" if damage >= capacity else floating
                yield Line(f"{name} takes {points}: {fate}", event.rule)
            case FlightDeckLost():
                yield Line(f"{name} flies no more: her aircraft leave the game", event.rule)
