"""The API of seats: joining with the table's code, returning with a PIN, leaving."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.schema import Expected, Flag, Line, Secret, document
from web import admission
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
from web.journal.events import Left
from web.journal.fields import SideKey
from web.server.network import is_this_machine

routes: Final = Routes()


class Waiting(StrEnum):
    """How it stands with somebody who asked for a seat during a battle."""

    WAITING = "waiting"
    SEATED = "seated"
    NOT_ASKING = "not_asking"
    """Refused, or never asked."""


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
    waiting: bool = False
    """Whether a battle is under way, so that they must be admitted first; then without a seat."""


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
    new, asking = False, False
    must_ask = admission.is_needed(call.session, call.caller, body.role)

    def sit(seats: Seats) -> Sits:
        nonlocal new, asking
        seats.check_code(body.code)
        if all(seat.name.casefold() != name.casefold() for seat in seats):
            peer = guard.client_address()
            origin = SeatOrigin(network_of(peer), is_this_machine(peer))
            wish = (guard.cookie(), body.code, name, body.role, body.side, body.pin, origin)
            if must_ask:
                asking = True
                newcomer, cookie = seats.ask(*wish)
                return newcomer.seat, cookie
            new = True
            return seats.join(*wish)
        try:
            return seats.reclaim(guard.cookie(), body.code, name, body.pin)
        except WrongKey:
            raise _NameTaken(
                409,
                Message("join.fault.name_sits_here", name=name),
                field="name",
            ) from None

    seat = _sit(call, name, sit)
    if asking:
        return SeatAnswer(
            seq=call.session.seq,
            seat="",
            name=seat.name,
            role=seat.role,
            side=seat.side,
            waiting=True,
        )
    if new:
        call.session.append_event(guard.caller(), admission.joined(call.session, seat))
    return seat_answer(call, seat)


@document
class WaitingAnswer:
    """How it stands with the caller's wish for a seat."""

    state: Waiting


@routes.route(
    "GET",
    "/api/join/waiting",
    "Whether the caller, who asked for a seat during a battle, was admitted",
    needs=Needs.NOBODY,
    tag="seats",
)
def waiting(call: Call) -> WaitingAnswer:
    """A wish is forgotten when it is refused, and when the server starts again."""
    if call.caller.seat is not None:
        return WaitingAnswer(state=Waiting.SEATED)
    asks = call.session.seats.newcomer_of(call.caller.token) is not None
    return WaitingAnswer(state=Waiting.WAITING if asks else Waiting.NOT_ASKING)


@document
class AdmissionRequest:
    """Whether to let somebody in."""

    newcomer: Annotated[str, Field(min_length=1, max_length=12)]
    agree: Flag


@routes.route(
    "POST",
    "/api/admissions",
    "Let somebody in who asks for a seat during a battle, or refuse them",
    needs=Needs.PLAY,
    faults=(403,),
    tag="seats",
)
def admit(call: Call, body: AdmissionRequest) -> Done:
    """The host and umpires decide alone; players agree side by side, and any of them refuses."""
    admission.decide(call.session, call.caller, body.newcomer, agree=body.agree)
    return Done(seq=call.session.seq)


@document
class ConsentRequest:
    """The answer to an act that concerns the caller's side."""

    proposal: Annotated[str, Field(min_length=1, max_length=12)]
    agree: Flag


@routes.route(
    "POST",
    "/api/consents",
    "Agree to an act of another side that concerns one's own, refuse it, or withdraw one's own",
    needs=Needs.PLAY,
    faults=(403, 409),
    tag="seats",
)
def consent(call: Call, body: ConsentRequest) -> Done:
    """It is done when every side that was asked has agreed; an umpire decides alone."""
    return Done(seq=call.session.answer(call.caller, body.proposal, agree=body.agree))


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
    return seat_answer(call, seat)


@routes.route(
    "POST",
    "/api/leave",
    "Leave the seat; its PIN still brings it back",
    needs=Needs.NOBODY,
    tag="seats",
)
def leave(call: Call, body: Nothing) -> Done:  # noqa: ARG001
    """Leave the seat; repeating it changes nothing."""
    call.session.with_seats(lambda seats: seats.withdraw(call.caller.token))
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


def seat_answer(call: Call, seat: Seat) -> SeatAnswer:
    """The caller's new seat."""
    return SeatAnswer(
        seq=call.session.seq, seat=seat.id, name=seat.name, role=seat.role, side=seat.side
    )
