"""Free play: any action at any time, on a battle with its own ships, marks and rounds.

A rulebook derives from `FreeRulebook` and implements what its actions do. Rounds, ships and
simultaneous fire are handled here.

With simultaneous fire, damage does not affect a ship's own fire until the next round. A state
therefore has two sets of marks for each ship: all marks, and the marks that she fires with. What
she spends is marked in both; what she suffers is copied to the second set when the next round
begins.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeAlias, cast

from pydantic import TypeAdapter
from typing_extensions import TypeVar

from combat.actions import (
    Action,
    ActionInfo,
    ActionOffer,
    AddShip,
    AtShip,
    ByShip,
    NextRound,
    SetMarks,
    ShipAtShip,
    by_kind,
)
from combat.board_views import BoardMoves, BoardView
from combat.dice import Dice, RecordedDice
from combat.dice_wanted import DiceWanted
from combat.distributions import chance, odds_of
from combat.event_reports import acted_with, document_of, events_of, story_of
from combat.events import (
    COMMON_EVENTS,
    Acted,
    Concluded,
    Event,
    MarksSet,
    RoundBegan,
    ShipAdded,
    Sunk,
)
from combat.forecast import Forecast
from combat.optional_rules import OptionalRule, asked_options
from combat.participants import UMPIRE, Seat, Ship, ShipStatus, Side
from combat.previews import Document, Forbidden, Line, MountInfo, Preview
from combat.provenance import Provenance
from combat.questions import OPTIONS, Question, questions, with_values
from combat.record_sheets import RecordSheet
from combat.rulebook import Outcome, Place
from combat.ships import ShipList, ShipType
from combat.strength import Strength
from combat.tables import NotedTables, TableSet
from combat.victory_points import VictoryPoints
from tabletop.closecall import RangeLimit
from tabletop.errors import BadField, UnknownName
from tabletop.fields_of_fire import Reach
from tabletop.messages import NO_WORDS, Message, ShipRef
from tabletop.schema import Schema, UnionSchema, adapter_of

M = TypeVar("M")
"""A rulebook's marks: the damage and expenditure on a ship's record sheet."""
S = TypeVar("S", default=M)
"""A ship's marks as files and requests have them; in most rulebooks the marks themselves."""
A = TypeVar("A", bound=Action, covariant=True)
B = TypeVar("B", bound=Action)
P = TypeVar("P", covariant=True)
"""A ship that takes part: a `MarkedShip`, or a rulebook's class with her card and tables."""
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class FreeState(Generic[M]):
    """A battle in free play at one moment."""

    sides: tuple[Side, ...] = ()
    ships: tuple[Ship, ...] = ()
    round_number: int = 1
    marks: Mapping[str, M] = field(default_factory=lambda: MappingProxyType({}))
    """All marks, by ship id."""
    firing: Mapping[str, M] = field(default_factory=lambda: MappingProxyType({}))
    """The marks that each ship fires with in this round, by ship id."""
    usual: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """Answers that a page proposes in this battle, by the names of the fields of actions."""

    def ship(self, ship_id: str) -> Ship:
        """The ship with this id. Raises UnknownName."""
        found = next((ship for ship in self.ships if ship.id == ship_id), None)
        if found is None:
            raise UnknownName(
                Message("errors.where.battle"), "ship", ship_id, [ship.id for ship in self.ships]
            )
        return found

    def side(self, key: str) -> Side:
        """The side with this key; a plain one if the battle does not have it."""
        return next((side for side in self.sides if side.key == key), Side(key))

    @property
    def names(self) -> Mapping[str, str]:
        """The ships' names by their ids."""
        return {ship.id: ship.name for ship in self.ships}

    def with_ship(self, ship: Ship, marks: M) -> "FreeState[M]":
        """The battle with another ship, and her side if it is new."""
        sides = self.sides
        if ship.side not in {side.key for side in sides}:
            sides = (*sides, Side(ship.side, order_of_fire=len(sides)))
        joined = replace(self, sides=sides, ships=(*self.ships, ship))
        return joined.with_marks(ship.id, lambda _: marks, lambda _: marks)

    def with_marks(
        self,
        ship_id: str,
        change: Callable[[M | None], M],
        change_firing: Callable[[M | None], M] | None = None,
    ) -> "FreeState[M]":
        """The battle with changed marks of a ship; `firing` changes only by `change_firing`."""
        marks = MappingProxyType({**self.marks, ship_id: change(self.marks.get(ship_id))})
        firing = self.firing
        if change_firing is not None:
            after = change_firing(self.firing.get(ship_id))
            firing = MappingProxyType({**self.firing, ship_id: after})
        return replace(self, marks=marks, firing=firing)

    def next_round(self, marks: Mapping[str, M]) -> "FreeState[M]":
        """The battle at the start of the next round, with these marks by ship id."""
        settled = MappingProxyType(dict(marks))
        return replace(self, round_number=self.round_number + 1, marks=settled, firing=settled)


@dataclass(frozen=True, slots=True)
class MarkedShip(Generic[M]):
    """A ship with the marks that count for an action."""

    ship: Ship
    marks: M
    at_start: M
    """The marks that she fires with in this round."""

    @property
    def id(self) -> str:
        """The ship's id."""
        return self.ship.id


@dataclass(frozen=True, slots=True)
class Attempt(Generic[A, P]):
    """An action with the ships that take part in it."""

    action: A
    round_number: int
    by: P | None = None
    at: P | None = None
    others: tuple[P, ...] = ()
    """The other ships of the battle."""

    @property
    def fleet(self) -> tuple[P, ...]:
        """Every ship of the battle, those that take part in the action first."""
        return tuple(each for each in (self.by, self.at, *self.others) if each is not None)

    @property
    def actor(self) -> P:
        """The acting ship. Raises BadField if the action has none."""
        return _present(self.by, "by")

    def of(self, action: B) -> "Attempt[B, P]":
        """The attempt with this action, whose type is known."""
        return Attempt(action, self.round_number, self.by, self.at, self.others)

    @property
    def victim(self) -> P:
        """The target. Raises BadField if the action has none."""
        return _present(self.at, "at")


def _present(ship: V | None, role: str) -> V:
    if ship is None:
        raise BadField("action", role, Message("schema.ship"), Message("schema.found.nothing"))
    return ship


StrengthRule: TypeAlias = Callable[[Attempt[Any, V], TableSet], Strength]
"""The strength of one kind of action; in a table of them each takes its own type of action."""


def with_vessels(
    attempt: Attempt[A, MarkedShip[M]], vessel: Callable[[Ship, M], V]
) -> Attempt[A, V]:
    """The attempt with its ships converted to a rulebook's own class."""
    by, at = attempt.by, attempt.at
    return Attempt(
        attempt.action,
        attempt.round_number,
        vessel(by.ship, by.marks) if by else None,
        vessel(at.ship, at.marks) if at else None,
        tuple(vessel(other.ship, other.marks) for other in attempt.others),
    )


@dataclass(frozen=True, slots=True)
class Result(Generic[M]):
    """What came of an action: events, and how it changes the marks of the ships."""

    events: tuple[Event, ...]
    spent: Callable[[M], M] | None = None
    """The change to the acting ship, effective at once."""
    from_next_round: Callable[[M], M] | None = None
    """The change to the acting ship that affects her fire from the next round."""
    suffered: Callable[[M], M] | None = None
    """What was done to the target."""
    others: Mapping[str, Callable[[M], M]] = field(default_factory=lambda: MappingProxyType({}))
    """What happened to other ships besides, by their ids; it counts at once."""
    at_once: bool = False
    """Whether that counts for the target's own fire in this round already."""


@dataclass(frozen=True, slots=True)
class ShipView:
    """A ship of a battle in free play."""

    ship: Ship
    status: ShipStatus
    sheet: RecordSheet


@dataclass(frozen=True, slots=True)
class FreeView:
    """A battle in free play, which has no secrets."""

    sides: tuple[Side, ...]
    round_number: int
    ships: tuple[ShipView, ...]


class FreeRulebook(ABC, Generic[M, S]):
    """A rulebook for free play, with its tables."""

    name: ClassVar[str]
    infos: ClassVar[tuple[ActionInfo, ...]]
    """Its actions, in the order of the menu."""
    state_type: ClassVar[type]
    """The dataclass with the keys of a ship's state in files and requests."""
    own_events: ClassVar[tuple[type[Event], ...]] = ()
    """Its event types besides COMMON_EVENTS."""
    simultaneous: ClassVar[bool] = False
    damage_rolls: ClassVar[tuple[str, ...]] = ()
    """The codes of the purposes of the rolls that do damage.

    They are the `hit_results` of `dreyer resolve --json`."""
    editions: ClassVar[tuple[int, ...]] = (1,)
    """The editions of its rules that a file may name."""
    usual_in_files: ClassVar[bool] = False
    """Whether this is the rulebook of shot files that name none."""

    def __init__(self, tables: TableSet, ship_types: ShipList[ShipType]) -> None:
        self.tables = tables
        self.ship_types = ship_types

    @property
    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """The rules that may be chosen with an action, as they are where nobody chooses."""
        asked = {each.key: each for info in self.infos for each in questions(info.type)}
        return asked_options(
            (each, each.default) for each in asked.values() if each.table == OPTIONS
        )

    # What a rulebook says

    @abstractmethod
    def status_of(self, ship: Ship, marks: M) -> ShipStatus:
        """Whether a ship with these marks still takes part."""

    @abstractmethod
    def strength(self, attempt: Attempt[Action, MarkedShip[M]]) -> Strength:
        """The factor and modifiers of an action. Raises Forbidden, with the rule."""

    @abstractmethod
    def resolve(self, attempt: Attempt[Action, MarkedShip[M]], dice: Dice) -> Result[M]:
        """Roll an action and return what it does. Raises Forbidden, with the rule."""

    @abstractmethod
    def record_sheet(self, ship: Ship, marks: M) -> RecordSheet:
        """The sheet of a ship with these marks."""

    # May be overridden by a rulebook.

    def fresh(self, ship: Ship) -> M:
        """The marks of an undamaged ship."""
        return self.marks_from(ship, self.state_type())

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        """The actions of a type of ship, heaviest first; for "" those that no ship takes.

        By default every ship has all actions; a rulebook may restrict them by her card.
        """
        if ship_type and self.ship_types.find(ship_type) is None:
            return ()
        return tuple(
            ActionOffer(info, info.title) for info in self.infos if info.by_ship == bool(ship_type)
        )

    def odds(self, attempts: Sequence[Attempt[Action, MarkedShip[M]]]) -> Forecast:
        """The exact odds of some actions in sequence at one target.

        Their provenance is the worst of all table cells read and of the actions' strengths.
        """
        tables, noting = NotedTables(self.tables), copy(self)
        noting.tables = tables
        found = noting.odds_of_dice(attempts)
        strengths = (self.strength(attempt).provenance for attempt in attempts)
        return replace(found, provenance=Provenance.worst((*tables.read, *strengths)))

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[M]]]) -> Forecast:
        """The odds without their provenance, by playing every result of the dice.

        A rulebook that rolls too many dice for that overrides this.
        """
        odds = odds_of(lambda dice: self._hits_and_sunk(attempts, dice))
        hits: dict[int, float] = {}
        for (number, _), share in sorted(odds.items()):
            hits[number] = hits.get(number, 0.0) + share
        outcomes = {
            "hit": chance(odds, lambda each: each[0] > 0),
            "sunk": chance(odds, lambda each: each[1]),
        }
        return Forecast(hits, outcomes, {})

    def endings(self, events: Sequence[Event]) -> Iterator[Line]:
        """The results of one action, line by line."""
        for event in events:
            if isinstance(event, Concluded):
                yield from (Line(result, event.rule) for result in event.results)
            elif isinstance(event, Sunk):
                ship = ShipRef(event.target or event.ship or "")
                yield Line(Message("combat.story.sinks", ship=ship), event.rule)

    def document(self, events: Sequence[Event]) -> Document:
        """The events of one action, with the keys of `dreyer resolve --json`.

        Its messages are rendered when it is printed.
        """
        (acted,) = events_of(Acted, events)
        return {
            **document_of(events, list(self.endings(events)), self.damage_rolls),
            "battery": acted.action,
        }

    def story(self, events: Sequence[Event]) -> tuple[Line, ...]:
        """The events of one action, line by line."""
        return tuple(story_of(events, list(self.endings(events))))

    def outcome(self, events: Sequence[Event]) -> Message:
        """What an action came to, for a log with a line for each; empty if its title says it."""
        _, *rest = self.report_lines(events)
        return rest[-1].text if rest else NO_WORDS

    def mounts(self, attempt: Attempt[Action, MarkedShip[M]]) -> tuple[MountInfo, ...]:  # noqa: ARG002 - for those that have mounts
        """The mounts of the firing battery; empty if the rulebook has no mounts."""
        return ()

    def reaches(self, ship: Ship, marks: M) -> tuple[Reach, ...]:  # noqa: ARG002 - for those that have arcs
        """The arcs and ranges of a ship's batteries; a battery's name is the kind of its action.

        Empty if the rulebook has no arcs and ranges on a table.
        """
        return ()

    def board(self, state: FreeState[M]) -> BoardView | None:  # noqa: ARG002 - for those that have one
        """The board of the battle with the ships on it; None if the rulebook has none."""
        return None

    def board_moves(self, state: FreeState[M], ship: str) -> BoardMoves:  # noqa: ARG002 - as above
        """Where a ship may go on the board, and why not elsewhere."""
        return BoardMoves(ship)

    def victory_points(self, state: FreeState[M]) -> tuple[VictoryPoints, ...]:  # noqa: ARG002 - for those that count them
        """The victory points of each player; empty if the rulebook counts none."""
        return ()

    @property
    def formation_limits(self) -> tuple[RangeLimit, ...]:
        """The distances between ships of one formation that a rule turns on."""
        return ()

    def marks_from(self, ship: Ship, written: S) -> M:  # noqa: ARG002 - some need her card
        """The marks of a ship from a value of `state_type`; often the same object."""
        return cast("M", written)

    def check_marks(self, ship: Ship, written: S) -> None:
        """Raise BadField for marks that people enter and that she cannot have.

        `play` takes them from older journals, as long as her card has room for them.
        """

    def written(self, ship: Ship, marks: M) -> S:  # noqa: ARG002 - as above
        """The marks as a value of `state_type`: the inverse of `marks_from`."""
        return cast("S", marks)

    def corrected(self, ship: Ship, before: M, written: S) -> M:  # noqa: ARG002 - as above
        """The marks of a ship after `written` was entered by hand.

        A rulebook whose marks have more than `state_type` keeps the rest from `before`.
        """
        return self.marks_from(ship, written)

    def round_ended(self, ship: Ship, marks: M, firing: M) -> M:  # noqa: ARG002 - for those that count rounds
        """A ship's marks at the start of the next round; `firing` are those she fired with."""
        return marks

    def known(
        self,
        state: FreeState[M],  # noqa: ARG002 - for those that keep positions and rounds
        info: ActionInfo,  # noqa: ARG002
        by: Ship | None,  # noqa: ARG002
        at: Ship | None,  # noqa: ARG002
    ) -> Mapping[str, object]:
        """The fields of an action that the battle decides: nobody is asked for them."""
        return {}

    def question(self, asked: Question, by: ShipType | None, at: ShipType | None) -> Question:  # noqa: ARG002 - as above
        """A question with the bounds and the default for ships of these types."""
        return asked

    def questions_for(
        self,
        info: ActionInfo,
        by: Ship | None,
        at: Ship | None,
        *,
        state: FreeState[M] | None = None,
    ) -> tuple[Question, ...]:
        """What a page asks of an action, with the limits and defaults of the two ships.

        What the battle knows is not asked; what is usual in it is the default.
        """
        cards = [self.ship_type(ship) if ship else None for ship in (by, at)]
        takes_part = by if info.by_ship else None, at if info.at_ship else None
        known = self.known(state, info, *takes_part) if state else {}
        usual = state.usual if state else {}
        found = (
            self.question(asked, *cards)
            for asked in questions(info.type)
            if asked.name not in known
        )
        return tuple(
            replace(asked, default=usual[asked.name]) if asked.name in usual else asked
            for asked in found
        )

    # The protocol `Rulebook`.

    @property
    def info_by_kind(self) -> Mapping[str, ActionInfo]:
        """Its actions by their kind."""
        return by_kind(self.infos)

    def actions(self, state: FreeState[M], seat: Seat) -> tuple[ActionOffer, ...]:
        """Every action of the seat's ships."""
        offers: dict[str, ActionOffer] = {}
        for ship in state.ships:
            if seat.may_act_for(ship.side):
                for offer in self.offers(ship.type):
                    offers.setdefault(offer.kind, offer)
        for offer in self.offers(""):
            offers.setdefault(offer.kind, offer)
        return tuple(offers.values())

    def check(self, state: FreeState[M], action: Action) -> Preview:
        """The strength of an action, or why it is forbidden, before any die is rolled."""
        attempt = self.attempt(state, action)
        mounts, kind = self.mounts(attempt), action.kind
        try:
            found = self.strength(attempt)
        except Forbidden as error:
            return Preview.refused(kind, mounts, error)
        return Preview(
            battery=kind,
            mounts=mounts,
            factor=found.factor,
            factor_reference=found.reference,
            ledger=found.ledger.modifiers,
            total=found.ledger.total,
            provenance=found.provenance,
            factor_label=found.factor_label,
            total_label=found.total_label,
        )

    def forecast(self, state: FreeState[M], actions: Sequence[Action]) -> Forecast:
        """The exact odds of some actions at one target."""
        attempts = [self.attempt(state, action) for action in actions]
        targets = {attempt.at.id if attempt.at else "nobody" for attempt in attempts}
        if len(targets) != 1:
            known = tuple(sorted(targets)) or (Message("combat.found.no_action"),)
            found = Message("schema.names", choices=known)
            raise BadField("forecast", "at", Message("combat.expected.one_target"), found)
        for attempt in attempts:
            self.strength(attempt)
        return self.odds(attempts)

    def dice_wanted(self, state: FreeState[M]) -> DiceWanted | None:  # noqa: ARG002 - as the contract has it
        """None: in free play an action comes with its dice."""
        return None

    def play(self, state: FreeState[M], action: Action, dice: Dice) -> Outcome[FreeState[M]]:
        """Roll an action and return what it does. Raises Forbidden, with the rule."""
        if isinstance(action, AddShip):
            return self._add_ship(state, action)
        if isinstance(action, SetMarks):
            return self._set_marks(state, action)
        if isinstance(action, NextRound):
            after = state.next_round(
                {
                    ship.id: self.round_ended(ship, state.marks[ship.id], state.firing[ship.id])
                    for ship in state.ships
                }
            )
            return Outcome(after, (RoundBegan(number=after.round_number),))
        attempt = self.attempt(state, action)
        recorded = RecordedDice(dice, attempt.by.ship.side if attempt.by else None)
        result = self.resolve(attempt, recorded)
        at_once = not self.simultaneous
        after = state
        if attempt.by is not None and result.spent is not None:
            spent = cast("Callable[[M | None], M]", result.spent)
            after = after.with_marks(attempt.by.id, spent, spent)
        if attempt.by is not None and result.from_next_round is not None:
            later = cast("Callable[[M | None], M]", result.from_next_round)
            after = after.with_marks(attempt.by.id, later, later if at_once else None)
        if attempt.at is not None and result.suffered is not None:
            suffered = cast("Callable[[M | None], M]", result.suffered)
            after = after.with_marks(
                attempt.at.id, suffered, suffered if at_once or result.at_once else None
            )
        for ship_id, change in result.others.items():
            happened = cast("Callable[[M | None], M]", change)
            after = after.with_marks(ship_id, happened, happened)
        return Outcome(after, result.events, recorded.rolls)

    def view(self, state: FreeState[M], seat: Seat) -> FreeView:  # noqa: ARG002 - nothing is secret
        """The whole battle."""
        return FreeView(
            state.sides,
            state.round_number,
            tuple(
                ShipView(ship, self.status(state, ship.id), self.sheet(state, ship.id))
                for ship in state.ships
            ),
        )

    def sheet(self, state: FreeState[M], ship: str, seat: Seat = UMPIRE) -> RecordSheet:  # noqa: ARG002 - nothing is secret
        """A ship's record sheet."""
        found = state.ship(ship)
        return self.record_sheet(found, state.marks[ship])

    def place(self, state: FreeState[M]) -> Place:
        """The round."""
        return Place(state.round_number)

    def reuses_rolls(
        self,
        taken_back: Action,
        at: Place,  # noqa: ARG002 - as the contract has it
        state: FreeState[M],  # noqa: ARG002
        action: Action,
    ) -> bool:
        """Rolls are used again only for an equal action."""
        return taken_back == action

    def status(self, state: FreeState[M], ship: str) -> ShipStatus:
        """Whether a ship still takes part."""
        return self.status_of(state.ship(ship), state.marks[ship])

    # For callers.

    def report_lines(self, events: Sequence[Event]) -> tuple[Line, ...]:
        """The events of any action line by line, including rounds, added ships and set marks."""
        match events:
            case [RoundBegan(number=number)]:
                return (Line(Message("combat.story.round", number=number)),)
            case [ShipAdded(ship=ship) as added]:
                joins = Message(
                    "combat.story.joins",
                    ship=ShipRef(ship or ""),
                    type=added.type,
                    side=added.side,
                )
                return (Line(joins),)
            case [MarksSet(ship=ship)]:
                return (Line(Message("combat.story.marks_set", ship=ShipRef(ship or ""))),)
        return self.story(events)

    def attempt(self, state: FreeState[M], action: Action) -> Attempt[Action, MarkedShip[M]]:
        """An action with its ships.

        Raises UnknownName for an unknown ship, and Forbidden if a ship acts on herself.
        """
        info = self.info_by_kind.get(action.kind)
        if info is None:
            raise UnknownName(self.name, "action", action.kind, self.info_by_kind)
        by = state.ship(action.by) if isinstance(action, ByShip) else None
        at = state.ship(action.at) if isinstance(action, AtShip | ShipAtShip) else None
        if by is not None and at is not None and by.id == at.id:
            raise Forbidden(Message("combat.refused.on_herself", ship=ShipRef(by.id)), info.rule)
        marks = state.marks if info.when_marked else state.firing
        return Attempt(
            self.completed(state, action),
            state.round_number,
            MarkedShip(by, marks[by.id], state.firing[by.id]) if by else None,
            MarkedShip(at, state.marks[at.id], state.firing[at.id]) if at else None,
            tuple(
                MarkedShip(ship, state.marks[ship.id], state.firing[ship.id])
                for ship in state.ships
                if ship not in (by, at)
            ),
        )

    def completed(self, state: FreeState[M], action: Action) -> Action:
        """An action with all that the battle knows of it already."""
        info = self.info_by_kind[action.kind]
        roles = {role: getattr(action, role, "") for role in ("by", "at")}
        ships = {role: next((each for each in state.ships if each.id == ship_id), None)
                 for role, ship_id in roles.items()}  # fmt: skip
        known = self.known(state, info, ships["by"], ships["at"])
        return with_values(action, known) if known else action

    def acted(self, attempt: Attempt[Action, MarkedShip[M]], strength: Strength) -> Acted:
        """The event that begins an action of this strength."""
        info = self.info_by_kind[attempt.action.kind]
        return acted_with(
            strength,
            action=info.kind,
            title=info.title,
            rule=info.rule,
            ship=attempt.by.id if attempt.by else None,
            target=attempt.at.id if attempt.at else None,
        )

    def ship_type(self, ship: Ship) -> ShipType:
        """The card of a ship."""
        return self.ship_types.named(ship.type, ship.name)

    def state_document(self, ship: Ship, marks: M) -> dict[str, object]:
        """A ship's marks with the keys of a shot file's [firer.state], without None values."""
        written = self.written(ship, marks)
        values = _state_adapter(cast("Hashable", self.state_type)).dump_python(written, mode="json")
        return {
            each.key: values[each.name]
            for each in questions(self.state_type)
            if values[each.name] is not None
        }

    def action_schema(self) -> Schema[Action]:
        """Reads and writes actions: its own and those of every battle in free play."""
        return _action_schema(type(self))

    def event_schema(self) -> Schema[Event]:
        """Reads and writes events."""
        return _event_schema(type(self))

    def _hits_and_sunk(
        self, attempts: Sequence[Attempt[Action, MarkedShip[M]]], dice: Dice
    ) -> tuple[int, bool]:
        """The hits of some actions, and whether they sink their target."""
        hits, target = 0, attempts[0].at
        for attempt in attempts:
            result = self.resolve(replace(attempt, at=target), dice)
            hits += sum(each.hits for each in events_of(Concluded, result.events))
            if events_of(Sunk, result.events):
                return hits, True
            if target is not None and result.suffered is not None:
                target = replace(target, marks=result.suffered(target.marks))
        return hits, False

    def _set_marks(self, state: FreeState[M], action: SetMarks[S]) -> Outcome[FreeState[M]]:
        """Entered values affect her fire at once; damage of this round still does not."""
        ship = state.ship(action.ship)
        before, firing = state.marks[ship.id], state.firing[ship.id]
        was, written = self.written(ship, before), action.marks
        entered = {
            each.name: getattr(written, each.name)
            for each in fields(self.state_type)
            if getattr(written, each.name) != getattr(was, each.name)
        }
        marks = self.corrected(ship, before, written)
        fires_with = self.corrected(ship, firing, with_values(self.written(ship, firing), entered))
        after = state.with_marks(ship.id, lambda _: marks, lambda _: fires_with)
        return Outcome(after, (MarksSet(ship=ship.id),))

    def _add_ship(self, state: FreeState[M], action: AddShip[S]) -> Outcome[FreeState[M]]:
        ship = action.ship
        if any(ship.id == other.id for other in state.ships):
            raise BadField("battle", "ship", Message("combat.expected.new_name"), repr(ship.name))
        self.ship_type(ship)
        written = action.marks
        marks = self.fresh(ship) if written is None else self.marks_from(ship, written)
        added = ShipAdded(ship=ship.id, name=ship.name, type=ship.type, side=ship.side)
        return Outcome(state.with_ship(ship, marks), (added,))


@cache
def _state_adapter(state_type: type) -> TypeAdapter[object]:
    return adapter_of(state_type)


@cache
def _action_schema(rulebook: type[FreeRulebook[M, S]]) -> Schema[Action]:
    own = dict.fromkeys(info.type for info in rulebook.infos)
    marks = rulebook.state_type
    common = (AddShip[marks], SetMarks[marks], NextRound)  # type: ignore[valid-type]
    return UnionSchema((*own, *common), "action")


@cache
def _event_schema(rulebook: type[FreeRulebook[M, S]]) -> Schema[Event]:
    return UnionSchema(tuple(dict.fromkeys((*COMMON_EVENTS, *rulebook.own_events))), "event")
