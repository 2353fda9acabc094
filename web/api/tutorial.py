"""The API of the tutorial: its battle, and the umpire's seat for whoever plays it alone."""

from typing import Final

from web import admission
from web.api.battles import BattleId, ScenarioChoice, begin_scenario
from web.api.models import Nothing
from web.api.route import Call, Needs, Routes
from web.api.seats import SeatAnswer, seat_answer
from web.auth.attempts import network_of
from web.auth.seats import Role, Seat, SeatOrigin
from web.http import guard
from web.journal.events import Left
from web.server.network import is_this_machine
from web.strings import text
from web.views.tutorial import SCENARIO

routes: Final = Routes()


@routes.route(
    "POST",
    "/api/tutorial",
    "Begin the tutorial; the host plays both sides of it, as its umpire",
    needs=Needs.HOST,
    tag="battles",
)
def begin(call: Call, body: Nothing) -> BattleId:  # noqa: ARG001
    """On a table of its own; the battle before is kept. A host who has a seat keeps it."""
    begun = begin_scenario(call, ScenarioChoice(scenario=SCENARIO))
    if call.caller.seat is None:
        _sit_as_umpire(call)
    return begun


@routes.route(
    "POST",
    "/api/tutorial/seat",
    "Take an umpire's seat as the host, without name or PIN, to play both sides",
    needs=Needs.HOST,
    tag="seats",
)
def sit(call: Call, body: Nothing) -> SeatAnswer:  # noqa: ARG001
    """Whatever other seat the host has is left; its PIN still brings it back."""
    seat = call.caller.seat
    if seat is None or seat.role is not Role.UMPIRE:
        if seat is not None:
            call.session.with_seats(lambda seats: seats.leave(call.caller))
            call.session.append_event(call.caller, Left())
        seat = _sit_as_umpire(call)
    return seat_answer(call, seat)


def _sit_as_umpire(call: Call) -> Seat:
    peer = guard.client_address()
    origin = SeatOrigin(network_of(peer), is_this_machine(peer))

    cookie = guard.cookie() or ""
    seat = call.session.with_seats(
        lambda seats: seats.join_host(cookie, lambda n: str(text("tutorial.seat", n=n)), origin)
    )
    call.session.append_event(guard.caller(), admission.joined(call.session, seat))
    return seat
