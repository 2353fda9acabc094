"""Rolls of one die against a limit: leaving a combat, entering one, submarines."""

from itertools import product

import pytest

from combat.dice import TypedDice
from combat.report import Facts, Forbidden, Report, ShotFile
from combat.rulesets.chase_of_the_bismarck import load
from tabletop.arcs import Quadrant

CHASE = load()
TABLES = CHASE.tables
assert CHASE.fire is not None
FIRE = CHASE.fire


def abort(more: str = "", zones: int = 6, position: str = "breaking-off") -> ShotFile:
    return ShotFile(
        f'firer.name = "Norfolk"\nfirer.position = "{position}"\nfire.battery = "abort"\n'
        f"fire.zones_between = {zones}\n{more}".encode(),
        "x.toml",
    )


def roll(file: ShotFile, rolls: str) -> Report:
    dice = TypedDice(rolls)
    report = FIRE.resolve(file, dice, TABLES)
    dice.finish()
    return report


@pytest.mark.parametrize(
    ("enemy", "value"), [(0, -4), (29, -4), (30, -2), (31, 0), (32, 1), (33, 3), (40, 3)]
)
def test_aborting_weighs_the_evasion_of_the_fastest_enemy(enemy: int, value: int) -> None:
    file = abort(f"conditions.enemy_evasion = {enemy}")
    preview = FIRE.preview(file, TABLES)
    assert (preview.factor, preview.total, len(preview.ledger)) == (1, value, 1)
    successes = {die for die in range(10) if die + value <= 3}
    for die in range(10):
        report = roll(file, str(die))
        assert report.document["success"] is (die in successes)
        assert report.after == ({"firer": report.after["firer"]} if die in successes else {})
    forecast = FIRE.forecast([file], TABLES)
    assert forecast.outcomes["aborted"] == pytest.approx(len(successes) / 10)
    assert sum(forecast.hits.values()) == pytest.approx(1)


def test_a_damaged_rudder_leaves_no_evasion_to_run_with() -> None:
    lame = abort("firer.state.rudder_damaged = true\nconditions.enemy_evasion = 20")
    assert FIRE.preview(lame, TABLES).total == 3


@pytest.mark.parametrize(
    ("file", "reason", "rule"),
    [
        (abort(zones=5), "less than 6 free sea zones", "10, step 5"),
        (abort(position="opening"), "not in breaking-off", "10, step 5"),
        (abort("firer.state.hull_lost = 4"), "Norfolk is sunk", "2.4"),
        (abort("firer.state.aborted = true"), "has left this combat", "10, step 6"),
    ],
)
def test_who_may_not_abort(file: ShotFile, reason: str, rule: str) -> None:
    assert FIRE.preview(file, TABLES).rule == rule
    with pytest.raises(Forbidden, match=reason):
        roll(file, "0")


def entering(round_: int, states: dict[str, object] | None = None) -> ShotFile:
    facts = Facts(
        "Suffolk", "Suffolk", "", "", 0.0, Quadrant.BOW, Quadrant.BOW, battery="reinforcement",
        conditions=(("conditions.round", str(round_)), ("conditions.visibility", "9")),
    )  # fmt: skip
    return FIRE.shot(facts, {"firer": states or {}})


def test_reinforcements_come_from_the_third_round_on() -> None:
    entered = roll(entering(3), "4")
    assert entered.document["outcome"] == ["entered"]
    assert "movement zone 8 from her own edge" in entered.story[-1].text
    assert roll(entering(4), "5").document["outcome"] == []
    assert FIRE.forecast([entering(3)], TABLES).outcomes == {"entered": pytest.approx(0.5)}
    with pytest.raises(Forbidden, match="before combat round 3"):
        roll(entering(2), "0")


def test_who_has_left_does_not_come_back() -> None:
    gone = roll(abort(), "0").after["firer"]
    assert gone["aborted"] is True
    with pytest.raises(Forbidden, match="has left this combat"):
        roll(entering(3, dict(gone)), "0")


def test_a_submarine_is_met_and_may_attack() -> None:
    contact = ShotFile(b'fire.battery = "submarine contact"', "x.toml")
    assert [line.text for line in roll(contact, "2 0").story] == [
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
    assert FIRE.forecast([contact], TABLES).outcomes == expected


def test_everything_that_is_rolled_for_is_listed() -> None:
    assert [(b.name, b.of_a_ship, b.at_a_target) for b in FIRE.batteries("Norfolk")] == [
        ("guns", True, True), ("torpedoes", True, True), ("move", True, False),
        ("abort", True, False), ("reinforcement", True, False),
    ]  # fmt: skip
    assert [(b.name, b.of_a_ship, b.at_a_target) for b in FIRE.batteries("")] == [
        ("start", False, False), ("air", False, True), ("submarine", False, True),
        ("submarine contact", False, False), ("submarine target", False, False),
    ]  # fmt: skip
    asked = {c.name: c.batteries for c in FIRE.conditions("Norfolk", "Bismarck")}
    assert asked["conditions.enemy_evasion"] == ("move", "abort")
    assert asked["conditions.night"] == ("air",)
    assert asked["conditions.target_acquired"] == ("guns",)
    assert not any(".state." in name for name in asked)
