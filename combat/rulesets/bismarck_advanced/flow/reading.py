"""What players send, read and checked: plots, fire orders, poses and dice as JSON."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from combat.battle import MOST_DICE_AT_ONCE
from combat.dice import BadDice
from combat.rulesets.bismarck_advanced.bands import Battery
from combat.rulesets.bismarck_advanced.firing.combat_phase import FireOrder
from combat.rulesets.bismarck_advanced.moving.maneuver import MoveOrder
from combat.rulesets.bismarck_advanced.moving.smoke import SmokeSide
from combat.showing import Json
from tabletop.errors import BadField, shorten
from tabletop.fields import Fields
from tabletop.table import Pose

PLOT_KEYS: Final = ("ship", "speed", "notation", "follows", "torpedo", "smoke_side")
ORDER_KEYS: Final = ("target", "battery", "turrets", "guns", "held_back")
POSE_KEYS: Final = ("x", "y", "heading", "position_sigma", "heading_sigma")
FARTHEST_YARDS: Final = 1_000_000.0
MOST_SPEED: Final = 99
MOST_ORDERS: Final = 40
MOST_NOTATION: Final = 80
MOST_NESTED: Final = 12

Find = Callable[[object], str]
"""From what somebody calls a ship to her true name."""


def opened(value: object, place: str, known: Iterable[str]) -> Fields:
    """A JSON object whose values can be read with their bounds."""
    if not isinstance(value, Mapping):
        raise BadField(place, place, "an object", shorten(value))
    return Fields(_without_nulls(value, place), place, known)


def _without_nulls(value: Any, place: str, depth: int = 0) -> Any:
    """JSON knows null; to a reader of fields it is a key that is not there."""
    if depth > MOST_NESTED:
        raise BadField(place, place, f"objects within objects {MOST_NESTED} deep", "more")
    if isinstance(value, Mapping):
        return {
            str(key): _without_nulls(item, place, depth + 1)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, list | tuple):
        return [_without_nulls(item, place, depth + 1) for item in value]
    return value


def read_plot(data: Json, find: Find) -> MoveOrder:
    """What a player writes for one ship in a plot phase."""
    fields = opened(data, "plot", (*PLOT_KEYS, "side"))
    notation = data.get("notation") or ""
    if not isinstance(notation, str) or len(notation) > MOST_NOTATION:
        raise fields.wrong("notation", f"a text of up to {MOST_NOTATION} characters", notation)
    return MoveOrder(
        plot=notation,
        speed=fields.integer("speed", least=0, most=MOST_SPEED) if "speed" in fields else None,
        follows=find(data["follows"]) if "follows" in fields else None,
        torpedo_target=find(data["torpedo"]) if "torpedo" in fields else None,
        smoke_side=SmokeSide(fields.choice("smoke_side", list(SmokeSide), SmokeSide.STARBOARD)),
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


def read_fires(firer: str, data: Json, find: Find) -> tuple[FireOrder, ...]:
    """What a player writes for one ship in a designation phase; no orders hold her fire."""
    fields = opened(data, "designation", ("ship", "orders", "side"))
    listed = fields.tables("orders", ORDER_KEYS)
    if len(listed) > MOST_ORDERS:
        raise fields.wrong("orders", f"at most {MOST_ORDERS} orders", len(listed))
    return tuple(
        FireOrder(
            firer=firer,
            target=find(order.value("target", "the name of a ship")),
            battery=Battery(order.choice("battery", list(Battery), Battery.MAIN)),
            turrets=order.texts("turrets"),
            guns=order.integer("guns", least=1, most=99) if "guns" in order else None,
            held_back=order.flag("held_back", False),
        )
        for order in listed
    )


def read_next(data: Json, find: Find) -> tuple[str, str, Battery]:
    """The fire that is to be rolled next: firer, target and guns."""
    order = opened(data, "rule", ("next", "reason", "who", "side")).table(
        "next", ("firer", "target", "battery")
    )
    return (
        find(order.value("firer", "the name of a ship")),
        find(order.value("target", "the name of a ship")),
        Battery(order.choice("battery", list(Battery), Battery.MAIN)),
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


def read_pose(value: object, place: str) -> Pose:
    """A place on the table and a heading, with their uncertainty where it is known."""
    fields = opened(value, place, POSE_KEYS)
    bound = FARTHEST_YARDS
    return Pose(
        fields.number("x", least=-bound, most=bound, unit="yards"),
        fields.number("y", least=-bound, most=bound, unit="yards"),
        fields.number("heading", least=-3600, most=3600, unit="degrees"),
        fields.number("position_sigma", 0.0, least=0, most=5000, unit="yards"),
        fields.number("heading_sigma", 0.0, least=0, most=180, unit="degrees"),
    )


def write_pose(pose: Pose) -> dict[str, float]:
    """A pose as JSON, to be read again without loss."""
    return {
        "x": pose.x_yards,
        "y": pose.y_yards,
        "heading": pose.heading_deg,
        "position_sigma": pose.position_sigma_yards,
        "heading_sigma": pose.heading_sigma_deg,
    }


def read_dice(data: Json, number: int) -> tuple[str, ...]:
    """The dice of an event; `from`, if it says so, is the number of the first of them."""
    fields = opened(data, "dice", ("values", "how", "from", "side"))
    values = fields.texts("values")
    fields.choice("how", ("typed", "rolled", "kept"), "typed")
    if not values:
        raise BadDice("dice: none given; type at least the next roll")
    if len(values) > MOST_DICE_AT_ONCE:
        raise BadDice(f"dice: {len(values)} at once; give at most {MOST_DICE_AT_ONCE}")
    if fields.integer("from", number, least=1, most=1_000_000) != number:
        raise BadDice(
            f"dice: these were for roll {data['from']}, and roll {number} is wanted now: "
            "somebody has entered dice in the meantime"
        )
    for place, value in enumerate(values, start=number):
        if not (1 <= len(value) <= 2 and set(value) <= set("123456")):
            raise BadDice(
                f"dice: number {place} is {shorten(value)}; write a pair as two digits from 1 to 6 "
                "and a single die as one, such as 34 or 5"
            )
    return values
