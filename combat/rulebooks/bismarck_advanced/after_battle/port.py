"""Repairs in port and refuelling, which need no die (40.5, 19.3, 20.6)."""

from dataclasses import dataclass, replace
from typing import Final

from combat.rulebooks.bismarck_advanced.after_battle.repair import (
    Part,
    Prospect,
    RepairForbidden,
    Section,
    check_repairs,
    prospects,
    quarters_left,
    turret_in,
)
from combat.rulebooks.bismarck_advanced.conversion import Rate, hull_boxes, to_advanced
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel, boxes_marked
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.tables import TableSet
from tabletop.errors import BadField
from tabletop.messages import Message, ShipRef

MIDSHIPS_BOXES_A_TURN: Final = 1
GUN_BOXES_A_TURN: Final = 2
"""40.5, printed: either hull or guns in a turn, not both."""
AMMUNITION_A_TURN: Final = 8
"""20.6, printed: in factors of the Intermediate Game (72.2)."""


@dataclass(frozen=True, slots=True)
class PortReport:
    """The result of some turns in port on one kind of repair."""

    ship: str
    section: Section
    """The first section; the rest went to her other guns."""
    turns: int
    repaired: int
    """Hull boxes, or gun boxes: boxes of main turrets and secondary turrets."""
    vessel_after: Vessel
    words: Message
    rule: str = "40.5"


@dataclass(frozen=True, slots=True)
class RefuelReport:
    """The result of some turns of refuelling."""

    ship: str
    turns: int
    torpedoes: bool
    """Whether she received torpedoes."""
    ammunition: int
    vessel_after: Vessel
    words: Message
    rule: str = "19.3, 20.6"


def port_prospects(vessel: Vessel) -> tuple[Prospect, ...]:
    """Every damaged section of a ship, and how much of it a port repairs."""
    return tuple(_port_prospect(vessel, each) for each in prospects(vessel))


def _port_prospect(vessel: Vessel, at_sea: Prospect) -> Prospect:
    """40.3 and 40.4 apply only at sea; a destroyed main turret is never repaired (68.21)."""
    if at_sea.section.part is Part.TURRET and turret_in(vessel, at_sea.section)[1].destroyed:
        return at_sea
    return Prospect(at_sea.section, at_sea.marked, at_sea.marked, rule="40.5")


def check_in_port(vessel: Vessel, section: Section) -> None:
    """Raise RepairForbidden if this section cannot be repaired in port."""
    check_repairs(vessel)
    ship = ShipRef(vessel.name)
    if section.turret is not None:
        vessel.turret_number(section.turret)
    found = next((each for each in port_prospects(vessel) if each.section == section), None)
    if found is None:
        undamaged = Message("advanced.repair.undamaged", ship=ship, section=section.title)
        raise RepairForbidden(undamaged, "40.5")
    if found.why_not is not None:
        why = Message("advanced.repair.not_hers", ship=ship, why=found.why_not)
        raise RepairForbidden(why, found.rule)


def repair_in_port(
    vessel: Vessel, section: Section, turns: int, tables: TableSet, *, turns_before: int = 0
) -> PortReport:
    """Some turns in port, each of which repairs a midships box or two gun boxes (40.5).

    `turns_before` are the turns already spent on her hull: a midships box is one and a half hull
    boxes (72.2), so every other turn repairs two.
    """
    check_in_port(vessel, section)
    if section.part is Part.RUDDER:
        # The rudder has no boxes: 68.1 gives it an attempt by its table, in port as at sea.
        parts = (Part.HULL, Part.TURRET, Part.SECONDARY)
        expected = Message("schema.choice", choices=parts)
        raise BadField("repair", "part", expected, Part.RUDDER)
    if section.part is Part.HULL:
        total = MIDSHIPS_BOXES_A_TURN * (turns_before + turns)
        before = hull_boxes(MIDSHIPS_BOXES_A_TURN * turns_before, tables)
        after, repaired = _hull_mended(vessel, hull_boxes(total, tables) - before)
    else:
        after, repaired = _guns_mended(vessel, section, turns)
    kind = "hull" if section.part is Part.HULL else "guns"
    words = Message(f"advanced.port.{kind}", n=repaired, turns=turns)
    return PortReport(vessel.name, section, turns, repaired, after, words)


def _hull_mended(vessel: Vessel, boxes: int) -> tuple[Vessel, int]:
    mended = min(boxes, boxes_marked(vessel.hull_lost))
    left = quarters_left(vessel.hull_lost, mended)
    solid = min(vessel.solid_hull_boxes, boxes_marked(left))
    return replace(vessel, hull_lost=left, solid_hull_boxes=solid), mended


def _guns_mended(vessel: Vessel, first: Section, turns: int) -> tuple[Vessel, int]:
    """Repairs of the given section, then of her other guns in the chart's order.

    In one turn they are of one main turret at most (68.22).
    """
    repaired = 0
    for _ in range(turns):
        left, turret = GUN_BOXES_A_TURN, ""
        for section in _guns(vessel, first):
            if section.turret and turret:
                continue
            vessel, mended = _section_mended(vessel, section, left)
            if mended:
                turret = turret or section.turret or ""
            left -= mended
        if left == GUN_BOXES_A_TURN:
            break
        repaired += GUN_BOXES_A_TURN - left
    return vessel, repaired


def _section_mended(vessel: Vessel, section: Section, boxes: int) -> tuple[Vessel, int]:
    """Repairs of up to so many boxes of a turret, or of secondary turrets."""
    if section.part is Part.SECONDARY:
        lost = [t.name for t in vessel.warship.secondaries if vessel.secondary_lost(t)]
        mended = frozenset(lost[-boxes:] if boxes else ())
        vessel = replace(
            vessel,
            secondaries_lost=vessel.secondaries_lost - mended,
            solid_secondaries=vessel.solid_secondaries - mended,
        )
        return vessel, len(mended)
    number, state = turret_in(vessel, section)
    count = min(boxes, boxes_marked(state.lost_quarters))
    quarters = quarters_left(state.lost_quarters, count)
    solid = min(state.solid_boxes, boxes_marked(quarters))
    after = replace(state, lost_quarters=quarters, solid_boxes=solid)
    return vessel.with_turret(number, after), count


def _guns(vessel: Vessel, first: Section) -> tuple[Section, ...]:
    others = (
        each.section
        for each in port_prospects(vessel)
        if each.section.part in (Part.TURRET, Part.SECONDARY)
        and each.repairable
        and each.section != first
    )
    return (first, *others)


def lacks(vessel: Vessel) -> tuple[bool, int]:
    """What she can receive: whether torpedoes, and how much ammunition."""
    torpedoes = vessel.torpedoes_fired and bool(vessel.warship.torpedoes)
    return torpedoes, sum(_room(vessel, battery) for battery in Battery)


def _room(vessel: Vessel, battery: Battery) -> int:
    return max(0, (vessel.warship.ammunition[battery] or 0) - vessel.ammunition(battery))


def check_refuelling(vessel: Vessel, *, in_port: bool) -> None:
    """Raise RepairForbidden if she can receive nothing."""
    ship = ShipRef(vessel.name)
    if vessel.is_sunk:
        raise RepairForbidden(Message("advanced.repair.sunk", ship=ship), "64.8")
    if not in_port and vessel.warship.is_allied:
        raise RepairForbidden(Message("advanced.refuel.in_port_only", ship=ship), "17.2")
    if lacks(vessel) == (False, 0):
        raise RepairForbidden(Message("advanced.refuel.lacks_nothing", ship=ship), "19.3, 20.6")


def refuel(vessel: Vessel, turns: int, tables: TableSet, *, in_port: bool) -> RefuelReport:
    """Some turns of refuelling: torpedoes (19.3), and ammunition, the main guns' first (20.6).

    The Intermediate Game has one supply for all guns; that the main guns' is filled first is our
    decision.
    """
    check_refuelling(vessel, in_port=in_port)
    torpedoes, _ = lacks(vessel)
    left = to_advanced(Rate.AMMUNITION_FACTOR, AMMUNITION_A_TURN * turns, tables)
    after, taken = replace(vessel, torpedoes_fired=False), 0
    for battery in Battery:
        count = min(left - taken, _room(vessel, battery))
        after = _replenished(after, battery, count)
        taken += count
    words = Message("advanced.refuel.ammunition", n=taken, turns=turns)
    if torpedoes:
        words = Message("advanced.refuel.both" if taken else "advanced.refuel.torpedoes", n=taken)
    return RefuelReport(vessel.name, turns, torpedoes, taken, after, words)


def _replenished(vessel: Vessel, battery: Battery, count: int) -> Vessel:
    """The ship with more ammunition; if counted by turret, turrets are refilled in order (65.6)."""
    filled = vessel.with_ammunition(battery, vessel.ammunition(battery) + count)
    spent, left = dict(vessel.turret_spent), count
    for mount in vessel.warship.mounts(battery):
        back = min(left, spent.get(mount.name, 0))
        if back:
            spent[mount.name] -= back
            left -= back
    return replace(filled, turret_spent=spent)
