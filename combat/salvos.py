"""A salvo as one viewer may see it: who fired at whom, the dice, each hit and what it did.

Rulebooks make salvos from the events of an action (`GuidedRulebook.salvos`); pages draw them as
soon as the action is played, and again when a battle is shown once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from combat.events import Acted, Concluded, Event, Rolled, Sunk
from tabletop.messages import NO_WORDS, Message


class Weapon(StrEnum):
    """What a salvo was fired with."""

    GUNS = "guns"
    TORPEDOES = "torpedoes"
    AIRCRAFT = "aircraft"


@dataclass(frozen=True, slots=True)
class SalvoHit:
    """One hit: where she was struck, shell against plate, and what came of it."""

    dice: tuple[str, ...] = ()
    place: Message = NO_WORDS
    """Where, in words; empty in a rulebook that does not say."""
    part: str = ""
    """The key or the kind of the part of her record sheet."""
    armoured: bool = False
    """Whether the place is known to have armour."""
    armour_inches: int | None = None
    penetration_inches: int | None = None
    penetrated: bool | None = None
    """None in a rulebook without armour."""
    effect: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class SalvoView:
    """A salvo whose dice have all fallen; ships are named as the viewer may call them."""

    weapon: Weapon
    firer: str | None
    """None for aircraft."""
    target: str
    title: Message
    """What players call the guns."""
    count: int
    """How many guns, torpedoes or planes."""
    range_yards: float | None
    """None where the viewer is not told."""
    dice: tuple[str, ...]
    """As players type them: "34", "9"."""
    hits: int
    result: Message
    """The number of hits in words."""
    hit_results: tuple[SalvoHit, ...] = ()
    losses: tuple[Message, ...] = ()
    """What broke, where it is not told hit by hit."""
    sunk: bool = False


def actions_of(events: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """The events of each action of free play among others: from its `Acted` on."""
    group: list[Event] = []
    for event in events:
        if isinstance(event, Acted):
            if group:
                yield tuple(group)
            group = []
        if group or isinstance(event, Acted):
            group.append(event)
    if group:
        yield tuple(group)


def salvo_of_action(events: Sequence[Event], weapon: Weapon = Weapon.GUNS) -> SalvoView | None:
    """An action of free play at a ship as a salvo; None if it was at nobody or had no dice."""
    acted = next((event for event in events if isinstance(event, Acted)), None)
    rolls = [event for event in events if isinstance(event, Rolled) and event.dice]
    concluded = [event for event in events if isinstance(event, Concluded)]
    if acted is None or acted.target is None or not rolls or not concluded:
        return None
    hits = sum(event.hits for event in concluded)
    return SalvoView(
        weapon=weapon,
        firer=acted.ship,
        target=acted.target,
        title=acted.title,
        count=acted.factor,
        range_yards=None,
        dice=tuple(figure for roll in rolls for figure in roll.dice.split()),
        hits=hits,
        result=Message("combat.salvo.hits", n=hits) if hits else Message("combat.salvo.miss"),
        losses=tuple(result for event in concluded for result in event.results),
        sunk=any(isinstance(event, Sunk) for event in events),
    )
