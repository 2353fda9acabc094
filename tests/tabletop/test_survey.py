"""The survey against its plain shapely twin, its degenerate cases, and its close calls."""

import math
from dataclasses import fields

import numpy as np
import pytest

from benchmarks.pairwise import plain_survey
from benchmarks.scenes import random_table
from tabletop import sight
from tabletop.arcs import Arcs
from tabletop.closecall import CloseCallKind
from tabletop.errors import DreyerError, UnknownName
from tabletop.measure import BoolArray
from tabletop.messages import Message, ShipRef
from tabletop.rules import RangeSegment, TableRules
from tabletop.sight import Crossings, SightRule
from tabletop.survey import PairCheck, survey
from tabletop.table import Model, SmokeFront, Table
from tests.tabletop.surveyed import BANDED, SIZED, ship


def check(rules: TableRules, *models: Model, smoke: tuple[SmokeFront, ...] = ()) -> PairCheck:
    """What the first ship says of the second; the others stand about."""
    return survey(Table(models, smoke), rules)[models[0].name, models[1].name]


@pytest.mark.parametrize("rules", [BANDED, SIZED], ids=["banded", "sized"])
@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_the_plain_shapely_loop(rules: TableRules, seed: int) -> None:
    table = random_table(3 + 3 * seed, seed)
    plain = plain_survey(table, rules)
    quick = list(survey(table, rules))
    assert len(quick) == len(plain) == len(table.models) * (len(table.models) - 1)
    for ours, twin in zip(quick, plain, strict=True):
        assert (ours.firer, ours.target) == (twin.firer, twin.target)
        assert ours.range_yards == pytest.approx(twin.range_yards, abs=1e-6)
        assert ours.bearing_deg == pytest.approx(twin.bearing_deg, abs=1e-9)
        assert ours.relative_bearing_deg == pytest.approx(twin.relative_bearing_deg, abs=1e-9)
        assert (ours.quadrant, ours.aspect) == (twin.quadrant, twin.aspect)
        assert ours.segment == twin.segment
        assert [b.name for b in ours.blockers] == [name for name, _ in twin.blockers]
        for blocker, (_, at_yards) in zip(ours.blockers, twin.blockers, strict=True):
            assert blocker.at_yards == pytest.approx(at_yards, abs=1e-6)
        assert ours.blocked == bool(twin.blockers)
        assert ours.smoke == twin.smoke


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", [BANDED, SIZED])
def test_a_glance_says_what_the_whole_check_says(rules: TableRules, seed: int) -> None:
    seen = survey(random_table(12, seed=seed), rules)
    for check in seen:
        summary = seen.summary(check.firer, check.target)
        assert all(getattr(summary, f.name) == getattr(check, f.name) for f in fields(summary))


def test_the_random_tables_hold_every_case() -> None:
    """A twin test proves nothing about cases that its tables never show."""
    checks = [c for seed in range(12) for c in survey(random_table(36, seed), SIZED)]
    assert {c.quadrant for c in checks} == {"bow", "stern", "port", "starboard"}
    assert any(c.blocked for c in checks)
    assert any(c.smoke for c in checks)
    assert any(c.range_yards == 1000.0 for c in checks), "no bases in contact"
    assert {call.what for c in checks for call in c.close_calls} >= {"quadrant", "sight", "contact"}


class TestRangeSegments:
    def test_a_limit_belongs_to_the_nearer_segment(self) -> None:
        on_limit = check(BANDED, ship("a", 0, 0), ship("b", 2400, 3200))
        assert on_limit.range_yards == 4000.0
        assert on_limit.segment == "band_1"

    def test_on_the_limit_is_a_close_call_even_without_uncertainty(self) -> None:
        (call,) = check(BANDED, ship("a", 0, 0), ship("b", 0, 8000)).close_calls
        assert call.what is CloseCallKind.RANGE
        assert (call.limit, call.readings, call.margin) == (8000.0, ("band_2", "band_3"), 0.0)

    def test_a_hair_beyond_the_limit_is_not(self) -> None:
        beyond = check(BANDED, ship("a", 0, 0), ship("b", 0, 8000.001))
        assert beyond.segment == "band_3"
        assert beyond.close_calls == ()

    @pytest.mark.parametrize(("range_yards", "is_close"), [(19_950, True), (19_899, False)])
    def test_two_sigma_decide(self, range_yards: float, is_close: bool) -> None:
        """σ of 30 and 40 yd make 50 together, so 100 yd from the limit is the edge."""
        result = check(BANDED, ship("a", 0, 0, sigma=30), ship("b", 0, range_yards, sigma=40))
        assert result.range_sigma_yards == pytest.approx(50)
        calls = [c for c in result.close_calls if c.what is CloseCallKind.RANGE]
        assert bool(calls) == is_close
        if is_close:
            assert calls[0].limit == 20_000
            assert calls[0].readings == ("band_5", "band_6")
            assert calls[0].margin == pytest.approx(50)

    def test_past_the_last_limit(self) -> None:
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 28_010, sigma=20))
        assert result.segment == "out_of_range"
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.RANGE)
        assert call.readings == ("out_of_range", "band_7")

    def test_segments_must_grow(self) -> None:
        with pytest.raises(DreyerError, match=r"tabletop\.segments\.order"):
            TableRules(Arcs(), SightRule(), (RangeSegment("a", 5), RangeSegment("b", 5)))


class TestQuadrants:
    @pytest.mark.parametrize(
        ("relative", "expected"),
        [
            (0, "bow"),
            (44.9, "bow"),
            (45, "starboard"),
            (135, "starboard"),
            (135.1, "stern"),
            (180, "stern"),
            (224.9, "stern"),
            (225, "port"),
            (315, "port"),
            (315.1, "bow"),
        ],
    )
    @pytest.mark.parametrize("heading", [0, 10, 45, 123.4, 359])
    def test_on_the_line_is_broadside(self, relative: float, expected: str, heading: float) -> None:
        bearing = math.radians(heading + relative)
        target = ship("b", 9000 * math.sin(bearing), 9000 * math.cos(bearing))
        result = check(BANDED, ship("a", 0, 0, heading), target)
        assert result.quadrant == expected
        on_line = relative in (45, 135, 225, 315)
        assert any(c.what is CloseCallKind.QUADRANT for c in result.close_calls) == on_line

    def test_the_call_names_the_line_and_both_readings(self) -> None:
        result = check(BANDED, ship("a", 0, 0, 46, heading_sigma=1.0), ship("b", 0, 9000))
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.QUADRANT)
        assert call.limit == 315.0
        assert call.readings == ("port", "bow")
        assert call.margin == pytest.approx(1.0)

    def test_aspect_is_the_targets_quadrant(self) -> None:
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 9000, 90))
        assert (result.quadrant, result.aspect) == ("bow", "starboard")

    def test_a_near_miss_of_the_targets_line_is_an_aspect_call(self) -> None:
        target = ship("b", 0, 9000, 136, heading_sigma=2)
        result = check(BANDED, ship("a", 0, 0), target)
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.ASPECT)
        assert call.readings == ("bow", "starboard")


class TestOneSpot:
    def test_no_bearing_and_a_close_call(self) -> None:
        result = check(BANDED, ship("a", 500, 500), ship("b", 500, 500, 90))
        assert result.range_yards == 0.0
        assert result.bearing_deg is result.relative_bearing_deg is None
        assert result.quadrant is result.aspect is None
        (call,) = result.close_calls
        assert call.what is CloseCallKind.POSITION

    def test_a_third_base_on_the_spot_blocks(self) -> None:
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 0), ship("c", 100, 0))
        assert [(b.name, b.at_yards) for b in result.blockers] == [("c", 0.0)]

    def test_nearly_one_spot_leaves_all_quadrants_open(self) -> None:
        result = check(BANDED, ship("a", 0, 0, sigma=50), ship("b", 0, 10, sigma=50))
        lines = [c.limit for c in result.close_calls if c.what is CloseCallKind.QUADRANT]
        assert lines == [45.0, 135.0, 225.0, 315.0]
        others = {c.readings for c in result.close_calls if c.what is CloseCallKind.QUADRANT}
        assert others == {("bow", "starboard"), ("bow", "stern"), ("bow", "port")}


class TestBlockedSight:
    def test_near_target_is_hidden_by_anything_on_the_line(self) -> None:
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 15_000), ship("c", 0, 9_000, 90))
        assert [(b.name, b.at_yards) for b in result.blockers] == [("c", 8_800.0)]

    def test_far_target_only_by_what_is_near_the_firer(self) -> None:
        ships = ship("a", 0, 0), ship("b", 0, 17_000), ship("c", 0, 9_000, 90)
        assert not check(BANDED, *ships).blocked
        near = ship("d", 0, 4_100, 90)
        assert [b.name for b in check(BANDED, *ships, near).blockers] == ["d"]

    def test_the_reach_counts_from_the_firer_alone(self) -> None:
        ships = ship("a", 0, 0), ship("b", 0, 17_000), ship("c", 0, 3_000, 90)
        result = survey(Table(ships), BANDED)
        assert result["a", "b"].blocked
        assert not result["b", "a"].blocked

    def test_beyond_the_longest_range_sight_is_judged_as_at_it(self) -> None:
        ships = ship("a", 0, 0), ship("b", 0, 90_000), ship("c", 0, 3_000, 90)
        assert check(BANDED, *ships).blocked

    def test_meeting_exactly_at_the_reach_counts_and_is_close(self) -> None:
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 17_000), ship("c", 0, 4_500))
        assert [b.at_yards for b in result.blockers] == [4_000.0]
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.SIGHT)
        assert (call.limit, call.readings, call.margin) == (4_000.0, ("blocked", "clear"), 0.0)

    def test_a_corner_touched_blocks_and_is_a_close_call(self) -> None:
        touching = ship("c", 200, 5_000)
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), touching)
        assert result.blocked
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.SIGHT)
        assert call.limit == Message("tabletop.limit.edge", ship=ShipRef("c"))
        assert call.readings == ("blocked", "clear")
        assert call.margin == pytest.approx(0, abs=1e-6)

    @pytest.mark.parametrize("heading", [0.0, 30.0, 45.0, 77.7])
    def test_a_single_corner_point_touched(self, heading: float) -> None:
        """The base stands on its corner beside the line, wherever the line points."""
        along = math.radians(heading)
        ahead, right = (math.sin(along), math.cos(along)), (math.cos(along), -math.sin(along))
        half = math.hypot(500, 500)
        x, y = (5_000 * a + half * r for a, r in zip(ahead, right, strict=True))
        target = ship("b", 10_000 * ahead[0], 10_000 * ahead[1])
        blocker = ship("c", x, y, heading + 45, length=1000, width=1000)
        result = check(BANDED, ship("a", 0, 0), target, blocker)
        assert [b.name for b in result.blockers] == ["c"]
        assert result.blockers[0].at_yards == pytest.approx(5_000, abs=1e-3)

    def test_clear_by_a_hair_is_clear(self) -> None:
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), ship("c", 200.001, 5_000))
        assert not result.blocked
        assert result.close_calls == ()

    @pytest.mark.parametrize(("beside", "blocked"), [(230, False), (170, True)])
    def test_an_edge_within_two_sigma_is_a_close_call(self, beside: float, blocked: bool) -> None:
        blocker = ship("c", beside, 5_000, sigma=20)
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), blocker)
        assert result.blocked == blocked
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.SIGHT)
        assert call.readings[0] == ("blocked" if blocked else "clear")
        assert call.margin == pytest.approx(30)

    def test_an_edge_beyond_the_reach_is_nobodys_business(self) -> None:
        blocker = ship("c", 210, 9_000, sigma=20)
        assert check(BANDED, ship("a", 0, 0), ship("b", 0, 17_000), blocker).close_calls == ()

    def test_a_range_in_doubt_puts_the_sight_in_doubt(self) -> None:
        result = check(
            BANDED,
            ship("a", 0, 0, sigma=10),
            ship("b", 0, 15_990, sigma=10),
            ship("c", 0, 9_000),
        )
        assert result.blocked
        calls = {c.what: c for c in result.close_calls}
        assert calls[CloseCallKind.RANGE].limit == 16_000
        assert calls[CloseCallKind.SIGHT].limit == 16_000
        assert calls[CloseCallKind.SIGHT].readings == ("blocked", "clear")

    def test_own_bases_never_block(self) -> None:
        assert not check(BANDED, ship("a", 0, 0), ship("b", 0, 300)).blocked

    def test_nearest_blocker_first(self) -> None:
        result = check(
            BANDED,
            ship("a", 0, 0),
            ship("b", 0, 12_000),
            ship("far", 0, 9_000),
            ship("near", 0, 3_000),
        )
        assert [b.name for b in result.blockers] == ["near", "far"]


class TestSizes:
    @pytest.mark.parametrize(
        ("firer", "target", "between", "blocked"),
        [
            ("large", "small", "small", True),
            ("large", "small", "very small", False),
            ("small", "large", "medium", True),
            ("large", "large", "medium", False),
            ("large", "large", "very large", True),
            (None, "large", "medium", True),
        ],
    )
    def test_as_large_as_the_smaller_blocks(
        self, firer: str | None, target: str, between: str, blocked: bool
    ) -> None:
        result = check(
            SIZED,
            ship("a", 0, 0, size=firer),
            ship("b", 0, 20_000, size=target),
            ship("c", 0, 10_000, size=between),
        )
        assert result.blocked == blocked

    def test_unknown_size(self) -> None:
        with pytest.raises(UnknownName, match=r"errors\.unknown_name\.like\(.*nearest='large'"):
            check(SIZED, ship("a", 0, 0, size="lrge"), ship("b", 0, 1))


class TestContact:
    def test_touching_bases_are_at_the_contact_range(self) -> None:
        result = check(SIZED, ship("a", 0, 0, bridge=100), ship("b", 0, 1000, bridge=300))
        assert result.range_yards == 1000.0
        assert result.range_sigma_yards == 0.0
        (call,) = result.close_calls
        assert call.what is CloseCallKind.CONTACT
        assert call.readings == (1000.0, 1200.0)

    def test_overlapping_bases_too_without_doubt(self) -> None:
        result = check(SIZED, ship("a", 0, 0), ship("b", 150, 0, sigma=10))
        assert result.range_yards == 1000.0
        assert not any(c.what is CloseCallKind.CONTACT for c in result.close_calls)

    def test_apart_is_measured_bridge_to_bridge(self) -> None:
        result = check(SIZED, ship("a", 0, 0, bridge=100), ship("b", 0, 1001, bridge=300))
        assert result.range_yards == pytest.approx(1201)

    def test_nearly_in_contact_is_a_close_call(self) -> None:
        result = check(SIZED, ship("a", 0, 0), ship("b", 0, 1030, sigma=20))
        (call,) = (c for c in result.close_calls if c.what is CloseCallKind.CONTACT)
        assert call.readings == (1030.0, 1000.0)
        assert call.margin == pytest.approx(30)

    def test_without_the_rule_contact_means_nothing(self) -> None:
        assert check(BANDED, ship("a", 0, 0), ship("b", 0, 900)).range_yards == 900


class TestSmoke:
    def test_across_the_line(self) -> None:
        front = SmokeFront(-1000, 5000, 1000, 5000)
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), smoke=(front,))
        assert result.smoke
        assert not result.blocked

    def test_beyond_the_target(self) -> None:
        front = SmokeFront(-1000, 10_001, 1000, 10_001)
        assert not check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), smoke=(front,)).smoke

    def test_its_end_on_the_line_counts_and_is_close(self) -> None:
        front = SmokeFront(0, 5000, 1000, 5000)
        result = check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), smoke=(front,))
        assert result.smoke
        (call,) = result.close_calls
        assert (call.what, call.limit) == (
            CloseCallKind.SMOKE,
            Message("tabletop.limit.smoke", number=1),
        )

    def test_along_the_line(self) -> None:
        front = SmokeFront(0, 2000, 0, 5000)
        assert check(BANDED, ship("a", 0, 0), ship("b", 0, 10_000), smoke=(front,)).smoke

    def test_hides_at_any_range(self) -> None:
        front = SmokeFront(-1000, 20_000, 1000, 20_000)
        assert check(BANDED, ship("a", 0, 0), ship("b", 0, 27_000), smoke=(front,)).smoke


def test_one_ship_has_no_pairs() -> None:
    assert list(survey(Table((ship("a", 0, 0),)), BANDED)) == []


def test_no_ship_is_an_error() -> None:
    with pytest.raises(DreyerError, match=r"tabletop\.empty"):
        survey(Table(()), BANDED)


def test_unknown_names_offer_the_nearest() -> None:
    result = survey(Table((ship("Hood", 0, 0), ship("Bismarck", 1, 1))), BANDED)
    with pytest.raises(UnknownName, match=r"errors\.unknown_name\.like\(.*nearest='Bismarck'"):
        result["Hood", "Bismark"]
    with pytest.raises(DreyerError, match=r"tabletop\.itself\(ship=Hood\)"):
        result["Hood", "Hood"]


def _smoky(ships: int, fronts: int) -> Table:
    """Ships in one lump, at which smoke fronts end."""
    return Table(
        tuple(ship(f"s{n}", n % 5, 0, n % 360, sigma=20) for n in range(ships)),
        tuple(SmokeFront(-900 + 5 * n, -800, n % 5, 0) for n in range(fronts)),
    )


def test_much_smoke_among_many_ships_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vars(Crossings)["met"].fget
    asked = []

    def met(crossings: Crossings) -> BoolArray:
        asked.append(len(crossings.firer))
        found: BoolArray = whole(crossings)
        return found

    monkeypatch.setattr(Crossings, "met", property(met))
    result = survey(_smoky(120, 120), BANDED)
    assert len(result.smoke.portions) > 20
    calls = result["s0", "s7"].close_calls
    assert sum(each.what is CloseCallKind.SMOKE for each in calls) > 10
    # Not once for every close call, of which there are thousands.
    assert len(asked) < 6
    assert max(asked) < 200_000


def test_smoke_is_the_same_in_any_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = survey(_smoky(9, 6), BANDED)
    monkeypatch.setattr(sight, "_MOST_KEPT", 100)
    parts = survey(_smoky(9, 6), BANDED)
    assert (len(whole.smoke.portions), len(parts.smoke.portions)) == (1, 9)
    assert np.array_equal(whole.through_smoke, parts.through_smoke)
    assert list(whole) == list(parts)
