"""The battle board: hexes, headings, sectors, and what evasion lets a ship move (9.28, 9.5, 9.6).

A hex is a column and a row from the centre, 0 and 0: heading 1 goes up a row, and the others
follow clockwise. Edge N of the board lies between the corners towards headings N and N + 1.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from combat.rulebooks.bismarck_battle_board.actions import Level, Sector
from combat.rulebooks.bismarck_battle_board.table_files import MOVEMENT, NO_MOVE, START_RANGES
from combat.tables import Cell, TableSet

HEADINGS: Final = 6
RADIUS: Final = 6
"""How many hexes an edge of the board is from its centre (9.28, 18.3)."""
LAST_A: Final = 3
LAST_B: Final = 6
"""The farthest hexes of A and of B range (9.61)."""
MOST_IN_A_HEX: Final = 2
_WAYS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_HALF_END: Final = 30.0
"""Half the width of the bow and of the stern sector; on its border a ship lies abeam."""
_NEARLY: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Place:
    """A ship on the board: her hex, and the hex side that her bow points to."""

    column: int
    row: int
    heading: int

    @property
    def hex(self) -> tuple[int, int]:
        """The hex."""
        return self.column, self.row

    def turned(self, turns: int) -> "Place":
        """After some changes of direction, to starboard where they are positive."""
        return replace(self, heading=(self.heading - 1 + turns) % HEADINGS + 1)

    def ahead(self) -> "Place":
        """One hex on."""
        column, row = _WAYS[self.heading - 1]
        return replace(self, column=self.column + column, row=self.row + row)


def hexes_between(one: Place, other: Place) -> int:
    """The distance of two ships in hexes."""
    column, row = other.column - one.column, other.row - one.row
    return (abs(column) + abs(row) + abs(column + row)) // 2


def sector_of(ship: Place, other: Place) -> Sector:
    """The sector of a ship that another one lies in (9.63).

    Straight ahead and astern of her, 60° wide; the rest are her two sides.
    """
    column, row = other.column - ship.column, other.row - ship.row
    bearing = math.degrees(math.atan2(1.5 * column, -math.sqrt(3) * (row + column / 2)))
    relative = (bearing - 60 * (ship.heading - 1) + 180) % 360 - 180
    if abs(relative) < _HALF_END - _NEARLY:
        return Sector.BOW
    if abs(relative) > 180 - _HALF_END + _NEARLY:
        return Sector.STERN
    return Sector.STARBOARD if relative > 0 else Sector.PORT


def edge_place(edge: int, distance: int, index: int, heading: int) -> Place:
    """A hex along an edge at a distance from the centre, counted clockwise from its corner."""
    corner, way = _WAYS[edge - 1], _WAYS[(edge + 1) % HEADINGS]
    return Place(
        corner[0] * distance + way[0] * index, corner[1] * distance + way[1] * index, heading
    )


def centre_place(index: int, heading: int) -> Place:
    """The centre for 0, else the hex beside it in that direction."""
    if not index:
        return Place(0, 0, heading)
    return Place(*_WAYS[index - 1], heading)


def direction_changes(evasion: int, hexes: int, tables: TableSet) -> Cell:
    """The cell of the direction changes that she may make besides so many hexes (9.53)."""
    return tables["movement"].cell(MOVEMENT.name_of(evasion), str(hexes))


def most_hexes(evasion: int, tables: TableSet) -> int:
    """How far she may move (9.53)."""
    table, row = tables["movement"], MOVEMENT.name_of(evasion)
    return max(int(column) for column in table.columns if table.text(row, column) != NO_MOVE)


def range_limit(
    level: Level, visibility: int, tables: TableSet, *, night: bool, radar: bool
) -> int:
    """The farthest that ships fire, start or can be held (9.61, 18.1, 18.2)."""
    if level is Level.BASIC:
        return LAST_B
    table = tables["start_range"]
    printed = table.integer("night" if night else "day", START_RANGES.name_of(visibility))
    return printed + int(radar)
