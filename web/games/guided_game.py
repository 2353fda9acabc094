"""The guided battle: the game that its record gives."""

import hmac
import secrets
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from typing import Final, TypeVar, cast

from combat.battle_history import History
from combat.corrections import CorrectableValue
from combat.dice import ReplayedDice
from combat.dice_wanted import DiceWanted
from combat.events import Event
from combat.game import Game, PlayedAction
from combat.guided_actions import BattleAction
from combat.guided_play import (
    BattleCheck,
    BattleView,
    CorrectedRulebook,
    GuidedRulebook,
    OrderedRulebook,
    OrderedView,
    PlottedRulebook,
    PlottedView,
    Step,
    StepKind,
)
from combat.owner_values import read_overlay
from combat.participants import Seat
from combat.rulebook import Place
from combat.rulebook_info import Ruleset
from combat.rulebooks import get_ruleset
from combat.story_entries import Entry
from combat.tables import TableSet
from combat.views import FireOrderView, TargetOption
from tabletop.errors import DreyerError
from tabletop.places import NamedDocument
from web.journal.battle_record import BattleRecord, RecordedAction

Found = TypeVar("Found")
Check = TypeVar("Check", bound=BattleCheck)


_PEPPER: Final = secrets.token_bytes(16)
"""What a roll is known by to the rules is made of ships' names too; nobody may try them out."""


def roll_token(known_by: str) -> str:
    """What phones know a roll, or what it is for, by."""
    return hmac.new(_PEPPER, known_by.encode(), sha256).hexdigest()[:16]


def with_tokens(view: BattleView) -> BattleView:
    """A view as it leaves the server: its rolls by their tokens."""

    def known(wanted: DiceWanted | None) -> DiceWanted | None:
        return wanted and replace(wanted, roll=roll_token(wanted.roll))

    all_wanted = tuple(replace(each, roll=roll_token(each.roll)) for each in view.all_wanted)
    view = replace(view, wanted=known(view.wanted), all_wanted=all_wanted)
    if not isinstance(view, PlottedView) or view.resolution is None:
        return view
    open_ = tuple(
        replace(each, item=roll_token(each.item), wanted=known(each.wanted))
        for each in view.resolution.open
    )
    return replace(view, resolution=replace(view.resolution, open=open_))


class ViewCache:
    """Results computed for one state of a battle, because many phones ask for the same."""

    def __init__(self) -> None:
        self._found: dict[Hashable, object] = {}

    def find(self, question: Hashable, work_out: Callable[[], Found]) -> Found:
        """The cached result for a key; concurrent callers may both compute it."""
        if question not in self._found:
            self._found[question] = work_out()
        return cast("Found", self._found[question])


@dataclass(frozen=True, slots=True)
class GuidedGame:
    """A guided battle: its rulebook, its record, and the game that the record gives."""

    rulebook: GuidedRulebook[object]
    record: BattleRecord
    game: Game[object]
    answers: ViewCache = field(default_factory=ViewCache, init=False, compare=False, repr=False)

    @property
    def state(self) -> object:
        """The rulebook's state of the battle."""
        return self.game.state

    @property
    def tables(self) -> TableSet:
        """The tables of the battle."""
        return self.rulebook.tables

    def view(self, seat: Seat) -> BattleView:
        """The battle as a seat may see it."""
        return self.answers.find(
            ("view", seat), lambda: with_tokens(self.rulebook.view(self.state, seat))
        )

    def wanted_by(self, token: str) -> DiceWanted | None:
        """The roll that phones know by a token; None where it is no longer open."""
        found = self.rulebook.all_wanted(self.state)
        return next((each for each in found if roll_token(each.roll) == token), None)

    @property
    def plotted(self) -> PlottedRulebook[object]:
        """Its rulebook, where orders are written; DreyerError where they are not."""
        if not isinstance(self.rulebook, PlottedRulebook):
            raise DreyerError("battle.order.not_plotted")
        return self.rulebook

    def plotted_view(self, seat: Seat) -> PlottedView:
        """The battle with its orders as a seat may see it; DreyerError where none are written."""
        view = self.view(seat)
        if not isinstance(view, PlottedView):
            raise DreyerError("battle.order.not_plotted")
        return view

    @property
    def ordered(self) -> OrderedRulebook[object]:
        """Its rulebook, where ships act in turn; DreyerError where they do not."""
        if not isinstance(self.rulebook, OrderedRulebook):
            raise DreyerError("battle.order.not_ordered")
        return self.rulebook

    def ordered_view(self, seat: Seat) -> OrderedView:
        """The battle with who acts next as a seat may see it; DreyerError where none do."""
        view = self.view(seat)
        if not isinstance(view, OrderedView):
            raise DreyerError("battle.order.not_ordered")
        return view

    def correctable(self, ship: str | None) -> tuple[CorrectableValue, ...]:
        """What an umpire may set right of a ship, or of the battle; DreyerError if nothing is."""
        if not isinstance(self.rulebook, CorrectedRulebook):
            raise DreyerError("battle.order.no_corrections")
        return self.rulebook.correctable(self.state, ship)

    def check(self, action: BattleAction, type_: type[Check]) -> Check:
        """What the rulebook says of an action before it is taken."""
        check = self.rulebook.check(self.state, action)
        if not isinstance(check, type_):
            raise DreyerError("battle.order.nothing_to_check", kind=action.kind)
        return check

    def fire_options(self, side: str | None, ship: str) -> tuple[TargetOption, ...]:
        """The possible targets of a ship."""
        return self.answers.find(
            ("fire", side, ship),
            lambda: self.rulebook.fire_options(self.state, side, ship),
        )

    def reach_outlines(self, seat: Seat) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """The line round all places where each ship may be after this segment."""
        return self.answers.find(
            ("reach", seat), lambda: self.plotted.reach_outlines(self.state, seat)
        )

    def fire_proposal(
        self, side: str | None, ships: tuple[str, ...]
    ) -> Mapping[str, tuple[FireOrderView, ...]]:
        """Orders for these ships that do most harm together."""
        return self.answers.find(
            ("fire proposal", side, ships),
            lambda: self.plotted.fire_proposal(
                self.state, side, {ship: self.fire_options(side, ship) for ship in ships}
            ),
        )

    def may_fire(self, ships: tuple[str, ...]) -> frozenset[str]:
        """Those of these ships that have an enemy to fire at, where ships act in turn."""
        return self.answers.find(
            ("may fire", ships), lambda: self.ordered.may_fire(self.state, ships)
        )

    @property
    def events(self) -> Iterator[Event]:
        """All events since the battle began."""
        yield from self.rulebook.opening(self.game.start)
        for played in self.game.played:
            yield from played.events

    def story(self, seat: Seat) -> tuple[Entry, ...]:
        """The story as a seat may know it."""
        return self.answers.find(
            ("story", seat), lambda: self.rulebook.story(self.state, self.events, seat)
        )

    @property
    def history(self) -> History:
        """The positions of all ships in each segment, by true names."""
        return self.answers.find("history", lambda: self.rulebook.history(self.events))

    @property
    def step(self) -> Step:
        """The current step of the sequence of play."""
        return self.rulebook.step(self.state)

    @property
    def place(self) -> Place:
        """The current segment."""
        return self.rulebook.place(self.state)

    @property
    def step_began(self) -> int:
        """How many actions had been played when the present step began."""
        kind, game = self.step.kind, self.game
        began = len(game.played)
        while began and game.played[began - 1].place == self.place:
            if self.rulebook.step(game.state_after(began - 1)).kind is not kind:
                break
            began -= 1
        return began

    @property
    def sides(self) -> tuple[str, ...]:
        """The keys of the sides."""
        return self.record.setup.sides

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.step.kind is StepKind.ENDED


def guided_rulebook(
    ruleset: str, owner_values: str = "", edition: int | None = None
) -> GuidedRulebook[object]:
    """A rulebook for guided battles, in its latest edition if none is given."""
    found = get_ruleset(ruleset)
    return rulebook_of(found if edition is None else found.of_edition(edition), owner_values)


def rulebook_of(ruleset: Ruleset, owner_values: str = "") -> GuidedRulebook[object]:
    """A ruleset's rulebook for guided battles, perhaps with the players' own cards."""
    if ruleset.battle is None:
        raise DreyerError("errors.not_guided", found=ruleset.title)
    return ruleset.battle(_tables_of(ruleset.name, owner_values, ruleset.edition))


@cache
def _tables_of(ruleset: str, owner_values: str, edition: int) -> TableSet:
    return tables_of(get_ruleset(ruleset).of_edition(edition), owner_values)


def tables_of(ruleset: Ruleset, owner_values: str) -> TableSet:
    """The tables of an edition of a rulebook, with a battle's owner's values."""
    tables = ruleset.tables
    if not owner_values:
        return tables
    source = NamedDocument.OWNER_VALUES
    return tables.with_overlay(read_overlay(owner_values.encode(), source), source)


def follow(
    ruleset: str,
    record: BattleRecord | None,
    before: GuidedGame | None,
    just_played: Sequence[PlayedAction[object]] = (),
) -> GuidedGame | None:
    """The battle that a record gives; only new actions are played.

    `just_played` are the newest actions of the record, which are not played again.
    """
    if record is None:
        return None
    if before is not None and before.record == record:
        return before
    rulebook = guided_rulebook(ruleset, record.owner_values, record.edition)
    game = _standing(before, record) if before is not None else None
    if game is None:
        game = Game(rulebook, rulebook.begin(record.setup))
    missing = record.events[len(game.played) :]
    if just_played and len(just_played) == len(missing):
        new = tuple(
            replace(played, n=each.n) for played, each in zip(just_played, missing, strict=True)
        )
    else:
        new = tuple(_played(rulebook, game.state, missing))
    game = replace(game, played=(*game.played, *new), taken_back=record.taken_back)
    return GuidedGame(rulebook, record, game)


def _standing(before: GuidedGame, record: BattleRecord) -> Game[object] | None:
    """The part of the previous game that is still valid; None if it is another battle."""
    if before.record.begun != record.begun or before.record.setup != record.setup:
        return None
    kept = {each.n for each in record.events}
    game = before.game.without([each.n for each in before.game.played if each.n not in kept])
    standing = (each for each in before.record.events if each.n in kept)
    return game if all(a == b for a, b in zip(standing, record.events, strict=False)) else None


def _played(
    rulebook: GuidedRulebook[object], state: object, recorded: Sequence[RecordedAction]
) -> Iterator[PlayedAction[object]]:
    """Play actions of the journal."""
    for each in recorded:
        dice = ReplayedDice(each.rolls)
        place, outcome = rulebook.place(state), rulebook.play(state, each.action, dice)
        dice.finish()
        state = outcome.state
        yield PlayedAction(each.n, each.action, outcome.rolls, outcome.events, place, state)
