"""The check of two ships as JSON, for scripts and the chart."""

from typing import Annotated, Final

from pydantic import Field

from tabletop.errors import UnknownName
from tabletop.messages import Message
from tabletop.schema import Line, document
from web.api.route import Call, Needs, Routes
from web.checks.access import pair_access
from web.checks.check_document import CheckDocument, NotMeasured, check_document
from web.journal.fields import Name
from web.views.fog import seen_moment
from web.views.table import Measure

routes: Final = Routes()


@document
class PairQuery:
    """The firer, the target and the battery."""

    firer: Name
    target: Name
    battery: Annotated[Line, Field(max_length=40)] = ""


@routes.route(
    "GET",
    "/api/check",
    "Two ships: range, arcs, sight, close calls, and what a fire would bring",
    needs=Needs.LOOK,
    faults=(404,),
    tag="pairs",
)
def check(call: Call, query: PairQuery) -> CheckDocument | NotMeasured:
    """The pair as this caller may see it; without figures if measuring is restricted."""
    moment = seen_moment(call.session.moment, call.caller)
    ships = moment.ships
    for name in (query.firer, query.target):
        if name not in ships:
            raise UnknownName(Message("errors.where.this_table"), "ship", name, ships)
        moment.must_be_in_play(name)
    looking = pair_access(call.session, call.caller, query.firer, query.target)
    if looking.measure is not Measure.YES:
        return NotMeasured(measure=looking.measure, firer=query.firer, target=query.target)
    return check_document(*looking.check(query.battery))
