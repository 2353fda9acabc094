"""The pages: the table with its check panel, the pictures to take away, and friendly errors."""

import ipaddress
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as BaseResponse

from combat.scene import Scene
from tabletop.errors import DreyerError, UnknownName
from tabletop.survey import PairCheck, Survey, survey
from web.chart import draw_chart
from web.lettering import Face, font_path
from web.panel import choices, matrix, pair_in_words, ranges_from
from web.picture import png_from_svg
from web.sheet import PHONE, WIDE

if TYPE_CHECKING:
    from web.scenes import SceneSource
    from web.theme import Theme

THEME_COOKIE = "theme"
_A_YEAR_SECONDS = 365 * 24 * 3600
_FOR_A_DAY = "public, max-age=86400"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_HOST = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<name>[^:\[\]]+))(?::[0-9]{1,5})?")
_CAPTIONS = {
    404: "Not on this chart",
    405: "That cannot be done here",
    500: "Something broke on our side",
}

pages = Blueprint("pages", __name__)


class UnreadableTable(Exception):
    """The table itself cannot be shown; the text says what to put right."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a request asks to see: a table, who looks, and at whom."""

    scene: Scene
    result: Survey
    firer: str | None
    target: str | None

    @property
    def looking(self) -> str:
        """The ship whose view is shown: the firer, or the first ship while none is chosen."""
        return self.firer or self.scene.table.names[0]

    @property
    def check(self) -> PairCheck | None:
        """The pair, once both are chosen."""
        return self.result[self.looking, self.target] if self.target else None

    def tap(self, name: str) -> str:
        """Where a tap on a ship leads: first who looks, then at whom; herself again starts over."""
        if self.firer is None:
            return url_for("pages.table", firer=name)
        if name == self.firer:
            return url_for("pages.table")
        return url_for("pages.table", firer=self.firer, target=name)


def attach(app: Flask) -> None:
    """Put the pages, the error pages and the headers on an application."""
    app.register_blueprint(pages)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(UnknownName, _unknown_ship)
    app.register_error_handler(DreyerError, _wrong_request)
    app.register_error_handler(UnreadableTable, _unreadable_table)
    app.before_request(_only_own_names)
    app.after_request(_with_headers)


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


def _only_own_names() -> BaseResponse | None:
    """Answer under no name but the machine's own."""
    # Every browser says which host it asked for; only plain scripts may leave it out.
    header = request.environ.get("HTTP_HOST")
    if header is None or is_own_host(header, current_app.config["HOST_NAMES"]):
        return None
    return _error_page(
        400,
        "Not under this name",
        "The table does not answer under this name. Open it at the address that "
        "“dreyer serve” printed, at localhost, or at the machine's address in figures.",
    )


@pages.get("/")
def table() -> BaseResponse | str:
    """The table with its check panel."""
    wanted = request.args.get("theme")
    if wanted in ("light", "dark"):
        return _remember_theme(wanted)
    look = _look()
    same_ship = look.firer is not None and look.firer == look.target
    if same_ship:
        look = Look(look.scene, look.result, look.firer, None)
    check = look.check
    return render_template(
        "table.html",
        look=look,
        same_ship=same_ship,
        choices=choices(look.scene),
        pair=pair_in_words(look.scene, look.result, check) if check else None,
        ranges=ranges_from(look.scene, look.result, look.looking),
        matrix=matrix(look.scene, look.result),
        charts=_inline_charts(look),
        **_theme_links(),
    )


@pages.get("/chart.svg")
def chart_svg() -> Response:
    """The chart as a file, to keep or to send."""
    return Response(_picture(), mimetype="image/svg+xml")


@pages.get("/chart.png")
def chart_png() -> Response:
    """The chart as a picture that any phone can show."""
    return Response(png_from_svg(_picture()), mimetype="image/png")


@pages.get("/fonts/<name>")
def font(name: str) -> Response:
    """One of the two typefaces, from the package that brings it; nothing comes from outside."""
    if name not in set(Face):
        raise NotFound
    return send_file(font_path(Face(name)), mimetype="font/ttf", max_age=_A_YEAR_SECONDS)


@pages.get("/favicon.ico")
def favicon() -> Response:
    """The mark, where browsers look for it unasked."""
    return Response(_mark_png(), mimetype="image/png", headers={"Cache-Control": _FOR_A_DAY})


@pages.get("/healthz")
def health() -> dict[str, str]:
    """Whether the server is ready, for scripts."""
    return {"status": "ok"}


@cache
def _mark_png() -> bytes:
    mark = Path(__file__).with_name("static") / "mark.svg"
    return png_from_svg(mark.read_text(encoding="utf-8"), width=64)


def _look() -> Look:
    source = cast("SceneSource", current_app.config["SCENE_SOURCE"])
    try:
        scene = source()
        result = survey(scene.table, scene.ruleset.table_rules)
    except DreyerError as error:
        raise UnreadableTable(str(error)) from error
    firer, target = (request.args.get(key) or None for key in ("firer", "target"))
    for name in (firer, target):
        if name is not None and name not in scene.table.names:
            raise UnknownName("this table", "ship", name, scene.table.names)
    return Look(scene, result, firer, target)


def _inline_charts(look: Look) -> dict[str, Markup]:
    """The chart in two shapes, of which the stylesheet shows the one that fits the screen."""
    return {
        key: Markup(  # noqa: S704  # The chart's own template escapes every name.
            draw_chart(
                look.scene,
                look.result,
                firer=look.looking,
                target=look.target,
                theme="page",
                format_=format_,
                finding=False,
                link=look.tap,
                id_prefix=key,
            )
        )
        for key, format_ in (("phone", PHONE), ("wide", WIDE))
    }


def _picture() -> str:
    look = _look()
    asked = request.args.get("theme")
    theme: Theme = "light" if (asked or _chosen_theme()) == "light" else "dark"
    format_ = WIDE if request.args.get("shape") == "wide" else PHONE
    return draw_chart(
        look.scene,
        look.result,
        firer=look.firer,
        target=look.target,
        theme=theme,
        format_=format_,
    )


def _chosen_theme() -> Literal["light", "dark", "auto"]:
    chosen = request.cookies.get(THEME_COOKIE)
    if chosen == "light":
        return "light"
    return "dark" if chosen == "dark" else "auto"


def _remember_theme(theme: str) -> BaseResponse:
    response = redirect(_table_url(), code=303)
    response.set_cookie(THEME_COOKIE, theme, max_age=_A_YEAR_SECONDS, httponly=True, samesite="Lax")
    return response


def _table_url(theme: str | None = None) -> str:
    """This table with the same ships, and the theme to change to."""
    firer, target = request.args.get("firer"), request.args.get("target")
    return url_for("pages.table", firer=firer, target=target, theme=theme)


def _theme_links() -> dict[str, str]:
    return {
        "theme": _chosen_theme(),
        "to_light": _table_url("light"),
        "to_dark": _table_url("dark"),
    }


def _error_page(
    status: int, caption: str, message: str, *, known: tuple[str, ...] = ()
) -> BaseResponse:
    links = {
        "theme": _chosen_theme(),
        "to_light": url_for("pages.table", theme="light"),
        "to_dark": url_for("pages.table", theme="dark"),
    }
    page = render_template("error.html", caption=caption, message=message, known=known, **links)
    return make_response(page, status)


def _http_error(error: HTTPException) -> BaseResponse:
    status = error.code or 500
    if status < 400:
        return error.get_response()
    message = (
        "There is no page at this address."
        if status == 404
        else error.description or "The request could not be answered."
    )
    response = _error_page(status, _CAPTIONS.get(status, error.name), message)
    if status == 405:
        response.headers.extend(error.get_headers())
        response.mimetype = "text/html"
    return response


def _unknown_ship(error: UnknownName) -> BaseResponse:
    # The nearest name comes first, since it is most likely meant.
    known = sorted(error.known, key=lambda name: name != error.nearest)[:8]
    return _error_page(404, "No such ship on this table", str(error), known=tuple(known))


def _wrong_request(error: DreyerError) -> BaseResponse:
    return _error_page(400, "That cannot be measured", str(error))


def _unreadable_table(error: UnreadableTable) -> BaseResponse:
    return _error_page(503, "The table cannot be read", str(error))


def _with_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint not in ("static", "pages.font", "pages.favicon"):
        # The table changes under the page; an old copy would settle nothing.
        response.headers["Cache-Control"] = "no-store"
    return response
