"""The bodies and answers of the API. Pydantic stands at this boundary and nowhere behind it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from combat.participants import SideColour, SideShape
from combat.sides import LONGEST_KEY, MOST_SIDES
from combat.sides import LONGEST_NAME as LONGEST_SIDE_NAME
from tabletop.arcs import Quadrant
from tabletop.closecall import Question
from tabletop.scale import Unit
from web.api.reading import Line, Model, Query
from web.auth.seats import LONGEST_NAME, PIN_LENGTH, Role, check_pin
from web.table.log import LogLine
from web.table.pieces import Premeasure

FARTHEST_YARDS = 1_000_000
_PIN_SCHEMA = {
    "type": "string",
    "pattern": f"^[0-9]{{{PIN_LENGTH}}}$",
    "minLength": PIN_LENGTH,
    "maxLength": PIN_LENGTH,
}

Yards = Annotated[float, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]
Degrees = Annotated[float, Field(ge=-360, le=360)]
Name = Annotated[Line, Field(min_length=1, max_length=40)]
Reason = Annotated[Line, Field(max_length=120)]
Code = Annotated[Line, Field(min_length=1, max_length=20)]
Pin = Annotated[str, AfterValidator(check_pin), WithJsonSchema(_PIN_SCHEMA)]
Inches = Annotated[float, Field(gt=0, le=400)]


# Pydantic's strict mode takes no text for an enum, though JSON has nothing else.
_Loose = Field(strict=False)
SideKey = Annotated[Line, Field(min_length=1, max_length=LONGEST_KEY)]
SideName = Annotated[Line, Field(min_length=1, max_length=LONGEST_SIDE_NAME)]
SideKeys = Annotated[tuple[SideKey, ...], Field(strict=False, max_length=MOST_SIDES)]


class Nothing(Model):
    """An empty object."""


class Join(Model):
    """A new seat."""

    code: Code
    name: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)]
    role: Annotated[Role, _Loose] = Role.PLAYER
    side: SideKey | None = None
    pin: Pin


class ComeBack(Model):
    """A seat that was taken before."""

    code: Code
    name: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)]
    pin: Pin


class AddedShip(Model):
    """One more ship; a known type brings class, size and base."""

    name: Name
    type: Name | None = None
    side: SideKey | None = None


class ChosenSide(Model):
    """Which side."""

    side: SideKey


class SideLook(Model):
    """What can be said of a side; what is left out is proposed, or stays as it is."""

    letter: Annotated[Line, Field(min_length=1, max_length=1)] | None = None
    colour: Annotated[SideColour, _Loose] | None = None
    shape: Annotated[SideShape, _Loose] | None = None
    """Of its badge."""


class AddedSide(SideLook):
    """One more side."""

    name: SideName
    allies: SideKeys = ()
    """The keys of the sides that it fights together with."""


class ChangedSide(SideLook):
    """What is to be different of a side."""

    name: SideName | None = None
    allies: SideKeys | None = None
    """All of them; none ends every alliance."""


class DeclaredSide(Model):
    """A side as a table has it."""

    key: SideKey
    name: Annotated[Line, Field(max_length=LONGEST_SIDE_NAME)] = ""
    """The usual one of its key, where it is empty."""
    letter: Annotated[Line, Field(min_length=1, max_length=1)] = "–"
    shape: Annotated[SideShape, _Loose] = SideShape.SQUARE
    colour: Annotated[SideColour, _Loose] = SideColour.GREY
    allies: SideKeys = ()
    order_of_fire: Annotated[int, Field(ge=0, le=99)] = 0


class Placing(Model):
    """Where a ship is to stand; a reason is asked for where the camera sees her elsewhere."""

    x: Yards
    y: Yards
    heading: Degrees
    reason: Reason = ""
    unit: Annotated[Unit, _Loose] = Unit.YARDS


class SmokeEnds(Model):
    """The two ends of a smoke front."""

    x1: Yards
    y1: Yards
    x2: Yards
    y2: Yards
    unit: Annotated[Unit, _Loose] = Unit.YARDS


class Pair(Model):
    """Who looks, and at whom."""

    firer: Name
    target: Name


class Decision(Pair):
    """The reading of a close call that the players agree on."""

    what: Annotated[Question, _Loose]
    reading: Annotated[Line, Field(min_length=1, max_length=60)]


class Reopening(Pair):
    """A decision to be taken back."""

    what: Annotated[Question, _Loose]


class Ruling(Pair):
    """Figures over the measured ones, with the reason; what is left out stays as measured."""

    reason: Reason
    range_yards: Annotated[float, Field(ge=0, le=FARTHEST_YARDS)] | None = None
    quadrant: Annotated[Quadrant, _Loose] | None = None
    aspect: Annotated[Quadrant, _Loose] | None = None
    sight: Literal["clear", "smoke", "blocked"] | None = None


class LogQuery(Query):
    """Which part of the log."""

    before: Annotated[int, Field(ge=0, le=2**53)] | None = None


class PremeasureRule(Model):
    """The house rule about measuring before firing."""

    mode: Annotated[Premeasure, _Loose]


class Share(Model):
    """Whether phones can come in, and by which of this machine's addresses."""

    on: bool
    address: Annotated[str, Field(max_length=45)] | None = None


class Switch(Model):
    """On or off."""

    on: bool


class SeatId(Model):
    """One seat."""

    seat: Annotated[str, Field(min_length=1, max_length=12)]


class PlacedShip(AddedShip):
    """A ship of a new table, on it or beside it."""

    x: Yards | None = None
    y: Yards | None = None
    heading: Degrees | None = None


class NewTable(Model):
    """A table to be laid."""

    title: Annotated[Line, Field(min_length=1, max_length=40)]
    ruleset: Annotated[str, Field(min_length=1, max_length=40)]
    yards_per_inch: Annotated[float, Field(gt=0, le=100_000)] | None = None
    """The ruleset's own scale without."""
    width_inches: Inches
    height_inches: Inches
    ships: Annotated[tuple[PlacedShip, ...], Field(strict=False, max_length=200)] = ()


class Wifi(Model):
    """A Wi-Fi network that phones may join by a code of its own; nothing of it is kept."""

    name: Annotated[Line, Field(min_length=1, max_length=32)]
    password: Annotated[Line, Field(max_length=63)] = ""
    hidden: bool = False


# Answers


class Done(Model):
    """Done; the number of the newest change."""

    seq: int


class Seated(Done):
    """A seat is yours."""

    seat: str
    name: str
    role: Role
    side: str | None


class NewCode(Done):
    """The code from now on."""

    code: str


class Log(Model):
    """A part of the log, oldest first, and whether there is more before it."""

    log: tuple[LogLine, ...]
    more: bool


class NetworkNow(Model):
    """One network of this machine."""

    address: str
    name: str


class SharedNow(Done):
    """How phones come to the table."""

    shared: bool
    address: str
    link: str
    networks: tuple[NetworkNow, ...]


class Picture(Model):
    """A picture as SVG."""

    svg: str


class Healthy(Model):
    """The server is ready."""

    status: Literal["ok"]


class FaultWords(Model):
    """What is wrong, in one sentence with its remedy, and the field it is about."""

    message: str
    field: str | None


class FaultAnswer(Model):
    """Every fault is told like this."""

    error: FaultWords
