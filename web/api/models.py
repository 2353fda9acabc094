"""Requests and answers that several routes have."""

from typing import Annotated

from pydantic import Field

from combat.participants import SideColour, SideShape
from combat.sides import LONGEST_NAME
from tabletop.schema import Line, Whole, document
from web.actions.field_types import SideKey, SideKeys, SideLetter


@document
class Nothing:
    """An empty object."""


@document
class Done:
    """Done; the number of the newest change."""

    seq: int


@document
class DeclaredSide:
    """A side as a table has it."""

    key: SideKey
    name: Annotated[Line, Field(max_length=LONGEST_NAME)] = ""
    """The usual one of its key, where it is empty."""
    letter: SideLetter = "–"
    shape: SideShape = SideShape.SQUARE
    colour: SideColour = SideColour.GREY
    allies: SideKeys = ()
    order_of_fire: Annotated[Whole, Field(ge=0, le=99)] = 0


@document
class FaultWords:
    """What is wrong, in one sentence with its remedy, and the field it is about."""

    message: str
    field: str | None


@document
class FaultAnswer:
    """Every fault is told like this."""

    error: FaultWords
