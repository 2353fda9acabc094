"""The optional rules of a guided battle of Grand Fleets."""

from dataclasses import replace

import pytest

from combat.guided_actions import BattleOptions
from combat.rulebooks.grand_fleets.actions import Gunfire
from combat.rulebooks.grand_fleets.guided_battle.fire import attack_on
from combat.rulebooks.grand_fleets.guided_battle.setup import FleetOptions
from combat.rulebooks.grand_fleets.guided_battle.table import line_of_fire, survey_of
from tabletop.errors import DreyerError
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, RULESET, Table, opening


def test_usual_game_has_none() -> None:
    assert [(each.key, each.on) for each in BATTLE.optional_rules()] == [
        ("extreme_range", False),
        ("split_fire", False),
    ]
    assert BATTLE.options(Table().state) == FleetOptions()


@pytest.mark.parametrize("key", ["extreme_range", "split_fire"])
def test_chosen_ones_reach_the_guns_and_the_file(key: str) -> None:
    chosen = BATTLE.schemas.options.read({key: True})
    start = replace(opening(), options=chosen)
    setup = BATTLE.set_up(start)
    assert BATTLE.schemas.setup.read(BATTLE.schemas.setup.write(setup)) == setup
    state = Table(start).place_all().state
    assert [each.key for each in BATTLE.optional_rules(BATTLE.options(state)) if each.on] == [key]
    rules = RULESET.table_rules
    line = line_of_fire(state, survey_of(state, rules), rules, "Ares", "Boreas")
    shot = attack_on(state, line, "guns 1")
    assert isinstance(shot, Gunfire)
    assert (shot.extreme, shot.split) == (key == "extreme_range", key == "split_fire")


def test_options_of_another_rulebook_are_refused() -> None:
    with pytest.raises(DreyerError) as refused:
        BATTLE.set_up(replace(opening(), options=BattleOptions()))
    assert refused.value.message.code == "grand_fleets.set_up.other_options"


def test_size_of_the_battle_is_in_force() -> None:
    (size,) = BATTLE.conditions_in_force(Table().state)
    assert size.value.code == "grand_fleets.choice.battle_size.very_large"
