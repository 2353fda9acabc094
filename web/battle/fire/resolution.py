"""The page on which a segment's fire is resolved: what is rolled for, and what has come of it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from combat.dice import DiceKind
from combat.dice_wanted import DiceWanted
from combat.guided_actions import EndBattle, Mark, Move, RollDice
from combat.guided_play import BattleView, EventKind, PlottedView, StepKind
from combat.previews import Line
from combat.rulebook_info import Ruleset
from combat.story_entries import Entry, FireDocument, HitDocument
from combat.views import OpenRollView, ResolutionView
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.actions.battle import rolls_for
from web.auth.seats import Caller, Seat
from web.battle.fire.hit_cards import HitCard, hit_cards
from web.checks.check_view import Explanation
from web.checks.fire_previews import why_of_fire
from web.drawing.silhouettes import kind_of_ship
from web.games.guided_game import GuidedGame
from web.journal.battle_record import how_rolled
from web.strings import figure, text
from web.views.battle import fought_entries, seat_seen
from web.views.roll_outlook import Outlook, has_kept_dice, outlook_of
from web.views.turn import SeatKind, seat_of


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
    added: bool
    """Whether the two dice are added, so that it does not matter which is which."""
    purpose: Message
    roll: str
    """What the roll is known by, so that no dice are entered for another."""
    at_least: int
    side: str | None
    people: tuple[str, ...]
    yours: bool
    """Whether the caller may enter them."""
    kept: bool
    """Whether they were rolled before a step back, and are used again."""
    outlook: Mapping[str, str]
    """What each key would bring, by the figures typed so far and the key's."""
    decided: tuple[str, ...] = ()
    """The first figures of two with which the second cannot change anything, so that the app may
    roll it."""


@dataclass(frozen=True, slots=True)
class OpenFire:
    """A fire, or something else, that is rolled for now."""

    item: str
    label: Message
    side: str
    yours: bool
    """Whether the caller may enter its dice."""
    begun: bool
    waits: bool
    """Whether hits of another fire at its target are rolled for first."""
    hopeless: bool
    """Whether no roll can change anything, so that none is needed."""
    chosen: bool
    """Whether it is the one on the caller's pad."""


@dataclass(frozen=True, slots=True)
class DicePage:
    """The segment's fire as it stands."""

    step: str
    asked: DiceRequest | None
    may_enter: bool
    current: ResolutionEntry | None
    done: tuple[ResolutionEntry, ...]
    open: tuple[OpenFire, ...]
    """All that is rolled for now, by all sides at once."""
    open_rolls: tuple[str, ...]
    """What the rolls that may be made now are known by."""
    ahead: tuple[Message, ...]
    """What comes when those are done."""
    rolled: tuple[RollEntry, ...]

    @property
    def count(self) -> int:
        """How many fires and other things the segment resolves."""
        return len(self.done) + len(self.open) + len(self.ahead)

    @property
    def yours_left(self) -> int:
        """How many of those that are rolled for now are the caller's."""
        return sum(each.yours and not each.hopeless for each in self.open)

    @property
    def others_left(self) -> tuple[str, ...]:
        """The other sides that still have dice to enter."""
        return tuple(dict.fromkeys(each.side for each in self.open if not each.yours))


def dice_page(
    battle: GuidedGame,
    caller: Caller,
    view: PlottedView,
    seats: Iterable[Seat],
    ruleset: Ruleset,
    item: str = "",
) -> DicePage:
    """The page for one caller, made from what that caller may see.

    `item` is the fire that the caller has chosen to roll for; the first of the caller's otherwise.
    """
    resolution, people = view.resolution, tuple(seats)
    entries = _ResolutionEntries(battle, caller, view, ruleset)
    may_enter = seat_of(battle, caller) is not SeatKind.WATCHER
    sides = sides_of(battle, caller, people)
    open_ = resolution.open if resolution else ()
    chosen = _chosen(open_, item, caller, people, sides)
    current = chosen.entry if chosen else None
    wanted = view.wanted if chosen is None else chosen.wanted
    done = (resolution.done if resolution else ()) or entries.told()
    return DicePage(
        step=view.step.kind,
        asked=dice_request(battle, caller, view, people, wanted),
        may_enter=may_enter,
        current=entries.entry(current, "current") if current else None,
        done=tuple(entries.entry(entry, f"fire-{number}") for number, entry in enumerate(done)),
        open=tuple(
            OpenFire(
                item=each.item,
                label=each.label,
                side=each.side,
                yours=each.side in sides,
                begun=each.begun,
                waits=each.wanted is None and each.needs_dice,
                hopeless=not each.needs_dice,
                chosen=each is chosen,
            )
            for each in open_
        ),
        open_rolls=tuple(each.roll for each in view.all_wanted),
        ahead=_after_these(resolution) if resolution else (),
        rolled=tuple(_rolled(battle)),
    )


def sides_of(battle: GuidedGame, caller: Caller, seats: Iterable[Seat]) -> tuple[str, ...]:
    """The sides whose dice a caller may enter."""
    kind = seat_of(battle, caller)
    if kind is SeatKind.WATCHER:
        return ()
    if kind is SeatKind.UMPIRE or caller.seat is None:
        return battle.sides
    seated = {seat.side for seat in seats if seat.side}
    return rolls_for(battle, caller.seat.side, seated) or ()


def _after_these(resolution: ResolutionView) -> tuple[Message, ...]:
    """Torpedoes, which are rolled when no fire is left (69.4)."""
    open_ = [each.label for each in resolution.open]
    return tuple(label for label in resolution.ahead if label not in open_)


def _chosen(
    open_: Sequence[OpenRollView],
    item: str,
    caller: Caller,
    seats: Sequence[Seat],
    sides: Sequence[str],
) -> OpenRollView | None:
    """What the caller rolls for: as chosen, or the caller's share of what may be rolled."""
    asked = next((each for each in open_ if each.item == item), None)
    if asked is not None:
        return asked
    mine = [each for each in open_ if each.side in sides and each.wanted is not None]
    if not mine:
        return next((each for each in open_ if each.wanted is not None), None)
    # Several phones of a side begin with different fires.
    comrades = [seat.id for seat in seats if caller.seat and seat.side == caller.seat.side]
    place = comrades.index(caller.seat.id) if caller.seat and caller.seat.id in comrades else 0
    return mine[place % len(mine)]


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
        return str(text("fire.range", yards=figure(fire.range_yards, ",.0f"), segment=segment))

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
        """What came of the last dice: repairs, air strikes of this round, or the fire before it."""
        view, told = self._view, self._battle.story(self._seat)
        if view.step.kind is StepKind.ENDED:
            return tuple(each for each in reversed(told) if each.kind == "repair")
        if view.step.kind is not StepKind.PLOT:
            return ()
        now = view.round, view.segment
        strikes = tuple(
            each
            for each in reversed(told)
            if each.kind == "air" and (each.round_number, each.segment) == now
        )
        return strikes or tuple(
            each for each in fought_entries(told, view) if each.kind in _ROLLED_FOR
        )

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


_ROLLED_FOR: Final = frozenset({"fire", "jam", "torpedo"})
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
        elif isinstance(action, Mark) and not found:
            continue
        elif isinstance(action, Move | Mark | EndBattle) or action.kind in _BEGINS_DICE:
            break
    return reversed(found)


def dice_request(
    battle: GuidedGame,
    caller: Caller,
    view: BattleView,
    seats: Iterable[Seat],
    wanted: DiceWanted | None,
) -> DiceRequest | None:
    """The dice that are wanted of one caller; None where none are."""
    if wanted is None:
        return None
    seat, people = seat_seen(battle, caller), tuple(seats)
    pair = wanted.kind is DiceKind.PAIR
    kept = has_kept_dice(battle, wanted)
    outlook = Outlook()
    if isinstance(view, PlottedView) and not kept:
        outlook = outlook_of(battle, seat, view, wanted)
    sides = sides_of(battle, caller, people)
    return DiceRequest(
        pair=pair,
        added=pair and battle.rulebook.adds_two_dice,
        purpose=wanted.purpose,
        roll=wanted.roll,
        at_least=wanted.at_least,
        side=wanted.side,
        people=tuple(seat.name for seat in people if seat.side and seat.side == wanted.side),
        yours=bool(sides) and (wanted.side is None or wanted.side in sides),
        kept=kept,
        outlook=outlook.words,
        decided=outlook.decided,
    )


def _factor_rule(entry: Entry) -> str:
    """The rule of a fire's factor, which is told first of it."""
    return entry.children[0].reference if entry.children else ""
