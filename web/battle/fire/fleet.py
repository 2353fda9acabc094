"""The page on which the fire of all ships of a side is designated at once: batteries and targets.

Every battery fires as a whole here; a ship's turrets are divided on her own page. What is proposed
is the rulebook's, from the exact odds. Where the house measures only after fire is declared, no
odds are shown, nothing is proposed, and every target may be chosen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from combat.guided_play import EventKind, PlottedView
from combat.views import (
    BatteryOption,
    DraftFault,
    FireOrderView,
    OrdersCheck,
    ShipView,
    TargetOption,
)
from tabletop.messages import NO_WORDS, Message
from web.battle.fire.orders import designation
from web.checks.check_view import OddsPanel, odds_of
from web.checks.fire_previews import answer_to_fire, answer_to_option
from web.checks.odds_panel import PossibleResult, headlines

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

_AS_WRITTEN: Final = "="
"""The value of the choice to leave a battery's fire as it was written turret by turret."""

Orders = Mapping[str, Sequence[FireOrderView]]
"""The fire orders of ships, by their names."""


@dataclass(frozen=True, slots=True)
class AimAt:
    """A target that a battery may be given, with the odds of its fire alone."""

    target: str
    side: str
    value: str
    chosen: bool
    proposed: bool
    hits: float | None
    chances: tuple[PossibleResult, ...]


@dataclass(frozen=True, slots=True)
class Guns:
    """A battery of a ship, and all targets that it may be given."""

    name: str
    """Of the form's field."""
    title: Message
    aims: tuple[AimAt, ...]
    holds: bool
    as_written: str
    """The value of the choice to leave it as written; empty where there is none."""
    keeps: bool
    """Whether that is chosen."""
    why_not: Message
    reference: str


@dataclass(frozen=True, slots=True)
class Shooter:
    """One of the caller's ships with her batteries."""

    ship: ShipView
    guns: tuple[Guns, ...]
    written: bool
    link: str
    """Her own page, where she fires turret by turret."""


@dataclass(frozen=True, slots=True)
class FireAtTarget:
    """A battery that fires at a target."""

    firer: str
    side: str
    title: Message
    guns: int
    hits: float | None


@dataclass(frozen=True, slots=True)
class TargetUnderFire:
    """An enemy with all fire at her, and its odds together."""

    target: str
    side: str
    fires: tuple[FireAtTarget, ...]
    odds: OddsPanel | None
    """None where she is face down."""


@dataclass(frozen=True, slots=True)
class FleetFirePage:
    """The fire of all ships of the caller, ready to be written down."""

    shooters: tuple[Shooter, ...]
    targets: tuple[TargetUnderFire, ...]
    silent: tuple[str, ...]
    """The ships that hold their fire."""
    fault: DraftFault | None
    body: Mapping[str, object]
    measured: bool
    proposed: bool
    """Whether the orders are those that the rulebook proposes."""
    rounds: int


class FleetFireForm:
    """Lays out the fire of all of a caller's ships that may still be given orders."""

    def __init__(
        self,
        view: PlottedView,
        options: Mapping[str, Sequence[TargetOption]],
        proposal: Orders,
        *,
        measured: bool,
    ) -> None:
        self._view, self._options, self._measured = view, options, measured
        self._proposal = proposal if measured else {}
        self._ships = {ship.id: ship for ship in view.ships}

    def orders(self, form: "MultiDict[str, str] | None") -> Orders:
        """The orders of the form; without one those that are written, else the proposal."""
        if form is None:
            return {
                ship: self._view.fires.get(ship, self._proposal.get(ship, ()))
                for ship in self._options
            }
        return {ship: tuple(self._read(ship, form)) for ship in self._options}

    def _read(self, ship: str, form: "MultiDict[str, str]") -> Iterator[FireOrderView]:
        written = self._view.fires.get(ship, ())
        for battery in self._batteries(ship):
            chosen = form.get(_field(ship, battery.battery), "")[:60]
            if chosen == _AS_WRITTEN:
                yield from (order for order in written if order.battery == battery.battery)
            elif chosen:
                yield FireOrderView(chosen, battery.battery, (), None, False)

    def _batteries(self, ship: str) -> Sequence[BatteryOption]:
        return self._options[ship][0].batteries if self._options[ship] else ()

    def page(self, orders: Orders, checked: OrdersCheck) -> FleetFirePage:
        """The page for these orders, which the rulebook has looked at."""
        fires = [designation(ship, each) for ship, each in orders.items()]
        return FleetFirePage(
            shooters=tuple(self._shooter(ship, orders[ship]) for ship in self._options),
            targets=tuple(self._targets(checked)) if self._measured else (),
            silent=tuple(ship for ship, each in orders.items() if not each),
            fault=checked.fault if self._measured else None,
            body={"kind": EventKind.ORDERS, "data": {"fires": fires}},
            measured=self._measured,
            proposed=bool(self._proposal) and dict(orders) == dict(self._proposal),
            rounds=sum(each.fire.cost for each in checked.fires),
        )

    def _shooter(self, ship: str, orders: Sequence[FireOrderView]) -> Shooter:
        guns = (self._guns(ship, battery, orders) for battery in self._batteries(ship))
        return Shooter(
            ship=self._ships[ship],
            guns=tuple(guns),
            written=ship in self._view.fires,
            link=f"/battle/fire/{quote(ship)}",
        )

    def _guns(self, ship: str, battery: BatteryOption, orders: Sequence[FireOrderView]) -> Guns:
        name = battery.battery
        mine = [order for order in orders if order.battery == name]
        plain = [order.target for order in mine if not order.turrets and order.guns is None]
        written = [order for order in self._view.fires.get(ship, ()) if order.battery == name]
        divided = any(order.turrets or order.guns is not None for order in written)
        proposed = {order.target for order in self._proposal.get(ship, ()) if order.battery == name}
        found = [
            (option, each)
            for option in self._options[ship]
            for each in option.batteries
            if each.battery == name
        ]
        aims = tuple(
            self._aim(option, each, plain, proposed)
            for option, each in found
            if each.allowed or not self._measured
        )
        # The proposed one comes first, in sight without scrolling.
        aims = tuple(sorted(aims, key=lambda aim: not aim.proposed))
        silent = next((each for _, each in found if not each.allowed), None)
        return Guns(
            name=_field(ship, name),
            title=battery.title,
            aims=aims,
            holds=not mine,
            as_written=_AS_WRITTEN if divided else "",
            keeps=bool(mine) and not plain,
            why_not=silent.why_not if silent and not aims else NO_WORDS,
            reference=silent.reference if silent and not aims else "",
        )

    def _aim(
        self,
        option: TargetOption,
        battery: BatteryOption,
        chosen: Sequence[str],
        proposed: set[str],
    ) -> AimAt:
        answer = answer_to_option(battery)
        known = self._measured and answer.forecast is not None
        return AimAt(
            target=option.target,
            side=self._ships[option.target].side,
            value=option.target,
            chosen=option.target in chosen,
            proposed=option.target in proposed,
            hits=answer.expected_hits if known else None,
            chances=headlines(answer) if known else (),
        )

    def _targets(self, checked: OrdersCheck) -> Iterator[TargetUnderFire]:
        titles = {
            battery.battery: battery.title
            for ship in self._options
            for battery in self._batteries(ship)
        }
        for target in dict.fromkeys(each.fire.target for each in checked.fires):
            forecast = checked.targets.get(target)
            fires = [each for each in checked.fires if each.fire.target == target]
            together = replace(answer_to_fire(fires[0].fire), forecast=forecast)
            yield TargetUnderFire(
                target=target,
                side=self._ships[target].side,
                fires=tuple(
                    FireAtTarget(
                        firer=each.firer,
                        side=self._ships[each.firer].side,
                        title=titles.get(each.fire.battery, NO_WORDS),
                        guns=each.fire.guns,
                        hits=each.fire.forecast.expected_hits if each.fire.forecast else None,
                    )
                    for each in fires
                ),
                odds=odds_of(together),
            )


def _field(ship: str, battery: str) -> str:
    """The name of the field for a battery's target."""
    return f"at|{battery}|{ship}"
