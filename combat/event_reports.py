"""What scripts and players read of the events of an action, in the words of most rulebooks."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TypeVar

from combat.dice import TEN_SIDES
from combat.events import Acted, Concluded, Event, Modified, Rolled, SourcedEvent
from combat.modifiers import Modifier
from combat.previews import Line
from combat.provenance import Provenance
from combat.strength import Strength
from combat.ten_sided_dice import Throw

AnyEvent = TypeVar("AnyEvent", bound=Event)


def begin_events(
    acted: Acted, throws: Sequence[Throw], added: Sequence[Modifier] = ()
) -> Iterator[Event]:
    """The action itself, its rolls, and what the first of them added to the last one's sum."""
    yield acted
    yield from rolled_events(acted, throws)
    if added:
        yield Modified(ship=acted.ship, target=acted.target, modifiers=tuple(added))


def rolled_events(acted: Acted, throws: Sequence[Throw]) -> Iterator[Rolled]:
    """Some of an action's rolls."""
    for each in throws:
        yield Rolled(
            ship=acted.ship,
            target=acted.target,
            rule=each.rule,
            purpose=each.purpose,
            dice=str(each.die % TEN_SIDES),
            modifier=each.modifier,
            total=each.total,
            result=each.result,
            words=each.words,
            provenance=each.provenance,
        )


def acted_with(
    strength: Strength, *, action: str, title: str, rule: str, ship: str | None, target: str | None
) -> Acted:
    """The event that begins an action of this strength."""
    return Acted(
        ship=ship,
        target=target,
        rule=rule,
        action=action,
        title=title,
        factor=strength.factor,
        factor_reference=strength.reference,
        factor_label=strength.factor_label,
        modifiers=strength.ledger.modifiers,
        provenance=strength.provenance,
    )


def events_of(kind: type[AnyEvent], events: Sequence[Event]) -> list[AnyEvent]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def provenance_of(events: Sequence[Event]) -> Provenance:
    """That of the least certain value that some events rest on."""
    return Provenance.worst(event.provenance for event in events_of(SourcedEvent, events))


def rolled_words(roll: Rolled) -> str:
    """A roll in a few words: the die, what was added to it, and what it came to."""
    die = roll.total - roll.modifier
    added = f" {roll.modifier:+d} = {roll.total}" if roll.modifier else ""
    return f"{roll.purpose}: {die}{added}, {roll.words or roll.result}"


def modifier_lines(modifiers: Iterable[Modifier]) -> Iterator[Line]:
    """Every modifier that is not 0, one a line."""
    for modifier in modifiers:
        if modifier.value:
            yield Line(f"{modifier.value:+3d}  {modifier.label}", modifier.reference, 1)


def document_of(
    events: Sequence[Event], endings: Sequence[Line], blows: Collection[str] = ()
) -> dict[str, object]:
    """The keys of `dreyer resolve --json` that these games share.

    `blows` are the purposes of the rolls that did the damage, if any was done.
    """
    (acted,), rolls = events_of(Acted, events), events_of(Rolled, events)
    hits = sum(each.hits for each in events_of(Concluded, events))
    added = (line for each in events_of(Modified, events) for line in each.modifiers)
    modifiers = (*acted.modifiers, *added)
    return {
        "gunnery_factor": acted.factor,
        "modifiers": [asdict(modifier) for modifier in modifiers],
        "modifier_total": sum(modifier.value for modifier in modifiers),
        "dice": " ".join(roll.dice for roll in rolls),
        "hits": hits,
        "results": [roll.result for roll in rolls],
        "totals": [roll.total for roll in rolls],
        "endings": [line.text for line in endings],
        "hit_results": [
            {"dice": roll.dice, "results": [roll.result], "effect": rolled_words(roll)}
            for roll in rolls
            if hits and roll.purpose in blows
        ],
        "provenance": provenance_of(events),
    }


def story_of(
    events: Sequence[Event], names: Mapping[str, str], endings: Sequence[Line]
) -> Iterator[Line]:
    """An action in words: who, every modifier, every roll, and what came of it."""
    (acted,) = events_of(Acted, events)
    title = acted.title
    if acted.ship is not None:
        title = f"{names[acted.ship]}: {title[:1].lower()}{title[1:]}"
    if acted.target is not None:
        title = f"{title} at {names[acted.target]}"
    yield Line(title, acted.rule)
    added = (line for each in events_of(Modified, events) for line in each.modifiers)
    yield from modifier_lines((*acted.modifiers, *added))
    for roll in events_of(Rolled, events):
        yield Line(rolled_words(roll), roll.rule, 1)
    for line in endings:
        yield Line(line.text, line.reference, 1)
