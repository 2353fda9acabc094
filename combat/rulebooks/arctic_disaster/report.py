"""Reports of the events of Arctic Disaster."""

from collections.abc import Iterator, Sequence

from combat.event_reports import events_of
from combat.events import Acted, Concluded, Event, Sunk
from combat.previews import DocumentValue, Line
from combat.rulebooks.arctic_disaster.events import (
    Damaged,
    Deployed,
    DisplayMoved,
    FlightDeckLost,
    GunneryLost,
    LeftDisplay,
    MovementCost,
    SmokeLaid,
    SpeedLost,
    Supported,
)
from tabletop.messages import Message, ShipRef


def damage_keys(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The keys of `dreyer resolve --json` about damage."""
    for damaged in events_of(Damaged, events):
        sunk = damaged.damage >= damaged.capacity
        return {"damage": damaged.points, "target_damage": damaged.damage, "target_sunk": sunk}
    return {"damage": 0}


def endings(events: Sequence[Event]) -> Iterator[Line]:
    """The results of an action, line by line."""
    rule = next((event.rule for event in events_of(Acted, events)), "")
    sunk = bool(events_of(Sunk, events))
    for event in events:
        ship = ShipRef(event.target or "")
        match event:
            case Concluded(results=results):
                yield from (Line(result, rule) for result in results)
            case MovementCost(points="all"):
                yield Line(Message("arctic.story.costs_all"), event.rule)
            case MovementCost(points=points):
                yield Line(Message("arctic.story.costs", points=points), event.rule)
            case SpeedLost(left=left) if not sunk:
                yield Line(Message("arctic.story.movement_left", ship=ship, left=left), event.rule)
            case GunneryLost(left=left) if not sunk:
                yield Line(Message("arctic.story.gunnery_left", ship=ship, left=left), event.rule)
            case Damaged(points=points, damage=damage, capacity=capacity) if points:
                if damage >= capacity:
                    message = Message("arctic.story.takes_and_sinks", ship=ship, points=points)
                else:
                    left = capacity - damage
                    message = Message(
                        "arctic.story.takes", ship=ship, points=points, left=left, capacity=capacity
                    )
                yield Line(message, event.rule)
            case Deployed(area=area):
                she = ShipRef(event.ship or "")
                yield Line(Message("arctic.story.deployed", ship=she, area=area), event.rule)
            case SmokeLaid(area=area):
                yield Line(Message("arctic.story.smoke", area=area), event.rule)
            case DisplayMoved(areas=areas):
                yield Line(Message("arctic.story.all_moved", areas=areas), event.rule)
            case LeftDisplay():
                she = ShipRef(event.ship or "")
                yield Line(Message("arctic.story.left_display", ship=she), event.rule)
            case Supported(taken=taken, steps=steps):
                yield Line(Message("arctic.story.supports", taken=taken, steps=steps), event.rule)
            case FlightDeckLost():
                yield Line(Message("arctic.story.flies_no_more", ship=ship), event.rule)
