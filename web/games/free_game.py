"""A battle in free play at this moment: the engine's game, kept in step with its record."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from combat.actions import AddShip, NextRound, SetMarks
from combat.dice import FallenDice, TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game, Played
from combat.library import BUILT_IN, Library
from combat.participants import Ship
from combat.previews import Line
from combat.shot_file import ShotForm
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from web.games.free_documents import read_marks
from web.games.guided_game import tables_of
from web.journal.free_record import FreeBattles, FreeEntry, FreeKind, FreeRecord
from web.journal.rolls import read_roll


@dataclass(frozen=True, slots=True)
class FreeNow:
    """A battle in free play with its rulebook and the game that its record gives."""

    rulebook: FreeRulebook[Any]
    record: FreeRecord
    game: Game[FreeState[Any]]

    @property
    def state(self) -> FreeState[Any]:
        """The battle now."""
        return self.game.state

    def refreshed(self, library: Library) -> "FreeNow":
        """The same with the rulebook as it is now: players may have changed a card since."""
        rulebook = rulebook_for(self.record, library)
        return replace(self, rulebook=rulebook, game=replace(self.game, rulebook=rulebook))

    def entry(self, n: int) -> FreeEntry:
        """The entry of the journal with this number."""
        return next(entry for entry in self.record.entries if entry.n == n)

    def actions(self) -> Iterator[tuple[FreeEntry, int, Played[FreeState[Any]]]]:
        """What was rolled and still stands: its entry, its round, and the action."""
        for played in self.game.played:
            if played.action.kind in self.rulebook.info_by_kind:
                yield self.entry(played.n), played.place.round_number, played

    def story(self, played: Played[FreeState[Any]]) -> tuple[Line, ...]:
        """An action, line by line."""
        return self.rulebook.tell(played.events)


@dataclass(frozen=True)
class FreeBattlesNow:
    """All battles in free play of a table."""

    battles: FreeBattles = field(default_factory=FreeBattles)
    known: Mapping[str, FreeNow] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, ruleset: str) -> FreeNow | None:
        """The battle of a rulebook; None where there is none."""
        return self.known.get(ruleset)

    @cached_property
    def running(self) -> FreeNow | None:
        """The battle that was played last."""
        return self.known.get(self.battles.running)


def rulebook_for(record: FreeRecord, library: Library) -> FreeRulebook[Any]:
    """The rulebook of a battle, with the tables of its beginning."""
    ruleset = library.get(record.ruleset).of_edition(record.edition)
    if ruleset.rulebook is None:
        raise DreyerError("errors.not_free", ruleset=ruleset.title)
    return ruleset.rulebook(tables_of(ruleset, record.owner_values))


def told_step(ruleset: str, edition: int, step: Mapping[str, Any]) -> tuple[Line, ...]:
    """A step of the journal, line by line."""
    rulebook = rulebook_for(FreeRecord(ruleset, edition), BUILT_IN)
    schema = rulebook.event_schema()
    events = [schema.check(event) for event in step["events"]]
    return rulebook.tell(events)


def follow_free(battles: FreeBattles, before: FreeBattlesNow, library: Library) -> FreeBattlesNow:
    """The games that the records give; only what is new is played."""
    if battles is before.battles:
        return before
    known = {
        name: _follow(record, before.known.get(name), library)
        for name, record in battles.records.items()
    }
    return FreeBattlesNow(battles, MappingProxyType(known))


def _follow(record: FreeRecord, before: FreeNow | None, library: Library) -> FreeNow:
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
    for entry in record.entries[played:]:
        game = _replayed(rulebook, game, entry)
    return FreeNow(rulebook, record, game)


def _replayed(
    rulebook: FreeRulebook[Any], game: Game[FreeState[Any]], entry: FreeEntry
) -> Game[FreeState[Any]]:
    match entry.kind:
        case FreeKind.PLAYED if entry.played:
            for played in entry.played:
                game = game.restore(replace(played, n=entry.n))
            return game
        case FreeKind.PLAYED:
            for step in entry.data["steps"]:
                game = game.restore(_step(rulebook, game.state, entry.n, step))
            return game
        case FreeKind.UNDONE:
            return game.undo(entry.data["to"])
        case FreeKind.OLD_UNDO:
            return game.undo(entry.data["n"])
        case FreeKind.OLD_ROUND:
            return game.play(entry.n, NextRound(), TypedDice(""))
        case FreeKind.OLD_ATTACK:
            return _old_attack(rulebook, game, entry)


def _step(
    rulebook: FreeRulebook[Any], state: FreeState[Any], n: int, step: Mapping[str, Any]
) -> Played[FreeState[Any]]:
    """A step of the journal: events and marks as they were written, all else by the rules."""
    action = rulebook.action_schema().check(step["action"])
    rolls = tuple(read_roll(roll) for roll in step["rolls"])
    dice = FallenDice(rolls)
    try:
        after = rulebook.play(state, action, dice).state
    except DreyerError:
        if action.kind not in rulebook.info_by_kind:
            raise
        # A card may have been changed since, so that the rules refuse it today.
        after = state
    after = _marked(rulebook, after, step.get("marks", {}))
    schema = rulebook.event_schema()
    events = tuple(schema.check(event) for event in step["events"])
    return Played(n, action, rolls, events, rulebook.place(state), after)


def _marked(
    rulebook: FreeRulebook[Any], state: FreeState[Any], marks: Mapping[str, Mapping[str, Any]]
) -> FreeState[Any]:
    """The battle with the marks that were written where the rules give others today."""
    for ship in state.ships:
        written = marks.get(ship.id)
        if written is None or written == rulebook.state_document(ship, state.marks[ship.id]):
            continue
        try:
            entered = read_marks(rulebook, state, ship.id, written)
            state = rulebook.play(state, entered, TypedDice("")).state
        except DreyerError:
            # They do not fit a card that was changed since: what the rules give must do.
            continue
    return state


# Attacks of version 0.1.0


def _old_attack(
    rulebook: FreeRulebook[Any], game: Game[FreeState[Any]], entry: FreeEntry
) -> Game[FreeState[Any]]:
    """An attack that was kept with its shot file and its dice, played again by the engine.

    Should the rules refuse it now, the marks that it left are entered as they were.
    """
    form, data = ShotForm(rulebook), entry.data
    try:
        shot = form.read(_without_states(parse_toml(data["file"].encode(), "attack")), "attack")
        game = _with_ships(rulebook, game, entry.n, shot.state.ships)
        dice = TypedDice(" ".join(data["dice"]))
        played = game.play(entry.n, shot.action, dice, anew=True)
        dice.finish()
    except DreyerError:
        return _with_old_marks(form, game, entry)
    return played


def _without_states(document: Mapping[str, Any]) -> dict[str, Any]:
    """A shot file without the ships' marks: the battle has them."""
    return {
        key: {k: v for k, v in value.items() if k != "state"} if isinstance(value, dict) else value
        for key, value in document.items()
    }


def _with_ships(
    rulebook: FreeRulebook[Any], game: Game[FreeState[Any]], n: int, ships: Iterable[Ship]
) -> Game[FreeState[Any]]:
    present = {ship.id for ship in game.state.ships}
    for ship in ships:
        if ship.id not in present:
            side = rulebook.ship_type(ship).nation.lower()
            joined: AddShip[Any] = AddShip(ship=replace(ship, side=side))
            game = game.play(n, joined, TypedDice(""))
    return game


def _with_old_marks(
    form: ShotForm[Any], game: Game[FreeState[Any]], entry: FreeEntry
) -> Game[FreeState[Any]]:
    present = {ship.id for ship in game.state.ships}
    for role, marks in entry.data["after"].items():
        name = entry.data[role]
        written = form.read_marks(marks, name)
        if name in present and written is not None:
            game = game.play(entry.n, SetMarks(ship=name, marks=written), TypedDice(""))
    return game
