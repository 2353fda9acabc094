"""Record sheets as data: every part with its place, boxes and losses (64.1)."""

from collections.abc import Iterator, Sequence
from typing import Final

from combat.participants import ShipStatus
from combat.record_sheets import PartDetails, RecordSheet, SheetPart
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.glance import glance_at
from combat.rulebooks.bismarck_advanced.fire.effect_messages import begun
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Mount, Turret
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.arcs import Quadrant
from tabletop.messages import NO_WORDS, Message

_BRIDGE = 0.35
_MASTHEAD, _PLOT_ROOM, _RUDDER = 0.33, 0.4, 0.98
"""Default places of parts for which the chart gives none, from the bow."""
_DESTROYED: Final = Message("advanced.sheet.destroyed")


def status_of(ship: Combatant) -> ShipStatus:
    """The status of a ship."""
    if ship.vessel.is_sunk:
        return ShipStatus.SUNK
    return ShipStatus.WITHDRAWN if ship.withdrawn else ShipStatus.IN_ACTION


def trouble_of(vessel: Vessel) -> float:
    """The damage from 0 to 1: the worst of hull, main guns, engines, fire control and rudder."""
    if vessel.is_sunk:
        return 1.0
    turrets = [
        state.lost_quarters / (turret.boxes * QUARTERS) if state.can_fire and turret.boxes else 1.0
        for turret, state in zip(vessel.warship.turrets, vessel.turrets, strict=True)
        if turret.boxes or not state.can_fire
    ]
    factor = vessel.warship.movement_factor
    worst = max(
        vessel.hull_lost / vessel.hull_quarters,
        0.8 * (sum(turrets) / len(turrets) if turrets else 0.0),
        0.8 * (1 - vessel.movement_factor / factor if factor else 0.0),
        0.4 * any((vessel.director_destroyed, vessel.plot_destroyed, vessel.helm)),
    )
    # A ship that floats is always below 1.
    return min(0.99, worst)


def record_sheet(ship: Combatant, *, speed_is_known: bool = True) -> RecordSheet:
    """A ship's current sheet; her speed of this round may be secret (57.6)."""
    warship, layout = ship.vessel.warship, ship.vessel.warship.layout
    return RecordSheet(
        ship=ship.name,
        type=warship.name,
        ship_class=warship.ship_class.value,
        side=ship.side,
        status=status_of(ship),
        trouble=trouble_of(ship.vessel),
        glance=glance_at(ship.vessel),
        beam=layout.beam,
        superstructure=layout.superstructure,
        funnels=layout.funnels,
        island=layout.island.value,
        parts=(*_parts(ship), *_stores(ship, speed_is_known=speed_is_known)),
    )


def _parts(ship: Combatant) -> Iterator[SheetPart]:
    vessel = ship.vessel
    warship, armour = vessel.warship, vessel.warship.armour
    yield SheetPart(
        "hull",
        "hull",
        Message("advanced.sheet.hull"),
        vessel.hull_quarters,
        vessel.hull_lost,
        "quarters",
        _boxes_lost(vessel.hull_lost),
        destroyed=vessel.is_sunk,
        details=PartDetails(
            boxes=warship.hull_boxes,
            third=vessel.hull_third,
            belt=armour.belt,
            deck=armour.deck,
            solid_boxes=vessel.solid_hull_boxes,
        ),
    )
    whole = warship.superstructure_boxes * QUARTERS
    yield SheetPart(
        "superstructure",
        "superstructure",
        Message("advanced.sheet.superstructure"),
        whole,
        vessel.superstructure_lost,
        "quarters",
        _boxes_lost(vessel.superstructure_lost),
        destroyed=0 < whole <= vessel.superstructure_lost,
        station=sum(warship.layout.superstructure) / 2,
        details=PartDetails(boxes=warship.superstructure_boxes),
    )
    for turret, state in zip(warship.turrets, vessel.turrets, strict=True):
        yield _turret(vessel, turret, state)
    for mount in warship.secondaries:
        lost = mount.name in vessel.secondaries_lost
        yield SheetPart(
            mount.name,
            "secondary",
            Message("advanced.sheet.secondary_turret", turret=mount.name),
            1,
            int(lost),
            "mounts",
            _DESTROYED if lost else NO_WORDS,
            destroyed=lost,
            station=mount.station,
            side=mount.side.value,
            details=PartDetails(guns=mount.guns, arcs=_arcs(mount), armour=armour.secondary),
        )
    yield from _controls(vessel)


def _turret(vessel: Vessel, turret: Turret, state: TurretState) -> SheetPart:
    words = _boxes_lost(state.lost_quarters)
    if state.destroyed:
        words = _DESTROYED
    elif state.out_for_battle:
        words = Message("advanced.sheet.turret_jammed")
    elif state.out_for_phases:
        words = Message("advanced.sheet.turret_out", n=state.out_for_phases)
    elif state.jammed_guns:
        words = Message("advanced.sheet.guns_jammed", n=state.jammed_guns)
    armour = vessel.warship.armour
    return SheetPart(
        turret.name,
        "turret",
        Message("advanced.sheet.turret", turret=turret.name),
        turret.boxes * QUARTERS,
        state.lost_quarters,
        "quarters",
        words,
        destroyed=state.destroyed,
        station=turret.station,
        side=turret.side.value,
        details=PartDetails(
            boxes=turret.boxes,
            guns=turret.guns,
            arcs=_arcs(turret),
            jammed_guns=state.jammed_guns,
            can_fire=state.can_fire,
            armour=armour.main_gun,
            crown=armour.crown,
            ammunition=vessel.turret_ammunition(Battery.MAIN, turret.name),
        ),
    )


def _controls(vessel: Vessel) -> Iterator[SheetPart]:
    armour, warship = vessel.warship.armour, vessel.warship
    if not warship.is_destroyer:
        for key, title, gone, inches, station in (
            (
                "director",
                Message("advanced.sheet.director"),
                vessel.director_destroyed,
                armour.director,
                _MASTHEAD,
            ),
            (
                "plot",
                Message("advanced.sheet.plot"),
                vessel.plot_destroyed,
                armour.plot,
                _PLOT_ROOM,
            ),
        ):
            words = _DESTROYED if gone else NO_WORDS
            yield SheetPart(
                key, key, title, 1, int(gone), "mounts", words, gone, station,
                details=PartDetails(armour=inches),
            )  # fmt: skip
    if warship.radar:
        lost = vessel.radar_lost
        words = Message("advanced.sheet.radar_lost") if lost else NO_WORDS
        yield SheetPart(
            "radar",
            "radar",
            Message("advanced.sheet.radar"),
            1,
            int(lost),
            "mounts",
            words,
            lost,
            _MASTHEAD,
        )
    command = []
    if vessel.command_modifier:
        command.append(Message("advanced.sheet.command_modifier", modifier=vessel.command_modifier))
    if vessel.held_speed_rounds:
        command.append(Message("advanced.sheet.speed_held"))
    yield SheetPart(
        "conning_tower",
        "conning_tower",
        Message("advanced.sheet.conning_tower"),
        1,
        int(bool(command)),
        "mounts",
        _listed(command),
        station=_BRIDGE,
        details=PartDetails(armour=armour.conning_tower, modifier=vessel.command_modifier),
    )
    faults = [Message(f"advanced.rudder_fault.{fault}") for fault in sorted(vessel.helm)]
    if vessel.steady_for_phases:
        faults.append(Message("advanced.sheet.course_held"))
    yield SheetPart(
        "rudder",
        "rudder",
        Message("advanced.sheet.rudder"),
        1,
        int(bool(faults)),
        "mounts",
        _listed(faults),
        station=_RUDDER,
        details=PartDetails(armour=armour.rudder, faults=tuple(sorted(vessel.helm))),
    )


def _stores(ship: Combatant, *, speed_is_known: bool) -> Iterator[SheetPart]:
    vessel, warship = ship.vessel, ship.vessel.warship
    whole, left = warship.movement_factor, vessel.movement_factor
    words = NO_WORDS
    if left < whole:
        words = Message("advanced.glance.speed", left=left, factor=whole)
    yield SheetPart(
        "speed",
        "speed",
        Message("advanced.sheet.speed"),
        whole,
        whole - left,
        "factors",
        words,
        destroyed=not left,
        details=PartDetails(
            speed=ship.speed if speed_is_known else None, previous=ship.record.previous_speed
        ),
    )
    for battery in Battery:
        stock = warship.ammunition[battery]
        if stock is None:
            continue
        spent = stock - vessel.ammunition(battery)
        yield SheetPart(
            f"ammunition_{battery}",
            "ammunition",
            Message(f"advanced.sheet.ammunition.{battery}"),
            stock,
            spent,
            "rounds",
            NO_WORDS if spent < stock else Message("advanced.sheet.empty"),
            destroyed=spent >= stock,
            details=PartDetails(by_turret=vessel.ammunition_by_turret, spent=vessel.turret_spent),
        )
    if warship.torpedoes:
        fired = vessel.torpedoes_fired
        yield SheetPart(
            "torpedoes",
            "torpedoes",
            Message("advanced.sheet.torpedoes"),
            warship.torpedoes,
            warship.torpedoes if fired else 0,
            "rounds",
            Message("advanced.sheet.fired") if fired else NO_WORDS,
        )


def _arcs(mount: Mount) -> tuple[Quadrant, ...]:
    return tuple(sorted(mount.arc.quadrants))


def _boxes_lost(quarters: int) -> Message:
    if not quarters:
        return NO_WORDS
    return Message("advanced.sheet.boxes_lost", n=begun(quarters), boxes=quarters / QUARTERS)


def _listed(parts: Sequence[Message]) -> Message:
    return Message("advanced.sheet.listed", parts=tuple(parts)) if parts else NO_WORDS
