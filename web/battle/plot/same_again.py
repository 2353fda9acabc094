"""All ships as in the segment before: a button that writes the plots that are still missing."""

from combat.guided_play import EventKind, PlottedView
from combat.views import PlotView
from web.actions.battle import acting_side
from web.auth.seats import Caller
from web.battle.plot.pad import written
from web.games.guided_game import GuidedGame
from web.strings import text
from web.views.turn import PageAction, play, without_orders


def same_again(battle: GuidedGame, caller: Caller, view: PlottedView) -> PageAction | None:
    """The button that repeats the last plots of ships without one, where any may be repeated.

    A ship whose last plot is not legal now, and whoever cannot follow her, is left to be plotted.
    """
    side = acting_side(battle, caller)
    missing = set(without_orders(view))
    plots = battle.answers.find(("same again", side), lambda: _repeated(battle, side, view))
    wanted = [written(ship, plot) for ship, plot in plots.items() if ship in missing]
    if not wanted:
        return None
    return play(str(text("battle.same_again_all")), EventKind.ORDERS, icon="renew", plots=wanted)


def _repeated(battle: GuidedGame, side: str | None, view: PlottedView) -> dict[str, PlotView]:
    rulebook, state = battle.plotted, battle.state
    own = {ship.side for ship in view.ships if ship.yours and ship.in_action}
    found: dict[str, PlotView] = {}
    for each in sorted(own - set(view.committed)):
        for leader, *followers in rulebook.columns(state, each):
            plot = rulebook.repeated_plot(state, leader, side)
            if plot is None:
                continue
            found[leader] = plot
            draft = rulebook.plot(leader, plot, side)
            wake = rulebook.column_plots(state, draft, followers)
            found |= {place.ship: place.plot for place in wake if place.check.legal}
    return found
