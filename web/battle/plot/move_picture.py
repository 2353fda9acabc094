"""The camera's picture of a move: an arrow from each of the caller's models to its place.

A plot is sealed until its segment ends (57.6), so the arrows are drawn over the picture on the
page of whoever may read the plot, and never into the picture that all look at.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.homography import TablePlane
from combat.views import PlacementView
from tabletop.angles import forward
from tabletop.scale import Scale
from tabletop.table import Pose
from vision.tracking.watcher import Seen

_BOW_MM: Final = 70.0
"""How far the bow's mark is drawn from the place of a model's centre."""


@dataclass(frozen=True, slots=True)
class MoveArrow:
    """A model and its place, in thousandths of the picture's width and height."""

    ship: str
    model: tuple[float, float]
    place: tuple[float, float]
    bow: tuple[float, float]
    """Where the bow of a model in its place points."""
    in_place: bool


@dataclass(frozen=True, slots=True)
class MovePicture:
    """The newest picture with arrows over it."""

    number: int
    width_px: int
    height_px: int
    arrows: tuple[MoveArrow, ...]


def move_picture(
    seen: Seen | None,
    scale: Scale,
    standing: Sequence[PlacementView],
    poses: Mapping[str, Pose],
) -> MovePicture | None:
    """The picture, if there is one in which the table can be measured.

    `poses` are those of the models, by what the caller calls the ships.
    """
    if seen is None or seen.frame is None or seen.snapshot.plane is None:
        return None
    height, width = seen.frame.image.shape[:2]
    arrows = _arrows(seen.snapshot.plane, (width, height), scale, standing, poses)
    return MovePicture(seen.looks, width, height, tuple(arrows))


def _arrows(
    plane: TablePlane,
    size: tuple[int, int],
    scale: Scale,
    standing: Sequence[PlacementView],
    poses: Mapping[str, Pose],
) -> Iterator[MoveArrow]:
    def seen_at(pose: Pose, ahead_mm: float = 0.0) -> tuple[float, float]:
        dx, dy = forward(pose.heading_deg)
        x_mm = scale.mm_from_yards(pose.x_yards) + ahead_mm * dx
        y_mm = scale.mm_from_yards(pose.y_yards) + ahead_mm * dy
        x, y = plane.to_px(np.array([(x_mm, y_mm)]))[0]
        return round(float(x) / size[0] * 1000, 1), round(float(y) / size[1] * 1000, 1)

    for each in standing:
        model, place = poses.get(each.ship), each.plotted
        if model is None or place is None:
            continue
        yield MoveArrow(
            ship=each.ship,
            model=seen_at(model),
            place=seen_at(place),
            bow=seen_at(place, _BOW_MM),
            in_place=each.in_place,
        )
