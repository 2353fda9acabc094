"""What Sink the Bismarck! decides from a shot file: detection, convoys, speed; no combat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from combat.adding_up import chance, odds_of
from combat.attack_rules import AttackRules, Strength
from combat.dice import Dice
from combat.forecast import Forecast
from combat.modifiers import Modifier
from combat.one_die import Throw, line_of, report_of, strength_of, throw
from combat.questions import Answers
from combat.report import BatteryInfo, Forbidden, Line, Report
from combat.rulesets.sink_the_bismarck.asking import LAYOUT, Battery
from combat.rulesets.sink_the_bismarck.tabledata import (
    DETECTED,
    EVEN_TURNS,
    SPEED_ROWS,
    UNKNOWN,
    load_ships,
)
from combat.shot_layout import Said
from combat.tables import TableSet
from tabletop.errors import BadField

_TITLES = {
    Battery.DETECTION: ("Detection", "10.2"),
    Battery.CONVOY_ATTACK: ("Attack on a convoy", "9.10"),
    Battery.CONVOY_MOVE: ("A convoy moves", "9.8"),
    Battery.CONVOY_ENTRY: ("A convoy enters", "9.7"),
    Battery.SPEED: ("Speed on the map", "7.14"),
}


@dataclass(frozen=True, slots=True)
class Question(Answers):
    """What is asked, and of which ship."""

    battery: Battery
    ship: str = ""


def evasion_of(ship: str, lost: int, tables: TableSet) -> int:
    """The evasion rating of a ship with what damage has taken of it."""
    return max(0, tables["ships"].integer(ship, "evasion") - lost)


def speed_row(evasion: int) -> str:
    """The row of 7.14 for an evasion rating."""
    return next(row for row, least in SPEED_ROWS.items() if evasion >= least)


def _detection(asked: Question, tables: TableSet) -> Strength:
    searcher, night = asked.word("searcher"), asked.flag("night")
    refused = {
        "attack-aircraft": ("attack aircraft detect nothing", "8.11"),
        "dummy": ("a dummy detects nothing", "6.24"),
        "convoy": ("a convoy detects nobody unless it is attacked", "9.9"),
    }
    if searcher in refused:
        raise Forbidden(*refused[searcher])
    if asked.flag("fog"):
        raise Forbidden("nothing is detected in fog", "10.3")
    if asked.flag("shadowed"):
        raise Forbidden("a shadowed task force needs no detection", "4.0")
    if asked.word("enemy") == "convoy" and searcher == "task-force":
        raise Forbidden("a German task force detects a convoy without a die", "9.9")
    lines = [_line(tables, "visibility good")] if asked.word("visibility") == "good" else []
    if asked.word("visibility") == "poor" or night:
        lines.append(_line(tables, "visibility poor or night"))
    if searcher == "recon" and not night:
        lines.append(_line(tables, "recon aircraft by day"))
    if searcher == "task-force":
        ships = asked.number("ships")
        bands = ((7, "7 or more ships"), (5, "5 or 6 ships"), (3, "3 or 4 ships"))
        lines += [_line(tables, row) for least, row in bands if ships >= least][:1]
        if asked.flag("carrier"):
            lines.append(_line(tables, "aircraft carrier"))
    return strength_of(1, "10.2: one die", lines, label="Dice")


def _line(tables: TableSet, row: str) -> Modifier:
    return line_of(tables["detection_modifiers"], row, row)


def _convoy_attack(asked: Question, tables: TableSet) -> Strength:  # noqa: ARG001 - as every answer
    attacker = asked.word("attacker")
    if attacker == "bombers":
        raise Forbidden("land-based bombers cannot destroy convoys", "9.10")
    if attacker == "dummy":
        raise Forbidden("a dummy detects and attacks nothing", "9.9")
    if asked.flag("escorted") and not asked.flag("escorts_sunk"):
        raise Forbidden("all its escorts must be sunk first", "9.10")
    due = "4" if asked.flag("escorted") else "9"
    if asked.word("phase") != due:
        kind = "an escorted" if asked.flag("escorted") else "an unescorted"
        raise Forbidden(f"{kind} convoy is destroyed in phase {due}", "9.10")
    return strength_of(1, "9.10: without a die", [], label="Convoys destroyed")


def _convoy_move(asked: Question, tables: TableSet) -> Strength:
    limits = tables["limits"]
    speed, track = (
        limits.integer("convoy speed", "most"),
        limits.integer("hexes from the track", "most"),
    )
    stacked = limits.integer("convoys in a hex", "most")
    convoy = asked.word("convoy")
    if asked.number("hexes") > speed:
        raise Forbidden(f"a convoy moves {speed} hex a turn", "9.1")
    if asked.number("hexes") < speed and not asked.flag("arrived"):
        raise Forbidden("a convoy must move until it has arrived", "9.7")
    if asked.number("distance_after") > asked.number("distance_before"):
        raise Forbidden("a convoy never moves away from its destination", "9.8")
    if asked.number("from_track") > track:
        raise Forbidden(f"a convoy strays {track} hexes from its track at most", "9.6")
    if asked.number("in_hex") > stacked:
        raise Forbidden(f"{stacked} convoys at most share a hex", "9.5")
    if asked.flag("leaves_map") and tables["convoys"].text(convoy, "leaves the map") == "no":
        raise Forbidden(f"{convoy} convoys do not leave the map", "9.7")
    return strength_of(asked.number("hexes"), "9.1: hexes", [], label="Hexes")


def _convoy_entry(asked: Question, tables: TableSet) -> Strength:
    limits = tables["limits"]
    first = limits.integer("first turn for convoys", "most")
    if asked.number("turn") < first:
        raise Forbidden(f"convoys are drawn from turn {first} on", "9.4")
    if asked.number("on_map") >= limits.integer("convoys on the map", "most"):
        raise Forbidden("the map has all the convoys that it may have", "9.5")
    cell = tables["convoys"].cell(asked.word("convoy"), "entry")
    return strength_of(1, "9.7: without a die", [], [cell], "Convoys")


def _speed(asked: Question, tables: TableSet) -> Strength:
    evasion = evasion_of(asked.ship, asked.said.number("firer.state.evasion_lost"), tables)
    row, cell = speed_row(evasion), tables["ships"].cell(asked.ship, "evasion")
    table = tables["speed"]
    hexes = table.text(row, "hexes")
    moves = int(asked.number("turn") % 2 == 0) if hexes == EVEN_TURNS else int(hexes)
    reference = f"7.14: hexes at an evasion rating of {evasion}"
    return strength_of(moves, reference, [], [cell, table.cell(row, "hexes")], "Hexes")


_STRENGTHS: Mapping[Battery, Callable[[Question, TableSet], Strength]] = {
    Battery.DETECTION: _detection,
    Battery.CONVOY_ATTACK: _convoy_attack,
    Battery.CONVOY_MOVE: _convoy_move,
    Battery.CONVOY_ENTRY: _convoy_entry,
    Battery.SPEED: _speed,
}


class SinkFire(AttackRules[Question]):
    """What Sink the Bismarck! can do with a shot file."""

    layout = LAYOUT

    def read(self, said: Said, tables: TableSet) -> Question:  # noqa: ARG002 - nothing to look up
        """The question that a shot file asks."""
        battery = Battery(said.word("fire.battery"))
        if battery is not Battery.SPEED:
            return Question(said, battery)
        kind = said.word("firer.type")
        if not kind:
            raise BadField(said.place, "firer.name", "a ship", "nothing")
        return Question(said, battery, load_ships().named(kind, said.place).name)

    def strength(self, attack: Question, tables: TableSet) -> Strength:
        """What it is decided by."""
        return _STRENGTHS[attack.battery](attack, tables)

    def play(self, attack: Question, dice: Dice, tables: TableSet) -> Report:
        """Decide it, with a die where there is one."""
        found, (title, rule) = self.strength(attack, tables), _TITLES[attack.battery]
        rolls = attack.battery is Battery.DETECTION
        throws = (_detect(dice, found, tables),) if rolls else ()
        detected = any(each.result == DETECTED for each in throws)
        destroyed = attack.battery is Battery.CONVOY_ATTACK
        who = f"{attack.said.word('firer.name') or attack.ship}: " if attack.ship else ""
        return report_of(
            Line(f"{who}{title}", rule),
            found,
            throws,
            hits=int(detected or destroyed),
            blows=(),
            endings=_endings(attack, found, throws, tables),
            more={"battery": attack.battery},
        )

    def odds(self, attacks: Sequence[Question], tables: TableSet) -> Forecast:
        """The exact odds of the first question; the others have dice of their own."""
        asked = attacks[0]
        found = self.strength(asked, tables)
        if asked.battery is not Battery.DETECTION:
            return Forecast({0: 1.0}, {}, {})
        odds = odds_of(lambda dice: _detect(dice, found, tables))
        detected = chance(odds, lambda thrown: thrown.result == DETECTED)
        outcomes = {
            f"a modified {least} or more": chance(odds, partial(_reaches, least))
            for least in sorted(thrown.total for thrown in odds)
        }
        if any(thrown.result == UNKNOWN for thrown in odds):
            # Nobody's chance is told while the owner has not entered what a die may show.
            return Forecast({0: 1.0}, outcomes, {})
        outcomes = {DETECTED: detected, **outcomes}
        return Forecast({0: 1 - detected, 1: detected}, outcomes, {})

    def target_of(self, attack: Question) -> object:
        """Nothing is shot at here; the questions that go together are of one kind."""
        return attack.battery

    def battery_of(self, attack: Question) -> str:
        """What is asked."""
        return attack.battery

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """A ship's speed; for "" detection and convoys."""
        ship = load_ships().find(ship_type) if ship_type else None
        if ship_type and ship is None:
            return ()
        return tuple(
            BatteryInfo(battery, title, 0, of_a_ship=bool(ship), at_a_target=False)
            for battery, (title, _) in _TITLES.items()
            if (battery is Battery.SPEED) == bool(ship)
        )


def _detect(dice: Dice, found: Strength, tables: TableSet) -> Throw:
    return throw(dice, "detection", "10.2", tables["detection"], "result", found.ledger.total)


def _reaches(least: int, thrown: Throw) -> bool:
    return thrown.total >= least


def _endings(
    asked: Question, found: Strength, throws: Sequence[Throw], tables: TableSet
) -> list[Line]:
    if asked.battery is Battery.DETECTION:
        return [_detected(throws[0])]
    if asked.battery is Battery.CONVOY_ATTACK:
        if asked.flag("dummy_convoy"):
            return [Line("a dummy: it leaves the game for good", "9.9")]
        lines = [
            Line("the convoy is destroyed", "9.10"),
            Line("the German force is detected and names its ships by number and type", "9.11"),
        ]
        moving = [Line("its movement ends in this hex", "9.12")]
        return lines + (moving if asked.word("phase") == "9" else [])
    if asked.battery is Battery.CONVOY_MOVE:
        return [Line("the move is allowed", "9.8")]
    if asked.battery is Battery.CONVOY_ENTRY:
        entry = tables["convoys"].text(asked.word("convoy"), "entry")
        where = "see your scenario: our text gives no hex" if entry == UNKNOWN else f"hex {entry}"
        return [Line(where, "9.7")]
    return [Line(f"up to {found.factor} hexes this turn", "7.14")]


def _detected(thrown: Throw) -> Line:
    if thrown.result == UNKNOWN:
        words = f"read a modified {thrown.total} on your own Detection Table, or enter it here"
        return Line(words, "10.2: the table is not in our source")
    if thrown.result == DETECTED:
        return Line("detected: the owner names numbers and general types of ships", "10.4")
    return Line(thrown.result, "10.2")
