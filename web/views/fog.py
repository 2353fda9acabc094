"""The table in fog of war: a caller is shown what the ships of the caller's side see, no more.

The rulebook says which ships a seat sees and where they stand in the battle; what the camera sees
of other ships is the umpire's alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from combat.guided_play import CorrectedRulebook, PlottedView
from combat.participants import SPECTATOR
from combat.views import ShipView
from tabletop.messages import Message
from web.auth.seats import Caller
from web.games.guided_game import GuidedGame
from web.journal.events import Entry
from web.session import Session
from web.table.log import LogLine, log_lines
from web.table.moment import Moment, ShipNow, ShipNowState, ShipSource
from web.views.battle import seat_seen


def is_foggy(moment: Moment) -> bool:
    """Whether there is a battle in fog of war."""
    if moment.battle is None:
        return False
    view = moment.battle.view(SPECTATOR)
    return isinstance(view, PlottedView) and view.fog


def sees_all(moment: Moment, caller: Caller) -> bool:
    """Whether a caller sees the whole table."""
    return caller.is_umpire or not is_foggy(moment)


def may_look_closer(moment: Moment, caller: Caller) -> bool:
    """Whether camera, report, export and the like are open to a caller.

    Whoever is at the machine without a seat of their own sees the table itself.
    """
    return sees_all(moment, caller) or (caller.host and caller.seat is None)


def seen_moment(moment: Moment, caller: Caller) -> Moment:
    """The table with the ships in sight, where they stand in the battle; own ones as they are."""
    if moment.battle is None or sees_all(moment, caller):
        return moment
    seat = seat_seen(moment.battle, caller)
    if seat not in moment.seen_by:
        ships = MappingProxyType(_ships_seen(moment, moment.battle, caller))
        moment.seen_by[seat] = replace(moment, ships=ships, seat=seat, seen_by={})
    return moment.seen_by[seat]


def log_seen(
    session: Session, caller: Caller, *, before: int | None = None, most: int
) -> tuple[LogLine, ...]:
    """The newest lines of the log that a caller may read."""
    moment, entries = session.moment, session.log(before=before, most=most)
    return log_lines(
        entries,
        moment.ruleset,
        foggy=not sees_all(moment, caller),
        corrections=_corrections_seen(moment, caller, entries),
    )


def _corrections_seen(
    moment: Moment, caller: Caller, entries: Sequence[Entry]
) -> Mapping[int, Sequence[Message]]:
    """What a caller may know of the umpire's corrections among these entries."""
    battle = moment.battle
    if battle is None or not isinstance(battle.rulebook, CorrectedRulebook):
        return {}
    asked, seat = {entry.n for entry in entries}, seat_seen(battle, caller)
    found = {}
    for played in battle.game.played:
        if played.n in asked:
            told = battle.rulebook.corrections(battle.state, played.events, seat)
            found[played.n] = tuple(each.line.text for each in told)
    return found


def _ships_seen(moment: Moment, battle: GuidedGame, caller: Caller) -> Mapping[str, ShipNow]:
    seat = seat_seen(battle, caller)
    models = battle.rulebook.models(battle.state, seat)
    shown = {models[ship.id]: ship for ship in battle.view(seat).ships}
    return {
        name: now if seat.side == now.piece.side else _as_battle_has_it(now, shown[name])
        for name, now in moment.ships.items()
        if name in shown
    }


def _as_battle_has_it(now: ShipNow, ship: ShipView) -> ShipNow:
    return ShipNow(
        replace(now.piece, placement=None, follows=True),
        now.ship,
        ship.pose if ship.in_action else None,
        ShipSource.HAND,
        ShipNowState.BY_HAND,
    )
