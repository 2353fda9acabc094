"""What players do in free play: take an action, undo it, begin the next round, begin anew."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field, with_config

from combat.actions import AddShip, NextRound
from combat.dice import Dice, OutOfDice, RolledDice, TypedDice, TypedThenRolled
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.participants import Ship
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from tabletop.schema import CONFIG, Whole
from web.actions.context import NO_CHANGE, ActionContext, Change, event_change
from web.auth.seats import Caller, Forbidden, Right
from web.games.free_documents import is_new, read_action, read_marks
from web.games.free_game import FreeGame, rulebook_for
from web.journal.events import FreeBegun, FreeEnded, FreePlayed, FreeStep, FreeUndone
from web.journal.fields import Name
from web.journal.free_record import FreeEntry, FreeRecord


@dataclass(frozen=True, slots=True)
class TakeAction:
    """Play one action: ships join, marks are entered, dice are rolled."""

    needs: ClassVar = Right.PLAY
    ruleset: str
    ships: Sequence[Ship]
    """Ships that join, where the battle does not have them yet."""
    marks: Mapping[str, Mapping[str, object]]
    """Marks that are entered by hand before the action, by ship."""
    action: Mapping[str, object]
    dice: Sequence[str]
    roll: bool
    """Whether the program rolls what is not there."""
    owner_values: Callable[[str], str]
    """The owner's table values of a rulebook now, as their file."""
    chance: random.Random

    def change(self, context: ActionContext) -> Change:
        """The action with everything that came of it."""
        _refuse_in_battle(context)
        now, begun = _running(context, self.ruleset, self.owner_values)
        rulebook, game = now.rulebook, now.game
        for ship in self.ships:
            if is_new(rulebook, game.state, ship):
                game = game.play(0, AddShip(ship=ship), TypedDice(""))
        for ship_id, marks in self.marks.items():
            written = read_marks(rulebook, game.state, ship_id, marks)
            game = game.play(0, written, TypedDice(""))
        action = read_action(rulebook, game.state, self.action)
        dice, anew = self._dice()
        try:
            game = game.play(0, action, dice, anew=anew)
        except OutOfDice as out:
            raise DreyerError("combat.dice.one_more", purpose=out.purpose) from None
        if isinstance(dice, TypedDice | TypedThenRolled):
            dice.finish()
        return begun + _played(now, game)

    def _dice(self) -> tuple[Dice, bool]:
        """Where the dice come from, and whether rolls of an undo are left aside."""
        if not self.roll:
            return TypedDice(" ".join(self.dice)), bool(self.dice)
        rolled = RolledDice(self.chance)
        return (TypedThenRolled(self.dice, rolled), True) if self.dice else (rolled, False)


def _played(before: FreeGame, after: Game[FreeState[object]]) -> Change:
    """What was played since."""
    first, record = len(before.game.played), before.record
    steps = steps_from(before.rulebook, after, first)
    event = FreePlayed(ruleset=record.ruleset, edition=record.edition, steps=steps)
    return Change((event,), free=after.played[first:])


def steps_from(
    rulebook: FreeRulebook[object], game: Game[FreeState[object]], first: int = 0
) -> tuple[FreeStep, ...]:
    """The actions from one on as the journal keeps them: with rolls, events and new marks."""
    before = game.state_after(first)
    steps = []
    for count, played in enumerate(game.played[first:], start=first + 1):
        after = game.state_after(count)
        steps.append(
            FreeStep(
                action=played.action,
                rolls=played.rolls,
                events=played.events,
                marks=_changed(rulebook, before, after),
            )
        )
        before = after
    return tuple(steps)


def _changed(
    rulebook: FreeRulebook[object], before: FreeState[object], after: FreeState[object]
) -> dict[str, Mapping[str, object]]:
    """The marks of every ship that has others now."""
    return {
        ship.id: rulebook.state_document(ship, after.marks[ship.id])
        for ship in after.ships
        if before.marks.get(ship.id) != after.marks[ship.id]
    }


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class UndoAction:
    """Take back the last action, or all from one on; their dice are kept."""

    needs: ClassVar = Right.PLAY
    ruleset: Name
    to: Annotated[Whole, Field(ge=1, le=2**53)] | None = None
    """The number of the first action to take back; without it the last one."""

    def change(self, context: ActionContext) -> Change:
        """The undo."""
        _refuse_in_battle(context)
        name = get_ruleset(self.ruleset).name
        now = context.moment.free.of(name)
        if now is None or not now.game.played:
            raise DreyerError("combat.free.nothing_stands")
        first = now.game.played[-1].n if self.to is None else self.to
        gone = [each for each in now.record.entries if each.n >= first and is_in_force(now, each)]
        if not gone:
            raise DreyerError("combat.free.stands_no_more")
        other = next((each for each in gone if not may_undo(each, context.caller)), None)
        if other is not None:
            raise Forbidden("battle.undo_fault.others_roll", who=other.who)
        return event_change(FreeUndone(ruleset=name, to=gone[0].n))


def is_in_force(now: FreeGame, entry: FreeEntry) -> bool:
    """Whether an entry of the journal still counts."""
    return any(played.n == entry.n for played in now.game.played)


def may_undo(entry: FreeEntry, caller: Caller) -> bool:
    """Whether a caller may take an action back: whoever took it, or an umpire."""
    own = caller.seat is not None and caller.seat.id == entry.seat
    return caller.is_umpire or own or (entry.seat is None and caller.seat is None)


@dataclass(frozen=True, slots=True)
class JoinFight:
    """A ship joins a battle in free play, undamaged."""

    needs: ClassVar = Right.PLAY
    ruleset: str
    type: str
    name: str | None
    """Her name; without it that of her type, with a number where it is taken."""
    side: str | None
    """Her side; without it that of her nation."""
    owner_values: Callable[[str], str]

    def change(self, context: ActionContext) -> Change:
        """The ship in the battle."""
        _refuse_in_battle(context)
        now, begun = _running(context, self.ruleset, self.owner_values)
        card = now.rulebook.ship_types.named(self.type, "ship")
        taken = {ship.id for ship in now.state.ships}
        name = self.name or card.name
        if self.name is None and card.several and name in taken:
            numbers = range(2, len(taken) + 3)
            name = next(each for n in numbers if (each := f"{card.name} {n}") not in taken)
        side = self.side or card.nation.lower()
        ship = Ship(name, name, side, card.name)
        game = now.game.play(0, AddShip(ship=ship), TypedDice(""))
        return begun + _played(now, game)


@dataclass(frozen=True, slots=True)
class EnterShips:
    """Ships come into a battle in free play with marks; those that are in it get these marks."""

    needs: ClassVar = Right.PLAY
    ruleset: str
    ships: Sequence[tuple[Ship, Mapping[str, object]]]
    owner_values: Callable[[str], str]

    def change(self, context: ActionContext) -> Change:
        """The ships with their marks."""
        _refuse_in_battle(context)
        if not self.ships:
            raise DreyerError("combat.free.no_ships")
        now, begun = _running(context, self.ruleset, self.owner_values)
        game = now.game
        for ship, marks in self.ships:
            if is_new(now.rulebook, game.state, ship):
                game = game.play(0, AddShip(ship=ship), TypedDice(""))
            written = read_marks(now.rulebook, game.state, ship.id, marks)
            game = game.play(0, written, TypedDice(""))
        return begun + _played(now, game)


@dataclass(frozen=True, slots=True)
class BeginRound:
    """All have acted: the next round begins."""

    needs: ClassVar = Right.PLAY
    ruleset: str
    owner_values: Callable[[str], str]

    def change(self, context: ActionContext) -> Change:
        """The round."""
        _refuse_in_battle(context)
        now, begun = _running(context, self.ruleset, self.owner_values)
        game = now.game.play(0, NextRound(), TypedDice(""))
        return begun + _played(now, game)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class EndFree:
    """Clean sheets for a rulebook; what was rolled stays in the log."""

    needs: ClassVar = Right.PLAY
    ruleset: Name

    def change(self, context: ActionContext) -> Change:
        """The new beginning."""
        _refuse_in_battle(context)
        ruleset = get_ruleset(self.ruleset)
        now = context.moment.free.of(ruleset.name)
        if now is None or not now.game.played:
            raise DreyerError("combat.free.clean")
        return event_change(FreeEnded(ruleset=ruleset.name, title=ruleset.title))


def _refuse_in_battle(context: ActionContext) -> None:
    if context.battle is not None and not context.battle.is_over:
        raise DreyerError("combat.free.under_way")


def _running(
    context: ActionContext, ruleset: str, owner_values: Callable[[str], str]
) -> tuple[FreeGame, Change]:
    """The battle of a rulebook; a new one begins with the owner's values of now."""
    name = get_ruleset(ruleset).name
    now = context.moment.free.of(name)
    if now is not None:
        return now.refreshed(context.moment.library), NO_CHANGE
    record = FreeRecord(name, context.moment.library.get(name).edition, owner_values(name))
    rulebook = rulebook_for(record, context.moment.library)
    begun = FreeBegun(ruleset=name, edition=record.edition, owner_values=record.owner_values)
    return FreeGame(rulebook, record, Game(rulebook, FreeState())), event_change(begun)
