"""The movement log: what each ship had written, round by round, as a caller may read it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from combat.views import LoggedPlot
from web.auth.seats import Caller
from web.games.guided_game import GuidedGame
from web.strings import text
from web.views.battle import seat_seen


@dataclass(frozen=True, slots=True)
class LoggedRound:
    """A row of a ship's log: her speed, and what was written for either segment (57.51)."""

    number: int
    speeds: tuple[int, ...]
    """As written, and what damage or a collision left of it for the second segment."""
    moves: tuple[str, str]
    """Empty where nothing was written yet, or it is sealed."""


@dataclass(frozen=True, slots=True)
class ShipLog:
    """One ship's movement plots, the newest round first."""

    ship: str
    side: str
    rounds: tuple[LoggedRound, ...]


def plots_read(battle: GuidedGame, caller: Caller) -> tuple[LoggedPlot, ...]:
    """The movement plots that a caller may read."""
    return battle.rulebook.movement_log(battle.state, seat_seen(battle, caller))


def logs_of(plots: Iterable[LoggedPlot]) -> tuple[ShipLog, ...]:
    """The plots ship by ship, as they come."""
    found = []
    for (ship, side), own in groupby(plots, key=lambda each: (each.ship, each.side)):
        rounds = [_round(list(group)) for _, group in groupby(own, key=lambda each: each.round)]
        found.append(ShipLog(ship, side, tuple(reversed(rounds))))
    return tuple(found)


def _round(plots: list[LoggedPlot]) -> LoggedRound:
    written = {plot.segment: _written(plot) for plot in plots}
    speeds = tuple(dict.fromkeys(plot.speed for plot in plots))
    return LoggedRound(plots[0].round, speeds, (written.get(1, ""), written.get(2, "")))


def _written(plot: LoggedPlot) -> str:
    if plot.follows:
        return f"{plot.notation} · {text('battle.behind', ship=plot.follows)}"
    return plot.notation or str(text("battle.stays"))
