"""The effects of hits: the terms of the tables, resolved into marks on a Ship Card."""

from dataclasses import dataclass, field
from typing import Final

from combat.dice import Dice
from combat.provenance import Provenance
from combat.tables import Cell, TableSet
from combat.ten_sided_dice import Throw, read_row
from tabletop.messages import Message

_NO_EFFECT: Final = Message("chase.damage.no_effect")
_SPECIAL: Final = Message("chase.roll.special")
_SUBTABLE: Final = Message("chase.roll.subtable")


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage of an attack, or of one die of it, to a Ship Card; damage adds up."""

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
    """The number of results that sink her outright."""

    def __add__(self, other: "Damage") -> "Damage":
        return Damage(*(getattr(self, part) + getattr(other, part) for part in Damage.__slots__))

    @property
    def message(self) -> Message:
        """The damage in words, part by part."""
        counts = {name: getattr(self, name) for name in Damage.__slots__ if name != "hits"}
        marks = tuple(_counted(name, count) for name, count in counts.items() if count)
        return Message("chase.damage.marks", marks=marks) if marks else _NO_EFFECT


NO_DAMAGE: Final = Damage()


@dataclass(slots=True)
class Resolver:
    """Resolves effects with dice and tables, and records every roll."""

    dice: Dice
    tables: TableSet
    evasion_left: int
    """The target's evasion before the next marker."""
    tanker: bool = False
    """Whether the target is a tanker, which any hit but a dud removes (9)."""
    throws: list[Throw] = field(default_factory=list)

    def gun(self, column: str, modifier: int, purpose: Message) -> Damage:
        """One die of gunfire on the Naval Combat Table (10, step 2)."""
        result = self._read(purpose, "10, step 2", "naval_combat", column, modifier)
        return NO_DAMAGE if result == "miss" else Damage(hits=1) + self.effect(result)

    def hits(self, modifier: int, purpose: Message) -> int:
        """One die on the Torpedo & Air Attack Hit Table (9)."""
        die = self.dice.ten_sided(purpose)
        cell = read_row(self.tables["hit_table"], "hits", die + modifier)
        # A natural 0 always hits, whatever its modifiers (9).
        hits = max(int(cell.value), int(die == 0))
        words = Message("chase.result.hits", n=hits)
        self._note(purpose, "9", die, words, cell, modifier=modifier)
        return hits

    def marker(self) -> Damage:
        """One damage marker from the cup, replaced by a die (9)."""
        purpose = Message("chase.roll.marker")
        die = self.dice.ten_sided(purpose)
        drawn = read_row(self.tables["damage_markers"], "marker", die)
        effect = self.tables["marker_effects"].cell(drawn.value, "effect")
        words = Message(f"chase.marker.{drawn.value}")
        self._note(purpose, "9", die, words, drawn, effect)
        if self.tanker and effect.value != "none":
            return Damage(hits=1, sunk=1)
        return Damage(hits=1) + self.effect(effect.value)

    def effect(self, terms: str) -> Damage:
        """Resolve the terms of a cell in their order."""
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
                return self.effect(self._read(_SPECIAL, "10, step 2", *table))
            case "subtable":
                table = "special_subtable", "effect"
                return self.effect(self._read(_SUBTABLE, "10, step 2", *table))
            case "fuel":
                purpose = Message("chase.roll.fuel")
                die = self.dice.ten_sided(purpose)
                lost = (die + 1) // 2
                self._note(purpose, "10, step 2", die, Message("chase.result.fuel", lost=lost))
                return Damage(fuel=lost)
            case "secondary_roll":
                purpose = Message("chase.roll.secondary")
                die = self.dice.ten_sided(purpose)
                cell = self.tables["thresholds"].cell("secondary hit", "most")
                hit = die <= int(cell.value)
                words = Message("chase.result.hit") if hit else Message("chase.result.not_hit")
                self._note(purpose, "9", die, words, cell)
                return Damage(secondary=int(hit))
        return Damage(**{name: count})

    def _chit(self) -> int:
        # A ship without movement draws no more of them (9; 10, step 2).
        if self.evasion_left <= 0:
            return 0
        purpose = Message("chase.roll.evasion")
        die = self.dice.ten_sided(purpose)
        cell = read_row(self.tables["evasion_chits"], "loss", die)
        loss = int(cell.value)
        self._note(purpose, "10, step 2", die, Message("chase.result.evasion", loss=loss), cell)
        self.evasion_left -= loss
        return loss

    def _read(self, purpose: Message, rule: str, table: str, column: str, modifier: int = 0) -> str:
        die = self.dice.ten_sided(purpose)
        cell = read_row(self.tables[table], column, die + modifier)
        self._note(purpose, rule, die, _terms(cell.value), cell, modifier=modifier)
        return cell.value

    def _note(
        self, purpose: Message, rule: str, die: int, words: Message, *cells: Cell, modifier: int = 0
    ) -> None:
        provenance = Provenance.worst(cell.provenance for cell in cells)
        self.throws.append(Throw(purpose, rule, die, modifier, "", provenance, words))


def _terms(cell: str) -> Message:
    """The terms of a table in words: "stern 1" for "stern:1"."""
    terms = []
    for term in cell.split("+"):
        name, _, count = term.partition(":")
        terms.append(_counted(name, int(count)) if count else Message(f"chase.damage.{name}"))
    return Message("chase.damage.marks", marks=tuple(terms))


def _counted(name: str, count: int) -> Message:
    return Message("chase.damage.counted", part=Message(f"chase.damage.{name}"), count=count)
