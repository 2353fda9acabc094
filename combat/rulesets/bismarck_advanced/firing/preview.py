"""A fire before any die is thrown: from what the table says to a shot file, and what it shows.

Pages know ships, ranges and quadrants, and nothing of this rulebook; here those become a shot
file, and the shot file becomes the guns that bear, the gunnery factor and the ledger.
"""

from collections.abc import Iterator, Mapping

from combat.provenance import Provenance
from combat.report import (
    BatteryInfo,
    Condition,
    Facts,
    Forbidden,
    MountInfo,
    Preview,
    ShotFile,
    States,
    Takes,
)
from combat.rulesets.bismarck_advanced.bands import Battery
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.firing.gunnery import gunnery_factor
from combat.rulesets.bismarck_advanced.firing.ledger import modifications
from combat.rulesets.bismarck_advanced.firing.shot import (
    Crew,
    Shot,
    check_allowed,
    turrets_bearing,
)
from combat.rulesets.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulesets.bismarck_advanced.fleet.warships import Warship
from combat.rulesets.bismarck_advanced.moving.evolution import Evolution
from combat.shot_layout import answered, toml_value
from tabletop.errors import UnknownName

_PREVIOUS_FIRE = "conditions.previous_fire"
"""Asked as one question; in the shot file it is two flags that exclude each other."""
_PREVIOUS = {
    "none": {"first_fire_at_target": "true"},
    "fired": {"first_fire_at_target": "false"},
    "hit": {"first_fire_at_target": "false", "hit_target_last_segment": "true"},
}
_TITLES = {Battery.MAIN: "Main", Battery.SECONDARY: "Secondary"}


def batteries_of(ship_type: str) -> tuple[BatteryInfo, ...]:
    """The batteries of a known ship that have guns, the main one first."""
    warship = load_warships().find(ship_type)
    if warship is None:
        return ()
    return tuple(
        BatteryInfo(battery.value, _TITLES[battery], warship.guns(battery), unit="guns")
        for battery in Battery
        if warship.guns(battery)
    )


def conditions_for(firer_type: str, target_type: str) -> tuple[Condition, ...]:
    """What no table shows of a fire: speeds, weather, and what went before."""
    warships = load_warships()
    firer, target = (warships.named(name, "a fire") for name in (firer_type, target_type))
    return tuple(_conditions(firer, target))


def write_shot(facts: Facts, states: States | None = None) -> ShotFile:
    """The shot file of some facts, and of the marks that the ships have."""
    source = f"{facts.firer} at {facts.target}"
    warships = load_warships()
    firer = warships.named(facts.firer_type, source)
    known = {each.name: each for each in conditions_for(firer.name, facts.target_type)}
    answers = {name: condition.usual for name, condition in known.items()}
    for name, text in facts.conditions:
        if name not in known:
            raise UnknownName(source, "condition", name, known)
        answered(known[name], text, source)
        answers[name] = text
    tables: dict[str, dict[str, str]] = {
        "firer": {"name": toml_value(facts.firer), "type": toml_value(firer.name)},
        "target": {"name": toml_value(facts.target), "type": toml_value(facts.target_type)},
        "fire": {
            "battery": toml_value(facts.battery or _first_battery(firer)),
            "range_yards": repr(float(facts.range_yards)),
            "quadrant": toml_value(facts.quadrant),
            "aspect": toml_value(facts.aspect),
            "blocked": toml_value(facts.blocked),
            "smoke": toml_value(facts.smoke),
        },
        "conditions": dict(_PREVIOUS[answers.pop(_PREVIOUS_FIRE)]),
    }
    for name, text in answers.items():
        table, _, key = name.partition(".")
        tables[table][key] = toml_value(text) if known[name].takes is Takes.CHOICE else text
    for role, marks in (states or {}).items():
        tables[f"{role}.state"] = {key: toml_value(value) for key, value in marks.items()}
    return ShotFile(_toml(tables).encode("utf-8"), source)


def preview_shot(shot: Shot, card: Card) -> Preview:
    """What there is to show of a fire before it is rolled."""
    try:
        check_allowed(shot)
    except Forbidden as error:
        return Preview.refused(shot.battery, _mounts(shot), error)
    ledger = modifications(shot, card)
    return Preview(
        battery=shot.battery,
        mounts=_mounts(shot),
        factor=gunnery_factor(shot),
        factor_reference="62.43",
        ledger=ledger.modifiers,
        total=ledger.total,
        provenance=Provenance.worst(modifier.provenance for modifier in ledger),
    )


def _mounts(shot: Shot) -> tuple[MountInfo, ...]:
    ready = {
        turret.name: turret.guns
        for turret in turrets_bearing(
            shot.firer, shot.battery, shot.sightline.quadrant, shot.conditions.jammed
        )
    }
    return tuple(
        MountInfo(mount.name, ready.get(mount.name, mount.guns), mount.name in ready)
        for mount in shot.firer.warship.mounts(shot.battery)
        # A box that is there for damage only has nothing to bear with (60.3).
        if mount.guns
    )


def _conditions(firer: Warship, target: Warship) -> Iterator[Condition]:
    yield _speed("firer.speed", f"Speed of {firer.name}", firer)
    yield _speed("target.speed", f"Speed of {target.name}", target)
    yield Condition(
        _PREVIOUS_FIRE,
        "These guns at this target, last phase",
        Takes.CHOICE,
        "none",
        "62.53, modification 9",
        choices=(("none", "Did not fire"), ("fired", "Fired"), ("hit", "Fired and hit")),
    )
    yield Condition(
        "conditions.visibility",
        "Visibility level",
        Takes.NUMBER,
        "2",
        "modification 2",
        least=1,
        most=8,
    )
    for key, label, reference in (
        ("night", "Night", "modification 2"),
        ("under_fire", "Firer is under fire", "modification 13"),
        ("hit_last_segment", "Firer was hit in the previous segment", "modification 5"),
        ("several_firers", "Others fire at this target too", "modification 12"),
        ("several_targets", "These guns have several targets", "modification 11"),
        ("firer_smoke_cover", "Firer lays smoke cover", "67.64"),
        ("target_smoke_cover", "Target lays smoke cover", "67.64"),
    ):
        yield Condition(f"conditions.{key}", label, Takes.FLAG, "false", reference)
    moves = {move.value: move.replace("_", " ").capitalize() for move in Evolution}
    yield _choice("firer_evolution", "Firer's course", "modification 7", moves)
    yield _choice("target_evolution", "Target's course", "modification 14", moves)
    crews = {crew.value: crew.capitalize() for crew in Crew}
    yield _choice("crew", "Firer's crew", "modification 10", crews)


def _speed(name: str, label: str, ship: Warship) -> Condition:
    # Full speed spoils the aim (modification 6), so captains in a gun fight keep just below it.
    usual = str(max(ship.movement_factor - 1, 0))
    return Condition(name, label, Takes.NUMBER, usual, "58.2", least=0, most=ship.movement_factor)


def _choice(key: str, label: str, reference: str, titles: Mapping[str, str]) -> Condition:
    """A choice whose first value is the usual one."""
    return Condition(
        f"conditions.{key}",
        label,
        Takes.CHOICE,
        next(iter(titles)),
        reference,
        choices=tuple(titles.items()),
    )


def _first_battery(ship: Warship) -> str:
    """The main battery, or for a ship without one the secondary."""
    return next((battery for battery in Battery if ship.guns(battery)), Battery.MAIN)


def _toml(tables: Mapping[str, Mapping[str, str]]) -> str:
    return "\n".join(
        f"[{table}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
        for table, keys in tables.items()
    )
