"""Everything that The Chase of the Bismarck rolls for, from a shot file: resolved and told."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from combat.attack_rules import AttackRules, Strength
from combat.dice import Dice
from combat.forecast import Forecast
from combat.one_die import report_of
from combat.report import BatteryInfo, Line, MountInfo, Report
from combat.rulesets.chase_of_the_bismarck.attack import (
    CHECKS,
    Roll,
    resolve_attack,
    resolve_check,
    resolve_found,
)
from combat.rulesets.chase_of_the_bismarck.board import (
    movement_zones,
    range_of,
    reinforcement_zone,
)
from combat.rulesets.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulesets.chase_of_the_bismarck.maneuver import movement_of, standing
from combat.rulesets.chase_of_the_bismarck.odds import (
    forecast_attacks,
    forecast_check,
    forecast_found,
)
from combat.rulesets.chase_of_the_bismarck.shot import (
    ABORT,
    AT_A_TARGET,
    FOUND,
    GUNS,
    LAYOUT,
    MOVE,
    OF_A_SHIP,
    REINFORCEMENT,
    RULES,
    START,
    TORPEDOES,
    Battery,
    Shot,
    factors_bearing,
    read_shot,
    strength_of_shot,
)
from combat.rulesets.chase_of_the_bismarck.tabledata import (
    FOUND_CLASSES,
    PARTS,
    load_ships,
    load_tables,
)
from combat.rulesets.chase_of_the_bismarck.vessel import BOXES, Vessel
from combat.shot_layout import Said
from combat.tables import TableSet
from tabletop.errors import DreyerError

_TITLES = {
    Battery.ABORT: "Abort combat",
    Battery.REINFORCEMENT: "Enter as a reinforcement",
    Battery.AIR: "Air attack",
    Battery.SUBMARINE: "Submarine attack",
    Battery.FOUND: "Whom the submarine finds",
    Battery.START: "Start of a combat",
    Battery.MOVE: "Movement",
}
_WHEN_MARKED = (ABORT, REINFORCEMENT, MOVE)
"""What comes after the fire of a round, when its damage is marked (10, steps 4 to 6)."""


class ChaseFire(AttackRules[Shot]):
    """What The Chase of the Bismarck can do with a shot file."""

    layout = LAYOUT

    def read(self, said: Said, tables: TableSet) -> Shot:
        """What a shot file describes."""
        return read_shot(said, tables)

    def strength(self, attack: Shot, tables: TableSet) -> Strength:
        """What it is rolled with."""
        return _strength(attack, tables)

    def play(self, attack: Shot, dice: Dice, tables: TableSet) -> Report:
        """Roll it."""
        if attack.battery in (START, MOVE):
            return _stand(attack, tables)
        if attack.battery is FOUND:
            return _find(attack, dice, tables)
        return (_check if attack.battery in CHECKS else _attack)(attack, dice, tables)

    def odds(self, attacks: Sequence[Shot], tables: TableSet) -> Forecast:
        """The exact odds of all these attacks on one target, or of one other roll."""
        if all(attack.battery in AT_A_TARGET for attack in attacks):
            return forecast_attacks(attacks, tables)
        if len(attacks) > 1:
            raise DreyerError("forecast: attacks are foretold together, any other roll alone")
        if attacks[0].battery in (START, MOVE):
            return Forecast({0: 1.0}, {}, {})
        if attacks[0].battery is FOUND:
            return forecast_found(attacks[0], tables)
        return forecast_check(attacks[0], tables)

    def target_of(self, attack: Shot) -> object:
        """The target with her marks; of another roll, who makes it."""
        return attack.target or attack.firer

    def battery_of(self, attack: Shot) -> str:
        """What is rolled for."""
        return attack.battery

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """Guns, torpedoes and rolls of a known ship; for "" what comes from nobody's ship."""
        ship, cards = load_ships().find(ship_type), load_tables()["ship_cards"]
        if ship_type and ship is None:
            return ()
        guns = {}
        if ship:
            guns[GUNS] = sum(cards.integer(ship.name, part) for part in PARTS)
            guns[TORPEDOES] = cards.integer(ship.name, "torpedoes")
        return tuple(
            BatteryInfo(
                battery, _TITLES.get(battery, battery.capitalize()), guns.get(battery, 0),
                battery in OF_A_SHIP, battery in AT_A_TARGET, when_marked=battery in _WHEN_MARKED,
            )
            for battery in Battery
            if guns.get(battery, True) and (battery in OF_A_SHIP) is bool(ship)
        )  # fmt: skip

    def mounts(self, attack: Shot, tables: TableSet) -> tuple[MountInfo, ...]:
        """The parts of the card with factors left; a torpedo marker counts as one."""
        if attack.battery is TORPEDOES:
            reach = range_of(attack.zones_between, tables)
            in_reach = tables["ranges"].text(reach, "torpedoes") == "yes"
            return (MountInfo("torpedoes", attack.ship.left("torpedoes"), in_reach),)
        if attack.battery is not GUNS:
            return ()
        bearing = factors_bearing(attack, tables)
        left = {part: attack.ship.left(part) for part in PARTS}
        return tuple(MountInfo(part, n, part in bearing) for part, n in left.items() if n)


def _strength(shot: Shot, tables: TableSet) -> Strength:
    """What it is rolled with; where nothing is rolled, the movement zone or how far she may go."""
    found = strength_of_shot(shot, tables)
    if shot.battery is START:
        zone, reference = shot.number("visibility"), "10: movement zone"
        return replace(found, factor=zone, reference=reference, factor_label="Movement zone")
    if shot.battery is MOVE:
        standing(shot, tables)
        zones, reference = movement_of(shot, tables), "10, Movement Table: movement zones"
        return replace(found, factor=zones, reference=reference, factor_label="Movement zones")
    return found


def _stand(shot: Shot, tables: TableSet) -> Report:
    """No die: where the ships stand now."""
    found, stands = _strength(shot, tables), standing(shot, tables)
    words = f"each side starts in movement zone {stands.zone} from its own edge"
    if shot.battery is MOVE:
        gone = f"{shot.ship.name} leaves the board and the combat"
        position = shot.word("new_position")
        words = f"{shot.ship.name} stands in movement zone {stands.zone}, {position}"
        words = gone if stands.zone is None else words
    lines = [Line(words, RULES[shot.battery])]
    if shot.battery is START:
        lines.append(Line("the attackers closing, the defenders breaking-off", "10"))
    if stands.shifted:
        many = f"{stands.shifted} movement zone{'s' * (stands.shifted != 1)}"
        lines.append(Line(f"all ships are shifted {many} to keep her on the board", "10, step 4"))
    if stands.enemy_zone is None:
        lines.append(Line("the enemy is pushed off the board and out of the combat", "10, step 4"))
    elif stands.held_up:
        words = f"the enemy, yet to move, must close and has {stands.held_up} zones less, or leaves"
        lines.append(Line(words, "10, step 4"))
    lines.append(Line(stands.words(tables), "10"))
    return report_of(
        _title(shot, tables), found, (), hits=0, blows=(), endings=lines,
        more={
            "battery": shot.battery, "zone": stands.zone, "enemy_zone": stands.enemy_zone,
            "zones_between": stands.between, "shifted": stands.shifted,
            "range": None if stands.between is None else range_of(stands.between, tables),
        },
    )  # fmt: skip


def _find(shot: Shot, dice: Dice, tables: TableSet) -> Report:
    """Whom the submarine finds (11.1)."""
    name, throws = resolve_found(shot, dice, tables)
    words = f"a {name}" if name != FOUND_CLASSES[-1] else name
    return report_of(
        _title(shot, tables), _strength(shot, tables), throws, hits=1, blows=(),
        endings=[Line(f"her owner reveals {words}, and whether she is in a task force", "11.1")],
        more={"battery": shot.battery, "outcome": [name]},
    )  # fmt: skip


def _check(shot: Shot, dice: Dice, tables: TableSet) -> Report:
    words, throws = resolve_check(shot, dice, tables)
    after, endings = {}, []
    if words and shot.battery is ABORT:
        after["firer"] = shot.ship.state(Damage(aborted=1))
    if words and shot.battery is REINFORCEMENT:
        zone = reinforcement_zone(shot.number("visibility"), attacker=True)
        place = f"movement zone {zone} from her own edge, in closing position"
        endings.append(Line(f"{shot.ship.name} enters in {place}", "10, step 6"))
    return report_of(
        _title(shot, tables), strength_of_shot(shot, tables), throws,
        hits=int(bool(words)), blows=(), endings=endings,
        more={"battery": shot.battery, "success": bool(words), "outcome": list(words)},
        after=after,
    )  # fmt: skip


def _attack(shot: Shot, dice: Dice, tables: TableSet) -> Report:
    rolls, strength = resolve_attack(shot, dice, tables), strength_of_shot(shot, tables)
    damage, target = sum((roll.damage for roll in rolls), NO_DAMAGE), shot.victim
    after, endings = {"target": target.state(damage)}, list(_endings(target, damage, tables))
    if shot.battery is TORPEDOES:
        used = Damage(torpedoes=strength.factor)
        after["firer"] = shot.ship.state(used)
        words = f"{shot.ship.name}: torpedo markers left: {shot.ship.left('torpedoes', used)}"
        endings.insert(0, Line(words, "10, step 1"))
    if shot.battery is GUNS:
        held = {target.name} & shot.ship.acquired
        acquired = frozenset({target.name} if damage.hits else held)
        after["firer"] = replace(shot.ship, acquired=acquired).state()
        if acquired - shot.ship.acquired:
            words = f"{shot.ship.name} has acquired {target.name} from the next round on"
            endings.insert(0, Line(words, "10, step 2"))
    more = {
        "battery": shot.battery,
        "range": range_of(shot.zones_between, tables) if shot.firer else None,
        "dice_count": strength.factor,
        "hit_results": [_hit(roll) for roll in rolls if roll.damage.hits],
        "results": [f"{roll.throws[0].total}: {roll.throws[0].result}" for roll in rolls],
        "marks": asdict(damage),
        "target_left": {part: target.left(part, damage) for part in BOXES},
        "target_sunk": target.sunk(damage),
        # Any result but a miss, of gunfire only (10, step 2).
        "target_acquired": shot.battery is GUNS and damage.hits > 0,
    }
    return report_of(
        _title(shot, tables), strength, [throw for roll in rolls for throw in roll.throws],
        hits=damage.hits, blows=(), endings=endings, more=more, after=after,
    )  # fmt: skip


def _hit(roll: Roll) -> dict[str, object]:
    return {
        "dice": " ".join(str(throw.die) for throw in roll.throws),
        "results": [throw.result for throw in roll.throws],
        "effect": str(roll.damage),
    }


def _title(shot: Shot, tables: TableSet) -> Line:
    words = _TITLES.get(shot.battery, shot.battery.capitalize())
    if shot.firer:
        words = f"{shot.firer.name}: {words.lower()}"
    if shot.target:
        words = f"{words} at {shot.target.name}"
    if shot.firer and shot.target:
        positions = f"{shot.firer.position} against {shot.target.position}"
        words = f"{words}, {range_of(shot.zones_between, tables)} range, {positions}"
    return Line(words, RULES[shot.battery])


def _endings(target: Vessel, damage: Damage, tables: TableSet) -> Iterator[Line]:
    left = ", ".join(f"{part} {target.left(part, damage)}" for part in BOXES)
    fate = " and sinks" if target.sunk(damage) else ""
    yield Line(f"{target.name} has left {left}{fate}", "2.4")
    if target.agility(damage) != target.agility():
        zones = movement_zones(target.agility(damage), tables)
        words = f"{target.name} now moves {zones} movement zone{'s' * (zones != 1)} at most"
        yield Line(words, "10, Movement Table")
