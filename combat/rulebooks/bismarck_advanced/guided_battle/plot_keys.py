"""The signs that plots are written with (57.52), and which of them fit where the next one goes."""

from collections.abc import Iterator
from typing import Final

from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder, check_rudder
from combat.rulebooks.bismarck_advanced.movement.handling import MARKS, MOVEMENT
from combat.rulebooks.bismarck_advanced.movement.plot import FOLLOW, PlotNote, TurnSide, parse_plot
from combat.rulebooks.bismarck_advanced.movement.speed import begin_round
from combat.rulebooks.bismarck_advanced.phases import Segment
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


def plot_keys(
    battle: Engagement, ship: Combatant, order: MoveOrder, at: int
) -> tuple[PlotKey, ...]:
    """Every key that this ship has; one fits if the plot is none the worse for it."""
    allowed = _allowed(battle, ship, order)

    def fits(text: str) -> bool:
        written = order.plot[:at] + text + order.plot[at:]
        try:
            plot = parse_plot(written, ship.vessel.warship.ship_class)
            check_rudder(ship.vessel, plot)
        except BadPlot:
            return False
        return allowed is None or plot.factors is None or plot.factors <= allowed

    return tuple(
        PlotKey(text, words, group, fits(text), asks) for text, words, group, asks in _signs(ship)
    )


def _signs(ship: Combatant) -> Iterator[tuple[str, Message, str, str]]:
    for text, words in _TURNS:
        yield text, words, "turn", ""
    for number in range(1, 10):
        yield str(number), NO_WORDS, "number", ""
    arcs = MOVEMENT.handling[ship.vessel.warship.ship_class].arc_by_mark
    for mark in MARKS:
        if mark in arcs:
            arc = Message(f"advanced.arc.{arcs[mark]}")
            yield mark, Message("advanced.plot_key.arc", arc=arc), "mark", ""
    for text, words, asks in _NOTES:
        yield text, words, "note", asks


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
