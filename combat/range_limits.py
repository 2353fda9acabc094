"""The ranges that matter between two ships: where bands end, and what a formation asks."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from combat.formations import Formation
from combat.free_play import FreeRulebook
from combat.ships import ShipType
from tabletop.closecall import RangeLimit
from tabletop.messages import Message
from tabletop.survey import PairLimits


def pair_limits(
    rulebook: FreeRulebook[object],
    ships: Mapping[str, ShipType],
    formations: Iterable[Formation] = (),
    friends: Iterable[Collection[str]] = (),
) -> PairLimits:
    """The limits of each pair of ships by their names on the table.

    Ships of one formation are asked for its distances and for no bands of range, and friends, the
    ships of one side, for neither.
    """
    together = {name: each.name for each in formations for name in each.ships}
    side = {name: number for number, names in enumerate(friends) for name in names}

    @cache
    def bands(ship_type: str) -> tuple[RangeLimit, ...]:
        return tuple(
            RangeLimit(band.upper_yards, _end(offer.title, band.title), offer.kind)
            for offer in rulebook.offers(ship_type)
            if offer.info.at_ship
            for band in offer.bands
        )

    def limits(firer: str, target: str) -> tuple[RangeLimit, ...]:
        if firer in together and together[firer] == together.get(target):
            return rulebook.formation_limits
        if firer in side and side[firer] == side.get(target):
            return ()
        return bands(ships[firer].name) if firer in ships else ()

    return limits


def _end(weapon: Message, band: Message) -> Message:
    return Message("combat.limit.band", weapon=weapon, band=band)
