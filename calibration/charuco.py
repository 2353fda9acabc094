"""The board for measuring the lens: a chessboard whose white squares carry coded tags."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from calibration.markers import Bits

CHARUCO_DICTIONARY: Final = cv2.aruco.DICT_6X6_50
"""Not one of the marker families, so that a board on the table is never taken for a ship."""
CHARUCO_DICTIONARY_NAME: Final = "DICT_6X6_50"
CHARUCO_COLUMNS: Final = 5
CHARUCO_ROWS: Final = 7
CHARUCO_SQUARE_MM: Final = 35.0
"""Large enough for a webcam two metres away, and the board fits A4 and US Letter."""
CHARUCO_TAG_MM: Final = 26.0


@cache
def charuco_board() -> cv2.aruco.CharucoBoard:
    """The printed board, in millimetres from its upper left corner."""
    return cv2.aruco.CharucoBoard(
        (CHARUCO_COLUMNS, CHARUCO_ROWS),
        CHARUCO_SQUARE_MM,
        CHARUCO_TAG_MM,
        cv2.aruco.getPredefinedDictionary(CHARUCO_DICTIONARY),
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
