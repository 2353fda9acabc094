"""Reports of the events of Arctic Disaster."""

from collections.abc import Iterator, Sequence

from combat.event_reports import events_of
from combat.events import Acted, Concluded, Event, Sunk
from combat.previews import DocumentValue, Line
from combat.rulebooks.arctic_disaster.events import (
    CombatEnded,
    Damaged,
    Deployed,
    Designated,
    DisplayMoved,
    FlightDeckLost,
    GunneryLost,
    LeftDisplay,
    MovementCost,
    SmokeLaid,
    SpeedLost,
    Submerged,
    Supported,
)
from tabletop.messages import Message, ShipRef


def damage_keys(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The keys of `dreyer resolve --json` about damage."""
    for damaged in events_of(Damaged, events):
        sunk = damaged.damage >= damaged.capacity
        return {"damage": damaged.points, "target_damage": damaged.damage, "target_sunk": sunk}
    return {"damage": 0}


def end_keys(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The keys about who leaves the hex of a combat that has ended (11.4.10)."""
    for ended in events_of(CombatEnded, events):
        leaves = tuple(map(str, ended.leaves))
        return {"leaves_hex": leaves, "returns": ended.returns, "tied": ended.tied}
    return {}


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
            case Designated(battery=battery):
                words = Message(f"arctic.action.{battery}")
                yield Line(Message("arctic.story.designated", battery=words), event.rule)
            case Submerged():
                she = ShipRef(event.ship or "")
                yield Line(Message("arctic.story.submerged", ship=she), event.rule)
            case CombatEnded():
                yield from _ended(event)
            case Supported(taken=taken, steps=steps):
                yield Line(Message("arctic.story.supports", taken=taken, steps=steps), event.rule)
            case FlightDeckLost():
                yield Line(Message("arctic.story.flies_no_more", ship=ship), event.rule)


def _ended(event: CombatEnded) -> Iterator[Line]:
    """Who leaves the combat hex, and who may stay behind."""
    if event.tied:
        yield Line(Message("arctic.story.tied"), event.rule)
    if len(event.leaves) > 1:
        yield Line(Message("arctic.story.all_leave_hex"), event.rule)
    elif event.leaves:
        (player,) = (Message(f"arctic.player.{each}") for each in event.leaves)
        yield Line(Message("arctic.story.leaves_hex", player=player), event.rule)
    if event.leaves:
        way = "returns" if event.returns else "placed"
        yield Line(Message(f"arctic.story.{way}"), event.rule)
    for ship in event.damaged:
        yield Line(Message("arctic.story.may_detach", ship=ShipRef(ship)), "11.4.11")
