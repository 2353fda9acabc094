"""What a ship has lost and what she has left, in a line."""

from combat.participants import ShipStatus
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from tabletop.messages import Message


def glance_at(vessel: Vessel) -> Message:
    """A summary of a ship's damage without her name (64.1, 64.8)."""
    if vessel.is_sunk:
        return ShipStatus.SUNK.message
    warship = vessel.warship
    left = vessel.hull_quarters - vessel.hull_lost
    parts = [Message("advanced.glance.hull", left=left / QUARTERS, boxes=warship.hull_boxes)]
    lost = [t.name for t, s in zip(warship.turrets, vessel.turrets, strict=True) if s.destroyed]
    if lost:
        parts.append(Message("advanced.glance.turrets", n=len(lost), turrets=tuple(lost)))
    if vessel.movement_factor < warship.movement_factor:
        parts.append(
            Message(
                "advanced.glance.speed",
                left=vessel.movement_factor,
                factor=warship.movement_factor,
            )
        )
    flags = (
        (vessel.director_destroyed, "director"),
        (vessel.plot_destroyed, "plot"),
        (bool(vessel.helm), "rudder"),
    )
    parts += [Message(f"advanced.glance.{part}") for happened, part in flags if happened]
    parts.append(Message("advanced.glance.ammunition", rounds=vessel.main_ammunition))
    return Message("advanced.glance.parts", parts=tuple(parts))
