"""What a page may ask of an attack, and the shot file that its answers make.

No table is measured here: range is counted in sea zones, so it is asked like everything else.
"""

import json
from collections.abc import Iterator

from combat.report import BatteryInfo, Condition, Facts, ShotFile, Takes
from combat.rulesets.chase_of_the_bismarck.board import SEA_ZONES
from combat.rulesets.chase_of_the_bismarck.shot import MOST_TORPEDOES, Position, Weapon
from combat.rulesets.chase_of_the_bismarck.shotfile import read_shot
from combat.rulesets.chase_of_the_bismarck.tabledata import NAME, PARTS, load_ships, load_tables
from tabletop.errors import UnknownName

_SCALARS = {"true": True, "false": False}


def batteries_of(ship_type: str) -> tuple[BatteryInfo, ...]:
    """Guns and torpedoes, where a ship has them."""
    ship = load_ships().find(ship_type)
    if ship is None:
        return ()
    cards = load_tables()["ship_cards"]
    counts = {
        Weapon.GUNS: sum(cards.integer(ship.name, part) for part in PARTS),
        Weapon.TORPEDOES: cards.integer(ship.name, "torpedoes"),
    }
    return tuple(
        BatteryInfo(weapon.value, weapon.capitalize(), count)
        for weapon, count in counts.items()
        if count
    )


def conditions_for(firer_type: str, target_type: str) -> tuple[Condition, ...]:
    """Range and positions on the Battle Board, the weather, and what went before."""
    firer, target = (load_ships().named(name, "a fire") for name in (firer_type, target_type))
    return tuple(_conditions(firer.name, target.name))


def _conditions(firer: str, target: str) -> Iterator[Condition]:
    yield _number("fire.zones_between", "Sea zones between", "3", "10", 0, SEA_ZONES - 2)
    positions = tuple((position.value, position.capitalize()) for position in Position)
    for role, ship in (("firer", firer), ("target", target)):
        yield Condition(
            f"{role}.position", f"Position of {ship}", Takes.CHOICE, Position.OPENING, "10",
            choices=positions,
        )  # fmt: skip
    yield _number("conditions.visibility", "Visibility level", "4", "5", 1, 9)
    yield _number(
        "fire.torpedoes", "Torpedo markers assigned", "1", "10, step 1", 1, MOST_TORPEDOES
    )
    for name, label, reference, usual in (
        ("conditions.target_acquired", "Target acquired", "10, step 2", "false"),
        ("conditions.first_round", "First round of combat in the game", "2.3.1", "true"),
        ("conditions.crew_exhausted", "Crew exhausted", "13.2", "false"),
        ("firer.state.fire_control_damaged", f"{firer}: fire control damaged", "9", "false"),
        ("firer.state.radar_damaged", f"{firer}: radar damaged", "10, step 2", "false"),
        ("target.state.rudder_damaged", f"{target}: rudder damaged", "9", "false"),
    ):
        yield Condition(name, label, Takes.FLAG, usual, reference)


def _number(name: str, label: str, usual: str, reference: str, least: int, most: int) -> Condition:
    return Condition(name, label, Takes.NUMBER, usual, reference, least, most)


def write_shot(facts: Facts) -> ShotFile:
    """The shot file of some facts; an answer that cannot be read is an error here already."""
    source = f"{facts.firer} at {facts.target}"
    known = {each.name: each for each in conditions_for(facts.firer_type, facts.target_type)}
    said = dict(facts.conditions)
    for name in said:
        if name not in known:
            raise UnknownName(source, "condition", name, known)
    batteries = [battery.name for battery in batteries_of(facts.firer_type)]
    answers: dict[str, object] = {
        "ruleset": NAME,
        "firer.name": facts.firer,
        "firer.type": facts.firer_type,
        "target.name": facts.target,
        "target.type": facts.target_type,
        "fire.weapon": facts.battery or next(iter(batteries), Weapon.GUNS),
        **{name: _scalar(said.get(name, each.usual)) for name, each in known.items()},
    }
    # A dotted key is a key of a table, and JSON's scalars are TOML's but for one character.
    lines = (
        f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in answers.items()
    )
    data = "".join(lines).replace("\x7f", "\\u007f").encode()
    read_shot(data, source, load_tables())
    return ShotFile(data, source)


def _scalar(text: str) -> object:
    if text.isascii() and text.isdigit() and len(text) < 4:
        return int(text)
    return _SCALARS.get(text, text)
