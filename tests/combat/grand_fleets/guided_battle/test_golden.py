"""A whole battle from its file: die by die to victory, restarted and undone at every step."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.fleet_captains import opening_of, rulebook
from combat.dice import DiceKind, ReplayedDice, RolledDice, TypedDice
from combat.events import Event, Sunk
from combat.game import Game
from combat.guided_actions import BattleAction, RollDice
from combat.guided_play import replay
from combat.rulebooks.grand_fleets.card import Card, Guns
from combat.rulebooks.grand_fleets.events import Fired, HullMarked, Scored
from combat.rulebooks.grand_fleets.guided_battle import FleetState
from combat.rulebooks.grand_fleets.guided_battle.state import Phase
from combat.scenarios import scenario_named
from tabletop.errors import DreyerError

FILE = Path(__file__).parent / "golden" / "four_a_side.toml"
BATTLE = rulebook()


@dataclass(frozen=True)
class Line:
    """One action of the file, and how matters stand after it."""

    turn: int
    phase: str
    action: BattleAction
    dice: str
    score: Mapping[str, int]
    hull_lost: Mapping[str, int]
    """Of the ships whose hull has changed."""
    wanted: str


@cache
def lines() -> tuple[Line, ...]:
    written = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Line(
            turn=each["turn"],
            phase=each["phase"],
            action=BATTLE.schemas.action.read(each["do"]),
            dice=each.get("dice", ""),
            score=each.get("score", {}),
            hull_lost=each.get("hull", {}),
            wanted=each.get("wanted", ""),
        )
        for each in written["action"]
    )


@cache
def begun() -> FleetState:
    scenario = tomllib.loads(FILE.read_text(encoding="utf-8"))["scenario"]
    return BATTLE.begin(BATTLE.set_up(opening_of(scenario_named(scenario))))


@cache
def played() -> Game[FleetState]:
    """The whole battle, with the dice of the file."""
    game: Game[FleetState] = Game(BATTLE, begun())
    for number, line in enumerate(lines(), start=1):
        dice = TypedDice(line.dice)
        game = game.play(number, line.action, dice, anew=bool(line.dice))
        dice.finish()
    return game


def score_of(state: FleetState) -> dict[str, int]:
    return {side: points for side, points in state.score.items() if points}


def test_every_step_is_as_the_file_has_it() -> None:
    before = begun()
    for line, step in zip(lines(), played().played, strict=True):
        state = step.state
        assert (before.turn, before.phase.value) == (line.turn, line.phase)
        assert score_of(state) == line.score
        changed = {
            ship.id: state.marks(ship.id).hull_lost
            for ship in state.free.ships
            if state.marks(ship.id).hull_lost != before.marks(ship.id).hull_lost
        }
        assert changed == line.hull_lost, (line.turn, line.action)
        wanted = BATTLE.dice_wanted(state)
        assert (wanted.kind.value if wanted else "") == line.wanted
        before = state


def test_it_goes_on_to_victory_by_the_threshold() -> None:
    game = played()
    assert game.state.phase is Phase.ENDED
    assert game.state.ending.code == "grand_fleets.ending.won"
    threshold = BATTLE.tables["battle_sizes"].integer(game.state.battle_size, "threshold")
    assert max(game.state.score.values()) >= threshold
    for step in game.played[:-1]:
        assert step.state.phase is not Phase.ENDED
    sunk = [event.target for event in all_events() if isinstance(event, Sunk)]
    assert len(sunk) >= 2


def all_events() -> list[Event]:
    return [event for step in played().played for event in step.events]


def test_die_by_die_is_the_same_battle() -> None:
    state = begun()
    for line in lines():
        if not line.dice:
            state = BATTLE.play(state, line.action, TypedDice("")).state
            continue
        for value in line.dice.split():
            wanted = BATTLE.dice_wanted(state)
            assert wanted is not None
            assert (wanted.kind is DiceKind.PAIR) is (len(value) == 2)
            state = BATTLE.play(state, RollDice(first=wanted.number), TypedDice(value)).state
    assert state == played().state


def test_restarted_at_every_step() -> None:
    setup = BATTLE.set_up(opening_of(scenario_named("four-a-side")))
    schemas = BATTLE.schemas
    again = schemas.setup.read(schemas.setup.write(setup))
    kept = [
        (schemas.action.read(schemas.action.write(step.action)), step.rolls)  # type: ignore[arg-type]
        for step in played().played
    ]
    steps = range(1, len(kept) + 1)
    for count in (*steps[:: max(1, len(steps) // 12)], len(kept)):
        assert replay(BATTLE, again, kept[:count]) == played().played[count - 1].state
    state = BATTLE.begin(again)
    for (action, rolls), step in zip(kept, played().played, strict=True):
        outcome = BATTLE.play(state, action, ReplayedDice(rolls))
        assert (outcome.state, outcome.events) == (step.state, step.events)
        state = outcome.state


def test_undone_at_every_step_and_played_on_with_the_dice_that_fell() -> None:
    game: Game[FleetState] = Game(BATTLE, begun())
    for step in played().played:
        game = game.play(step.n, step.action, ReplayedDice(step.rolls))
        back = game.undo()
        assert back.state == (game.played[-2].state if len(game.played) > 1 else begun())
        # Dice stay rolled: no others are at hand.
        again = back.play(step.n, step.action, TypedDice(""))
        assert again.state == game.state
        assert again.taken_back == ()


def test_undone_far_back() -> None:
    whole = played()
    for first in range(1, len(whole.played), max(1, len(whole.played) // 8)):
        back = whole.undo(first)
        assert back.state == (whole.played[first - 2].state if first > 1 else begun())


# A second reading of the rules, which knows nothing of the engine's modules.


def modifier_of(guns: Guns, card: Card, fired: Fired, side_on: bool, marker: str) -> int:
    """The attack modifier: penetration, range, arc, size, speed (Making an Attack)."""
    armour = card.armour[0 if side_on else 1].value
    total = min(0, guns.penetration.value - armour)
    short, medium, _ = (limit * 1000 for limit in guns.range)
    total += 1 if fired.range_yards <= short else 0 if fired.range_yards <= medium else -2
    if fired.quadrant.value == "bow":
        total += guns.forward or 0
    elif fired.quadrant.value == "stern":
        total += guns.aft or 0
    large_guns, six_inch = guns.calibre >= 12, guns.calibre >= 6
    total += {
        "very small": -1 if six_inch else 0,
        "small": -1 if large_guns else 0,
        "medium": 0,
        "large": 0 if six_inch else 1,
        "very large": 0 if large_guns else 1,
    }[card.size or ""]
    return total + {"stop": 2, "slow": 1, "none": 0, "fast": -1}[marker]


def dice_of(boxes: Sequence[int], modifier: int) -> int:
    left = list(boxes)
    for _ in range(max(0, -modifier)):
        left = left[1:] if len(left) > 1 else [left[0] - 1]
    return max(0, left[0])


def test_a_second_reading_of_every_gunfire() -> None:
    """Number of dice, the die that hits and the hits, as read from cards and events alone."""
    before, seen = begun(), 0
    for step in played().played:
        events = list(step.events)
        for at, event in enumerate(events):
            if not isinstance(event, Fired) or event.ship is None or event.target is None:
                continue
            firer, target = before.cards[event.ship], before.cards[event.target]
            guns = next((each for each in firer.guns if each.name == event.weapon), None)
            if guns is None:
                continue
            rolled: Any = next(each for each in events[at:] if each.kind == "rolled")
            marked = next(each for each in events[at:] if isinstance(each, HullMarked))
            key = f"guns {firer.guns.index(guns) + 1}"
            boxes = guns.dice[before.marks(event.ship).dice_lost.get(key, 0) :]  # type: ignore[call-overload]
            marker = before.marks(event.target).marker
            possible = {
                modifier_of(guns, target, event, side_on, marker) for side_on in (True, False)
            }
            faces = [int(face) for face in str(rolled.dice).split()]
            fitting = [
                each
                for each in possible
                if dice_of(boxes, each) == len(faces)
                and sum(face >= 5 - min(max(each, 0), 3) for face in faces) == rolled.total
            ]
            assert fitting, (event.ship, event.target, event.weapon)
            assert marked.boxes == rolled.total
            seen += 1
        before = step.state
    assert seen >= 20


def test_points_are_those_of_the_cards_that_sank() -> None:
    scored = [event for event in all_events() if isinstance(event, Scored)]
    assert scored
    for event in scored:
        assert event.points == begun().cards[event.target or event.ship or ""].victory_points
    assert sum(event.points for event in scored) == sum(played().state.score.values())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_orders_with_other_dice_go_on_or_are_refused(seed: int) -> None:
    state, rng = begun(), random.Random(seed)
    for line in lines():
        # Whatever is no refusal is a fault, and comes out here.
        with suppress(DreyerError):
            state = BATTLE.play(state, line.action, RolledDice(rng)).state
    assert state.turn > 1
    assert all(state.marks(ship.id).hull_lost >= 0 for ship in state.free.ships)
