"""The optional rules of a battle: chosen at the set-up, told, corrected by the umpire."""

from dataclasses import fields

import pytest

from combat.dice import TypedDice
from combat.participants import UMPIRE
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Conditions as ShotConditions
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedState
from combat.rulebooks.bismarck_advanced.guided_battle.setup import AdvancedSetup
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import Conditions
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.weather import LEVELS, NO_VISIBILITY
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    CARD,
    RULESET,
    advanced_battle,
    apply,
    denmark_strait,
    event,
)
from tests.combat.bismarck_advanced.shots import shot

ALL = tuple(each.name for each in fields(Options))


def begun(**changes: object) -> AdvancedState:
    return BATTLE.begin(BATTLE.schemas.setup.read(denmark_strait(**changes)))


def codes(state: AdvancedState, *documents: dict[str, object]) -> list[str]:
    """The codes of the story after some corrections of the battle."""
    events = list(BATTLE.opening(state))
    for values in documents:
        document = event("correct", values=values, reason="why")
        action = BATTLE.read_version_1("correct", document["data"], None)
        outcome = BATTLE.play(state, action, TypedDice(""))
        events += outcome.events
        state = outcome.state
    return [entry.line.text.code for entry in BATTLE.story(state, events, UMPIRE)]


def test_all_are_off_in_the_usual_game_and_every_one_has_its_rule() -> None:
    assert BATTLE.options(begun()) == Options()
    rules = {each.key: each.rule for each in BATTLE.optional_rules()}
    assert rules == {
        "radar_lost_with_superstructure": "64.5",
        "factors_past_the_table_add_up": "62.44",
        "ammunition_by_turret": "65.6",
        "every_held_back_gun_counts": "67.42",
        "fight_at_visibility_x": "55.22",
        "fog_of_war": "55.22, 67.1",
    }
    assert not any(each.on or each.default for each in BATTLE.optional_rules())


@pytest.mark.parametrize("key", ALL)
def test_each_is_chosen_alone_written_and_read_again(key: str) -> None:
    setup = BATTLE.schemas.setup.read(denmark_strait(options={key: True}))
    assert isinstance(setup, AdvancedSetup)
    assert BATTLE.schemas.setup.write(setup)["options"] == {key: True}
    state = BATTLE.begin(setup)
    assert BATTLE.options(state) == Options(**{key: True})
    assert [each.key for each in BATTLE.optional_rules(BATTLE.options(state)) if each.on] == [key]


def test_what_is_on_is_told_at_the_beginning() -> None:
    assert "advanced.story.option_on" not in codes(begun())
    told = codes(begun(options={"ammunition_by_turret": True, "fight_at_visibility_x": True}))
    assert told.count("advanced.story.option_on") == 2


def test_the_umpire_may_correct_each_of_them() -> None:
    assert set(ALL) <= {each.name for each in fields(Conditions)}
    state = begun()
    for key in ALL:
        changed = apply(state, event("correct", values={key: True}, reason="why"))
        assert BATTLE.options(changed) == Options(**{key: True})
    told = codes(state, {"night": True}, {"ammunition_by_turret": True, "visibility": 5})
    assert told[-4:] == [
        "advanced.story.set_night",
        "advanced.story.corrected_battle",
        "advanced.story.set_visibility",
        "advanced.story.option_on",
    ]


# Visibility X (55.22)


def test_visibility_x_forbids_the_battle_unless_the_players_agree() -> None:
    with pytest.raises(Forbidden) as refused:
        begun(visibility="X")
    assert refused.value.rule == "55.22"
    agreed = begun(visibility="X", options={"fight_at_visibility_x": True})
    assert BATTLE.view(agreed, UMPIRE).conditions.visibility == "X"


def test_the_umpire_sets_visibility_x_only_where_it_is_agreed_to() -> None:
    state = begun()
    with pytest.raises(Forbidden) as refused:
        apply(state, event("correct", values={"visibility": "X"}, reason="fog"))
    assert refused.value.rule == "55.22"
    both = {"visibility": "X", "fight_at_visibility_x": True}
    state = apply(state, event("correct", values=both, reason="fog, agreed"))
    with pytest.raises(Forbidden):
        apply(state, event("correct", values={"fight_at_visibility_x": False}, reason="no"))
    clear = apply(state, event("correct", values={"visibility": 3}, reason="it lifts"))
    assert clear.engagement.visibility == 3


def test_fire_at_visibility_x_is_modified_as_at_8() -> None:
    by_level = {}
    for level in (LEVELS[-2], NO_VISIBILITY):
        ledger = modifications(shot(conditions=ShotConditions(visibility=level)), CARD)
        by_level[level] = next(each for each in ledger if each.number == 2)
    assert by_level["X"].value == by_level[8].value
    assert dict(by_level["X"].label.params)["level"] == "X"


# Ammunition by turret (65.6)


def test_ammunition_is_divided_when_the_umpire_turns_it_on() -> None:
    hood = Vessel.fresh(load_warships().named("Hood", "test"))
    left = hood.with_ammunition(Battery.MAIN, 90)
    divided = left.counting_by_turret(True)
    turrets = [turret.name for turret in hood.warship.turrets]
    assert [divided.turret_ammunition(Battery.MAIN, name) for name in turrets] == [
        90 // len(turrets)
    ] * len(turrets)
    assert divided.counting_by_turret(False) == left
    state = apply(begun(), event("correct", values={"ammunition_by_turret": True}, reason="so"))
    assert all(each.vessel.ammunition_by_turret for each in state.engagement.combatants)


def magazines(state: AdvancedState, ship: str) -> list[int]:
    vessel = state.engagement[ship].vessel
    return [vessel.turret_ammunition(Battery.MAIN, each.name) for each in vessel.warship.turrets]


def with_state(**marks: object) -> dict[str, object]:
    """The opening, with marks for Hood and each turret counting its own rounds."""
    setup = denmark_strait(options={"ammunition_by_turret": True})
    for ship in setup["ships"]:
        if ship["name"] == "Hood":
            ship["state"] = marks
    return setup


@pytest.mark.parametrize(
    ("marks", "left"),
    [
        ({"ammunition": {"main": 100}}, [25, 25, 25, 25]),
        ({"ammunition": {"main": 660}, "turrets_spent": {"A": 60}}, [120, 180, 180, 180]),
        ({"ammunition": {"main": 620}, "turrets_spent": {"A": 60}}, [110, 170, 170, 170]),
        ({}, [180, 180, 180, 180]),
    ],
)
def test_a_ship_that_begins_with_fewer_rounds_divides_what_she_has(
    marks: dict[str, object], left: list[int]
) -> None:
    setup = BATTLE.schemas.setup.read(with_state(**marks))
    assert magazines(BATTLE.begin(setup), "Hood") == left
    first = advanced_battle(RULESET.of_edition(1))
    full = first.begin(first.schemas.setup.read(with_state(ammunition={"main": 700})))
    assert magazines(full, "Hood") == [180] * 4, "edition 1 stays as it was"


def test_what_the_umpire_says_is_left_is_divided() -> None:
    state = BATTLE.begin(BATTLE.schemas.setup.read(with_state(turrets_spent={"A": 60})))
    values = {"ammunition": {"main": 90}}
    document = event("correct", ship="Hood", values=values, reason="so")
    assert magazines(apply(state, document), "Hood") == [22] * 4
