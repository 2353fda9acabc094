"""Hidden ships change numbers and places before the first move; others see nothing (55.11)."""

from typing import Any

import pytest

from combat.dice import TypedDice
from combat.participants import SPECTATOR, UMPIRE, Seat
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Arrange
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, RULESET, Game, line_up

BRITISH, GERMAN = Seat("british"), Seat("german")


def hidden() -> dict[str, Any]:
    setup = line_up(
        ("Hood", "british", 0, 0, 0),
        ("Norfolk", "british", 0, 2_000, 0),
        ("Bismarck", "german", 20_000, 0, 90),
        ("Prinz Eugen", "german", 20_000, 2_000, 90),
        hidden=True,
    )
    for ship, number in zip(setup["ships"], (11, 12, 41, 42), strict=True):
        ship["number"] = number
    return setup


def stands(game: Game, name: str) -> tuple[float, str | None]:
    (ship,) = (each for each in BATTLE.view(game.state, UMPIRE).ships if each.id == name)
    return ship.pose.y_yards, ship.label


def kinds(game: Game, seat: Seat) -> list[str]:
    return [each.kind for each in BATTLE.view(game.state, seat).actions]


def test_two_ships_change_number_and_place_and_others_see_nothing() -> None:
    game, other = Game.begin(hidden()), Game.begin(hidden())
    game.do("plot", "german", ship="Bismarck", speed=8, notation="4")
    game.do("arrange", "german", ship="Bismarck", other="Prinz Eugen")
    assert stands(game, "Bismarck") == (2_000, "Ship 42")
    assert stands(game, "Prinz Eugen") == (0, "Ship 41")
    assert not game.state.plots
    for seat in (BRITISH, SPECTATOR):
        assert BATTLE.view(game.state, seat) == BATTLE.view(other.state, seat)
        assert game.story(seat) == other.story(seat)
        assert BATTLE.models(game.state, seat) == BATTLE.models(other.state, seat)
    assert BATTLE.models(game.state, GERMAN)["Bismarck"] == "Ship 42"
    start = BATTLE.history(game.happened).start
    assert start["Bismarck"].y == 2_000
    assert start["Prinz Eugen"].y == 0
    game.do("arrange", "german", ship="Ship 41", other="Ship 42")
    assert stands(game, "Bismarck") == (0, "Ship 41")


def test_it_is_offered_before_the_first_move_alone() -> None:
    game = Game.begin(hidden())
    assert "arrange" in kinds(game, BRITISH)
    game.plot_all()
    game.do("commit", "british")
    assert "arrange" not in kinds(game, BRITISH)
    with pytest.raises(DreyerError) as caught:
        game.do("arrange", "british", ship="Hood", other="Norfolk")
    assert caught.value.message.code == "advanced.order.committed"
    game.do("commit", "german")
    game.do("move")
    game.hold_fire()
    assert "arrange" not in kinds(game, BRITISH)
    with pytest.raises(DreyerError) as caught:
        game.do("arrange", "british", ship="Hood", other="Norfolk")
    assert caught.value.message.code == "advanced.order.arranged_before"


@pytest.mark.parametrize(
    ("ship", "other", "code"),
    [
        ("Hood", "Ship 41", "advanced.order.not_yours"),
        ("Ship 41", "Hood", "advanced.order.not_yours"),
        ("Hood", "Bismarck", "advanced.order.unknown_ship"),
    ],
)
def test_own_hidden_ships_alone_change(ship: str, other: str, code: str) -> None:
    game = Game.begin(hidden())
    with pytest.raises(DreyerError) as caught:
        game.do("arrange", "british", ship=ship, other=other)
    assert caught.value.message.code == code
    assert "Bismarck" not in repr(vars(caught.value))


def test_a_ship_that_was_turned_up_stays_where_she_is() -> None:
    game = Game.begin(hidden())
    game.do("reveal", "british", ship="Hood")
    with pytest.raises(DreyerError) as caught:
        game.do("arrange", "british", ship="Norfolk", other="Hood")
    assert caught.value.message.code == "advanced.order.not_hidden"
    assert "arrange" not in kinds(game, BRITISH)
    # Her model still stands under its number.
    assert BATTLE.models(game.state, GERMAN)["Hood"] == "Ship 11"


def test_the_first_edition_has_no_such_action() -> None:
    first = RULESET.of_edition(1)
    assert first.battle is not None
    battle = first.battle(first.tables)
    state = battle.begin(BATTLE.schemas.setup.read(hidden()))
    assert "arrange" not in [each.kind for each in battle.view(state, BRITISH).actions]
    with pytest.raises(DreyerError):
        battle.play(state, Arrange(side="british", ship="Hood", other="Norfolk"), TypedDice(""))
