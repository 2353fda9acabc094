"""An immutable snapshot of the table, in yards.

The origin is the near left corner as seen by the host: x to the right, y away from the host,
headings in degrees clockwise from +y. The camera, the phone and scene files all produce a
`Table`. An `alias` in the metadata of a field is its name in JSON, in yards and degrees.
"""

import math
from collections import Counter
from dataclasses import dataclass, field

from tabletop.angles import forward, wrap_360
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message, ShipRef


@dataclass(frozen=True, slots=True)
class Pose:
    """A position and a heading, each with its standard deviation (1 σ, per axis for positions)."""

    x_yards: float = field(metadata={"alias": "x"})
    y_yards: float = field(metadata={"alias": "y"})
    heading_deg: float = field(metadata={"alias": "heading"})
    position_sigma_yards: float = field(default=0.0, metadata={"alias": "position_sigma"})
    heading_sigma_deg: float = field(default=0.0, metadata={"alias": "heading_sigma"})

    def __post_init__(self) -> None:
        values = (self.x_yards, self.y_yards, self.heading_deg)
        sigmas = (self.position_sigma_yards, self.heading_sigma_deg)
        if not all(map(math.isfinite, values + sigmas)) or min(sigmas) < 0:
            raise DreyerError("tabletop.pose", values=values, sigmas=sigmas)
        object.__setattr__(self, "heading_deg", wrap_360(self.heading_deg))

    @property
    def forward(self) -> tuple[float, float]:
        """The unit vector from the centre towards the bow."""
        return forward(self.heading_deg)

    @property
    def starboard(self) -> tuple[float, float]:
        """The unit vector to the right of the bow."""
        ahead_x, ahead_y = self.forward
        return ahead_y, -ahead_x

    def offset_to(self, x_yards: float, y_yards: float) -> tuple[float, float]:
        """The yards ahead and to the right at which a point lies: the inverse of `moved`."""
        (ahead_x, ahead_y), (right_x, right_y) = self.forward, self.starboard
        dx, dy = x_yards - self.x_yards, y_yards - self.y_yards
        return dx * ahead_x + dy * ahead_y, dx * right_x + dy * right_y

    def moved(
        self, *, ahead_yards: float = 0.0, right_yards: float = 0.0, turned_deg: float = 0.0
    ) -> "Pose":
        """The pose shifted by some yards ahead and to the right, and then turned to the right."""
        ahead_x, ahead_y = self.forward
        right_x, right_y = ahead_y, -ahead_x
        return Pose(
            self.x_yards + ahead_yards * ahead_x + right_yards * right_x,
            self.y_yards + ahead_yards * ahead_y + right_yards * right_y,
            self.heading_deg + turned_deg,
            self.position_sigma_yards,
            self.heading_sigma_deg,
        )


@dataclass(frozen=True, slots=True)
class Base:
    """The rectangle that a model stands on, and its bridge, from which some rules measure."""

    length_yards: float = field(metadata={"alias": "length"})
    width_yards: float = field(metadata={"alias": "width"})
    bridge_offset_yards: float = field(default=0.0, metadata={"alias": "bridge_offset"})

    def __post_init__(self) -> None:
        sides = (self.length_yards, self.width_yards)
        if not all(0 < side < math.inf for side in sides):
            raise DreyerError("tabletop.base.sides", sides=sides)
        if not math.isfinite(self.bridge_offset_yards):
            raise DreyerError("tabletop.base.bridge", yards=self.bridge_offset_yards)


@dataclass(frozen=True, slots=True)
class Model:
    """A named ship with its base and pose."""

    name: str
    pose: Pose
    base: Base
    size: str | None = None
    """The size class, one of `SightRule.sizes`; None for the rule's default."""

    def corners(self) -> tuple[tuple[float, float], ...]:
        """The base's corners: starboard bow, starboard quarter, port quarter, port bow."""
        half_length, half_width = self.base.length_yards / 2, self.base.width_yards / 2
        signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        points = (
            self.pose.moved(ahead_yards=ahead * half_length, right_yards=right * half_width)
            for ahead, right in signs
        )
        return tuple((point.x_yards, point.y_yards) for point in points)


@dataclass(frozen=True, slots=True)
class SmokeFront:
    """A line of smoke between two points."""

    x1_yards: float = field(metadata={"alias": "x1"})
    y1_yards: float = field(metadata={"alias": "y1"})
    x2_yards: float = field(metadata={"alias": "x2"})
    y2_yards: float = field(metadata={"alias": "y2"})

    def __post_init__(self) -> None:
        ends = (self.x1_yards, self.y1_yards, self.x2_yards, self.y2_yards)
        if not all(map(math.isfinite, ends)):
            raise DreyerError("tabletop.smoke", ends=ends)

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Both end points, (x, y) in yards."""
        return (self.x1_yards, self.y1_yards), (self.x2_yards, self.y2_yards)


@dataclass(frozen=True, slots=True)
class Table:
    """All models and smoke fronts at one moment. Raises DreyerError if two share a name."""

    models: tuple[Model, ...]
    smoke: tuple[SmokeFront, ...] = ()

    def __post_init__(self) -> None:
        twice = [name for name, count in Counter(self.names).items() if count > 1]
        if twice:
            raise DreyerError("tabletop.same_name", ship=ShipRef(twice[0]))

    @property
    def names(self) -> tuple[str, ...]:
        """The ships' names, in the table's order."""
        return tuple(model.name for model in self.models)

    def __getitem__(self, name: str) -> Model:
        for model in self.models:
            if model.name == name:
                return model
        raise UnknownName(Message("errors.where.table"), "ship", name, self.names)
