"""All ordered pairs of a table with sight, against a plain per-pair shapely loop."""

import resource
from functools import partial

from benchmarks.pairwise import plain_survey
from benchmarks.scenes import random_table
from benchmarks.timing import best_seconds
from combat.rulebooks import get_ruleset
from tabletop.rules import TableRules
from tabletop.survey import survey
from tabletop.table import Base, Model, Pose, Table

FLEETS = (15, 30, 60)
HEAP = 200


def main() -> None:
    """Print the ratios for each ruleset and the growth with the number of ships.

    "Measured" is the whole result as arrays: what the loop finds, and every uncertainty besides.
    "Listed" goes on to make an object of every pair, with all close calls, which the loop never
    looks for.
    """
    print("Survey of all ordered pairs with sight; baseline: a plain per-pair shapely loop")
    print(f"{'ruleset':<20}{'ships':>6}{'loop':>12}{'measured':>21}{'listed':>21}")
    for name in ("bismarck-advanced", "grand-fleets"):
        rules = get_ruleset(name).table_rules
        ours = {}
        for ships in FLEETS:
            table = random_table(ships, seed=1941)
            _same_answer(table, rules)
            loop = best_seconds(partial(plain_survey, table, rules), rounds=3)
            ours[ships] = best_seconds(partial(_measured, table, rules), rounds=15)
            listed = best_seconds(partial(_listed, table, rules), rounds=15)
            print(
                f"{name:<20}{ships:>6}{loop * 1e3:>9.1f} ms"
                f"{ours[ships] * 1e3:>9.2f} ms{f'({loop / ours[ships]:.0f}×)':>9}"
                f"{listed * 1e3:>9.2f} ms{f'({loop / listed:.0f}×)':>9}"
            )
        print(f"{'':<20}growth from 15 to 60 ships: {ours[60] / ours[15]:.1f}× (pairs: 16.9×)")
        seconds, megabytes = _heap(rules)
        print(
            f"{'':<20}{HEAP} ships on one spot: {seconds:.2f} s (under 1), "
            f"{megabytes:.0f} MB more memory (under 300)"
        )


def _heap(rules: TableRules) -> tuple[float, float]:
    """The time and the memory that a heap of ships takes, each over all others."""
    models = (
        Model(f"ship {number}", Pose(5_000, 5_000, 1.7 * number, 15.0, 0.5), Base(1_000, 400))
        for number in range(HEAP)
    )
    table = Table(tuple(models))

    def work() -> None:
        result = survey(table, rules)
        assert result.blocked.sum() == HEAP * (HEAP - 1)
        assert result.summary("ship 0", "ship 1").blocked

    before_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = best_seconds(work, rounds=3)
    after_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return seconds, (after_kilobytes - before_kilobytes) / 1024


def _measured(table: Table, rules: TableRules) -> None:
    result = survey(table, rules)
    _ = result.range_yards, result.quadrant_codes, result.blocked, result.through_smoke


def _listed(table: Table, rules: TableRules) -> None:
    list(survey(table, rules))


def _same_answer(table: Table, rules: TableRules) -> None:
    """Being quick counts only for the same result."""
    for ours, plain in zip(survey(table, rules), plain_survey(table, rules), strict=True):
        assert abs(ours.range_yards - plain.range_yards) < 1e-6
        assert (ours.quadrant, ours.aspect) == (plain.quadrant, plain.aspect)
        assert ours.smoke == plain.smoke
        assert [b.name for b in ours.blockers] == [name for name, _ in plain.blockers]


if __name__ == "__main__":
    main()
