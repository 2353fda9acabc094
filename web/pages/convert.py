"""The page of conversions between the Advanced and the Basic Game, its PDF and its file (72)."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Response, render_template, request
from markupsafe import Markup

from combat.conversions import Conversion, GameLevel, HexRange, conversion_toml
from combat.guided_actions import StartingMarks
from combat.participants import Side
from combat.ships import LONGEST_NAME
from combat.sides import Sides, usual
from tabletop.messages import Message
from web.battle.setup.converted_ships import set_up_address
from web.checks.access import tables_of
from web.conversions.address import (
    ChosenShip,
    ConversionChoice,
    conversion_ruleset,
    read_conversion_choice,
    ships_to_choose,
)
from web.drawing.conversion_pages import line_message, print_conversions, range_words
from web.drawing.hit_record_pad import draw_boxes
from web.drawing.pdf import PAPERS_MM
from web.drawing.sheet_words import glance_words, state_key
from web.drawing.ship_plan import draw_plan, draw_small
from web.drawing.svg import inline_svg
from web.faults import Fault
from web.http import guard
from web.http.addresses import Pages
from web.sides import SideView, side_of
from web.strings import forgiving_text, text

routes: Final = Pages(__name__)
_BOARD_HEXES: Final = range(1, 8)
"""The range of the guns of the Advanced Game: 28,000 yards (61.5)."""


@dataclass(frozen=True, slots=True)
class ConversionPage:
    """A ship of the page with her pictures."""

    chosen: ChosenShip
    side: SideView
    state: str
    glance: str
    small: Markup
    plan: Markup
    pad: Markup

    @property
    def conversion(self) -> Conversion[object, StartingMarks] | None:
        """Her conversion."""
        return self.chosen.conversion


@routes.get("/convert")
def convert() -> str:
    """Both directions: typed marks, or the ships of the battle on the table."""
    caller = guard.must_look()
    chosen, sides = _chosen(), _sides()
    every = _chosen(side="") if chosen.side else chosen
    present = dict.fromkeys(each.ship.side for each in every.ships if each.ship.side in sides)
    return render_template(
        "convert/convert.html",
        part=guard.is_part(),
        chosen=chosen,
        ships=[_shown(each, sides) for each in chosen.ships],
        choices=ships_to_choose(chosen.ruleset, chosen.rules),
        sides=[SideView.of(sides[key]) for key in present],
        of_side=lambda key: f"/convert?{urlencode(every.of_side(key))}",
        ranges=list(map(range_words, _ranges(chosen))),
        papers=PAPERS_MM,
        games=GameLevel,
        longest_name=LONGEST_NAME,
        line_message=line_message,
        beside=_beside,
        may_hand_back=caller.may_play and _may_hand_back(chosen),
        may_begin=caller.host and chosen.to is GameLevel.ADVANCED,
        begin=set_up_address(chosen, sides) if chosen.to is GameLevel.ADVANCED else "",
    )


@routes.get("/convert.pdf")
def convert_pdf() -> Response:
    """The conversions as PDF."""
    guard.must_look()
    chosen, paper = _chosen(), request.args.get("paper", "a4")
    if paper not in PAPERS_MM:
        sizes = ", ".join(PAPERS_MM)
        raise Fault(400, Message("sheet.fault.paper", sizes_mm=sizes, paper=paper[:20]))
    _refuse_faults(chosen)
    ranges = _ranges(chosen)
    title = str(text(f"convert.title_{chosen.to}"))
    data = print_conversions(chosen.conversions, ranges, title, paper, _sides())
    return _file(data, "application/pdf", "inline", "conversion.pdf")


@routes.get("/convert.toml")
def convert_toml() -> Response:
    """The conversions as a file for `dreyer convert`."""
    guard.must_look()
    chosen = _chosen()
    _refuse_faults(chosen)
    data = conversion_toml(chosen.rules, chosen.ruleset.name, chosen.conversions)
    name = "ship-states.toml" if chosen.to is GameLevel.ADVANCED else "basic-marks.toml"
    return _file(data.encode(), "application/toml", "attachment", name)


def _chosen(side: str | None = None) -> ConversionChoice:
    caller, moment = guard.must_look(), guard.server_context().session.moment
    args = request.args.copy()
    if side is not None:
        args["side"] = side
    return read_conversion_choice(args, moment, caller, tables_of(conversion_ruleset(moment).name))


def _may_hand_back(chosen: ConversionChoice) -> bool:
    """Whether there are ships for the battle board, and no guided battle is under way."""
    battle = guard.server_context().session.moment.battle
    under_way = battle is not None and not battle.is_over
    return bool(chosen.rules.board and chosen.conversions) and not under_way


def _ranges(chosen: ConversionChoice) -> tuple[HexRange, ...]:
    """What a file asks for, and the ranges that the guns reach."""
    return (*chosen.ranges, *map(chosen.rules.hexes_in_yards, _BOARD_HEXES))


def _refuse_faults(chosen: ConversionChoice) -> None:
    if chosen.faults:
        raise Fault(400, Message("convert.refused", faults=chosen.faults))
    if not chosen.ships:
        raise Fault(404, Message("convert.no_ships"))


def _file(data: bytes, kind: str, disposition: str, name: str) -> Response:
    answer = Response(data, mimetype=kind)
    answer.headers["Content-Disposition"] = f'{disposition}; filename="{name}"'
    return answer


def _sides() -> Sides:
    return guard.server_context().session.moment.state.sides or usual().sides


def _shown(each: ChosenShip, sides: Sides) -> ConversionPage:
    side = sides[each.ship.side] if each.ship.side in sides else side_of(each.type)
    found = each.conversion
    if found is None:
        return ConversionPage(each, SideView.of(side), "", "", Markup(), Markup(), Markup())
    return ConversionPage(
        each,
        SideView.of(side),
        str(forgiving_text(state_key(found.sheet))),
        glance_words(found.sheet),
        inline_svg(draw_small(found.sheet, side), "small-plan"),
        _plan(found, side),
        inline_svg(draw_boxes(found.boxes), "pad") if found.boxes else Markup(),
    )


def _plan(found: Conversion[object, StartingMarks], side: Side) -> Markup:
    return (
        inline_svg(draw_plan(found.sheet, side), "plan")
        if found.to is GameLevel.ADVANCED
        else Markup()
    )


def _beside(conversion: Conversion[object, StartingMarks]) -> Message:
    return Message("convert.beside_list", parts=conversion.beside_words)
