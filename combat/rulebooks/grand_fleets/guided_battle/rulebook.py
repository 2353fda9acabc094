"""Grand Fleets by its sequence of play, as every ruleset offers it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Annotated, Final

from pydantic import AfterValidator

from combat.actions import Action, ActionOffer
from combat.battle_history import History
from combat.corrections import CorrectableValue
from combat.dice import Dice, TypedDice
from combat.dice_wanted import DiceWanted
from combat.event_reports import events_of
from combat.events import Event
from combat.forecast import Forecast
from combat.free_play import FreeState
from combat.guided_actions import (
    BattleAction,
    BattleOptions,
    BattleSetup,
    EnteredDivision,
    Opening,
    RollDice,
    StartingConditions,
    StartingMarks,
)
from combat.guided_play import (
    BattleCheck,
    BattleSize,
    CommanderQuality,
    OrderedView,
    Progress,
    RulebookSchemas,
    Step,
    StepMark,
)
from combat.optional_rules import OptionalRule, RuleValue, optional_rules
from combat.participants import UMPIRE, Seat
from combat.questions import Question
from combat.record_sheets import UNHARMED, RecordSheet
from combat.rulebook import Outcome, Place
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.guided_battle import (
    corrections,
    initial_state,
    salvos,
    views,
)
from combat.rulebooks.grand_fleets.guided_battle import story as stories
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    ACTION_TYPES,
    KINDS,
    FleetAction,
    MoveDivision,
    MoveShip,
    PlaceDivision,
)
from combat.rulebooks.grand_fleets.guided_battle.events import (
    PhaseBegan,
    ShipEntered,
    ValuesCorrected,
    write_event,
)
from combat.rulebooks.grand_fleets.guided_battle.fire import allowed_fires, fire_options, may_fire
from combat.rulebooks.grand_fleets.guided_battle.setup import (
    MARKS,
    OPTIONS_SCHEMA,
    FleetOptions,
    FleetSetup,
    with_sides,
)
from combat.rulebooks.grand_fleets.guided_battle.state import (
    RULES,
    STEP_KINDS,
    FleetState,
    Phase,
)
from combat.rulebooks.grand_fleets.guided_battle.table import check_placing, read_move
from combat.rulebooks.grand_fleets.guided_battle.transitions import (
    Transitions,
)
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.table_files import NAME
from combat.salvos import SalvoView
from combat.ships import ShipList
from combat.story_entries import Entry
from combat.tables import TableSet
from combat.views import ActionCheck, DraftFault, TargetOption
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.rules import TableRules
from tabletop.schema import Schema, UnionSchema
from tabletop.table import Base, Pose

SEQUENCE: Final = (Phase.INITIATIVE, Phase.MOVEMENT, Phase.COMMAND, Phase.COMBAT)
SCHEMAS: Final = RulebookSchemas(
    action=UnionSchema(ACTION_TYPES, "action"),
    setup=Schema(Annotated[FleetSetup, AfterValidator(with_sides)], "setup"),
    marks=MARKS,
    options=OPTIONS_SCHEMA,
)


class FleetBattle:
    """`OrderedRulebook` for Grand Fleets."""

    name = NAME
    adds_two_dice = True
    action_types = ACTION_TYPES
    schemas = SCHEMAS

    def __init__(
        self,
        tables: TableSet,
        cards: ShipList[Card],
        rules: TableRules,
        base_of: Callable[[Card], Base],
    ) -> None:
        self.tables = tables
        self._free = GrandFleetsRulebook(tables, cards)
        self._cards, self._rules, self._base_of = cards, rules, base_of

    def set_up(self, opening: Opening) -> FleetSetup:
        """The set-up of an opening; DreyerError where a value is not within its limits."""
        setup = initial_state.set_up(opening, self._cards, self.tables)
        self.begin(setup)
        return setup

    def begin(self, setup: BattleSetup) -> FleetState:
        """The battle that a set-up describes, at its first dice."""
        known = initial_state.known_setup(setup)
        state = initial_state.begin(known, self._cards, self._base_of, self.tables)
        play = self._transitions(state, None)
        play.advance()
        return play.state

    # Setting up fleets

    def battle_sizes(self) -> tuple[BattleSize, ...]:
        """The sizes of battles, from small to large (Assembling the Fleet)."""
        table = self.tables["battle_sizes"]
        return tuple(
            BattleSize(
                key=size,
                title=views.size_title(size),
                fleet_limit=table.integer(size, "fleet_limit"),
                threshold=table.integer(size, "threshold"),
            )
            for size in table.rows
        )

    def commander_qualities(self) -> tuple[CommanderQuality, ...]:
        """What commanders may be, from bad to good (Divisions)."""
        table = self.tables["command_quality"]
        found = [
            CommanderQuality(
                key=quality,
                title=Message(f"grand_fleets.choice.chosen.{quality}"),
                points_percent=table.integer(quality, "points_percent"),
            )
            for quality in table.rows
        ]
        return tuple(sorted(found, key=lambda each: each.points_percent))

    def points_of(self, type_: str) -> int | None:
        """The victory points of a card."""
        return self._cards.named(type_, "type").victory_points

    def proposed_divisions(self, opening: Opening) -> tuple[EnteredDivision, ...]:
        """Divisions of ships of the same or neighbouring sizes."""
        return tuple(initial_state.proposed_divisions(opening, self._cards, self.tables))

    def heirs(self, opening: Opening) -> Mapping[str, tuple[str, ...]]:
        """Who may take over the flag of each division first: its largest other ships."""
        return initial_state.heirs(opening, self._cards, self.tables)

    def waiting_places(self, opening: Opening) -> Mapping[str, Pose]:
        """Each division in lines ahead at its edge of the table."""
        return initial_state.waiting_places(opening, self._cards, self.tables)

    def opening_faults(self, opening: Opening) -> Mapping[str, tuple[DraftFault, ...]]:
        """Points, years, navies, divisions and commanders that the book does not allow."""
        return initial_state.opening_faults(opening, self._cards, self.tables)

    # An umpire's corrections

    def correctable(self, state: FleetState, ship: str | None) -> tuple[CorrectableValue, ...]:
        """What an umpire may set right."""
        if ship is None:
            return corrections.correctable_battle(state, self.optional_rules(state.options))
        return corrections.correctable_ship(state, state.ship(ship).id)

    def corrections(
        self,
        state: FleetState,
        events: Sequence[Event],
        seat: Seat,  # noqa: ARG002 - nothing is secret
    ) -> tuple[Entry, ...]:
        """What an umpire has set right by one action."""
        found = events_of(ValuesCorrected, events)
        return stories.story(found, self._free_of(state), state.side_names)

    # The contract of every rulebook

    def actions(self, state: FleetState, seat: Seat) -> tuple[ActionOffer, ...]:
        """What a seat may do now."""
        return views.offers(state, seat, rolls=self.dice_wanted(state) is not None)

    def check(self, state: FleetState, action: Action) -> BattleCheck:
        """An action before it is taken; its faults are in the answer, an unknown ship is an error.

        A move and a placing are read whether or not it is the ship's turn.
        """
        known = _known(action)
        self._check_side(state, known.side)
        match known:
            case MoveShip(ship=ship, pose=pose, stop=stop, yards=yards, turned=turned):
                start = state.poses[state.ship(ship).id]
                end = start if stop or pose is None else pose
                return read_move(state, ship, end, self.tables, yards=yards, turned=turned)
            case PlaceDivision():
                division = next(
                    (each for each in state.divisions if each.name == known.division), None
                )
                if division is not None and division.flagship is not None:
                    poses = {
                        ship: known.poses.get(ship, state.poses[ship]) for ship in division.ships
                    }
                    return check_placing(state, division, poses, self._rules, self.tables)
        try:
            self.play(state, known, TypedDice(""))
        except DreyerError as error:
            return ActionCheck(error.message)
        return ActionCheck()

    def forecast(self, state: FleetState, actions: Sequence[Action]) -> Forecast:
        """The exact odds of some attacks at one target, as free play has them."""
        return self._free_of(state).forecast(state.free, actions)

    def dice_wanted(self, state: FleetState) -> DiceWanted | None:
        """The next dice."""
        return next(iter(self.all_wanted(state)), None)

    def all_wanted(self, state: FleetState) -> tuple[DiceWanted, ...]:
        """The next dice of everything that may be rolled now."""
        return tuple(wanted for _, wanted in self._transitions(state, None).all_wanted())

    def play(self, state: FleetState, action: Action, dice: Dice) -> Outcome[FleetState]:
        """The battle after an action, and what happened; DreyerError if it is not allowed."""
        known = _known(action)
        self._check_side(state, known.side)
        play = self._transitions(state, known.side)
        rolls = play.play(known, dice)
        return Outcome(play.state, tuple(play.events), rolls)

    def view(self, state: FleetState, seat: Seat) -> OrderedView:
        """The battle as a seat sees it: nothing is secret."""
        self._check_side(state, seat.side)
        wanted = self.all_wanted(state)
        return views.view(
            state,
            seat,
            self.tables,
            step=self.step(state),
            sequence=self.sequence(state),
            actions=views.offers(state, seat, rolls=bool(wanted)),
            wanted=wanted,
        )

    def sheet(self, state: FleetState, ship: str, seat: Seat = UMPIRE) -> RecordSheet:
        """A ship's record sheet, which lies open to all."""
        self._check_side(state, seat.side)
        return self._free_of(state).sheet(state.free, ship)

    def place(self, state: FleetState) -> Place:
        """The turn and its phase."""
        return Place(state.turn, stories.SEGMENTS[state.phase])

    def reuses_rolls(
        self, taken_back: Action, at: Place, state: FleetState, action: Action
    ) -> bool:
        """Rolls stay with their phase; each is for what it names."""
        both = isinstance(taken_back, RollDice) and isinstance(action, RollDice)
        return both and at == self.place(state)

    # What a guided battle says besides

    def step(self, state: FleetState) -> Step:
        """Where the battle stands."""
        phase = state.phase
        hint = phase.value
        if state.vacant:
            hint = "flag"
        elif state.is_first_movement and not state.tasks:
            hint = "placing"
        elif state.tasks and phase in (Phase.MOVEMENT, Phase.COMBAT, Phase.COMMAND):
            hint = "dice"
        return Step(
            kind=STEP_KINDS[phase],
            round_number=state.turn,
            segment=stories.SEGMENTS[phase],
            title=Message(f"grand_fleets.phase.{phase.value}"),
            reference=RULES[phase],
            waiting_for=self._waiting_for(state),
            hint=Message(f"grand_fleets.hint.{hint}"),
            place=_turn(state.turn),
        )

    def sequence(self, state: FleetState) -> tuple[StepMark, ...]:
        """The phases of a turn."""
        now = stories.SEGMENTS[state.phase]
        return tuple(
            StepMark(
                STEP_KINDS[phase],
                stories.SEGMENTS[phase],
                Message(f"grand_fleets.phase.{phase.value}"),
                RULES[phase],
                Progress.DONE
                if stories.SEGMENTS[phase] < now
                else Progress.NOW
                if phase is state.phase
                else Progress.AHEAD,
            )
            for phase in SEQUENCE
        )

    def place_title(self, place: Place) -> Message:
        """The turn and its phase."""
        if not place.segment:
            return _turn(place.round_number)
        phase = next(phase for phase in Phase if stories.SEGMENTS[phase] == place.segment)
        title = Message(f"grand_fleets.phase.{phase.value}")
        return Message("grand_fleets.place.phase", turn=place.round_number, phase=title)

    def fire_options(
        self, state: FleetState, side: str | None, ship: str
    ) -> tuple[TargetOption, ...]:
        """What a ship could fire at, nearest first."""
        self._check_side(state, side)
        name = state.ship(ship).id
        if name not in state.placed or not state.in_action(name):
            return ()
        return fire_options(state, name, self._free_of(state), self._rules)

    def allowed_fires(
        self, state: FleetState, side: str | None, ship: str
    ) -> tuple[tuple[str, str], ...]:
        """Each target and battery that a ship could fire with at her, nearest first; no odds."""
        self._check_side(state, side)
        name = state.ship(ship).id
        if name not in state.placed or not state.in_action(name):
            return ()
        return tuple(allowed_fires(state, name, self._free_of(state), self._rules))

    def may_fire(self, state: FleetState, ships: Collection[str]) -> frozenset[str]:
        """Those of these ships that have an enemy to fire at."""
        return may_fire(state, ships, self._free_of(state), self._rules)

    def move_of(
        self, ship: str, pose: Pose | None, side: str | None, *, yards: int | None = None
    ) -> MoveShip:
        """The move of a ship that ends in this pose; where None she stops."""
        return MoveShip(ship=ship, pose=pose, stop=pose is None, yards=yards, side=side)

    def placing_of(
        self, division: str, poses: Mapping[str, Pose], side: str | None
    ) -> PlaceDivision:
        """The placing of a division whose models stand so."""
        return PlaceDivision(division=division, poses=poses, side=side)

    def free_state(self, state: FleetState, seat: Seat) -> FreeState[object]:
        """A copy of the battle for free play."""
        self._check_side(state, seat.side)
        ships = state.free
        return FreeState(
            ships.sides, ships.ships, max(1, state.turn), dict(ships.marks), dict(ships.firing)
        )

    def errors_for(
        self,
        state: FleetState,  # noqa: ARG002 - nothing is secret
        side: str | None,  # noqa: ARG002
    ) -> AbstractContextManager[None]:
        """Errors raised within may tell everything."""
        return nullcontext()

    def models(self, state: FleetState, seat: Seat) -> Mapping[str, str]:  # noqa: ARG002 - as above
        """Models are called by the ships' names."""
        return {ship.id: ship.name for ship in state.free.ships}

    def with_models(
        self, state: FleetState, action: BattleAction, poses: Mapping[str, Pose]
    ) -> BattleAction:
        """Moves and placings with the places of the models that they do not name."""
        match action:
            case MoveShip(ship=ship, pose=None, stop=False) if ship in poses:
                return replace(action, pose=poses[ship])
            case MoveDivision(division=division) | PlaceDivision(division=division):
                ships = {
                    ship
                    for slot in state.order
                    if slot.name == division
                    for ship in state.to_act(slot)
                }
                here = {ship: pose for ship, pose in poses.items() if ship in ships}
                return replace(action, poses={**here, **action.poses})
        return action

    def sealed_since(self, state: FleetState) -> Place | None:  # noqa: ARG002 - as above
        """None: nothing is kept from anybody."""
        return None

    def opening(self, start: FleetState) -> tuple[Event, ...]:
        """What a battle begins with, as events."""
        entered = (
            ShipEntered(
                ship=ship.id,
                type=ship.type,
                side=ship.side,
                division=start.division_of(ship.id).name,
                flagship=start.division_of(ship.id).flagship == ship.id,
                x_yards=start.poses[ship.id].x_yards,
                y_yards=start.poses[ship.id].y_yards,
                heading_deg=start.poses[ship.id].heading_deg,
            )
            for ship in start.free.ships
        )
        began = PhaseBegan(rule=RULES[start.phase], turn=start.turn, phase=start.phase.value)
        return (*entered, began)

    def story(
        self,
        state: FleetState,
        events: Iterable[Event],
        seat: Seat,  # noqa: ARG002 - nothing is secret
    ) -> tuple[Entry, ...]:
        """What has happened, from the events since the beginning."""
        return stories.story(events, self._free_of(state), state.side_names)

    def salvos(
        self,
        state: FleetState,  # noqa: ARG002 - the events tell everything
        events: Sequence[Event],
        seat: Seat,  # noqa: ARG002 - nothing is secret
    ) -> tuple[SalvoView, ...]:
        """The attacks of one action."""
        return tuple(salvos.salvos(events))

    def is_shown(self, events: Sequence[Event]) -> bool:
        """Whether an action is shown on every screen."""
        return salvos.is_shown(events)

    def history(self, events: Iterable[Event]) -> History:
        """Where everybody stood, turn by turn, from the events since the beginning."""
        return stories.history(events)

    # How ships begin

    def starting_questions(self, type_: str) -> tuple[Question, ...]:  # noqa: ARG002 - as the contract has it
        """None: ships begin unmarked."""
        return ()

    def condition(self, type_: str, marks: StartingMarks) -> Message:  # noqa: ARG002 - as above
        """Ships begin unharmed."""
        return UNHARMED

    def check_conditions(
        self, conditions: StartingConditions, options: BattleOptions | None
    ) -> None:
        """Battles begin in any weather."""

    # Optional rules

    def optional_rules(self, options: BattleOptions | None = None) -> tuple[OptionalRule, ...]:
        """The rules that players may choose, and which of them are on."""
        chosen = FleetOptions() if options is None else initial_state.known_options(options)
        return optional_rules(chosen)

    def options(self, state: FleetState) -> FleetOptions:
        """The optional rules that the battle is played with."""
        return state.options

    def conditions_in_force(self, state: FleetState) -> tuple[RuleValue, ...]:
        """The size of the battle, which sets the points of the fleets and of victory."""
        return (views.battle_size(state),)

    # Files

    def write_events(
        self,
        events: Sequence[Event],
        *,
        brief: bool = False,  # noqa: ARG002 - they are short
    ) -> list[dict[str, object]]:
        """Events as JSON."""
        return [write_event(event) for event in events]

    def _waiting_for(self, state: FleetState) -> tuple[str, ...]:
        if state.vacant:
            return tuple(dict.fromkeys(state.division(name).side for name in state.vacant))
        if state.tasks:
            wanted = self.dice_wanted(state)
            return () if wanted is None or wanted.side is None else (wanted.side,)
        if state.phase is Phase.COMMAND:
            return tuple(side for side in state.sides if side not in state.ready)
        return tuple(dict.fromkeys(slot.side for slot in state.next_slots))

    def _transitions(self, state: FleetState, side: str | None) -> Transitions:
        return Transitions(state, side, self._free_of(state), self._rules)

    def free_rulebook(self, state: FleetState) -> GrandFleetsRulebook:
        """The rules of free play for the battle, by which fire from anywhere is forecast."""
        return self._free_of(state)

    def _free_of(self, state: FleetState) -> GrandFleetsRulebook:
        """The rules of free play, with the cards that the battle was begun with."""
        if not state.own_cards:
            return self._free
        return GrandFleetsRulebook(
            self.tables, initial_state.with_own(self._cards, state.own_cards)
        )

    def _check_side(self, state: FleetState, side: str | None) -> None:
        if side is not None and side not in state.sides:
            raise UnknownName(Message("errors.where.battle"), "side", side, state.sides)


def _known(action: Action) -> FleetAction:
    """The action, if it is one of this rulebook's."""
    if not isinstance(action, FleetAction):
        raise UnknownName(Message("errors.where.battle"), "action", action.kind, KINDS)
    return action


def _turn(number: int) -> Message:
    if not number:
        return Message("grand_fleets.place.beginning")
    return Message("grand_fleets.place.turn", turn=number)
