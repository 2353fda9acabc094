"""`dreyer camera [SOURCE]`: check a camera: what it sees, how well, and what to correct."""

import argparse
import json
import math
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from calibration.calibration_file import Calibration, read_calibration
from calibration.homography import USUAL_TABLE, TableSize
from calibration.marker_file import MarkerSet
from tabletop.errors import DreyerError
from tabletop.messages import Message
from vision.locate import TOO_BRIGHT, Located, locate
from vision.overlay import captions_of, draw_snapshot
from vision.picture_files import encode_image, picture_kind
from vision.setup.camera_check import CameraCheck, check_camera, not_seen, slow
from vision.snapshot import CameraState, Snapshot, TrackedShip
from vision.sources.all_sources import Clock, Frame, FrameSource, open_source, plugged_in
from vision.sources.cameras import Webcam
from vision.tracking.tracker import Tracker
from web.camera.captions import CaptionWriter
from web.camera.demo import demo_camera, demo_marker_set
from web.cli.commands import Commands, add_parser, help_text
from web.cli.locate import (
    add_markers_option,
    add_table_option,
    jpeg_damage_reported,
    read_marker_set,
    read_table,
)
from web.cli.seen_ships import seen_ship_as_json
from web.files import read_input, write_output
from web.strings import text, words

DEMO: Final = "demo"
_REPEATS: Final = 12
_EXPOSURE_STEPS: Final = 4
_EXPOSURE_SECONDS: Final = 1.5
"""How often the exposure is halved, and how long the camera is watched after each time."""
"""How often a single photo is repeated, so that the tracker settles."""
_REPEAT_SECONDS: Final = 0.05
_FEWEST: Final = 4
"""The tracker needs at least this many frames, so slow computers and cameras get more time."""
_LINE_SECONDS: Final = 1.0
_USUAL_SECONDS: Final = 5.0
_LONGEST_SECONDS: Final = 3600.0


def add_command(commands: Commands) -> None:
    """Add `camera` to the command line."""
    parser = add_parser(commands, "camera")
    parser.add_argument(
        "source",
        nargs="?",
        default="0",
        metavar="SOURCE",
        help=help_text("command.help.camera.source"),
    )
    add_table_option(parser)
    add_markers_option(parser)
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help=help_text("command.help.calibration"),
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=_USUAL_SECONDS,
        metavar="N",
        help=help_text("command.help.camera.seconds", usual=_USUAL_SECONDS),
    )
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument(
        "--save", type=Path, metavar="FRAME.png", help=help_text("command.help.camera.save")
    )
    parser.add_argument(
        "--overlay", type=Path, metavar="FILE.png", help=help_text("command.help.camera.overlay")
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Watch, then report."""
    is_demo = options.source.strip().casefold() == DEMO
    marker_set = (
        demo_marker_set() if is_demo and not options.markers else read_marker_set(options.markers)
    )
    calibration = None
    if options.calibration is not None:
        calibration = read_calibration(read_input(options.calibration), str(options.calibration))
    table = read_table(options.table_inches)
    if table is None:
        table = USUAL_TABLE if calibration is None else calibration.table
    for path in (options.save, options.overlay):
        if path is not None:
            picture_kind(path.name)
    watch = _Watch(Tracker(marker_set, table, calibration), quiet=options.json)
    with _open(options.source) as source:
        watch.run(source, options.seconds)
        lowered = _lower_exposure(source, watch, marker_set, table, calibration)
        name = source.name
    if watch.frame is None or watch.snapshot is None:
        trouble = watch.trouble or Message("command.no_picture_came", source=name)
        raise DreyerError(trouble.code, **dict(trouble.params))
    report = _report(name, watch, marker_set, table, calibration, lowered=lowered)
    if options.save is not None:
        write_output(options.save, encode_image(watch.frame.image, options.save.name))
    if options.overlay is not None:
        marked = draw_snapshot(watch.frame.image, watch.snapshot, table)
        drawn = CaptionWriter().write(marked, captions_of(watch.snapshot, words), 1.0)
        write_output(options.overlay, encode_image(drawn, options.overlay.name))
    if options.json:
        print(json.dumps(report.document(), ensure_ascii=False, allow_nan=False, indent=2))
    else:
        print(as_text(report))
    return 0


def _lower_exposure(
    source: FrameSource,
    watch: "_Watch",
    marker_set: MarkerSet,
    table: TableSize,
    calibration: Calibration | None,
) -> bool:
    """Expose less, step by step, while white paper is clipped and the camera lets us."""
    lowered = False
    for _ in range(_EXPOSURE_STEPS):
        if not isinstance(source, Webcam) or watch.frame is None:
            break
        found = locate(watch.frame.image, marker_set, table, calibration, thorough=False)
        if TOO_BRIGHT not in found.notes or not source.lower_exposure():
            break
        lowered = True
        watch.run(source, _EXPOSURE_SECONDS)
    return lowered


def _seconds(typed: str) -> float:
    try:
        value = float(typed)
    except ValueError:
        value = math.nan
    if not 0 < value <= _LONGEST_SECONDS:
        raise argparse.ArgumentTypeError(
            str(text("command.seconds", most=_LONGEST_SECONDS, found=typed))
        )
    return value


def _open(what: str) -> FrameSource:
    clock = Clock(time.monotonic, time.sleep)
    if what.strip().casefold() == DEMO:
        return demo_camera(clock)
    with jpeg_damage_reported(what):
        return open_source(what, clock)


@dataclass
class _Watch:
    """Reads a source for some seconds and tracks what it shows."""

    tracker: Tracker
    quiet: bool
    frame: Frame | None = None
    snapshot: Snapshot | None = None
    trouble: Message | None = None
    frames: int = 0
    gaps: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)

    def run(self, source: FrameSource, seconds: float) -> None:
        """Until the time is up, the video ends or the photo has settled."""
        start = told = time.monotonic()
        repeats = 0
        while repeats < _REPEATS:
            passed = time.monotonic() - start
            if passed >= seconds and not (0 < self.frames < _FEWEST and passed < 5 * seconds):
                break
            answer = source.read()
            if not isinstance(answer, Frame):
                # If no picture ever arrives, the command ends with the source's error.
                if answer.message != self.trouble and self.frame is not None:
                    print(f"dreyer: {words(answer.message)}", file=sys.stderr)
                self.trouble = answer.message
                if answer.over:
                    break
                continue
            again = self.frame is not None and answer.number == self.frame.number
            repeats = repeats + 1 if again else 0
            self._take(answer, repeats)
            if not self.quiet and time.monotonic() - told >= _LINE_SECONDS:
                told = time.monotonic()
                print(self._line(), file=sys.stderr)

    def _take(self, frame: Frame, repeats: int) -> None:
        if self.frame is not None and not repeats:
            self.gaps.append(frame.seconds - self.frame.seconds)
        started = time.perf_counter()
        self.snapshot = self.tracker.update(frame.image, frame.seconds + repeats * _REPEAT_SECONDS)
        self.work.append(time.perf_counter() - started)
        self.frames += not repeats
        self.frame = frame

    @property
    def frames_per_second(self) -> float | None:
        """The median frame rate."""
        gaps = [gap for gap in self.gaps if gap > 0]
        return 1 / statistics.median(gaps) if gaps else None

    def _line(self) -> str:
        snapshot = self.snapshot
        if snapshot is None:
            return words(Message("vision.track.no_picture"))
        states = Counter(ship.state for ship in snapshot.ships)
        line = Message(
            "command.frames",
            n=self.frames,
            corners=sum(corner.visible for corner in snapshot.corners),
            ships=len(snapshot.ships),
        )
        if states:
            counted = tuple(
                Message(
                    "command.ships_of_state",
                    count=count,
                    state=Message(f"vision.ship_state.{state}"),
                )
                for state, count in sorted(states.items())
            )
            line = Message("command.frames_states", frames=line, states=counted)
        report = snapshot.camera
        if report.state is not CameraState.OK and report.message is not None:
            line = Message("command.frames_trouble", frames=line, trouble=report.message)
        return words(line)


@dataclass(frozen=True, slots=True)
class WatchReport:
    """The results of the check."""

    source: Message
    width_px: int
    height_px: int
    frames: int
    frames_per_second: float | None
    """None for a photo."""
    milliseconds: float
    """The processing time of a frame."""
    corners_found: int
    ships: tuple[TrackedShip, ...]
    check: CameraCheck | None
    """None if the table is not in sight."""
    remedies: tuple[Message, ...]

    def document(self) -> dict[str, object]:
        """The document of `--json`, with unrounded numbers."""
        check = self.check
        return {
            "source": words(self.source),
            "width_px": self.width_px,
            "height_px": self.height_px,
            "frames": self.frames,
            "frames_per_second": self.frames_per_second,
            "milliseconds": self.milliseconds,
            "corners_found": self.corners_found,
            "ships": [
                {
                    **seen_ship_as_json(ship),
                    "state": str(ship.state),
                    "age_seconds": ship.age_seconds,
                }
                for ship in self.ships
            ],
            "near_px_per_mm": None if check is None else check.near_px_per_mm,
            "far_px_per_mm": None if check is None else check.far_px_per_mm,
            "smallest_tag_mm": None if check is None else check.smallest_tag_mm,
            "blur_px": None if check is None else check.blur_px,
            "sharpness": None if check is None else check.sharpness,
            "contrast": None if check is None else check.contrast,
            "remedies": [words(remedy) for remedy in self.remedies],
        }


def _report(
    name: Message,
    watch: _Watch,
    marker_set: MarkerSet,
    table: TableSize,
    calibration: Calibration | None,
    *,
    lowered: bool,
) -> WatchReport:
    """All results; `lowered` if the camera was made to expose less."""
    if watch.frame is None or watch.snapshot is None:
        raise AssertionError("there is a report only on a picture")
    image, snapshot = watch.frame.image, watch.snapshot
    found: Located = locate(image, marker_set, table, calibration)
    check: CameraCheck | None = None
    if found.plane is not None:
        check = check_camera(found.detection, found.plane, table)
    rate = watch.frames_per_second
    printed = [marker_set.size_mm(ship.id) for ship in found.ships]
    remedies: list[Message | None] = [found.problem]
    if check is not None:
        remedies += check.remedies(min(printed)) if printed else check.remedies()
    if lowered:
        remedies.append(Message("vision.check.lowered"))
    if found.plane is not None:
        seen = {ship.id for ship in found.ships} | {ship.id for ship in snapshot.ships}
        remedies.append(not_seen(marker_set, seen) if marker_set.pages else None)
    remedies += [*found.notes, *snapshot.notes, slow(rate), watch.trouble]
    return WatchReport(
        source=name,
        width_px=int(image.shape[1]),
        height_px=int(image.shape[0]),
        frames=watch.frames,
        frames_per_second=rate,
        milliseconds=statistics.median(watch.work) * 1e3,
        corners_found=found.corners_found,
        ships=tuple(snapshot.ships),
        check=check,
        remedies=tuple(dict.fromkeys(remedy for remedy in remedies if remedy)),
    )


def as_text(report: WatchReport) -> str:
    """The report as text."""
    rate, check = report.frames_per_second, report.check
    pace = Message("command.one_picture") if rate is None else Message("command.pace", rate=rate)
    camera = Message(
        "command.camera",
        source=report.source,
        width=report.width_px,
        height=report.height_px,
        pace=pace,
        milliseconds=report.milliseconds,
    )
    in_sight = Message("command.in_sight", corners=report.corners_found, ships=len(report.ships))
    lines = [words(camera), words(in_sight)]
    width = max((len(ship.name) for ship in report.ships), default=0)
    lines += [
        f"              {ship.name:<{width}}  x {ship.pose.x_mm:7.1f}  y {ship.pose.y_mm:7.1f} "
        f"± {ship.pose.position_sigma_mm:.2f} mm  heading {ship.pose.heading_deg:05.1f}°  "
        f"{text(f'vision.ship_state.{ship.state}')}"
        for ship in report.ships
    ]
    if check is not None:
        told = (
            Message("command.pixels", near=check.near_px_per_mm, far=check.far_px_per_mm),
            Message("command.smallest", size=math.ceil(check.smallest_tag_mm)),
            Message(
                "command.sharpness",
                sharpness=check.sharpness.message,
                blur=check.blur_px,
                contrast=check.contrast,
            ),
        )
        lines += map(words, told)
    if not report.remedies:
        lines.append(str(text("command.all_well")))
    lines += [str(text("command.mend", remedy=remedy)) for remedy in report.remedies]
    cameras = plugged_in()
    if report.source.code == "vision.source.webcam" and len(cameras) > 1:
        listed = ", ".join(f"{camera.index} {camera.name}" for camera in cameras)
        lines.append(str(text("command.also_here", cameras=listed)))
    return "\n".join(lines)
