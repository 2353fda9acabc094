"""`dreyer locate IMAGE…`: the ships in photos of the table, with their uncertainty."""

import argparse
import json
import math
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import NDArray

from calibration.calibration_file import Calibration, read_calibration, write_calibration
from calibration.camera import assumed_lens
from calibration.homography import USUAL_TABLE, TableSize
from calibration.marker_file import MarkerSet, default_marker_set, read_marker_file
from tabletop.errors import DreyerError, FileProblem
from tabletop.messages import Message
from vision.handover import SeenShip
from vision.images import Image
from vision.locate import Located, locate
from vision.picture_files import decode_image
from vision.several_pictures import LocatedTogether, locate_together
from web.cli.commands import Commands, add_parser, help_text
from web.cli.seen_ships import seen_ship_as_json
from web.files import LARGEST_PICTURE_BYTES, read_input, write_output
from web.strings import words

WRONG_INPUT = 2
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*[x×X]\s*(\d+(?:\.\d+)?)\s*")
_LARGEST_TABLE_INCHES = 1000.0
_STDERR = 2


def add_command(commands: Commands) -> None:
    """Add `locate` to the command line."""
    parser = add_parser(commands, "locate")
    parser.add_argument("images", type=Path, nargs="+", metavar="IMAGE")
    add_table_option(parser)
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help=help_text("command.help.calibration"),
    )
    add_markers_option(parser)
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument(
        "--pixels",
        action="store_true",
        help=help_text("command.help.locate.pixels"),
    )
    parser.add_argument(
        "--save-anchors",
        type=Path,
        metavar="FILE",
        help=help_text("command.help.locate.save_anchors"),
    )
    parser.set_defaults(run=run)


def add_table_option(parser: argparse.ArgumentParser) -> None:
    """Add --table-inches."""
    parser.add_argument(
        "--table-inches",
        metavar="WxH",
        help=help_text("command.help.table_inches"),
    )


def add_markers_option(parser: argparse.ArgumentParser) -> None:
    """Add --markers."""
    parser.add_argument(
        "--markers", type=Path, metavar="sheets.json", help=help_text("command.help.markers")
    )


def run(options: argparse.Namespace) -> int:
    """Locate ships in every photo; unreadable photos are reported and skipped."""
    marker_set = read_marker_set(options.markers)
    table = read_table(options.table_inches)
    calibration = _calibration(options.calibration)
    if table is None and calibration is None:
        usual = USUAL_TABLE
        _print_message(
            Message("command.usual_table", width=usual.width_inches, height=usual.height_inches)
        )
    frames: list[PhotoResult] = []
    images: list[Image] = []
    for path in options.images:
        started = time.perf_counter()
        found: Located | None = None
        sightings: list[dict[str, object]] | None = None
        problem: Message | None
        try:
            image = read_picture(path)
            found = locate(image, marker_set, table, calibration)
            images.append(image)
        except FileProblem as error:
            problem = error.problem
        except DreyerError as error:
            problem = error.message
        else:
            for note in found.notes:
                _print_problem(path, note)
            problem = found.problem
            sightings = sightings_as_json(found, image.shape[1]) if options.pixels else None
        milliseconds = (time.perf_counter() - started) * 1e3
        frames.append(PhotoResult(path, found, problem, sightings, milliseconds))
    together = None
    if len(images) > 1:
        together, frames = _together(frames, images, marker_set, table, calibration)
    for frame in frames:
        if frame.problem:
            _print_problem(frame.path, frame.problem)
    if options.save_anchors is not None:
        _save_anchors(options.save_anchors, together, images, table, calibration)
    if options.json:
        document: dict[str, object] = {"frames": [frame.document() for frame in frames]}
        if together is not None:
            document["fused"] = fused_as_json(together, frames)
        print(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2))
    else:
        print("\n".join(line for frame in frames for line in as_lines(frame)))
        if together is not None:
            print("\n".join(_together_as_lines(together)))
    return WRONG_INPUT if all(frame.problem for frame in frames) else 0


def _together(
    frames: list["PhotoResult"],
    images: Sequence[Image],
    marker_set: MarkerSet,
    table: TableSize | None,
    calibration: Calibration | None,
) -> tuple[LocatedTogether, list["PhotoResult"]]:
    """The common table of all readable photos, and each photo on it."""
    alone = [frame.found for frame in frames if frame.found is not None]
    together = locate_together(images, marker_set, table, calibration, alone=alone)
    for note in [*together.notes, *filter(None, [together.problem])]:
        _print_message(note)
    linked = iter(together.pictures)
    results = []
    for frame in frames:
        if frame.found is None:
            results.append(frame)
            continue
        found = next(linked)
        results.append(replace(frame, found=found, problem=found.problem))
    return together, results


def _save_anchors(
    path: Path,
    together: LocatedTogether | None,
    images: Sequence[Image],
    table: TableSize | None,
    calibration: Calibration | None,
) -> None:
    if together is None or not together.anchors:
        raise DreyerError("command.no_anchors_measured", file=str(path))
    if path.exists():
        calibration = read_calibration(read_input(path), str(path))
    elif calibration is None:
        height, width = images[-1].shape[:2]
        calibration = Calibration(assumed_lens(width, height), table or USUAL_TABLE)
    text = write_calibration(replace(calibration, anchors=together.anchors))
    write_output(path, text.encode())
    _print_message(Message("command.anchors_saved", file=str(path), n=len(together.anchors)))


def fused_as_json(together: LocatedTogether, frames: Sequence["PhotoResult"]) -> dict[str, object]:
    """The common table as JSON, with unrounded numbers."""
    files = [str(frame.path) for frame in frames if frame.found is not None]
    return {
        "ships": [
            {
                **seen_ship_as_json(ship),
                "files": [files[number] for number in ship.pictures],
                "out_of_date": ship.out_of_date,
            }
            for ship in together.ships
        ],
        "anchors": [
            {"id": number, **asdict(place)} for number, place in sorted(together.anchors.items())
        ],
        **({"error": words(together.problem)} if together.problem else {}),
    }


def _together_as_lines(together: LocatedTogether) -> list[str]:
    head = Message(
        "command.together",
        n=len(together.ships),
        pictures=len(together.pictures),
        anchors=len(together.anchors),
    )
    return [words(head), *_ship_lines(together.ships)]


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """The result of one photo."""

    path: Path
    found: Located | None
    """None if the photo cannot be read."""
    problem: Message | None
    sightings: list[dict[str, object]] | None
    """With `--pixels`: every marker in the picture."""
    milliseconds: float

    @property
    def corners_found(self) -> int:
        """The number of corner markers in the picture."""
        return self.found.corners_found if self.found else 0

    @property
    def ships(self) -> Sequence[SeenShip]:
        """The ships in the picture."""
        return self.found.ships if self.found else ()

    def document(self) -> dict[str, object]:
        """One photo as JSON, with unrounded numbers."""
        return {
            "file": str(self.path),
            "corners_found": self.corners_found,
            "ships": [seen_ship_as_json(ship) for ship in self.ships],
            "unknown": [
                {"x_mm": marker.x_mm, "y_mm": marker.y_mm, "corners_px": marker.corners_px.tolist()}
                for marker in (self.found.unknown if self.found else ())
            ],
            **({"error": words(self.problem)} if self.problem else {}),
            **({} if self.sightings is None else {"sightings": self.sightings}),
            "milliseconds": self.milliseconds,
        }


def sightings_as_json(found: Located, width_px: int) -> list[dict[str, object]]:
    """Every marker in the picture with its corners in pixels.

    A mirrored photo was flipped for reading; its markers are reported in the original coordinates.
    """
    documents = []
    for sighting in found.detection.sightings:
        corners, centre = sighting.corners_px.copy(), sighting.centre_px.copy()
        if found.mirrored:
            corners[:, 0], centre[0] = width_px - 1 - corners[:, 0], width_px - 1 - centre[0]
        documents.append(
            {
                "id": sighting.marker_id,
                "corners_px": corners.tolist(),
                "centre_px": centre.tolist(),
                "heading_px_deg": _heading_px_deg(corners),
                "sigma_px": sighting.sigma_px,
                "score": sighting.score,
            }
        )
    return documents


def _heading_px_deg(corners_px: NDArray[np.float64]) -> float:
    """The direction of the marker's top in the picture, clockwise from the picture's top."""
    ahead = corners_px[:2].mean(axis=0) - corners_px[2:].mean(axis=0)
    return math.degrees(math.atan2(ahead[0], -ahead[1])) % 360


def as_lines(photo: PhotoResult) -> list[str]:
    """One photo as text: a line for each ship."""
    ships = photo.ships
    head = Message(
        "command.located",
        file=str(photo.path),
        corners=photo.corners_found,
        n=len(ships),
        milliseconds=photo.milliseconds,
    )
    return [words(head), *_ship_lines(ships)]


def _ship_lines(ships: Sequence[SeenShip]) -> list[str]:
    width = max((len(ship.name) for ship in ships), default=0)
    return [
        f"  {ship.name:<{width}}  x {ship.pose.x_mm:8.1f}  y {ship.pose.y_mm:8.1f} "
        f"± {ship.pose.position_sigma_mm:.2f} mm  heading {ship.pose.heading_deg:05.1f} "
        f"± {ship.pose.heading_sigma_deg:.1f}°"
        for ship in ships
    ]


def read_picture(path: Path) -> Image:
    """Read a picture file. Raises UnreadableFile."""
    if path.is_dir():
        raise FileProblem(str(path), Message("vision.picture.folder", folder=str(path)))
    if not path.exists():
        raise FileProblem(str(path), Message("vision.picture.missing"))
    data = read_input(path, LARGEST_PICTURE_BYTES)
    with jpeg_damage_reported(str(path)):
        return decode_image(data, str(path))


@contextmanager
def jpeg_damage_reported(name: str) -> Iterator[None]:
    """Report in one sentence what the JPEG library writes to the terminal.

    It diverts the stderr of the whole process, so nothing else may write there at the same time.
    """
    sys.stderr.flush()
    try:
        kept = os.dup(_STDERR)
    except OSError:
        yield
        return
    with TemporaryFile() as captured:
        os.dup2(captured.fileno(), _STDERR)
        try:
            yield
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
            captured.seek(0)
            lines = captured.read().decode(errors="replace").splitlines()
    if any("JPEG" in line for line in lines):
        _print_problem(name, Message("vision.picture.damaged_in_places"))
    for line in lines:
        if "JPEG" not in line:
            print(line, file=sys.stderr)


def read_marker_set(path: Path | None) -> MarkerSet:
    """The marker set of this file; the default set without one."""
    if path is None:
        return default_marker_set()
    return read_marker_file(read_input(path), str(path))


def read_table(text: str | None) -> TableSize | None:
    """The table's size from "72x48"."""
    if text is None:
        return None
    match = _SIZE.fullmatch(text)
    inches = [float(number) for number in match.groups()] if match else []
    if not inches or not all(1 <= number <= _LARGEST_TABLE_INCHES for number in inches):
        raise DreyerError("command.table_inches", found=repr(text))
    return TableSize.of_inches(*inches)


def _calibration(path: Path | None) -> Calibration | None:
    return None if path is None else read_calibration(read_input(path), str(path))


def _print_problem(source: Path | str, problem: Message) -> None:
    _print_message(Message("errors.file.problem", source=str(source), problem=problem))


def _print_message(message: Message) -> None:
    print(f"dreyer: {words(message)}", file=sys.stderr)
