"""One fire as events, and what those say to scripts and to players."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from combat.event_reports import events_of
from combat.events import Event
from combat.previews import Line
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport
from combat.rulebooks.bismarck_advanced.fire.effect_text import effects_words
from combat.rulebooks.bismarck_advanced.fire.events import AmmunitionSpent, Fired, HitScored
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport


def fire_events(report: FireReport, ship: str, target: str) -> Iterator[Event]:
    """A resolved fire of one ship at another, which have these ids."""
    shot = report.shot
    yield Fired(
        ship=ship,
        target=target,
        rule="61.1",
        battery=shot.battery,
        guns=report.guns,
        turrets=tuple(turret.name for turret in shot.ready),
        range_yards=shot.sightline.range_yards,
        band=shot.sightline.band,
        factor=report.gunnery_factor,
        modifiers=report.ledger.modifiers,
        dice=None if report.dice is None else str(report.dice),
        row=report.row,
        hits=report.hits,
        provenance=report.provenance,
    )
    for number, hit in enumerate(report.hit_reports, start=1):
        yield replace(_scored(hit, number), ship=ship, target=target)
        for result in hit.results:
            yield replace(result, ship=ship, target=target)
    yield AmmunitionSpent(
        ship=ship, battery=shot.battery, spent=report.ammunition_spent, left=report.ammunition_left
    )


def document(events: Sequence[Event]) -> dict[str, object]:
    """A fire with the keys that scripts rely on."""
    (fired,), (spent,) = events_of(Fired, events), events_of(AmmunitionSpent, events)
    return {
        "gunnery_factor": fired.factor,
        "segment": fired.band,
        "modifiers": [asdict(modifier) for modifier in fired.modifiers],
        "modifier_total": sum(modifier.value for modifier in fired.modifiers),
        "dice": fired.dice,
        "row": fired.row,
        "hits": fired.hits,
        "hit_results": [_hit_document(hit, results) for hit, results in _hits(events)],
        "ammunition": {"spent": spent.spent, "remaining": spent.left},
        "provenance": fired.provenance,
    }


def story(events: Sequence[Event], names: Mapping[str, str]) -> Iterator[Line]:
    """A fire in words: who, the ledger, the roll, and each hit as a short story."""
    (fired,), (spent,) = events_of(Fired, events), events_of(AmmunitionSpent, events)
    firer, target = names[fired.ship or ""], names[fired.target or ""]
    band = (fired.band or "").replace("_", " ")
    total = sum(modifier.value for modifier in fired.modifiers)
    yield Line(
        f"{firer} fires {fired.guns} {fired.battery} gun{'s' * (fired.guns != 1)} "
        f"at {target}, {fired.range_yards:,.0f} yards, {band} range",
        fired.rule,
    )
    yield Line(f"Gunnery factor {fired.factor}", "62.43", 1)
    for modifier in fired.modifiers:
        if modifier.value:
            mark = modifier.number if isinstance(modifier.number, int) else "·"
            yield Line(f"{mark:>2} {modifier.value:+3d}  {modifier.label}", modifier.reference, 1)
    if fired.dice is None:
        yield Line("A factor of 0 cannot hit and takes no dice", "62.43", 1)
    else:
        hits = {0: "miss", 1: "1 hit"}.get(fired.hits, f"{fired.hits} hits")
        yield Line(f"Roll {fired.dice} {total:+d}: row {fired.row}, {hits}", "62.44", 1)
    for hit, results in _hits(events):
        yield Line(f"Hit {hit.number}: {_hit_words(hit, results)}", hit.rule, 1)
    yield Line(f"Ammunition: {spent.spent} spent, {spent.left} left", spent.rule, 1)


def as_document(report: FireReport) -> dict[str, object]:
    """The document of a fire that a guided battle has resolved."""
    return document(tuple(fire_events(report, "firer", "target")))


def as_story(report: FireReport) -> Iterator[Line]:
    """The words for a fire that a guided battle has resolved."""
    names = {"firer": report.shot.firer.name, "target": report.shot.target.name}
    return story(tuple(fire_events(report, "firer", "target")), names)


def describe_hit(hit: HitReport) -> str:
    """One hit in a sentence: where, against what armour, with what effect."""
    return _hit_words(_scored(hit), hit.results)


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


def _hits(events: Sequence[Event]) -> list[tuple[HitScored, list[Event]]]:
    """Each hit with the events that it made: those up to the next one."""
    found: list[tuple[HitScored, list[Event]]] = []
    for event in events:
        if isinstance(event, HitScored):
            found.append((event, []))
        elif found and not isinstance(event, AmmunitionSpent):
            found[-1][1].append(event)
    return found


def _hit_document(hit: HitScored, results: Sequence[Event]) -> dict[str, object]:
    return {
        "dice": " ".join(hit.dice),
        "location": hit.location,
        "place": hit.place,
        "armour": hit.armour,
        "armour_inches": hit.armour_inches,
        "penetration_inches": hit.penetration_inches,
        "penetrated": hit.penetrated,
        "effect": effects_words(results),
        "provenance": hit.provenance,
    }


def _hit_words(hit: HitScored, results: Sequence[Event]) -> str:
    effect = effects_words(results)
    if hit.armour is None:
        return f"{hit.place}: {effect}"
    if hit.armour_inches is None:
        armour = "unarmoured"
    else:
        shell = "no penetration" if hit.penetration_inches is None else (
            f'{hit.penetration_inches}" penetration'
        )  # fmt: skip
        armour = f'{shell} against {hit.armour_inches}"'
    return f"{hit.place}, {armour}: {effect}"
