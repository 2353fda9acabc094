"""The check of two ships for scripts and for the chart: what the sheet says, as JSON."""

from typing import Annotated

from pydantic import Field

from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from web.api.reading import Line
from web.api.route import Answer, Call, Needs, Query, route
from web.checks.access import look_at
from web.checks.check_view import check_json

_Name = Annotated[Line, Field(min_length=1, max_length=40)]


class PairQuery(Query):
    """Who looks, at whom, and with which guns."""

    firer: _Name
    target: _Name
    battery: Annotated[Line, Field(max_length=40)] = ""


@route(
    "GET",
    "/api/check",
    "Two ships: range, arcs, sight, close calls, and what a fire would bring",
    needs=Needs.LOOK,
    query=PairQuery,
    faults=(404,),
    tag="pairs",
)
def check(call: Call, query: PairQuery) -> Answer:
    """The pair as this caller may see it; where measuring is not free, only that."""
    ships = call.session.moment.ships
    for name in (query.firer, query.target):
        if name not in ships:
            raise UnknownName(Message("errors.where.this_table"), "ship", name, ships)
        if ships[name].pose is None:
            raise DreyerError("table.fault.not_placed", name=name)
    looking = look_at(call.session, call.caller, query.firer, query.target)
    head = {"seq": looking.moment.seq, "measure": looking.measure}
    if looking.measure != "yes":
        return {**head, "firer": query.firer, "target": query.target}
    return {**head, **check_json(*looking.check(query.battery))}
