"""The search of a known table for markers that no outline gives away, beside the frames.

It takes some tenths of a second, so it runs in a thread of its own while the frames go on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import numpy as np

from calibration.calibration_file import Calibration
from calibration.homography import TablePlane, TableSize
from calibration.marker_file import MarkerSet
from vision.images import Array, Floats, Gray
from vision.locate import missing_markers
from vision.tags.detect import Sighting
from vision.tags.partly_hidden import PartlySeen
from vision.tracking.background import BackgroundTask

_SECONDS: Final = 5.0
"""The least time between two searches."""
_ANYWAY_SECONDS: Final = 30.0
"""After so long a picture that has not changed is searched again."""
_CHANGED_LEVELS: Final = 14
_FEWEST_SPOTS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class FoundMarkers:
    """What a search found, and in which picture."""

    gray: Gray
    whole: tuple[Sighting, ...]
    partly: tuple[PartlySeen, ...]


class PlaneSearch:
    """Searches one picture at a time in the background."""

    def __init__(
        self, marker_set: MarkerSet, table: TableSize, calibration: Calibration | None
    ) -> None:
        self._marker_set = marker_set
        self._table = table
        self._calibration = calibration
        self._task = BackgroundTask[FoundMarkers]("markers")
        self._begun_seconds = float("-inf")
        self._searched: Floats | None = None

    def is_due(self, small: Floats, seconds: float) -> bool:
        """Whether nothing is being searched and this picture is worth it."""
        waited = seconds - self._begun_seconds
        if self._task.is_running or waited < _SECONDS:
            return False
        before = self._searched
        if before is None or before.shape != small.shape or waited >= _ANYWAY_SECONDS:
            return True
        changed = np.count_nonzero(cv2.absdiff(small, before) > _CHANGED_LEVELS)
        return bool(changed >= _FEWEST_SPOTS)

    def begin(
        self,
        gray: Gray,
        small: Floats,
        plane: TablePlane,
        seen_px: Mapping[int, Array],
        seconds: float,
    ) -> None:
        """Search for the markers that are not seen yet."""
        self._begun_seconds, self._searched = seconds, small
        self._task.begin(partial(self._find, gray, plane, dict(seen_px)))

    def take(self) -> FoundMarkers | None:
        """The result, once; None while there is none."""
        return self._task.take()

    def discard(self) -> None:
        """What is being searched is out of date."""
        self._task.discard()
        self._begun_seconds = float("-inf")

    def _find(self, gray: Gray, plane: TablePlane, seen_px: Mapping[int, Array]) -> FoundMarkers:
        whole, partly = missing_markers(
            gray, self._marker_set, plane, self._table, self._calibration, seen_px
        )
        return FoundMarkers(gray, tuple(whole), tuple(partly))
