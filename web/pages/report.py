"""The after-action report as a page, as a self-contained file, and as PDF."""

import re
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Final

from flask import Response, render_template, request
from markupsafe import Markup

from combat.provenance import CHANGED_MARK
from tabletop.messages import Message
from web.auth.seats import Caller
from web.battle.report.card import WIDTH as CARD_WIDTH
from web.battle.report.card import result_card
from web.battle.report.pdf import print_report
from web.battle.report.pictures import luck_plot, segment_maps
from web.battle.report.replay import battle_replay, replay_json, replay_of
from web.battle.report.report import Key, Report, battle_report
from web.battle.report.scripts import bundled
from web.drawing.pdf import PAPERS_MM
from web.drawing.png import png_from_svg
from web.drawing.svg import inline_svg, svg_file
from web.faults import Fault
from web.http import guard
from web.http.addresses import Pages
from web.views.table import Measure, may_measure

routes: Final = Pages(__name__)
_NO_STYLE: Final = Markup()
_MOST_PHOTO_BYTES: Final = 12_000_000
"""Of all photos in one saved report."""
_TOKEN: Final = re.compile(r"--[a-z0-9-]+:\s*#[0-9a-fA-F]{6,8}(?=;)")


@routes.get("/report")
def report() -> str:
    """The report as a page."""
    return _page("battle/report/report.html", _report())


@routes.get("/report/part")
def report_part() -> str:
    """The part of the report that grows during a battle."""
    return _page("battle/report/report_part.html", _report())


@routes.get("/replay")
def replay() -> str:
    """The replay as a page."""
    guard.must_look()
    battle = guard.server_context().session.moment.battle
    return render_template("battle/replay/replay.html", battle=battle)


@routes.get("/replay/data")
def replay_data() -> Response:
    """The battle for the replay, as the caller may see it."""
    return replay_for(guard.must_look())


def replay_for(caller: Caller) -> Response:
    """The battle for the replay with the photos of its film, as somebody may see it."""
    server_context = guard.server_context()
    moment = server_context.session.moment
    if moment.battle is None:
        raise Fault(404, Message("report.none"))
    filmed = server_context.film.keys(server_context.battles.open_id)
    view = battle_replay(
        moment.battle,
        caller,
        moment.state.sides,
        table=(moment.state.width_yards, moment.state.height_yards),
        film=lambda key: f"/replay/photo/{key[0]}.{key[1]}.jpg" if key in filmed else None,
    )
    return Response(replay_json(view), mimetype="application/json")


@routes.get("/replay/photo/<int:number>.<int:segment>.jpg")
def replay_photo(number: int, segment: int) -> Response:
    """The photo of the table after a segment's move."""
    guard.must_look()
    server_context = guard.server_context()
    photo = server_context.film.photo(server_context.battles.open_id, (number, segment))
    if photo is None:
        raise Fault(404, Message("replay.no_photo"))
    return Response(photo, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})


@routes.get("/report.html")
def report_file() -> Response:
    """The report as one file with its pictures, style, and the replay."""
    found = _need_report()
    page = _page(
        "battle/report/file.html",
        found,
        style=_style(),
        replay=_replay_data(found) if found.segments else None,
        script=_script(),
    )
    return _file(page.encode(), "text/html; charset=utf-8", found, "html")


@routes.get("/report.png")
def report_card() -> Response:
    """The result as one picture to share."""
    found = _need_report()
    picture = png_from_svg(svg_file(result_card(found), "light"), width=round(CARD_WIDTH))
    return _file(picture, "image/png", found, "png")


@routes.get("/report.pdf")
def report_pdf() -> Response:
    """The report as PDF."""
    paper = request.args.get("paper", "a4")
    if paper not in PAPERS_MM:
        sizes = ", ".join(PAPERS_MM)
        raise Fault(400, Message("sheet.fault.paper", sizes_mm=sizes, paper=paper[:20]))
    found = _need_report()
    return _file(print_report(found, paper), "application/pdf", found, "pdf")


def _report() -> Report | None:
    caller = guard.must_look()
    moment = guard.server_context().session.moment
    if moment.battle is None:
        return None
    measured = may_measure(moment, caller) is Measure.YES
    return battle_report(moment.battle, caller, moment.state.sides, measured=measured)


def _need_report() -> Report:
    found = _report()
    if found is None:
        raise Fault(404, Message("report.none"))
    return found


def _replay_data(found: Report) -> Markup:
    server_context = guard.server_context()
    battle = server_context.session.moment.battle
    if battle is None:
        raise Fault(404, Message("report.none"))
    state, id_ = server_context.session.moment.state, server_context.battles.open_id
    left = _MOST_PHOTO_BYTES

    def photo(key: Key) -> str | None:
        nonlocal left
        data = server_context.film.photo(id_, key)
        if data is None or len(data) > left:
            return None
        left -= len(data)
        return f"data:image/jpeg;base64,{b64encode(data).decode()}"

    table = (state.width_yards, state.height_yards)
    view = replay_of(found, battle, guard.caller(), table=table, film=photo)
    return Markup(replay_json(view))  # noqa: S704  # It has no "<".


@cache
def _script() -> Markup:
    return Markup(bundled("battle/replay.js"))  # noqa: S704  # It is our own script.


def _page(
    template: str, found: Report | None, style: Markup = _NO_STYLE, **more: Markup | None
) -> str:
    if found is None:
        return render_template(template, report=None)
    return render_template(
        template,
        report=found,
        changed_mark=CHANGED_MARK,
        maps=[inline_svg(each, "map") for each in segment_maps(found)],
        luck=inline_svg(luck_plot(found), "luck") if found.segments and found.luck else Markup(),
        style=style,
        **more,
    )


def _file(data: bytes, mimetype: str, found: Report, ending: str) -> Response:
    safe = re.sub(r"[^a-z0-9]+", "-", found.title.lower()).strip("-")[:60] or "battle"
    headers = {"Content-Disposition": f'attachment; filename="{safe}.{ending}"'}
    return Response(data, content_type=mimetype, headers=headers)


@cache
def _style() -> Markup:
    """The style of the file: the colours of paper and of a dark screen, and the report's own."""
    light, dark = _tokens("tokens-paper.css"), _tokens("tokens.css")
    folder = files("web") / "static" / "css" / "battle"
    own = "".join(
        (folder / name).read_text(encoding="utf-8") for name in ("report.css", "replay.css")
    )
    return Markup(  # noqa: S704  # All of it is from our own files.
        f":root{{{light}}}\n"
        f"@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n{own}"
    )


def _tokens(stylesheet: str) -> str:
    css = (files("web") / "static" / "css" / stylesheet).read_text(encoding="utf-8")
    return ";".join(_TOKEN.findall(css))
