"""The signs that plots are written with (57.52), and which of them fit where the next one goes."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder, check_rudder
from combat.rulebooks.bismarck_advanced.movement.handling import (
    DOUBLE_DAGGERS,
    MARKS,
    MOVEMENT,
    PLUS,
)
from combat.rulebooks.bismarck_advanced.movement.plot import (
    FOLLOW,
    Helm,
    PlotNote,
    TurnSide,
    full_turn_deg,
    least_turn_deg,
    parse_plot,
)
from combat.rulebooks.bismarck_advanced.movement.short_turns import Degrees, Part, share
from combat.rulebooks.bismarck_advanced.movement.speed import begin_round
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.ships import ShipClass
from combat.views import PlotKey
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import NO_WORDS, Message

_TURNS: Final = (
    (TurnSide.LEFT.value, Message("advanced.plot_key.full_left")),
    (TurnSide.LEFT.lower(), Message("advanced.plot_key.short_left")),
    (TurnSide.RIGHT.lower(), Message("advanced.plot_key.short_right")),
    (TurnSide.RIGHT.value, Message("advanced.plot_key.full_right")),
)
_NOTES: Final = (
    (FOLLOW, Message("advanced.plot_key.follow"), "follows"),
    (PlotNote.CHASE.value, Message("advanced.plot_key.chase"), ""),
    (PlotNote.SMOKE_COVER.value, Message("advanced.plot_key.smoke_cover"), ""),
    (PlotNote.SMOKE_FRONT.value, Message("advanced.plot_key.smoke_front"), "smoke_side"),
)
_DIGITS_AT_END: Final = re.compile(r"(?<![0-9/])[1-9][0-9]?$")
"""Factors ahead that have just been written; longer numbers are never a plot."""
_PARTS: Final = (Part.THIRD, Part.HALF, Part.TWO_THIRDS)
_DEGREE_STEPS: Final = (-5, -1, 1, 5)


def plot_keys(
    battle: Engagement, ship: Combatant, order: MoveOrder, at: int, edition: Edition
) -> tuple[PlotKey, ...]:
    """Every key that this ship has; one fits if the plot is none the worse for it.

    Digits add up: a 3 behind a 2 makes it 5 ahead. The amounts of a short turn have keys where the
    turn has just been written (57.3).
    """
    allowed = _allowed(battle, ship, order)
    ship_class = ship.vessel.warship.ship_class

    left = None if allowed is None else allowed - _factors_written(order, ship_class, edition)

    def judged(key: PlotKey) -> PlotKey:
        written = order.plot[: at - key.replaces] + (key.puts or key.text) + order.plot[at:]
        try:
            plot = parse_plot(written, ship_class, edition)
            check_rudder(ship.vessel, plot)
        except BadPlot as error:
            return replace(key, fits=False, why_not=error.reason)
        if allowed is not None and left is not None and (plot.factors or 0) > allowed:
            # 58.3: a segment has so many factors.
            why = Message("advanced.plot.no_factors_left", n=max(0, left), factors=allowed)
            return replace(key, fits=False, why_not=why)
        return key

    signs = (judged(key) for key in _signs(ship, order.plot[:at]))
    amounts = [
        replace(judged(key), fits=judged(key).fits and not key.chosen)
        for key in _amounts(order.plot[:at], ship_class, edition)
    ]
    return (*signs, *(amounts if any(key.fits for key in amounts) else ()))


def _signs(ship: Combatant, written: str) -> Iterator[PlotKey]:
    for text, words in _TURNS:
        yield PlotKey(text, words, "turn", True)
    before = _DIGITS_AT_END.search(written)
    digits = before.group() if before is not None else ""
    for number in range(1, 10):
        puts = str(int(digits) + number) if digits else ""
        yield PlotKey(str(number), NO_WORDS, "number", True, replaces=len(digits), puts=puts)
    arcs = MOVEMENT.handling[ship.vessel.warship.ship_class].arc_by_mark
    for mark in MARKS:
        if mark in arcs:
            arc = Message(f"advanced.arc.{arcs[mark]}")
            yield PlotKey(mark, Message("advanced.plot_key.arc", arc=arc), "mark", True)
    for text, words, asks in _NOTES:
        yield PlotKey(text, words, "note", True, asks)


def _amounts(written: str, ship_class: ShipClass, edition: Edition) -> Iterator[PlotKey]:
    """The amounts that a short turn may be given, if the plot so far ends with one."""
    try:
        orders = parse_plot(written, ship_class, edition).orders
    except BadPlot:
        return
    helm = orders[-1] if orders else None
    if not isinstance(helm, Helm) or helm.amount is None:
        return
    amount_text = written[helm.amount_position :] if helm.amount_position else ""
    if any(mark in amount_text for mark in (PLUS, *DOUBLE_DAGGERS)):
        # The mark of an arc was written after the amount, which is no longer the last sign.
        return
    replaces = len(amount_text)
    full_deg = full_turn_deg(ship_class, helm.mark)
    for part in _PARTS:
        words = Message("advanced.plot_key.degrees", degrees=full_deg * share(part, full_deg))
        chosen = part == helm.amount
        yield PlotKey(part, words, "amount", True, replaces=replaces, chosen=chosen)
    now_deg = full_deg * share(helm.amount, full_deg)
    least, most = least_turn_deg(ship_class, helm.mark), math.floor(full_deg)
    for step in _DEGREE_STEPS:
        # From a half degree the next whole one counts as one step.
        wanted = (math.ceil(now_deg - 1e-9) if step < 0 else math.floor(now_deg + 1e-9)) + step
        amount = Degrees(min(max(wanted, least), most))
        way = "less" if step < 0 else "more"
        words = Message(f"advanced.plot_key.{way}", degrees=abs(step))
        chosen = amount == helm.amount
        yield PlotKey(str(amount), words, "amount", True, replaces=replaces, chosen=chosen)


def _factors_written(order: MoveOrder, ship_class: ShipClass, edition: Edition) -> int:
    """The factors that the plot uses so far; 0 for one that cannot be read."""
    try:
        return parse_plot(order.plot, ship_class, edition).factors or 0
    except BadPlot:
        return 0


def _allowed(battle: Engagement, ship: Combatant, order: MoveOrder) -> int | None:
    """The factors of this segment; None while no speed is written that is open to her."""
    moving = ship.moving
    if battle.segment is not Segment.SECOND:
        if order.speed is None:
            return None
        try:
            ship_class = ship.vessel.warship.ship_class
            moving = begin_round(ship_class, ship.record, order.speed)
        except DreyerError:
            return None
    return None if moving is None else moving.factors(battle.segment)
