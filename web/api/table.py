"""The API of the table: its view, ships, smoke and settlements."""

from typing import Annotated, Final, Literal

from pydantic import Field

from tabletop.arcs import Quadrant
from tabletop.rulings import Sight
from tabletop.schema import FARTHEST_YARDS, Number, Whole, document
from web.actions.context import Reason
from web.actions.pairs import Decide, Declare, Reopen, Rule, Unrule
from web.actions.table import (
    AddShip,
    ChooseSide,
    ClearSmoke,
    FollowCamera,
    LaySmoke,
    LiftShip,
    NewShip,
    PlaceByHand,
    RemoveShip,
)
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.api.tables_summary import tables_seen
from web.journal.fields import Name, SideKey
from web.table.log import LogLine
from web.views.fog import log_seen
from web.views.table import LOG_LINES, TableView, view_for

routes: Final = Routes()


@routes.route("GET", "/api/view", "The table as you may see it", needs=Needs.LOOK, operation="view")
def view(call: Call) -> TableView:
    """Everything that the page draws."""
    tables, picture = tables_seen(call.server_context), call.server_context.picture
    return view_for(call.session, call.caller, call.server_context.join_link, tables, picture)


@document
class LogQuery:
    """Which part of the log."""

    before: Annotated[Whole, Field(ge=0, le=2**53)] | None = None


@document
class Log:
    """A part of the log, oldest first, and whether there is more before it."""

    log: tuple[LogLine, ...]
    more: bool


@routes.route("GET", "/api/log", "The log, or what came before a line of it", needs=Needs.LOOK)
def log(call: Call, query: LogQuery) -> Log:
    """A page of the log."""
    entries = call.session.log(before=query.before, most=LOG_LINES + 1)
    lines = log_seen(call.session, call.caller, before=query.before, most=LOG_LINES)
    return Log(log=lines, more=len(entries) > LOG_LINES)


@document
class AddedShip:
    """A ship to add; a known type gives class, size and base."""

    name: Name
    type: Name | None = None
    side: SideKey | None = None


@routes.route(
    "POST",
    "/api/ships",
    "Add a ship to the table's list",
    needs=Needs.PLAY,
    faults=(404,),
    tag="ships",
)
def add_ship(call: Call, body: AddedShip) -> Done:
    """Add a ship, not yet placed."""
    return call.act(AddShip(NewShip(body.name, body.type, body.side)))


@document
class RulingRequest:
    """Figures that replace measured ones, with the reason; omitted ones stay as measured."""

    firer: Name
    target: Name
    reason: Reason
    range_yards: Annotated[Number, Field(ge=0, le=FARTHEST_YARDS)] | None = None
    quadrant: Quadrant | None = None
    aspect: Quadrant | None = None
    sight: Literal[Sight.CLEAR, Sight.SMOKE, Sight.BLOCKED] | None = None


@routes.route(
    "POST",
    "/api/rule",
    "Enter figures of a pair over the measured ones",
    needs=Needs.PLAY,
    faults=(404,),
    tag="pairs",
)
def rule(call: Call, body: RulingRequest) -> Done:
    """The figures are valid until one of the ships moves."""
    blocked, smoke = _SIGHTS[body.sight]
    action = Rule(
        firer=body.firer,
        target=body.target,
        reason=body.reason,
        range_yards=body.range_yards,
        quadrant=body.quadrant,
        aspect=body.aspect,
        blocked=blocked,
        smoke=smoke,
    )
    return call.act(action)


_SIGHTS: Final = {
    None: (None, None),
    Sight.CLEAR: (False, False),
    Sight.SMOKE: (False, True),
    Sight.BLOCKED: (True, None),
}
"""Whether sight is blocked, and whether there is smoke; None for as measured."""

routes.action(
    "DELETE",
    "/api/ships/<ship:name>",
    "Remove a ship from the table's list",
    RemoveShip,
    tag="ships",
)
routes.action(
    "POST",
    "/api/ships/<path:name>/place",
    "Put a ship down by hand",
    PlaceByHand,
    tag="ships",
)
routes.action(
    "POST",
    "/api/ships/<path:name>/follow",
    "Let the camera move a ship again",
    FollowCamera,
    tag="ships",
)
routes.action(
    "POST",
    "/api/ships/<path:name>/lift",
    "Take a ship off the table",
    LiftShip,
    tag="ships",
)
routes.action(
    "POST",
    "/api/ships/<path:name>/side",
    "Put a ship on another side",
    ChooseSide,
    tag="ships",
)
routes.action("POST", "/api/smoke", "Lay a smoke front", LaySmoke, faults=())
routes.action("DELETE", "/api/smoke/<int:id>", "Clear a smoke front", ClearSmoke)
routes.action(
    "POST",
    "/api/decide",
    "Agree on one reading of a close call",
    Decide,
    tag="pairs",
)
routes.action(
    "POST",
    "/api/reopen",
    "Take back a decision on a close call",
    Reopen,
    tag="pairs",
)
routes.action(
    "DELETE",
    "/api/rule/<firer>/<target>",
    "Go back to the measured figures of a pair",
    Unrule,
    tag="pairs",
)
routes.action(
    "POST",
    "/api/declare",
    "Declare fire, and so open a pair for measuring",
    Declare,
    tag="pairs",
)
