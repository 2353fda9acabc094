"""The stored data of the camera: settings, calibration and printed markers."""

import logging
import threading
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from calibration.calibration_file import Calibration, read_calibration, write_calibration
from calibration.camera import assumed_lens
from calibration.homography import TableSize
from calibration.marker_file import MarkerSet, read_marker_file
from tabletop.errors import DreyerError
from web.camera.settings import CameraSetup, SetupStep, read_setup, write_setup
from web.camera.table_access import EyesTable, PrintChoice
from web.files import read_input, write_output
from web.strings import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.counters.detect import CounterKind

T = TypeVar("T")
DEMO: Final = "demo"
SETUP_FILE: Final = "camera.toml"
CALIBRATION_FILE: Final = "calibration.toml"
MARKER_FILE: Final = "sheets.json"
_UNSEEN: Final = frozenset({"step", "distance", "counters", "film"})
"""Settings that do not affect the tracker."""
_log = logging.getLogger(__name__)


class CameraSettingsStore:
    """The camera's settings, its calibration and the printed markers."""

    setup_file: ClassVar[str] = SETUP_FILE
    calibration_file: ClassVar[str] = CALIBRATION_FILE

    def __init__(self, folder: "Path | None", table: EyesTable) -> None:
        """With None as folder nothing is stored."""
        self._folder = folder
        self.table = table
        self.listeners: list[Callable[[], None]] = []
        """Called when something changes that concerns what the camera sees."""
        self._lock = threading.RLock()
        self._keeps = True
        self.faults: list[str] = []
        """What could not be read or written, for the host."""
        self._setup = self._read(self.setup_file, read_setup) or CameraSetup()
        self._kept: Calibration | None = self._read(self.calibration_file, read_calibration)
        self._marker_set: MarkerSet | None = self._read(MARKER_FILE, read_marker_file)

    def begin(self, source: str, *, keep: bool) -> None:
        """Start with another camera; without `keep` the data folder is not changed."""
        with self._lock:
            self._keeps = keep
            if not keep:
                self._setup = CameraSetup(source=source, step=SetupStep.DONE)
                self._kept = None
            elif source != self._setup.source:
                # Another camera has another lens and sees the corners elsewhere.
                self.save_calibration(None)
                self.change(source=source, corners={}, distance=None)

    # Stored values

    @property
    def setup(self) -> CameraSetup:
        """The host's settings."""
        return self._setup

    @property
    def calibration(self) -> Calibration | None:
        """The last calibration."""
        return self._kept

    def change(self, **changes: Any) -> CameraSetup:
        """Store changed settings and apply them."""
        with self._lock:
            self._setup = replace(self._setup, **changes)
            self._write(self.setup_file, write_setup(self._setup).encode())
            if not changes.keys() <= _UNSEEN:
                self._changed()
            return self._setup

    def save_step(self, step: SetupStep) -> None:
        """Store the farthest step of the set-up."""
        if step.number > self._setup.step.number:
            self.change(step=step)

    def save_calibration(self, calibration: Calibration | None) -> None:
        """Store a calibration and apply it; None discards it."""
        with self._lock:
            self._kept = calibration
            text = "" if calibration is None else write_calibration(calibration)
            self._write(self.calibration_file, text.encode() if text else None)
            self._changed()

    def save_marker_set(self, marker_set: MarkerSet) -> None:
        """Store the printed markers."""
        with self._lock:
            self._marker_set = marker_set
            from web.camera.marker_pages import marker_file_bytes

            self._write(MARKER_FILE, marker_file_bytes(marker_set))
            self.change(markers={})

    # The table

    @property
    def size(self) -> TableSize:
        """The size of the table."""
        if not self.is_demo:
            return self.table.size()
        from web.camera.demo import demo_table

        rendered = demo_table()
        return TableSize(rendered.table_width_mm, rendered.table_height_mm)

    @property
    def is_demo(self) -> bool:
        """Whether the source is the rendered table."""
        return self._setup.source.strip().casefold() == DEMO

    @property
    def printed(self) -> MarkerSet:
        """The markers as printed."""
        if self.is_demo:
            from web.camera.demo import demo_marker_set

            return demo_marker_set()
        if self._marker_set is not None:
            return self._marker_set
        from web.camera.marker_pages import marker_set_for

        return marker_set_for(self.table.ships(), PrintChoice(self._setup.paper))

    @property
    def marker_set(self) -> MarkerSet:
        """The markers with their current ships."""
        from web.camera.marker_pages import with_ships

        return with_ships(self.printed, self._setup.markers)

    @property
    def counter_kind(self) -> "CounterKind | None":
        """The plain counters to detect, with the size of most bases on this table."""
        if not self._setup.plain:
            return None
        bases = Counter(ship.base_mm for ship in self.table.ships())
        (length_mm, width_mm), _ = bases.most_common(1)[0] if bases else ((50.8, 20.32), 0)
        from vision.counters.detect import CounterKind

        return CounterKind(length_mm, width_mm, height_mm=self._setup.height_mm or 2.0)

    def calibration_for(self, width_px: int, height_px: int) -> Calibration | None:
        """The calibration for pictures of this size; None if nothing is known."""
        setup, kept, table = self.setup, self._kept, self.size
        plain = setup.bar_mm is None and setup.height_mm is None and not setup.heights_mm
        plain = plain and not setup.anchors
        lens = None if kept is None else kept.lens.resized(width_px, height_px)
        if lens is None:
            if plain and setup.camera_height_mm is None:
                return None
            lens, kept = assumed_lens(width_px, height_px), None
        same = kept is not None and _is_same(kept.table, table)
        return Calibration(
            lens,
            table,
            setup.print_scale,
            setup.height_mm,
            {
                ship.name: setup.heights_mm[ship.kind]
                for ship in self.table.ships()
                if ship.kind in setup.heights_mm
            },
            setup.camera_height_mm,
            kept.corners_px if kept is not None and same else {},
            kept.plane if kept is not None and same else None,
            kept.date if kept is not None else "",
            setup.anchors,
        )

    def _changed(self) -> None:
        for listener in self.listeners:
            listener()

    def _read(self, name: str, reader: "Callable[[bytes, str], T]") -> T | None:
        if self._folder is None or not (self._folder / name).is_file():
            return None
        try:
            return reader(read_input(self._folder / name), name)
        except DreyerError as error:
            self._note(words(error))
            return None

    def _write(self, name: str, data: bytes | None) -> None:
        if self._folder is None or not self._keeps:
            return
        path = self._folder / name
        try:
            if data is None:
                path.unlink(missing_ok=True)
            else:
                write_output(path, data)
        except (DreyerError, OSError) as error:
            # A full disk must not stop the camera.
            self._note(words(error) if isinstance(error, DreyerError) else str(error))

    def _note(self, fault: str) -> None:
        """Keep what is wrong for the page, once, and put it into the log."""
        if fault not in self.faults:
            self.faults.append(fault)
        _log.warning("%s", fault)


class SecondCameraStore(CameraSettingsStore):
    """The settings of a second camera: its own source, place and lens, over the same table."""

    setup_file: ClassVar[str] = "camera-2.toml"
    calibration_file: ClassVar[str] = "calibration-2.toml"

    def __init__(self, folder: "Path | None", first: CameraSettingsStore) -> None:
        super().__init__(folder, first.table)
        self._first = first

    @property
    def setup(self) -> CameraSetup:
        """The first camera's settings, apart from what is this camera's own."""
        own = self._setup
        return replace(
            self._first.setup,
            source=own.source,
            step=own.step,
            camera_height_mm=own.camera_height_mm,
            corners=own.corners,
            distance=None,
            plain=False,
            counters={},
            film=False,
        )

    @property
    def size(self) -> TableSize:
        """The size of the table."""
        return self._first.size

    @property
    def printed(self) -> MarkerSet:
        """The markers as printed."""
        return self._first.printed

    @property
    def marker_set(self) -> MarkerSet:
        """The markers with their current ships."""
        return self._first.marker_set


def _is_same(one: TableSize, other: TableSize) -> bool:
    return abs(one.width_mm - other.width_mm) < 0.01 and abs(one.height_mm - other.height_mm) < 0.01
