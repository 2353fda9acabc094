"""How long a frame holds up the loop while plain counters are followed, beside OpenCV's detector.

A rendered 6 × 4 ft table with 24 striped counters and no ship's code; one counter moves now and
then, so that the table is searched again. `python -m benchmarks.counters` prints, as ratios to
OpenCV's default detectMarkers on the same frames in the same run, the median and the 95th
percentile of `Tracker.update`, with the search in the loop and in a thread of its own. Both are
measured by the clock, and by the processor time of the loop's thread alone with OpenCV in one
thread, which other work on the machine does not change.
"""

import time
from dataclasses import replace

import cv2
import numpy as np

from calibration.homography import TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import SMALL, dictionary
from vision.counters.detect import CounterKind
from vision.images import to_gray
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
    for frame in range(FRAMES):
        step = frame // MOVES_EVERY
        moved = replace(counters[step % 24], x_mm=counters[step % 24].x_mm + 25)
        now = (*counters[: step % 24], moved, *counters[step % 24 + 1 :])
        # Every frame has noise of its own, as a camera's.
        pictures.append(to_gray(renderer.frame((), now, (), frame).image))
    detector = cv2.aruco.ArucoDetector(dictionary(SMALL))
    table = TableSize(scene.table_width_mm, scene.table_height_mm)
    for background in (False, True):
        tracker = Tracker(default_marker_set(), table, plain=CounterKind(), background=background)
        ours, theirs, found = [], [], 0
        cv2.setNumThreads(1)
        begun = time.perf_counter()
        for frame in range(FRAMES):
            image = pictures[frame]
            due = begun + frame / FRAMES_PER_SECOND
            time.sleep(max(due - time.perf_counter(), 0.0))
            start = np.array([time.perf_counter(), time.thread_time()])
            detector.detectMarkers(image)
            middle = np.array([time.perf_counter(), time.thread_time()])
            snapshot = tracker.update(image, frame / FRAMES_PER_SECOND)
            ours.append(np.array([time.perf_counter(), time.thread_time()]) - middle)
            theirs.append(middle - start)
            found = len(snapshot.counters)
        # The first frames find the table itself.
        ratio = np.array(ours[5:]) / np.median(theirs[5:], axis=0)
        print(f"{'own thread' if background else 'in the loop'}: {found} counters")
        for name, column in zip(("clock", "processor"), ratio.T, strict=True):
            print(
                f"  {name:<10} median {np.median(column):.1f}, "
                f"p95 {np.percentile(column, 95):.1f}, most {column.max():.1f} times OpenCV"
            )


if __name__ == "__main__":
    main()
