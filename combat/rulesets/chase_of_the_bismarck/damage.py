"""What a hit does: the terms of the tables, played out die by die into marks on a Ship Card."""

from dataclasses import dataclass, field
from typing import Final

from combat.dice import Dice
from combat.modifiers import Modifier
from combat.provenance import Provenance
from combat.rulesets.chase_of_the_bismarck.tabledata import DIE
from combat.tables import TableSet


@dataclass(frozen=True, slots=True)
class Damage:
    """Marks on a Ship Card: those of one hit, or all there are; they simply add up."""

    hits: int = 0
    hull: int = 0
    bow: int = 0
    stern: int = 0
    secondary: int = 0
    evasion: int = 0
    fuel: int = 0
    fire_control: int = 0
    radar: int = 0
    rudder: int = 0
    sunk: int = 0

    def __add__(self, other: "Damage") -> "Damage":
        return Damage(*(getattr(self, part) + getattr(other, part) for part in Damage.__slots__))

    def __str__(self) -> str:
        counts = {name: getattr(self, name) for name in Damage.__slots__ if name != "hits"}
        marks = [f"{name.replace('_', ' ')} {count}" for name, count in counts.items() if count]
        return ", ".join(marks) or "no effect"


NO_DAMAGE: Final = Damage()


@dataclass(frozen=True, slots=True)
class Throw:
    """One die, what it was for, and what it led to."""

    purpose: str
    die: int
    result: str


def ten_sided(dice: Dice, purpose: str) -> int:
    """Roll a ten-sided die: one of ten things, counted from 0, as 2.8 reads it."""
    return dice.choice(len(DIE), purpose).index


def row_of(result: int) -> str:
    """The row of a modified result; past either end of a table it is the last one there."""
    return DIE[min(max(result, 0), len(DIE) - 1)]


@dataclass(slots=True)
class Resolver:
    """Plays effects with dice and tables, and keeps every throw and what the result rests on."""

    dice: Dice
    tables: TableSet
    evasion_left: int
    """What the target has left before the next chit."""
    throws: list[Throw] = field(default_factory=list)
    provenances: list[Provenance] = field(default_factory=list)

    def read(self, table: str, row: str, column: str) -> str:
        """The value of a cell, whose provenance the result then rests on."""
        cell = self.tables[table].cell(row, column)
        self.provenances.append(cell.provenance)
        return cell.value

    def gun(self, column: str, modifier: int, purpose: str) -> Damage:
        """One die of gunfire on the Naval Combat Table (10, step 2)."""
        die = ten_sided(self.dice, purpose)
        result = self.read("naval_combat", row_of(die + modifier), column)
        self.throws.append(Throw(purpose, die, f"{die + modifier}: {result}"))
        return NO_DAMAGE if result == "miss" else Damage(hits=1) + self.effect(result)

    def hits(self, modifier: int, purpose: str) -> int:
        """One die on the Torpedo & Air Attack Hit Table (9)."""
        die = ten_sided(self.dice, purpose)
        # A natural nought always hits, whatever is added to it (9).
        hits = max(int(self.read("hit_table", row_of(die + modifier), "hits")), int(die == 0))
        self.throws.append(Throw(purpose, die, f"{die + modifier}: {hits} hit{'s' * (hits != 1)}"))
        return hits

    def marker(self) -> Damage:
        """One damage marker from the cup, which a die stands in for (9)."""
        marker = self._thrown("damage_markers", "marker", "the damage marker")
        return Damage(hits=1) + self.effect(self.read("marker_effects", marker, "effect"))

    def effect(self, terms: str) -> Damage:
        """What the terms of a cell do, in the order in which they stand."""
        total = NO_DAMAGE
        for term in terms.split("+"):
            name, _, count = term.partition(":")
            total += self._one(name, int(count or 1))
        return total

    def _one(self, name: str, count: int) -> Damage:
        match name:
            case "none":
                return NO_DAMAGE
            case "evasion":
                return Damage(evasion=sum(self._chit() for _ in range(count)))
            case "special":
                return self.effect(self._thrown("special_damage", "result", "special damage"))
            case "subtable":
                return self.effect(self._thrown("special_subtable", "effect", "the subtable"))
            case "fuel":
                die = self._noted("the fuel lost", "halved, rounded up")
                return Damage(fuel=(die + 1) // 2)
            case "secondary_roll":
                die = self._noted("the secondary armament", "hit on a low die")
                most = int(self.read("thresholds", "secondary hit", "most"))
                return Damage(secondary=int(die <= most))
        return Damage(**{name: count})

    def _chit(self) -> int:
        # A ship that lies still draws no more of them (9; 10, step 2).
        if self.evasion_left <= 0:
            return 0
        loss = int(self._thrown("evasion_chits", "loss", "the evasion marker"))
        self.evasion_left -= loss
        return loss

    def _thrown(self, table: str, column: str, purpose: str) -> str:
        die = ten_sided(self.dice, purpose)
        result = self.read(table, DIE[die], column)
        self.throws.append(Throw(purpose, die, result))
        return result

    def _noted(self, purpose: str, result: str) -> int:
        die = ten_sided(self.dice, purpose)
        self.throws.append(Throw(purpose, die, result))
        return die


def modifier(tables: TableSet, table: str, row: str) -> Modifier:
    """The line of a ledger that a row of a table of modifiers makes."""
    cell = tables[table].cell(row, "value")
    label = f"{row[0].upper()}{row[1:]}"
    return Modifier(row, int(cell.value), label, cell.reference, cell.provenance)
