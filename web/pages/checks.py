"""The pages of the check of two ships, and its proof as a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from flask import Response, render_template, request

from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.schema import Schema
from web.checks.access import narrower_note, pair_access, ship_notes
from web.checks.check_document import CheckDocument, check_document
from web.checks.check_view import FORMATTERS, check_page
from web.checks.pair_check import Check
from web.drawing.chart.chart import draw_chart
from web.drawing.chart.frame import PHONE, WIDE
from web.drawing.png import png_from_svg
from web.faults import Fault
from web.http import guard
from web.http.addresses import Pages
from web.strings import words as words_of
from web.table.free_battle import shown_yards
from web.table.moment import Moment, ShipNow
from web.views.fog import seen_moment
from web.views.table import Measure

routes: Final = Pages(__name__)

_LONGEST_NAME: Final = 80
_CHECKS: Final[Schema[CheckDocument]] = Schema(CheckDocument)


@dataclass(frozen=True, slots=True)
class CheckProblem:
    """Why a pair cannot be checked, and the remedy."""

    icon: str
    title: str
    remedy: str
    words: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    link_words: str = ""


@routes.get("/check")
def check() -> str:
    """The sheet of two ships, as a fragment."""
    caller = guard.must_look()
    session = guard.server_context().session
    moment = seen_moment(session.moment, caller)
    firer, target = (_ship_now(moment, key) for key in ("firer", "target"))
    names = firer.piece.name, target.piece.name
    couple = dict(zip(("firer", "target"), names, strict=True))
    words: dict[str, object] = {
        "couple": couple,
        "pair": {
            key: {"name": now.piece.name, "side": now.piece.side, "state": now.state}
            for key, now in (("firer", firer), ("target", target))
        },
        "may_decide": caller.may_play,
        "ruleset_title": moment.ruleset.title if moment.ruleset else "",
        "swap_link": f"/table?{urlencode({'firer': names[1], 'target': names[0]})}",
        "close_link": f"/table?{urlencode({'firer': names[0]})}",
        "proof_link": f"/proof.png?{urlencode(couple)}",
        "seq": session.seq,
        **FORMATTERS,
    }
    trouble = _trouble(moment, firer, target)
    if trouble is not None:
        data = {**couple, "measure": "none"}
        return render_template(
            "check/check.html", **words, data=data, trouble=trouble, measure="none"
        )
    access = pair_access(session, caller, *names)
    words |= {"measure": access.measure, "trouble": None, "may_show": access.may_show}
    if access.measure is not Measure.YES:
        data = {**couple, "measure": access.measure}
        return render_template("check/check.html", **words, data=data)
    context, found = access.check(request.args.get("battery", ""))
    narrower = narrower_note(moment, (firer, target), found.settled.range_sigma_yards)
    return render_template(
        "check/check.html",
        **words,
        data=_CHECKS.adapter.dump_python(
            check_document(context, found), mode="json", context={"words": words_of}
        ),
        sheet=check_page(context, found),
        notes=[*ship_notes(session, (firer, target)), *filter(None, [narrower])],
        fire_here=access.fire_here,
        calculator_link=_calculator_link(found),
    )


@routes.get("/proof.svg")
def proof_svg() -> Response:
    """The chart of a pair as an SVG file."""
    return Response(_proof(), mimetype="image/svg+xml")


@routes.get("/proof.png")
def proof_png() -> Response:
    """The chart of a pair as a PNG picture."""
    return Response(_png(_proof()), mimetype="image/png")


@lru_cache(maxsize=16)
def _png(svg: str) -> bytes:
    """A drawing as PNG, cached because it takes a second and several phones ask for it."""
    return png_from_svg(svg)


def _ship_now(moment: Moment, key: str) -> ShipNow:
    name = request.args.get(key, "")[:_LONGEST_NAME]
    if not name:
        raise Fault(400, Message("check.pair.two_ships", key=key), field=key)
    if name not in moment.ships:
        raise UnknownName(Message("errors.where.this_table"), "ship", name, moment.ships)
    return moment.ships[name]


def _trouble(moment: Moment, firer: ShipNow, target: ShipNow) -> CheckProblem | None:
    if firer is target:
        return CheckProblem("ships", "check.same", "check.same_remedy")
    for now in (firer, target):
        fate = moment.fates.get(now.piece.name)
        if fate is not None:
            return CheckProblem(
                "ships",
                "check.out_of_play",
                "check.out_of_play_remedy",
                {"name": now.piece.name, "status": words_of(fate.status.message)},
            )
        if now.pose is None:
            return CheckProblem(
                "ships",
                "check.not_placed",
                "check.not_placed_remedy",
                {"name": now.piece.name},
                "/ships",
                "check.to_ships",
            )
    return None


def _calculator_link(found: Check) -> str:
    settled, answer = found.settled, found.answer
    if answer is None:
        return "/calculator"
    has_bands = any(each.bands for each in found.offers if each.kind == found.battery)
    query = {
        "firer": found.measured.firer,
        "target": found.measured.target,
        "battery": found.battery,
        "range": shown_yards(settled.range_yards, in_bands=has_bands),
        "quadrant": settled.quadrant,
        "aspect": settled.aspect,
        "sight": settled.sight,
    }
    return f"/calculator?{urlencode(query)}"


def _proof() -> str:
    caller = guard.must_look()
    session = guard.server_context().session
    moment = seen_moment(session.moment, caller)
    firer, target = (_ship_now(moment, key) for key in ("firer", "target"))
    trouble = _trouble(moment, firer, target)
    if trouble is not None:
        raise DreyerError("check.pair.proof_ships")
    access = pair_access(session, caller, firer.piece.name, target.piece.name)
    if access.measure is not Measure.YES:
        raise Fault(403, Message("check.pair.ask_umpire"))
    scene, result = access.proof()
    return draw_chart(
        scene,
        result,
        firer=access.firer,
        target=access.target,
        theme="light" if request.args.get("theme") == "light" else "dark",
        format_=WIDE if request.args.get("shape") == "wide" else PHONE,
    )
