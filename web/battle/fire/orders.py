"""Fire orders as a form has them: a tick for each turret and target, and back again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

from combat.views import FireOrderView

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


def read_orders(form: "MultiDict[str, str]") -> list[FireOrderView]:
    """The orders that a form makes; whether they are allowed is the rulebook's to say."""
    turrets: dict[tuple[str, str], list[str]] = {}
    for value in form.getlist(TICK)[:_MOST_TICKS]:
        battery, mount, target = (*value.split(_SIGN, 2), "", "")[:3]
        turrets.setdefault((target, battery), []).append(mount)
    orders = []
    for (target, battery), mounts in turrets.items():
        written = form.get(guns_name(battery, target), "")
        guns = int(written[:3]) if written.isascii() and written.isdigit() else 0
        held_back = bool(guns and form.get(aim_name(battery, target)))
        orders.append(FireOrderView(target, battery, tuple(mounts), guns or None, held_back))
    return orders


def ticks_of(
    orders: Iterable[FireOrderView], bearing: Mapping[tuple[str, str], Sequence[str]]
) -> frozenset[str]:
    """The ticks that written orders stand for; no turret named means all that bear."""
    return frozenset(
        tick_value(order.battery, mount, order.target)
        for order in orders
        for mount in order.turrets or bearing.get((order.target, order.battery), ())
    )


def without_excess(
    orders: Iterable[FireOrderView], guns: Mapping[str, Mapping[str, int]]
) -> list[FireOrderView]:
    """The orders without a number of guns that is no fewer than the turrets have."""
    kept = []
    for order in orders:
        has = sum(guns.get(order.battery, {}).get(mount, 0) for mount in order.turrets)
        all_fire = order.guns is not None and order.guns >= has
        kept.append(replace(order, guns=None, held_back=False) if all_fire else order)
    return kept


def designation(ship: str, orders: Iterable[FireOrderView]) -> dict[str, object]:
    """The request that writes these orders down for a ship."""
    return {"ship": ship, "orders": [asdict(order) for order in orders]}
