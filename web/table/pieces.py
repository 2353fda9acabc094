"""The parts of a table's state: ships and their poses, smoke, and settlements."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.rulings import Figures
from tabletop.table import Pose, SmokeFront
from web.journal.events import Origin

_TURN_TOLERANCE_DEG: Final = 1.0


@dataclass(frozen=True, slots=True)
class Placement:
    """A pose that was entered."""

    pose: Pose
    origin: Origin
    who: str
    reason: str
    seconds: float
    n: int
    """The number of its entry in the journal: clocks go back, numbers do not."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A ship of this table, and the pose entered for her, if any."""

    name: str
    type: str | None
    """The name of her type."""
    side: str
    size: str | None
    length_yards: float
    width_yards: float
    bridge_yards: float = 0.0
    placement: Placement | None = None
    follows: bool = True
    """Whether the camera determines her pose; an entered pose is valid until she follows again."""

    def scaled(self, factor: float) -> "Piece":
        """The piece at the same place in the yards of another scale."""
        put = self.placement
        return replace(
            self,
            length_yards=self.length_yards * factor,
            width_yards=self.width_yards * factor,
            bridge_yards=self.bridge_yards * factor,
            placement=put and replace(put, pose=_scaled_pose(put.pose, factor)),
        )


@dataclass(frozen=True, slots=True)
class Front:
    """A smoke front with its number."""

    id: int
    front: SmokeFront

    def scaled(self, factor: float) -> "Front":
        """The front in the yards of another scale."""
        front = self.front
        ends = (front.x1_yards, front.y1_yards, front.x2_yards, front.y2_yards)
        return replace(self, front=SmokeFront(*(end * factor for end in ends)))


@dataclass(frozen=True, slots=True)
class PairPoses:
    """The poses of two ships at the time of a settlement, which is valid until one moves."""

    firer: Pose
    target: Pose

    def holds(self, firer: Pose, target: Pose, tolerance_yards: float) -> bool:
        """Whether both are still where they were, within the tolerance and the measuring error."""
        return all(
            _apart_yards(then, now)
            <= tolerance_yards + 3 * (then.position_sigma_yards + now.position_sigma_yards)
            and abs((then.heading_deg - now.heading_deg + 180) % 360 - 180)
            <= _TURN_TOLERANCE_DEG + 3 * (then.heading_sigma_deg + now.heading_sigma_deg)
            for then, now in ((self.firer, firer), (self.target, target))
        )

    def scaled(self, factor: float) -> "PairPoses":
        """The poses in the yards of another scale."""
        return PairPoses(_scaled_pose(self.firer, factor), _scaled_pose(self.target, factor))


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settlement between two ships: its author, its time, and their poses."""

    who: str
    seconds: float
    standing: PairPoses

    def scaled(self, factor: float) -> Self:
        """The settlement with its poses in the yards of another scale."""
        return replace(self, standing=self.standing.scaled(factor))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Settlement):
    """A decided close call."""

    what: str
    reading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Settlement):
    """Figures that players entered for a pair, with their reason."""

    range_yards: float | None
    quadrant: str | None
    aspect: str | None
    blocked: bool | None
    smoke: bool | None
    reason: str

    @property
    def figures(self) -> Figures:
        """The entered figures."""
        return Figures(
            range_yards=self.range_yards,
            quadrant=Quadrant(self.quadrant) if self.quadrant else None,
            aspect=Quadrant(self.aspect) if self.aspect else None,
            blocked=self.blocked,
            smoke=self.smoke,
        )


Decisions = Mapping[str, Decision]
"""The decisions about one pair, by question."""


def decided_of(decisions: Decisions) -> dict[CloseCallKind, str]:
    """The readings that were agreed on."""
    return {CloseCallKind(what): decision.reading for what, decision in decisions.items()}


@dataclass(frozen=True, slots=True)
class Declaration(Settlement):
    """A pair that may be measured because its fire was declared."""


Couple = tuple[str, str]
"""Firer and target."""


def _scaled_pose(pose: Pose, factor: float) -> Pose:
    return replace(
        pose,
        x_yards=pose.x_yards * factor,
        y_yards=pose.y_yards * factor,
        position_sigma_yards=pose.position_sigma_yards * factor,
    )


def _apart_yards(one: Pose, other: Pose) -> float:
    ahead, right = one.offset_to(other.x_yards, other.y_yards)
    return float((ahead * ahead + right * right) ** 0.5)
