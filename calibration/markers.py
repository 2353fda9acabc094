"""The ids and sizes of the coded markers, shared by printing and detection.

Markers are ArUco tags. The upper edge of a ship's tag points to the bow; the four corner tags are
at the table's corners with their upper edges away from the host.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import DreyerError
from tabletop.messages import Message

if TYPE_CHECKING:
    from cv2.aruco import Dictionary

Bits = NDArray[np.uint8]
"""The modules of a tag with its black border: 0 black, 1 white."""


class MarkerKind(StrEnum):
    """What a marker identifies."""

    CORNER = "corner"
    ANCHOR = "anchor"
    """A further fixed marker anywhere on the table, whose place the program measures."""
    SHIP = "ship"
    PLATE = "plate"
    """A name plate that is glued to a model."""
    DUMMY = "dummy"
    """A contact that is no ship, for hidden play."""


UNIT_KINDS: Final = (MarkerKind.SHIP, MarkerKind.PLATE, MarkerKind.DUMMY)
"""The kinds that are moved about the table, each with a name of its own."""


class Corner(StrEnum):
    """The table's corners as the host sees them, in the order of their ids."""

    NEAR_LEFT = "near left"
    NEAR_RIGHT = "near right"
    FAR_RIGHT = "far right"
    FAR_LEFT = "far left"

    @property
    def message(self) -> Message:
        """Its title."""
        return Message(f"calibration.corner.{self.name.lower()}")


@dataclass(frozen=True, slots=True)
class Family:
    """An ArUco dictionary, by its name in OpenCV, and its usable ids."""

    name: str
    modules: int
    """Modules along a side, the black border included."""
    unfit: frozenset[int]
    """Ids that look the same mirrored, or that occur by chance in ordinary pictures."""
    size: int

    @property
    def ship_ids(self) -> tuple[int, ...]:
        """The ids for ships, in the order of assignment."""
        return tuple(i for i in range(len(Corner), self.size) if i not in self.unfit)


SMALL: Final = Family("DICT_4X4_50", 6, frozenset({8, 9, 17, 47}), 50)
LARGE: Final = Family("DICT_5X5_250", 7, frozenset(), 250)
FAMILIES: Final[Mapping[str, Family]] = {family.name: family for family in (SMALL, LARGE)}

CornerKey = Literal["near_left", "near_right", "far_right", "far_left"]
"""The corners as keys of files."""
CORNERS_BY_KEY: Final[Mapping[CornerKey, Corner]] = {
    "near_left": Corner.NEAR_LEFT,
    "near_right": Corner.NEAR_RIGHT,
    "far_right": Corner.FAR_RIGHT,
    "far_left": Corner.FAR_LEFT,
}
CORNER_IDS: Final = {corner: number for number, corner in enumerate(Corner)}
CORNER_SIZE_MM: Final = 60.0
SHIP_SIZE_MM: Final = 30.0
"""For a 1080p camera; 20 mm suffices for 4K."""


def family_for(ships: int) -> Family:
    """The family with enough ids for a number of ships."""
    for family in (SMALL, LARGE):
        if ships <= len(family.ship_ids):
            return family
    raise DreyerError("calibration.markers.too_many", most=len(LARGE.ship_ids), ships=ships)


@cache
def dictionary(family: Family) -> "Dictionary":
    """OpenCV's dictionary of a family."""
    # Imported late, here and below: a table without a camera needs no OpenCV.
    import cv2

    number: int = getattr(cv2.aruco, family.name)
    return cv2.aruco.getPredefinedDictionary(number)


@cache
def _bits(family: Family, marker_id: int) -> bytes:
    if not 0 <= marker_id < family.size:
        raise DreyerError(
            "calibration.markers.no_such",
            family=family.name,
            last=family.size - 1,
            marker=marker_id,
        )
    import cv2

    image = cv2.aruco.generateImageMarker(
        dictionary(family), marker_id, family.modules, borderBits=1
    )
    return bytes((np.asarray(image) > 127).astype(np.uint8))


def tag_bits(family: Family, marker_id: int) -> Bits:
    """The modules of a tag with its black border, row by row from its upper edge."""
    side = family.modules
    return np.frombuffer(_bits(family, marker_id), dtype=np.uint8).reshape(side, side).copy()


def tag_outline(bits: Bits) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The outline of a tag's black area as closed loops of corners, in modules from its upper left.

    Unlike single rectangles, outlines have no seams between modules and are not snapped to whole
    pixels by rasterisers.
    """
    side = bits.shape[0]
    black = np.zeros((side + 2, side + 2), dtype=bool)
    black[1:-1, 1:-1] = bits == 0
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def edge(start: tuple[int, int], end: tuple[int, int]) -> None:
        onward.setdefault(start, []).append(end)

    # Clockwise around every black module, without edges between two black ones.
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
    """The points of a closed loop at which its direction changes."""
    around = zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)
    return tuple(
        here
        for before, here, after in around
        if not (before[0] == here[0] == after[0] or before[1] == here[1] == after[1])
    )
