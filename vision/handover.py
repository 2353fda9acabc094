"""From the eyes to the table: whatever has been seen becomes poses in yards here, and nowhere else.

The running camera's `Snapshot` and a photo's `Located` both list their ships as `SeenShip`s: who
she is, and where on the table in millimetres. `to_pose` hands her pose over in the yards of the
table's scale, as everything in `tabletop` has it; a pose entered by hand is such a pose from the
beginning, and `web.table.moment` makes one `Table` of both. The scale is that of the table at the
moment of asking, so that ships stay on their spots when it changes.
"""

from typing import TYPE_CHECKING, Protocol

from tabletop.table import Pose

if TYPE_CHECKING:
    from tabletop.scale import Scale
    from vision.snapshot import TablePose


class SeenShip(Protocol):
    """A ship that a camera or a photo shows."""

    @property
    def id(self) -> int:
        """Her marker's number."""
        ...

    @property
    def name(self) -> str:
        """Who she is."""
        ...

    @property
    def pose(self) -> "TablePose":
        """Where she stands, in millimetres."""
        ...


def to_pose(pose: "TablePose", scale: "Scale") -> Pose:
    """A place on the table as a place at sea."""
    return Pose(
        scale.yards_from_mm(pose.x_mm),
        scale.yards_from_mm(pose.y_mm),
        pose.heading_deg,
        scale.yards_from_mm(pose.position_sigma_mm),
        pose.heading_sigma_deg,
    )
