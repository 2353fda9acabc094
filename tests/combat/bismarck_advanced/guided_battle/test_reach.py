"""Where a ship may be after this segment: every plot that is offered is legal and leads there."""

import math

import pytest
from shapely import Point
from shapely.geometry import Polygon

from combat.participants import SPECTATOR, Seat
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.views import ReachedPlace
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    check_plot,
    denmark_strait,
    line_up,
    plot_draft,
)

BRITISH, GERMAN = Seat("british"), Seat("german")


def places(game: Game, ship: str = "Hood", side: str = "british") -> tuple[ReachedPlace, ...]:
    return BATTLE.reached_places(game.state, ship, side)


def one_ship(**changes: object) -> Game:
    ships = (("Hood", "british", 0, 0, 40), ("Bismarck", "german", 20_000, 0, 0))
    return Game.begin(line_up(*ships, **changes))


def test_every_place_is_where_its_legal_plot_leads() -> None:
    game = Game.begin(denmark_strait())
    found = places(game)
    for place in found[:: max(1, len(found) // 40)]:
        draft = plot_draft("british", "Hood", {"notation": place.notation, "speed": place.speed})
        check = check_plot(game.state, draft)
        assert check.legal, (place.notation, check.faults)
        assert check.end is not None
        assert (check.end.x_yards, check.end.y_yards) == pytest.approx(
            (place.end.x_yards, place.end.y_yards)
        )
        assert place.points[-1] == pytest.approx((place.end.x_yards, place.end.y_yards), abs=0.1)


def test_all_speeds_that_are_open_are_offered_and_the_plain_plots_among_them() -> None:
    found = places(one_ship())
    plots = {place.notation for place in found}
    farthest = max(math.hypot(place.end.x_yards, place.end.y_yards) for place in found)
    speeds = {place.speed for place in found if place.speed is not None}
    assert {"1", "2", "L", "R", "1R", "L1"} <= plots
    assert farthest == pytest.approx(math.ceil(max(speeds) / 2) * MOVEMENT.factor_yards)
    # Behind a short turn comes a straight (57.4).
    assert not any("lL" in plot or "rR" in plot or "lr" in plot for plot in plots)


def test_in_the_second_segment_her_speed_stands() -> None:
    game = one_ship()
    for side, ship in (("british", "Hood"), ("german", "Bismarck")):
        game.do("plot", side, ship=ship, speed=7, notation="4")
    game.commit()
    game.do("move", "british")
    game.commit()
    found = places(game)
    assert {place.speed for place in found} == {None}
    assert all(sum(map(_factors, place.notation)) == 3 for place in found)


def _factors(sign: str) -> int:
    return int(sign) if sign.isdigit() else 1


def test_a_jammed_rudder_leaves_one_way_to_turn() -> None:
    game = one_ship()
    game.do("correct", ship="Hood", values={"helm": ["no_port"]}, reason="a test")
    plots = {place.notation for place in places(game)}
    assert "R" in plots
    assert not any(sign in plot for plot in plots for sign in "Ll")
    game.do("correct", ship="Hood", values={"helm": ["hard_to_starboard"]}, reason="a test")
    assert {sign for place in places(game) for sign in place.notation} <= set("Rr")


def test_the_line_round_her_reach_holds_every_place() -> None:
    game = one_ship()
    outline = BATTLE.reach_outlines(game.state, BRITISH)["Hood"]
    area = Polygon(outline).buffer(5)
    assert all(area.covers(Point(p.end.x_yards, p.end.y_yards)) for p in places(game))


def test_others_reach_is_drawn_where_it_is_known_what_they_can_do() -> None:
    game = one_ship()
    assert set(BATTLE.reach_outlines(game.state, GERMAN)) == {"Hood", "Bismarck"}
    numbered = line_up(("Hood", "british", 0, 0, 0), ("Bismarck", "german", 20_000, 0, 0))
    for number, ship in enumerate(numbered["ships"], start=1):
        ship["number"] = number
    hidden = Game.begin({**numbered, "hidden": True})
    assert set(BATTLE.reach_outlines(hidden.state, GERMAN)) == {"Bismarck"}
    assert BATTLE.reach_outlines(hidden.state, SPECTATOR) == {}


def test_what_is_drafted_does_not_change_what_others_see() -> None:
    game = one_ship()
    before = BATTLE.reach_outlines(game.state, GERMAN)
    game.do("plot", "british", ship="Hood", speed=3, notation="L1")
    game.do("commit", "british")
    assert BATTLE.reach_outlines(game.state, GERMAN) == before


def test_places_are_told_to_her_own_side_and_while_plots_are_written() -> None:
    game = one_ship()
    with pytest.raises(DreyerError) as refused:
        places(game, side="german")
    assert refused.value.message.code == "advanced.order.not_yours"
    for side, ship in (("british", "Hood"), ("german", "Bismarck")):
        game.do("plot", side, ship=ship, speed=7, notation="4")
    game.commit()
    with pytest.raises(DreyerError) as refused:
        places(game)
    assert refused.value.message.code == "advanced.not_now.move"
    assert BATTLE.reach_outlines(game.state, BRITISH) == {}
