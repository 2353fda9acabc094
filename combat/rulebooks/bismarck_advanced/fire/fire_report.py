"""A fire as events, and reports of them as JSON and text."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from combat.event_reports import events_of
from combat.events import Event
from combat.previews import DocumentValue, Line
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport
from combat.rulebooks.bismarck_advanced.fire.effect_messages import (
    added_up,
    effect_message,
    effects_message,
    joined,
)
from combat.rulebooks.bismarck_advanced.fire.events import AmmunitionSpent, Fired, HitScored
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from tabletop.messages import Message, ShipRef


def fire_events(report: FireReport, ship: str, target: str) -> Iterator[Event]:
    """The events of a resolved fire between ships with these ids."""
    shot = report.shot
    yield Fired(
        ship=ship,
        target=target,
        battery=shot.battery,
        guns=report.guns,
        turrets=tuple(turret.name for turret in shot.ready),
        range_yards=shot.sightline.range_yards,
        band=shot.sightline.band,
        multiplier=None if shot.multiplier is None else float(shot.multiplier),
        factor=report.gunnery_factor,
        modifiers=report.ledger.modifiers,
        dice=None if report.dice is None else str(report.dice),
        row=report.row,
        hits=report.hits,
        provenance=report.provenance,
        sunk_before=report.sunk_before,
    )
    for number, hit in enumerate(report.hit_reports, start=1):
        yield replace(_scored(hit, number), ship=ship, target=target)
        for result in hit.results:
            yield replace(result, ship=ship, target=target)
    yield AmmunitionSpent(
        ship=ship, battery=shot.battery, spent=report.ammunition_spent, left=report.ammunition_left
    )


def document(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """A fire as JSON."""
    (fired,), (spent,) = events_of(Fired, events), events_of(AmmunitionSpent, events)
    return {
        "gunnery_factor": fired.factor,
        "segment": fired.band,
        "modifiers": [asdict(modifier) for modifier in fired.modifiers],
        "modifier_total": sum(modifier.value for modifier in fired.modifiers),
        "dice": fired.dice,
        "row": fired.row,
        "hits": fired.hits,
        "hit_results": [_hit_document(hit, results) for hit, results in hits_of(events)],
        "ammunition": {"spent": spent.spent, "remaining": spent.left},
        "provenance": fired.provenance,
    }


def story(events: Sequence[Event]) -> Iterator[Line]:
    """A fire line by line: ships, ledger, roll, and each hit."""
    (fired,), (spent,) = events_of(Fired, events), events_of(AmmunitionSpent, events)
    total = sum(modifier.value for modifier in fired.modifiers)
    yield Line(
        Message(
            "advanced.fire.fires",
            ship=ShipRef(fired.ship or ""),
            target=ShipRef(fired.target or ""),
            n=fired.guns,
            battery=Message(f"advanced.battery.{fired.battery}"),
            range_yards=fired.range_yards,
            band=Message(f"advanced.band.{fired.band}"),
        ),
        fired.rule,
    )
    yield Line(Message("advanced.fire.factor", factor=fired.factor), "62.43", 1)
    for modifier in fired.modifiers:
        if modifier.value:
            mark = modifier.number if isinstance(modifier.number, int) else "·"
            line = Message(
                "advanced.fire.modifier", number=mark, value=modifier.value, label=modifier.label
            )
            yield Line(line, modifier.reference, 1)
    if fired.dice is None:
        yield replace(why_no_dice(fired), depth=1)
    else:
        roll = Message(
            "advanced.fire.roll",
            dice=fired.dice,
            total=total,
            row=fired.row,
            hits=hits_message(fired.hits),
        )
        yield Line(roll, "62.44", 1)
    yield from hit_lines(events)
    used = Message("advanced.fire.ammunition", spent=spent.spent, left=spent.left)
    yield Line(used, spent.rule, 1)


def why_no_dice(fired: Fired) -> Line:
    """Why nothing was rolled for a fire."""
    if not fired.factor:
        return Line(Message("advanced.fire.no_dice"), "62.43")
    if fired.sunk_before:
        return Line(Message("advanced.fire.sunk_before"), "64.8")
    return Line(Message("advanced.fire.hopeless"), "62.44")


def describe_hit(hit: HitReport) -> Message:
    """One hit in a sentence: location, armour and effect."""
    return _hit_message(_scored(hit), hit.results)


def hit_lines(events: Sequence[Event]) -> Iterator[Line]:
    """The hits of a fire, one per line."""
    for hit, results in hits_of(events):
        yield Line(_hit_line(hit.number, _hit_message(hit, results)), hit.rule, 1)


def outcome(events: Sequence[Event]) -> Message:
    """The hits of a fire and all that they did, in one message."""
    (fired,) = events_of(Fired, events)
    results = (result for _, found in hits_of(events) for result in found)
    return joined((hits_message(fired.hits), *map(effect_message, added_up(results))))


def hits_message(hits: int) -> Message:
    """The number of hits in words: "miss", "1 hit", "3 hits"."""
    return Message("advanced.hits", n=hits) if hits else Message("advanced.hits.miss")


def _hit_line(number: int, hit: Message) -> Message:
    return Message("advanced.fire.hit", number=number, hit=hit)


def _scored(hit: HitReport, number: int = 1) -> HitScored:
    return HitScored(
        rule=hit.reference,
        number=number,
        dice=hit.dice,
        location=hit.location,
        place=hit.place,
        armour=hit.armour,
        armour_inches=hit.armour_inches,
        penetration_inches=hit.penetration_inches,
        penetrated=hit.penetrated,
        provenance=hit.provenance,
    )


def hits_of(events: Sequence[Event]) -> list[tuple[HitScored, list[Event]]]:
    """Each hit with the events that follow it."""
    found: list[tuple[HitScored, list[Event]]] = []
    for event in events:
        if isinstance(event, HitScored):
            found.append((event, []))
        elif found and not isinstance(event, AmmunitionSpent):
            found[-1][1].append(event)
    return found


def _hit_document(hit: HitScored, results: Sequence[Event]) -> dict[str, DocumentValue]:
    return {
        "dice": " ".join(hit.dice),
        "location": hit.location,
        "place": hit.place,
        "armour": hit.armour,
        "armour_inches": hit.armour_inches,
        "penetration_inches": hit.penetration_inches,
        "penetrated": hit.penetrated,
        "effect": effects_message(results),
        "provenance": hit.provenance,
    }


def _hit_message(hit: HitScored, results: Sequence[Event]) -> Message:
    place, effect = hit.place, effects_message(results)
    if hit.armour is None:
        return Message("advanced.hit.no_armour_asked", place=place, effect=effect)
    if hit.armour_inches is None:
        return Message("advanced.hit.unarmoured", place=place, effect=effect)
    if hit.penetration_inches is None:
        return Message(
            "advanced.hit.no_penetration",
            place=place,
            armour_inches=hit.armour_inches,
            effect=effect,
        )
    return Message(
        "advanced.hit.armoured",
        place=place,
        penetration_inches=hit.penetration_inches,
        armour_inches=hit.armour_inches,
        effect=effect,
    )
