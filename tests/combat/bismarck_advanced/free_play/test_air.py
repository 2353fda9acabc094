"""Aircraft in free play of the Advanced Game (9.14, 27 with 72.2)."""

from typing import Any

import pytest

from combat.actions import AddShip
from combat.dice import TypedDice
from combat.events import Sunk
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.fire.events import AirHit
from combat.rulebooks.bismarck_advanced.free_play.actions import AirAttack, Fire
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.rulebooks.bismarck_advanced.table_files import NAME
from combat.rulebooks.bismarck_data.air_waves import Bomber
from tabletop.arcs import Quadrant
from tests.combat.free_battles import rulebook_of

RULESET = get_ruleset(NAME)
RULEBOOK = rulebook_of(RULESET)
Battle = Game[FreeState[FightMarks]]


def battle(*types: str) -> Battle:
    game: Battle = Game(RULEBOOK, FreeState())
    for number, name in enumerate(types):
        side = ("german", "british")[number % 2]
        game = play(game, AddShip(ship=Ship(name, name, side, name)))
    return game


def play(game: Battle, action: Any, dice: str = "") -> Battle:
    typed = TypedDice(dice)
    game = game.play(len(game.played) + 1, action, typed)
    typed.finish()
    return game


def attack(at: str, bomber: Bomber = Bomber.TORPEDO, **more: Any) -> AirAttack:
    return AirAttack(**{"at": at, "bomber": bomber, "planes": 1, "antiaircraft": 0, **more})


def test_every_hit_is_converted_by_itself() -> None:
    """Two bombs of one midships box are two hull boxes, not three (72.3)."""
    game = play(battle("Prinz Eugen"), attack("Prinz Eugen", Bomber.DIVE, planes=2), "1 1 1 2")
    vessel = game.state.marks["Prinz Eugen"].vessel
    assert (vessel.hull_lost // 4, vessel.movement_factors_lost) == (2, 0)
    assert [hit.hull_boxes for hit in game.played[-1].events if isinstance(hit, AirHit)] == [1, 1]


def test_a_torpedo_takes_speed_as_a_ships_does() -> None:
    game = play(battle("Bismarck"), attack("Bismarck"), "1 4")
    vessel = game.state.marks["Bismarck"].vessel
    assert (vessel.hull_lost // 4, vessel.movement_factors_lost) == (1, 6)


def test_damage_counts_at_once() -> None:
    game = battle("Bismarck", "Hood")
    game = play(game, attack("Hood", Bomber.DIVE), "1 6")
    assert any(isinstance(event, Sunk) for event in game.played[-1].events)
    assert RULEBOOK.status(game.state, "Hood") is ShipStatus.SUNK
    assert game.state.firing["Hood"].vessel.is_sunk
    fire = Fire(
        kind="main", by="Hood", at="Bismarck", range_yards=9000,
        quadrant=Quadrant.STARBOARD, aspect=Quadrant.PORT,
    )  # fmt: skip
    with pytest.raises(Forbidden):
        play(game, fire, "11")


def test_her_own_anti_aircraft_strength_is_the_counters() -> None:
    """Bismarck has 8 (27.43): .40 of it are three planes; a destroyer has 2 (27.47)."""
    game = battle("Bismarck", "Destroyer")
    planes: dict[str, Any] = {"antiaircraft": None, "planes": 4, "bomber": Bomber.LEVEL}
    after = play(game, attack("Bismarck", **planes), "3 1 6")
    (stopped,) = [e for e in after.played[-1].events if e.kind == "planes-stopped"]
    assert (stopped.stopped, stopped.through) == (3, 1)  # type: ignore[attr-defined]
    after = play(game, attack("Destroyer", **planes), "3 1 6 6 6")
    (stopped,) = [e for e in after.played[-1].events if e.kind == "planes-stopped"]
    assert (stopped.stopped, stopped.through) == (1, 3)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("weather", "rule"), [({"night": True}, "27.25"), ({"visibility": 7}, "27.25")]
)
def test_no_aircraft_by_night_or_in_bad_weather(weather: dict[str, Any], rule: str) -> None:
    game = battle("Bismarck")
    assert RULEBOOK.check(game.state, attack("Bismarck", **weather)).rule == rule


def test_a_wave_and_guns_are_forecast_together() -> None:
    game = battle("Bismarck", "Hood")
    wave = attack("Hood", Bomber.DIVE, planes=6)
    fire = Fire(
        kind="main", by="Bismarck", at="Hood", range_yards=9000,
        quadrant=Quadrant.STARBOARD, aspect=Quadrant.PORT,
    )  # fmt: skip
    both = RULEBOOK.forecast(game.state, [fire, wave])
    alone = [RULEBOOK.forecast(game.state, [each]) for each in (fire, wave)]
    assert sum(both.hits.values()) == pytest.approx(1)
    assert both.expected_hits == pytest.approx(sum(each.expected_hits for each in alone))
    assert both.outcomes["sunk"] > max(each.outcomes["sunk"] for each in alone)


def test_edition_1_has_no_aircraft() -> None:
    first = RULESET.of_edition(1)
    rulebook = rulebook_of(first)
    assert "bomber_hits" not in {table.name for table in first.tables}
    assert rulebook.offers("") == ()
    game: Battle = Game(rulebook, FreeState())
    game = play(game, AddShip(ship=Ship("Hood", "Hood", "british", "Hood")))
    assert rulebook.check(game.state, attack("Hood")).rule == "27"
