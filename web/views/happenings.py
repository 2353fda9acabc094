"""What is shown on every screen when it happens: salvos, and what became of ships.

Each caller is shown what the caller's seat may see; somebody without a side, such as a television,
what everybody may.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from combat.announcements import Announcement, News, announcements
from combat.guided_play import CorrectedRulebook
from combat.participants import Seat
from combat.salvos import SalvoView, salvo_of_action
from tabletop.messages import Message, ShipRef
from web.games.free_game import FreeGame
from web.games.guided_game import GuidedGame
from web.table.moment import Moment

MOST: Final = 12
"""The most that a screen is shown at once; what is older is in the story."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A salvo, or what became of a ship."""

    n: int
    """The number of the action in the journal; what came of one action has the same."""
    round_number: int
    segment: int
    salvo: SalvoView | None = None
    """None for an announcement."""
    news: Announcement | None = None
    """None for a salvo."""
    firer_model: str | None = None
    """What the firer's model is called on the chart; None where nobody on the table fires."""
    target_model: str | None = None


def happened(moment: Moment) -> int:
    """The number of the newest action that is shown; 0 if there is none.

    It is the same for everybody: that an action was shown is no secret, what it shows may be.
    """
    battle, free = moment.battle, moment.free.server_context
    if battle is not None:
        shown = battle.rulebook.is_shown
        return next((each.n for each in reversed(battle.game.played) if shown(each.events)), 0)
    if free is None:
        return 0
    played = reversed(free.game.played)
    return next((each.n for each in played if salvo_of_action(each.events) is not None), 0)


def free_happenings(free: FreeGame, after: int = 0) -> tuple[Happening, ...]:
    """What everybody is shown of a battle in free play: its attacks, and who sinks."""
    return tuple(_free_happenings(free, after))


def _free_happenings(free: FreeGame, after: int) -> Iterator[Happening]:
    names = free.state.names
    for played in free.game.played:
        salvo = salvo_of_action(played.events) if played.n > after else None
        if salvo is None:
            continue
        known = replace(salvo, losses=tuple(each.with_ships(names) for each in salvo.losses))
        place = played.place.round_number, played.place.segment
        target = names.get(salvo.target)
        yield Happening(
            played.n,
            *place,
            salvo=known,
            firer_model=names.get(salvo.firer or ""),
            target_model=target,
        )
        if salvo.sunk:
            words = Message("combat.news.sunk", ship=ShipRef(target or salvo.target))
            news = Announcement(News.SUNK, words, salvo.target)
            yield Happening(played.n, *place, news=news, target_model=target)


def happenings(battle: GuidedGame, seat: Seat, after: int = 0) -> tuple[Happening, ...]:
    """What a seat is shown of the actions after a number, in order."""
    return battle.answers.find(
        ("happenings", seat, after), lambda: tuple(_happenings(battle, seat, after))
    )


def _happenings(battle: GuidedGame, seat: Seat, after: int) -> Iterator[Happening]:
    rulebook, game = battle.rulebook, battle.game
    for number, played in enumerate(game.played):
        if played.n <= after or not rulebook.is_shown(played.events):
            continue
        place = played.place.round_number, played.place.segment
        models = rulebook.models(played.state, seat)
        # What a correction resolves anew was shown when it was rolled.
        salvos = rulebook.salvos(played.state, played.events, seat) if played.rolls else ()
        for salvo in salvos:
            yield Happening(
                played.n,
                *place,
                salvo=salvo,
                firer_model=models.get(salvo.firer) if salvo.firer else None,
                target_model=models.get(salvo.target),
            )
        if isinstance(rulebook, CorrectedRulebook):
            for told in rulebook.corrections(played.state, played.events, seat):
                ship = next(iter(told.ships), None)
                news = Announcement(News.CORRECTED, told.line.text, ship)
                model = models.get(ship) if ship else None
                yield Happening(played.n, *place, news=news, target_model=model)
        before = game.state_after(number)
        for news in announcements(
            rulebook.view(before, seat),
            rulebook.view(played.state, seat),
            models,
            rulebook.models(before, seat),
        ):
            model = models.get(news.ship) if news.ship else None
            yield Happening(played.n, *place, news=news, target_model=model)
