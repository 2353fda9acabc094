"""kill -9 under load: every acknowledged action is there after the restart, none twice.

`make soak` cuts the power a hundred times.
"""

import sys

import pytest

from benchmarks.powercut import run


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is for systems that have it")
def test_nothing_acknowledged_is_lost_and_nothing_done_twice() -> None:
    tally = run(5)
    assert tally.cuts == 5
    assert len(tally.acknowledged) >= 10
    assert {len(mark) == 64 for mark in tally.acknowledged} == {True, False}, "moves and plots"
    assert (tally.lost, tally.twice) == ([], [])
    assert tally.opens
