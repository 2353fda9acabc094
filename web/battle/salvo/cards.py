"""A card for each salvo and announcement, which `salvo.js` shows stage by stage.

A card is drawn by `battle/salvo/cards_part.html`, for phones, the host and a television.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from combat.announcements import Announcement
from combat.participants import Seat, Side
from combat.record_sheets import RecordSheet
from combat.salvos import SalvoHit, SalvoView, Weapon
from combat.sides import Sides
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.battle.fire.hit_cards import Gauge, gauge_of
from web.drawing.silhouettes import kind_of_ship, silhouette_of
from web.drawing.struck_ship import StruckShip, draw_struck
from web.games.free_game import FreeGame
from web.games.guided_game import GuidedGame
from web.strings import figure, sentence, text, words
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
    game, rulebook = battle.game, battle.rulebook
    places = {played.n: number for number, played in enumerate(game.played)}

    def card(each: Happening) -> Card:
        before = game.state_after(places[each.n])
        after = rulebook.view(game.state_after(places[each.n] + 1), seat)
        ships = {
            ship.id: CardShip(
                ship.id, ship.side, f"{kind_of_ship(ship)}-{sides[ship.side].shape.hull}"
            )
            for ship in after.ships
        }
        return _CardMaker(
            ships, lambda ship: rulebook.sheet(before, ship, seat), sides.__getitem__
        ).card(each)

    return tuple(map(card, shown))


def free_cards_of(free: FreeGame, shown: Iterable[Happening]) -> tuple[Card, ...]:
    """The cards of a battle in free play."""
    game, rulebook = free.game, free.rulebook
    places = {played.n: number for number, played in enumerate(game.played)}
    sides = {side.key: side for side in free.state.sides}
    ships = {
        ship.id: CardShip(
            ship.name,
            ship.side,
            silhouette_of(rulebook.ship_types.find(ship.type), sides[ship.side]),
        )
        for ship in free.state.ships
    }

    def card(each: Happening) -> Card:
        before = game.state_after(places[each.n])
        return _CardMaker(ships, lambda ship: rulebook.sheet(before, ship), sides.__getitem__).card(
            each
        )

    return tuple(map(card, shown))


class _CardMaker:
    """Makes the cards of one action, from the ships after it and their sheets before it."""

    def __init__(
        self,
        ships: Mapping[str, CardShip],
        sheet: Callable[[str], RecordSheet],
        side: Callable[[str], Side],
    ) -> None:
        self._ships, self._sheet_of, self._side = ships, sheet, side

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
        firer = self._ship(salvo.firer) if salvo.firer else None
        target = self._ship(salvo.target)
        return SalvoCard(
            n=shown.n,
            salvo=salvo,
            firer=firer,
            target=target,
            firer_model=shown.firer_model,
            target_model=shown.target_model,
            range=_range(salvo),
            struck=None if sheet is None else self._struck(salvo, sheet),
            hits=lines[:_MOST_LINES],
            more_hits=max(0, len(lines) - _MOST_LINES),
            said=_said(_sentences(salvo, firer, target, lines)),
        )

    def _ship(self, name: str) -> CardShip:
        return self._ships.get(name) or CardShip(name, "", "unknown-round")

    def _sheet(self, ship: str) -> RecordSheet | None:
        """Her sheet before she was hit, if the viewer may see it."""
        try:
            return self._sheet_of(ship)
        except DreyerError:
            return None

    def _struck(self, salvo: SalvoView, sheet: RecordSheet) -> StruckShip:
        parts = [hit.part or "hull" for hit in salvo.hit_results]
        # A strike tells how many planes hit, not where.
        parts += ["hull"] * (salvo.hits - len(parts))
        misses = 0 if salvo.weapon is Weapon.AIRCRAFT else salvo.count - salvo.hits
        return draw_struck(sheet, self._side(sheet.side), parts, misses)


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
    return str(text("salvo.range", yards=figure(salvo.range_yards, ",.0f")))


def _sentences(
    salvo: SalvoView, firer: CardShip | None, target: CardShip, lines: Iterable[HitLine]
) -> Iterator[str]:
    guns = Message("salvo.said", title=salvo.title, target=target.name, result=salvo.result)
    if firer is not None:
        guns = Message("salvo.said_by", firer=firer.name, told=guns)
    yield sentence(guns)
    for line in lines:
        yield (
            str(text("salvo.said_hit", place=line.place, effect=line.effect))
            if line.place
            else line.effect
        )
    yield from map(words, salvo.losses)


def _said(sentences: Iterable[str]) -> str:
    return " ".join(each if each.endswith((".", "!", "?")) else f"{each}." for each in sentences)
