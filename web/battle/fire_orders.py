"""Fire orders as a form has them: a tick for each turret and target, and back again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

TICK: Final = "on"
"""The name of every tick; its value is battery, turret and target."""
_SIGN: Final = "|"
_MOST_TICKS: Final = 400


def tick_value(battery: str, mount: str, target: str) -> str:
    """What a tick says: this turret at this target."""
    return _SIGN.join((battery, mount, target))


def guns_name(battery: str, target: str) -> str:
    """The name of the field for how many guns fire."""
    return _SIGN.join(("guns", battery, target))


def aim_name(battery: str, target: str) -> str:
    """The name of the tick that the other guns are held back for accuracy."""
    return _SIGN.join(("aim", battery, target))


def read_orders(form: "MultiDict[str, str]") -> list[dict[str, Any]]:
    """The orders that a form makes; whether they are allowed is the rulebook's to say."""
    turrets: dict[tuple[str, str], list[str]] = {}
    for value in form.getlist(TICK)[:_MOST_TICKS]:
        battery, mount, target = (*value.split(_SIGN, 2), "", "")[:3]
        turrets.setdefault((target, battery), []).append(mount)
    orders = []
    for (target, battery), mounts in turrets.items():
        order: dict[str, Any] = {"target": target, "battery": battery, "turrets": mounts}
        guns = form.get(guns_name(battery, target), "")
        if guns.isascii() and guns.isdigit() and int(guns[:3]) > 0:
            order["guns"] = int(guns[:3])
            order["held_back"] = bool(form.get(aim_name(battery, target)))
        orders.append(order)
    return orders


def ticks_of(
    orders: Iterable[Mapping[str, Any]], bearing: Mapping[tuple[str, str], Sequence[str]]
) -> frozenset[str]:
    """The ticks that written orders stand for; no turret named means all that bear."""
    return frozenset(
        tick_value(order["battery"], mount, order["target"])
        for order in orders
        for mount in order["turrets"] or bearing.get((order["target"], order["battery"]), ())
    )


def without_excess(
    orders: Iterable[Mapping[str, Any]], guns: Mapping[str, Mapping[str, int]]
) -> list[dict[str, Any]]:
    """The orders without a number of guns that is no fewer than the turrets have."""
    kept = []
    for order in orders:
        has = sum(guns.get(order["battery"], {}).get(mount, 0) for mount in order["turrets"])
        written = dict(order)
        if written.get("guns") is not None and written["guns"] >= has:
            written.pop("guns")
            written.pop("held_back", None)
        kept.append(written)
    return kept
