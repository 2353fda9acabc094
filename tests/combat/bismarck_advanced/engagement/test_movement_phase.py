"""Whole movement phases: what is simultaneous and what is remembered."""

from dataclasses import replace

import pytest

from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder, move
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.phases import Segment
from tabletop.errors import BadPlot, DreyerError, UnknownName
from tests.combat.bismarck_advanced.battles import CARD, RULES, battle, ship


class TestMoving:
    def test_ships_move_as_plotted(self) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 20_000, 0)))
        orders = {"Hood": MoveOrder("3LL", 9), "Bismarck": MoveOrder("5", 9)}
        after, report = move(start, orders, RULES, CARD)
        assert after["Bismarck"].pose.y_yards == pytest.approx(1500)
        assert after["Hood"].pose.heading_deg == pytest.approx(300)
        assert after["Hood"].speed == 9
        assert set(report.paths) == {"Hood", "Bismarck"}

    def test_three_turns_are_weaving(self) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 20_000, 0)))
        orders = {"Hood": MoveOrder("LLR2", 9), "Bismarck": MoveOrder("LLR2C", 9)}
        after, _ = move(start, orders, RULES, CARD)
        assert after["Hood"].evolution is Evolution.WEAVING
        assert after["Bismarck"].evolution is Evolution.SALVO_CHASING

    def test_a_follower_runs_in_the_leaders_wake(self) -> None:
        start = Engagement(
            (ship("Hood", 0, 0), ship("Prince of Wales", 0, -1500), ship("Bismarck", 20_000, 0))
        )
        orders = {
            "Prince of Wales": MoveOrder("follow", 10, follows="Hood"),
            "Hood": MoveOrder("2RR1", 10),
            "Bismarck": MoveOrder("5", 10),
        }
        after, _ = move(start, orders, RULES, CARD)
        follower = after["Prince of Wales"].pose
        assert (follower.x_yards, follower.y_yards) == pytest.approx((0, 0))
        second = {
            "Prince of Wales": MoveOrder("follow", follows="Hood"),
            "Hood": MoveOrder("5"),
            "Bismarck": MoveOrder("5"),
        }
        later, _ = move(replace(after, segment=Segment.SECOND), second, RULES, CARD)
        wake = later["Prince of Wales"].pose
        assert wake.heading_deg == pytest.approx(60)
        assert (wake.x_yards, wake.y_yards) == pytest.approx(
            (after["Hood"].pose.x_yards, after["Hood"].pose.y_yards)
        )

    @pytest.mark.parametrize(
        ("orders", "code"),
        [
            ({"Hood": MoveOrder("4", 8)}, r"move\.no_plot\(ship=Bismarck\)"),
            (
                {"Hood": MoveOrder("4"), "Bismarck": MoveOrder("4", 8)},
                r"move\.speed_wanted\(ship=",
            ),
            ({"Hood": MoveOrder("4", 8), "Bismarck": MoveOrder("3", 8)}, r"plot\.too_short"),
            ({"Hood": MoveOrder("4", 8), "Bismarck": MoveOrder("follow", 8)}, "nobody_ahead"),
            ({"Hood": MoveOrder("6", 11), "Bismarck": MoveOrder("4", 8)}, r"speed\.not_open"),
        ],
    )
    def test_bad_orders(self, orders: dict[str, MoveOrder], code: str) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 20_000, 0)))
        with pytest.raises(DreyerError, match=rf"advanced\..*{code}"):
            move(start, orders, RULES, CARD)

    def test_orders_for_nobody(self) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 20_000, 0)))
        orders = {"Hood": MoveOrder("4", 8), "Nobody": MoveOrder("4", 8)}
        with pytest.raises(UnknownName) as unknown:
            move(start, orders, RULES, CARD)
        assert (unknown.value.kind, unknown.value.name) == ("ship", "Nobody")

    def test_ships_that_follow_each_other_are_refused(self) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 20_000, 0)))
        orders = {
            "Hood": MoveOrder("follow", 8, follows="Bismarck"),
            "Bismarck": MoveOrder("follow", 8, follows="Hood"),
        }
        with pytest.raises(DreyerError, match=r"advanced\.move\.nobody_ahead"):
            move(start, orders, RULES, CARD)

    @pytest.mark.parametrize(
        ("faults", "plot", "allowed"),
        [
            ({RudderFault.NO_PORT}, "3L", False),
            ({RudderFault.NO_PORT}, "3R", True),
            ({RudderFault.NO_STARBOARD}, "3R", False),
            ({RudderFault.NO_TURNS}, "3R", False),
            ({RudderFault.NO_TURNS}, "4", True),
            ({RudderFault.HARD_TO_PORT}, "LLLL", True),
            ({RudderFault.HARD_TO_PORT}, "LLL1", False),
            ({RudderFault.HARD_TO_PORT}, "RRRR", False),
            ({RudderFault.HARD_TO_PORT, RudderFault.HARD_TO_STARBOARD}, "4", True),
            ({RudderFault.HARD_TO_PORT, RudderFault.HARD_TO_STARBOARD}, "3L", False),
        ],
    )
    def test_a_damaged_rudder_limits_the_plot(
        self, faults: set[RudderFault], plot: str, allowed: bool
    ) -> None:
        hood = ship("Hood", 0, 0)
        hood = replace(hood, vessel=replace(hood.vessel, helm=frozenset(faults)))
        start = Engagement((hood, ship("Bismarck", 20_000, 0)))
        orders = {"Hood": MoveOrder(plot, 8), "Bismarck": MoveOrder("4", 8)}
        if allowed:
            move(start, orders, RULES, CARD)
        else:
            with pytest.raises(BadPlot) as refused:
                move(start, orders, RULES, CARD)
            assert refused.value.rule == "64.72"

    def test_steady_lasts_one_move(self) -> None:
        hood = ship("Hood", 0, 0)
        hood = replace(hood, vessel=replace(hood.vessel, steady_for_phases=1))
        start = Engagement((hood, ship("Bismarck", 20_000, 0)))
        bismarck = MoveOrder("4", 8)
        with pytest.raises(BadPlot, match=r"advanced\.plot\.no_turns"):
            move(start, {"Hood": MoveOrder("3L", 8), "Bismarck": bismarck}, RULES, CARD)
        after, _ = move(start, {"Hood": MoveOrder("4", 8), "Bismarck": bismarck}, RULES, CARD)
        assert after["Hood"].vessel.steady_for_phases == 0

    def test_a_collision_halves_both(self) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 100, 0)))
        orders = {name: MoveOrder("4", 8) for name in ("Hood", "Bismarck")}
        after, report = move(start, orders, RULES, CARD)
        assert [clash.collided for clash in report.collisions] == [True]
        assert (after["Hood"].speed, after["Bismarck"].speed) == (4, 4)

    def test_rounds_outside_the_starting_range_are_counted(self) -> None:
        far = battle(ship("Hood", 0, 0), ship("Bismarck", 29_000, 0))
        assert far["Hood"].rounds_outside == 0
        second = {name: MoveOrder("4") for name in ("Hood", "Bismarck")}
        after, _ = move(replace(far, segment=Segment.SECOND), second, RULES, CARD)
        assert after["Hood"].rounds_outside == 1
