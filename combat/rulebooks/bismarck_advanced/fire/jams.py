"""Guns that jam: Prince of Wales, King George V and Tirpitz (71)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from combat.dice import Dice, Pair
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fire.events import GunsJammed
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.tables import Table, TableSet
from tabletop.messages import Message, ShipRef

_NOTHING: Final = "none"
_PERMANENT: Final = "permanent"


@dataclass(frozen=True, slots=True)
class JamReport:
    """One ship's roll on her jam table, before any fire of the phase."""

    ship: str
    dice: Pair
    turret: str | None
    """The turret of the table's result; None for no effect."""
    guns: int
    """The number of working guns that jammed."""
    permanent: bool
    """Whether it lasts until the end of the battle (71.4), or for this fire only (71.5)."""
    jammed: Mapping[str, int] = field(hash=False)
    """Guns jammed for this phase only, by turret, for the conditions of its fire."""
    vessel_after: Vessel
    """The ship with the lasting jams, as she fires in this phase."""
    words: Message
    rule: str
    provenance: Provenance


def roll_jams(
    vessel: Vessel,
    turrets_firing: Collection[str],
    dice: Dice,
    tables: TableSet,
    *,
    spare_dice: bool = False,
) -> JamReport | None:
    """One roll for a ship in a phase in which she fires (71.2); None if she does not roll.

    Roll once for all her fire of the phase, before any ship fires. With `spare_dice` she does not
    roll where no result jams a gun of a turret that fires.
    """
    for turret in turrets_firing:
        vessel.turret_number(turret)
    name = vessel.warship.jam_table
    if name is None or not turrets_firing:
        return None
    if spare_dice and not _may_jam(vessel, turrets_firing, tables[name]):
        return None
    roll = dice.pair(jam_purpose(vessel.name))
    cell = tables[name].cell(str(roll), "result")
    report = JamReport(
        ship=vessel.name,
        dice=roll,
        turret=None,
        guns=0,
        permanent=False,
        jammed={},
        vessel_after=vessel,
        words=Message("advanced.jam.none"),
        rule="71.3",
        provenance=cell.provenance,
    )
    if cell.value == _NOTHING:
        return report
    turret, count, *lasting = cell.value.split(":")
    report = replace(report, turret=turret, permanent=lasting == [_PERMANENT])
    if turret not in turrets_firing:
        return replace(report, words=Message("advanced.jam.not_firing", turret=turret), rule="71.2")

    number = vessel.turret_number(turret)
    state = vessel.turrets[number]
    guns = min(int(count), _working_guns(vessel, turret))
    if report.permanent:
        return replace(
            report,
            guns=guns,
            vessel_after=vessel.with_turret(
                number, replace(state, jammed_guns=state.jammed_guns + guns)
            ),
            words=Message("advanced.jam.lasting", n=guns, turret=turret),
            rule="71.4",
        )
    return replace(
        report,
        guns=guns,
        jammed={turret: guns},
        words=Message("advanced.jam.this_fire", n=guns, turret=turret),
        rule="71.5",
    )


def _may_jam(vessel: Vessel, turrets_firing: Collection[str], table: Table) -> bool:
    """Whether any roll jams a gun of a turret that fires (71.2, 71.3)."""
    named = {table.cell(row, "result").value.partition(":")[0] for row in table.rows}
    return any(_working_guns(vessel, turret) for turret in named & set(turrets_firing))


def _working_guns(vessel: Vessel, turret: str) -> int:
    number = vessel.turret_number(turret)
    return max(0, vessel.warship.turrets[number].guns - vessel.turrets[number].jammed_guns)


def jam_event(jam: JamReport) -> GunsJammed:
    """A roll for jams (71.2)."""
    return GunsJammed(
        ship=jam.ship,
        rule=jam.rule,
        dice=str(jam.dice),
        turret=jam.turret,
        guns=jam.guns,
        permanent=jam.permanent,
        result=jam.words,
    )


def jam_purpose(ship: str) -> Message:
    """The purpose of a ship's roll for jams."""
    return Message("advanced.roll.jams", ship=ShipRef(ship))


def cleared_after_battle(vessel: Vessel) -> Vessel:
    """The ship in her next battle, without jams (71.4)."""
    return replace(vessel, turrets=tuple(replace(state, jammed_guns=0) for state in vessel.turrets))
