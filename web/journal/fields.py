"""The field types of journal events, with their limits and their JSON.

An imported file is checked as strictly as a request: numbers are finite and within the table, texts
are short and printable.
"""

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, cast

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, PlainSerializer
from pydantic_core import CoreSchema, core_schema

from combat.actions import Action
from combat.dice import Roll, faces_of
from combat.events import Event as RulesEvent
from combat.guided_play import RulebookSchemas
from combat.participants import Side, SideColour, SideShape
from combat.rulebook import Place
from combat.rulebooks import get_ruleset
from combat.sides import FEWEST_SIDES, LONGEST_KEY, MOST_SIDES, Sides
from combat.sides import LONGEST_NAME as LONGEST_SIDE_NAME
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.schema import Expected, Flag, Line, Number, Schema, StoredAs, Whole, document
from tabletop.table import Pose, SmokeFront

_LONGEST_MESSAGE: Final = 2_000
_LONGEST_SIGMA: Final = 100_000

Name = Annotated[Line, Field(min_length=1, max_length=40)]
"""The name of a ship, a table, a battle or a ruleset."""
Words = Annotated[Line, Field(max_length=300)]
Decimal = Annotated[Number, PlainSerializer(float)]
"""A number written with a decimal point even if it is whole.

Reading and writing a file thus does not change it.
"""
Yards = Annotated[Decimal, Field(ge=-1_000_000, le=1_000_000)]
Length = Annotated[Decimal, Field(gt=0, le=20_000)]
TableLength = Annotated[Decimal, Field(gt=0, le=40_000_000)]
YardsPerInch = Annotated[Decimal, Field(ge=1, le=100_000)]
Degrees = Annotated[Decimal, Field(ge=-360, le=720)]
Sigma = Annotated[Decimal, Field(ge=0, le=_LONGEST_SIGMA)]
Serial = Annotated[Whole, Field(ge=0, le=2**53)]
Edition = Annotated[Whole, Field(ge=1, le=10_000)]
OwnerValues = Annotated[str, Field(max_length=1_000_000)]
SideKey = Annotated[Line, Field(min_length=1, max_length=LONGEST_KEY)]
SideName = Annotated[Line, Field(min_length=1, max_length=LONGEST_SIDE_NAME)]
SideLetter = Annotated[Line, Field(min_length=1, max_length=1)]
SideKeys = Annotated[tuple[SideKey, ...], Field(max_length=MOST_SIDES)]


def unless(usual: object) -> Any:
    """Marks a field that is written only if it does not have its usual value."""
    return Field(exclude_if=lambda value: value == usual)


# Poses


@document
class PoseDocument:
    """A place and a heading."""

    x: Yards
    y: Yards
    heading: Degrees
    sigma_yards: Sigma = 0.0
    heading_sigma_deg: Sigma = 0.0


def _read_pose(stored: PoseDocument) -> Pose:
    return Pose(stored.x, stored.y, stored.heading, stored.sigma_yards, stored.heading_sigma_deg)


def _write_pose(pose: Pose) -> dict[str, float]:
    return {
        "x": float(pose.x_yards),
        "y": float(pose.y_yards),
        "heading": float(pose.heading_deg),
        "sigma_yards": float(pose.position_sigma_yards),
        "heading_sigma_deg": float(pose.heading_sigma_deg),
    }


StoredPose = Annotated[Pose, StoredAs(PoseDocument, _read_pose, _write_pose)]


@document
class PlacedShip:
    """A ship's new pose."""

    name: Name
    pose: StoredPose


@document
class PlacedShipDocument(PoseDocument):
    """A ship's new pose, with her name beside the pose's keys."""

    name: Name


def _read_placed(stored: PlacedShipDocument) -> PlacedShip:
    return PlacedShip(name=stored.name, pose=_read_pose(stored))


def _write_placed(placed: PlacedShip) -> dict[str, object]:
    return {"name": placed.name, **_write_pose(placed.pose)}


StoredPlacedShip = Annotated[PlacedShip, StoredAs(PlacedShipDocument, _read_placed, _write_placed)]


def _read_front(ends: tuple[float, float, float, float]) -> SmokeFront:
    return SmokeFront(*ends)


def _write_front(front: SmokeFront) -> list[float]:
    ends = (front.x1_yards, front.y1_yards, front.x2_yards, front.y2_yards)
    return [float(end) for end in ends]


_Ends = Annotated[tuple[Yards, ...], Field(min_length=4, max_length=4)]
StoredFront = Annotated[SmokeFront, StoredAs(_Ends, _read_front, _write_front)]


# Sides


@document
class DeclaredSide:
    """A side of a table."""

    key: SideKey
    name: Annotated[Line, Field(max_length=LONGEST_SIDE_NAME)] = ""
    """If empty, the default side's name for the key."""
    letter: SideLetter = "–"
    shape: SideShape = SideShape.SQUARE
    colour: SideColour = SideColour.GREY
    allies: SideKeys = ()
    order_of_fire: Annotated[Whole, Field(ge=0, le=99)] = 0

    @property
    def side(self) -> Side:
        """The side with defaults filled in."""
        return Side(
            self.key,
            self.name,
            self.letter,
            self.shape,
            self.colour,
            self.allies,
            self.order_of_fire,
        )


def sides_of(declared: tuple[DeclaredSide, ...]) -> Sides:
    """The sides of declarations."""
    return Sides(tuple(each.side for each in declared))


def sides_data(sides: Sides) -> list[dict[str, object]]:
    """Sides as plain JSON."""
    return [
        {
            "key": side.key,
            "name": side.name,
            "letter": side.letter,
            "shape": str(side.shape),
            "colour": str(side.colour),
            "allies": list(side.allies),
            "order_of_fire": side.order_of_fire,
        }
        for side in sides
    ]


_Declared = Annotated[
    tuple[DeclaredSide, ...], Field(min_length=FEWEST_SIDES, max_length=MOST_SIDES)
]
StoredSides = Annotated[Sides, StoredAs(_Declared, sides_of, sides_data)]


# Dice


def _short(stored: object) -> object:
    """Check that a stored message is not longer than any of ours."""
    try:
        length = len(json.dumps(stored)) if not isinstance(stored, Message) else 0
    except RecursionError:
        length = _LONGEST_MESSAGE + 1
    if length > _LONGEST_MESSAGE:
        raise ValueError
    return stored


ShortMessage = Annotated[
    Message, BeforeValidator(_short), Expected(Message("schema.message", most=_LONGEST_MESSAGE))
]


@document
class RollDocument:
    """Rolled dice."""

    value: Annotated[str, Field(pattern=r"^(?:[0-9]|[1-6]{2})$"), Expected(Message("schema.roll"))]
    purpose: ShortMessage
    side: Name | None
    by_server: Flag
    again: Flag = False
    by_umpire: Flag = False


def _read_roll(stored: RollDocument) -> Roll:
    return Roll(
        faces_of(stored.value),
        stored.purpose,
        stored.side,
        by_server=stored.by_server,
        again=stored.again,
        by_umpire=stored.by_umpire,
    )


def write_roll(roll: Roll) -> dict[str, object]:
    """A roll as JSON; `again` and `by_umpire` are omitted if they are false."""
    written: dict[str, object] = {
        "value": roll.value,
        "purpose": roll.purpose.store(),
        "side": roll.side,
        "by_server": roll.by_server,
    }
    said = {"again": roll.again, "by_umpire": roll.by_umpire}
    return {**written, **{key: True for key, value in said.items() if value}}


StoredRoll = Annotated[Roll, StoredAs(RollDocument, _read_roll, write_roll)]
_PlaceText = Annotated[str, Field(pattern=r"^\d{1,6}\.\d{1,6}$")]
StoredPlace = Annotated[
    Place, StoredAs(_PlaceText, Place.read, str), Expected(Message("schema.place"))
]


# The parts that only a rulebook can read: actions, set-ups, marks. The rulebook is that of the
# table on which the event happened: whoever reads an event gives its schemas as the context
# (`Parts`); what is written knows its own type.

Part = Literal["action", "setup", "marks", "options"]


class DoesNotPlay(DreyerError):
    """A part of an event is not valid in its rulebook."""

    def __init__(self, error: DreyerError) -> None:
        super().__init__(error.message.code, **dict(error.message.params))


@dataclass(frozen=True, slots=True)
class Parts:
    """The schemas for the parts of events, loaded on first use."""

    guided: Callable[[], RulebookSchemas]
    free: Callable[[], "FreeSchemas"]


@dataclass(frozen=True, slots=True)
class FreeSchemas:
    """The schemas of actions and events of free play."""

    action: Schema[Action]
    event: Schema[RulesEvent]


@cache
def guided_schemas(ruleset: str, edition: int | None = None) -> RulebookSchemas:
    """The schemas of a rulebook for guided battles, in its latest edition if none is given."""
    found = get_ruleset(ruleset)
    found = found if edition is None else found.of_edition(edition)
    if found.battle is None:
        raise DreyerError("errors.not_guided", found=found.title)
    return found.battle(found.tables).schemas


@cache
def free_schemas(ruleset: str) -> FreeSchemas:
    """The schemas of a rulebook in free play."""
    found = get_ruleset(ruleset)
    if found.rulebook is None:
        raise DreyerError("errors.not_free", ruleset=found.title)
    rulebook = found.rulebook(found.tables)
    return FreeSchemas(rulebook.action_schema(), rulebook.event_schema())


@dataclass(frozen=True, slots=True)
class OfGuidedRulebook:
    """Marks a part that the rulebook of a guided battle reads; written without default values."""

    part: Part

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Validate with the schemas of the context."""

        def read(value: object, info: core_schema.ValidationInfo) -> object:
            if isinstance(value, source):
                return value
            parts = cast("Parts", info.context)
            try:
                schema: Schema[object] = getattr(parts.guided(), self.part)
                return schema.read(value)
            except DreyerError as error:
                raise DoesNotPlay(error) from None

        return core_schema.with_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(written_part),
        )


@dataclass(frozen=True, slots=True)
class OfFreeRulebook:
    """Marks a part that the rulebook of a battle in free play reads and writes."""

    part: Literal["action", "event"]

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Validate and serialize with the schemas of the context."""

        def schema_of(context: object) -> Schema[object]:
            try:
                found: Schema[object] = getattr(cast("Parts", context).free(), self.part)
            except DreyerError as error:
                raise DoesNotPlay(error) from None
            return found

        def read(value: object, info: core_schema.ValidationInfo) -> object:
            return value if isinstance(value, source) else schema_of(info.context).check_part(value)

        def write(value: object, info: core_schema.SerializationInfo) -> object:
            return schema_of(info.context).dump(value)

        return core_schema.with_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(write, info_arg=True),
        )


def written_part(part: object) -> dict[str, object]:
    """A part as JSON without default values, but always with its kind if it has one."""
    written = _own_schema(cast("Hashable", type(part))).write(part)
    kind = getattr(part, "kind", None)
    return written if kind is None else {"kind": kind, **written}


@cache
def _own_schema(type_: Hashable) -> Schema[object]:
    return Schema(type_)
