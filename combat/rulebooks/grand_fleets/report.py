"""Reports of the events of Grand Fleets."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from combat.event_reports import events_of, modifier_lines, provenance_of
from combat.events import Acted, Concluded, Departed, Event, Rolled, Sunk
from combat.previews import DocumentValue, Line
from combat.rulebooks.grand_fleets.card import TORPEDOES
from combat.rulebooks.grand_fleets.damage import is_torpedo
from combat.rulebooks.grand_fleets.events import (
    ChecksDue,
    CommanderRated,
    CommandReturned,
    DamageChecked,
    DivisionPriced,
    Fired,
    HealthChanged,
    HullHit,
    HullMarked,
    InitiativeRolled,
    Moved,
    OrderDecided,
    OutOfCommand,
    PartsMarked,
    Scored,
    SpeedMarkerSet,
    VictoryJudged,
)
from combat.rulebooks.grand_fleets.terms import (
    arc_message,
    health_message,
    player_message,
    size_message,
)
from tabletop.messages import Message, ShipRef, Value


def document(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The document of `dreyer resolve --json`."""
    (acted,) = events_of(Acted, events)
    begun: dict[str, DocumentValue] = {
        "battery": acted.action,
        "dice_count": acted.factor,
        "modifiers": [asdict(modifier) for modifier in acted.modifiers],
        "modifier_total": _total(acted),
        "dice": " ".join(_dice(events)),
    }
    if events_of(Fired, events):
        return {**begun, **_attack_document(events)}
    (concluded,) = events_of(Concluded, events)
    own: dict[str, DocumentValue] = {
        "result": concluded.results[0],
        "provenance": provenance_of(events),
    }
    return {**begun, **own, **_roll_document(acted, events)}


def story(events: Sequence[Event]) -> tuple[Line, ...]:
    """An action, line by line."""
    if events_of(Fired, events):
        return tuple(_attack_story(events))
    return tuple(_roll_story(events))


def _total(acted: Acted) -> int:
    return sum(modifier.value for modifier in acted.modifiers)


def _dice(events: Sequence[Event]) -> Iterator[str]:
    """Every die, as a player types it."""
    (acted,) = events_of(Acted, events)
    for event in events:
        match event:
            case Rolled(dice=dice) if dice:
                yield dice
            case HullHit(dice=dice) if acted.action == TORPEDOES:
                yield dice
            case DamageChecked(die=die):
                yield str(die)


def _check(check: DamageChecked) -> dict[str, DocumentValue]:
    return {"part": check.part, "die": check.die, "boxes": check.boxes}


def _series(events: Sequence[Event]) -> list[list[DamageChecked]]:
    """The series of damage checks."""
    found: dict[int, list[DamageChecked]] = {}
    for check in events_of(DamageChecked, events):
        found.setdefault(check.series, []).append(check)
    return list(found.values())


def _lost(parts: PartsMarked) -> dict[str, DocumentValue]:
    return {
        "speed_lost": parts.speed_lost,
        "dice_lost": {str(part): lost for part, lost in parts.dice_lost.items()},
        "torpedoes_lost": {str(tube): lost for tube, lost in parts.torpedoes_lost.items()},
    }


def _attack_document(events: Sequence[Event]) -> dict[str, DocumentValue]:
    (fired,), (hull,) = events_of(Fired, events), events_of(HullMarked, events)
    (parts,), hits = events_of(PartsMarked, events), events_of(HullHit, events)
    scored = [event.points for event in events_of(Scored, events)]
    sunk = bool(events_of(Sunk, events))
    return {
        "range_yards": fired.range_yards,
        "hits_when": fired.hits_when,
        "hits": len(hits),
        "hit_results": [{"dice": hit.dice, "boxes": hit.boxes} for hit in hits],
        "boxes": hull.boxes,
        "hull_left": hull.left,
        "health": hull.health,
        "checks": [[_check(check) for check in series] for series in _series(events)],
        "checks_due": sum(event.series for event in events_of(ChecksDue, events)),
        **_lost(parts),
        # A card may not have her points.
        "victory_points": (sum(scored) if scored else None) if sunk else 0,
        "provenance": provenance_of(events),
    }


def _roll_document(acted: Acted, events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The further keys of a roll; `acted` has the strength."""
    found: dict[str, DocumentValue] = {}
    for event in events:
        match event:
            case PartsMarked():
                checks = events_of(DamageChecked, events)
                found |= {"checks": [_check(check) for check in checks], **_lost(event)}
            case SpeedMarkerSet(marker=marker):
                found |= {"marker": marker, "limit_yards": acted.factor}
            case InitiativeRolled(score=score):
                found["score"] = score
            case CommandReturned() | OutOfCommand():
                (rolled,) = events_of(Rolled, events)
                back = isinstance(event, CommandReturned)
                found |= {"total": rolled.total, "in_command": back}
            case CommanderRated(modifier=modifier):
                (rolled,) = events_of(Rolled, events)
                found |= {"total": rolled.total, "quality": modifier}
            case OrderDecided(moves_first=first, fires_first=second):
                found |= {"moves_first": first, "fires_first": second}
            case Scored(points=points):
                found["victory_points"] = points
            case VictoryJudged(winner=winner):
                found["winner"] = winner
            case DivisionPriced(cost=cost):
                found["points"] = cost
    return found


def _attack_story(events: Sequence[Event]) -> Iterator[Line]:
    (acted,), (fired,) = events_of(Acted, events), events_of(Fired, events)
    (rolled,), (hull,) = events_of(Rolled, events), events_of(HullMarked, events)
    hits, rule, torpedoes = events_of(HullHit, events), fired.rule, acted.action == TORPEDOES
    target, total = ShipRef(fired.target or ""), _total(acted)
    attack: dict[str, Value] = {
        "ship": ShipRef(fired.ship or ""),
        "target": target,
        "weapon": fired.weapon,
        "n": acted.factor,
        "yards": fired.range_yards,
        "arc": arc_message(fired.quadrant),
    }
    if torpedoes:
        yield Line(Message("grand_fleets.story.torpedo_attack", **attack), rule)
    else:
        yield Line(Message("grand_fleets.story.gun_attack", **attack), rule)
    yield from modifier_lines(acted.modifiers)
    yield Line(
        Message("grand_fleets.story.hits_on", total=total, hits_when=fired.hits_when), rule, 1
    )
    if rolled.dice:
        yield Line(Message("grand_fleets.story.rolled", dice=rolled.dice), rule, 1)
    else:
        yield Line(Message("grand_fleets.story.no_dice"), rule, 1)
    if torpedoes:
        for hit in hits:
            boxes = boxes_message(hit.boxes)
            yield Line(Message("grand_fleets.story.hit", dice=hit.dice, boxes=boxes), rule, 2)
    yield Line(
        Message(
            "grand_fleets.story.result",
            hits=rolled.words or rolled.result,
            boxes=boxes_message(hull.boxes),
        ),
        rule,
        1,
    )
    for series in _series(events):
        yield Line(Message("grand_fleets.story.checks", ship=target), series[0].rule, 1)
        yield from _checks_story(series)
    yield Line(_fate(hull, target, events), hull.rule, 1)


def _checks_story(series: Sequence[DamageChecked]) -> Iterator[Line]:
    """A series of damage checks, line by line; all torpedoes in one line."""
    for check in series:
        if check.name:
            effect = (
                boxes_message(check.boxes)
                if check.boxes
                else Message("grand_fleets.story.no_effect")
            )
            message = Message(
                "grand_fleets.story.check", part=check.name, die=check.die, effect=effect
            )
            yield Line(message, check.rule, 2)
    torpedoes = [check for check in series if is_torpedo(check.part)]
    if torpedoes:
        lost = sum(check.boxes for check in torpedoes)
        dice, count = " ".join(str(check.die) for check in torpedoes), len(torpedoes)
        if lost:
            message = Message(
                "grand_fleets.story.torpedoes_lost", dice=dice, lost=lost, count=count
            )
        else:
            message = Message("grand_fleets.story.torpedoes_kept", dice=dice, count=count)
        yield Line(message, torpedoes[0].rule, 2)


def _fate(hull: HullMarked, target: ShipRef, events: Sequence[Event]) -> Message:
    if events_of(Sunk, events):
        for scored in events_of(Scored, events):
            return Message("grand_fleets.story.sunk_for", ship=target, points=scored.points)
        return Message("grand_fleets.story.sunk", ship=target)
    left: dict[str, Value] = {"ship": target, "left": hull.left, "total": hull.total}
    if not events_of(HealthChanged, events):
        return Message("grand_fleets.story.hull_left", **left)
    left["health"] = health_message(hull.health)
    for due in events_of(ChecksDue, events):
        return Message("grand_fleets.story.health_and_checks", series=due.series, **left)
    return Message("grand_fleets.story.health", **left)


def _roll_story(events: Sequence[Event]) -> Iterator[Line]:
    (concluded,) = events_of(Concluded, events)
    totals = [rolled.total for rolled in events_of(Rolled, events)]
    series = events_of(DamageChecked, events)
    for event in events:
        ship = ShipRef(event.ship or "")
        match event:
            case PartsMarked():
                yield Line(Message("grand_fleets.story.checks", ship=ship), event.rule)
                yield from _checks_story(series)
            case Moved():
                yield from _moved(event, ship)
            case SpeedMarkerSet(marker="none"):
                yield Line(Message("grand_fleets.story.no_marker"), event.rule, 1)
            case SpeedMarkerSet(marker=marker):
                named = Message(f"grand_fleets.marker.{marker}")
                yield Line(Message("grand_fleets.story.marker", marker=named), event.rule, 1)
            case InitiativeRolled(score=score):
                yield Line(_initiative(ship, score, events), event.rule)
            case CommandReturned():
                message = Message("grand_fleets.story.returned", ship=ship, total=totals[0])
                yield Line(message, event.rule)
            case OutOfCommand():
                message = Message("grand_fleets.story.out_of_command", ship=ship, total=totals[0])
                yield Line(message, event.rule)
            case CommanderRated():
                yield Line(_commander(event, ship, totals[0]), event.rule)
            case OrderDecided():
                yield from _order(event)
            case Departed():
                points = sum(scored.points for scored in events_of(Scored, events))
                left = Message("grand_fleets.story.left", ship=ship, points=points)
                yield Line(left, event.rule)
            case VictoryJudged():
                yield Line(_victory(event, concluded.results[0]), event.rule)
            case DivisionPriced():
                yield Line(_price(event), event.rule)


def _commander(rated: CommanderRated, ship: ShipRef, total: int) -> Message:
    return Message(
        "grand_fleets.story.commander",
        ship=ship,
        quality=Message(f"grand_fleets.quality.{rated.quality}"),
        modifier=rated.modifier,
        total=total,
    )


def _order(decided: OrderDecided) -> Iterator[Line]:
    """Who moves first, and who fires first."""
    moves = Message(
        "grand_fleets.story.moves_first",
        player=player_message(decided.moves_first),
        low=decided.low,
        high=decided.high,
    )
    yield Line(moves, "The Movement Phase")
    player = player_message(decided.fires_first)
    yield Line(Message("grand_fleets.story.fires_first", player=player), "The Combat Phase")


def _victory(judged: VictoryJudged, result: Message) -> Message:
    first, second = judged.points
    return Message(
        "grand_fleets.story.victory",
        first=first,
        second=second,
        size=size_message(judged.battle_size),
        result=result,
    )


def _price(priced: DivisionPriced) -> Message:
    return Message(
        "grand_fleets.story.division",
        points=priced.points,
        cost=priced.cost,
        quality=Message(f"grand_fleets.quality.{priced.chosen}"),
    )


def _moved(moved: Moved, ship: ShipRef) -> Iterator[Line]:
    if moved.turned:
        yield Line(Message("grand_fleets.story.turns", ship=ship, yards=moved.yards), moved.rule)
    else:
        yield Line(Message("grand_fleets.story.moves", ship=ship, yards=moved.yards), moved.rule)
    for line in moved.limits:
        limit = Message("grand_fleets.story.limit", value=line.value, label=line.label)
        yield Line(limit, line.reference, 1)


def _initiative(ship: ShipRef, score: int, events: Sequence[Event]) -> Message:
    (rolled,) = events_of(Rolled, events)
    first, second = tuple(rolled.dice)
    dice: dict[str, Value] = {"ship": ship, "first": first, "second": second, "score": score}
    if not rolled.modifier:
        return Message("grand_fleets.story.initiative", **dice)
    return Message("grand_fleets.story.initiative_with", modifier=rolled.modifier, **dice)


def boxes_message(count: int) -> Message:
    """A number of boxes in words."""
    return Message("grand_fleets.story.boxes", n=count)
