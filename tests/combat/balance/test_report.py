"""The report: Wilson's interval, the same from any order, and what a sweep says."""

import math
import random
from dataclasses import replace

import pytest

from combat.balance.battle import Ending, Result, ShipResult, fight
from combat.balance.plan import Sweep, Varied, plan_of
from combat.balance.report import report_of, wilson
from combat.participants import ShipStatus
from tabletop.errors import DreyerError
from tests.combat.balance.grounds import TUTORIAL, shipped, tutorial_plan


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_as_published(won: int, of: int, low: float, high: float) -> None:
    found = wilson(won, of)
    assert found.share == pytest.approx(won / of)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    of = 60
    intervals = [wilson(won, of) for won in range(of + 1)]

    def coverage(truth: float) -> float:
        return sum(
            math.comb(of, won) * truth**won * (1 - truth) ** (of - won)
            for won, each in enumerate(intervals)
            if each.low <= truth <= each.high
        )

    truths = [number / 200 for number in range(4, 197)]
    assert sum(map(coverage, truths)) / len(truths) == pytest.approx(0.95, abs=0.006)


def outcome(number: int, winner: str | None, *, hood_sunk: bool, rounds: int = 5) -> Result:
    hood = ShipStatus.SUNK if hood_sunk else ShipStatus.IN_ACTION
    ships = (
        ShipResult("Hood", "british", hood, 1.0 if hood_sunk else 0.25),
        ShipResult("Bismarck", "german", ShipStatus.IN_ACTION, 0.5),
    )
    ending = Ending.EVEN if winner is None else Ending.BEATEN
    return Result(number, None, winner, ending, rounds, ships)


def test_the_report_counts_wins_draws_losses_and_what_a_ship_decides() -> None:
    results = [outcome(n, "german", hood_sunk=True, rounds=n) for n in range(6)]
    results += [outcome(6 + n, "british", hood_sunk=False) for n in range(6)]
    results += [outcome(12, None, hood_sunk=False)]
    report = report_of(tutorial_plan(battles=13), results)
    (part,) = report.parts
    sides = {each.side: each for each in part.sides}
    assert (sides["german"].wins, sides["british"].wins, part.draws) == (6, 6, 1)
    assert sides["german"].win_share == wilson(6.5, 13)
    assert sides["british"].lost == pytest.approx((6 + 7 * 0.25) / 13)
    ships = {each.ship: each for each in part.ships}
    assert ships["Hood"].decides == pytest.approx(6.5 / 7)
    assert ships["Bismarck"].decides is None
    assert part.ships[0].ship == "Hood"
    shuffled = random.Random(1).sample(results, len(results))
    assert report_of(tutorial_plan(battles=13), shuffled) == report


def test_a_sweep_has_the_same_dice_for_every_value() -> None:
    plan = tutorial_plan(battles=2, vary="visibility=1..8/7")
    works = list(plan.works)
    assert [work.number for work in works] == [0, 1, 2, 3]
    assert [work.value for work in works] == [1.0, 1.0, 8.0, 8.0]
    assert works[0].seed == works[2].seed != works[1].seed


def test_the_starting_range_is_what_is_asked_for() -> None:
    plan = tutorial_plan(battles=1, vary="range=9000..9000")
    (work,) = plan.works
    result = fight(plan, work)
    assert result.value == 9000.0
    assert fight(plan, replace(work, value=20_000.0)) != replace(result, value=20_000.0)


@pytest.mark.parametrize(
    ("vary", "code"),
    [
        ("visibility", "balance.fault.vary"),
        ("visibility=6..1", "balance.fault.vary_limits"),
        ("visibility=1..9", "balance.fault.vary_limits"),
        ("visibility=1..2/0.5", "balance.fault.vary_limits"),
        ("range=1000..60000/10", "balance.fault.vary_many"),
    ],
)
def test_a_wrong_sweep_is_refused(vary: str, code: str) -> None:
    with pytest.raises(DreyerError) as refused:
        Sweep.read(vary)
    assert refused.value.message.code == code


def test_a_sweep_is_read() -> None:
    assert Sweep.read("visibility=1..3") == Sweep(Varied.VISIBILITY, (1.0, 2.0, 3.0))
    assert Sweep.read("range=8000..10000/1000").values == (8000.0, 9000.0, 10000.0)


@pytest.mark.parametrize(
    ("battles", "captains", "code"),
    [
        (0, ("quick",), "balance.fault.battles"),
        (1, ("quick", "quick", "quick"), "balance.fault.captains"),
    ],
)
def test_a_plan_that_cannot_be_fought_is_refused(
    battles: int, captains: tuple[str, ...], code: str
) -> None:
    with pytest.raises(DreyerError) as refused:
        plan_of(shipped(), TUTORIAL, battles=battles, seed=1, captains=captains)
    assert refused.value.message.code == code
    with pytest.raises(DreyerError):
        plan_of(shipped(), TUTORIAL, battles=1, seed=1, captains=("nobody",))
