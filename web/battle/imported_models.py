"""What the entries of an imported battle must look like, kind by kind.

A file may come from anywhere. What it says is read as strictly as a request: numbers are finite
and within the table, texts are short and can be seen, and nothing unknown is in it.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from combat.guided_play import EventKind
from combat.sides import FEWEST_SIDES, MOST_SIDES
from tabletop.messages import Message
from web.api.models import DeclaredSide, SideKey, SideName
from web.api.reading import Line, Model
from web.journal.entries import Kind
from web.table.pieces import Origin, Premeasure

_Loose = Field(strict=False)
_LONGEST_MESSAGE: Final = 2_000
Name = Annotated[Line, Field(min_length=1, max_length=40)]
Words = Annotated[Line, Field(max_length=300)]
Yards = Annotated[float, Field(ge=-1_000_000, le=1_000_000)]
Length = Annotated[float, Field(gt=0, le=20_000)]
Degrees = Annotated[float, Field(ge=-360, le=720)]
Sigma = Annotated[float, Field(ge=0, le=100_000)]
Number = Annotated[int, Field(ge=0, le=2**53)]
Sides = Annotated[list[DeclaredSide], Field(min_length=FEWEST_SIDES, max_length=MOST_SIDES)]


class Pose(Model):
    """A place and a heading."""

    x: Yards
    y: Yards
    heading: Degrees
    sigma_yards: Sigma = 0.0
    heading_sigma_deg: Sigma = 0.0


class Piece(Model):
    """A ship of the table."""

    name: Name
    type: Name | None = None
    side: SideKey
    size: Name | None = None
    length_yards: Length
    width_yards: Length
    bridge_yards: Annotated[float, Field(ge=-20_000, le=20_000)] = 0.0
    pose: Pose | None = None


class Plan(Model):
    """How the battle was meant to begin."""

    scenario: Words | None = None
    visibility: Annotated[int, Field(ge=1, le=8)] | None = None
    night: bool | None = None
    starting_range_yards: Annotated[float, Field(gt=0, le=100_000)] | None = None
    hidden: bool | None = None
    states: dict[Name, dict[str, Any]] | None = None


class TableOpened(Model):
    """A table that was laid."""

    title: Annotated[Line, Field(max_length=40)]
    ruleset: Name
    yards_per_inch: Annotated[float, Field(ge=1, le=100_000)]
    width_yards: Annotated[float, Field(gt=0, le=40_000_000)]
    height_yards: Annotated[float, Field(gt=0, le=40_000_000)]
    ships: Annotated[list[Piece], Field(max_length=200)]
    smoke: Annotated[
        list[Annotated[list[Yards], Field(min_length=4, max_length=4)]], Field(max_length=200)
    ]
    premeasure: Annotated[Premeasure, _Loose] = Premeasure.OPEN
    plan: Plan | None = None
    sides: Sides | None = None


class SidesSet(Model):
    """The sides of the table from then on."""

    sides: Sides


class ShipName(Model):
    """A ship by name."""

    name: Name


class ShipSided(ShipName):
    """A ship on another side."""

    side: SideKey
    side_name: SideName | None = None


class Placed(Pose):
    """Where a ship was put."""

    name: Name


class ShipsPlaced(Model):
    """Ships that were put somewhere."""

    ships: Annotated[list[Placed], Field(min_length=1, max_length=200)]
    origin: Annotated[Origin, _Loose]
    reason: Words = ""


class SmokeLaid(Model):
    """A front."""

    id: Number
    x1: Yards
    y1: Yards
    x2: Yards
    y2: Yards


class SmokeCleared(Model):
    """A front that is gone."""

    id: Number


class Couple(Model):
    """Two ships."""

    firer: Name
    target: Name


class Declared(Couple):
    """Two ships where they stood."""

    firer_pose: Pose
    target_pose: Pose


class Decided(Declared):
    """A close call."""

    what: Words
    limit: float | Words
    reading: Words


class Reopened(Couple):
    """A close call that is open again."""

    what: Words


class Ruled(Declared):
    """Figures by hand."""

    range_yards: Annotated[float, Field(ge=0, le=1_000_000)] | None
    quadrant: Words | None
    aspect: Words | None
    blocked: bool | None
    smoke: bool | None
    reason: Words


class PremeasureSet(Model):
    """The house rule."""

    mode: Annotated[Premeasure, _Loose]


class SetUp(Model):
    """What the dice said of the beginning."""

    words: Words


class TableSized(Model):
    """Another size or scale of the table."""

    yards_per_inch: Annotated[float, Field(ge=1, le=100_000)]
    width_yards: Annotated[float, Field(gt=0, le=40_000_000)]
    height_yards: Annotated[float, Field(gt=0, le=40_000_000)]


class BattleBegun(Model):
    """A beginning; what is in its setup is the rulebook's to check."""

    setup: dict[str, Any]
    owner_values: Annotated[str, Field(max_length=1_000_000)] = ""
    edition: Annotated[int, Field(ge=1, le=1_000)] = 1


def _short(stored: object) -> object:
    """A message as it is stored, if it is no longer than any of ours."""
    try:
        length = len(json.dumps(stored))
    except RecursionError:
        length = _LONGEST_MESSAGE + 1
    if length > _LONGEST_MESSAGE:
        raise ValueError("expected a message of at most 2,000 characters")
    return stored


class Roll(Model):
    """Dice that fell."""

    value: Annotated[str, Field(pattern=r"^(?:[0-9]|[1-6]{2})$")]
    purpose: Annotated[Message, BeforeValidator(_short)]
    side: Name | None
    by_server: bool
    again: bool = False


_Rolls = Annotated[list[Roll], Field(max_length=5_000)]
_Events = Annotated[list[dict[str, Any]], Field(max_length=10_000)]
_Place = Annotated[str, Field(pattern=r"^\d{1,6}\.\d{1,6}$")]


class Battle(Model):
    """One action of a battle; what is in it and in its events is the rulebook's to check."""

    action: dict[str, Any]
    rolls: _Rolls
    events: _Events
    place: _Place


class OldBattle(Model):
    """One action of a battle as version 0.1.0 kept it."""

    kind: Annotated[EventKind, _Loose]
    side: Name | None
    data: dict[str, Any]
    phase: Annotated[str, Field(pattern=r"^(?:\d{1,6}\.\d{1,6})?$")] = ""
    events: _Events = Field(default_factory=list)


class UndoAsked(Model):
    """A request to go back."""

    after: Number
    side: Name | None
    words: Words


class UndoAgreed(Model):
    """A side that agrees to go back."""

    side: SideKey


class Nothing(Model):
    """No facts."""


class TakenBack(Model):
    """Rolls that an undo took back."""

    place: _Place
    rolls: _Rolls


class Undone(Model):
    """Steps that were taken back, and their dice."""

    events: Annotated[list[Number], Field(max_length=100_000)]
    taken_back: Annotated[list[TakenBack], Field(max_length=10_000)]


class OldUndone(Model):
    """Steps that version 0.1.0 took back, and the figures of their dice."""

    events: Annotated[list[Number], Field(max_length=100_000)]
    tape: dict[
        Annotated[Line, Field(max_length=20)],
        Annotated[str, Field(max_length=20_000, pattern=r"^[1-6]*$")],
    ]


class OfARuleset(Model):
    """Which battle in free play is meant."""

    ruleset: Name


class FreeBegun(OfARuleset):
    """A battle in free play that began."""

    edition: Annotated[int, Field(ge=1, le=10_000)]
    owner_values: Annotated[str, Field(max_length=1_000_000)]


class FreeStep(Model):
    """One action; what is in it and in its events is the rulebook's to check."""

    action: dict[str, Any]
    rolls: Annotated[list[Roll], Field(max_length=2_000)]
    events: Annotated[list[dict[str, Any]], Field(max_length=5_000)]
    marks: Annotated[dict[Words, dict[str, Any]], Field(default_factory=dict)]


class FreePlayed(OfARuleset):
    """Actions that were played together."""

    edition: Annotated[int, Field(ge=1, le=10_000)] = 1
    steps: Annotated[list[FreeStep], Field(min_length=1, max_length=20)]


class FreeUndone(OfARuleset):
    """Actions that were taken back."""

    to: Number


class FreeEnded(OfARuleset):
    """Clean sheets."""

    title: Words


class OldAttack(OfARuleset):
    """An attack that version 0.1.0 rolled on its calculator; its file is read when it is played."""

    round: Number
    simultaneous: bool
    when_marked: bool
    tables: Words
    dice: Annotated[list[Annotated[str, Field(pattern=r"^[0-9]{1,2}$")]], Field(max_length=2_000)]
    how: Words
    firer: Words
    firer_type: Words
    target: Words
    target_type: Words
    battery: Words
    said: dict[Words, Words]
    file: Annotated[str, Field(max_length=20_000)]
    document: dict[str, Any]
    story: Annotated[list[Annotated[tuple[str, str, int], _Loose]], Field(max_length=10_000)]
    after: dict[Literal["firer", "target"], dict[str, Any]]
    words: Annotated[Line, Field(max_length=1_000)]
    outcome: Annotated[Line, Field(max_length=1_000)]


class OldUndo(Model):
    """An attack of version 0.1.0 that was taken back."""

    n: Number
    words: Annotated[Line, Field(max_length=1_000)]


class OldRound(OfARuleset):
    """A round of version 0.1.0's calculator."""

    round: Number


MODELS: Final[Mapping[Kind, type[Model]]] = {
    Kind.TABLE_OPENED: TableOpened,
    Kind.TABLE_SIZED: TableSized,
    Kind.SIDES_SET: SidesSet,
    Kind.SHIP_ADDED: Piece,
    Kind.SHIP_REMOVED: ShipName,
    Kind.SHIP_SIDED: ShipSided,
    Kind.SHIPS_PLACED: ShipsPlaced,
    Kind.SHIP_FOLLOWS: ShipName,
    Kind.SHIP_LIFTED: ShipName,
    Kind.SMOKE_LAID: SmokeLaid,
    Kind.SMOKE_CLEARED: SmokeCleared,
    Kind.DECIDED: Decided,
    Kind.REOPENED: Reopened,
    Kind.RULED: Ruled,
    Kind.UNRULED: Couple,
    Kind.DECLARED: Declared,
    Kind.PREMEASURE: PremeasureSet,
    Kind.SET_UP: SetUp,
    Kind.BATTLE_BEGUN: BattleBegun,
    Kind.BATTLE: Battle,
    Kind.UNDO_ASKED: UndoAsked,
    Kind.UNDO_AGREED: UndoAgreed,
    Kind.UNDO_REFUSED: Nothing,
    Kind.UNDONE: Undone,
    Kind.FREE_BEGUN: FreeBegun,
    Kind.FREE_PLAYED: FreePlayed,
    Kind.FREE_UNDONE: FreeUndone,
    Kind.FREE_ENDED: FreeEnded,
    Kind.ATTACK_MADE: OldAttack,
    Kind.ATTACK_UNDONE: OldUndo,
    Kind.ATTACK_ROUND: OldRound,
    Kind.FIGHT_ENDED: FreeEnded,
}
"""Without the kinds that tell of people: no file has them."""
_OLD_MODELS: Final[Mapping[Kind, tuple[str, type[Model]]]] = {
    Kind.BATTLE: ("kind", OldBattle),
    Kind.UNDONE: ("tape", OldUndone),
}
"""What version 0.1.0 wrote otherwise, and a key by which it is known."""


def model_of(kind: Kind, data: Mapping[str, Any]) -> type[Model]:
    """What an entry of a file has to look like."""
    key, old = _OLD_MODELS.get(kind, ("", Nothing))
    return old if key in data else MODELS[kind]
