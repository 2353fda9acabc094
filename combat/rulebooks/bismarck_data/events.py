"""Events that the games of BISMARCK share."""

from dataclasses import dataclass
from typing import Literal

from combat.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanesStopped(Event):
    """Bombers did not get through, and some of them were shot down (27.53, 29.2)."""

    kind: Literal["planes-stopped"] = "planes-stopped"
    stopped: int
    lost: int
    through: int
