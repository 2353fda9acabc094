"""Combat phases: two a round, counted through the battle."""

from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.phases import CombatPhase, Segment


@given(st.integers(1, 99), st.sampled_from(Segment))
def test_a_phase_knows_its_round_and_segment(round_number: int, segment: Segment) -> None:
    phase = CombatPhase.of(round_number, segment)
    assert (phase.round_number, phase.segment) == (round_number, segment)


def test_phases_follow_one_another() -> None:
    first = CombatPhase.of(1, Segment.INITIAL)
    assert first.later(1) == CombatPhase.of(1, Segment.SECOND)
    assert first.later(2) == CombatPhase.of(2, Segment.INITIAL)
    assert first < first.later(1) < first.later(2)
