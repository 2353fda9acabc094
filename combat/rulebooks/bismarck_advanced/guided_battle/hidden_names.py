"""Who may know whose name: hidden ships are numbers to everybody but their own side (67.1, 61.6).

Ships come in from players by what those call them, and go out to them in messages and in fields
of their own. `KnownNames` has what one viewer may call each ship. What players type is no name
that the program gives away: it is never looked up. Whom torpedoes under way are meant for is left
out of messages, too (69.4).
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from combat.participants import Seat, acting
from combat.previews import Line
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import TORPEDO_LABEL
from combat.rulebooks.bismarck_advanced.guided_battle.fog import UNKNOWN_SHIP, is_foggy, unseen
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import glimpse, marker_label
from combat.story_entries import Document, MoveDocument, VolleyDocument
from tabletop.closecall import CloseCall
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message, ShipRef, SideRef, Value


class UnknownShip(UnknownName):
    """No ship that somebody knows is called so; a guess at hidden names is not even repeated."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(Message("errors.where.battle"), "ship", "", known)
        ships = tuple(map(ShipRef, self.known))
        self.message = Message("advanced.order.unknown_ship", known=ships)
        self.args = (self.message,)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What one viewer may call each ship."""

    labels: Mapping[str, str]
    """By her true name; the hidden ones only."""
    launchers: frozenset[str] = frozenset()
    """The ships of others with torpedoes under way: whom they are meant for is sealed (69.4)."""
    unseen: frozenset[str] = frozenset()
    """The ships out of sight, in fog of war: nobody of this viewer's knows that they are there."""
    numbered: Mapping[str, str] = field(default_factory=dict)
    """By the true name of each hidden ship, in sight or not."""
    own: frozenset[str] | None = None
    """In fog of war the ships whose doings this viewer is told of; None where all are told."""

    @classmethod
    def of(cls, state: AdvancedState, seat: Seat) -> "KnownNames":
        """What a seat may call the ships; a spectator knows no more than all sides do."""
        if seat.umpire:
            return cls({})
        battle, out_of_sight = state.engagement, unseen(state, seat)
        numbered = {
            name: glimpse(identity).label
            for name, identity in state.identities.items()
            if identity.is_hidden and battle[name].side != seat.side
        }
        return cls(
            {**numbered, **dict.fromkeys(out_of_sight, UNKNOWN_SHIP)},
            frozenset(
                salvo.launcher
                for salvo in state.torpedoes_under_way
                if battle[salvo.launcher].side != seat.side
            ),
            out_of_sight,
            numbered,
            _own(state, seat),
        )

    def __call__(self, name: str) -> str:
        """What to call a ship."""
        return self.labels.get(name, name)

    @property
    def in_story(self) -> "KnownNames":
        """What the viewer may call the ships that a story tells of.

        Whoever has fired or was fired at is known by name, or by number, out of sight, too (67.12).
        """
        if not self.unseen:
            return self
        return replace(self, labels=self.numbered)

    def hides(self, name: str) -> bool:
        """Whether a ship's name is not for this viewer."""
        return name in self.labels

    def message(self, message: Message) -> Message:
        """A message with numbers for hidden ships, and without the target of sealed torpedoes."""
        if self.launchers:
            message = _without_targets(message, self.launchers)
        return message.with_ships(self.labels)

    def line(self, line: Line) -> Line:
        """A line with numbers for hidden ships."""
        return replace(line, text=self.message(line.text))

    def close_call(self, call: CloseCall) -> CloseCall:
        """A close call with numbers for hidden ships: its limit may be the edge of a ship."""
        if not isinstance(call.limit, Message):
            return call
        return replace(call, limit=self.message(call.limit))

    def document(self, document: Document | None) -> Document | None:
        """What came of a fire or a move, with numbers for hidden ships."""
        if document is None or not self.labels:
            return document
        if isinstance(document, MoveDocument):
            return replace(document, ship=self(document.ship))
        if isinstance(document, VolleyDocument):
            return replace(document, firer=self(document.firer), target=self(document.target))
        return replace(
            document,
            firer=self(document.firer),
            target=self(document.target),
            modifiers=tuple(
                replace(modifier, label=self.message(modifier.label))
                for modifier in document.modifiers
            ),
            hit_results=tuple(
                replace(
                    hit,
                    place=self.message(hit.place),
                    effect=self.message(hit.effect),
                    outcome=self.message(hit.outcome),
                )
                for hit in document.hit_results
            ),
        )

    def hide_in(self, error: DreyerError) -> None:
        """Give an error numbers for hidden ships, in its message and in what it carries besides.

        It stays the same error: one of another kind would tell that something was hidden.
        """
        if not (self.labels or self.launchers):
            return
        for name, value in vars(error).items():
            if isinstance(value, Message):
                setattr(error, name, self.message(value))
            elif isinstance(value, ShipRef):
                setattr(error, name, ShipRef(self(value.id)))
        error.args = (error.message,)


def _own(state: AdvancedState, seat: Seat) -> frozenset[str] | None:
    """The ships of a seat's side and its allies, in fog of war."""
    if seat.umpire or not is_foggy(state):
        return None
    battle = state.engagement
    return frozenset(
        ship.name
        for ship in battle.combatants
        if seat.side is not None and battle.are_friends(ship.side, seat.side)
    )


def _without_targets(message: Message, launchers: frozenset[str]) -> Message:
    """A message in which the torpedoes of these ships are named without their target."""
    params = dict(message.params)
    if message.code == TORPEDO_LABEL:
        ship = params["ship"]
        if isinstance(ship, ShipRef) and ship.id in launchers:
            return Message("advanced.label.sealed_torpedoes", ship=ship)
    found = {name: _value_without_targets(value, launchers) for name, value in params.items()}
    return message if found == params else Message(message.code, **found)


def _value_without_targets(value: Value, launchers: frozenset[str]) -> Value:
    if isinstance(value, Message):
        return _without_targets(value, launchers)
    if isinstance(value, tuple):
        return tuple(_value_without_targets(each, launchers) for each in value)
    return value


@contextmanager
def errors_as_known(state: AdvancedState, side: str | None) -> Iterator[None]:
    """Errors that are raised within name ships as a side knows them."""
    try:
        yield
    except DreyerError as error:
        KnownNames.of(state, acting(side)).hide_in(error)
        raise


def listed(state: AdvancedState, names: KnownNames) -> tuple[Combatant, ...]:
    """All ships in sight, each side's hidden ones last and by number: their order tells nothing."""
    ships = [ship for ship in state.engagement.combatants if ship.name not in names.unseen]
    hidden = sorted(
        (ship for ship in ships if names.hides(ship.name)),
        key=lambda ship: (ship.side, state.identities[ship.name].number),
    )
    return (*(ship for ship in ships if not names.hides(ship.name)), *hidden)


def find(state: AdvancedState, side: str | None, reference: str) -> Combatant:
    """The ship that somebody means; a hidden enemy answers to her number only."""
    names = KnownNames.of(state, acting(side))
    known = state.engagement.by_name.get(reference)
    if known is not None and not names.hides(known.name):
        return known
    by_name = {names(ship.name): ship for ship in listed(state, names)}
    if reference in by_name:
        return by_name[reference]
    for name, number in state.numbers.items():
        # Her model is called by her number, also after she was turned up.
        if marker_label(number) == reference and name not in names.unseen:
            return state.engagement[name]
    if names.labels:
        raise UnknownShip(by_name)
    raise UnknownName(Message("errors.where.battle"), "ship", reference, by_name)


def command(state: AdvancedState, side: str | None, reference: str) -> Combatant:
    """A ship that a side may give orders to: one of its own, in action."""
    ship = find(state, side, reference)
    if side is not None and ship.side != side:
        raise DreyerError("advanced.order.not_yours", ship=ShipRef(ship.name), side=SideRef(side))
    if ship.vessel.is_sunk:
        raise DreyerError("advanced.order.sunk", ship=ShipRef(ship.name))
    if ship.withdrawn:
        raise DreyerError("advanced.order.withdrawn", ship=ShipRef(ship.name))
    return ship
