"""What counts of a pair once players have agreed on it or entered figures of their own."""

import pytest

from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind, RangeLimit
from tabletop.rulings import (
    AS_MEASURED,
    Figures,
    SettledPair,
    Sight,
    Source,
    chances,
    merge_close_calls,
    settle,
)
from tabletop.survey import PairCheck, survey
from tabletop.table import Model, Table
from tests.tabletop.surveyed import BANDED, SIZED, ship

FIRER = ship("firer", 0, 0)


def settled(
    *others: Model, decided: dict[CloseCallKind, str] | None = None, **figures: object
) -> SettledPair:
    check = survey(Table((FIRER, *others)), BANDED)["firer", others[0].name]
    entered = Figures(**figures)  # type: ignore[arg-type]
    return settle(BANDED, check, decided=decided or {}, figures=entered)


def test_without_any_ruling_a_pair_counts_as_measured() -> None:
    pair = settled(ship("target", 0, 9_000))
    assert (pair.range_yards, pair.segment, pair.quadrant) == (9_000, "band_3", Quadrant.BOW)
    assert (pair.blocked, pair.smoke, pair.sources) == (False, False, {})
    assert not AS_MEASURED.has_any


def test_a_decision_moves_the_range_into_its_segment_but_not_what_is_read() -> None:
    target = ship("target", 0, 8_010, sigma=10)
    pair = settled(target, decided={CloseCallKind.RANGE: "band_2"})
    assert (pair.segment, pair.range_yards) == ("band_2", 8_000)
    assert pair.shown_range_yards == 8_010
    assert pair.source(CloseCallKind.RANGE) is Source.AGREED


def test_a_decision_on_a_reading_that_is_gone_counts_for_nothing() -> None:
    target = ship("target", 0, 8_010, sigma=10)
    pair = settled(target, decided={CloseCallKind.RANGE: "band_5"})
    assert (pair.segment, pair.source(CloseCallKind.RANGE)) == ("band_3", Source.MEASURED)


def test_agreed_contact_fixes_the_range() -> None:
    models = ship("a", 0, 0, sigma=20), ship("b", 410, 0, sigma=20)
    check = survey(Table(models), SIZED)["a", "b"]
    assert check.range_yards == 410
    pair = settle(SIZED, check, decided={CloseCallKind.CONTACT: "1000.0"})
    assert pair.range_yards == pair.shown_range_yards == 1_000
    assert pair.range_sigma_yards == 0


@pytest.mark.parametrize(
    ("figures", "question"),
    [
        ({"range_yards": 5_000.0}, CloseCallKind.RANGE),
        ({"quadrant": Quadrant.PORT}, CloseCallKind.QUADRANT),
        ({"aspect": Quadrant.BOW}, CloseCallKind.ASPECT),
        ({"blocked": True}, CloseCallKind.SIGHT),
        ({"smoke": True}, CloseCallKind.SMOKE),
    ],
)
def test_a_figure_counts_and_settles_its_question(
    figures: dict[str, object], question: CloseCallKind
) -> None:
    pair = settled(ship("target", 0, 9_000), **figures)  # type: ignore[arg-type]
    for name, value in figures.items():
        assert getattr(pair, name) == value
    assert pair.source(question) is Source.BY_HAND
    assert Figures(**figures).settles(question)  # type: ignore[arg-type]
    others = set(CloseCallKind) - {question, CloseCallKind.CONTACT}
    assert not any(Figures(**figures).settles(each) for each in others)  # type: ignore[arg-type]


def test_a_figure_beats_a_decision() -> None:
    target = ship("target", 0, 8_010, sigma=10)
    pair = settled(target, decided={CloseCallKind.RANGE: "band_2"}, range_yards=12_500.0)
    assert (pair.range_yards, pair.segment) == (12_500, "band_4")
    assert pair.shown_range_yards == 12_500
    assert [call.what for call in pair.close_calls] == []


def test_both_bearings_settle_two_ships_on_one_spot() -> None:
    pair = settled(ship("target", 0, 0), quadrant=Quadrant.BOW, aspect=Quadrant.STERN)
    assert (pair.quadrant, pair.aspect, pair.close_calls) == (Quadrant.BOW, Quadrant.STERN, ())
    half = settled(ship("target", 0, 0), quadrant=Quadrant.BOW)
    assert [call.what for call in half.close_calls] == [CloseCallKind.POSITION]


def test_a_line_ruled_clear_has_no_blockers() -> None:
    ships = ship("target", 0, 9_000), ship("between", 0, 5_000, 90)
    measured, clear = settled(*ships), settled(*ships, blocked=False)
    assert [blocker.name for blocker in measured.blockers] == ["between"]
    assert (clear.blocked, clear.blockers) == (False, ())


def test_several_limits_are_one_question_with_all_readings() -> None:
    check = survey(Table((FIRER, ship("target", 0, 6_000, sigma=1_200))), BANDED)["firer", "target"]
    (call,) = (
        each for each in merge_close_calls(check.close_calls) if each.what is CloseCallKind.RANGE
    )
    assert call.readings[0] == "band_2"
    assert set(call.readings) == {"band_1", "band_2", "band_3"}


def test_figures_backwards_swap_the_ends_and_leave_the_blocker_out() -> None:
    said = Figures(9_000, Quadrant.BOW, Quadrant.PORT, blocked=True, smoke=True)
    assert said.mirrored == Figures(9_000, Quadrant.PORT, Quadrant.BOW, blocked=None, smoke=True)
    own = Figures(aspect=Quadrant.STERN, blocked=False)
    assert own.over(said) == Figures(9_000, Quadrant.BOW, Quadrant.STERN, blocked=False, smoke=True)


def test_sight_says_what_lies_on_the_line() -> None:
    for blocked in (False, True):
        for smoke in (False, True):
            sight = Sight.of(blocked=blocked, smoke=smoke)
            assert (sight.is_blocked, sight.is_smoky) == (blocked, smoke)


MEDIUM = RangeLimit(12_000.0, action="guns 1")
SHORT = RangeLimit(11_950.0, action="guns 2")


class TestLimitsOfAPair:
    """Bands of range that belong to a battery, not to the table."""

    def check(self, range_yards: float, *limits: RangeLimit, sigma: float = 22.0) -> PairCheck:
        target = ship("target", 0, range_yards, sigma=sigma)
        found = survey(Table((FIRER, target)), SIZED, lambda *_: limits)
        return found["firer", "target"]

    def test_a_range_within_two_sigma_of_a_limit_is_too_close_to_call(self) -> None:
        (call,) = self.check(12_001, MEDIUM).close_calls
        assert (call.what, call.limit, call.margin) == (CloseCallKind.RANGE, 12_000.0, 1.0)
        assert call.readings == (12_001.0, 12_000.0), "as measured first"
        assert call.ends == (MEDIUM,)
        assert (call.matters_to("guns 1"), call.matters_to("guns 2")) == (True, False)

    def test_the_readings_do_not_follow_the_measurement(self) -> None:
        (call,) = self.check(11_990.4, MEDIUM).close_calls
        assert call.readings == (12_000.0, 12_001.0)

    @pytest.mark.parametrize(("yards", "sigma"), [(12_045, 22.0), (11_955, 22.0), (12_000, 0.0)])
    def test_elsewhere_and_without_doubt_there_is_none(self, yards: float, sigma: float) -> None:
        assert self.check(yards, MEDIUM, sigma=sigma).close_calls == ()

    @pytest.mark.parametrize("reading", [12_000.0, 12_001.0])
    def test_a_decision_counts_and_what_was_measured_is_read(self, reading: float) -> None:
        check = self.check(12_000.6, MEDIUM)
        pair = settle(SIZED, check, decided={CloseCallKind.RANGE: str(reading)})
        assert (pair.range_yards, pair.shown_range_yards) == (reading, 12_000.6)
        assert pair.source(CloseCallKind.RANGE) is Source.AGREED

    def test_two_limits_leave_three_readings(self) -> None:
        check = self.check(11_975, MEDIUM, SHORT)
        (call,) = merge_close_calls(check.close_calls)
        assert call.readings == (12_000.0, 11_950.0, 12_001.0)
        likely = chances(SIZED, check, call, check.range_sigma_yards)
        assert sum(chance or 0.0 for chance in likely) == pytest.approx(1.0)
        assert likely[1] == pytest.approx(likely[2])
