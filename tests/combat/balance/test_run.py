"""The same battles wherever they are fought, and none is lost with a worker."""

import multiprocessing
import os
import signal

import pytest

from combat.balance.battle import Result
from combat.balance.plan import Work, plan_of
from combat.balance.report import report_of
from combat.balance.run import all_cores, dask_cluster, one_process
from tabletop.errors import DreyerError
from tests.combat.balance.grounds import shipped, tutorial_plan

PLAN = tutorial_plan(battles=6)
WORKS = list(PLAN.works)


@pytest.fixture(scope="module")
def here() -> list[Result]:
    return list(one_process(PLAN, WORKS))


def in_order(results: list[Result]) -> list[Result]:
    return sorted(results, key=lambda each: each.number)


def test_the_same_seed_gives_the_same_battles_in_any_order(here: list[Result]) -> None:
    again = list(one_process(PLAN, WORKS[::-1]))
    assert in_order(again) == here
    other = tutorial_plan(battles=6, seed=4)
    assert [each.ships for each in one_process(other, list(other.works))] != [
        each.ships for each in here
    ]


def test_all_cores_give_the_same_although_a_process_is_killed(here: list[Result]) -> None:
    found: list[Result] = []
    for result in all_cores(PLAN, WORKS, processes=2):
        found.append(result)
        if len(found) == 1:
            # The battles that this process had are fought again by others.
            child = multiprocessing.active_children()[0]
            assert child.pid is not None
            os.kill(child.pid, signal.SIGKILL)
    assert in_order(found) == here
    assert report_of(PLAN, found) == report_of(PLAN, here)


# The cluster's own code leaves sockets to the garbage collector as it closes.
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_although_a_worker_is_killed(here: list[Result]) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
    ) as cluster:
        found: list[Result] = []
        for result in dask_cluster(cluster.scheduler_address)(PLAN, WORKS):
            found.append(result)
            if len(found) == 1:
                victim = next(iter(cluster.workers.values()))
                os.kill(victim.pid, signal.SIGKILL)
    assert in_order(found) == here
    assert report_of(PLAN, found) == report_of(PLAN, here)


def test_no_cluster_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("combat.balance.run._CLUSTER_SECONDS", 1)
    with pytest.raises(DreyerError) as refused:
        list(dask_cluster("tcp://127.0.0.1:1")(PLAN, [Work(0, None, 1)]))
    assert refused.value.message.code == "balance.fault.cluster"


@pytest.mark.soak
@pytest.mark.parametrize("source", ["tutorial.toml", "north_cape.toml", "river_plate.toml"])
def test_the_intervals_hold_for_other_seeds(source: str) -> None:
    """The share of many battles lies in the interval of few, or close by it."""
    of_few, of_many = (
        report_of(plan, list(all_cores(plan, list(plan.works))))
        for plan in (
            plan_of(shipped(source), source, battles=battles, seed=seed, captains=("quick",))
            for battles, seed in ((40, 11), (200, 12))
        )
    )
    for few, many in zip(of_few.parts[0].sides, of_many.parts[0].sides, strict=True):
        # Both are estimates: their intervals overlap in all but a few of a thousand cases.
        assert few.win_share.low <= many.win_share.high
        assert many.win_share.low <= few.win_share.high
