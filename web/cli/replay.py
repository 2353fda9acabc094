"""`dreyer replay`: a whole fight or battle from a file, played to its end."""

import argparse
from pathlib import Path
from typing import Any

from combat.fight_file import play_fight
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.report import Line
from combat.rulesets import DEFAULT, get_ruleset
from tabletop.fields import parse_toml
from web.cli.fire import as_json, story_line
from web.files import read_input
from web.rulebooks import open_rulebook
from web.tables.overlay_store import default_data_folder


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
    source = str(options.file)
    document = parse_toml(read_input(options.file), source)
    rulebook = open_rulebook(document.get("ruleset", DEFAULT), options.data, source)
    game = play_fight(rulebook, document, source)
    if options.json:
        print(as_json(free_document(rulebook, game)))
    else:
        print(_as_text(rulebook, game))
    return 0


def free_document(rulebook: FreeRulebook[Any], game: Game[FreeState[Any]]) -> dict[str, object]:
    """A fight in free play: its events, its ships, and its story."""
    state, adapter = game.state, rulebook.event_adapter()
    events: list[dict[str, object]] = []
    round_number = game.start.round_number
    for played in game.played:
        for event in played.events:
            written = adapter.dump_python(event, mode="json")
            events.append({"n": played.n, "round": round_number, **written})
        round_number = played.state.round_number
    return {
        "ruleset": rulebook.name,
        "edition": get_ruleset(rulebook.name).edition,
        "round": state.round_number,
        "events": events,
        "ships": [
            {
                "name": ship.name,
                "type": ship.type,
                "side": ship.side,
                "status": rulebook.status(state, ship.id),
                "state": rulebook.state_document(ship, state.marks[ship.id]),
            }
            for ship in state.ships
        ],
        "wanted": None,
        "story": [line.text for line in story_of(rulebook, game)],
    }


def story_of(rulebook: FreeRulebook[Any], game: Game[FreeState[Any]]) -> list[Line]:
    """Everything that stands, in words."""
    names = game.state.names
    return [line for played in game.played for line in rulebook.tell(played.events, names)]


def _as_text(rulebook: FreeRulebook[Any], game: Game[FreeState[Any]]) -> str:
    state = game.state
    lines = [story_line(line) for line in story_of(rulebook, game)]
    lines.append(f"Round {state.round_number}")
    for ship in state.ships:
        sheet = rulebook.sheet(state, ship.id)
        lines.append(f"  {ship.name} ({ship.type}, {ship.side}): {sheet.glance}")
    return "\n".join(lines)
