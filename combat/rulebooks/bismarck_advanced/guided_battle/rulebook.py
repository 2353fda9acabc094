"""The Advanced Game's sequence of play, as every ruleset offers it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache, partial
from typing import Final

from combat.actions import Action, ActionOffer
from combat.battle_history import History
from combat.corrections import CorrectableValue
from combat.dice import Dice, Roll, TypedDice
from combat.dice_wanted import DiceWanted
from combat.events import Event
from combat.forecast import Forecast
from combat.free_play import FreeState
from combat.guided_actions import (
    BattleAction,
    BattleOptions,
    BattleSetup,
    Commit,
    Draft,
    EarlierBattles,
    EndBattle,
    Mark,
    Move,
    Opening,
    Reveal,
    RollDice,
    Settle,
    StartingConditions,
    StartingMarks,
    Uncommit,
    Withdraw,
)
from combat.guided_play import (
    BattleCheck,
    PlottedView,
    Progress,
    Step,
    StepKind,
    StepMark,
    Survivor,
)
from combat.optional_rules import OptionalRule, RuleValue, optional_rules
from combat.participants import UMPIRE, Seat, acting
from combat.previews import Forbidden
from combat.questions import Question
from combat.record_sheets import RecordSheet
from combat.rulebook import Outcome, Place
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.glance import glance_at
from combat.rulebooks.bismarck_advanced.engagement.record_sheets import record_sheet
from combat.rulebooks.bismarck_advanced.fire.odds import forecast_segment
from combat.rulebooks.bismarck_advanced.fire.options import Options, options_of_edition
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.free_play.ship_state import (
    starting_questions,
    vessel_with,
)
from combat.rulebooks.bismarck_advanced.free_play.state_checks import check_starting_state
from combat.rulebooks.bismarck_advanced.guided_battle import (
    air_strikes,
    battle_end,
    between_battles,
    corrections,
    designations,
    initial_state,
    rates,
    salvos,
    serialization,
    views,
)
from combat.rulebooks.bismarck_advanced.guided_battle import movement as movement_phase
from combat.rulebooks.bismarck_advanced.guided_battle import plot_keys as plot_key_rules
from combat.rulebooks.bismarck_advanced.guided_battle.action_events import (
    battle_events,
    opening_events,
)
from combat.rulebooks.bismarck_advanced.guided_battle.actions import (
    ACTION_TYPES,
    AdvancedAction,
    AirStrike,
    Arrange,
    Correct,
    Designate,
    Orders,
    Plot,
    Reduce,
    Repair,
    RollNext,
)
from combat.rulebooks.bismarck_advanced.guided_battle.columns import ColumnPlotter, columns
from combat.rulebooks.bismarck_advanced.guided_battle.designations import FireViewer
from combat.rulebooks.bismarck_advanced.guided_battle.events import write_event
from combat.rulebooks.bismarck_advanced.guided_battle.fog import is_foggy
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import (
    KnownNames,
    command,
    errors_as_known,
    find,
    listed,
)
from combat.rulebooks.bismarck_advanced.guided_battle.history import history
from combat.rulebooks.bismarck_advanced.guided_battle.offers import offers
from combat.rulebooks.bismarck_advanced.guided_battle.orders import fire_orders, move_order
from combat.rulebooks.bismarck_advanced.guided_battle.plots import PlotChecker
from combat.rulebooks.bismarck_advanced.guided_battle.proposals import propose
from combat.rulebooks.bismarck_advanced.guided_battle.reach import (
    Manoeuvre,
    manoeuvres,
    reach_outline,
    reached_places,
)
from combat.rulebooks.bismarck_advanced.guided_battle.sealed import (
    as_shown,
    first_sealed_phase,
    is_sealed,
    sealed_phase,
    speed_is_sealed,
)
from combat.rulebooks.bismarck_advanced.guided_battle.setup import AdvancedSetup
from combat.rulebooks.bismarck_advanced.guided_battle.state import SEGMENT_NUMBERS, AdvancedState
from combat.rulebooks.bismarck_advanced.guided_battle.story import (
    Odds,
    story,
    told_corrections,
)
from combat.rulebooks.bismarck_advanced.guided_battle.transitions import Transitions
from combat.rulebooks.bismarck_advanced.guided_battle.what_if import free_state
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import marker_label
from combat.rulebooks.bismarck_advanced.table_files import NAME
from combat.salvos import SalvoView
from combat.ships import ShipList
from combat.story_entries import Entry
from combat.tables import TableSet
from combat.views import (
    ActionCheck,
    ColumnPlace,
    DraftFault,
    FireCheck,
    FireOrderView,
    FireRateView,
    LoggedPlot,
    MoveCheck,
    OrdersCheck,
    PlotCheck,
    PlotKey,
    PlotView,
    ReachedPlace,
    TargetOption,
)
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.places import NOWHERE
from tabletop.rules import TableRules
from tabletop.schema import describe_value, kind_of
from tabletop.table import Base, Pose

_STEPS: Final = (
    (StepKind.PLOT, 1, "56.1"),
    (StepKind.MOVE, 1, "56.2"),
    (StepKind.DESIGNATE, 1, "56.3"),
    (StepKind.RESOLVE, 1, "56.4"),
    (StepKind.PLOT, 2, "56.5"),
    (StepKind.MOVE, 2, "56.6"),
    (StepKind.DESIGNATE, 2, "56.7"),
    (StepKind.RESOLVE, 2, "56.8"),
)
"""The phases of a round; damage is marked as part of the resolution (56.4)."""


class AdvancedBattle:
    """`PlottedRulebook` and `CampaignRulebook` for the Advanced Game (55–71)."""

    name = NAME
    adds_two_dice = False
    action_types = ACTION_TYPES
    schemas = serialization.SCHEMAS

    def __init__(
        self,
        tables: TableSet,
        warships: ShipList[Warship],
        rules: TableRules,
        base: Base,
        edition: Edition = CURRENT,
    ) -> None:
        self.tables = tables
        self._combat_tables = CombatTables.of(tables, edition)
        self._warships, self._rules, self._base = warships, rules, base

    @property
    def combat_tables(self) -> CombatTables:
        """Its tables as the fire reads them."""
        return self._combat_tables

    @property
    def table_rules(self) -> TableRules:
        """The arcs, range bands and sight that a table is measured by."""
        return self._rules

    def set_up(self, opening: Opening) -> AdvancedSetup:
        """The set-up of an opening, every value within its limits."""
        setup = serialization.set_up(opening)
        self.begin(setup)
        initial_state.check_states(setup, self._warships)
        return setup

    def begin(self, setup: BattleSetup) -> AdvancedState:
        """The battle that a set-up describes, at its first movement plot."""
        edition = self._combat_tables.edition
        known = serialization.known_setup(setup)
        return initial_state.begin(known, self._warships, self._base, edition)

    # The contract of every rulebook

    def actions(self, state: AdvancedState, seat: Seat) -> tuple[ActionOffer, ...]:
        """What a seat may do now."""
        rolls = self.dice_wanted(state) is not None
        return offers(state, seat, self._combat_tables.edition, rolls=rolls)

    def check(self, state: AdvancedState, action: Action) -> BattleCheck:
        """An action before it is taken; its faults are in the answer, an unknown ship is an error.

        A draft may be checked before it is complete.
        """
        known = _known(action)
        self._check_side(state, known.side)
        match known:
            case Plot():
                return self._check_plot(state, known)
            case Designate():
                return self._check_fire(state, known)
            case Orders(fires=fires) if fires:
                return self._check_orders(state, known)
            case Reduce():
                return self._check_rates(state, known)
            case Move():
                return self._check_move(state, known)
        try:
            self.play(state, known, TypedDice(""))
        except DreyerError as error:
            return ActionCheck(error.message)
        return ActionCheck()

    def forecast(self, state: AdvancedState, actions: Sequence[Action]) -> Forecast:
        """The exact odds of fire orders at one target."""
        drafts = [action for action in actions if isinstance(action, Designate)]
        if not drafts or len(drafts) < len(actions):
            raise DreyerError("advanced.order.no_odds")
        for draft in drafts:
            designations.check_whole_turrets(draft, self._combat_tables.edition)
        with errors_as_known(state, drafts[0].side):
            orders = [
                order
                for draft in drafts
                for order in fire_orders(
                    command(state, draft.side, draft.ship).name,
                    draft,
                    partial(_true_name, state, draft.side),
                )
            ]
            targets = sorted({order.target for order in orders})
            if len(targets) != 1:
                known = tuple(map(ShipRef, targets))
                raise DreyerError("advanced.order.several_targets", targets=known)
            battle = self._fire_viewer(state, drafts[0].side).battle
            shots = designations.check_orders(battle, orders, self._rules)
        return forecast_segment(shots, self._combat_tables, state.engagement.options)

    def dice_wanted(self, state: AdvancedState) -> DiceWanted | None:
        """The next dice, by the ships' true names; a view has them as a seat may see them."""
        return next(iter(self.all_wanted(state)), None)

    def all_wanted(self, state: AdvancedState) -> tuple[DiceWanted, ...]:
        """The next dice of everything that may be rolled now; fires are rolled in parallel."""
        if state.kind is StepKind.ENDED:
            only = between_battles.repair_wanted(state)
        elif state.kind is StepKind.RESOLVE and state.resolution is not None:
            return state.resolution.all_wanted
        else:
            only = air_strikes.strike_wanted(state, self._combat_tables)
        return () if only is None else (only,)

    def play(self, state: AdvancedState, action: Action, dice: Dice) -> Outcome[AdvancedState]:
        """The battle after an action, and what happened; DreyerError if it is not allowed."""
        known = _known(action)
        self._check_side(state, known.side)
        rolls: tuple[Roll, ...] = ()
        with errors_as_known(state, known.side):
            play = Transitions(state, known.side, self._rules, self._combat_tables)
            moved: tuple[Event, ...] = ()
            if isinstance(known, RollDice):
                after, rolls = play.roll(known, dice)
            elif isinstance(known, Move):
                after, moved = play.move(known)
            else:
                after = self._after(play, state, known)
        # Ships are named in an action as its side knows them, in events by their true names.
        named = self._with_true_names(state, known)
        events = battle_events(state, named, after, self._combat_tables.edition, moved, rolls)
        return Outcome(after, events, rolls)

    def view(self, state: AdvancedState, seat: Seat) -> PlottedView:
        """Everything that a seat may see and nothing else."""
        self._check_side(state, seat.side)
        return views.view(
            state,
            seat,
            step=self.step(state),
            sequence=self.sequence(state),
            actions=self.actions(state, seat),
            wanted=self.all_wanted(state),
            edition=self._combat_tables.edition,
        )

    def sheet(self, state: AdvancedState, ship: str, seat: Seat = UMPIRE) -> RecordSheet:
        """A ship's record sheet; a hidden ship's is her own side's affair (67.1)."""
        self._check_side(state, seat.side)
        names = KnownNames.of(state, seat)
        named = {names(each.name): each for each in listed(state, names)}
        if ship not in named:
            raise UnknownName(Message("errors.where.battle"), "ship", ship, named)
        if names.hides(named[ship].name):
            raise DreyerError("advanced.order.sheet_hidden", ship=ShipRef(ship))
        sealed = speed_is_sealed(named[ship], state, seat, self._combat_tables.edition)
        return record_sheet(named[ship], speed_is_known=not sealed)

    def place(self, state: AdvancedState) -> Place:
        """The round and its segment."""
        return _place(state.phase)

    def reuses_rolls(
        self, taken_back: Action, at: Place, state: AdvancedState, action: Action
    ) -> bool:
        """Rolls stay with their segment; each is for the fire that it names."""
        both = isinstance(taken_back, RollDice) and isinstance(action, RollDice)
        return both and at == self.place(state)

    # What a guided battle says besides

    def _after(
        self, play: Transitions, state: AdvancedState, action: AdvancedAction
    ) -> AdvancedState:
        match action:
            case Plot():
                return play.plot(action)
            case Designate():
                return play.designate(action)
            case Orders():
                return play.orders(action)
            case Reduce():
                return play.reduce(action)
            case Arrange():
                return play.arrange(action)
            case Settle():
                return play.settle(action)
            case RollNext():
                return play.roll_next(action)
            case Commit():
                return play.commit(action)
            case Uncommit():
                return play.uncommit(action)
            case Mark():
                return play.mark()
            case Withdraw():
                return play.withdraw(action)
            case Reveal():
                return play.reveal(action)
            case Correct():
                return play.correct(action)
            case EndBattle():
                return battle_end.agree_to_end(state, action)
            case AirStrike():
                return play.air_strike(action)
            case Repair():
                return between_battles.order_repair(state, action, self.tables)
            case RollDice() | Move():
                raise TypeError("these give more than a state")

    def _with_true_names(self, state: AdvancedState, action: BattleAction) -> BattleAction:
        """The same action with the ships' true names where it names any."""

        def name(reference: str) -> str:
            return find(state, action.side, reference).name

        match action:
            case Plot() | Designate() | Reduce():
                return replace(action, ship=name(action.ship))
            case Orders():
                return replace(
                    action,
                    plots=tuple(replace(each, ship=name(each.ship)) for each in action.plots),
                    fires=tuple(replace(each, ship=name(each.ship)) for each in action.fires),
                )
            case Arrange():
                return replace(action, ship=name(action.ship), other=name(action.other))
            case AirStrike(target=target):
                return replace(action, target=name(target))
            case Settle():
                return replace(action, firer=name(action.firer), target=name(action.target))
            case Correct(ship=str() as ship):
                return replace(action, ship=name(ship))
        return action

    def step(self, state: AdvancedState) -> Step:
        """Where the battle stands."""
        round_number, segment = state.phase.round_number, state.segment
        phase = _phase(state.kind)
        reference = next(
            (rule for kind, number, rule in _STEPS if (kind, number) == (phase, segment)), "56"
        )
        return Step(
            kind=state.kind,
            round_number=round_number,
            segment=segment,
            title=_title(state.kind),
            reference="67.41" if state.kind is StepKind.REDUCE else reference,
            waiting_for=state.waiting_for,
            hint=Message(f"advanced.step.hint.{state.kind}"),
            place=self.place_title(self.place(state)),
        )

    def sequence(self, state: AdvancedState) -> tuple[StepMark, ...]:
        """The eight phases of the round."""
        kind = _phase(state.kind)
        keys = [(known, number) for known, number, _ in _STEPS]
        ended = state.kind is StepKind.ENDED
        now = len(keys) if ended else keys.index((kind, state.segment))
        return tuple(
            StepMark(
                known,
                number,
                _title(known),
                reference,
                Progress.DONE if at < now else Progress.NOW if at == now else Progress.AHEAD,
            )
            for at, (known, number, reference) in enumerate(_STEPS)
        )

    def plot_keys(self, state: AdvancedState, draft: Draft, at: int) -> tuple[PlotKey, ...]:
        """The signs of a plot (57.52), and which of them fit at a place in it."""
        side = draft.side
        if not isinstance(draft, Plot):
            raise DreyerError("advanced.order.no_plot", kind=draft.kind)
        self._check_side(state, side)
        with errors_as_known(state, side):
            mine = command(state, side, draft.ship)
            order = move_order(draft, partial(_true_name, state, side))
            return plot_key_rules.plot_keys(
                state.engagement, mine, order, at, self._combat_tables.edition
            )

    def columns(self, state: AdvancedState, side: str) -> tuple[tuple[str, ...], ...]:
        """The columns of a side as they are proposed (57.7), each from its leader on."""
        self._check_side(state, side)
        return columns(state, side)

    def column_plots(
        self, state: AdvancedState, draft: Draft, followers: Sequence[str]
    ) -> tuple[ColumnPlace, ...]:
        """The plots of ships that follow in the wake of a leader who has this draft."""
        plot, mine, plotter = self._plotter(state, draft)
        with errors_as_known(state, draft.side):
            column = [command(state, draft.side, name) for name in followers]
            strangers = [ship.name for ship in column if ship.side != mine.side]
            if strangers:
                raise DreyerError(
                    "advanced.order.not_yours", ship=ShipRef(strangers[0]), side=mine.side
                )
            order = move_order(plot, partial(_true_name, state, draft.side))
            return tuple(plotter.places(mine, order, column))

    def reached_places(
        self, state: AdvancedState, ship: str, side: str | None
    ) -> tuple[ReachedPlace, ...]:
        """Where a ship of a side may be after this segment, and the plots that lead there."""
        _, mine, _ = self._plotter(state, Plot(side=side, ship=ship))
        return reached_places(state.engagement, mine, self._combat_tables.edition)

    def manoeuvres(
        self, state: AdvancedState, ship: str, side: str | None
    ) -> tuple[Manoeuvre, ...]:
        """Few of the plots of a ship of a side: straight, or a full turn before or after."""
        _, mine, _ = self._plotter(state, Plot(side=side, ship=ship))
        return manoeuvres(state.engagement, mine, self._combat_tables.edition)

    def enemies(self, state: AdvancedState, side: str) -> tuple[str, ...]:
        """The ships in action that a side may fire at, by what it calls them."""
        self._check_side(state, side)
        names = KnownNames.of(state, acting(side))
        battle = state.engagement
        return tuple(
            names(ship.name)
            for ship in battle.in_action
            if ship.name not in names.unseen and not battle.are_friends(ship.side, side)
        )

    def reach_outlines(
        self, state: AdvancedState, seat: Seat
    ) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """The line round all places where each ship may be after this segment, in yards.

        In fog of war and of ships that are face down nobody knows it but their own side.
        """
        self._check_side(state, seat.side)
        if state.kind is not StepKind.PLOT:
            return {}
        names, edition = KnownNames.of(state, seat), self._combat_tables.edition
        return {
            names(ship.name): reach_outline(state.engagement, ship, edition)
            for ship in state.engagement.in_action
            if seat.may_act_for(ship.side) or not (is_foggy(state) or names.hides(ship.name))
        }

    def repeated_plot(self, state: AdvancedState, ship: str, side: str | None) -> PlotView | None:
        """A ship's last plot, fitted to this segment; None where it is not legal now."""
        _, mine, plotter = self._plotter(state, Plot(side=side, ship=ship))
        return plotter.repeated(mine)

    def _plotter(self, state: AdvancedState, draft: Draft) -> tuple[Plot, Combatant, ColumnPlotter]:
        self._check_side(state, draft.side)
        if not isinstance(draft, Plot):
            raise DreyerError("advanced.order.no_plot", kind=draft.kind)
        if state.kind is not StepKind.PLOT:
            raise DreyerError(f"advanced.not_now.{state.kind}")
        with errors_as_known(state, draft.side):
            mine = command(state, draft.side, draft.ship)
        return draft, mine, ColumnPlotter(state, self._rules, self._combat_tables)

    def place_title(self, place: Place) -> Message:
        """The round and its segment."""
        if not place.round_number:
            return Message("advanced.where.beginning")
        return Message("advanced.where.segment", round=place.round_number, segment=place.segment)

    def fire_options(
        self, state: AdvancedState, side: str | None, ship: str
    ) -> tuple[TargetOption, ...]:
        """What a ship could fire at, nearest first."""
        self._check_side(state, side)
        _need_designation(state)
        with errors_as_known(state, side):
            mine = command(state, side, ship)
            return designations.fire_options(mine, self._fire_viewer(state, side))

    def allowed_fires(
        self, state: AdvancedState, side: str | None, ship: str
    ) -> tuple[tuple[str, Battery], ...]:
        """Each target and battery that a ship could fire with at her, nearest first; no odds."""
        self._check_side(state, side)
        _need_designation(state)
        with errors_as_known(state, side):
            mine = command(state, side, ship)
            return tuple(designations.allowed_fires(mine, self._fire_viewer(state, side)))

    def fire_proposal(
        self,
        state: AdvancedState,
        side: str | None,
        options: Mapping[str, Sequence[TargetOption]],
    ) -> Mapping[str, tuple[FireOrderView, ...]]:
        """Orders for these ships that do most harm together, by the exact odds (61, 62)."""
        self._check_side(state, side)
        _need_designation(state)
        with errors_as_known(state, side):
            ships = [command(state, side, name) for name in options]
        found: dict[str, tuple[FireOrderView, ...]] = {}
        for each in dict.fromkeys(ship.side for ship in ships):
            own = [ship for ship in ships if ship.side == each]
            found |= propose(own, options, self._fire_viewer(state, side))
        return found

    def free_state(self, state: AdvancedState, seat: Seat) -> FreeState[object]:
        """A copy of the battle for free play, with the ships that a seat may know."""
        self._check_side(state, seat.side)
        return free_state(state, KnownNames.of(state, seat))

    def errors_for(self, state: AdvancedState, side: str | None) -> AbstractContextManager[None]:
        """Errors raised within tell a side, or the umpire, no more than it may know."""
        return errors_as_known(state, side)

    def models(self, state: AdvancedState, seat: Seat) -> Mapping[str, str]:
        """What the ships' models are called on the table, by what a seat calls the ships.

        In hidden play it is their number, also after they were turned up: a model that somebody
        calls by a true name stands for nobody.
        """
        names = KnownNames.of(state, seat)
        return {
            names(ship.name): marker_label(state.numbers[ship.name])
            if ship.name in state.numbers
            else ship.name
            for ship in listed(state, names)
        }

    def movement_log(self, state: AdvancedState, seat: Seat) -> tuple[LoggedPlot, ...]:
        """The movement plots that a seat may read: its own, and those that are open (57.6)."""
        self._check_side(state, seat.side)
        return views.movement_log(views.Viewer.of(state, seat, self._combat_tables.edition))

    def with_models(
        self,
        state: AdvancedState,  # noqa: ARG002 - it is the same at any time
        action: BattleAction,
        poses: Mapping[str, Pose],
    ) -> BattleAction:
        """A move with the places of the models that it does not name."""
        if isinstance(action, Move):
            told = {**poses, **action.poses}
            kept = {ship: pose for ship, pose in told.items() if ship not in action.as_plotted}
            return replace(action, poses=kept)
        return action

    def sealed_since(self, state: AdvancedState) -> Place | None:
        """The earliest segment whose plots or torpedo targets are sealed (57.6, 69.4)."""
        phase = first_sealed_phase(state, self._combat_tables.edition)
        return None if phase is None else _place(phase)

    def opening(self, start: AdvancedState) -> tuple[Event, ...]:
        """What a battle begins with, as events."""
        return tuple(opening_events(start))

    def story(self, state: AdvancedState, events: Iterable[Event], seat: Seat) -> tuple[Entry, ...]:
        """What has happened, as a seat may know it now, from the events since the beginning."""
        self._check_side(state, seat.side)
        phase = sealed_phase(state, self._combat_tables.edition)
        sealed = None if phase is None else _place(phase)
        return story(events, seat, KnownNames.of(state, seat), Odds(self._combat_tables), sealed)

    def salvos(
        self, state: AdvancedState, events: Sequence[Event], seat: Seat
    ) -> tuple[SalvoView, ...]:
        """The fires, torpedoes and air strikes of one action, as a seat may know them."""
        self._check_side(state, seat.side)
        return tuple(salvos.salvos(events, KnownNames.of(state, seat)))

    def is_shown(self, events: Sequence[Event]) -> bool:
        """Whether an action is shown on every screen."""
        return salvos.is_shown(events)

    def history(self, events: Iterable[Event]) -> History:
        """Where everybody stood, segment by segment, from the events since the beginning."""
        return history(events)

    def plot(self, ship: str, written: PlotView, side: str | None) -> Plot:
        """The plot of a ship as a side has written it."""
        return serialization.plot(ship, written, side)

    def designation(
        self, ship: str, orders: Sequence[FireOrderView], side: str | None
    ) -> Designate:
        """The fire orders of a ship as a side has written them, every value within its limits."""
        return serialization.designation(ship, orders, side)

    def fire_of_several(
        self, orders: Mapping[str, Sequence[FireOrderView]], side: str | None
    ) -> Orders:
        """The fire orders of several ships as a side has written them."""
        fires = (serialization.designation(ship, each, side) for ship, each in orders.items())
        return Orders(side=side, fires=tuple(fires))

    def reduction(self, ship: str, rates: Sequence[FireRateView], side: str | None) -> Reduce:
        """The rates of fire of a ship as a side has chosen them, every value within its limits."""
        return serialization.reduction(ship, rates, side)

    # The next battle

    def correctable(self, state: AdvancedState, ship: str | None) -> tuple[CorrectableValue, ...]:
        """What an umpire may set right."""
        if ship is None:
            rules = self.optional_rules(state.engagement.options)
            return corrections.correctable_battle(state.engagement, rules)
        return corrections.correctable_ship(find(state, None, ship))

    def corrections(
        self, state: AdvancedState, events: Sequence[Event], seat: Seat
    ) -> tuple[Entry, ...]:
        """What an umpire has set right by one action, as a seat may know it."""
        return told_corrections(events, KnownNames.of(state, seat))

    def survivors(self, state: AdvancedState) -> tuple[Survivor, ...]:
        """Every ship of a battle that has ended, and with what she begins the next."""
        return between_battles.survivors(state)

    def next_of(self, state: AdvancedState) -> EarlierBattles:
        """How a battle with the survivors is numbered, and what it follows."""
        return between_battles.next_of(state)

    def starting_questions(self, type_: str) -> tuple[Question, ...]:
        """What a page asks of the state in which a ship of this type begins."""
        return starting_questions(self._warships.named(type_, "state"))

    def condition(self, type_: str, marks: StartingMarks) -> Message:
        """A ship with these marks in a few words; BadField where she cannot begin with them."""
        warship, state = self._warships.named(type_, "state"), serialization.known_marks(marks)
        check_starting_state(state, warship)
        return glance_at(vessel_with(state, Vessel.fresh(warship)))

    def check_conditions(
        self, conditions: StartingConditions, options: BattleOptions | None
    ) -> None:
        """55.22: at visibility X a battle needs the optional rule."""
        chosen = Options() if options is None else serialization.known_options(options)
        if not initial_state.attack_allowed(conditions.visibility, chosen):
            raise BadField(
                NOWHERE,
                "visibility",
                Message("advanced.expected.visibility"),
                describe_value(conditions.visibility),
            )

    # Optional rules

    def optional_rules(self, options: BattleOptions | None = None) -> tuple[OptionalRule, ...]:
        """The rules that players may choose, and which of them are on."""
        chosen = Options() if options is None else serialization.known_options(options)
        return options_of_edition(optional_rules(chosen), self._combat_tables.edition)

    def options(self, state: AdvancedState) -> Options:
        """The optional rules that the battle is played with now."""
        return state.engagement.options

    def conditions_in_force(self, state: AdvancedState) -> tuple[RuleValue, ...]:
        """Weather, starting range, and whether ships are face down."""
        return tuple(views.conditions_in_force(state))

    # Files

    def read_version_1(
        self, kind: str, data: Mapping[str, object], side: str | None
    ) -> BattleAction:
        """The action that an entry of version 0.1.0 has."""
        return serialization.read_version_1(kind, data, side)

    def write_events(
        self, events: Sequence[Event], *, brief: bool = False
    ) -> list[dict[str, object]]:
        """Events as JSON; in brief for the journal."""
        return [write_event(event, brief=brief) for event in events]

    # Checks

    def _check_plot(self, state: AdvancedState, plot: Plot) -> PlotCheck:
        side = plot.side
        if state.kind is not StepKind.PLOT:
            raise DreyerError("advanced.order.not_plotting")
        with errors_as_known(state, side):
            mine = command(state, side, plot.ship)
            order = move_order(plot, partial(_true_name, state, side))
            check = PlotChecker(state, mine, order, self._rules, self._combat_tables).check()
        return views.known_check(check, KnownNames.of(state, acting(side)))

    def _check_fire(self, state: AdvancedState, fire: Designate) -> FireCheck:
        side = fire.side
        _need_designation(state)
        with errors_as_known(state, side):
            mine = command(state, side, fire.ship)
            try:
                designations.check_whole_turrets(fire, self._combat_tables.edition)
            except Forbidden as error:
                return FireCheck(mine.name, DraftFault("orders", error.reason, error.rule))
            orders = fire_orders(mine.name, fire, partial(_true_name, state, side))
            return designations.check_fire(state, mine, orders, self._fire_viewer(state, side))

    def _check_orders(self, state: AdvancedState, orders: Orders) -> OrdersCheck:
        side, edition = orders.side, self._combat_tables.edition
        _need_designation(state)
        find_name = partial(_true_name, state, side)
        found = {}
        with errors_as_known(state, side):
            for fire in orders.fires:
                mine = command(state, side, fire.ship)
                try:
                    designations.check_whole_turrets(fire, edition)
                except Forbidden as error:
                    return OrdersCheck(DraftFault("orders", error.reason, error.rule))
                found[mine.name] = fire_orders(mine.name, fire, find_name)
            return designations.check_several(state, found, self._fire_viewer(state, side))

    def _check_rates(self, state: AdvancedState, draft: Reduce) -> FireCheck:
        side = draft.side
        if state.kind is not StepKind.REDUCE:
            raise DreyerError("advanced.rate.not_now")
        with errors_as_known(state, side):
            mine = command(state, side, draft.ship)
            find_name = partial(_true_name, state, side)
            return rates.check_rates(state, mine, draft, find_name, self._fire_viewer(state, side))

    def _check_move(self, state: AdvancedState, move: Move) -> MoveCheck:
        side = move.side
        if state.open_move is None:
            raise DreyerError("advanced.order.plots_closed")
        if side is not None and is_foggy(state):
            raise DreyerError("advanced.order.umpire_moves")
        names = KnownNames.of(state, acting(side))
        with errors_as_known(state, side):
            play = Transitions(state, side, self._rules, self._combat_tables)
            found = play.poses(move.poses)
        edition = self._combat_tables.edition
        rulings = movement_phase.judge(state.open_move, found).items()
        return MoveCheck(
            tuple(
                movement_phase.standing(
                    names(name),
                    ruling,
                    sealed=is_sealed(state.engagement[name], state, acting(side), edition),
                )
                for name, ruling in rulings
            )
        )

    def _fire_viewer(self, state: AdvancedState, side: str | None) -> FireViewer:
        """A side, or the umpire, before the dice of a fire."""
        seat, edition = acting(side), self._combat_tables.edition
        return FireViewer(
            battle=as_shown(state, seat, edition),
            names=KnownNames.of(state, seat),
            rules=self._rules,
            combat_tables=self._combat_tables,
            plots_sealed=sealed_phase(state, edition) is not None and not seat.umpire,
            fire_open=state.kind is StepKind.REDUCE,
        )

    def _check_side(self, state: AdvancedState, side: str | None) -> None:
        if side is not None and side not in state.sides:
            raise UnknownName(Message("errors.where.battle"), "side", side, state.sides)


def _phase(kind: StepKind) -> StepKind:
    """The phase of the round that a step belongs to: the one that resolves the fire has three."""
    # Rates of fire are reduced (67.41) and damage is marked in the combat resolution (56.4).
    return StepKind.RESOLVE if kind in (StepKind.REDUCE, StepKind.MARK) else kind


def _place(phase: CombatPhase) -> Place:
    return Place(phase.round_number, SEGMENT_NUMBERS[phase.segment])


@cache
def _title(kind: StepKind) -> Message:
    return Message(f"advanced.step.{kind}")


def _need_designation(state: AdvancedState) -> None:
    if state.kind is not StepKind.DESIGNATE:
        raise DreyerError("advanced.order.not_designating")


def _true_name(state: AdvancedState, side: str | None, reference: str) -> str:
    return find(state, side, reference).name


def _known(action: Action) -> AdvancedAction:
    """The action, if it is one of this rulebook's."""
    if not isinstance(action, AdvancedAction):
        raise UnknownName(
            Message("errors.where.battle"), "action", action.kind, map(kind_of, ACTION_TYPES)
        )
    return action
