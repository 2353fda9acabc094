"""The segments of a round on the display, and the targets that are designated (11.4, 11.4.4).

Their order is kept in a combat whose ships are marked `in_segments`; one that was begun with
edition 2 of the rules leaves it to the players.
"""

from enum import IntEnum
from typing import Final

from combat.actions import Action
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.questions import with_values
from combat.rulebooks.arctic_disaster.actions import (
    AirAttack,
    Aircraft,
    Deployment,
    Designation,
    Disengagement,
    FirstMove,
    Gunfire,
    Marks,
    Movement,
    Submerging,
    Torpedoes,
)
from combat.rulebooks.arctic_disaster.display import (
    at_target,
    check_on_display,
    is_german,
    on_display,
)
from combat.rulebooks.arctic_disaster.strike import afloat, gun_strength
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import DICE, strength_of
from tabletop.messages import Message, ShipRef

SUBMARINE: Final = "SS"


class Segment(IntEnum):
    """The segments of a round in their order (11.4); deployment comes before the first."""

    DEPLOYMENT = 0
    MOVEMENT = 1
    GUNNERY = 2
    TORPEDOES = 3
    AIR_ATTACK = 4
    DISENGAGEMENT = 5

    @property
    def title(self) -> Message:
        """What players call it."""
        return Message(f"arctic.segment.{self.name.lower()}")


_SEGMENTS: Final[dict[type[Action], Segment]] = {
    Deployment: Segment.DEPLOYMENT,
    FirstMove: Segment.MOVEMENT,
    Movement: Segment.MOVEMENT,
    Submerging: Segment.MOVEMENT,
    Designation: Segment.GUNNERY,
    Gunfire: Segment.GUNNERY,
    Torpedoes: Segment.TORPEDOES,
    AirAttack: Segment.AIR_ATTACK,
    Disengagement: Segment.DISENGAGEMENT,
}
_FROM_THE_CARRIER: Final = (Aircraft.ALBACORE, Aircraft.ALBACORE_817)


def reached(here: tuple[Vessel, ...]) -> Segment:
    """The last segment of this round in which a ship on the display has acted."""
    return max((_last_of(each.marks) for each in here), default=Segment.DEPLOYMENT)


def _last_of(marks: Marks) -> Segment:
    if marks.asked_to_end:
        return Segment.DISENGAGEMENT
    if marks.air_attacked:
        return Segment.AIR_ATTACK
    if marks.launched:
        return Segment.TORPEDOES
    if marks.main_target or marks.secondary_target or has_fired(marks):
        return Segment.GUNNERY
    if marks.moved or marks.smoke_area is not None:
        return Segment.MOVEMENT
    return Segment.DEPLOYMENT


def has_fired(marks: Marks) -> bool:
    """Whether she has fired guns in this round."""
    return bool(marks.fired_main or marks.fired_secondary)


def check_segment(attack: Attempt[Action, Vessel]) -> None:
    """Forbidden where the segment of an action is over, and where a battery has another target."""
    here = on_display(attack.fleet)
    wanted = _SEGMENTS.get(type(attack.action))
    if wanted is None or not any(each.marks.in_segments for each in here):
        return
    action = attack.action
    if isinstance(action, AirAttack) and attack.victim.marks.area is None:
        return
    now = reached(here)
    over = wanted < now or (isinstance(action, Disengagement) and wanted is now)
    if over:
        raise Forbidden(Message("arctic.refused.segment_over", now=now.title), "11.4")
    match action:
        case Gunfire():
            _check_target(attack.of(action))
        case Designation():
            _check_designation(attack.of(action), here)
        case Torpedoes():
            _check_submerged(attack)
        case AirAttack():
            _check_aircraft(attack.of(action), here)
        case Movement() if attack.actor.marks.submerged:
            reason = Message("arctic.refused.submerged", ship=ShipRef(attack.actor.id))
            raise Forbidden(reason, "13.10")


def designated(marks: Marks, battery: str) -> str | None:
    """The id of the target of a battery; None while it has none."""
    return marks.main_target if battery == "main" else marks.secondary_target


def _check_target(attack: Attempt[Gunfire, Vessel]) -> None:
    firer, battery = attack.actor, attack.action.kind
    target = designated(firer.marks, battery)
    if target is None:
        raise Forbidden(Message("arctic.refused.no_target", ship=ShipRef(firer.id)), "11.4.4")
    if target != attack.victim.id:
        reason = Message(
            "arctic.refused.other_target", ship=ShipRef(firer.id), target=ShipRef(target)
        )
        raise Forbidden(reason, "11.4.4")


def _check_designation(attack: Attempt[Designation, Vessel], here: tuple[Vessel, ...]) -> None:
    firer = attack.actor
    if designated(firer.marks, attack.action.battery) is not None:
        raise Forbidden(Message("arctic.refused.target_fixed", ship=ShipRef(firer.id)), "11.4.4")
    if any(has_fired(each.marks) for each in here):
        raise Forbidden(Message("arctic.refused.dice_fallen"), "11.4.4")


def _check_submerged(attack: Attempt[Action, Vessel]) -> None:
    boat = attack.actor
    if boat.unit == SUBMARINE and not boat.marks.submerged:
        raise Forbidden(Message("arctic.refused.surfaced", ship=ShipRef(boat.id)), "13.10")


def _check_aircraft(attack: Attempt[AirAttack, Vessel], here: tuple[Vessel, ...]) -> None:
    """Only aircraft of a carrier that is under surface attack take part (11.4.8)."""
    if attack.action.aircraft not in _FROM_THE_CARRIER:
        raise Forbidden(Message("arctic.refused.other_aircraft"), "11.4.8")
    if not is_german(attack.victim):
        reason = Message("arctic.refused.own_aircraft", ship=ShipRef(attack.victim.id))
        raise Forbidden(reason, "11.4.8")
    if not any(each.unit == "CV" and not each.sunk and each.rating.flying for each in here):
        raise Forbidden(Message("arctic.refused.no_carrier"), "11.4.8")


def check_submarine(attack: Attempt[Action, Vessel]) -> None:
    """Forbidden where a submarine of the convoy is attacked as none can be (13.10)."""
    boat = attack.at
    if boat is None or boat.unit != SUBMARINE:
        return
    if isinstance(attack.action, AirAttack):
        raise Forbidden(Message("arctic.refused.no_air_target", ship=ShipRef(boat.id)), "13.10")
    if isinstance(attack.action, Gunfire | Designation) and boat.marks.submerged:
        raise Forbidden(Message("arctic.refused.submerged", ship=ShipRef(boat.id)), "13.10")


def designation_strength(attack: Attempt[Designation, Vessel], tables: TableSet) -> Strength:
    """What the battery will fire with, as far as it is known now; no die is rolled."""
    action = attack.action
    fire = Gunfire(kind=action.battery, by=action.by, at=action.at)
    known = at_target(attack.actor, attack.victim, Gunfire, attack.fleet)
    return gun_strength(attack.of(with_values(fire, known)), tables)


def submerge_strength(attack: Attempt[Submerging, Vessel], _tables: TableSet) -> Strength:
    """No die: a submarine of the convoy submerges once in a combat."""
    boat = attack.actor
    if boat.unit != SUBMARINE:
        raise Forbidden(Message("arctic.refused.no_submarine", ship=ShipRef(boat.id)), "13.10")
    afloat(boat)
    check_on_display(attack)
    if boat.marks.submerged:
        raise Forbidden(Message("arctic.refused.submerged", ship=ShipRef(boat.id)), "13.10")
    reference = Message("arctic.reference.no_die", rule="13.10")
    return strength_of(0, reference, [], label=DICE)
