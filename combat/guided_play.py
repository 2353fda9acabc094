"""The protocol of rulebooks that guide a battle through a sequence of play.

`GuidedRulebook` extends `Rulebook` by what the pages of every guided battle need: steps, secrets,
story and history. What only some rulebooks have is in protocols of their own: `PlottedRulebook`,
`OrderedRulebook`, `CorrectedRulebook` and `CampaignRulebook`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeVar, runtime_checkable

from combat.actions import Action
from combat.battle_history import History
from combat.corrections import CorrectableValue
from combat.dice import ReplayedDice, Roll
from combat.dice_wanted import DiceWanted
from combat.events import Event
from combat.free_play import FreeState
from combat.guided_actions import (
    BattleAction,
    BattleOptions,
    BattleSetup,
    Draft,
    EarlierBattles,
    EnteredDivision,
    Opening,
    StartingConditions,
    StartingMarks,
)
from combat.optional_rules import OptionalRule, RuleValue
from combat.participants import Seat
from combat.questions import Question
from combat.rulebook import Place, Rulebook
from combat.salvos import SalvoView
from combat.story_entries import Entry
from combat.tables import TableSet
from combat.views import (
    ActionCheck,
    ActionView,
    ActorView,
    AgreedView,
    ColumnPlace,
    ConditionsView,
    ContactView,
    DeclaredShotView,
    DesignationView,
    DivisionPlacingCheck,
    DivisionView,
    DraftFault,
    FireCheck,
    FireOrderView,
    FireRateView,
    LoggedPlot,
    MoveCheck,
    MoveView,
    OrderedShipView,
    OrdersCheck,
    PlotCheck,
    PlotKey,
    PlottedShipView,
    PlotView,
    ReachedPlace,
    ReducedFireView,
    RepairView,
    ResolutionView,
    ScoreView,
    ShipMoveCheck,
    ShipView,
    SmokeView,
    TargetOption,
    TorpedoMarkerView,
    VacantFlagView,
)
from tabletop.messages import NO_WORDS, Message
from tabletop.schema import Schema
from tabletop.table import Pose

State = TypeVar("State")
BattleCheck = (
    PlotCheck
    | FireCheck
    | OrdersCheck
    | MoveCheck
    | ActionCheck
    | ShipMoveCheck
    | DivisionPlacingCheck
)


class StepKind(StrEnum):
    """What the players do in a step, independent of the rulebook's name for it."""

    PLOT = "plot"
    MOVE = "move"
    DESIGNATE = "designate"
    RESOLVE = "resolve"
    REDUCE = "reduce"
    """Before the first die of a fire: with how many guns it is fired."""
    MARK = "mark"
    ENDED = "ended"
    # Of battles in which ships act one after the other:
    COMMANDERS = "commanders"
    """Before the battle: what the commanders are like."""
    INITIATIVE = "initiative"
    SHIP_MOVES = "ship_moves"
    COMMAND = "command"
    COMBAT = "combat"


SECRET_STEPS: Final = frozenset({StepKind.PLOT, StepKind.DESIGNATE, StepKind.REDUCE})
"""The steps in which every side writes orders that open when all have committed."""
FIRE_STEPS: Final = frozenset({StepKind.DESIGNATE, StepKind.COMBAT})
"""The steps in which a battle takes what players have settled about lines of fire."""


class EventKind(StrEnum):
    """The kinds of battle actions, as requests and journals name them."""

    PLOT = "plot"
    DESIGNATE = "designate"
    ORDERS = "orders"
    REDUCE = "reduce"
    ARRANGE = "arrange"
    RULE = "rule"
    ROLL_NEXT = "roll_next"
    COMMIT = "commit"
    UNCOMMIT = "uncommit"
    MOVE = "move"
    DICE = "dice"
    MARK = "mark"
    WITHDRAW = "withdraw"
    REVEAL = "reveal"
    CORRECT = "correct"
    END = "end"
    REPAIR = "repair"
    AIR_STRIKE = "air_strike"


class OrderedKind(StrEnum):
    """The kinds of actions of battles in which ships act one after the other."""

    PLACE_DIVISION = "place-division"
    MOVE_SHIP = "move-ship"
    MOVE_DIVISION = "move-division"
    LEAVE_TABLE = "leave-table"
    SET_COMMAND = "set-command"
    COMMAND_DONE = "command-done"
    TAKE_FLAG = "take-flag"
    DECLARE_FIRE = "declare-fire"
    FIRE_NEXT = "fire-next"
    HOLD_FIRE = "hold-fire"


@dataclass(frozen=True, slots=True)
class Step:
    """The current step of the sequence of play."""

    kind: StepKind
    round_number: int
    segment: int
    title: Message
    reference: str
    waiting_for: tuple[str, ...] = ()
    """The sides that have not yet committed; if empty, anybody may continue."""
    hint: Message = NO_WORDS
    """What to do now, in one sentence."""
    place: Message = NO_WORDS
    """Where in the battle it is: the round and its segment, or the turn."""


class Progress(StrEnum):
    """Whether a step of the round is done, current or ahead."""

    DONE = "done"
    NOW = "now"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class StepMark:
    """One step of the round, for the progress bar."""

    kind: StepKind
    segment: int
    title: Message
    reference: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class BattleView:
    """A battle with only what its viewer may see, as every guided rulebook has it."""

    step: Step
    sequence: tuple[StepMark, ...]
    actions: tuple[ActionView, ...]
    """What the viewer may do now."""
    wanted: DiceWanted | None
    """The next dice; send them as an action of kind dice."""
    all_wanted: tuple[DiceWanted, ...]
    """The next dice of everything that is rolled for now, several fires at once."""
    title: str
    sides: tuple[str, ...]
    you: str | None
    """The viewer's side."""
    sees_all: bool
    round: int
    segment: int
    wants_to_end: tuple[str, ...]
    ending: Message
    """Why the battle is over; empty while it is not."""
    ships: tuple[ShipView, ...]
    smoke: tuple[SmokeView, ...]
    agreed: tuple[AgreedView, ...]
    follows: EarlierBattles | None
    """The earlier battles that its ships survived."""


@dataclass(frozen=True, slots=True)
class PlottedView(BattleView):
    """A battle whose orders are written in secret and opened together."""

    ships: tuple[PlottedShipView, ...]
    conditions: ConditionsView
    fog: bool
    """Whether each side is shown only what its ships see."""
    contacts: tuple[ContactView, ...]
    """What the viewer's side has noticed without seeing it."""
    committed: tuple[str, ...]
    torpedo_markers: tuple[TorpedoMarkerView, ...]
    plots: Mapping[str, PlotView]
    """The viewer's own by ship, while plots are secret."""
    written: Mapping[str, int]
    """How many ships each side has plotted, while plots are secret; not which, nor what."""
    move: Mapping[str, MoveView]
    """All by ship, while the models are moved."""
    fires: Mapping[str, tuple[FireOrderView, ...]]
    """The viewer's own by ship, while designations are secret."""
    rates: Mapping[str, tuple[FireRateView, ...]]
    """The viewer's own fires by ship, while their rates may be reduced."""
    designations: tuple[DesignationView, ...]
    """All, once they are revealed."""
    reduced: tuple[ReducedFireView, ...]
    """All fires at a reduced rate, once every side has committed them."""
    resolution: ResolutionView | None
    repairs: RepairView | None


@dataclass(frozen=True, slots=True)
class OrderedView(BattleView):
    """A battle in which divisions and ships act one after the other; nothing of it is secret."""

    ships: tuple[OrderedShipView, ...]
    divisions: tuple[DivisionView, ...]
    order: tuple[ActorView, ...]
    """Who has yet to act in this phase, in order."""
    score: tuple[ScoreView, ...]
    flags: tuple[VacantFlagView, ...]
    """The divisions that wait for a new flagship."""
    declared: tuple[DeclaredShotView, ...]
    """The fires that are still to be rolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A ship after the end of a battle, and the marks with which she begins the next."""

    name: str
    type: str
    side: str
    goes_on: bool
    """Whether she may take part in the next battle."""
    why: Message
    rule: str
    marks: StartingMarks | None
    """None if she is undamaged or does not take part."""
    glance: Message
    """A summary of her condition; may be empty."""


@dataclass(frozen=True, slots=True)
class RulebookSchemas:
    """The schemas of a rulebook's own types for journals, exports and requests."""

    action: Schema[BattleAction]
    setup: Schema[BattleSetup]
    marks: Schema[StartingMarks]
    options: Schema[BattleOptions]


class GuidedRulebook(Rulebook[State, BattleView, BattleCheck], Protocol[State]):
    """A rulebook that guides a battle through its sequence of play."""

    @property
    def tables(self) -> TableSet:
        """Its tables."""
        ...

    @property
    def adds_two_dice(self) -> bool:
        """Whether two dice rolled at once are added, and not read as tens and units."""
        ...

    @property
    def action_types(self) -> tuple[type[BattleAction], ...]:
        """Every action of the rulebook, for the description of the API."""
        ...

    def all_wanted(self, state: State) -> tuple[DiceWanted, ...]:
        """The next dice of everything that may be rolled now; `dice_wanted` is the first."""
        ...

    def set_up(self, opening: Opening) -> BattleSetup:
        """The set-up of an opening. Raises DreyerError if a value is out of bounds."""
        ...

    def begin(self, setup: BattleSetup) -> State:
        """The battle that a set-up describes, at its first step."""
        ...

    def step(self, state: State) -> Step:
        """The current step."""
        ...

    def sequence(self, state: State) -> tuple[StepMark, ...]:
        """The steps of the round."""
        ...

    def place_title(self, place: Place) -> Message:
        """A place of the sequence of play, as stories and reports head it.

        In a rulebook whose places are phases, a place without one is the whole turn.
        """
        ...

    def fire_options(self, state: State, side: str | None, ship: str) -> tuple[TargetOption, ...]:
        """The possible targets of a ship, nearest first, as a side or the umpire sees them."""
        ...

    def free_state(self, state: State, seat: Seat) -> FreeState[object]:
        """A copy of the battle for free play, with the ships that a seat may know."""
        ...

    def errors_for(self, state: State, side: str | None) -> AbstractContextManager[None]:
        """Errors raised within tell a side, or the umpire, no more than it may know."""
        ...

    def models(self, state: State, seat: Seat) -> Mapping[str, str]:
        """What the ships' models are called on the table, by what a seat calls the ships."""
        ...

    def with_models(
        self, state: State, action: BattleAction, poses: Mapping[str, Pose]
    ) -> BattleAction:
        """An action that moves models, with those places that it leaves to the table.

        Every other action is returned as it is.
        """
        ...

    def sealed_since(self, state: State) -> Place | None:
        """The earliest segment of which anything is kept from a side, drafts left aside."""
        ...

    def opening(self, start: State) -> tuple[Event, ...]:
        """The events of the start of a battle, before those of its first action."""
        ...

    def story(self, state: State, events: Iterable[Event], seat: Seat) -> tuple[Entry, ...]:
        """The story that a seat may know, from all events since the start."""
        ...

    def salvos(self, state: State, events: Sequence[Event], seat: Seat) -> tuple[SalvoView, ...]:
        """The salvos among the events of one action, as a seat may know them.

        `state` is the battle after it.
        """
        ...

    def is_shown(self, events: Sequence[Event]) -> bool:
        """Whether an action is shown on every screen: a salvo, or what became of a ship.

        That it is tells nothing that is secret.
        """
        ...

    def history(self, events: Iterable[Event]) -> History:
        """The positions of all ships in each segment, from all events since the start."""
        ...

    # How ships begin

    def starting_questions(self, type_: str) -> tuple[Question, ...]:
        """The questions about the state in which a ship of this type begins."""
        ...

    def condition(self, type_: str, marks: StartingMarks) -> Message:
        """A summary of a ship that begins with these marks. Raises BadField if she cannot."""
        ...

    def check_conditions(
        self, conditions: StartingConditions, options: BattleOptions | None
    ) -> None:
        """Raise BadField for weather in which no battle begins; without options the usual game."""
        ...

    # Optional rules

    def optional_rules(self, options: BattleOptions | None = None) -> tuple[OptionalRule, ...]:
        """The rules that players may choose, and which are on; the usual game without options."""
        ...

    def options(self, state: State) -> BattleOptions:
        """The optional rules that a battle is played with now."""
        ...

    def conditions_in_force(self, state: State) -> tuple[RuleValue, ...]:
        """What holds for the whole battle besides; nothing of it is secret."""
        ...

    # Files and requests

    @property
    def schemas(self) -> RulebookSchemas:
        """The schemas of its own types."""
        ...

    def write_events(
        self, events: Sequence[Event], *, brief: bool = False
    ) -> list[dict[str, object]]:
        """Events as JSON; `brief` leaves out what replaying the actions gives, for journals."""
        ...


@runtime_checkable
class PlottedRulebook(GuidedRulebook[State], Protocol[State]):
    """A guided rulebook whose orders are written in secret: plots, designations, rates of fire."""

    def view(self, state: State, seat: Seat) -> PlottedView:
        """What a seat may see."""
        ...

    def plot_keys(self, state: State, draft: Draft, at: int) -> tuple[PlotKey, ...]:
        """The keys of the plot keyboard, and which of them are valid at a position."""
        ...

    def columns(self, state: State, side: str) -> tuple[tuple[str, ...], ...]:
        """The columns of a side as they are proposed, each from its leader on."""
        ...

    def column_plots(
        self, state: State, draft: Draft, followers: Sequence[str]
    ) -> tuple[ColumnPlace, ...]:
        """The plots of ships that follow in the wake of a leader who has this draft."""
        ...

    def reached_places(self, state: State, ship: str, side: str | None) -> tuple[ReachedPlace, ...]:
        """Where a ship of a side may be after this segment, and the plots that lead there."""
        ...

    def reach_outlines(
        self, state: State, seat: Seat
    ) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """The line round all places where each ship may be after this segment, in yards.

        Only of ships of which the seat knows what they can do.
        """
        ...

    def repeated_plot(self, state: State, ship: str, side: str | None) -> PlotView | None:
        """A ship's last plot, fitted to this segment; None where it is not legal now."""
        ...

    def fire_proposal(
        self, state: State, side: str | None, options: Mapping[str, Sequence[TargetOption]]
    ) -> Mapping[str, tuple[FireOrderView, ...]]:
        """Orders for these ships that do most harm together, by the exact odds.

        `options` are the possible targets of each of them.
        """
        ...

    def movement_log(self, state: State, seat: Seat) -> tuple[LoggedPlot, ...]:
        """The movement plots that a seat may read: its own, and those that are open to all."""
        ...

    def plot(self, ship: str, written: PlotView, side: str | None) -> Draft:
        """The plot of a ship as a side has written it."""
        ...

    def designation(self, ship: str, orders: Sequence[FireOrderView], side: str | None) -> Draft:
        """The fire orders of a ship as a side has written them."""
        ...

    def fire_of_several(
        self, orders: Mapping[str, Sequence[FireOrderView]], side: str | None
    ) -> BattleAction:
        """The fire orders of several ships as a side has written them."""
        ...

    def reduction(self, ship: str, rates: Sequence[FireRateView], side: str | None) -> Draft:
        """The rates of fire of a ship as a side has chosen them."""
        ...

    def read_version_1(
        self, kind: str, data: Mapping[str, object], side: str | None
    ) -> BattleAction:
        """The action of a journal entry of version 0.1.0."""
        ...


@dataclass(frozen=True, slots=True)
class BattleSize:
    """How large a battle may be, in a rulebook that counts points."""

    key: str
    title: Message
    fleet_limit: int
    """The points of each fleet."""
    threshold: int
    """The points that win."""


@dataclass(frozen=True, slots=True)
class CommanderQuality:
    """What a commander may be like, where that is chosen and paid for."""

    key: str
    title: Message
    points_percent: int
    """What it adds to the points of the division."""


@runtime_checkable
class OrderedRulebook(GuidedRulebook[State], Protocol[State]):
    """A guided rulebook in which divisions and ships act one after the other, openly."""

    # Setting up fleets

    def battle_sizes(self) -> tuple[BattleSize, ...]:
        """The sizes of battles, from small to large."""
        ...

    def commander_qualities(self) -> tuple[CommanderQuality, ...]:
        """What commanders may be, from bad to good."""
        ...

    def points_of(self, type_: str) -> int | None:
        """The points of a ship of this type; None where her card says none."""
        ...

    def proposed_divisions(self, opening: Opening) -> tuple[EnteredDivision, ...]:
        """Divisions of an opening's ships."""
        ...

    def heirs(self, opening: Opening) -> Mapping[str, tuple[str, ...]]:
        """Who may take over the flag of each of an opening's divisions first."""
        ...

    def waiting_places(self, opening: Opening) -> Mapping[str, Pose]:
        """Where the models of an opening's divisions may be placed in the first turn."""
        ...

    def opening_faults(self, opening: Opening) -> Mapping[str, tuple[DraftFault, ...]]:
        """What is wrong with the fleet and the divisions of each side of an opening."""
        ...

    # Playing

    def may_fire(self, state: State, ships: Collection[str]) -> frozenset[str]:
        """Those of these ships that have an enemy to fire at."""
        ...

    def view(self, state: State, seat: Seat) -> OrderedView:
        """What a seat may see."""
        ...

    def move_of(
        self, ship: str, pose: Pose | None, side: str | None, *, yards: int | None = None
    ) -> BattleAction:
        """The move of a ship that ends in this pose; where None she stops.

        `yards` is how far she went, where her poses do not show it.
        """
        ...

    def placing_of(
        self, division: str, poses: Mapping[str, Pose], side: str | None
    ) -> BattleAction:
        """The placing of a division whose models stand so."""
        ...


@runtime_checkable
class CorrectedRulebook(GuidedRulebook[State], Protocol[State]):
    """A guided rulebook in which an umpire sets values right.

    Its action of the kind "correct" has a `reason` and either a `ship` and her `values` or, for the
    battle, `conditions`, by the keys of `correctable`.
    """

    def correctable(self, state: State, ship: str | None) -> tuple[CorrectableValue, ...]:
        """The values of a ship, or of the battle, as they are now. DreyerError if unknown."""
        ...

    def corrections(self, state: State, events: Sequence[Event], seat: Seat) -> tuple[Entry, ...]:
        """What an umpire has set right by one action, from what to what, as a seat may know it.

        Ships are named as the seat knows them in `state`. Empty for any other action.
        """
        ...


@runtime_checkable
class CampaignRulebook(GuidedRulebook[State], Protocol[State]):
    """A guided rulebook that says with what ships go on from one battle to the next."""

    def survivors(self, state: State) -> tuple[Survivor, ...]:
        """Every ship of a battle that has ended. Raises DreyerError if it has not."""
        ...

    def next_of(self, state: State) -> EarlierBattles:
        """The number of a following battle, and the battles before it."""
        ...


def replay(
    rulebook: GuidedRulebook[State],
    setup: BattleSetup,
    recorded: Iterable[tuple[Action, tuple[Roll, ...]]],
) -> State:
    """Replay recorded actions with their rolls, and return the final state."""
    state = rulebook.begin(setup)
    for action, rolls in recorded:
        state = rulebook.play(state, action, ReplayedDice(rolls)).state
    return state
