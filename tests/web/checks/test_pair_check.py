"""What a check says: measured, agreed or entered by hand, and what each reading would mean."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from combat.forecast import Forecast
from combat.free_play import FreeState
from combat.provenance import Provenance
from combat.rulebooks import get_ruleset
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.messages import Message
from tabletop.rulings import Source
from tabletop.table import Pose
from tests.rulebooks import QUIET, quiet_rules, registered
from tests.web.conftest import ReadTable, ShipToml
from web.checks.check_document import check_document
from web.checks.check_view import check_page, outcome_title
from web.checks.odds_panel import chance_text, hit_bars
from web.checks.pair_check import Check, CheckContext, check_pair
from web.checks.rule_answers import NoOddsReason, _odds
from web.drawing.dials import dial_of, ruler_of, wedges_of
from web.table.free_battle import FreeBattle
from web.table.pieces import Decision, PairPoses, Ruling

HERE = Pose(0.0, 0.0, 0.0)
STANDING = PairPoses(HERE, HERE)
Lay = Callable[..., CheckContext]


def decided(what: str, reading: str, who: str = "Ann") -> dict[str, Decision]:
    return {what: Decision(who, 0.0, STANDING, what=what, reading=reading)}


def ruling(**figures: object) -> Ruling:
    plain = dict.fromkeys(("range_yards", "quadrant", "aspect", "blocked", "smoke"))
    return Ruling(
        **{**plain, **figures},  # type: ignore[arg-type]
        reason="measured with a tape",
        who="Ann",
        seconds=0.0,
        standing=STANDING,
    )


@pytest.fixture
def lay(read_table: ReadTable, ship_toml: ShipToml) -> Lay:
    """Hood in the origin heading up, and Bismarck at a range dead on her starboard beam."""

    def write(
        range_yards: float = 18_000.0, *more: str, ruleset: str = "bismarck-advanced", **keys: float
    ) -> CheckContext:
        sigma = {"position_sigma_mm": 1.6, "heading_sigma_deg": 0.6, **keys}
        table = read_table(
            f'ruleset = "{ruleset}"\n'
            + ship_toml("Hood", 0, 0, 0, **sigma)
            + ship_toml("Bismarck", range_yards, 0, 0, **sigma)
            + "".join(more)
        )
        rules = table.scene.ruleset
        battle = FreeBattle(rules.rulebook(rules.tables), FreeState()) if rules.rulebook else None
        return CheckContext(table.scene, table.result, battle)

    return write


def look(context: CheckContext, **more: object) -> Check:
    return check_pair(context, "Hood", "Bismarck", **more)  # type: ignore[arg-type]


def test_a_plain_check_measures_and_foretells(lay: Lay) -> None:
    check = look(lay())
    assert check.settled.segment == "long_low"
    assert (check.settled.quadrant, check.settled.aspect) == (Quadrant.STARBOARD, Quadrant.PORT)
    assert check.doubts == ()
    assert check.silence is None
    assert check.answer is not None
    assert check.answer.preview.factor == 5
    assert check.answer.expected_hits == pytest.approx(40 / 36)
    assert check.answer.provenance is Provenance.RECONSTRUCTED
    assert [each.kind for each in check.offers] == ["main", "secondary", "torpedoes"]
    assert check.battery == "main"


def test_another_battery_is_asked_for_by_name_and_a_strange_one_ignored(lay: Lay) -> None:
    assert look(lay(), battery="secondary").battery == "secondary"
    assert look(lay(), battery="catapult").battery == "main"


def test_a_close_call_shows_both_readings_with_their_chances(lay: Lay) -> None:
    check = look(lay(19_950.0))
    (doubt,) = check.doubts
    assert doubt.call.what is CloseCallKind.RANGE
    near, far = doubt.readings
    assert (near.key, far.key) == ("long_low", "long_high")
    assert near.chosen
    assert near.measured
    sigma = check.measured.range_sigma_yards
    assert near.chance == pytest.approx(0.5 * (1 + math.erf(50 / sigma / math.sqrt(2))))
    assert near.chance is not None
    assert far.chance == pytest.approx(1 - near.chance)
    assert near.answer is not None
    assert far.answer is not None
    assert (near.answer.preview.factor, far.answer.preview.factor) == (5, 3)
    assert near.answer.expected_hits > far.answer.expected_hits


def test_a_measurement_that_reaches_over_two_limits_has_three_readings(lay: Lay) -> None:
    """All of them are offered with their chances, and any of them can be agreed on."""
    context = lay(18_000.0, position_sigma_mm=80.0)
    (doubt,) = [each for each in look(context).doubts if each.call.what is CloseCallKind.RANGE]
    keys = [reading.key for reading in doubt.readings]
    assert keys[0] == "long_low"
    assert set(keys) == {"medium_high", "long_low", "long_high"}
    chances = [reading.chance or 0.0 for reading in doubt.readings]
    assert sum(chances) == pytest.approx(1.0)
    assert min(chances) > 0
    for key in keys:
        check = look(context, decisions=decided("range", key))
        assert check.settled.segment == key
        assert CloseCallKind.RANGE not in [
            each.call.what for each in check.doubts if not each.decision
        ]
    told = {each.what: each for each in check_document(context, look(context)).doubts}
    assert set(told[CloseCallKind.RANGE].limits) == {16_000, 20_000}
    assert len(check_page(context, look(context)).doubts) == len(look(context).doubts)


def test_a_decision_counts_and_says_so(lay: Lay) -> None:
    check = look(lay(19_950.0), decisions=decided("range", "long_high"))
    assert check.settled.segment == "long_high"
    assert check.settled.source(CloseCallKind.RANGE) is Source.AGREED
    assert check.open_doubt is None
    assert check.doubts[0].decision is not None
    assert check.answer is not None
    assert check.answer.preview.factor == 3
    # What was measured stays what was measured.
    assert check.measured.segment == "long_low"
    assert check.measured.range_yards == pytest.approx(19_950.0)


def test_a_decision_on_another_limit_decides_nothing(lay: Lay) -> None:
    check = look(lay(15_980.0), decisions=decided("range", "long_high"))
    assert check.open_doubt is not None
    assert check.settled.segment == "medium_high"


@pytest.mark.parametrize(("reading", "inside"), [("extreme", 28_000.0), ("out_of_range", 28_001.0)])
def test_the_last_limit_can_be_decided_either_way(lay: Lay, reading: str, inside: float) -> None:
    context = lay(28_010.0 if reading == "extreme" else 27_990.0)
    check = look(context, decisions=decided("range", reading))
    assert check.settled.segment == reading
    assert check.settled.range_yards == pytest.approx(inside)
    assert check.answer is not None
    assert bool(check.answer.preview.forbidden) == (reading == "out_of_range")


def test_a_quadrant_in_doubt_has_a_ruler_and_its_own_sigma(lay: Lay, ship_toml: ShipToml) -> None:
    context = lay(
        18_000.0, ship_toml("Tirpitz", 10_000.0, 10_080.0, 90.0, position_sigma_mm=1.6,
                            heading_sigma_deg=0.6)
    )  # fmt: skip
    check = check_pair(context, "Hood", "Tirpitz")
    questions = [doubt.call.what for doubt in check.doubts]
    assert questions == [CloseCallKind.QUADRANT, CloseCallKind.ASPECT]
    for doubt in check.doubts:
        assert doubt.sigma
        assert doubt.readings[0].chance is not None
        assert 0.5 < doubt.readings[0].chance < 1
        ruler = ruler_of(check.measured, doubt.call, doubt.sigma)
        assert ruler is not None
        assert ruler.limit_label.words == "line"
        assert ruler.low < ruler.reading < ruler.high
        assert min(ruler.low, ruler.limit) >= 0
        assert max(ruler.high, ruler.limit) <= ruler.width
    after = check_pair(context, "Hood", "Tirpitz", decisions=decided("quadrant", "starboard"))
    assert after.settled.quadrant is Quadrant.STARBOARD
    assert [doubt.decision is None for doubt in after.doubts] == [False, True]


def test_a_line_along_an_edge_may_be_agreed_blocked(lay: Lay, ship_toml: ShipToml) -> None:
    # Her base is 400 yards wide: its edge is 20 yards off the line.
    context = lay(
        12_500.0,
        ship_toml("Norfolk", 6_000.0, 220.0, 90.0, position_sigma_mm=1.6, heading_sigma_deg=0.1),
    )
    check = look(context)
    (doubt,) = check.doubts
    assert doubt.call.what is CloseCallKind.SIGHT
    assert [reading.key for reading in doubt.readings] == ["clear", "blocked"]
    assert doubt.readings[1].answer is not None
    assert check.answer is not None
    assert doubt.readings[1].answer.preview.total == check.answer.preview.total + 15
    blocked = look(context, decisions=decided("sight", "blocked"))
    assert blocked.settled.blocked
    assert check_page(context, blocked).blockers == ()


def test_smoke_in_doubt_may_be_agreed(lay: Lay) -> None:
    context = lay(12_500.0, "[[smoke]]\nx1 = 6000\ny1 = 10\nx2 = 6000\ny2 = 3000\n")
    (doubt,) = look(context).doubts
    assert doubt.call.what is CloseCallKind.SMOKE
    assert look(context, decisions=decided("smoke", "through smoke")).settled.smoke
    assert not look(context, decisions=decided("smoke", "clear of smoke")).settled.smoke


def test_figures_by_hand_settle_what_they_name_and_nothing_else(lay: Lay) -> None:
    check = look(lay(19_950.0), ruling=ruling(range_yards=18_400.0, blocked=True))
    assert check.settled.range_yards == 18_400.0
    assert check.settled.range_sigma_yards == 0.0
    assert check.settled.segment == "long_low"
    assert check.settled.blocked
    assert not check.settled.smoke
    assert check.doubts == ()
    assert check.settled.source(CloseCallKind.RANGE) is Source.BY_HAND
    assert check.settled.source(CloseCallKind.QUADRANT) is Source.MEASURED
    turned = look(lay(), ruling=ruling(quadrant="bow", aspect="stern", smoke=True))
    assert (turned.settled.quadrant, turned.settled.aspect) == (Quadrant.BOW, Quadrant.STERN)
    assert turned.settled.smoke


def test_a_figure_by_hand_outweighs_an_older_decision(lay: Lay) -> None:
    check = look(
        lay(19_950.0),
        decisions=decided("range", "long_high"),
        ruling=ruling(range_yards=19_900.0),
    )
    assert check.settled.segment == "long_low"


def test_two_ships_on_one_spot_have_no_bearing_until_it_is_entered(lay: Lay) -> None:
    context = lay(0.0)
    check = look(context)
    assert check.silence is NoOddsReason.BEARING
    assert check.answer is None
    assert check.doubts[0].readings == ()
    assert check_page(context, check).quadrant is None
    told = look(context, ruling=ruling(quadrant="bow", aspect="stern"))
    assert told.silence is None
    assert told.doubts == ()
    assert told.answer is not None


def test_ships_that_the_rulebook_does_not_know_have_geometry_only(
    lay: Lay, ship_toml: ShipToml
) -> None:
    context = lay(18_000.0, ship_toml("Mystery", 9_000.0, 9_000.0))
    assert check_pair(context, "Mystery", "Hood").silence is NoOddsReason.FIRER
    check = check_pair(context, "Hood", "Mystery")
    assert check.silence is NoOddsReason.TARGET
    assert check.answer is None
    assert check.offers == ()
    assert check_page(context, check).odds is None


def test_a_rulebook_without_fire_has_geometry_only(lay: Lay) -> None:
    with registered(QUIET, quiet_rules):
        context = lay(9_000.0, ruleset=QUIET)
        check = look(context)
    assert check.silence is NoOddsReason.RULESET
    sheet = check_page(context, check)
    assert (sheet.segment, sheet.odds, sheet.why) == (None, None, None)
    assert sheet.range == "9,000"


def test_the_sheet_compares_both_readings_of_the_open_call(lay: Lay) -> None:
    context = lay(19_950.0)
    sheet = check_page(context, look(context))
    assert sheet.odds is not None
    assert (sheet.odds.this, sheet.odds.other) == ("Long low", "Long high")
    assert sheet.odds.bars.compares
    (panel,) = sheet.doubts
    assert [row.title for row in panel.readings] == ["Long low", "Long high"]
    assert panel.readings[0].meaning == "gunnery factor 5 · 1.1 hits"
    assert panel.ruler is not None
    assert panel.ruler.limit_label.words == "20,000"
    settled = check_page(context, look(context, decisions=decided("range", "long_high")))
    assert settled.doubts[0].agreed == "Long high"
    assert settled.doubts[0].who == "Ann"
    assert settled.odds is not None
    assert not settled.odds.bars.compares


def test_the_ledger_on_the_sheet_is_the_whole_ledger(lay: Lay) -> None:
    context = lay()
    check = look(context)
    why = check_page(context, check).why
    assert why is not None
    assert check.answer is not None
    assert sum(row.value for row in why.counting) == why.total
    assert len(why.counting) + len(why.idle) == len(check.answer.preview.ledger)
    assert all(row.reference and row.mark for row in (*why.counting, *why.idle))


def test_the_json_says_what_the_sheet_says(lay: Lay) -> None:
    context = lay(19_950.0)
    data = check_document(context, look(context, decisions=decided("range", "long_high")))
    assert data.segment == "long_low"
    assert data.settled.segment == "long_high"
    assert data.settled.sources == {"range": "agreed"}
    assert data.doubts[0].decided == "long_high"
    assert data.fire is not None
    assert data.fire.factor == 3
    assert sum(data.fire.hits.values()) == pytest.approx(1.0)


def test_odds_are_made_once_for_the_same_check(lay: Lay) -> None:
    context = lay(19_950.0)
    look(context)
    made = _odds.cache_info().misses
    look(context)
    assert _odds.cache_info().misses == made


def test_bars_gather_what_is_beyond_the_last(lay: Lay) -> None:
    check = look(lay(3_000.0))
    assert check.answer is not None
    many = Forecast(dict.fromkeys(range(12), 1 / 12), {}, {})
    bars = hit_bars(replace(check.answer, forecast=many))
    assert bars is not None
    assert bars.bars[-1].label == "8+"
    assert sum(bar.chance for bar in bars.bars) == pytest.approx(1.0)
    assert all(bar.x >= 0 and bar.x + bar.width <= bars.width for bar in bars.bars)


def test_chances_never_lie_at_the_ends() -> None:
    texts = [chance_text(chance) for chance in (0.0, 0.001, 0.5, 0.999, 1.0)]
    assert texts == ["0 %", "< 1 %", "50 %", "> 99 %", "100 %"]


def test_an_outcome_is_told_as_a_title() -> None:
    turret = Message("advanced.forecast.turret_lost", turret="A")
    forecast = Forecast({0: 1.0}, {}, {}, titles={"turret_A_lost": turret})
    assert outcome_title(forecast.title("sunk")) == "Sunk"
    assert outcome_title(forecast.title("turret_A_lost")) == "Turret A lost"


def test_dials_follow_the_rulebooks_arcs() -> None:
    for name in ("bismarck-advanced", "grand-fleets"):
        arcs = get_ruleset(name).table_rules.arcs
        assert dial_of(arcs, None) is None
        assert [wedge.quadrant for wedge in wedges_of(arcs, 70, 30)] == list(Quadrant)
        dial = dial_of(arcs, Quadrant.BOW)
        assert dial is not None
        assert dial.sector.startswith("M0 0L-")
