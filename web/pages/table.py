"""The pages of the table: joining, the host's screen, the table, ships, sides, log.

Each view asks the guard for the caller, makes the caller's view and renders a template. Parts that
change while a page is open have an address of their own and are fetched again.
"""

from typing import Final

from flask import (
    redirect,
    render_template,
    request,
)
from werkzeug.wrappers import Response as BaseResponse

from combat.participants import SideColour, SideShape
from combat.sides import MOST_SIDES
from web.api.tables_summary import tables_seen
from web.auth.seats import Caller
from web.camera.setup_view import CameraPicture, camera_picture
from web.http import guard
from web.http.addresses import Pages
from web.http.units import chosen_unit
from web.pages.battle import bar_for
from web.views import lists
from web.views.fog import log_seen, seen_moment
from web.views.table import TableView, newcomers_for, proposals_for, sides_to_join, view_for
from web.views.television import replay_switch

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

routes: Final = Pages(__name__)


# Pages


@routes.get("/")
def home() -> BaseResponse:
    """The start: the host's screen, the table, or joining."""
    if guard.admit_local_host():
        return redirect("/host", code=303)
    caller = guard.caller()
    return redirect("/table" if caller.seat else "/host" if caller.host else "/join", code=303)


@routes.get("/join")
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


@routes.get("/asked")
def asked() -> str:
    """The part of every page with who asks for a seat or for consent."""
    caller, session = guard.must_look(), guard.server_context().session
    return render_template(
        "layout/asked_part.html",
        newcomers=newcomers_for(session, caller),
        proposals=proposals_for(session, caller),
        decides=caller.host or caller.is_umpire,
    )


@routes.get("/host")
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


@routes.get("/host/camera")
def host_camera() -> str:
    """The camera's condition, with its newest picture."""
    return render_template(
        "host/camera_part.html", view=_view(guard.must_host()), look=_camera_look()
    )


@routes.get("/host/join")
def host_join() -> str:
    """The card with the link for phones."""
    return render_template("host/join_part.html", view=_view(guard.must_host()))


@routes.get("/host/house")
def host_house() -> str:
    """The switch for measuring before firing."""
    return render_template("host/premeasure_part.html", view=_view(guard.must_host()))


@routes.get("/table")
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


@routes.get("/table/ships")
def table_ships() -> str:
    """The ships by range from one of them."""
    caller = guard.must_look()
    return render_template("table/roster_part.html", view=_view(caller), roster=_roster(caller))


@routes.get("/table/camera")
def table_camera() -> str:
    """A message about the camera while something is wrong."""
    return render_template("table/camera_notice_part.html", view=_view(guard.must_look()))


@routes.get("/table/picture")
def table_picture() -> str:
    """The camera's newest picture, and its age."""
    return render_template(
        "table/snapshot_part.html", view=_view(guard.must_look()), look=_camera_look()
    )


@routes.get("/ships")
def ships() -> str:
    """Placing ships by hand."""
    view = _view(guard.must_look())
    return render_template("table/ships.html", turns=True, **_hand(view))


@routes.get("/ships/list")
def ships_list() -> str:
    """Every ship with her fields."""
    return render_template("table/ships_part.html", **_hand(_view(guard.must_look())))


@routes.get("/sides")
def sides() -> str:
    """The sides of the table."""
    return render_template("table/sides.html", **_sides(guard.must_host()))


@routes.get("/sides/list")
def sides_list() -> str:
    """Every side with its fields."""
    return render_template("table/sides_part.html", **_sides(guard.must_host()))


@routes.get("/log")
def log() -> str:
    """The log."""
    guard.must_look()
    return render_template("table/log.html", **_log())


@routes.get("/log/list")
def log_list() -> str:
    """The lines of the log."""
    guard.must_look()
    return render_template("table/log_part.html", **_log())


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
