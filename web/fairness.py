"""One run of battles between captains at a time, in processes of its own, for the host's page."""

import threading
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combat.balance.battle import Result
    from combat.balance.plan import Plan, Work
    from combat.balance.report import Report
    from combat.balance.run import Results, Runner


def _leaving_a_core_for_the_table(plan: "Plan", works: "Sequence[Work]") -> "Results":
    # Imported late: most evenings nobody asks for it.
    from combat.balance.run import all_cores, cores

    return all_cores(plan, works, max(1, cores() - 1))


@dataclass
class _Run:
    """A plan that is being fought, or has been."""

    plan: "Plan"
    stop: threading.Event = field(default_factory=threading.Event)
    results: dict[int, "Result"] = field(default_factory=dict)
    done: bool = False
    fault: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class FairnessNow:
    """How far a run is."""

    plan: "Plan"
    fought: int
    running: bool
    fault: Message


@dataclass
class Fairness:
    """The run of the server. Every public method may be called from any thread."""

    runner: "Runner" = _leaving_a_core_for_the_table
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _run: _Run | None = None

    def start(self, plan: "Plan") -> None:
        """Begin a run. Raises DreyerError while another goes on."""
        with self._lock:
            if self._run is not None and not self._run.done:
                raise DreyerError("balance.fault.running")
            self._run = run = _Run(plan)
        threading.Thread(target=self._fight, args=(run,), name="fairness", daemon=True).start()

    def stop(self) -> None:
        """Stop the run; what has been fought stays."""
        run = self._run
        if run is not None:
            run.stop.set()

    @property
    def now(self) -> FairnessNow | None:
        """How far the latest run is; None before the first."""
        run = self._run
        if run is None:
            return None
        return FairnessNow(run.plan, len(run.results), not run.done, run.fault)

    def report(self) -> "Report | None":
        """What the latest run says so far."""
        run = self._run
        if run is None or not run.results:
            return None
        from combat.balance.report import report_of

        return report_of(run.plan, list(run.results.values()))

    def _fight(self, run: _Run) -> None:
        try:
            with closing(self.runner(run.plan, list(run.plan.works))) as coming:
                for result in coming:
                    run.results[result.number] = result
                    if run.stop.is_set():
                        break
        except DreyerError as error:
            run.fault = error.message
        finally:
            run.done = True
