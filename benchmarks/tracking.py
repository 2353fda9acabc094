"""The tracker on a running camera against OpenCV's detectMarkers with its defaults.

A rendered 6 × 4 ft table with 24 ships; in the steady state three of them move at a time. Both
see the same frames in the same run, one after the other. Also told: the first frame, and a frame
in which everything moved. OpenCV's sightings go through the same plane, so that only what it
finds is compared.
"""

import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import TablePlane, TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import SMALL, dictionary
from vision.snapshot import ShipState, Snapshot
from vision.synthetic.renderer import (
    CameraView,
    Rendered,
    RenderedMarker,
    Renderer,
    RenderScene,
    Truth,
)
from vision.tracking.tracker import Tracker

SHIPS = 24
FRAMES_PER_SECOND = 30.0
SETTLING_FRAMES = 28
STEADY_FRAMES = 60
ALL_MOVING_FRAMES = 6
STEP_MM = 3.0

Image = NDArray[np.uint8]
Pose = tuple[float, float, float]


@dataclass
class Score:
    """What one of the two did over many frames."""

    milliseconds: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)
    """The processor's own time, which a busy machine lengthens less than the clock's."""
    found: int = 0
    wrong: int = 0
    wanted: int = 0
    place_mm: list[float] = field(default_factory=list)
    heading_deg: list[float] = field(default_factory=list)

    def add(self, poses: dict[int, Pose], truth: Truth) -> None:
        """Hold one frame's poses against the truth."""
        for marker in truth.markers:
            if not marker.seen:
                continue
            self.wanted += 1
            if marker.id not in poses:
                continue
            x, y, heading = poses[marker.id]
            off = math.hypot(x - marker.x_mm, y - marker.y_mm)
            if off > 20:
                self.wrong += 1
                continue
            self.found += 1
            self.place_mm.append(off)
            self.heading_deg.append(abs((heading - marker.heading_deg + 180) % 360 - 180))
        known = {marker.id for marker in truth.markers}
        self.wrong += sum(number not in known for number in poses)

    @property
    def words(self) -> str:
        """One line for people."""
        return (
            f"found {self.found / self.wanted:6.1%}, wrong {self.wrong}, "
            f"centre p95 {np.percentile(self.place_mm, 95):.3f} mm, "
            f"heading p95 {np.percentile(self.heading_deg, 95):.2f}°"
        )


def fleet(seed: int) -> tuple[RenderedMarker, ...]:
    """Ships all over the table, none near another."""
    rng = np.random.default_rng(seed)
    return tuple(
        RenderedMarker(
            number,
            150 + (k % 6) * 300 + rng.uniform(-40, 40),
            130 + (k // 6) * 300 + rng.uniform(-40, 40),
            rng.uniform(0, 360),
        )
        for k, number in enumerate(SMALL.ship_ids[:SHIPS])
    )


def story(renderer: Renderer, ships: tuple[RenderedMarker, ...]) -> Iterator[tuple[str, Rendered]]:
    """The frames in their order, each with the part that it belongs to."""
    for number in range(SETTLING_FRAMES):
        yield "first" if not number else "settling", renderer.frame(ships, (), (), number)
    for number in range(STEADY_FRAMES):
        # A few ships at a time, and others after a while.
        moving = {(number // 15 * 3 + k) % SHIPS for k in range(3)}
        ships = tuple(_sailed(s) if k in moving else s for k, s in enumerate(ships))
        yield "steady", renderer.frame(ships, (), (), 1000 + number)
    for number in range(ALL_MOVING_FRAMES):
        ships = tuple(_sailed(ship) for ship in ships)
        yield "all moving", renderer.frame(ships, (), (), 2000 + number)


def _sailed(ship: RenderedMarker) -> RenderedMarker:
    angle = math.radians(ship.heading_deg)
    return replace(
        ship,
        x_mm=ship.x_mm + STEP_MM * math.sin(angle),
        y_mm=ship.y_mm + STEP_MM * math.cos(angle),
        heading_deg=ship.heading_deg + 0.5,
    )


def opencv_poses(
    plane: TablePlane, detector: cv2.aruco.ArucoDetector, image: Image
) -> dict[int, Pose]:
    """OpenCV's sightings on the table, by the same plane as ours."""
    corners, ids, _ = detector.detectMarkers(image)
    poses: dict[int, Pose] = {}
    for four, number in zip(corners, np.ravel(ids if len(corners) else ()), strict=True):
        if int(number) in SMALL.ship_ids:
            spots = plane.to_mm(np.asarray(four[0], dtype=np.float64))
            x, y = spots.mean(axis=0)
            bow = spots[:2].mean(axis=0) - spots[2:].mean(axis=0)
            poses[int(number)] = (float(x), float(y), math.degrees(math.atan2(*bow)) % 360)
    return poses


def our_poses(snapshot: Snapshot) -> dict[int, Pose]:
    """The ships in sight as the tracker reports them."""
    return {
        ship.id: (ship.pose.x_mm, ship.pose.y_mm, ship.pose.heading_deg)
        for ship in snapshot.ships
        if ship.state is not ShipState.STALE
    }


def _time(score: Score, work: Callable[[], object]) -> None:
    start, busy = time.perf_counter(), time.process_time()
    work()
    score.worked.append((time.process_time() - busy) * 1e3)
    score.milliseconds.append((time.perf_counter() - start) * 1e3)


class _Race:
    """The two on the same frames."""

    def __init__(self, table: TableSize) -> None:
        self._table = table
        self.restart()
        self._detector = cv2.aruco.ArucoDetector(dictionary(SMALL), cv2.aruco.DetectorParameters())
        self.scores: dict[str, tuple[Score, Score]] = {}

    def restart(self) -> None:
        """A tracker that has seen nothing."""
        self._tracker = Tracker(default_marker_set(), self._table)
        self._snapshot: Snapshot | None = None

    def run(self, part: str, index: int, picture: Rendered) -> None:
        """One frame for both."""
        ours, theirs = self.scores.setdefault(part, (Score(), Score()))

        def our_turn() -> None:
            self._snapshot = self._tracker.update(picture.image, index / FRAMES_PER_SECOND)

        def their_turn() -> None:
            self._detector.detectMarkers(picture.image)

        # Whoever comes second finds the picture in the cache: they take turns.
        if index % 2:
            _time(theirs, their_turn)
        _time(ours, our_turn)
        if not index % 2:
            _time(theirs, their_turn)
        snapshot = self._snapshot
        if part in ("steady", "all moving") and snapshot is not None and snapshot.plane is not None:
            ours.add(our_poses(snapshot), picture.truth)
            poses = opencv_poses(snapshot.plane, self._detector, picture.image)
            theirs.add(poses, picture.truth)


def measure(width_px: int, height_px: int) -> float:
    """Run both at one picture size, print what came out; the ratio of the steady state."""
    view = CameraView(
        width_px=width_px,
        height_px=height_px,
        blur_px=0.7 * width_px / 1920,
        noise=2.0,
        jpeg_quality=88,
    )
    scene = RenderScene(markers=fleet(7))
    table = TableSize(scene.table_width_mm, scene.table_height_mm)
    race = _Race(table)
    for index, (part, picture) in enumerate(story(Renderer(scene, view), scene.markers)):
        if part == "first":
            # Once in a program that has just begun, once in one that has its patterns ready.
            race.run("very first", index, picture)
            race.restart()
        race.run(part, index, picture)
    print(f"Tracking {SHIPS} ships at {width_px} × {height_px}, against OpenCV's detectMarkers")
    ratio = math.nan
    for part in ("very first", "first", "steady", "all moving"):
        ours, theirs = race.scores[part]
        mine, other = (statistics.mean(s.milliseconds) for s in (ours, theirs))
        busy, others = (statistics.mean(s.worked) for s in (ours, theirs))
        print(
            f"  {part:<10}  {mine:7.1f} ms a frame, OpenCV {other:6.1f} ms: {mine / other:.2f} × "
            f"(processor {busy:.1f} and {others:.1f} ms: {busy / others:.2f} ×)"
        )
        if part == "steady":
            ratio = mine / other
            slowest = np.percentile(ours.milliseconds, 95)
            medians = [statistics.median(s.milliseconds) for s in (ours, theirs)]
            print(f"    medians {medians[0]:.1f} and {medians[1]:.1f} ms, our p95 {slowest:.1f} ms")
        if ours.wanted:
            print(f"    ours    {ours.words}")
            print(f"    OpenCV  {theirs.words}")
    return ratio


def main() -> None:
    """Both picture sizes."""
    measure(1920, 1080)
    measure(3840, 2160)


if __name__ == "__main__":
    main()
