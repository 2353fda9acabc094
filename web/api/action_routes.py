"""Routes that do one action and no more: the action is all that need be said.

acts("POST", "/api/ships/<path:name>/lift", "Take a ship off the table", LiftShip, body=Nothing)
"""

from collections.abc import Callable, Iterable
from typing import Any

from web.actions.context import Action
from web.api.models import Done
from web.api.route import Answer, Call, Model, Needs, route
from web.auth.seats import Right


def acts(
    method: str,
    path: str,
    summary: str,
    make: Callable[..., Action],
    *,
    needs: Needs | None = None,
    body: type[Model] | None = None,
    faults: Iterable[int] = (404,),
    tag: str = "table",
    operation: str = "",
) -> None:
    """Declare a route that does one action, made of the address's and the body's fields."""

    def handler(call: Call, body: Model | None = None, **fields: Any) -> Answer:
        said = {name: getattr(body, name) for name in type(body).model_fields} if body else {}
        action = make(**fields, **said)
        return Done(seq=call.session.act(call.caller, action, key=call.key))

    handler.__module__, handler.__name__ = make.__module__, make.__name__
    # An action says by itself whom it is for; a function that makes one is for players.
    who = needs or Needs(getattr(make, "needs", Right.PLAY))
    route(
        method, path, summary, needs=who, body=body, answer=Done, faults=faults, tag=tag,
        operation=operation,
    )(handler)  # fmt: skip
