"""What players do in a battle: begin it, play its events, take steps back."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

from pydantic import Field, with_config

from combat.dice import Dice, TypedDice, kept_for
from combat.game import Game
from combat.guided_actions import (
    BattleAction,
    BattleOptions,
    Commit,
    EarlierBattles,
    EnteredDivision,
    Entrant,
    FleetLimits,
    Mark,
    Move,
    Opening,
    RollDice,
    Secret,
    Settle,
    StartingConditions,
    StartingMarks,
    Uncommit,
)
from combat.guided_play import (
    FIRE_STEPS,
    SECRET_STEPS,
    GuidedRulebook,
    OrderedRulebook,
    StepKind,
)
from combat.participants import UMPIRE, acting
from combat.rulebooks import get_ruleset
from combat.ships import ShipType
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.schema import CONFIG, Flag, Whole
from tabletop.table import Base, Pose
from web.actions.agreements import settled_lines, settled_pairs
from web.actions.context import (
    NO_CHANGE,
    RANGE_PARAM,
    ActionContext,
    Change,
    Reason,
    battle_change,
    event_change,
    piece_of,
)
from web.auth.seats import Caller, Forbidden, Right
from web.faults import Fault
from web.games.guided_game import GuidedGame, guided_rulebook
from web.journal.battle_plan import BattlePlan
from web.journal.battle_record import RecordedAction, UndoneActions, battle_undone
from web.journal.events import BattleBegun, Origin, ShipsPlaced, UndoAgreed, UndoAsked, UndoRefused
from web.journal.fields import PlacedShip
from web.sides import SideView

_OWN_STEPS = (Secret, Commit)
"""What a side may take back by itself while the other has seen nothing of it."""
_SECRET = (*_OWN_STEPS, Uncommit)
_AFTER_DICE = (RollDice, Mark, Secret)
"""What may have followed a roll that is typed anew."""


@dataclass(frozen=True, slots=True)
class BeginBattle:
    """Begin a battle with the ships as they stand on the table."""

    needs: ClassVar = Right.HOST
    conditions: StartingConditions = field(default_factory=StartingConditions)
    owner_values: str = ""
    options: BattleOptions | None = None
    """As the table's plan has them, where None."""
    ships: tuple[Entrant, ...] | None = None
    """Those on the table, where None."""
    hidden: bool = False
    marks: Mapping[str, StartingMarks] = field(default_factory=dict)
    """What ships on the table begin with, by name, over what the table's plan has for them."""
    follows: EarlierBattles | None = None
    """As the table's plan has it, where None."""
    divisions: tuple[EnteredDivision, ...] = ()
    """As the table's plan has them, or as the rulebook proposes them, where none is named."""
    limits: FleetLimits | None = None
    """As the table's plan has them, where None."""

    def change(self, context: ActionContext) -> Change:
        """The beginning, if the rulebook agrees to it."""
        state = context.state
        rulebook = guided_rulebook(state.ruleset, self.owner_values)
        if context.battle is not None and not context.battle.is_over:
            raise DreyerError("battle.begin.under_way")
        if self.hidden and self.ships is None:
            raise DreyerError(
                "battle.begin.hidden_on_table",
            )
        ships = _ships_on_table(context, self.marks) if self.ships is None else self.ships
        sides = tuple(sorted({ship.side for ship in ships}))
        plan = state.plan or BattlePlan()
        opening = Opening(
            title=state.title,
            sides=sides,
            allies=state.sides.pairs_of_allies(sides),
            side_names={key: SideView.of(state.sides[key]).name for key in sides},
            order_of_fire=state.sides.order_of_fire(sides),
            ships=ships,
            smoke=tuple(front.front for front in state.smoke),
            conditions=self.conditions,
            options=self.options or plan.options,
            hidden=self.hidden,
            follows=self.follows or plan.follows,
            divisions=self.divisions or plan.divisions,
            limits=self.limits or plan.limits,
            table_yards=(state.width_yards, state.height_yards),
            cards=_own_cards(context, ships),
        )
        setup = rulebook.set_up(opening)
        rulebook.begin(setup)
        edition = get_ruleset(state.ruleset).edition
        return event_change(
            BattleBegun(setup=setup, owner_values=self.owner_values, edition=edition)
        )


@dataclass(frozen=True, slots=True)
class Play:
    """One action of the battle, by the caller's own side; an umpire acts for anybody."""

    needs: ClassVar = Right.PLAY
    action: BattleAction
    """Whose it is, is known from the caller."""
    dice: Dice = field(default_factory=lambda: TypedDice(""))

    def change(self, context: ActionContext) -> Change:
        """The action, and after it the rolls from before an undo that are wanted then."""
        try:
            return self._change(context)
        except DreyerError as error:
            if context.may_measure or not error.message.has(RANGE_PARAM):
                raise
            raise DreyerError("battle.order.not_measured") from None

    def _change(self, context: ActionContext) -> Change:
        battle = under_way(context)
        side = acting_side(battle, context.caller)
        poses = standing_poses(context, battle, side)
        asked = replace(self.action, side=side)
        if isinstance(asked, RollDice):
            asked = _known_roll(context, battle, asked)
        action = battle.rulebook.with_models(battle.state, asked, poses)
        if isinstance(action, Settle):
            action = replace(action, who=context.caller.name)
        dice = self.dice
        if isinstance(dice, TypedDice) and side is None:
            dice = dice.for_side()
        typed = dice if isinstance(dice, TypedDice) else None
        game = battle.game.play(0, action, dice)
        if _accepts_places(battle, action):
            context.must_agree(battle.sides, Message("consent.places"))
        if typed is not None:
            # What was rolled for names ships and targets, and an error would tell them.
            with battle.rulebook.errors_for(battle.state, action.side):
                typed.finish()
        again = with_marks(battle.rulebook, with_kept_rolls(battle.rulebook, game) or game)
        change = battle_change(battle.rulebook, *again.played[len(battle.game.played) :])
        state = again.state
        if _poses(battle, state) != _poses(battle, battle.state) or action is not asked:
            change += _put_down(context, battle, state)
        if _takes_lines(battle, state) and not _takes_lines(battle, battle.state):
            # What was settled as soon as the models stood is known to the battle only now.
            pairs = settled_pairs(context.state)
            change += settled_lines(context, battle, state, context.state, context.poses, pairs)
        return change


@dataclass(frozen=True, slots=True)
class RollKept:
    """Read the rolls again that fell before an undo, as far as they are wanted now."""

    needs: ClassVar = Right.PLAY

    def change(self, context: ActionContext) -> Change:
        """The rolls."""
        battle = under_way(context)
        acting_side(battle, context.caller)
        again = with_kept_rolls(battle.rulebook, battle.game)
        if again is None:
            raise DreyerError(
                "battle.dice.none_kept",
            )
        again = with_marks(battle.rulebook, again)
        return battle_change(battle.rulebook, *again.played[len(battle.game.played) :])


def rolls_for(
    battle: GuidedGame, side: str | None, seated: Collection[str]
) -> tuple[str, ...] | None:
    """The sides whose dice a side may enter: its own, and those that nobody else plays.

    None is everybody's, for an umpire.
    """
    if side is None:
        return None
    return tuple(each for each in battle.sides if each == side or each not in seated)


def _known_roll(context: ActionContext, battle: GuidedGame, action: RollDice) -> RollDice:
    """Dice for the very roll that they were sent for, and for nobody else's."""
    sides = rolls_for(battle, action.side, context.seated)
    wanted = battle.rulebook.all_wanted(battle.state)
    if not wanted:
        raise DreyerError("battle.dice.none_wanted")
    action = replace(action, sides=sides)
    usable = [each for each in wanted if action.reach.includes(each.side)]
    if action.roll is None:
        found = next(iter(usable), None)
    else:
        found = battle.wanted_by(action.roll)
        if found is None:
            raise Fault(409, Message("battle.dice.roll_gone"))
    if found is None or found not in usable:
        raise Forbidden("battle.dice.not_yours")
    if kept_for(battle.game.kept_rolls(action), found.kind, found.purpose):
        raise Fault(409, Message("battle.dice.stay"))
    return replace(action, roll=found.roll)


def _accepts_places(battle: GuidedGame, action: BattleAction) -> bool:
    """Whether a move is done only because models are accepted where they were not plotted."""
    if not isinstance(action, Move) or not (action.accept or action.accept_all):
        return False
    try:
        battle.game.play(0, replace(action, accept=(), accept_all=False), TypedDice(""))
    except DreyerError:
        return True
    return False


def _takes_lines(battle: GuidedGame, state: object) -> bool:
    return battle.rulebook.step(state).kind in FIRE_STEPS


def with_kept_rolls(rulebook: GuidedRulebook[object], game: Game[object]) -> Game[object] | None:
    """The battle with all kept rolls that are wanted now; None where there is none."""
    again, begun = game, len(game.played)
    while True:
        action = RollDice(only=True)
        kept = again.kept_rolls(action)
        wanted = next(
            (
                each
                for each in rulebook.all_wanted(again.state)
                if kept_for(kept, each.kind, each.purpose)
            ),
            None,
        )
        if wanted is None:
            return again if len(again.played) > begun else None
        again = again.play(0, replace(action, roll=wanted.roll), TypedDice(""))


def with_marks(rulebook: GuidedRulebook[object], game: Game[object]) -> Game[object]:
    """The battle with its damage marked: nobody has to decide anything about it (56.4)."""
    if rulebook.step(game.state).kind is StepKind.MARK:
        return game.play(0, Mark(), TypedDice(""))
    return game


def marks_by_itself(action: BattleAction) -> bool:
    """Whether damage was marked for all sides at once, which is nobody's step."""
    return isinstance(action, Mark) and action.side is None


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class UndoOwn:
    """Take back one's own last step, which nobody else has seen."""

    needs: ClassVar = Right.PLAY

    def change(self, context: ActionContext) -> Change:
        """The step, undone."""
        battle = under_way(context)
        acting_side(battle, context.caller)
        step = own_step_to_undo(battle, context.caller)
        if step is None:
            raise DreyerError(
                "battle.undo_fault.none_unseen",
            )
        return _undone(context, battle, {step.n})


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class AskUndo:
    """Ask to go back to just after an event; an umpire does not have to ask."""

    needs: ClassVar = Right.PLAY
    after: Annotated[Whole, Field(ge=0, le=2**53)]
    """The event's number in the log."""
    words: Reason = ""
    retype: Flag = False
    """Whether the roll after that event was typed wrongly, and is to be typed anew; all other dice
    stay with their shots."""

    def change(self, context: ActionContext) -> Change:
        """The request, or the undoing itself where nobody has to agree."""
        battle = under_way(context)
        gone = undone_after(battle, self.after, retype=self.retype)
        if not gone:
            raise DreyerError("battle.undo_fault.nothing_since")
        if self.after != battle.record.begun and self.after not in {
            each.n for each in battle.record.events
        }:
            raise DreyerError(
                "battle.undo_fault.step_gone",
            )
        if self.retype:
            _check_retyped(battle, gone)
        side = acting_side(battle, context.caller)
        if side is None or not _must_agree(context, battle, side):
            return _undone(context, battle, gone, retype=self.retype)
        words = " ".join(self.words.split())[:120]
        return event_change(UndoAsked(after=self.after, side=side, words=words, retype=self.retype))


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """Agree to a request to go back, refuse it, withdraw one's own, or clear its refusal."""

    needs: ClassVar = Right.PLAY
    request: Annotated[Whole, Field(ge=0, le=2**53)]
    """The number of the request that is answered, as the view has it."""
    agree: Flag

    def change(self, context: ActionContext) -> Change:
        """The undoing once every other side with people has agreed, or an end of the request."""
        battle = under_way(context)
        request, refused = battle.record.request, battle.record.refused
        side = acting_side(battle, context.caller)
        if request is None:
            own = refused is not None and (refused.request.n, refused.request.side) == (
                self.request,
                side,
            )
            if not own or self.agree:
                raise Fault(409, Message("battle.undo_fault.not_asked"))
            return event_change(UndoRefused(withdrawn=True))
        if request.n != self.request:
            raise Fault(409, Message("battle.undo_fault.other_request"))
        if not self.agree:
            return event_change(UndoRefused(withdrawn=side == request.side))
        if side == request.side:
            raise Forbidden("battle.undo_fault.not_yours")
        asked = _must_agree(context, battle, request.side)
        if side is not None and asked - {side, *request.agreed}:
            return event_change(UndoAgreed(side=side))
        gone = undone_after(battle, request.after, retype=request.retype)
        return _undone(context, battle, gone, retype=request.retype)


def _must_agree(context: ActionContext, battle: GuidedGame, side: str | None) -> set[str]:
    """The sides that have to agree to a step back that a side asks for."""
    return {each for each in battle.sides if each in context.seated} - {side}


def undone_after(battle: GuidedGame, after: int, *, retype: bool = False) -> set[int]:
    """The actions that a step back undoes: all since an event.

    Where a roll is typed anew other rolls stand, unless they follow from it.
    """
    later = [each for each in battle.record.events if each.n > after]
    if retype:
        alone = {
            each.n
            for number, each in enumerate(later)
            if number == 0 or not isinstance(each.action, RollDice)
        }
        with suppress(DreyerError):
            battle.game.without(alone)
            return alone
    return {each.n for each in later}


def mistyped_roll(battle: GuidedGame, caller: Caller) -> RecordedAction | None:
    """The last roll that the caller's side typed, as long as it can be typed anew."""
    for recorded in reversed(battle.record.events):
        action = recorded.action
        if not isinstance(action, _AFTER_DICE):
            return None
        is_own = caller.is_umpire or (caller.seat is not None and action.side == caller.seat.side)
        if is_own and _is_typed(recorded):
            return recorded
    return None


def _is_typed(recorded: RecordedAction) -> bool:
    """Whether a person typed dice of an action."""
    is_dice = isinstance(recorded.action, RollDice)
    return is_dice and any(not roll.by_server for roll in recorded.rolls)


def _check_retyped(battle: GuidedGame, gone: Collection[int]) -> None:
    """A typed roll is typed anew only where no order was given since that others know of."""
    undone = [each for each in battle.record.events if each.n in gone]
    if not (_is_typed(undone[0]) and all(isinstance(each.action, _AFTER_DICE) for each in undone)):
        raise DreyerError("battle.undo_fault.nothing_typed")


def under_way(context: ActionContext) -> GuidedGame:
    """The battle on the table."""
    if context.battle is None:
        raise DreyerError("battle.not_begun")
    return context.battle


def acting_side(battle: GuidedGame, caller: Caller) -> str | None:
    """The side a caller acts for; None is the umpire, who acts for anybody."""
    if caller.is_umpire:
        return None
    seat = caller.seat
    if seat is None or seat.side not in battle.sides:
        raise Forbidden("battle.not_in_it")
    return seat.side


def own_step_to_undo(battle: GuidedGame, caller: Caller) -> RecordedAction | None:
    """The last step of the caller's side that the other has seen nothing of."""
    if not caller.is_umpire and (caller.seat is None or caller.seat.side not in battle.sides):
        return None
    side = acting_side(battle, caller)
    if isinstance(battle.rulebook, OrderedRulebook):
        return _own_open_step(battle, side)
    if battle.step.kind not in SECRET_STEPS:
        return None
    # A commitment that has opened the orders of the step before was seen by all.
    for recorded in reversed(battle.record.events[battle.step_began :]):
        action = recorded.action
        if not isinstance(action, _SECRET):
            return None
        if isinstance(action, _OWN_STEPS) and (side is None or action.side == side):
            return recorded
    return None


def _own_open_step(battle: GuidedGame, side: str | None) -> RecordedAction | None:
    """Where nothing is secret: the last step of all, if it is one's own and no die has fallen."""
    last = battle.record.events[-1] if battle.record.events else None
    if last is None or last.rolls or isinstance(last.action, RollDice | Settle):
        return None
    return last if side is None or last.action.side == side else None


def _ships_on_table(
    context: ActionContext, marks: Mapping[str, StartingMarks]
) -> tuple[Entrant, ...]:
    ships = []
    plan = context.state.plan or BattlePlan()
    for name in marks:
        piece_of(context, name)
    for name, piece in context.state.pieces.items():
        if name not in context.poses:
            raise DreyerError("battle.begin.not_placed", name=name)
        if piece.type is None:
            raise DreyerError(
                "battle.begin.no_type",
                name=name,
            )
        ship = Entrant(
            name=name,
            type=piece.type,
            side=piece.side,
            pose=exact_pose(context.poses[name]),
            base=Base(piece.length_yards, piece.width_yards, piece.bridge_yards),
            marks=marks.get(name, plan.marks.get(name)),
        )
        ships.append(ship)
    return tuple(ships)


def _own_cards(context: ActionContext, ships: Sequence[Entrant]) -> tuple[ShipType, ...]:
    """The cards of these ships that players have written."""
    ruleset = context.state.ruleset
    theirs, ours = context.moment.library.get(ruleset).ships, get_ruleset(ruleset).ships
    names = dict.fromkeys(ship.type or ship.name for ship in ships)
    cards = {card.name: card for name in names if (card := theirs.find(name)) is not None}
    return tuple(card for name, card in cards.items() if card != ours.find(name))


def exact_pose(pose: Pose) -> Pose:
    """The very spot, however well it was measured."""
    return Pose(pose.x_yards, pose.y_yards, pose.heading_deg)


def _undone(
    context: ActionContext, battle: GuidedGame, gone: set[int], *, retype: bool = False
) -> Change:
    """Undo these actions, keep their dice, and put models that had moved back.

    With `retype` what was typed of the first of these actions is not kept.
    """
    # What needs the undone step refuses here, and nothing is undone.
    game = battle.game.without(gone)
    new = len(game.taken_back) - len(battle.game.taken_back)
    # Whose hand entered the dice does not matter any more: they are kept for their segment.
    kept = tuple(replace(back, action=RollDice()) for back in game.taken_back[:new])
    if retype and kept:
        by_app = tuple(roll for roll in kept[0].rolls if roll.by_server)
        kept = ((replace(kept[0], rolls=by_app),) if by_app else ()) + kept[1:]
    undone = event_change(battle_undone(UndoneActions(frozenset(gone), kept)))
    moved = _poses(battle, game.state) != _poses(battle, battle.state)
    put_down = _put_down(context, battle, game.state) if moved else NO_CHANGE
    if put_down.events:
        return undone + put_down
    # What the players have settled between two ships that stand where they stood holds on.
    pairs = settled_pairs(context.state)
    return undone + settled_lines(context, battle, game.state, context.state, context.poses, pairs)


def standing_poses(context: ActionContext, battle: GuidedGame, side: str | None) -> dict[str, Pose]:
    """Where the models stand: as camera or hand says since the plots opened; others are not told.

    The ships are named as the side knows them; a model of a hidden ship stands for her by label.
    """
    if isinstance(battle.rulebook, OrderedRulebook):
        # Nothing is written before the models move, and they always stood where the ships were.
        models = battle.rulebook.models(battle.state, acting(side))
        return {ship: context.poses[name] for ship, name in models.items() if name in context.poses}
    opened = max(
        (each.n for each in battle.record.events if isinstance(each.action, Commit)),
        default=0,
    )
    poses: dict[str, Pose] = {}
    for ship, name in battle.rulebook.models(battle.state, acting(side)).items():
        piece = context.state.pieces.get(name)
        if piece is None:
            continue
        placement = piece.placement
        by_hand = (
            placement is not None
            and not piece.follows
            and placement.n > opened
            # What going back has put back nobody has moved.
            and placement.origin is not Origin.PLOT
        )
        if name in context.sensed or by_hand:
            poses[ship] = context.poses[name]
    return poses


def _poses(battle: GuidedGame, state: object) -> dict[str, Pose]:
    return {ship.id: ship.pose for ship in battle.rulebook.view(state, UMPIRE).ships}


def _put_down(context: ActionContext, battle: GuidedGame, state: object) -> Change:
    """Models that nobody saw or moved stand where the battle has their ships."""
    ships = []
    models = battle.rulebook.models(state, UMPIRE)
    for ship in battle.rulebook.view(state, UMPIRE).ships:
        name = models[ship.id]
        pose = exact_pose(ship.pose)
        if name not in context.state.pieces or name in context.sensed:
            continue
        if pose == context.poses.get(name):
            continue
        ships.append(PlacedShip(name=name, pose=pose))
    if not ships:
        return NO_CHANGE
    return event_change(ShipsPlaced(ships=tuple(ships), origin=Origin.PLOT))
