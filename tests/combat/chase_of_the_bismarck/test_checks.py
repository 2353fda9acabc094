"""Rolls of one die against a limit: leaving a combat, entering one, submarines."""

from collections.abc import Mapping
from itertools import product

import pytest

from combat.previews import Forbidden
from combat.questions import questions
from combat.rulebooks.chase_of_the_bismarck import load
from tabletop.messages import Message, ShipRef
from tests.combat.shot_runner import Document, ShotRunner, outcomes_in_words, texts

CHASE = load()
DESK = ShotRunner(CHASE)


def abort(more: str = "", zones: int = 6, position: str = "breaking-off") -> str:
    return (
        f'firer.name = "Norfolk"\nfirer.position = "{position}"\nfire.battery = "abort"\n'
        f"fire.zones_between = {zones}\n{more}"
    )


@pytest.mark.parametrize(
    ("enemy", "value"), [(0, -4), (29, -4), (30, -2), (31, 0), (32, 1), (33, 3), (40, 3)]
)
def test_aborting_weighs_the_evasion_of_the_fastest_enemy(enemy: int, value: int) -> None:
    file = abort(f"conditions.enemy_evasion = {enemy}")
    preview = DESK.preview(file)
    assert (preview.factor, preview.total, len(preview.ledger)) == (1, value, 1)
    successes = {die for die in range(10) if die + value <= 3}
    for die in range(10):
        report = DESK.resolve(file, str(die))
        assert report.document["success"] is (die in successes)
        assert report.changed == ({"firer"} if die in successes else set())
    forecast = DESK.forecast([file])
    assert forecast.results[Message("chase.outcome.aborted")] == pytest.approx(len(successes) / 10)
    assert sum(forecast.hits.values()) == pytest.approx(1)


def test_a_damaged_rudder_leaves_no_evasion_to_run_with() -> None:
    lame = abort("firer.state.rudder_damaged = true\nconditions.enemy_evasion = 20")
    assert DESK.preview(lame).total == 3


@pytest.mark.parametrize(
    ("file", "reason", "rule"),
    [
        (abort(zones=5), r"chase\.refused\.enemy_near\(zones=6\)", "10, step 5"),
        (abort(position="opening"), r"chase\.refused\.not_breaking_off", "10, step 5"),
        (abort("firer.state.hull_lost = 4"), r"chase\.refused\.sunk\(ship=Norfolk\)", "2.4"),
        (abort("firer.state.aborted = true"), r"chase\.refused\.left", "10, step 6"),
    ],
)
def test_who_may_not_abort(file: str, reason: str, rule: str) -> None:
    assert DESK.preview(file).rule == rule
    with pytest.raises(Forbidden, match=reason):
        DESK.resolve(file, "0")


def entering(round_: int, state: Mapping[str, object] | None = None) -> Document:
    return {
        "firer": {"name": "Suffolk", "state": state or {}},
        "fire": {"battery": "reinforcement"},
        "conditions": {"round": round_, "visibility": 9},
    }


def test_reinforcements_come_from_the_third_round_on() -> None:
    entered = DESK.resolve(entering(3), "4")
    assert entered.document["outcome"] == ["entered"]
    assert entered.story[-1].text == Message("chase.story.enters", ship=ShipRef("Suffolk"), zone=8)
    assert DESK.resolve(entering(4), "5").document["outcome"] == []
    assert outcomes_in_words(DESK.forecast([entering(3)])) == {"entered": pytest.approx(0.5)}
    with pytest.raises(Forbidden, match=r"chase\.refused\.too_early\(round=3, ship=Suffolk\)"):
        DESK.resolve(entering(2), "0")


def test_who_has_left_does_not_come_back() -> None:
    gone = DESK.resolve(abort(), "0").marks["firer"]
    assert gone["aborted"] is True
    with pytest.raises(Forbidden, match=r"chase\.refused\.left"):
        DESK.resolve(entering(3, gone), "0")


def test_a_submarine_is_met_and_may_attack() -> None:
    contact = 'fire.battery = "submarine contact"'
    assert texts(DESK.resolve(contact, "2 0").story) == [
        "Submarine contact",
        "submarine contact: 2, contact",
        "the submarine attack: 0, Allied attack",
    ]
    counts = {"contact": 0, "Allied attack": 0, "German sighting": 0, "German attack": 0}
    for first, second in product(range(10), repeat=2):
        if first <= 2:
            counts["contact"] += 1
            attack = "Allied" if not second else "German"
            counts[f"{attack} {'sighting' if 1 <= second <= 6 else 'attack'}"] += 1
    expected = {word: pytest.approx(count / 100) for word, count in counts.items()}
    assert outcomes_in_words(DESK.forecast([contact])) == expected


def test_everything_that_is_rolled_for_is_listed() -> None:
    assert [(b.kind, b.info.by_ship, b.info.at_ship) for b in DESK.offers("Norfolk")] == [
        ("guns", True, True), ("torpedoes", True, True), ("move", True, False),
        ("abort", True, False), ("reinforcement", True, False),
        ("repair", True, False), ("refuel", True, False),
    ]  # fmt: skip
    assert [(b.kind, b.info.by_ship, b.info.at_ship) for b in DESK.offers("")] == [
        ("start", False, False), ("air", False, True), ("submarine", False, True),
        ("submarine contact", False, False), ("spotting", False, False),
        ("submarine target", False, False),
    ]  # fmt: skip
    asked = {name: tuple(each) for name, each in DESK.asked("Norfolk", "Bismarck").items()}
    assert asked["conditions.enemy_evasion"] == ("move", "abort")
    assert asked["conditions.night"] == ("air", "convoy hunt")
    assert asked["conditions.target_acquired"] == ("guns",)
    assert not any(each.by_page for each in questions(DESK.rulebook.state_type))
