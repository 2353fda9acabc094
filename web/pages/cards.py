"""The pages of ship cards: the list, and the form of one card with its picture."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from combat.cards import CardRules
from combat.rulebooks import get_ruleset
from combat.ships import ShipList, ShipType, plain_name
from tabletop.errors import DreyerError
from web.api.cards import LONGEST_CARD, ruleset_of
from web.drawing.silhouettes import silhouette_of
from web.http import guard
from web.http.addresses import Pages
from web.owner.cards.files import LARGEST_FILE_BYTES, card_rules, with_cards
from web.owner.cards.form import TYPED, CardForm, form_of, typed_form
from web.owner.cards.preview import CardPreview, picture_of
from web.owner.cards.store import OwnerCards
from web.sides import SideView, side_of
from web.strings import sentence, text, words

routes: Final = Pages(__name__)
_LONGEST_NAME: Final = 80


class CardOrigin(StrEnum):
    """Where a card comes from."""

    NEW = "new"
    """It is not saved yet."""
    BOOK = "ours"
    """It came with the rules."""
    SAMPLE = "sample"
    OWN = "own"
    """The players entered it."""
    OVER = "over"
    """The players entered it, and it stands over one that came with the rules."""

    @property
    def is_own(self) -> bool:
        """Whether the players entered it."""
        return self in (CardOrigin.OWN, CardOrigin.OVER)


@dataclass(frozen=True, slots=True)
class CardListItem:
    """One card in the list."""

    card: ShipType
    origin: CardOrigin
    missing: tuple[str, ...]

    @property
    def css(self) -> str:
        """The class of her side's colour."""
        return SideView.of(side_of(self.card)).css

    @property
    def silhouette(self) -> str:
        """The key of her silhouette."""
        return silhouette_of(self.card)


@routes.get("/cards")
def cards() -> BaseResponse | str:
    """Every card of a rulebook; with a name, a link to a new card of that name."""
    caller = guard.must_look()
    owner, ruleset = guard.server_context().cards, _ruleset()
    name = " ".join(request.args.get("name", "")[:_LONGEST_NAME].split())
    if name:
        # A slash would give another address.
        ship, model = name.replace("/", "-"), request.args.get("copy", "")[:_LONGEST_NAME]
        way = url_for("cards.card", ship=ship, ruleset=ruleset, copy=model or None)
        return redirect(way, code=303)
    rules = card_rules(ruleset)
    listed = [_listed(rules, owner, ruleset, card) for card in _ships(owner, ruleset)]
    return render_template(
        "owner/cards/cards.html",
        **_shell(ruleset),
        part=guard.is_part(),
        own=[each for each in listed if each.origin.is_own],
        ours=[each for each in listed if each.origin is CardOrigin.BOOK],
        samples=[each for each in listed if each.origin is CardOrigin.SAMPLE],
        names=[each.card.name for each in listed],
        may_play=caller.may_play,
        kept=owner.is_saved,
        fault=sentence(owner.fault(ruleset)),
        undo=_undo_words(owner, ruleset),
        books=[get_ruleset(other) for other in with_cards() if other != ruleset],
        largest=LARGEST_FILE_BYTES,
    )


@routes.get("/cards/<path:ship>")
def card(ship: str) -> str:
    """One card: its form, its points, and its picture."""
    caller = guard.must_look()
    owner, ruleset = guard.server_context().cards, _ruleset()
    rules = card_rules(ruleset)
    ship = ship[:_LONGEST_NAME]
    stored = _ships(owner, ruleset).find(ship)
    form, fault = _form(rules, owner, ruleset, ship)
    form = _judged(rules, owner, ruleset, form, ship)
    same = stored is not None and form.contents == form_of(rules, rules.values(stored)).contents
    return render_template(
        "owner/cards/card.html",
        **_shell(ruleset),
        part=guard.is_part(),
        ship=stored.name if stored else ship,
        known=stored is not None,
        origin=_origin(rules, owner, ruleset, ship, stored),
        form=form,
        same=same,
        missing=_missing(rules, form.card) if form.card else (),
        picture=_picture(ruleset, form),
        may_play=caller.may_play,
        undo=_undo_words(owner, ruleset),
        longest=LONGEST_CARD,
        copy=request.args.get("copy", "")[:_LONGEST_NAME],
        fault=fault,
    )


def _form(rules: CardRules, owner: OwnerCards, ruleset: str, ship: str) -> tuple[CardForm, str]:
    """The form as typed, or of the existing card, or of the copied one."""
    if TYPED in request.args:
        return typed_form(rules, dict(request.args.lists())), ""
    ships = _ships(owner, ruleset)
    found, model = ships.find(ship), request.args.get("copy", "")[:_LONGEST_NAME]
    if found is not None:
        return form_of(rules, rules.values(found)), ""
    copied = ships.find(model) if model else None
    if copied is None:
        fault = str(text("cards.no_model", name=model)) if model else ""
        return form_of(rules, {"name": ship}), fault
    # A copy of an invented ship is not invented, and does not have its sources.
    values = {**rules.values(copied), "name": ship}
    values.pop("sample", None)
    return form_of(rules, values), ""


def _judged(
    rules: CardRules, owner: OwnerCards, ruleset: str, form: CardForm, ship: str
) -> CardForm:
    """A name that another card of the players has is reported before saving."""
    if form.card is None or plain_name(form.card.name) == plain_name(ship):
        return form
    if owner.find(ruleset, form.card.name) is None:
        return form
    return CardForm(rules, form.parts, fault=str(text("cards.name_taken", name=form.card.name)))


def _missing(rules: CardRules, card: ShipType) -> tuple[str, ...]:
    return tuple(map(words, rules.missing(card)))


def _picture(ruleset: str, form: CardForm) -> CardPreview | None:
    if form.card is None:
        return None
    try:
        return picture_of(ruleset, form.card)
    except DreyerError:
        # A sheet that cannot be drawn yet must not prevent editing the card.
        return None


def _ships(owner: OwnerCards, ruleset: str) -> ShipList[ShipType]:
    owner.now(ruleset)
    return guard.server_context().session.library.now.get(ruleset).ships


def _listed(rules: CardRules, owner: OwnerCards, ruleset: str, card: ShipType) -> CardListItem:
    origin = _origin(rules, owner, ruleset, card.name, card)
    return CardListItem(card, origin, _missing(rules, card))


def _origin(
    rules: CardRules, owner: OwnerCards, ruleset: str, name: str, card: ShipType | None
) -> CardOrigin:
    if owner.find(ruleset, name) is not None:
        return CardOrigin.OWN if rules.printed.find(name) is None else CardOrigin.OVER
    if card is None:
        return CardOrigin.NEW
    return CardOrigin.SAMPLE if rules.is_sample(card) else CardOrigin.BOOK


def _shell(ruleset: str) -> dict[str, object]:
    return {"ruleset": guard.server_context().session.library.now.get(ruleset)}


def _ruleset() -> str:
    return ruleset_of(guard.server_context(), request.args.get("ruleset", "")[:40])


def _undo_words(owner: OwnerCards, ruleset: str) -> str:
    step = owner.last_edit(ruleset)
    return str(text(f"cards.undo_{step.what}", name=step.name)) if step else ""
