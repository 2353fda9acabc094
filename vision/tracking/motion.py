"""What has changed in the picture, cheaply: around each known marker, and roughly everywhere.

A `Watch` keeps a marker's own piece of the picture and tells whether it still looks the same,
whatever the light does; a shift of a tenth of a pixel shows. `Tiles` say where in the picture
something has come or gone, so that the search for new markers looks there first.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Family
from vision.images import Array, Floats, Gray
from vision.tags.detect import Detection, Region, detect

_MOST_SAMPLES: Final = 40
"""Along a side of a watched piece: enough to see a tenth of a pixel in the noise."""
_SURPRISE: Final = 1.6
"""How much more than usual a piece must differ; the spread of that figure is a few per cent."""
_LIKE_LIGHT: Final = (0.5, 2.0)
"""How much contrast may be gained or lost by light alone; a calm sea has hardly any."""
_LEAST_VARIANCE: Final = 0.6
"""Grey levels squared: what rounding alone makes."""
_LEARN: Final = 0.15
_SHRINK: Final = 8
_CHANGED_LEVELS: Final = 14
"""Grey levels by which a spot of the small picture must change to count."""
_FEWEST_SPOTS: Final = 2
_CODE_SHARE: Final = 0.9
"""The coded square, and a little more, as a share of an outline with its white border."""


class Watch:
    """One piece of the picture, compared with how it looked when it was last worked on.

    It is first remembered when a marker is found unmoved there: one on the way leaves it at once.
    """

    def __init__(self, outline_px: Array) -> None:
        self._outline_px = outline_px
        self._usual: float | None = None
        self._latest = 0.0
        self._power = 0.0

    def _take(self, gray: Gray) -> None:
        low = np.floor(self._outline_px.min(axis=0)).astype(int)
        high = np.ceil(self._outline_px.max(axis=0)).astype(int) + 1
        left, upper = (max(int(value), 0) for value in low)
        right, lower = min(int(high[0]), gray.shape[1]), min(int(high[1]), gray.shape[0])
        step = max(1, -(-max(right - left, lower - upper) // _MOST_SAMPLES))
        self._part = (slice(upper, lower, step), slice(left, right, step))
        piece = gray[self._part].astype(np.float32).ravel()
        self._mean = np.float32(piece.mean() if piece.size else 0.0)
        self._before = piece - self._mean
        self._power = float(self._before @ self._before)

    def changed(self, gray: Gray) -> bool:
        """Whether the piece looks otherwise than by more or less light."""
        if self._power <= 0:
            return True
        # About the mean of before: sums of whole grey levels squared are too large for float32.
        piece = (gray[self._part] - self._mean).ravel()
        shared = float(piece @ self._before)
        off = float(piece.sum())
        own = float(piece @ piece) - off * off / piece.size
        # What the best gain on the piece of before leaves unexplained.
        left_over = (own - shared * shared / self._power) / piece.size
        self._latest = max(left_over, _LEAST_VARIANCE)
        if self._usual is None or not _LIKE_LIGHT[0] < shared / self._power < _LIKE_LIGHT[1]:
            return True
        return self._latest > _SURPRISE * self._usual

    def is_as_before(self, gray: Gray) -> None:
        """A closer look found the marker unmoved: learn what noise and light do here."""
        if self._power <= 0:
            self._take(gray)
        elif self._latest:
            before = self._latest if self._usual is None else self._usual
            # A passing shadow must not dull the watch for good.
            seen = min(self._latest, 2 * before)
            self._usual = before + _LEARN * (seen - before)
            if self._latest > _SURPRISE * before:
                self._take(gray)


class Tiles:
    """The whole picture in tiles: which to search next for markers that nobody follows."""

    def __init__(self, width_px: int, height_px: int, *, columns: int = 6, rows: int = 4) -> None:
        self._size = (width_px, height_px)
        xs = [round(width_px * i / columns) for i in range(columns + 1)]
        ys = [round(height_px * i / rows) for i in range(rows + 1)]
        self._regions = [
            (xs[i], ys[j], xs[i + 1], ys[j + 1]) for j in range(rows) for i in range(columns)
        ]
        self._shape = (rows, columns)
        self._before: Floats | None = None
        self._searched: Floats | None = None
        self._changed: Gray | None = None
        self._spots = np.zeros(len(self._regions), dtype=np.int64)
        self._moving = np.zeros(len(self._regions), dtype=np.int64)
        self._searched_seconds = np.full(len(self._regions), -np.inf)
        self._now_seconds = self._turned_seconds = 0.0
        self._credit = 0.0
        self._turn = 0
        self._canvas = np.zeros((height_px, width_px), dtype=np.uint8)

    def __len__(self) -> int:
        return len(self._regions)

    @property
    def small(self) -> Floats | None:
        """The latest frame in an eighth of its size."""
        return self._before

    def look(self, gray: Gray, seconds: float) -> None:
        """Compare a frame with the one before, and with each tile as it was last searched."""
        size = (self._size[0] // _SHRINK, self._size[1] // _SHRINK)
        small = cv2.resize(gray, size, interpolation=cv2.INTER_LINEAR)
        now = cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32)
        self._now_seconds = seconds
        if self._before is None or self._searched is None:
            self._before, self._searched = now, now.copy()
            return
        self._moving = self._count(_differ(now, self._before))
        self._changed = _differ(now, self._searched)
        self._spots = self._count(self._changed)
        self._before = now

    def _count(self, changed: Gray) -> NDArray[np.int64]:
        rows, columns = self._shape
        share = cv2.resize(
            changed.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA
        )
        spots = np.round(np.ravel(share) * (changed.size / len(self._regions)))
        return np.asarray(spots, dtype=np.int64)

    def where_something_changed(self, most: int, within_seconds: float) -> list[int]:
        """The tiles that look otherwise than when they were searched: at rest again, or overdue."""
        waited = self._now_seconds - self._searched_seconds
        changed = self._spots >= _FEWEST_SPOTS
        quiet = (self._moving < _FEWEST_SPOTS) & (waited >= within_seconds / 4)
        due = np.flatnonzero(changed & (quiet | (waited >= within_seconds)))
        return sorted(due.tolist(), key=lambda tile: -float(waited[tile]))[:most]

    def next_in_turn(self, sweep_seconds: float) -> tuple[list[int], bool]:
        """The next tiles, round and round in so many seconds; whether this round is an odd one."""
        count = len(self._regions)
        passed = max(self._now_seconds - self._turned_seconds, 0.0)
        self._turned_seconds = self._now_seconds
        self._credit = min(self._credit + passed * count / sweep_seconds, count / 4)
        share = int(self._credit)
        self._credit -= share
        tiles = [(self._turn + i) % count for i in range(share)]
        odd = bool(self._turn // count % 2)
        self._turn += share
        return tiles, odd

    def search(
        self,
        gray: Gray,
        family: Family,
        tiles: Sequence[int],
        known_px: Sequence[Array],
        margin_px: int,
        *,
        thorough: bool,
        only_changed: bool = False,
    ) -> Detection:
        """Markers in these tiles other than the known ones, which are painted over first.

        If only what changed there is wanted, just that part of each tile is searched.
        """
        height, width = gray.shape
        regions: list[Region] = []
        strips = self._changed_parts(tiles) if only_changed else self._strips(tiles)
        for left, upper, right, lower in strips:
            # The margin makes a marker on an edge whole in one of the tiles.
            region = (
                max(left - margin_px, 0),
                max(upper - margin_px, 0),
                min(right + margin_px, width),
                min(lower + margin_px, height),
            )
            part = (slice(region[1], region[3]), slice(region[0], region[2]))
            self._canvas[part] = gray[part]
            regions.append(region)
        near = [o for o in known_px if any(_inside(o, region) for region in regions)]
        for outline in near:
            paper = np.clip(np.round(outline).astype(int), 0, [width - 1, height - 1])
            white = int(np.sort(gray[paper[:, 1], paper[:, 0]])[1])
            inside = outline.mean(axis=0) + (outline - outline.mean(axis=0)) * _CODE_SHARE
            cv2.fillConvexPoly(self._canvas, np.round(inside).astype(np.int32), white)
        self._mark(tiles)
        return detect(self._canvas, family, regions=regions, taken_px=near, thorough=thorough)

    def _changed_parts(self, tiles: Sequence[int]) -> list[Region]:
        """The part of each tile that looks otherwise than when it was searched."""
        if self._changed is None:
            return self._strips(tiles)
        parts: list[Region] = []
        for left, upper, right, lower in (self._regions[tile] for tile in tiles):
            low_x, low_y = left // _SHRINK, upper // _SHRINK
            piece = self._changed[low_y : lower // _SHRINK + 1, low_x : right // _SHRINK + 1]
            x, y, width, height = cv2.boundingRect(piece)
            if width and height:
                corner = ((low_x + x) * _SHRINK, (low_y + y) * _SHRINK)
                size = (width * _SHRINK, height * _SHRINK)
                parts.append((*corner, corner[0] + size[0], corner[1] + size[1]))
        return parts

    def _strips(self, tiles: Sequence[int]) -> list[Region]:
        """The tiles, with neighbours in a row made one: they share their margins."""
        strips: list[Region] = []
        for left, upper, right, lower in (self._regions[tile] for tile in tiles):
            if strips and strips[-1][1:3] == (upper, left):
                strips[-1] = (strips[-1][0], upper, right, lower)
            else:
                strips.append((left, upper, right, lower))
        return strips

    def _mark(self, tiles: Sequence[int]) -> None:
        """These tiles have been searched as they look now."""
        for tile in tiles:
            self._searched_seconds[tile] = self._now_seconds
            if self._before is not None and self._searched is not None:
                left, upper, right, lower = (edge // _SHRINK for edge in self._regions[tile])
                part = (slice(upper, lower + 1), slice(left, right + 1))
                self._searched[part] = self._before[part]


def _differ(now: Floats, before: Floats) -> Gray:
    """The spots that are lighter or darker than before, as a mask."""
    return np.asarray(cv2.absdiff(now, before) > _CHANGED_LEVELS, dtype=np.uint8)


def _inside(outline: Array, region: Region) -> bool:
    """Whether an outline reaches into a region, or nearly."""
    left, upper, right, lower = region
    (low_x, low_y), (high_x, high_y) = outline.min(axis=0), outline.max(axis=0)
    return bool(high_x >= left and low_x <= right and high_y >= upper and low_y <= lower)
