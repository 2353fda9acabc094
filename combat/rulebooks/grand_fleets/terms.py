"""What players call arcs, sizes, healths and the two players, as messages."""

from functools import partial

from combat.questions import QuestionInfo
from tabletop.arcs import Quadrant
from tabletop.messages import Message

asked = partial(QuestionInfo, "grand_fleets")
"""A field as it is asked here."""


def arc_message(quadrant: Quadrant) -> Message:
    """What players call a firing arc."""
    return Message(f"grand_fleets.arc.{quadrant}")


def size_message(size: str) -> Message:
    """What players call a size class, of ships and of battles."""
    return Message(f"grand_fleets.size.{size.replace(' ', '_')}")


def health_message(health: str) -> Message:
    """How far a hull is gone."""
    return Message(f"grand_fleets.health.{health}")


def player_message(player: str) -> Message:
    """One of the two players."""
    return Message(f"grand_fleets.player.{player.replace(' ', '_')}")
