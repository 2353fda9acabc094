"""The film of a battle: a photo of the table from straight above after every segment's move.

Photos are files beside the battles, bounded in number and size, and deleted with their battle. A
disk that is full costs photos and nothing else.
"""

import logging
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tabletop.errors import FileProblem
from vision.snapshot import CameraState, ShipState
from web.files import write_output
from web.strings import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vision.tracking.watcher import Seen
    from web.camera.storage import CameraSettingsStore
    from web.games.guided_game import GuidedGame
    from web.session import Session

Key = tuple[int, int]
"""Round and segment."""
WIDEST_PX: Final = 1024
_QUALITY: Final = 70
MOST_PHOTOS: Final = 240
MOST_BYTES: Final = 40_000_000
"""Of one battle."""
_PATIENCE_LOOKS: Final = 60
"""After so many looks a photo is taken although a ship still moves."""
_NAME: Final = re.compile(r"([0-9]{1,4})\.([0-9]{1,2})\.jpg")
_BATTLE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_log = logging.getLogger(__name__)


class Film:
    """The photos of all battles. Every method may be called from any thread."""

    def __init__(self, folder: "Path | None") -> None:
        """With None as folder photos are in memory."""
        self._folder = folder
        self._memory: dict[str, dict[Key, bytes]] = {}

    def keep(self, battle: str, key: Key, photo: bytes) -> bool:
        """Store a photo in place of the one before; whether there was room for it."""
        others = {each: size for each, size in self._sizes(battle).items() if each != key}
        if len(others) >= MOST_PHOTOS or sum(others.values()) + len(photo) > MOST_BYTES:
            return False
        if self._folder is None:
            self._memory.setdefault(battle, {})[key] = photo
            return True
        path = self._path(battle, key)
        if path is None:
            return False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_output(path, photo)
        except (OSError, FileProblem) as error:
            why = words(error) if isinstance(error, FileProblem) else error
            _log.warning("photo of %s not stored: %s", battle, why)
            return False
        return True

    def photo(self, battle: str, key: Key) -> bytes | None:
        """The photo of a segment, if there is one."""
        if self._folder is None:
            return self._memory.get(battle, {}).get(key)
        path = self._path(battle, key)
        try:
            return path.read_bytes() if path is not None else None
        except OSError:
            return None

    def keys(self, battle: str) -> frozenset[Key]:
        """The segments of which there is a photo."""
        return frozenset(self._sizes(battle))

    def remove(self, battle: str) -> None:
        """Delete all photos of a battle."""
        self._memory.pop(battle, None)
        if self._folder is not None and _BATTLE.fullmatch(battle):
            shutil.rmtree(self._folder / battle, ignore_errors=True)

    def _sizes(self, battle: str) -> dict[Key, int]:
        if self._folder is None:
            return {key: len(photo) for key, photo in self._memory.get(battle, {}).items()}
        return dict(self._files(self._folder / battle)) if _BATTLE.fullmatch(battle) else {}

    def _files(self, folder: "Path") -> "Iterator[tuple[Key, int]]":
        with suppress(OSError):
            for path in folder.iterdir():
                if found := _NAME.fullmatch(path.name):
                    yield (int(found[1]), int(found[2])), path.stat().st_size

    def _path(self, battle: str, key: Key) -> "Path | None":
        if self._folder is None or not _BATTLE.fullmatch(battle):
            return None
        return self._folder / battle / f"{key[0]}.{key[1]}.jpg"


class FilmCamera:
    """Takes the photos: one after each move, when the models stand still."""

    def __init__(
        self,
        session: "Session",
        settings: "CameraSettingsStore",
        film: Film,
        battle_id: "Callable[[], str]",
    ) -> None:
        self._session, self._settings = session, settings
        self._film, self._battle_id = film, battle_id
        self._seen: tuple[str, int] | None = None
        """The battle, and how many of its segments had been moved."""
        self._last: GuidedGame | None = None
        self._waiting: tuple[str, Key] | None = None
        self._looks = 0

    def look(self, seen: "Seen") -> None:
        """Take a photo if a segment has been moved since the last look. For the camera's thread."""
        self._notice_move()
        if self._waiting is None or seen.frame is None or seen.snapshot.plane is None:
            return
        if seen.snapshot.camera.state is not CameraState.OK:
            return
        self._looks += 1
        moving = any(ship.state is ShipState.MOVING for ship in seen.snapshot.ships)
        if moving and self._looks < _PATIENCE_LOOKS:
            return
        battle, key = self._waiting
        self._waiting = None
        table, mirrored = self._settings.size, seen.snapshot.mirrored
        image, plane = seen.frame.image, seen.snapshot.plane
        from vision.overhead import overhead
        from vision.picture_files import encode_image

        picture = overhead(image, plane, table, WIDEST_PX, mirrored=mirrored)
        if self._film.keep(battle, key, encode_image(picture, "photo.jpg", _QUALITY)):
            self._session.announce()

    def _notice_move(self) -> None:
        battle = self._session.moment.battle
        if battle is None or not self._settings.setup.film:
            self._last = self._seen = self._waiting = None
            return
        # Every change of a battle makes another one; most looks see the same.
        if battle is self._last:
            return
        self._last = battle
        id_, segments = self._battle_id(), battle.history.segments
        before, self._seen = self._seen, (id_, len(segments))
        if before is not None and before[0] == id_ and before[1] < len(segments):
            self._waiting, self._looks = (id_, segments[-1].key), 0
