"""What players settle between two ships, told to the battle, so that fire uses it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from combat.dice import TypedDice
from combat.game import Game
from combat.guided_actions import Settle
from combat.guided_play import StepKind
from combat.participants import UMPIRE
from combat.views import AgreedView
from tabletop.closecall import Question
from tabletop.rulings import AS_MEASURED, Source, settle
from tabletop.table import Pose
from web.actions.context import NO_CHANGE, Change, Ground, happens, plays
from web.games.guided_game import BattleNow
from web.journal.entries import Entry
from web.journal.events import Event
from web.strings import text
from web.table.moment import stands
from web.table.pieces import Couple, Decision, Ruling, decided_of
from web.table.state import TableState, apply

_FIGURES: Final = {
    Question.RANGE: "range_yards",
    Question.CONTACT: "range_yards",
    Question.QUADRANT: "quadrant",
    Question.ASPECT: "aspect",
    Question.SIGHT: "blocked",
    Question.SMOKE: "smoke",
}
_MIRRORED: Final = {
    "range_yards": "range_yards",
    "smoke": "smoke",
    "quadrant": "aspect",
    "aspect": "quadrant",
}
"""What a figure of one line of fire is for the same line backwards."""


def told_to_battle(ground: Ground, event: Event, pair: Couple) -> Change:
    """What was settled between two ships, and the same for the battle while fire is designated."""
    battle = ground.battle
    if battle is None:
        return happens(event)
    # Played ahead, as the journal will have it, to see how the pair then counts.
    state = apply(ground.state, Entry(0, 0.0, None, ground.caller.name, event))
    return happens(event) + settled_lines(
        ground, battle, battle.state, state, ground.poses, (pair,)
    )


def settled_lines(
    ground: Ground,
    battle: BattleNow,
    battle_state: Any,
    state: TableState,
    poses: Mapping[str, Pose],
    pairs: Iterable[Couple],
) -> Change:
    """The battle's actions that make its lines of fire count as the players have settled them."""
    rulebook = battle.rulebook
    if rulebook.step(battle_state).kind is not StepKind.DESIGNATE or ground.survey is None:
        return NO_CHANGE
    view = rulebook.view(battle_state, UMPIRE)
    sides = {
        name: ship.side
        for ship in view.ships
        if ship.in_action
        for name in (ship.id, ship.label)
        if name is not None
    }
    known = {(each.firer, each.target): each for each in view.agreed}
    change = NO_CHANGE
    asked = dict.fromkeys(pairs)
    for firer, target in dict.fromkeys((*asked, *((target, firer) for firer, target in asked))):
        if sides.get(firer) is None or sides.get(target) in (None, sides[firer]):
            continue
        data = _both_ways(ground, state, poses, (firer, target))
        before = known.get((firer, target))
        if (firer, target) not in asked and _same(before, data):
            # Nothing has changed for the fire the other way: nobody has to think anew.
            continue
        if data is not None or before is not None:
            said = data or {"who": ground.caller.name}
            settled = Settle(firer=firer, target=target, **said)
            game = Game(rulebook, battle_state).play(0, settled, TypedDice(""))
            battle_state = game.state
            change += plays(game.played[-1])
    return change


def _both_ways(
    ground: Ground, state: TableState, poses: Mapping[str, Pose], pair: Couple
) -> dict[str, Any] | None:
    """What counts for a line of fire: what was settled for it, and for the same line backwards.

    Range and smoke are the same from either end, and where one ship lies for the other is the side
    that the other shows. Whether somebody is in the way may differ, as rulebooks ask how far off.
    """
    own = _agreed(ground, state, poses, pair)
    back = _agreed(ground, state, poses, (pair[1], pair[0])) or {}
    mirrored = {_MIRRORED[key]: value for key, value in back.items() if key in _MIRRORED}
    if not mirrored:
        return own
    said = {key: back[key] for key in ("reason", "who")}
    return {**mirrored, **said, **(own or {})}


def _same(agreed: AgreedView | None, said: Mapping[str, Any] | None) -> bool:
    """Whether the battle has the very figures as settled that are said now."""
    return all(
        getattr(agreed, figure, None) == (said or {}).get(figure) for figure in _FIGURES.values()
    )


def settled_pairs(state: TableState) -> tuple[Couple, ...]:
    """Every pair about which something was ever settled on this table."""
    decided = ((firer, target) for firer, target, _ in state.decisions)
    return tuple(dict.fromkeys((*decided, *state.rulings)))


def _agreed(
    ground: Ground, state: TableState, poses: Mapping[str, Pose], pair: Couple
) -> dict[str, Any] | None:
    """The figures that count instead of the measured ones, by whom and why; None without any."""
    decisions: dict[str, Decision] = {
        what: decision
        for (firer, target, what), decision in state.decisions.items()
        if (firer, target) == pair and stands(state, poses, decision.standing, pair)
    }
    ruling: Ruling | None = state.rulings.get(pair)
    if ruling is not None and not stands(state, poses, ruling.standing, pair):
        ruling = None
    if ground.survey is None or not (decisions or ruling) or not set(pair) <= set(poses):
        return None
    settled = settle(
        ground.survey.rules,
        ground.survey[pair],
        decided=decided_of(decisions),
        figures=ruling.figures if ruling else AS_MEASURED,
    )
    figures = {
        key: getattr(settled, key)
        for what, key in _FIGURES.items()
        if settled.source(what) is not Source.MEASURED
    }
    if not figures:
        return None
    who = dict.fromkeys(each.who for each in (*decisions.values(), ruling) if each is not None)
    reason = ruling.reason if ruling is not None else str(text("fire.close_call"))
    return {**figures, "reason": reason, "who": ", ".join(who)[:60]}
