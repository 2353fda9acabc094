"""A battle played by its sequence of play: steps, actions, secrets, dice, story and sheets.

No rulebook is named here. A ruleset that can guide a whole battle provides `BattleRules`. A state
is an immutable value, and so is an action (`combat.battle_actions`); `apply` gives the next state
and depends on nothing but the state, the action and the tables, so that replaying the actions gives
the state again. Dice are values inside actions: nothing here rolls, reads a clock or draws a lot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum, StrEnum
from itertools import groupby
from typing import Any, Protocol, TypeVar

from combat.battle_actions import (
    MOST_DICE_AT_ONCE,
    BattleAction,
    BattleSetup,
    Draft,
    EnterDice,
    Roll,
)
from combat.dice import Dice
from combat.events import Event
from combat.free_play import FreeState
from combat.record_sheets import RecordSheet
from combat.rulebook import Outcome
from combat.story import Entry
from combat.tables import TableSet
from combat.views import (
    AgreedView,
    ConditionsView,
    DesignationView,
    FireCheck,
    FireOrderView,
    MoveView,
    PlotCheck,
    PlotKey,
    PlotView,
    RepairView,
    ResolutionView,
    ShipView,
    SmokeView,
    Standing,
    TargetOption,
    TorpedoMarkerView,
)
from tabletop.errors import DreyerError
from tabletop.table import Pose

State = TypeVar("State")


class StepKind(StrEnum):
    """What the players do in a step, whatever a rulebook calls it."""

    PLOT = "plot"
    MOVE = "move"
    DESIGNATE = "designate"
    RESOLVE = "resolve"
    MARK = "mark"
    ENDED = "ended"


class EventKind(StrEnum):
    """What may happen to a battle, by the words of requests and journals."""

    PLOT = "plot"
    DESIGNATE = "designate"
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


@dataclass(frozen=True, slots=True)
class Step:
    """Where a battle stands in its sequence of play."""

    kind: StepKind
    round_number: int
    segment: int
    title: str
    reference: str
    waiting_for: tuple[str, ...] = ()
    """The sides that have not yet committed; where none is named, anybody may go on."""
    hint: str = ""
    """What is to be done now, in a sentence."""


class Progress(StrEnum):
    """How far a step of the round has come."""

    DONE = "done"
    NOW = "now"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class StepMark:
    """One step of the round, for a bar that shows them all."""

    kind: StepKind
    segment: int
    title: str
    reference: str
    progress: Progress


class DiceKind(StrEnum):
    """How many dice are read together."""

    PAIR = "pair"
    DIE = "die"


@dataclass(frozen=True, slots=True)
class DiceWanted:
    """The next dice that a resolution needs."""

    kind: DiceKind
    purpose: str
    """For what: "Hood at Bismarck: the location of hit 2"."""
    number: int
    """Counted from 1 through the phase; `EnterDice` may say `first` to be sure that it fits."""
    at_least: int
    """How many rolls are certain to be needed still, this one included."""
    side: str | None
    """Whose roll it is."""


@dataclass(frozen=True, slots=True)
class BattleView:
    """A battle as a side may see it, and nothing else."""

    step: Step
    sequence: tuple[StepMark, ...]
    wanted: DiceWanted | None
    """The next dice; send them as an event of kind dice."""
    title: str
    sides: tuple[str, ...]
    you: str | None
    """The side that sees it."""
    sees_all: bool
    round: int
    segment: int
    conditions: ConditionsView
    committed: tuple[str, ...]
    wants_to_end: tuple[str, ...]
    ending: str
    """Why the battle is over; empty while it is not."""
    ships: tuple[ShipView, ...]
    smoke: tuple[SmokeView, ...]
    torpedo_markers: tuple[TorpedoMarkerView, ...]
    plots: Mapping[str, PlotView]
    """Your own side's by ship, while plots are written."""
    move: Mapping[str, MoveView]
    """Everybody's by ship, once the plots lie open."""
    fires: Mapping[str, tuple[FireOrderView, ...]]
    """Your own side's by ship, while fire is designated."""
    agreed: tuple[AgreedView, ...]
    designations: tuple[DesignationView, ...]
    """Everybody's, once they lie open."""
    resolution: ResolutionView | None
    repairs: RepairView | None
    story_length: int


class BattleRules(Protocol[State]):
    """A rulebook's sequence of play. Wherever a side is None, the umpire is meant."""

    @property
    def action_types(self) -> tuple[type[BattleAction], ...]:
        """Every action of the rulebook, for the description of the API."""
        ...

    def read_action(self, document: object) -> BattleAction:
        """The action that an entry of a journal or an export describes."""
        ...

    def read_request(self, kind: str, data: Mapping[str, Any], side: str | None) -> BattleAction:
        """The action that a side asks for: it cannot say that the server rolled its dice."""
        ...

    def write_action(self, action: BattleAction) -> dict[str, Any]:
        """An action as a journal keeps it, to be read by `read_action`."""
        ...

    def read_setup(self, document: object) -> BattleSetup:
        """The set-up that a document describes."""
        ...

    def begin(self, setup: BattleSetup) -> State:
        """The battle that a set-up describes, at its first step."""
        ...

    def apply(self, state: State, action: BattleAction, tables: TableSet) -> State:
        """The battle after an action; a DreyerError, and the old state stands, if not allowed."""
        ...

    def play(self, state: State, action: BattleAction, tables: TableSet) -> Outcome[State]:
        """The same, with what happened as typed events."""
        ...

    def write_events(self, events: Sequence[Event]) -> list[dict[str, Any]]:
        """Events as a journal keeps them."""
        ...

    def read_events(self, written: Sequence[object]) -> tuple[Event, ...]:
        """The events that an entry of a journal or an export has."""
        ...

    def step(self, state: State) -> Step:
        """Where the battle stands."""
        ...

    def sequence(self, state: State) -> tuple[StepMark, ...]:
        """The steps of the round."""
        ...

    def view(self, state: State, side: str | None, *, sees_all: bool = False) -> BattleView:
        """Everything that a side may see and nothing else; side None sees what both may see."""
        ...

    def check_plot(self, state: State, draft: Draft, tables: TableSet) -> PlotCheck:
        """A plot as typed, complete or not."""
        ...

    def plot_keys(self, state: State, draft: Draft, at: int) -> tuple[PlotKey, ...]:
        """The keys to write a plot with, and which of them fit at a place in it."""
        ...

    def check_move(
        self, state: State, side: str | None, poses: Mapping[str, Pose]
    ) -> tuple[Standing, ...]:
        """How the models stand to their plotted places, once the plots are open."""
        ...

    def fire_options(
        self, state: State, side: str | None, ship: str, tables: TableSet
    ) -> tuple[TargetOption, ...]:
        """What a ship could fire at, nearest first."""
        ...

    def check_fire(self, state: State, draft: Draft, tables: TableSet) -> FireCheck:
        """A ship's fire orders as chosen: each with its ledger and odds, or what is wrong."""
        ...

    def free_state(
        self, state: State, side: str | None, *, sees_all: bool = False
    ) -> FreeState[Any]:
        """A copy of the battle for free play, with the ships that a side may know."""
        ...

    def wanted(self, state: State) -> DiceWanted | None:
        """The next dice wanted, by their true names; a view has them as a side may see them."""
        ...

    def story(
        self, state: State, side: str | None, *, sees_all: bool = False, since: int = 0
    ) -> tuple[Entry, ...]:
        """What has happened, as a side may know it, from an entry's number on."""
        ...

    def sheet(
        self, state: State, side: str | None, ship: str, *, sees_all: bool = False
    ) -> RecordSheet:
        """A ship's record sheet, if the side may see it."""
        ...


def roll_the_rest(
    rules: BattleRules[State], state: State, tables: TableSet, dice: Dice
) -> tuple[str, ...]:
    """The values for one `EnterDice` that resolves all that is open, rolled with these dice."""
    values: list[str] = []
    wanted = rules.wanted(state)
    while wanted is not None and len(values) < MOST_DICE_AT_ONCE:
        pair = wanted.kind is DiceKind.PAIR
        value = str(dice.pair(wanted.purpose) if pair else dice.die(wanted.purpose))
        values.append(value)
        state = rules.apply(state, EnterDice(values=(value,)), tables)
        if _started_anew(wanted, rules.wanted(state)):
            break
        wanted = rules.wanted(state)
    return tuple(values)


def with_rolls(
    rules: BattleRules[State], state: State, entered: EnterDice, tables: TableSet
) -> EnterDice:
    """The same dice, each with what it was asked for; the rules must have allowed them."""
    rolls: list[Roll] = []
    for value in entered.values:
        wanted = rules.wanted(state)
        if wanted is None:
            break
        rolls.append(Roll(value=value, purpose=wanted.purpose, side=wanted.side, by=entered.by))
        if len(rolls) < len(entered.values):
            state = rules.apply(state, EnterDice(values=(value,)), tables)
    return replace(entered, rolls=tuple(rolls))


def replay(
    rules: BattleRules[State],
    setup: BattleSetup,
    actions: Iterable[BattleAction],
    tables: TableSet,
) -> State:
    """The battle that a set-up and its actions have made.

    Dice that were entered one by one are taken together, which gives the same and is quicker.
    """
    state = rules.begin(setup)
    for action in together(actions):
        state = rules.apply(state, action, tables)
    return state


def together(actions: Iterable[BattleAction]) -> Iterator[BattleAction]:
    """The same actions, with dice that follow one another made one action."""
    return (action for action, _ in counted_together(actions))


def counted_together(actions: Iterable[BattleAction]) -> Iterator[tuple[BattleAction, int]]:
    """Each of them with the number of actions that it stands for.

    No resolution ends and no other begins without an action between them that is not of dice.
    """
    for is_dice, run in groupby(actions, key=lambda action: isinstance(action, EnterDice)):
        if not is_dice:
            yield from ((action, 1) for action in run)
            continue
        entered = [action for action in run if isinstance(action, EnterDice)]
        if len(entered) > 1:
            values = tuple(value for each in entered for value in each.values)
            entered[0] = replace(entered[0], values=values)
        yield entered[0], len(entered)


def _started_anew(before: DiceWanted, after: DiceWanted | None) -> bool:
    """Whether the dice have ended one resolution and the next one is asking."""
    return after is not None and after.number <= before.number


def plain(value: object) -> Any:
    """A value of this module, or of any dataclass, as JSON."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise DreyerError(f"{type(value).__name__} is not for JSON")
