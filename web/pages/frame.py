"""The frame of every page: what all templates have."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from flask import Response, current_app, g, redirect, render_template, request, send_file
from markupsafe import Markup
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from web.auth.seats import Caller
from web.drawing.figures import Drawing
from web.drawing.fonts import Face
from web.drawing.png import png_from_svg
from web.drawing.silhouettes import KINDS, silhouette
from web.drawing.svg import inline_svg, svg_figures
from web.http import guard
from web.http.addresses import Pages
from web.http.languages import LANGUAGE_COOKIE, languages_offered
from web.http.units import UNIT_COOKIE, chosen_unit
from web.owner.cards.files import has_cards
from web.sides import SideViews
from web.strings import (
    cited,
    data_words,
    forgiving_text,
    json_words,
    page_strings,
    row_words,
    sentence,
    shown,
    signed,
    strong,
    text,
)
from web.views.lists import UNITS

if TYPE_CHECKING:
    from jinja2 import Environment

_THEME_COOKIE: Final = "theme"
_A_YEAR_SECONDS: Final = 365 * 24 * 3600
_FOR_A_DAY: Final = "public, max-age=86400"
_THEMES: Final = ("auto", "light", "dark")
_TABS: Final = (
    ("/table", "chart", "chart"),
    ("/battle", "battle", "battle"),
    ("/ships", "ships", "ships"),
    ("/calculator", "calculator", "calculator"),
    ("/log", "log", "log"),
)
_HOST_TAB: Final = ("/host", "host", "host")


routes: Final = Pages(__name__)


def set_up(environment: "Environment") -> None:
    """Give templates their functions and filters."""
    environment.trim_blocks = True
    environment.lstrip_blocks = True
    environment.finalize = shown
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "default": json_words}
    environment.globals.update(
        t=_words,
        strong=strong,
        page_strings=page_strings,
        drawn=inline_svg,
        ship_figures=_ship_figures,
        ship_kinds=KINDS,
        figures_of=_figures_of,
        has_cards=has_cards,
    )
    environment.filters.update(
        sentence=sentence, cited=cited, data=data_words, signed=signed, label=row_words
    )


def variables() -> dict[str, object]:
    """The template variables of every page."""
    # A request with a wrong host name has no caller.
    caller = None if g.get("wrong_name") else guard.caller()
    known = caller is not None and caller.known
    session = guard.server_context().session
    sides = SideViews(session.moment.state.sides)
    return {
        "battle_key": session.battle_key,
        "table_sides": sides,
        "theme": _theme(),
        "languages": languages_offered(),
        "unit": chosen_unit(),
        "you": _you(caller, sides) if caller is not None and known else None,
        "tabs": (*_TABS, _HOST_TAB) if caller is not None and caller.host else _TABS,
    }


def _words(key: str, /, **values: object) -> str:
    """The string of a key; a missing one is an error in tests and shows the key to players."""
    return (text if current_app.testing else forgiving_text)(key, **values)


def _you(caller: Caller, sides: SideViews) -> dict[str, object]:
    seat = caller.seat
    if seat is None:
        words = text("common.you_host")
    else:
        role = text(f"common.role_{seat.role}")
        side = sides[seat.side].name if seat.side else ""
        words = text("common.you_seated", role=role, side=side) if side else role
    return {
        "host": caller.host,
        "seat": seat.id if seat else None,
        "name": seat.name if seat else "",
        "side": seat.side if seat else None,
        "may_play": caller.may_play,
        "side_badge": sides[seat.side] if seat and seat.side else None,
        "words": words,
    }


def _theme() -> str:
    chosen = request.cookies.get(_THEME_COOKIE)
    return chosen if chosen in _THEMES else "auto"


@cache
def _ship_figures(key: str, colour: str = "currentColor", *, fine: bool = True) -> Markup:
    """A ship's silhouette as a symbol of the page."""
    return svg_figures(silhouette(key, colour, fine=fine))


def _figures_of(drawing: Drawing) -> Markup:
    """What a drawing has, for a larger one."""
    return svg_figures(drawing.items)


# Pages of the frame itself


@routes.get("/menu")
def menu() -> BaseResponse | str:
    """The menu as a page, which also stores its choices."""
    theme, unit = request.args.get("theme"), request.args.get("unit")
    language = request.args.get("language")
    is_known = language in languages_offered()
    if theme not in _THEMES and unit not in UNITS and not is_known:
        return render_template("layout/menu.html", here=_local(request.args.get("back")))
    response = redirect(_local(request.args.get("back")), code=303)
    if theme in _THEMES:
        _remember(response, _THEME_COOKIE, theme)
    if unit in UNITS:
        _remember(response, UNIT_COOKIE, unit)
    if language is not None and is_known:
        _remember(response, LANGUAGE_COOKIE, language)
    return response


@routes.get("/fonts/<name>")
def font(name: str) -> Response:
    """One of the two typefaces, from the package that provides it."""
    if name not in set(Face):
        raise NotFound
    return send_file(Face(name).path, mimetype="font/ttf", max_age=_A_YEAR_SECONDS)


@routes.get("/favicon.ico")
def favicon() -> Response:
    """The icon at the address where browsers look for it."""
    return Response(_mark_png(), mimetype="image/png", headers={"Cache-Control": _FOR_A_DAY})


def _remember(response: BaseResponse, cookie: str, value: str) -> None:
    response.set_cookie(cookie, value, max_age=_A_YEAR_SECONDS, httponly=True, samesite="Lax")


def _local(path: str | None) -> str:
    """A path on this server to return to; anything else is ignored."""
    if not path or not path.startswith("/") or path.startswith("//") or "\\" in path:
        return "/"
    return path if path.isprintable() else "/"


@cache
def _mark_png() -> bytes:
    mark = files("web") / "static" / "mark.svg"
    return png_from_svg(mark.read_text(encoding="utf-8"), width=64)
