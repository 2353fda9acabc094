"""One table from several running cameras: each ship by all that show her now."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vision.several_pictures import fuse, is_same_pose
from vision.snapshot import ShipState, TrackedShip


def fuse_ships(
    cameras: Sequence[Iterable[TrackedShip]],
) -> tuple[tuple[TrackedShip, ...], tuple[str, ...]]:
    """Every ship once, and the names of those at rest about which the cameras disagree.

    Poses that agree are fused by their uncertainty. A ship that any camera sees move moves; one
    that no camera sees stays where she was seen last.
    """
    readings: dict[str, list[TrackedShip]] = {}
    for ships in cameras:
        for ship in ships:
            readings.setdefault(ship.name, []).append(ship)
    apart: list[str] = []
    fused = []
    for name, found in sorted(readings.items()):
        ship, agree = _fused(found)
        fused.append(ship)
        if not agree:
            apart.append(name)
    return tuple(fused), tuple(apart)


def _fused(found: Sequence[TrackedShip]) -> tuple[TrackedShip, bool]:
    """A ship by several readings, and whether they agree where she lies."""
    # A coded marker says for certain who it is; a plain counter was named by somebody.
    coded = [ship for ship in found if ship.id >= 0] or found
    in_sight = [ship for ship in coded if ship.state is not ShipState.STALE]
    if not in_sight:
        return min(coded, key=lambda ship: ship.age_seconds), True
    moving = [ship for ship in in_sight if ship.state is ShipState.MOVING]
    count = moving or in_sight
    best = min(count, key=lambda ship: ship.pose.position_sigma_mm)
    agree = [ship for ship in count if is_same_pose(ship.pose, best.pose)]
    pose = fuse([ship.pose for ship in agree])
    frames = max(ship.seen_frames for ship in count)
    return replace(best, pose=pose, seen_frames=frames), len(agree) == len(count) or bool(moving)
