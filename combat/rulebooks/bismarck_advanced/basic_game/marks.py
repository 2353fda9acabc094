"""A ship's marks on the Hit Record Pad of the Basic and Intermediate Games."""

from typing import Annotated

from pydantic import Field

from tabletop.schema import Flag, Whole, document

_Hits = Annotated[Whole, Field(ge=0, le=40)]


@document
class BasicMarks:
    """What is marked on the pad, as files and requests write it."""

    midships_hits: _Hits = 0
    bow_hits: _Hits = 0
    stern_hits: _Hits = 0
    """On the third turret of the Rodney and her like, which stands there on the pad (9.81)."""
    port_secondary_hits: _Hits = 0
    starboard_secondary_hits: _Hits = 0
    evasion_lost: Annotated[Whole, Field(ge=0, le=99)] = 0
    """All of it, lost for good or for a time (9.721)."""
    ammunition_spent: Annotated[Whole, Field(ge=0, le=999)] = 0
    """Factors of the Intermediate Game (20)."""
    torpedoes_fired: Flag = False
    """Whether the torpedo box is marked (19.3)."""
