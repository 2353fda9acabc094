"""What is shown on every screen when it happens: salvos, and what became of ships.

Each caller is shown what the caller's seat may see; somebody without a side, such as a television,
what everybody may.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from combat.announcements import Announcement, announcements
from combat.participants import Seat
from combat.salvos import SalvoView
from web.games.guided_game import GuidedGame

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


def happened(battle: GuidedGame | None) -> int:
    """The number of the newest action that is shown; 0 if there is none.

    It is the same for everybody: that an action was shown is no secret, what it shows may be.
    """
    if battle is None:
        return 0
    shown = battle.rulebook.is_shown
    return next((each.n for each in reversed(battle.game.played) if shown(each.events)), 0)


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
        before = game.state_after(number)
        for news in announcements(
            rulebook.view(before, seat),
            rulebook.view(played.state, seat),
            models,
            rulebook.models(before, seat),
        ):
            model = models.get(news.ship) if news.ship else None
            yield Happening(played.n, *place, news=news, target_model=model)
