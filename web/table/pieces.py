"""What a table's state is made of: ships and where they were put, smoke, what was settled."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Self

from combat.participants import Side, SideColour, SideShape
from combat.sides import Sides
from tabletop.arcs import Quadrant
from tabletop.closecall import Question
from tabletop.rulings import Figures
from tabletop.table import Pose, SmokeFront

_TURN_TOLERANCE_DEG: Final = 1.0


class Premeasure(StrEnum):
    """Who may measure before firing: a house rule."""

    OPEN = "open"
    DECLARE = "declare"
    UMPIRE = "umpire"


class Origin(StrEnum):
    """Where a placed pose comes from."""

    SETUP = "setup"
    HAND = "hand"
    PHOTO = "photo"
    PLOT = "plot"


@dataclass(frozen=True, slots=True)
class Placement:
    """A pose that somebody entered."""

    pose: Pose
    origin: Origin
    who: str
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A ship of this table: what she is, and where she was put by hand, if she was."""

    name: str
    type: str | None
    """The known ship that she is."""
    side: str
    size: str | None
    length_yards: float
    width_yards: float
    bridge_yards: float = 0.0
    placement: Placement | None = None
    follows: bool = True
    """Whether the camera moves her; a pose entered by hand holds until she follows again."""

    def scaled(self, factor: float) -> "Piece":
        """The same model on the same spot, in the yards of another scale."""
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
    """A smoke front with the number by which it can be cleared."""

    id: int
    front: SmokeFront

    def scaled(self, factor: float) -> "Front":
        """The same front in the yards of another scale."""
        front = self.front
        ends = (front.x1_yards, front.y1_yards, front.x2_yards, front.y2_yards)
        return replace(self, front=SmokeFront(*(end * factor for end in ends)))


@dataclass(frozen=True, slots=True)
class Standing:
    """The places of two ships when something was settled between them; it holds until one moves."""

    firer: Pose
    target: Pose

    def holds(self, firer: Pose, target: Pose, tolerance_yards: float) -> bool:
        """Whether both are still where they were, within the tolerance and the measurement."""
        return all(
            _apart_yards(then, now)
            <= tolerance_yards + 3 * (then.position_sigma_yards + now.position_sigma_yards)
            and abs((then.heading_deg - now.heading_deg + 180) % 360 - 180)
            <= _TURN_TOLERANCE_DEG + 3 * (then.heading_sigma_deg + now.heading_sigma_deg)
            for then, now in ((self.firer, firer), (self.target, target))
        )

    def scaled(self, factor: float) -> "Standing":
        """The same places in the yards of another scale."""
        return Standing(_scaled_pose(self.firer, factor), _scaled_pose(self.target, factor))


@dataclass(frozen=True, slots=True)
class Settlement:
    """Something settled between two ships: by whom, when, and where they stood."""

    who: str
    seconds: float
    standing: Standing

    def scaled(self, factor: float) -> Self:
        """The same with its places in the yards of another scale."""
        return replace(self, standing=self.standing.scaled(factor))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Settlement):
    """A close call that the players have decided."""

    what: str
    reading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Settlement):
    """Figures of a pair that the players entered over the measured ones, with their reason."""

    range_yards: float | None
    quadrant: str | None
    aspect: str | None
    blocked: bool | None
    smoke: bool | None
    reason: str

    @property
    def figures(self) -> Figures:
        """What was entered."""
        return Figures(
            range_yards=self.range_yards,
            quadrant=Quadrant(self.quadrant) if self.quadrant else None,
            aspect=Quadrant(self.aspect) if self.aspect else None,
            blocked=self.blocked,
            smoke=self.smoke,
        )


Decisions = Mapping[str, Decision]
"""What was decided about one pair, by its question."""


def decided_of(decisions: Decisions) -> dict[Question, str]:
    """The readings that were agreed on."""
    return {Question(what): decision.reading for what, decision in decisions.items()}


@dataclass(frozen=True, slots=True)
class Declaration(Settlement):
    """A pair that may be measured, since its fire was declared."""


Couple = tuple[str, str]
"""Firer and target."""


def pose_data(pose: Pose) -> dict[str, float]:
    """A pose as plain JSON; without uncertainties where there are none."""
    sigmas = {
        "sigma_yards": pose.position_sigma_yards,
        "heading_sigma_deg": pose.heading_sigma_deg,
    }
    return {
        "x": pose.x_yards,
        "y": pose.y_yards,
        "heading": pose.heading_deg,
        **{key: sigma for key, sigma in sigmas.items() if sigma},
    }


def sides_data(sides: Sides) -> list[dict[str, Any]]:
    """Sides as plain JSON."""
    return [
        {
            "key": side.key,
            "name": side.name,
            "letter": side.letter,
            "shape": side.shape,
            "colour": side.colour,
            "allies": list(side.allies),
            "order_of_fire": side.order_of_fire,
        }
        for side in sides
    ]


def read_sides(data: Iterable[Mapping[str, Any]]) -> Sides:
    """Sides from plain JSON."""
    return Sides(
        tuple(
            Side(
                side["key"],
                side.get("name", ""),
                side.get("letter", "–"),
                SideShape(side.get("shape", SideShape.SQUARE)),
                SideColour(side.get("colour", SideColour.GREY)),
                tuple(side.get("allies", ())),
                side.get("order_of_fire", 0),
            )
            for side in data
        )
    )


def read_pose(data: Mapping[str, Any]) -> Pose:
    """A pose from plain JSON."""
    return Pose(
        data["x"],
        data["y"],
        data["heading"],
        data.get("sigma_yards", 0.0),
        data.get("heading_sigma_deg", 0.0),
    )


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
