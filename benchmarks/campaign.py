"""Sixty rounds with ten ships a side: does the table stay quick, and how does the journal grow?

The umpire plays both sides through the session as the page does: plots, moves, designations, dice
and marks, each an event on the disk. Measured are the state that a phone fetches (its 95th
percentile in the first and in the last ten rounds), the journal's bytes for each round, taking back
the last step of the last round, and opening the journal again after a restart: as a share of the
time that the session took to play it, and beside it for an evening of four ships.
"""

import multiprocessing
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from combat.dice import RolledDice
from combat.guided_actions import RollDice, StartingConditions
from combat.guided_play import StepKind
from combat.participants import UMPIRE
from combat.rulebooks import get_ruleset
from combat.ships import ShipClass
from combat.views import PlotCheck
from tabletop.schema import Schema
from tabletop.table import Pose
from web.actions.battle import AskUndo, BeginBattle, Play
from web.actions.context import Action
from web.actions.table import NewShip, OpenTable
from web.auth.seats import Caller, Role, Seat
from web.journal.store import Store
from web.session import Session
from web.views.table import TableView, view_for

ROUNDS = 60
SHIPS_A_SIDE = 10
EVENING_ROUNDS = 12
EVENING_SHIPS_A_SIDE = 2
FETCHES = 5
OPENINGS = 3
_RULESET = "bismarck-advanced"
_HOST = Caller("host", host=True)
_UMPIRE = Caller("umpire", seat=Seat("s1", "Umpire", Role.UMPIRE, None))
_VIEWS: Schema[TableView] = Schema(TableView)
_PLAYER = Caller("player", seat=Seat("s2", "Player", Role.PLAYER, "british"))
_CAPITAL = (ShipClass.BATTLESHIP, ShipClass.BATTLE_CRUISER, ShipClass.HEAVY_CRUISER)
_SPEED = 4


def fleets(ships_a_side: int = SHIPS_A_SIDE) -> tuple[NewShip, ...]:
    """Two lines of ships that circle at long range, so that few sink before the end."""
    known = list(get_ruleset(_RULESET).ships)
    ships = []
    for side, nation, x, heading in (
        ("british", "British", 8_000, 0),
        ("german", "German", 34_000, 180),
    ):
        own = [ship for ship in known if ship.nation == nation and ship.ship_class in _CAPITAL]
        for number in range(ships_a_side):
            ship = own[number % len(own)]
            name = ship.name if number < len(own) else f"{ship.name} {number}"
            pose = Pose(x, 2_000 + 2_000 * number, heading)
            ships.append(NewShip(name, ship.name, side, pose=pose))
    return tuple(ships)


def play(session: Session, kind: str, **data: Any) -> None:
    """One event by the umpire."""
    battle = session.moment.battle
    assert battle is not None
    session.act(_UMPIRE, Play(battle.rulebook.schemas.action.read({"kind": kind, **data})))


def play_segment(session: Session, chance: random.Random) -> None:
    """Plot, move, designate, roll and mark, for all."""
    now = session.moment.battle
    assert now is not None
    view = now.plotted_view(UMPIRE)
    for ship in view.ships:
        if not ship.in_action:
            continue
        assert ship.speeds is not None
        speed = min(max(_SPEED, ship.speeds.lowest), ship.speeds.highest)
        half = speed - speed // 2 if view.segment == 1 else speed // 2
        # A damaged helm leaves some ships no choice but straight ahead, or hard over.
        plots = [
            f"R{half - 1}" if half > 1 else "R" * half,
            str(half or ""),
            "L" * half,
            "R" * half,
        ]
        for notation in plots:
            draft = {"speed": speed, "notation": notation}
            if view.segment != 1:
                draft.pop("speed")
            written = {"kind": "plot", "ship": ship.id, **draft}
            plot = now.rulebook.schemas.action.read(written)
            check = now.rulebook.check(now.state, plot)
            assert isinstance(check, PlotCheck)
            if not check.faults:
                play(session, "plot", ship=ship.id, **draft)
                break
    play(session, "commit")
    play(session, "move", accept_all=True)
    now = session.moment.battle
    assert now is not None
    if now.step.kind is StepKind.DESIGNATE:
        for ship in now.plotted_view(UMPIRE).ships:
            if not ship.in_action:
                continue
            for target in now.plotted.fire_options(now.state, None, ship.id)[:1]:
                if any(
                    battery.allowed and battery.battery == "main" for battery in target.batteries
                ):
                    play(session, "designate", ship=ship.id, orders=[{"target": target.target}])
        play(session, "commit")
    now = session.moment.battle
    assert now is not None
    while now.step.kind in (StepKind.RESOLVE, StepKind.REDUCE):
        if now.step.kind is StepKind.REDUCE:
            play(session, "commit")
        else:
            session.act(_UMPIRE, Play(RollDice(), RolledDice(chance)))
        now = session.moment.battle
        assert now is not None


@dataclass(frozen=True, slots=True)
class Measured:
    """What one battle took; times in seconds, sizes in bytes."""

    rounds: int
    events: int
    acting: float
    """All that the session did to play it, its disk included."""
    fetches: list[list[float]]
    """By round."""
    sizes: list[int]
    """Before the first round and after each."""
    undoing: float
    opening: float


def measure(rounds: int, ships_a_side: int) -> Measured:
    """Play a battle, take its last step back, and open it again."""
    chance = random.Random(1941)  # noqa: S311  # A game, not a secret.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battle.db"
        session = _TimedSession(Store(path))
        session.act(_HOST, OpenTable("Campaign", _RULESET, 500, 72, 48, fleets(ships_a_side)))
        session.act(_HOST, BeginBattle(StartingConditions(visibility=5)))
        fetches: list[list[float]] = []
        sizes = [_size(path)]
        played = 0
        while played < rounds and session.moment.battle and not session.moment.battle.is_over:
            for _ in range(2):
                if not session.moment.battle.is_over:
                    play_segment(session, chance)
            played += 1
            fetches.append([_fetch_seconds(session) for _ in range(FETCHES)])
            sizes.append(_size(path))
        acting, events = session.seconds, session.log(most=1)[-1].n
        session.close()
        # Each in a process of its own, as after a restart: nothing is remembered from playing.
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as fresh:
            opening = min(fresh.map(_open_seconds, [path] * OPENINGS))
        again = Session(Store(path))
        battle = again.moment.battle
        assert battle is not None
        start = time.perf_counter()
        again.act(_UMPIRE, AskUndo(battle.record.events[-2].n))
        undoing = time.perf_counter() - start
        again.close()
    return Measured(played, events, acting, fetches, sizes, undoing, opening)


def _open_seconds(path: Path) -> float:
    start = time.perf_counter()
    session = Session(Store(path))
    seconds = time.perf_counter() - start
    session.close()
    return seconds


class _TimedSession(Session):
    """A session that adds up what its actions take."""

    seconds = 0.0

    def act(self, caller: Caller, action: Action, *, key: str | None = None) -> int:
        start = time.perf_counter()
        try:
            return super().act(caller, action, key=key)
        finally:
            self.seconds += time.perf_counter() - start


def main() -> None:
    """Print fetch times, growth and what a restart costs."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 and __name__ == "__main__" else ROUNDS
    long = measure(rounds, SHIPS_A_SIDE)
    evening = measure(min(rounds, EVENING_ROUNDS), EVENING_SHIPS_A_SIDE)
    early = _p95([s for each in long.fetches[:10] for s in each])
    late = _p95([s for each in long.fetches[-10:] for s in each])
    growth = (long.sizes[-1] - long.sizes[0]) / max(1, long.rounds) / 1024
    print(f"A battle of {long.rounds} rounds with {SHIPS_A_SIDE} ships a side")
    print(
        f"  state fetch p95: first ten rounds {early * 1e3:.1f} ms, last ten {late * 1e3:.1f} ms"
        f" ({late / early:.2f}×)"
    )
    print(f"  journal: {growth:.1f} KiB a round, {long.sizes[-1] / 1024:,.0f} KiB in all")
    print(f"  taking back the last step: {long.undoing * 1e3:.0f} ms")
    print(f"  opening the journal again: {_opening(long)}")
    print(
        f"  an evening of {evening.rounds} rounds with {EVENING_SHIPS_A_SIDE} ships a side:"
        f" {_opening(evening)}"
    )


def _opening(measured: Measured) -> str:
    return (
        f"{measured.opening:.2f} s for {measured.events:,} events,"
        f" {measured.opening / measured.acting:.2f}× what playing them took"
    )


def _fetch_seconds(session: Session) -> float:
    start = time.perf_counter()
    _VIEWS.adapter.dump_json(view_for(session, _PLAYER), by_alias=True)
    return time.perf_counter() - start


def _size(path: Path) -> int:
    """The journal's own pages, whether they are still in the log beside it or not."""
    with closing(sqlite3.connect(path)) as base:
        (pages,) = base.execute("PRAGMA page_count").fetchone()
        (size,) = base.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
