"""Conversion of ships between a rulebook's game and a simpler game with the same ships.

Such a rulebook implements `ConversionRules`. In this module "here" is the rulebook's own game and
"there" the simpler one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Generic, TypeVar

import tomli_w

from combat.participants import Ship
from combat.provenance import Provenance
from combat.record_sheets import RecordSheet
from tabletop.errors import BadField
from tabletop.messages import NO_WORDS, Message
from tabletop.places import DocumentPlace, PlaceLike
from tabletop.schema import MISSING

Marks = TypeVar("Marks")
"""A ship's marks in the simpler game."""
State = TypeVar("State")
"""A ship's marks here, as files write them."""


class GameLevel(StrEnum):
    """The two games that a conversion goes between."""

    ADVANCED = "advanced"
    BASIC = "basic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionLine:
    """One kind of mark, before and after."""

    part: str
    """The key of the part: "midships", "bow"."""
    title: Message
    before: float
    """In the units of the game that it comes from."""
    after: float
    before_words: Message
    after_words: Message
    rule: str
    rounded: bool
    """Whether it was rounded down."""
    remark: Message = NO_WORDS
    provenance: Provenance = Provenance.PRINTED

    @property
    def is_marked(self) -> bool:
        """Whether there was anything to convert."""
        return self.before > 0


@dataclass(frozen=True, slots=True)
class MarkKey:
    """A mark of the simpler game as a field of a form or file."""

    key: str
    title: Message
    rule: str
    most: int
    """The largest number; 1 for a flag."""
    is_flag: bool = False
    value: str = ""
    """The value in the list, if the mark is an item of a list."""
    in_quarters: bool = False


@dataclass(frozen=True, slots=True)
class FileKey:
    """The description of one key of a conversion file."""

    name: str
    """The key with its table: "ship.marks.bow_hits"."""
    takes: Message
    default: Message
    meaning: Message


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A row of boxes of the simpler game's sheet."""

    key: str
    title: Message
    boxes: int
    """0 if the row is a number without boxes."""
    marked: int
    words: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion(Generic[Marks, State]):
    """A converted ship: her marks in both games, and how they were converted."""

    ship: Ship
    to: GameLevel
    marks: Marks | None
    """Her marks in the simpler game; None if she has no sheet there."""
    state: State
    """Her marks here."""
    beside: State
    """Her marks here that have no counterpart there and are kept separately."""
    beside_words: tuple[Message, ...]
    """`beside` in words."""
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
    """Her place in the file, for messages."""
    marks: Marks | None
    beside: State | None
    state: State | None


@dataclass(frozen=True, slots=True)
class ConversionFile(Generic[Marks, State]):
    """The content of a conversion file."""

    to: GameLevel | None
    """None if it follows neither from the file's key nor from its ships."""
    ships: tuple[FileShip[Marks, State], ...]
    hexes: tuple[int, ...]
    yards: tuple[float, ...]


class ConversionRules(ABC, Generic[Marks, State]):
    """A rulebook's rules for converting its ships."""

    board: ClassVar[str] = ""
    """The rulebook of free play that plays the simpler game; empty if there is none.

    Its ships' state has the simpler game's marks under the same keys.
    """

    @abstractmethod
    def mark_keys(self, ship_type: str) -> tuple[MarkKey, ...]:
        """The marks that a ship can have in the simpler game; none if she has no sheet there."""

    @abstractmethod
    def beside_keys(self, ship_type: str) -> tuple[MarkKey, ...]:
        """The marks of this game that have no counterpart there."""

    @abstractmethod
    def read_marks(self, document: Mapping[str, object], ship: Ship, place: PlaceLike) -> Marks:
        """Parse a ship's marks from a form or a request."""

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
        """A ship's sheet here from her marks in the simpler game.

        `place` is the ship's own, for messages.
        """

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
        """The yards of a distance of at least one hex."""

    @abstractmethod
    def yards_in_hexes(self, range_yards: float) -> HexRange:
        """The distance in hexes of a range in yards."""


def convert_ship(
    rules: ConversionRules[Marks, State], each: FileShip[Marks, State], to: GameLevel
) -> Conversion[Marks, State]:
    """A ship of a file carried over; an error names her place in it."""
    advanced = to is GameLevel.ADVANCED
    wanted, other = (each.marks, each.state) if advanced else (each.state, each.marks)
    key = "marks" if advanced else "state"
    if wanted is None and other is not None:
        raise BadField(each.place, key, Message("schema.table", key=f"ship.{key}"), MISSING)
    place = each.place
    if advanced:
        marks = each.marks or rules.read_marks({}, each.ship, place.table(key))
        return rules.to_advanced(each.ship, marks, each.beside, place)
    state = each.state or rules.read_state({}, place.table(key))
    return rules.to_basic(each.ship, state, place=place)


def marks_in_state(
    rules: ConversionRules[Marks, State], ship: Ship, state: Mapping[str, object]
) -> dict[str, object]:
    """The simpler game's marks in a ship's state of the rulebook that plays it."""
    keys = rules.marks_document(rules.read_marks({}, ship, ""))
    return {key: value for key, value in state.items() if key in keys and value}


def board_toml(
    rules: ConversionRules[Marks, State], conversions: Iterable[Conversion[Marks, State]]
) -> str:
    """The result as a fight file of the rulebook that plays the simpler game."""
    ships: list[dict[str, object]] = []
    for each in conversions:
        if each.marks is None:
            continue
        marked = {key: value for key, value in rules.marks_document(each.marks).items() if value}
        entry: dict[str, object] = {
            "name": each.ship.name,
            "type": each.ship.type,
            "side": each.ship.side,
        }
        ships.append({**entry, "state": marked} if marked else entry)
    return tomli_w.dumps({"ruleset": rules.board, "ship": ships})


def starting_states(conversions: Iterable[Conversion[Marks, State]]) -> dict[str, State]:
    """The converted marks by ship's name, without ships that are sunk."""
    return {each.ship.name: each.state for each in conversions if not each.sunk}


def conversion_toml(
    rules: ConversionRules[Marks, State],
    ruleset: str,
    conversions: Iterable[Conversion[Marks, State]],
) -> str:
    """The result as a conversion file, from which it can be converted back.

    Ships of this game are written as in a fight file. A file of the simpler game leaves out ships
    without a sheet there.
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
