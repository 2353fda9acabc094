"""What a roll would bring, before it falls: for the keys of the pad for dice."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from combat.dice import FACES, DiceKind, TypedDice, kept_for
from combat.dice_wanted import DiceWanted
from combat.guided_actions import RollDice
from combat.guided_play import PlottedView
from combat.participants import Seat
from combat.story_entries import Entry, FireDocument
from combat.views import OpenRollView, ResolutionView
from tabletop.messages import Message
from web.games.guided_game import GuidedGame, roll_token
from web.strings import LANGUAGE, text, words

_FACES: Final = tuple(str(face) for face in range(1, FACES + 1))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What each roll would bring."""

    words: Mapping[str, str] = field(default_factory=dict)
    """By its figures, and for two dice by the first of them."""
    decided: tuple[str, ...] = ()
    """The first figures of two with which the second cannot change anything."""


def outlook_of(battle: GuidedGame, seat: Seat, view: PlottedView, wanted: DiceWanted) -> Outlook:
    """What each roll would bring, as a seat may know it before it falls."""
    return battle.answers.find(
        ("outlook", seat, wanted.roll, LANGUAGE.get()), lambda: _outlook(battle, seat, view, wanted)
    )


def with_second_die(
    battle: GuidedGame, seat: Seat, roll: str, first: str, chance: Random
) -> str | None:
    """A roll of which the first figure alone was typed; None where the second one matters."""
    view = battle.plotted_view(seat)
    wanted = next((each for each in view.all_wanted if each.roll == roll), None)
    if wanted is None or wanted.kind is not DiceKind.PAIR or has_kept_dice(battle, wanted):
        return None
    if first not in outlook_of(battle, seat, view, wanted).decided:
        return None
    return first + chance.choice(_FACES)


def has_kept_dice(battle: GuidedGame, wanted: DiceWanted) -> bool:
    """Whether a roll was made before a step back, and is used again."""
    known = battle.wanted_by(wanted.roll)
    kept = battle.game.kept_rolls(RollDice())
    return known is not None and bool(kept_for(kept, known.kind, known.purpose))


def _outlook(battle: GuidedGame, seat: Seat, view: PlottedView, wanted: DiceWanted) -> Outlook:
    """What each roll would bring: the row and the hits, where a hit would fall, what it does.

    Nothing of it is told of a hidden ship: at which rolls she is hit depends on her class.
    """
    known = battle.wanted_by(wanted.roll)
    if view.resolution is None or known is None:
        return Outlook()
    rolled = next((each for each in view.resolution.open if each.wanted == wanted), None)
    hidden = {ship.id for ship in view.ships if ship.hidden}
    before = _fire_of(rolled.entry) if rolled else None
    action = RollDice(roll=known.roll, only=True)
    pair, found, decided = wanted.kind is DiceKind.PAIR, dict[str, str](), list[str]()
    for first in _FACES:
        counts, ends, results = [], [], []
        for second in _FACES if pair else ("",):
            dice = TypedDice(first + second)
            state = battle.plotted.play(battle.state, action, dice).state
            after = battle.plotted.view(state, seat).resolution
            entry = _entry_after(view.resolution, after, rolled)
            if entry is not None and not hidden.isdisjoint(entry.ships):
                return Outlook(found)
            document = _fire_of(entry)
            if before is not None and document is not None:
                told = _brings(before, document, pair=pair)
                if before.dice is None:
                    counts.append(document.hits)
                results.append(_decides(before, document))
            else:
                # A roll that is no fire, as for jams, is told in one line: it says what came.
                told = _result(entry) if entry and entry.complete else ""
                ends.append(told)
                results.append(told or None)
            if told:
                found[first + second] = told
        if counts:
            found[first] = _span(min(counts), max(counts))
        elif pair and len(set(ends)) == 1:
            found[first] = ends[0]
        if pair and results[0] is not None and all(each == results[0] for each in results):
            decided.append(first)
    return Outlook(found, tuple(decided))


def _decides(before: FireDocument, after: FireDocument) -> object:
    """What a roll of a fire decides: how many hits, or all that a hit does; None where it is open.

    Where only hits are counted, their dice are asked for afterwards, whichever row it was.
    """
    if before.dice is None:
        return after.hits
    new = after.hit_results[len(before.hit_results) :]
    return replace(new[0], dice=()) if new else None


def _entry_after(
    before: ResolutionView, after: ResolutionView | None, rolled: OpenRollView | None
) -> Entry | None:
    """What has come of what was rolled for: as it is open still, or among those that are done."""
    if after is None or rolled is None:
        return None
    for each in after.open:
        if roll_token(each.item) == rolled.item:
            return each.entry
    known = Counter(entry.kind for entry in before.done)
    for entry in after.done:
        known[entry.kind] -= 1
        if known[entry.kind] < 0:
            return entry
    return None


def _result(entry: Entry) -> str:
    """What came of a roll, in words, without what it was for."""
    result = dict(entry.line.text.params).get("result")
    return words(result) if isinstance(result, Message) else ""


def _fire_of(entry: Entry | None) -> FireDocument | None:
    document = entry.document if entry is not None else None
    return document if isinstance(document, FireDocument) else None


def _brings(before: FireDocument, after: FireDocument, *, pair: bool) -> str:
    if before.dice is None:
        return str(text("fire.row_hits", row=after.row, hits=_hits_words(after.hits)))
    new = after.hit_results[len(before.hit_results) :]
    if not new:
        return ""
    return words(new[0].place if pair else new[0].outcome)


def _span(least: int, most: int) -> str:
    if least == most:
        return _hits_words(most)
    return str(text("fire.hits_span", least=least, most=most))


def _hits_words(hits: int) -> str:
    return str(text("fire.hits", n=hits)) if hits else str(text("fire.miss"))
