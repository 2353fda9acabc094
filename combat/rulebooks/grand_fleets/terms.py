"""Messages for arcs, sizes, health and the two players."""

from functools import partial

from combat.questions import QuestionInfo
from tabletop.arcs import Quadrant
from tabletop.messages import Message

asked = partial(QuestionInfo, "grand_fleets")
"""The question of a field in this rulebook."""


def arc_message(quadrant: Quadrant) -> Message:
    """The title of a firing arc."""
    return Message(f"grand_fleets.arc.{quadrant}")


def size_message(size: str) -> Message:
    """The title of a size class, of ships and of battles."""
    return Message(f"grand_fleets.size.{size.replace(' ', '_')}")


def health_message(health: str) -> Message:
    """The title of a hull's health."""
    return Message(f"grand_fleets.health.{health}")


def player_message(player: str) -> Message:
    """The title of one of the two players."""
    return Message(f"grand_fleets.player.{player.replace(' ', '_')}")
