"""What a hit does: the terms of the tables, played out die by die into marks on a Ship Card."""

import re
from dataclasses import dataclass, field
from typing import Final

from combat.dice import Dice
from combat.provenance import Provenance
from combat.tables import Cell, TableSet
from combat.ten_sided_dice import Throw, read_row


@dataclass(frozen=True, slots=True)
class Damage:
    """What an attack, or one die of it, does to a Ship Card; damage simply adds up."""

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
    """Results that sink her outright."""

    def __add__(self, other: "Damage") -> "Damage":
        return Damage(*(getattr(self, part) + getattr(other, part) for part in Damage.__slots__))

    def __str__(self) -> str:
        counts = {name: getattr(self, name) for name in Damage.__slots__ if name != "hits"}
        marks = [f"{name.replace('_', ' ')} {count}" for name, count in counts.items() if count]
        return ", ".join(marks) or "no effect"


NO_DAMAGE: Final = Damage()


@dataclass(slots=True)
class Resolver:
    """Plays effects with dice and tables, and keeps every throw."""

    dice: Dice
    tables: TableSet
    evasion_left: int
    """What the target has left before the next chit."""
    throws: list[Throw] = field(default_factory=list)

    def gun(self, column: str, modifier: int, purpose: str) -> Damage:
        """One die of gunfire on the Naval Combat Table (10, step 2)."""
        result = self._read(purpose, "10, step 2", "naval_combat", column, modifier)
        return NO_DAMAGE if result == "miss" else Damage(hits=1) + self.effect(result)

    def hits(self, modifier: int, purpose: str) -> int:
        """One die on the Torpedo & Air Attack Hit Table (9)."""
        die = self.dice.ten_sided(purpose)
        cell = read_row(self.tables["hit_table"], "hits", die + modifier)
        # A natural nought always hits, whatever is added to it (9).
        hits = max(int(cell.value), int(die == 0))
        self._note(purpose, "9", die, f"{hits} hit{'s' * (hits != 1)}", cell, modifier=modifier)
        return hits

    def marker(self) -> Damage:
        """One damage marker from the cup, which a die stands in for (9)."""
        die = self.dice.ten_sided("the damage marker")
        drawn = read_row(self.tables["damage_markers"], "marker", die)
        effect = self.tables["marker_effects"].cell(drawn.value, "effect")
        self._note("the damage marker", "9", die, drawn.value.replace("_", " "), drawn, effect)
        return Damage(hits=1) + self.effect(effect.value)

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
                table = "special_damage", "result"
                return self.effect(self._read("special damage", "10, step 2", *table))
            case "subtable":
                table = "special_subtable", "effect"
                return self.effect(self._read("the subtable", "10, step 2", *table))
            case "fuel":
                die = self.dice.ten_sided("the fuel lost")
                lost = (die + 1) // 2
                self._note("the fuel lost", "10, step 2", die, f"half of it, rounded up: {lost}")
                return Damage(fuel=lost)
            case "secondary_roll":
                die = self.dice.ten_sided("the secondary armament")
                cell = self.tables["thresholds"].cell("secondary hit", "most")
                hit = die <= int(cell.value)
                words = "hit" if hit else "not hit"
                self._note("the secondary armament", "9", die, words, cell)
                return Damage(secondary=int(hit))
        return Damage(**{name: count})

    def _chit(self) -> int:
        # A ship that lies still draws no more of them (9; 10, step 2).
        if self.evasion_left <= 0:
            return 0
        loss = int(self._read("the evasion marker", "10, step 2", "evasion_chits", "loss"))
        self.evasion_left -= loss
        return loss

    def _read(self, purpose: str, rule: str, table: str, column: str, modifier: int = 0) -> str:
        die = self.dice.ten_sided(purpose)
        cell = read_row(self.tables[table], column, die + modifier)
        # The terms of a table as people say them: "stern 1" for "stern:1".
        words = re.sub(r":(?=[0-9])", " ", cell.value).replace("+", ", ").replace("_", " ")
        self._note(purpose, rule, die, words, cell, modifier=modifier)
        return cell.value

    def _note(
        self, purpose: str, rule: str, die: int, result: str, *cells: Cell, modifier: int = 0
    ) -> None:
        provenance = Provenance.worst(cell.provenance for cell in cells)
        self.throws.append(Throw(purpose, rule, die, modifier, result, provenance))
