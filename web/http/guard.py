"""The guard of every request: who asks, under which name, from which page, and how much.

A table answers only under the machine's own names, so that no name from elsewhere can be pointed
at it; it acts only for its own pages; and it knows a browser by a random cookie.
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
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.places import shorten
from web.auth.seats import Caller, NotSeated, Right
from web.faults import Fault, FaultResponse, fault_response
from web.files import LARGEST_BATTLE_BYTES
from web.http.context import server_context
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
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_KEPT_BY_BROWSERS: Final = frozenset({"static", "pages.font", "pages.favicon"})
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<name>[^:\[\]]+))(?::[0-9]{1,5})?")
_CAPTIONS: Final = frozenset({400, 401, 403, 404, 405, 413, 429, 500, 503})
"""The statuses that have a caption of their own."""


def attach(app: Flask) -> None:
    """Put the guard on an application."""
    # Larger bodies are for battles and photos alone; every other route says less.
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BATTLE_BYTES
    app.before_request(_check_request)
    app.after_request(_finish)
    for kind in (HTTPException, DreyerError, Exception):
        app.register_error_handler(kind, _fault)


# Who asks


def caller() -> Caller:
    """Who sends this request."""
    if "caller" not in g:
        g.caller = server_context().session.caller(_cookie())
        server_context().session.touch(g.caller)
    found: Caller = g.caller
    return found


def must_look() -> Caller:
    """The caller, if they may see the table at all."""
    found = caller()
    found.must_be_known()
    return found


def must_play() -> Caller:
    """The caller, if they may change the table."""
    return _must(Right.PLAY)


def must_host() -> Caller:
    """The caller, if they are the host."""
    return _must(Right.HOST)


def admit_local_host() -> bool:
    """Make the machine's own user the host; whether this request is theirs.

    It is when it comes from this machine to this machine: a page elsewhere cannot send one that
    does, since browsers say truly which host they ask for.
    """
    if not (_from_this_machine() and names_this_machine(request.host)):
        return False
    if not caller().host:
        set_cookie(server_context().session.with_seats(lambda seats: seats.host_cookie(_cookie())))
    return True


def set_cookie(cookie: str) -> None:
    """Let the browser keep this cookie; the caller is whom it belongs to from now on."""
    g.new_cookie = cookie
    g.caller = server_context().session.caller(cookie)


def client_address() -> str:
    """The address that this request comes from."""
    return request.remote_addr or ""


def cookie() -> str | None:
    """The cookie of this request, if it has one that can be ours."""
    return _cookie()


def names_this_machine(host: str) -> bool:
    """Whether a Host header means this very machine."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = (found["six"] or found["name"]).lower().removesuffix(".")
    return name == "localhost" or _is_loopback(name)


def is_own_host(header: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this machine: in figures, or by a name that is known."""
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


def _cookie() -> str | None:
    held: str | None = g.get("new_cookie") or request.cookies.get(COOKIE)
    return held if held and len(held) <= _LONGEST_COOKIE else None


def _from_this_machine() -> bool:
    return _is_loopback(client_address())


def _is_loopback(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


# The door


def _check_request() -> None:
    _check_name()
    if request.method in _SAFE or request.routing_exception is not None:
        return
    _check_origin()


def _check_name() -> None:
    """Answer under no name but the machine's own."""
    # Every browser says which host it asked for; only plain scripts may leave it out.
    header = request.environ.get("HTTP_HOST")
    if header is None or is_own_host(header, current_app.config["HOST_NAMES"]):
        return
    g.wrong_name = True
    raise Fault(
        400,
        Message("api.fault.host_name"),
    )


def _check_origin() -> None:
    """Act for no page but the table's own."""
    origin = request.headers.get("Origin")
    if origin is None:
        raise Fault(
            403,
            Message("api.fault.no_origin", address=request.host_url.rstrip("/")),
        )
    if not _same_place(origin, request.scheme, request.host):
        raise Fault(
            403,
            Message("api.fault.other_origin"),
        )


def _same_place(origin: str, scheme: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
        there = urlsplit(f"{scheme}://{host}")
        usual = 443 if scheme == "https" else 80
        same = (parts.hostname, parts.port or usual) == (there.hostname, there.port or usual)
        # An origin is scheme, host and port; anything more was not written by a browser.
        plain = "@" not in origin and origin.lower() == f"{scheme}://{parts.netloc}".lower()
    except ValueError:
        return False
    return same and plain


# Answers


def _finish(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if names_this_machine(request.host):
        # Browsers heed it at an address that they trust, and complain about it at any other.
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if request.endpoint not in _KEPT_BY_BROWSERS:
        # The table changes under the page; an old copy would settle nothing.
        response.headers["Cache-Control"] = "no-store"
    return with_cookie(response)


def with_cookie(response: Response) -> Response:
    """The answer with the cookie that the browser is to hold, if there is a new one."""
    held = g.pop("new_cookie", None)
    if held is not None:
        response.set_cookie(
            COOKIE, held, max_age=_COOKIE_SECONDS, httponly=True, samesite="Strict", path="/"
        )
    return response


def _fault(error: Exception) -> BaseResponse:
    if isinstance(error, HTTPException) and (error.code or 500) < 400:
        return error.get_response()
    answer = fault_response(error)
    if answer.status >= 500 and not isinstance(error, DreyerError | HTTPException):
        current_app.logger.error("unexpected: %s %s", request.method, request.path, exc_info=error)
    response = _answer_in_json(answer) if _is_api() else _answer_in_words(answer, error)
    if answer.wait is not None:
        response.headers["Retry-After"] = str(answer.wait)
    if isinstance(error, HTTPException) and answer.status == 405:
        allowed = getattr(error, "valid_methods", None)
        if allowed:
            response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def is_part() -> bool:
    """Whether a page that is open asks for what of it changes."""
    return "X-Part" in request.headers


def _is_api() -> bool:
    return request.path.startswith("/api/") or request.blueprint == "api"


def _answer_in_json(answer: FaultResponse) -> BaseResponse:
    return make_response(jsonify(answer.as_json()), answer.status)


def _answer_in_words(answer: FaultResponse, error: Exception) -> BaseResponse:
    if isinstance(error, NotSeated) and request.method in _SAFE:
        # Who has the page open had a seat a moment ago, and is told that it is gone.
        return redirect("/join?gone=1" if is_part() else "/join", code=303)
    caption = text(f"errors.caption.{answer.status if answer.status in _CAPTIONS else 400}")
    known: tuple[str, ...] = ()
    if g.get("wrong_name"):
        caption = text("errors.caption.wrong_name")
    elif isinstance(error, UnknownName) and error.kind != "ship":
        # The list is for the command line: a page's reader came by a link that is no longer right.
        caption = text("errors.caption.no_such", kind=Message(f"errors.kind.{error.kind}"))
        message = text("errors.caption.nothing_called", name=shorten(error.name))
        answer = FaultResponse(answer.status, str(message))
    elif isinstance(error, UnknownName):
        caption = text("errors.caption.no_ship")
        # The nearest name comes first, since it is most likely meant.
        known = tuple(sorted(error.known, key=lambda name: name != error.nearest)[:8])
    page = render_template(
        "layout/error.html", caption=caption, message=answer.message, known=known
    )
    return make_response(page, answer.status)
