"""Record sheets as data for a drawing: every part, its place, its boxes, what is lost (64.1)."""

from collections.abc import Iterator

from combat.participants import ShipStatus
from combat.record_sheets import PartDetails, RecordSheet, SheetPart
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.phase_text import glance_at
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Mount, Turret
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.arcs import Quadrant

_BRIDGE = 0.35
_MASTHEAD, _PLOT_ROOM, _RUDDER = 0.33, 0.4, 0.98
"""Where a drawing puts what no chart gives a place, from the bow."""


def status_of(ship: Combatant) -> ShipStatus:
    """What has become of a ship."""
    if ship.vessel.is_sunk:
        return ShipStatus.SUNK
    return ShipStatus.WITHDRAWN if ship.withdrawn else ShipStatus.IN_ACTION


def trouble_of(vessel: Vessel) -> float:
    """0 unharmed to 1 sunk: the worst of hull, main guns, engines, fire control and rudder."""
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
    # A ship that floats is never quite as badly off as one that does not.
    return min(0.99, worst)


def record_sheet(ship: Combatant) -> RecordSheet:
    """A ship's sheet as it stands."""
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
        parts=tuple(_parts(ship)),
    )


def _parts(ship: Combatant) -> Iterator[SheetPart]:
    vessel = ship.vessel
    warship, armour = vessel.warship, vessel.warship.armour
    yield SheetPart(
        "hull",
        "hull",
        "Hull",
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
        "Superstructure",
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
            f"Secondary turret {mount.name}",
            1,
            int(lost),
            "mounts",
            "destroyed" if lost else "",
            destroyed=lost,
            station=mount.station,
            side=mount.side.value,
            details=PartDetails(guns=mount.guns, arcs=_arcs(mount), armour=armour.secondary),
        )
    yield from _controls(vessel)
    yield from _stores(ship)


def _turret(vessel: Vessel, turret: Turret, state: TurretState) -> SheetPart:
    words = _boxes_lost(state.lost_quarters)
    if state.destroyed:
        words = "destroyed"
    elif state.out_for_battle:
        words = "jammed for the rest of the battle"
    elif state.out_for_phases:
        words = f"out of action, {state.out_for_phases} phase{'s' * (state.out_for_phases > 1)}"
    elif state.jammed_guns:
        words = f"{state.jammed_guns} gun{'s' * (state.jammed_guns > 1)} jammed"
    armour = vessel.warship.armour
    return SheetPart(
        turret.name,
        "turret",
        f"Turret {turret.name}",
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
            ("director", "Director", vessel.director_destroyed, armour.director, _MASTHEAD),
            ("plot", "Plotting room", vessel.plot_destroyed, armour.plot, _PLOT_ROOM),
        ):
            words = "destroyed" if gone else ""
            yield SheetPart(
                key, key, title, 1, int(gone), "mounts", words, gone, station,
                details=PartDetails(armour=inches),
            )  # fmt: skip
    if warship.radar:
        lost = vessel.radar_lost
        words = "lost" if lost else ""
        yield SheetPart("radar", "radar", "Radar", 1, int(lost), "mounts", words, lost, _MASTHEAD)
    command = []
    if vessel.command_modifier:
        command.append(f"+{vessel.command_modifier} to her fire")
    if vessel.held_speed_rounds:
        command.append("keeps her speed")
    yield SheetPart(
        "conning_tower",
        "conning_tower",
        "Conning tower",
        1,
        int(bool(command)),
        "mounts",
        ", ".join(command),
        station=_BRIDGE,
        details=PartDetails(armour=armour.conning_tower, modifier=vessel.command_modifier),
    )
    faults = [fault.replace("_", " ") for fault in sorted(vessel.helm)]
    if vessel.steady_for_phases:
        faults.append("no turns in the next move")
    yield SheetPart(
        "rudder",
        "rudder",
        "Rudder",
        1,
        int(bool(faults)),
        "mounts",
        ", ".join(faults),
        station=_RUDDER,
        details=PartDetails(armour=armour.rudder, faults=tuple(sorted(vessel.helm))),
    )


def _stores(ship: Combatant) -> Iterator[SheetPart]:
    vessel, warship = ship.vessel, ship.vessel.warship
    whole, left = warship.movement_factor, vessel.movement_factor
    words = f"movement factor {left} of {whole}" if left < whole else ""
    yield SheetPart(
        "speed",
        "speed",
        "Speed",
        whole,
        whole - left,
        "factors",
        words,
        destroyed=not left,
        details=PartDetails(speed=ship.speed, previous=ship.record.previous_speed),
    )
    for battery in Battery:
        stock = warship.ammunition[battery]
        if stock is None:
            continue
        spent = stock - vessel.ammunition(battery)
        yield SheetPart(
            f"ammunition_{battery}",
            "ammunition",
            f"Ammunition, {battery} guns",
            stock,
            spent,
            "rounds",
            "" if spent < stock else "empty",
            destroyed=spent >= stock,
            details=PartDetails(by_turret=vessel.ammunition_by_turret, spent=vessel.turret_spent),
        )
    if warship.torpedoes:
        fired = vessel.torpedoes_fired
        yield SheetPart(
            "torpedoes",
            "torpedoes",
            "Torpedoes",
            warship.torpedoes,
            warship.torpedoes if fired else 0,
            "rounds",
            "fired" if fired else "",
        )


def _arcs(mount: Mount) -> tuple[Quadrant, ...]:
    return tuple(sorted(mount.arc.quadrants))


def _boxes_lost(quarters: int) -> str:
    if not quarters:
        return ""
    boxes = quarters / QUARTERS
    return f"{boxes:g} box{'es' * (boxes > 1)} lost"
