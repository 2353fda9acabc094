"""Whether a ship can have the marks that people state for her.

Everything that people write is checked by `check_state`: files, requests, forms and what an umpire
sets right. Marks in a journal were checked when they were written, by the checks of then, and are
taken as they are as long as the sheet has room for them (`vessel_with`).
"""

from collections.abc import Collection, Mapping
from math import ceil

from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.free_play.ship_state import STATE, ShipState, vessel_with
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import bounds, describe_value

_LISTS = ("turrets_out", "secondaries_lost", "secondaries_solid", "rudder_faults", "rudder_solid")


def check_state(state: ShipState, warship: Warship) -> None:
    """Raise BadField for marks that her sheet has no room for or that contradict one another."""
    vessel_with(state, Vessel.fresh(warship))
    for key in _LISTS:
        _check_once(key, getattr(state, key) or ())
    _check_whats_aboard(state, warship)
    _check_solid(state)
    _check_spent(state, warship)


def check_starting_state(state: ShipState, warship: Warship) -> None:
    """Raise BadField for marks with which she cannot begin a battle; a wreck cannot (64.8)."""
    check_state(state, warship)
    if state.sunk:
        raise BadField(STATE, "sunk", Message("advanced.expected.not_sunk"), "true")
    if state.hull_lost >= warship.hull_boxes:
        expected = Message("advanced.expected.afloat", boxes=warship.hull_boxes)
        raise BadField(STATE, "hull_lost", expected, f"{state.hull_lost:g}")


def _check_once(key: str, names: tuple[str, ...]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadField(STATE, key, Message("advanced.expected.once"), describe_value(str(twice)))


def _check_whats_aboard(state: ShipState, warship: Warship) -> None:
    """What she does not have cannot be lost or spent."""
    # 70.2: a destroyer has one hull box and no other hit boxes.
    sheet = not warship.is_destroyer
    aboard: Mapping[str, bool] = {
        "torpedoes_fired": bool(warship.torpedoes),
        "radar_lost": warship.radar,
        "director_destroyed": sheet,
        "plot_destroyed": sheet,
        "command_modifier": sheet,
        "rudder_faults": sheet,
    }
    for key, has in aboard.items():
        value = getattr(state, key)
        if value and not has:
            expected = Message(f"advanced.expected.without_{key}")
            raise BadField(STATE, key, expected, describe_value(value))


def _check_solid(state: ShipState) -> None:
    """40.3: only what is marked can be solid."""
    _check_solid_boxes(STATE, "hull_solid", state.hull_solid or 0, state.hull_lost)
    for turret, boxes in (state.turrets_solid or {}).items():
        lost = state.turrets_lost.get(turret, 0.0)
        _check_solid_boxes(STATE.table("turrets_solid"), turret, boxes, lost)
    _check_among("secondaries_solid", state.secondaries_solid or (), state.secondaries_lost)
    _check_among("rudder_solid", state.rudder_solid or (), state.rudder_faults)


def _check_solid_boxes(place: DocumentPlace, key: str, solid: int, lost: float) -> None:
    if solid > ceil(lost):
        expected = Message("advanced.expected.solid_boxes", lost=ceil(lost))
        raise BadField(place, key, expected, str(solid))


def _check_among(key: str, solid: Collection[str], lost: Collection[str]) -> None:
    for name in solid:
        if name not in lost:
            raise BadField(
                STATE, key, Message("advanced.expected.solid"), describe_value(str(name))
            )


def _check_spent(state: ShipState, warship: Warship) -> None:
    """65.6: no turret spends more than its equal share."""
    for battery in Battery:
        mounts = warship.mounts(battery)
        for mount in mounts:
            spent = (state.turrets_spent or {}).get(mount.name, 0)
            share = (warship.ammunition[battery] or 0) // len(mounts)
            if spent > share:
                expected = bounds("whole", least=0, most=share)
                raise BadField(STATE.table("turrets_spent"), mount.name, expected, str(spent))
