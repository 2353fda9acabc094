"""The API of seats: joining with the table's code, returning with a PIN, leaving."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Final

from pydantic import Field

from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.schema import Expected, Line, Secret, document
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.auth.attempts import network_of
from web.auth.seats import (
    LONGEST_NAME,
    PIN_LENGTH,
    Role,
    Seat,
    SeatOrigin,
    Seats,
    WrongKey,
    clean_name,
)
from web.faults import Fault
from web.http import guard
from web.journal.events import Joined, Left
from web.journal.fields import SideKey
from web.server.network import is_this_machine

routes: Final = Routes()

Sits = tuple[Seat, str]
"""Takes a seat; returns it with its cookie."""
Code = Annotated[Line, Field(min_length=1, max_length=20)]
Pin = Annotated[
    str,
    Field(pattern=f"^[0-9]{{{PIN_LENGTH}}}$"),
    Expected(Message("schema.pin", length=PIN_LENGTH)),
    Secret(),
]
PersonName = Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)]


@document
class JoinRequest:
    """A new seat."""

    code: Code
    name: PersonName
    role: Role = Role.PLAYER
    side: SideKey | None = None
    pin: Pin


@document
class ReturnRequest:
    """A seat that was taken before."""

    code: Code
    name: PersonName
    pin: Pin


@document
class SeatAnswer(Done):
    """The caller's seat."""

    seat: str
    name: str
    role: Role
    side: str | None


@routes.route(
    "POST",
    "/api/join",
    "Take a seat, by the table's code",
    operation="join",
    needs=Needs.NOBODY,
    faults=(403, 409, 429),
    tag="seats",
)
def join(call: Call, body: JoinRequest) -> SeatAnswer:
    """A new seat, or the existing one if name and PIN are right."""
    if body.role is Role.PLAYER and body.side not in call.session.moment.state.sides:
        raise Fault(400, Message("join.fault.no_side"), field="side")
    name = clean_name(body.name)
    new = False

    def sit(seats: Seats) -> Sits:
        nonlocal new
        seats.check_code(body.code)
        if all(seat.name.casefold() != name.casefold() for seat in seats):
            new = True
            peer = guard.client_address()
            place = SeatOrigin(network_of(peer), is_this_machine(peer))
            return seats.join(
                guard.cookie(), body.code, name, body.role, body.side, body.pin, place
            )
        try:
            return seats.reclaim(guard.cookie(), body.code, name, body.pin)
        except WrongKey:
            raise _NameTaken(
                409,
                Message("join.fault.name_sits_here", name=name),
                field="name",
            ) from None

    seat = _sit(call, name, sit)
    if new:
        side = call.session.moment.state.sides[seat.side] if seat.side else None
        # Only a side's own name is stored; default sides are translated when shown.
        side_name = side.name or None if side else None
        joined = Joined(role=seat.role, side=seat.side, side_name=side_name)
        call.session.append_event(guard.caller(), joined)
    return _seated(call, seat)


@document
class CodeRequest:
    """A code to try."""

    code: Code


@document
class PeopleSeated:
    """The people of one side, or of one role without a side."""

    place: str
    names: tuple[str, ...]


@document
class CodeAnswer:
    """Who sits at the table."""

    people: tuple[PeopleSeated, ...]


@routes.route(
    "POST",
    "/api/join/code",
    "Whether a code opens the table, and who sits where",
    needs=Needs.NOBODY,
    faults=(403, 429),
    tag="seats",
)
def try_code(call: Call, body: CodeRequest) -> CodeAnswer:
    """A wrong code counts as a wrong attempt to join."""
    with counted_attempt(call):
        call.session.seats.check_code(body.code)
    places: dict[str, list[str]] = {}
    for seat in call.session.seats:
        places.setdefault(seat.side or seat.role, []).append(seat.name)
    return CodeAnswer(
        people=tuple(PeopleSeated(place=key, names=tuple(names)) for key, names in places.items())
    )


@routes.route(
    "POST",
    "/api/return",
    "Come back to a seat with its PIN",
    needs=Needs.NOBODY,
    faults=(403, 429),
    tag="seats",
)
def come_back(call: Call, body: ReturnRequest) -> SeatAnswer:
    """The same seat, on this phone or another."""
    name = clean_name(body.name)
    seat = _sit(call, name, lambda seats: seats.reclaim(guard.cookie(), body.code, name, body.pin))
    return _seated(call, seat)


@routes.route(
    "POST",
    "/api/leave",
    "Leave the seat; its PIN still brings it back",
    needs=Needs.NOBODY,
    tag="seats",
)
def leave(call: Call, body: Nothing) -> Done:  # noqa: ARG001
    """Leave the seat; repeating it changes nothing."""
    if call.caller.seat is not None:
        call.session.with_seats(lambda seats: seats.leave(call.caller))
        call.session.append_event(call.caller, Left())
    return Done(seq=call.session.seq)


class _NameTaken(Fault):
    """The name is taken and the PIN is wrong; counts as a wrong PIN."""


def _sit(call: Call, name: str, sit: Callable[[Seats], Sits]) -> Seat:
    """Take a seat; a wrong code or PIN counts against the caller's network and the seat."""
    with counted_attempt(call, name):
        seat, cookie = call.session.with_seats(sit)
    guard.set_cookie(cookie)
    return seat


@contextmanager
def counted_attempt(call: Call, name: str = "") -> Iterator[None]:
    """Count a wrong code, or a wrong PIN for a name; the host may err as often as they like."""
    if call.caller.host:
        yield
        return
    attempts = call.server_context.attempts
    attempt = attempts.begin(guard.client_address(), name.casefold())
    try:
        yield
    except (WrongKey, _NameTaken):
        raise
    except DreyerError:
        attempts.discard(attempt)
        raise
    attempts.discard(attempt)


def _seated(call: Call, seat: Seat) -> SeatAnswer:
    return SeatAnswer(
        seq=call.session.seq, seat=seat.id, name=seat.name, role=seat.role, side=seat.side
    )
