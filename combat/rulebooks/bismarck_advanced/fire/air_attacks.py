"""A wave of bombers at a ship of the Advanced Game: damage in its own boxes (27.5, 72.2).

Who gets through and who hits is the Intermediate Game's. A midships box is one and a half hull
boxes, each bomb and torpedo rounded down by itself (72.3).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from combat.dice import FACES, Dice
from combat.events import Event, Rolled
from combat.modifiers import Ledger
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.conversion import Rate, hull_boxes
from combat.rulebooks.bismarck_advanced.fire.events import AirHit
from combat.rulebooks.bismarck_advanced.fire.torpedo_damage import (
    SINKS_ANYHOW,
    HullDamage,
    damage_words,
    resolve_hit,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_data.air_waves import (
    TARGETS,
    Bomber,
    Passage,
    Wave,
    anti_aircraft_fire,
    bomb_damage,
    bomb_harm,
    bomber_run,
    in_waves,
    land_bombers,
    loss_modifier,
)
from combat.rulebooks.bismarck_data.rolls import Throw
from combat.rulebooks.bismarck_data.table_files import PAD_ANTIAIRCRAFT, load_pad
from combat.tables import TableSet
from tabletop.messages import Message

FLOTILLA_ANTIAIRCRAFT = 2
"""The anti-aircraft strength of destroyers (27.47)."""


@dataclass(frozen=True, slots=True)
class BomberRun:
    """One plane that got through: its roll, and what it did."""

    throw: Throw
    hit: HullDamage | None = None


@dataclass(frozen=True, slots=True)
class AirReport:
    """A wave from its approach to its last plane."""

    wave: Wave
    passage: Passage
    runs: tuple[BomberRun, ...]

    @property
    def damage(self) -> tuple[HullDamage, ...]:
        """What every plane that hit has done."""
        return tuple(run.hit for run in self.runs if run.hit is not None)

    def on(self, vessel: Vessel) -> Vessel:
        """The ship after it."""
        return reduce(lambda ship, hit: hit.on(ship), self.damage, vessel)

    @property
    def provenance(self) -> Provenance:
        """The least certain of all that was read."""
        throws = (*self.passage.throws, *(run.throw for run in self.runs))
        return Provenance.worst(
            (*(throw.provenance for throw in throws), *(hit.provenance for hit in self.damage))
        )


@dataclass(frozen=True, slots=True)
class RaidReport:
    """All planes of one unit at one ship: how many came, and their waves of ten (27.36, 27.52)."""

    waves: tuple[AirReport, ...]
    land: Throw | None = None
    """The roll for the strength of a land-based unit."""

    @property
    def planes(self) -> int:
        """The planes that came."""
        return sum(each.wave.planes for each in self.waves)

    @property
    def stopped(self) -> int:
        """The planes that anti-aircraft fire has stopped."""
        return sum(each.passage.stopped for each in self.waves)

    @property
    def lost(self) -> int:
        """The planes that were shot down."""
        return sum(each.passage.lost for each in self.waves)

    @property
    def damage(self) -> tuple[HullDamage, ...]:
        """What every plane that hit has done."""
        return tuple(hit for each in self.waves for hit in each.damage)

    def on(self, vessel: Vessel) -> Vessel:
        """The ship after it."""
        return reduce(lambda ship, hit: hit.on(ship), self.damage, vessel)

    @property
    def provenance(self) -> Provenance:
        """The least certain of all that was read."""
        land = (self.land.provenance,) if self.land else ()
        return Provenance.worst((*land, *(each.provenance for each in self.waves)))


def own_antiaircraft(target: Vessel) -> int:
    """The anti-aircraft strength on a ship's counter (27.37); 0 for a ship without a counter."""
    if target.warship.is_destroyer:
        return FLOTILLA_ANTIAIRCRAFT
    pad, name = load_pad(), target.warship.name
    return pad.integer(name, PAD_ANTIAIRCRAFT) if name in pad.rows else 0


def air_ledger(wave: Wave, tables: TableSet) -> Ledger:
    """What is added to the die of the planes that are lost (29.2)."""
    return Ledger((loss_modifier(wave.visibility, tables),))


def resolve_wave(
    target: Vessel, wave: Wave, dice: Dice, tables: TableSet, *, spare_dice: bool = False
) -> AirReport:
    """Anti-aircraft fire, then plane by plane; those after she sank change nothing.

    With `spare_dice` nothing is rolled that cannot change anything, such as for those.
    """
    passage = anti_aircraft_fire(wave, dice, tables, spare_dice=spare_dice)
    runs, count = list[BomberRun](), passage.through
    for number in range(1, count + 1):
        if spare_dice and target.is_sunk:
            break
        ship_class = target.warship.ship_class
        hits, throw = bomber_run(wave, ship_class, dice, tables, number, count)
        if not hits:
            runs.append(BomberRun(throw))
            continue
        name = Message("advanced.hit_number.plane", number=number)
        torpedo = wave.bomber is Bomber.TORPEDO
        resolve = resolve_hit if torpedo else resolve_bomb
        target, damage = resolve(target, dice, tables, hit=name, spare_dice=spare_dice)
        runs.append(BomberRun(throw, damage))
    return AirReport(wave, passage, tuple(runs))


def resolve_raid(
    target: Vessel,
    wave: Wave,
    zones_to_base: int | None,
    stopped: int,
    dice: Dice,
    tables: TableSet,
    *,
    spare_dice: bool = False,
) -> RaidReport:
    """A wave as it is; or, with a range to its base, as many waves as a land-based unit brings.

    The bombers that fighters stop are taken off before the rest is divided into waves (28.9).
    With `spare_dice` nothing is rolled that cannot change anything.
    """
    land, planes = None, wave.planes
    if zones_to_base is not None:
        land, planes = land_bombers(zones_to_base, wave.visibility, dice, tables)
    reports = list[AirReport]()
    for count in in_waves(max(0, planes - stopped)):
        if spare_dice and target.is_sunk:
            break
        unit = replace(wave, planes=count)
        report = resolve_wave(target, unit, dice, tables, spare_dice=spare_dice)
        reports.append(report)
        target = report.on(target)
    return RaidReport(tuple(reports), land)


def raid_events(report: RaidReport, target: str) -> Iterator[Event]:
    """All of it in the order in which it was rolled."""
    if report.land is not None:
        yield _rolled(report.land, target)
    for each in report.waves:
        yield from wave_events(each, target)


def resolve_bomb(
    target: Vessel, dice: Dice, tables: TableSet, *, hit: Message, spare_dice: bool = False
) -> tuple[Vessel, HullDamage]:
    """One bomb that hit; returns the ship after it and what it did (27.55).

    With `spare_dice` no die is rolled for a ship that sinks whatever it shows.
    """
    if spare_dice and _any_bomb_sinks(target, tables):
        return replace(target, sunk_outright=True), SINKS_ANYHOW
    die, _, cell, harm = bomb_damage(target.warship.ship_class, dice, tables, hit)
    if harm.sunk:
        words = Message("advanced.torpedo.sunk_outright")
        sunk = HullDamage(die, 0, 0, True, words, cell.reference, cell.provenance)
        return replace(target, sunk_outright=True), sunk
    if not harm.midships:
        words = Message("bismarck.result.miss")
        return target, HullDamage(die, 0, 0, False, words, cell.reference, cell.provenance)
    boxes = hull_boxes(harm.midships, tables)
    rate = tables["conversions"].cell(Rate.MIDSHIPS_BOX, "value").provenance
    damage = HullDamage(
        die=die,
        hull_boxes=boxes,
        movement_factors=0,
        sunk=False,
        words=damage_words(boxes),
        reference=f"{cell.reference}; 72.2, 72.3",
        provenance=Provenance.worst((cell.provenance, rate)),
    )
    after = damage.on(target)
    if not after.is_sunk or target.is_sunk:
        return after, damage
    return after, replace(damage, sunk=True, words=damage_words(boxes, sinks=True))


def _any_bomb_sinks(target: Vessel, tables: TableSet) -> bool:
    table, column = tables["bomber_damage"], TARGETS[target.warship.ship_class]
    for face in range(1, FACES + 1):
        harm = bomb_harm(table.cell(str(face), column).value, target.warship.ship_class)
        boxes = hull_boxes(harm.midships, tables) if harm.midships else 0
        if not harm.sunk and not target.hull_marked(boxes * QUARTERS).is_sunk:
            return False
    return True


def wave_events(report: AirReport, target: str) -> Iterator[Event]:
    """A wave in the order in which it was rolled."""
    yield from (_rolled(throw, target) for throw in report.passage.throws)
    yield from report.passage.events(target)
    for number, run in enumerate(report.runs, start=1):
        yield _rolled(run.throw, target)
        if run.hit is not None:
            if run.hit.die is not None:
                yield _damage_rolled(run.hit, number, report.wave.bomber, target)
            yield AirHit(
                target=target,
                rule=run.hit.reference,
                number=number,
                die=run.hit.die,
                hull_boxes=run.hit.hull_boxes,
                movement_factors=run.hit.movement_factors,
                sunk=run.hit.sunk,
                effect=run.hit.words,
                provenance=run.hit.provenance,
            )


def _damage_rolled(hit: HullDamage, number: int, bomber: Bomber, target: str) -> Rolled:
    """The die of one hit's damage."""
    torpedo = bomber is Bomber.TORPEDO
    name = Message("advanced.hit_number.plane", number=number)
    code = "advanced.roll.torpedo_damage" if torpedo else "bismarck.roll.bomb_damage"
    return Rolled(
        target=target,
        rule=hit.reference,
        purpose=Message(code, hit=name),
        dice=str(hit.die),
        modifier=0,
        total=hit.die or 0,
        result="",
        words=hit.words,
        provenance=hit.provenance,
    )


def _rolled(throw: Throw, target: str) -> Rolled:
    return Rolled(
        target=target,
        rule=throw.rule,
        purpose=throw.purpose,
        dice=throw.dice,
        modifier=throw.modifier,
        total=throw.total,
        result=throw.result,
        words=throw.words,
        provenance=throw.provenance,
    )
