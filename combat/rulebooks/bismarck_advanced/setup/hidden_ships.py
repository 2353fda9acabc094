"""Hidden ships: numbers on the table instead of names (55.28, 61.6, 67.1)."""

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
    """What reveals a ship (67.12)."""

    FIRED = "fired"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Revelation:
    """When and why a ship was revealed."""

    phase: CombatPhase
    cause: RevealCause
    why: Message
    rule: str = "67.12"


@dataclass(frozen=True, slots=True)
class Identity:
    """A ship's name, the number that hides it, and when it was revealed."""

    name: str
    number: int
    revelation: Revelation | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether she is still hidden."""
        return self.revelation is None

    @property
    def label(self) -> str:
        """The text of the number marker (61.6)."""
        return marker_label(self.number)

    def revealed(self, revelation: Revelation | None) -> "Identity":
        """The identity, revealed unless it already was: the first cause counts (67.12)."""
        if revelation is None or not self.is_hidden:
            return self
        return replace(self, revelation=revelation)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What the other side may know of a ship's identity.

    Her position and visible actions are public. What follows from her chart is not: her class, her
    speed limit, and the modifications of fire that depend on them.
    """

    label: str
    name: str | None
    """None while she is hidden."""


def numbered(numbers: Mapping[str, int]) -> tuple[Identity, ...]:
    """A side's ships with the numbers that their player gave them (61.6)."""
    if len(set(numbers.values())) < len(numbers):
        given = tuple(
            Message("advanced.hidden.number", ship=ShipRef(name), number=number)
            for name, number in numbers.items()
        )
        raise DreyerError("advanced.hidden.one_number", numbers=given)
    return tuple(Identity(name, number) for name, number in numbers.items())


def glimpse(identity: Identity) -> Glimpse:
    """What the other side may know of her identity."""
    if identity.is_hidden:
        return Glimpse(identity.label, None)
    return Glimpse(identity.name, identity.name)


def revealed_by_fire(phase: CombatPhase, *, fired_guns: bool) -> Revelation | None:
    """The identity after gunfire, which reveals a ship (67.12); torpedoes do not."""
    if not fired_guns:
        return None
    return Revelation(phase, RevealCause.FIRED, Message("advanced.hidden.fires"))


def revealed_by_move(
    phase: CombatPhase,
    before_yards: Mapping[str, float],
    after_yards: Mapping[str, float],
    rules: TableRules,
) -> Revelation | None:
    """The identity after a move into a nearer range segment of any enemy (67.12).

    Both mappings have her range to each enemy, before and after the movement resolution. A ship
    that comes from beyond the last segment is not revealed.
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
