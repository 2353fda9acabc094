"""One step of a battle after the other: who acts, what dice are wanted, which phase comes next."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from combat.actions import Action
from combat.dice import (
    BadDice,
    Dice,
    DiceByRoll,
    DiceKind,
    OutOfDice,
    RecordedDice,
    Roll,
    roll_once,
)
from combat.dice_wanted import DiceReach, DiceWanted, short_id
from combat.event_reports import umpire_events
from combat.guided_actions import EndBattle, RollDice, Settle
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.actions import (
    CommandCheck,
    CommandQuality,
    Initiative,
    Leaving,
    Move,
    QualityChoice,
    TorpedoAttack,
)
from combat.rulebooks.grand_fleets.command import (
    OrderedUnit,
    combat_order,
    in_command,
    movement_order,
)
from combat.rulebooks.grand_fleets.events import Scored
from combat.rulebooks.grand_fleets.fleet import DRAW, winner
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    Conditions,
    Correct,
    DeclareFire,
    FireNext,
    FleetAction,
    HoldFire,
    LeaveTable,
    MoveDivision,
    MoveShip,
    PlaceDivision,
    SetCommand,
    ShipValues,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.corrections import (
    corrected_battle,
    corrected_ship,
)
from combat.rulebooks.grand_fleets.guided_battle.events import (
    BattleEnded,
    CommandDoubtful,
    CommandLost,
    CommandRestored,
    FireHeld,
    FlagLost,
    LineSettled,
    ModelMoved,
    MoveAgreed,
    OrderSet,
    PhaseBegan,
    ScoreCounted,
    ShotLost,
    ValuesCorrected,
)
from combat.rulebooks.grand_fleets.guided_battle.fire import declared
from combat.rulebooks.grand_fleets.guided_battle.initial_state import chain_of_command
from combat.rulebooks.grand_fleets.guided_battle.state import (
    RULES,
    Agreed,
    FlagRoll,
    FleetState,
    InitiativeRoll,
    OrderRoll,
    Phase,
    QualityRoll,
    ReturnRoll,
    ShotRoll,
    Slot,
    Task,
)
from combat.rulebooks.grand_fleets.guided_battle.table import (
    check_leaving,
    check_placing,
    distance_in,
    lenient_distance,
    read_move,
    survey_of,
)
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.views import ShipMoveCheck
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef, verbatim
from tabletop.rules import TableRules
from tabletop.rulings import Figures
from tabletop.schema import MISSING
from tabletop.table import Pose

if TYPE_CHECKING:
    from combat.events import Event
    from combat.free_play import FreeState
    from combat.rulebooks.grand_fleets.vessel import Marks

ROLLED_APART: Final = (QualityRoll, InitiativeRoll, ReturnRoll)
"""Tasks that do not depend on each other."""
FLAG: Final = "Transferring the Flag"


class TaskDice(DiceByRoll):
    """The dice of a task: first those that have fallen, then new ones of a source.

    Their purposes say whose they are, and `shot` which very shot, which is not read by people.
    """

    def __init__(
        self,
        state: FleetState,
        task: Task,
        shot: str,
        source: Dice | None = None,
        reach: DiceReach | None = None,
    ) -> None:
        self._state, self._task, self._shot = state, task, shot
        self._fallen = list(state.rolls)
        self._source, self._reach = source, reach or DiceReach()
        self.new: list[Roll] = []
        """What the source has given."""

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next roll."""
        if self._fallen:
            return self._fallen.pop(0)
        whose = label_of(self._state, self._task)
        named = Message("grand_fleets.roll.of", whose=whose, roll=purpose, shot=self._shot)
        side = side_of(self._state, self._task, purpose)
        if self._source is None or not self._reach.includes(side):
            raise OutOfDice(0, kind, named)
        self.new.append(roll_once(self._source, kind, named, side))
        return self.new[-1]


class _NoDice(DiceByRoll):
    """For actions that roll nothing."""

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """No roll."""
        raise OutOfDice(0, kind, purpose)


class Transitions:
    """A battle on which an action is played; `state` and `events` are what comes of it."""

    def __init__(
        self, state: FleetState, side: str | None, free: GrandFleetsRulebook, rules: TableRules
    ) -> None:
        self.state = state
        self.events: list[Event] = []
        self._side = side
        self._free, self._rules = free, rules
        self._tables = free.tables

    # Actions

    def play(self, action: FleetAction, dice: Dice) -> tuple[Roll, ...]:
        """Play an action; Forbidden, with its rule, where it is not allowed."""
        rolls: tuple[Roll, ...] = ()
        if self.state.phase is Phase.ENDED and not isinstance(action, EndBattle):
            raise DreyerError("grand_fleets.battle.over")
        match action:
            case RollDice():
                rolls = self._roll(action, dice)
            case PlaceDivision():
                self._place(action)
            case MoveShip():
                self._move(action)
            case MoveDivision():
                self._move_division(action)
            case LeaveTable():
                self._leave(action)
            case SetCommand():
                self._set_command(action)
            case TakeFlag():
                self._take_flag(action)
            case DeclareFire():
                self._declare(action)
            case FireNext():
                self._fire_next(action)
            case HoldFire():
                self._hold(action)
            case CommandDone():
                self._command_done()
            case Settle():
                self._settle(action)
            case Correct():
                self._correct(action)
            case EndBattle():
                self._end(action)
        self.advance()
        return rolls

    def _place(self, action: PlaceDivision) -> None:
        state = self.state
        if not state.is_first_movement:
            raise self._refused("place_once", "First Movement Phase")
        division = next((each for each in state.divisions if each.name == action.division), None)
        if division is None:
            known = [each.name for each in state.divisions]
            raise UnknownName(Message("errors.where.battle"), "division", action.division, known)
        self._own(division.side)
        slot = next((each for each in state.next_slots if each.name == division.name), None)
        if slot is None:
            raise self._not_yet(division.name)
        poses = {ship: action.poses.get(ship, state.poses[ship]) for ship in division.ships}
        check = check_placing(state, division, poses, self._rules, self._tables)
        for fault in check.faults:
            raise Forbidden(fault.message, fault.reference)
        self.state = self.state.with_poses(poses)
        self.state = replace(
            self.state,
            order=_brought_forward(state.order, slot),
            placed=self.state.placed | set(division.ships),
            acted=self.state.acted | set(division.ships),
        )
        for ship in division.ships:
            self.events.append(_moved(ship, poses[ship]))

    def _move(self, action: MoveShip) -> None:
        ship = self._actor(action.ship, Phase.MOVEMENT)
        start = self.state.poses[ship]
        end = start if action.stop or action.pose is None else action.pose
        self._make_move(ship, end, yards=action.yards, turned=action.turned)

    def _move_division(self, action: MoveDivision) -> None:
        state = self.state
        slots = {slot.name: slot for slot in state.next_slots}
        slot = slots.get(action.division)
        if state.phase is not Phase.MOVEMENT or slot is None:
            raise self._not_yet(action.division)
        for ship in state.to_act(slot):
            self._actor(ship, Phase.MOVEMENT)
            end = action.poses.get(ship, state.poses[ship])
            self._make_move(ship, end, yards=action.yards.get(ship))

    def _make_move(
        self, ship: str, end: Pose, *, yards: int | None = None, turned: bool | None = None
    ) -> None:
        if self.state.is_first_movement:
            raise self._refused("placed_not_moved", "First Movement Phase")
        check = read_move(self.state, ship, end, self._tables, yards=yards, turned=turned)
        for fault in check.faults:
            raise Forbidden(fault.message, fault.reference)
        move = Move(by=ship, move_yards=check.yards, turned=check.turned)
        self._free_play(move, _NoDice())
        if check.yards:
            # With its uncertainty: the next move begins where this one was seen to end.
            self.state = self.state.with_poses({ship: end})
            self.events.append(_moved(ship, end, check))
        if yards is not None or turned is not None:
            agreed = MoveAgreed(
                ship=ship,
                rule=RULES[Phase.MOVEMENT],
                yards=check.yards,
                turned=check.turned,
                measured_yards=check.measured_yards,
                sigma_yards=check.sigma_yards,
            )
            self.events.append(agreed)
        self._has_acted(ship)

    def _leave(self, action: LeaveTable) -> None:
        ship = self._actor(action.ship, Phase.MOVEMENT)
        if self.state.is_first_movement:
            raise self._refused("placed_not_moved", "First Movement Phase")
        check_leaving(self.state, ship, self._tables)
        # Before she is gone: whoever has left has no turn.
        self._has_acted(ship)
        self._free_play(Leaving(by=ship), _NoDice())

    def _set_command(self, action: SetCommand) -> None:
        state, ship = self.state, self._ship(action.ship)
        self._own(state.ship(ship).side)
        rule = RULES[Phase.COMMAND]
        if state.phase is not Phase.COMMAND or state.tasks:
            raise self._refused("command_later", rule)
        state.vessel(ship).refuse_out_of_the_game(rule)
        division = state.division_of(ship)
        if state.in_command(ship) is not action.out:
            said = "already_out" if action.out else "already_in"
            raise self._refused(said, rule, ship=ShipRef(ship))
        flag_is_out = division.flagship is None or not state.in_command(division.flagship)
        if not action.out and flag_is_out and ship != division.flagship:
            raise self._refused("flag_is_out", rule, ship=ShipRef(ship))
        if not action.out and division.flagship is None:
            raise self._refused("flag_is_out", rule, ship=ShipRef(ship))
        self.state = state.with_marks(ship, out_of_command=action.out)
        if not action.out:
            self.events.append(CommandRestored(ship=ship, rule=rule))
            return
        self.events.append(CommandLost(ship=ship, rule=rule, by_hand=True))
        if ship == division.flagship:
            # A flagship out of command takes her division with her.
            self._drop_out(other for other in division.ships if other != ship)

    def _take_flag(self, action: TakeFlag) -> None:
        state, ship = self.state, self._ship(action.ship)
        division = state.division_of(ship)
        self._own(division.side)
        vessel = state.vessel(ship)
        vessel.refuse_out_of_the_game(FLAG)
        if not state.in_command(ship):
            raise self._refused("heir_out_of_command", FLAG, ship=ShipRef(ship))
        if division.name not in state.vacant:
            raise self._refused("flag_not_vacant", FLAG, division=division.name)
        if ship not in chain_of_command(state, division):
            raise self._refused("larger_heir", FLAG, ship=ShipRef(ship))
        self._hand_over(division.name, ship)

    def _declare(self, action: DeclareFire) -> None:
        ship = self._actor(action.ship, Phase.COMBAT)
        shots = declared(self.state, action, self._free, self._rules)
        self._has_acted(ship)
        self.state = replace(self.state, tasks=(*self.state.tasks, *shots))

    def _fire_next(self, action: FireNext) -> None:
        state, rule = self.state, RULES[Phase.COMBAT]
        wanted = self._ship(action.ship), action.battery, self._ship(action.target)
        self._own(state.ship(wanted[0]).side)
        fires = [task for task in state.tasks if isinstance(task, ShotRoll)]
        found = [t for t in fires if (t.shot.by, t.shot.kind, t.shot.at) == wanted]
        if not found:
            raise self._refused("not_declared", rule, ship=ShipRef(wanted[0]))
        if state.rolls:
            raise self._refused("dice_first", rule)
        first = state.tasks.index(fires[0])
        others = [task for task in state.tasks[first:] if task is not found[0]]
        self.state = replace(state, tasks=(*state.tasks[:first], found[0], *others))

    def _hold(self, action: HoldFire) -> None:
        if (action.ship is None) == (action.division is None):
            raise DreyerError("grand_fleets.battle.ship_or_division")
        if action.ship is not None:
            ships: tuple[str, ...] = (self._actor(action.ship, Phase.COMBAT),)
        else:
            slots = {slot.name: slot for slot in self.state.next_slots}
            slot = slots.get(action.division or "")
            if self.state.phase is not Phase.COMBAT or slot is None:
                raise self._not_yet(action.division or "")
            self._own(slot.side)
            ships = self.state.to_act(slot)
        for ship in ships:
            self._has_acted(ship)
            self.events.append(FireHeld(ship=ship, rule=RULES[Phase.COMBAT]))

    def _command_done(self) -> None:
        """A side has done with the Command Phase."""
        state = self.state
        if state.phase is not Phase.COMMAND or state.tasks or not state.measured:
            raise self._refused("nothing_to_confirm", RULES[state.phase])
        done = set(state.sides) if self._side is None else {self._side}
        self.state = replace(state, ready=state.ready | done)

    def _settle(self, action: Settle) -> None:
        state = self.state
        firer, target = self._ship(action.firer), self._ship(action.target)
        if state.phase is not Phase.COMBAT:
            raise self._refused("settle_later", RULES[Phase.COMBAT])
        figures = Figures(
            action.range_yards, action.quadrant, action.aspect, action.blocked, action.smoke
        )
        agreed = {pair: each for pair, each in state.agreed.items() if pair != (firer, target)}
        if figures.has_any:
            agreed[firer, target] = Agreed(figures, action.reason, action.who)
        self.state = replace(state, agreed=MappingProxyType(agreed))
        self.events.append(
            LineSettled(ship=firer, target=target, reason=action.reason, who=action.who)
        )

    def _correct(self, action: Correct) -> None:
        """The umpire sets values right, with a reason."""
        if self._side is not None:
            raise DreyerError("grand_fleets.battle.umpire_corrects")
        if not action.reason:
            raise DreyerError("grand_fleets.battle.correction_reason")
        state = self.state
        if state.rolls:
            # Dice that have fallen count for what they were rolled for.
            raise self._refused("dice_first", "")
        if (action.conditions if action.ship is None else action.values) is None:
            raise BadField("correct", "values", Message("schema.object"), MISSING)
        if action.ship is None:
            found = corrected_battle(state, action.conditions or Conditions())
            self.state = found.state
            self.events.append(ValuesCorrected(changes=found.changes, reason=action.reason))
        else:
            self._correct_ship(
                self._ship(action.ship), action.values or ShipValues(), action.reason
            )

    def _correct_ship(self, ship: str, values: ShipValues, reason: str) -> None:
        before = self.state
        found = corrected_ship(before, ship, values, self._tables)
        self.state = found.state
        pose = found.state.poses[ship]
        self.events.append(
            ValuesCorrected(
                ship=ship,
                changes=found.changes,
                reason=reason,
                status=found.state.vessel(ship).status,
                x_yards=pose.x_yards,
                y_yards=pose.y_yards,
                heading_deg=pose.heading_deg,
            )
        )
        if before.in_command(ship) and not found.state.in_command(ship):
            self._act_alone(ship)

    def _act_alone(self, ship: str) -> None:
        """A ship set out of command in the middle of a phase moves next and fires last."""
        state = self.state
        if ship in state.acted or not state.order:
            return
        slot = Slot(ship, state.ship(ship).side, out_of_command=True)
        at = len(state.order) if state.phase is Phase.COMBAT else int(state.begun is not None)
        self.state = replace(state, order=(*state.order[:at], slot, *state.order[at:]))

    def _end(self, action: EndBattle) -> None:
        state = self.state
        if state.phase is Phase.ENDED:
            raise DreyerError("grand_fleets.battle.over")
        wishes = set(state.sides) if self._side is None else {self._side}
        wants = state.wants_to_end | wishes if action.agree else state.wants_to_end - wishes
        self.state = replace(state, wants_to_end=frozenset(wants))
        if wants >= set(state.sides):
            self._over(Message("grand_fleets.ending.agreed", reason=action.reason), "")

    # Dice

    def _roll(self, action: RollDice, dice: Dice) -> tuple[Roll, ...]:
        state = self.state
        if not state.tasks or self._must_choose_flag():
            raise DreyerError("grand_fleets.battle.no_dice")
        if action.first is not None and action.first != state.rolled + 1:
            raise DreyerError("grand_fleets.battle.other_dice", number=state.rolled + 1)
        reach, begins = action.reach, self._begins(action.reach)
        rolls: list[Roll] = []
        queue = len(state.tasks)
        while queue and self.state.tasks and not self._must_choose_flag():
            queue -= 1
            if begins is None:
                break
            self._bring_forward(begins)
            new, done = self._roll_for(begins, dice, reach, first=not rolls)
            rolls += new
            if not done or reach.only:
                break
            self._flags()
            begins = self._begins(replace(reach, roll=None), needed=False)
        return tuple(rolls)

    def _begins(self, reach: DiceReach, *, needed: bool = True) -> Task | None:
        """The task that dice begin with; BadDice where none is open that they may be for."""
        wanted = self.all_wanted()
        for task, each in wanted:
            if reach.roll in (None, each.roll) and reach.includes(each.side):
                return task
        if not needed or not wanted:
            return None
        gone = reach.roll not in (None, *(each.roll for _, each in wanted))
        raise BadDice("dice.roll_gone" if gone else "dice.none_of_yours")

    def all_wanted(self) -> tuple[tuple[Task, DiceWanted], ...]:
        """The tasks that may be rolled for now, each with its next dice.

        Rolls for commanders, initiative and command checks do not depend on each other; shots are
        rolled one after the other, since damage counts at once.
        """
        state = self.state
        if not state.tasks or state.vacant:
            return ()
        apart = takewhile(lambda task: isinstance(task, ROLLED_APART), state.tasks)
        tasks = state.tasks[:1] if state.rolls else tuple(apart) or state.tasks[:1]
        found = ((task, self._wanted(task)) for task in tasks)
        return tuple((task, wanted) for task, wanted in found if wanted is not None)

    def _wanted(self, task: Task) -> DiceWanted | None:
        before, events = self.state, list(self.events)
        try:
            self._bring_forward(task)
            self.run(task, TaskDice(before, task, self._shot_id(task)))
        except OutOfDice as out:
            kind, purpose = out.wanted, out.purpose
        else:
            return None
        finally:
            self.state, self.events = before, events
        roll = purpose["roll"]
        side = side_of(before, task, roll if isinstance(roll, Message) else purpose)
        faces = [each.faces for each in before.rolls]
        place = before.turn, before.phase
        shown = without_shot(purpose)
        return DiceWanted(
            kind,
            purpose,
            side,
            before.rolled + 1,
            roll=short_id(place, shown, self._shot_id(task), *faces),
        )

    def _bring_forward(self, task: Task) -> None:
        tasks = self.state.tasks
        others = tuple(each for each in tasks if each is not task)
        self.state = replace(self.state, tasks=(task, *others))

    def _shot_id(self, task: Task) -> str:
        """What tells this very shot from any other of the same ships in the same phase."""
        if not isinstance(task, ShotRoll):
            return ""
        shot = task.shot
        found = self._free.check(self.state.free, shot)
        torpedoes = shot.torpedoes if isinstance(shot, TorpedoAttack) else 0
        guns = [(mount.name, mount.bears) for mount in found.mounts]
        return short_id(shot.kind, torpedoes, shot.quadrant, shot.aspect, found.factor, guns)

    def _roll_for(
        self, task: Task, source: Dice, reach: DiceReach, *, first: bool
    ) -> tuple[tuple[Roll, ...], bool]:
        """As many dice of a task as there are; whether that were all."""
        before, fallen = self.state, self.state.rolls
        dice = TaskDice(before, task, self._shot_id(task), source, reach)
        try:
            self.run(task, dice)
        except OutOfDice:
            # What ran before the dice ended is played again when the others have fallen.
            self.state, new = before, tuple(dice.new)
            if first and not new:
                raise
            self.state = replace(before, rolls=(*fallen, *new), rolled=before.rolled + len(new))
            return new, False
        new = tuple(dice.new)
        self.events += umpire_events((*fallen, *new))
        self.state = replace(self.state, rolls=(), rolled=before.rolled + len(new))
        return new, True

    def run(self, task: Task, dice: Dice) -> None:
        """Do what is rolled for; OutOfDice, and nothing has happened, where dice are missing."""
        state = self.state
        tasks = state.tasks[1:]
        match task:
            case QualityRoll(division=name):
                flagship = _flagship(state, name)
                self._free_play(CommandQuality(by=flagship, kind="command quality"), dice)
            case InitiativeRoll(division=name):
                flagship = _flagship(state, name)
                self._free_play(Initiative(by=flagship), dice)
                score = self.state.marks(flagship).initiative or 0
                found = {**self.state.initiative, name: score}
                self.state = replace(self.state, initiative=MappingProxyType(found))
            case ReturnRoll(ship=ship):
                quality = state.quality(state.division_of(ship))
                said = cast("QualityChoice", str(quality))
                self._free_play(CommandCheck(by=ship, quality=said), dice)
            case FlagRoll(division=name, ship=ship):
                self._free_play(CommandQuality(by=ship, kind="flag transfer"), dice)
                division = replace(self.state.division(name), flagship=ship)
                self.state = self.state.with_division(division)
            case ShotRoll(shot=shot, title=title):
                if state.in_action(shot.at) and state.in_action(shot.by):
                    self._free_play(shot, dice)
                else:
                    lost = ShotLost(
                        ship=shot.by, target=shot.at, rule=RULES[Phase.COMBAT], title=title
                    )
                    self.events.append(lost)
            case OrderRoll():
                self._set_order(dice)
        self.state = replace(self.state, tasks=tasks)

    def _set_order(self, dice: Dice) -> None:
        state = self.state
        moving = state.phase is Phase.MOVEMENT
        divisions = [
            OrderedUnit(each.name, each.side, state.initiative.get(each.name, 0))
            for each in state.divisions
            if any(state.in_action(ship) and state.in_command(ship) for ship in each.ships)
        ]
        out_of_command = [
            OrderedUnit(ship.id, ship.side)
            for ship in state.free.ships
            if state.in_action(ship.id) and not state.in_command(ship.id)
        ]
        thrown = RecordedDice(dice)
        order = (movement_order if moving else combat_order)(divisions, out_of_command, thrown)
        names = {turn.name for turn in out_of_command}
        slots = tuple(Slot(turn.name, turn.side, turn.score, turn.name in names) for turn in order)
        self.state = replace(state, order=slots)
        self.events.append(
            OrderSet(
                rule=RULES[state.phase],
                names=tuple(slot.name for slot in slots),
                rolls=tuple(face for roll in thrown.rolls for face in roll.faces),
            )
        )

    # What comes next by itself

    def advance(self) -> None:
        """Go on until a player has to do something."""
        while self.state.phase is not Phase.ENDED:
            self._flags()
            if self._must_choose_flag():
                return
            if self.state.tasks:
                try:
                    self.run(
                        self.state.tasks[0],
                        TaskDice(self.state, self.state.tasks[0], ""),
                    )
                except OutOfDice:
                    return
                continue
            if not self._next_phase():
                return

    def _next_phase(self) -> bool:
        """Begin the next phase, if this one is done."""
        state = self.state
        match state.phase:
            case Phase.COMMANDERS | Phase.INITIATIVE:
                following = Phase.INITIATIVE if state.phase is Phase.COMMANDERS else Phase.MOVEMENT
                self._begin(following)
                return True
            case Phase.MOVEMENT | Phase.COMBAT:
                self._drop_done_slots()
                if self.state.order:
                    return False
                if state.phase is Phase.MOVEMENT:
                    self._begin(Phase.COMMAND)
                else:
                    self._end_phase()
                return True
            case Phase.COMMAND:
                if not state.measured:
                    self._measure_command()
                if self.state.ready >= set(state.sides):
                    self._begin(Phase.COMBAT)
                    return True
                return False
        return False

    def _begin(self, phase: Phase) -> None:
        state = self.state
        tasks: tuple[Task, ...] = ()
        if phase is Phase.INITIATIVE:
            settled: FreeState[Marks] = state.free.next_round(state.free.marks)
            state = replace(state, free=settled, initiative=MappingProxyType({}))
            tasks = tuple(
                InitiativeRoll(each.name)
                for each in state.divisions
                if any(state.in_action(ship) and state.in_command(ship) for ship in each.ships)
            )
        elif phase in (Phase.MOVEMENT, Phase.COMBAT):
            tasks = (OrderRoll(),)
        elif phase is Phase.COMMAND:
            tasks = tuple(
                ReturnRoll(ship)
                for each in state.divisions
                if each.flagship is not None
                for ship in each.ships
                if state.in_action(ship) and not state.in_command(ship)
            )
        self.state = replace(
            state,
            phase=phase,
            tasks=tasks,
            order=(),
            begun=None,
            acted=frozenset(),
            ready=frozenset(),
            measured=False,
        )
        self.events.append(PhaseBegan(rule=RULES[phase], turn=self.state.turn, phase=phase.value))

    def _drop_done_slots(self) -> None:
        left = tuple(slot for slot in self.state.order if self.state.to_act(slot))
        begun = self.state.begun
        if not left or left[0].name != begun:
            begun = None
        self.state = replace(self.state, order=left, begun=begun)

    def _measure_command(self) -> None:
        """Who has no chain of ships to her flagship drops out (The Command Phase)."""
        state = self.state
        self.state = replace(state, measured=True)
        if not state.models():
            return
        measured = survey_of(state, self._rules)
        strict, lenient = distance_in(measured), lenient_distance(measured)
        for division in state.divisions:
            afloat = [ship for ship in division.ships if state.in_action(ship)]
            out = [ship for ship in afloat if not state.in_command(ship)]
            flagship = division.flagship or ""
            linked = in_command(flagship, afloat, lenient, self._tables, out=out)
            self._drop_out(ship for ship in afloat if ship not in linked and ship not in out)
            near = in_command(flagship, afloat, strict, self._tables, out=out)
            self.events += (
                CommandDoubtful(ship=ship, rule=RULES[Phase.COMMAND])
                for ship in afloat
                if ship in linked - near
            )

    def _end_phase(self) -> None:
        """Count the points; whoever has enough has won (Victory!)."""
        state = self.state
        points = {side: state.score[side] for side in state.sides}
        self.events.append(ScoreCounted(rule="Victory!", points=tuple(points.items())))
        won = winner(points, state.battle_size, self._tables)
        afloat = {ship.side for ship in state.free.ships if state.in_action(ship.id)}
        if won == DRAW:
            self._over(Message("grand_fleets.ending.draw"), "")
        elif won:
            self._over(Message("grand_fleets.ending.won", side=state.side_title(won)), won)
        elif len(afloat) < len(state.sides):
            (left,) = afloat or {""}
            self._over(Message("grand_fleets.ending.alone", side=state.side_title(left)), left)
        else:
            self._begin(Phase.INITIATIVE)

    def _over(self, why: Message, won: str) -> None:
        self.state = replace(self.state, phase=Phase.ENDED, ending=why, order=(), tasks=())
        self.events.append(BattleEnded(rule="Victory!", why=why, winner=won))

    # Flags

    def _flags(self) -> None:
        """Find who takes over the flags of sunk flagships, where nobody has to choose."""
        state = self.state
        for division in state.divisions:
            flagship = division.flagship
            if flagship is None or state.in_action(flagship) or division.name in state.vacant:
                continue
            if any(isinstance(each, FlagRoll) and each.division == division.name
                   for each in state.tasks):  # fmt: skip
                continue
            self.state = replace(self.state, vacant=(*self.state.vacant, division.name))
        for name in self.state.vacant:
            heirs = chain_of_command(self.state, self.state.division(name))
            if not heirs:
                self._lose_flag(name)
            elif len(heirs) == 1:
                self._hand_over(name, heirs[0])

    def _hand_over(self, division: str, ship: str) -> None:
        state = self.state
        tasks = state.tasks
        if state.rolls:
            raise self._refused("dice_first", FLAG)
        self.state = replace(
            state,
            vacant=tuple(each for each in state.vacant if each != division),
            tasks=(FlagRoll(division, ship), *tasks),
        )

    def _lose_flag(self, name: str) -> None:
        """Nobody in command is left: the division stays out of command to the end."""
        division = self.state.division(name)
        self.state = replace(
            self.state.with_division(replace(division, flagship=None)),
            vacant=tuple(each for each in self.state.vacant if each != name),
        )
        if any(self.state.in_action(ship) for ship in division.ships):
            self.events.append(FlagLost(rule=FLAG, division=name))
            self._drop_out(division.ships)

    def _must_choose_flag(self) -> bool:
        return bool(self.state.vacant)

    # Helpers

    def _free_play(self, action: Action, dice: Dice) -> None:
        """Play an action as in free play, and count what it scores."""
        outcome = self._free.play(self.state.free, action, dice)
        self.state = replace(self.state, free=outcome.state)
        self.events += outcome.events
        for event in outcome.events:
            if isinstance(event, Scored):
                gone = event.target or event.ship or ""
                side = self.state.other_side(self.state.ship(gone).side)
                score = {**self.state.score, side: self.state.score[side] + event.points}
                self.state = replace(self.state, score=MappingProxyType(score))

    def _drop_out(self, ships: Iterable[str]) -> None:
        for ship in ships:
            if self.state.in_action(ship) and self.state.in_command(ship):
                self.state = self.state.with_marks(ship, out_of_command=True)
                self.events.append(CommandLost(ship=ship, rule=RULES[Phase.COMMAND]))

    def _actor(self, name: str, phase: Phase) -> str:
        """A ship of the acting side whose turn it is; Forbidden, with the rule, where it is not."""
        state, rule = self.state, RULES[phase]
        ship = self._ship(name)
        self._own(state.ship(ship).side)
        if state.phase is not phase:
            raise self._refused(f"not_in_{phase.value}", rule)
        state.vessel(ship).refuse_out_of_the_game(rule)
        if self._must_choose_flag():
            raise self._refused("flag_first", FLAG)
        if state.tasks:
            raise self._refused("dice_first", rule)
        if ship in state.acted:
            raise self._refused(f"acted_in_{phase.value}", rule, ship=ShipRef(ship))
        if state.slot_of(ship) is None:
            raise self._not_yet(ship)
        return ship

    def _has_acted(self, ship: str) -> None:
        state, slot = self.state, self.state.slot_of(ship)
        assert slot is not None  # noqa: S101  # Who may not act was refused before.
        self.state = replace(
            state,
            order=_brought_forward(state.order, slot),
            begun=slot.name,
            acted=state.acted | {ship},
        )

    def _ship(self, name: str) -> str:
        return self.state.ship(name).id

    def _own(self, side: str) -> None:
        if self._side is not None and self._side != side:
            raise DreyerError("grand_fleets.battle.not_yours")

    def _refused(self, code: str, rule: str, **params: ShipRef | str) -> Forbidden:
        return Forbidden(Message(f"grand_fleets.refused.{code}", **params), rule)

    def _not_yet(self, name: str) -> Forbidden:
        state = self.state
        now = tuple(slot.name for slot in state.next_slots)
        return Forbidden(
            Message("grand_fleets.refused.not_yet", name=name, now=now), RULES[state.phase]
        )


def label_of(state: FleetState, task: Task) -> Message:
    """Whose dice they are."""
    match task:
        case QualityRoll(division=name) | InitiativeRoll(division=name):
            return verbatim(name)
        case ReturnRoll(ship=ship) | FlagRoll(ship=ship):
            return Message("grand_fleets.roll.ship", ship=ShipRef(ship))
        case ShotRoll(shot=shot):
            return Message("grand_fleets.roll.shot", ship=ShipRef(shot.by), target=ShipRef(shot.at))
        case OrderRoll():
            return Message(f"grand_fleets.phase.{state.phase.value}")


def without_shot(purpose: Message) -> Message:
    """The purpose of a roll without what tells the very shot."""
    return Message(purpose.code, **{k: v for k, v in purpose.params if k != "shot"})


def side_of(state: FleetState, task: Task, roll: Message) -> str | None:
    """The side that rolls; None where both players do."""
    match task:
        case ShotRoll(shot=shot) if roll.code == "grand_fleets.roll.damage_check":
            # Whose ship is hurt rolls for what she loses (Damage Checks).
            return state.ship(shot.at).side
        case QualityRoll(division=name) | InitiativeRoll(division=name) | FlagRoll(division=name):
            return state.division(name).side
        case ReturnRoll(ship=ship):
            return state.ship(ship).side
        case ShotRoll(shot=shot):
            return state.ship(shot.by).side
        case OrderRoll():
            return None


def _brought_forward(order: tuple[Slot, ...], slot: Slot) -> tuple[Slot, ...]:
    """The order with a turn that its player has chosen first, in exchange for the one due."""
    due = order[0]
    changed = {due: slot, slot: due}
    return tuple(changed.get(each, each) for each in order)


def _flagship(state: FleetState, division: str) -> str:
    flagship = state.division(division).flagship
    assert flagship is not None  # noqa: S101  # Only divisions that have one roll.
    return flagship


def _moved(ship: str, pose: Pose, check: ShipMoveCheck | None = None) -> ModelMoved:
    """A model's new place: after a move, or as it is placed."""
    return ModelMoved(
        ship=ship,
        rule="First Movement Phase" if check is None else RULES[Phase.MOVEMENT],
        x_yards=pose.x_yards,
        y_yards=pose.y_yards,
        heading_deg=pose.heading_deg,
        way=() if check is None else check.points,
        placed=check is None,
        nudged_yards=0 if check is None else check.nudged_yards,
    )
