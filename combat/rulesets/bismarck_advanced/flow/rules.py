"""The Advanced Game's sequence of play, as every ruleset offers it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from combat.battle import BattleView, DiceWanted, Progress, Step, StepKind, StepMark
from combat.battle_actions import (
    BattleAction,
    BattleSetup,
    Commit,
    Draft,
    EndBattle,
    EnterDice,
    Mark,
    Move,
    Reveal,
    Settle,
    Uncommit,
    Withdraw,
)
from combat.events import Event
from combat.free_play import FreeState
from combat.record_sheets import RecordSheet
from combat.rulebook import Outcome
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.firing.marks import FightMarks
from combat.rulesets.bismarck_advanced.flow import (
    designating,
    ending,
    keys,
    moving,
    opening,
    stored,
    views,
)
from combat.rulesets.bismarck_advanced.flow.actions import (
    ACTION_TYPES,
    AdvancedAction,
    Correct,
    Designate,
    Plot,
    Repair,
    RollNext,
)
from combat.rulesets.bismarck_advanced.flow.events import battle_events, event_adapter
from combat.rulesets.bismarck_advanced.flow.free import free_state
from combat.rulesets.bismarck_advanced.flow.playing import Play
from combat.rulesets.bismarck_advanced.flow.plotting import PlotChecker
from combat.rulesets.bismarck_advanced.flow.reading import fire_orders, move_order
from combat.rulesets.bismarck_advanced.flow.setup import AdvancedSetup
from combat.rulesets.bismarck_advanced.flow.sheets import record_sheet
from combat.rulesets.bismarck_advanced.flow.state import AdvancedState
from combat.rulesets.bismarck_advanced.flow.veil import UnknownShip, Veil, command, find
from combat.schema import kind_of
from combat.story import Entry
from combat.tables import TableSet
from combat.views import FireCheck, PlotCheck, PlotKey, Standing, TargetOption
from tabletop.errors import DreyerError, UnknownName
from tabletop.rules import TableRules
from tabletop.table import Base, Pose

Typed = TypeVar("Typed")
DraftType = TypeVar("DraftType", bound=Draft)

_STEPS: Final = (
    (StepKind.PLOT, 1, "Plot", "56.1"),
    (StepKind.MOVE, 1, "Move", "56.2"),
    (StepKind.DESIGNATE, 1, "Designate fire", "56.3"),
    (StepKind.RESOLVE, 1, "Resolve fire", "56.4"),
    (StepKind.PLOT, 2, "Plot", "56.5"),
    (StepKind.MOVE, 2, "Move", "56.6"),
    (StepKind.DESIGNATE, 2, "Designate fire", "56.7"),
    (StepKind.RESOLVE, 2, "Resolve fire", "56.8"),
)
"""The phases of a round; damage is marked as part of the resolution (56.4)."""
_HINTS: Final = {
    StepKind.PLOT: "Write a plot for each ship, then commit; plots open together",
    StepKind.MOVE: "Move the models as plotted, then confirm where they stand",
    StepKind.DESIGNATE: "Choose targets turret by turret, or hold fire, then commit",
    StepKind.RESOLVE: "Roll the dice as they are asked for; all fire is simultaneous",
    StepKind.MARK: "Look at the damage and mark it on the sheets",
    StepKind.ENDED: "The battle is over; repairs may be tried",
}


class AdvancedBattle:
    """`BattleRules` for the Advanced Game (55–71)."""

    def __init__(self, rules: TableRules, base: Base) -> None:
        self._rules, self._base = rules, base

    action_types = ACTION_TYPES

    def read_action(self, document: object) -> BattleAction:
        """The action that an entry of a journal or an export describes."""
        return stored.read_action(document)

    def read_request(self, kind: str, data: Mapping[str, Any], side: str | None) -> BattleAction:
        """The action that a side asks for."""
        return stored.read_request(kind, data, side)

    def write_action(self, action: BattleAction) -> dict[str, Any]:
        """An action as a journal keeps it."""
        return stored.write_action(_known(action))

    def read_setup(self, document: object) -> AdvancedSetup:
        """The set-up that a document describes."""
        return stored.read_setup(document)

    def begin(self, setup: BattleSetup) -> AdvancedState:
        """The battle that a set-up describes, at its first movement plot."""
        if not isinstance(setup, AdvancedSetup):
            raise DreyerError("this set-up is for another rulebook")
        return opening.begin(setup, self._base)

    def apply(self, state: AdvancedState, action: BattleAction, tables: TableSet) -> AdvancedState:
        """The battle after an action; DreyerError if it is not allowed."""
        self._check_side(state, action.side)
        with _veiled(state, action.side):
            play = Play(state, action.side, self._rules, tables)
            match _typed(state, action.side, _known(action)):
                case Plot() as plot:
                    return play.plot(plot)
                case Designate() as draft:
                    return play.designate(draft)
                case Settle() as settled:
                    return play.settle(settled)
                case RollNext() as following:
                    return play.roll_next(following)
                case Commit() as commit:
                    return play.commit(commit)
                case Uncommit() as uncommit:
                    return play.uncommit(uncommit)
                case Move() as move:
                    return play.move(move)
                case EnterDice() as dice:
                    return play.dice(dice)
                case Mark():
                    return play.mark()
                case Withdraw() as leaving:
                    return play.withdraw(leaving)
                case Reveal() as reveal:
                    return play.reveal(reveal)
                case Correct() as correction:
                    return play.correct(correction)
                case EndBattle() as end:
                    return ending.agree_to_end(state, end)
                case Repair() as repair:
                    return ending.order_repair(state, repair)

    def play(
        self, state: AdvancedState, action: BattleAction, tables: TableSet
    ) -> Outcome[AdvancedState]:
        """The battle after an action, and what happened."""
        after = self.apply(state, action, tables)
        # Ships are named in an action as its side knows them, in events by their true names.
        known = self._with_true_names(state, action)
        return Outcome(after, battle_events(state, known, after))

    def write_events(self, events: Sequence[Event]) -> list[dict[str, Any]]:
        """Events as a journal keeps them."""
        adapter = event_adapter()
        return [adapter.dump_python(event, mode="json") for event in events]

    def read_events(self, written: Sequence[object]) -> tuple[Event, ...]:
        """The events that an entry of a journal or an export has."""
        adapter = event_adapter()
        try:
            return tuple(adapter.validate_python(event) for event in written)
        except ValidationError as error:
            raise DreyerError(f"events: {error.error_count()} of them make no sense") from None

    def _with_true_names(self, state: AdvancedState, action: BattleAction) -> BattleAction:
        """The same action with the ships' true names where it names any."""

        def name(reference: str) -> str:
            return find(state, action.side, reference).name

        match action:
            case Plot() | Designate():
                return replace(action, ship=name(action.ship))
            case Settle():
                return replace(action, firer=name(action.firer), target=name(action.target))
            case Correct(ship=str() as ship):
                return replace(action, ship=name(ship))
        return action

    def step(self, state: AdvancedState) -> Step:
        """Where the battle stands."""
        round_number, segment = state.phase.round_number, state.segment
        hint, waiting = _HINTS[state.kind], state.waiting_for
        if state.kind is StepKind.ENDED:
            return Step(state.kind, round_number, segment, "Battle over", "56", hint=hint)
        kind, title = state.kind, ""
        if kind is StepKind.MARK:
            kind, title = StepKind.RESOLVE, "Mark damage"
        usual, reference = next(
            (title, reference)
            for known, number, title, reference in _STEPS
            if (known, number) == (kind, segment)
        )
        return Step(state.kind, round_number, segment, title or usual, reference, waiting, hint)

    def sequence(self, state: AdvancedState) -> tuple[StepMark, ...]:
        """The eight phases of the round."""
        kind = StepKind.RESOLVE if state.kind is StepKind.MARK else state.kind
        keys = [(known, number) for known, number, _, _ in _STEPS]
        ended = state.kind is StepKind.ENDED
        now = len(keys) if ended else keys.index((kind, state.segment))
        return tuple(
            StepMark(
                known,
                number,
                title,
                reference,
                Progress.DONE if at < now else Progress.NOW if at == now else Progress.AHEAD,
            )
            for at, (known, number, title, reference) in enumerate(_STEPS)
        )

    def view(self, state: AdvancedState, side: str | None, *, sees_all: bool = False) -> BattleView:
        """Everything that a side may see and nothing else."""
        self._check_side(state, side)
        return views.view(
            state,
            side,
            sees_all=sees_all,
            step=self.step(state),
            sequence=self.sequence(state),
            wanted=self.wanted(state),
        )

    def check_plot(self, state: AdvancedState, draft: Draft, tables: TableSet) -> PlotCheck:
        """A plot as typed; its own faults are in it, an unknown ship is an error."""
        side, plot = draft.side, _of_type(draft, Plot)
        self._check_side(state, side)
        if state.kind is not StepKind.PLOT:
            raise DreyerError("plots are written in the plot phases (56.1, 56.5)")
        with _veiled(state, side):
            mine = command(state, side, plot.ship)
            order = move_order(_typed(state, side, plot), lambda name: find(state, side, name).name)
            check = PlotChecker(state, mine, order, self._rules, tables).check()
        return views.veiled_check(check, Veil.over(state, side, sees_all=side is None))

    def plot_keys(self, state: AdvancedState, draft: Draft, at: int) -> tuple[PlotKey, ...]:
        """The signs of a plot (57.52), and which of them fit at a place in it."""
        side, plot = draft.side, _of_type(draft, Plot)
        self._check_side(state, side)
        with _veiled(state, side):
            mine = command(state, side, plot.ship)
            order = move_order(_typed(state, side, plot), lambda name: find(state, side, name).name)
            return keys.plot_keys(state.engagement, mine, order, at)

    def check_move(
        self, state: AdvancedState, side: str | None, poses: Mapping[str, Pose]
    ) -> tuple[Standing, ...]:
        """How the models stand to their plotted places."""
        self._check_side(state, side)
        if state.open_move is None:
            raise DreyerError("the plots are not open yet (56.2)")
        veil = Veil.over(state, side, sees_all=side is None)
        with _veiled(state, side):
            # Tables play no part in where a model stands.
            found = Play(state, side, self._rules, TableSet("", ())).poses(
                _typed(state, side, poses)
            )
        rulings = moving.judge(state.open_move, found)
        return tuple(moving.standing(veil(name), ruling) for name, ruling in rulings.items())

    def fire_options(
        self, state: AdvancedState, side: str | None, ship: str, tables: TableSet
    ) -> tuple[TargetOption, ...]:
        """What a ship could fire at, nearest first."""
        self._check_side(state, side)
        if state.kind is not StepKind.DESIGNATE:
            raise DreyerError("fire is designated after the ships have moved (56.3, 56.7)")
        with _veiled(state, side):
            mine = command(state, side, ship)
            veil = Veil.over(state, side, sees_all=side is None)
            return designating.fire_options(state, mine, veil, self._rules, Card.of(tables))

    def check_fire(self, state: AdvancedState, draft: Draft, tables: TableSet) -> FireCheck:
        """A ship's fire orders as chosen, each with its ledger and odds, or what is wrong."""
        side, fire = draft.side, _of_type(draft, Designate)
        self._check_side(state, side)
        if state.kind is not StepKind.DESIGNATE:
            raise DreyerError("fire is designated after the ships have moved (56.3, 56.7)")
        with _veiled(state, side):
            mine = command(state, side, fire.ship)
            typed = _typed(state, side, fire)
            orders = fire_orders(mine.name, typed, lambda name: find(state, side, name).name)
            veil = Veil.over(state, side, sees_all=side is None)
            return designating.check_fire(state, mine, orders, veil, self._rules, Card.of(tables))

    def free_state(
        self, state: AdvancedState, side: str | None, *, sees_all: bool = False
    ) -> FreeState[FightMarks]:
        """A copy of the battle for free play, with the ships that a side may know."""
        self._check_side(state, side)
        return free_state(state, Veil.over(state, side, sees_all=sees_all))

    def wanted(self, state: AdvancedState) -> DiceWanted | None:
        """The next dice wanted, by their true names."""
        if state.kind is StepKind.ENDED:
            return ending.repair_wanted(state)
        if state.kind is StepKind.RESOLVE and state.resolution is not None:
            return state.resolution.wanted
        return None

    def story(
        self, state: AdvancedState, side: str | None, *, sees_all: bool = False, since: int = 0
    ) -> tuple[Entry, ...]:
        """What has happened, as a side may know it."""
        self._check_side(state, side)
        return views.story(state, side, sees_all=sees_all, since=since)

    def sheet(
        self, state: AdvancedState, side: str | None, ship: str, *, sees_all: bool = False
    ) -> RecordSheet:
        """A ship's record sheet; a hidden ship's is her own side's affair (67.1)."""
        self._check_side(state, side)
        veil = Veil.over(state, side, sees_all=sees_all)
        named = {veil(each.name): each for each in state.engagement.combatants}
        if ship not in named:
            raise UnknownName("battle", "ship", ship, named)
        if veil.hides(named[ship].name):
            raise DreyerError(f"{ship} is face down: her sheet is her own side's (67.1)")
        return record_sheet(named[ship])

    def _check_side(self, state: AdvancedState, side: str | None) -> None:
        if side is not None and side not in state.sides:
            raise UnknownName("battle", "side", side, state.sides)


def _known(action: BattleAction) -> AdvancedAction:
    """The action, if it is one of this rulebook's."""
    if not isinstance(action, AdvancedAction):
        raise UnknownName("battle", "action", action.kind, map(kind_of, ACTION_TYPES))
    return action


def _of_type(draft: Draft, type_: type[DraftType]) -> DraftType:
    if not isinstance(draft, type_):
        raise DreyerError(f"{draft.kind}: no draft to be checked here")
    return draft


def _typed(state: AdvancedState, side: str | None, typed: Typed) -> Typed:
    """What a side has sent, so that none of it is taken for a name that it must not know."""
    return Veil.over(state, side, sees_all=side is None).typed(typed)


@contextmanager
def _veiled(state: AdvancedState, side: str | None) -> Iterator[None]:
    """Let no hidden name out in an error's words, nor in what the error carries with it."""
    veil = Veil.over(state, side, sees_all=side is None)
    try:
        yield
    except UnknownShip:
        # It lists what the side calls the ships, and nothing else is in it.
        raise
    except DreyerError as error:
        # The same error in other words: of another kind, it would tell that something was hushed.
        for name, value in vars(error).items():
            setattr(error, name, veil.document(value))
        error.args = (veil.text(str(error)),)
        raise
