"""Sides are data of a battle: two to four, some of them allied, with an order of fire."""

import random

import pytest

from combat.dice import DiceKind
from combat.guided_play import StepKind
from combat.rulebooks.bismarck_advanced.fire.events import Fired
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, Game, line_up, roll

SHIPS = (
    ("Hood", "reds", 0, 0, 0),
    ("Dunkerque", "blues", 0, -3000, 0),
    ("Bismarck", "greens", 14_000, 0, 0),
)


def three_sides(**more: object) -> dict[str, object]:
    return line_up(*SHIPS, sides=["reds", "blues", "greens"], **more)


def designated(game: Game, *orders: tuple[str, str, str]) -> None:
    for side, firer, target in orders:
        game.do("designate", side, ship=firer, orders=[{"target": target}])


def fired(game: Game, seed: int = 3) -> list[str | None]:
    """Roll all fire; who fired, in the order of the events."""
    source, found = random.Random(seed), list[str | None]()
    while (wanted := BATTLE.dice_wanted(game.state)) is not None:
        value = f"{source.randint(1, 6)}{source.randint(1, 6)}"
        figures = 2 if wanted.kind is DiceKind.PAIR else 1
        outcome = roll(game.state, value[:figures])
        game.state = outcome.state
        found += [each.ship for each in outcome.events if isinstance(each, Fired)]
    return found


def test_three_sides_play_a_segment() -> None:
    game = Game.begin(three_sides())
    game.move_all()
    assert game.state.waiting_for == ("reds", "blues", "greens")
    designated(
        game,
        ("reds", "Hood", "Bismarck"),
        ("blues", "Dunkerque", "Hood"),
        ("greens", "Bismarck", "Dunkerque"),
    )
    game.commit()
    assert fired(game) == ["Hood", "Dunkerque", "Bismarck"], "the Allies' ships first (62.3)"
    assert game.state.kind is StepKind.MARK


def test_the_order_of_fire_belongs_to_the_sides() -> None:
    game = Game.begin(three_sides(order_of_fire=["greens", "blues", "reds"]))
    game.move_all()
    designated(
        game,
        ("reds", "Hood", "Bismarck"),
        ("blues", "Dunkerque", "Bismarck"),
        ("greens", "Bismarck", "Hood"),
    )
    game.commit()
    assert fired(game) == ["Bismarck", "Dunkerque", "Hood"]


def test_allies_do_not_fire_at_each_other_and_win_together() -> None:
    game = Game.begin(three_sides(allies=[["reds", "blues"]]))
    game.move_all()
    with pytest.raises(DreyerError, match=r"61\.1"):
        designated(game, ("blues", "Dunkerque", "Hood"))
    battle = game.state.engagement
    assert [enemy.name for enemy in battle.enemies_of(battle["Hood"])] == ["Bismarck"]
    assert not battle.is_over


@pytest.mark.parametrize(
    "changes",
    [
        {"sides": ["reds"]},
        {"sides": ["reds", "blues", "greens", "greens"]},
        {"allies": [["reds", "nobody"]]},
        {"order_of_fire": ["nobody"]},
    ],
)
def test_sides_that_do_not_fit_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(DreyerError):
        Game.begin({**three_sides(), **changes})
