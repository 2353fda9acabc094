"""The story of a battle in sections, with the steps that one may go back to."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from combat.guided_play import BattleView
from combat.rulebook import Place
from combat.story_entries import Entry, FireDocument
from combat.views import ShipView
from tabletop.messages import Message
from web.auth.seats import Caller
from web.games.guided_game import GuidedGame
from web.views.battle import PastStep, fought_entries, seat_seen, steps_of, unmeasured, words_of


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A step with its number in the journal and what would be taken back."""

    number: int
    """Counted through the battle."""
    after: int
    time: str
    who: str
    words: str
    later: int
    """How many steps have followed."""


@dataclass(frozen=True, slots=True)
class StorySegment:
    """What happened in a segment, and by which steps."""

    title: Message
    round_number: int
    segment: int
    entries: tuple[tuple[int, Entry], ...]
    """Each with its place in the whole story."""
    steps: tuple[StoryStep, ...]


@dataclass(frozen=True, slots=True)
class SegmentDamage:
    """What a segment has done to a ship."""

    ship: ShipView
    entries: tuple[Entry, ...]


def story_segments(
    battle: GuidedGame, caller: Caller, ship: str = "", *, measured: bool = True
) -> tuple[StorySegment, ...]:
    """The story as the caller may know it, the newest segment first; of one ship, or of all."""
    entries: dict[tuple[int, int], list[tuple[int, Entry]]] = {}
    told = story_for(battle, caller)
    for number, entry in enumerate(told if measured else unmeasured(told)):
        if ship and ship not in entry.ships:
            continue
        entries.setdefault((entry.round_number, entry.segment), []).append((number, entry))
    steps: dict[tuple[int, int], list[StoryStep]] = {}
    past = () if ship else steps_of(battle)
    for number, step in enumerate(past, start=1):
        steps.setdefault(step.key, []).append(_story_step(step, number, len(past) - number))
    keys = sorted({*entries, *steps}, reverse=True)
    return tuple(
        StorySegment(
            battle.rulebook.place_title(Place(*key)),
            *key,
            tuple(entries.get(key, ())),
            tuple(reversed(steps.get(key, ()))),
        )
        for key in keys
    )


def story_for(battle: GuidedGame, caller: Caller) -> Sequence[Entry]:
    """The whole story as the caller may know it."""
    return battle.story(seat_seen(battle, caller))


def damage_of(battle: GuidedGame, caller: Caller, view: BattleView) -> tuple[SegmentDamage, ...]:
    """What the last fire has done to each ship that it has done anything to."""
    told = fought_entries(story_for(battle, caller), view)
    found = (SegmentDamage(ship, tuple(_hurting(ship.id, told))) for ship in view.ships)
    return tuple(harm for harm in found if harm.entries)


def _hurting(ship: str, entries: Iterable[Entry]) -> Iterable[Entry]:
    """Who fires is not hurt by it: of a fire only hits on the target are told."""
    for entry in entries:
        fire = entry.document
        if isinstance(fire, FireDocument) and (fire.target != ship or not fire.hits):
            continue
        if ship in entry.ships:
            yield entry


def _story_step(step: PastStep, number: int, later: int) -> StoryStep:
    recorded = step.recorded
    return StoryStep(
        number,
        recorded.n,
        time.strftime("%H:%M", time.localtime(recorded.seconds)),
        recorded.who,
        words_of(recorded),
        later,
    )
