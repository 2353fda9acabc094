"""The API of the table itself: its view, its ships and smoke, and what players settle."""

from tabletop.scale import Scale
from tabletop.table import Pose
from web.api import models
from web.api.route import Answer, Call, Needs, route
from web.server.joining import joining
from web.table.actions import (
    AddShip,
    ClearSmoke,
    FollowCamera,
    LaySmoke,
    LiftShip,
    NewShip,
    Place,
    PlaceShips,
    RemoveShip,
)
from web.table.ground import Action
from web.table.log_words import log_lines
from web.table.pair_actions import Decide, Declare, Reopen, Rule, Unrule
from web.tables.seen import tables_seen
from web.view import LOG_LINES, view_for


@route("GET", "/api/view", "The table as you may see it", needs=Needs.LOOK)
def view(call: Call) -> Answer:
    """All that the page draws from."""
    tables = tables_seen(call.running)
    return view_for(call.session, call.caller, joining(call.running), tables)


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
    return {
        "log": log_lines(entries[-LOG_LINES:]),
        "more": len(entries) > LOG_LINES,
    }


@route(
    "POST",
    "/api/ships",
    "Add a ship to the table's list",
    needs=Needs.PLAY,
    body=models.AddedShip,
    answer=models.Done,
    faults=(404,),
    tag="ships",
)
def add_ship(call: Call, body: models.AddedShip) -> Answer:
    """One more ship, not yet placed."""
    return _act(call, AddShip(NewShip(body.name, body.type, body.side)))


@route(
    "DELETE",
    "/api/ships/<ship:name>",
    "Remove a ship from the table's list",
    needs=Needs.PLAY,
    answer=models.Done,
    faults=(404,),
    tag="ships",
)
def remove_ship(call: Call, name: str) -> Answer:
    """She is gone."""
    return _act(call, RemoveShip(name))


@route(
    "POST",
    "/api/ships/<path:name>/place",
    "Put a ship down by hand",
    needs=Needs.PLAY,
    body=models.Placing,
    answer=models.Done,
    faults=(404,),
    tag="ships",
)
def place_ship(call: Call, body: models.Placing, name: str) -> Answer:
    """Where she stands from now on."""
    x, y = (_yards(call, value, body.unit) for value in (body.x, body.y))
    return _act(call, PlaceShips((Place(name, Pose(x, y, body.heading % 360)),), body.reason))


@route(
    "POST",
    "/api/ships/<path:name>/follow",
    "Let the camera move a ship again",
    needs=Needs.PLAY,
    body=models.Nothing,
    answer=models.Done,
    faults=(404,),
    tag="ships",
)
def follow_ship(call: Call, body: models.Nothing, name: str) -> Answer:  # noqa: ARG001
    """She follows."""
    return _act(call, FollowCamera(name))


@route(
    "POST",
    "/api/ships/<path:name>/lift",
    "Take a ship off the table",
    needs=Needs.PLAY,
    body=models.Nothing,
    answer=models.Done,
    faults=(404,),
    tag="ships",
)
def lift_ship(call: Call, body: models.Nothing, name: str) -> Answer:  # noqa: ARG001
    """She stays in the list."""
    return _act(call, LiftShip(name))


@route(
    "POST",
    "/api/smoke",
    "Lay a smoke front",
    needs=Needs.PLAY,
    body=models.SmokeEnds,
    answer=models.Done,
)
def lay_smoke(call: Call, body: models.SmokeEnds) -> Answer:
    """A front between two points."""
    ends = (body.x1, body.y1, body.x2, body.y2)
    return _act(call, LaySmoke(*(_yards(call, value, body.unit) for value in ends)))


@route(
    "DELETE",
    "/api/smoke/<int:number>",
    "Clear a smoke front",
    needs=Needs.PLAY,
    answer=models.Done,
    faults=(404,),
)
def clear_smoke(call: Call, number: int) -> Answer:
    """It has drifted off."""
    return _act(call, ClearSmoke(number))


@route(
    "POST",
    "/api/decide",
    "Agree on one reading of a close call",
    needs=Needs.PLAY,
    body=models.Decision,
    answer=models.Done,
    faults=(404,),
    tag="pairs",
)
def decide(call: Call, body: models.Decision) -> Answer:
    """The reading that holds until one of the two moves."""
    return _act(call, Decide(body.firer, body.target, body.what, body.reading))


@route(
    "POST",
    "/api/reopen",
    "Take back a decision on a close call",
    needs=Needs.PLAY,
    body=models.Reopening,
    answer=models.Done,
    faults=(404,),
    tag="pairs",
)
def reopen(call: Call, body: models.Reopening) -> Answer:
    """The call is open again."""
    return _act(call, Reopen(body.firer, body.target, body.what))


@route(
    "POST",
    "/api/rule",
    "Enter figures of a pair over the measured ones",
    needs=Needs.PLAY,
    body=models.Ruling,
    answer=models.Done,
    faults=(404,),
    tag="pairs",
)
def rule(call: Call, body: models.Ruling) -> Answer:
    """They hold until one of the two moves."""
    blocked, smoke = _SIGHTS[body.sight]
    ruling = Rule(
        firer=body.firer,
        target=body.target,
        reason=body.reason,
        range_yards=body.range_yards,
        quadrant=body.quadrant,
        aspect=body.aspect,
        blocked=blocked,
        smoke=smoke,
    )
    return _act(call, ruling)


@route(
    "DELETE",
    "/api/rule/<firer>/<target>",
    "Go back to the measured figures of a pair",
    needs=Needs.PLAY,
    answer=models.Done,
    faults=(404,),
    tag="pairs",
)
def unrule(call: Call, firer: str, target: str) -> Answer:
    """What was entered is gone."""
    return _act(call, Unrule(firer, target))


@route(
    "POST",
    "/api/declare",
    "Declare fire, and so open a pair for measuring",
    needs=Needs.PLAY,
    body=models.Pair,
    answer=models.Done,
    faults=(404,),
    tag="pairs",
)
def declare(call: Call, body: models.Pair) -> Answer:
    """For all to see."""
    return _act(call, Declare(body.firer, body.target))


def _act(call: Call, action: Action) -> Answer:
    return {"seq": call.session.act(call.caller, action, key=call.key)}


def _yards(call: Call, value: float, unit: models.Unit) -> float:
    state = call.session.moment.state
    if unit is models.Unit.YARDS or not state.is_open:
        return value
    scale = Scale(state.yards_per_inch)
    inches = unit is models.Unit.INCHES
    return scale.yards_from_inches(value) if inches else scale.yards_from_mm(value)


_SIGHTS = {
    None: (None, None),
    "clear": (False, False),
    "smoke": (False, True),
    "blocked": (True, None),
}
"""Whether the sight is blocked, and whether smoke lies on it; None stays as measured."""
