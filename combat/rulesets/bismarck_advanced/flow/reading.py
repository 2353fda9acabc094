"""Between what players write and what the rules play: plots, fire orders, poses and dice."""

from collections.abc import Callable
from typing import Any

from combat.battle_actions import EnterDice
from combat.dice import BadDice
from combat.rulesets.bismarck_advanced.firing.combat_phase import FireOrder
from combat.rulesets.bismarck_advanced.flow.actions import Designate, Plot
from combat.rulesets.bismarck_advanced.moving.maneuver import MoveOrder
from tabletop.table import Pose

Find = Callable[[str], str]
"""From what somebody calls a ship to her true name."""


def move_order(plot: Plot, find: Find) -> MoveOrder:
    """What a player writes for one ship in a plot phase, by the ships' true names."""
    return MoveOrder(
        plot=plot.notation,
        speed=plot.speed,
        follows=None if plot.follows is None else find(plot.follows),
        torpedo_target=None if plot.torpedo is None else find(plot.torpedo),
        smoke_side=plot.smoke_side,
    )


def write_plot(order: MoveOrder, call: Callable[[str], str]) -> dict[str, Any]:
    """The same as JSON, ships by what their viewer may call them."""
    return {
        "speed": order.speed,
        "notation": order.plot,
        "follows": order.follows and call(order.follows),
        "torpedo": order.torpedo_target and call(order.torpedo_target),
        "smoke_side": order.smoke_side.value,
    }


def fire_orders(firer: str, draft: Designate, find: Find) -> tuple[FireOrder, ...]:
    """What a player writes for one ship in a designation phase; no orders hold her fire."""
    return tuple(
        FireOrder(
            firer=firer,
            target=find(aim.target),
            battery=aim.battery,
            turrets=aim.turrets,
            guns=aim.guns,
            held_back=aim.held_back,
        )
        for aim in draft.orders
    )


def write_fire(order: FireOrder, call: Callable[[str], str]) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "target": call(order.target),
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


def fallen_dice(entered: EnterDice, number: int) -> tuple[str, ...]:
    """The dice that were entered, if the first of them is for this roll."""
    if entered.first is not None and entered.first != number:
        raise BadDice(
            f"dice: these were for roll {entered.first}, and roll {number} is wanted now: "
            "somebody has entered dice in the meantime"
        )
    return entered.values
