"""What the eyes know at one moment: every ship's pose, how fresh it is, how the camera does.

A snapshot never changes. Millimetres are those of `calibration.homography`; `vision.handover`
turns them into the yards that everything after it works with.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from calibration.calibration_file import PrintScale
from calibration.homography import TablePlane
from calibration.markers import Corner
from tabletop.messages import Message
from vision.images import Array


class ShipState(StrEnum):
    """How far a ship's pose is to be trusted now."""

    MOVING = "moving"
    """In sight and not at rest, or not yet for long enough: the pose is that of this frame."""
    SETTLED = "settled"
    """In sight and at rest: the pose is an average."""
    STALE = "stale"
    """Out of sight: the pose is the last one known."""


class CounterState(StrEnum):
    """How far a plain counter's identity and pose are to be trusted."""

    UNNAMED = "unnamed"
    """In sight, and nobody has said who she is."""
    MOVING = "moving"
    SETTLED = "settled"
    STALE = "stale"
    AMBIGUOUS = "ambiguous"
    """She came too close to another, or turned too far at once: ask again."""


class CameraState(StrEnum):
    """Whether the picture can be measured."""

    OK = "ok"
    BUMPED = "bumped"
    """The corner markers have moved in the picture; nothing is measured until they rest."""
    LOST = "lost"
    """The table is not in the picture."""


@dataclass(frozen=True, slots=True)
class CameraReport:
    """How the camera does, and what to do about it."""

    state: CameraState
    message: Message | None = None
    """None while all is well; otherwise what is wrong and how to mend it."""


@dataclass(frozen=True, slots=True)
class TablePose:
    """A place and heading on the table in millimetres, with 1 σ of each."""

    x_mm: float
    y_mm: float
    heading_deg: float
    position_sigma_mm: float
    heading_sigma_deg: float

    def moved_ahead(self, printed_mm: float, scale: PrintScale) -> "TablePose":
        """The pose of a point so far ahead on the print, as of a base whose code is at one end."""
        if not printed_mm:
            return self
        ahead_mm = printed_mm * scale.factor
        angle = math.radians(self.heading_deg)
        return TablePose(
            self.x_mm + ahead_mm * math.sin(angle),
            self.y_mm + ahead_mm * math.cos(angle),
            self.heading_deg,
            math.hypot(
                self.position_sigma_mm,
                ahead_mm * math.radians(self.heading_sigma_deg),
                printed_mm * scale.sigma,
            ),
            self.heading_sigma_deg,
        )


@dataclass(frozen=True, slots=True)
class TrackedShip:
    """One ship as the eyes follow her."""

    id: int
    """Her marker's number; below 0 for a plain counter: minus its key."""
    name: str
    pose: TablePose
    state: ShipState
    age_seconds: float
    """How long ago she was last seen; 0 while she is in sight."""
    seen_frames: int


@dataclass(frozen=True, slots=True)
class PlainCounter:
    """A plain counter as the eyes follow it; once it has a name it is among the ships as well."""

    key: int
    """Its own for as long as it is followed; what `assign` is told."""
    pose: TablePose
    """The heading is the bow's once it is known, otherwise one of the axis's two."""
    state: CounterState
    name: str | None = None
    may_be: tuple[str, ...] = ()
    """The ships out of sight that she may be, carried by hand, the nearest first."""


@dataclass(frozen=True, slots=True, eq=False)
class UnknownTag:
    """A coded marker in sight that may be more than one ship's, since a part of it is hidden."""

    key: int
    """Its own for as long as it lies there; what `identify` is told."""
    x_mm: float
    y_mm: float
    outline_px: Array
    may_be: tuple[str, ...]
    """The ships that it may be, the likeliest first."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenCorner:
    """A corner marker's outline in the picture, where it was last seen."""

    corner: Corner
    outline_px: Array
    visible: bool


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The table as the camera shows it at one moment."""

    seconds: float
    ships: tuple[TrackedShip, ...]
    corners: tuple[SeenCorner, ...]
    camera: CameraReport
    notes: tuple[Message, ...]
    """What the players should know, each with its remedy."""
    plane: TablePlane | None = None
    mirrored: bool = False
    """Whether pixels count in the picture flipped left to right."""
    counters: tuple[PlainCounter, ...] = ()
    """The plain counters, if the tracker was told to look for any."""
    unknown: tuple[UnknownTag, ...] = ()

    def ship(self, name: str) -> TrackedShip | None:
        """The ship of this name, if she has been seen."""
        return next((ship for ship in self.ships if ship.name == name), None)
