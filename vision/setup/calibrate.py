"""From pictures to a calibration: the lens from a board, the table from its corners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.calibration_file import UNMEASURED_PRINT, Calibration, PrintScale
from calibration.camera import (
    FEWEST_BOARD_VIEWS,
    Lens,
    LensSource,
    assumed_lens,
    board_corners,
    lens_from_board,
)
from calibration.homography import TablePlane, TableSize, refocused
from calibration.marker_file import MarkerSet
from calibration.markers import CORNER_IDS, Corner
from calibration.planefit import FEWEST_CORNERS, PlaneFit
from tabletop.errors import DreyerError, Where
from tabletop.messages import Message
from vision.images import Image, to_gray
from vision.locate import solve_table
from vision.tags.detect import Detection, detect

POOR_RESIDUAL_PX: Final = 0.5
_SIZE_TOLERANCE: Final = 0.03
"""A table is taken to be as large as it was said to be within this share."""


@dataclass(frozen=True, slots=True)
class MeasuredCalibration:
    """A calibration, what it rests on, and what there is to say about it."""

    calibration: Calibration
    board_views: int
    corners_found: int
    notes: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """What only the user can know."""

    table: TableSize
    print_scale: PrintScale = UNMEASURED_PRINT
    height_mm: float | None = None
    """None if nobody said it."""
    heights_mm: Mapping[str, float] | None = None
    camera_height_mm: float | None = None
    date: str = ""


def calibrate(
    pictures: Sequence[tuple[Where, Image]],
    marker_set: MarkerSet,
    settings: CalibrationSettings,
    *,
    board_wanted: bool = False,
) -> MeasuredCalibration:
    """The lens from views of the board, if there are any, and the table from its best picture."""
    if not pictures:
        raise DreyerError("vision.calibrate.no_picture")
    _check_sizes(pictures)
    grays = [to_gray(image) for _, image in pictures]
    lens, board_views, notes = _measured_lens(grays, board_wanted)
    best = max((detect(gray, marker_set.family) for gray in reversed(grays)), key=_corner_count)
    corners = _corner_count(best)
    plane = None
    if corners >= FEWEST_CORNERS:
        plane, more = _measured_table(best, marker_set, settings, lens)
        lens, notes = plane.lens, [*notes, *more]
    elif lens.focal_known:
        notes.append(Message("vision.calibrate.lens_only"))
    else:
        raise DreyerError("vision.calibrate.nothing", corners=corners)
    calibration = _calibration(lens, plane, best, settings)
    return MeasuredCalibration(calibration, board_views, corners, tuple(notes))


def _check_sizes(pictures: Sequence[tuple[Where, Image]]) -> None:
    """Raise DreyerError for a picture of another size than the first."""
    first, image = pictures[0]
    height, width = image.shape[:2]
    for source, each in pictures[1:]:
        if each.shape[:2] != (height, width):
            raise DreyerError(
                "vision.calibrate.sizes",
                source=source,
                width=each.shape[1],
                height=each.shape[0],
                first=first,
                first_width=width,
                first_height=height,
            )


def _measured_lens(grays: Sequence[Image], board_wanted: bool) -> tuple[Lens, int, list[Message]]:
    """The lens, how many pictures show the board, and what there is to say about them."""
    height, width = grays[0].shape[:2]
    views = [view for gray in grays if (view := board_corners(gray)) is not None]
    if not views and any(
        board_corners(np.ascontiguousarray(gray[:, ::-1])) is not None for gray in grays
    ):
        if board_wanted:
            raise DreyerError("vision.calibrate.mirrored_board")
        return assumed_lens(width, height), 0, [Message("vision.calibrate.mirrored_board")]
    if board_wanted or len(views) >= FEWEST_BOARD_VIEWS:
        lens = lens_from_board(views, width, height)
        is_poor = lens.residual_px > POOR_RESIDUAL_PX
        poor = Message("vision.calibrate.poor_board", pixels=lens.residual_px)
        return lens, len(views), [poor] if is_poor else []
    few = Message("vision.calibrate.few_boards", views=len(views), needed=FEWEST_BOARD_VIEWS)
    return assumed_lens(width, height), len(views), [few] if views else []


def _measured_table(
    detection: Detection, marker_set: MarkerSet, settings: CalibrationSettings, lens: Lens
) -> tuple[TablePlane, list[Message]]:
    """The table from a picture with enough corners, and what there is to say about it."""
    fit = solve_table(
        detection,
        marker_set,
        settings.table,
        lens,
        print_scale=settings.print_scale.factor,
        camera_height_mm=settings.camera_height_mm,
    )
    plane = _with_focal(fit, settings)
    if plane.lens.source is not LensSource.ASSUMED:
        plane = replace(plane, lens=replace(plane.lens, doubts=fit.lens_doubts))
    notes = []
    corners = _corner_count(detection)
    if corners < len(Corner):
        notes.append(Message("vision.calibrate.few_corners", corners=corners))
    if abs(fit.size_factor - 1) > _SIZE_TOLERANCE:
        notes.append(Message("vision.calibrate.size", share=fit.size_factor))
    return plane, notes


def _with_focal(fit: PlaneFit, settings: CalibrationSettings) -> TablePlane:
    plane = fit.plane
    if plane.lens.focal_known:
        return plane
    if fit.focal_scale is not None:
        return refocused(plane, fit.focal_scale)
    if settings.height_mm or any((settings.heights_mm or {}).values()):
        raise DreyerError("vision.calibrate.no_focal")
    return plane


def _corner_count(detection: Detection) -> int:
    return sum(s.marker_id in CORNER_IDS.values() for s in detection.sightings)


def _calibration(
    lens: Lens, plane: TablePlane | None, detection: Detection, settings: CalibrationSettings
) -> Calibration:
    if plane is not None and lens.residual_px == 0:
        lens = replace(lens, residual_px=plane.residual_px)
    corners_px = {
        sighting.marker_id: (float(sighting.centre_px[0]), float(sighting.centre_px[1]))
        for sighting in detection.sightings
        if sighting.marker_id in CORNER_IDS.values()
    }
    return Calibration(
        lens,
        settings.table,
        print_scale=settings.print_scale,
        height_mm=settings.height_mm,
        heights_mm=dict(settings.heights_mm or {}),
        camera_height_mm=settings.camera_height_mm,
        corners_px={} if plane is None else corners_px,
        plane=plane,
        date=settings.date,
    )
