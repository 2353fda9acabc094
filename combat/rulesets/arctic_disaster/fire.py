"""Everything that Arctic Disaster rolls for, from a shot file: resolved, told, and forecast."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from combat.adding_up import chance, odds_of
from combat.attack_rules import AttackRules, Strength
from combat.dice import Dice
from combat.forecast import Forecast
from combat.modifiers import Ledger
from combat.one_die import report_of
from combat.report import BatteryInfo, Line, Report
from combat.rulesets.arctic_disaster import air, checks, strike
from combat.rulesets.arctic_disaster.asking import LAYOUT, Battery
from combat.rulesets.arctic_disaster.rolling import Attack, Kind, Outcome, Rolled
from combat.rulesets.arctic_disaster.tabledata import load_ships, load_tables
from combat.rulesets.arctic_disaster.vessel import Vessel, read_vessel
from combat.shot_layout import Said
from combat.tables import TableSet

_SHIP = {"of_a_ship": True, "at_a_target": True}
_ALONE = {"of_a_ship": True, "at_a_target": False}
_NOBODY = {"of_a_ship": False, "at_a_target": False}
_AT_HER = {"of_a_ship": False, "at_a_target": True}


def _info(battery: Battery, title: str, who: Mapping[str, bool]) -> BatteryInfo:
    # Gunnery alone is simultaneous; its results stand when any other segment comes (11.4.4).
    gunnery = battery in (Battery.MAIN, Battery.SECONDARY)
    return BatteryInfo(
        battery, title, 0, who["of_a_ship"], who["at_a_target"], when_marked=not gunnery
    )


_CHECK = (checks.check_strength, checks.run_check)
_GUNS = (strike.gun_strength, strike.run_guns)
_KINDS: Mapping[str, Kind] = {
    kind.info.name: kind
    for kind in (
        Kind(_info(Battery.MAIN, "Main battery", _SHIP), "11.4.4", *_GUNS),
        Kind(_info(Battery.SECONDARY, "Secondary battery", _SHIP), "11.4.4", *_GUNS),
        Kind(
            _info(Battery.TORPEDOES, "Torpedoes", _SHIP), "11.4.7",
            strike.torpedo_strength, strike.run_torpedoes,
        ),
        Kind(
            _info(Battery.ANTIAIRCRAFT, "Antiaircraft fire", _ALONE), "11.1, step 5",
            air.antiaircraft_strength, air.run_antiaircraft,
        ),
        Kind(
            _info(Battery.MOVE, "Movement", _ALONE), "11.4.3",
            checks.move_strength, checks.run_move,
        ),
        Kind(_info(Battery.AIR, "Air attack", _AT_HER), "11.1", air.air_strength, air.run_air),
        Kind(
            _info(Battery.AIR_TO_AIR, "Combat air patrol", _NOBODY), "11.3.1",
            air.patrol_strength, air.run_patrol,
        ),
        Kind(
            _info(Battery.SUBMARINE, "Submarine attack", _AT_HER), "13.5",
            checks.submarine_strength, checks.run_submarine,
        ),
        Kind(
            _info(Battery.CRITICAL, "Critical hit", _AT_HER), "12.2",
            strike.critical_strength, strike.run_critical,
        ),
        Kind(
            _info(Battery.FIRST_MOVE, "Who moves first", _NOBODY), "11.4.3",
            checks.first_move_strength, checks.run_first_move,
        ),
        Kind(_info(Battery.DISENGAGE, "Disengagement", _NOBODY), "11.4.9", *_CHECK),
        Kind(
            _info(Battery.SEARCH, "Search", _NOBODY), "10.2.1",
            checks.search_strength, checks.run_search,
        ),
        Kind(
            _info(Battery.SHADOW, "Shadowing", _NOBODY), "13.6",
            checks.shadow_strength, checks.run_shadow,
        ),
        Kind(_info(Battery.NEW_FOG, "Detection in new fog", _NOBODY), "5.1", *_CHECK),
        Kind(_info(Battery.SHADOW_IN_FOG, "Shadow in new fog", _NOBODY), "13.6", *_CHECK),
        Kind(_info(Battery.GROUNDING, "Grounding", _NOBODY), "5.5", *_CHECK),
        Kind(_info(Battery.HOME_FLEET, "Home Fleet orders", _NOBODY), "7.5.2", *_CHECK),
        Kind(_info(Battery.HITLER, "Hitler's orders", _NOBODY), "5.8", *_CHECK),
    )
}  # fmt: skip


class ArcticFire(AttackRules[Attack]):
    """What Arctic Disaster can do with a shot file."""

    layout = LAYOUT

    def read(self, said: Said, tables: TableSet) -> Attack:
        """The roll that a shot file describes."""
        battery = Battery(said.word("fire.battery"))
        info = _KINDS[battery].info
        return Attack(
            said,
            battery,
            read_vessel("firer", said, tables) if info.of_a_ship else None,
            read_vessel("target", said, tables) if info.at_a_target else None,
        )

    def strength(self, attack: Attack, tables: TableSet) -> Strength:
        """What it is rolled with."""
        return _KINDS[attack.battery].strength(attack, tables)

    def play(self, attack: Attack, dice: Dice, tables: TableSet) -> Report:
        """Roll it."""
        kind = _KINDS[attack.battery]
        found, rolled = kind.strength(attack, tables), kind.run(attack, dice, tables)
        found = replace(found, ledger=Ledger((*found.ledger.modifiers, *rolled.lines)))
        return report_of(
            _title(attack, kind),
            found,
            rolled.throws,
            hits=rolled.outcome.hits,
            blows=[each for each in rolled.throws if each.purpose in strike.BLOWS],
            endings=tuple(_endings(attack, rolled, tables)),
            more=_more(attack, rolled),
            after=_after(attack, rolled.outcome),
        )

    def odds(self, attacks: Sequence[Attack], tables: TableSet) -> Forecast:
        """The exact odds of all these rolls, one after the other."""
        so_far: dict[Outcome, float] = {Outcome(): 1.0}
        for attack in attacks:
            so_far = _one_more(so_far, attack, tables)
        target = attacks[0].target
        hits: dict[int, float] = {}
        outcomes: dict[str, float] = {}
        for outcome, share in so_far.items():
            hits[outcome.hits] = hits.get(outcome.hits, 0.0) + share
            for word in outcome.words:
                outcomes[word] = outcomes.get(word, 0.0) + share
        boxes: dict[str, float] = {}
        if target is not None:
            left = target.capacity - target.damage
            outcomes["hit"] = chance(so_far, lambda each: each.damage > 0)
            outcomes["sunk"] = chance(so_far, lambda each: each.damage >= left)
            boxes["damage"] = sum(min(each.damage, left) * p for each, p in so_far.items())
        return Forecast(dict(sorted(hits.items())), outcomes, boxes)

    def target_of(self, attack: Attack) -> object:
        """The target with her marks."""
        return attack.target

    def battery_of(self, attack: Attack) -> str:
        """What is rolled for."""
        return attack.battery

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """What a known ship can do; for "" what comes from nobody's ship."""
        if not ship_type:
            return tuple(kind.info for kind in _KINDS.values() if not kind.info.of_a_ship)
        ship = load_ships().find(ship_type)
        if ship is None:
            return ()
        counters, first = load_tables()["counters"], load_tables()["rosters"]
        _, guns, secondary, flak = first.text(ship.name, "0").split("/")
        able = {
            Battery.MAIN: int(guns),
            Battery.SECONDARY: int(secondary),
            Battery.TORPEDOES: int(counters.text(ship.name, "torpedoes") == "yes"),
            Battery.ANTIAIRCRAFT: int(flak),
            Battery.MOVE: 1,
        }
        return tuple(
            replace(_KINDS[name].info, guns=strength) for name, strength in able.items() if strength
        )


def _one_more(
    so_far: Mapping[Outcome, float], attack: Attack, tables: TableSet
) -> dict[Outcome, float]:
    """The odds after one more roll; an air attack meets the ship as the ones before left her."""
    kind, target = _KINDS[attack.battery], attack.target
    known: dict[int, Mapping[Outcome, float]] = {}
    both: dict[Outcome, float] = {}
    for before, share in so_far.items():
        if attack.battery is not Battery.AIR or target is None:
            if not known:
                known[0] = odds_of(lambda dice: kind.run(attack, dice, tables).outcome)
            more = known[0]
        elif target.damage + before.damage >= target.capacity:
            more = {Outcome(): 1.0}
        else:
            if before.damage not in known:
                hurt = replace(target, damage=target.damage + before.damage)
                known[before.damage] = air.air_odds(replace(attack, target=hurt), tables)
            more = known[before.damage]
        for outcome, part in more.items():
            both[before + outcome] = both.get(before + outcome, 0.0) + share * part
    return both


def _struck(target: Vessel, outcome: Outcome) -> Vessel:
    return replace(
        target,
        damage=min(target.capacity, target.damage + outcome.damage),
        move_lost=min(target.roster[0].move, target.move_lost + outcome.move_lost),
        guns_lost=min(target.roster[0].guns, target.guns_lost + outcome.guns_lost),
    )


def _after(attack: Attack, outcome: Outcome) -> dict[str, Mapping[str, object]]:
    after: dict[str, Mapping[str, object]] = {}
    if attack.target is not None:
        after["target"] = _struck(attack.target, outcome).marks
    if attack.battery is Battery.TORPEDOES:
        after["firer"] = replace(attack.ship, torpedoes_fired=True).marks
    return after


def _title(attack: Attack, kind: Kind) -> Line:
    who = f"{attack.firer.name}: {kind.info.title.lower()}" if attack.firer else kind.info.title
    at = f" at {attack.target.name}" if attack.target else ""
    return Line(f"{who}{at}", kind.rule)


def _more(attack: Attack, rolled: Rolled) -> dict[str, object]:
    more: dict[str, object] = {"battery": attack.battery, "damage": rolled.outcome.damage}
    if attack.target is not None:
        struck = _struck(attack.target, rolled.outcome)
        more |= {"target_damage": struck.damage, "target_sunk": struck.sunk}
    return more


def _endings(attack: Attack, rolled: Rolled, tables: TableSet) -> Iterator[Line]:
    rule, target, outcome = _KINDS[attack.battery].rule, attack.target, rolled.outcome
    for word in sorted(outcome.words - {strike.CRITICAL}):
        yield Line(word, rule)
    if attack.battery is Battery.DISENGAGE:
        cost = checks.movement_cost(attack, tables)
        yield Line(f"so far it costs the active force {cost} MP", "7.6.4")
    if target is not None and (outcome.damage or outcome.move_lost or outcome.guns_lost):
        yield from _fate(target, outcome)


def _fate(target: Vessel, outcome: Outcome) -> Iterator[Line]:
    """What hits and critical hits leave of a ship."""
    struck = _struck(target, outcome)
    if outcome.move_lost and not struck.sunk:
        yield Line(f"{target.name} has movement {struck.move} left", "12.2")
    if outcome.guns_lost and not struck.sunk:
        yield Line(f"{target.name} has gunnery {struck.guns} left", "12.2")
    if outcome.damage:
        left = f"{struck.capacity - struck.damage} of {struck.capacity} left"
        fate = "she sinks" if struck.sunk else left
        yield Line(f"{target.name} takes {outcome.damage}: {fate}", "12.0")
    if struck.unit == "CV" and target.rating.flying and not struck.rating.flying:
        yield Line(f"{target.name} flies no more: her aircraft leave the game", "12.1")
