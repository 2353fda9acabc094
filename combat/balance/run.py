"""Fighting the battles of a plan: in this process, on all cores, or on a Dask cluster.

What comes of a battle depends on the plan and its number alone, so that it does not matter where
it is fought, in which order, or how often a worker is lost on the way.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Final

from combat.balance.battle import Result, fight
from combat.balance.plan import Plan, Work
from tabletop.errors import DreyerError

Results = Generator[Result, None, None]
Runner = Callable[[Plan, Sequence[Work]], Results]
"""Gives the results as they come, in any order; closing it stops the work."""

_WAITING_PER_WORKER: Final = 3
"""Battles that are handed out beyond those being fought: few, so that stopping is quick."""
_MOST_RESTARTS: Final = 20
_CLUSTER_SECONDS: Final = 20
"""How long a cluster may take to answer."""


def one_process(plan: Plan, works: Sequence[Work]) -> Results:
    """One battle after the other, here."""
    for work in works:
        yield fight(plan, work)


def all_cores(plan: Plan, works: Sequence[Work], processes: int | None = None) -> Results:
    """Several processes at once; the battles of one that dies are fought again."""
    count = processes or cores()
    waiting = list(reversed(works))
    for _ in range(_MOST_RESTARTS):
        if not waiting:
            return
        pool = _pool(min(count, len(waiting)))
        running: dict[Future[Result], Work] = {}
        try:
            while waiting or running:
                while waiting and len(running) < count * _WAITING_PER_WORKER:
                    work = waiting.pop()
                    running[pool.submit(fight, plan, work)] = work
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    result = future.result()
                    del running[future]
                    yield result
        except BrokenProcessPool:
            # Some futures may have finished before the pool broke; the others go round again.
            for future, work in running.items():
                finished = future.done() and not future.cancelled() and not future.exception()
                if finished:
                    yield future.result()
                else:
                    waiting.append(work)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    raise DreyerError("balance.fault.workers_die", restarts=_MOST_RESTARTS)


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _pool(processes: int) -> ProcessPoolExecutor:
    # A process that begins anew has none of the threads that a server or a test may have.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_ignore_interrupt)


def _ignore_interrupt() -> None:
    """Ctrl-C reaches every process of a terminal; only the first of them ends the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def dask_cluster(address: str) -> Runner:
    """The workers of a Dask cluster, which need this very version of the program."""
    try:
        from distributed import Client
    except ImportError:
        raise DreyerError("balance.fault.no_dask") from None

    def run(plan: Plan, works: Sequence[Work]) -> Results:
        try:
            client = Client(address, timeout=_CLUSTER_SECONDS)
        except (OSError, ValueError) as error:
            raise DreyerError("balance.fault.cluster", address=address, reason=str(error)) from None
        with client:
            yield from _on_cluster(client, plan, works)

    return run


def _on_cluster(client: Any, plan: Plan, works: Sequence[Work]) -> Results:
    from distributed import KilledWorker, as_completed

    # The plan is sent once; a scheduler gives the battles of a lost worker to another.
    sent = client.scatter(plan, broadcast=True, hash=False)
    waiting = list(reversed(works))
    running: dict[Any, Work] = {}
    restarts = 0

    def submit() -> Any:
        work = waiting.pop()
        future = client.submit(fight, sent, work, pure=False, retries=_MOST_RESTARTS)
        running[future] = work
        return future

    most = _WAITING_PER_WORKER * max(1, len(client.ncores()) * 2)
    finished = as_completed([submit() for _ in range(min(most, len(waiting)))])
    try:
        for future in finished:
            work = running.pop(future)
            try:
                result = future.result()
            except KilledWorker:
                restarts += 1
                if restarts > _MOST_RESTARTS:
                    raise DreyerError(
                        "balance.fault.workers_die", restarts=_MOST_RESTARTS
                    ) from None
                waiting.append(work)
            else:
                yield result
            if waiting:
                finished.add(submit())
    finally:
        with suppress(Exception):
            client.cancel(list(running))
