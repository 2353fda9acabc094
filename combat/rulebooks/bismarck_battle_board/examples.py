"""What the cases of the battle board ask about the board itself; the cases are `examples.toml`."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from combat.case_file import Kind
from combat.rulebooks.bismarck_battle_board.actions import Level, Marks
from combat.rulebooks.bismarck_battle_board.board import (
    Place,
    direction_changes,
    hexes_between,
    most_hexes,
    range_limit,
    sector_of,
)
from combat.rulebooks.bismarck_battle_board.rulebook import BattleBoardRulebook
from combat.shot_cases import Named
from combat.verification import Figure
from tabletop.schema import Flag, Whole

_Step = Annotated[Whole, Field(ge=-20, le=20)]


def board_kinds(rulebook: BattleBoardRulebook, _named: Named[Marks]) -> Mapping[str, Kind]:
    """Kinds of cases about the board, which are about no shot."""
    tables = rulebook.tables

    def moves(evasion: Annotated[Whole, Field(ge=0, le=60)]) -> Figure:
        """The direction changes that she may make without a hex, with one, with two."""
        hexes = range(most_hexes(evasion, tables) + 1)
        return [int(direction_changes(evasion, each, tables).value) for each in hexes]

    def start_range(
        visibility: Annotated[Whole, Field(ge=0, le=8)], night: Flag = False, radar: Flag = False
    ) -> Figure:
        """The range at which ships start and fire in the Intermediate Game."""
        return range_limit(Level.INTERMEDIATE, visibility, tables, night=night, radar=radar)

    def bearing(
        column: _Step, row: _Step, heading: Annotated[Whole, Field(ge=1, le=6)] = 1
    ) -> Figure:
        """The hexes to a ship there, and the sector of a ship at the centre that she lies in."""
        here, there = Place(0, 0, heading), Place(column, row, 1)
        return [hexes_between(here, there), sector_of(here, there).value]

    return {"moves": moves, "start range": start_range, "bearing": bearing}
