"""What the events of an action in Arctic Disaster say to scripts and to players."""

from collections.abc import Iterator, Mapping, Sequence

from combat.event_reports import document_of, events_of, story_of
from combat.events import Acted, Concluded, Event, Sunk
from combat.report import Line
from combat.rulesets.arctic_disaster.events import (
    Damaged,
    FlightDeckLost,
    GunneryLost,
    MovementCost,
    SpeedLost,
)
from combat.rulesets.arctic_disaster.strike import BLOWS


def document(events: Sequence[Event], names: Mapping[str, str]) -> dict[str, object]:
    """The document of `dreyer resolve --json`."""
    (acted,) = events_of(Acted, events)
    (hurt,) = events_of(Damaged, events) or (None,)
    shared = document_of(events, list(endings(events, names)), BLOWS)
    provenance = shared.pop("provenance")
    own: dict[str, object] = {"battery": acted.action, "damage": hurt.points if hurt else 0}
    if hurt is not None:
        sunk = hurt.damage >= hurt.capacity
        own |= {"target_damage": hurt.damage, "target_sunk": sunk}
    return {**shared, **own, "provenance": provenance}


def story(events: Sequence[Event], names: Mapping[str, str]) -> tuple[Line, ...]:
    """An action in words."""
    return tuple(story_of(events, names, list(endings(events, names))))


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
