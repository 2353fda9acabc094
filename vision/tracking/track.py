"""From single readings to a pose one can trust: acceptance, settling, motion, loss and return.

All of it is pure: a track and what happened make the next track. A ship is moved only by readings
that agree with each other or follow on from the last one; what she is reported at never changes
by more than the readings' own doubt unless she is reported as moving.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from tabletop.angles import wrap_180, wrap_360
from vision.snapshot import ShipState, TablePose


@dataclass(frozen=True, slots=True)
class Settling:
    """How quickly and how strictly readings are believed."""

    accept_frames: int = 3
    """Agreeing frames before a marker never seen before is believed."""
    return_frames: int = 2
    """Agreeing frames before a known ship is believed in quite another place."""
    settle_frames: int = 3
    """Frames at rest before a ship is called settled."""
    average_frames: int = 10
    """Frames at rest that make her pose; after them nothing is worked on again."""
    least_move_mm: float = 0.15
    least_turn_deg: float = 0.3
    moved_sigmas: float = 4.0
    """A reading this far off the pose means that the ship has moved."""
    follow_mm: float = 60.0
    """How far a ship in sight may go from frame to frame and be believed at once."""
    agree_mm: float = 3.0
    agree_deg: float = 4.0
    claim_seconds: float = 1.0
    """How long a claim waits for a reading that agrees."""


USUAL: Final = Settling()


@dataclass(frozen=True, slots=True)
class Reading:
    """A ship's pose as one frame shows it."""

    pose: TablePose
    jitter_mm: float
    """The part of the pose's σ that differs from frame to frame; the rest is common to all."""
    jitter_deg: float
    lifted: bool = False
    """Whether she hangs in the air and so cannot be at rest."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A place where a marker seems to be, until enough frames agree."""

    reading: Reading
    frames: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of readings at rest; the heading as a unit vector."""

    frames: int = 0
    x_mm: float = 0.0
    y_mm: float = 0.0
    east: float = 0.0
    north: float = 0.0
    variances: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Of place and heading, and their parts that averaging takes away."""

    def add(self, reading: Reading) -> "Average":
        """With one reading more."""
        share = 1 / (self.frames + 1)
        pose = reading.pose
        angle = math.radians(pose.heading_deg)
        place, turn, shaky_place, shaky_turn = self.variances
        place += (pose.position_sigma_mm**2 - place) * share
        turn += (pose.heading_sigma_deg**2 - turn) * share
        shaky_place += (reading.jitter_mm**2 - shaky_place) * share
        shaky_turn += (reading.jitter_deg**2 - shaky_turn) * share
        return Average(
            self.frames + 1,
            self.x_mm + (pose.x_mm - self.x_mm) * share,
            self.y_mm + (pose.y_mm - self.y_mm) * share,
            self.east + (math.sin(angle) - self.east) * share,
            self.north + (math.cos(angle) - self.north) * share,
            (place, turn, shaky_place, shaky_turn),
        )

    @property
    def pose(self) -> TablePose:
        """The mean place and heading; the jitter is averaged away, common doubt is not."""
        gone = 1 - 1 / self.frames
        place, turn, shaky_place, shaky_turn = self.variances
        # A quarter of the doubt stays in any case: neighbouring frames are not strangers.
        return TablePose(
            self.x_mm,
            self.y_mm,
            wrap_360(math.degrees(math.atan2(self.east, self.north))),
            math.sqrt(max(place - shaky_place * gone, place / 16)),
            math.sqrt(max(turn - shaky_turn * gone, turn / 16)),
        )


@dataclass(frozen=True, slots=True)
class Track:
    """What is known of one ship."""

    marker_id: int
    pose: TablePose
    """What is reported."""
    state: ShipState
    seen_seconds: float
    seen_frames: int
    average: Average
    latest: TablePose
    """Where she was last seen, for finding her in the next frame."""
    speed_mm: tuple[float, float] = (0.0, 0.0)
    """Millimetres a second along x and y."""
    claim: Claim | None = None

    def age_seconds(self, seconds: float) -> float:
        """How long she has not been seen."""
        if self.state is not ShipState.STALE:
            return 0.0
        return max(seconds - self.seen_seconds, 0.0)

    def expected(self, seconds: float) -> tuple[float, float]:
        """Where she should be now if she goes on as she did."""
        if self.state is not ShipState.MOVING:
            return self.latest.x_mm, self.latest.y_mm
        ahead = min(max(seconds - self.seen_seconds, 0.0), 0.2)
        dx, dy = self.speed_mm
        return self.latest.x_mm + dx * ahead, self.latest.y_mm + dy * ahead


def claim(
    before: Claim | None, reading: Reading, seconds: float, settling: Settling = USUAL
) -> Claim:
    """A claim with one reading more; one that does not agree starts it again."""
    if before is not None and before.seconds == seconds:
        # Two looks at one frame are one reading.
        return before
    if (
        before is not None
        and seconds - before.seconds <= settling.claim_seconds
        and _agree(before.reading.pose, reading.pose, settling)
    ):
        return Claim(reading, before.frames + 1, seconds)
    return Claim(reading, 1, seconds)


def accept(marker_id: int, made: Claim, settling: Settling = USUAL) -> Track | None:
    """The track of a ship whose claim has been confirmed; None until then."""
    if made.frames < settling.accept_frames:
        return None
    return _begin(marker_id, made.reading, made.seconds, made.frames)


def observe(
    track: Track,
    reading: Reading,
    seconds: float,
    settling: Settling = USUAL,
    *,
    shifted: bool | None = None,
) -> Track:
    """The track after a reading; who knows already whether it says that she `moved` may say so."""
    far = distance_mm(track.latest, reading.pose)
    if not (moved(track, reading, settling) if shifted is None else shifted):
        return _rest(track, reading, seconds, settling)
    if track.state is not ShipState.STALE and far <= settling.follow_mm:
        return _go(track, reading, seconds)
    made = claim(track.claim, reading, seconds, settling)
    if made.frames >= settling.return_frames:
        return _begin(track.marker_id, reading, seconds, track.seen_frames + 1)
    return replace(unseen(track), claim=made)


def still(track: Track, seconds: float) -> Track:
    """The track of a settled ship whose part of the picture has not changed."""
    if track.state is ShipState.STALE:
        return track
    # Said for every ship in every frame, so not by `replace`, which takes four times as long.
    return Track(
        track.marker_id,
        track.pose,
        track.state,
        seconds,
        track.seen_frames + 1,
        track.average,
        track.latest,
        track.speed_mm,
    )


def unseen(track: Track) -> Track:
    """The track of a ship that is not to be seen."""
    return replace(track, state=ShipState.STALE, speed_mm=(0.0, 0.0))


def afresh(track: Track) -> Track:
    """The track when the table itself was measured anew: she must settle again."""
    state = track.state if track.state is ShipState.STALE else ShipState.MOVING
    return replace(track, state=state, average=Average(), speed_mm=(0.0, 0.0), claim=None)


def moved(track: Track, reading: Reading, settling: Settling = USUAL) -> bool:
    """Whether a reading says that the ship is no longer where she is reported."""
    average = track.average
    if not average.frames or reading.lifted:
        return True
    before, now = average.pose, reading.pose
    _, _, shaky_place, shaky_turn = average.variances
    place = math.sqrt(shaky_place / average.frames + reading.jitter_mm**2)
    turn = math.sqrt(shaky_turn / average.frames + reading.jitter_deg**2)
    return distance_mm(before, now) > max(
        settling.least_move_mm, settling.moved_sigmas * place
    ) or turn_deg(before, now) > max(settling.least_turn_deg, settling.moved_sigmas * turn)


def distance_mm(one: TablePose, other: TablePose) -> float:
    """How far two poses are apart."""
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def turn_deg(one: TablePose, other: TablePose) -> float:
    """The angle between two headings, without its sign."""
    return abs(wrap_180(one.heading_deg - other.heading_deg))


def _agree(one: TablePose, other: TablePose, settling: Settling) -> bool:
    near = distance_mm(one, other) <= settling.agree_mm
    return near and turn_deg(one, other) <= settling.agree_deg


def _begin(
    marker_id: int,
    reading: Reading,
    seconds: float,
    seen_frames: int,
    speed_mm: tuple[float, float] = (0.0, 0.0),
) -> Track:
    average = Average().add(reading)
    pose = reading.pose
    return Track(marker_id, pose, ShipState.MOVING, seconds, seen_frames, average, pose, speed_mm)


def _go(track: Track, reading: Reading, seconds: float) -> Track:
    """In motion: her pose is this reading, her average begins again."""
    passed = seconds - track.seen_seconds
    speed = (0.0, 0.0)
    # A single step after a rest is no speed yet.
    if track.state is ShipState.MOVING and 0 < passed < 0.5:
        dx = reading.pose.x_mm - track.latest.x_mm
        dy = reading.pose.y_mm - track.latest.y_mm
        speed = (dx / passed, dy / passed)
    return _begin(track.marker_id, reading, seconds, track.seen_frames + 1, speed)


def _rest(track: Track, reading: Reading, seconds: float, settling: Settling) -> Track:
    """At rest: the average grows until it is good enough."""
    average = track.average
    if average.frames < settling.average_frames:
        average = average.add(reading)
    settled = average.frames >= settling.settle_frames
    return Track(
        track.marker_id,
        average.pose if settled else reading.pose,
        ShipState.SETTLED if settled else ShipState.MOVING,
        seconds,
        track.seen_frames + 1,
        average,
        reading.pose,
    )
