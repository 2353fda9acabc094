"""Which coded marker is whom, and how large it is: what printing and detecting must agree on.

Markers are ArUco tags. A ship's tag points its upper edge to the bow; the four corner tags stand
at the table's corners with their upper edges away from the host.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.errors import DreyerError
from tabletop.messages import Message

Bits = NDArray[np.uint8]
"""A tag's modules, 0 black and 1 white, its black border included."""


class MarkerKind(StrEnum):
    """What a marker stands for."""

    CORNER = "corner"
    SHIP = "ship"


class Corner(StrEnum):
    """The table's corners as the host sees them, in the order of their ids."""

    NEAR_LEFT = "near left"
    NEAR_RIGHT = "near right"
    FAR_RIGHT = "far right"
    FAR_LEFT = "far left"

    @property
    def message(self) -> Message:
        """Its name in words."""
        return Message(f"calibration.corner.{self.name.lower()}")


@dataclass(frozen=True, slots=True)
class Family:
    """A dictionary of tags and the ids of it that are fit for use."""

    name: str
    dictionary: int
    modules: int
    """Modules along a side, the black border included."""
    unfit: frozenset[int]
    """Ids that read the same mirrored, or that turn up in ordinary pictures."""
    size: int

    @property
    def ship_ids(self) -> tuple[int, ...]:
        """The ids for ships, in the order in which they are given out."""
        return tuple(i for i in range(len(Corner), self.size) if i not in self.unfit)


SMALL: Final = Family("DICT_4X4_50", cv2.aruco.DICT_4X4_50, 6, frozenset({8, 9, 17, 47}), 50)
LARGE: Final = Family("DICT_5X5_250", cv2.aruco.DICT_5X5_250, 7, frozenset(), 250)
FAMILIES: Final[Mapping[str, Family]] = {family.name: family for family in (SMALL, LARGE)}

CornerKey = Literal["near_left", "near_right", "far_right", "far_left"]
"""The corners as files have them."""
CORNERS_BY_KEY: Final[Mapping[CornerKey, Corner]] = {
    "near_left": Corner.NEAR_LEFT,
    "near_right": Corner.NEAR_RIGHT,
    "far_right": Corner.FAR_RIGHT,
    "far_left": Corner.FAR_LEFT,
}
CORNER_IDS: Final = {corner: number for number, corner in enumerate(Corner)}
CORNER_SIZE_MM: Final = 60.0
SHIP_SIZE_MM: Final = 30.0
"""For a 1080p camera; 20 mm will do for 4K."""


def family_for(ships: int) -> Family:
    """The family that has enough ids for so many ships."""
    for family in (SMALL, LARGE):
        if ships <= len(family.ship_ids):
            return family
    raise DreyerError("calibration.markers.too_many", most=len(LARGE.ship_ids), ships=ships)


@cache
def dictionary(family: Family) -> cv2.aruco.Dictionary:
    """OpenCV's dictionary of a family."""
    return cv2.aruco.getPredefinedDictionary(family.dictionary)


@cache
def _bits(family: Family, marker_id: int) -> bytes:
    if not 0 <= marker_id < family.size:
        raise DreyerError(
            "calibration.markers.no_such",
            family=family.name,
            last=family.size - 1,
            marker=marker_id,
        )
    image = cv2.aruco.generateImageMarker(
        dictionary(family), marker_id, family.modules, borderBits=1
    )
    return bytes((np.asarray(image) > 127).astype(np.uint8))


def tag_bits(family: Family, marker_id: int) -> Bits:
    """The modules of a tag, row by row from its upper edge, its black border included."""
    side = family.modules
    return np.frombuffer(_bits(family, marker_id), dtype=np.uint8).reshape(side, side).copy()


def tag_outline(bits: Bits) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The edges of a tag's black as closed loops of corners, in modules from its upper left.

    Outlines have no seams between modules, however they are rasterised, and no rasteriser moves
    them to whole pixels, as some do with single rectangles.
    """
    side = bits.shape[0]
    black = np.zeros((side + 2, side + 2), dtype=bool)
    black[1:-1, 1:-1] = bits == 0
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def edge(start: tuple[int, int], end: tuple[int, int]) -> None:
        onward.setdefault(start, []).append(end)

    # Clockwise around every black module, leaving out what lies between two black ones.
    for row, column in np.argwhere(black):
        r, c = int(row) - 1, int(column) - 1
        if not black[row - 1, column]:
            edge((c, r), (c + 1, r))
        if not black[row, column + 1]:
            edge((c + 1, r), (c + 1, r + 1))
        if not black[row + 1, column]:
            edge((c + 1, r + 1), (c, r + 1))
        if not black[row, column - 1]:
            edge((c, r + 1), (c, r))
    loops = []
    while onward:
        start = here = next(iter(onward))
        loop: list[tuple[int, int]] = []
        while not loop or here != start:
            loop.append(here)
            ends = onward[here]
            following = ends.pop()
            if not ends:
                del onward[here]
            here = following
        loops.append(_turns_of(loop))
    return tuple(loops)


def _turns_of(loop: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The points of a closed loop at which it turns."""
    around = zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)
    return tuple(
        here
        for before, here, after in around
        if not (before[0] == here[0] == after[0] or before[1] == here[1] == after[1])
    )
