"""What the events of an action in The Chase of the Bismarck say to scripts and to players."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from combat.event_reports import events_of
from combat.events import Acted, Concluded, Event, Rolled
from combat.previews import Line
from combat.rulebooks.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulebooks.chase_of_the_bismarck.events import (
    CardLeft,
    ClassRevealed,
    DieResolved,
    Engaged,
    Entered,
    MovementReduced,
    Stands,
    TargetAcquired,
    TorpedoesUsed,
)
from combat.rulebooks.chase_of_the_bismarck.table_files import FOUND_CLASSES
from combat.rulebooks.chase_of_the_bismarck.vessel import BOXES


@dataclass(frozen=True, slots=True)
class _Resolved:
    """One die of an attack with the rolls that followed from it."""

    rolls: tuple[Rolled, ...]
    damage: Damage


def with_range(title: Line, events: Sequence[Event]) -> Line:
    """The title of a story with the range and the positions of the two ships, where they fire."""
    for engaged in events_of(Engaged, events):
        positions = f"{engaged.position} against {engaged.target_position}"
        title = replace(title, text=f"{title.text}, {engaged.range} range, {positions}")
    return title


def endings(events: Sequence[Event], names: Mapping[str, str]) -> Iterator[Line]:
    """What an action came to, line by line."""
    for event in events:
        ship, target = names.get(event.ship or "", ""), names.get(event.target or "", "")
        match event:
            case TorpedoesUsed(left=left):
                yield Line(f"{ship}: torpedo markers left: {left}", event.rule)
            case TargetAcquired():
                yield Line(f"{ship} has acquired {target} from the next round on", event.rule)
            case CardLeft():
                left_over = ", ".join(f"{part} {count}" for part, count in _left(event).items())
                fate = "" if event.hull else " and sinks"
                yield Line(f"{target} has left {left_over}{fate}", event.rule)
            case MovementReduced(zones=zones):
                yield Line(f"{target} now moves {_zones(zones)} at most", event.rule)
            case Entered(zone=zone):
                place = f"movement zone {zone} from her own edge, in closing position"
                yield Line(f"{ship} enters in {place}", event.rule)
            case ClassRevealed(ship_class=found):
                words = found if found == FOUND_CLASSES[-1] else f"a {found}"
                text = f"her owner reveals {words}, and whether she is in a task force"
                yield Line(text, event.rule)
            case Stands():
                yield from _stands(event, ship)


def own_keys(events: Sequence[Event]) -> dict[str, object]:
    """The keys of `dreyer resolve --json` that depend on what was done."""
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
    (concluded,) = events_of(Concluded, events)
    outcome: dict[str, object] = {"outcome": list(concluded.results)}
    if events_of(ClassRevealed, events):
        return outcome
    return {"success": concluded.hits > 0, **outcome}


def _strike_keys(events: Sequence[Event], left: CardLeft) -> dict[str, object]:
    (acted,), resolved = events_of(Acted, events), list(_resolved(events))
    damage = sum((each.damage for each in resolved), NO_DAMAGE)
    engaged = next(iter(events_of(Engaged, events)), None)
    return {
        "range": engaged.range if engaged else None,
        "dice_count": acted.factor,
        "hit_results": [
            {
                "dice": " ".join(roll.dice for roll in each.rolls),
                "results": [roll.result for roll in each.rolls],
                "effect": str(each.damage),
            }
            for each in resolved
            if each.damage.hits
        ],
        "results": [f"{each.rolls[0].total}: {each.rolls[0].result}" for each in resolved],
        # An attack launches no torpedoes of the target and makes nobody leave: scripts of
        # earlier versions read these two keys all the same.
        "marks": {**asdict(damage), "torpedoes": 0, "aborted": 0},
        "target_left": _left(left),
        "target_sunk": not left.hull,
        # Any result but a miss, of gunfire only (10, step 2).
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


def _left(event: CardLeft) -> dict[str, int]:
    counts = (event.hull, event.bow, event.stern, event.secondary, event.evasion)
    return dict(zip(BOXES, counts, strict=True))


def _stands(event: Stands, ship: str) -> Iterator[Line]:
    if event.position is None:
        words = f"each side starts in movement zone {event.zone} from its own edge"
        yield Line(words, event.rule)
        yield Line("the attackers closing, the defenders breaking-off", "10")
    else:
        yield Line(f"{ship} stands in movement zone {event.zone}, {event.position}", event.rule)
    if event.shifted:
        words = f"all ships are shifted {_zones(event.shifted)} to keep her on the board"
        yield Line(words, "10, step 4")
    if event.enemy_zone is None:
        yield Line("the enemy is pushed off the board and out of the combat", "10, step 4")
    elif event.held_up:
        words = f"the enemy, yet to move, must close and has {event.held_up} zones less, or leaves"
        yield Line(words, "10, step 4")
    if event.zones_between is None:
        yield Line("one of them has left the board and the combat", "10")
    else:
        many = "s" * (event.zones_between != 1)
        words = f"{event.zones_between} sea zone{many} between: {event.range} range"
        yield Line(words, "10")


def _zones(count: int) -> str:
    return f"{count} movement zone{'s' * (count != 1)}"
