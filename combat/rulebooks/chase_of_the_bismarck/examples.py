"""Kinds of worked examples about the Battle Board; the cases are in `examples.toml`."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from combat.case_file import Kind
from combat.rulebooks.chase_of_the_bismarck.actions import Marks
from combat.rulebooks.chase_of_the_bismarck.board import (
    LAST_ZONE,
    Counter,
    Position,
    allowance,
    move,
    range_of,
    start_zone,
    zones_between,
)
from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook
from combat.shot_cases import Named
from combat.verification import Figure
from tabletop.schema import Flag, Whole


def board_kinds(rulebook: ChaseRulebook, _named: Named[Marks]) -> Mapping[str, Kind]:
    """Kinds of cases about the Battle Board, without shots."""
    tables = rulebook.tables

    def start(
        visibility: Annotated[Whole, Field(ge=1, le=9)],
        closing: Annotated[Whole, Field(ge=0, le=LAST_ZONE)] = 0,
    ) -> Figure:
        """The sea zones between the sides and the range, after the attacker closed some zones."""
        she = Counter("she", True, start_zone(visibility, True), Position.CLOSING, 32)
        they = Counter("they", False, start_zone(visibility, False), Position.OPENING, 30)
        board = move((she, they), "she", Position.CLOSING, closing, tables)
        between = zones_between(*(ship.zone for ship in board))
        return [between, range_of(between, tables)]

    def moves(
        evasion: Annotated[Whole, Field(ge=0, le=40)], rudder_damaged: Flag = False
    ) -> Figure:
        """The zones that a ship may move through."""
        she = Counter("she", True, 1, Position.CLOSING, evasion, rudder_damaged)
        return allowance(she, tables)

    return {"start": start, "allowance": moves}
