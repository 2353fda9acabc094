"""How long a frame holds up the loop while plain counters are followed, beside OpenCV's detector.

A rendered 6 × 4 ft table with 24 striped counters and no ship's code; one counter moves now and
then, so that the table is searched again. `python -m benchmarks.counters` prints, as ratios to
OpenCV's default detectMarkers on the same frames in the same run, the median and the 95th
percentile of `Tracker.update`, with the search in the loop and in a thread of its own.
"""

import time
from dataclasses import replace

import cv2
import numpy as np

from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import SMALL, dictionary
from vision.counters.detect import CounterKind
from vision.synthetic.renderer import CameraView, RenderedCounter, Renderer, RenderScene
from vision.tracking.tracker import Tracker

FRAMES = 80
MOVES_EVERY = 8
FRAMES_PER_SECOND = 10.0


def main() -> None:
    """Print one line for each way of searching."""
    counters = tuple(
        RenderedCounter(160 + (k % 6) * 300, 140 + (k // 6) * 300, 37.0 * k) for k in range(24)
    )
    scene = RenderScene(counters=counters)
    renderer = Renderer(scene, CameraView(blur_px=0.6, noise=2.0), stream=True)
    pictures = []
    for step in range(FRAMES // MOVES_EVERY + 1):
        moved = replace(counters[step % 24], x_mm=counters[step % 24].x_mm + 25)
        now = (*counters[: step % 24], moved, *counters[step % 24 + 1 :])
        pictures.append(renderer.frame((), now, (), step).image)
    detector = cv2.aruco.ArucoDetector(dictionary(SMALL))
    table = TableSize(scene.table_width_mm, scene.table_height_mm)
    for background in (False, True):
        tracker = Tracker(default_marker_set(), table, plain=CounterKind(), background=background)
        ours, theirs, found = [], [], 0
        begun = time.perf_counter()
        for frame in range(FRAMES):
            image = pictures[frame // MOVES_EVERY]
            due = begun + frame / FRAMES_PER_SECOND
            time.sleep(max(due - time.perf_counter(), 0.0))
            start = time.perf_counter()
            detector.detectMarkers(image)
            middle = time.perf_counter()
            snapshot = tracker.update(image, frame / FRAMES_PER_SECOND)
            ours.append(time.perf_counter() - middle)
            theirs.append(middle - start)
            found = len(snapshot.counters)
        # The first frames find the table itself.
        ratio = np.array(ours[5:]) / np.median(theirs[5:])
        print(
            f"{'own thread' if background else 'in the loop'}: median {np.median(ratio):.1f}, "
            f"p95 {np.percentile(ratio, 95):.1f}, most {ratio.max():.1f} times OpenCV; "
            f"{found} counters"
        )


if __name__ == "__main__":
    main()
