"""One attack: the ships with their cards and marks, what may fire, and every modifier."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from combat.modifiers import Ledger
from combat.provenance import Provenance
from combat.rulesets.chase_of_the_bismarck.damage import NO_DAMAGE, Damage, modifier
from combat.rulesets.chase_of_the_bismarck.tabledata import PARTS
from combat.ships import ShipClass
from combat.tables import Cell, TableSet
from tabletop.errors import DreyerError

MOST_TORPEDOES = 3
"""How many torpedo markers a ship may assign in a combat round (10, step 1)."""
_SLOW_BELOW = 25
_BLIND_LEVEL = 9


class Forbidden(DreyerError):
    """An attack that the rules do not allow, with the rule that says so."""

    def __init__(self, reason: str, rule: str, source: str = "") -> None:
        self.reason = reason
        self.rule = rule
        super().__init__(f"{source}: {reason} ({rule})" if source else f"{reason} ({rule})")


class Weapon(StrEnum):
    """What attacks: a ship with guns or torpedoes, or somebody else altogether."""

    GUNS = "guns"
    TORPEDOES = "torpedoes"
    AIR = "air"
    SUBMARINE = "submarine"

    @property
    def of_a_ship(self) -> bool:
        """Whether a ship on the Battle Board attacks with it."""
        return self in (Weapon.GUNS, Weapon.TORPEDOES)


class Position(StrEnum):
    """How a ship lies to the enemy (10)."""

    CLOSING = "closing"
    OPENING = "opening"
    BREAKING_OFF = "breaking-off"


class Refuelling(StrEnum):
    """Whether a ship under air attack is taking fuel, and where (9)."""

    NONE = "none"
    AT_SEA = "at_sea"
    IN_PORT = "in_port"


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship in combat: her card, what is marked on it, and her position."""

    name: str
    ship_class: ShipClass
    card: Mapping[str, Cell]
    marked: Damage = NO_DAMAGE
    position: Position = Position.OPENING

    def printed(self, part: str) -> int:
        """What her card says of a part, before any damage."""
        return int(self.card[part].value)

    def left(self, part: str, more: Damage = NO_DAMAGE) -> int:
        """What is left of a part, after some more damage; never less than nothing."""
        return max(0, self._balance(part, self.marked + more))

    def _balance(self, part: str, marks: Damage) -> int:
        balance = self.printed(part) - int(getattr(marks, part))
        if part == "hull":
            # Hits that find no primary factor left go to the hull, one for one; secondary
            # hits never do (9; 10, step 2).
            return balance + sum(min(0, self._balance(end, marks)) for end in ("bow", "stern"))
        return balance

    def sunk(self, more: Damage = NO_DAMAGE) -> bool:
        """Whether she sinks: a hull brought down to nothing (2.4), or outright."""
        return bool((self.marked + more).sunk) or not self.left("hull", more)

    def has_radar(self, first_round: bool) -> bool:
        """Whether her radar helps; II* fails after the first round of combat (2.3.1)."""
        symbol = self.card["radar"].value
        works = symbol in ("I", "II") or (symbol == "II*" and first_round)
        return works and not self.marked.radar


@dataclass(frozen=True, slots=True)
class Conditions:
    """What holds for an attack besides the ships."""

    visibility: int = 4
    target_acquired: bool = False
    first_round: bool = True
    crew_exhausted: bool = False
    night: bool = False
    channel: bool = False
    refuelling: Refuelling = Refuelling.NONE


@dataclass(frozen=True, slots=True)
class Shot:
    """One attack on one ship."""

    weapon: Weapon
    firer: Vessel | None
    """None where the attack comes from the air or from below."""
    target: Vessel
    range: str
    """short, medium, long or extreme."""
    torpedoes: int
    torpedoes_left: int
    conditions: Conditions


def factors_bearing(shot: Shot, tables: TableSet) -> dict[str, int]:
    """The armament factors that position and range let fire, by part (10, step 2)."""
    if shot.firer is None:
        return {}
    position = shot.firer.position
    return {
        part: shot.firer.left(part)
        for part in PARTS
        if tables["positions"].text(position, part) == "yes"
        and (part != "secondary" or tables["ranges"].text(shot.range, part) == "yes")
    }


def dice_of(shot: Shot, tables: TableSet) -> int:
    """How many dice are rolled; a forbidden attack is an error with its rule."""
    firer = shot.firer
    if firer is None:
        return 1
    if shot.weapon is Weapon.TORPEDOES:
        if tables["ranges"].text(shot.range, "torpedoes") == "no":
            raise Forbidden(f"torpedoes do not reach to {shot.range} range", "10, step 1")
        if shot.torpedoes > shot.torpedoes_left:
            reason = f"{firer.name} has {shot.torpedoes_left} torpedo markers, not {shot.torpedoes}"
            raise Forbidden(reason, "10, step 1")
        return shot.torpedoes
    if shot.range == "extreme" and firer.card["extreme"].value == "no":
        raise Forbidden(f"{firer.name} may not fire at extreme range", "10, step 2")
    factors = sum(factors_bearing(shot, tables).values())
    if not factors:
        raise Forbidden(
            f"{firer.name} has no armament that fires at {shot.range} range in "
            f"{firer.position} position",
            "10, Position Table",
        )
    return math.ceil(factors * tables["ranges"].fraction(shot.range, "dice"))


def ledger_of(shot: Shot, tables: TableSet) -> Ledger:
    """Every modifier that applies, in the order of the printed lists."""
    table, rows = (
        ("gun_modifiers", _gun_rows(shot, tables))
        if shot.weapon is Weapon.GUNS
        else ("hit_modifiers", _hit_rows(shot))
    )
    return Ledger(tuple(modifier(tables, table, row) for row in rows))


def _gun_rows(shot: Shot, tables: TableSet) -> Iterator[str]:
    firer, target, conditions = shot.firer, shot.target, shot.conditions
    if firer is None:
        return
    if conditions.target_acquired:
        yield "target acquired"
    if firer.has_radar(conditions.first_round):
        yield "radar"
    yield f"firer {firer.position}"
    yield f"target {target.position}"
    if firer.marked.fire_control:
        yield "fire control damaged"
    classes = f"{firer.ship_class} vs {target.ship_class}"
    if classes in tables["gun_modifiers"].rows:
        yield classes
    yield f"visibility {conditions.visibility}"
    if conditions.crew_exhausted:
        yield "crew exhausted"


def _hit_rows(shot: Shot) -> Iterator[str]:
    target, conditions = shot.target, shot.conditions
    in_combat = shot.weapon is Weapon.TORPEDOES
    # A damaged rudder leaves no evasion in tactical combat (10, step 4); from the air it has a
    # modifier of its own.
    lying_still = in_combat and target.marked.rudder
    slow = lying_still or target.left("evasion") < _SLOW_BELOW
    if slow and conditions.visibility != _BLIND_LEVEL:
        yield "evasion below 25"
    if shot.weapon is Weapon.SUBMARINE:
        yield "submarine"
    if shot.weapon is Weapon.AIR:
        if conditions.channel:
            yield "channel"
        if target.marked.rudder or conditions.refuelling is Refuelling.AT_SEA:
            yield "rudder damaged or refuelling at sea"
        if conditions.refuelling is Refuelling.IN_PORT:
            yield "refuelling in port"
        if conditions.night:
            yield "night"
    if in_combat:
        yield f"target {target.position}"
        if shot.range == "medium":
            yield "torpedo at medium range"
    yield f"visibility {conditions.visibility}"


def cards_behind(shot: Shot, tables: TableSet) -> Provenance:
    """How far the values of the ships' cards that decide an attack can be trusted."""
    if shot.firer is None or shot.weapon is Weapon.TORPEDOES:
        decisive = [shot.target.card["evasion"]]
    else:
        parts = (*factors_bearing(shot, tables), "radar")
        decisive = [shot.firer.card[part] for part in parts]
    return Provenance.worst(cell.provenance for cell in decisive)
