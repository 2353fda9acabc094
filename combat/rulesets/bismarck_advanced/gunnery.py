"""From the facts of a fire to hits: rules 60 to 62 and 65, in their order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from combat.dice import Dice, Pair
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.rulesets.bismarck_advanced.card import LAST_COLUMN, Card
from combat.rulesets.bismarck_advanced.damage import HitReport, Shell, resolve_hit
from combat.rulesets.bismarck_advanced.evolution import Evolution
from combat.rulesets.bismarck_advanced.shot import Shot, check_allowed
from combat.rulesets.bismarck_advanced.vessel import Vessel
from combat.ships import ShipClass

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Options:
    """Optional rules, and readings that the book leaves to the players."""

    radar_lost_with_superstructure: bool = False
    """64.5: the first superstructure hit may cost the radar."""
    factors_past_the_table_add_up: bool = False
    """A factor above 28: column 28 (no), or whole columns of 28 and the rest, added up (yes)."""


@dataclass(frozen=True, slots=True)
class Expenditure:
    """What a fire takes out of the magazines (65)."""

    spent: int
    by_turret: Mapping[str, int]
    """The part of each turret, where ammunition is counted by turret (65.6)."""


@dataclass(frozen=True, slots=True)
class FireReport:
    """One fire, step by step: what a page can show without knowing a rule."""

    shot: Shot
    guns: int
    gunnery_factor: int
    ledger: Ledger
    dice: Pair | None
    """None where a factor of 0 takes no dice."""
    row: str | None
    hits: int
    hit_reports: tuple[HitReport, ...]
    expenditure: Expenditure
    ammunition_left: int
    target_after: Vessel
    firer_after: Vessel
    provenance: Provenance
    """The least certain of everything that the result rests on."""

    @property
    def ammunition_spent(self) -> int:
        """What the fire took out of the magazines."""
        return self.expenditure.spent


def resolve_fire(
    shot: Shot,
    dice: Dice,
    card: Card,
    *,
    options: Options | None = None,
    target_now: Vessel | None = None,
) -> FireReport:
    """Resolve one fire.

    The shot shows firer and target as they were when the segment began (62.2). Where others have
    hit the target in the same segment, `target_now` carries their marks, and ours come on top.
    """
    options = options or Options()
    check_allowed(shot)
    factor = gunnery_factor(shot)
    ledger = modifications(shot, card)
    used = expenditure(shot, card)
    firer_after = shot.firer.spending(shot.battery, used.spent, used.by_turret)
    target = target_now or shot.target
    roll, row, hits = None, None, 0
    certainty = [modifier.provenance for modifier in ledger]
    if factor:
        roll = dice.pair("the hit roll")
        index = roll.index + ledger.total
        row = card.row_name(index)
        for column in columns(factor, options):
            cell = card.hits_cell(column, index)
            hits += int(cell.value)
            certainty.append(cell.provenance)
    reports = []
    for number in range(1, hits + 1):
        target, report = resolve_hit(
            shell_of(shot),
            target,
            dice,
            card,
            hit=f"hit {number}",
            radar_lost_with_superstructure=options.radar_lost_with_superstructure,
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
    )


def shell_of(shot: Shot) -> Shell:
    """What this fire throws at the target."""
    band = shot.sightline.band
    assert band is not None, "check_allowed refuses a target beyond all bands"  # noqa: S101
    gun = shot.firer.warship.gun_types[shot.battery]
    assert gun is not None, "a battery that fires has a gun type"  # noqa: S101
    return Shell(gun, band, shot.sightline.aspect)


def gunnery_factor(shot: Shot) -> int:
    """62.43: guns times multiplier, to the nearest whole number; a half rounds up."""
    multiplier = shot.multiplier
    if multiplier is None:
        return 0
    return floor(shot.guns_firing * multiplier + HALF)


def columns(factor: int, options: Options) -> tuple[int, ...]:
    """The Hit Table's columns for a factor: one, or several where factors past 28 add up."""
    if factor <= LAST_COLUMN:
        return (factor,) if factor else ()
    if not options.factors_past_the_table_add_up:
        return (LAST_COLUMN,)
    whole, rest = divmod(factor, LAST_COLUMN)
    return (LAST_COLUMN,) * whole + ((rest,) if rest else ())


def expenditure(shot: Shot, card: Card) -> Expenditure:
    """65.1–65.6: what the guns that fire expend.

    The last salvo of a magazine fires with what is there.
    """
    firer = shot.firer
    per_gun = card.ammunition(allied=firer.warship.is_allied, band=shell_of(shot).band)
    # 65.4: guns that are targeting expend half, rounded down.
    share = 2 if shot.conditions.first_fire_at_target else 1
    if not firer.ammunition_by_turret:
        total = shot.guns_firing * per_gun // share
        return Expenditure(min(total, firer.ammunition(shot.battery)), {})
    by_turret, guns = {}, shot.guns_firing
    for turret in shot.ready:
        firing = min(turret.guns, guns)
        guns -= firing
        left = firer.turret_ammunition(shot.battery, turret.name)
        by_turret[turret.name] = min(firing * per_gun // share, left)
    return Expenditure(sum(by_turret.values()), by_turret)


def modifications(shot: Shot, card: Card) -> Ledger:
    """62.5: every modification of the hit roll, all of them cumulative (62.52)."""
    return Ledger(tuple(_modifications(shot, card)))


def _modifications(shot: Shot, card: Card) -> Iterator[Modifier]:
    firer, target, conditions = shot.firer, shot.target, shot.conditions
    line, speed = shot.sightline, shot.firer_speed

    def modifier(number: int | str, case: str, label: str, times: int = 1) -> Modifier:
        cell = card.modifier(case)
        return Modifier(number, int(cell.value) * times, label, cell.reference, cell.provenance)

    yield _targeting(shot)
    has_radar = firer.has_radar
    yield modifier(
        1, "1 radar" if has_radar else "1 no radar", "radar" if has_radar else "no radar"
    )
    yield from _visibility(shot, card)
    third = ("first", "second", "last")[firer.hull_third]
    yield modifier(3, f"3 hull {third} third", f"own hull in its {third} third")
    yield from _fire_control(firer, card)
    yield (
        modifier(5, "5 hit", "hit in the previous segment")
        if conditions.hit_last_segment
        else modifier(5, "5 not hit", "not hit in the previous segment")
    )
    full_speed = speed > 0 and speed >= firer.movement_factor
    yield (
        modifier(6, "6 full speed", f"at full speed, {speed} of {firer.movement_factor}")
        if full_speed
        else modifier(6, "6 less", f"at speed {speed} of {firer.movement_factor}")
    )
    yield modifier(
        7,
        f"7 {_words(conditions.firer_evolution)}",
        f"own ship {_words(conditions.firer_evolution)}",
    )
    yield modifier(
        8,
        f"8 {target.warship.ship_class}",
        f"target is a {CLASS_WORDS[target.warship.ship_class]}",
    )
    yield _previous_fire(shot, card)
    yield modifier(10, f"10 {conditions.crew}", f"crew {conditions.crew}")
    yield (
        modifier(11, "11 several targets", "these guns fire at several targets")
        if conditions.several_targets
        else modifier(11, "11 one target", "these guns fire at one target")
    )
    yield (
        modifier(12, "12 several", "others fire at this target too")
        if conditions.several_firers
        else modifier(12, "12 alone", "nobody else fires at this target")
    )
    yield (
        modifier(13, "13 fired upon", "under fire")
        if conditions.under_fire
        else modifier(13, "13 not fired upon", "not under fire")
    )
    evolution = _words(conditions.target_evolution)
    yield modifier(14, f"14 {evolution}", f"target {evolution}")
    yield modifier(15, f"15 {_speed_band(shot.target_speed)}", f"target speed {shot.target_speed}")
    yield _ship_speed(shot, card)
    if line.blocked:
        yield modifier("sight", "sight", "line of sight blocked by a ship")
    if conditions.target_smoke_cover:
        yield modifier("smoke", "smoke target", "target under smoke cover")
    if conditions.firer_smoke_cover:
        yield modifier("smoke", "smoke own", "own ship under smoke cover")
    if line.smoke:
        yield modifier("smoke", "smoke front", "smoke front across the line")
    held_back = shot.guns_held_back
    if held_back:
        label = f"{held_back} gun{'s' * (held_back != 1)} held back"
        yield modifier("held_back", "held_back", label, held_back)
    if firer.command_modifier:
        yield Modifier(
            "command", firer.command_modifier, "conning tower hit", "64.72",
            card.tables["conning_tower"].cell("5", "result").provenance,
        )  # fmt: skip


CLASS_WORDS = {
    ShipClass.BATTLESHIP: "battleship",
    ShipClass.BATTLE_CRUISER: "battle cruiser",
    ShipClass.POCKET_BATTLESHIP: "pocket battleship",
    ShipClass.CARRIER: "carrier",
    ShipClass.HEAVY_CRUISER: "heavy cruiser",
    ShipClass.LIGHT_CRUISER: "light cruiser",
    ShipClass.DESTROYER: "destroyer",
}


def _targeting(shot: Shot) -> Modifier:
    """62.53: guns that did not fire at this target in the previous phase must find the range."""
    band = shot.sightline.band
    value = shot.firer.warship.rate_of_fire.targeting(band) if band else None
    source = shot.firer.warship.source_of("rate_of_fire.targeting")
    if shot.conditions.first_fire_at_target and value is not None:
        label = "first fire of these guns at this target"
        return Modifier("targeting", value, label, "62.53", source.provenance)
    return Modifier("targeting", 0, "on target since the last phase", "62.53", source.provenance)


def _visibility(shot: Shot, card: Card) -> Iterator[Modifier]:
    level = shot.conditions.visibility
    cell = card.modifier(f"2 visibility {level}")
    value, label, certainty = int(cell.value), f"visibility {level}", [cell.provenance]
    if shot.conditions.night:
        night = card.modifier("2 night")
        value, label = value + int(night.value), f"{label} by night"
        certainty.append(night.provenance)
    yield Modifier(2, value, label, cell.reference, Provenance.worst(certainty))


def _fire_control(firer: Vessel, card: Card) -> Iterator[Modifier]:
    """Modification 4: the director, the plot or both; 64.71 makes it permanent."""
    parts = (("director", firer.director_destroyed), ("plot", firer.plot_destroyed))
    lost = [name for name, destroyed in parts if destroyed]
    cells = [card.modifier(f"4 {name}") for name in lost or ["none"]]
    label = f"{' and '.join(lost)} destroyed" if lost else "director and plot intact"
    yield Modifier(
        4,
        sum(int(cell.value) for cell in cells),
        label,
        cells[0].reference,
        Provenance.worst(cell.provenance for cell in cells),
    )


def _previous_fire(shot: Shot, card: Card) -> Modifier:
    conditions = shot.conditions
    if conditions.first_fire_at_target:
        case, label = "9 did not fire", "these guns did not fire at this target before"
    elif conditions.hit_target_last_segment:
        case, label = "9 fired and hit", "these guns hit this target in the previous segment"
    else:
        case, label = "9 fired", "these guns fired at this target in the previous segment"
    cell = card.modifier(case)
    return Modifier(9, int(cell.value), label, cell.reference, cell.provenance)


def _ship_speed(shot: Shot, card: Card) -> Modifier:
    """Modification 16: by attitude, and by own speed less the target's."""
    line = shot.sightline
    difference = shot.firer_speed - shot.target_speed
    unlike = line.quadrant.is_broadside != line.aspect.is_broadside
    cell = card.tables["ship_speed"].cell(
        _difference_band(difference), "unlike" if unlike else "like"
    )
    attitude = f"{line.quadrant} to {line.aspect}"
    label = f"{attitude}, speed difference {difference:+d}" if difference else (
        f"{attitude}, speed difference 0"
    )  # fmt: skip
    return Modifier(16, int(cell.value), label, cell.reference, cell.provenance)


def _difference_band(difference: int) -> str:
    for least, band in (
        (7, "+7 or more"),
        (3, "+6 to +3"),
        (-1, "+2 to -1"),
        (-5, "-2 to -5"),
        (-9, "-6 to -9"),
    ):
        if difference >= least:
            return band
    return "-10 or less"


def _speed_band(speed: int) -> str:
    if speed <= 0:
        return "stopped"
    for most, band in ((3, "1-3"), (6, "4-6"), (9, "7-9"), (11, "10-11")):
        if speed <= most:
            return band
    return "12+"


def _words(evolution: Evolution) -> str:
    return evolution.replace("_", " ")
