"""The fields that many actions and requests have, with their limits."""

from typing import Annotated

from pydantic import Field

from combat.participants import SideColour, SideShape
from combat.sides import LONGEST_KEY, MOST_SIDES
from combat.sides import LONGEST_NAME as LONGEST_SIDE_NAME
from tabletop.schema import FARTHEST_YARDS, Line, Number, Whole, document

Name = Annotated[Line, Field(min_length=1, max_length=40)]
"""Of a ship, a table, a battle."""
Reason = Annotated[Line, Field(max_length=120)]
Distance = Annotated[Number, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]
"""Along an edge of the table, in any unit."""
Degrees = Annotated[Number, Field(ge=-360, le=360)]
SideKey = Annotated[Line, Field(min_length=1, max_length=LONGEST_KEY)]
SideName = Annotated[Line, Field(min_length=1, max_length=LONGEST_SIDE_NAME)]
SideLetter = Annotated[Line, Field(min_length=1, max_length=1)]
SideKeys = Annotated[tuple[SideKey, ...], Field(max_length=MOST_SIDES)]


@document
class DeclaredSide:
    """A side as a table has it."""

    key: SideKey
    name: Annotated[Line, Field(max_length=LONGEST_SIDE_NAME)] = ""
    """The usual one of its key, where it is empty."""
    letter: SideLetter = "–"
    shape: SideShape = SideShape.SQUARE
    colour: SideColour = SideColour.GREY
    allies: SideKeys = ()
    order_of_fire: Annotated[Whole, Field(ge=0, le=99)] = 0
