"""The ledger of a hit roll: modifications 1 to 16 and the special ones, in their order (62.5).

The list that is summed is the list that the player sees: every line has its number on the record
sheet, its value, its reason, and where the value comes from.
"""

from collections.abc import Iterator

from combat.dice import FACES
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.ships import ShipClass


def modifications(shot: Shot, card: Card) -> Ledger:
    """62.5: every modification of the hit roll, all of them cumulative (62.52)."""
    return Ledger(tuple(_modifications(shot, card)))


def _modifications(shot: Shot, card: Card) -> Iterator[Modifier]:
    firer, target, conditions = shot.firer, shot.target, shot.conditions
    line, speed, factor = shot.sightline, shot.firer_speed, firer.movement_factor

    def modifier(number: int | str, case: str, label: str, times: int = 1) -> Modifier:
        cell = card.modifier(case)
        return Modifier(number, int(cell.value) * times, label, cell.reference, cell.provenance)

    def either(number: int, happens: bool, yes: tuple[str, str], no: tuple[str, str]) -> Modifier:
        return modifier(number, *(yes if happens else no))

    yield _targeting(shot)
    yield either(1, firer.has_radar, ("1 radar", "radar"), ("1 no radar", "no radar"))
    yield _visibility(shot, card)
    third = ("first", "second", "last")[firer.hull_third]
    yield modifier(3, f"3 hull {third} third", f"own hull in its {third} third")
    yield _fire_control(firer, card)
    yield either(
        5,
        conditions.hit_last_segment,
        ("5 hit", "hit in the previous segment"),
        ("5 not hit", "not hit in the previous segment"),
    )
    yield either(
        6,
        speed > 0 and speed >= factor,
        ("6 full speed", f"at full speed, {speed} with a movement factor of {factor}"),
        ("6 less", f"at speed {speed} with a movement factor of {factor}"),
    )
    own_evolution = conditions.firer_evolution.replace("_", " ")
    yield modifier(7, f"7 {own_evolution}", f"own ship {own_evolution}")
    ship_class = target.warship.ship_class
    yield modifier(8, f"8 {ship_class}", f"target is a {CLASS_WORDS[ship_class]}")
    yield _previous_fire(shot, card)
    yield modifier(10, f"10 {conditions.crew}", f"crew {conditions.crew}")
    yield either(
        11,
        conditions.several_targets,
        ("11 several targets", "these guns fire at several targets"),
        ("11 one target", "these guns fire at one target"),
    )
    yield either(
        12,
        conditions.several_firers,
        ("12 several", "others fire at this target too"),
        ("12 alone", "nobody else fires at this target"),
    )
    yield either(
        13,
        conditions.under_fire,
        ("13 fired upon", "under fire"),
        ("13 not fired upon", "not under fire"),
    )
    evolution = conditions.target_evolution.replace("_", " ")
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
        # The sheet keeps the sum of all conning tower hits, not the rows that were rolled.
        rows = [card.provenance("conning_tower", str(die), "result") for die in range(1, FACES + 1)]
        certainty = Provenance.worst(rows)
        label = "conning tower hit"
        yield Modifier("command", firer.command_modifier, label, "64.72", certainty)


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


def _visibility(shot: Shot, card: Card) -> Modifier:
    level = shot.conditions.visibility
    cell = card.modifier(f"2 visibility {level}")
    value, label, certainty = int(cell.value), f"visibility {level}", [cell.provenance]
    if shot.conditions.night:
        night = card.modifier("2 night")
        value, label = value + int(night.value), f"{label} by night"
        certainty.append(night.provenance)
    return Modifier(2, value, label, cell.reference, Provenance.worst(certainty))


def _fire_control(firer: Vessel, card: Card) -> Modifier:
    """Modification 4: the director, the plot or both; 64.71 makes it permanent."""
    parts = (("director", firer.director_destroyed), ("plot", firer.plot_destroyed))
    lost = [name for name, destroyed in parts if destroyed]
    cells = [card.modifier(f"4 {name}") for name in lost or ["none"]]
    label = f"{' and '.join(lost)} destroyed" if lost else "director and plot intact"
    return Modifier(
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
