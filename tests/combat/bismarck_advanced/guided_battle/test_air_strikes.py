"""Air strikes in a guided battle: before the first plot of a round, die by die (9.14, 27.5)."""

from typing import Any

import pytest

from combat.dice import TypedDice
from combat.dice_wanted import DiceWanted
from combat.guided_play import StepKind
from combat.participants import UMPIRE, Seat
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.guided_battle.actions import AirStrike
from combat.rulebooks.bismarck_advanced.guided_battle.events import StrikeFlown
from combat.story_entries import Entry
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    RULESET,
    Game,
    line_up,
    near,
    replayed,
)
from tests.combat.bismarck_advanced.guided_battle.test_arrange import hidden
from web.strings import words

BRITISH, GERMAN = Seat("british"), Seat("german")
SWORDFISH = {"target": "Bismarck", "bomber": "torpedo", "planes": 2, "antiaircraft": 0}
STRIKE = ["1", "4", "6"]
"""A hit, six movement factors and a hull box, and a miss."""


def bismarck(game: Game) -> Vessel:
    return game.state.engagement["Bismarck"].vessel


def ordered(**changes: Any) -> Game:
    game = Game.begin(near())
    game.do("air_strike", "british", **{**SWORDFISH, **changes})
    return game


def kinds(game: Game, seat: Seat = BRITISH) -> list[str]:
    return [each.kind for each in BATTLE.view(game.state, seat).actions]


def refused(game: Game, side: str | None = "british", /, **changes: Any) -> str:
    with pytest.raises(DreyerError) as caught:
        game.do("air_strike", side, **{**SWORDFISH, **changes})
    return caught.value.message.code


def told(game: Game, seat: Seat = UMPIRE) -> list[Entry]:
    return [entry for entry in game.story(seat) if entry.kind == "air"]


def test_a_ship_in_port_has_its_guns_and_cannot_evade() -> None:
    game = ordered(planes=10, in_port=True)
    wave = game.state.strike
    assert wave is not None
    assert (wave.wave.strength_against, wave.wave.in_port) == (10, True)
    at_sea = ordered(planes=10)
    wanted, there = (BATTLE.dice_wanted(each.state) for each in (at_sea, game))
    # At sea nothing fires at them; the port has the dice of its losses first.
    assert wanted is not None
    assert there is not None
    assert wanted.purpose != there.purpose
    (line,) = told(game)
    assert "anti-aircraft strength 10" in words(line.line.text)
    assert replayed(near(), game.events) == game.state


def test_dice_are_asked_for_one_by_one_and_damage_counts_with_the_last() -> None:
    game = ordered()
    wanted = BATTLE.dice_wanted(game.state)
    assert wanted is not None
    assert (wanted.kind, wanted.side, wanted.number) == ("die", "british", 1)
    assert wanted.at_least == SWORDFISH["planes"]
    for number, value in enumerate(STRIKE, start=1):
        assert bismarck(game).hull_lost == 0
        game.do("dice", "british", values=[value], **{"from": number})
    assert BATTLE.dice_wanted(game.state) is None
    assert (bismarck(game).hull_lost, bismarck(game).movement_factors_lost) == (QUARTERS, 6)
    (flown,) = (event for event in game.happened if isinstance(event, StrikeFlown))
    assert (flown.hits, flown.hull_boxes, flown.movement_factors) == (1, 1, 6)
    strike, came_of_it = told(game)
    assert "2 torpedo bombers attack Bismarck" in words(strike.line.text)
    assert came_of_it.children[0].reference == "27.54"
    assert len(came_of_it.children) == len(STRIKE)
    assert replayed(near(), game.events) == game.state


def test_all_dice_at_once_come_to_the_same() -> None:
    game, other = ordered(), ordered()
    game.do("dice", values=STRIKE)
    for value in STRIKE:
        other.do("dice", values=[value])
    assert game.state == other.state


def test_her_own_anti_aircraft_strength_meets_the_wave() -> None:
    game = ordered(antiaircraft=None, planes=10, bomber="level")
    game.do("dice", values=["3", "6"])
    assert game.state.strike is not None
    assert game.state.strike.wave.antiaircraft == 8
    wanted = BATTLE.dice_wanted(game.state)
    assert wanted is not None
    assert "plane 1 of 7" in words(wanted.purpose)


def test_plots_wait_for_the_strike_and_are_judged_by_what_it_left() -> None:
    game = Game.begin(near())
    for ship in ("Bismarck", "Prinz Eugen"):
        game.do("plot", "german", ship=ship, speed=10, notation="5")
    game.do("commit", "german")
    game.do("air_strike", "british", **SWORDFISH)
    assert "commit" not in kinds(game)
    with pytest.raises(DreyerError) as caught:
        game.do("commit", "british")
    assert caught.value.message.code == "advanced.air.waits"
    game.do("dice", values=STRIKE)
    assert game.state.committed == frozenset()
    assert set(game.state.plots) == {"Prinz Eugen"}


def test_it_is_flown_before_the_first_plot_of_a_round_alone() -> None:
    game = Game.begin(near())
    assert "air_strike" in kinds(game)
    game.move_all()
    assert (refused(game), "air_strike" in kinds(game)) == ("advanced.not_now.designate", False)
    game.hold_fire()
    assert game.state.segment == 2
    assert (refused(game), "air_strike" in kinds(game)) == ("advanced.air.begins_round", False)
    game.move_all(speed=None)
    game.hold_fire()
    assert game.state.phase.round_number == 2
    game.do("air_strike", "british", **SWORDFISH)
    game.do("dice", values=STRIKE)
    assert bismarck(game).movement_factors_lost == 6


def test_a_side_attacks_neither_itself_nor_whom_it_does_not_know() -> None:
    game = Game.begin(near())
    assert refused(game, target="Hood") == "advanced.air.own_ship"
    assert refused(game, target="Tirpitz") == "errors.unknown_name.listed"
    game.do("air_strike", "british", **SWORDFISH)
    assert refused(game, "german", target="Hood") == "advanced.air.waits"


def test_an_umpire_sends_the_planes_of_an_enemy_side() -> None:
    game = Game.begin(near())
    game.do("air_strike", None, **SWORDFISH)
    assert game.state.strike is not None
    assert game.state.strike.side == "british"


@pytest.mark.parametrize("weather", [{"night": True}, {"visibility": 7}])
def test_no_aircraft_fly_by_night_or_in_bad_weather(weather: dict[str, Any]) -> None:
    game = Game.begin(near(**weather))
    assert "air_strike" not in kinds(game)
    with pytest.raises(Forbidden) as caught:
        game.do("air_strike", "british", **SWORDFISH)
    assert caught.value.rule == "27.25"


def test_the_last_ship_of_a_side_sunk_from_the_air_ends_the_battle() -> None:
    setup = line_up(("Hood", "british", 0, 0, 0), ("Bismarck", "german", 11_000, 0, 0))
    game = Game.begin(setup)
    bombs = {"target": "Hood", "bomber": "dive", "planes": 1, "antiaircraft": 0}
    game.do("air_strike", "german", **bombs)
    game.do("dice", values=["1", "6"])
    assert game.state.kind is StepKind.ENDED
    happened = [each.kind for each in game.happened]
    assert happened.index("strike-flown") < happened.index("sunk") < happened.index("battle-ended")


def test_a_hidden_ship_is_turned_up_as_she_is_attacked() -> None:
    game = Game.begin(hidden())
    game.do("air_strike", "british", **{**SWORDFISH, "target": "Ship 41"})
    assert game.state.identities["Prinz Eugen"].is_hidden
    assert "Bismarck" not in game.state.identities
    assert game.state.strike is not None
    assert game.state.strike.target == "Bismarck"
    (turned_up,) = (entry for entry in game.story(BRITISH) if "revealed" in words(entry.line.text))
    assert "Ship 41 is revealed as aircraft attack her: Bismarck" in words(turned_up.line.text)


def test_edition_1_has_no_aircraft() -> None:
    first = RULESET.of_edition(1)
    assert first.battle is not None
    battle = first.battle(first.tables)
    state = battle.begin(BATTLE.schemas.setup.read(near()))
    assert "air_strike" not in [each.kind for each in battle.view(state, BRITISH).actions]
    with pytest.raises(Forbidden):
        battle.play(state, AirStrike(side="british", target="Bismarck"), TypedDice(""))


def test_a_land_based_unit_rolls_for_its_planes_and_comes_in_waves_of_ten() -> None:
    game = ordered(bomber="torpedo", zones_to_base=1)
    strike = game.state.strike
    assert strike is not None
    assert strike.wave.bomber == "level"
    wanted = BATTLE.dice_wanted(game.state)
    assert wanted is not None
    assert (wanted.kind, wanted.side) == ("pair", "british")
    # Range 1 and visibility 2, the best dice: sixteen planes, in waves of ten and six.
    assert game.state.engagement.visibility == 2
    game.do("dice", values=["11"])
    assert "plane 1 of 10" in words(_wanted(game).purpose)
    game.do("dice", values=["6"] * 10)
    assert "plane 1 of 6" in words(_wanted(game).purpose)
    game.do("dice", values=["6"] * 6)
    assert game.state.strike is None
    (flown,) = (event for event in game.happened if isinstance(event, StrikeFlown))
    assert (flown.planes, flown.hits, len(flown.steps)) == (16, 0, 17)
    assert "Land-based bombers" in words(told(game)[0].line.text)
    assert replayed(near(), game.events) == game.state


def _wanted(game: Game) -> DiceWanted:
    wanted = BATTLE.dice_wanted(game.state)
    assert wanted is not None
    return wanted


def test_fighters_on_patrol_stop_two_bombers_each_that_no_escort_holds() -> None:
    game = ordered(planes=10, patrol=3, escorts=1)
    assert "plane 1 of 6" in words(_wanted(game).purpose)
    assert "stop 4 of the bombers" in words(told(game)[1].line.text)
    assert refused(Game.begin(near()), patrol=1) == "errors.forbidden"
    # From land no fighters come along (28.6); what is left is divided into waves (28.9).
    with pytest.raises(Forbidden) as caught:
        ordered(zones_to_base=1, escorts=1)
    assert caught.value.rule == "28.6"
    land = ordered(zones_to_base=1, patrol=3)
    land.do("dice", values=["11"])
    assert "plane 1 of 10" in words(_wanted(land).purpose)
    land.do("dice", values=["6"] * 10)
    assert land.state.strike is None
    # All stopped: nothing more is rolled.
    none = ordered(zones_to_base=1, patrol=8)
    none.do("dice", values=["11"])
    assert none.state.strike is None
    assert replayed(near(), none.events) == none.state
