"""Reading and writing of events as JSON, for the journal and for exports."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from tabletop.places import PlaceLike
from tabletop.schema import Schema
from web.journal import events
from web.journal.events import BattleBegun, Event, FreePlayed, JournalKind, TableOpened
from web.journal.fields import Parts, free_schemas, guided_schemas

_TYPES: Final[Mapping[JournalKind, type[Event]]] = {
    each.kind: each
    for each in (
        *(events.TableOpened, events.TableSized, events.SidesSet),
        *(events.ShipAdded, events.ShipRemoved, events.ShipSided),
        *(events.ShipsPlaced, events.ShipFollows, events.ShipLifted),
        *(events.SmokeLaid, events.SmokeCleared),
        *(events.Decided, events.Reopened, events.Ruled, events.Unruled, events.Declared),
        *(events.PremeasureSet, events.SetUp),
        *(events.BattleBegun, events.BattlePlayed, events.CaptainSet),
        *(events.UndoAsked, events.UndoAgreed, events.UndoRefused, events.BattleUndone),
        *events.FREE,
        *events.PEOPLE,
    )
}
_OLD_TYPES: Final[Mapping[JournalKind, tuple[str, type[Event]]]] = {
    JournalKind.BATTLE: ("kind", events.OldBattlePlayed),
    JournalKind.UNDONE: ("tape", events.OldBattleUndone),
}
"""The event types that version 0.1.0 wrote differently, and the key that identifies them."""
_SCHEMAS: Final[Mapping[type[Event], Schema[Event]]] = {
    each: Schema(each) for each in (*_TYPES.values(), *(old for _, old in _OLD_TYPES.values()))
}


class EventReader:
    """Reads the events of one journal in order.

    The meaning of a battle's events depends on earlier ones: the ruleset of the table and the
    edition of the battle.
    """

    def __init__(self) -> None:
        self._ruleset = ""
        self._edition: int | None = None

    def read(self, kind: JournalKind, data: Mapping[str, object], place: PlaceLike = "") -> Event:
        """Parse the document of an event. Raises DreyerError if it is invalid."""
        key, old = _OLD_TYPES.get(kind, ("", Event))
        type_ = old if key and key in data else _TYPES[kind]
        event: Event = _SCHEMAS[type_].check(data, place, context=self._parts(kind, data))
        if isinstance(event, TableOpened):
            self._ruleset, self._edition = event.ruleset, None
        elif isinstance(event, BattleBegun):
            self._edition = event.edition
        return event

    def _parts(self, kind: JournalKind, data: Mapping[str, object]) -> Parts:
        own = str(data.get("ruleset"))
        edition = self._edition
        if kind is JournalKind.BATTLE_BEGUN:
            begun = data.get("edition", 1)
            edition = begun if isinstance(begun, int) else 1
        ruleset = own if kind is JournalKind.TABLE_OPENED else self._ruleset
        return Parts(partial(guided_schemas, ruleset, edition), partial(free_schemas, own))


def write_event(event: Event) -> dict[str, object]:
    """An event's data as JSON. Raises DreyerError if it could not be read again."""
    schema, context = _SCHEMAS[type(event)], None
    if isinstance(event, FreePlayed | TableOpened):
        ruleset = event.ruleset
        context = Parts(partial(guided_schemas, ruleset), partial(free_schemas, ruleset))
    if type(event) is _TYPES[event.kind]:
        # Events of version 0.1.0 come from a file and are written unchanged.
        event = schema.check(event, context=context)
    return schema.dump(event, context=context)
