"""The Surface Combat Display: where ships stand on it, and what that decides (11.4).

Its areas lie in a line, and the range between two of them is the difference of their numbers. A
ship is on the display once she has been deployed. Then range, weather, smoke, the round of the
combat and who has moved or fired are the fight's, and nobody is asked for them.
"""

from collections.abc import Mapping
from typing import Final

from combat.actions import Action, ActionInfo
from combat.free_play import Attempt
from combat.participants import Ship
from combat.previews import Forbidden
from combat.rulebooks.arctic_disaster.actions import (
    LAST_ROUND,
    AirAttack,
    Deployment,
    Disengagement,
    Gunfire,
    Marks,
    Scattering,
    Setting,
    Torpedoes,
)
from combat.rulebooks.arctic_disaster.vessel import Vessel
from tabletop.messages import Message, ShipRef

SMOKE_AREAS: Final = 2
"""How far smoke reaches (11.4.6)."""
GERMAN: Final = "German"
_SCREENS: Final = ("DD", "TB")


def is_german(vessel: Vessel) -> bool:
    """Whether she is one of the German player's units; all others are Allied."""
    return vessel.card.nation == GERMAN


def combat_round(round_number: int, marks: Marks) -> int:
    """The round of the combat that a ship is in."""
    return round_number - (marks.began or round_number) + 1


def on_display(fleet: tuple[Vessel, ...]) -> tuple[Vessel, ...]:
    """The ships that have been deployed, those that have sunk in this combat among them."""
    return tuple(each for each in fleet if each.marks.area is not None)


def is_decided(here: tuple[Vessel, ...]) -> bool:
    """Whether all ships of one side on the display have sunk."""
    afloat = {is_german(each) for each in here if not each.sunk}
    return len(afloat) < len({is_german(each) for each in here})


def distance(one: Vessel, other: Vessel) -> int | None:
    """The areas from one ship to another, without her own (11.4.4)."""
    if one.marks.area is None or other.marks.area is None:
        return None
    return abs(one.marks.area - other.marks.area)


def smoke_areas(fleet: tuple[Vessel, ...]) -> tuple[int, ...]:
    """The areas with smoke in this round."""
    found = {each.marks.smoke_area for each in fleet}
    return tuple(sorted(area for area in found if area is not None))


def check_on_display(attack: Attempt[Action, Vessel]) -> None:
    """Forbidden where a combat is under way, and a ship that takes part is not in it."""
    here = on_display(attack.fleet)
    if not here:
        return
    for vessel in (attack.by, attack.at):
        if vessel is not None and vessel.marks.area is None:
            raise Forbidden(Message("arctic.refused.not_there", ship=ShipRef(vessel.id)), "11.4.2")
    if combat_round(attack.round_number, here[0].marks) > LAST_ROUND:
        raise Forbidden(Message("arctic.refused.rounds_over", rounds=LAST_ROUND), "11.4.9")


def known_fields(
    round_number: int, info: ActionInfo, by: Ship | None, at: Ship | None,
    fleet: tuple[Vessel, ...],
) -> Mapping[str, object]:  # fmt: skip
    """The fields of an action that the display and the rounds decide."""
    here = on_display(fleet)
    if not here:
        return {}
    vessels = {each.id: each for each in fleet}
    fog = bool(here[0].marks.fog)
    if info.type is Deployment:
        return {"fog": fog}
    if info.type in (Disengagement, Scattering):
        number = min(combat_round(round_number, here[0].marks), LAST_ROUND)
        return {"round": number, "fog": fog} if info.type is Disengagement else {"round": number}
    she, target = (vessels.get(ship.id) if ship else None for ship in (by, at))
    if info.type is AirAttack and target is not None and target.marks.area is not None:
        return {"setting": Setting.SURFACE, "fog": fog}
    if issubclass(info.type, Gunfire | Torpedoes) and she is not None and target is not None:
        return at_target(she, target, info.type, fleet)
    return {}


def at_target(
    she: Vessel, target: Vessel, type_: type[Action], fleet: tuple[Vessel, ...]
) -> Mapping[str, object]:
    """The fields of a ship's fire at another that the display decides; empty without places."""
    areas = distance(she, target)
    if areas is None:
        return {}
    places = (she.marks.area or 0, target.marks.area or 0)
    smoke = any(abs(area - place) <= SMOKE_AREAS for area in smoke_areas(fleet) for place in places)
    found: dict[str, object] = {
        "range_areas": areas,
        "fog": bool(she.marks.fog),
        "smoke": smoke,
    }
    if type_ is Torpedoes:
        return {**found, "screen": _screen(target, fleet)}
    return {
        **found,
        "moved": bool(she.marks.moved),
        "later_firer": target.marks.first_firer not in (None, she.id),
    }


def _screen(target: Vessel, fleet: tuple[Vessel, ...]) -> int:
    """The German destroyers and torpedo boats in the target's area (13.10)."""
    return sum(
        each.unit in _SCREENS
        and is_german(each)
        and not each.sunk
        and each.marks.area == target.marks.area
        for each in fleet
    )
