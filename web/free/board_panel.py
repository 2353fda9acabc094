"""The board of a fight on its page: the picture, its ships, and the moves to a chosen cell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from combat.board_views import BoardCell, BoardMove, BoardMoves, BoardPiece, BoardView
from combat.participants import ShipStatus
from combat.sides import Sides
from tabletop.messages import NO_WORDS, Message
from web.drawing.board import BoardPicture, CellLink, PieceLook, draw_board, is_wide
from web.drawing.silhouettes import silhouette_of
from web.drawing.svg import inline_svg
from web.games.free_game import FreeGame
from web.sides import SideView, side_of
from web.strings import text, words

PART: Final = "fight"
"""The id of the part of the page that a tap draws anew."""


@dataclass(frozen=True, slots=True)
class Place:
    """What of a board is chosen, as the address says it."""

    ruleset: str
    ship: str = ""
    cell: str = ""

    @property
    def query(self) -> str:
        """The query of the address."""
        said = {"ruleset": self.ruleset, "ship": self.ship, "cell": self.cell}
        return urlencode({key: value for key, value in said.items() if value})

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"/fight?{self.query}"

    @property
    def part(self) -> str:
        """The address of the part alone."""
        return f"/fight/part?{self.query}"

    def with_ship(self, ship: str) -> "Place":
        """Another ship chosen, and no cell."""
        return Place(self.ruleset, ship)

    def with_cell(self, cell: str) -> "Place":
        """A cell chosen for the same ship."""
        return Place(self.ruleset, self.ship, cell)


@dataclass(frozen=True, slots=True)
class ShipChip:
    """A ship to choose."""

    name: str
    css: str
    """The class of her side's colour."""
    where: str
    """Where she stands and what she has done."""
    place: Place
    chosen: bool
    next: bool
    """Whether it is her turn to move."""
    out: bool
    """Whether she has sunk."""


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """A move to the chosen cell."""

    title: str
    rule: str
    body: Mapping[str, object] | None
    """The body that plays it; None if it is forbidden."""
    forbidden: Message


@dataclass(frozen=True, slots=True)
class ActLink:
    """A link to the calculator with the chosen ship, and maybe a target in the chosen cell."""

    title: str
    said: Mapping[str, str]
    """The parameters of its address."""


@dataclass(frozen=True, slots=True)
class BoardPanel:
    """The board on the page of a fight."""

    title: Message
    notes: tuple[Message, ...]
    setup: Mapping[str, str] | None
    """The address parameters of the action that puts ships on the board, while none is there."""
    picture: Markup
    wide: bool
    ships: tuple[ShipChip, ...]
    ship: str
    """The name of the chosen ship."""
    cell: str
    """The title of the chosen cell."""
    here: tuple[ShipChip, ...]
    """The ships in the chosen cell."""
    choices: tuple[MoveChoice, ...]
    acts: tuple[ActLink, ...]
    after: Place
    """What is chosen after a move."""
    hint: str
    ended: Message
    """That the combat is over; no words while it goes on."""
    onward: ActLink | None
    """What follows a combat that is over."""


def board_panel(now: FreeGame, sides: Sides, ship: str, cell: str) -> BoardPanel | None:
    """The board of a fight with what is chosen on it; None if the rulebook has none."""
    view = now.rulebook.board(now.state)
    if view is None:
        return None
    # A ship or a cell that is not there is nothing chosen: an old address still opens.
    piece, chosen = view.piece(ship), view.cell(cell)
    place = Place(now.rulebook.name, piece.ship if piece else "", chosen.id if chosen else "")
    moves = now.rulebook.board_moves(now.state, piece.ship) if piece else BoardMoves("")
    looks = {each.ship: _look(now, sides, each.ship) for each in view.pieces}
    chips = {each.ship: _chip(view, looks[each.ship], each, place) for each in view.pieces}
    picture = BoardPicture(
        view=view,
        looks=looks,
        link=lambda each: _link(view, looks, each, place, moves),
        into=PART,
        ship=place.ship,
        cell=place.cell,
        moves=moves,
    )
    wide = is_wide(view)
    css = "board-svg wide" if wide else "board-svg"
    drawn = inline_svg(draw_board(picture), css, full_size=wide)
    return BoardPanel(
        title=view.title,
        notes=view.notes,
        setup=_setup(now, view) if not view.pieces else None,
        picture=drawn,
        wide=wide,
        ships=tuple(chips.values()),
        ship=looks[place.ship].name if place.ship else "",
        cell=words(chosen.title) if chosen else "",
        here=tuple(chips[each.ship] for each in view.pieces_in(place.cell)) if chosen else (),
        choices=tuple(_choices(now, moves, place)),
        acts=tuple(_acts(now, view, looks, place)),
        after=Place(now.rulebook.name),
        hint=_hint(moves, looks, place),
        ended=view.ended,
        onward=_onward(now, view),
    )


def _setup(now: FreeGame, view: BoardView) -> Mapping[str, str] | None:
    if not view.setup:
        return None
    return {"ruleset": now.rulebook.name, "battery": view.setup}


def _onward(now: FreeGame, view: BoardView) -> ActLink | None:
    """The action that follows a combat that is over."""
    info = now.rulebook.info_by_kind.get(view.after)
    if view.ended is NO_WORDS or info is None:
        return None
    said = {"ruleset": now.rulebook.name, "battery": info.kind}
    return ActLink(words(info.title), said)


def _look(now: FreeGame, sides: Sides, ship_id: str) -> PieceLook:
    ship = now.state.ship(ship_id)
    card = now.rulebook.ship_type(ship)
    side = sides[ship.side] if ship.side in sides else side_of(card)
    sheet = now.rulebook.sheet(now.state, ship_id)
    status = now.rulebook.status(now.state, ship_id)
    return PieceLook(ship.name, side, silhouette_of(card, side), status, sheet.trouble)


def _chip(view: BoardView, look: PieceLook, piece: BoardPiece, place: Place) -> ShipChip:
    cell = view.cell(piece.cell)
    sunk = look.status is not ShipStatus.IN_ACTION
    told = [look.status.message] if sunk else list(piece.notes)
    where = [words(cell.title)] if cell else []
    return ShipChip(
        name=look.name,
        css=SideView.of(look.side).css,
        where=" · ".join([*where, *map(words, told)]),
        place=place.with_ship(piece.ship),
        chosen=piece.ship == place.ship,
        next=piece.ship == view.next_ship,
        out=sunk,
    )


def _link(
    view: BoardView,
    looks: Mapping[str, PieceLook],
    cell: BoardCell,
    place: Place,
    moves: BoardMoves,
) -> CellLink:
    """A tap on a cell chooses it; without a ship it chooses the one ship that is in it."""
    pieces = view.pieces_in(cell.id)
    alone = pieces[0].ship if len(pieces) == 1 and not place.ship else ""
    target = place.with_ship(alone) if alone else place.with_cell(cell.id)
    told = [words(cell.title), *(looks[piece.ship].name for piece in pieces)]
    cost = moves.cost(cell.id)
    if cost is not None:
        ship = looks[place.ship].name
        told.append(str(text("fight.board.may_go", ship=ship, cost=cost)))
    return CellLink(target.address, target.part, ", ".join(told))


def _choices(now: FreeGame, moves: BoardMoves, place: Place) -> Iterator[MoveChoice]:
    deeds = moves.deeds_in(place.cell) if place.cell else ()
    going = moves.to(place.cell) if place.cell else ()
    # Why she may not go there is not told where something else is to be done, nor twice.
    told = bool(deeds) or moves.refusal is not None
    for move in (*(each for each in going if each.allowed or not told), *deeds):
        yield MoveChoice(words(move.title), move.rule, _body(now, move), move.forbidden)


def _acts(
    now: FreeGame, view: BoardView, looks: Mapping[str, PieceLook], place: Place
) -> Iterator[ActLink]:
    """What the chosen ship may do besides moving: at each ship of the cell, or alone."""
    if not place.ship:
        return
    firer = looks[place.ship]
    said = {"ruleset": now.rulebook.name, "firer": firer.name}
    others = [each.ship for each in view.pieces_in(place.cell) if each.ship != place.ship]
    for other in others:
        target = looks[other].name
        title = str(text("fight.board.act_at", ship=firer.name, target=target))
        yield ActLink(title, {**said, "target": target})
    if not others:
        yield ActLink(str(text("fight.board.act", ship=firer.name)), said)


def _body(now: FreeGame, move: BoardMove) -> Mapping[str, object] | None:
    if move.action is None:
        return None
    return {
        "ruleset": now.rulebook.name,
        "action": now.rulebook.action_schema().dump(move.action),
    }


def _hint(moves: BoardMoves, looks: Mapping[str, PieceLook], place: Place) -> str:
    if not place.ship:
        return str(text("fight.board.choose_ship"))
    ship = looks[place.ship].name
    if not moves.reached and any(each.allowed for each in moves.deeds):
        return str(text("fight.board.choose_target", ship=ship))
    refusal = moves.refusal
    if refusal is not None and refusal.forbidden is not NO_WORDS:
        return str(text("fight.board.refused", reason=refusal.forbidden, rule=refusal.rule))
    if not moves.reached:
        return str(text("fight.board.stays", ship=ship))
    return str(text("fight.board.choose_cell", ship=ship))
