"""Reports of an action's events as text and JSON, shared by most rulebooks."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TypeVar

from combat.dice import TEN_SIDES, Roll
from combat.events import Acted, Concluded, Event, Modified, Rolled, SourcedEvent, UmpireRolled
from combat.modifiers import Modifier
from combat.previews import DocumentValue, Line
from combat.provenance import Provenance
from combat.strength import Strength
from combat.ten_sided_dice import Throw
from tabletop.messages import Message, ShipRef, Value

AnyEvent = TypeVar("AnyEvent", bound=Event)


def begin_events(
    acted: Acted, throws: Sequence[Throw], added: Sequence[Modifier] = ()
) -> Iterator[Event]:
    """The events of an action, its rolls, and modifiers that earlier rolls added to later ones."""
    yield acted
    yield from rolled_events(acted, throws)
    if added:
        yield Modified(ship=acted.ship, target=acted.target, modifiers=tuple(added))


def rolled_events(acted: Acted, throws: Sequence[Throw]) -> Iterator[Rolled]:
    """The events of some of an action's rolls."""
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
    strength: Strength,
    *,
    action: str,
    title: Message,
    rule: str,
    ship: str | None,
    target: str | None,
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


def umpire_events(rolls: Iterable[Roll]) -> Iterator[UmpireRolled]:
    """The event of those of some rolls that an umpire entered, if there are any."""
    dice = tuple(roll.value for roll in rolls if roll.by_umpire)
    if dice:
        yield UmpireRolled(dice=dice)


def umpire_line(event: UmpireRolled) -> Line:
    """The dice that an umpire entered, as a detail of what they were for."""
    return Line(Message("combat.story.umpire_rolled", dice=" ".join(event.dice)), "", 1)


def events_of(kind: type[AnyEvent], events: Sequence[Event]) -> list[AnyEvent]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def provenance_of(events: Sequence[Event]) -> Provenance:
    """The worst provenance of some events."""
    return Provenance.worst(event.provenance for event in events_of(SourcedEvent, events))


def rests_on_owner_values(events: Sequence[Event]) -> bool:
    """Whether some events name a value that the owner has entered, a modifier or a result."""
    found = {event.provenance for event in events_of(SourcedEvent, events)}
    modifiers = (each for event in events for each in getattr(event, "modifiers", ()))
    return Provenance.OWNER in {*found, *(each.provenance for each in modifiers)}


def rolled_message(roll: Rolled) -> Message:
    """A roll in words: the die, its modifier and its result."""
    die, result = roll.total - roll.modifier, roll.words or roll.result
    if not roll.modifier:
        return Message("combat.story.rolled", purpose=roll.purpose, die=die, result=result)
    return Message(
        "combat.story.rolled_with",
        purpose=roll.purpose,
        die=die,
        modifier=roll.modifier,
        total=roll.total,
        result=result,
    )


def modifier_lines(modifiers: Iterable[Modifier]) -> Iterator[Line]:
    """Every modifier that is not 0, one a line."""
    for modifier in modifiers:
        if modifier.value:
            yield Line(modifier_message(modifier), modifier.reference, 1)


def modifier_message(modifier: Modifier) -> Message:
    """A modifier with its value."""
    return Message("combat.story.modifier", value=modifier.value, label=modifier.label)


def document_of(
    events: Sequence[Event], endings: Sequence[Line], blows: Collection[str] = ()
) -> dict[str, DocumentValue]:
    """The keys of `dreyer resolve --json` that these rulebooks share.

    Its messages are rendered when it is printed. `damage_rolls` are the codes of the purposes of
    rolls that do damage.
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
        "results": [roll.result or roll.words for roll in rolls],
        "totals": [roll.total for roll in rolls],
        "endings": [line.text for line in endings],
        "hit_results": [
            {"dice": roll.dice, "results": [roll.result], "effect": rolled_message(roll)}
            for roll in rolls
            if hits and roll.purpose.code in blows
        ],
        "provenance": provenance_of(events),
    }


def story_of(events: Sequence[Event], endings: Sequence[Line]) -> Iterator[Line]:
    """An action line by line: its ships, every modifier, every roll, and its results."""
    (acted,) = events_of(Acted, events)
    yield Line(_beginning(acted), acted.rule)
    added = (line for each in events_of(Modified, events) for line in each.modifiers)
    yield from modifier_lines((*acted.modifiers, *added))
    for roll in events_of(Rolled, events):
        yield Line(rolled_message(roll), roll.rule, 1)
    for line in endings:
        yield Line(line.text, line.reference, 1)


def _beginning(acted: Acted) -> Message:
    """The title of the action with its ships."""
    ships: dict[str, Value] = {
        role: ShipRef(ship)
        for role, ship in (("ship", acted.ship), ("target", acted.target))
        if ship is not None
    }
    match acted.ship, acted.target:
        case None, None:
            return acted.title
        case None, _:
            return Message("combat.story.act_at", title=acted.title, **ships)
        case _, None:
            return Message("combat.story.act_by", title=acted.title, **ships)
    return Message("combat.story.act_by_at", title=acted.title, **ships)
