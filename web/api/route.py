"""One declaration for each address of the API: it makes the route and its documentation.

    class Where(Model):
        x: Yards
        y: Yards

    @route("POST", "/api/ships/<path:name>/place", "Put a ship down", needs=Needs.PLAY, body=Where)
    def place(call: Call, body: Where, name: str) -> Answer:
        ...
        return {"seq": call.session.seq}

Where a route does one action and no more, `web.api.action_routes` says it in one line.

A module with such routes is named in `web.api.all_routes`. Faults are raised: a DreyerError is a
400, a `Fault` has its own status; all are answered as `{"error": {"message", "field"}}`.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from flask import Blueprint, Response, request
from pydantic import BaseModel
from pydantic import ValidationError as NotValid

from web.api.reading import Model, Query, read_json, read_query, say_fault
from web.faults import Fault
from web.http import guard
from web.http.context import Running, running

if TYPE_CHECKING:
    from web.auth.seats import Caller
    from web.session import Session

__all__ = ["Answer", "Call", "Model", "Needs", "Query", "Route", "route", "routes"]

Answer = Mapping[str, object] | BaseModel | Response
Handler = TypeVar("Handler", bound=Callable[..., Answer])

_JSON: Final = "application/json"
_KEY_LETTERS: Final = 100


class Needs(StrEnum):
    """Who may use a route."""

    NOBODY = "nobody"
    LOOK = "look"
    """The host or any seat."""
    PLAY = "play"
    """The host, a player or an umpire."""
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Call:
    """What every handler is given: who asks, and what there is."""

    running: Running
    caller: "Caller"
    key: str | None
    """The same for a request that is sent again; what is done under it is done once."""

    @property
    def session(self) -> "Session":
        """The table."""
        return self.running.session


@dataclass(frozen=True, slots=True)
class Route:
    """One method at one address."""

    method: str
    path: str
    summary: str
    handler: Callable[..., Answer]
    needs: Needs
    body: type[Model] | None
    query: type[Query] | None
    answer: type[BaseModel] | None
    takes: tuple[str, ...]
    largest_bytes: int
    gives: str
    faults: tuple[int, ...]
    tag: str
    name: str
    """Its name for Flask."""
    operation: str
    """Its id in the documentation: a word that stays where scripts rely on it."""

    @property
    def writes(self) -> bool:
        """Whether it may change something."""
        return self.method != "GET"


_ROUTES: Final[list[Route]] = []


def route(
    method: str,
    path: str,
    summary: str,
    *,
    needs: Needs,
    body: type[Model] | None = None,
    query: type[Query] | None = None,
    answer: type[BaseModel] | None = None,
    takes: Iterable[str] = (),
    largest_bytes: int = guard.LARGEST_BODY_BYTES,
    gives: str = _JSON,
    faults: Iterable[int] = (),
    tag: str = "table",
    operation: str = "",
) -> Callable[[Handler], Handler]:
    """Declare a route of the API; see the module's first words."""

    def declare(handler: Handler) -> Handler:
        declared = Route(
            method=method,
            path=path,
            summary=summary,
            handler=handler,
            needs=needs,
            body=body,
            query=query,
            answer=answer,
            takes=tuple(takes),
            largest_bytes=largest_bytes,
            gives=gives,
            faults=tuple(faults),
            tag=tag,
            name=_name(handler),
            operation=operation or _name(handler),
        )
        _ROUTES.append(declared)
        return handler

    return declare


def _name(handler: Callable[..., Answer]) -> str:
    room = handler.__module__.removeprefix("web.").replace(".", "_")
    return f"{room}_{handler.__name__}"


def routes() -> tuple[Route, ...]:
    """Everything that has been declared."""
    return tuple(_ROUTES)


def blueprint() -> Blueprint:
    """All declared routes for one application."""
    api = Blueprint("api", __name__)
    for declared in _ROUTES:
        api.add_url_rule(
            declared.path,
            endpoint=declared.name,
            view_func=_view(declared),
            methods=[declared.method],
        )
    return api


def _view(declared: Route) -> Callable[..., Response]:
    def view(**places: Any) -> Response:
        caller = _CHECKS[declared.needs]()
        given = dict(places)
        data = _body(declared) if declared.writes else b""
        if declared.takes:
            given["body"] = data
        elif declared.body is not None:
            given["body"] = _read(declared.body, lambda: read_json(data))
        if declared.query is not None:
            given["query"] = _read(declared.query, lambda: read_query(request.args))
        key = _key(declared, data) if declared.writes else None
        call = Call(running(), caller, key)
        if key is None:
            return _respond(declared.handler(call, **given))
        who = caller.token or guard.peer()
        return running().answers.once(
            who, key, lambda: _held(_respond(declared.handler(call, **given)))
        )

    return view


_CHECKS: Final = {
    Needs.NOBODY: guard.caller,
    Needs.LOOK: guard.must_look,
    Needs.PLAY: guard.must_play,
    Needs.HOST: guard.must_host,
}


def _body(declared: Route) -> bytes:
    """The body of a write, of a kind and a size that this route takes."""
    expected = declared.takes or ((_JSON,) if declared.body is not None else ())
    if expected and request.mimetype not in expected:
        raise Fault(415, f"Expected a body of {' or '.join(expected)}; set Content-Type to it")
    length = request.content_length
    if length is not None and length > declared.largest_bytes:
        raise _too_large(declared)
    data = request.get_data(cache=False)
    if len(data) > declared.largest_bytes:
        raise _too_large(declared)
    return data


def _too_large(declared: Route) -> Fault:
    return Fault(413, f"Expected at most {declared.largest_bytes:,} bytes: send less")


def _read(model: type[BaseModel], data: Callable[[], object]) -> BaseModel:
    try:
        return model.model_validate(data())
    except NotValid as error:
        words, field = say_fault(error)
        raise Fault(400, words, field=field) from None


def _key(declared: Route, data: bytes) -> str | None:
    """The caller's key for this very request: the same key with other data is another."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return None
    if not (8 <= len(given) <= _KEY_LETTERS and given.isascii() and given.isprintable()):
        raise Fault(400, f"Idempotency-Key: expected 8 to {_KEY_LETTERS} plain characters")
    said = f"{given}\n{declared.method} {request.path}\n".encode() + data
    return hashlib.sha256(said).hexdigest()


def _respond(answer: Answer) -> Response:
    if isinstance(answer, Response):
        return answer
    if isinstance(answer, BaseModel):
        return Response(answer.model_dump_json(by_alias=True), mimetype=_JSON)
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, mimetype=_JSON)


def _held(response: Response) -> Response:
    """The answer together with a cookie that goes with it, so that a repeat brings it again."""
    return guard.with_cookie(response)
