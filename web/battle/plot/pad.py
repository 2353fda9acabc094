"""The plot pad: a ship's plot as it is being typed, what it does, and what may be typed next."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from combat.guided_play import EventKind, PlottedView
from combat.views import (
    ColumnPlace,
    DraftFault,
    PlotCheck,
    PlotKey,
    PlottedShipView,
    PlotView,
    SpeedChoice,
)
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.actions.battle import acting_side
from web.auth.seats import Caller
from web.drawing.plot_map import Way
from web.faults import Fault
from web.games.guided_game import GuidedGame
from web.strings import text
from web.views.battle import plotted_view, without_ranges
from web.views.turn import PageAction, next_without, play

MOST_SIGNS: Final = 80
_MOST_BARS: Final = 14
_SMOKE_SIDES: Final = ("port", "starboard")
_USUAL_SMOKE_SIDE: Final = "starboard"
_AMOUNT: Final = "amount"


@dataclass(frozen=True, slots=True)
class PlotFields:
    """What stands in the fields."""

    notation: str
    at: int
    """Where the next sign goes."""
    speed: int | None
    follows: str = ""
    torpedo: str = ""
    smoke_side: str = _USUAL_SMOKE_SIDE
    column: tuple[str, ...] = ()
    """The ships that are to follow in her wake."""

    def plot(self, asked: frozenset[str], *, with_speed: bool) -> PlotView:
        """The draft as it is sent: what nothing asks for is as usual."""
        return PlotView(
            speed=self.speed if with_speed else None,
            notation=self.notation,
            follows=self.follows or None if "follows" in asked else None,
            torpedo=self.torpedo or None,
            smoke_side=self.smoke_side if "smoke_side" in asked else _USUAL_SMOKE_SIDE,
        )


@dataclass(frozen=True, slots=True)
class Follower:
    """A ship of her column, and whether she is to follow."""

    ship: str
    yards: float | None
    """How far she is from the ship ahead in the column; None where nobody may measure."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class PlotPage:
    """The page of one ship's plot."""

    view: PlottedView
    ship: PlottedShipView
    draft: PlotFields
    check: PlotCheck
    keys: tuple[PlotKey, ...]
    cut: int
    """How many signs the delete key takes away."""
    asked: frozenset[str]
    fault: DraftFault | None
    """The first thing that is wrong; what is only unfinished is not."""
    to_go: int
    ways: tuple[Way, ...]
    """The ways to draw: those of her friends that are settled, and her own."""
    save: PageAction
    next: str | None
    """The ship whose plot is to be written after this one."""
    sealed: bool
    column: tuple[Follower, ...]
    """The ships astern of her that may follow; empty for a ship that follows herself."""
    wake: tuple[ColumnPlace, ...]
    """The plots of those that are to follow, with what the rules say of them."""
    same: str
    """Her last plot, fitted to this segment; empty where it is not legal, or is written."""
    ships: tuple[PlottedShipView, ...]
    """The caller's ships, to go from one plot to the next."""
    friends: tuple[str, ...]
    enemies: tuple[str, ...]

    @property
    def draft_end(self) -> tuple[float, float] | None:
        """Where the plot leads as far as it is written; nowhere for a ship that follows."""
        end = self.check.end or self.ship.pose
        return None if "follows" in self.asked else (round(end.x_yards, 1), round(end.y_yards, 1))

    @property
    def closed(self) -> str:
        """The keys that do not fit here, for the page's script."""
        signs = (key for key in self.keys if key.group != _AMOUNT)
        return " ".join(key.text for key in signs if self.sealed or not key.fits)

    @property
    def why_not(self) -> dict[str, Message]:
        """Why the keys that do not fit cannot be used, for the page's script."""
        if self.sealed:
            return {}
        return {
            key.text: key.why_not
            for key in self.keys
            if not key.fits and key.group != _AMOUNT and key.why_not
        }

    @property
    def stragglers(self) -> tuple[ColumnPlace, ...]:
        """Those that cannot follow, or would run into the ship ahead."""
        return tuple(each for each in self.wake if not each.check.legal or each.too_close)

    @property
    def amounts(self) -> tuple[PlotKey, ...]:
        """The keys for the amount of the turn before the caret, where it has one."""
        return () if self.sealed else tuple(key for key in self.keys if key.group == _AMOUNT)

    @property
    def bars(self) -> int:
        """How many bars the meter of factors has."""
        return min(max(self.check.factors_allowed or 0, 1), _MOST_BARS)

    @property
    def pointer(self) -> str:
        """Blanks up to the sign at fault."""
        position = self.fault.position if self.fault else None
        return "" if position is None else "\N{NO-BREAK SPACE}" * position


def pad_for(
    battle: GuidedGame,
    caller: Caller,
    ship: str,
    typed: "MultiDict[str, str]",
    *,
    measured: bool,
) -> PlotPage:
    """The pad for a ship of the caller's side; `typed` is what the fields hold, if anything."""
    side = acting_side(battle, caller)
    view = plotted_view(battle, caller)
    own = tuple(each for each in view.ships if each.yours and each.speeds is not None)
    found = next((each for each in own if each.id == ship), None)
    speeds = found.speeds if found is not None else None
    if found is None or speeds is None:
        # The same words for an enemy's ship and for one that is not there.
        raise Fault(404, Message("battle.plot_not_yours", name=ship[:40]))
    sealed = found.side in view.committed
    # A sealed plot is shown as it was written: its fields are shut and send nothing.
    rulebook, state = battle.plotted, battle.state
    line = next(each for each in rulebook.columns(state, found.side) if ship in each)
    draft = _draft(found, speeds, view, line, MultiDict() if sealed else typed)
    first = not speeds.fixed
    unaimed = replace(draft.plot(frozenset(), with_speed=first), torpedo=None)
    keys = rulebook.plot_keys(state, rulebook.plot(ship, unaimed, side), draft.at)
    asked = frozenset(key.asks for key in keys if key.asks and key.text in draft.notation)
    plot = draft.plot(asked, with_speed=first)
    check = battle.check(rulebook.plot(ship, plot, side), PlotCheck)
    check = check if measured else without_ranges(check)
    fault, to_go = _wrong(check, draft)
    leads = "follows" not in asked
    astern = line[line.index(ship) + 1 :] if leads and not sealed else ()
    wanted = [name for name in astern if name in draft.column]
    wake = rulebook.column_plots(state, rulebook.plot(ship, plot, side), wanted) if wanted else ()
    following = {each.ship: each.plot for each in wake if each.check.legal}
    way = Way(
        ship,
        check.points,
        check.end,
        check.shortest_end,
        main=True,
        ticks=check.factor_ends,
    )
    ways = (
        *settled_ways(battle, side, view, ship, *wanted),
        *(Way(each.ship, each.check.points, each.check.end) for each in wake if each.check.legal),
        way,
    )
    after = next_without(view, ship, following)
    same = None if sealed or draft.notation else rulebook.repeated_plot(state, ship, side)
    return PlotPage(
        view=view,
        ship=found,
        draft=draft,
        check=check,
        keys=keys,
        cut=_cut(keys, draft),
        asked=asked,
        fault=fault,
        to_go=to_go,
        ways=ways,
        save=_save_button(ship, plot, following, after),
        next=after,
        sealed=sealed,
        column=tuple(_followers(view, (ship, *astern), draft.column, measured=measured)),
        wake=wake,
        same="" if same is None else same.notation,
        ships=own,
        friends=tuple(each.id for each in own if each.side == found.side and each.id != ship),
        enemies=tuple(each.id for each in view.ships if each.side != found.side and each.in_action),
    )


def _followers(
    view: PlottedView, line: Sequence[str], column: Sequence[str], *, measured: bool
) -> Iterator[Follower]:
    places = {ship.id: (ship.pose.x_yards, ship.pose.y_yards) for ship in view.ships}
    for ahead, ship in pairwise(line):
        yards = math.dist(places[ahead], places[ship]) if measured else None
        yield Follower(ship, yards, ship in column)


def _save_button(
    ship: str, plot: PlotView, following: Mapping[str, PlotView], after: str | None
) -> PageAction:
    """The button that writes a plot down, and those of the ships that follow."""
    if following:
        words = str(text("battle.save_columns", ship=next(iter(following)), n=len(following)))
        plots = [written(ship, plot), *(written(name, each) for name, each in following.items())]
        return play(words, EventKind.ORDERS, plots=plots)
    words = str(text("battle.save_next", ship=after) if after else text("battle.save"))
    return play(words, EventKind.PLOT, **written(ship, plot))


def written(ship: str, plot: PlotView) -> dict[str, Any]:
    """The request that writes a plot down for a ship, without what is as usual."""
    found = {key: value for key, value in asdict(plot).items() if value is not None}
    if plot.smoke_side == _USUAL_SMOKE_SIDE:
        del found["smoke_side"]
    return {"ship": ship, **found}


def _draft(
    ship: PlottedShipView,
    speeds: SpeedChoice,
    view: PlottedView,
    line: Sequence[str],
    typed: "MultiDict[str, str]",
) -> PlotFields:
    written = view.plots.get(ship.id)
    place = line.index(ship.id)
    usual = ship.speed if ship.speed is not None else speeds.highest
    usual = min(max(usual, speeds.lowest), speeds.highest)
    if "at" not in typed and "notation" not in typed:
        column = tuple(_kept_in_column(view, line[place:]))
        if written is None:
            ahead = line[place - 1] if place else ""
            return PlotFields("", 0, usual, ahead, column=column)
        return PlotFields(
            written.notation,
            len(written.notation),
            usual if written.speed is None else written.speed,
            written.follows or "",
            written.torpedo or "",
            written.smoke_side,
            column,
        )
    notation = typed.get("notation", "")[:MOST_SIGNS]
    side = typed.get("smoke_side", _USUAL_SMOKE_SIDE)
    return PlotFields(
        notation,
        min(_number(typed.get("at"), len(notation)) or 0, len(notation)),
        usual if speeds.fixed else _number(typed.get("speed"), None),
        typed.get("follows", "")[:40],
        typed.get("torpedo", "")[:40],
        side if side in _SMOKE_SIDES else _USUAL_SMOKE_SIDE,
        tuple(typed.getlist("column")),
    )


def _kept_in_column(view: PlottedView, line: Sequence[str]) -> Iterator[str]:
    """The ships of a column that have no plot of their own."""
    for name in line[1:]:
        plot = view.plots.get(name)
        if plot is None or plot.follows is not None:
            yield name


def _number(value: str | None, otherwise: int | None) -> int | None:
    if value is None or not value.isascii() or not value.isdigit() or len(value) > 2:
        return otherwise
    return int(value)


def _wrong(check: PlotCheck, draft: PlotFields) -> tuple[DraftFault | None, int]:
    """The fault to show, and how many factors are still to be written.

    A plot that is too short is not wrong yet: its fault stands behind its last sign.
    """
    used, allowed = check.factors_used, check.factors_allowed
    to_go = allowed - used if used is not None and allowed is not None else 0
    unfinished = to_go > 0
    for fault in check.faults:
        behind = fault.field == "notation" and fault.position == len(draft.notation)
        if not (unfinished and behind):
            return fault, max(to_go, 0)
    return None, max(to_go, 0)


def _cut(keys: Sequence[PlotKey], draft: PlotFields) -> int:
    """What the delete key takes: an amount, a whole sign of several letters, or one letter."""
    amount = max((key.replaces for key in keys), default=0)
    if amount:
        return amount
    before = draft.notation[: draft.at]
    kept = before.rstrip()
    blanks = len(before) - len(kept)
    lengths = [len(key.text) for key in keys if kept.endswith(key.text)]
    return blanks + max(lengths, default=1 if kept else 0)


def settled_ways(
    battle: GuidedGame, side: str | None, view: PlottedView, *but: str
) -> tuple[Way, ...]:
    """The ways that the caller's ships have been given, but for some."""
    found = []
    for name, plot in view.plots.items():
        if name in but:
            continue
        try:
            check = battle.check(battle.plotted.plot(name, plot, side), PlotCheck)
        except DreyerError:
            continue
        found.append(Way(name, check.points, check.end))
    return tuple(found)
