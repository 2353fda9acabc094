"""Routes that run one action each.

`action_route(routes, "POST", "/api/ships/<path:name>/lift", "Take a ship off", LiftShip)`

The request is the action itself: its fields are those of the address and of the body.
"""

from collections.abc import Iterable

from web.actions.context import Action
from web.api.models import Done
from web.api.route import Call, Needs, Routes


def action_route(
    routes: Routes,
    method: str,
    path: str,
    summary: str,
    action: type[Action],
    *,
    faults: Iterable[int] = (404,),
    tag: str = "table",
    operation: str = "",
) -> None:
    """Declare a route that does one action; the action says whom it is for."""

    def handler(call: Call, body: Action) -> Done:
        return run_action(call, body)

    handler.__module__, handler.__name__ = action.__module__, action.__name__
    handler.__annotations__["body"] = action
    needs = Needs(action.needs)
    declare = routes.route(
        method, path, summary, needs=needs, faults=faults, tag=tag, operation=operation
    )
    declare(handler)


def run_action(call: Call, action: Action) -> Done:
    """Do an action, and say what the newest change is."""
    return Done(seq=call.session.act(call.caller, action, key=call.key))
