"""The API of seats: joining by the table's code, coming back with a PIN, leaving."""

from collections.abc import Callable

from tabletop.errors import DreyerError
from web.api import models
from web.api.route import Answer, Call, Needs, route
from web.auth.seats import Role, Seat, Seats, WrongKey, clean_name
from web.faults import Fault
from web.http import guard
from web.table.state import Kind

Sits = tuple[Seat, str]
"""A seat, and the cookie that holds it."""


@route(
    "POST",
    "/api/join",
    "Take a seat, by the table's code",
    operation="join",
    needs=Needs.NOBODY,
    body=models.Join,
    answer=models.Seated,
    faults=(403, 409, 429),
    tag="seats",
)
def join(call: Call, body: models.Join) -> Answer:
    """A new seat. Whoever sits here already under this name and PIN simply comes back."""
    if body.role is Role.PLAYER and body.side not in call.session.moment.state.sides:
        raise Fault(400, "Choose a side, or join as umpire or onlooker", field="side")
    name = clean_name(body.name)
    new = False

    def sit(seats: Seats) -> Sits:
        nonlocal new
        seats.check_code(body.code)
        if all(seat.name.casefold() != name.casefold() for seat in seats):
            new = True
            return seats.join(guard.cookie(), body.code, name, body.role, body.side, body.pin)
        try:
            return seats.come_back(guard.cookie(), body.code, name, body.pin)
        except WrongKey:
            raise _Taken(
                409,
                f"{name} sits here already: choose another name, or come back with the PIN",
                field="name",
            ) from None

    seat = _sit(call, sit)
    if new:
        side = call.session.moment.state.sides[seat.side] if seat.side else None
        data = {"role": seat.role, "side": seat.side}
        # Only a name of its own is written down; the usual sides are put into words when read.
        data |= {"side_name": side.name} if side and side.name else {}
        call.session.say(guard.caller(), Kind.JOINED, data)
    return _seated(call, seat)


@route(
    "POST",
    "/api/return",
    "Come back to a seat with its PIN",
    needs=Needs.NOBODY,
    body=models.ComeBack,
    answer=models.Seated,
    faults=(403, 429),
    tag="seats",
)
def come_back(call: Call, body: models.ComeBack) -> Answer:
    """The same seat, on this phone or another."""
    name = clean_name(body.name)
    seat = _sit(call, lambda seats: seats.come_back(guard.cookie(), body.code, name, body.pin))
    return _seated(call, seat)


@route(
    "POST",
    "/api/leave",
    "Leave the seat; its PIN still brings it back",
    needs=Needs.NOBODY,
    body=models.Nothing,
    answer=models.Done,
    tag="seats",
)
def leave(call: Call, body: models.Nothing) -> Answer:  # noqa: ARG001
    """Get up; getting up twice changes nothing."""
    if call.caller.seat is not None:
        call.session.with_seats(lambda seats: seats.leave(call.caller))
        call.session.say(call.caller, Kind.LEFT, {})
    return {"seq": call.session.seq}


class _Taken(Fault):
    """The name is taken and the PIN is not its own: as good as a wrong PIN."""


def _sit(call: Call, sit: Callable[[Seats], Sits]) -> Seat:
    """Take a seat; a wrong code or PIN counts against the address that it came from."""
    attempts, peer = call.running.attempts, guard.peer()
    attempts.begin(peer)
    try:
        seat, cookie = call.session.with_seats(sit)
    except (WrongKey, _Taken):
        raise
    except DreyerError:
        attempts.forgive(peer)
        raise
    attempts.forgive(peer)
    guard.hold(cookie)
    return seat


def _seated(call: Call, seat: Seat) -> Answer:
    return {
        "seq": call.session.seq,
        "seat": seat.id,
        "name": seat.name,
        "role": seat.role,
        "side": seat.side,
    }
