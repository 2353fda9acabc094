"""`python -m benchmarks.hit_table`: the search that rebuilt the Advanced Hit Table (edition 2).

The printed table is lost. What is known of it (the pins) and what players need of it (b, a and a
level, in this order) leaves many tables; this program lists a family of them, throws out those
that break a demand, ranks the rest, and prints what it found. `--write` writes the first one to
`tables/hit_table.csv`. The same program always finds the same table.

The family. For every column F there is a last row that still hits, L(F); a second hit needs a
roll so many rows better, a third again, and so on. The distances are the same in every column:
short ones up to a number of hits, long ones beyond it, so that large factors flatten. A column
never scores more than its factor. Since every L(F) is at least one more than L(F − 1), a column
moved down by one row is never worse than its left neighbour: that is what makes −1 worth less
than the gun that it costs.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import accumulate, pairwise
from pathlib import Path

from combat.dice import LAST_INDEX
from combat.rulebooks.bismarck_advanced.combat_tables import HIGHEST_ROW, LAST_COLUMN, LOWEST_ROW
from combat.rulebooks.bismarck_advanced.table_files import FACTORS, HIT_ROWS

LAST_ROW_OF_COLUMN_1 = 16
"""Row 34: the worked example has column 1 miss from row 35 on."""
LAST_ROW_OF_COLUMN_28 = 47
"""Row 85: it is printed apart from 86+, so some column still hits there."""
TOTALS = range(-60, 61)
"""Every sum of modifications that changes anything, and some beyond."""
MOST_HITS = 6.0
"""(a) Half a dozen hits of a full column at a sum of 0, where there were a dozen."""
STEEPEST_DOUBLING = 2**0.7
"""(a) What a doubled factor may bring, from column 4 on."""
STEEPEST_START = 2.25
"""The same below it, where the pins force columns apart."""
LONG_RANGE_PHASE = (2.75, 3.25)
"""The hits of factor 8 at a sum of 0: about three, by the basic game's rate of damage."""
LONG_HIGH, MEDIUM_HIGH = (4, 0.278), (11, 0.194)
"""Bismarck at Hood: factor, and hull boxes for each hit, through the deck and through the belt."""


@dataclass(frozen=True)
class Candidate:
    """A table of the family."""

    placed: str
    """Where the last rows are more than one row apart."""
    last_rows: tuple[int, ...]
    near: int
    """The rows between the first hits."""
    near_hits: int
    """How many hits lie so close together."""
    far: int
    """The rows between all further ones."""

    def hits(self, row: int, factor: int) -> int:
        """The hits of a row, as an index from 1 to 48, in a column."""
        better = self.last_rows[factor - 1] - row
        if better < 0 or row >= HIGHEST_ROW:
            return 0
        close = min(better // self.near, self.near_hits - 1)
        more = max(0, better - self.near * (self.near_hits - 1)) // self.far
        return min(factor, 1 + close + more)

    @cached_property
    def table(self) -> tuple[tuple[int, ...], ...]:
        """hits[row − 1][factor], factor 0 hitting nothing."""
        return tuple(
            (0, *(self.hits(row, factor) for factor in range(1, LAST_COLUMN + 1)))
            for row in range(LOWEST_ROW, HIGHEST_ROW + 1)
        )

    def mean(self, factor: int, total: int = 0) -> float:
        """The hits of a column on average, at a sum of modifications."""
        return self.sums[factor][total] / LAST_INDEX

    @cached_property
    def sums(self) -> tuple[Mapping[int, int], ...]:
        """The hits of all rolls together, by column and sum of modifications."""
        return tuple(sums(self.table, factor) for factor in range(LAST_COLUMN + 1))

    @property
    def name(self) -> str:
        """The candidate in a few words."""
        return f"{self.placed}, {self.near_hits} hits {self.near} rows apart, then {self.far}"


Hits = Sequence[Sequence[int]]
"""A Hit Table as numbers: hits[row − 1][factor]."""


def sums(table: Hits, factor: int) -> Mapping[int, int]:
    """The hits of all 36 rolls together in a column, by the sum of modifications."""
    first, last = TOTALS[0] + 1, TOTALS[-1] + LAST_INDEX
    rows = (min(max(index, LOWEST_ROW), HIGHEST_ROW) for index in range(first, last + 1))
    passed = [0, *accumulate(table[row - 1][factor] for row in rows)]
    return {total: passed[place + LAST_INDEX] - passed[place] for place, total in enumerate(TOTALS)}


def family() -> Iterator[Candidate]:
    """Every candidate: where the four rows to spare go, and the distances of the hits."""
    columns = range(2, LAST_COLUMN + 1)
    spare = LAST_ROW_OF_COLUMN_28 - LAST_ROW_OF_COLUMN_1 - len(columns)
    every = len(columns) // spare
    for placed, wide in (
        ("rows to spare at column 2", (2,) * spare),
        ("at columns 2 to 5", (2, 3, 4, 5)),
        ("at columns 2 to 8", (2, 4, 6, 8)),
        ("evenly", tuple(columns[every // 2 :: every][:spare])),
    ):
        last_rows = [LAST_ROW_OF_COLUMN_1]
        for column in columns:
            last_rows.append(last_rows[-1] + 1 + wide.count(column))
        for near_hits in range(2, 9):
            for near in range(2, 5):
                for far in range(near, 15):
                    yield Candidate(placed, tuple(last_rows), near, near_hits, far)


def breaks_pin(table: Hits) -> bool:
    """Whether a table contradicts what is known of the printed one."""
    columns = range(1, LAST_COLUMN + 1)
    return (
        table[LOWEST_ROW - 1][1] != 1
        or any(row[1] for row in table[LAST_ROW_OF_COLUMN_1:])
        or any(table[HIGHEST_ROW - 1])
        or not table[LAST_ROW_OF_COLUMN_28 - 1][LAST_COLUMN]
        or any(row[column] > column for row in table for column in columns)
        or any(row[column] < row[column - 1] for row in table for column in columns)
        or any(
            below[column] > above[column] for above, below in pairwise(table) for column in columns
        )
    )


def pays_to_hold_back(table: Hits) -> Iterator[tuple[int, int]]:
    """(b) The columns and sums at which −1 is worth more than the column that it costs.

    A gun that is credited costs at least one column, whatever the ship.
    """
    columns = [sums(table, factor) for factor in range(LAST_COLUMN + 1)]
    for factor in range(2, LAST_COLUMN + 1):
        for total in TOTALS[1:]:
            if columns[factor - 1][total - 1] > columns[factor][total]:
                yield factor, total


def is_flat(candidate: Candidate) -> bool:
    """(a) Whether columns flatten."""
    half = LAST_COLUMN // 2
    return candidate.mean(LAST_COLUMN) <= MOST_HITS and all(
        candidate.mean(2 * factor)
        <= candidate.mean(factor) * (STEEPEST_DOUBLING if factor >= 4 else STEEPEST_START)
        for factor in range(1, half + 1)
    )


def is_level(candidate: Candidate) -> bool:
    """Whether an 8-gun phase at long range does about what the basic game does."""
    least, most = LONG_RANGE_PHASE
    return least <= candidate.mean(8) <= most


def danger_far(candidate: Candidate) -> float:
    """Hood's danger from Bismarck at 22,000 yd, as a multiple of that at 14,000 yd."""
    (far, deck), (near, belt) = LONG_HIGH, MEDIUM_HIGH
    return candidate.mean(far, 1) * deck / (candidate.mean(near, 1) * belt)


def search() -> list[Candidate]:
    """The candidates that meet every demand, the best first; prints how many each one costs."""
    left = list(family())
    print(f"{len(left):>5} candidates")
    for demand, meets in (
        ("pinned cells", lambda each: not breaks_pin(each.table)),
        ("(b) no gun pays held back", lambda each: not any(pays_to_hold_back(each.table))),
        ("(a) columns flatten", is_flat),
        ("about three hits at factor 8", is_level),
    ):
        left = [each for each in left if meets(each)]
        print(f"{len(left):>5} after: {demand}")
    # Hood in danger where her decks are weak; then the most hits, for battles that come to an end.
    return sorted(left, key=lambda each: (-round(danger_far(each), 1), -each.mean(LAST_COLUMN)))


def provenance(row: int, factor: int) -> tuple[str, str]:
    """Where a cell comes from: pinned by the book, or by this search."""
    if factor == 1 and HIT_ROWS[row - 1] == "44":
        return "printed", "example of advanced combat: 44 misses in column 1"
    if factor == 1 and row > LAST_ROW_OF_COLUMN_1:
        reason = "at +16 column 1 cannot hit on any roll"
        return "derived", f"example of advanced combat: {reason}"
    return "reconstructed", "README: hit table"


def write(candidate: Candidate, path: Path) -> None:
    """Write a candidate as the ruleset's table."""
    lines = ["row,column,value,provenance,reference"]
    for row, row_name in enumerate(HIT_ROWS, start=LOWEST_ROW):
        for factor, column in enumerate(FACTORS, start=1):
            source, reference = provenance(row, factor)
            lines.append(f"{row_name},{column},{candidate.hits(row, factor)},{source},{reference}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Search, print the best, and write the first of them if asked to."""
    found = search()
    shown = (1, 2, 4, 7, 11, 14, 21, 28)
    for candidate in found[:8]:
        means = "  ".join(f"{factor}: {candidate.mean(factor):.2f}" for factor in shown)
        print(f"{danger_far(candidate):5.2f}  {candidate.name}\n       {means}")
    if "--write" in arguments:
        folder = files("combat.rulebooks.bismarck_advanced") / "tables" / "hit_table.csv"
        write(found[0], Path(str(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
