import pytest

from combat.library import BUILT_IN, conversion_rules
from tabletop.errors import DreyerError


def test_a_rulebook_without_conversions_offers_those_that_have_them() -> None:
    having = [each for each in BUILT_IN if each.conversions is not None]
    for ruleset in BUILT_IN:
        if ruleset in having:
            assert conversion_rules(ruleset, ruleset.tables).file_keys()
            continue
        with pytest.raises(DreyerError) as caught:
            conversion_rules(ruleset, ruleset.tables)
        assert caught.value.message.code == "combat.no_conversions"
        assert caught.value.message["others"] == tuple(each.title for each in having)
