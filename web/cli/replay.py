"""`dreyer replay`: a whole fight or battle from a file, played to its end."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combat.fight_file import play_fight
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.record_sheets import ShipStatus
from combat.report import Line
from combat.rulesets import DEFAULT, get_ruleset
from tabletop.errors import DreyerError
from tabletop.fields import parse_toml
from web.cards.card_files import library_in
from web.cli.fire import as_json, story_line
from web.files import LARGEST_BATTLE_BYTES, read_input, refuse_large_toml
from web.library import CurrentLibrary
from web.rulebooks import open_rulebook
from web.tables.overlay_store import default_data_folder

if TYPE_CHECKING:
    from web.battle.now import BattleNow

_STATUS = {ShipStatus.WITHDRAWN: "gone"}
"""What scripts read for a status; any other is the word itself."""


def add_command(commands: Any) -> None:
    """Add `replay` to the command line."""
    replay = commands.add_parser(
        "replay",
        help="play a whole fight or battle from a file",
        description="Plays a fight in free play, written as TOML, or an exported battle: every "
        "event, and every ship as she is at the end.",
    )
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.add_argument("--json", action="store_true", help="print one JSON document")
    replay.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help="where your own table values and ship cards are kept",
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
        rulebook = open_rulebook(written.get("ruleset", DEFAULT), options.data, source)
        replayed = replay_free(rulebook, play_fight(rulebook, written, source))
    print(as_json(replayed.document) if options.json else _as_text(replayed))
    return 0


@dataclass(frozen=True, slots=True)
class Replayed:
    """A battle played to its end: for scripts, and in words."""

    document: Mapping[str, Any]
    story: tuple[Line, ...]

    @classmethod
    def of(cls, document: Mapping[str, Any], story: Iterable[Line]) -> "Replayed":
        """A battle with its story, which the document has too."""
        lines = tuple(story)
        return cls({**document, "story": [line.text for line in lines]}, lines)


def replay_free(
    rulebook: FreeRulebook[Any], game: Game[FreeState[Any]], edition: int | None = None
) -> Replayed:
    """A battle in free play: its events, its ships, and its story."""
    state, adapter = game.state, rulebook.event_adapter()
    events: list[dict[str, object]] = []
    story: list[Line] = []
    round_number = game.start.round_number
    for played in game.played:
        for event in played.events:
            written = adapter.dump_python(event, mode="json")
            events.append({"n": played.n, "round": round_number, **written})
        story += rulebook.tell(played.events, state.names)
        round_number = played.state.round_number
    document = {
        "ruleset": rulebook.name,
        "edition": edition or get_ruleset(rulebook.name).edition,
        "round": state.round_number,
        "events": events,
        "ships": [
            {
                "name": ship.name,
                "type": ship.type,
                "side": ship.side,
                "status": rulebook.status(state, ship.id).value,
                "state": rulebook.state_document(ship, state.marks[ship.id]),
            }
            for ship in state.ships
        ],
        "wanted": None,
    }
    return Replayed.of(document, story)


# Exported battles


def replay_export(data: bytes, source: str, library: CurrentLibrary) -> Replayed:
    """The battle of an exported file: guided, or in free play."""
    # Flask and the table come with it, and a fight needs neither.
    from web.battle.importing import read_export
    from web.server.faults import Fault
    from web.session import Session
    from web.store import Store

    try:
        entries = read_export(data, library).entries
    except Fault as error:
        raise DreyerError(f"{source}: {error}") from None
    store = Store(None)
    try:
        store.append(entries)
        moment = Session(store, library=library).moment
    finally:
        store.close()
    if moment.battle is not None:
        return _replay_guided(moment.battle, moment.state.ruleset)
    running = moment.free.running
    if running is None:
        raise DreyerError(f"{source}: no battle has begun on this table: there is nothing to play")
    return replay_free(running.rulebook, running.game, running.record.edition)


def _replay_guided(battle: "BattleNow", ruleset_name: str) -> Replayed:
    rules, state, record = battle.rules, battle.state, battle.record
    ruleset = get_ruleset(ruleset_name).of_edition(record.edition)
    if ruleset.rulebook is None:
        raise DreyerError(f"{ruleset.title} has no record sheets to show")
    rulebook, free = ruleset.rulebook(battle.tables), rules.free_state(state, None, sees_all=True)
    wanted, view = rules.wanted(state), rules.view(state, None, sees_all=True)
    status = {ship.id: _STATUS.get(ship.status, ship.status.value) for ship in view.ships}
    document = {
        "ruleset": ruleset_name,
        "edition": record.edition,
        "round": rules.step(state).round_number,
        "events": list(_guided_events(battle)),
        "ships": [
            {
                "name": ship.name,
                "type": ship.type,
                "side": ship.side,
                "status": status[ship.id],
                "state": rulebook.state_document(ship, free.marks[ship.id]),
            }
            for ship in free.ships
        ],
        "wanted": wanted
        and {"kind": wanted.kind.value, "purpose": wanted.purpose, "side": wanted.side},
    }
    told = rules.story(state, None, sees_all=True)
    return Replayed.of(document, (line for e in told for line in (e.line, *e.children)))


def _guided_events(battle: "BattleNow") -> Iterator[dict[str, object]]:
    """Every event; those of files that kept none are found by playing."""
    rules, state = battle.rules, battle.rules.begin(battle.record.setup)
    for n, recorded in enumerate(battle.record.events, start=1):
        round_number = rules.step(state).round_number
        outcome = rules.play(state, recorded.action, battle.tables)
        events = rules.read_events(recorded.events) or outcome.events
        for written in rules.write_events(events):
            yield {"n": n, "round": round_number, **written}
        state = outcome.state


def _as_text(replayed: Replayed) -> str:
    document = replayed.document
    lines = [story_line(line) for line in replayed.story]
    lines.append(f"Round {document['round']}")
    for ship in document["ships"]:
        name, kind, side = ship["name"], ship["type"], ship["side"]
        lines.append(f"  {name} ({kind}, {side}): {ship['status']}")
    return "\n".join(lines)
