"""A whole battle by events and dice alone is the battle that the engine fights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from benchmarks import captains
from benchmarks.captains import Turn, battle_from_scene, play
from benchmarks.soak import opening
from combat.guided_play import StepKind
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireOrder, resolve_fire_phase
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    CARD,
    RULES,
    Game,
    RecordingDice,
    denmark_strait,
    replayed,
)
from tests.combat.bismarck_advanced.guided_battle.requests import write_fire, write_plot

GOAL_YARDS = 8_000
"""So near that one side wins."""
SEED = 4
"""With which both German ships are sunk."""


@dataclass(frozen=True)
class Played:
    """One segment of the golden duel: what was ordered, what fell, what came of it."""

    turn: Turn
    orders: Sequence[FireOrder]
    dice: list[str]


@pytest.fixture(scope="module")
def golden() -> list[Played]:
    """The duel that the captains fight, segment by segment."""
    with pytest.MonkeyPatch.context() as patch:
        return list(_fought(patch))


def _fought(patch: pytest.MonkeyPatch) -> Iterator[Played]:
    ordered: list[Sequence[FireOrder]] = []

    def watched(battle: Engagement, orders: Sequence[FireOrder], *rest: Any) -> Any:
        ordered.append(orders)
        return resolve_fire_phase(battle, orders, *rest, spare_dice=True)

    patch.setattr(captains, "resolve_fire_phase", watched)
    dice = RecordingDice(SEED)
    for turn in play(battle_from_scene(opening()), dice, CARD, RULES, goal_yards=GOAL_YARDS):
        yield Played(turn, ordered.pop(), dice.taken())


def on_sides(battle: Engagement) -> Engagement:
    """The captains' battle with its sides called as in the setup."""
    names = {"German": "german", "Allied": "british"}
    return replace(
        battle,
        combatants=tuple(replace(ship, side=names[ship.side]) for ship in battle.combatants),
    )


def play_segment(game: Game, played: Played, *, at_once: bool) -> None:
    sides = {ship.name: ship.side for ship in game.state.engagement.combatants}
    for name, order in played.turn.plots.items():
        game.do("plot", sides[name], ship=name, **write_plot(order))
    game.commit()
    game.do("move")
    for name in played.turn.plots:
        orders = [write_fire(order) for order in played.orders if order.firer == name]
        game.do("designate", sides[name], ship=name, orders=orders)
    game.commit()
    if at_once and played.dice:
        game.enter(played.dice, "british")
    else:
        for value in played.dice:
            game.do("dice", "german", values=[value])
            game.fire_as_designated()


@pytest.mark.parametrize("at_once", [True, False])
def test_the_same_dice_give_the_same_damage(golden: list[Played], at_once: bool) -> None:
    game = Game.begin(denmark_strait())
    for played in golden:
        assert game.state.kind is StepKind.PLOT
        play_segment(game, played, at_once=at_once)
        assert BATTLE.dice_wanted(game.state) is None
        assert game.state.engagement == on_sides(played.turn.after)
        game.mark()
    assert game.state.kind is StepKind.ENDED
    assert game.state.ending.code == "advanced.end.victory"
    assert replayed(denmark_strait(), game.events) == game.state


def test_every_die_says_what_it_is_for(golden: list[Played]) -> None:
    game = Game.begin(denmark_strait())
    play_segment(game, replace(golden[0], dice=[]), at_once=True)
    least = len(golden[0].dice) + 1
    for value in golden[0].dice:
        wanted = BATTLE.dice_wanted(game.state)
        assert wanted is not None
        assert (wanted.kind == "pair") == (len(value) == 2)
        assert wanted.purpose.code in ("advanced.roll.labelled", "advanced.roll.jams")
        assert 1 <= wanted.at_least <= least - 1
        least -= 1
        game.do("dice", None, values=[value], **{"from": wanted.number})
        game.fire_as_designated()
