"""Shot files: the facts of one fire, written down (`dreyer resolve --describe` lists the keys)."""

from collections.abc import Iterable, Mapping, Sequence

from combat.report import ShotKey
from combat.rulesets.bismarck_advanced.bands import Battery, RangeBand
from combat.rulesets.bismarck_advanced.firing.gunnery import Options
from combat.rulesets.bismarck_advanced.firing.shot import Conditions, Crew, Shot, Sightline
from combat.rulesets.bismarck_advanced.fleet.vessel import QUARTERS, RudderFault, Vessel
from combat.rulesets.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulesets.bismarck_advanced.fleet.warships import Warship
from combat.rulesets.bismarck_advanced.moving.evolution import Evolution
from tabletop.arcs import Quadrant
from tabletop.errors import UnknownName
from tabletop.fields import Fields, parse_toml
from tabletop.rules import TableRules

_QUADRANTS = ", ".join(Quadrant)
_EVOLUTIONS = ", ".join(Evolution)

_STATE_KEYS = (
    ShotKey("hull_lost", "boxes, in quarters", "0", "hull boxes marked out (64.6, 64.8)"),
    ShotKey("superstructure_lost", "boxes, in quarters", "0", "superstructure boxes marked (64.5)"),
    ShotKey("turrets_lost", "table of boxes by turret", "{}", "main turret boxes marked (64.32)"),
    ShotKey("turrets_out", "list of turrets", "[]", "main turrets that cannot fire now"),
    ShotKey("secondaries_lost", "list of turrets", "[]", "secondary turrets destroyed (64.35)"),
    ShotKey("director_destroyed", "true or false", "false", "main fire control director (64.71)"),
    ShotKey("plot_destroyed", "true or false", "false", "plotting room (64.71)"),
    ShotKey("radar_lost", "true or false", "false", "radar lost, an optional rule (64.5)"),
    ShotKey("movement_factors_lost", "whole number", "0", "speed lost to damage (58.2)"),
    ShotKey("command_modifier", "whole number", "0", "added by conning tower hits (64.72)"),
    ShotKey("rudder_faults", "list: " + ", ".join(RudderFault), "[]", "lasting faults (64.72)"),
    ShotKey("ammunition", "table: main, secondary", "full", "ammunition factors left (65)"),
)
_SHIP_KEYS = (
    ShotKey("name", "text", "required", "a known ship, or any name with type"),
    ShotKey("type", "text", "the name", "a known ship, by her full, short or plain name"),
    ShotKey("speed", "whole number", "required", "movement factors of this round (58.2)"),
)
_FIRE_KEYS = (
    ShotKey("battery", ", ".join(Battery), "main", "the gun type that fires (61.3)"),
    ShotKey("turrets", "list of turrets", "all that bear", "the turrets designated (61.1)"),
    ShotKey("guns", "whole number", "all that bear", "how many guns fire"),
    ShotKey(
        "held_back", "true or false", "false", "guns that bear and do not fire aid aim (67.42)"
    ),
    ShotKey("range_yards", "number", "required", "centre to centre of the markers (61.5)"),
    ShotKey("quadrant", _QUADRANTS, "required", "where the target lies for the firer (61.4)"),
    ShotKey("aspect", _QUADRANTS, "required", "where the firer lies for the target (63.2)"),
    ShotKey("blocked", "true or false", "false", "a ship blocks the line of sight (67.5)"),
    ShotKey("smoke", "true or false", "false", "a smoke front lies across the line (67.652)"),
)
_CONDITION_KEYS = (
    ShotKey("visibility", "1 to 8", "2", "visibility level (modification 2)"),
    ShotKey("night", "true or false", "false", "by night (modification 2)"),
    ShotKey(
        "first_fire_at_target",
        "true or false",
        "true",
        "this gun type did not fire at this target in the previous phase: targeting (62.53)",
    ),
    ShotKey("hit_target_last_segment", "true or false", "false", "it fired and hit (9)"),
    ShotKey("hit_last_segment", "true or false", "false", "the firer was hit (5)"),
    ShotKey("under_fire", "true or false", "false", "the firer is fired upon (13)"),
    ShotKey("crew", ", ".join(Crew), "fresh", "how worn the firer's crew is (10)"),
    ShotKey("several_targets", "true or false", "false", "this gun type has several targets (11)"),
    ShotKey("several_firers", "true or false", "false", "others fire at this target too (12)"),
    ShotKey("firer_evolution", _EVOLUTIONS, "steady", "how the firer moved (7, 67.3)"),
    ShotKey("target_evolution", _EVOLUTIONS, "steady", "how the target moved (14, 67.3)"),
    ShotKey("firer_smoke_cover", "true or false", "false", "the firer lays smoke cover (67.64)"),
    ShotKey("target_smoke_cover", "true or false", "false", "the target lays smoke cover (67.64)"),
    ShotKey("jammed", "table of guns by turret", "{}", "guns jammed in this phase (71)"),
)
_OPTION_KEYS = (
    ShotKey("radar_lost_with_superstructure", "true or false", "false", "optional rule of 64.5"),
    ShotKey("factors_past_the_table_add_up", "true or false", "false", "a factor above 28 rolls "
            "whole columns of 28 and the rest"),
)  # fmt: skip
_TABLES = {
    "firer": _SHIP_KEYS,
    "firer.state": _STATE_KEYS,
    "target": _SHIP_KEYS,
    "target.state": _STATE_KEYS,
    "fire": _FIRE_KEYS,
    "conditions": _CONDITION_KEYS,
    "options": _OPTION_KEYS,
}
SHOT_TABLES = tuple(dict.fromkeys(table.split(".")[0] for table in _TABLES))
"""The tables that a shot file may have."""
SHOT_KEYS = (
    ShotKey("ruleset", "text", "bismarck-advanced", "the rulebook"),
    *(
        ShotKey(f"{table}.{key.name}", key.takes, key.default, key.meaning)
        for table, keys in _TABLES.items()
        for key in keys
    ),
)
"""Every key of a shot file, in the order in which people write them."""


def read_shot(data: bytes, source: str, rules: TableRules) -> tuple[Shot, Options]:
    """The shot in a file's bytes, and the optional rules it asks for."""
    keys = ("ruleset", *SHOT_TABLES)
    return shot_of(Fields(parse_toml(data, source), source, keys), rules)


def shot_of(fields: Fields, rules: TableRules) -> tuple[Shot, Options]:
    """The shot in an opened table of a file, laid out as a shot file is."""
    firer, firer_speed = _read_ship(fields, "firer")
    target, target_speed = _read_ship(fields, "target")
    fire = fields.table("fire", _names(_FIRE_KEYS))
    options = fields.table("options", _names(_OPTION_KEYS))
    range_yards = fire.number("range_yards", least=0, most=1_000_000, unit="yards")
    segment = rules.segment(range_yards)
    shot = Shot(
        firer=firer,
        target=target,
        firer_speed=firer_speed,
        target_speed=target_speed,
        battery=Battery(fire.choice("battery", list(Battery), Battery.MAIN)),
        sightline=Sightline(
            range_yards=range_yards,
            band=next((band for band in RangeBand if band == segment), None),
            quadrant=Quadrant(fire.choice("quadrant", list(Quadrant))),
            aspect=Quadrant(fire.choice("aspect", list(Quadrant))),
            blocked=fire.flag("blocked", False),
            smoke=fire.flag("smoke", False),
        ),
        turrets=fire.texts("turrets"),
        guns=fire.integer("guns", least=1, most=99) if "guns" in fire else None,
        held_back=fire.flag("held_back", False),
        conditions=_read_conditions(
            fields.table("conditions", _names(_CONDITION_KEYS)), firer.warship
        ),
    )
    return shot, Options(
        radar_lost_with_superstructure=options.flag("radar_lost_with_superstructure", False),
        factors_past_the_table_add_up=options.flag("factors_past_the_table_add_up", False),
    )


def _names(keys: Iterable[ShotKey]) -> tuple[str, ...]:
    return tuple(key.name for key in keys)


def _read_ship(document: Fields, role: str) -> tuple[Vessel, int]:
    fields = document.table(role, (*_names(_SHIP_KEYS), "state"))
    name = fields.text("name")
    warships = load_warships()
    warship = warships.named(fields.text("type", name), fields.place)
    speed = fields.integer("speed", least=0, most=warship.movement_factor)
    vessel = _read_state(fields.table("state", _names(_STATE_KEYS)), warship, name)
    return vessel, speed


def _read_state(fields: Fields, warship: Warship, name: str) -> Vessel:
    fresh = Vessel.fresh(warship, name)
    ammunition = fields.table("ammunition", list(Battery))
    vessel = Vessel(
        warship=warship,
        name=name,
        turrets=fresh.turrets,
        main_ammunition=ammunition.integer(
            Battery.MAIN, fresh.main_ammunition, least=0, most=fresh.main_ammunition
        ),
        secondary_ammunition=ammunition.integer(
            Battery.SECONDARY, fresh.secondary_ammunition, least=0, most=fresh.secondary_ammunition
        ),
        hull_lost=_quarters(fields, "hull_lost", warship.hull_boxes),
        superstructure_lost=_quarters(fields, "superstructure_lost", warship.superstructure_boxes),
        secondaries_lost=frozenset(
            _known(fields, "secondaries_lost", [turret.name for turret in warship.secondaries])
        ),
        director_destroyed=fields.flag("director_destroyed", False),
        plot_destroyed=fields.flag("plot_destroyed", False),
        radar_lost=fields.flag("radar_lost", False),
        movement_factors_lost=fields.integer(
            "movement_factors_lost", 0, least=0, most=warship.movement_factor
        ),
        command_modifier=fields.integer("command_modifier", 0, least=0, most=99),
        helm=frozenset(
            RudderFault(fault)
            for fault in _known(fields, "rudder_faults", list(RudderFault), "fault of the rudder")
        ),
    )
    turret_names = [turret.name for turret in warship.turrets]
    lost = fields.table("turrets_lost", turret_names)
    for number, turret in enumerate(warship.turrets):
        vessel = vessel.turret_marked(number, _quarters(lost, turret.name, turret.boxes))
    for out in _known(fields, "turrets_out", turret_names):
        vessel = vessel.turret_out(vessel.turret_number(out), phases=1)
    return vessel


def vessel_with(marks: Mapping[str, object], ship_type: str, name: str) -> Vessel:
    """A known ship with the marks of a `[firer.state]` or `[target.state]`."""
    warship = load_warships().named(ship_type, name)
    return _read_state(Fields(marks, f"{name}'s marks", _names(_STATE_KEYS)), warship, name)


def marks_of(vessel: Vessel) -> dict[str, object]:
    """The marks of a ship as a shot file states them; what is unmarked is left out."""
    warship, fresh = vessel.warship, Vessel.fresh(vessel.warship)
    turrets = list(zip(warship.turrets, vessel.turrets, strict=True))
    found = {
        "hull_lost": vessel.hull_lost / QUARTERS,
        "superstructure_lost": vessel.superstructure_lost / QUARTERS,
        "turrets_lost": {
            turret.name: turret.boxes if state.destroyed else state.lost_quarters / QUARTERS
            for turret, state in turrets
            if turret.boxes and (state.destroyed or state.lost_quarters)
        },
        "turrets_out": [
            turret.name for turret, state in turrets if not (state.can_fire or state.destroyed)
        ],
        "secondaries_lost": sorted(vessel.secondaries_lost),
        "director_destroyed": vessel.director_destroyed,
        "plot_destroyed": vessel.plot_destroyed,
        "radar_lost": vessel.radar_lost,
        "movement_factors_lost": vessel.movement_factors_lost,
        "command_modifier": vessel.command_modifier,
        "rudder_faults": sorted(vessel.helm),
        "ammunition": {
            battery.value: left
            for battery, left, full in (
                (Battery.MAIN, vessel.main_ammunition, fresh.main_ammunition),
                (Battery.SECONDARY, vessel.secondary_ammunition, fresh.secondary_ammunition),
            )
            if left != full
        },
    }
    return {key: value for key, value in found.items() if value}


def _quarters(fields: Fields, key: str, boxes: int) -> int:
    """A number of boxes lost, as quarters; a box is marked by quarters (64.33)."""
    lost = fields.number(key, 0.0, least=0, most=boxes, unit="boxes")
    quarters = lost * QUARTERS
    if quarters != int(quarters):
        raise fields.wrong(key, "boxes in quarters, such as 1.25", lost)
    return int(quarters)


def _known(fields: Fields, key: str, known: Sequence[str], kind: str = "turret") -> tuple[str, ...]:
    names = fields.texts(key)
    for name in names:
        if name not in known:
            raise UnknownName(f"{fields.place}: {key}", kind, name, known)
    return names


def _read_conditions(fields: Fields, firer: Warship) -> Conditions:
    plain = Conditions()

    def flag(key: str) -> bool:
        return fields.flag(key, getattr(plain, key))

    jammed = fields.table("jammed", [turret.name for turret in firer.turrets])
    if flag("hit_target_last_segment") and flag("first_fire_at_target"):
        raise fields.wrong(
            "hit_target_last_segment", "false, or first_fire_at_target = false with it", True
        )
    return Conditions(
        visibility=fields.integer("visibility", plain.visibility, least=1, most=8),
        night=flag("night"),
        first_fire_at_target=flag("first_fire_at_target"),
        hit_target_last_segment=flag("hit_target_last_segment"),
        hit_last_segment=flag("hit_last_segment"),
        under_fire=flag("under_fire"),
        crew=Crew(fields.choice("crew", list(Crew), plain.crew)),
        several_targets=flag("several_targets"),
        several_firers=flag("several_firers"),
        firer_evolution=Evolution(fields.choice("firer_evolution", list(Evolution), "steady")),
        target_evolution=Evolution(fields.choice("target_evolution", list(Evolution), "steady")),
        firer_smoke_cover=flag("firer_smoke_cover"),
        target_smoke_cover=flag("target_smoke_cover"),
        jammed=_jams(jammed, firer),
    )


def _jams(fields: Fields, firer: Warship) -> Mapping[str, int]:
    return {
        turret.name: fields.integer(turret.name, least=0, most=turret.guns)
        for turret in firer.turrets
        if turret.name in fields
    }
