"""Ships carried over between two games that share them: their marks there, and their marks here.

A rulebook whose ships are also those of a simpler game implements `ConversionRules`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

import tomli_w

from combat.participants import Ship
from combat.provenance import Provenance
from combat.record_sheets import RecordSheet
from tabletop.errors import BadField
from tabletop.messages import NO_WORDS, Message
from tabletop.places import DocumentPlace, PlaceLike
from tabletop.schema import MISSING

Marks = TypeVar("Marks")
"""What is marked on a ship's sheet in the simpler game."""
State = TypeVar("State")
"""What is marked on her sheet here, as files state it."""


class GameLevel(StrEnum):
    """The two games that a conversion goes between."""

    ADVANCED = "advanced"
    BASIC = "basic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionLine:
    """One kind of mark, before and after."""

    part: str
    """What is converted, as a key: "midships", "bow"."""
    title: Message
    before: float
    """In the units of the game that it comes from."""
    after: float
    before_words: Message
    after_words: Message
    rule: str
    rounded: bool
    """Whether something was lost to rounding down."""
    remark: Message = NO_WORDS
    provenance: Provenance = Provenance.PRINTED

    @property
    def is_marked(self) -> bool:
        """Whether there was anything to convert."""
        return self.before > 0


@dataclass(frozen=True, slots=True)
class MarkKey:
    """A mark of the simpler game, as a form or a described file asks for it of one ship."""

    key: str
    title: Message
    rule: str
    most: int
    """1 where it is only there or not."""
    is_flag: bool = False
    value: str = ""
    """For one of several that a list may have: what stands in the list."""
    in_quarters: bool = False


@dataclass(frozen=True, slots=True)
class FileKey:
    """One key of a conversion file: where it stands, what it takes, what it is without it."""

    name: str
    """With its table in front: "ship.marks.bow_hits"."""
    takes: Message
    default: Message
    meaning: Message


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A row of the simpler game's sheet: its boxes and how many of them are marked."""

    key: str
    title: Message
    boxes: int
    """0 where it is a number and has no boxes."""
    marked: int
    words: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion(Generic[Marks, State]):
    """A ship carried over: her sheets in both games, and how one became the other."""

    ship: Ship
    to: GameLevel
    marks: Marks | None
    """Her marks in the simpler game; None where she has no sheet there."""
    state: State
    """Her marks here."""
    beside: State
    """The part of her marks here that has no counterpart there, and is kept beside them."""
    beside_words: tuple[Message, ...]
    """The same for players."""
    sunk: bool
    lines: tuple[ConversionLine, ...]
    sheet: RecordSheet
    boxes: tuple[BoxRow, ...]
    remark: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class HexRange:
    """A distance on a board of hexes, and the yards that it stands for."""

    hexes: int
    least_yards: int
    most_yards: int
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class FileShip(Generic[Marks, State]):
    """A ship of a conversion file."""

    ship: Ship
    place: DocumentPlace
    """Where she stands in the file, for what is wrong with her."""
    marks: Marks | None
    beside: State | None
    state: State | None


@dataclass(frozen=True, slots=True)
class ConversionFile(Generic[Marks, State]):
    """What a file asks to be converted."""

    to: GameLevel | None
    """None where the file does not say it and its ships do not tell."""
    ships: tuple[FileShip[Marks, State], ...]
    hexes: tuple[int, ...]
    yards: tuple[float, ...]


class ConversionRules(ABC, Generic[Marks, State]):
    """How a rulebook carries its ships over."""

    @abstractmethod
    def mark_keys(self, ship_type: str) -> tuple[MarkKey, ...]:
        """The marks that a ship can have in the simpler game; none if she has no sheet there."""

    @abstractmethod
    def beside_keys(self, ship_type: str) -> tuple[MarkKey, ...]:
        """The marks of this game that have no counterpart there, and can be kept beside."""

    @abstractmethod
    def read_marks(self, document: Mapping[str, object], ship: Ship, place: PlaceLike) -> Marks:
        """The marks that a form or a request states of a ship."""

    @abstractmethod
    def read_state(self, document: Mapping[str, object], place: PlaceLike) -> State:
        """Marks of this game as a document states them."""

    @abstractmethod
    def read_file(
        self, document: Mapping[str, object], source: str
    ) -> ConversionFile[Marks, State]:
        """A conversion file."""

    @abstractmethod
    def file_keys(self) -> tuple[FileKey, ...]:
        """The keys of a conversion file."""

    @abstractmethod
    def to_advanced(
        self, ship: Ship, marks: Marks, beside: State | None = None, place: PlaceLike = ""
    ) -> Conversion[Marks, State]:
        """A ship's sheet here from her marks in the simpler game."""

    @abstractmethod
    def to_basic(
        self, ship: Ship, state: State, *, sunk: bool = False, place: PlaceLike = ""
    ) -> Conversion[Marks, State]:
        """A ship's marks in the simpler game from her sheet here."""

    @abstractmethod
    def marks_document(self, marks: Marks) -> dict[str, object]:
        """Marks of the simpler game as a document, all of them."""

    @abstractmethod
    def state_document(self, state: State, *, whole: bool) -> dict[str, object]:
        """Marks of this game as a document: all of them, or only what is marked."""

    @abstractmethod
    def hexes_in_yards(self, hexes: int) -> HexRange:
        """The yards that so many hexes, at least one, stand for."""

    @abstractmethod
    def yards_in_hexes(self, range_yards: float) -> HexRange:
        """The hexes that a range is on the board."""


def convert_ship(
    rules: ConversionRules[Marks, State], each: FileShip[Marks, State], to: GameLevel
) -> Conversion[Marks, State]:
    """A ship of a file carried over; an error names her place in it."""
    advanced = to is GameLevel.ADVANCED
    wanted, other = (each.marks, each.state) if advanced else (each.state, each.marks)
    key = "marks" if advanced else "state"
    if wanted is None and other is not None:
        raise BadField(each.place, key, Message("schema.table", key=f"ship.{key}"), MISSING)
    place = each.place.table(key)
    if advanced:
        marks = each.marks or rules.read_marks({}, each.ship, place)
        return rules.to_advanced(each.ship, marks, each.beside, place)
    return rules.to_basic(each.ship, each.state or rules.read_state({}, place), place=place)


def starting_states(conversions: Iterable[Conversion[Marks, State]]) -> dict[str, State]:
    """What each ship begins a battle with, by her name; a ship that is sunk begins none."""
    return {each.ship.name: each.state for each in conversions if not each.sunk}


def conversion_toml(
    rules: ConversionRules[Marks, State],
    ruleset: str,
    conversions: Iterable[Conversion[Marks, State]],
) -> str:
    """The result as a conversion file, which goes the other way.

    Ships of this game stand in it as in a fight file. Ships without a sheet in the simpler game
    are left out of theirs.
    """
    ships: list[dict[str, object]] = []
    for each in conversions:
        entry: dict[str, object] = {
            "name": each.ship.name,
            "type": each.ship.type,
            "side": each.ship.side,
        }
        if each.to is GameLevel.ADVANCED:
            entry["state"] = rules.state_document(each.state, whole=False)
        elif each.marks is not None:
            entry["marks"] = rules.marks_document(each.marks)
            beside = rules.state_document(each.beside, whole=False)
            entry |= {"beside": beside} if beside else {}
        else:
            continue
        ships.append(entry)
    return tomli_w.dumps({"ruleset": ruleset, "ship": ships})
