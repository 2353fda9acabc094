"""How a battle of Grand Fleets begins: ships, divisions, commanders, limits, the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field

from combat.guided_actions import BattleOptions, BattleSetup, StartingMarks, StoredPose
from combat.questions import OPTIONS
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.card_file import card_from, card_values
from combat.rulebooks.grand_fleets.table_files import Quality, Size
from combat.rulebooks.grand_fleets.terms import asked
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.schema import (
    CONFIG,
    CheckFailed,
    Flag,
    Line,
    Number,
    Schema,
    SideName,
    StoredAs,
    Whole,
)
from tabletop.table import Base

MOST_SHIPS: Final = 48
"""Twenty-four a side."""
Name = Annotated[Line, Field(min_length=1, max_length=40)]
Length = Annotated[Number, Field(gt=0, le=20_000)]
TableLength = Annotated[Number, Field(gt=0, le=400_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetMarks(StartingMarks):
    """Ships begin a battle unmarked: the book has no rule for one after another."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseDocument:
    """The base that a model stands on, and where its bridge is."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    length_yards: Length
    width_yards: Length
    bridge_offset_yards: Annotated[Number, Field(ge=-20_000, le=20_000)] = 0.0


def _read_base(document: BaseDocument) -> Base:
    return Base(document.length_yards, document.width_yards, document.bridge_offset_yards)


def _write_base(base: Base) -> dict[str, float]:
    return {
        "length_yards": base.length_yards,
        "width_yards": base.width_yards,
        "bridge_offset_yards": base.bridge_offset_yards,
    }


StoredBase = Annotated[Base, StoredAs(BaseDocument, _read_base, _write_base)]


def _read_card(values: dict[str, object]) -> Card:
    try:
        return card_from(values)
    except DreyerError:
        raise CheckFailed(Message("grand_fleets.expected.card")) from None


StoredCard = Annotated[Card, StoredAs(dict[str, object], _read_card, card_values)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetShip:
    """A ship that takes part."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    name: Name
    type: Annotated[Line, Field(min_length=1, max_length=80)] | None = None
    """Her card; the one of her name, where None."""
    side: Name
    pose: StoredPose
    """Where her model waits: she is placed in the first Movement Phase."""
    base: StoredBase | None = None
    """As her card or the rulebook has it, where None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetDivision:
    """Ships under one commander (Divisions)."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    name: Name
    side: Name
    flagship: Name
    ships: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MOST_SHIPS)]
    quality: Quality | None = None
    """Chosen; rolled for before the first turn where None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetOptions(BattleOptions):
    """The optional rules of a battle; the defaults are the usual game."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    extreme_range: Annotated[Flag, asked("Range, optional rule", OPTIONS)] = False
    split_fire: Annotated[Flag, asked("The Combat Phase, optional rule", OPTIONS)] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSetup(BattleSetup):
    """A battle of Grand Fleets before its first turn."""

    ships: Annotated[tuple[FleetShip, ...], Field(min_length=2, max_length=MOST_SHIPS)]
    divisions: Annotated[tuple[FleetDivision, ...], Field(min_length=2, max_length=MOST_SHIPS)]
    side_names: Annotated[Mapping[SideName, Name], Field(max_length=8)] = field(
        default_factory=dict
    )
    """What the players call the sides; by their keys where none is given."""
    battle_size: Size = "medium"
    year: Annotated[Whole, Field(ge=1850, le=1999)] | None = None
    checked: Flag = True
    """Whether fleets and divisions are held to the book's limits."""
    options: FleetOptions = field(default_factory=FleetOptions)
    width_yards: TableLength
    height_yards: TableLength
    cards: Annotated[tuple[StoredCard, ...], Field(max_length=MOST_SHIPS)] = ()
    """Cards that players had written when the battle began; they stay as they were."""


SETUP: Final[Schema[FleetSetup]] = Schema(FleetSetup, "setup")
MARKS: Final[Schema[StartingMarks]] = Schema(FleetMarks, "state")
OPTIONS_SCHEMA: Final[Schema[BattleOptions]] = Schema(FleetOptions, "options")


def with_sides(setup: FleetSetup) -> FleetSetup:
    """The set-up; without sides, they are those of the ships."""
    present = tuple(dict.fromkeys(ship.side for ship in setup.ships))
    return setup if setup.sides else replace(setup, sides=present)
