"""What a battle asks of one caller now: the next action, the ships, and who is waited for.

It is made from the caller's view, so that it cannot show what the rulebook hides from that side.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from urllib.parse import quote

from combat.guided_play import (
    SECRET_STEPS,
    BattleView,
    EventKind,
    OrderedView,
    PlottedView,
    StepKind,
)
from combat.views import FireOrderView, FireRateView, PlacementView, PlottedShipView, PlotView
from tabletop.messages import NO_WORDS, Message
from web.auth.seats import Caller, Seat
from web.games.guided_game import GuidedGame
from web.session import Session
from web.strings import sentence, text, words
from web.views.battle import seat_seen

PLAY: Final = "POST /api/battle/play"


class SeatKind(StrEnum):
    """The role of a caller in a battle."""

    PLAYER = "player"
    UMPIRE = "umpire"
    WATCHER = "watcher"


@dataclass(frozen=True, slots=True)
class PageAction:
    """A button: a link or an action."""

    words: str
    href: str = ""
    order: str = ""
    body: Mapping[str, object] = field(default_factory=dict)
    confirm: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class ShipTask:
    """A ship that the caller gives orders to."""

    ship: PlottedShipView
    done: bool = False
    """Whether her order of this step is written."""
    words: str = ""
    href: str = ""
    acts: tuple[PageAction, ...] = ()
    note: str = ""
    """Further information about her."""


@dataclass(frozen=True, slots=True)
class SidePlayers:
    """A side, its players, and whether the step waits for it."""

    side: str
    people: tuple[str, ...]
    waited_for: bool
    doing: Message = NO_WORDS
    """What the side is doing now, as everybody may know; no words after the end."""
    away: tuple[str, ...] = ()
    """Those of its people whose page is not open now."""


@dataclass(frozen=True, slots=True)
class TurnCall:
    """Whether a battle waits for the caller, for every page to tell."""

    battle: str
    """The key of the battle: another battle has another."""
    waits: bool
    key: str
    """What it is about; a page that has told of it does not tell again."""
    nudge: int
    """The number of the newest nudge of the caller's side; 0 if there is none."""
    nudged_by: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The content of the current step's page for one caller."""

    seat: SeatKind
    primary: PageAction | None
    others: tuple[PageAction, ...] = ()
    waiting: bool = False
    """Whether this caller is done and another side is not."""
    cards: tuple[ShipTask, ...] = ()
    parties: tuple[SidePlayers, ...] = ()
    arranged: tuple[PlottedShipView, ...] = ()
    """The caller's hidden ships that may still change numbers and places."""
    air_targets: tuple[PlottedShipView, ...] = ()
    """The ships that the caller may send aircraft against now."""


def seat_of(battle: GuidedGame, caller: Caller) -> SeatKind:
    """The role of a caller in this battle."""
    if caller.is_umpire:
        return SeatKind.UMPIRE
    seat = caller.seat
    plays = seat is not None and caller.may_play and seat.side in battle.sides
    return SeatKind.PLAYER if plays else SeatKind.WATCHER


def play(
    words: str, kind: str, /, *, confirm: str = "", icon: str = "", **data: object
) -> PageAction:
    """A button that plays an action."""
    return PageAction(
        words, order=PLAY, body={"kind": kind, "data": data}, confirm=confirm, icon=icon
    )


def turn_for(
    view: PlottedView,
    seat: SeatKind,
    seats: Iterable[Seat],
    standing: Sequence[PlacementView] = (),
    repeat: PageAction | None = None,
    is_present: Callable[[str], bool] | None = None,
) -> Turn:
    """What the caller has to do, from the caller's view; `repeat` writes missing plots again."""
    parties = parties_of(view, seats, is_present)
    if seat is SeatKind.WATCHER:
        return Turn(seat, None, parties=parties)
    kind = view.step.kind
    cards = tuple(_cards(view, kind))
    mine = (view.you,) if seat is SeatKind.PLAYER else view.sides
    open_sides = [side for side in mine if side in view.step.waiting_for]
    waiting = bool(view.step.waiting_for) and not open_sides
    waiting = waiting or (kind == StepKind.MOVE and not _may_move(view))
    primary, others = _next(kind, view, cards, standing, waiting=waiting)
    if repeat is not None and not waiting:
        others = (repeat, *others)
    if seat is SeatKind.PLAYER and waiting and kind in SECRET_STEPS:
        others = (play(_words("uncommit"), EventKind.UNCOMMIT, icon="unlock"),)
    return Turn(seat, primary, others, waiting, cards, parties, _arranged(view), _air_targets(view))


def _arranged(view: PlottedView) -> tuple[PlottedShipView, ...]:
    if EventKind.ARRANGE not in [action.kind for action in view.actions]:
        return ()
    return tuple(ship for ship in _own(view) if ship.face_down)


def _air_targets(view: PlottedView) -> tuple[PlottedShipView, ...]:
    if EventKind.AIR_STRIKE not in [action.kind for action in view.actions]:
        return ()
    return tuple(
        ship for ship in view.ships if ship.side != view.you and ship.status == "in action"
    )


def waits_for(view: BattleView, seat: SeatKind) -> bool:
    """Whether the battle waits for this caller."""
    step = view.step
    if seat is SeatKind.WATCHER:
        return False
    if view.all_wanted:
        rolling = {each.side for each in view.all_wanted}
        return seat is SeatKind.UMPIRE or bool(rolling & {None, view.you})
    if step.kind == StepKind.MOVE:
        return _may_move(view)
    mine = (view.you,) if seat is SeatKind.PLAYER else view.sides
    return any(side in step.waiting_for for side in mine)


def decides_alone(battle: GuidedGame, caller: Caller, seats: Iterable[Seat]) -> bool:
    """Whether nobody has to agree where this caller goes a step back."""
    seat = caller.seat
    if caller.is_umpire or seat is None:
        return True
    return not {each.side for each in seats}.intersection(battle.sides) - {seat.side}


def turn_call(session: Session, caller: Caller) -> TurnCall | None:
    """Whether the battle waits for a caller; None without a battle."""
    battle = session.moment.battle
    if battle is None:
        return None
    view = battle.view(seat_seen(battle, caller))
    step, dice = view.step, "dice" if view.all_wanted else ""
    side = caller.seat.side if caller.seat else None
    nudge = session.nudge_of(side) if side else None
    return TurnCall(
        battle=session.battle_key,
        waits=step.kind is not StepKind.ENDED and waits_for(view, seat_of(battle, caller)),
        key=f"{step.round_number}.{step.segment}.{step.kind}.{dice}",
        nudge=nudge.n if nudge else 0,
        nudged_by=nudge.who if nudge else "",
    )


def parties_of(
    view: BattleView, seats: Iterable[Seat], is_present: Callable[[str], bool] | None = None
) -> tuple[SidePlayers, ...]:
    """The sides with their players; `is_present` says of a seat's id whether its page is open."""
    people: dict[str | None, list[Seat]] = {}
    for seat in seats:
        people.setdefault(seat.side, []).append(seat)

    def of(side: str) -> SidePlayers:
        mine = people.get(side, ())
        return SidePlayers(
            side,
            tuple(seat.name for seat in mine),
            is_waited_for(view, side),
            activity(view, side),
            tuple(seat.name for seat in mine if is_present and not is_present(seat.id)),
        )

    return tuple(map(of, view.sides))


def is_waited_for(view: BattleView, side: str) -> bool:
    """Whether the battle waits for a side: for its dice, or for its part of the step.

    The models are moved by every side, in fog of war by the umpire alone.
    """
    if view.all_wanted:
        return any(each.side in (None, side) for each in view.all_wanted)
    if isinstance(view, PlottedView) and view.step.kind is StepKind.MOVE:
        return not view.fog
    return side in view.step.waiting_for


def activity(view: BattleView, side: str) -> Message:
    """What a side is doing now, in words that tell no secret."""
    kind = view.step.kind
    if kind is StepKind.ENDED:
        return NO_WORDS
    if view.all_wanted:
        return _doing("rolls" if is_waited_for(view, side) else "awaits_dice")
    if isinstance(view, OrderedView):
        return _acting(view, side)
    if kind is StepKind.MOVE:
        return _doing("move")
    if not is_waited_for(view, side):
        return _doing("marked" if kind is StepKind.MARK else "committed")
    if kind is StepKind.PLOT and isinstance(view, PlottedView):
        ships = sum(ship.side == side and ship.in_action for ship in view.ships)
        return _doing("plot", n=view.written.get(side, 0), all=ships)
    return _doing(kind.value)


def _acting(view: OrderedView, side: str) -> Message:
    """What a side does where ships act in turn."""
    if not is_waited_for(view, side):
        return _doing("awaits_turn")
    actors = tuple(actor.name for actor in view.order if actor.now and actor.side == side)
    if view.step.kind in (StepKind.SHIP_MOVES, StepKind.COMBAT) and actors:
        return _doing(view.step.kind.value, actors=actors)
    return _doing("decides")


def _doing(what: str, **values: int | tuple[str, ...]) -> Message:
    return Message(f"battle.doing.{what}", **values)


def without_orders(view: PlottedView) -> list[str]:
    """The caller's ships in action whose order of this step is not written."""
    written: Container[str] = view.plots if view.step.kind is StepKind.PLOT else view.fires
    return [ship.id for ship in _own(view) if ship.id not in written]


def next_without(view: PlottedView, ship: str, besides: Container[str] = ()) -> str | None:
    """The next of the caller's ships after this one that needs an order, besides these."""
    listed = [each.id for each in _own(view)]
    at = listed.index(ship) if ship in listed else -1
    missing = {name for name in without_orders(view) if name != ship and name not in besides}
    return next((name for name in (*listed[at + 1 :], *listed[:at]) if name in missing), None)


def _own(view: PlottedView) -> list[PlottedShipView]:
    return [ship for ship in view.ships if ship.yours and ship.in_action]


def _cards(view: PlottedView, kind: str) -> Iterable[ShipTask]:
    for ship in view.ships:
        if not ship.yours:
            continue
        name = ship.id
        if not ship.in_action:
            yield ShipTask(ship, words=str(text(f"battle.status_{ship.status}")))
        elif kind == StepKind.PLOT:
            plot = view.plots.get(name)
            href = f"/battle/plot/{quote(name)}"
            acts = tuple(_asides(ship))
            yield ShipTask(ship, plot is not None, _plot_words(plot), href, acts, _away(ship))
        elif kind == StepKind.DESIGNATE:
            orders = view.fires.get(name)
            href = f"/battle/fire/{quote(name)}"
            yield ShipTask(
                ship, orders is not None, _fire_words(orders), href, tuple(_asides(ship))
            )
        elif kind == StepKind.REDUCE:
            yield _rate_task(ship, view.rates.get(name, ()))
        else:
            yield ShipTask(
                ship, words=sentence(ship.glance or NO_WORDS), href=f"/sheet/{quote(name)}"
            )


def _asides(ship: PlottedShipView) -> Iterable[PageAction]:
    """Further actions of a ship in this step."""
    name = ship.id
    if ship.withdrawal is not None and ship.withdrawal.may_withdraw:
        sure = _words("withdraw_sure", ship=name)
        yield play(_words("withdraw"), EventKind.WITHDRAW, confirm=sure, icon="leave", ship=name)
    if ship.face_down:
        sure = _words("reveal_sure", ship=name)
        yield play(_words("reveal"), EventKind.REVEAL, confirm=sure, icon="eye", ship=name)


def _away(ship: PlottedShipView) -> str:
    """How far she is from being allowed to withdraw, once she has begun to."""
    verdict = ship.withdrawal
    if verdict is None or not verdict.rounds_outside:
        return ""
    return words(Message("errors.forbidden", reason=verdict.why, rule=verdict.rule))


def _plot_words(plot: PlotView | None) -> str:
    if plot is None:
        return _words("plot_missing")
    found = [] if plot.speed is None else [_words("speed", n=plot.speed)]
    found.append(plot.notation or _words("stays"))
    if plot.follows:
        found.append(_words("behind", ship=plot.follows))
    if plot.torpedo:
        found.append(_words("torpedoes_at", ship=plot.torpedo))
    return " · ".join(found)


def _fire_words(orders: Sequence[FireOrderView] | None) -> str:
    if orders is None:
        return _words("fire_missing")
    if not orders:
        return _words("holds_fire")
    return _words("fires_at", ships=", ".join(dict.fromkeys(each.target for each in orders)))


def _rate_task(ship: PlottedShipView, rates: Sequence[FireRateView]) -> ShipTask:
    """A ship's fires with their guns; where none can be fewer there is nothing to choose."""
    if not rates:
        return ShipTask(ship, words=_words("holds_fire"))
    href = f"/battle/rate/{quote(ship.id)}" if any(rate.reducible for rate in rates) else ""
    done = any(rate.reduced for rate in rates)
    return ShipTask(ship, done, " · ".join(map(_rate_words, rates)), href)


def _rate_words(rate: FireRateView) -> str:
    firing = sum(turret.firing for turret in rate.turrets)
    could = sum(turret.guns for turret in rate.turrets)
    key = "rate_reduced" if rate.reduced else "rate_full"
    return _words(key, guns=rate.title, n=firing, all=could, ship=rate.target)


Next = tuple[PageAction | None, tuple[PageAction, ...]]


def _next(
    kind: str,
    view: PlottedView,
    cards: Sequence[ShipTask],
    standing: Sequence[PlacementView],
    *,
    waiting: bool,
) -> Next:
    if kind == StepKind.ENDED:
        return _after_end(view)
    if kind == StepKind.RESOLVE:
        return PageAction(_words("to_dice"), href="/battle/dice"), ()
    if kind == StepKind.MOVE:
        return _move(standing) if _may_move(view) else (None, ())
    if kind == StepKind.PLOT and view.wanted:
        # An air strike is on its way; whoever has committed will plot again after it.
        return PageAction(_words("to_dice"), href="/battle/dice"), ()
    if waiting:
        return None, ()
    if kind == StepKind.MARK:
        return play(_words("marked"), EventKind.MARK), (
            PageAction(_words("sheets"), href="/sheets"),
        )
    if kind == StepKind.REDUCE:
        chosen = "commit_rates" if any(card.done for card in cards) else "commit_as_designated"
        return play(_words(chosen), EventKind.COMMIT, icon="lock"), ()
    missing = next((card for card in cards if card.href and not card.done), None)
    if kind == StepKind.PLOT:
        if missing is not None:
            return PageAction(_words("plot_ship", ship=missing.ship.id), href=missing.href), ()
        return play(_words("commit_plots"), EventKind.COMMIT, icon="lock"), ()
    if missing is None:
        return play(_words("commit_fire"), EventKind.COMMIT, icon="lock"), ()
    silent = ", ".join(card.ship.id for card in cards if card.href and not card.done)
    commit = play(
        _words("commit_fire"),
        EventKind.COMMIT,
        confirm=_words("silent_sure", ships=silent),
        icon="lock",
    )
    if sum(bool(card.href) for card in cards) > 1:
        return PageAction(_words("fire_all"), href="/battle/fire"), (commit,)
    return PageAction(_words("fire_ship", ship=missing.ship.id), href=missing.href), (commit,)


def _may_move(view: BattleView) -> bool:
    """Whether the viewer may confirm the move: any of them, in fog of war the umpire alone."""
    return any(action.kind == EventKind.MOVE for action in view.actions)


def _move(standing: Sequence[PlacementView]) -> Next:
    """Confirm the models' positions; models out of place are accepted or moved.

    What is far out of place, and an enemy of whom that is not known, counts as plotted unless
    somebody asks for another thing.
    """
    wrong = [each for each in standing if not each.in_place]
    if not wrong:
        return play(_words("move_done"), EventKind.MOVE), ()
    names = [each.ship for each in wrong]
    accept = play(
        _words("move_accept"),
        EventKind.MOVE,
        confirm=_words("move_accept_sure", ships=", ".join(names)),
        accept=names,
    )
    by_plot = play(_words("move_by_plot"), EventKind.MOVE, as_plotted=names)
    by_hand = PageAction(_words("move_by_hand"), href="/ships")
    if any(each.far or each.plotted is None for each in wrong):
        return by_plot, (by_hand, accept)
    return accept, (by_plot, by_hand)


def _after_end(view: PlottedView) -> Next:
    report = PageAction(_words("report"), href="/report")
    if view.wanted:
        return PageAction(_words("to_dice"), href="/battle/dice"), (report,)
    return report, (
        PageAction(_words("sheets"), href="/sheets"),
        PageAction(_words("battles"), href="/battles"),
    )


def _words(key: str, /, **values: object) -> str:
    return str(text(f"battle.{key}", **values))
