"""The page on which a ship's fire is designated: targets, turrets, and what the choice would bring.

Everything comes from the battle as the caller's side may see it. Where the house measures only
after fire is declared, nothing measured is shown: the turrets are ticked by eye.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from combat.guided_play import BattleView, EventKind
from combat.rulebook_info import Ruleset
from combat.views import (
    BatteryOption,
    CheckedFire,
    DraftFault,
    FireCheck,
    FireOrderView,
    ShipView,
    TargetOption,
)
from tabletop.messages import NO_WORDS, Message
from web.battle.fire.orders import (
    aim_name,
    designation,
    guns_name,
    read_orders,
    tick_value,
    ticks_of,
    without_excess,
)
from web.checks.check_view import Explanation, OddsPanel, explanation_of, odds_of
from web.checks.fire_previews import answer_to_fire, answer_to_option
from web.checks.odds_panel import PossibleResult, headlines
from web.strings import text, words
from web.views.turn import next_without

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict


@dataclass(frozen=True, slots=True)
class TurretChoice:
    """One turret to tick for one target."""

    name: str
    guns: int
    bears: bool
    why_not: Message
    reference: str
    value: str
    ticked: bool


@dataclass(frozen=True, slots=True)
class SilentTurrets:
    """Turrets that cannot fire at a target for one and the same reason."""

    names: tuple[str, ...]
    why: Message
    reference: str


@dataclass(frozen=True, slots=True)
class BatteryChoice:
    """A battery, as it may be turned on one target."""

    option: BatteryOption
    turrets: tuple[TurretChoice, ...]
    guns_name: str
    guns: int | None
    """How many fire; None is all of the turrets ticked."""
    aim_name: str
    aims: bool

    @property
    def silent(self) -> tuple[SilentTurrets, ...]:
        """The turrets that cannot fire, by their reasons in the order of the turrets."""
        found: dict[tuple[Message, str], list[str]] = {}
        for each in self.turrets:
            if not each.bears:
                found.setdefault((each.why_not, each.reference), []).append(each.name)
        return tuple(SilentTurrets(tuple(names), *reason) for reason, names in found.items())

    @property
    def fewer(self) -> range:
        """The numbers of guns that are fewer than all that bear, where they may be designated."""
        bearing = sum(each.guns for each in self.turrets if each.bears)
        return range(1, bearing if self.option.fewer_guns else 1)


@dataclass(frozen=True, slots=True)
class Target:
    """An enemy to fire at, and what all that bears would do to her."""

    option: TargetOption
    side: str
    segment: str
    batteries: tuple[BatteryChoice, ...]
    hits: float | None
    """Of the heaviest battery that may fire, on average; None where none may, or none can say."""
    with_guns: Message
    others: tuple[tuple[Message, float], ...]
    """The lighter batteries that may fire besides, each with its hits if it fired alone."""
    chances: tuple[PossibleResult, ...]
    best: bool
    open: bool
    check_link: str

    @property
    def bearing(self) -> list[str]:
        """The turrets that bear on her."""
        return [each.name for guns in self.batteries for each in guns.turrets if each.bears]

    @property
    def ticked(self) -> list[str]:
        """The turrets that are to fire at her."""
        return [each.name for guns in self.batteries for each in guns.turrets if each.ticked]


@dataclass(frozen=True, slots=True)
class OrderedFire:
    """One fire of the orders as ticked: with what, at what cost, and its odds."""

    target: str
    side: str
    title: Message
    guns: int
    turrets: tuple[str, ...]
    factor: int
    total: int | None
    cost: int
    left: int
    hits: float
    odds: OddsPanel | None
    why: Explanation | None


@dataclass(frozen=True, slots=True)
class SaveAction:
    """The act that writes the orders down, and where it leads."""

    body: Mapping[str, object]
    go: str
    next: str
    """The next ship without orders; empty where there is none."""


@dataclass(frozen=True, slots=True)
class OwnShip:
    """One of the caller's ships, for going from one to the next."""

    id: str
    side: str
    here: bool
    written: bool
    link: str


@dataclass(frozen=True, slots=True)
class FirePage:
    """A ship's designation, ready to be written down."""

    ship: ShipView
    ships: tuple[OwnShip, ...]
    targets: tuple[Target, ...]
    fires: tuple[OrderedFire, ...]
    fault: DraftFault | None
    save: SaveAction
    hold: SaveAction
    measured: bool
    committed: bool
    written: bool
    """Whether orders of hers are written down, and are the ones shown."""
    holds: bool

    @property
    def hits(self) -> float:
        """What all of it may be expected to hit."""
        return sum(fire.hits for fire in self.fires)

    @property
    def cost(self) -> int:
        """The rounds that all of it takes."""
        return sum(fire.cost for fire in self.fires)


class FireOrdersForm:
    """Lays a ship's designation out for one viewer."""

    def __init__(
        self,
        view: BattleView,
        ship: str,
        options: Sequence[TargetOption],
        ruleset: Ruleset,
        *,
        measured: bool,
    ) -> None:
        self._view, self._options, self._ruleset = view, options, ruleset
        self._measured = measured
        self._ships = {each.id: each for each in view.ships}
        self._ship = self._ships[ship]
        self._guns = {
            guns.battery: {mount.name: mount.guns for mount in guns.mounts}
            for option in options
            for guns in option.batteries
        }

    def orders(self, form: "MultiDict[str, str] | None") -> Sequence[FireOrderView]:
        """The orders of the form; those written down where nothing was ticked yet."""
        if form is not None:
            return without_excess(read_orders(form), self._guns)
        return self._view.fires.get(self._ship.id, ())

    def page(
        self, orders: Sequence[FireOrderView], checked: FireCheck, *, from_form: bool
    ) -> FirePage:
        """The page for these orders, which the rulebook has looked at."""
        view, name = self._view, self._ship.id
        bearing = {
            (option.target, guns.battery): [each.name for each in guns.mounts if each.bears]
            for option in self._options
            for guns in option.batteries
        }
        ticks = ticks_of(orders, bearing)
        targets = tuple(self._best(self._target(option, orders, ticks) for option in self._options))
        aimed = {order.target for order in orders}
        chosen = next(
            (each for each in targets if each.option.target in aimed),
            next((each for each in targets if each.best), targets[0] if targets else None),
        )
        fires = [self._fire(each) for each in checked.fires] if self._measured else []
        return FirePage(
            ship=self._ship,
            ships=tuple(self._own()),
            targets=tuple(replace(each, open=each is chosen) for each in targets),
            fires=tuple(fires),
            fault=checked.fault if self._measured else None,
            save=self._save(orders),
            hold=self._save(()),
            measured=self._measured,
            committed=self._ship.side in view.committed,
            written=name in view.fires and not from_form,
            holds=not orders,
        )

    def _own(self) -> Iterable[OwnShip]:
        for ship in self._view.ships:
            if ship.yours and ship.in_action:
                name = ship.id
                yield OwnShip(
                    id=name,
                    side=ship.side,
                    here=name == self._ship.id,
                    written=name in self._view.fires,
                    link=f"/battle/fire/{quote(name)}",
                )

    def _save(self, orders: Sequence[FireOrderView]) -> SaveAction:
        name = self._ship.id
        body = {"kind": EventKind.DESIGNATE, "data": designation(name, orders)}
        following = next_without(self._view, name) or ""
        go = f"/battle/fire/{quote(following)}" if following else "/battle"
        return SaveAction(body, go, following)

    def _target(
        self, option: TargetOption, orders: Sequence[FireOrderView], ticks: frozenset[str]
    ) -> Target:
        batteries = tuple(self._battery(option, each, orders, ticks) for each in option.batteries)
        answers = [
            (answer_to_option(each), each.title)
            for each in option.batteries
            if each.allowed and each.forecast is not None and self._measured
        ]
        # A ship is listed with the odds of the heaviest guns that may fire.
        lead = answers[0] if answers else None
        title = next(
            (words(each.title) for each in self._ruleset.segments if each.name == option.segment),
            "",
        )
        pair = {"firer": self._ship.id, "target": option.target}
        return Target(
            option=option,
            side=self._ships[option.target].side,
            segment=title or str(text("fire.out_of_range")),
            batteries=batteries,
            hits=lead[0].expected_hits if lead else None,
            with_guns=lead[1] if lead else NO_WORDS,
            others=tuple((title, answer.expected_hits) for answer, title in answers[1:]),
            chances=headlines(lead[0]) if lead else (),
            best=False,
            open=False,
            check_link=f"/table?{urlencode(pair)}",
        )

    def _best(self, targets: Iterable[Target]) -> Iterable[Target]:
        """Mark the one that promises most hits, where there is a choice."""
        found = list(targets)
        most = max((each.hits or 0.0 for each in found), default=0.0)
        marked = not most or len(found) < 2
        for each in found:
            best = not marked and each.hits == most
            marked = marked or best
            yield replace(each, best=best)

    def _battery(
        self,
        option: TargetOption,
        battery: BatteryOption,
        orders: Sequence[FireOrderView],
        ticks: frozenset[str],
    ) -> BatteryChoice:
        name, target = battery.battery, option.target
        order = next((o for o in orders if (o.target, o.battery) == (target, name)), None)
        usable = battery.allowed or not self._measured
        turrets = tuple(
            TurretChoice(
                name=mount.name,
                guns=mount.guns,
                bears=usable and (mount.bears or not self._measured),
                why_not=mount.why_not or battery.why_not,
                reference=mount.reference or battery.reference,
                value=tick_value(name, mount.name, target),
                ticked=tick_value(name, mount.name, target) in ticks,
            )
            for mount in battery.mounts
        )
        return BatteryChoice(
            option=battery,
            turrets=turrets,
            guns_name=guns_name(name, target),
            guns=order.guns if order else None,
            aim_name=aim_name(name, target),
            aims=order is not None and order.held_back,
        )

    def _fire(self, fire: CheckedFire) -> OrderedFire:
        option = next(each for each in self._options if each.target == fire.target)
        battery = next(each for each in option.batteries if each.battery == fire.battery)
        side = self._ships[fire.target].side
        return ordered_fire(fire, side, battery.title, battery.ammunition)


def ordered_fire(fire: CheckedFire, side: str, title: Message, ammunition: int) -> OrderedFire:
    """A fire before its dice: its target's side, its guns in words, and what its magazines have."""
    answer = answer_to_fire(fire)
    return OrderedFire(
        target=fire.target,
        side=side,
        title=title,
        guns=fire.guns,
        turrets=fire.turrets,
        factor=fire.factor,
        total=fire.modifier_total,
        cost=fire.cost,
        left=ammunition - fire.cost,
        hits=answer.expected_hits,
        odds=odds_of(answer) if answer.forecast is not None else None,
        why=explanation_of(answer),
    )
