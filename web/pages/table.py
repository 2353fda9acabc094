"""The pages of the table: joining, the host's screen, the table, ships, sides, log.

Each view asks the guard for the caller, makes the caller's view and renders a template. Parts that
change while a page is open have an address of their own and are fetched again.
"""

from functools import cache
from importlib.resources import files
from typing import Final

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    redirect,
    render_template,
    request,
    send_file,
)
from markupsafe import Markup
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from combat.participants import SideColour, SideShape
from combat.sides import MOST_SIDES
from web.api.tables_summary import tables_seen
from web.auth.seats import Caller
from web.camera.setup_view import CameraPicture, camera_picture
from web.drawing.figures import Drawing
from web.drawing.fonts import Face
from web.drawing.png import png_from_svg
from web.drawing.silhouettes import KINDS, silhouette
from web.drawing.svg import inline_svg, svg_figures
from web.http import guard
from web.http.languages import LANGUAGE_COOKIE, languages_offered
from web.http.units import UNIT_COOKIE, chosen_unit
from web.pages.battle import bar_for
from web.sides import SideViews
from web.strings import (
    cited,
    data_words,
    forgiving_text,
    page_strings,
    sentence,
    signed,
    strong,
    text,
)
from web.views import lists
from web.views.fog import log_seen, seen_moment
from web.views.table import TableView, newcomers_for, proposals_for, sides_to_join, view_for
from web.views.television import replay_switch

THEME_COOKIE: Final = "theme"
_THEMES: Final = ("auto", "light", "dark")
_A_YEAR_SECONDS: Final = 365 * 24 * 3600
_FOR_A_DAY: Final = "public, max-age=86400"
_TABS: Final = (
    ("/table", "chart", "chart"),
    ("/battle", "battle", "battle"),
    ("/ships", "ships", "ships"),
    ("/calculator", "calculator", "calculator"),
    ("/log", "log", "log"),
)
_HOST_TAB: Final = ("/host", "host", "host")
_MARKED: Final = {"decided", "reopened", "ruled", "unruled", "declared"}
_LOG_ICONS: Final = {
    "ships_placed": "hand",
    "ship_follows": "camera",
    "ship_lifted": "lift",
    "ship_added": "plus",
    "ship_removed": "trash",
    "smoke_laid": "smoke",
    "smoke_cleared": "smoke",
    "decided": "doubt",
    "reopened": "doubt",
    "ruled": "edit",
    "unruled": "edit",
    "declared": "signal",
    "premeasure": "umpire",
    "joined": "seat",
    "left": "leave",
    "table_opened": "chart",
    "table_sized": "fit",
    "sides_set": "ships",
    "ship_sided": "ships",
}
_LOG_FILTERS: Final = {
    "all": None,
    "decisions": frozenset({"decided", "reopened", "declared", "premeasure"}),
    "hand": frozenset({"ships_placed", "ship_follows", "ship_lifted", "ruled", "unruled"}),
    "people": frozenset({"joined", "left"}),
}
_LOG_LINES: Final = 400

pages = Blueprint("pages", __name__)


def attach(app: Flask) -> None:
    """Attach the pages to an application."""
    app.register_blueprint(pages)
    app.context_processor(_shell)
    app.jinja_env.globals.update(t=_words, strong=strong, page_strings=page_strings)
    app.jinja_env.globals.update(drawn=inline_svg, ship_figures=_ship_figures, ship_kinds=KINDS)
    app.jinja_env.globals.update(figures_of=_figures_of)
    app.jinja_env.filters["sentence"] = sentence
    app.jinja_env.filters["cited"] = cited
    app.jinja_env.filters["data"] = data_words
    app.jinja_env.filters["signed"] = signed


# Pages


@pages.get("/")
def home() -> BaseResponse:
    """The start: the host's screen, the table, or joining."""
    if guard.admit_local_host():
        return redirect("/host", code=303)
    caller = guard.caller()
    return redirect("/table" if caller.seat else "/host" if caller.host else "/join", code=303)


@pages.get("/join")
def join() -> BaseResponse | str:
    """Joining: code, name, side and a PIN for returning.

    Whether the code is right and who is at the table, the page asks by `/api/join/code`: a page
    from elsewhere can make a browser get this address, but not act.
    """
    caller = guard.caller()
    code = request.args.get("code", "")[:20]
    if caller.seat is not None and "gone" not in request.args:
        return redirect("/table", code=303)
    server_context = guard.server_context()
    moment, seats = server_context.session.moment, server_context.session.seats
    newcomer = seats.newcomer_of(caller.token)
    return render_template(
        "table/join.html",
        code=seats.code if caller.host else code,
        returning="return" in request.args,
        gone="gone" in request.args,
        locked=seats.locked,
        title=moment.state.title,
        ruleset_title=moment.ruleset.title if moment.ruleset else "",
        sides=sides_to_join(seen_moment(moment, caller)),
        newcomer=newcomer.seat if newcomer else None,
        playing=moment.battle is not None and not moment.battle.is_over,
        refused="refused" in request.args,
    )


@pages.get("/asked")
def asked() -> str:
    """The part of every page with who asks for a seat or for consent."""
    caller, session = guard.must_look(), guard.server_context().session
    return render_template(
        "layout/asked_part.html",
        newcomers=newcomers_for(session, caller),
        proposals=proposals_for(session, caller),
        decides=caller.host or caller.is_umpire,
    )


@pages.get("/host")
def host() -> str:
    """The host's screen: the chart, the camera and the seats."""
    caller = guard.must_host()
    return render_template(
        "host/host.html",
        view=_view(caller),
        look=_camera_look(),
        rulebooks=lists.rulebooks(),
        turns=True,
        switch=replay_switch(guard.server_context().session),
        **bar_for(caller),
    )


@pages.get("/host/camera")
def host_camera() -> str:
    """The camera's condition, with its newest picture."""
    return render_template(
        "host/camera_part.html", view=_view(guard.must_host()), look=_camera_look()
    )


@pages.get("/host/join")
def host_join() -> str:
    """The card with the link for phones."""
    return render_template("host/join_part.html", view=_view(guard.must_host()))


@pages.get("/host/house")
def host_house() -> str:
    """The switch for measuring before firing."""
    return render_template("host/premeasure_part.html", view=_view(guard.must_host()))


@pages.get("/table")
def table() -> str:
    """The phone's page: the chart, and the check of two ships."""
    caller = guard.must_look()
    return render_template(
        "table/table.html",
        view=_view(caller),
        look=_camera_look(),
        roster=_roster(caller),
        turns=True,
    )


@pages.get("/table/ships")
def table_ships() -> str:
    """The ships by range from one of them."""
    caller = guard.must_look()
    return render_template("table/roster_part.html", view=_view(caller), roster=_roster(caller))


@pages.get("/table/camera")
def table_camera() -> str:
    """A message about the camera while something is wrong."""
    return render_template("table/camera_notice_part.html", view=_view(guard.must_look()))


@pages.get("/table/picture")
def table_picture() -> str:
    """The camera's newest picture, and its age."""
    return render_template(
        "table/snapshot_part.html", view=_view(guard.must_look()), look=_camera_look()
    )


@pages.get("/ships")
def ships() -> str:
    """Placing ships by hand."""
    view = _view(guard.must_look())
    return render_template("table/ships.html", turns=True, **_hand(view))


@pages.get("/ships/list")
def ships_list() -> str:
    """Every ship with her fields."""
    return render_template("table/ships_part.html", **_hand(_view(guard.must_look())))


@pages.get("/sides")
def sides() -> str:
    """The sides of the table."""
    return render_template("table/sides.html", **_sides(guard.must_host()))


@pages.get("/sides/list")
def sides_list() -> str:
    """Every side with its fields."""
    return render_template("table/sides_part.html", **_sides(guard.must_host()))


@pages.get("/log")
def log() -> str:
    """The log."""
    guard.must_look()
    return render_template("table/log.html", **_log())


@pages.get("/log/list")
def log_list() -> str:
    """The lines of the log."""
    guard.must_look()
    return render_template("table/log_part.html", **_log())


@pages.get("/menu")
def menu() -> BaseResponse | str:
    """The menu as a page, which also stores its choices."""
    theme, unit = request.args.get("theme"), request.args.get("unit")
    language = request.args.get("language")
    is_known = language in languages_offered()
    if theme not in _THEMES and unit not in lists.UNITS and not is_known:
        return render_template("layout/menu.html", here=_local(request.args.get("back")))
    response = redirect(_local(request.args.get("back")), code=303)
    if theme in _THEMES:
        _remember(response, THEME_COOKIE, theme)
    if unit in lists.UNITS:
        _remember(response, UNIT_COOKIE, unit)
    if language is not None and is_known:
        _remember(response, LANGUAGE_COOKIE, language)
    return response


@cache
def _ship_figures(key: str, colour: str = "currentColor", *, fine: bool = True) -> Markup:
    """A ship's silhouette as a symbol of the page."""
    return svg_figures(silhouette(key, colour, fine=fine))


def _figures_of(drawing: Drawing) -> Markup:
    """What a drawing has, for a larger one."""
    return svg_figures(drawing.items)


@pages.get("/fonts/<name>")
def font(name: str) -> Response:
    """One of the two typefaces, from the package that provides it."""
    if name not in set(Face):
        raise NotFound
    return send_file(Face(name).path, mimetype="font/ttf", max_age=_A_YEAR_SECONDS)


@pages.get("/favicon.ico")
def favicon() -> Response:
    """The icon at the address where browsers look for it."""
    return Response(_mark_png(), mimetype="image/png", headers={"Cache-Control": _FOR_A_DAY})


# Content


def _view(caller: Caller) -> TableView:
    server_context = guard.server_context()
    tables, picture = tables_seen(server_context), server_context.picture
    return view_for(server_context.session, caller, server_context.join_link, tables, picture)


def _camera_look() -> CameraPicture:
    """The newest picture with its findings."""
    return camera_picture(guard.server_context().camera_thread)


def _roster(caller: Caller) -> lists.Roster:
    moment = seen_moment(guard.server_context().session.moment, caller)
    return lists.roster(moment, caller, request.args.get("firer"))


def _hand(view: TableView) -> dict[str, object]:
    """The content of the page for placing ships."""
    unit, scale = chosen_unit(), view.table.yards_per_inch
    return {
        "view": view,
        "pieces": [(ship, lists.figures(ship, scale, unit)) for ship in view.ships],
        "fleet": tuple(lists.fleet(guard.server_context().session.moment)),
        "in_words": lambda yards: lists.in_words(yards, scale, unit),
    }


def _sides(caller: Caller) -> dict[str, object]:
    return {
        "view": _view(caller),
        "colours": tuple(SideColour),
        "shapes": tuple(SideShape),
        "most": MOST_SIDES,
    }


def _log() -> dict[str, object]:
    chosen = request.args.get("show", "all")
    kinds = _LOG_FILTERS.get(chosen)
    session = guard.server_context().session
    lines = reversed(log_seen(session, guard.caller(), most=_LOG_LINES))
    return {
        "lines": [line for line in lines if kinds is None or line.kind in kinds],
        "chosen": chosen if chosen in _LOG_FILTERS else "all",
        "filters": tuple(_LOG_FILTERS),
        "icons": _LOG_ICONS,
        "marked": _MARKED,
    }


# The frame of every page


def _shell() -> dict[str, object]:
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
    chosen = request.cookies.get(THEME_COOKIE)
    return chosen if chosen in _THEMES else "auto"


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
