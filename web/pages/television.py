"""The page for a television or projector: a picture of the table for everybody in the room."""

from typing import Final

from flask import Response, render_template, request
from markupsafe import Markup

from combat.participants import SPECTATOR
from web.http import guard
from web.http.addresses import Pages
from web.pages.battle import shown_cards
from web.server.network import qr_svg
from web.views.television import PUBLIC, replay_switch, standing, television_view, what_was_done

routes: Final = Pages(__name__)


@routes.get("/tv")
def television() -> str:
    """The picture; a screen that has no seat yet is asked for the table's code."""
    guard.admit_local_host()
    if not guard.caller().known:
        session = guard.server_context().session
        return render_template(
            "television/code.html",
            code=request.args.get("code", "")[:20],
            title=session.moment.state.title,
            gone="gone" in request.args,
        )
    return render_template("television/television.html", **_content())


@routes.get("/tv/side")
def side() -> str:
    """What stands beside the chart."""
    guard.must_look()
    return render_template("television/side_part.html", **_content())


@routes.get("/tv/happenings")
def happenings_part() -> str:
    """Salvos and announcements after an action, as everybody may see them."""
    guard.must_look()
    return shown_cards(SPECTATOR)


@routes.get("/tv/replay")
def replay() -> Response:
    """The battle for the replay, as everybody may see it."""
    guard.must_look()
    # Imported late: the host's page, which is in this module too, needs no report.
    from web.pages.report import replay_for

    return replay_for(PUBLIC)


@routes.get("/host/television")
def switch_part() -> str:
    """The host's switch between the chart and the replay."""
    guard.must_host()
    switch = replay_switch(guard.server_context().session)
    return render_template("television/switch_part.html", switch=switch)


def _content() -> dict[str, object]:
    server_context = guard.server_context()
    session, link = server_context.session, server_context.join_link
    battle = session.moment.battle
    locked = session.seats.locked
    shown = link if link.shared and not locked else None
    return {
        "view": television_view(session),
        "standing": standing(battle, session.seats, session.is_present)
        if battle is not None
        else None,
        "log": what_was_done(session) if battle is None else (),
        "link": shown,
        "qr": _qr_code(shown.link) if shown else "",
        "code": session.seats.code,
        "locked": locked,
    }


def _qr_code(link: str) -> Markup:
    return Markup(qr_svg(link, title=link))  # noqa: S704  # The library escapes its title.
