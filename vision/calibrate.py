"""From pictures to a calibration: the lens from a board, the table from its corners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.calibration_file import Calibration
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
from vision.detect import Detection, Image, detect, to_gray
from vision.locate import solve_table

POOR_RESIDUAL_PX: Final = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """A calibration and what there is to say about it."""

    calibration: Calibration
    board_views: int
    corners_found: int
    notes: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What only the user can know."""

    table: TableSize
    print_scale: float = 1.0
    height_mm: float = 0.0
    heights_mm: Mapping[str, float] | None = None
    camera_height_mm: float | None = None
    date: str = ""


def calibrate(
    pictures: Sequence[tuple[Where, Image]],
    marker_set: MarkerSet,
    settings: Settings,
    *,
    board_wanted: bool = False,
) -> Measured:
    """The lens from views of the board, if there are any, and the table from its best picture."""
    if not pictures:
        raise DreyerError("vision.calibrate.no_picture")
    height, width = pictures[0][1].shape[:2]
    for source, image in pictures[1:]:
        if image.shape[:2] != (height, width):
            raise DreyerError(
                "vision.calibrate.sizes",
                source=source,
                width=image.shape[1],
                height=image.shape[0],
                first=pictures[0][0],
                first_width=width,
                first_height=height,
            )
    grays = [to_gray(image) for _, image in pictures]
    views = [view for gray in grays if (view := board_corners(gray)) is not None]
    notes: list[Message] = []
    lens: Lens = assumed_lens(width, height)
    if board_wanted or len(views) >= FEWEST_BOARD_VIEWS:
        lens = lens_from_board(views, width, height)
        if lens.residual_px > POOR_RESIDUAL_PX:
            notes.append(Message("vision.calibrate.poor_board", pixels=lens.residual_px))
    elif views:
        notes.append(
            Message("vision.calibrate.few_boards", views=len(views), needed=FEWEST_BOARD_VIEWS)
        )
    best = max((detect(gray, marker_set.family) for gray in reversed(grays)), key=_corner_count)
    corners = _corner_count(best)
    if corners < FEWEST_CORNERS:
        if not lens.focal_known:
            raise DreyerError("vision.calibrate.nothing", corners=corners)
        notes.append(Message("vision.calibrate.lens_only"))
        return Measured(_calibration(lens, None, best, settings), len(views), corners, tuple(notes))
    fit = solve_table(
        best, marker_set, settings.table, lens,
        print_scale=settings.print_scale, camera_height_mm=settings.camera_height_mm,
    )  # fmt: skip
    plane = _with_focal(fit, settings)
    if plane.lens.source is not LensSource.ASSUMED:
        plane = replace(plane, lens=replace(plane.lens, doubts=fit.lens_doubts))
    if corners < len(Corner):
        notes.append(Message("vision.calibrate.few_corners", corners=corners))
    if abs(fit.size_factor - 1) > 0.03:
        notes.append(Message("vision.calibrate.size", share=fit.size_factor))
    calibration = _calibration(plane.lens, plane, best, settings)
    return Measured(calibration, len(views), corners, tuple(notes))


def _with_focal(fit: PlaneFit, settings: Settings) -> TablePlane:
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
    lens: Lens, plane: TablePlane | None, detection: Detection, settings: Settings
) -> Calibration:
    if plane is not None and lens.residual_px == 0:
        lens = replace(lens, residual_px=plane.residual_px)
    return Calibration(
        lens,
        settings.table,
        settings.print_scale,
        settings.height_mm,
        dict(settings.heights_mm or {}),
        settings.camera_height_mm,
        {}
        if plane is None
        else {
            s.marker_id: (float(s.centre_px[0]), float(s.centre_px[1]))
            for s in detection.sightings
            if s.marker_id in CORNER_IDS.values()
        },
        plane,
        settings.date,
    )
