"""The API of ship cards: save, delete, undo, import and export."""

from collections.abc import Callable
from typing import Annotated, Final

from flask import Response, url_for
from pydantic import Field

from combat.rulebook_info import Ruleset
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from tabletop.schema import Line, document
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.auth.seats import Forbidden
from web.http.context import ServerContext
from web.owner.cards.files import (
    LARGEST_FILE_BYTES,
    card_rules,
    read_cards,
    with_cards,
    write_cards,
)
from web.strings import text

routes: Final = Routes()

LONGEST_CARD: Final = 20_000
"""The most characters; a card with every field filled has far fewer."""
KINDS: Final = ("application/octet-stream", "application/toml", "text/plain")


@document
class CardsQuery:
    """The rulebook; by default that of the table, or the first with cards."""

    ruleset: Annotated[Line, Field(max_length=40)] = ""


@document
class CardText:
    """One card as TOML, and the name of the card that it replaces."""

    toml: Annotated[str, Field(min_length=1, max_length=LONGEST_CARD)]
    instead_of: Annotated[Line, Field(max_length=80)] = ""


@document
class UndoableCardEdit:
    """The change that undo would revert."""

    what: str
    name: str


@document
class CardsAnswer(Done):
    """The result of a change."""

    undo: UndoableCardEdit | None
    name: str | None
    """The ship."""
    address: str
    """The page of her card, if it was saved."""
    cards: int | None
    """The number of imported cards."""


@routes.route(
    "POST",
    "/api/cards",
    "Save a ship card, written as TOML",
    needs=Needs.PLAY,
    faults=(403, 404, 413),
    tag="cards",
)
def save(call: Call, body: CardText, query: CardsQuery) -> CardsAnswer:
    """Takes effect at once for every seat."""
    ruleset = ruleset_of(call.server_context, query.ruleset)
    data = body.toml.encode("utf-8", "replace")
    found = read_cards(ruleset, data, str(text("cards.the_card")))
    if len(found) != 1:
        raise DreyerError("cards.fault.one_card", found=len(found))
    call.server_context.cards.save(ruleset, found[0], _fits(call), body.instead_of)
    # A renamed card has another address.
    address = url_for("cards.card", ship=found[0].name, ruleset=ruleset)
    return _done(call, ruleset, name=found[0].name, address=address)


@routes.route(
    "DELETE",
    "/api/cards/<path:name>",
    "Take one of your ship cards away",
    needs=Needs.PLAY,
    faults=(403, 404),
    tag="cards",
)
def delete(call: Call, query: CardsQuery, name: str) -> CardsAnswer:
    """A built-in card of this ship is then used again."""
    ruleset = ruleset_of(call.server_context, query.ruleset)
    call.server_context.cards.delete(ruleset, name, _fits(call))
    return _done(call, ruleset, name=name)


@routes.route(
    "POST",
    "/api/own-cards/undo",
    "Take the last change of ship cards back",
    needs=Needs.PLAY,
    faults=(403, 404),
    tag="cards",
)
def undo(call: Call, body: Nothing, query: CardsQuery) -> CardsAnswer:  # noqa: ARG001
    """Reverts the last save, deletion or import."""
    ruleset = ruleset_of(call.server_context, query.ruleset)
    edit = call.server_context.cards.undo(ruleset, _fits(call))
    return _done(call, ruleset, name=edit.name)


@routes.route(
    "POST",
    "/api/own-cards/import",
    "Replace all your ship cards by a file's",
    needs=Needs.PLAY,
    takes=KINDS,
    largest_bytes=LARGEST_FILE_BYTES,
    faults=(403, 404, 413, 415),
    tag="cards",
)
def take(call: Call, body: bytes, query: CardsQuery) -> CardsAnswer:
    """A file that the page exported, or one written by hand."""
    ruleset = ruleset_of(call.server_context, query.ruleset)
    count = call.server_context.cards.take(ruleset, body, str(text("cards.the_file")), _fits(call))
    return _done(call, ruleset, cards=count)


@routes.route(
    "GET",
    "/cards.toml",
    "Your ship cards as one file",
    needs=Needs.LOOK,
    gives="application/toml",
    faults=(404,),
    tag="cards",
)
def export(call: Call, query: CardsQuery) -> Response:
    """The file that the page imports."""
    ruleset = ruleset_of(call.server_context, query.ruleset)
    data = write_cards(ruleset, call.server_context.cards.now(ruleset))
    answer = Response(data, mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{ruleset}-cards.toml"'
    return answer


def ruleset_of(server_context: ServerContext, asked: str) -> str:
    """The named rulebook, that of the table, or the first with players' cards."""
    if asked:
        name = get_ruleset(asked).name
        card_rules(name)
        return name
    known, here = with_cards(), server_context.session.moment.state.ruleset
    if not known:
        raise DreyerError("cards.fault.no_rulebook")
    return here if here in known else known[0]


def _fits(call: Call) -> Callable[[Ruleset], None]:
    """Ships of a battle in free play must keep a card that their marks fit.

    While they fight, players change nothing of their cards; the host and an umpire may.
    """
    free, library = call.session.moment.free, call.session.library.now
    decides = call.caller.host or call.caller.is_umpire

    def fits(ruleset: Ruleset) -> None:
        now = free.of(ruleset.name)
        if now is None or ruleset.rulebook is None:
            return
        rulebook = ruleset.rulebook(now.rulebook.tables)
        before = library.get(ruleset.name).ships
        for ship in now.state.ships:
            card = ruleset.ships.find(ship.type)
            if card != before.find(ship.type) and not decides:
                raise Forbidden("cards.fault.fighting", ship=ship.name)
            if card is None:
                raise DreyerError(
                    "cards.fault.in_free_battle",
                    ship=ship.name,
                )
            rulebook.record_sheet(ship, now.state.marks[ship.id])

    return fits


def _done(
    call: Call,
    ruleset: str,
    *,
    name: str | None = None,
    address: str = "",
    cards: int | None = None,
) -> CardsAnswer:
    edit = call.server_context.cards.last_edit(ruleset)
    return CardsAnswer(
        seq=call.session.announce(),
        undo=UndoableCardEdit(what=edit.what, name=edit.name) if edit else None,
        name=name,
        address=address,
        cards=cards,
    )
