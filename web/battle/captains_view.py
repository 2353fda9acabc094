"""The captains at the table for one caller: who plays what, and what the caller may do about it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from combat.captain.all_captains import DEFAULT, proposes_plots
from combat.guided_play import StepKind
from web.captains import CaptainNow, TableCaptains, may_give
from web.strings import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from web.auth.seats import Caller, Seat
    from web.games.guided_game import GuidedGame


@dataclass(frozen=True, slots=True)
class ProposedPlot:
    """A plot that a captain has written for the caller, and why."""

    ship: str
    why: str


@dataclass(frozen=True, slots=True)
class CaptainsView:
    """The panel of the captains."""

    now: tuple[CaptainNow, ...]
    names: tuple[str, ...]
    """Those that may be appointed."""
    usual: str
    free: tuple[str, ...]
    """The sides that the caller may give to a captain."""
    dismissable: tuple[str, ...]
    """The sides that the caller may take back from a captain."""
    may_propose: bool
    """Whether a captain may write the caller's plots now."""
    proposed: tuple[ProposedPlot, ...]


def captains_view(
    captains: TableCaptains, battle: "GuidedGame", caller: "Caller", seats: "Iterable[Seat]"
) -> CaptainsView:
    """What a caller sees of the captains."""
    taken = captains.sides()
    seated = {seat.side for seat in seats}
    may = [side for side in battle.sides if may_give(side, caller, seated)]
    own = caller.seat.side if caller.seat is not None else None
    step = battle.step
    proposing = own not in taken and step.kind is StepKind.PLOT and own in step.waiting_for
    return CaptainsView(
        now=captains.now(),
        names=captains.names(),
        usual=DEFAULT,
        free=tuple(side for side in may if side not in taken),
        dismissable=tuple(side for side in may if side in taken),
        may_propose=proposing and proposes_plots(battle.rulebook.name),
        proposed=tuple(
            ProposedPlot(ship, words(why)) for ship, why in captains.proposed(own).items()
        ),
    )
