"""A card for each salvo and announcement, which `salvo.js` shows stage by stage.

A card is drawn by `battle/salvo/cards_part.html`, for phones, the host and a television.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from combat.announcements import Announcement
from combat.participants import Seat
from combat.record_sheets import RecordSheet
from combat.salvos import SalvoHit, SalvoView, Weapon
from combat.sides import Sides
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.battle.fire.hit_cards import Gauge, gauge_of
from web.drawing.silhouettes import kind_of_ship
from web.drawing.struck_ship import StruckShip, draw_struck
from web.games.guided_game import GuidedGame
from web.strings import sentence, text, words
from web.views.happenings import Happening

_MOST_LINES: Final = 4
"""More hits than these are counted, not told one by one."""


@dataclass(frozen=True, slots=True)
class CardShip:
    """A ship on a card."""

    name: str
    side: str
    silhouette: str


@dataclass(frozen=True, slots=True)
class HitLine:
    """One hit on a card: where, shell against plate, and what came of it."""

    number: int
    place: str
    effect: str
    gauge: Gauge | None
    penetrated: bool | None


@dataclass(frozen=True, slots=True)
class SalvoCard:
    """A salvo as a card."""

    n: int
    salvo: SalvoView
    firer: CardShip | None
    target: CardShip
    firer_model: str | None
    target_model: str | None
    range: str
    struck: StruckShip | None
    """None while the viewer may not see her sheet."""
    hits: tuple[HitLine, ...]
    more_hits: int
    said: str
    """All of it in one or two sentences, to be read aloud."""


@dataclass(frozen=True, slots=True)
class NewsCard:
    """An announcement as a card."""

    n: int
    news: Announcement
    ship: CardShip | None
    model: str | None
    said: str


Card = SalvoCard | NewsCard


def cards_of(
    battle: GuidedGame, seat: Seat, shown: Iterable[Happening], sides: Sides
) -> tuple[Card, ...]:
    """The cards of what a seat is shown, each as it was when it happened."""
    game = battle.game
    places = {played.n: number for number, played in enumerate(game.played)}
    return tuple(
        _CardMaker(
            battle,
            seat,
            (game.state_after(places[each.n]), game.state_after(places[each.n] + 1)),
            sides,
        ).card(each)
        for each in shown
    )


class _CardMaker:
    """Makes the cards of one action, from the battle before it and after it."""

    def __init__(
        self, battle: GuidedGame, seat: Seat, states: tuple[object, object], sides: Sides
    ) -> None:
        self._rulebook, self._seat, self._states, self._sides = battle.rulebook, seat, states, sides
        self._ships = {ship.id: ship for ship in battle.rulebook.view(states[1], seat).ships}

    def card(self, shown: Happening) -> Card:
        salvo, news = shown.salvo, shown.news
        if salvo is not None:
            return self._salvo(shown, salvo)
        if news is None:
            raise ValueError(shown)
        ship = self._ship(news.ship) if news.ship else None
        said = [sentence(news.words)]
        if news.sunk:
            said.append(str(text("salvo.sunk_in_all", ships=", ".join(news.sunk))))
        return NewsCard(shown.n, news, ship, shown.target_model, _said(said))

    def _salvo(self, shown: Happening, salvo: SalvoView) -> SalvoCard:
        sheet = self._sheet(salvo.target)
        lines = tuple(_lines(salvo.hit_results))
        return SalvoCard(
            n=shown.n,
            salvo=salvo,
            firer=self._ship(salvo.firer) if salvo.firer else None,
            target=self._ship(salvo.target),
            firer_model=shown.firer_model,
            target_model=shown.target_model,
            range=_range(salvo),
            struck=None if sheet is None else self._struck(salvo, sheet),
            hits=lines[:_MOST_LINES],
            more_hits=max(0, len(lines) - _MOST_LINES),
            said=_said(_sentences(salvo, lines)),
        )

    def _ship(self, name: str) -> CardShip:
        ship = self._ships.get(name)
        side = ship.side if ship else ""
        kind = kind_of_ship(ship) if ship else "unknown"
        return CardShip(name, side, f"{kind}-{self._sides[side].shape.hull}")

    def _sheet(self, ship: str) -> RecordSheet | None:
        """Her sheet before she was hit, if the viewer may see it."""
        try:
            return self._rulebook.sheet(self._states[0], ship, self._seat)
        except DreyerError:
            return None

    def _struck(self, salvo: SalvoView, sheet: RecordSheet) -> StruckShip:
        parts = [hit.part or "hull" for hit in salvo.hit_results]
        # A strike tells how many planes hit, not where.
        parts += ["hull"] * (salvo.hits - len(parts))
        misses = 0 if salvo.weapon is Weapon.AIRCRAFT else salvo.count - salvo.hits
        return draw_struck(sheet, self._sides[sheet.side], parts, misses)


def _lines(hits: Iterable[SalvoHit]) -> Iterator[HitLine]:
    for number, hit in enumerate(hits, start=1):
        if not (hit.place or hit.effect):
            continue
        yield HitLine(
            number=number,
            place=sentence(hit.place) if hit.place else "",
            effect=str(text("common.sentence", words=hit.effect)),
            gauge=gauge_of(hit.armour_inches, hit.penetration_inches, hit.penetrated),
            penetrated=hit.penetrated,
        )


def _range(salvo: SalvoView) -> str:
    if salvo.range_yards is None:
        return ""
    return str(text("salvo.range", yards=f"{salvo.range_yards:,.0f}"))


def _sentences(salvo: SalvoView, lines: Iterable[HitLine]) -> Iterator[str]:
    guns = Message("salvo.said", title=salvo.title, target=salvo.target, result=salvo.result)
    if salvo.firer:
        guns = Message("salvo.said_by", firer=salvo.firer, told=guns)
    yield sentence(guns)
    for line in lines:
        yield (
            str(text("salvo.said_hit", place=line.place, effect=line.effect))
            if (line.place)
            else line.effect
        )
    yield from map(words, salvo.losses)


def _said(sentences: Iterable[str]) -> str:
    return " ".join(each if each.endswith((".", "!", "?")) else f"{each}." for each in sentences)
