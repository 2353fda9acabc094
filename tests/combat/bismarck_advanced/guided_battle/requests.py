"""Orders and poses as players' requests write them, for tests."""

from typing import Any

from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireOrder
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder
from tabletop.table import Pose


def write_plot(order: MoveOrder) -> dict[str, Any]:
    """What a player writes for one ship in a plot phase."""
    return {
        "speed": order.speed,
        "notation": order.plot,
        "follows": order.follows,
        "torpedo": order.torpedo_target,
        "smoke_side": order.smoke_side.value,
    }


def write_fire(order: FireOrder) -> dict[str, Any]:
    """What a player writes for one fire in a designation phase."""
    return {
        "target": order.target,
        "battery": order.battery.value,
        "turrets": list(order.turrets),
        "guns": order.guns,
        "held_back": order.held_back,
    }


def write_pose(pose: Pose) -> dict[str, float]:
    """A pose as JSON, to be read again without loss."""
    return {
        "x": pose.x_yards,
        "y": pose.y_yards,
        "heading": pose.heading_deg,
        "position_sigma": pose.position_sigma_yards,
        "heading_sigma": pose.heading_sigma_deg,
    }
