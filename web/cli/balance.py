"""`dreyer balance`: whether a scenario is fair, by many battles between captains."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from combat.balance.plan import Plan, Sweep, plan_of
from combat.balance.report import Report, ShipReport, report_of
from combat.balance.results_file import ResultsFile
from combat.balance.run import Runner, all_cores, dask_cluster
from combat.captain.all_captains import DEFAULT
from combat.fight_file import is_fight
from combat.rulebooks import NAMES, get_ruleset
from combat.scenarios import all_scenarios, read_scenario, scenario_named
from combat.sides import Sides
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.battle.balance_page import balance_page, said_of, share_words
from web.cli.commands import Commands, add_parser, help_text
from web.files import read_input, write_output
from web.strings import figure, text, words

if TYPE_CHECKING:
    from combat.balance.battle import Result

BATTLES: Final = 100
INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""
_BAR: Final = 30


def add_command(commands: Commands) -> None:
    """Add `balance` to the command line."""
    balance = add_parser(commands, "balance")
    balance.add_argument(
        "scenario", metavar="SCENARIO", help=help_text("command.help.balance.scenario")
    )
    balance.add_argument(
        "--battles",
        type=int,
        default=BATTLES,
        metavar="N",
        help=help_text("command.help.balance.battles", battles=BATTLES),
    )
    balance.add_argument(
        "--seed", type=int, default=1, metavar="S", help=help_text("command.help.balance.seed")
    )
    balance.add_argument(
        "--captains",
        default=DEFAULT,
        metavar="A,B",
        help=help_text("command.help.balance.captains"),
    )
    balance.add_argument(
        "--vary", metavar="KEY=LOW..HIGH", help=help_text("command.help.balance.vary")
    )
    balance.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    balance.add_argument(
        "--html", type=Path, metavar="FILE", help=help_text("command.help.balance.html")
    )
    balance.add_argument(
        "--processes", type=int, metavar="N", help=help_text("command.help.balance.processes")
    )
    balance.add_argument("--dask", metavar="ADDRESS", help=help_text("command.help.balance.dask"))
    balance.add_argument(
        "--resume", type=Path, metavar="FILE", help=help_text("command.help.balance.resume")
    )
    balance.set_defaults(run=run_balance)


def run_balance(options: argparse.Namespace) -> int:
    """Fight the battles, and say what came of them."""
    plan = _plan(options)
    runner = _runner(options)
    kept = None if options.resume is None else ResultsFile(options.resume, plan)
    results: dict[int, Result] = {} if kept is None else dict(kept.results)
    bar = _ProgressBar(plan.count)
    works = [work for work in plan.works if work.number not in results]
    finished = True
    try:
        bar.show(len(results))
        coming = runner(plan, works)
        with closing(coming):
            for result in coming:
                results[result.number] = result
                if kept is not None:
                    kept.add(result)
                bar.show(len(results))
    except KeyboardInterrupt:
        finished = False
    finally:
        bar.end()
        if kept is not None:
            kept.close()
    report = report_of(plan, results.values())
    sides = read_scenario(plan.file, plan.source).sides
    if not finished:
        print(_stopped(report, options.resume), file=sys.stderr)
    if options.html is not None:
        write_output(options.html, balance_page(report, sides).encode())
    if options.json:
        print(json.dumps(report.document(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(report_lines(report, sides)))
    return 0 if finished else INTERRUPTED


def _runner(options: argparse.Namespace) -> Runner:
    if options.dask is not None:
        return dask_cluster(options.dask)
    if options.processes is not None and options.processes < 1:
        raise DreyerError("balance.fault.processes", found=options.processes)
    return lambda plan, works: all_cores(plan, works, options.processes)


def _plan(options: argparse.Namespace) -> Plan:
    file, source = scenario_file(options.scenario)
    return plan_of(
        file,
        source,
        battles=options.battles,
        seed=options.seed,
        captains=tuple(name.strip() for name in options.captains.split(",")),
        sweep=None if options.vary is None else Sweep.read(options.vary),
    )


def scenario_file(wanted: str) -> tuple[bytes, str]:
    """The file of a shipped scenario by its key, or a file of one's own, and its name."""
    path = Path(wanted)
    if wanted not in all_scenarios() and (path.suffix == ".toml" or path.exists()):
        data = read_input(path)
        if is_fight(data, path.name):
            raise DreyerError("balance.fault.fight", file=path.name)
        return data, path.name
    if wanted in NAMES:
        ruleset = get_ruleset(wanted)
        guided = "rulebook" if ruleset.battle is not None else "rulebook_not_guided"
        raise DreyerError(f"balance.fault.{guided}", rulebook=ruleset.title)
    scenario = scenario_named(wanted)
    files = get_ruleset(scenario.ruleset).scenario_files
    source = next(name for name in files if name.removesuffix(".toml").replace("_", "-") == wanted)
    return files[source], source


class _ProgressBar:
    """How many battles are fought, on the error stream while that is a terminal."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._shown = sys.stderr.isatty()

    def show(self, done: int) -> None:
        """Draw the bar."""
        if self._shown:
            full = _BAR * done // self._count
            said = text("balance.progress", done=done, count=self._count)
            print(
                f"\r[{'#' * full}{'.' * (_BAR - full)}] {said}", end="", file=sys.stderr, flush=True
            )

    def end(self) -> None:
        """Leave the bar's line."""
        if self._shown:
            with suppress(OSError):
                print(file=sys.stderr)


def _stopped(report: Report, kept: Path | None) -> str:
    code = "balance.stopped" if kept is None else "balance.stopped_kept"
    return words(Message(code, fought=report.fought, planned=report.planned, file=str(kept)))


def report_lines(report: Report, sides: Sides) -> Iterator[str]:
    """The report as text."""
    yield str(text("balance.heading", scenario=report.scenario, n=report.fought, seed=report.seed))
    for part in report.parts:
        yield ""
        if part.value is not None:
            value = figure(part.value, ",g")
            yield str(text(f"balance.varied.{report.varied}", value=value, n=part.battles))
        yield from said_of(part, sides)
        yield from map(_ship_line, part.ships)


def _ship_line(ship: ShipReport) -> str:
    code = "ship" if ship.decides is None else "ship_decides"
    decides = 0.0 if ship.decides is None else ship.decides
    return str(
        text(
            f"balance.{code}",
            ship=ship.ship,
            sunk=share_words(ship.sunk),
            lost=figure(ship.lost, ".0%"),
            decides=figure(decides * 100, "+.0f"),
        )
    )
