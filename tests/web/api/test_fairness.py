"""\"Is it fair?\" on the host's page: battles in the background, their progress, and the report."""

import threading
import time
from collections.abc import Iterator, Sequence

import pytest
from flask import Flask

from combat.balance.plan import Plan, Work
from combat.balance.run import Results, one_process
from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web.fairness import Fairness

CHOICE = {"scenario": "tutorial", "captain": "quick", "battles": 3}


@pytest.fixture
def fairness(app: Flask) -> Iterator[Fairness]:
    """Battles in this process, because new ones take longer than they do."""
    running = running_in(app)
    running.fairness = Fairness(one_process)
    yield running.fairness
    running.fairness.stop()


def done(fairness: Fairness) -> None:
    end = time.monotonic() + 60
    while fairness.now is None or fairness.now.running:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_host_sees_progress_and_the_report(app: Flask, fairness: Fairness) -> None:
    host = host_of(app)
    assert "<progress" not in host.get("/fair").text
    assert host.post("/api/fair", CHOICE).status_code == 200
    done(fairness)
    page = host.get("/fair/part").text
    assert "Tutorial: 3 battles between captains" in page
    assert page.count("<svg") == 1
    report = fairness.report()
    assert report is not None
    assert report.fought == 3


def test_a_sweep_draws_a_curve(app: Flask, fairness: Fairness) -> None:
    host = host_of(app)
    body = {**CHOICE, "battles": 1, "vary": "visibility=1..2"}
    assert host.post("/api/fair", body).status_code == 200
    done(fairness)
    assert host.get("/fair/part").text.count("<svg") == 3


def test_one_run_at_a_time_and_it_can_be_stopped(app: Flask) -> None:
    gate = threading.Event()

    def slow(plan: Plan, works: Sequence[Work]) -> Results:
        for result in one_process(plan, works):
            yield result
            assert gate.wait(60)

    running_in(app).fairness = fairness = Fairness(slow)
    host = host_of(app)
    assert host.post("/api/fair", CHOICE).status_code == 200
    refused = host.post("/api/fair", CHOICE)
    assert refused.status_code == 400
    assert "stop them first" in words_of(refused)
    assert host.post("/api/fair/stop").status_code == 200
    gate.set()
    done(fairness)
    assert fairness.now is not None
    assert fairness.now.fought < 3


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"scenario": "trafalgar"}, 404), ({"captain": "nelson"}, 404), ({"vary": "wind=1..2"}, 404)],
)
def test_what_cannot_be_fought_is_refused(
    app: Flask, fairness: Fairness, changed: dict[str, str], status: int
) -> None:
    assert host_of(app).post("/api/fair", {**CHOICE, **changed}).status_code == status
    assert fairness.now is None


def test_only_the_host_may(app: Flask, fairness: Fairness) -> None:
    ann: Phone = seated(app)
    assert ann.get("/fair").status_code == 403
    assert ann.post("/api/fair", CHOICE).status_code == 403
    assert fairness.now is None
