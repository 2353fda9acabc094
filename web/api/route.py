"""One declaration for each address of the API: it makes the route and its description.

    @document
    class Where:
        x: Yards
        y: Yards

    @routes.route("POST", "/api/ships/<path:name>/place", "Put a ship down", needs=Needs.PLAY)
    def place(call: Call, body: Where, name: str) -> Done:
        ...
        return Done(seq=call.session.seq)

The types stand in the handler's signature and nowhere else: `body` is the request's JSON (or its
bytes), `query` what stands behind the question mark, the rest is from the address; what is returned
is served as JSON, unless it is a `Response`. A body's fields that stand in the address are taken
from there. Where a route does one action and no more, the action is all that need be said:

    routes.action("POST", "/api/ships/<path:name>/lift", "Take a ship off the table", LiftShip)

A module with such routes is named in `web.api.all_routes`. Faults are raised: a DreyerError is a
400, a `Fault` has its own status; all are answered as `{"error": {"message", "field"}}`.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar, get_type_hints

from flask import Response, request

from tabletop.documents import parse_json
from tabletop.errors import UnknownKey
from tabletop.messages import Message
from tabletop.places import NamedDocument, shorten
from tabletop.schema import Schema, keys_of
from web.actions.context import Action
from web.api.models import Done
from web.faults import Fault
from web.http import guard
from web.http.addresses import Address
from web.http.context import ServerContext, server_context
from web.strings import words

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from web.auth.seats import Caller
    from web.session import Session

Handler = TypeVar("Handler", bound=Callable[..., object])

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
    """The caller, the session and the key of a request, for its handler."""

    server_context: ServerContext
    caller: "Caller"
    key: str | None
    """The idempotency key: repeating it does not repeat the action."""

    @property
    def session(self) -> "Session":
        """The session."""
        return self.server_context.session

    def act(self, action: Action) -> Done:
        """Do an action; returns the number of the newest change."""
        return Done(seq=self.session.act(self.caller, action, key=self.key))


@dataclass(frozen=True)
class Route:
    """One method at one address."""

    method: str
    path: str
    summary: str
    handler: Callable[..., object]
    needs: Needs
    body: object
    """The type of its JSON body; None for no body, or bytes."""
    query: object
    answer: object
    """The type of its JSON response; None for others."""
    takes: tuple[str, ...]
    largest_bytes: int
    gives: str
    faults: tuple[int, ...]
    tag: str
    name: str
    """Its endpoint name in Flask."""
    operation: str
    """Its operation id, which does not change because scripts rely on it."""

    @property
    def writes(self) -> bool:
        """Whether it may change something."""
        return self.method != "GET"

    @property
    def has_json(self) -> bool:
        """Whether a request has a body of JSON; DELETE has none."""
        return self.body is not None and self.method != "DELETE"

    @cached_property
    def body_schema(self) -> Schema[object]:
        """The schema of its body."""
        return Schema(self.body)

    @cached_property
    def query_schema(self) -> Schema[object]:
        """The schema of its query."""
        return Schema(self.query)

    @cached_property
    def answer_schema(self) -> Schema[object]:
        """The schema of its response."""
        return Schema(self.answer)


class Routes:
    """The routes that one module declares, in their order."""

    def __init__(self) -> None:
        self._declared: list[Route] = []

    def __iter__(self) -> Iterator[Route]:
        return iter(self._declared)

    def addresses(self) -> Sequence[Address]:
        """The addresses of the routes, in their order."""
        return [
            Address(each.method, each.path, f"api.{each.name}", _view(each))
            for each in self._declared
        ]

    def route(
        self,
        method: str,
        path: str,
        summary: str,
        *,
        needs: Needs,
        takes: Iterable[str] = (),
        largest_bytes: int = guard.LARGEST_BODY_BYTES,
        gives: str = _JSON,
        faults: Iterable[int] = (),
        tag: str = "table",
        operation: str = "",
    ) -> Callable[[Handler], Handler]:
        """Declare a route of the API; see the module's docstring."""

        def declare(handler: Handler) -> Handler:
            hints = get_type_hints(handler, include_extras=True)
            body, answer = hints.get("body"), hints["return"]
            declared = Route(
                method=method,
                path=path,
                summary=summary,
                handler=handler,
                needs=needs,
                body=None if body is bytes else body,
                query=hints.get("query"),
                answer=None if answer is Response else answer,
                takes=tuple(takes),
                largest_bytes=largest_bytes,
                gives=gives,
                faults=tuple(faults),
                tag=tag,
                name=_name(handler),
                operation=operation or _name(handler),
            )
            self._declared.append(declared)
            return handler

        return declare

    def action(
        self,
        method: str,
        path: str,
        summary: str,
        action: type[Action],
        *,
        faults: Iterable[int] = (404,),
        tag: str = "table",
        operation: str = "",
    ) -> None:
        """Declare a route that does one action, which says whom it is for.

        The request is the action itself: its fields are those of the address and of the body.
        """

        def handler(call: Call, body: Action) -> Done:
            return call.act(body)

        handler.__module__, handler.__name__ = action.__module__, action.__name__
        handler.__annotations__["body"] = action
        needs = Needs(action.needs)
        declare = self.route(
            method, path, summary, needs=needs, faults=faults, tag=tag, operation=operation
        )
        declare(handler)


def _name(handler: Callable[..., object]) -> str:
    room = handler.__module__.removeprefix("web.").replace(".", "_")
    return f"{room}_{handler.__name__}"


def _view(declared: Route) -> Callable[..., Response]:
    def view(**places: object) -> Response:
        caller = _CHECKS[declared.needs]()
        given = dict(places)
        data = _body(declared) if declared.writes else b""
        if declared.takes:
            given["body"] = data
        elif declared.body is not None:
            given = _read_body(declared, data, places)
        if declared.query is not None:
            given["query"] = declared.query_schema.read_texts(_query(request.args))
        key = _key(declared, data) if declared.writes else None
        call = Call(server_context(), caller, key)

        def answer() -> Response:
            return _respond(declared, declared.handler(call, **given))

        if key is None:
            return answer()
        who = caller.token or guard.client_address()
        return server_context().answers.once(who, key, lambda: _held(answer()))

    return view


_CHECKS: Final = {
    Needs.NOBODY: guard.caller,
    Needs.LOOK: guard.must_look,
    Needs.PLAY: guard.must_play,
    Needs.HOST: guard.must_host,
}


def _body(declared: Route) -> bytes:
    """The body of a write request, after checks of its type and size."""
    expected = declared.takes or ((_JSON,) if declared.has_json else ())
    if expected and request.mimetype not in expected:
        raise Fault(415, Message("api.fault.content_type", expected=" or ".join(expected)))
    length = request.content_length
    if length is not None and length > declared.largest_bytes:
        raise _too_large(declared)
    data = request.get_data(cache=False)
    if len(data) > declared.largest_bytes:
        raise _too_large(declared)
    return data


def _too_large(declared: Route) -> Fault:
    return Fault(413, Message("api.fault.too_large", largest_bytes=declared.largest_bytes))


def _read_body(declared: Route, data: bytes, places: Mapping[str, object]) -> dict[str, object]:
    """The body, and the address parameters that are not in it."""
    document = parse_json(data, NamedDocument.REQUEST) if declared.has_json else {}
    known = keys_of(declared.body)
    in_address = {key: value for key, value in places.items() if key in known}
    if isinstance(document, Mapping) and in_address:
        for key in in_address:
            if key in document:
                raise UnknownKey("", key, [each for each in known if each not in in_address])
        document = {**document, **in_address}
    others = {key: value for key, value in places.items() if key not in in_address}
    return {**others, "body": declared.body_schema.check(document)}


def _query(args: "MultiDict[str, str]") -> dict[str, str]:
    """The query by key. Raises Fault for a repeated key."""
    for key, values in args.lists():
        if len(values) > 1:
            raise Fault(400, Message("api.fault.twice_in_address", key=shorten(key)), field=key)
    return args.to_dict()


def _key(declared: Route, data: bytes) -> str | None:
    """The caller's key for this request, combined with its content."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return None
    if not (8 <= len(given) <= _KEY_LETTERS and given.isascii() and given.isprintable()):
        raise Fault(400, Message("api.fault.idempotency_key", key_letters=_KEY_LETTERS))
    content = f"{given}\n{declared.method} {request.path}\n".encode() + data
    return hashlib.sha256(content).hexdigest()


def _respond(declared: Route, answer: object) -> Response:
    """The response as JSON."""
    if isinstance(answer, Response):
        return answer
    written = declared.answer_schema.adapter.dump_json(
        answer, by_alias=True, context={"words": words}
    )
    return Response(written, mimetype=_JSON)


def _held(response: Response) -> Response:
    """The response with its cookie, so that a repeated request gets it again."""
    return guard.with_cookie(response)
