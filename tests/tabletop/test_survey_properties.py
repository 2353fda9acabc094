"""What holds of every survey, whatever lies on the table."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scenes import SIZES
from tabletop.rules import TableRules
from tabletop.survey import survey
from tabletop.table import Model, Pose, SmokeFront, Table
from tests.tabletop.surveyed import BANDED, SIZED, ship

spots = st.floats(-30_000, 30_000)
headings = st.floats(0, 360, exclude_max=True)


@st.composite
def tables(draw: st.DrawFn, sigma: float = 10.0) -> Table:
    count = draw(st.integers(2, 6))
    return Table(
        tuple(
            ship(
                f"s{number}",
                draw(spots),
                draw(spots),
                draw(headings),
                sigma=sigma,
                heading_sigma=0.5,
                length=draw(st.floats(100, 2000)),
                width=draw(st.floats(50, 900)),
                bridge=draw(st.floats(-50, 50)),
                size=draw(st.sampled_from(SIZES)),
            )
            for number in range(count)
        ),
        (SmokeFront(-9000.0, draw(spots), 9000.0, draw(spots)),),
    )


@given(tables(), st.sampled_from([BANDED, SIZED]))
def test_range_and_smoke_are_symmetric(table: Table, rules: TableRules) -> None:
    result = survey(table, rules)
    for pair in result:
        back = result[pair.target, pair.firer]
        assert pair.range_yards == back.range_yards
        assert pair.range_sigma_yards == pytest.approx(back.range_sigma_yards)
        assert pair.smoke == back.smoke
        assert pair.quadrant == back.aspect


def _mirrored(table: Table) -> Table:
    models = tuple(
        replace(
            model,
            pose=replace(
                model.pose, x_yards=-model.pose.x_yards, heading_deg=-model.pose.heading_deg
            ),
        )
        for model in table.models
    )
    smoke = tuple(SmokeFront(-f.x1_yards, f.y1_yards, -f.x2_yards, f.y2_yards) for f in table.smoke)
    return Table(models, smoke)


@given(tables(sigma=0.0), st.sampled_from([BANDED, SIZED]))
def test_a_mirrored_table_mirrors_the_quadrants(table: Table, rules: TableRules) -> None:
    mirror = {"port": "starboard", "starboard": "port", "bow": "bow", "stern": "stern", None: None}
    mirrored = survey(_mirrored(table), rules)
    for pair in survey(table, rules):
        if any(call.margin < 1e-6 for call in pair.close_calls):
            continue  # On a line, rounding may fall to either side of it.
        other = mirrored[pair.firer, pair.target]
        assert other.quadrant == mirror[pair.quadrant]
        assert other.range_yards == pytest.approx(pair.range_yards, abs=1e-6)
        assert [b.name for b in other.blockers] == [b.name for b in pair.blockers]
        assert other.smoke == pair.smoke


@given(tables(), st.floats(1.01, 5.0), st.sampled_from([BANDED, SIZED]))
def test_uncertainty_and_doubt_grow_with_sigma(
    table: Table, factor: float, rules: TableRules
) -> None:
    def blurred(model: Model) -> Model:
        pose = model.pose
        return replace(
            model,
            pose=replace(
                pose,
                position_sigma_yards=pose.position_sigma_yards * factor,
                heading_sigma_deg=pose.heading_sigma_deg * factor,
            ),
        )

    worse = survey(Table(tuple(map(blurred, table.models)), table.smoke), rules)
    for sharp in survey(table, rules):
        blunt = worse[sharp.firer, sharp.target]
        assert blunt.range_yards == sharp.range_yards
        if sharp.range_sigma_yards:
            assert blunt.range_sigma_yards > sharp.range_sigma_yards
        if sharp.relative_bearing_sigma_deg is not None:
            assert blunt.relative_bearing_sigma_deg is not None
            assert blunt.relative_bearing_sigma_deg >= sharp.relative_bearing_sigma_deg
        questions = {(call.what, call.limit) for call in blunt.close_calls}
        assert {(call.what, call.limit) for call in sharp.close_calls} <= questions


@given(tables())
def test_turning_the_whole_table_changes_nothing_but_bearings(table: Table) -> None:
    def turned(model: Model) -> Model:
        pose = model.pose
        return replace(model, pose=Pose(pose.y_yards, -pose.x_yards, pose.heading_deg + 90))

    quarter = survey(Table(tuple(map(turned, table.models))), BANDED)
    for pair in survey(Table(table.models), BANDED):
        other = quarter[pair.firer, pair.target]
        assert other.range_yards == pytest.approx(pair.range_yards)
        assert other.relative_bearing_deg == pytest.approx(pair.relative_bearing_deg, abs=1e-6) or (
            abs(abs((other.relative_bearing_deg or 0) - (pair.relative_bearing_deg or 0)) - 360)
            < 1e-6
        )
