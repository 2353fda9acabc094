"""Attacks that roll for several like things: shots, strikes, planes or torpedo salvos.

First come the dice that say how many there are, then each is resolved by itself. So the odds of
many are those of one, added to themselves.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from combat.dice import Dice
from combat.distributions import odds_of
from combat.events import Event
from combat.rulebooks.bismarck_battle_board.actions import Marks, Reduction
from combat.rulebooks.bismarck_battle_board.damage import NO_DAMAGE, Damage
from combat.rulebooks.bismarck_data.rolls import Throw


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first dice of an attack say."""

    count: int
    """How many shots, strikes, planes or salvos are resolved."""
    throws: tuple[Throw, ...] = ()
    events: tuple[Event, ...] = ()
    destroyers_lost: int = 0
    salvos_lost: int = 0
    reduction: Reduction | None = None
    """The gun section that turned out to fire at half strength, where it was rolled for."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """One shot, strike, plane or salvo with all dice that followed from it."""

    throws: tuple[Throw, ...]
    damage: Damage


class Volley(ABC):
    """An attack on a ship, ready to be rolled."""

    @abstractmethod
    def opening(self, dice: Dice) -> Opening:
        """Roll the first dice."""

    @abstractmethod
    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """Roll for one of them; what the target has left does not matter for it."""

    def count_odds(self) -> Mapping[int, float]:
        """The chance of each number to resolve."""
        odds: dict[int, float] = defaultdict(float)
        for opening, share in odds_of(lambda dice: self.opening(dice).count).items():
            odds[opening] += share
        return odds

    def one_odds(self) -> Mapping[Damage, float]:
        """The chance of what one of them does."""
        return odds_of(lambda dice: self.resolve(dice, 1, 1).damage)

    def spent(self, marks: Marks, opening: Opening) -> Marks:  # noqa: ARG002 - for those that spend something
        """The marks of the attacker after it."""
        return marks

    def also_suffered(self, marks: Marks) -> Marks:
        """What it costs the target besides the damage."""
        return marks

    @property
    def at_once(self) -> bool:
        """Whether the damage counts at once (9.18, 22.281, 27.56); naval fire does not (9.713)."""
        return True


@dataclass(frozen=True, slots=True)
class Volleyed:
    """A rolled attack."""

    opening: Opening
    resolved: tuple[Resolved, ...]

    @property
    def damage(self) -> Damage:
        """All that it does."""
        return sum((each.damage for each in self.resolved), NO_DAMAGE)


def run_volley(volley: Volley, dice: Dice) -> Volleyed:
    """Roll an attack."""
    opening = volley.opening(dice)
    return Volleyed(
        opening,
        tuple(
            volley.resolve(dice, number, opening.count) for number in range(1, opening.count + 1)
        ),
    )
