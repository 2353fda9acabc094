"""The ships' markers over time: measured where they are expected, sought where they may have gone.

A marker whose part of the picture looks as it did is not touched. One that changed is measured
where it should be, then searched for around there; beyond that it is out of sight until the
search of the whole picture comes upon it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.calibration_file import (
    UNKNOWN_HEIGHT,
    Calibration,
    MarkerHeight,
    print_scale_of,
)
from calibration.homography import TablePlane
from calibration.marker_file import MarkerSet
from tabletop.angles import wrap_180
from tabletop.messages import Message
from vision.images import Array, Gray
from vision.locate import TWICE, called
from vision.snapshot import ShipState, TablePose, TrackedShip
from vision.tags.detect import Detection, Region, Sighting, detect
from vision.tags.partly_hidden import LEAST_PARTLY_SCORE, PartlySeen
from vision.tags.pose import TagGuess, TagPose, guess_from_sightings, measure
from vision.tracking.corner_tracker import enlarged
from vision.tracking.motion import Watch
from vision.tracking.track import (
    Claim,
    Reading,
    Settling,
    Track,
    accept,
    afresh,
    claim,
    distance_mm,
    moved,
    observe,
    still,
    unseen,
)

_SEARCH_TAGS: Final = 2.0
"""How far around a ship she is searched for, in sides of her marker."""
_RETRY_SECONDS: Final = 0.25
"""How often a ship out of sight is searched for where she was."""
_EAGER_SECONDS: Final = 0.5
"""So long after she vanished she is searched for in every frame."""
_LATELY_SECONDS: Final = 10.0
_DOUBLE_SECONDS: Final = 1.0
"""How often two markers of one number are looked for again."""
_SCORE_DROP: Final = 0.08
"""A marker that matches so much worse than it did is partly covered."""
_SAME_TURN_DEG: Final = 15.0
"""A ship that was covered for a while still points so nearly where she did."""
_LIFTED: Final = 0.025
"""A marker that looks so much larger than it did is nearer to the camera: in a hand."""
_UNMOVED_PX: Final = 0.02
"""A ship found so near to where she was is measured: nothing pulls at her."""
_UNDER_WAY_PX: Final = 0.15
"""The same while she moves; a hundredth of a pixel of error is left."""
_SIZE_MATCH: Final = (0.4, 2.5)
_CORRELATED: Final = 1.5


@dataclass(slots=True)
class _Aid:
    """What is remembered of a ship for looking at her, beside her track."""

    watch: Watch
    outline_px: Array
    """The coded square and its white border in the picture."""
    size_mm: float
    """As measured when she was first believed."""
    score: float
    tried_seconds: float = float("-inf")


class ShipTracker:
    """Follows the ships' markers."""

    def __init__(
        self, marker_set: MarkerSet, calibration: Calibration | None, settling: Settling
    ) -> None:
        self._marker_set = marker_set
        self._family = marker_set.family
        self._names = dict(marker_set.names)
        self._calibration = calibration
        self._printed = print_scale_of(calibration)
        self._settling = self._usual_settling = settling
        self._frame_seconds: float | None = None
        self._tracks: dict[int, Track] = {}
        self._aids: dict[int, _Aid] = {}
        self._claims: dict[int, Claim] = {}
        self._strangers: dict[int, Claim] = {}
        self._doubles: dict[int, float] = {}
        self._sizes_mm: dict[int, float] = {}
        self._claimed_px: dict[int, Array] = {}
        self._measured = 0
        self._blur_px = 0.7
        self._partly: dict[int, PartlySeen] = {}

    @property
    def any_in_sight(self) -> bool:
        """Whether any ship was seen in the latest frame."""
        return any(track.state is not ShipState.STALE for track in self._tracks.values())

    def lately_lost(self, seconds: float) -> bool:
        """Whether a ship went out of sight not long ago and may be anywhere on the table."""
        return any(
            track.state is ShipState.STALE and seconds - track.seen_seconds < _LATELY_SECONDS
            for track in self._tracks.values()
        )

    def ships(self, seconds: float) -> tuple[TrackedShip, ...]:
        """Every ship that has been believed, in the order of their markers."""
        return tuple(
            TrackedShip(
                number,
                self._names[number],
                track.pose.moved_ahead(self._marker_set.ahead_mm(number), self._printed),
                track.state,
                track.age_seconds(seconds),
                track.seen_frames,
            )
            for number, track in sorted(self._tracks.items())
        )

    def notes(self) -> list[Message]:
        """What the players should know."""
        notes = [
            Message(TWICE, marker=called(number, self._names[number]))
            for number in sorted(self._doubles)
            if number in self._names
        ]
        known = [n for n, c in self._strangers.items() if c.frames >= self._settling.accept_frames]
        if known:
            notes.append(Message("vision.fleet.strangers", markers=tuple(sorted(known))))
        return notes

    def changed(self, gray: Gray) -> frozenset[int]:
        """The ships in sight whose part of the picture looks otherwise than before."""
        return frozenset(
            [
                number
                for number, track in self._tracks.items()
                if track.state is not ShipState.STALE and self._aids[number].watch.changed(gray)
            ]
        )

    def resting_share(self, changed: frozenset[int]) -> float:
        """The share of the ships in sight that look as they did."""
        in_sight = sum(track.state is not ShipState.STALE for track in self._tracks.values())
        return 1 - len(changed) / in_sight if in_sight else 0.0

    @property
    def measured(self) -> int:
        """How many ships had to be worked on in the latest frame."""
        return self._measured

    def outlines_px(self) -> list[Array]:
        """The markers in sight with their white borders, as quadrangles in the picture."""
        return [
            self._aids[number].outline_px
            for number, track in self._tracks.items()
            if track.state is not ShipState.STALE
        ] + [self._claimed_px[number] for number in self._claims]

    def hold(self) -> None:
        """Nothing can be measured: every pose grows stale."""
        self._tracks = {number: unseen(track) for number, track in self._tracks.items()}
        self._claims.clear()
        self._frame_seconds = None

    def begin_afresh(self) -> None:
        """The table has been measured anew."""
        self._tracks = {number: afresh(track) for number, track in self._tracks.items()}
        self._claims.clear()

    def follow(
        self, gray: Gray, plane: TablePlane, seconds: float, changed: frozenset[int]
    ) -> None:
        """Bring every known ship up to this frame."""
        self._be_patient(seconds)
        self._check_doubles(gray, seconds)
        wanted: dict[int, TablePose] = {}
        for number, track in self._tracks.items():
            if number in self._doubles:
                self._tracks[number] = unseen(track)
            elif track.state is ShipState.STALE:
                if self._worth_a_try(number, track, seconds):
                    wanted[number] = track.claim.reading.pose if track.claim else track.latest
            elif track.average.frames >= self._settling.average_frames and number not in changed:
                self._tracks[number] = still(track, seconds)
            else:
                x, y = track.expected(seconds)
                wanted[number] = TablePose(x, y, track.latest.heading_deg, 0.0, 0.0)
        self._claims = {
            number: made
            for number, made in self._claims.items()
            if number not in self._tracks and seconds - made.seconds <= self._settling.claim_seconds
        }
        wanted |= {number: made.reading.pose for number, made in self._claims.items()}
        self._measured = len(wanted)
        found = self._measure(gray, plane, [self._guess(n, pose) for n, pose in wanted.items()])
        lost = {n: pose for n, pose in wanted.items() if n in self._tracks and n not in found}
        found |= self._search(gray, plane, lost)
        for number in wanted:
            self._update(gray, plane, number, found.get(number), seconds)

    def import_battle(
        self, gray: Gray, plane: TablePlane, detection: Detection, seconds: float
    ) -> None:
        """Learn from a search of the picture: newcomers, ships found again, doubles."""
        for number in detection.twice:
            self._doubles.setdefault(number, seconds)
        news: list[TagGuess] = []
        seen = [s for s in detection.sightings if s.marker_id not in self._doubles]
        for sighting in seen:
            if sighting.marker_id not in self._names:
                self._meet_stranger(plane, sighting, seconds)
        known = [sighting for sighting in seen if sighting.marker_id in self._names]
        for guess in self._guesses_from(plane, known):
            number = guess.marker_id
            track = self._tracks.get(number)
            if track is None or track.state is ShipState.STALE:
                news.append(guess)
            elif self._far_from(track, guess):
                # She is in sight where she is, so this is another with her number.
                self._doubles[number] = seconds
                self._tracks[number] = unseen(track)
        self.meet(gray, plane, self._measure(gray, plane, news).values(), seconds)

    def meet(self, gray: Gray, plane: TablePlane, poses: Iterable[TagPose], seconds: float) -> None:
        """Take in ships that were found and measured in the whole picture."""
        self._frame_seconds = seconds
        for pose in poses:
            if pose.marker_id not in self._doubles:
                self._update(gray, plane, pose.marker_id, pose, seconds)

    def glimpse(
        self, gray: Gray, plane: TablePlane, sightings: Iterable[Sighting], seconds: float
    ) -> None:
        """Take in ships that were found at a glance: those that are new are measured later."""
        self._frame_seconds = seconds
        seen = {
            s.marker_id: s
            for s in sightings
            if s.marker_id in self._names and s.marker_id not in self._doubles
        }
        guesses = self._guesses_from(plane, list(seen.values()))
        known = [guess for guess in guesses if guess.marker_id in self._tracks]
        self.meet(gray, plane, self._measure(gray, plane, known).values(), seconds)
        for guess in guesses:
            number = guess.marker_id
            if number not in self._tracks:
                pose = TablePose(guess.x_mm, guess.y_mm, guess.heading_deg, 0.0, 0.0)
                # What is reported is measured in a later frame that agrees.
                self._claims[number] = Claim(Reading(pose, 0.0, 0.0), 1, seconds)
                self._sizes_mm[number] = guess.size_mm
                self._claimed_px[number] = enlarged(seen[number].corners_px)

    def meet_partly(
        self, gray: Gray, plane: TablePlane, seen: Iterable[PartlySeen], seconds: float
    ) -> None:
        """Take in ships of which a part is hidden."""
        known = {
            part.guess.marker_id: part
            for part in seen
            if part.known and not self._is_in_sight(part.guess.marker_id)
        }
        self._partly |= known
        guesses = [
            replace(part.guess, height=self._height(number)) for number, part in known.items()
        ]
        if guesses:
            self.meet(gray, plane, self._measure_partly(gray, plane, guesses).values(), seconds)

    def lay_at(self, part: PartlySeen) -> bool:
        """Whether this ship, now out of sight, was seen last where this marker lies."""
        track, guess = self._tracks.get(part.guess.marker_id), part.guess
        if track is None or track.state is not ShipState.STALE:
            return False
        turn = abs(wrap_180(track.pose.heading_deg - guess.heading_deg))
        return turn < _SAME_TURN_DEG and not self._far_from(track, guess)

    def _is_in_sight(self, number: int) -> bool:
        track = self._tracks.get(number)
        return track is not None and track.state is not ShipState.STALE

    def centres_px(self) -> dict[int, Array]:
        """The middles of the markers in sight in the picture."""
        return {
            number: aid.outline_px.mean(axis=0)
            for number, aid in self._aids.items()
            if self._is_in_sight(number)
        }

    def _be_patient(self, seconds: float) -> None:
        """Let claims wait for the next frame, however slow the camera or this computer is."""
        before, self._frame_seconds = self._frame_seconds, seconds
        usual = self._usual_settling
        if before is not None and 2 * (seconds - before) > usual.claim_seconds:
            self._settling = replace(usual, claim_seconds=2 * (seconds - before))
        else:
            self._settling = usual

    def _far_from(self, track: Track, guess: TagGuess) -> bool:
        x, y = track.latest.x_mm, track.latest.y_mm
        return float(np.hypot(guess.x_mm - x, guess.y_mm - y)) > 0.7 * guess.size_mm

    def _worth_a_try(self, number: int, track: Track, seconds: float) -> bool:
        aid = self._aids[number]
        eager = track.claim is not None or seconds - track.seen_seconds < _EAGER_SECONDS
        if not eager and seconds - aid.tried_seconds < _RETRY_SECONDS:
            return False
        aid.tried_seconds = seconds
        return True

    def _update(
        self, gray: Gray, plane: TablePlane, number: int, pose: TagPose | None, seconds: float
    ) -> None:
        track = self._tracks.get(number)
        if track is None:
            if pose is None:
                return
            reading = self._reading(pose, None, plane)
            made = claim(self._claims.get(number), reading, seconds, self._settling)
            self._claims[number] = made
            self._sizes_mm[number] = pose.size_mm
            self._claimed_px[number] = enlarged(pose.corners_px)
            begun = accept(number, made, self._settling)
            if begun is not None:
                del self._claims[number]
                self._tracks[number] = begun
                self._aids[number] = self._aid(pose)
            return
        aid = self._aids[number]
        if pose is None:
            self._tracks[number] = unseen(track)
            return
        reading = self._reading(pose, aid, plane)
        shifted = moved(track, reading, self._settling)
        if shifted and self._half_covered(track, reading, pose, aid):
            self._tracks[number] = unseen(track)
            return
        after = observe(track, reading, seconds, self._settling, shifted=shifted)
        self._tracks[number] = after
        if after.state is ShipState.STALE:
            return
        if shifted:
            self._aids[number] = self._aid(pose, aid)
        else:
            aid.watch.is_as_before(gray)
            aid.score += 0.1 * (pose.score - aid.score)
        if after.state is ShipState.SETTLED:
            self._blur_px += 0.05 * (pose.fit.blur_px - self._blur_px)

    def _half_covered(self, track: Track, reading: Reading, pose: TagPose, aid: _Aid) -> bool:
        """Whether the shift may come from a finger over part of the marker."""
        near = distance_mm(track.pose, reading.pose) < 0.5 * pose.size_mm
        return near and pose.score < aid.score - _SCORE_DROP

    def _reading(self, pose: TagPose, aid: _Aid | None, plane: TablePlane) -> Reading:
        module_mm = pose.size_mm / self._family.modules
        shake = pose.fit.covariance * (module_mm * _CORRELATED) ** 2
        (a, b), (_, c) = shake[:2, :2].tolist()
        longest = (a + c) / 2 + math.hypot((a - c) / 2, b)
        jitter_mm = math.sqrt(max(longest, 0.0))
        jitter_deg = math.degrees(math.sqrt(max(float(shake[2, 2]), 0.0)) / (pose.size_mm / 2))
        place_sigma, lifted = pose.position_sigma_mm, False
        if aid is not None and pose.size_mm > aid.size_mm * (1 + _LIFTED):
            lifted = True
            if plane.camera_mm is not None:
                # Seen so much nearer, she hangs in the air, off the place her marker hides.
                height = plane.camera_mm[2] * (1 - aid.size_mm / pose.size_mm)
                off = np.hypot(*(plane.camera_mm[:2] - [pose.x_mm, pose.y_mm]))
                place_sigma += float(off / plane.camera_mm[2] * height)
        return Reading(
            TablePose(pose.x_mm, pose.y_mm, pose.heading_deg, place_sigma, pose.heading_sigma_deg),
            jitter_mm,
            jitter_deg,
            lifted,
        )

    def _aid(self, pose: TagPose, before: _Aid | None = None) -> _Aid:
        outline = enlarged(pose.corners_px)
        watch = Watch(outline)
        if before is None:
            return _Aid(watch, outline, pose.size_mm, pose.score)
        return _Aid(watch, outline, before.size_mm, before.score)

    def _measure(
        self, gray: Gray, plane: TablePlane, guesses: Iterable[TagGuess]
    ) -> dict[int, TagPose]:
        wanted = list(guesses)
        near = np.array([self._near_px(guess.marker_id) for guess in wanted])
        poses = measure(
            gray, self._family, plane, wanted, blur_px=self._blur_px, near_px=near
        )  # fmt: skip
        found = {pose.marker_id: pose for pose in poses if pose is not None}
        for number in found:
            self._partly.pop(number, None)
        partly = [g for g in wanted if g.marker_id in self._partly]
        if partly:
            found |= self._measure_partly(gray, plane, partly)
        return found

    def _near_px(self, number: int) -> float:
        track = self._tracks.get(number)
        under_way = track is not None and track.state is ShipState.MOVING
        return _UNDER_WAY_PX if under_way else _UNMOVED_PX

    def _measure_partly(
        self, gray: Gray, plane: TablePlane, guesses: Sequence[TagGuess]
    ) -> dict[int, TagPose]:
        """Measure the markers of which a part is hidden by the rest of them."""
        visible = np.stack([self._partly[guess.marker_id].visible for guess in guesses])
        poses = measure(gray, self._family, plane, guesses, blur_px=self._blur_px, visible=visible)
        return {
            pose.marker_id: pose
            for pose in poses
            if pose is not None and pose.score >= LEAST_PARTLY_SCORE
        }

    def _search(
        self, gray: Gray, plane: TablePlane, lost: Mapping[int, TablePose]
    ) -> dict[int, TagPose]:
        """Search around where they were expected, and measure what comes out."""
        if not lost:
            return {}
        regions: list[Region] = []
        for number, pose in lost.items():
            place = np.array([pose.x_mm, pose.y_mm])
            side_px = self._size_mm(number) * float(plane.px_per_mm(place))
            x, y = plane.to_px(place, self._height(number).mm)
            reach = side_px * (0.7 + _SEARCH_TAGS)
            regions.append((int(x - reach), int(y - reach), int(x + reach), int(y + reach)))
        detection = detect(gray, self._family, regions=regions, ids=lost)
        return self._measure(gray, plane, self._guesses_from(plane, detection.sightings))

    def _guess(self, number: int, pose: TablePose) -> TagGuess:
        size = self._sizes_mm.get(number, self._size_mm(number))
        height = self._height(number)
        return TagGuess(number, pose.x_mm, pose.y_mm, pose.heading_deg, size, height)

    def _guesses_from(self, plane: TablePlane, sightings: Sequence[Sighting]) -> list[TagGuess]:
        """The rough poses of those that have about the size they should have."""
        sizes = [self._size_mm(s.marker_id) for s in sightings]
        heights = [self._height(s.marker_id) for s in sightings]
        return [
            guess
            for guess, size in zip(
                guess_from_sightings(plane, sightings, sizes, heights), sizes, strict=True
            )
            if _SIZE_MATCH[0] < guess.size_mm / size < _SIZE_MATCH[1]
        ]

    def _size_mm(self, number: int) -> float:
        return self._marker_set.size_mm(number) * self._printed.factor

    def _height(self, number: int) -> MarkerHeight:
        if self._calibration is None:
            return UNKNOWN_HEIGHT
        return self._calibration.height_of(self._names[number])

    def _meet_stranger(self, plane: TablePlane, sighting: Sighting, seconds: float) -> None:
        if sighting.marker_id in self._family.unfit:
            return
        x, y = plane.to_mm(sighting.centre_px)
        reading = Reading(TablePose(float(x), float(y), 0.0, 1.0, 1.0), 1.0, 1.0)
        before = self._strangers.get(sighting.marker_id)
        # The search comes by once a second or so; a stranger may wait longer for its next reading.
        if before is not None and seconds - before.seconds < 5 * self._settling.claim_seconds:
            before = Claim(before.reading, before.frames, seconds)
        self._strangers[sighting.marker_id] = claim(before, reading, seconds, self._settling)

    def _check_doubles(self, gray: Gray, seconds: float) -> None:
        """Whether two markers of one number are still there, now and then."""
        self._strangers = {
            number: made
            for number, made in self._strangers.items()
            if seconds - made.seconds < 5 * self._settling.claim_seconds
        }
        if not self._doubles or seconds - max(self._doubles.values()) < _DOUBLE_SECONDS:
            return
        twice = detect(gray, self._family, ids=self._doubles).twice
        self._doubles = {n: seconds for n in self._doubles if n in twice}
