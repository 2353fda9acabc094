"""A ship's marks on the Hit Record Pad of the Basic and Intermediate Games."""

from typing import Annotated

from pydantic import Field

from tabletop.schema import Flag, Whole, document

_Hits = Annotated[Whole, Field(ge=0, le=40)]


@document
class BasicMarks:
    """A ship's marks on the pad, as files and requests write them."""

    midships_hits: _Hits = 0
    bow_hits: _Hits = 0
    stern_hits: _Hits = 0
    """Includes the third turret of the Rodney class, which the pad counts there (9.81)."""
    port_secondary_hits: _Hits = 0
    starboard_secondary_hits: _Hits = 0
    evasion_lost: Annotated[Whole, Field(ge=0, le=99)] = 0
    """All lost evasion, permanent or temporary (9.721)."""
    ammunition_spent: Annotated[Whole, Field(ge=0, le=999)] = 0
    """Factors of the Intermediate Game (20)."""
    torpedoes_fired: Flag = False
    """Whether the torpedo box is marked (19.3)."""
