"""A battle in free play: the game that its record gives."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from combat.actions import AddShip, NextRound, SetMarks
from combat.dice import ReplayedDice, TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game, PlayedAction
from combat.library import BUILT_IN, Library
from combat.participants import Ship
from combat.previews import Line
from combat.shot_file import ShotForm
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.games.free_documents import read_marks
from web.games.guided_game import tables_of
from web.journal.events import (
    AttackMade,
    AttackRound,
    AttackUndone,
    FreePlayed,
    FreeStep,
    FreeUndone,
)
from web.journal.free_record import FreeBattles, FreeEntry, FreeRecord


@dataclass(frozen=True, slots=True)
class FreeGame:
    """A battle in free play with its rulebook and the game that its record gives."""

    rulebook: FreeRulebook[object]
    record: FreeRecord
    game: Game[FreeState[object]]

    @property
    def state(self) -> FreeState[object]:
        """The current state."""
        return self.game.state

    def refreshed(self, library: Library) -> "FreeGame":
        """The game with the current rulebook, because players may have changed a card."""
        rulebook = rulebook_for(self.record, library)
        return replace(self, rulebook=rulebook, game=replace(self.game, rulebook=rulebook))

    def entry(self, n: int) -> FreeEntry:
        """The journal entry with this number."""
        return next(entry for entry in self.record.entries if entry.n == n)

    def actions(self) -> Iterator[tuple[FreeEntry, int, PlayedAction[FreeState[object]]]]:
        """The actions that are not undone: entry, round and action."""
        for played in self.game.played:
            if played.action.kind in self.rulebook.info_by_kind:
                yield self.entry(played.n), played.place.round_number, played

    def story(self, played: PlayedAction[FreeState[object]]) -> tuple[Line, ...]:
        """An action, line by line."""
        return self.rulebook.report_lines(played.events)


@dataclass(frozen=True)
class FreeGames:
    """All battles in free play of a table."""

    battles: FreeBattles = field(default_factory=FreeBattles)
    known: Mapping[str, FreeGame] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, ruleset: str) -> FreeGame | None:
        """The battle of a rulebook; None if there is none."""
        return self.known.get(ruleset)

    @cached_property
    def server_context(self) -> FreeGame | None:
        """The battle that was played last."""
        return self.known.get(self.battles.server_context)


def rulebook_for(record: FreeRecord, library: Library) -> FreeRulebook[object]:
    """The rulebook of a battle, with its tables at the beginning."""
    ruleset = library.get(record.ruleset).of_edition(record.edition)
    if ruleset.rulebook is None:
        raise DreyerError("errors.not_free", ruleset=ruleset.title)
    return ruleset.rulebook(tables_of(ruleset, record.owner_values))


def step_told(event: FreePlayed) -> tuple[Message, Message]:
    """The last step of an event, after any ships that it added: its title, and what it came to."""
    rulebook = rulebook_for(FreeRecord(event.ruleset, event.edition), BUILT_IN)
    events = event.steps[-1].events
    return rulebook.report_lines(events)[0].text, rulebook.outcome(events)


def follow_free(
    battles: FreeBattles,
    before: FreeGames,
    library: Library,
    just_played: Sequence[PlayedAction[FreeState[object]]] = (),
) -> FreeGames:
    """The games that the records give; only new entries are played.

    `just_played` are the newest actions of the current battle, which are not played again.
    """
    if battles is before.battles:
        return before
    known = {
        name: _follow(
            record,
            before.known.get(name),
            library,
            just_played if name == battles.server_context else (),
        )
        for name, record in battles.records.items()
    }
    return FreeGames(battles, MappingProxyType(known))


def _follow(
    record: FreeRecord,
    before: FreeGame | None,
    library: Library,
    just_played: Sequence[PlayedAction[FreeState[object]]],
) -> FreeGame:
    if before is not None and before.record == record:
        return before
    same = before is not None and (
        before.record.begun == record.begun
        and record.entries[: len(before.record.entries)] == before.record.entries
    )
    rulebook = rulebook_for(record, library)
    if before is not None and same:
        game, played = replace(before.game, rulebook=rulebook), len(before.record.entries)
    else:
        game, played = Game(rulebook, FreeState()), 0
    new = record.entries[played:]
    if just_played and len(new) == 1:
        for each in just_played:
            game = game.restore(replace(each, n=new[0].n))
        return FreeGame(rulebook, record, game)
    for entry in new:
        game = _replayed(rulebook, game, entry)
    return FreeGame(rulebook, record, game)


def _replayed(
    rulebook: FreeRulebook[object], game: Game[FreeState[object]], entry: FreeEntry
) -> Game[FreeState[object]]:
    match entry.event:
        case FreePlayed(steps=steps):
            for step in steps:
                game = game.restore(_step(rulebook, game.state, entry.n, step))
            return game
        case FreeUndone(to=first):
            return game.undo(first)
        case AttackUndone(n=number):
            return game.undo(number)
        case AttackRound():
            return game.play(entry.n, NextRound(), TypedDice(""))
        case AttackMade() as attack:
            return _old_attack(rulebook, game, entry.n, attack)


def _step(
    rulebook: FreeRulebook[object], state: FreeState[object], n: int, step: FreeStep
) -> PlayedAction[FreeState[object]]:
    """A step of the journal: events and marks as stored, the rest by the rules."""
    try:
        after = rulebook.play(state, step.action, ReplayedDice(step.rolls)).state
    except DreyerError:
        if step.action.kind not in rulebook.info_by_kind:
            raise
        # The rules may refuse it now, because a card was changed.
        after = state
    after = _marked(rulebook, after, step.marks)
    return PlayedAction(n, step.action, step.rolls, step.events, rulebook.place(state), after)


def _marked(
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    marks: Mapping[str, Mapping[str, object]],
) -> FreeState[object]:
    """The battle with the stored marks where the rules now give others."""
    for ship in state.ships:
        written = marks.get(ship.id)
        if written is None or written == rulebook.state_document(ship, state.marks[ship.id]):
            continue
        try:
            entered = read_marks(rulebook, state, ship.id, written)
            state = rulebook.play(state, entered, TypedDice("")).state
        except DreyerError:
            # The marks do not fit a card that was changed, so those of the rules are used.
            continue
    return state


# Attacks of version 0.1.0


def _old_attack(
    rulebook: FreeRulebook[object], game: Game[FreeState[object]], n: int, attack: AttackMade
) -> Game[FreeState[object]]:
    """An attack stored with its shot file and dice, replayed by the engine.

    If the rules refuse it now, the marks that it left are entered instead.
    """
    form = ShotForm(rulebook)
    try:
        shot = form.read(_without_states(parse_toml(attack.file.encode(), "attack")), "attack")
        game = _with_ships(rulebook, game, n, shot.state.ships)
        dice = TypedDice(" ".join(attack.dice))
        played = game.play(n, shot.action, dice, anew=True)
        dice.finish()
    except DreyerError:
        return _with_old_marks(form, game, n, attack)
    return played


def _without_states(document: Mapping[str, object]) -> dict[str, object]:
    """A shot file without the ships' marks, which the battle has."""
    return {
        key: {k: v for k, v in value.items() if k != "state"} if isinstance(value, dict) else value
        for key, value in document.items()
    }


def _with_ships(
    rulebook: FreeRulebook[object], game: Game[FreeState[object]], n: int, ships: Iterable[Ship]
) -> Game[FreeState[object]]:
    present = {ship.id for ship in game.state.ships}
    for ship in ships:
        if ship.id not in present:
            side = rulebook.ship_type(ship).nation.lower()
            joined: AddShip[object] = AddShip(ship=replace(ship, side=side))
            game = game.play(n, joined, TypedDice(""))
    return game


def _with_old_marks(
    form: ShotForm[object], game: Game[FreeState[object]], n: int, attack: AttackMade
) -> Game[FreeState[object]]:
    present = {ship.id for ship in game.state.ships}
    for role, marks in attack.after.items():
        name = attack.ship(role)
        written = form.read_marks(marks, name)
        if name in present and written is not None:
            game = game.play(n, SetMarks(ship=name, marks=written), TypedDice(""))
    return game
