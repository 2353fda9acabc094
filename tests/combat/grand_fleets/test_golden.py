"""A whole fight with a seed, told line by line; every ship carries her marks from step to step."""

import random
from pathlib import Path
from typing import Any

from combat.actions import AddShip, NextRound
from combat.dice import RolledDice, TypedDice
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.card_file import load_cards
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.table_files import load_tables
from combat.rulebooks.grand_fleets.vessel import Marks
from combat.shot_file import ShotForm
from tabletop.documents import parse_toml
from web.strings import words

FOLDER = Path(__file__).parent / "golden"
RULEBOOK = GrandFleetsRulebook(load_tables(), load_cards())


def fought() -> str:
    document = parse_toml((FOLDER / "fight.toml").read_bytes(), "fight.toml")
    types, steps = document["ships"], document["step"]
    assert isinstance(types, dict)
    assert isinstance(steps, list)
    game: Game[FreeState[Marks]] = Game(RULEBOOK, FreeState())
    for name, kind in types.items():
        game = game.play(0, AddShip(ship=Ship(name, name, "", kind)), TypedDice(""))
    form = ShotForm(RULEBOOK)
    dice = RolledDice(random.Random(int(str(document["seed"]))))
    lines: list[str] = []
    for n, step in enumerate(steps, start=1):
        if step["action"] == "next-round":
            game = game.play(n, NextRound(), dice)
            continue
        answers = step.get("answers", {})
        action = form.action(step["action"], step["by"], step.get("at"), answers, f"step {n}")
        try:
            game = game.play(n, action, dice)
        except Forbidden as refusal:
            lines.append(f"Refused: {words(refusal.reason)} ({refusal.rule})")
            continue
        story = RULEBOOK.story(game.played[-1].events)
        lines += [f"{'  ' * line.depth}{words(line.text)} ({line.reference})" for line in story]
    lines += [
        f"{ship.name}: {marked(ship, game.state.marks[ship.id])}" for ship in game.state.ships
    ]
    return "\n".join(lines) + "\n"


def marked(ship: Ship, marks: Marks) -> dict[str, Any]:
    """What is not as on a fresh card."""
    fresh = RULEBOOK.state_document(ship, Marks())
    found = RULEBOOK.state_document(ship, marks)
    return {key: value for key, value in found.items() if value != fresh.get(key)}


def test_the_fight_is_told_as_it_was() -> None:
    assert fought() == (FOLDER / "fight.txt").read_text(encoding="utf-8")
