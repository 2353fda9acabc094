"""The fire that is proposed: where all of it together may be expected to do most harm."""

from collections.abc import Mapping

from combat.dice import TypedDice
from combat.views import FireOrderView, OrdersCheck
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, Game, line_up

BRITISH = ("Hood", "Prince of Wales", "Norfolk")


def moved(y: float = 12_000.0, **changes: object) -> Game:
    ships = [(name, "british", 1500.0 * n, 0.0, 90.0) for n, name in enumerate(BRITISH)]
    ships += [
        ("Bismarck", "german", 0.0, y, 90.0),
        ("Prinz Eugen", "german", 1500.0, y, 90.0),
    ]
    setup = line_up(*ships, **changes)
    for number, ship in enumerate(setup["ships"], start=1):
        ship["number"] = number
    game = Game.begin(setup)
    for side in game.state.sides:
        for ship in game.state.fleet(side):
            game.do("plot", side, ship=ship.name, speed=8, notation="4")
    game.commit()
    game.do("move", "british")
    return game


def proposal(game: Game, side: str | None = "british") -> Mapping[str, tuple[FireOrderView, ...]]:
    ships = [
        ship.name
        for each in game.state.sides
        if side in (None, each)
        for ship in game.state.fleet(each)
    ]
    options = {ship: BATTLE.fire_options(game.state, side, ship) for ship in ships}
    return BATTLE.fire_proposal(game.state, side, options)


def check(
    game: Game, orders: Mapping[str, tuple[FireOrderView, ...]], side: str = "british"
) -> OrdersCheck:
    found = BATTLE.check(game.state, BATTLE.fire_of_several(orders, side))
    assert isinstance(found, OrdersCheck)
    return found


def harm(game: Game, orders: Mapping[str, tuple[FireOrderView, ...]]) -> float:
    return sum(sum(odds.expected_boxes.values()) for odds in check(game, orders).targets.values())


def test_the_proposal_is_legal_and_written_as_it_is() -> None:
    game = moved()
    orders = proposal(game)
    assert set(orders) == set(BRITISH)
    assert check(game, orders).fault is None
    asked = BATTLE.fire_of_several(orders, "british")
    game.state = BATTLE.play(game.state, asked, TypedDice("")).state
    for name, each in orders.items():
        written = game.state.fires[name]
        assert [(o.target, o.battery.value) for o in written] == [
            (o.target, o.battery) for o in each
        ]


def test_no_single_change_does_more_harm() -> None:
    game = moved()
    orders = dict(proposal(game))
    most = harm(game, orders)
    for ship, mine in orders.items():
        for number, order in enumerate(mine):
            for target in ("Bismarck", "Prinz Eugen"):
                changed = (
                    *mine[:number],
                    FireOrderView(target, order.battery, (), None, False),
                    *mine[number + 1 :],
                )
                assert harm(game, {**orders, ship: changed}) <= most + 0.05


def test_a_battery_that_cannot_hit_keeps_its_ammunition() -> None:
    game = moved(27_000.0)
    orders = proposal(game)
    assert not orders["Norfolk"]
    for fire in check(game, orders).fires:
        assert fire.fire.forecast is not None
        assert fire.fire.forecast.expected_hits > 0


def test_an_umpire_is_given_a_proposal_for_every_side() -> None:
    orders = proposal(moved(), None)
    assert set(orders) == {*BRITISH, "Bismarck", "Prinz Eugen"}
    assert {order.target for order in orders["Bismarck"]} <= set(BRITISH)


def test_ships_that_are_face_down_are_fired_at_without_odds() -> None:
    game = moved(hidden=True)
    orders = proposal(game)
    # The nearest, each by the main guns alone; nobody's name is in it.
    assert all([order.battery for order in mine] == ["main"] for mine in orders.values())
    assert not {"Bismarck", "Prinz Eugen"} & {o.target for mine in orders.values() for o in mine}
    found = check(game, orders)
    assert found.fault is None
    assert not found.targets
    assert all(each.fire.forecast is None for each in found.fires)


def test_a_fault_of_one_order_is_told_and_gives_no_odds() -> None:
    game = moved()
    twice = FireOrderView("Bismarck", "main", (), None, False)
    found = check(game, {"Hood": (twice, twice)})
    assert found.fault is not None
    assert found.fault.reference == "62.42"
    assert not found.fires
