"""The order of the steps of a combat round on the Battle Board (10).

Editions before the third left it to the players.
"""

from typing import Final

from combat.actions import Action
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck.actions import (
    Abort,
    Gunfire,
    Marks,
    Movement,
    Reinforcement,
    Torpedoes,
)
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from tabletop.messages import Message, ShipRef

FIRE: Final = 2
MOVE: Final = 4
ABORT: Final = 5
REINFORCE: Final = 6
_STEPS: Final[dict[type[Action], int]] = {
    Gunfire: FIRE,
    Torpedoes: FIRE,
    Movement: MOVE,
    Abort: ABORT,
    Reinforcement: REINFORCE,
}


def reached(marks: Marks) -> int:
    """The last step of this round in which a ship has acted; 0 where she has not."""
    if marks.tried_to_enter:
        return REINFORCE
    if marks.tried_to_abort:
        return ABORT
    return MOVE if marks.moved else 0


def check_step(attack: Attempt[Action, Vessel]) -> None:
    """Forbidden in a step that is over: a ship on the board has acted in a later one (10)."""
    step = _STEPS.get(type(attack.action))
    if step is None or any(each and each.marks.aborted for each in (attack.by, attack.at)):
        return
    if isinstance(attack.action, Abort) and attack.actor.marks.tried_to_abort:
        reason = Message("chase.refused.tried_to_abort", ship=ShipRef(attack.actor.id))
        raise Forbidden(reason, "10, step 5")
    now = max(reached(each.marks) for each in attack.fleet)
    if now > step:
        raise Forbidden(Message("chase.refused.step_over", step=now), f"10, step {step}")
