"""The fields that many actions and requests have, with their limits."""

from typing import Annotated

from pydantic import Field

from tabletop.schema import FARTHEST_YARDS, Line, Number

Reason = Annotated[Line, Field(max_length=120)]
Distance = Annotated[Number, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]
"""Along an edge of the table, in any unit."""
Degrees = Annotated[Number, Field(ge=-360, le=360)]
