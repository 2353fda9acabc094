"""The API of the table itself: its view, its ships and smoke, and what players settle."""

from typing import Any, Final

from pydantic import RootModel

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
from web.api import models
from web.api.action_routes import acts
from web.api.route import Answer, Call, Needs, route
from web.api.tables_summary import tables_seen
from web.camera.access import newest_picture
from web.http.join_link import joining
from web.table.log import log_lines
from web.views.table import LOG_LINES, TableView, view_for


class SeenTable(RootModel[TableView]):
    """The table as you may see it."""


@route("GET", "/api/view", "The table as you may see it", needs=Needs.LOOK, answer=SeenTable,
       operation="view")  # fmt: skip
def view(call: Call) -> Answer:
    """All that the page draws from."""
    tables, picture = tables_seen(call.running), newest_picture(call.running)
    return SeenTable(view_for(call.session, call.caller, joining(call.running), tables, picture))


@route(
    "GET",
    "/api/log",
    "The log, or what came before a line of it",
    needs=Needs.LOOK,
    query=models.LogQuery,
    answer=models.Log,
)
def log(call: Call, query: models.LogQuery) -> Answer:
    """A page of the log."""
    entries = call.session.log(before=query.before, most=LOG_LINES + 1)
    return models.Log(log=log_lines(entries[-LOG_LINES:]), more=len(entries) > LOG_LINES)


def add_ship(name: str, type: str | None, side: str | None) -> AddShip:  # noqa: A002
    """One more ship, not yet placed."""
    return AddShip(NewShip(name, type, side))


def rule(sight: str | None, **figures: Any) -> Rule:
    """Figures that hold until one of the two moves."""
    blocked, smoke = _SIGHTS[sight]
    return Rule(blocked=blocked, smoke=smoke, **figures)


_SIGHTS: Final = {
    None: (None, None),
    "clear": (False, False),
    "smoke": (False, True),
    "blocked": (True, None),
}
"""Whether the sight is blocked, and whether smoke lies on it; None stays as measured."""

acts(
    "POST", "/api/ships", "Add a ship to the table's list", add_ship, body=models.AddedShip,
    tag="ships",
)  # fmt: skip
acts(
    "DELETE", "/api/ships/<ship:name>", "Remove a ship from the table's list", RemoveShip,
    tag="ships",
)  # fmt: skip
acts(
    "POST", "/api/ships/<path:name>/place", "Put a ship down by hand", PlaceByHand,
    body=models.Placing, tag="ships",
)  # fmt: skip
acts(
    "POST", "/api/ships/<path:name>/follow", "Let the camera move a ship again", FollowCamera,
    body=models.Nothing, tag="ships",
)  # fmt: skip
acts(
    "POST", "/api/ships/<path:name>/lift", "Take a ship off the table", LiftShip,
    body=models.Nothing, tag="ships",
)  # fmt: skip
acts(
    "POST", "/api/ships/<path:name>/side", "Put a ship on another side", ChooseSide,
    body=models.ChosenSide, tag="ships",
)  # fmt: skip
acts("POST", "/api/smoke", "Lay a smoke front", LaySmoke, body=models.SmokeEnds, faults=())
acts("DELETE", "/api/smoke/<int:id>", "Clear a smoke front", ClearSmoke)
acts(
    "POST", "/api/decide", "Agree on one reading of a close call", Decide, body=models.Decision,
    tag="pairs",
)  # fmt: skip
acts(
    "POST", "/api/reopen", "Take back a decision on a close call", Reopen, body=models.Reopening,
    tag="pairs",
)  # fmt: skip
acts(
    "POST", "/api/rule", "Enter figures of a pair over the measured ones", rule,
    body=models.Ruling, tag="pairs",
)  # fmt: skip
acts(
    "DELETE", "/api/rule/<firer>/<target>", "Go back to the measured figures of a pair", Unrule,
    tag="pairs",
)  # fmt: skip
acts(
    "POST", "/api/declare", "Declare fire, and so open a pair for measuring", Declare,
    body=models.Pair, tag="pairs",
)  # fmt: skip
