"""The eyes over time: who is where, frame after frame, never a wrong name, never a silent jump.

A tracker is given pictures with their times and answers each with a whole new `Snapshot`. What
has not changed in the picture is not worked on again; what moved is followed; what is hidden
keeps its last pose with its age; new markers are looked for in a few tiles of each frame.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.calibration_file import Calibration, print_scale_of
from calibration.camera import Lens, LensSource
from calibration.homography import USUAL_TABLE, TablePlane, TableSize
from calibration.marker_file import MarkerSet
from calibration.markers import CORNER_IDS, SHIP_SIZE_MM
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from vision.counters.detect import CounterKind
from vision.images import Gray, Image, to_gray
from vision.locate import (
    BENT_LENS,
    STRANGERS,
    TWICE,
    UNKNOWN,
    Located,
    lens_for,
    locate,
    solve_table,
)
from vision.snapshot import CameraReport, CameraState, ShipState, Snapshot
from vision.tags.detect import Detection, Sighting, detect
from vision.tracking.corner_tracker import (
    CornerTracker,
    Verdict,
    enlarged,
    find_near,
    fixed_note,
    steady,
)
from vision.tracking.counter_tracker import CounterTracker
from vision.tracking.motion import Tiles
from vision.tracking.plane_search import PlaneSearch
from vision.tracking.ship_tracker import ShipTracker
from vision.tracking.track import USUAL, Settling
from vision.tracking.unknown_tags import UnknownTags
from vision.tracking.warm_up import warm_up

_CORNER_IDS: Final = frozenset(CORNER_IDS.values())
_SEARCH_SECONDS: Final = 0.4
"""How often a picture without the table is searched as a whole."""
_STEADY_FRAMES: Final = 3
_PUT_OFF_FRAMES: Final = 4
"""So many busy frames in a row have one search for newcomers."""
_NOTE_SECONDS: Final = 8.0
"""How long a piece of news stays among the notes."""
_BUMPED: Final = Message("vision.track.bumped")
_TREMBLES: Final = Message("vision.track.trembles")
_TREMBLING_SECONDS: Final = 4.0
_NO_CORNER: Final = Message("vision.track.no_corner")
_NO_TABLE: Final = Message("vision.track.no_table")
_PASSING: Final = frozenset({TWICE, STRANGERS})
"""The codes of what the fleet tells itself, for as long as it is there."""


@dataclass(frozen=True, slots=True)
class TrackerSettings:
    """How the tracker works; the defaults suit a webcam."""

    settling: Settling = USUAL
    scan_seconds: float = 2.0
    """In which every part of the picture that changed is searched for markers nobody follows."""
    sweep_seconds: float = 8.0
    """In which the whole picture is searched, changed or not."""
    hurried_sweep_seconds: float = 1.2
    """The same while a ship is missing that was in sight not long ago."""
    most_tiles: int = 2
    """How many tiles a frame, at most, are searched because something changed there."""
    first_tiles: int = 6
    """How many tiles a frame are searched thoroughly once a table has been found at a glance."""
    busy_ships: int = 8
    """With more ships to measure in a frame, the search for others is put off to a later one."""


class Tracker:
    """Follows a table through a camera; each update answers with a new snapshot."""

    def __init__(
        self,
        marker_set: MarkerSet,
        table: TableSize | None = None,
        calibration: Calibration | None = None,
        settings: TrackerSettings | None = None,
        plain: CounterKind | None = None,
        *,
        background: bool = False,
    ) -> None:
        """With a kind of plain counters, these are followed beside the coded markers.

        In the background, counters and the markers that only the plane helps to find are searched
        for in threads of their own, while frames go on.
        """
        self._marker_set = marker_set
        self._calibration = calibration
        if table is None:
            table = USUAL_TABLE if calibration is None else calibration.table
        self._table = table
        placed = {} if calibration is None else calibration.anchors
        self._placed_ids = _CORNER_IDS | set(placed)
        """Corner markers, and anchors whose places are known."""
        self._fixed_ids = self._placed_ids | set(marker_set.anchor_ids)
        self._settings = TrackerSettings() if settings is None else settings
        self._fleet = ShipTracker(marker_set, calibration, self._settings.settling)
        self._counters = (
            None if plain is None else CounterTracker(plain, self._table, background=background)
        )
        self._missing = PlaneSearch(marker_set, self._table, calibration) if background else None
        self._unknown = UnknownTags(marker_set.names)
        warm_up(marker_set.family)
        self._seconds = 0.0
        self._camera = CameraReport(CameraState.LOST, Message("vision.track.no_picture"))
        self._plane: TablePlane | None = None
        self._anchors: CornerTracker | None = None
        self._refined = False
        self._mirrored = False
        self._largest_mm = max(map(marker_set.size_mm, marker_set.names), default=SHIP_SIZE_MM)
        self._largest_px = 0.0
        self._tiles: Tiles | None = None
        self._unsearched: list[int] = []
        self._solved_from: dict[int, Sighting] = {}
        self._latecomers: dict[int, Sighting] = {}
        self._busy_frames = 0
        self._shape: tuple[int, ...] = ()
        self._searched_seconds = float("-inf")
        self._bumped_seconds = 0.0
        self._steady_frames = 0
        self._resting: Mapping[int, Sighting] = {}
        self._standing: tuple[Message, ...] = ()
        self._news: dict[Message, float] = {}
        self._pushed: frozenset[int] = frozenset()
        self._hidden: frozenset[int] = frozenset()

    # A picture that makes no sense may overflow on the way to being told so.
    @np.errstate(all="ignore")
    def update(self, image: Image, seconds: float) -> Snapshot:
        """What is known once this picture, taken at this time, has been looked at."""
        gray = to_gray(image)
        if self._mirrored:
            gray = np.ascontiguousarray(gray[:, ::-1])
        if gray.shape != self._shape:
            # Another picture size is another camera.
            self._shape = gray.shape
            self._tiles = Tiles(gray.shape[1], gray.shape[0])
            self._lose(Message("vision.track.other_size"))
            self._searched_seconds = float("-inf")
        if self._camera.state is CameraState.LOST:
            self._search(gray, seconds)
        elif self._camera.state is CameraState.BUMPED:
            self._wait(gray, seconds)
        else:
            self._follow(gray, seconds)
        return self._snapshot(seconds)

    def without_picture(self, seconds: float, message: Message) -> Snapshot:
        """The snapshot when no picture comes, as when a camera is unplugged."""
        self._lose(message)
        return self._snapshot(seconds)

    def assign(self, key: int, name: str, bow_heading_deg: float) -> Snapshot:
        """Say who a plain counter is and roughly where her bow points; she is followed from now on.

        Told once, and again whenever the snapshot has her among the ambiguous.
        """
        if self._counters is None:
            raise DreyerError("vision.counters.off")
        if any(ship.name == name for ship in self._fleet.ships(self._seconds)):
            raise DreyerError("vision.counters.coded", ship=ShipRef(name))
        self._counters.assign(key, name, bow_heading_deg)
        return self._snapshot(self._seconds)

    def identify(self, key: int, name: str) -> Snapshot:
        """Say who a marker is that was seen and not known; she is followed from now on."""
        if any(
            ship.name == name and ship.state is not ShipState.STALE
            for ship in self._fleet.ships(self._seconds)
        ):
            raise DreyerError("vision.unknown.in_sight", ship=ShipRef(name))
        gray, chosen = self._unknown.take(key, name)
        if self._plane is not None:
            self._fleet.meet_partly(gray, self._plane, [chosen], self._seconds)
        return self._snapshot(self._seconds)

    def forget(self, name: str) -> Snapshot:
        """No plain counter is this ship any more, as when she has sunk."""
        if self._counters is not None:
            self._counters.forget(name)
        return self._snapshot(self._seconds)

    def _snapshot(self, seconds: float) -> Snapshot:
        self._seconds = seconds
        notes = [*self._standing, *self._fleet.notes()]
        ships, counters = self._fleet.ships(seconds), self._counters
        if counters is not None:
            notes += counters.notes()
            coded = {ship.name for ship in ships}
            # A coded marker says for certain who it is.
            ships += tuple(ship for ship in counters.ships(seconds) if ship.name not in coded)
        unknown = self._unknown.tags if self._camera.state is CameraState.OK else ()
        if unknown:
            notes.append(Message(UNKNOWN, n=len(unknown)))
        notes += [note for note, until in self._news.items() if seconds < until]
        if self._camera.state is CameraState.OK:
            notes += self._corner_notes()
        return Snapshot(
            seconds,
            ships,
            () if self._anchors is None else self._anchors.seen,
            self._camera,
            tuple(dict.fromkeys(notes)),
            self._plane,
            self._mirrored,
            () if counters is None else counters.counters,
            unknown,
        )

    def _corner_notes(self) -> list[Message]:
        notes = [fixed_note("moved", number) for number in sorted(self._pushed)]
        if self._anchors is not None and self._hidden == self._anchors.known:
            notes.append(_NO_CORNER)
        return notes

    def _add_note(self, note: Message, seconds: float) -> None:
        self._news = {old: until for old, until in self._news.items() if until > seconds}
        self._news[note] = seconds + _NOTE_SECONDS

    def _lose(self, message: Message) -> None:
        self._camera = CameraReport(CameraState.LOST, message)
        self._hold()

    def _hold(self) -> None:
        self._fleet.hold()
        self._unknown.forget()
        if self._missing is not None:
            self._missing.discard()
        if self._counters is not None:
            self._counters.hold()

    def _search(self, gray: Gray, seconds: float) -> None:
        """Look for the table in the whole picture, now and then."""
        if seconds - self._searched_seconds < _SEARCH_SECONDS:
            return
        self._searched_seconds = seconds
        # At a glance first: nobody is believed at once, and a few frames later all has been seen.
        located = locate(gray, self._marker_set, self._table, self._calibration, thorough=False)
        if located.plane is None:
            self._lose(located.problem or _NO_TABLE)
            return
        if located.mirrored:
            self._mirrored = not self._mirrored
            gray = np.ascontiguousarray(gray[:, ::-1])
        self._adopt(gray, located, seconds)

    def _adopt(self, gray: Gray, located: Located, seconds: float) -> None:
        """Take a freshly solved table as the ground of all measuring."""
        self._plane = located.plane
        self._refined = False
        corners = [s for s in located.detection.sightings if s.marker_id in self._placed_ids]
        self._anchors = CornerTracker(
            gray, self._marker_set.family, corners, self._settings.settling.average_frames
        )
        self._pushed = self._hidden = frozenset()
        tiles = 0 if located.thorough or self._tiles is None else len(self._tiles)
        self._unsearched = list(range(tiles))
        self._solved_from = located.detection.by_id()
        self._latecomers = {}
        self._standing = tuple(note for note in located.notes if note.code not in _PASSING)
        self._camera = CameraReport(CameraState.OK)
        self._fleet.begin_afresh()
        if located.plane is not None:
            places = self._table.corner_places_mm
            self._largest_px = self._largest_mm * float(located.plane.px_per_mm(places).max())
            strangers = [
                s for s in located.detection.sightings if s.marker_id not in self._fixed_ids
            ]
            strangers = [s for s in strangers if s.marker_id not in self._marker_set.names]
            self._fleet.import_battle(
                gray, located.plane, Detection((*strangers,), located.detection.twice), seconds
            )
            if located.thorough:
                poses = [ship.tag for ship in located.ships]
                self._fleet.meet(gray, located.plane, poses, seconds)
            else:
                self._fleet.glimpse(gray, located.plane, located.detection.sightings, seconds)

    def _follow(self, gray: Gray, seconds: float) -> None:
        anchors, plane, tiles = self._anchors, self._plane, self._tiles
        if anchors is None or plane is None or tiles is None:
            raise AssertionError("a table that is followed has been found")
        tiles.look(gray, seconds)
        changed = self._fleet.changed(gray)
        verdict = anchors.look(gray, anchors.changed(gray))
        self._hidden = verdict.hidden
        if self._is_bump(verdict, self._fleet.resting_share(changed)):
            self._begin_to_wait(anchors.latest, seconds)
            return
        self._pushed = verdict.moved
        if not self._refined and anchors.averaged and not verdict.moved:
            plane = self._refine(gray, anchors, plane)
        self._fleet.follow(gray, plane, seconds, changed)
        self._scan(gray, tiles, plane, seconds)
        self._search_by_plane(gray, tiles, plane, seconds)
        if self._counters is not None and self._camera.state is CameraState.OK:
            self._counters.follow(gray, plane, seconds)
        if not self._fleet.any_in_sight and verdict.hidden == anchors.known:
            self._look_whether_lost(gray, seconds)

    def _search_by_plane(self, gray: Gray, tiles: Tiles, plane: TablePlane, seconds: float) -> None:
        """Take in what the search in the background has found, and begin another when it is due."""
        search = self._missing
        if search is None or self._unsearched:
            return
        found = search.take()
        if found is not None:
            ships = tuple(s for s in found.whole if s.marker_id in self._marker_set.names)
            # Measured in the picture that was searched: the next ones confirm it.
            self._fleet.import_battle(found.gray, plane, Detection(ships), seconds)
            known = [part for part in found.partly if part.known]
            unknown = [part for part in found.partly if not part.known]
            # A ship that was covered for a while lies where she lay.
            again = [each for part in unknown for each in part.may_be if self._fleet.lay_at(each)]
            self._fleet.meet_partly(found.gray, plane, [*known, *again], seconds)
            self._unknown.replace(found.gray, unknown, again)
        small = tiles.small
        if small is not None and search.is_due(small, seconds):
            search.begin(gray.copy(), small, plane, self._fleet.centres_px(), seconds)

    def _is_bump(self, verdict: Verdict, resting_share: float) -> bool:
        """Whether the camera moved, rather than a corner marker or two."""
        if not verdict.moved:
            return False
        pushed_by_itself = len(verdict.moved) == 1 and len(verdict.home) >= 2
        return not pushed_by_itself and resting_share < 0.5

    def _begin_to_wait(self, corners: Mapping[int, Sighting], seconds: float) -> None:
        self._camera = CameraReport(CameraState.BUMPED, _BUMPED)
        self._hold()
        self._bumped_seconds = seconds
        self._steady_frames = 0
        self._resting = corners

    def _wait(self, gray: Gray, seconds: float) -> None:
        """After a push: until the corner markers rest, nothing is measured."""
        family = self._marker_set.family
        now = find_near(gray, family, list(self._resting.values()), reach=2.0)
        if len(now) < 2 and seconds - self._searched_seconds >= _SEARCH_SECONDS:
            self._searched_seconds = seconds
            found = detect(gray, family, ids=self._placed_ids, thorough=False)
            now = found.by_id()
            if len(now) < 2:
                self._lose(Message("vision.track.out_of_sight"))
                return
        self._steady_frames = self._steady_frames + 1 if steady(self._resting, now) else 0
        if now:
            self._resting = {**self._resting, **now}
        if self._steady_frames >= _STEADY_FRAMES:
            self._add_note(Message("vision.track.measured_anew"), seconds)
            self._searched_seconds = float("-inf")
            self._search(gray, seconds)
        elif seconds - self._bumped_seconds > _TREMBLING_SECONDS:
            self._camera = CameraReport(CameraState.BUMPED, _TREMBLES)

    def _look_whether_lost(self, gray: Gray, seconds: float) -> None:
        """Nothing at all is where it was: see what the whole picture shows."""
        if seconds - self._searched_seconds < _SEARCH_SECONDS:
            return
        self._searched_seconds = seconds
        located = locate(gray, self._marker_set, self._table, self._calibration)
        corners = {
            s.marker_id: s for s in located.detection.sightings if s.marker_id in self._placed_ids
        }
        if located.plane is None or located.mirrored:
            self._lose(located.problem or _NO_TABLE)
        elif corners:
            self._begin_to_wait(corners, seconds)

    def _refine(self, gray: Gray, anchors: CornerTracker, plane: TablePlane) -> TablePlane:
        """Solve the table once more, from the averaged corner markers.

        Only under a lens that was measured: one that is guessed from the markers would be guessed
        anew from other errors, and the ships would jump.
        """
        self._refined = True
        lens = lens_for(gray, self._calibration, self._mirrored)
        if lens.source is LensSource.ASSUMED:
            return plane
        return self._solve_again(anchors.means, lens) or plane

    def _solve_again(self, sightings: Iterable[Sighting], lens: Lens) -> TablePlane | None:
        calibration = self._calibration
        try:
            fit = solve_table(
                Detection(tuple(sightings)),
                self._marker_set,
                self._table,
                lens,
                print_scale=print_scale_of(calibration).factor,
                camera_height_mm=None if calibration is None else calibration.camera_height_mm,
                anchors=None if calibration is None else calibration.anchors,
            )
        except (DreyerError, np.linalg.LinAlgError):
            return None
        if fit.lens_adopted and calibration is None:
            self._standing = tuple(dict.fromkeys([*self._standing, BENT_LENS]))
        self._plane = fit.plane
        self._fleet.begin_afresh()
        return fit.plane

    def _learn(self, gray: Gray, sightings: Iterable[Sighting], seconds: float) -> None:
        """Once all of the picture has been searched: the more markers, the surer the lens."""
        self._latecomers |= {
            s.marker_id: s for s in sightings if s.marker_id not in self._solved_from
        }
        lens = lens_for(gray, self._calibration, self._mirrored)
        if self._unsearched or not self._latecomers or lens.source is not LensSource.ASSUMED:
            return
        late = tuple(self._latecomers.values())
        plane = self._solve_again([*self._solved_from.values(), *late], lens)
        if plane is not None:
            # Those not believed yet would be looked for where the old plane has them.
            ships = tuple(s for s in late if s.marker_id not in self._fixed_ids)
            self._fleet.import_battle(gray, plane, Detection(ships), seconds)

    def _scan(self, gray: Gray, tiles: Tiles, plane: TablePlane, seconds: float) -> None:
        """Search a few tiles of the picture for markers that nobody follows."""
        settings = self._settings
        turn: list[int] = []
        odd, first = False, bool(self._unsearched)
        if first:
            fresh = self._unsearched[: settings.first_tiles]
            self._unsearched = self._unsearched[settings.first_tiles :]
        else:
            busy = self._fleet.measured > settings.busy_ships
            self._busy_frames = self._busy_frames + 1 if busy else 0
            if self._busy_frames % _PUT_OFF_FRAMES:
                return
            lost = self._fleet.lately_lost(seconds)
            turn, odd = tiles.next_in_turn(
                settings.hurried_sweep_seconds if lost else settings.sweep_seconds
            )
            fresh = tiles.where_something_changed(settings.most_tiles, settings.scan_seconds)
            turn = [tile for tile in turn if tile not in fresh]
        if not turn and not fresh:
            return
        known_px = self._fleet.outlines_px()
        if self._anchors is not None:
            known_px += [enlarged(s.corners_px) for s in self._anchors.latest.values()]
        margin = round(1.3 * self._largest_px)
        family = self._marker_set.family
        # A thorough search finds the smallest markers and costs more: every other round will do.
        for chosen, thorough, only_changed in ((turn, odd, False), (fresh, True, not first)):
            if chosen:
                found = tiles.search(
                    gray, family, chosen, known_px, margin,
                    thorough=thorough, only_changed=only_changed,
                )  # fmt: skip
                self._take_in(gray, plane, found, seconds)
                if first:
                    self._learn(gray, found.sightings, seconds)

    def _take_in(self, gray: Gray, plane: TablePlane, detection: Detection, seconds: float) -> None:
        known = frozenset() if self._anchors is None else self._anchors.known
        ships = []
        for sighting in detection.sightings:
            if sighting.marker_id not in self._fixed_ids:
                ships.append(sighting)
            elif sighting.marker_id in self._placed_ids and sighting.marker_id not in known:
                self._meet_corner(gray, sighting, seconds)
        self._fleet.import_battle(gray, plane, Detection(tuple(ships), detection.twice), seconds)

    def _meet_corner(self, gray: Gray, sighting: Sighting, seconds: float) -> None:
        """A corner marker that was missing when the table was solved has come into sight."""
        located = locate(gray, self._marker_set, self._table, self._calibration)
        if located.plane is None or located.mirrored:
            return
        number = sighting.marker_id
        self._add_note(fixed_note("back", number), seconds)
        self._adopt(gray, located, seconds)
