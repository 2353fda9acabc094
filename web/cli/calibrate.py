"""`dreyer calibrate IMAGE…`: measure the camera and write a calibration file."""

import argparse
import datetime
import json
import sys
from pathlib import Path

import numpy as np

from calibration.calibration_file import (
    HIGHEST_BASE_MM,
    UNMEASURED_PRINT,
    Calibration,
    measured_print,
    write_calibration,
)
from calibration.homography import USUAL_TABLE
from calibration.marker_file import MarkerSet
from tabletop.errors import DreyerError, FileProblem, Where
from tabletop.messages import Message
from vision.images import Image
from vision.locate import locate
from vision.setup.calibrate import CalibrationSettings, MeasuredCalibration, calibrate
from web.cli.commands import Commands, add_parser, help_text
from web.cli.locate import (
    add_markers_option,
    add_table_option,
    read_marker_set,
    read_picture,
    read_table,
)
from web.files import write_output
from web.strings import words

_BAR_MM = 100.0


def add_command(commands: Commands) -> None:
    """Add `calibrate` to the command line."""
    parser = add_parser(commands, "calibrate")
    parser.add_argument("images", type=Path, nargs="+", metavar="IMAGE")
    parser.add_argument(
        "--charuco", action="store_true", help=help_text("command.help.calibrate.charuco")
    )
    add_table_option(parser)
    add_markers_option(parser)
    parser.add_argument(
        "--base-height-mm",
        action="append",
        default=[],
        metavar="[NAME=]MM",
        help=help_text("command.help.calibrate.base_height_mm"),
    )
    parser.add_argument(
        "--camera-height-mm",
        type=float,
        metavar="MM",
        help=help_text("command.help.calibrate.camera_height_mm"),
    )
    parser.add_argument(
        "--bar-mm",
        type=float,
        metavar="MM",
        help=help_text("command.help.calibrate.bar_mm"),
    )
    parser.add_argument("--out", type=Path, required=True, metavar="camera.toml")
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, write the file and print the quality."""
    heights = _heights(options.base_height_mm)
    bar_mm = options.bar_mm
    if bar_mm is not None and not 50 <= bar_mm <= 200:
        raise DreyerError("command.bar_mm", found=bar_mm)
    camera_height = options.camera_height_mm
    if camera_height is not None and not 100 <= camera_height <= 20_000:
        raise DreyerError("command.camera_height_mm", found=camera_height)
    settings = CalibrationSettings(
        read_table(options.table_inches) or USUAL_TABLE,
        UNMEASURED_PRINT if bar_mm is None else measured_print(bar_mm / _BAR_MM),
        heights.pop("", None),
        heights,
        camera_height,
        datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    )
    marker_set = read_marker_set(options.markers)
    pictures = _pictures(options.images)
    try:
        # A meaningless picture may overflow before the error is reported.
        with np.errstate(all="ignore"):
            measured = calibrate(pictures, marker_set, settings, board_wanted=options.charuco)
    except (DreyerError, np.linalg.LinAlgError) as error:
        raise _explained(error, pictures, marker_set, settings) from None
    write_output(options.out, write_calibration(measured.calibration).encode("utf-8"))
    for note in measured.notes:
        print(f"dreyer: {words(note)}", file=sys.stderr)
    if options.json:
        document = as_json(measured, options.out)
        print(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2))
    else:
        print("\n".join(as_lines(measured, options.out)))
    return 0


def _pictures(paths: list[Path]) -> list[tuple[Where, Image]]:
    """All readable pictures; the others are reported and skipped."""
    pictures: list[tuple[Where, Image]] = []
    faults: list[DreyerError] = []
    for path in paths:
        try:
            pictures.append((str(path), read_picture(path)))
        except DreyerError as error:
            faults.append(error)
    if not pictures:
        raise faults[0]
    for fault in faults:
        left_out = Message("command.left_out", problem=fault.message)
        print(f"dreyer: {words(left_out)}", file=sys.stderr)
    return pictures


def _explained(
    error: Exception,
    pictures: list[tuple[Where, Image]],
    marker_set: MarkerSet,
    settings: CalibrationSettings,
) -> DreyerError:
    """The error in words, with the reason if a picture shows no table."""
    for source, image in pictures:
        with np.errstate(all="ignore"):
            found = locate(image, marker_set, settings.table)
        if found.mirrored:
            return DreyerError("vision.calibrate.mirrored", source=source)
        if found.problem and not found.detection.sightings:
            return FileProblem(source, found.problem)
    if isinstance(error, DreyerError):
        return error
    return DreyerError("vision.calibrate.not_flat", source=pictures[0][0])


def as_json(measured: MeasuredCalibration, out: Path) -> dict[str, object]:
    """The result as JSON, with unrounded numbers."""
    lens, plane = measured.calibration.lens, measured.calibration.plane
    camera = None if plane is None else plane.camera_mm
    return {
        "file": str(out),
        "board_views": measured.board_views,
        "corners_found": measured.corners_found,
        "lens": {
            "source": lens.source,
            "focal_px": [lens.fx_px, lens.fy_px] if lens.focal_known else None,
            "centre_px": [lens.cx_px, lens.cy_px],
            "distortion": list(lens.distortion),
            "residual_px": lens.residual_px,
        },
        "table_residual_px": None if plane is None else plane.residual_px,
        "camera_mm": None if camera is None else camera.tolist(),
    }


def as_lines(measured: MeasuredCalibration, out: Path) -> list[str]:
    """The result as text."""
    calibration = measured.calibration
    lens, plane = calibration.lens, calibration.plane
    how = Message(f"command.lens_from.{lens.source.name.lower()}")
    if any(lens.distortion):
        bend = lens.distortion[0]
        lines = [Message("command.lens_bent", how=how, residual=lens.residual_px, k1=bend)]
    else:
        lines = [Message("command.lens", how=how, residual=lens.residual_px)]
    if plane is not None:
        lines.append(
            Message(
                "command.table",
                width=calibration.table.width_inches,
                height=calibration.table.height_inches,
                corners=measured.corners_found,
                residual=plane.residual_px,
                px_per_mm=_px_per_mm(calibration),
            )
        )
        if plane.camera_mm is not None:
            x, y, z = (float(value) for value in plane.camera_mm)
            lines.append(Message("command.camera_stands", x=x, y=y, height=z))
    lines.append(Message("command.written_to", file=str(out)))
    return [words(line) for line in lines]


def _px_per_mm(calibration: Calibration) -> float:
    middle = np.array([calibration.table.width_mm, calibration.table.height_mm]) / 2
    return 0.0 if calibration.plane is None else float(calibration.plane.px_per_mm(middle))


def _heights(texts: list[str]) -> dict[str, float]:
    heights = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= HIGHEST_BASE_MM:
            raise DreyerError("command.base_height_mm", most=HIGHEST_BASE_MM, found=repr(text))
        heights[name.strip()] = value
    return heights
