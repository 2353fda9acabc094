"""The API of a television: the table for everybody in the room, and a seat for the screen."""

from typing import Final

from tabletop.schema import Flag, document
from web import admission
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.api.seats import Code, SeatAnswer, counted_attempt, seat_answer
from web.auth.attempts import network_of
from web.auth.seats import SeatOrigin
from web.http import guard
from web.server.network import is_this_machine
from web.strings import text
from web.views.television import TelevisionView, television_view

routes: Final = Routes()


@document
class TelevisionRequest:
    """A screen that wants to show the table."""

    code: Code


@routes.route(
    "GET",
    "/api/television",
    "The table as everybody in the room may see it, with the tracks of its ships",
    needs=Needs.LOOK,
    tag="table",
)
def television(call: Call) -> TelevisionView:
    """The same for every caller: no side's secrets."""
    return television_view(call.session)


@document
class ReplayRequest:
    """What televisions show."""

    on: Flag
    """Whether they show the replay of the battle; otherwise the chart."""


@routes.route(
    "POST",
    "/api/television/replay",
    "Show the replay of the battle on televisions, or the chart",
    needs=Needs.HOST,
    tag="table",
)
def replay(call: Call, body: ReplayRequest) -> Done:
    """Until this is said, televisions show the replay once the battle is over."""
    return Done(seq=call.session.show_replay(on=body.on))


@routes.route(
    "POST",
    "/api/television",
    "Let a screen show the table, by its code: an onlooker's seat without name or PIN",
    needs=Needs.NOBODY,
    faults=(403, 429),
    tag="seats",
)
def sit(call: Call, body: TelevisionRequest) -> SeatAnswer:
    """The host removes it like any other seat."""
    peer = guard.client_address()
    origin = SeatOrigin(network_of(peer), is_this_machine(peer))
    with counted_attempt(call):
        seat, cookie = call.session.with_seats(
            lambda seats: seats.join_screen(
                guard.cookie(), body.code, lambda n: str(text("television.seat", n=n)), origin
            )
        )
    guard.set_cookie(cookie)
    call.session.append_event(guard.caller(), admission.joined(call.session, seat))
    return seat_answer(call, seat)
