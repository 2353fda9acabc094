"""Marks that two changes leave together, and sheets through the rounds of a fight."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from web.attacks.fights import Attack, Fights, both_changes

Marks = dict[str, object]
PLAIN = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9), max_size=4)


def attack(n: int, firer: str, target: str, after: dict[str, Any], **more: Any) -> Attack:
    data = {
        "ruleset": "rules",
        "round": 1,
        "firer": firer,
        "firer_type": firer,
        "target": target,
        "target_type": target,
        "battery": "guns",
        "dice": ["1"],
        "after": after,
        "simultaneous": True,
        "story": [["a line", "1", 0]],
        **more,
    }
    return Attack(n, 0.0, None, "Ann", data)


def test_what_was_fired_and_what_was_hit_come_together() -> None:
    start = {"hull": 1, "ammunition": {"main": 90, "secondary": 50}, "lost": ["A"]}
    fired = {**start, "ammunition": {"main": 80, "secondary": 50}}
    hit = {**start, "hull": 3, "lost": ["A", "B"], "rudder": True}
    assert both_changes(start, fired, hit) == {
        "hull": 3,
        "ammunition": {"main": 80, "secondary": 50},
        "lost": ["A", "B"],
        "rudder": True,
    }


@settings(max_examples=40)
@given(PLAIN, PLAIN)
def test_one_change_alone_is_that_change(
    start: dict[str, object], other: dict[str, object]
) -> None:
    assert both_changes(start, start, other) == other
    assert both_changes(start, other, start) == other
    assert both_changes(start, other, other) == other


@settings(max_examples=40)
@given(PLAIN, PLAIN, PLAIN)
def test_the_order_of_changes_does_not_matter(start: Marks, one: Marks, other: Marks) -> None:
    assert both_changes(start, one, other) == both_changes(start, other, one)


def test_simultaneous_fire_is_fired_unhurt() -> None:
    fights = Fights()
    fights = fights.with_attack(attack(1, "Hood", "Bismarck", {"target": {"hull": 2}}))
    assert fights.states("rules", "Bismarck", "Hood") == {}
    assert fights.states("rules", "Prinz Eugen", "Bismarck") == {"target": {"hull": 2}}
    answer = {"firer": {"ammunition": 9}, "target": {"hull": 1}}
    fights = fights.with_attack(attack(2, "Bismarck", "Hood", answer))
    assert fights.sheets("rules")["Bismarck"].now == {"hull": 2, "ammunition": 9}
    later = fights.in_next_round("rules")
    assert later.states("rules", "Bismarck", "Hood") == {
        "firer": {"hull": 2, "ammunition": 9},
        "target": {"hull": 1},
    }


def test_immediate_damage_is_felt_at_once() -> None:
    first = attack(1, "Hood", "Bismarck", {"target": {"hull": 2}}, simultaneous=False)
    fights = Fights().with_attack(first)
    assert fights.states("rules", "Bismarck", "Hood") == {"firer": {"hull": 2}}


def test_a_step_back_keeps_the_dice_until_they_fall_again() -> None:
    fights = Fights().with_attack(attack(1, "Hood", "Bismarck", {"target": {"hull": 2}}))
    back = fights.without(1)
    assert back.sheets("rules") == {}
    assert back.kept == {("rules", "Hood", "Bismarck", "guns"): ("1",)}
    assert back.with_attack(attack(3, "Hood", "Bismarck", {})).kept == {}
    assert fights.ended("rules") == Fights()


def test_what_comes_after_the_fire_is_done_with_all_her_damage() -> None:
    hit = attack(1, "Bismarck", "Norfolk", {"target": {"hull": 2, "torpedoes": 0}})
    fired = attack(2, "Norfolk", "Bismarck", {"firer": {"hull": 0, "torpedoes": 3}})
    fights = Fights().with_attack(hit).with_attack(fired)
    assert fights.states("rules", "Norfolk", "")["firer"] == {"hull": 0, "torpedoes": 3}
    marked = fights.states("rules", "Norfolk", "", when_marked=True)["firer"]
    assert marked == {"hull": 2, "torpedoes": 3}
    # She leaves, and what she left with is not counted twice, whatever hits her still.
    left = {"firer": {**marked, "aborted": True}}
    fights = fights.with_attack(attack(3, "Norfolk", "", left, when_marked=True))
    late = attack(4, "Bismarck", "Norfolk", {"target": {"hull": 3, "torpedoes": 0}})
    now = fights.with_attack(late).sheets("rules")["Norfolk"].now
    assert now == {"hull": 3, "torpedoes": 3, "aborted": True}
