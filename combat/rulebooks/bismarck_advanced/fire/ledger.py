"""The ledger of a hit roll: modifications 1 to 16 and the special ones, in order (62.5).

The list that is summed is the list that is shown: every line has its number on the record sheet,
its value, its reason and its source.
"""

from collections.abc import Iterator
from functools import lru_cache

from combat.dice import FACES
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.factor import held_back_credit
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.weather import NO_VISIBILITY, WORST_LEVEL, Visibility
from tabletop.arcs import Quadrant
from tabletop.messages import Message


def modifications(
    shot: Shot, combat_tables: CombatTables, options: Options | None = None
) -> Ledger:
    """62.5: every modification of the hit roll, all of them cumulative (62.52)."""
    return Ledger(tuple(_modifications(shot, combat_tables, options or Options())))


def _modifications(shot: Shot, combat_tables: CombatTables, options: Options) -> Iterator[Modifier]:
    yield _targeting(shot)
    yield from _numbered(shot, combat_tables)
    yield from _smoke_and_sight(shot, combat_tables)
    if shot.guns_held_back:
        yield _held_back(shot, combat_tables, options)
    if shot.firer.command_modifier:
        yield _conning_tower(shot.firer, combat_tables)


@lru_cache(maxsize=1024)
def _row(combat_tables: CombatTables, number: int | str, case: str, code: str) -> Modifier:
    """The modification of one row of the table; every fire that meets the case has the same."""
    return _labelled_row(combat_tables, number, case, Message(code))


def _labelled_row(
    combat_tables: CombatTables, number: int | str, case: str, label: Message
) -> Modifier:
    cell = combat_tables.modifier(case)
    return Modifier(number, int(cell.value), label, cell.reference, cell.provenance)


def _numbered(shot: Shot, combat_tables: CombatTables) -> Iterator[Modifier]:
    """The modifications that the table numbers, of which each has one row for every fire."""
    firer, target, conditions = shot.firer, shot.target, shot.conditions
    speed, factor = shot.firer_speed, firer.movement_factor

    def row(number: int, case: str, code: str) -> Modifier:
        return _row(combat_tables, number, f"{number} {case}", f"advanced.modifier.{code}")

    yield row(1, "radar", "radar") if firer.has_radar else row(1, "no radar", "no_radar")
    yield _visibility(conditions.visibility, conditions.night, combat_tables)
    third = ("first", "second", "last")[firer.hull_third]
    yield row(3, f"hull {third} third", f"hull_{third}_third")
    yield _fire_control(firer.director_destroyed, firer.plot_destroyed, combat_tables)
    yield row(5, "hit", "hit") if conditions.hit_last_segment else row(5, "not hit", "not_hit")
    full = speed > 0 and speed >= factor
    label = Message(
        f"advanced.modifier.{'full_speed' if full else 'less_than_full_speed'}",
        speed=speed,
        factor=factor,
    )
    yield _labelled_row(combat_tables, 6, "6 full speed" if full else "6 less", label)
    evolution = conditions.firer_evolution
    yield row(7, _evolution_row(evolution), f"own_evolution.{evolution}")
    ship_class = target.warship.ship_class
    yield row(8, ship_class, f"target_class.{ship_class.name.lower()}")
    yield _previous_fire(shot, combat_tables)
    yield row(10, conditions.crew, f"crew.{conditions.crew}")
    several = conditions.several_targets
    yield (
        row(11, "several targets", "several_targets")
        if several
        else row(11, "one target", "one_target")
    )
    several = conditions.several_firers
    yield row(12, "several", "several_firers") if several else row(12, "alone", "sole_firer")
    under_fire = conditions.under_fire
    yield (
        row(13, "fired upon", "under_fire")
        if under_fire
        else row(13, "not fired upon", "not_under_fire")
    )
    evolution = conditions.target_evolution
    yield row(14, _evolution_row(evolution), f"target_evolution.{evolution}")
    label = Message("advanced.modifier.target_speed", speed=shot.target_speed)
    yield _labelled_row(combat_tables, 15, f"15 {_speed_band(shot.target_speed)}", label)
    line = shot.sightline
    difference = shot.firer_speed - shot.target_speed
    yield _ship_speed(line.quadrant, line.aspect, difference, combat_tables)


def _smoke_and_sight(shot: Shot, combat_tables: CombatTables) -> Iterator[Modifier]:
    """What lies in the line of sight."""
    line, conditions = shot.sightline, shot.conditions

    def row(number: str, case: str, code: str) -> Modifier:
        return _row(combat_tables, number, case, f"advanced.modifier.{code}")

    if line.blocked:
        yield row("sight", "sight", "sight_blocked")
    if conditions.target_smoke_cover:
        yield row("smoke", "smoke target", "target_smoke")
    if conditions.firer_smoke_cover:
        yield row("smoke", "smoke own", "own_smoke")
    if line.smoke:
        yield row("smoke", "smoke front", "smoke_front")


def _conning_tower(firer: Vessel, combat_tables: CombatTables) -> Modifier:
    """64.72: the sheet has the sum of all conning tower hits, not the single results."""
    rows = [
        combat_tables.provenance("conning_tower", str(die), "result") for die in range(1, FACES + 1)
    ]
    certainty = Provenance.worst(rows)
    label = Message("advanced.modifier.conning_tower")
    return Modifier("command", firer.command_modifier, label, "64.72", certainty)


def _targeting(shot: Shot) -> Modifier:
    """62.53: guns that did not fire at this target in the previous phase must find the range."""
    band = shot.sightline.band
    value = shot.firer.warship.rate_of_fire.targeting(band) if band else None
    source = shot.firer.warship.source_of("rate_of_fire.targeting")
    if shot.conditions.first_fire_at_target and value is not None:
        label = Message("advanced.modifier.first_fire")
        return Modifier("targeting", value, label, "62.53", source.provenance)
    label = Message("advanced.modifier.on_target")
    return Modifier("targeting", 0, label, "62.53", source.provenance)


@lru_cache(maxsize=128)
def _visibility(level: Visibility, night: bool, combat_tables: CombatTables) -> Modifier:
    # The table has no row for X: a battle that is fought by agreement reads the last one (55.22).
    row = WORST_LEVEL if level == NO_VISIBILITY else level
    cell = combat_tables.modifier(f"2 visibility {row}")
    if not night:
        label = Message("advanced.modifier.visibility", level=level)
        return Modifier(2, int(cell.value), label, cell.reference, cell.provenance)
    dark = combat_tables.modifier("2 night")
    return Modifier(
        2,
        int(cell.value) + int(dark.value),
        Message("advanced.modifier.visibility_by_night", level=level),
        cell.reference,
        Provenance.worst((cell.provenance, dark.provenance)),
    )


@lru_cache(maxsize=128)
def _fire_control(director_lost: bool, plot_lost: bool, combat_tables: CombatTables) -> Modifier:
    """Modification 4: the director, the plot or both; 64.71 makes it permanent."""
    parts = (("director", director_lost), ("plot", plot_lost))
    lost = [name for name, destroyed in parts if destroyed]
    cells = [combat_tables.modifier(f"4 {name}") for name in lost or ["none"]]
    match lost:
        case []:
            label = Message("advanced.modifier.control_intact")
        case ["director"]:
            label = Message("advanced.modifier.director_lost")
        case ["plot"]:
            label = Message("advanced.modifier.plot_lost")
        case _:
            label = Message("advanced.modifier.control_lost")
    return Modifier(
        4,
        sum(int(cell.value) for cell in cells),
        label,
        cells[0].reference,
        Provenance.worst(cell.provenance for cell in cells),
    )


def _previous_fire(shot: Shot, combat_tables: CombatTables) -> Modifier:
    conditions = shot.conditions
    if conditions.first_fire_at_target:
        return _row(combat_tables, 9, "9 did not fire", "advanced.modifier.did_not_fire")
    if conditions.hit_target_last_segment:
        return _row(combat_tables, 9, "9 fired and hit", "advanced.modifier.fired_and_hit")
    return _row(combat_tables, 9, "9 fired", "advanced.modifier.fired")


@lru_cache(maxsize=4096)
def _ship_speed(
    own_quadrant: Quadrant, target_quadrant: Quadrant, difference: int, combat_tables: CombatTables
) -> Modifier:
    """Modification 16: by attitude, and by the firer's speed minus the target's."""
    unlike = own_quadrant.is_broadside != target_quadrant.is_broadside
    cell = combat_tables.tables["ship_speed"].cell(
        _difference_band(difference), "unlike" if unlike else "like"
    )
    quadrant = Message(f"advanced.quadrant.{own_quadrant}")
    aspect = Message(f"advanced.quadrant.{target_quadrant}")
    if difference:
        label = Message(
            "advanced.modifier.speed_difference",
            quadrant=quadrant,
            aspect=aspect,
            difference=difference,
        )
    else:
        label = Message("advanced.modifier.same_speed", quadrant=quadrant, aspect=aspect)
    return Modifier(16, int(cell.value), label, cell.reference, cell.provenance)


def _held_back(shot: Shot, combat_tables: CombatTables, options: Options) -> Modifier:
    """67.42: printed if every gun counts; otherwise derived, because it is our reading."""
    held_back, counting = (
        shot.guns_held_back,
        held_back_credit(shot, combat_tables.edition, options),
    )
    cell = combat_tables.modifier("held_back")
    label, certainty = Message("advanced.modifier.held_back", n=held_back), cell.provenance
    if counting < held_back:
        label = Message("advanced.modifier.held_back_counting", n=held_back, counting=counting)
        certainty = Provenance.worst((certainty, Provenance.RECONSTRUCTED))
    return Modifier("held_back", int(cell.value) * counting, label, cell.reference, certainty)


def _evolution_row(evolution: Evolution) -> str:
    """The name of an evolution's row in the table."""
    return evolution.replace("_", " ")


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
