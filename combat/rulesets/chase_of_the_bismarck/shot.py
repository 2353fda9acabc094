"""Everything that is rolled for, as a shot file says it: who, with what, and every modifier."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from combat.attack_rules import Strength
from combat.one_die import line_of, strength_of
from combat.questions import Answers, battery_key, choice, flag, mutual, number
from combat.report import Condition, Forbidden, Takes
from combat.rulesets.chase_of_the_bismarck.board import FARTHEST, LAST_ZONE, range_of
from combat.rulesets.chase_of_the_bismarck.tabledata import (
    DIFFERENCES,
    FOUND_CLASSES,
    NAME,
    PARTS,
)
from combat.rulesets.chase_of_the_bismarck.vessel import (
    ACQUIRED,
    BREAKING_OFF,
    CLOSING,
    COUNTED,
    FLAGS,
    MOST_MARKS,
    Position,
    Vessel,
    read_vessel,
)
from combat.shot_layout import Layout, Said
from combat.tables import Cell, TableSet
from tabletop.errors import BadField

MOST_TORPEDOES: Final = 3
"""How many torpedo markers a ship may assign in a combat round (10, step 1)."""
FREE_ZONES_TO_ABORT: Final = 6
FIRST_REINFORCED_ROUND: Final = 3
_PRESENT: Final = ("capital_ships", "cruisers", "destroyers")
_SLOW_BELOW = 25
_BLIND_LEVEL = 9


class Battery(StrEnum):
    """What dice are rolled for."""

    GUNS = "guns"
    TORPEDOES = "torpedoes"
    MOVE = "move"
    ABORT = "abort"
    REINFORCEMENT = "reinforcement"
    START = "start"
    AIR = "air"
    SUBMARINE = "submarine"
    CONTACT = "submarine contact"
    FOUND = "submarine target"


GUNS, TORPEDOES, MOVE, ABORT, REINFORCEMENT, START, AIR, SUBMARINE, CONTACT, FOUND = Battery
OF_A_SHIP: Final = (GUNS, TORPEDOES, MOVE, ABORT, REINFORCEMENT)
AT_A_TARGET: Final = (GUNS, TORPEDOES, AIR, SUBMARINE)
RULES: Final = {
    GUNS: "10, step 2",
    TORPEDOES: "10, step 3",
    ABORT: "10, step 5",
    REINFORCEMENT: "10, step 6",
    AIR: "9",
    SUBMARINE: "11.1",
    CONTACT: "11.1",
    FOUND: "11.1",
    START: "10",
    MOVE: "10, step 4",
}


LAYOUT: Final = Layout(
    NAME,
    ship=(
        choice(
            "position", "position", "10",
            [(each, each.capitalize()) for each in Position],
            GUNS, TORPEDOES, ABORT, MOVE,
        ),
    ),
    state=[
        # Marks stand on a ship's sheet: no page asks for them.
        replace(mark, asked=False)
        for mark in (
            *(number(key, key.replace("_", " "), "2.4", (0, 0, MOST_MARKS)) for key in
              COUNTED.values()),
            *(flag(key, key.replace("_", " "), "9; 10") for key in FLAGS.values()),
            Condition(ACQUIRED, "the target she has acquired: { Norfolk = 1 }", Takes.COUNTS, "",
                      "10, step 2"),
        )
    ],
    fire=(
        battery_key(tuple(Battery), "9; 10; 11.1"),
        mutual(number("zones_between", "Sea zones between", "10", (3, 0, FARTHEST),
                      GUNS, TORPEDOES, ABORT)),
        number("torpedoes", "Torpedo markers assigned", "10, step 1", (1, 1, MOST_TORPEDOES),
               TORPEDOES),
        number("torpedoes_elsewhere", "Markers assigned to other targets this round", "10, step 1",
               (0, 0, MOST_TORPEDOES), TORPEDOES),
    ),
    conditions=(
        mutual(number("visibility", "Visibility level", "5", (4, 1, 9),
                      *AT_A_TARGET, REINFORCEMENT, START)),
        flag("target_acquired", "Target acquired", "10, step 2", GUNS),
        mutual(flag("first_round", "First round of combat in the game", "2.3.1", GUNS, usual=True)),
        flag("crew_exhausted", "Crew exhausted (German BB, CA or CV)", "13.2", GUNS),
        flag("night", "Night", "9", AIR),
        flag("channel", "In The Channel", "9", AIR),
        choice("refuelling", "The target takes fuel", "9",
               (("none", "No"), ("at_sea", "At sea"), ("in_port", "In port")), AIR),
        number("zone", "Her movement zone, from her own edge", "10", (9, 1, LAST_ZONE), MOVE),
        choice("new_position", "She takes the position", "10, step 4",
               [(each, each.capitalize()) for each in (CLOSING, Position.OPENING, BREAKING_OFF)],
               MOVE),
        number("zones", "Movement zones she moves", "10, step 4", (0, 0, 4), MOVE),
        number("held_up", "Zones that a shift of the board has cost her", "10, step 4",
               (0, 0, LAST_ZONE), MOVE),
        number("enemy_zone", "The enemy's movement zone, from his own edge", "10",
               (9, 1, LAST_ZONE), MOVE),
        flag("enemy_moved", "The enemy has moved in this step", "10, step 4", MOVE),
        number("enemy_evasion", "Evasion of the fastest enemy", "10, step 5", (30, 0, 40),
               ABORT, MOVE),
        number("round", "Combat round", "10, step 6", (FIRST_REINFORCED_ROUND, 1, 99),
               REINFORCEMENT),
        *(
            flag(key, f"{classes} can be found", "11.1", FOUND)
            for key, classes in zip(_PRESENT, ("A BB, BC or CV", "A CL or CA", "A DD flotilla"),
                                    strict=True)
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shot(Answers):
    """One thing that is rolled for, with those who take part in it."""

    battery: Battery
    firer: Vessel | None
    """None where it comes from the air or from below."""
    target: Vessel | None

    @property
    def ship(self) -> Vessel:
        """Who does it; an error where the file names nobody."""
        return self._named(self.firer, "firer")

    @property
    def victim(self) -> Vessel:
        """Whom it is done to; an error where the file names nobody."""
        return self._named(self.target, "target")

    def _named(self, vessel: Vessel | None, role: str) -> Vessel:
        if vessel is None:
            raise BadField(self.said.place, f"{role}.name", "a ship with a card", "nothing")
        return vessel

    @property
    def zones_between(self) -> int:
        """The sea zones between the ships, or to the nearest enemy."""
        return self.said.number("fire.zones_between")

    @property
    def torpedoes(self) -> int:
        """The torpedo markers assigned."""
        return self.said.number("fire.torpedoes")


def read_shot(said: Said, tables: TableSet) -> Shot:
    """What a shot file describes, the ships as their cards in these tables have them."""
    battery = Battery(said.word("fire.battery"))
    return Shot(
        said,
        battery,
        read_vessel("firer", said, tables) if battery in OF_A_SHIP else None,
        read_vessel("target", said, tables) if battery in AT_A_TARGET else None,
    )


def classes_present(shot: Shot) -> tuple[str, ...]:
    """The classes of ships that a submarine may find; an error where there are none (11.1)."""
    found = tuple(name for key, name in zip(_PRESENT, FOUND_CLASSES, strict=True) if shot.flag(key))
    if not found:
        raise Forbidden("no ship is there to be found", "11.1")
    return found


def factors_bearing(shot: Shot, tables: TableSet) -> dict[str, int]:
    """The armament factors that position and range let fire, by part (10, step 2)."""
    reach = range_of(shot.zones_between, tables)
    return {
        part: shot.ship.left(part)
        for part in PARTS
        if tables["positions"].text(shot.ship.position, part) == "yes"
        and (part != "secondary" or tables["ranges"].text(reach, part) == "yes")
    }


def strength_of_shot(shot: Shot, tables: TableSet) -> Strength:
    """The dice to roll and every modifier in the order of the printed lists; or Forbidden."""
    _take_part(shot)
    count, table, rows, cells = 1, "hit_modifiers", _hit_rows(shot, tables), _cards(shot, tables)
    match shot.battery:
        case Battery.GUNS:
            count, table, rows = _gun_dice(shot, tables), "gun_modifiers", _gun_rows(shot, tables)
        case Battery.TORPEDOES:
            count = _torpedo_dice(shot, tables)
        case Battery.ABORT:
            table, rows = "abort_modifiers", _abort_rows(shot)
        case Battery.REINFORCEMENT if shot.number("round") < FIRST_REINFORCED_ROUND:
            reason = f"{shot.ship.name} may not enter before combat round {FIRST_REINFORCED_ROUND}"
            raise Forbidden(reason, "10, step 6")
        case Battery.FOUND:
            # A single class is found without a die.
            count, rows = int(len(classes_present(shot)) > 1), iter(())
        case Battery.REINFORCEMENT | Battery.CONTACT | Battery.START | Battery.MOVE:
            rows = iter(())
    lines = [line_of(tables[table], row, _label(table, row)) for row in rows]
    return strength_of(count, RULES[shot.battery], lines, cells, "Dice")


def _label(table: str, row: str) -> str:
    if table == "abort_modifiers":
        return f"Evasion {row} to the fastest enemy's"
    return f"{row[0].upper()}{row[1:]}"


def _take_part(shot: Shot) -> None:
    if shot.battery not in OF_A_SHIP:
        return
    if shot.ship.sunk():
        raise Forbidden(f"{shot.ship.name} is sunk", "2.4")
    for vessel in (shot.firer, shot.target):
        # Who has left may not come back as a reinforcement either.
        if vessel and vessel.marked.aborted:
            raise Forbidden(f"{vessel.name} has left this combat", "10, step 6")


def _gun_dice(shot: Shot, tables: TableSet) -> int:
    firer, reach = shot.ship, range_of(shot.zones_between, tables)
    if reach == "extreme" and firer.card["extreme"].value == "no":
        raise Forbidden(f"{firer.name} may not fire at extreme range", "10, step 2")
    factors = sum(factors_bearing(shot, tables).values())
    if not factors:
        raise Forbidden(
            f"{firer.name} has no armament that fires at {reach} range in {firer.position} "
            "position",
            "10, Position Table",
        )
    return math.ceil(factors * tables["ranges"].fraction(reach, "dice"))


def _torpedo_dice(shot: Shot, tables: TableSet) -> int:
    reach = range_of(shot.zones_between, tables)
    if tables["ranges"].text(reach, "torpedoes") == "no":
        raise Forbidden(f"torpedoes do not reach to {reach} range", "10, step 1")
    left, elsewhere = shot.ship.left("torpedoes"), shot.said.number("fire.torpedoes_elsewhere")
    if shot.torpedoes + elsewhere > MOST_TORPEDOES:
        reason = f"{shot.ship.name} assigns {MOST_TORPEDOES} torpedo markers at most in a round"
        raise Forbidden(reason, "10, step 1")
    if shot.torpedoes > left:
        reason = f"{shot.ship.name} has {left} torpedo markers, not {shot.torpedoes}"
        raise Forbidden(reason, "10, step 1")
    return shot.torpedoes


def _gun_rows(shot: Shot, tables: TableSet) -> Iterator[str]:
    firer, target = shot.ship, shot.victim
    if shot.flag("target_acquired") or target.name in firer.acquired:
        yield "target acquired"
    if firer.has_radar(shot.flag("first_round")):
        yield "radar"
    yield f"firer {firer.position}"
    yield f"target {target.position}"
    if firer.marked.fire_control:
        yield "fire control damaged"
    classes = f"{firer.ship_class} vs {target.ship_class}"
    if classes in tables["gun_modifiers"].rows:
        yield classes
    yield f"visibility {shot.number('visibility')}"
    if shot.flag("crew_exhausted"):
        yield "crew exhausted"


def _hit_rows(shot: Shot, tables: TableSet) -> Iterator[str]:
    target, level, in_combat = shot.victim, shot.number("visibility"), shot.battery is TORPEDOES
    # From the air a damaged rudder has a modifier of its own.
    evasion = target.agility() if in_combat else target.left("evasion")
    if evasion < _SLOW_BELOW and level != _BLIND_LEVEL:
        yield "evasion below 25"
    if shot.battery is SUBMARINE:
        yield "submarine"
    if shot.battery is AIR:
        refuelling = shot.word("refuelling")
        if shot.flag("channel"):
            yield "channel"
        if target.marked.rudder or refuelling == "at_sea":
            yield "rudder damaged or refuelling at sea"
        if refuelling == "in_port":
            yield "refuelling in port"
        if shot.flag("night"):
            yield "night"
    if in_combat:
        yield f"target {target.position}"
        if range_of(shot.zones_between, tables) == "medium":
            yield "torpedo at medium range"
    yield f"visibility {level}"


def _abort_rows(shot: Shot) -> Iterator[str]:
    """The row of the evasion differential; an attempt that is not allowed says why."""
    if shot.ship.position is not BREAKING_OFF:
        raise Forbidden(f"{shot.ship.name} is not in breaking-off position", "10, step 5")
    if shot.zones_between < FREE_ZONES_TO_ABORT:
        reason = f"the nearest enemy is less than {FREE_ZONES_TO_ABORT} free sea zones away"
        raise Forbidden(reason, "10, step 5")
    difference = min(max(shot.ship.agility() - shot.number("enemy_evasion"), -2), 2)
    yield next(row for row, value in DIFFERENCES.items() if value == difference)


def _cards(shot: Shot, tables: TableSet) -> list[Cell]:
    """The values of the ships' cards that decide a roll."""
    if shot.battery is GUNS:
        return [shot.ship.card[part] for part in (*factors_bearing(shot, tables), "radar")]
    if shot.target:
        return [shot.target.card["evasion"]]
    return [shot.ship.card["evasion"]] if shot.battery is ABORT else []
