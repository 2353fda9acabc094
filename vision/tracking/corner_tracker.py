"""The corner markers over time: the camera's hold on the table.

While they rest where they were when the table was measured, all is well. One that moves by itself
was pushed; several that move together mean that the camera was.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from calibration.markers import Corner, Family
from tabletop.messages import Message
from vision.images import Array, Gray
from vision.snapshot import SeenCorner
from vision.tags.detect import Region, Sighting, detect
from vision.tracking.motion import Watch

LEAST_SHIFT_PX: Final = 0.2
_SHIFT_SIGMAS: Final = 6.0
_STEADY_PX: Final = 0.25
_WHITE: Final = 1.25
"""A watched piece reaches this far beyond the coded square's corners, from its centre."""
CORNERS: Final = tuple(Corner)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where the corner markers are now."""

    home: frozenset[int]
    moved: frozenset[int]
    hidden: frozenset[int]


class _Anchor:
    def __init__(self, gray: Gray, sighting: Sighting) -> None:
        self.home = sighting
        self.latest = sighting
        self.visible = True
        self.frames = 1
        self.total = sighting.corners_px.copy()
        self.watch = Watch(enlarged(sighting.corners_px))
        self.watch.is_as_before(gray)

    def add(self, sighting: Sighting) -> None:
        self.total += sighting.corners_px
        self.frames += 1

    @property
    def mean(self) -> Sighting:
        # The σ stays that of one frame: averaging does not take the pixel grid's bias away.
        return replace(self.home, corners_px=self.total / self.frames)


class CornerTracker:
    """Follows the corner markers in the picture."""

    def __init__(
        self, gray: Gray, family: Family, sightings: Iterable[Sighting], average_frames: int
    ) -> None:
        self._family = family
        self._average_frames = average_frames
        self._anchors = {s.marker_id: _Anchor(gray, s) for s in sightings}

    @property
    def known(self) -> frozenset[int]:
        """The fixed markers that have been seen since the table was measured."""
        return frozenset(self._anchors)

    @property
    def averaged(self) -> bool:
        """Whether every marker in sight has been measured often enough."""
        return all(a.frames >= self._average_frames for a in self._anchors.values() if a.visible)

    @property
    def means(self) -> tuple[Sighting, ...]:
        """The corner markers' average sightings."""
        return tuple(anchor.mean for anchor in self._anchors.values())

    @property
    def latest(self) -> Mapping[int, Sighting]:
        """The corner markers as last seen."""
        return {number: anchor.latest for number, anchor in self._anchors.items()}

    @property
    def seen(self) -> tuple[SeenCorner, ...]:
        """The corner markers for showing."""
        return tuple(
            SeenCorner(CORNERS[number], anchor.latest.corners_px, anchor.visible)
            for number, anchor in sorted(self._anchors.items())
            if number < len(CORNERS)
        )

    def changed(self, gray: Gray) -> frozenset[int]:
        """Which of them look otherwise than before, or have not been averaged yet."""
        return frozenset(
            [
                number
                for number, anchor in self._anchors.items()
                if anchor.watch.changed(gray)
                or not anchor.visible
                or anchor.frames < self._average_frames
            ]
        )

    def look(self, gray: Gray, changed: frozenset[int]) -> Verdict:
        """Look closer at those that changed."""
        found = find_near(gray, self._family, [self._anchors[n].latest for n in sorted(changed)])
        home, moved = set(self._anchors) - changed, set()
        for number in changed:
            anchor = self._anchors[number]
            sighting = found.get(number)
            anchor.visible = sighting is not None
            if sighting is None:
                continue
            anchor.latest = sighting
            shift = float(np.linalg.norm(sighting.centre_px - anchor.home.centre_px))
            doubt = float(np.hypot(sighting.sigma_px, anchor.home.sigma_px))
            if shift > max(LEAST_SHIFT_PX, _SHIFT_SIGMAS * doubt):
                moved.add(number)
                continue
            home.add(number)
            anchor.watch.is_as_before(gray)
            if anchor.frames < self._average_frames:
                anchor.add(sighting)
        hidden = frozenset(n for n, anchor in self._anchors.items() if not anchor.visible)
        return Verdict(frozenset(home), frozenset(moved), hidden)


def fixed_note(what: Literal["moved", "back"], number: int) -> Message:
    """What happened to a corner or anchor marker."""
    if number < len(CORNERS):
        return Message(f"vision.track.corner_{what}", corner=CORNERS[number].message)
    return Message(f"vision.track.anchor_{what}", n=number)


def find_near(
    gray: Gray, family: Family, sightings: Sequence[Sighting], reach: float = 1.0
) -> dict[int, Sighting]:
    """These markers again, in the regions where they last were; `reach` in their sides."""
    if not sightings:
        return {}
    regions = [_around(s.corners_px, s.side_px * reach) for s in sightings]
    ids = [s.marker_id for s in sightings]
    return detect(gray, family, regions=regions, ids=ids, thorough=False).by_id()


def steady(before: Mapping[int, Sighting], now: Mapping[int, Sighting]) -> bool:
    """Whether the same markers rest in the same places in two frames."""
    common = before.keys() & now.keys()
    return len(common) >= 2 and all(
        float(np.linalg.norm(before[n].centre_px - now[n].centre_px)) < _STEADY_PX for n in common
    )


def enlarged(corners_px: Array, factor: float = _WHITE) -> Array:
    """An outline grown about its centre."""
    centre = corners_px.mean(axis=0)
    return np.asarray(centre + (corners_px - centre) * factor)


def _around(corners_px: Array, margin_px: float) -> Region:
    low, high = corners_px.min(axis=0) - margin_px, corners_px.max(axis=0) + margin_px
    return int(low[0]), int(low[1]), int(np.ceil(high[0])), int(np.ceil(high[1]))
