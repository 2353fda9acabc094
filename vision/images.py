"""Pictures as arrays: what a frame, its grey values and the numbers made of them are called."""

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A frame as OpenCV has it: rows of blue, green, red; or of grey values."""
Gray = NDArray[np.uint8]
Array = NDArray[np.float64]
Floats = NDArray[np.float32]


def to_gray(image: Image) -> Gray:
    """The picture in grey, as all measuring wants it."""
    if image.ndim == 2:
        return image
    # Imported late: a table without a camera needs no OpenCV.
    import cv2

    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
