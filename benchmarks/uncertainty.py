"""How often the truth lies within 2 σ: `python -m benchmarks.uncertainty [FRAMES]`.

Rendered tables put through a webcam's electronics (glare, colour filter, noise, sharpening), well
exposed and metered on the dark sea. Each frame is read twice: with nothing calibrated, which is as
the program meets it, and with lens, bases and print measured. Nobody's base, lens or print is what
the program takes it for: bases are up to 4 mm high, lenses bent, prints scaled by some per cent.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.raytrace import expose
from calibration.calibration_file import UNMEASURED_PRINT, Calibration, measured_print
from calibration.camera import Lens, lens_from_board
from calibration.homography import TableSize
from calibration.marker_file import MarkerSet
from calibration.markers import CORNER_SIZE_MM, SMALL
from vision.images import Image
from vision.locate import locate
from vision.synthetic.camera import CameraView, TrueCamera, true_camera
from vision.synthetic.renderer import Rendered, RenderedMarker, RenderScene, render
from vision.synthetic.scene import marker_set_of

Array = NDArray[np.float64]

SHIPS = 16
TILTS_DEG = (0.0, 15.0, 30.0, 45.0, 55.0)
TAG_MM = 30.0
AHEAD_MM = 40.0
"""Every other ship's code lies so far astern of the middle of her base, as on a name plate."""
HIGHEST_BASE_MM = 4.0
PRINT_SIGMA = 0.015
BAR_SIGMA = 0.002
LARGEST_K1 = 0.1
QUALITY = 88


@dataclass(frozen=True, slots=True)
class Size:
    """A picture's size, and by how much more is rendered before it is averaged down."""

    name: str
    width_px: int
    height_px: int
    finer: int


SIZES = (Size("720p", 1280, 720, 2), Size("1080p", 1920, 1080, 2), Size("4K", 3840, 2160, 1))


@dataclass(slots=True)
class Tally:
    """Errors of one kind of picture, in mm and in σ."""

    ships: int = 0
    wrong: int = 0
    places_mm: list[float] = field(default_factory=list)
    place_sigmas: list[float] = field(default_factory=list)
    heading_sigmas: list[float] = field(default_factory=list)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.ships + other.ships,
            self.wrong + other.wrong,
            self.places_mm + other.places_mm,
            self.place_sigmas + other.place_sigmas,
            self.heading_sigmas + other.heading_sigmas,
        )

    def row(self) -> str:
        """Found, p95 of the place, and the shares of place and heading within 2 σ."""
        if not self.places_mm:
            return f"{0:>4}/{self.ships:<4}" + " " * 24
        shares = [np.mean(np.array(z) < 2) for z in (self.place_sigmas, self.heading_sigmas)]
        return (
            f"{len(self.places_mm):>4}/{self.ships:<4}{np.percentile(self.places_mm, 95):>7.2f}"
            f"{shares[0]:>8.1%}{shares[1]:>7.1%}" + (f" WRONG {self.wrong}" if self.wrong else "")
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """A table as it is, its picture without electronics, and what was printed for it."""

    marker_set: MarkerSet
    table: TableSize
    rendered: Rendered
    camera: TrueCamera
    base_mm: float
    print_factor: float

    def truth(self) -> Iterator[tuple[int, float, float, float]]:
        """Each visible ship's id, the middle of her base, and her heading."""
        for marker in self.rendered.truth.markers:
            if marker.id not in self.marker_set.names or marker.visible < 0.99:
                continue
            ahead = self.marker_set.ahead_mm(marker.id) * self.print_factor
            angle = math.radians(marker.heading_deg)
            yield (
                marker.id, marker.x_mm + ahead * math.sin(angle),
                marker.y_mm + ahead * math.cos(angle), marker.heading_deg,
            )  # fmt: skip


def frame_of(size: Size, tilt_deg: float, seed: int) -> Frame:
    """A table that nobody has measured."""
    rng = np.random.default_rng([seed, size.width_px, round(tilt_deg)])
    factor = float(np.clip(rng.normal(1, PRINT_SIGMA), 0.95, 1.05))
    base_mm = float(rng.uniform(0, HIGHEST_BASE_MM))
    tag_mm = TAG_MM * (0.7 if size.name == "4K" else 1.0)
    ids = rng.permutation(SMALL.ship_ids)[:SHIPS]
    empty = RenderScene()
    places: list[Array] = []
    while len(places) < SHIPS:
        spot = rng.uniform(100, [empty.table_width_mm - 100, empty.table_height_mm - 100])
        if all(np.linalg.norm(spot - other) > 130 for other in places):
            places.append(spot)
    ships = tuple(
        RenderedMarker(
            int(number), float(x), float(y), float(rng.uniform(0, 360)), tag_mm=tag_mm * factor,
            height_mm=base_mm, name=f"ship {number}",
        )
        for number, (x, y) in zip(ids, places, strict=True)
    )  # fmt: skip
    turns = tuple((0.0, 0.0, float(turn)) for turn in rng.normal(0, 0.4, 4))
    scene = RenderScene(ships, corner_mm=CORNER_SIZE_MM * factor, lie_mm=turns)
    view = CameraView(
        size.width_px * size.finer, size.height_px * size.finer, tilt_deg=tilt_deg,
        pan_deg=float(rng.uniform(-8, 8)), field_of_view_deg=float(rng.uniform(60, 78)),
        k1=float(rng.uniform(-LARGEST_K1, LARGEST_K1 / 3)), light_slope=0.2, vignette=0.15,
        seed=seed,
    )  # fmt: skip
    printed = marker_set_of(scene)
    markers = tuple(
        replace(
            marker,
            size_mm=marker.size_mm / factor,
            ahead_mm=AHEAD_MM if marker.id in ids[::2] else 0.0,
        )
        for marker in printed.markers
    )
    camera = true_camera(
        replace(view, width_px=size.width_px, height_px=size.height_px),
        scene.table_width_mm, scene.table_height_mm,
    )  # fmt: skip
    table = TableSize(scene.table_width_mm, scene.table_height_mm)
    marker_set = replace(printed, markers=markers)
    return Frame(marker_set, table, render(scene, view), camera, base_mm, factor)


def webcam_picture(frame: Frame, size: Size, seed: int, *, clipped: bool) -> Image:
    """The frame as a webcam of this size gives it."""
    srgb = frame.rendered.image.astype(np.float32)[..., ::-1] / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    linear = linear.astype(np.float32)
    if size.finer > 1:
        linear = cv2.resize(
            linear, (size.width_px, size.height_px), interpolation=cv2.INTER_AREA
        )  # fmt: skip
    light = np.asarray(linear, dtype=np.float32)
    picture = expose(light, np.random.default_rng(seed), clipped=clipped)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def board_lens(camera: TrueCamera, seed: int) -> Lens:
    """The lens as eight views of the board give it, read to a tenth of a pixel."""
    rng = np.random.default_rng([seed, 5])
    x, y = np.meshgrid(np.arange(9) * 25.0, np.arange(6) * 25.0)
    board = np.column_stack([x.ravel() - 100, y.ravel() - 62.5, np.zeros(x.size)])
    views = []
    for number in range(8):
        turn = rng.normal(0, 0.35, 3)
        shift = np.array([(number % 3 - 1) * 90.0, (number // 3 - 1) * 50.0, 330.0])
        seen = cv2.projectPoints(board, turn, shift, camera.matrix, camera.distortion)[0]
        views.append((seen.reshape(-1, 2) + rng.normal(0, 0.1, (len(board), 2)), board))
    return lens_from_board(views, camera.width_px, camera.height_px)


def calibrations(frame: Frame, seed: int) -> tuple[Calibration | None, Calibration]:
    """Nothing, and a calibration as a careful host makes it."""
    rng = np.random.default_rng([seed, 6])
    scale = measured_print(frame.print_factor + float(rng.normal(0, BAR_SIGMA)))
    return None, Calibration(
        board_lens(frame.camera, seed), frame.table, scale,
        frame.base_mm + float(rng.normal(0, 0.1)),
    )  # fmt: skip


def compare(frame: Frame, picture: Image, calibration: Calibration | None) -> Tally:
    """What is found in a picture, beside the truth."""
    truth = {number: pose for number, *pose in frame.truth()}
    found = locate(picture, frame.marker_set, frame.table, calibration)
    tally = Tally(len(truth))
    for ship in found.ships:
        if ship.id not in truth:
            continue
        x, y, heading = truth[ship.id]
        error = math.hypot(ship.pose.x_mm - x, ship.pose.y_mm - y)
        turn = abs((ship.pose.heading_deg - heading + 180) % 360 - 180)
        tally.wrong += error > TAG_MM
        tally.places_mm.append(error)
        tally.place_sigmas.append(error / ship.pose.position_sigma_mm)
        tally.heading_sigmas.append(turn / ship.pose.heading_sigma_deg)
    return tally


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    given = sys.argv[1:] if arguments is None else arguments
    frames = int(given[0]) if given else 4
    print(f"Ships within 2 σ of the truth, {SHIPS} a frame, {frames} frames a row")
    print(f"unmeasured print: σ {UNMEASURED_PRINT.sigma:.0%}; found, place p95 mm, place, heading")
    print(f"{'':<24}{'nothing calibrated':<36}lens, bases and print measured")
    totals: dict[str, list[Tally]] = {}
    for size in SIZES:
        for tilt_deg in TILTS_DEG:
            rows = {clipped: [Tally(), Tally()] for clipped in (False, True)}
            for seed in range(frames):
                frame = frame_of(size, tilt_deg, seed)
                for clipped, row in rows.items():
                    picture = webcam_picture(frame, size, seed, clipped=clipped)
                    for column, calibration in enumerate(calibrations(frame, seed)):
                        row[column] += compare(frame, picture, calibration)
            for clipped, row in rows.items():
                light = "clipped" if clipped else "exposed"
                whole = totals.setdefault(light, [Tally(), Tally()])
                for column in range(2):
                    whole[column] += row[column]
                print(
                    f"{size.name:<6}{tilt_deg:>3.0f}° {light:<13}{row[0].row():<36}{row[1].row()}"
                )
    for light, row in totals.items():
        print(f"{'all':<11}{light:<13}{row[0].row():<36}{row[1].row()}")


if __name__ == "__main__":
    main()
