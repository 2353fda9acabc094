"""A ship in combat: her card, the marks on it, and how she lies to the enemy."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from combat.rulesets.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulesets.chase_of_the_bismarck.tabledata import load_ships
from combat.ships import ShipClass
from combat.shot_layout import Said
from combat.tables import Cell, TableSet
from tabletop.errors import BadField

BOXES: Final = ("hull", "bow", "stern", "secondary", "evasion")
BROKEN: Final = ("fire_control", "radar", "rudder")
COUNTED: Final = {
    **{part: f"{part}_lost" for part in (*BOXES, "fuel")},
    "torpedoes": "torpedoes_used",
}
"""The marks that are counted, and their keys in a shot file."""
FLAGS: Final = {**{part: f"{part}_damaged" for part in BROKEN}, "aborted": "aborted"}
MOST_MARKS: Final = 99
ACQUIRED: Final = "acquired"
"""The mark of whom she has acquired as a target, by name (10, step 2)."""


class Position(StrEnum):
    """How a ship lies to the enemy (10)."""

    OPENING = "opening"
    CLOSING = "closing"
    BREAKING_OFF = "breaking-off"


_OPENING, CLOSING, BREAKING_OFF = Position


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship in combat."""

    name: str
    ship_type: str
    ship_class: ShipClass
    card: Mapping[str, Cell]
    marked: Damage = NO_DAMAGE
    position: Position = Position.OPENING
    acquired: frozenset[str] = frozenset()
    """Whom she has acquired as a target."""

    def printed(self, part: str) -> int:
        """What her card says of a part, before any damage."""
        return int(self.card[part].value)

    def left(self, part: str, more: Damage = NO_DAMAGE) -> int:
        """What is left of a part, after some more damage; never less than nothing."""
        marks = self.marked + more
        if part == "hull" and marks.sunk:
            return 0
        return max(0, self._balance(part, marks))

    def _balance(self, part: str, marks: Damage) -> int:
        balance = self.printed(part) - int(getattr(marks, part))
        if part == "hull":
            # Hits that find no primary factor left go to the hull, one for one; secondary
            # hits never do (9; 10, step 2).
            return balance + sum(min(0, self._balance(end, marks)) for end in ("bow", "stern"))
        return balance

    def sunk(self, more: Damage = NO_DAMAGE) -> bool:
        """Whether she sinks: a hull brought down to nothing (2.4), or outright."""
        return not self.left("hull", more)

    def agility(self, more: Damage = NO_DAMAGE) -> int:
        """Her evasion in tactical combat, where a damaged rudder leaves none (10, step 4)."""
        return 0 if (self.marked + more).rudder else self.left("evasion", more)

    def state(self, more: Damage = NO_DAMAGE) -> dict[str, object]:
        """Her marks after some more, with the keys of a shot file; none beyond what she has."""
        marks = self.marked + more
        counts = {
            key: self.printed(part) - self.left(part, more)
            if part in self.card
            else int(getattr(marks, part))
            for part, key in COUNTED.items()
        }
        flags = {key: bool(getattr(marks, part)) for part, key in FLAGS.items()}
        return counts | flags | {ACQUIRED: dict.fromkeys(sorted(self.acquired), 1)}

    def has_radar(self, first_round: bool) -> bool:
        """Whether her radar helps; II* fails after the first round of combat (2.3.1)."""
        symbol = self.card["radar"].value
        works = symbol in ("I", "II") or (symbol == "II*" and first_round)
        return works and not self.marked.radar


def vessel_of(
    name: str, ship_type: str, state: Mapping[str, object], tables: TableSet, place: str
) -> Vessel:
    """A ship of a known type with some marks; more of them than she has is an error."""
    ship = load_ships().named(ship_type, place)
    cards = tables["ship_cards"]
    card = {column: cards.cell(ship.name, column) for column in cards.columns}
    marks: dict[str, int] = {}
    for part, key in (COUNTED | FLAGS).items():
        most = int(card[part].value) if part in COUNTED and part in card else MOST_MARKS
        value = state.get(key, 0)
        if not isinstance(value, int) or not 0 <= value <= most:
            raise BadField(place, key, f"a whole number from 0 to {most}", repr(value))
        marks[part] = int(value)
    seen = state.get(ACQUIRED) or {}
    if not isinstance(seen, Mapping):
        raise BadField(place, ACQUIRED, "a table of targets by name", repr(seen))
    acquired = frozenset(target for target, count in seen.items() if count)
    return Vessel(
        name or ship.name, ship.name, ship.ship_class, card, Damage(**marks), acquired=acquired
    )


def read_vessel(role: str, said: Said, tables: TableSet) -> Vessel | None:
    """The firer or the target of a shot file; None where it names none."""
    kind = said.word(f"{role}.type")
    if not kind:
        return None
    keys = (*(COUNTED | FLAGS).values(), ACQUIRED)
    state = {key: said.values[f"{role}.state.{key}"] for key in keys}
    vessel = vessel_of(said.word(f"{role}.name"), kind, state, tables, f"{said.place}, {role}")
    return replace(vessel, position=Position(said.word(f"{role}.position")))
