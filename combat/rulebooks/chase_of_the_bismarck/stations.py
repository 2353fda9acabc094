"""Where the ships of a fight stand on the Battle Board, and what that decides (10; 11.3).

A ship is on the board once a start or a reinforcement has put her there. Then zones, positions,
visibility and the combat round are the fight's, and nobody is asked for them.
"""

from collections.abc import Mapping
from dataclasses import replace

from combat.actions import Action, ActionInfo
from combat.free_play import Attempt, FreeState
from combat.participants import Ship
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.actions import (
    Abort,
    Attackers,
    Gunfire,
    Marks,
    Movement,
    Reinforcement,
    Start,
    Torpedoes,
)
from combat.rulebooks.chase_of_the_bismarck.board import (
    FARTHEST,
    Counter,
    Position,
    from_own_edge,
    zones_between,
)
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from tabletop.messages import Message, ShipRef

_GERMAN = "German"


def counter_of(vessel: Vessel) -> Counter | None:
    """Her counter on the board; None where she is not on it."""
    marks = vessel.marks
    if marks.zone is None or marks.position is None:
        return None
    attacker = bool(marks.attacker)
    return Counter(
        vessel.id,
        attacker,
        from_own_edge(marks.zone, attacker),
        marks.position,
        vessel.left("evasion"),
        marks.rudder_damaged,
        bool(marks.moved),
        marks.held_up or 0,
    )


def counters_of(fleet: tuple[Vessel, ...]) -> tuple[Counter, ...]:
    """The counters of all ships on the board that still fight."""
    found = (counter_of(each) for each in fleet if not each.sunk and not each.marks.aborted)
    return tuple(each for each in found if each is not None)


def enemies_of(she: Counter, board: tuple[Counter, ...]) -> tuple[Counter, ...]:
    """The counters of the other side."""
    return tuple(each for each in board if each.attacker != she.attacker)


def is_german(vessel: Vessel) -> bool:
    """Whether she is one of the German player's ships."""
    return vessel.card.nation == _GERMAN


def check_on_board(attack: Attempt[Action, Vessel]) -> None:
    """Forbidden where a combat is on the board and a ship that takes part is not."""
    if not counters_of(attack.fleet):
        return
    for vessel in (attack.by, attack.at):
        if vessel is not None and vessel.marks.zone is None:
            raise Forbidden(Message("chase.refused.not_there", ship=ShipRef(vessel.id)), "10")


def combat_round(attempt_round: int, marks: Marks) -> int:
    """The round of the combat that a ship is in."""
    return attempt_round - (marks.began or attempt_round) + 1


def placed(vessel: Vessel, action: Start, round_number: int) -> Marks:
    """A ship's marks as a combat begins: attackers closing, defenders breaking off (10)."""
    attacker = is_german(vessel) == (action.attackers is Attackers.GERMAN)
    return replace(
        vessel.marks.on_next_round(),
        zone=action.visibility,
        position=Position.CLOSING if attacker else Position.BREAKING_OFF,
        attacker=attacker,
        visibility=action.visibility,
        began=round_number,
        escort=True if action.convoy and not is_german(vessel) else None,
        acquired=frozenset(),
    )


def check_start(attack: Attempt[Start, Vessel]) -> None:
    """Forbidden where a combat cannot begin on the board: a side has no ship there (10; 11.3)."""
    action = attack.action
    if action.fog:
        raise Forbidden(Message("chase.refused.fog"), "10")
    if action.attackers is Attackers.NONE:
        return
    if len({is_german(each) for each in starters(attack)}) < 2:
        raise Forbidden(Message("chase.refused.one_side"), "10")
    if action.convoy and action.attackers is not Attackers.GERMAN:
        raise Forbidden(Message("chase.refused.convoy_attacks"), "11.3")


def starters(attack: Attempt[Action, Vessel]) -> tuple[Vessel, ...]:
    """The ships that take their places: all warships that are afloat and have not left."""
    return tuple(
        each for each in attack.fleet if not (each.sunk or each.marks.aborted or each.is_tanker)
    )


def known_fields(
    state: FreeState[Marks], info: ActionInfo, by: Ship | None, at: Ship | None,
    fleet: tuple[Vessel, ...],
) -> Mapping[str, object]:  # fmt: skip
    """The fields of an action that the board and the rounds decide."""
    board = {each.name: each for each in counters_of(fleet)}
    if not board:
        return {}
    vessels = {each.id: each for each in fleet}
    now = next(vessels[name].marks for name in board)
    if info.type is Reinforcement:
        return {"visibility": now.visibility, "round": combat_round(state.round_number, now)}
    she = vessels.get(by.id) if by else None
    counter = counter_of(she) if she else None
    if she is None or counter is None:
        return {}
    foes = enemies_of(counter, tuple(board.values()))
    nearest = min(foes, key=lambda foe: abs(foe.zone - counter.zone), default=None)
    if issubclass(info.type, Gunfire | Torpedoes):
        target = vessels.get(at.id) if at else None
        return _at_target(she, target, state.round_number, info)
    if info.type is Movement:
        return {
            "firer_position": counter.position,
            "zone": she.marks.zone,
            "held_up": counter.held_up,
            "enemy_zone": from_own_edge(nearest.zone, nearest.attacker) if nearest else 1,
            "enemy_moved": nearest.moved if nearest else True,
            "enemy_evasion": nearest.agility if nearest else 0,
        }
    if info.type is Abort:
        between = (zones_between(counter.zone, foe.zone) for foe in foes)
        return {
            "firer_position": counter.position,
            "zones_between": min(between, default=FARTHEST),
            "enemy_evasion": max((foe.agility for foe in foes), default=0),
        }
    return {}


def _at_target(
    she: Vessel, target: Vessel | None, round_number: int, info: ActionInfo
) -> Mapping[str, object]:
    # A target that this round's fire has sunk still lies where she was.
    mine, theirs = counter_of(she), counter_of(target) if target else None
    if mine is None or theirs is None:
        return {}
    found: dict[str, object] = {
        "firer_position": mine.position,
        "target_position": theirs.position,
        "zones_between": zones_between(mine.zone, theirs.zone),
        "visibility": she.marks.visibility,
    }
    if info.type is Torpedoes:
        return {**found, "torpedoes_elsewhere": she.marks.torpedoes_assigned or 0}
    # Which targets she has acquired stands on her card.
    found["target_acquired"] = False
    if combat_round(round_number, she.marks) > 1:
        found["first_round"] = False
    return found


def with_counter(marks: Marks, counter: Counter | None) -> Marks:
    """A ship's marks after her counter was shifted, or taken off the board (10, step 4)."""
    if counter is None:
        return replace(marks, zone=None, position=None, aborted=True)
    return replace(
        marks,
        zone=from_own_edge(counter.zone, counter.attacker),
        position=counter.position,
        held_up=counter.held_up or None,
        moved=counter.moved or None,
    )
