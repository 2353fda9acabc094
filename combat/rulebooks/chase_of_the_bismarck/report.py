"""Reports of the events of The Chase of the Bismarck."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from combat.event_reports import events_of
from combat.events import Acted, Concluded, Departed, Event, Rolled, Sunk
from combat.previews import DocumentValue, Line
from combat.rulebooks.chase_of_the_bismarck.actions import Prize
from combat.rulebooks.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulebooks.chase_of_the_bismarck.events import (
    CardLeft,
    ClassRevealed,
    DieResolved,
    Engaged,
    Entered,
    HeldUp,
    MovementReduced,
    Placed,
    PrizeTaken,
    Refuelled,
    Repaired,
    Stands,
    TargetAcquired,
    TorpedoesUsed,
)
from combat.rulebooks.chase_of_the_bismarck.vessel import BOXES
from tabletop.messages import Message, ShipRef


@dataclass(frozen=True, slots=True)
class _Resolved:
    """One die of an attack with the rolls that follow from it."""

    rolls: tuple[Rolled, ...]
    damage: Damage


def with_range(title: Line, events: Sequence[Event]) -> Line:
    """The title of a fire with the range and the positions of the two ships."""
    for engaged in events_of(Engaged, events):
        message = Message(
            "chase.story.engaged",
            title=title.text,
            range=Message(f"chase.range.{engaged.range}"),
            position=Message(f"chase.position.{engaged.position}"),
            target_position=Message(f"chase.position.{engaged.target_position}"),
        )
        title = replace(title, text=message)
    return title


def endings(events: Sequence[Event]) -> Iterator[Line]:
    """The results of an action, line by line."""
    for event in events:
        ship, target = ShipRef(event.ship or ""), ShipRef(event.target or "")
        match event:
            case Sunk(rule="10, step 6"):
                yield Line(Message("chase.result.caught"), event.rule)
            case TorpedoesUsed(left=left):
                yield Line(Message("chase.story.torpedoes_left", ship=ship, left=left), event.rule)
            case TargetAcquired():
                acquired = Message("chase.story.acquired", ship=ship, target=target)
                yield Line(acquired, event.rule)
            case CardLeft():
                left_over = tuple(
                    Message(f"chase.left.{part}", count=count)
                    for part, count in _left(event).items()
                )
                message = (
                    Message("chase.story.has_left", ship=target, parts=left_over)
                    if event.hull
                    else Message("chase.story.has_left_and_sinks", ship=target, parts=left_over)
                )
                yield Line(message, event.rule)
            case MovementReduced(zones=zones):
                yield Line(Message("chase.story.moves", ship=target, n=zones), event.rule)
            case Entered(zone=zone):
                yield Line(Message("chase.story.enters", ship=ship, zone=zone), event.rule)
            case ClassRevealed(ship_class=found):
                a_class = Message(f"chase.a_class.{found.replace(' ', '_')}")
                yield Line(Message("chase.story.reveals", found=a_class), event.rule)
            case Stands():
                yield from _stands(event, ship)
            case Placed(zone=zone):
                position = Message(f"chase.position.{event.position}")
                told = Message("chase.story.stands", ship=ship, zone=zone, position=position)
                yield Line(told, event.rule)
            case PrizeTaken(prize=prize, points=points):
                yield Line(_taken(prize, points), event.rule)
                yield Line(Message("chase.story.revealed", ship=ship), event.rule)
            case Repaired(regained=regained, rudder=rudder):
                if rudder:
                    yield Line(Message("chase.story.rudder_repaired", ship=ship), event.rule)
                elif regained:
                    told = Message("chase.story.evasion", ship=ship, evasion=event.evasion)
                    yield Line(told, event.rule)
            case Refuelled(fuel=fuel, torpedoes=torpedoes):
                told = Message("chase.story.refuelled", ship=ship, fuel=fuel, torpedoes=torpedoes)
                yield Line(told, event.rule)
            case HeldUp(zones=zones):
                yield Line(Message("chase.story.ship_held_up", ship=ship, zones=zones), event.rule)
            case Departed(rule="10, step 4"):
                yield Line(Message("chase.story.ship_pushed_off", ship=ship), event.rule)


def _taken(prize: str, points: str) -> Message:
    if prize == Prize.MERCHANT:
        return Message("chase.story.merchant_sunk", points=points)
    return Message("chase.story.convoy_sunk", convoy=prize, points=points)


def own_keys(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The keys of `dreyer resolve --json` that depend on the action."""
    for stands in events_of(Stands, events):
        return {
            "zone": stands.zone,
            "enemy_zone": stands.enemy_zone,
            "zones_between": stands.zones_between,
            "shifted": stands.shifted,
            "range": stands.range,
        }
    for left in events_of(CardLeft, events):
        return _strike_keys(events, left)
    for taken in events_of(PrizeTaken, events):
        return {"prize": taken.prize, "points": taken.points}
    for mended in events_of(Repaired, events):
        return {"regained": mended.regained, "rudder": mended.rudder, "evasion": mended.evasion}
    for filled in events_of(Refuelled, events):
        return {"fuel": filled.fuel, "torpedoes": filled.torpedoes}
    (concluded,) = events_of(Concluded, events)
    outcome: dict[str, DocumentValue] = {"outcome": list(concluded.results)}
    if events_of(ClassRevealed, events):
        return outcome
    return {"success": concluded.hits > 0, **outcome}


def _strike_keys(events: Sequence[Event], left: CardLeft) -> dict[str, DocumentValue]:
    (acted,), resolved = events_of(Acted, events), list(_resolved(events))
    damage = sum((each.damage for each in resolved), NO_DAMAGE)
    engaged = next(iter(events_of(Engaged, events)), None)
    return {
        "range": engaged.range if engaged else None,
        "dice_count": acted.factor,
        "hit_results": [
            {
                "dice": " ".join(roll.dice for roll in each.rolls),
                "results": [roll.result or roll.words for roll in each.rolls],
                "effect": each.damage.message,
            }
            for each in resolved
            if each.damage.hits
        ],
        "results": [_first_result(each.rolls[0]) for each in resolved],
        # These keys never apply to the target of an attack, but scripts of earlier versions read
        # them.
        "marks": {**asdict(damage), "torpedoes": 0, "aborted": 0},
        "target_left": _left(left),
        "target_sunk": not left.hull,
        # Any result but a miss, only of gunfire (10, step 2).
        "target_acquired": acted.action == "guns" and damage.hits > 0,
    }


def _resolved(events: Sequence[Event]) -> Iterator[_Resolved]:
    rolls: list[Rolled] = []
    for event in events:
        if isinstance(event, Rolled):
            rolls.append(event)
        elif isinstance(event, DieResolved):
            yield _Resolved(tuple(rolls), event.damage)
            rolls.clear()


def _first_result(roll: Rolled) -> Message:
    return Message(
        "chase.story.total_and_result", total=roll.total, result=roll.result or roll.words
    )


def _left(event: CardLeft) -> dict[str, int]:
    counts = (event.hull, event.bow, event.stern, event.secondary, event.evasion)
    return dict(zip(BOXES, counts, strict=True))


def _stands(event: Stands, ship: ShipRef) -> Iterator[Line]:
    if event.position is None:
        yield Line(Message("chase.story.start", zone=event.zone), event.rule)
        yield Line(Message("chase.story.start_positions"), "10")
    else:
        position = Message(f"chase.position.{event.position}")
        stands = Message("chase.story.stands", ship=ship, zone=event.zone, position=position)
        yield Line(stands, event.rule)
    if event.shifted:
        yield Line(Message("chase.story.shifted", n=event.shifted), "10, step 4")
    if event.enemy_zone is None:
        yield Line(Message("chase.story.pushed_off"), "10, step 4")
    elif event.held_up:
        yield Line(Message("chase.story.held_up", zones=event.held_up), "10, step 4")
    if event.zones_between is None:
        yield Line(Message("chase.story.left_board"), "10")
    else:
        reach = Message(f"chase.range.{event.range}")
        between = Message("chase.story.between", n=event.zones_between, range=reach)
        yield Line(between, "10")
