"""Pictures of the demo's table for tests of the eyes, and cameras that send them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from tabletop.messages import verbatim
from vision.images import Image
from vision.picture_files import encode_image
from vision.sources.frame_source import Clock, Frame, FrameSource, Still, Trouble
from vision.synthetic.renderer import CameraView, RenderedCounter, Renderer
from web.camera.demo import demo_table

CORNERS = ((78, 940), (1841, 940), (1577, 108), (342, 108))
"""Where the corner markers' centres are in the picture, in the order of their ids."""
GONE = Trouble(verbatim("the camera has gone; plug it in"))


@cache
def table_picture() -> Image:
    """The demo's table, sharp and whole."""
    scene = demo_table()
    view = CameraView(blur_px=0.6, noise=2.0, vignette=0.1)
    return Renderer(scene, view).frame(scene.markers, (), (), number=0).image


def covered(*corners: int, image: Image | None = None) -> Image:
    """The same with something lying on these corners."""
    picture = (table_picture() if image is None else image).copy()
    for number in corners:
        cv2.ellipse(picture, CORNERS[number], (100, 60), 20, 0, 360, (105, 140, 190), -1)
    return picture


def lit(corner: int, levels: float) -> Image:
    """The same with light, or shade, on one corner."""
    over = np.zeros(table_picture().shape[:2], np.float32)
    cv2.circle(over, CORNERS[corner], 70, 1.0, -1)
    glow = cv2.GaussianBlur(over, (0, 0), 12)[..., None]
    shown = table_picture() * (1 - 0.95 * glow) if levels < 0 else table_picture() + levels * glow
    return np.clip(shown, 0, 255).astype(np.uint8)


def jpeg(image: Image) -> bytes:
    return encode_image(image, "a.jpg")


class Script(Still):
    """A camera that sends what it is told, the last of it again and again."""

    name = verbatim("the test camera")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._number = 0
        self.sends: Image | Trouble = GONE
        self.closed = 0

    def read(self) -> Frame | Trouble:
        self._clock.sleep(0.02)
        if isinstance(self.sends, Trouble):
            return self.sends
        self._number += 1
        return Frame(self.sends, self._clock.now(), self._number)

    def close(self) -> None:
        self.closed += 1


def opener(made: list[Script], first: Image | Trouble) -> Callable[[str, Clock], FrameSource]:
    """Opens test cameras and keeps them in a list."""

    def open_(what: str, clock: Clock) -> FrameSource:
        made.append(Script(clock))
        made[-1].sends = first
        return made[-1]

    return open_


def names(ships: Iterable[object]) -> set[str]:
    return {ship.name for ship in ships}  # type: ignore[attr-defined]


@cache
def table_with_counters(first: tuple[float, float, float] = (600, 500, 80)) -> Image:
    """The demo's table without its ships, and two plain counters on it."""
    counters = (
        RenderedCounter(*first),
        RenderedCounter(x_mm=1200, y_mm=700, heading_deg=200),
    )
    scene = replace(demo_table(), markers=(), counters=counters)
    view = CameraView(blur_px=0.6, noise=2.0)
    return Renderer(scene, view).frame((), counters, (), number=0).image
