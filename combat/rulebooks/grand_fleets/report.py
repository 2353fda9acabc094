"""What the events of an action in Grand Fleets say to scripts and to players."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from combat.event_reports import events_of, modifier_lines, provenance_of
from combat.events import Acted, Concluded, Departed, Event, Rolled, Sunk
from combat.previews import Line
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
from tabletop.arcs import Quadrant


def document(events: Sequence[Event]) -> dict[str, object]:
    """The document of `dreyer resolve --json`."""
    (acted,) = events_of(Acted, events)
    begun: dict[str, object] = {
        "battery": acted.action,
        "dice_count": acted.factor,
        "modifiers": [asdict(modifier) for modifier in acted.modifiers],
        "modifier_total": _total(acted),
        "dice": " ".join(_dice(events)),
    }
    if events_of(Fired, events):
        return {**begun, **_attack_document(events)}
    (concluded,) = events_of(Concluded, events)
    own = {"result": concluded.results[0], "provenance": provenance_of(events)}
    return {**begun, **own, **_roll_document(acted, events)}


def story(events: Sequence[Event], names: Mapping[str, str]) -> tuple[Line, ...]:
    """An action in words."""
    if events_of(Fired, events):
        return tuple(_attack_story(events, names))
    return tuple(_roll_story(events, names))


def _total(acted: Acted) -> int:
    return sum(modifier.value for modifier in acted.modifiers)


def _dice(events: Sequence[Event]) -> Iterator[str]:
    """Every die, as it would be typed in."""
    (acted,) = events_of(Acted, events)
    for event in events:
        match event:
            case Rolled(dice=dice) if dice:
                yield dice
            case HullHit(dice=dice) if acted.action == TORPEDOES:
                yield dice
            case DamageChecked(die=die):
                yield str(die)


def _check(check: DamageChecked) -> dict[str, object]:
    return {"part": check.part, "die": check.die, "boxes": check.boxes}


def _series(events: Sequence[Event]) -> list[list[DamageChecked]]:
    """The series of damage checks, one after the other."""
    found: dict[int, list[DamageChecked]] = {}
    for check in events_of(DamageChecked, events):
        found.setdefault(check.series, []).append(check)
    return list(found.values())


def _lost(parts: PartsMarked) -> dict[str, object]:
    return {
        "speed_lost": parts.speed_lost,
        "dice_lost": dict(parts.dice_lost),
        "torpedoes_lost": {str(tube): lost for tube, lost in parts.torpedoes_lost.items()},
    }


def _attack_document(events: Sequence[Event]) -> dict[str, object]:
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
        # A card may not say what she is worth.
        "victory_points": (sum(scored) if scored else None) if sunk else 0,
        "provenance": provenance_of(events),
    }


def _roll_document(acted: Acted, events: Sequence[Event]) -> dict[str, object]:
    """What a roll says besides; `acted` has the strength."""
    found: dict[str, object] = {}
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


def _attack_story(events: Sequence[Event], names: Mapping[str, str]) -> Iterator[Line]:
    (acted,), (fired,) = events_of(Acted, events), events_of(Fired, events)
    (rolled,), (hull,) = events_of(Rolled, events), events_of(HullMarked, events)
    hits, rule, torpedoes = events_of(HullHit, events), fired.rule, acted.action == TORPEDOES
    firer, target, count = names[fired.ship or ""], names[fired.target or ""], acted.factor
    if torpedoes:
        what = f"{count} torpedo{'es' * (count != 1)}"
    else:
        what = f"{count} {'die' if count == 1 else 'dice'}"
    arc = {Quadrant.BOW: "forward", Quadrant.STERN: "aft"}.get(fired.quadrant, fired.quadrant.value)
    yield Line(
        f"{firer}, {fired.weapon}: {what} at {target}, {fired.range_yards:,} yards, {arc} arc", rule
    )
    yield from modifier_lines(acted.modifiers)
    yield Line(f"{_total(acted):+3d}  in all. Hits on {fired.hits_when}", rule, 1)
    yield Line(f"Rolled {rolled.dice or 'nothing: no dice are left'}", rule, 1)
    if torpedoes:
        yield from (Line(f"A hit: {hit.dice}, {_boxes(hit.boxes)}", rule, 2) for hit in hits)
    yield Line(f"{rolled.result}, {_boxes(hull.boxes)} of the hull", rule, 1)
    for series in _series(events):
        yield Line(f"{target} makes damage checks", series[0].rule, 1)
        yield from _checks_story(series)
    yield Line(_fate(hull, target, events), hull.rule, 1)


def _checks_story(series: Sequence[DamageChecked]) -> Iterator[Line]:
    """A series of damage checks in words; all torpedoes in one line."""
    for check in series:
        if check.name:
            effect = _boxes(check.boxes) if check.boxes else "no effect"
            yield Line(f"{check.name}: {check.die}, {effect}", check.rule, 2)
    torpedoes = [check for check in series if is_torpedo(check.part)]
    if torpedoes:
        lost = sum(check.boxes for check in torpedoes)
        rolled = " ".join(str(check.die) for check in torpedoes)
        words = f"Torpedoes: {rolled}, {lost or 'none'} of {len(torpedoes)} lost"
        yield Line(words, torpedoes[0].rule, 2)


def _fate(hull: HullMarked, target: str, events: Sequence[Event]) -> str:
    if events_of(Sunk, events):
        scored = "".join(f", {event.points} victory points" for event in events_of(Scored, events))
        return f"{target} is sunk and leaves the game at once{scored}"
    left = f"{target} has {hull.left} of {hull.total} hull boxes left"
    if not events_of(HealthChanged, events):
        return left
    due = "".join(
        f"; {event.series} series of damage checks to roll"
        for event in events_of(ChecksDue, events)
    )
    return f"{left} and is {hull.health}{due}"


def _roll_story(events: Sequence[Event], names: Mapping[str, str]) -> Iterator[Line]:
    (concluded,) = events_of(Concluded, events)
    result = concluded.results[0]
    totals = [rolled.total for rolled in events_of(Rolled, events)]
    series = events_of(DamageChecked, events)
    for event in events:
        name = names.get(event.ship or "", "")
        match event:
            case PartsMarked():
                yield Line(f"{name} makes damage checks", event.rule)
                yield from _checks_story(series)
            case Moved(yards=yards, turned=turned, limits=limits):
                yield Line(f"{name} moves {yards:,} yards{', turning' * turned}", event.rule)
                for line in limits:
                    yield Line(f"{line.value:+,d}  {line.label}", line.reference, 1)
            case SpeedMarkerSet(marker=marker):
                article = "no" if marker == "none" else "a"
                yield Line(f"She gets {article} {result.removeprefix('no ')}", event.rule, 1)
            case InitiativeRolled(score=score):
                (rolled,) = events_of(Rolled, events)
                added = f" {rolled.modifier:+d}" if rolled.modifier else ""
                sums = f"{' + '.join(rolled.dice)}{added} = {score}"
                yield Line(f"Initiative of the division of {name}: {sums}", event.rule)
            case CommandReturned() | OutOfCommand():
                yield Line(f"{name} {result}: {totals[0]}", event.rule)
            case CommanderRated(quality=quality, modifier=modifier):
                rating = f"{quality} ({modifier:+d}): {totals[0]}"
                yield Line(f"The commander on board {name} is {rating}", event.rule)
            case OrderDecided(moves_first=first, fires_first=second, low=low, high=high):
                yield Line(f"The {first} moves first: {low} against {high}", "The Movement Phase")
                words = f"The {second} fires first, where the roll is for combat"
                yield Line(words, "The Combat Phase")
            case Departed():
                points = "".join(str(scored.points) for scored in events_of(Scored, events))
                words = f"{name} leaves the table and the game; the enemy scores {points} points"
                yield Line(words, event.rule)
            case VictoryJudged(points=(one, other), battle_size=size):
                yield Line(f"{one} to {other} in a {size} battle: {result}", event.rule)
            case DivisionPriced(points=points, chosen=chosen, cost=cost):
                words = f"A division of {points} points costs {cost} under a commander who is"
                yield Line(f"{words} {chosen}", event.rule)


def _boxes(count: int) -> str:
    return f"{count} box{'es' * (count != 1)}"
