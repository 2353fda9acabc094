"""Places on the Surface Combat Display: deployment, movement, adjustment (11.4.2 to 11.4.13)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from combat.dice import Dice
from combat.events import Event
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.arctic_disaster.actions import (
    ROUNDS_TOGETHER,
    Adjustment,
    Deployment,
    Designation,
    Marks,
    Movement,
    Scattering,
    Submerging,
)
from combat.rulebooks.arctic_disaster.attack import AttackOutcome, ResolvedAttack
from combat.rulebooks.arctic_disaster.display import (
    check_on_display,
    combat_round,
    is_german,
    on_display,
)
from combat.rulebooks.arctic_disaster.events import (
    Deployed,
    DisplayMoved,
    LeftDisplay,
    SmokeLaid,
    Submerged,
)
from combat.rulebooks.arctic_disaster.segments import SUBMARINE
from combat.rulebooks.arctic_disaster.strike import afloat
from combat.rulebooks.arctic_disaster.table_files import DEPLOYMENT, LAST_AREA
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import Table, TableSet
from combat.ten_sided_dice import DICE, read_row, strength_of, throw
from tabletop.messages import Message, ShipRef

_AREAS: Final = Message("arctic.factor.areas")
_SMOKERS: Final = ("DD", "TB")
Change = Callable[[Marks], Marks]


@dataclass(frozen=True, slots=True)
class DisplayChange:
    """What an action does on the display: events, and the new marks by ship."""

    events: tuple[Event, ...]
    marks: Mapping[str, Change]


# Deployment


def deploy_strength(attack: Attempt[Deployment, Vessel], tables: TableSet) -> Strength:
    """One die for a group; a ship that joins hers, and the convoy, need none (11.4.2, 11.4.13)."""
    ship = attack.actor
    afloat(ship)
    if ship.marks.area is not None:
        raise Forbidden(Message("arctic.refused.deployed", ship=ShipRef(ship.id)), "11.4.2")
    here = on_display(attack.fleet)
    if here and combat_round(attack.round_number, here[0].marks) > 1:
        raise Forbidden(Message("arctic.refused.under_way"), "11.4.2")
    _check_convoy(attack, here)
    dice = int(_group_area(attack) is None)
    reference = Message("combat.reference.one_die" if dice else "arctic.reference.with_group",
                        rule="11.4.2")  # fmt: skip
    cells = [cell for die in tables["deployment"].rows
             for cell in [tables["deployment"].cell(die, _column(attack))]]  # fmt: skip
    return strength_of(dice, reference, [], cells, DICE)


def _check_convoy(attack: Attempt[Deployment, Vessel], here: tuple[Vessel, ...]) -> None:
    action, ship = attack.action, attack.actor
    if action.convoy and is_german(ship):
        raise Forbidden(Message("arctic.refused.no_convoy"), "11.4.13")
    if action.convoy_area is not None and not action.convoy:
        raise Forbidden(Message("arctic.refused.area_is_rolled"), "11.4.2")
    there = next((each.marks.area for each in here if each.marks.convoy), None)
    if action.convoy and there is None and action.convoy_area is None:
        raise Forbidden(Message("arctic.refused.convoy_area"), "11.4.13")
    if action.convoy and there is not None and action.convoy_area not in (None, there):
        raise Forbidden(Message("arctic.refused.convoy_together", area=there), "11.4.13")


def _group_area(attack: Attempt[Deployment, Vessel]) -> int | None:
    """The area of her group, or of the convoy; None where a die has to be rolled."""
    ship, action = attack.actor, attack.action
    for other in on_display(attack.others):
        marks = other.marks
        if action.convoy and marks.convoy:
            return marks.area
        same_group = not marks.convoy and marks.group == action.group
        if not action.convoy and same_group and is_german(other) == is_german(ship):
            return marks.area
    return action.convoy_area


def _column(attack: Attempt[Deployment, Vessel]) -> str:
    german, fog = is_german(attack.actor), attack.action.fog
    return DEPLOYMENT[(0 if german else 2) + int(fog)]


def run_deploy(attack: Attempt[Deployment, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """Her area: that of her group, or by a die."""
    deploy_strength(attack, tables)
    if _group_area(attack) is not None:
        return ResolvedAttack(AttackOutcome())
    table: Table = tables["deployment"]
    thrown = throw(dice, Message("arctic.roll.deployment"), "11.4.2", table, _column(attack))
    words = Message("arctic.answer.area", area=int(thrown.result))
    return ResolvedAttack(AttackOutcome(), (replace(thrown, words=words),))


def deployed(
    attack: Attempt[Deployment, Vessel],
    rolled: ResolvedAttack,
    tables: TableSet,
    *,
    in_segments: bool,
) -> DisplayChange:
    """The ship in her area; the first one begins the combat."""
    ship, action = attack.actor, attack.action
    area = _group_area(attack)
    if area is None:
        area = int(read_row(tables["deployment"], _column(attack), rolled.throws[0].die).value)
    others = on_display(attack.others)
    began = others[0].marks.began if others else attack.round_number

    def placed(marks: Marks) -> Marks:
        return replace(
            marks,
            area=area,
            group=None if action.convoy else action.group,
            convoy=True if action.convoy else None,
            fog=action.fog,
            began=began,
            in_segments=True if in_segments else None,
            left=None,
        )

    event = Deployed(ship=ship.id, rule="11.4.13" if action.convoy else "11.4.2", area=area)
    return DisplayChange((event,), {ship.id: placed})


# Movement


def move_strength(attack: Attempt[Movement, Vessel], _tables: TableSet) -> Strength:
    """The areas that a ship may enter in this round."""
    ship, action = attack.actor, attack.action
    afloat(ship)
    check_on_display(attack)
    _check_turn(attack)
    if action.smoke_laid:
        if ship.unit not in _SMOKERS:
            raise Forbidden(Message("arctic.refused.no_smoke", unit=ship.unit), "11.4.6")
        if action.to_area not in (None, ship.marks.area):
            raise Forbidden(Message("arctic.refused.smoke_stays", ship=ShipRef(ship.id)), "11.4.6")
        reference = Message("arctic.reference.laying_smoke", rule="11.4.6")
        return strength_of(0, reference, [], ship.cells, _AREAS)
    areas = min(max(0, each.move - action.marker) for each in _moving_with(attack))
    if ship.marks.area is not None and action.to_area is not None:
        wanted = abs(action.to_area - ship.marks.area)
        if wanted > areas:
            reason = Message("arctic.refused.too_far", ship=ShipRef(ship.id), areas=areas)
            raise Forbidden(reason, "11.4.3")
    reference = Message("arctic.reference.areas", rule="11.4.3")
    return strength_of(areas, reference, [], ship.cells, _AREAS)


def _check_turn(attack: Attempt[Movement, Vessel]) -> None:
    """One move a round, before the gunnery, on the display alone."""
    ship, marks = attack.actor, attack.actor.marks
    if marks.area is None:
        if attack.action.to_area is not None:
            raise Forbidden(Message("arctic.refused.not_there", ship=ShipRef(ship.id)), "11.4.2")
        return
    if marks.moved or marks.smoke_area is not None:
        raise Forbidden(Message("arctic.refused.moved", ship=ShipRef(ship.id)), "11.4.3")
    if marks.fired_main or marks.fired_secondary:
        raise Forbidden(Message("arctic.refused.moves_first", ship=ShipRef(ship.id)), "11.4")


def _moving_with(attack: Attempt[Movement, Vessel]) -> tuple[Vessel, ...]:
    """The ship, and with a ship of the convoy all of it (11.4.13)."""
    ship = attack.actor
    if not ship.marks.convoy:
        return (ship,)
    return tuple(each for each in attack.fleet if each.marks.convoy and not each.sunk)


def run_move(attack: Attempt[Movement, Vessel], _dice: Dice, tables: TableSet) -> ResolvedAttack:
    """The areas that she may enter; no die is rolled."""
    areas, action = move_strength(attack, tables).factor, attack.action
    if action.smoke_laid:
        note = Message("arctic.note.lays_smoke")
    elif attack.actor.marks.area is not None:
        note = Message("arctic.note.in_area", area=action.to_area or attack.actor.marks.area)
    else:
        note = Message("arctic.note.moves", areas=areas)
    return ResolvedAttack(AttackOutcome(notes=frozenset([note])))


def moved(attack: Attempt[Movement, Vessel]) -> DisplayChange:
    """The ships in their new area; smoke lies where it was laid."""
    ship, action = attack.actor, attack.action
    area = ship.marks.area
    if area is None:
        return DisplayChange((), {})
    if action.smoke_laid:
        smoke = SmokeLaid(ship=ship.id, rule="11.4.6", area=area)
        return DisplayChange((smoke,), {ship.id: lambda marks: replace(marks, smoke_area=area)})
    if action.to_area in (None, area):
        return DisplayChange((), {})
    to_area = action.to_area
    return DisplayChange(
        (),
        {
            each.id: lambda marks: replace(marks, area=to_area, moved=True)
            for each in _moving_with(attack)
        },
    )


# The display as a whole


def adjust_strength(attack: Attempt[Adjustment, Vessel], _tables: TableSet) -> Strength:
    """The areas by which all ships are moved."""
    areas = attack.action.areas
    for each in on_display(attack.fleet):
        if not 1 <= (each.marks.area or 0) + areas <= LAST_AREA:
            reason = Message("arctic.refused.off_display", ship=ShipRef(each.id))
            raise Forbidden(reason, "11.4.12")
    reference = Message("arctic.reference.all_ships", rule="11.4.12")
    return strength_of(abs(areas), reference, [], label=_AREAS)


def adjusted(attack: Attempt[Adjustment, Vessel]) -> DisplayChange:
    """All ships so many areas on; what lies between them stays."""
    areas = attack.action.areas

    def shifted(marks: Marks) -> Marks:
        smoke = marks.smoke_area
        if smoke is not None:
            smoke = min(max(smoke + areas, 1), LAST_AREA)
        return replace(marks, area=(marks.area or 0) + areas, smoke_area=smoke)

    here = on_display(attack.fleet)
    event = DisplayMoved(rule="11.4.12", areas=areas)
    return DisplayChange((event,), {each.id: shifted for each in here})


def scatter_strength(attack: Attempt[Scattering, Vessel], _tables: TableSet) -> Strength:
    """The convoy's units that leave the display. Forbidden before the end of the fourth round."""
    if attack.action.round <= ROUNDS_TOGETHER:
        raise Forbidden(Message("arctic.refused.together", rounds=ROUNDS_TOGETHER), "11.4.13")
    reference = Message("arctic.reference.units", rule="11.4.13")
    units = len(_convoy(attack))
    return strength_of(units, reference, [], label=Message("arctic.factor.units"))


def scattered(attack: Attempt[Scattering, Vessel]) -> DisplayChange:
    """The convoy off the display."""
    return _left(_convoy(attack), "11.4.13")


def _convoy(attack: Attempt[Scattering, Vessel]) -> tuple[Vessel, ...]:
    return tuple(each for each in on_display(attack.fleet) if each.marks.convoy)


def combat_ended(fleet: tuple[Vessel, ...]) -> DisplayChange:
    """All ships off the display (11.4.10)."""
    here = on_display(fleet)
    gone = _left(here, "11.4.10")
    kept = {each.id for each in here if each.marks.in_segments}
    marks = {ship: _over(change) if ship in kept else change for ship, change in gone.marks.items()}
    return replace(gone, marks=marks)


def _over(change: Change) -> Change:
    return lambda marks: replace(change(marks), left=True)


def _left(ships: tuple[Vessel, ...], rule: str) -> DisplayChange:
    events = (LeftDisplay(ship=each.id, rule=rule) for each in ships)
    changes = {each.id: _boat_left if each.unit == SUBMARINE else Marks.off_display
               for each in ships}  # fmt: skip
    return DisplayChange(tuple(events), changes)


def _boat_left(marks: Marks) -> Marks:
    """A submarine attacks once in a surface combat, not once in the game (13.10)."""
    return replace(marks.off_display(), torpedoes_fired=False)


def combat_goes_on(fleet: tuple[Vessel, ...]) -> DisplayChange:
    """The Disengagement Segment of this round is over."""
    here = (each for each in on_display(fleet) if each.marks.in_segments)
    return DisplayChange((), {each.id: _asked for each in here})


def _asked(marks: Marks) -> Marks:
    return replace(marks, asked_to_end=True)


def submerged(attack: Attempt[Submerging, Vessel]) -> DisplayChange:
    """The submarine below the surface (13.10)."""
    boat = attack.actor
    event = Submerged(ship=boat.id, rule="13.10")
    return DisplayChange((event,), {boat.id: lambda marks: replace(marks, submerged=True)})


def attacked_from_air(target: Vessel) -> DisplayChange:
    """The Air Attack Segment of this round has begun (11.4.8)."""
    if not target.marks.in_segments:
        return DisplayChange((), {})
    return DisplayChange((), {target.id: lambda marks: replace(marks, air_attacked=True)})


def no_dice(
    _attack: Attempt[Adjustment | Scattering | Designation | Submerging, Vessel],
    _dice: Dice,
    _tables: TableSet,
) -> ResolvedAttack:
    """An action without a die."""
    return ResolvedAttack(AttackOutcome())
