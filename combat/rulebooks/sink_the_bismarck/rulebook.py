"""Sink the Bismarck! in free play: detection, convoys and speed; no combat."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from combat.actions import Action, ActionInfo
from combat.dice import Dice
from combat.event_reports import begin_events
from combat.events import Concluded, Event
from combat.forecast import Forecast
from combat.free_play import Attempt, FreeRulebook, FreeState, MarkedShip, Result
from combat.participants import Ship, ShipStatus
from combat.previews import Line
from combat.record_sheets import PartDetails, RecordSheet, factor_part, sheet_of_parts
from combat.rulebooks.sink_the_bismarck.actions import (
    INFOS,
    LAST_TURN,
    ConvoyAttack,
    ConvoyEntry,
    ConvoyMove,
    Detection,
    Marks,
    Speed,
)
from combat.rulebooks.sink_the_bismarck.convoys import (
    attack_strength,
    attacked,
    entered,
    entry_strength,
    move_strength,
    moved,
)
from combat.rulebooks.sink_the_bismarck.detection import detect, detection_odds, detection_strength
from combat.rulebooks.sink_the_bismarck.events import (
    OWN_EVENTS,
    ConvoyDestroyed,
    ConvoyEntered,
    ConvoyMoved,
    DetectionRead,
    DummyConvoyRemoved,
    SpeedFound,
)
from combat.rulebooks.sink_the_bismarck.speed import evasion_of, speed_row, speed_strength
from combat.rulebooks.sink_the_bismarck.table_files import DETECTED, NAME, UNKNOWN
from combat.strength import Strength
from tabletop.errors import BadField
from tabletop.messages import Message, verbatim


class SinkRulebook(FreeRulebook[Marks]):
    """The rules of Sink the Bismarck! with their tables."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = INFOS
    state_type: ClassVar[type] = Marks
    own_events: ClassVar[tuple[type[Event], ...]] = OWN_EVENTS

    def known(
        self,
        state: FreeState[Marks],
        info: ActionInfo,
        by: Ship | None,  # noqa: ARG002 - the turn is everybody's
        at: Ship | None,  # noqa: ARG002
    ) -> Mapping[str, object]:
        """The turn, which is the fight's round once it has come to a second one."""
        if state.round_number > 1 and issubclass(info.type, Speed | ConvoyEntry):
            return {"turn": min(state.round_number, LAST_TURN)}
        return {}

    def status_of(self, ship: Ship, marks: Marks) -> ShipStatus:  # noqa: ARG002 - our text sinks nobody
        """In action: damage and sinking (12) are not in our source."""
        return ShipStatus.IN_ACTION

    def strength(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Strength:
        """The factor and modifiers of an action."""
        match attempt.action:
            case Detection() as action:
                return detection_strength(action, self.tables)
            case ConvoyAttack() as action:
                return attack_strength(action)
            case ConvoyMove() as action:
                return move_strength(action, self.tables)
            case ConvoyEntry() as action:
                return entry_strength(action, self.tables)
            case Speed() as action:
                by = attempt.actor
                return speed_strength(by.ship.type, by.marks, action.turn, self.tables)
        raise TypeError(f"{attempt.action.kind} is no action of this rulebook")

    def resolve(self, attempt: Attempt[Action, MarkedShip[Marks]], dice: Dice) -> Result[Marks]:
        """Resolve an action, with a die if it needs one."""
        strength = self.strength(attempt)
        acted = self.acted(attempt, strength)
        match attempt.action:
            case Detection():
                thrown = detect(dice, strength.ledger.total, self.tables)
                read = DetectionRead(rule="10.2", total=thrown.total, result=thrown.result)
                concluded = Concluded(rule="10.2", hits=int(thrown.result == DETECTED))
                return Result((*begin_events(acted, [thrown]), concluded, read))
            case ConvoyAttack() as action:
                return Result((acted, Concluded(rule="9.10", hits=1), attacked(action)))
            case ConvoyMove() as action:
                return Result((acted, moved(action)))
            case ConvoyEntry() as action:
                return Result((acted, entered(action, self.tables)))
            case Speed() as action:
                found = SpeedFound(ship=action.by, rule="7.14", hexes=strength.factor)
                return Result((acted, found))
        raise TypeError(f"{attempt.action.kind} is no action of this rulebook")

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[Marks]]]) -> Forecast:
        """The exact odds of the first action; others of its kind have independent dice."""
        first = attempts[0]
        for attempt in attempts:
            if attempt.action.kind != first.action.kind:
                raise BadField(
                    "forecast", "battery", verbatim(first.action.kind), attempt.action.kind
                )
        if not isinstance(first.action, Detection):
            return Forecast({0: 1.0}, {}, {})
        return detection_odds(self.strength(first).ledger.total, self.tables)

    def record_sheet(self, ship: Ship, marks: Marks) -> RecordSheet:
        """What our source has for a ship: her evasion rating, and her speed by it (7.14)."""
        card, table = self.ship_type(ship), self.tables["speed"]
        whole = evasion_of(card.name, Marks(), self.tables)
        left = evasion_of(card.name, marks, self.tables)
        details = PartDetails(hexes=table.text(speed_row(left), "hexes"))
        part = factor_part(
            "evasion", "speed", Message("sink.part.evasion"), (whole, left), details=details
        )
        return sheet_of_parts(ship.name, card.name, card.ship_class, ship.side, (part,))

    def endings(self, events: Sequence[Event]) -> Iterator[Line]:
        """The results of an action."""
        for event in events:
            match event:
                case DetectionRead():
                    yield _detected(event)
                case DummyConvoyRemoved():
                    yield Line(Message("sink.story.dummy"), event.rule)
                case ConvoyDestroyed():
                    yield Line(Message("sink.story.destroyed"), event.rule)
                    yield Line(Message("sink.story.names_ships"), "9.11")
                    if event.ends_movement:
                        yield Line(Message("sink.story.movement_ends"), "9.12")
                case ConvoyMoved():
                    yield Line(Message("sink.story.moved"), event.rule)
                case ConvoyEntered(hex=None):
                    yield Line(Message("sink.story.no_hex"), event.rule)
                case ConvoyEntered():
                    yield Line(Message("sink.story.hex", hex=event.hex), event.rule)
                case SpeedFound():
                    yield Line(Message("sink.story.speed", hexes=event.hexes), event.rule)


def _detected(read: DetectionRead) -> Line:
    if read.result == UNKNOWN:
        return Line(Message("sink.story.read_yourself", total=read.total), read.rule)
    if read.result == DETECTED:
        return Line(Message("sink.story.detected"), "10.4")
    return Line(verbatim(read.result), read.rule)
