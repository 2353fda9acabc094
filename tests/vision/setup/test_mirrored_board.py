"""Pictures of the board as a mirrored webcam takes them."""

import numpy as np
import pytest

from calibration.charuco import charuco_board
from calibration.homography import USUAL_TABLE
from calibration.marker_file import default_marker_set
from tabletop.errors import DreyerError
from vision.images import Image
from vision.setup.calibrate import CalibrationSettings, calibrate


def board_picture() -> Image:
    board = np.asarray(charuco_board().generateImage((840, 600), marginSize=30), dtype=np.uint8)
    return np.stack([np.pad(board, 60, constant_values=200)] * 3, axis=-1)


def test_a_mirrored_board_is_told() -> None:
    mirrored = np.ascontiguousarray(board_picture()[:, ::-1])
    pictures = [(str(number), mirrored) for number in range(4)]
    with pytest.raises(DreyerError) as told:
        calibrate(
            pictures, default_marker_set(), CalibrationSettings(USUAL_TABLE), board_wanted=True
        )
    assert told.value.message.code == "vision.calibrate.mirrored_board"
