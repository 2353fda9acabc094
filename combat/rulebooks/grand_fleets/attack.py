"""Attacks with their ships."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from combat.free_play import Attempt
from combat.rulebooks.grand_fleets.actions import (
    CommandCheck,
    Gunfire,
    Initiative,
    Move,
    TorpedoAttack,
)
from combat.rulebooks.grand_fleets.table_files import Marker
from combat.rulebooks.grand_fleets.vessel import Vessel

A = TypeVar("A", bound=Gunfire | TorpedoAttack, covariant=True)


@dataclass(frozen=True, slots=True)
class Attack(Generic[A]):
    """One ship attacks another."""

    action: A
    firer: Vessel
    target: Vessel
    turn: int = 0
    """The game turn; 0 if unknown."""

    @property
    def marker(self) -> Marker:
        """The target's speed marker: as marked, or as entered."""
        entered = self.action.marker
        return self.target.marks.marker if entered == "as marked" else entered


@dataclass(frozen=True, slots=True)
class GunAttack(Attack[Gunfire]):
    """A battery of guns at another ship."""


@dataclass(frozen=True, slots=True)
class TorpedoLaunch(Attack[TorpedoAttack]):
    """Torpedoes at another ship."""


AnyAttack = GunAttack | TorpedoLaunch


def quality_of_commander(roll: Attempt[Initiative | CommandCheck, Vessel]) -> int:
    """The command quality: as marked, or as entered."""
    entered = roll.action.quality
    return roll.actor.quality if entered == "as marked" else int(entered)


def last_marker(roll: Attempt[Move, Vessel]) -> Marker:
    """The speed marker of a ship's last move: as marked, or as entered."""
    entered = roll.action.last_marker
    return roll.actor.marks.marker if entered == "as marked" else entered
