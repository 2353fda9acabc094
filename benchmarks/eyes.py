"""From pixels to millimetres: ours against OpenCV's detectMarkers on the same rendered frames."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import best_seconds
from calibration.calibration_file import Calibration
from calibration.homography import TablePlane, TableSize
from calibration.marker_file import default_marker_set
from calibration.markers import SHIP_SIZE_MM, SMALL, dictionary
from vision.images import to_gray
from vision.locate import Located, locate
from vision.setup.calibrate import CalibrationSettings, calibrate
from vision.synthetic.renderer import (
    CameraView,
    Rendered,
    RenderedHand,
    RenderedMarker,
    RenderScene,
    Shadow,
    Surface,
    render,
)
from vision.tags.detect import detect
from vision.tags.pose import TagGuess, measure

Array = NDArray[np.float64]

SHIPS = 20
SHEET = default_marker_set()
WEBCAM = CameraView(blur_px=0.6, noise=2.0, jpeg_quality=88, light_slope=0.2)
FOUR_K = replace(WEBCAM, width_px=3840, height_px=2160, blur_px=1.0)


@dataclass(frozen=True, slots=True)
class Setting:
    """One kind of scene."""

    name: str
    view: CameraView = WEBCAM
    tag_mm: float = SHIP_SIZE_MM
    height_mm: float = 0.0
    hands: int = 0
    surface: Surface = Surface.SEA
    frames: int = 5


SETTINGS = (
    Setting("1080p, 30 mm, tilt 30°", frames=8),
    Setting("1080p, 25 mm, tilt 30°", tag_mm=25.0),
    Setting("… overhead", replace(WEBCAM, tilt_deg=0)),
    Setting("… tilt 45°", replace(WEBCAM, tilt_deg=45)),
    Setting("… twice the blur", replace(WEBCAM, blur_px=1.2)),
    Setting("… a shadow and three hands", replace(WEBCAM, shadow=(Shadow(700, 600),)), hands=3),
    Setting("… on a checked cloth", surface=Surface.CHECKED),
    Setting("… lens k1 −0.12", replace(WEBCAM, k1=-0.12, k2=0.03)),
    Setting("… lens k1 −0.25, tilt 15°", replace(WEBCAM, k1=-0.25, k2=0.08, tilt_deg=15)),
    Setting("… 5 mm bases, calibrated", height_mm=5.0),
    Setting("4K, 20 mm", FOUR_K, 20.0, frames=3),
    Setting("4K, 15 mm", FOUR_K, 15.0, frames=3),
)


@dataclass(slots=True)
class Tally:
    """What one way of looking found."""

    visible: int = 0
    found: int = 0
    wrong: int = 0
    place_mm: list[float] = field(default_factory=list)
    turn_deg: list[float] = field(default_factory=list)
    place_sigmas: list[float] = field(default_factory=list)
    turn_sigmas: list[float] = field(default_factory=list)

    def add(self, truth: Rendered, seen: dict[int, tuple[float, float, float]]) -> None:
        """Compare one frame with the truth."""
        markers = {marker.id: marker for marker in truth.truth.markers}
        in_view = {number for number, marker in markers.items() if marker.visible > 0.99}
        self.visible += len(in_view)
        self.found += len(in_view & seen.keys())
        self.wrong += len(seen.keys() - markers.keys())
        for number, (x, y, heading) in seen.items():
            if number not in markers:
                continue
            marker = markers[number]
            error = math.hypot(x - marker.x_mm, y - marker.y_mm)
            if error > marker.tag_mm / 2:
                self.wrong += 1
            turn = abs((heading - marker.heading_deg + 180) % 360 - 180)
            self.place_mm.append(error)
            self.turn_deg.append(turn)

    def row(self) -> str:
        """Found, wrong, and the errors' mean and 95th percentile."""
        if not self.place_mm:
            return f"{self.found:>4}/{self.visible:<4} wrong {self.wrong}"
        place, turn = np.array(self.place_mm), np.array(self.turn_deg)
        return (
            f"{self.found:>4}/{self.visible:<4}{self.wrong:>3}"
            f"{place.mean():>7.3f}{np.percentile(place, 95):>7.3f}"
            f"{turn.mean():>7.3f}{np.percentile(turn, 95):>7.3f}"
        )


def fleet(seed: int, setting: Setting) -> RenderScene:
    """Ships all over the table, no two on one spot; hands over some of them."""
    rng = np.random.default_rng(seed)
    width, height = RenderScene().table_width_mm, RenderScene().table_height_mm
    numbers = rng.permutation(SMALL.ship_ids)[:SHIPS]
    places: list[Array] = []
    while len(places) < SHIPS:
        spot = rng.uniform([90, 90], [width - 90, height - 90])
        if all(np.linalg.norm(spot - other) > 100 for other in places):
            places.append(spot)
    markers = tuple(
        RenderedMarker(
            int(number), float(x), float(y), float(rng.uniform(0, 360)),
            tag_mm=setting.tag_mm, height_mm=setting.height_mm, name=f"marker {number}",
        )
        for number, (x, y) in zip(numbers, places, strict=True)
    )  # fmt: skip
    hands = tuple(RenderedHand(float(x), float(y)) for x, y in places[: setting.hands])
    return RenderScene(markers, hands=hands, surface=setting.surface)


def rendered(setting: Setting, seed: int) -> Rendered:
    """One frame of a setting, never the same twice."""
    view = replace(setting.view, seed=seed, pan_deg=float(seed % 3 - 1) * 8)
    return render(fleet(seed, setting), view)


def plain_opencv(
    frame: Rendered, plane: TablePlane, **options: object
) -> dict[int, tuple[float, float, float]]:
    """What detectMarkers finds, put on the table by our own plane."""
    parameters = cv2.aruco.DetectorParameters()
    for key, value in options.items():
        setattr(parameters, key, value)
    detector = cv2.aruco.ArucoDetector(dictionary(SMALL), parameters)
    corners, numbers, _ = detector.detectMarkers(frame.image)
    heights = {marker.id: marker.height_mm for marker in frame.truth.markers}
    seen = {}
    for four, number in zip(corners, np.ravel(numbers), strict=True):
        if int(number) not in SHEET.names:
            continue
        spots = plane.to_mm(np.asarray(four, dtype=np.float64)[0], heights.get(int(number), 0.0))
        x, y = spots.mean(axis=0)
        bow = spots[:2].mean(axis=0) - spots[2:].mean(axis=0)
        seen[int(number)] = (float(x), float(y), math.degrees(math.atan2(bow[0], bow[1])) % 360)
    return seen


CONTOUR = {
    "cornerRefinementMethod": cv2.aruco.CORNER_REFINE_CONTOUR,
    "minMarkerPerimeterRate": 0.01,
    "perspectiveRemovePixelPerCell": 8,
}


def calibration_of(setting: Setting, table: TableSize) -> Calibration | None:
    """A calibration as a user would make it: one photo of the table, the height of the bases."""
    if not setting.height_mm:
        return None
    photo = rendered(setting, 3)
    settings = CalibrationSettings(table, height_mm=setting.height_mm)
    return calibrate([("table", photo.image)], SHEET, settings).calibration


def run(setting: Setting) -> tuple[Tally, Tally, Tally]:
    """All frames of a setting, by us and by OpenCV in two ways."""
    table = TableSize(RenderScene().table_width_mm, RenderScene().table_height_mm)
    calibration = calibration_of(setting, table)
    ours, default, contour = Tally(), Tally(), Tally()
    for seed in range(setting.frames):
        frame = rendered(setting, 100 + 3 * seed if calibration else 100 + seed)
        found = locate(frame.image, SHEET, table, calibration)
        ours.add(frame, {s.id: (s.pose.x_mm, s.pose.y_mm, s.pose.heading_deg) for s in found.ships})
        _add_sigmas(ours, frame, found)
        if found.plane is not None:
            default.add(frame, plain_opencv(frame, found.plane))
            contour.add(frame, plain_opencv(frame, found.plane, **CONTOUR))
    return ours, default, contour


def _add_sigmas(tally: Tally, frame: Rendered, found: Located) -> None:
    markers = {marker.id: marker for marker in frame.truth.markers}
    for ship in found.ships:
        marker = markers.get(ship.id)
        if marker is None:
            continue
        error = math.hypot(ship.pose.x_mm - marker.x_mm, ship.pose.y_mm - marker.y_mm)
        turn = abs((ship.pose.heading_deg - marker.heading_deg + 180) % 360 - 180)
        tally.place_sigmas.append(error / ship.pose.position_sigma_mm)
        tally.turn_sigmas.append(turn / ship.pose.heading_sigma_deg)


def accuracy(settings: Sequence[Setting] = SETTINGS) -> None:
    """Found, wrong, centre and heading errors of ours and of OpenCV."""
    print(f"Ships located on rendered tables ({SHIPS} a frame); errors mean and p95, mm and °")
    head = "found     wrong  centre       heading"
    print(f"{'':<30}{'ours: ' + head:<52}{'within 2 σ':<14}{'OpenCV default':<40}… CONTOUR")
    for setting in settings:
        ours, default, contour = run(setting)
        within = [np.mean(np.array(z) < 2) for z in (ours.place_sigmas, ours.turn_sigmas) if z]
        sure = " ".join(f"{share:>5.1%}" for share in within)
        print(f"{setting.name:<30}{ours.row():<52}{sure:<14}{default.row():<40}{contour.row()}")


def speed() -> None:
    """A frame's time against OpenCV's default detectMarkers, in the same run."""
    print("Time a frame; baseline: OpenCV's detectMarkers with its defaults, whole frame")
    table = TableSize(RenderScene().table_width_mm, RenderScene().table_height_mm)
    for setting in (SETTINGS[0], Setting("4K, 20 mm", FOUR_K, 20.0)):
        frame = rendered(setting, 200)
        gray = to_gray(frame.image)
        located = locate(frame.image, SHEET, table)
        assert located.plane is not None
        guesses = [
            TagGuess(s.id, s.pose.x_mm, s.pose.y_mm, s.pose.heading_deg, s.tag.size_mm)
            for s in located.ships
        ]
        plain = cv2.aruco.ArucoDetector(dictionary(SMALL))
        works: dict[str, Callable[[], object]] = {
            "OpenCV default": partial(plain.detectMarkers, frame.image),
            "first frame (locate)": partial(locate, frame.image, SHEET, table),
            "whole frame (detect)": partial(detect, frame.image, SMALL, thorough=False),
            f"all {len(guesses)} known ships moved": partial(
                measure, gray, SMALL, located.plane, guesses
            ),
            "3 ships moved": partial(measure, gray, SMALL, located.plane, guesses[:3]),
        }
        times = {name: best_seconds(work, rounds=15) for name, work in works.items()}
        base = times["OpenCV default"]
        for name, seconds in times.items():
            print(f"{setting.name:<26}{name:<28}{seconds * 1e3:>8.1f} ms{seconds / base:>8.2f}×")


def main() -> None:
    """Print accuracy and speed."""
    accuracy()
    print()
    speed()


if __name__ == "__main__":
    main()
