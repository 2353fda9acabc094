"""A battle as everybody may see it: nothing is secret in Grand Fleets."""

from combat.actions import ActionInfo, ActionOffer, by_kind
from combat.dice_wanted import DiceWanted
from combat.guided_actions import EndBattle, RollDice, Settle
from combat.guided_play import OrderedView, Step, StepMark
from combat.optional_rules import RuleValue
from combat.participants import Seat
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    Correct,
    DeclareFire,
    FireNext,
    HoldFire,
    LeaveTable,
    MoveDivision,
    MoveShip,
    PlaceDivision,
    SetCommand,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.initial_state import chain_of_command
from combat.rulebooks.grand_fleets.guided_battle.state import (
    Agreed,
    Division,
    FleetState,
    Phase,
    ShotRoll,
)
from combat.rulebooks.grand_fleets.guided_battle.story import SEGMENTS
from combat.rulebooks.grand_fleets.sheet import glance_at, trouble_of
from combat.rulebooks.grand_fleets.terms import marker_message
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.ship_conditions import ShipCondition, conditions_of
from combat.tables import TableSet
from combat.views import (
    ActionView,
    ActorView,
    AgreedView,
    DeclaredShotView,
    DivisionView,
    OrderedShipView,
    ScoreView,
    VacantFlagView,
)
from tabletop.messages import Message


def battle_size(state: FleetState) -> RuleValue:
    """The size of the battle, for the card of the rules in force."""
    return RuleValue(
        key="battle_size",
        label=Message("grand_fleets.question.conditions.battle_size"),
        value=size_title(state.battle_size),
        rule="Victory!",
    )


def size_title(size: str) -> Message:
    """The size of a battle in words."""
    return Message(f"grand_fleets.choice.battle_size.{size.replace(' ', '_')}")


def _info(kind: str, rule: str, type_: type) -> ActionInfo:
    title = Message(f"grand_fleets.battle_action.{kind.replace('-', '_')}")
    return ActionInfo(kind, title, rule, type_)


INFOS = by_kind(
    (
        _info("place-division", "First Movement Phase", PlaceDivision),
        _info("move-ship", "The Movement Phase", MoveShip),
        _info("move-division", "The Movement Phase", MoveDivision),
        _info("leave-table", "The Movement Phase", LeaveTable),
        _info("set-command", "The Command Phase", SetCommand),
        _info("command-done", "The Command Phase", CommandDone),
        _info("take-flag", "Transferring the Flag", TakeFlag),
        _info("declare-fire", "The Combat Phase", DeclareFire),
        _info("fire-next", "The Combat Phase", FireNext),
        _info("hold-fire", "The Combat Phase", HoldFire),
        _info("rule", "Line of Fire", Settle),
        _info("dice", "", RollDice),
        _info("correct", "", Correct),
        _info("end", "Victory!", EndBattle),
    )
)


def offers(state: FleetState, seat: Seat, *, rolls: bool) -> tuple[ActionOffer, ...]:
    """What a seat may do now."""
    mine = [side for side in state.sides if seat.may_act_for(side)]
    if not mine or state.phase is Phase.ENDED:
        return ()
    kinds = []
    if any(state.division(name).side in mine for name in state.vacant):
        kinds.append("take-flag")
    acts = any(slot.side in mine for slot in state.next_slots)
    if acts and state.phase is Phase.MOVEMENT:
        kinds += (
            ["place-division"]
            if state.is_first_movement
            else ["move-ship", "move-division", "leave-table"]
        )
    if acts and state.phase is Phase.COMBAT:
        kinds += ["declare-fire", "hold-fire"]
    if any(state.ship(each.shot.by).side in mine for each in later_fires(state)):
        kinds.append("fire-next")
    if state.phase is Phase.COMBAT:
        kinds.append("rule")
    if state.phase is Phase.COMMAND and state.measured and not state.tasks:
        kinds.append("set-command")
        if any(side not in state.ready for side in mine):
            kinds.append("command-done")
    if rolls:
        kinds.append("dice")
    if seat.umpire:
        kinds.append("correct")
    kinds.append("end")
    return tuple(ActionOffer(INFOS[kind], INFOS[kind].title) for kind in kinds)


def view(
    state: FleetState,
    seat: Seat,
    tables: TableSet,
    *,
    step: Step,
    sequence: tuple[StepMark, ...],
    actions: tuple[ActionOffer, ...],
    wanted: tuple[DiceWanted, ...],
) -> OrderedView:
    """The battle as a seat sees it."""
    threshold = tables["battle_sizes"].integer(state.battle_size, "threshold")
    later = later_fires(state)
    return OrderedView(
        step=step,
        sequence=sequence,
        actions=tuple(ActionView(each.kind, each.title, each.info.rule) for each in actions),
        wanted=next(iter(wanted), None),
        all_wanted=wanted,
        title=state.title,
        sides=state.sides,
        you=seat.side,
        sees_all=seat.umpire,
        round=state.turn,
        segment=SEGMENTS[state.phase],
        wants_to_end=tuple(sorted(state.wants_to_end)),
        ending=state.ending,
        ships=tuple(_ship(state, ship.id, seat) for ship in state.free.ships),
        smoke=(),
        agreed=tuple(
            _agreed(firer, target, figures) for (firer, target), figures in state.agreed.items()
        ),
        follows=None,
        divisions=tuple(_division(state, each) for each in state.divisions),
        order=_order(state),
        score=tuple(ScoreView(side, state.score[side], threshold) for side in state.sides),
        flags=tuple(
            VacantFlagView(name, division.side, chain_of_command(state, division))
            for name in state.vacant
            for division in (state.division(name),)
        ),
        declared=tuple(
            DeclaredShotView(task.shot.by, task.shot.at, task.shot.kind, task.title, task in later)
            for task in state.tasks
            if isinstance(task, ShotRoll)
        ),
    )


def later_fires(state: FleetState) -> tuple[ShotRoll, ...]:
    """The declared fires that may be resolved before the one that is due."""
    fires = tuple(task for task in state.tasks if isinstance(task, ShotRoll))
    return () if state.rolls or state.vacant else fires[1:]


def _agreed(firer: str, target: str, agreed: Agreed) -> AgreedView:
    figures = agreed.figures
    return AgreedView(
        firer=firer,
        target=target,
        range_yards=figures.range_yards,
        quadrant=figures.quadrant,
        aspect=figures.aspect,
        blocked=figures.blocked,
        smoke=figures.smoke,
        reason=agreed.reason,
        who=agreed.who,
    )


def _division(state: FleetState, division: Division) -> DivisionView:
    """A division; its commander's quality is shown once it is rolled."""
    flagship = division.flagship
    is_rated = flagship is not None and state.marks(flagship).command_quality is not None
    return DivisionView(
        name=division.name,
        side=division.side,
        ships=division.ships,
        flagship=flagship,
        heirs=chain_of_command(state, division),
        quality=state.quality(division) if is_rated else None,
        initiative=state.initiative.get(division.name),
    )


def _order(state: FleetState) -> tuple[ActorView, ...]:
    """Who has still to act in this phase, in order."""
    now = {slot.name for slot in state.next_slots}
    return tuple(
        ActorView(
            name=slot.name,
            side=slot.side,
            ships=state.to_act(slot),
            out_of_command=slot.out_of_command,
            now=slot.name in now,
        )
        for slot in state.order
        if state.to_act(slot)
    )


def _ship(state: FleetState, name: str, seat: Seat) -> OrderedShipView:
    ship, vessel, division = state.ship(name), state.vessel(name), state.division_of(name)
    return OrderedShipView(
        id=name,
        side=ship.side,
        pose=state.poses[name],
        base=state.bases[name],
        status=vessel.status,
        yours=seat.may_act_for(ship.side),
        name=name,
        type=ship.type,
        ship_class=vessel.card.ship_class,
        trouble=trouble_of(vessel),
        conditions=_conditions(vessel),
        glance=glance_at(vessel),
        division=division.name,
        flagship=division.flagship == name,
        in_command=state.in_command(name),
        on_table=name in state.placed and state.in_action(name),
        marker=marker_message(vessel.marks.marker),
        acted=name in state.acted,
        may_act=state.slot_of(name) is not None,
        points=vessel.card.victory_points or 0,
    )


def _conditions(ship: Vessel) -> tuple[ShipCondition, ...]:
    if ship.out_of_the_game:
        return ()
    return conditions_of(
        hull_lost=ship.marks.hull_lost / ship.hull_boxes if ship.hull_boxes else 0.0,
        stopped=bool(ship.card.speed) and ship.speed_kyds == 0,
    )
