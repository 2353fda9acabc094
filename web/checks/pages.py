"""The check and the calculator as pages: the sheet, its proof as a picture, and figures by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, Flask, Response, render_template, request

from combat.ruleset import Ruleset
from combat.rulesets import NAMES, get_ruleset
from tabletop.errors import DreyerError, UnknownName
from web.attacks.pages import ruleset_asked
from web.attacks.rolling import Rolling, rolling
from web.charts.chart import draw_chart
from web.charts.paper import PHONE, WIDE
from web.charts.picture import png_from_svg
from web.checks.calculator import Calculation, calculate, shelves, turned_round
from web.checks.checking import Check
from web.checks.drawing import wedges_of
from web.checks.odds_panel import chance_text
from web.checks.room import Looking, look_at, ship_notes, tables_of
from web.checks.sheet import check_json, lay_out_sheet, odds_of, outcome_title, why_of
from web.server import guard
from web.server.faults import Fault
from web.table.moment import Moment, ShipNow

checks = Blueprint("checks", __name__)

_LONGEST_NAME: Final = 80
_DIAL_RADIUS, _DIAL_HOLE = 74.0, 32.0


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a pair cannot be checked at all, and the way out."""

    icon: str
    title: str
    remedy: str
    words: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    link_words: str = ""


def attach(app: Flask) -> None:
    """Put the check and the calculator on an application."""
    app.register_blueprint(checks)


@checks.get("/check")
def check() -> str:
    """The sheet of two ships, as a fragment."""
    caller = guard.must_look()
    session = guard.running().session
    moment = session.moment
    firer, target = (_ship_now(moment, key) for key in ("firer", "target"))
    names = firer.piece.name, target.piece.name
    couple = dict(zip(("firer", "target"), names, strict=True))
    words: dict[str, Any] = {
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
        **_speech(),
    }
    trouble = _trouble(firer, target)
    if trouble is not None:
        data = {**couple, "measure": "none"}
        return render_template("check.html", **words, data=data, trouble=trouble, measure="none")
    looking = look_at(session, caller, *names)
    words |= {"measure": looking.measure, "trouble": None, "may_show": looking.may_show}
    if looking.measure != "yes":
        data = {**couple, "measure": looking.measure}
        return render_template("check.html", **words, data=data)
    desk, found = looking.check(request.args.get("battery", ""))
    return render_template(
        "check.html",
        **words,
        data={"measure": "yes", **check_json(desk, found)},
        sheet=lay_out_sheet(desk, found),
        notes=ship_notes(session, (firer, target)),
        fire_here=looking.fire_here,
        calculator_link=_calculator_link(found),
    )


@checks.get("/proof.svg")
def proof_svg() -> Response:
    """The chart of a pair as a file, to keep or to send."""
    return Response(_proof(), mimetype="image/svg+xml")


@checks.get("/proof.png")
def proof_png() -> Response:
    """The chart of a pair as a picture that any phone can show."""
    return Response(_png(_proof()), mimetype="image/png")


@checks.get("/calculator")
def calculator() -> str:
    """Any two ships and typed figures, with no table at all."""
    return _calculator()


@checks.get("/calculator/part")
def calculator_part() -> str:
    """The same without the page around it, for a page that is open already."""
    return _calculator(part=True)


def _calculator(*, part: bool = False) -> str:
    caller = guard.must_look()
    session = guard.running().session
    ruleset = ruleset_asked(session.moment.ruleset)
    if ruleset.fire is None:
        return render_template(
            "calculator.html",
            ruleset=ruleset,
            calc=None,
            others=_others(ruleset),
            part=part,
            **_speech(),
        )
    calc = _calculation(session.moment, ruleset)
    pairs = _table_pairs(session.moment, calc) if calc.measured else []
    copied = next(
        (
            looking
            for pair in pairs
            if (looking := look_at(session, caller, *pair)).measure == "yes"
        ),
        None,
    )
    if copied is not None and "table" in request.args:
        calc = _calculation(session.moment, ruleset, _from_table(copied, calc))
    return render_template(
        "calculator.html",
        ruleset=ruleset,
        calc=calc,
        shelves=shelves(ruleset),
        others=_others(ruleset),
        wedges=wedges_of(ruleset.table_rules.arcs, _DIAL_RADIUS, _DIAL_HOLE),
        on_table=copied is not None,
        part=part,
        may_play=caller.may_play,
        fought=len(session.moment.state.fights.of(ruleset.name)),
        round=session.moment.state.fights.round_of(ruleset.name),
        rolling=_rolling(ruleset, calc),
        **_answer_words(calc),
    )


@checks.get("/calculator/answer")
def calculator_answer() -> str:
    """What the calculator says of the figures in the address, as a fragment."""
    guard.must_look()
    moment = guard.running().session.moment
    ruleset = ruleset_asked(moment.ruleset)
    if ruleset.fire is None:
        raise Fault(404, f"{ruleset.title} has no fire to reckon yet: choose another rulebook")
    calc = _calculation(moment, ruleset)
    return render_template("calculator_answer.html", calc=calc, **_answer_words(calc))


@lru_cache(maxsize=16)
def _png(svg: str) -> bytes:
    """A drawing as a picture; several phones ask for the same proof, and it takes a second."""
    return png_from_svg(svg)


def _speech() -> dict[str, Any]:
    """What the templates say figures with."""
    return {"chance": chance_text, "outcome": outcome_title, "sentence": _sentence}


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _ship_now(moment: Moment, key: str) -> ShipNow:
    name = request.args.get(key, "")[:_LONGEST_NAME]
    if not name:
        raise Fault(400, f"name two ships: {key} is missing in the address", field=key)
    if name not in moment.ships:
        raise UnknownName("this table", "ship", name, moment.ships)
    return moment.ships[name]


def _trouble(firer: ShipNow, target: ShipNow) -> Trouble | None:
    if firer is target:
        return Trouble("ships", "check.same", "check.same_remedy")
    for now in (firer, target):
        if now.pose is None:
            return Trouble(
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
    sight = ("clear", "smoke", "blocked", "both")[2 * settled.blocked + settled.smoke]
    said = {
        "firer": answer.facts.firer_type,
        "target": answer.facts.target_type,
        "battery": found.battery,
        "range": f"{settled.range_yards:.0f}",
        "quadrant": settled.quadrant,
        "aspect": settled.aspect,
        "sight": sight,
    }
    return f"/calculator?{urlencode(said)}"


def _proof() -> str:
    caller = guard.must_look()
    session = guard.running().session
    firer, target = (_ship_now(session.moment, key) for key in ("firer", "target"))
    trouble = _trouble(firer, target)
    if trouble is not None:
        raise DreyerError("a proof shows two different ships that are both on the table")
    looking = look_at(session, caller, firer.piece.name, target.piece.name)
    if looking.measure != "yes":
        raise Fault(403, "This pair may not be measured yet: declare the fire, or ask the umpire")
    scene, result = looking.proof()
    return draw_chart(
        scene,
        result,
        firer=looking.firer,
        target=looking.target,
        theme="light" if request.args.get("theme") == "light" else "dark",
        format_=WIDE if request.args.get("shape") == "wide" else PHONE,
    )


# The calculator


def _others(ruleset: Ruleset) -> tuple[Ruleset, ...]:
    """The other rulebooks that can reckon a fire."""
    every = (get_ruleset(name) for name in NAMES if name != ruleset.name)
    return tuple(other for other in every if other.fire is not None)


def _calculation(
    moment: Moment, ruleset: Ruleset, said: Mapping[str, str] | None = None
) -> Calculation:
    if ruleset.fire is None:
        raise DreyerError(f"{ruleset.title} has no fire to reckon yet")
    ships = tuple(now.ship for now in moment.ships.values() if now.ship)
    if said is None:
        said = turned_round(request.args.to_dict(), ruleset, ruleset.fire)
    tables, fights = tables_of(ruleset.name), moment.state.fights
    return calculate(ruleset, ruleset.fire, tables, said, ships, fights)


def _answer_words(calc: Calculation) -> dict[str, Any]:
    answer = calc.answer
    return {
        "odds": odds_of(answer) if answer else None,
        "why": why_of(answer) if answer and answer.forecast else None,
        "preview": answer.preview if answer else None,
        **_speech(),
    }


def _rolling(ruleset: Ruleset, calc: Calculation) -> Rolling | None:
    """The dice of the attack; None where the rules forbid it."""
    answer = calc.answer
    if ruleset.fire is None or answer is None or answer.shot is None or answer.preview.forbidden:
        return None
    return rolling(ruleset.fire, answer.shot, tables_of(ruleset.name), request.args)


def _table_pairs(moment: Moment, calc: Calculation) -> list[tuple[str, str]]:
    """The pairs on the table that are of the chosen types."""

    def of_type(name: str) -> list[str]:
        return [
            now.piece.name
            for now in moment.ships.values()
            if now.ship is not None and now.ship.name == name and now.pose is not None
        ]

    return [
        (firer, target)
        for firer in of_type(calc.firer.name)
        for target in of_type(calc.target.name)
        if firer != target
    ]


def _from_table(looking: Looking, calc: Calculation) -> dict[str, str]:
    """The calculator's address with the figures of a pair on the table."""
    _, found = looking.check()
    settled = found.settled
    changes = {"range": f"{settled.range_yards:.0f}"}
    if settled.quadrant is not None and settled.aspect is not None:
        changes |= {"quadrant": settled.quadrant, "aspect": settled.aspect}
    changes["sight"] = ("clear", "smoke", "blocked", "both")[2 * settled.blocked + settled.smoke]
    return calc.link(**changes)
