"""Hidden ships: numbers on the table, names in the owner's drawer (55.28, 61.6, 67.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.rules import OUT_OF_RANGE, TableRules


def marker_label(number: int) -> str:
    """What a number marker says, aloud and on the table (61.6)."""
    return f"Ship {number}"


class RevealCause(StrEnum):
    """What turns a ship up (67.12)."""

    FIRED = "fired"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Revelation:
    """When a ship was turned up, and why."""

    phase: CombatPhase
    cause: RevealCause
    why: Message
    rule: str = "67.12"


@dataclass(frozen=True, slots=True)
class Identity:
    """A ship's name, the number that hides it, and what has given it away."""

    name: str
    number: int
    revelation: Revelation | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether her counter still lies face down."""
        return self.revelation is None

    @property
    def label(self) -> str:
        """What the number marker says, aloud and on the table (61.6)."""
        return marker_label(self.number)

    def revealed(self, revelation: Revelation | None) -> "Identity":
        """Turned up, unless she has been before: whichever comes first (67.12)."""
        if revelation is None or not self.is_hidden:
            return self
        return replace(self, revelation=revelation)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """All that the other side may know of who a ship is.

    Where she is and what she visibly does is seen by everyone. Whatever follows from her chart is
    not: her class, her speed's limit, and the modifications of a fire that give them away.
    """

    label: str
    name: str | None
    """None while she is hidden."""


def numbered(numbers: Mapping[str, int]) -> tuple[Identity, ...]:
    """A side's ships with the numbers that their player has given them (61.6)."""
    if len(set(numbers.values())) < len(numbers):
        given = tuple(
            Message("advanced.hidden.number", ship=ShipRef(name), number=number)
            for name, number in numbers.items()
        )
        raise DreyerError("advanced.hidden.one_number", numbers=given)
    return tuple(Identity(name, number) for name, number in numbers.items())


def glimpse(identity: Identity) -> Glimpse:
    """What the other side may know of who she is."""
    if identity.is_hidden:
        return Glimpse(identity.label, None)
    return Glimpse(identity.name, identity.name)


def revealed_by_fire(phase: CombatPhase, *, fired_guns: bool) -> Revelation | None:
    """Guns give a ship away in the phase in which they fire (67.12); torpedoes do not."""
    if not fired_guns:
        return None
    return Revelation(phase, RevealCause.FIRED, Message("advanced.hidden.fires"))


def revealed_by_move(
    phase: CombatPhase,
    before_yards: Mapping[str, float],
    after_yards: Mapping[str, float],
    rules: TableRules,
) -> Revelation | None:
    """Turned up by a move into a nearer range segment of any enemy (67.12).

    Both mappings give her range to each enemy, before and after the movement resolution. From
    beyond the last segment there is none to come from, so entering it reveals nothing.
    """
    order = rules.segment_names
    for enemy, yards in before_yards.items():
        if enemy not in after_yards:
            continue
        before, after = rules.segment(yards), rules.segment(after_yards[enemy])
        if before is None or after is None:
            raise DreyerError("advanced.hidden.no_segments")
        if before != OUT_OF_RANGE and order.index(after) < order.index(before):
            why = Message(
                "advanced.hidden.closes",
                before=Message(f"advanced.band.{before}"),
                after=Message(f"advanced.band.{after}"),
            )
            return Revelation(phase, RevealCause.CLOSED, why)
    return None
