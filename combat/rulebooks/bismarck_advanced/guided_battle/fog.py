"""Fog of war, an option for an umpire's game: what each side's ships can see.

The book has no rule of sight; how far ships see follows from its starting ranges (55.22), and smoke
hides what is behind it. A ship farther off is first a contact: a bearing from the nearest ship that
may notice her. It is worked out from the battle as it stands, with nothing remembered, so that
nothing that happens out of sight changes what a side is told.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from combat.dice import FACES
from combat.guided_play import StepKind
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from combat.weather import NO_VISIBILITY, Visibility
from tabletop.sight import distance_to_front, is_smoke_between
from tabletop.table import SmokeFront

UNKNOWN_SHIP: Final = "Unknown ship"
"""What a ship out of sight is called where her fire or torpedoes are told of."""
_ROLL: Final = 4
"""Ships see as far as the starting range of this roll: a little more than the mean of a die."""
_CONTACT_FACTOR: Final = 1.5
"""Masts, funnel smoke and wakes are noticed at this multiple of the range of sight."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A ship that is noticed but not seen."""

    ship: str
    observer: str
    bearing_deg: float


def is_foggy(state: AdvancedState) -> bool:
    """Whether sides see only what their ships see; when the battle is over everything is open."""
    return state.engagement.options.fog_of_war and state.kind is not StepKind.ENDED


@cache
def sight_yards(visibility: Visibility, *, night: bool, radar: bool) -> float:
    """How far a ship sees: the starting range of a roll of 4, as modified for her (55.22)."""
    tables = load_tables()
    modifiers, ranges = tables["range_modifiers"], tables["range_establishment"]
    # At visibility X, where the table forbids the attack, ships see as far as at its first row.
    rows = [] if visibility == NO_VISIBILITY else [f"visibility {visibility}"]
    rows += ["night"] * night + ["radar"] * radar
    row = _ROLL + sum(int(modifiers.cell(each, "value").value) for each in rows)
    row = 1 if visibility == NO_VISIBILITY and not radar else min(max(row, 1), FACES)
    return float(ranges.cell(str(row), "yards").value)


def unseen(state: AdvancedState, seat: Seat) -> frozenset[str]:
    """The ships that a seat cannot see; somebody without a side sees what every side does."""
    if seat.umpire or not is_foggy(state):
        return frozenset()
    battle = state.engagement
    sides = state.sides if seat.side is None else (seat.side,)
    return frozenset(
        ship.name
        for ship in battle.combatants
        if any(not _is_seen(battle, ship, side) for side in sides)
    )


def contacts(state: AdvancedState, seat: Seat) -> tuple[Contact, ...]:
    """The ships that a side has noticed without seeing them, in the order of their bearings."""
    if seat.umpire or seat.side is None or not is_foggy(state):
        return ()
    found = _contacts(state.engagement, seat.side, unseen(state, seat))
    return tuple(sorted(found, key=lambda each: (each.observer, each.bearing_deg)))


def sees_place(state: AdvancedState, seat: Seat, x_yards: float, y_yards: float) -> bool:
    """Whether a seat sees a place on the table."""
    if seat.umpire or not is_foggy(state):
        return True
    battle = state.engagement
    sides = state.sides if seat.side is None else (seat.side,)
    return all(
        any(_reaches(battle, each, x_yards, y_yards) for each in _observers(battle, side))
        for side in sides
    )


def sees_front(state: AdvancedState, seat: Seat, front: SmokeFront) -> bool:
    """Whether a seat sees a part of a smoke front, which hides nothing of itself."""
    if seat.umpire or not is_foggy(state):
        return True
    battle = state.engagement
    sides = state.sides if seat.side is None else (seat.side,)
    return all(
        any(
            distance_to_front(front, _place(each)) <= _sight(battle, each)
            for each in _observers(battle, side)
        )
        for side in sides
    )


def _contacts(battle: Engagement, side: str, hidden: frozenset[str]) -> Iterator[Contact]:
    for ship in battle.in_action:
        if ship.name not in hidden:
            continue
        under_fire = {record.target for record in ship.fired}
        noticed = [
            (math.dist(_place(each), _place(ship)), each)
            for each in _observers(battle, side)
            if each.name in under_fire or _notices(battle, each, ship)
        ]
        if noticed:
            _, nearest = min(noticed, key=lambda found: (found[0], found[1].name))
            yield Contact(ship.name, nearest.name, _bearing_deg(nearest, ship))


def _is_seen(battle: Engagement, ship: Combatant, side: str) -> bool:
    if battle.are_friends(ship.side, side):
        return True
    place = _place(ship)
    return any(_reaches(battle, each, *place) for each in _observers(battle, side))


def _observers(battle: Engagement, side: str) -> list[Combatant]:
    """The ships that see for a side: its own and its allies'."""
    return [ship for ship in battle.in_action if battle.are_friends(ship.side, side)]


def _reaches(battle: Engagement, observer: Combatant, x_yards: float, y_yards: float) -> bool:
    apart = math.dist(_place(observer), (x_yards, y_yards))
    if apart > _sight(battle, observer):
        return False
    return not _is_in_smoke(battle, observer, x_yards, y_yards)


def _notices(battle: Engagement, observer: Combatant, ship: Combatant) -> bool:
    apart = math.dist(_place(observer), _place(ship))
    if apart > _CONTACT_FACTOR * _sight(battle, observer):
        return False
    return not _is_in_smoke(battle, observer, *_place(ship))


def _is_in_smoke(battle: Engagement, observer: Combatant, x_yards: float, y_yards: float) -> bool:
    fronts = battle.smoke.fronts_in(battle.phase)
    return is_smoke_between(fronts, _place(observer), (x_yards, y_yards))


def _sight(battle: Engagement, observer: Combatant) -> float:
    radar = observer.vessel.has_radar
    return sight_yards(battle.visibility, night=battle.night, radar=radar)


def _place(ship: Combatant) -> tuple[float, float]:
    return ship.pose.x_yards, ship.pose.y_yards


def _bearing_deg(observer: Combatant, ship: Combatant) -> float:
    (x, y), (there_x, there_y) = _place(observer), _place(ship)
    return round(math.degrees(math.atan2(there_x - x, there_y - y))) % 360
