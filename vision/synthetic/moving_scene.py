"""A rendered table on which ships move: the demo camera, and what the tracker is tried on.

Everything follows from the seconds asked for; the same second is always the same picture.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from tabletop.angles import wrap_180
from tabletop.errors import DreyerError
from tabletop.movement import Path, Straight, Turn
from tabletop.table import Pose
from vision.synthetic.renderer import (
    CameraView,
    Rendered,
    RenderedHand,
    RenderedMarker,
    Renderer,
    RenderScene,
)


@dataclass(frozen=True, slots=True)
class Keyframe:
    """Where something is at one moment."""

    seconds: float
    x_mm: float
    y_mm: float
    heading_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class MarkerTrack:
    """How the marker of this id moves: evenly from key to key, at rest before and after them."""

    marker_id: int
    keys: tuple[Keyframe, ...]

    def at(self, seconds: float) -> Keyframe:
        """The pose at this moment."""
        return _between(self.keys, seconds)


@dataclass(frozen=True, slots=True)
class HandTrack:
    """A hand that comes with its first key and goes with its last."""

    hand: RenderedHand
    keys: tuple[Keyframe, ...]

    def at(self, seconds: float) -> RenderedHand | None:
        """The hand at this moment, if it is there."""
        if not self.keys[0].seconds <= seconds <= self.keys[-1].seconds:
            return None
        key = _between(self.keys, seconds)
        return replace(self.hand, x_mm=key.x_mm, y_mm=key.y_mm)


class MovingScene:
    """A table over time: tracks for markers and hands, and views that take over from a moment on.

    With `loop_seconds` the story begins again after so long. A `thrifty` one draws only what
    moved, for a camera that runs all evening; its noise stands still.
    """

    def __init__(
        self,
        scene: RenderScene,
        view: CameraView,
        tracks: Iterable[MarkerTrack] = (),
        hands: Iterable[HandTrack] = (),
        *,
        later_views: Iterable[tuple[float, CameraView]] = (),
        loop_seconds: float | None = None,
        thrifty: bool = False,
    ) -> None:
        self.scene = scene
        self.tracks = tuple(tracks)
        self.hands = tuple(hands)
        self.loop_seconds = loop_seconds
        self._thrifty = thrifty
        self._views = ((-math.inf, view), *sorted(later_views, key=lambda pair: pair[0]))
        known = {marker.id for marker in scene.markers}
        for track in self.tracks:
            if track.marker_id not in known or not track.keys:
                raise DreyerError(
                    "vision.render.track", marker=track.marker_id, keys=len(track.keys)
                )
        self._renderer: Renderer | None = None

    def frame(self, seconds: float) -> Rendered:
        """The picture and its truth at this moment."""
        story = seconds % self.loop_seconds if self.loop_seconds else seconds
        view = [view for start, view in self._views if start <= story][-1]
        if self._renderer is None or self._renderer.view != view:
            self._renderer = Renderer(self.scene, view, stream=True, thrifty=self._thrifty)
        present = [hand.at(story) for hand in self.hands]
        return self._renderer.frame(
            self.markers_at(story),
            self.scene.counters,
            (*self.scene.hands, *(hand for hand in present if hand is not None)),
            number=round(abs(seconds) * 1000),
        )

    def markers_at(self, seconds: float) -> tuple[RenderedMarker, ...]:
        """The markers where their tracks have them at this moment."""
        tracks = {track.marker_id: track for track in self.tracks}
        return tuple(
            _moved(marker, tracks[marker.id].at(seconds)) if marker.id in tracks else marker
            for marker in self.scene.markers
        )


def sailing_round(
    marker: RenderedMarker,
    straight_mm: float,
    radius_mm: float,
    *,
    mm_per_second: float,
    sail_seconds: float,
    rest_seconds: float,
    to_starboard: bool = True,
) -> MarkerTrack:
    """A ship that sails straight on, turns back, and again, until she is where she began.

    She rests first, and after every so many seconds of sailing, as ships do in a game.
    """
    side = 1.0 if to_starboard else -1.0
    arc_mm = math.pi * radius_mm
    turn = Turn(180 * side, arc_mm)
    start = Pose(marker.x_mm, marker.y_mm, marker.heading_deg)
    # The path's geometry is the same in any unit of length.
    path = Path(start, (Straight(straight_mm), turn, Straight(straight_mm), turn))
    leg_mm = mm_per_second * sail_seconds
    legs = max(1, round(path.length_yards / leg_mm))
    keys: list[Keyframe] = []
    for leg in range(legs):
        begin = leg * (rest_seconds + sail_seconds) + rest_seconds
        keys.append(_key(path, leg / legs, begin - rest_seconds))
        steps = max(1, math.ceil(sail_seconds))
        keys += [
            _key(path, (leg + step / steps) / legs, begin + sail_seconds * step / steps)
            for step in range(steps + 1)
        ]
    return MarkerTrack(marker.id, tuple(keys))


def _key(path: Path, share: float, seconds: float) -> Keyframe:
    pose = path.pose_at(path.length_yards * min(share, 1.0))
    return Keyframe(seconds, pose.x_yards, pose.y_yards, pose.heading_deg)


def _between(keys: tuple[Keyframe, ...], seconds: float) -> Keyframe:
    if seconds <= keys[0].seconds:
        return keys[0]
    for before, after in pairwise(keys):
        if seconds <= after.seconds:
            share = (seconds - before.seconds) / max(1e-9, after.seconds - before.seconds)
            turn = wrap_180(after.heading_deg - before.heading_deg)
            return Keyframe(
                seconds,
                before.x_mm + share * (after.x_mm - before.x_mm),
                before.y_mm + share * (after.y_mm - before.y_mm),
                before.heading_deg + share * turn,
            )
    return keys[-1]


def _moved(marker: RenderedMarker, key: Keyframe) -> RenderedMarker:
    return replace(marker, x_mm=key.x_mm, y_mm=key.y_mm, heading_deg=key.heading_deg)
