"""`dreyer replay`: play a whole fight or battle from a file."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from combat.dice import ReplayedDice
from combat.dice_wanted import DiceWanted
from combat.fight_file import play_fight
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.participants import UMPIRE, Ship, ShipStatus
from combat.previews import Line
from combat.rulebooks import DEFAULT, get_ruleset
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.cli.commands import Commands, add_parser, help_text
from web.cli.fire import as_json, story_line
from web.files import LARGEST_BATTLE_BYTES, read_input, refuse_large_toml
from web.library import CurrentLibrary
from web.owner.cards.files import library_in
from web.owner.rulebooks import open_rulebook
from web.owner.tables.files import default_data_folder
from web.strings import words

if TYPE_CHECKING:
    from web.games.guided_game import GuidedGame


def add_command(commands: Commands) -> None:
    """Add `replay` to the command line."""
    replay = add_parser(commands, "replay")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    replay.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help=help_text("command.help.data"),
    )
    replay.set_defaults(run=run_replay)


def run_replay(options: argparse.Namespace) -> int:
    """Play a file to its end."""
    source, data = str(options.file), read_input(options.file, LARGEST_BATTLE_BYTES)
    if data.lstrip().startswith(b"{"):
        replayed = replay_export(data, source, CurrentLibrary(library_in(options.data)))
    else:
        refuse_large_toml(options.file, data)
        written = parse_toml(data, source)
        ruleset, edition = written.get("ruleset", DEFAULT), written.get("edition")
        rulebook = open_rulebook(ruleset, options.data, source, edition)
        # The edition has been checked already.
        known = edition if isinstance(edition, int) else None
        replayed = replay_free(rulebook, play_fight(rulebook, written, source), known)
    print(as_json(replayed.document(), replayed.names) if options.json else _as_text(replayed))
    return 0


@dataclass(frozen=True, slots=True)
class ReplayedShip:
    """A ship at the end of a battle."""

    ship: Ship
    status: ShipStatus
    glance: Message
    """A one-line summary of her damage."""
    state: Mapping[str, object]
    """Her marks with the keys of a shot file's [firer.state]."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A battle played to its end."""

    ruleset: str
    edition: int
    round_number: int
    events: tuple[Mapping[str, object], ...]
    """As JSON, each with the number of its action and its round."""
    ships: tuple[ReplayedShip, ...]
    wanted: DiceWanted | None
    story: tuple[Line, ...]

    @property
    def names(self) -> Mapping[str, str]:
        """The ships' names by their ids."""
        return {each.ship.id: each.ship.name for each in self.ships}

    def document(self) -> dict[str, object]:
        """The document of `--json`."""
        return {
            "ruleset": self.ruleset,
            "edition": self.edition,
            "round": self.round_number,
            "events": self.events,
            "ships": [
                {
                    "name": each.ship.name,
                    "type": each.ship.type,
                    "side": each.ship.side,
                    "status": each.status.free_play_key,
                    "state": each.state,
                }
                for each in self.ships
            ],
            "wanted": self.wanted and _wanted(self.wanted),
            "story": [line.text for line in self.story],
        }


def _wanted(wanted: DiceWanted) -> dict[str, object]:
    return {"kind": wanted.kind, "purpose": wanted.purpose, "side": wanted.side}


def replay_free(
    rulebook: FreeRulebook[object], game: Game[FreeState[object]], edition: int | None = None
) -> Replayed:
    """A battle in free play: its events, its ships, and its story."""
    state, schema = game.state, rulebook.event_schema()
    named = partial(words, names=state.names)
    events: list[Mapping[str, object]] = []
    story: list[Line] = []
    for played in game.played:
        for event in played.events:
            written = schema.dump(event, named)
            events.append({"n": played.n, "round": played.place.round_number, **written})
        story += rulebook.report_lines(played.events)
    return Replayed(
        ruleset=rulebook.name,
        edition=edition or get_ruleset(rulebook.name).edition,
        round_number=state.round_number,
        events=tuple(events),
        ships=tuple(
            _ship_at_end(rulebook, state, ship, rulebook.status(state, ship.id))
            for ship in state.ships
        ),
        wanted=None,
        story=tuple(story),
    )


def _ship_at_end(
    rulebook: FreeRulebook[object], state: FreeState[object], ship: Ship, status: ShipStatus
) -> ReplayedShip:
    glance = rulebook.sheet(state, ship.id).glance
    return ReplayedShip(ship, status, glance, rulebook.state_document(ship, state.marks[ship.id]))


# Exported battles


def replay_export(data: bytes, source: str, library: CurrentLibrary) -> Replayed:
    """The battle of an exported file: guided, or in free play."""
    # Imported late, because a fight file does not need Flask.
    from web.archive.imports import read_export
    from web.faults import Fault
    from web.journal.store import Store
    from web.session import Session

    try:
        entries = read_export(data, library).entries
    except Fault as error:
        raise DreyerError("errors.at", place=source, reason=error.message) from None
    store = Store(None)
    try:
        store.append(entries)
        moment = Session(store, library=library).moment
    finally:
        store.close()
    if moment.battle is not None:
        return _replay_guided(moment.battle, moment.state.ruleset)
    server_context = moment.free.server_context
    if server_context is None:
        raise DreyerError(
            "command.nothing_to_play",
            source=source,
        )
    return replay_free(server_context.rulebook, server_context.game, server_context.record.edition)


def _replay_guided(battle: "GuidedGame", ruleset_name: str) -> Replayed:
    guided, state, record = battle.rulebook, battle.state, battle.record
    ruleset = get_ruleset(ruleset_name).of_edition(record.edition)
    if ruleset.rulebook is None:
        raise DreyerError("command.no_sheets", ruleset=ruleset.title)
    rulebook, free = ruleset.rulebook(battle.tables), guided.free_state(state, UMPIRE)
    status = {ship.id: ship.status for ship in guided.view(state, UMPIRE).ships}
    entries = battle.story(UMPIRE)
    return Replayed(
        ruleset=ruleset_name,
        edition=record.edition,
        round_number=battle.place.round_number,
        events=tuple(_guided_events(battle)),
        ships=tuple(
            ReplayedShip(
                ship,
                status[ship.id],
                # The battle's own sheet: its cards may be its players'.
                guided.sheet(state, ship.id).glance,
                rulebook.state_document(ship, free.marks[ship.id]),
            )
            for ship in free.ships
        ),
        wanted=guided.dice_wanted(state),
        story=tuple(line for entry in entries for line in (entry.line, *entry.children)),
    )


def _guided_events(battle: "GuidedGame") -> Iterator[dict[str, object]]:
    """Every event, with its action."""
    rulebook, state = battle.rulebook, battle.game.start
    for n, played in enumerate(battle.game.played, start=1):
        outcome = rulebook.play(state, played.action, ReplayedDice(played.rolls))
        for written in rulebook.write_events(outcome.events):
            yield {"n": n, "round": played.place.round_number, **written}
        state = outcome.state


def _as_text(replayed: Replayed) -> str:
    lines = [story_line(line, replayed.names) for line in replayed.story]
    lines.append(f"Round {replayed.round_number}")
    for each in replayed.ships:
        messages = [each.glance]
        if each.status is not ShipStatus.IN_ACTION and each.glance != each.status.message:
            messages.insert(0, each.status.message)
        ship = each.ship
        listed = ", ".join(words(message, replayed.names) for message in messages)
        lines.append(f"  {ship.name} ({ship.type}, {ship.side}): {listed}")
    return "\n".join(lines)
