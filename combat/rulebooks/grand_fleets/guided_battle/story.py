"""What has happened in a battle: entry by entry, and where everybody stood."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from combat.battle_history import History, Point, SegmentPast, ShipPosition
from combat.distributions import convolve_repeated
from combat.event_reports import events_of, umpire_line
from combat.events import Acted, Departed, Event, Rolled, Sunk, UmpireRolled
from combat.participants import ShipStatus
from combat.previews import Line
from combat.rulebooks.grand_fleets.card import GUNS, TORPEDOES
from combat.rulebooks.grand_fleets.events import Fired, Moved
from combat.rulebooks.grand_fleets.guided_battle.events import (
    BattleEnded,
    CommandDoubtful,
    CommandLost,
    CommandRestored,
    FireHeld,
    FlagLost,
    GuidedEvent,
    LineSettled,
    ModelMoved,
    MoveAgreed,
    OrderSet,
    PhaseBegan,
    ScoreCounted,
    ShipEntered,
    ShotLost,
    ValuesCorrected,
)
from combat.rulebooks.grand_fleets.guided_battle.state import Phase
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.volley import hit_chance
from combat.story_entries import Entry, MoveDocument, VolleyDocument
from tabletop.messages import Message, ShipRef
from tabletop.table import Pose

SEGMENTS = {phase.value: number for number, phase in enumerate(Phase)}
"""The number of each phase within its turn."""


def story(
    events: Iterable[Event], free: GrandFleetsRulebook, side_names: Mapping[str, str]
) -> tuple[Entry, ...]:
    """Entry by entry; nothing of it is secret."""
    entries: list[Entry] = []
    sides: dict[str, str] = {}
    turn, segment = 0, SEGMENTS[Phase.COMMANDERS]
    for group in _groups(events):
        first = group[0]
        if isinstance(first, PhaseBegan):
            turn, segment = first.turn, SEGMENTS[first.phase]
        if isinstance(first, ShipEntered) and first.ship:
            sides[first.ship] = first.side
        entries += (
            replace(entry, round_number=turn, segment=segment)
            for entry in _entries(group, free, sides, side_names)
        )
    return tuple(entries)


def history(events: Iterable[Event]) -> History:
    """Where everybody stood after each Movement Phase."""
    start: dict[str, ShipPosition] = {}
    now: dict[str, ShipPosition] = {}
    ways: dict[str, tuple[Point, ...]] = {}
    segments: list[SegmentPast] = []
    for event in events:
        match event:
            case ShipEntered(ship=str() as ship):
                found = ShipPosition(event.x_yards, event.y_yards, event.heading_deg, event.status)
                start[ship] = now[ship] = found
            case ModelMoved(ship=str() as ship):
                status = now[ship].status
                now[ship] = ShipPosition(event.x_yards, event.y_yards, event.heading_deg, status)
                ways[ship] = event.way
            case PhaseBegan(turn=turn, phase=Phase.COMMAND.value):
                number = SEGMENTS[Phase.MOVEMENT]
                segments.append(SegmentPast(turn, number, dict(now), ways))
                ways = {}
            case ValuesCorrected(ship=str() as ship):
                now[ship] = ShipPosition(
                    event.x_yards, event.y_yards, event.heading_deg, event.status
                )
            case Sunk(target=str() as ship):
                now[ship] = replace(now[ship], status=ShipStatus.SUNK)
            case Departed(ship=str() as ship):
                now[ship] = replace(now[ship], status=ShipStatus.WITHDRAWN)
            case PhaseBegan() if segments:
                # Who was sunk since is known now.
                segments[-1] = replace(segments[-1], ships=dict(now))
    if segments:
        segments[-1] = replace(segments[-1], ships=dict(now))
    return History(start, tuple(segments))


def _groups(events: Iterable[Event]) -> Iterator[list[Event]]:
    """The events of one action of free play together, each event of the sequence by itself."""
    group: list[Event] = []
    for event in events:
        if isinstance(event, GuidedEvent | Acted) and group:
            yield group
            group = []
        group.append(event)
        if isinstance(event, GuidedEvent):
            yield group
            group = []
    if group:
        yield group


def _entries(
    group: Sequence[Event],
    free: GrandFleetsRulebook,
    sides: dict[str, str],
    side_names: Mapping[str, str],
) -> Iterator[Entry]:
    first = group[0]
    ships = tuple(
        dict.fromkeys(name for event in group for name in (event.ship, event.target) if name)
    )
    if isinstance(first, UmpireRolled):
        yield Entry(kind="dice", line=replace(umpire_line(first), depth=0))
        return
    if not isinstance(first, GuidedEvent):
        by_umpire = map(umpire_line, events_of(UmpireRolled, group))
        lines = list(free.story(group))
        volley, told = _volley(group), _in_short(group)
        if told is None:
            told, *lines = lines
        yield Entry(
            kind=_kind(first),
            line=told,
            children=tuple(
                replace(line, depth=max(0, line.depth - 1)) for line in (*lines, *by_umpire)
            ),
            ships=ships,
            document=volley,
        )
        return
    words = _line(first, side_names)
    if words is None:
        return
    document = None
    if isinstance(first, ModelMoved) and first.ship:
        pose = Pose(first.x_yards, first.y_yards, first.heading_deg)
        document = MoveDocument(first.ship, sides.get(first.ship, ""), pose)
    yield Entry(kind=first.kind, line=Line(words, first.rule), ships=ships, document=document)


def _kind(first: Event) -> str:
    """What an entry is: a fire, torpedoes, another roll by its name, or an event."""
    if not isinstance(first, Acted):
        return first.kind
    if first.action in GUNS:
        return "fire"
    return "torpedo" if first.action == TORPEDOES else first.action


def _in_short(group: Sequence[Event]) -> Line | None:
    """What came of a fire, or that a ship stops; None for what its first line tells already."""
    for moved in events_of(Moved, group):
        if not moved.yards:
            stops = Message("grand_fleets.battle_story.stops", ship=ShipRef(moved.ship or ""))
            return Line(stops, moved.rule)
    acted = events_of(Acted, group)
    if not events_of(Fired, group):
        return None
    hits, target = events_of(Rolled, group)[0].total, ShipRef(acted[0].target or "")
    told = Message(
        f"grand_fleets.battle_story.{'fired_sinks' if events_of(Sunk, group) else 'fired'}",
        ship=ShipRef(acted[0].ship or ""),
        weapon=acted[0].title,
        target=target,
        hits=Message("grand_fleets.result.hits", n=hits),
    )
    return Line(told, acted[0].rule)


def _volley(group: Sequence[Event]) -> VolleyDocument | None:
    """The dice of an attack, and what they could expect when they were rolled."""
    acted, fired = events_of(Acted, group), events_of(Fired, group)
    if not (acted and fired):
        return None
    (attack,), (weapon,), rolled = acted, fired, events_of(Rolled, group)[0]
    chance = hit_chance(weapon.hits_when)
    odds = convolve_repeated({(1,): chance, (0,): 1 - chance}, attack.factor)
    return VolleyDocument(
        firer=attack.ship or "",
        target=attack.target or "",
        shots=attack.factor,
        hits=rolled.total,
        hit_odds={hits: share for (hits,), share in sorted(odds.items())},
        expected_hits=attack.factor * chance,
    )


def _line(event: GuidedEvent, side_names: Mapping[str, str]) -> Message | None:
    ship, target = ShipRef(event.ship or ""), ShipRef(event.target or "")
    match event:
        case PhaseBegan(turn=turn, phase=phase):
            if phase == Phase.COMMANDERS.value:
                return Message("grand_fleets.battle_story.commanders")
            name = Message(f"grand_fleets.phase.{phase}")
            return Message("grand_fleets.battle_story.phase", turn=turn, phase=name)
        case OrderSet(names=names, rolls=rolls):
            if rolls:
                dice = " ".join(map(str, rolls))
                return Message("grand_fleets.battle_story.order_rolled", names=names, dice=dice)
            return Message("grand_fleets.battle_story.order", names=names)
        case ModelMoved(placed=True):
            return Message("grand_fleets.battle_story.placed", ship=ship)
        case ModelMoved(nudged_yards=yards) if yards:
            return Message("grand_fleets.battle_story.nudged", ship=ship, yards=yards)
        case MoveAgreed(turned=turned):
            return Message(
                f"grand_fleets.battle_story.move_agreed{'_turn' if turned else ''}",
                ship=ship,
                yards=event.yards,
                measured=event.measured_yards,
                sigma=event.sigma_yards,
            )
        case CommandLost(by_hand=by_hand):
            code = "lost_by_hand" if by_hand else "lost"
            return Message(f"grand_fleets.battle_story.command_{code}", ship=ship)
        case CommandDoubtful():
            return Message("grand_fleets.battle_story.command_doubtful", ship=ship)
        case CommandRestored():
            return Message("grand_fleets.battle_story.command_restored", ship=ship)
        case FlagLost(division=division):
            return Message("grand_fleets.battle_story.flag_lost", division=division)
        case FireHeld():
            return Message("grand_fleets.battle_story.held", ship=ship)
        case ShotLost(title=title):
            return Message(
                "grand_fleets.battle_story.shot_lost", ship=ship, target=target, weapon=title
            )
        case LineSettled(reason=reason, who=who):
            return Message(
                "grand_fleets.battle_story.settled",
                ship=ship,
                target=target,
                reason=reason,
                who=who,
            )
        case ValuesCorrected(changes=changes, reason=reason):
            if event.ship is None:
                return Message(
                    "grand_fleets.battle_story.corrected_battle", changes=changes, reason=reason
                )
            return Message(
                "grand_fleets.battle_story.corrected_ship",
                ship=ship,
                changes=changes,
                reason=reason,
            )
        case ScoreCounted(points=points):
            scores = tuple(
                Message(
                    "grand_fleets.battle_story.score_of",
                    side=side_names.get(side, side),
                    points=scored,
                )
                for side, scored in points
            )
            return Message("grand_fleets.battle_story.score", scores=scores)
        case BattleEnded(why=why):
            return why
    return None
