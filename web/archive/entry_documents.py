"""What the entries of an imported battle must look like, kind by kind.

A file may come from anywhere. What it says is read as strictly as a request: numbers are finite
and within the table, texts are short and can be seen, and nothing unknown is in it.
"""

import json
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from combat.guided_actions import EarlierBattles
from combat.guided_play import EventKind
from combat.sides import FEWEST_SIDES, MOST_SIDES
from tabletop.messages import Message
from tabletop.schema import Expected, Flag, Line, Number, Schema, Whole, document
from web.actions.field_types import DeclaredSide, SideKey, SideName
from web.journal.entries import Kind
from web.table.pieces import Origin, Premeasure

_LONGEST_MESSAGE: Final = 2_000
Name = Annotated[Line, Field(min_length=1, max_length=40)]
Words = Annotated[Line, Field(max_length=300)]
Yards = Annotated[Number, Field(ge=-1_000_000, le=1_000_000)]
Length = Annotated[Number, Field(gt=0, le=20_000)]
Degrees = Annotated[Number, Field(ge=-360, le=720)]
Sigma = Annotated[Number, Field(ge=0, le=100_000)]
Serial = Annotated[Whole, Field(ge=0, le=2**53)]
Sides = Annotated[tuple[DeclaredSide, ...], Field(min_length=FEWEST_SIDES, max_length=MOST_SIDES)]


@document
class Pose:
    """A place and a heading."""

    x: Yards
    y: Yards
    heading: Degrees
    sigma_yards: Sigma = 0.0
    heading_sigma_deg: Sigma = 0.0


@document
class Piece:
    """A ship of the table."""

    name: Name
    type: Name | None = None
    side: SideKey
    size: Name | None = None
    length_yards: Length
    width_yards: Length
    bridge_yards: Annotated[Number, Field(ge=-20_000, le=20_000)] = 0.0
    pose: Pose | None = None


@document
class Plan:
    """How the battle was meant to begin."""

    scenario: Words | None = None
    visibility: Annotated[Whole, Field(ge=1, le=8)] | None = None
    night: Flag | None = None
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    hidden: Flag | None = None
    states: Mapping[Name, Mapping[str, Any]] | None = None
    follows: EarlierBattles | None = None


@document
class TableOpened:
    """A table that was laid."""

    title: Annotated[Line, Field(max_length=40)]
    ruleset: Name
    yards_per_inch: Annotated[Number, Field(ge=1, le=100_000)]
    width_yards: Annotated[Number, Field(gt=0, le=40_000_000)]
    height_yards: Annotated[Number, Field(gt=0, le=40_000_000)]
    ships: Annotated[tuple[Piece, ...], Field(max_length=200)]
    smoke: Annotated[
        tuple[Annotated[tuple[Yards, ...], Field(min_length=4, max_length=4)], ...],
        Field(max_length=200),
    ]
    premeasure: Premeasure = Premeasure.OPEN
    plan: Plan | None = None
    sides: Sides | None = None


@document
class SidesSet:
    """The sides of the table from then on."""

    sides: Sides


@document
class ShipName:
    """A ship by name."""

    name: Name


@document
class ShipSided(ShipName):
    """A ship on another side."""

    side: SideKey
    side_name: SideName | None = None


@document
class Placed(Pose):
    """Where a ship was put."""

    name: Name


@document
class ShipsPlaced:
    """Ships that were put somewhere."""

    ships: Annotated[tuple[Placed, ...], Field(min_length=1, max_length=200)]
    origin: Origin
    reason: Words = ""


@document
class SmokeLaid:
    """A front."""

    id: Serial
    x1: Yards
    y1: Yards
    x2: Yards
    y2: Yards


@document
class SmokeCleared:
    """A front that is gone."""

    id: Serial


@document
class Couple:
    """Two ships."""

    firer: Name
    target: Name


@document
class Declared(Couple):
    """Two ships where they stood."""

    firer_pose: Pose
    target_pose: Pose


@document
class Decided(Declared):
    """A close call."""

    what: Words
    limit: Number | Words
    reading: Words


@document
class Reopened(Couple):
    """A close call that is open again."""

    what: Words


@document
class Ruled(Declared):
    """Figures by hand."""

    range_yards: Annotated[Number, Field(ge=0, le=1_000_000)] | None
    quadrant: Words | None
    aspect: Words | None
    blocked: Flag | None
    smoke: Flag | None
    reason: Words


@document
class PremeasureSet:
    """The house rule."""

    mode: Premeasure


@document
class SetUp:
    """What the dice said of the beginning."""

    words: Words


@document
class TableSized:
    """Another size or scale of the table."""

    yards_per_inch: Annotated[Number, Field(ge=1, le=100_000)]
    width_yards: Annotated[Number, Field(gt=0, le=40_000_000)]
    height_yards: Annotated[Number, Field(gt=0, le=40_000_000)]


@document
class BattleBegun:
    """A beginning; what is in its setup is the rulebook's to check."""

    setup: Mapping[str, Any]
    owner_values: Annotated[str, Field(max_length=1_000_000)] = ""
    edition: Annotated[Whole, Field(ge=1, le=1_000)] = 1


def _short(stored: object) -> object:
    """A message as it is stored, if it is no longer than any of ours."""
    try:
        length = len(json.dumps(stored))
    except RecursionError:
        length = _LONGEST_MESSAGE + 1
    if length > _LONGEST_MESSAGE:
        raise ValueError("a message of at most 2,000 characters")
    return stored


@document
class Roll:
    """Dice that fell."""

    value: Annotated[str, Field(pattern=r"^(?:[0-9]|[1-6]{2})$"), Expected(Message("schema.roll"))]
    purpose: Annotated[Message, BeforeValidator(_short)]
    side: Name | None
    by_server: Flag
    again: Flag = False


_Rolls = Annotated[tuple[Roll, ...], Field(max_length=5_000)]
_Events = Annotated[tuple[Mapping[str, Any], ...], Field(max_length=10_000)]
_Place = Annotated[str, Field(pattern=r"^\d{1,6}\.\d{1,6}$"), Expected(Message("schema.place"))]


@document
class Battle:
    """One action of a battle; what is in it is the rulebook's to check.

    Its events are for whoever reads the file: opening the battle plays the action again.
    """

    action: Mapping[str, Any]
    rolls: _Rolls
    events: _Events
    place: _Place


@document
class OldBattle:
    """One action of a battle as version 0.1.0 kept it."""

    kind: EventKind
    side: Name | None
    data: Mapping[str, Any]
    phase: Annotated[
        str, Field(pattern=r"^(?:\d{1,6}\.\d{1,6})?$"), Expected(Message("schema.place"))
    ] = ""
    events: _Events = ()


@document
class UndoAsked:
    """A request to go back."""

    after: Serial
    side: Name | None
    words: Words


@document
class UndoAgreed:
    """A side that agrees to go back."""

    side: SideKey


@document
class Nothing:
    """No facts."""


@document
class TakenBack:
    """Rolls that an undo took back."""

    place: _Place
    rolls: _Rolls


@document
class Undone:
    """Steps that were taken back, and their dice."""

    events: Annotated[tuple[Serial, ...], Field(max_length=100_000)]
    taken_back: Annotated[tuple[TakenBack, ...], Field(max_length=10_000)]


@document
class OldUndone:
    """Steps that version 0.1.0 took back, and the figures of their dice."""

    events: Annotated[tuple[Serial, ...], Field(max_length=100_000)]
    tape: Mapping[
        Annotated[Line, Field(max_length=20)],
        Annotated[str, Field(max_length=20_000, pattern=r"^[1-6]*$")],
    ]


@document
class OfARuleset:
    """Which battle in free play is meant."""

    ruleset: Name


@document
class FreeBegun(OfARuleset):
    """A battle in free play that began."""

    edition: Annotated[Whole, Field(ge=1, le=10_000)]
    owner_values: Annotated[str, Field(max_length=1_000_000)]


@document
class FreeStep:
    """One action; what is in it and in its events is the rulebook's to check."""

    action: Mapping[str, Any]
    rolls: Annotated[tuple[Roll, ...], Field(max_length=2_000)]
    events: Annotated[tuple[Mapping[str, Any], ...], Field(max_length=5_000)]
    marks: Mapping[Words, Mapping[str, Any]] = field(default_factory=dict)


@document
class FreePlayed(OfARuleset):
    """Actions that were played together."""

    edition: Annotated[Whole, Field(ge=1, le=10_000)] = 1
    steps: Annotated[tuple[FreeStep, ...], Field(min_length=1, max_length=20)]


@document
class FreeUndone(OfARuleset):
    """Actions that were taken back."""

    to: Serial


@document
class FreeEnded(OfARuleset):
    """Clean sheets."""

    title: Words


@document
class OldAttack(OfARuleset):
    """An attack that version 0.1.0 rolled on its calculator; its file is read when it is played."""

    round: Serial
    simultaneous: Flag
    when_marked: Flag
    tables: Words
    dice: Annotated[
        tuple[
            Annotated[str, Field(pattern=r"^[0-9]{1,2}$"), Expected(Message("schema.dice"))], ...
        ],
        Field(max_length=2_000),
    ]
    how: Words
    firer: Words
    firer_type: Words
    target: Words
    target_type: Words
    battery: Words
    said: Mapping[Words, Words]
    file: Annotated[str, Field(max_length=20_000)]
    document: Mapping[str, Any]
    story: Annotated[tuple[tuple[str, str, Whole], ...], Field(max_length=10_000)]
    after: Mapping[Literal["firer", "target"], Mapping[str, Any]]
    words: Annotated[Line, Field(max_length=1_000)]
    outcome: Annotated[Line, Field(max_length=1_000)]


@document
class OldUndo:
    """An attack of version 0.1.0 that was taken back."""

    n: Serial
    words: Annotated[Line, Field(max_length=1_000)]


@document
class OldRound(OfARuleset):
    """A round of version 0.1.0's calculator."""

    round: Serial


MODELS: Final[Mapping[Kind, type[Any]]] = {
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
_OLD_MODELS: Final[Mapping[Kind, tuple[str, type[Any]]]] = {
    Kind.BATTLE: ("kind", OldBattle),
    Kind.UNDONE: ("tape", OldUndone),
}
"""What version 0.1.0 wrote otherwise, and a key by which it is known."""


def check_entry(kind: Kind, data: Mapping[str, Any], place: str) -> None:
    """Refuse an entry of a file that does not look as its kind must."""
    key, _ = _OLD_MODELS.get(kind, ("", Nothing))
    _schema(kind, is_old=key in data).check(data, place)


@cache
def _schema(kind: Kind, *, is_old: bool) -> Schema[Any]:
    return Schema(_OLD_MODELS[kind][1] if is_old else MODELS[kind])
