"""The record sheets that the caller may see, as pages and PDF."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from flask import Response, render_template, request
from markupsafe import Markup

from combat.participants import SPECTATOR, Side
from combat.record_sheets import RecordSheet
from combat.views import ShipView
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.auth.seats import Caller
from web.drawing.pdf import PAPERS_MM
from web.drawing.record_sheet import PrintedSheet, print_sheets
from web.drawing.sheet_words import (
    Count,
    StoreCount,
    armour_words,
    damage_lines,
    glance,
    glance_words,
    hull_words,
    state_key,
    stores,
)
from web.drawing.ship_codes import ShipCode, print_codes
from web.drawing.ship_layout import parts_of
from web.drawing.ship_plan import draw_hull, draw_plan, draw_small
from web.drawing.svg import inline_svg
from web.faults import Fault
from web.games.guided_game import GuidedGame
from web.http import guard
from web.http.addresses import Pages
from web.strings import forgiving_text, text
from web.views.battle import seat_seen, side_seen

routes: Final = Pages(__name__)
_PDF: Final = "application/pdf"


@dataclass(frozen=True, slots=True)
class SheetSummary:
    """A summary of one ship; only her label while she is hidden."""

    id: str
    side: str
    sheet: RecordSheet | None
    words: str
    glance: str
    picture: Markup
    percent: int

    @property
    def trouble(self) -> float:
        """The damage from 0 (none) to 1 (sunk)."""
        return self.sheet.trouble if self.sheet else 0.0


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A whole sheet."""

    sheet: RecordSheet
    ship_class: str
    state: str
    counts: tuple[Count, ...]
    plan: Markup
    hull: Markup
    hull_words: str
    hull_hurt: bool
    armour: str
    stores: tuple[StoreCount, ...]
    wrong: tuple[tuple[str, str], ...]


@routes.get("/sheets")
def sheets() -> str:
    """All ships of the battle, the caller's own first."""
    return render_template("sheets/fleet.html", **_fleet(guard.must_look()))


@routes.get("/sheets/list")
def sheets_list() -> str:
    """The cards of all ships."""
    return render_template("sheets/fleet_part.html", **_fleet(guard.must_look()))


@routes.get("/sheet/<ship:ship>")
def sheet(ship: str) -> str:
    """One ship's record sheet."""
    return render_template("sheets/sheet.html", **_one(guard.must_look(), ship))


@routes.get("/sheet/<path:ship>/part")
def sheet_part(ship: str) -> str:
    """The part of a sheet that changes."""
    return render_template("sheets/sheet_part.html", **_one(guard.must_look(), ship))


@routes.get("/sheet/<path:ship>.pdf")
def sheet_pdf(ship: str) -> Response:
    """One ship's current sheet as PDF."""
    caller = guard.must_look()
    battle = _battle()
    return _printed(battle, caller, (_sheet(battle, caller, ship),), ship)


@routes.get("/sheets-record.pdf")
def sheets_pdf() -> Response:
    """All sheets that the caller may see, as PDF."""
    caller = guard.must_look()
    battle = _battle()
    found = tuple(
        _sheet(battle, caller, ship.id) for ship in ships_seen(battle, caller) if not ship.hidden
    )
    if not found:
        raise Fault(404, Message("sheet.face_down_hint"))
    return _printed(battle, caller, found, "record-sheets")


@routes.get("/sheets-codes.pdf")
def codes_pdf() -> Response:
    """A QR code for each ship that opens her sheet, as PDF; none for a ship that is hidden."""
    guard.must_look()
    battle, server_context = _battle(), guard.server_context()
    link, sides = server_context.join_link, server_context.session.moment.state.sides
    base = link.address if link.shared else request.host_url.rstrip("/")
    # A code that lies on the table tells everybody whose it is.
    known = [ship for ship in battle.view(SPECTATOR).ships if not ship.hidden]
    if not known:
        raise Fault(404, Message("sheet.face_down_hint"))
    codes = [
        ShipCode(ship.id, sides[ship.side], f"{base}/sheet/{quote(ship.id, safe='')}")
        for ship in known
    ]
    data = print_codes(codes, str(text("sheet.codes")), _paper())
    headers = {"Content-Disposition": 'inline; filename="ship-codes.pdf"'}
    return Response(data, content_type=_PDF, headers=headers)


def ships_seen(battle: GuidedGame, caller: Caller) -> list[ShipView]:
    """The ships as the caller may see them, the caller's own first."""
    side = side_seen(battle, caller)
    view = battle.view(seat_seen(battle, caller))
    order = list(view.sides)
    return sorted(view.ships, key=lambda ship: (ship.side != side, order.index(ship.side)))


def _battle() -> GuidedGame:
    battle = guard.server_context().session.moment.battle
    if battle is None:
        raise Fault(404, Message("sheet.none"))
    return battle


def _sheet(battle: GuidedGame, caller: Caller, ship: str) -> RecordSheet:
    return battle.rulebook.sheet(battle.state, ship, seat_seen(battle, caller))


def _side(sheet: RecordSheet) -> Side:
    return guard.server_context().session.moment.state.sides[sheet.side]


def _fleet(caller: Caller) -> dict[str, object]:
    battle = guard.server_context().session.moment.battle
    if battle is None:
        return {"groups": (), "step": None, "papers": PAPERS_MM}
    groups: dict[str, list[SheetSummary]] = {}
    for ship in ships_seen(battle, caller):
        groups.setdefault(ship.side, []).append(_card(battle, caller, ship))
    return {"groups": tuple(groups.items()), "step": battle.step, "papers": PAPERS_MM}


def _card(battle: GuidedGame, caller: Caller, ship: ShipView) -> SheetSummary:
    if ship.hidden:
        words = str(text("sheet.face_down"))
        return SheetSummary(ship.id, ship.side, None, words, "", Markup(), 0)
    found = _sheet(battle, caller, ship.id)
    return SheetSummary(
        ship.id,
        ship.side,
        found,
        str(forgiving_text(state_key(found))),
        glance_words(found),
        inline_svg(draw_small(found, _side(found)), "small-plan"),
        _percent(found),
    )


def _one(caller: Caller, ship: str) -> dict[str, object]:
    battle = _battle()
    listed = [each.id for each in ships_seen(battle, caller) if not each.hidden]
    try:
        found = _sheet(battle, caller, ship)
    except DreyerError as error:
        raise Fault(404, Message("sheet.unknown_ship", name=ship[:40])) from error
    at = listed.index(ship)
    hull = draw_hull(found)
    shown = SheetPage(
        sheet=found,
        ship_class=_class_words(found),
        state=str(forgiving_text(state_key(found))),
        counts=glance(found),
        plan=inline_svg(draw_plan(found, _side(found)), "plan"),
        hull=inline_svg(hull, "hull-track") if hull else Markup(),
        hull_words=hull_words(found),
        hull_hurt=any(part.lost for part in parts_of(found, "hull")),
        armour=armour_words(found),
        stores=stores(found),
        wrong=damage_lines(found),
    )
    return {
        "shown": shown,
        "step": battle.step,
        "papers": PAPERS_MM,
        "percent": _percent(found),
        "before": listed[at - 1] if len(listed) > 1 else None,
        "after": listed[(at + 1) % len(listed)] if len(listed) > 1 else None,
    }


def _class_words(sheet: RecordSheet) -> str:
    """Her class in words, and her type if her name differs."""
    words = str(forgiving_text(f"sheet.class_{sheet.ship_class}"))
    return words if sheet.type == sheet.ship else f"{words}, {sheet.type}"


def _percent(sheet: RecordSheet) -> int:
    return round(100 * sheet.trouble)


def _paper() -> str:
    """The paper of the address. Raises Fault for one that is not known."""
    paper = request.args.get("paper", "a4")
    if paper not in PAPERS_MM:
        sizes = ", ".join(PAPERS_MM)
        raise Fault(400, Message("sheet.fault.paper", sizes_mm=sizes, paper=paper[:20]))
    return paper


def _printed(
    battle: GuidedGame, caller: Caller, sheets: tuple[RecordSheet, ...], name: str
) -> Response:
    paper = _paper()
    title = battle.view(seat_seen(battle, caller)).title
    step = battle.step
    head = text("sheet.printed", title=title, round=step.round_number, segment=step.segment)
    pages = [
        PrintedSheet(each, _side(each), _class_words(each), str(forgiving_text(state_key(each))))
        for each in sheets
    ]
    answer = Response(print_sheets(pages, str(head), paper), mimetype=_PDF)
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    answer.headers["Content-Disposition"] = f'inline; filename="{safe}.pdf"'
    return answer
