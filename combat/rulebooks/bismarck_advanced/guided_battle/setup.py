"""How a battle of the Advanced Game begins: sides, ships and their places, weather (55)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field

from combat.guided_actions import MOST_SHIPS, BattleSetup, HiddenNumber, StoredPose
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import StartingRange
from combat.weather import StatedVisibility
from tabletop.schema import CONFIG, Flag, Line, Number, StoredAs, Yards
from tabletop.table import Base, SmokeFront

MOST_FRONTS: Final = 60
Name = Annotated[Line, Field(min_length=1, max_length=40)]
Size = Annotated[Number, Field(gt=0, le=20_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseDocument:
    """The base that a model stands on."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    length_yards: Size
    width_yards: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontDocument:
    """A smoke front from end to end."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    x1: Yards
    y1: Yards
    x2: Yards
    y2: Yards


def _read_base(document: BaseDocument) -> Base:
    return Base(document.length_yards, document.width_yards)


def _write_base(base: Base) -> dict[str, float]:
    return {"length_yards": base.length_yards, "width_yards": base.width_yards}


def _read_front(document: FrontDocument) -> SmokeFront:
    return SmokeFront(document.x1, document.y1, document.x2, document.y2)


def _write_front(front: SmokeFront) -> dict[str, float]:
    return {
        "x1": front.x1_yards,
        "y1": front.y1_yards,
        "x2": front.x2_yards,
        "y2": front.y2_yards,
    }


_OLD_KEYS: Final = {"helm": "rudder_faults"}
"""What version 0.1.0 called them."""


def _with_new_keys(document: object) -> object:
    if not isinstance(document, Mapping):
        return document
    return {_OLD_KEYS.get(key, key): value for key, value in document.items()}


StoredState = Annotated[ShipState, BeforeValidator(_with_new_keys)]
StoredBase = Annotated[Base, StoredAs(BaseDocument, _read_base, _write_base)]
StoredFront = Annotated[SmokeFront, StoredAs(FrontDocument, _read_front, _write_front)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupShip:
    """A ship that takes part."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    name: Name
    type: Annotated[Line, Field(min_length=1, max_length=80)] | None = None
    """The known ship that she is; the one of her name, where None."""
    side: Name
    pose: StoredPose
    base: StoredBase | None = None
    """As the rulebook has it, where None."""
    number: HiddenNumber | None = None
    """By which she is known while she is hidden (61.6)."""
    state: StoredState | None = None
    """The marks that she begins with, where she is not fresh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancedSetup(BattleSetup):
    """A battle of the Advanced Game before its first movement plot."""

    ships: Annotated[tuple[SetupShip, ...], Field(min_length=2, max_length=MOST_SHIPS)]
    visibility: StatedVisibility = 2
    night: Flag = False
    starting_range_yards: StartingRange | None = None
    options: Options = field(default_factory=Options)
    smoke: Annotated[tuple[StoredFront, ...], Field(max_length=MOST_FRONTS)] = ()
    """Fronts that lie on the table already."""
