"""Photos of the table instead of a webcam."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from calibration.marker_file import number_name
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.scale import Scale
from tabletop.table import Pose
from vision.handover import SeenShip, to_pose
from vision.photo import PhotoSettings, SeenPhoto, join_photos, read_photo
from vision.several_pictures import LocatedTogether
from web.actions.table import PlaceShips, ShipPose
from web.camera.free_memory import return_free_memory
from web.camera.marker_pages import with_ships
from web.camera.storage import CameraSettingsStore
from web.journal.events import Origin
from web.table.state import TableState

LARGEST_PHOTO_BYTES: Final = 25_000_000
KINDS: Final = ("image/jpeg", "image/png", "image/webp", "image/heic", "image/heif",
                "application/octet-stream")  # fmt: skip
_DECODED_MEGAPIXELS: Final = 25
"""A larger JPEG is decoded at a part of its size; larger pictures of other kinds are refused."""
_WIDTH_PX: Final = 1280
_MOST_KEPT: Final = 8
MOST_TOGETHER: Final = 16
"""So many photos make one table at most; all of them are kept as they were sent."""
LARGEST_TOGETHER_BYTES: Final = 120_000_000
"""So many bytes have the photos of one table at most; a phone's have 3 to 8 million each."""
_MOST_KEPT_BYTES: Final = 250_000_000
"""What all photos that are kept may take; the oldest are dropped first."""
_MOST_WAITING: Final = 3
"""How many photos wait while one is looked at; each occupies a worker of the server."""
BUSY_SECONDS: Final = 5
"""When to send a photo again that was refused because others are being looked at."""
_ROOM: Final = 0.02
"""The share of the table by which a ship may extend over its edge."""


class PhotoExpired(DreyerError):
    """A photo that is no longer stored."""


class PhotosBusy(DreyerError):
    """The sender's own photo or too many others are being looked at."""


@dataclass(frozen=True, slots=True)
class PhotoShip:
    """A marker found in a photo."""

    marker: int
    name: str
    pose: Pose
    on_roll: bool
    """Whether it is assigned to a ship of the table."""
    on_table: bool


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """The markers of a photo with their current ships."""

    token: str
    corners: int
    ships: tuple[PhotoShip, ...]
    missing: tuple[str, ...]
    """Ships of the table that are not in the photo."""
    notes: tuple[Message, ...]
    problem: Message | None

    photos: int = 1
    """The number of photos that make it."""
    anchors: int = 0
    """The number of anchor markers whose places they gave."""

    @property
    def usable(self) -> tuple[PhotoShip, ...]:
        """The ships whose poses can be used."""
        return tuple(ship for ship in self.ships if ship.on_roll and ship.on_table)


@dataclass(frozen=True, slots=True)
class KeptPhotos:
    """One photo, or several of one table, in the order in which they were sent."""

    files: tuple[bytes, ...]
    photos: tuple[SeenPhoto, ...]
    together: LocatedTogether | None = None
    """Their common table; None for one photo."""

    @property
    def bytes(self) -> int:
        """The size of the files."""
        return sum(map(len, self.files))


class Photos:
    """The last few photos, in memory only."""

    def __init__(self, memory: CameraSettingsStore) -> None:
        self._memory = memory
        self._kept: OrderedDict[str, KeptPhotos] = OrderedDict()
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._senders: set[str] = set()

    def take(self, data: bytes, sender: str, after: str | None = None) -> str:
        """Analyse a photo of a sender; returns its token. Raises PhotosBusy at once.

        One that is sent after others makes one table with them. Raises PhotoExpired.
        """
        before = None if after is None else self._kept_by(after)
        if before is not None and len(before.files) >= MOST_TOGETHER:
            raise DreyerError("camera.photo.many", most=MOST_TOGETHER)
        if before is not None and before.bytes + len(data) > LARGEST_TOGETHER_BYTES:
            raise DreyerError("camera.photo.many_bytes", most=LARGEST_TOGETHER_BYTES // 1_000_000)
        with self._lock:
            if sender in self._senders:
                raise PhotosBusy("camera.photo.one_each")
            if len(self._senders) > _MOST_WAITING:
                raise PhotosBusy("camera.photo.busy")
            self._senders.add(sender)
        try:
            # Photos are processed one at a time, because a large one needs much memory.
            with self._one_at_a_time:
                seen = self._read(data, before)
        finally:
            with self._lock:
                self._senders.discard(sender)
            return_free_memory()
        token = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[token] = seen
            while len(self._kept) > _MOST_KEPT or (
                len(self._kept) > 1 and _bytes_of(self._kept.values()) > _MOST_KEPT_BYTES
            ):
                self._kept.popitem(last=False)
        return token

    def _read(self, data: bytes, before: KeptPhotos | None) -> KeptPhotos:
        setup = self._memory.setup
        heights = tuple(
            (ship.name, setup.heights_mm[ship.kind])
            for ship in self._memory.table.ships()
            if ship.kind in setup.heights_mm
        )
        settings = PhotoSettings(
            self._memory.size, setup.print_scale, setup.height_mm, heights,
            tuple(setup.anchors.items()),
        )  # fmt: skip
        source, marker_set = Message("camera.the_photo"), self._memory.marker_set
        seen = read_photo(
            data,
            source,
            marker_set,
            settings,
            width_px=_WIDTH_PX,
            decoded_megapixels=_DECODED_MEGAPIXELS,
        )
        if before is None:
            return KeptPhotos((data,), (seen,))
        files, photos = (*before.files, data), (*before.photos, seen)
        together = join_photos(
            files, photos, source, marker_set, settings, decoded_megapixels=_DECODED_MEGAPIXELS
        )
        if together.anchors:
            # From now on a photo or camera that shows only anchors measures, too.
            self._memory.change(anchors={**setup.anchors, **together.anchors})
        return KeptPhotos(files, photos, together)

    def read(self, token: str, state: TableState) -> PhotoReading:
        """The content of a photo for this table."""
        kept = self._kept_by(token)
        located, together = kept.photos[-1].located, kept.together
        seen: Sequence[SeenShip] = located.ships if together is None else together.ships
        problem = located.problem
        notes = located.notes
        if together is not None:
            problem = together.problem if together.problem or not together.ships else None
            notes = together.notes
        names = with_ships(self._memory.printed, self._memory.setup.markers).names
        scale = Scale(state.yards_per_inch)
        ships = []
        for found in seen:
            pose = to_pose(found.pose, scale)
            name = names.get(found.id, number_name(found.id))
            ships.append(PhotoShip(found.id, name, pose, name in state.pieces, _is_on(state, pose)))
        ships.sort(key=lambda ship: (not ship.on_roll, ship.name))
        there = {ship.name for ship in ships}
        return PhotoReading(
            token,
            located.corners_found,
            tuple(ships),
            tuple(name for name in state.pieces if name not in there),
            notes,
            problem,
            len(kept.photos),
            0 if together is None else len(together.anchors),
        )

    def placing(
        self, token: str, state: TableState, names: Collection[str] | None = None
    ) -> PlaceShips:
        """The action that places the photo's ships, or some of them."""
        reading = self.read(token, state)
        usable: Mapping[str, PhotoShip] = {ship.name: ship for ship in reading.usable}
        wanted = list(usable) if names is None else [name for name in usable if name in names]
        if not wanted:
            raise DreyerError("camera.photo.no_ship")
        places = tuple(ShipPose(name, usable[name].pose) for name in wanted)
        return PlaceShips(places, origin=Origin.PHOTO)

    def find(self, token: str) -> SeenPhoto:
        """The photo with this token, the last of several. Raises PhotoExpired."""
        return self._kept_by(token).photos[-1]

    def _kept_by(self, token: str) -> KeptPhotos:
        with self._lock:
            found = self._kept.get(token)
        if found is None:
            raise PhotoExpired("camera.photo.gone")
        return found


def _bytes_of(kept: Iterable[KeptPhotos]) -> int:
    """The size of all files; those of one table that grew by a photo are the same."""
    files = {id(data): len(data) for each in kept for data in each.files}
    return sum(files.values())


def _is_on(state: TableState, pose: Pose) -> bool:
    return all(
        -_ROOM * most <= value <= (1 + _ROOM) * most
        for value, most in (
            (pose.x_yards, state.width_yards),
            (pose.y_yards, state.height_yards),
        )
    )
