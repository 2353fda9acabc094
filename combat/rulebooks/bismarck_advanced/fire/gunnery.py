"""Gunnery: rules 60 to 62 and 65, in their order."""

from collections.abc import Mapping
from dataclasses import dataclass

from combat.dice import LAST_INDEX, Dice, Pair
from combat.modifiers import Ledger
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import (
    HIGHEST_ROW,
    LOWEST_ROW,
    CombatTables,
)
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport, Shell, resolve_hit
from combat.rulebooks.bismarck_advanced.fire.factor import columns, gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot, check_allowed
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class Expenditure:
    """The ammunition that a fire uses (65)."""

    spent: int
    by_turret: Mapping[str, int]
    """Each turret's part, if ammunition is counted by turret (65.6)."""


@dataclass(frozen=True, slots=True)
class FireReport:
    """The report of one fire, step by step."""

    shot: Shot
    guns: int
    gunnery_factor: int
    ledger: Ledger
    dice: Pair | None
    """None if no dice are needed: a factor of 0, no roll can hit, or the target is sunk already."""
    row: str | None
    hits: int
    hit_reports: tuple[HitReport, ...]
    expenditure: Expenditure
    ammunition_left: int
    target_after: Vessel
    firer_after: Vessel
    provenance: Provenance
    """The worst provenance of everything that the result depends on."""
    sunk_before: bool = False
    """Whether the target was sunk by other fire of this segment, so that nothing is rolled."""

    @property
    def ammunition_spent(self) -> int:
        """The ammunition that the fire used."""
        return self.expenditure.spent


def resolve_fire(
    shot: Shot,
    dice: Dice,
    combat_tables: CombatTables,
    *,
    options: Options | None = None,
    target_now: Vessel | None = None,
    spare_dice: bool = False,
) -> FireReport:
    """Resolve one fire.

    The shot has firer and target as they were when the segment began (62.2). `target_now` is the
    target with the marks of other fire in this segment, to which the new marks are added.
    With `spare_dice` a fire that no roll can hit with is not rolled for, nor, by the editions that
    have it so, what cannot change anything.
    """
    options = options or Options()
    spare_futile = spare_dice and combat_tables.edition.futile_roll_takes_no_dice
    check_allowed(shot)
    factor = gunnery_factor(shot)
    ledger = modifications(shot, combat_tables, options)
    used = expenditure(shot, combat_tables)
    firer_after = shot.firer.spending(shot.battery, used.spent, used.by_turret)
    target = target_now or shot.target
    sunk_before = spare_futile and target.is_sunk
    roll, row, hits = None, None, 0
    certainty = [modifier.provenance for modifier in ledger]
    spared = sunk_before or (
        spare_dice and is_hopeless(factor, ledger.total, combat_tables, options)
    )
    if factor and not spared:
        roll = dice.pair(Message("advanced.roll.to_hit"))
        index = roll.index + ledger.total
        row = combat_tables.row_name(index)
        for column in columns(factor, options):
            cell = combat_tables.hits_cell(column, index)
            hits += int(cell.value)
            certainty.append(cell.provenance)
    reports = []
    for number in range(1, hits + 1):
        target, report = resolve_hit(
            shell_of(shot),
            target,
            dice,
            combat_tables,
            hit=Message("advanced.hit_number.gun", number=number),
            radar_lost_with_superstructure=options.radar_lost_with_superstructure,
            lost_before=shot.lost_before,
            spare_dice=spare_futile,
        )
        reports.append(report)
        certainty.append(report.provenance)
    return FireReport(
        shot=shot,
        guns=shot.guns_firing,
        gunnery_factor=factor,
        ledger=ledger,
        dice=roll,
        row=row,
        hits=hits,
        hit_reports=tuple(reports),
        expenditure=used,
        ammunition_left=firer_after.ammunition(shot.battery),
        target_after=target,
        firer_after=firer_after,
        provenance=Provenance.worst(certainty),
        sunk_before=sunk_before,
    )


def is_hopeless(factor: int, total: int, combat_tables: CombatTables, options: Options) -> bool:
    """Whether no roll hits, with a gunnery factor and the ledger's sum (62.44)."""
    used, hits = columns(factor, options), combat_tables.hits

    def row(index: int) -> int:
        return min(max(index, LOWEST_ROW), HIGHEST_ROW) - LOWEST_ROW

    best_first = range(row(total + LAST_INDEX), row(total + 1) - 1, -1)
    return not any(hits[at][column] for at in best_first for column in used)


def shell_of(shot: Shot) -> Shell:
    """The shell of this fire."""
    band = shot.sightline.band
    assert band is not None, "check_allowed refuses a target beyond all bands"  # noqa: S101
    gun = shot.firer.warship.gun_types[shot.battery]
    assert gun is not None, "a battery that fires has a gun type"  # noqa: S101
    return Shell(gun, band, shot.sightline.aspect)


def expenditure(shot: Shot, combat_tables: CombatTables) -> Expenditure:
    """65.1–65.6: the ammunition that the firing guns use.

    The last salvo of a magazine fires with what is left.
    """
    firer = shot.firer
    per_gun = combat_tables.ammunition(allied=firer.warship.is_allied, band=shell_of(shot).band)
    # 65.4: guns that are targeting use half, rounded down.
    share = 2 if shot.conditions.first_fire_at_target else 1
    if not firer.ammunition_by_turret:
        total = shot.guns_firing * per_gun // share
        return Expenditure(min(total, firer.ammunition(shot.battery)), {})
    by_turret, guns = {}, shot.guns_firing
    for turret in shot.ready:
        firing = min(shot.rate_of(turret), guns)
        guns -= firing
        left = firer.turret_ammunition(shot.battery, turret.name)
        by_turret[turret.name] = min(firing * per_gun // share, left)
    return Expenditure(sum(by_turret.values()), by_turret)
