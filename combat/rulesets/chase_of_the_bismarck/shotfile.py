"""Shot files: the facts of one attack in writing (`dreyer resolve --describe` lists the keys)."""

from collections.abc import Iterable

from combat.report import ShotKey
from combat.rulesets.chase_of_the_bismarck.board import (
    SEA_ZONES,
    range_of,
    start_zone,
    zones_between,
)
from combat.rulesets.chase_of_the_bismarck.damage import Damage
from combat.rulesets.chase_of_the_bismarck.shot import (
    MOST_TORPEDOES,
    Conditions,
    Position,
    Refuelling,
    Shot,
    Vessel,
    Weapon,
)
from combat.rulesets.chase_of_the_bismarck.tabledata import NAME, load_ships
from combat.tables import TableSet
from tabletop.fields import Fields, parse_toml

_YES = "true or false"
_LOST = ("bow", "stern", "secondary", "hull", "evasion")
_BROKEN = ("rudder", "fire_control", "radar")
_STATE_KEYS = (
    *(ShotKey(f"{part}_lost", "whole number", "0", f"{part} marked (2.4)") for part in _LOST),
    *(ShotKey(f"{part}_damaged", _YES, "false", "its marker is there (9, 10)") for part in _BROKEN),
)  # fmt: skip
_SHIP_KEYS = (
    ShotKey("name", "text", "required", "a known ship, or any name with type"),
    ShotKey("type", "text", "the name", "a ship with a card (`dreyer tables` shows ship_cards)"),
    ShotKey("position", ", ".join(Position), "opening", "how she lies to the enemy (10)"),
)
_FIRE_KEYS = (
    ShotKey("weapon", ", ".join(Weapon), "guns", "air and submarine attacks need no firer (9, 11)"),
    ShotKey("zones_between", "0 to 7", "as at the start, by visibility",
            "intervening sea zones (10)"),
    ShotKey("torpedoes", "1 to 3", "1", "torpedo markers assigned (10, step 1)"),
    ShotKey("torpedoes_left", "whole number", "her card's", "torpedo markers she has (10)"),
)  # fmt: skip
_CONDITION_KEYS = (
    ShotKey("visibility", "1 to 9", "4", "Current Visibility Level"),
    ShotKey("target_acquired", _YES, "false", "the firer hit this target before (10, step 2)"),
    ShotKey("first_round", _YES, "true", "first round of combat in the game: radar II* (2.3.1)"),
    ShotKey("crew_exhausted", _YES, "false", "an optional rule (13.2)"),
    ShotKey("night", _YES, "false", "an air attack at night (9)"),
    ShotKey("channel", _YES, "false", "an air attack in The Channel (9)"),
    ShotKey("refuelling", ", ".join(Refuelling), "none", "the target takes fuel; air attacks (9)"),
)
_TABLES = {
    "firer": _SHIP_KEYS,
    "firer.state": _STATE_KEYS,
    "target": _SHIP_KEYS,
    "target.state": _STATE_KEYS,
    "fire": _FIRE_KEYS,
    "conditions": _CONDITION_KEYS,
}
SHOT_TABLES = tuple(dict.fromkeys(table.split(".")[0] for table in _TABLES))
"""The tables that a shot file may have."""
SHOT_KEYS = (
    ShotKey("ruleset", "text", "required", f'the rulebook, "{NAME}"'),
    *(
        ShotKey(f"{table}.{key.name}", key.takes, key.default, key.meaning)
        for table, keys in _TABLES.items()
        for key in keys
    ),
)
"""Every key of a shot file, in the order in which people write them."""


def read_shot(data: bytes, source: str, tables: TableSet) -> Shot:
    """The attack in a file's bytes, the ships as their cards in these tables have them."""
    return shot_of(Fields(parse_toml(data, source), source, ("ruleset", *SHOT_TABLES)), tables)


def shot_of(fields: Fields, tables: TableSet) -> Shot:
    """The attack in an opened table of a file, laid out as a shot file is."""
    fire = fields.table("fire", _names(_FIRE_KEYS))
    weapon = Weapon(fire.choice("weapon", list(Weapon), Weapon.GUNS))
    conditions = _read_conditions(fields.table("conditions", _names(_CONDITION_KEYS)))
    firer = _read_ship(fields, "firer", tables) if weapon.of_a_ship else None
    apart = zones_between(*(start_zone(conditions.visibility, first) for first in (True, False)))
    markers = firer.printed("torpedoes") if firer else 0
    return Shot(
        weapon=weapon,
        firer=firer,
        target=_read_ship(fields, "target", tables),
        range=range_of(fire.integer("zones_between", apart, least=0, most=SEA_ZONES - 2), tables),
        torpedoes=fire.integer("torpedoes", 1, least=1, most=MOST_TORPEDOES),
        torpedoes_left=fire.integer("torpedoes_left", markers, least=0, most=markers),
        conditions=conditions,
    )


def _names(keys: Iterable[ShotKey]) -> tuple[str, ...]:
    return tuple(key.name for key in keys)


def _read_ship(document: Fields, role: str, tables: TableSet) -> Vessel:
    fields = document.table(role, (*_names(_SHIP_KEYS), "state"))
    name = fields.text("name")
    ship = load_ships().named(fields.text("type", name), fields.place)
    state = fields.table("state", _names(_STATE_KEYS))
    cards = tables["ship_cards"]
    card = {column: cards.cell(ship.name, column) for column in cards.columns}
    lost = {
        part: state.integer(f"{part}_lost", 0, least=0, most=int(card[part].value))
        for part in _LOST
    }
    broken = {part: int(state.flag(f"{part}_damaged", False)) for part in _BROKEN}
    position = Position(fields.choice("position", list(Position), Position.OPENING))
    return Vessel(name, ship.ship_class, card, Damage(**lost, **broken), position)


def _read_conditions(fields: Fields) -> Conditions:
    usual = Conditions()
    return Conditions(
        visibility=fields.integer("visibility", usual.visibility, least=1, most=9),
        target_acquired=fields.flag("target_acquired", usual.target_acquired),
        first_round=fields.flag("first_round", usual.first_round),
        crew_exhausted=fields.flag("crew_exhausted", usual.crew_exhausted),
        night=fields.flag("night", usual.night),
        channel=fields.flag("channel", usual.channel),
        refuelling=Refuelling(fields.choice("refuelling", list(Refuelling), usual.refuelling)),
    )
