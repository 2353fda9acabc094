"""The bodies and answers of the API of the battles that are kept."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from combat.sides import MOST_SIDES
from web.api.models import DeclaredSide, SideKey
from web.api.reading import Line, Model

Name = Annotated[Line, Field(min_length=1, max_length=40)]
Yards = Annotated[float, Field(ge=0, le=1_000_000)]
Heading = Annotated[float, Field(ge=-360, le=720)]
Inches = Annotated[float, Field(ge=6, le=400)]


class Place(Model):
    """Where a ship is to stand."""

    x: Yards
    y: Yards
    heading: Heading


class Entrant(Model):
    """A ship that is to take part; without a place she is put down by hand."""

    name: Name
    type: Name
    side: SideKey
    place: Place | None = None


class ScenarioChoice(Model):
    """A scenario as it is written down."""

    scenario: Name
    """By its key, as GET /api/battles/scenarios lists them."""
    hidden: bool = False
    """Ships begin face down, as numbers dealt out by lot (67.1)."""
    lay_only: bool = False
    """Put the ships on the table and begin later, by POST /api/battle/begin."""


class NewBattle(Model):
    """A battle of one's own choice."""

    title: Name
    scenario: Name | None = None
    """Where the ships come from a scenario, for its story and what its ships bring along."""
    sides: Annotated[list[DeclaredSide], Field(min_length=2, max_length=MOST_SIDES)] | None = None
    """The table's sides; those of the scenario, or the usual ones, where they are left out."""
    ships: Annotated[list[Entrant], Field(min_length=2, max_length=60)]
    places: dict[Annotated[str, Field(pattern=r"^\d{1,2}$")], Place] = Field(default_factory=dict)
    """Places by the ships' number in the list, counted from 0; over those of the ships."""
    width_inches: Inches = 72.0
    height_inches: Inches = 48.0
    yards_per_inch: Annotated[float, Field(ge=1, le=100_000)] = 500.0
    visibility: Annotated[int, Field(ge=1, le=8)] = 2
    night: bool = False
    starting_range_yards: Annotated[float, Field(gt=0, le=100_000)] | None = None
    hidden: bool = False
    lay_only: bool = False
    said: Annotated[Line, Field(max_length=200)] = ""


class Nothing(Model):
    """An empty object."""


class Begun(BaseModel):
    """The number of the newest change, and the battle's id."""

    seq: int
    id: str


class Summary(BaseModel):
    """A scenario that can be begun."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    key: str
    title: str
    date: str
    what_if: bool
    by_dice: bool
    """Set up by dice (55): its places come from the page or from a script, as POST /api/battles."""
    visibility: int
    night: bool
    starting_range_yards: float | None
    ships: list[dict[str, str]]


class Scenarios(BaseModel):
    """Every scenario, in the order of the page."""

    scenarios: list[Summary]
