"""The cameras over one table, one or two, and what they see together.

Each has a thread, a tracker, a lens and a place of its own; what was printed, the bases' heights,
the anchors and the names are the table's, and are kept with the first. Plain counters are followed
by the first camera.
"""

import threading
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from tabletop.messages import Message, ShipRef
from vision.snapshot import ShipState, TrackedShip
from vision.sources.frame_source import Clock
from web.camera.camera_thread import CameraThread, OpenSource, See, open_camera
from web.camera.storage import CameraSettingsStore, SecondCameraStore
from web.camera.table_access import EyesTable
from web.table.moment import CameraHealth, CameraStatus

_RANK: Final = (
    CameraHealth.LIVE,
    CameraHealth.BUMPED,
    CameraHealth.STARTING,
    CameraHealth.LOST,
    CameraHealth.TROUBLE,
    CameraHealth.NONE,
)
"""The better condition first: the table is seen as well as its better camera sees it."""


class TableCameras:
    """One camera over the table or two, told of as one."""

    def __init__(
        self,
        folder: Path | None,
        table: EyesTable,
        see: See,
        *,
        clock: Clock | None = None,
        opener: OpenSource = open_camera,
    ) -> None:
        """With None as folder nothing is stored."""
        self._see = see
        self._lock = threading.Lock()
        self._ships: list[tuple[TrackedShip, ...]] = [(), ()]
        self.first = CameraThread(
            CameraSettingsStore(folder, table), partial(self._take, 0), clock=clock, opener=opener
        )
        self.second = CameraThread(
            SecondCameraStore(folder, self.first.memory),
            partial(self._take, 1),
            clock=clock,
            opener=opener,
        )
        self.first.memory.listeners.append(self.second.retune)

    def resume(self) -> None:
        """Start the cameras that were last chosen."""
        self.first.resume()
        self.second.resume()

    def close(self) -> None:
        """Stop, and wait until the cameras are released."""
        self.second.close()
        self.first.close()

    def _take(self, number: int, status: CameraStatus, ships: Iterable[TrackedShip] | None) -> None:
        """What one camera sees, put together with what the other saw last."""
        with self._lock:
            if ships is not None:
                self._ships[number] = tuple(ships)
            statuses = [self.first.status(), self.second.status()]
            statuses[number] = status
            if statuses[1].state is CameraHealth.NONE and not self._ships[1]:
                self._see(status, ships)
                return
            # Needed by few tables, and slow to import.
            from vision.several_cameras import fuse_ships

            fused, apart = fuse_ships(self._ships)
            self._see(_together(statuses, fused, apart), fused)


def _together(
    statuses: list[CameraStatus], ships: tuple[TrackedShip, ...], apart: tuple[str, ...]
) -> CameraStatus:
    """The condition of both cameras: that of the better one, and what is wrong with the other."""
    first, second = statuses
    best, other = sorted(statuses, key=lambda status: _RANK.index(status.state))
    beside = []
    if best.state is CameraHealth.LIVE and other.state in (
        CameraHealth.BUMPED, CameraHealth.LOST, CameraHealth.TROUBLE,
    ):  # fmt: skip
        beside.append(Message("camera.one_lost", camera=other.source, reason=other.words))
    beside += [Message("camera.apart", ship=ShipRef(name)) for name in apart]
    in_sight = {ship.name for ship in ships if ship.state is not ShipState.STALE}
    seen = zip(first.corners, second.corners, strict=False)
    return replace(
        best,
        corners=tuple("seen" if "seen" in each else "hidden" for each in seen) or best.corners,
        carried=first.carried,
        # What the other camera knows need not be asked.
        unknown=tuple(tag for tag in first.unknown if not in_sight.intersection(tag.may_be)),
        beside=tuple(beside),
    )
