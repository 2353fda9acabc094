"""The tutorial battle: what its player is told to do next, from where the battle stands."""

from dataclasses import dataclass
from typing import Final

from combat.guided_play import PlottedView, StepKind
from combat.scenarios import scenario_named
from web.strings import text
from web.views.turn import SeatKind, Turn

SCENARIO: Final = "tutorial"
_STEPS: Final = (
    *("plot", "commit_plot", "move"),
    *("designate", "commit_fire", "reduce", "resolve", "done"),
)
STEPS: Final = len(_STEPS)
_BY_KIND: Final = {
    StepKind.MOVE: "move",
    StepKind.DESIGNATE: "designate",
    StepKind.REDUCE: "reduce",
    StepKind.RESOLVE: "resolve",
    StepKind.MARK: "done",
    StepKind.ENDED: "ended",
}


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """What is to be done next, and why."""

    key: str

    @property
    def number(self) -> int:
        """Its number; the first for who has no seat, the last once the battle is over."""
        if self.key == "seat":
            return 1
        return _STEPS.index(self.key) + 1 if self.key in _STEPS else STEPS

    @property
    def of(self) -> int:
        """How many steps there are."""
        return STEPS

    @property
    def words(self) -> str:
        """The instruction."""
        return str(text(f"tutorial.next.{self.key}"))


def tutorial_step(title: str, view: PlottedView, turn: Turn) -> TutorialStep | None:
    """The next step of the tutorial; None in any other battle."""
    if title != scenario_named(SCENARIO).title:
        return None
    return TutorialStep(_key(view, turn))


def _key(view: PlottedView, turn: Turn) -> str:
    kind, first = view.step.kind, (view.step.round_number, view.step.segment) == (1, 1)
    if kind == StepKind.ENDED:
        return "ended"
    if turn.seat is SeatKind.WATCHER:
        return "seat"
    written = bool(turn.cards) and all(each.done for each in turn.cards)
    if kind == StepKind.PLOT:
        if not first:
            return "done"
        return "commit_plot" if written else "plot"
    if kind == StepKind.DESIGNATE and written:
        return "commit_fire"
    return _BY_KIND[kind]
