"""From step to step: what each event does to a battle (56)."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from combat.dice import BadDice, Dice, Roll, TypedDice
from combat.events import Event
from combat.guided_actions import Commit, Move, Reveal, RollDice, Settle, Uncommit, Withdraw
from combat.guided_play import SECRET_STEPS, StepKind
from combat.participants import acting
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.fire.sightlines import cached_survey
from combat.rulebooks.bismarck_advanced.free_play.ship_state import state_of
from combat.rulebooks.bismarck_advanced.free_play.state_checks import check_state
from combat.rulebooks.bismarck_advanced.guided_battle import (
    air_strikes,
    designations,
    movement,
    rates,
)
from combat.rulebooks.bismarck_advanced.guided_battle.action_events import moved_events
from combat.rulebooks.bismarck_advanced.guided_battle.actions import (
    AirStrike,
    Arrange,
    Correct,
    Designate,
    Orders,
    Plot,
    Reduce,
    RollNext,
)
from combat.rulebooks.bismarck_advanced.guided_battle.agreements import (
    agreed_of,
    with_agreed,
)
from combat.rulebooks.bismarck_advanced.guided_battle.battle_end import ended_if_over, withdraw
from combat.rulebooks.bismarck_advanced.guided_battle.between_battles import roll_repair
from combat.rulebooks.bismarck_advanced.guided_battle.corrections import (
    corrected_battle,
    corrected_ship,
)
from combat.rulebooks.bismarck_advanced.guided_battle.events import Collided, PlacedByAgreement
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import (
    begin_resolution,
    rolled_next,
    with_dice,
    with_fallen,
    with_rates,
)
from combat.rulebooks.bismarck_advanced.guided_battle.fog import is_foggy
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import (
    KnownNames,
    command,
    find,
)
from combat.rulebooks.bismarck_advanced.guided_battle.orders import (
    check_first,
    fire_orders,
    move_order,
)
from combat.rulebooks.bismarck_advanced.guided_battle.plots import PlotChecker, check_commitment
from combat.rulebooks.bismarck_advanced.guided_battle.sealed import is_sealed
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import Conditions, ShipValues
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import revealed_by_fire
from combat.shot_file import found_in
from combat.views import DraftFault
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message, ShipRef, SideRef
from tabletop.places import shorten
from tabletop.rules import TableRules
from tabletop.schema import MISSING
from tabletop.table import Pose


class Transitions:
    """One event's worth of play: a battle, who acts, and by which rules and tables."""

    def __init__(
        self, state: AdvancedState, side: str | None, rules: TableRules, combat_tables: CombatTables
    ) -> None:
        self._state, self._side = state, side
        self._rules, self._combat_tables = rules, combat_tables

    def plot(self, plot: Plot) -> AdvancedState:
        """Draft one ship's plot (56.1); it may be drafted anew until its side commits."""
        self._need(StepKind.PLOT)
        ship = command(self._state, self._side, plot.ship)
        self._need_open(ship.side)
        order = move_order(plot, self._find)
        # Nobody looks at the path here, so it is judged and not drawn.
        checker = PlotChecker(self._state, ship, order, self._rules, self._combat_tables)
        checker.judge()
        if checker.faults:
            raise _refused(ship.name, checker.faults[0])
        return replace(self._state, plots={**self._state.plots, ship.name: order})

    def designate(self, draft: Designate) -> AdvancedState:
        """Draft one ship's fire (61.1); no orders hold it."""
        self._need(StepKind.DESIGNATE)
        ship = command(self._state, self._side, draft.ship)
        self._need_open(ship.side)
        designations.check_whole_turrets(draft, self._combat_tables.edition)
        orders = fire_orders(ship.name, draft, self._find)
        designations.check_orders(self._state.engagement, orders, self._rules)
        return replace(self._state, fires={**self._state.fires, ship.name: orders})

    def orders(self, action: Orders) -> AdvancedState:
        """Draft the orders of several ships, one after the other; a fault refuses them all."""
        state = self._state
        if not (action.plots or action.fires):
            raise DreyerError("advanced.order.no_orders")
        for plot in action.plots:
            state = self._from(state).plot(plot)
        for fire in action.fires:
            state = self._from(state).designate(fire)
        return state

    def _from(self, state: AdvancedState) -> "Transitions":
        return Transitions(state, self._side, self._rules, self._combat_tables)

    def reduce(self, draft: Reduce) -> AdvancedState:
        """Draft one ship's rates of fire (67.41); without any she fires as designated."""
        self._need(StepKind.REDUCE)
        ship = command(self._state, self._side, draft.ship)
        self._need_open(ship.side)
        orders = rates.reduced_orders(self._state, ship, draft, self._find)
        return replace(self._state, reduced={**self._state.reduced, ship.name: orders})

    def arrange(self, action: Arrange) -> AdvancedState:
        """55.11: two hidden ships of a side change number and place before the first move."""
        state = self._state
        if not may_arrange(state, self._combat_tables.edition):
            raise DreyerError("advanced.order.arranged_before")
        ship, other = (command(state, self._side, name) for name in (action.ship, action.other))
        self._need_open(ship.side)
        if other.side != ship.side:
            raise DreyerError(
                "advanced.order.not_yours", ship=ShipRef(other.name), side=SideRef(ship.side)
            )
        for each in (ship, other):
            identity = state.identities.get(each.name)
            if identity is None or not identity.is_hidden:
                raise DreyerError("advanced.order.not_hidden", ship=ShipRef(each.name))
        numbers = dict(state.numbers)
        numbers[ship.name], numbers[other.name] = numbers[other.name], numbers[ship.name]
        changed = {
            ship.name: replace(ship, pose=other.pose),
            other.name: replace(other, pose=ship.pose),
        }
        identities = {
            name: replace(identity, number=numbers[name])
            for name, identity in state.identities.items()
        }
        own = {each.name for each in state.fleet(ship.side)}
        return replace(
            state,
            engagement=state.engagement.with_combatants(changed),
            identities=identities,
            numbers=numbers,
            plots={name: order for name, order in state.plots.items() if name not in own},
        )

    def air_strike(self, action: AirStrike) -> AdvancedState:
        """A wave of bombers is sent against a ship (9.14, 27.5)."""
        return air_strikes.order_strike(self._state, action, self._combat_tables.edition)

    def commit(self, action: Commit) -> AdvancedState:
        """A side's last word in a step of secret orders; the last one opens them all."""
        self._need(*SECRET_STEPS)
        if self._state.strike is not None:
            raise DreyerError("advanced.air.waits", ship=ShipRef(self._state.strike.target))
        state = self._state
        acting = self._side or action.for_side
        for side in [acting] if acting else state.waiting_for:
            self._check_side(side)
            if side in state.committed:
                raise DreyerError("advanced.order.committed_already", side=SideRef(side))
            if state.kind is StepKind.PLOT:
                check_commitment(state, side, self._rules, self._combat_tables)
            state = replace(state, committed=state.committed | {side})
        if state.waiting_for:
            return state
        if state.kind is StepKind.PLOT:
            return self._opened(state)
        if state.kind is StepKind.DESIGNATE:
            return self._opening_fire(state)
        return self._firing_at_rates(state)

    def uncommit(self, action: Uncommit) -> AdvancedState:
        """Take a commitment back, while the other side has not made its own."""
        self._need(*SECRET_STEPS)
        side = self._side or action.for_side
        if side is None:
            raise BadField("uncommit", "side", Message("advanced.expected.side_name"), MISSING)
        self._check_side(side)
        if side not in self._state.committed:
            raise DreyerError("advanced.order.not_committed", side=SideRef(side))
        return replace(self._state, committed=self._state.committed - {side})

    def move(self, action: Move) -> tuple[AdvancedState, tuple[Event, ...]]:
        """The models as they stand, by measurement, by hand or as plotted (56.2)."""
        self._need(StepKind.MOVE)
        state, open_move = self._state, self._state.open_move
        if open_move is None:
            raise DreyerError("advanced.order.plots_closed")
        if self._side is not None and is_foggy(state):
            raise DreyerError("advanced.order.umpire_moves")
        poses = self.poses(action.poses)
        accepted = frozenset(poses if action.accept_all else map(self._find, action.accept))
        rulings = movement.judge(open_move, poses)
        seat, edition = acting(self._side), self._combat_tables.edition
        sealed = [n for n in rulings if is_sealed(state.engagement[n], state, seat, edition)]
        wrong = movement.refuse_differences(rulings, accepted, sealed)
        moved, report = movement.settle(
            state.engagement, open_move, poses, rulings, self._rules, self._combat_tables
        )
        turned = movement.turned_up_by_move(state, moved, self._rules, self._combat_tables.edition)
        seen = cached_survey(moved.table, self._rules)
        events = (
            *moved_events(state.engagement, open_move, moved, seen),
            *(PlacedByAgreement(ship=name, why=why) for name, why in wrong.items()),
            *(Collided(ship=one, target=two) for one, two in movement.collided_pairs(report)),
        )
        state = replace(
            state,
            engagement=moved,
            identities={**state.identities, **turned},
            kind=StepKind.DESIGNATE,
            open_move=None,
            fires={},
            committed=frozenset(),
        )
        return state, events

    def poses(self, told: Mapping[str, Pose]) -> dict[str, Pose]:
        """Poses by the ships' true names; ships that are gone may not have one."""
        poses = {}
        for reference, pose in told.items():
            ship = find(self._state, self._side, reference)
            if not ship.in_action:
                raise DreyerError("advanced.order.gone", ship=ShipRef(ship.name))
            poses[ship.name] = pose
        return poses

    def roll(self, action: RollDice, dice: Dice) -> tuple[AdvancedState, tuple[Roll, ...]]:
        """Roll what is wanted: as much as the dice have, or as is needed."""
        if self._state.kind is StepKind.ENDED:
            return roll_repair(self._state, action, dice, self._combat_tables.tables)
        if self._state.strike is not None:
            struck, fallen_now = air_strikes.roll_strike(
                self._state, action, dice, self._combat_tables
            )
            return self._after_strike(struck), fallen_now
        self._need(StepKind.RESOLVE)
        resolution = self._state.resolution
        if resolution is None:
            raise DreyerError("advanced.order.no_dice_wanted")
        fallen = len(resolution.rolls)
        check_first(action, fallen + 1)
        self._check_count(dice)
        resolution = with_dice(resolution, dice, self._combat_tables, self._rules, action.reach)
        rolls = resolution.rolls[fallen:]
        if not rolls:
            raise BadDice("advanced.order.no_dice")
        return self._resolved(replace(self._state, resolution=resolution)), rolls

    def _check_count(self, dice: Dice) -> None:
        """Whoever fires at hidden ships types one roll at a time.

        Whether several rolls fit depends on what the first of them brings, and thus on the ship's
        class: dice that are refused would tell it, as often as somebody tries.
        """
        one_by_one = bool(KnownNames.of(self._state, acting(self._side)).labels)
        if one_by_one and isinstance(dice, TypedDice) and dice.count > 1:
            raise BadDice("advanced.order.one_roll", given=dice.count)

    def mark(self) -> AdvancedState:
        """A side has marked its damage; when both have, the next segment begins."""
        self._need(StepKind.MARK)
        state = self._state
        if self._side in state.committed:
            raise DreyerError("advanced.order.marked_already", side=SideRef(self._side))
        marked = set(state.sides) if self._side is None else {self._side}
        state = replace(state, committed=state.committed | marked)
        return state if state.waiting_for else self._next_segment(state)

    def withdraw(self, action: Withdraw) -> AdvancedState:
        """A ship leaves (66); whoever had plans for her makes new ones."""
        state = withdraw(self._state, action)
        if state.kind is not StepKind.PLOT:
            return state
        # Commitments go back whether or not a plot was about her, or it would tell which were.
        return self._drafts_still_allowed(replace(state, committed=frozenset()))

    def reveal(self, action: Reveal) -> AdvancedState:
        """A player turns his own ship up before the rule does."""
        ship = command(self._state, self._side, action.ship)
        identity = self._state.identities.get(ship.name)
        if identity is None or not identity.is_hidden:
            raise DreyerError("advanced.order.not_hidden", ship=ShipRef(ship.name))
        return _without_number(self._state, [ship.name])

    def correct(self, action: Correct) -> AdvancedState:
        """The umpire sets a value right, with a reason; what follows from it is judged anew."""
        if self._side is not None:
            raise DreyerError("advanced.order.umpire_corrects")
        if not action.reason:
            raise DreyerError("advanced.order.correction_reason")
        state = self._state
        if (action.conditions if action.ship is None else action.values) is None:
            raise BadField("correct", "values", Message("schema.object"), MISSING)
        if action.ship is None:
            values = action.conditions or Conditions()
            battle = corrected_battle(state.engagement, values)
        else:
            ship, marks = find(state, None, action.ship), action.values or ShipValues()
            first_plot = state.kind is StepKind.PLOT and state.segment == 1
            corrected = corrected_ship(ship, marks, between_rounds=first_plot)
            corrected = self._with_shares(corrected, marks)
            if self._combat_tables.edition.marks_must_agree:
                with found_in(ship.name):
                    check_state(state_of(corrected.vessel), corrected.vessel.warship)
            battle = state.engagement.with_combatants({ship.name: corrected})
        state = replace(state, engagement=battle)
        if state.kind in (StepKind.PLOT, StepKind.DESIGNATE):
            # What was committed may no longer be wanted, and what was drafted not be allowed.
            state = self._drafts_still_allowed(replace(state, committed=frozenset()))
        elif state.kind is StepKind.MOVE:
            reopened = movement.open_plots(state, self._rules, self._combat_tables)
            state = replace(state, open_move=reopened, log=movement.logged(state, reopened))
        elif state.resolution is not None and state.kind in (StepKind.RESOLVE, StepKind.REDUCE):
            fallen, combat_tables = state.resolution.fallen, self._combat_tables
            able = designations.all_orders(state)
            # The order in which the sides roll stays as they have chosen it (62.3).
            orders = [order for order in state.resolution.orders if order in able]
            resolution = begin_resolution(
                battle,
                orders,
                combat_tables,
                self._rules,
                rates_settled=state.resolution.rates_settled,
                hidden=state.resolution.hidden,
            )
            resolution = with_fallen(resolution, fallen, combat_tables, self._rules)
            return self._resolved(replace(state, resolution=resolution))
        return ended_if_over(state) if state.kind is StepKind.PLOT else state

    def settle(self, settled: Settle) -> AdvancedState:
        """A line of fire settled between the players; whoever relied on another thinks anew."""
        self._need(StepKind.DESIGNATE)
        agreed = agreed_of(settled, self._find)
        battle = with_agreed(self._state.engagement, agreed)
        state = replace(self._state, engagement=battle, committed=frozenset())
        return self._drafts_still_allowed(state)

    def roll_next(self, action: RollNext) -> AdvancedState:
        """62.3: a side says which of its fires is rolled next."""
        self._need(StepKind.RESOLVE)
        state, resolution = self._state, self._state.resolution
        wanted = self._find(action.firer), self._find(action.target), action.battery
        waiting = resolution.orders if resolution is not None else ()
        found = next((o for o in waiting if (o.firer, o.target, o.battery) == wanted), None)
        if resolution is None or found is None:
            raise DreyerError("advanced.order.no_such_fire")
        if self._side is not None and state.engagement[found.firer].side != self._side:
            raise DreyerError("advanced.order.other_sides_fire")
        ordered = rolled_next(resolution, found, self._combat_tables, self._rules)
        return replace(state, resolution=ordered)

    def _drafts_still_allowed(self, state: AdvancedState) -> AdvancedState:
        """The same state without the drafts that a correction has made impossible."""
        plots, fires = {}, {}
        for name, order in state.plots.items():
            ship = state.engagement[name]
            checker = PlotChecker(state, ship, order, self._rules, self._combat_tables)
            checker.judge()
            if ship.in_action and not checker.faults:
                plots[name] = order
        for name, orders in state.fires.items():
            try:
                designations.check_orders(state.engagement, orders, self._rules)
            except DreyerError:
                continue
            fires[name] = orders
        return replace(state, plots=plots, fires=fires)

    def _after_strike(self, state: AdvancedState) -> AdvancedState:
        """Plots that damage has made impossible are written anew; a beaten side ends the battle."""
        if state.strike is not None:
            return state
        return ended_if_over(self._drafts_still_allowed(state))

    def _opened(self, state: AdvancedState) -> AdvancedState:
        open_move = movement.open_plots(state, self._rules, self._combat_tables)
        return replace(
            state,
            kind=StepKind.MOVE,
            open_move=open_move,
            log=movement.logged(state, open_move),
            committed=frozenset(),
        )

    def _opening_fire(self, state: AdvancedState) -> AdvancedState:
        orders = designations.all_orders(state)
        resolution = begin_resolution(
            state.engagement,
            orders,
            self._combat_tables,
            self._rules,
            rates_settled=not self._combat_tables.edition.rate_reduced_in_resolution,
            hidden=frozenset(
                name for name, identity in state.identities.items() if identity.is_hidden
            ),
        )
        state = replace(state, kind=StepKind.RESOLVE, resolution=resolution, committed=frozenset())
        # 67.12: guns give a ship away in the phase in which they fire; torpedoes do not.
        firers = {order.firer for order in orders}
        turned = {
            name: identity.revealed(revealed_by_fire(state.phase, fired_guns=name in firers))
            for name, identity in state.identities.items()
        }
        return self._resolved(replace(state, identities=turned))

    def _firing_at_rates(self, state: AdvancedState) -> AdvancedState:
        """67.41: the fire orders with all rates as committed, before the first die of a fire."""
        assert state.resolution is not None, "rates are reduced while fire is resolved"  # noqa: S101
        fires = {**state.fires, **state.reduced}
        chosen = {order.key: order for orders in fires.values() for order in orders}
        orders = [chosen[order.key] for order in state.resolution.orders]
        resolution = with_rates(state.resolution, orders, self._combat_tables, self._rules)
        state = replace(
            state,
            kind=StepKind.RESOLVE,
            fires=fires,
            reduced={},
            resolution=resolution,
            committed=frozenset(),
        )
        return self._resolved(state)

    def _with_shares(self, ship: Combatant, values: ShipValues) -> Combatant:
        """65.6: what the umpire says is left is divided equally."""
        divided = (
            values.ammunition is not None
            and ship.vessel.ammunition_by_turret
            and self._combat_tables.edition.ammunition_spent_before_is_shared
        )
        return replace(ship, vessel=ship.vessel.counting_by_turret(True)) if divided else ship

    def _resolved(self, state: AdvancedState) -> AdvancedState:
        """On to the rates of fire after the jams, or to the damage after the last die."""
        resolution = state.resolution
        if resolution is not None and resolution.waits_for_rates:
            # Whatever has led here anew, such as a correction, may have changed the choice.
            reduced = rates.still_allowed(state.reduced, resolution)
            return replace(state, kind=StepKind.REDUCE, reduced=reduced, committed=frozenset())
        if resolution is None or resolution.report is None or resolution.after is None:
            return state
        report = resolution.report
        state = replace(state, engagement=resolution.after, reduced={}, committed=frozenset())
        state = _without_number(state, report.sunk)
        if not (report.fires or report.torpedoes or report.jams):
            return self._next_segment(state)
        return replace(state, kind=StepKind.MARK)

    def _next_segment(self, state: AdvancedState) -> AdvancedState:
        state = replace(
            state,
            kind=StepKind.PLOT,
            plots={},
            fires={},
            committed=frozenset(),
            resolution=None,
        )
        over = ended_if_over(state)
        if over.kind is StepKind.ENDED:
            return over
        return replace(state, phase=state.engagement.phase)

    def _find(self, reference: str) -> str:
        return find(self._state, self._side, reference).name

    def _need(self, *kinds: StepKind) -> None:
        if self._state.kind not in kinds:
            raise DreyerError(f"advanced.not_now.{self._state.kind}")

    def _need_open(self, side: str) -> None:
        if side in self._state.committed:
            raise DreyerError("advanced.order.committed", side=SideRef(side))

    def _check_side(self, side: str) -> None:
        if side not in self._state.sides:
            raise DreyerError(
                "advanced.order.no_such_side", side=shorten(side, 40), sides=self._state.sides
            )


def may_arrange(state: AdvancedState, edition: Edition) -> bool:
    """Whether hidden ships may still change their numbers: before anybody has moved (55.11)."""
    first = state.kind is StepKind.PLOT and not state.log and state.phase.number == 1
    return edition.owner_arranges_hidden_ships and first


def _without_number(state: AdvancedState, names: Collection[str]) -> AdvancedState:
    """Ships turned up for another reason than 67.12: they need no number any more."""
    left = {name: each for name, each in state.identities.items() if name not in names}
    return replace(state, identities=left)


def _refused(ship: str, fault: DraftFault) -> DreyerError:
    """A plot's fault as an error."""
    message = fault.message
    if not fault.cited:
        message = Message("errors.forbidden", reason=message, rule=fault.reference)
    named, field = ShipRef(ship), Message(f"advanced.field.{fault.field}")
    if fault.position is None:
        return DreyerError("advanced.draft.refused", ship=named, field=field, fault=message)
    return DreyerError(
        "advanced.draft.refused_at",
        ship=named,
        field=field,
        character=fault.position + 1,
        fault=message,
    )
