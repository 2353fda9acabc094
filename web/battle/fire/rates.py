"""The page on which a ship's rates of fire are reduced, turret by turret, before the first die.

All fire lies open by then, so its ranges and odds are shown whatever the house measures.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from combat.guided_play import EventKind, PlottedView
from combat.previews import Line
from combat.story_entries import Entry
from combat.views import CheckedFire, DraftFault, FireCheck, FireRateView, ShipView, TurretRate
from web.battle.fire.designation import OrderedFire, OwnShip, SaveAction, ordered_fire

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

_SIGN: Final = "|"


@dataclass(frozen=True, slots=True)
class TurretRateChoice:
    """A turret, and how many of its guns may be chosen to fire."""

    turret: TurretRate
    field: str

    @property
    def numbers(self) -> range:
        """From all of its guns down to one."""
        return range(self.turret.guns, 0, -1)


@dataclass(frozen=True, slots=True)
class FireRateChoice:
    """One fire as designated: its turrets, and at whom."""

    rate: FireRateView
    side: str
    """Whose the target is."""
    turrets: tuple[TurretRateChoice, ...]

    @property
    def quick(self) -> bool:
        """Whether several turrets may be set together."""
        return sum(choice.turret.guns > 1 for choice in self.turrets) > 1


@dataclass(frozen=True, slots=True)
class ComparedFire:
    """A fire at the rate that is chosen, and as it was designated."""

    fire: OrderedFire
    designated: OrderedFire | None
    """None where it fires with every gun."""


@dataclass(frozen=True, slots=True)
class RatePage:
    """A ship's rates of fire, ready to be written down."""

    ship: ShipView
    ships: tuple[OwnShip, ...]
    jams: tuple[Line, ...]
    """What her roll for jams has brought."""
    choices: tuple[FireRateChoice, ...]
    fires: tuple[ComparedFire, ...]
    fault: DraftFault | None
    save: SaveAction
    committed: bool
    reduced: bool

    @property
    def hits(self) -> float:
        """What all of it may be expected to hit."""
        return sum(each.fire.hits for each in self.fires)

    @property
    def cost(self) -> int:
        """The rounds that all of it takes."""
        return sum(each.fire.cost for each in self.fires)


def jams_told(view: PlottedView) -> tuple[Entry, ...]:
    """Every roll for jams of this phase: all that is resolved before the rates are chosen."""
    return view.resolution.done if view.resolution is not None else ()


def field_name(rate: FireRateView, turret: str) -> str:
    """The name of the field for how many guns of a turret fire."""
    return _SIGN.join(("rate", rate.battery, turret, rate.target))


def chosen_rates(
    view: PlottedView, ship: str, form: "MultiDict[str, str] | None"
) -> tuple[FireRateView, ...]:
    """The rates of the form; those written down where nothing was chosen yet."""
    rates = view.rates.get(ship, ())
    if form is None:
        return rates
    return tuple(
        replace(rate, turrets=tuple(_chosen(rate, turret, form) for turret in rate.turrets))
        for rate in rates
    )


def _chosen(rate: FireRateView, turret: TurretRate, form: "MultiDict[str, str]") -> TurretRate:
    written = form.get(field_name(rate, turret.name), "")
    known = written.isascii() and written.isdigit()
    return replace(turret, firing=int(written[:3]) if known else turret.guns)


def rate_page(
    view: PlottedView,
    ship: str,
    rates: Sequence[FireRateView],
    reduction: Mapping[str, object],
    checked: FireCheck,
    designated: FireCheck,
) -> RatePage:
    """The page for these rates, which the rulebook has looked at, beside the fire as designated."""
    ships = {each.id: each for each in view.ships}
    shown = ships[ship]

    def fire_of(fire: CheckedFire) -> OrderedFire:
        rate = next(
            each for each in rates if (each.target, each.battery) == (fire.target, fire.battery)
        )
        return ordered_fire(fire, ships[fire.target].side, rate.title, rate.ammunition)

    return RatePage(
        ship=shown,
        ships=tuple(_own(view, ship)),
        jams=tuple(entry.line for entry in jams_told(view) if ship in entry.ships),
        choices=tuple(
            FireRateChoice(
                rate,
                ships[rate.target].side,
                tuple(TurretRateChoice(each, field_name(rate, each.name)) for each in rate.turrets),
            )
            for rate in rates
        ),
        fires=tuple(
            ComparedFire(fire_of(now), fire_of(full) if now.guns < full.guns else None)
            for now, full in zip(checked.fires, designated.fires, strict=False)
        ),
        fault=checked.fault,
        save=SaveAction({"kind": EventKind.REDUCE, "data": reduction}, "/battle", ""),
        committed=shown.side in view.committed,
        reduced=any(rate.reduced for rate in rates),
    )


def _own(view: PlottedView, here: str) -> Iterator[OwnShip]:
    """The caller's ships that have a rate to choose."""
    for ship in view.ships:
        rates: Iterable[FireRateView] = view.rates.get(ship.id, ())
        if any(rate.reducible for rate in rates):
            yield OwnShip(
                id=ship.id,
                side=ship.side,
                here=ship.id == here,
                written=any(rate.reduced for rate in rates),
                link=f"/battle/rate/{quote(ship.id)}",
            )
