"""The page on which a segment's fire is resolved: what is rolled for, and what has come of it."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from combat.dice import FACES, DiceKind, TypedDice
from combat.guided_actions import EndBattle, Mark, Move, RollDice
from combat.guided_play import BattleView, EventKind, PlottedView, StepKind
from combat.participants import Seat as Viewer
from combat.previews import Line
from combat.rulebook_info import Ruleset
from combat.story_entries import Entry, FireDocument, HitDocument
from combat.views import ResolutionView
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.actions.battle import with_kept_rolls
from web.auth.seats import Caller, Seat
from web.battle.fire.hit_cards import HitCard, hit_cards
from web.checks.check_view import Explanation
from web.checks.fire_previews import why_of_fire
from web.drawing.silhouettes import kind_of_ship
from web.games.guided_game import GuidedGame
from web.journal.battle_record import how_rolled
from web.strings import LANGUAGE, text, words
from web.views.battle import seat_seen
from web.views.turn import SeatKind, seat_of

_FACES: Final = tuple(str(face) for face in range(1, FACES + 1))


@dataclass(frozen=True, slots=True)
class RollEntry:
    """Dice that were entered together: what fell, how it came in, and by whom."""

    values: tuple[str, ...]
    how: str
    """typed, umpire, rolled or kept."""
    who: str


@dataclass(frozen=True, slots=True)
class ShipFigure:
    """A ship in the picture of a fire: her side, her silhouette, and how she is turned to it."""

    side: str
    kind: str
    turn_deg: float
    """From upwards, clockwise, where the line of fire runs from left to right."""


@dataclass(frozen=True, slots=True)
class ResolutionEntry:
    """One thing that the segment resolves: a line, and folded beneath it how it came about."""

    key: str
    kind: str
    words: Message
    reference: str
    complete: bool
    firer: str
    target: str
    sides: Mapping[str, str]
    document: FireDocument | None
    range: str
    """Its range with the segment that it lies in; empty without a document."""
    why: Explanation | None
    hits: tuple[HitCard, ...]
    lines: tuple[Line, ...]
    """What is told of what has no document."""
    duel: tuple[ShipFigure, ...]
    """Who fires and at whom, as they lie to each other; nobody where one of them is not seen."""

    @property
    def unrounded_factor(self) -> str:
        """Guns times their rate of fire, where the factor is another number; else empty."""
        fire = self.document
        if fire is None or fire.multiplier is None:
            return ""
        factor = fire.guns * fire.multiplier
        return "" if factor == fire.gunnery_factor else f"{factor:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class DiceRequest:
    """The dice that are wanted now, and who is asked to roll them."""

    pair: bool
    purpose: Message
    number: int
    at_least: int
    side: str | None
    people: tuple[str, ...]
    yours: bool
    outlook: Mapping[str, str]
    """What each key would bring, by the figures typed so far and the key's."""


@dataclass(frozen=True, slots=True)
class PendingFire:
    """A fire that is still to be resolved."""

    label: Message
    choose: Mapping[str, object] | None
    """What says that it is rolled next; None where the caller may not say so."""


@dataclass(frozen=True, slots=True)
class DicePage:
    """The segment's fire as it stands."""

    step: str
    asked: DiceRequest | None
    may_enter: bool
    kept: tuple[str, ...]
    """Dice from before a step back that are wanted again."""
    current: ResolutionEntry | None
    done: tuple[ResolutionEntry, ...]
    ahead: tuple[PendingFire, ...]
    rolled: tuple[RollEntry, ...]

    @property
    def count(self) -> int:
        """How many fires and other things the segment resolves."""
        return len(self.done) + len(self.ahead) + (self.current is not None)

    @property
    def place(self) -> int:
        """Which of them is being resolved."""
        return min(len(self.done) + 1, self.count)


def dice_page(
    battle: GuidedGame, caller: Caller, view: PlottedView, seats: Iterable[Seat], ruleset: Ruleset
) -> DicePage:
    """The page for one caller, made from what that caller may see."""
    resolution = view.resolution
    current = resolution.current if resolution else None
    entries = _ResolutionEntries(battle, caller, view, ruleset)
    may_enter = seat_of(battle, caller) is not SeatKind.WATCHER
    done = (resolution.done if resolution else ()) or entries.told()
    resolving = view.step.kind is StepKind.RESOLVE
    return DicePage(
        step=view.step.kind,
        asked=dice_request(battle, caller, view, seats),
        may_enter=may_enter,
        kept=kept_dice(battle) if resolving else (),
        current=entries.entry(current, "current") if current else None,
        done=tuple(entries.entry(entry, f"fire-{number}") for number, entry in enumerate(done)),
        ahead=tuple(_ahead(resolution, may_choose=may_enter)) if resolution else (),
        rolled=tuple(_rolled(battle)),
    )


def _ahead(resolution: ResolutionView, *, may_choose: bool) -> Iterator[PendingFire]:
    """What is still to be resolved, and which of it the caller may have rolled next."""
    choices = {each.label: each for each in resolution.choices} if may_choose else {}
    for label in resolution.ahead:
        choice = choices.get(label)
        if choice is None:
            yield PendingFire(label, None)
            continue
        fire = {
            "firer": choice.firer,
            "target": choice.target,
            "battery": choice.battery,
            "reason": str(text("fire.next_reason")),
        }
        yield PendingFire(label, {"kind": EventKind.ROLL_NEXT, "data": fire})


class _ResolutionEntries:
    """Makes the entries of a resolution for one caller."""

    def __init__(
        self, battle: GuidedGame, caller: Caller, view: PlottedView, ruleset: Ruleset
    ) -> None:
        self._battle, self._view = battle, view
        self._seat = seat_seen(battle, caller)
        self._ships = {ship.id: ship for ship in view.ships}
        self._sides = {name: ship.side for name, ship in self._ships.items()}
        self._segments = {segment.name: segment.title for segment in ruleset.segments}

    def entry(self, entry: Entry, key: str) -> ResolutionEntry:
        ships = entry.ships
        document = entry.document if isinstance(entry.document, FireDocument) else None
        firer, target = (*ships, "", "")[:2]
        return ResolutionEntry(
            key=key,
            kind=entry.kind,
            words=entry.line.text,
            reference=entry.line.reference,
            complete=entry.complete,
            firer=firer,
            target=target,
            sides=self._sides,
            document=document,
            range=self._range(document) if document else "",
            why=why_of_fire(document, _factor_rule(entry)) if document else None,
            hits=self._hits(target, document.hit_results) if document else (),
            lines=() if document else entry.children,
            duel=self._duel(firer, target) if document else (),
        )

    def _range(self, fire: FireDocument) -> str:
        out_of_range = Message("fire.out_of_range")
        segment = self._segments.get(fire.segment, out_of_range) if fire.segment else out_of_range
        return str(text("fire.range", yards=f"{fire.range_yards:,.0f}", segment=segment))

    def _duel(self, firer: str, target: str) -> tuple[ShipFigure, ...]:
        pair = [self._ships[name] for name in (firer, target) if name in self._ships]
        if len(pair) != 2:
            return ()
        start, end = (ship.pose for ship in pair)
        bearing = math.degrees(math.atan2(end.x_yards - start.x_yards, end.y_yards - start.y_yards))
        return tuple(
            ShipFigure(
                ship.side, kind_of_ship(ship), round(ship.pose.heading_deg - bearing + 90, 1)
            )
            for ship in pair
        )

    def told(self) -> tuple[Entry, ...]:
        """What came of repairs after the battle, or of this round's air strikes, newest first."""
        kinds = {StepKind.ENDED: "repair", StepKind.PLOT: "air"}
        kind, now = kinds.get(self._view.step.kind), (self._view.round, self._view.segment)
        told = reversed(self._battle.story(self._seat))
        found = (entry for entry in told if entry.kind == kind)
        if kind == "repair":
            return tuple(found)
        return tuple(each for each in found if (each.round_number, each.segment) == now)

    def _hits(self, target: str, results: Sequence[HitDocument]) -> tuple[HitCard, ...]:
        if not results:
            return ()
        battle = self._battle
        try:
            sheet = battle.rulebook.sheet(battle.state, target, self._seat)
        except DreyerError:
            # Without her sheet the hits are told without a picture of her.
            sheet = None
        return hit_cards(results, sheet)


def kept_dice(battle: GuidedGame) -> tuple[str, ...]:
    """Dice from before an undo that are wanted now, as they will be read again."""
    again = with_kept_rolls(battle.game)
    return () if again is None else tuple(roll.value for roll in again.played[-1].rolls)


_BEGINS_DICE: Final = frozenset({EventKind.REPAIR, EventKind.AIR_STRIKE})
"""Actions whose dice are their own."""


def _rolled(battle: GuidedGame) -> Iterable[RollEntry]:
    """The dice of the resolution under way, in the order in which they came."""
    found: list[RollEntry] = []
    for recorded in reversed(battle.record.events):
        action = recorded.action
        if isinstance(action, RollDice):
            values = tuple(roll.value for roll in recorded.rolls)
            found.append(RollEntry(values, how_rolled(recorded.rolls), recorded.who))
        elif isinstance(action, Move | Mark | EndBattle) or action.kind in _BEGINS_DICE:
            break
    return reversed(found)


def dice_request(
    battle: GuidedGame, caller: Caller, view: BattleView, seats: Iterable[Seat]
) -> DiceRequest | None:
    """The dice that are wanted now, for one caller; None where none are."""
    wanted = view.wanted
    if wanted is None:
        return None
    seat = seat_seen(battle, caller)
    pair = wanted.kind is DiceKind.PAIR
    outlook: Mapping[str, str] = {}
    if isinstance(view, PlottedView):
        outlook = battle.answers.find(
            ("outlook", seat, LANGUAGE.get()), lambda: dict(_outlook(battle, seat, view, pair=pair))
        )
    people = tuple(seat.name for seat in seats if seat.side and seat.side == wanted.side)
    return DiceRequest(
        pair=pair,
        purpose=wanted.purpose,
        number=wanted.number,
        at_least=wanted.at_least,
        side=wanted.side,
        people=people,
        yours=seat.side is not None and seat.side == wanted.side,
        outlook=outlook,
    )


def _outlook(
    battle: GuidedGame, seat: Viewer, view: PlottedView, *, pair: bool
) -> Iterator[tuple[str, str]]:
    """What each roll would bring: the row and the hits, where a hit would fall, what it does.

    Nothing of it is told of a hidden ship: at which rolls she is hit depends on her class.
    """
    if view.resolution is None:
        return
    hidden = {ship.id for ship in view.ships if ship.hidden}
    before = _fire_of(view.resolution.current)
    place = len(view.resolution.done)
    for first in _FACES:
        counts, ends = [], []
        for second in _FACES if pair else ("",):
            dice = TypedDice(first + second)
            state = battle.plotted.play(battle.state, RollDice(), dice).state
            after = battle.plotted.view(state, seat).resolution
            entries = [*after.done, after.current] if after else []
            entry = entries[place] if place < len(entries) else None
            if entry is not None and not hidden.isdisjoint(entry.ships):
                return
            document = _fire_of(entry)
            if before is not None and document is not None:
                told = _brings(before, document, pair=pair)
                if before.dice is None:
                    counts.append(document.hits)
            else:
                # A roll that is no fire, as for jams, is told in one line: it says what came.
                told = _result(entry) if entry and entry.complete else ""
                ends.append(told)
            if told:
                yield first + second, told
        if counts:
            yield first, _span(min(counts), max(counts))
        elif pair and len(set(ends)) == 1:
            yield first, ends[0]


def _factor_rule(entry: Entry) -> str:
    """The rule of a fire's factor, which is told first of it."""
    return entry.children[0].reference if entry.children else ""


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
