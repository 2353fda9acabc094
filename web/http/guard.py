"""Checks of every request: its caller, host name, origin and size.

The server answers only under the machine's own names, which prevents DNS rebinding; it acts only
for its own pages; and it identifies a browser by a random cookie.
"""

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

from flask import (
    Flask,
    Response,
    current_app,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
)
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    RequestEntityTooLarge,
    RequestHeaderFieldsTooLarge,
)
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as BaseResponse

from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.places import shorten
from web.auth.seats import Caller, NotSeated, Right
from web.faults import Fault, FaultResponse, fault_response
from web.files import LARGEST_BATTLE_BYTES
from web.http import fog
from web.http.context import server_context
from web.server import wsgi
from web.server.ports import SERVER_NAME
from web.strings import text

__all__ = [
    "Fault",
    "admit_local_host",
    "attach",
    "caller",
    "client_address",
    "cookie",
    "is_own_host",
    "must_host",
    "must_look",
    "must_play",
    "names_this_machine",
    "server_context",
    "set_cookie",
    "with_cookie",
]

COOKIE: Final = "dreyer"
LARGEST_BODY_BYTES: Final = 65_536
_COOKIE_SECONDS: Final = 60 * 24 * 3600
_LONGEST_COOKIE: Final = 200
_BODY_WAIT_SECONDS: Final = 2
_ELSEWHERE: Final = frozenset({"cross-site", "same-site"})
"""What browsers send in Sec-Fetch-Site for requests of other sites' pages."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_CACHED_ENDPOINTS: Final = frozenset({"static", "frame.font", "frame.favicon"})
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "Server": SERVER_NAME,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<name>[^:\[\]]+))(?::[0-9]{1,5})?")
_CAPTIONS: Final = frozenset({400, 401, 403, 404, 405, 413, 429, 500, 503})
"""The statuses that have their own caption."""


def attach(app: Flask) -> None:
    """Attach the guard to an application."""
    # Only battles and photos need larger bodies; other routes have lower limits.
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BATTLE_BYTES
    app.before_request(_check_request)
    app.after_request(_finish_response)
    for kind in (HTTPException, DreyerError, Exception):
        app.register_error_handler(kind, _handle_error)


# Callers


def caller() -> Caller:
    """The caller of this request."""
    if "caller" not in g:
        g.caller = server_context().session.caller(cookie())
        server_context().session.touch(g.caller)
    found: Caller = g.caller
    return found


def must_look() -> Caller:
    """The caller. Raises NotSeated if they may not see the table."""
    found = caller()
    found.must_be_known()
    return found


def must_play() -> Caller:
    """The caller. Raises Forbidden if they may not change the table."""
    return _must(Right.PLAY)


def must_host() -> Caller:
    """The caller. Raises Forbidden if they are not the host."""
    return _must(Right.HOST)


def admit_local_host() -> bool:
    """Make the machine's own user the host; returns whether this request is theirs.

    It is if it comes from this machine and its Host header names this machine: a browser always
    sends the real host name, so a page from elsewhere cannot send such a request. What such a page
    fetches without showing it is not the user's, either: each would make a new session.
    """
    if not (_from_this_machine() and names_this_machine(request.host)):
        return False
    if request.headers.get("Sec-Fetch-Site") in _ELSEWHERE and not _is_shown():
        return False
    if not caller().host:
        set_cookie(server_context().session.with_seats(lambda seats: seats.host_cookie(cookie())))
    return True


def _is_shown() -> bool:
    """Whether the response becomes a page of its own, as after a link was followed."""
    headers = request.headers
    navigates = headers.get("Sec-Fetch-Mode") == "navigate"
    return navigates and headers.get("Sec-Fetch-Dest") == "document"


def set_cookie(value: str) -> None:
    """Set this cookie in the response; from now on the caller is the cookie's owner."""
    g.new_cookie = value
    g.caller = server_context().session.caller(value)


def client_address() -> str:
    """The address that this request comes from."""
    return request.remote_addr or ""


def cookie() -> str | None:
    """The cookie of this request, if it has a valid form."""
    value: str | None = g.get("new_cookie") or request.cookies.get(COOKIE)
    return value if value and len(value) <= _LONGEST_COOKIE else None


def cookie_in(header: str) -> str | None:
    """The cookie in a Cookie header, if it has a valid form."""
    value = parse_cookie(header).get(COOKIE)
    return value if value and len(value) <= _LONGEST_COOKIE else None


def names_this_machine(host: str) -> bool:
    """Whether a Host header names this very machine."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = (found["six"] or found["name"]).lower().removesuffix(".")
    return name == "localhost" or _is_loopback(name)


def is_own_host(header: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this machine, by an address or by a known name."""
    found = _HOST.fullmatch(header)
    if found is None:
        return False
    if found["name"] and found["name"].lower().removesuffix(".") in names:
        return True
    try:
        ipaddress.ip_address(found["six"] or found["name"])
    except ValueError:
        return False
    return True


def _must(right: Right) -> Caller:
    found = caller()
    found.must(right)
    return found


def _from_this_machine() -> bool:
    return _is_loopback(client_address())


def _is_loopback(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


# Checks before each request


def _check_request() -> None:
    _check_name()
    _check_body()
    if request.routing_exception is None and request.endpoint not in fog.OPEN:
        fog.check_open(request.endpoint, server_context().session.moment, caller())
    if request.method in _SAFE or request.routing_exception is not None:
        return
    _check_origin()


def _check_name() -> None:
    """Refuse requests for a host name that is not this machine's."""
    # Every browser sends a Host header; only scripts may omit it.
    header = request.environ.get("HTTP_HOST")
    if header is None or is_own_host(header, current_app.config["HOST_NAMES"]):
        return
    g.wrong_name = True
    raise Fault(
        400,
        Message("api.fault.host_name"),
    )


def _check_body() -> None:
    """Refuse a request whose body the server has not read."""
    match request.environ.get(wsgi.BODY_REFUSED):
        case wsgi.STRANGER:
            raise NotSeated("join.fault.not_seated")
        case wsgi.BUSY:
            raise Fault(429, Message("api.fault.one_body"), wait=_BODY_WAIT_SECONDS)
        case wsgi.TOO_LARGE:
            raise RequestEntityTooLarge
        case wsgi.HEADER_TOO_LARGE:
            raise RequestHeaderFieldsTooLarge
        case wsgi.MALFORMED:
            raise BadRequest


def _check_origin() -> None:
    """Refuse changes that are sent by a page from elsewhere."""
    origin = request.headers.get("Origin")
    if origin is None:
        raise Fault(
            403,
            Message("api.fault.no_origin", address=request.host_url.rstrip("/")),
        )
    if not _is_same_origin(origin, request.scheme, request.host):
        raise Fault(
            403,
            Message("api.fault.other_origin"),
        )


def _is_same_origin(origin: str, scheme: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
        there = urlsplit(f"{scheme}://{host}")
        usual = 443 if scheme == "https" else 80
        same = (parts.hostname, parts.port or usual) == (there.hostname, there.port or usual)
        # A browser's origin consists of scheme, host and port only.
        plain = "@" not in origin and origin.lower() == f"{scheme}://{parts.netloc}".lower()
    except ValueError:
        return False
    return same and plain


# Responses


def _finish_response(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if names_this_machine(request.host):
        # Browsers use it on trusted addresses only, and log a warning on others.
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if request.endpoint not in _CACHED_ENDPOINTS:
        # The table changes, so pages must not be cached.
        response.headers["Cache-Control"] = "no-store"
    return with_cookie(response)


def with_cookie(response: Response) -> Response:
    """The response with a new cookie, if there is one."""
    value = g.pop("new_cookie", None)
    if value is not None:
        response.set_cookie(
            COOKIE, value, max_age=_COOKIE_SECONDS, httponly=True, samesite="Strict", path="/"
        )
    return response


def _handle_error(error: Exception) -> BaseResponse:
    if isinstance(error, HTTPException) and (error.code or 500) < 400:
        return error.get_response()
    answer = fault_response(error)
    if answer.status >= 500 and not isinstance(error, DreyerError | HTTPException):
        current_app.logger.error("unexpected: %s %s", request.method, request.path, exc_info=error)
    response = _json_response(answer) if _is_api() else _page_response(answer, error)
    if answer.wait is not None:
        response.headers["Retry-After"] = str(answer.wait)
    if isinstance(error, HTTPException) and answer.status == 405:
        allowed = getattr(error, "valid_methods", None)
        if allowed:
            response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def is_part() -> bool:
    """Whether an open page requests the part of it that changes."""
    return "X-Part" in request.headers


def _is_api() -> bool:
    return request.path.startswith("/api/") or request.blueprint == "api"


def _json_response(answer: FaultResponse) -> BaseResponse:
    return make_response(jsonify(answer.as_json()), answer.status)


def _page_response(answer: FaultResponse, error: Exception) -> BaseResponse:
    if isinstance(error, NotSeated) and request.method in _SAFE:
        # The browser had a seat until recently, so it is told that the seat is gone.
        return redirect("/join?gone=1" if is_part() else "/join", code=303)
    caption = text(f"errors.caption.{answer.status if answer.status in _CAPTIONS else 400}")
    known: tuple[str, ...] = ()
    if g.get("wrong_name"):
        caption = text("errors.caption.wrong_name")
    elif isinstance(error, UnknownName) and error.kind != "ship":
        # The list of known names is for the command line; a reader of a page followed an outdated
        # link.
        caption = text("errors.caption.no_such", kind=Message(f"errors.kind.{error.kind}"))
        message = text("errors.caption.nothing_called", name=shorten(error.name))
        answer = FaultResponse(answer.status, str(message))
    elif isinstance(error, UnknownName):
        caption = text("errors.caption.no_ship")
        # The most similar name comes first.
        known = tuple(sorted(error.known, key=lambda name: name != error.nearest)[:8])
    page = render_template(
        "layout/error.html", caption=caption, message=answer.message, known=known
    )
    return make_response(page, answer.status)
