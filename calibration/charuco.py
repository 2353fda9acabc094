"""The board for measuring the lens: a chessboard whose white squares carry coded tags."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.markers import Bits

if TYPE_CHECKING:
    from cv2.aruco import CharucoBoard

CHARUCO_DICTIONARY_NAME: Final = "DICT_6X6_50"
"""Not one of the marker families, so that a board on the table is never taken for a ship."""
CHARUCO_COLUMNS: Final = 5
CHARUCO_ROWS: Final = 7
CHARUCO_SQUARE_MM: Final = 35.0
"""Large enough for a webcam two metres away, and the board fits A4 and US Letter."""
CHARUCO_TAG_MM: Final = 26.0


@cache
def charuco_board() -> "CharucoBoard":
    """The printed board, in millimetres from its upper left corner."""
    # Imported late, here and below: a table without a camera needs no OpenCV.
    import cv2

    dictionary: int = getattr(cv2.aruco, CHARUCO_DICTIONARY_NAME)
    return cv2.aruco.CharucoBoard(
        (CHARUCO_COLUMNS, CHARUCO_ROWS),
        CHARUCO_SQUARE_MM,
        CHARUCO_TAG_MM,
        cv2.aruco.getPredefinedDictionary(dictionary),
    )


@dataclass(frozen=True, slots=True)
class BoardTag:
    """One tag of the board: its modules, and its centre in mm from the board's upper left."""

    bits: Bits
    x_mm: float
    y_mm: float
    size_mm: float


def charuco_tags() -> tuple[BoardTag, ...]:
    """The board's tags at the places where OpenCV expects them."""
    import cv2

    board = charuco_board()
    modules = board.getDictionary().markerSize + 2
    tags = []
    for marker_id, corners in zip(
        np.asarray(board.getIds()).ravel(), board.getObjPoints(), strict=True
    ):
        image = cv2.aruco.generateImageMarker(board.getDictionary(), int(marker_id), modules)
        x, y = (float(value) for value in np.asarray(corners)[:, :2].mean(axis=0))
        bits = (np.asarray(image) > 127).astype(np.uint8)
        tags.append(BoardTag(bits, x, y, board.getMarkerLength()))
    return tuple(tags)
