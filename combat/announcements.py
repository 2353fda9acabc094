"""What everybody at the table is told when it happens: ships sunk, burning, stopped, turned up.

An announcement is the difference between what a viewer saw before an action and after it, so that
it cannot tell what the viewer may not see.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from combat.guided_play import BattleView, StepKind
from combat.participants import ShipStatus
from combat.ship_conditions import ShipCondition
from combat.views import ShipView
from tabletop.messages import Message, ShipRef


class News(StrEnum):
    """What is announced."""

    TURNED_UP = "turned-up"
    BURNING = "burning"
    LISTING = "listing"
    STOPPED = "stopped"
    SUNK = "sunk"
    GONE = "gone"
    CORRECTED = "corrected"
    ENDED = "ended"


_OF_CONDITION: Final = {
    ShipCondition.BURNING: News.BURNING,
    ShipCondition.LISTING: News.LISTING,
    ShipCondition.STOPPED: News.STOPPED,
}


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something that everybody who may see it is told at once."""

    kind: News
    words: Message
    ship: str | None = None
    """Whose news it is, as the viewer may call her."""
    side: str | None = None
    sunk: tuple[str, ...] = ()
    """At the end of a battle every ship that was sunk."""


def announcements(
    before: BattleView,
    after: BattleView,
    models: Mapping[str, str],
    models_before: Mapping[str, str],
) -> tuple[Announcement, ...]:
    """What an action has changed for one viewer.

    `models` are what the ships' models are called on the table, by what the viewer calls the
    ships; by them a ship that was turned up is known to be the same.
    """
    return tuple(_changes(before, after, models, models_before))


def _changes(
    before: BattleView,
    after: BattleView,
    models: Mapping[str, str],
    models_before: Mapping[str, str],
) -> Iterator[Announcement]:
    then = {models_before.get(ship.id, ship.id): ship for ship in before.ships}
    ended = after.step.kind is StepKind.ENDED
    for ship in after.ships:
        known = then.get(models.get(ship.id, ship.id))
        if known is not None:
            yield from _changes_of(known, ship, ended=ended)
    if ended and before.step.kind is not StepKind.ENDED:
        sunk = tuple(ship.id for ship in after.ships if ship.status is ShipStatus.SUNK)
        yield Announcement(News.ENDED, after.ending, sunk=sunk)


def _changes_of(before: ShipView, after: ShipView, *, ended: bool) -> Iterator[Announcement]:
    def told(kind: News) -> Announcement:
        words = Message(f"combat.news.{kind.name.lower()}", ship=ShipRef(after.id))
        return Announcement(kind, words, after.id, after.side)

    if before.hidden and not after.hidden and not ended:
        # At the end of a battle every ship is turned up, which is no news of hers.
        words = Message(
            "combat.news.turned_up", ship=ShipRef(after.id), label=before.label or before.id
        )
        yield Announcement(News.TURNED_UP, words, after.id, after.side)
    if after.status is not before.status:
        if after.status is ShipStatus.SUNK:
            yield told(News.SUNK)
        elif after.status is ShipStatus.WITHDRAWN:
            yield told(News.GONE)
    if before.hidden or not after.in_action:
        return
    for condition in after.conditions:
        if condition not in before.conditions:
            yield told(_OF_CONDITION[condition])
