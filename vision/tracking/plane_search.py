"""The search of a known table for markers that no outline gives away, beside the frames.

It takes some tenths of a second, so it runs in a thread of its own while the frames go on.
"""

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
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
        self._thread: threading.Thread | None = None
        self._found: FoundMarkers | None = None
        self._begun_seconds = float("-inf")
        self._searched: Floats | None = None

    def is_due(self, small: Floats, seconds: float) -> bool:
        """Whether nothing is being searched and this picture is worth it."""
        waited = seconds - self._begun_seconds
        if self._thread is not None or waited < _SECONDS:
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
        # No daemon: a program that ends waits for it, as OpenCV must not be cut off at work.
        self._thread = threading.Thread(
            target=self._work, args=(gray, plane, dict(seen_px)), name="markers"
        )
        self._thread.start()

    def take(self) -> FoundMarkers | None:
        """The result, once; None while there is none."""
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        found, self._found = self._found, None
        return found

    def discard(self) -> None:
        """What is being searched is out of date."""
        if self._thread is not None:
            self._thread.join()
        self._thread = self._found = None
        self._begun_seconds = float("-inf")

    def _work(self, gray: Gray, plane: TablePlane, seen_px: Mapping[int, Array]) -> None:
        # A picture that makes no sense has no markers.
        with suppress(cv2.error, np.linalg.LinAlgError, ArithmeticError, ValueError):
            whole, partly = missing_markers(
                gray, self._marker_set, plane, self._table, self._calibration, seen_px
            )
            self._found = FoundMarkers(gray, tuple(whole), tuple(partly))
