"""What players settle between two ships, told to the battle, so that fire uses it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from combat.dice import TypedDice
from combat.game import Game
from combat.guided_actions import Settle
from combat.guided_play import FIRE_STEPS
from combat.participants import UMPIRE
from combat.views import AgreedView
from tabletop.messages import Message, ShipRef
from tabletop.rulings import AS_MEASURED, Figures
from tabletop.table import Pose
from web.actions.context import NO_CHANGE, ActionContext, Change, battle_change, event_change
from web.games.guided_game import GuidedGame
from web.journal.events import Entry, Event
from web.strings import text
from web.table.moment import settled_pair, standing_decisions, standing_ruling
from web.table.pieces import Couple
from web.table.state import TableState, apply


@dataclass(frozen=True, slots=True)
class AgreedFigures:
    """Figures that count instead of the measured ones, by whom and why."""

    figures: Figures
    reason: str
    who: str


def change_with_battle(context: ActionContext, event: Event, pair: Couple) -> Change:
    """What was settled between two ships, and the same for the battle while fire is designated."""
    battle = context.battle
    if battle is None:
        return event_change(event)
    # Played ahead, as the journal will have it, to see how the pair then counts.
    state = apply(context.state, Entry(0, 0.0, None, context.caller.name, event))
    lines = settled_lines(context, battle, battle.state, state, context.poses, (pair,))
    if lines.events:
        firer, target = map(ShipRef, pair)
        context.must_agree(battle.sides, Message("consent.line", firer=firer, target=target))
    return event_change(event) + lines


def settled_lines(
    context: ActionContext,
    battle: GuidedGame,
    battle_state: object,
    state: TableState,
    poses: Mapping[str, Pose],
    pairs: Iterable[Couple],
) -> Change:
    """The battle's actions that make its lines of fire count as the players have settled them."""
    rulebook = battle.rulebook
    if rulebook.step(battle_state).kind not in FIRE_STEPS or context.moment.survey is None:
        return NO_CHANGE
    view = rulebook.view(battle_state, UMPIRE)
    models = rulebook.models(battle_state, UMPIRE)
    sides = {models[ship.id]: ship.side for ship in view.ships if ship.in_action}
    known = {(models[each.firer], models[each.target]): each for each in view.agreed}
    change = NO_CHANGE
    asked = dict.fromkeys(pairs)
    for firer, target in dict.fromkeys((*asked, *((target, firer) for firer, target in asked))):
        if sides.get(firer) is None or sides.get(target) in (None, sides[firer]):
            continue
        agreed = _both_ways(context, state, poses, (firer, target))
        before = known.get((firer, target))
        if (firer, target) not in asked and _figures(before) == agreed.figures:
            # Nothing has changed for the fire the other way: what was agreed of it stays.
            continue
        if agreed.figures.has_any or before is not None:
            figures = agreed.figures
            settled = Settle(
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
            game = Game(rulebook, battle_state).play(0, settled, TypedDice(""))
            battle_state = game.state
            change += battle_change(rulebook, game.played[-1])
    return change


def _both_ways(
    context: ActionContext, state: TableState, poses: Mapping[str, Pose], pair: Couple
) -> AgreedFigures:
    """What counts for a line of fire: what was settled for it, and for the same line backwards."""
    own = _agreed(context, state, poses, pair)
    back = _agreed(context, state, poses, (pair[1], pair[0]))
    first = own or back
    if first is None:
        return AgreedFigures(AS_MEASURED, "", context.caller.name)
    figures = own.figures if own else AS_MEASURED
    return replace(first, figures=figures.over(back.figures.mirrored) if back else figures)


def _figures(agreed: AgreedView | None) -> Figures:
    """What the battle has as settled."""
    if agreed is None:
        return AS_MEASURED
    return Figures(agreed.range_yards, agreed.quadrant, agreed.aspect, agreed.blocked, agreed.smoke)


def settled_pairs(state: TableState) -> tuple[Couple, ...]:
    """Every pair about which something was ever settled on this table."""
    decided = ((firer, target) for firer, target, _ in state.decisions)
    return tuple(dict.fromkeys((*decided, *state.rulings)))


def _agreed(
    context: ActionContext, state: TableState, poses: Mapping[str, Pose], pair: Couple
) -> AgreedFigures | None:
    """What was settled for a line of fire and holds; None where it counts as measured."""
    decisions = standing_decisions(state, poses, pair)
    ruling = standing_ruling(state, poses, pair)
    if context.moment.survey is None or not (decisions or ruling) or not set(pair) <= set(poses):
        return None
    figures = settled_pair(context.moment.survey, pair, decisions, ruling).overruled
    if not figures.has_any:
        return None
    who = dict.fromkeys(each.who for each in (*decisions.values(), ruling) if each is not None)
    reason = ruling.reason if ruling is not None else str(text("fire.close_call"))
    return AgreedFigures(figures, reason, ", ".join(who)[:60])
