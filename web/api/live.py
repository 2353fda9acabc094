"""The stream that notifies a page of changes, after which it fetches its view."""

from typing import Final

from flask import Response, request

from tabletop.messages import Message
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.faults import Fault
from web.live import events
from web.server.wsgi import DISCONNECTED

routes: Final = Routes()


def _still_there() -> bool:
    return False


@routes.route(
    "GET",
    "/api/live",
    "A stream of server-sent events: a number that changes whenever the table does",
    needs=Needs.LOOK,
    gives="text/event-stream",
    faults=(503,),
    tag="table",
)
def live(call: Call) -> Response:
    """Open a stream."""
    streams = call.server_context.streams
    stream = streams.open(call.caller.token)
    if stream is None:
        raise Fault(503, Message("api.fault.no_live_link"), wait=5)
    gone = request.environ.get(DISCONNECTED, _still_there)
    response = Response(
        events(call.session.wait, stream, streams, gone),
        mimetype="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )
    # Called even if nothing was read from it, unlike a generator's own cleanup.
    response.call_on_close(lambda: streams.close(stream))
    return response


@routes.route(
    "GET",
    "/api/here",
    "Say that the caller's page is open; a page that is seen says so again and again",
    needs=Needs.LOOK,
    tag="table",
)
def here(call: Call) -> Done:
    """Every request says it; this one asks for nothing else."""
    return Done(seq=call.session.seq)
