"""A ship found by the camera, as the commands print her."""

from vision.handover import SeenShip


def seen_ship_as_json(ship: SeenShip) -> dict[str, object]:
    """The ship and her place on the table as JSON."""
    pose = ship.pose
    return {
        "id": ship.id,
        "name": ship.name,
        "x_mm": pose.x_mm,
        "y_mm": pose.y_mm,
        "heading_deg": pose.heading_deg,
        "position_sigma_mm": pose.position_sigma_mm,
        "heading_sigma_deg": pose.heading_sigma_deg,
    }
