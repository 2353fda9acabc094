"""Every ruleset states its table settings completely, each with a source."""

import pytest

from combat.provenance import Provenance
from combat.rulebooks import NAMES, get_ruleset
from tabletop.errors import UnknownName
from tests.refusals import refused


@pytest.mark.parametrize("name", NAMES)
def test_every_group_of_settings_has_a_source(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.sources.keys() >= {"scale", "base", "measure", "arcs", "sight"}
    for source in [*ruleset.sources.values(), *(s.source for s in ruleset.segments)]:
        assert source.provenance in Provenance
        assert source.provenance is not Provenance.OWNER
        assert source.reference


def test_bismarck_segments() -> None:
    rules = get_ruleset("bismarck-advanced").table_rules
    expected = [
        (0, "point_blank"), (4000, "point_blank"), (4001, "short"), (8000, "short"),
        (12_000, "medium_low"), (16_000, "medium_high"), (20_000, "long_low"),
        (24_000, "long_high"), (26_000, "extreme"), (28_000, "extreme"), (28_001, "out_of_range"),
    ]  # fmt: skip
    assert [(yards, rules.segment(yards)) for yards, _ in expected] == expected
    assert (rules.sight.whole_line_range_yards, rules.sight.near_reach_yards) == (16_000, 4_000)
    assert not rules.measure_from_bridge
    assert rules.contact_range_yards is None


def test_grand_fleets_settings() -> None:
    ruleset = get_ruleset("grand-fleets")
    assert ruleset.table_rules.segment(9000) is None
    assert ruleset.table_rules.measure_from_bridge
    assert ruleset.table_rules.contact_range_yards == 1000
    assert ruleset.sizes is not None
    assert ruleset.sizes.order == ("very small", "small", "medium", "large", "very large")


def test_an_unknown_ruleset_offers_the_nearest() -> None:
    with refused(UnknownName, match="did you mean 'grand-fleets'"):
        get_ruleset("grandfleets")
