"""Repairs at sea between battles: one section of each ship per turn (68 with 40.1–40.6).

Boxes of the hull and of main turrets, secondary turrets and the rudder can be repaired.
Superstructure, fire control and speed have no repair table. `port` has repairs in port.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from combat.dice import Dice
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.conversion import Rate, hull_boxes
from combat.rulebooks.bismarck_advanced.fleet.vessel import (
    QUARTERS,
    TurretState,
    Vessel,
    boxes_marked,
)
from combat.rulebooks.bismarck_data.table_files import ALL, UNSUCCESSFUL
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef


class Part(StrEnum):
    """The kinds of sections with a repair table (40.2, 68.3)."""

    HULL = "hull"
    TURRET = "turret"
    SECONDARY = "secondary"
    RUDDER = "rudder"


@dataclass(frozen=True, slots=True)
class Section:
    """The section of an attempt; at most one main turret in a turn (68.22)."""

    part: Part
    turret: str | None = None

    def __post_init__(self) -> None:
        if (self.part is Part.TURRET) != (self.turret is not None):
            raise DreyerError("advanced.repair.turret_by_name", section=self.title)

    @property
    def title(self) -> Message:
        """Its title."""
        if self.turret:
            return Message("advanced.section.turret_named", turret=self.turret)
        return Message(f"advanced.section.{self.part}")


class RepairForbidden(DreyerError):
    """A repair that the rules forbid, with the rule."""

    def __init__(self, reason: Message, rule: str) -> None:
        self.reason = reason
        self.rule = rule
        super().__init__("errors.forbidden", reason=reason, rule=rule)


@dataclass(frozen=True, slots=True)
class Prospect:
    """A damaged section, and how much of it can be repaired at sea."""

    section: Section
    marked: int
    """Boxes, secondary turrets or faults of the rudder."""
    repairable: int
    why_not: Message | None = None
    """Why nothing can be repaired, if so."""
    rule: str = "40.2"


@dataclass(frozen=True, slots=True)
class RepairReport:
    """One attempt and its result."""

    ship: str
    section: Section
    die: int
    repaired: int
    """In the unit of the prospect."""
    vessel_after: Vessel
    words: Message
    rule: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class RosterVerdict:
    """Whether a ship stays in the campaign after a battle."""

    stays: bool
    why: Message
    rule: str


def after_battle(vessel: Vessel) -> RosterVerdict:
    """Whether she stays in play; a damaged destroyer does not (70.6)."""
    ship = ShipRef(vessel.name)
    if vessel.is_sunk:
        return RosterVerdict(False, Message("advanced.roster.sunk", ship=ship), "64.8")
    if vessel.warship.is_destroyer and vessel.hull_lost:
        return RosterVerdict(False, Message("advanced.roster.leaves", ship=ship), "70.6")
    return RosterVerdict(True, Message("advanced.roster.stays", ship=ship), "70.6")


def check_repairs(vessel: Vessel, *, moved_two_zones: bool = False) -> None:
    """Raise RepairForbidden if this ship cannot be repaired at all."""
    ship = ShipRef(vessel.name)
    if vessel.is_sunk:
        raise RepairForbidden(Message("advanced.repair.sunk", ship=ship), "64.8")
    if vessel.warship.is_destroyer:
        raise RepairForbidden(Message("advanced.repair.destroyer", ship=ship), "70.6")
    if moved_two_zones:
        raise RepairForbidden(Message("advanced.repair.moved_two_zones", ship=ship), "40.6")


def prospects(vessel: Vessel) -> tuple[Prospect, ...]:
    """Every damaged section of a ship, and how much of it can be repaired at sea."""
    return tuple(_prospects(vessel))


def _prospects(vessel: Vessel) -> Iterator[Prospect]:
    if vessel.hull_lost:
        yield _boxes_prospect(Section(Part.HULL), vessel.hull_lost, vessel.solid_hull_boxes)
    for turret, state in zip(vessel.warship.turrets, vessel.turrets, strict=True):
        section = Section(Part.TURRET, turret.name)
        if state.destroyed:
            why = Message("advanced.repair.turret_destroyed", section=section.title)
            yield Prospect(section, boxes_marked(state.lost_quarters), 0, why, "68.21")
        elif state.lost_quarters:
            yield _boxes_prospect(section, state.lost_quarters, state.solid_boxes)
    if vessel.secondaries_lost:
        within_reach = len(_secondaries_within_reach(vessel))
        lost, solid = len(vessel.secondaries_lost), bool(vessel.solid_secondaries)
        yield _prospect(Section(Part.SECONDARY), lost, within_reach, solid=solid)
    if vessel.helm:
        # 40.4 is about boxes, and the rudder has none; otherwise its table in 68.3 would have no
        # use.
        within_reach = len(vessel.helm - vessel.solid_helm)
        yield _prospect(Section(Part.RUDDER), len(vessel.helm), within_reach, solid=True)


def attempt_repair(
    vessel: Vessel, section: Section, dice: Dice, tables: TableSet, *, moved_two_zones: bool = False
) -> RepairReport:
    """Attempt to repair a section; returns the ship after it and the report (40.2, 40.3)."""
    check_repairs(vessel, moved_two_zones=moved_two_zones)
    prospect = prospect_of(vessel, section)
    die = dice.die(repair_purpose(vessel.name, section))
    name, column = _TABLES[section.part]
    cell = tables[name].cell(str(die), column)
    rule, certainty = _RULES[section.part], [cell.provenance]
    if section.part is Part.HULL:
        certainty.append(tables["conversions"].cell(Rate.MIDSHIPS_BOX, "value").provenance)
    if cell.value == UNSUCCESSFUL:
        repaired, after = 0, _made_solid(vessel, section)
        words = Message("advanced.repair.unsuccessful", section=section.title)
        rule = "40.3"
    else:
        # The note to the table: any excess is ignored.
        repaired = min(_allowance(section, cell.value, prospect, tables), prospect.repairable)
        after = _repaired(vessel, section, repaired)
        words = Message(
            f"advanced.repair.done.{section.part}",
            repaired=repaired,
            n=prospect.marked,
            section=section.title,
        )
    return RepairReport(
        ship=vessel.name,
        section=section,
        die=die,
        repaired=repaired,
        vessel_after=after,
        words=words,
        rule=rule,
        provenance=Provenance.worst(certainty),
    )


def repair_purpose(ship: str, section: Section) -> Message:
    """The purpose of a repair's die."""
    return Message("advanced.roll.repair", ship=ShipRef(ship), section=section.title)


def prospect_of(vessel: Vessel, section: Section) -> Prospect:
    """The prospect of a section. Raises RepairForbidden if nothing can be repaired."""
    ship = ShipRef(vessel.name)
    if section.turret is not None:
        vessel.turret_number(section.turret)
    for prospect in prospects(vessel):
        if prospect.section == section:
            if prospect.why_not is not None:
                why = Message("advanced.repair.not_hers", ship=ship, why=prospect.why_not)
                raise RepairForbidden(why, prospect.rule)
            return prospect
    undamaged = Message("advanced.repair.undamaged", ship=ship, section=section.title)
    raise RepairForbidden(undamaged, "40.1")


def _boxes_prospect(section: Section, lost_quarters: int, solid_boxes: int) -> Prospect:
    marked = boxes_marked(lost_quarters)
    # 40.4: the first box hit stays marked, solid or not.
    return _prospect(section, marked, marked - max(1, solid_boxes), solid=solid_boxes > 1)


def _prospect(section: Section, marked: int, within_reach: int, *, solid: bool) -> Prospect:
    if within_reach > 0:
        return Prospect(section, marked, within_reach)
    if solid:
        why = Message("advanced.repair.failed_before", section=section.title)
        return Prospect(section, marked, 0, why, "40.3")
    why = Message("advanced.repair.first_box", section=section.title)
    return Prospect(section, marked, 0, why, "40.4")


def _secondaries_within_reach(vessel: Vessel) -> tuple[str, ...]:
    """The lost secondaries that can be repaired, in the chart's order.

    The sheet does not record the order of losses, so the foremost in the chart counts as the first
    (40.4).
    """
    lost = [t.name for t in vessel.warship.secondaries if t.name in vessel.secondaries_lost]
    beyond = vessel.solid_secondaries & vessel.secondaries_lost or set(lost[:1])
    return tuple(name for name in lost if name not in beyond)


def _allowance(section: Section, result: str, prospect: Prospect, tables: TableSet) -> int:
    """The amount that a result of the table repairs."""
    if section.part is Part.RUDDER or result == ALL:
        return prospect.repairable
    # 72.2: the table counts midships boxes. Turret boxes need no conversion: in halves of a turret
    # every result would be the same.
    return hull_boxes(int(result), tables) if section.part is Part.HULL else int(result)


def _repaired(vessel: Vessel, section: Section, count: int) -> Vessel:
    """Erase marks from right to left (40.3); a partly marked box counts as marked."""
    match section.part:
        case Part.HULL:
            return replace(vessel, hull_lost=quarters_left(vessel.hull_lost, count))
        case Part.TURRET:
            number, state = turret_in(vessel, section)
            left = quarters_left(state.lost_quarters, count)
            return vessel.with_turret(number, replace(state, lost_quarters=left))
        case Part.SECONDARY:
            mended = frozenset(_secondaries_within_reach(vessel)[-count:])
            return replace(vessel, secondaries_lost=vessel.secondaries_lost - mended)
        case Part.RUDDER:
            return replace(vessel, helm=vessel.helm & vessel.solid_helm)


def _made_solid(vessel: Vessel, section: Section) -> Vessel:
    """Make all marks solid, so that they can no longer be repaired at sea (40.3)."""
    match section.part:
        case Part.HULL:
            return replace(vessel, solid_hull_boxes=boxes_marked(vessel.hull_lost))
        case Part.TURRET:
            number, state = turret_in(vessel, section)
            solid = replace(state, solid_boxes=boxes_marked(state.lost_quarters))
            return vessel.with_turret(number, solid)
        case Part.SECONDARY:
            return replace(vessel, solid_secondaries=vessel.secondaries_lost)
        case Part.RUDDER:
            return replace(vessel, solid_helm=vessel.helm)


def turret_in(vessel: Vessel, section: Section) -> tuple[int, TurretState]:
    """The number and the state of the turret that a section is."""
    number = vessel.turret_number(section.turret or "")
    return number, vessel.turrets[number]


def quarters_left(lost_quarters: int, boxes: int) -> int:
    """The quarters that stay marked; all but the last marked box are fully marked (64.34)."""
    return (boxes_marked(lost_quarters) - boxes) * QUARTERS


_TABLES: Final = {
    Part.HULL: ("repair_at_sea", "midships"),
    Part.TURRET: ("repair_at_sea", "turret"),
    Part.SECONDARY: ("secondary_repair", "result"),
    Part.RUDDER: ("rudder_repair", "result"),
}
_RULES: Final = {
    Part.HULL: "40.3, 72.2",
    Part.TURRET: "40.3, 68.22",
    Part.SECONDARY: "68.3",
    Part.RUDDER: "68.1, 68.3",
}
