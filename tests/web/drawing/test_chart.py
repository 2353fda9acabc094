"""The chart beside the survey: what it draws is where it is."""

import math
import re

import pytest

from tabletop.errors import DreyerError, UnknownName
from tests.refusals import refused
from tests.web.conftest import ReadTable, ShipToml, Surveyed
from tests.web.drawing.charted import SVG, draw, lay_out, marks, with_class
from web.drawing.chart.frame import PHONE, WIDE, Format


@pytest.mark.parametrize("format_", [PHONE, WIDE])
def test_pixels_measure_what_the_survey_measures(demo: Surveyed, format_: Format) -> None:
    chart = lay_out(demo, format_=format_)
    ships = marks(chart)
    for check in demo.result:
        pixels = math.dist(ships[check.firer].at, ships[check.target].at)
        assert pixels / chart.chart_frame.px_per_yard == pytest.approx(check.range_yards)
    hood, wales = ships["Hood"], ships["Prince of Wales"]
    assert hood.base_length == pytest.approx(chart.chart_frame.px(1000))
    assert hood.base_width == pytest.approx(chart.chart_frame.px(400))
    # Prince of Wales stands to the right of Hood and nearer to the host.
    assert wales.at[0] > hood.at[0]
    assert wales.at[1] > hood.at[1]


def test_the_drawing_carries_the_geometry(demo: Surveyed) -> None:
    root = draw(demo, firer="Hood")
    chart = lay_out(demo, firer="Hood")
    hood = next(e for e in with_class(root, "vessel") if e.get("data-ship") == "Hood")
    transform = next(e.get("transform", "") for e in hood if e.tag == f"{SVG}g")
    x, y, heading = map(float, re.findall(r"-?[\d.]+", transform))
    assert (x, y) == pytest.approx(marks(chart)["Hood"].at, abs=0.01)
    assert heading == 290
    radii = sorted(float(ring.get("r", "0")) for ring in with_class(root, "ring"))
    limits = [segment.upper_yards for segment in demo.scene.ruleset.segments]
    assert radii == pytest.approx([chart.chart_frame.px(limit) for limit in limits], abs=0.01)
    assert len(with_class(root, "smoke")) == 1
    width, height = map(float, root.get("viewBox", "").split()[2:])
    assert width == 1080
    assert 0.9 <= height / width <= 2


def test_quadrant_lines_run_where_the_rules_say(demo: Surveyed) -> None:
    chart = lay_out(demo, firer="Hood")
    x, y = chart.rings.centre
    bearings = [
        math.degrees(math.atan2(line.end[0] - x, y - line.end[1])) % 360
        for line in chart.rings.quadrant_lines
    ]
    assert bearings == pytest.approx([(290 + line) % 360 for line in (45, 135, 225, 315)])


def test_every_other_ship_gets_a_line_and_most_a_range(demo: Surveyed) -> None:
    chart = lay_out(demo)
    assert len(chart.sights) == 3
    assert {pill.words for pill in chart.pills} >= {"17,947 ± 22 yd"}
    assert len(lay_out(demo, target="Bismarck").sights) == 1


def test_a_blocked_line_breaks_where_the_survey_says(demo: Surveyed) -> None:
    chart = lay_out(demo, firer="Prince of Wales", target="Bismarck")
    (blocker,) = demo.result["Prince of Wales", "Bismarck"].blockers
    (line,) = chart.sights
    assert line.broken_at is not None
    yards = math.dist(line.start, line.broken_at) / chart.chart_frame.px_per_yard
    assert yards == pytest.approx(blocker.at_yards)
    assert marks(chart)["Hood"].role == "blocker"
    root = draw(demo, firer="Prince of Wales", target="Bismarck")
    assert len(with_class(root, "beyond")) == 1
    assert len(with_class(root, "hatched")) == 1
    assert "blocked by Hood at 1,553 yd" in "".join(root.itertext())


def test_smoke_is_marked_where_the_line_passes_it(demo: Surveyed) -> None:
    (line,) = lay_out(demo, firer="Hood", target="Prinz Eugen").sights
    (mark,) = line.through_smoke
    length = math.dist(line.start, line.end)
    assert math.dist(line.start, mark) + math.dist(mark, line.end) == pytest.approx(length)


def test_a_close_call_turns_magenta_and_says_so(read_table: ReadTable, ship_toml: ShipToml) -> None:
    table = read_table(
        ship_toml("Hood", 0, 0, 10, position_sigma_mm=0.8)
        + ship_toml("Bismarck", 0, 19990, 200, position_sigma_mm=0.8)
    )
    chart = lay_out(table, target="Bismarck")
    assert [ring.doubtful for ring in chart.rings.rings].count(True) == 1
    assert chart.pills[0].second == "too close to call"
    words = "".join(draw(table, target="Bismarck").itertext())
    assert "Long low or Long high" in words
    assert "10 yd from 20,000 yd" in words


def test_a_ruleset_without_segments_gets_plain_rings_and_measures_from_bridges(
    read_table: ReadTable, ship_toml: ShipToml
) -> None:
    table = read_table(
        'ruleset = "grand-fleets"\n'
        + ship_toml("Iron Duke", 0, 0, 0, bridge_offset_inches=0.5)
        + ship_toml("Pensacola", 5000, 9000, 45)
    )
    chart = lay_out(table)
    assert all(ring.tint is None for ring in chart.rings.rings)
    radii = [ring.radius / chart.chart_frame.px_per_yard for ring in chart.rings.rings]
    assert all(radius % 1000 == pytest.approx(0, abs=0.1) for radius in radii)
    bridge = chart.chart_frame.at(0, 250)
    assert chart.rings.centre == pytest.approx(bridge)


def test_unknown_names_offer_the_nearest(demo: Surveyed) -> None:
    for options in ({"firer": "Hod"}, {"target": "Bismark"}):
        with refused(UnknownName, match="did you mean"):
            draw(demo, **options)
    with refused(DreyerError, match="two ships"):
        draw(demo, firer="Hood", target="Hood")
