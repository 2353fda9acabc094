"""Seats during a battle: who must be admitted, and who admits them.

Umpires see everything and players all that their side has written, so that nobody takes such a seat
by the table's code alone once something has been played.
"""

from web.auth.seats import Caller, Forbidden, Role, Seat, Seats
from web.games.guided_game import GuidedGame
from web.journal.events import Joined
from web.session import Session


def is_needed(session: Session, caller: Caller, role: Role) -> bool:
    """Whether a caller who takes a new seat must be admitted."""
    return not caller.host and role is not Role.ONLOOKER and _under_way(session) is not None


def decide(session: Session, caller: Caller, id_: str, *, agree: bool) -> None:
    """Let a newcomer in or refuse them, as far as this caller can."""

    def use(seats: Seats) -> tuple[Seat, Caller] | None:
        if not agree:
            seats.refuse(id_)
            return None
        if caller.host or caller.is_umpire:
            return seats.admit(id_)
        battle = _under_way(session)
        side = caller.seat.side if caller.seat else None
        if side is None or (battle is not None and side not in battle.sides):
            raise Forbidden("battle.not_in_it")
        newcomer = seats.agree(id_, side)
        if battle is not None and sides_asked(seats, battle) - newcomer.agreed:
            return None
        return seats.admit(id_)

    admitted = session.with_seats(use)
    if admitted is not None:
        seat, newcomer = admitted
        session.append_event(newcomer, joined(session, seat))


def sides_asked(seats: Seats, battle: GuidedGame) -> frozenset[str]:
    """The sides of a battle that have people, all of which must agree."""
    return frozenset(seat.side for seat in seats if seat.side in battle.sides and seat.side)


def joined(session: Session, seat: Seat) -> Joined:
    """The event of somebody who has taken a seat."""
    side = session.moment.state.sides[seat.side] if seat.side else None
    # Only a side's own name is stored; default sides are translated when shown.
    side_name = side.name or None if side else None
    return Joined(role=seat.role, side=seat.side, side_name=side_name)


def _under_way(session: Session) -> GuidedGame | None:
    """The battle on the table, if something has been played in it and it goes on."""
    battle = session.moment.battle
    return battle if battle and not battle.is_over and battle.record.events else None
