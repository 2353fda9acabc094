"""The finished picture of a stream, of which only what changed is finished anew.

For the demo camera: light, blur and noise on the whole of a large picture cost more than all
that moves on the table.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.images import Image
from vision.synthetic.camera import CameraView
from vision.synthetic.light import Grain, Light, blurred, noise_on
from vision.synthetic.paint import Box
from vision.synthetic.textures import FloatImage

_BLUR_SIGMAS: Final = 4.5
"""How far OpenCV's Gaussian reaches, and a little more."""


class Redrawn:
    """Keeps a finished picture, and finishes anew what was drawn otherwise than before."""

    def __init__(self, light: Light, view: CameraView, grain: Grain) -> None:
        self._light = light
        self._view = view
        self._noise = grain.still()
        self._reach = math.ceil(_BLUR_SIGMAS * view.blur_px + view.motion_blur_px / 2) + 1
        self._drawn: Mapping[Hashable, Sequence[Box]] = {}
        self._image: Image | None = None

    def finish(self, canvas: FloatImage, drawn: Mapping[Hashable, Sequence[Box]]) -> Image:
        """The finished picture; `drawn` says which things are on the canvas, and where."""
        height, width = canvas.shape[:2]
        if self._image is None:
            image = np.empty(canvas.shape, np.uint8)
            boxes = [(slice(0, height), slice(0, width))]
        else:
            changed = self._drawn.keys() ^ drawn.keys()
            if not changed:
                return self._image
            # The picture that was given out stays as it is.
            image = self._image.copy()
            where = [
                _grown(box, self._reach, (height, width))
                for thing in changed
                for box in (self._drawn.get(thing) or drawn.get(thing) or ())
            ]
            boxes = _united(where)
        for box in boxes:
            self._finish_part(canvas, box, image)
        self._drawn, self._image = dict(drawn), image
        return image

    def _finish_part(self, canvas: FloatImage, box: Box, image: Image) -> None:
        # The blur needs what lies around the box as well.
        wide = _grown(box, self._reach, (image.shape[0], image.shape[1]))
        lit = self._light.fall_on_part(canvas[wide].copy(), wide)
        top, left = box[0].start - wide[0].start, box[1].start - wide[1].start
        rows, columns = box[0].stop - box[0].start, box[1].stop - box[1].start
        part = blurred(lit, self._view)[top : top + rows, left : left + columns]
        if self._noise is not None:
            part = part + noise_on(part, self._noise[box], self._view)
        image[box] = cv2.convertScaleAbs(np.maximum(part, 0))


def _grown(box: Box, margin: int, shape: tuple[int, int]) -> Box:
    rows, columns = (
        slice(max(0, side.start - margin), min(size, side.stop + margin))
        for side, size in zip(box, shape, strict=True)
    )
    return rows, columns


def _united(boxes: Iterable[Box]) -> list[Box]:
    """The boxes, those that overlap made one."""
    apart: list[Box] = []
    for new in boxes:
        one = new
        while touching := [other for other in apart if _overlap(one, other)]:
            apart = [other for other in apart if other not in touching]
            everything = [one, *touching]
            rows, columns = (
                slice(min(b[axis].start for b in everything), max(b[axis].stop for b in everything))
                for axis in (0, 1)
            )
            one = (rows, columns)
        apart.append(one)
    return apart


def _overlap(one: Box, other: Box) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(one, other, strict=True))
