"""The forecast is exact: against a twin that reads the CSV files and goes through every die."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.resources import files
from itertools import product

import pytest

from combat.forecast import Forecast
from combat.rulebooks.arctic_disaster import load
from tabletop.messages import Message
from tests.combat.shot_runner import ShotRunner, outcomes_in_words

DESK = ShotRunner(load())
TEN = range(1, 11)
HURT = "state = { damage = 3 }"


def table(name: str) -> dict[tuple[str, str], str]:
    folder = files("combat.rulebooks.arctic_disaster") / "tables"
    records = csv.reader((folder / f"{name}.csv").read_text("utf-8").splitlines())
    next(records)
    return {(row, column): value for row, column, value, _, _ in records}


DAMAGE, CRITICAL, FLAK = table("damage"), table("critical"), table("antiaircraft")


def forecast(*texts: str) -> Forecast:
    return DESK.forecast(texts)


def points(column: str, total: int) -> tuple[int, bool]:
    value = DAMAGE[str(min(10, max(1, total))), column]
    return int(value[0]), value.endswith("*")


def blow(
    column: str, modifier: int, factor: Fraction, critical: bool, die: int, more: int
) -> tuple[int, bool]:
    """Points by hand: the die, then (whether it is needed or not) the die of a critical hit."""
    got, starred = points(column, die + modifier)
    hits = int(got * factor + Fraction(1, 2))
    if not (hits and starred and critical):
        return hits, False
    effect = CRITICAL[str(more), "effect"]
    return hits + (int(effect[-1]) if effect.startswith("damage") else 0), True


def tally(falls: Iterator[tuple[int, bool, frozenset[str]]], ways: int, left: int) -> Forecast:
    """Each fall of the dice is the damage done, whether it struck critically, and what else."""
    hits: dict[int, float] = defaultdict(float)
    outcomes: dict[str, float] = defaultdict(float)
    boxes = 0.0
    for damage, critical, words in falls:
        hits[int(damage > 0)] += 1 / ways
        outcomes["hit"] += (damage > 0) / ways
        outcomes["sunk"] += (damage >= left) / ways
        outcomes["critical hit"] += critical / ways
        for word in words:
            outcomes[word] += 1 / ways
        boxes += min(damage, left) / ways
    return Forecast(hits, outcomes, {"damage": boxes})


def agree(found: Forecast, twin: Forecast) -> None:
    assert sum(found.hits.values()) == pytest.approx(1)
    assert {k: v for k, v in found.hits.items() if v} == pytest.approx(dict(twin.hits))
    names = {name for name, share in twin.outcomes.items() if share}
    outcomes = outcomes_in_words(found)
    for name in names | set(outcomes):
        assert outcomes.get(name, 0.0) == pytest.approx(twin.outcomes[name]), name
    assert found.expected_boxes["damage"] == pytest.approx(twin.expected_boxes["damage"])


@pytest.mark.parametrize(
    ("text", "column", "modifier", "factor", "critical", "left"),
    [
        # Wichita, 9 factors, at a cruiser 13 areas off: -5.
        ('firer.name = "Wichita"\ntarget.name = "Scheer"\nconditions.range_areas = 13',
         "9", -5, Fraction(1), True, 4),
        # Tirpitz, 11 factors, the nearest column is 12; close by, no modifier; one hit left.
        (f'firer.name = "Tirpitz"\ntarget = {{ name = "London", {HURT} }}\n'
         "conditions.range_areas = 1", "12", 0, Fraction(1), True, 1),
        # A destroyer's guns at a battleship: half; 4 factors, 2 areas -1, smoke -1.
        ('firer = { name = "Somali", type = "British destroyer" }\ntarget.name = "Tirpitz"\n'
         "conditions = { range_areas = 2, smoke = true }", "4", -2, Fraction(1, 2), True, 8),
        # Torpedoes, column 4, doubled, two areas beyond three; no critical hit on a destroyer.
        ('firer = { name = "Z-24", type = "German destroyer" }\n'
         'target = { name = "Somali", type = "British destroyer" }\nfire.battery = "torpedoes"\n'
         "conditions.range_areas = 5", "4", -2, Fraction(2), False, 2),
    ],
    ids=["long range", "close range", "light guns", "torpedoes"],
)  # fmt: skip
def test_one_blow(
    text: str, column: str, modifier: int, factor: Fraction, critical: bool, left: int
) -> None:
    falls = (
        (*blow(column, modifier, factor, critical, die, more), frozenset[str]())
        for die, more in product(TEN, TEN)
    )
    agree(forecast(text), tally(falls, 100, left))


def test_two_ships_at_one_target_add_up() -> None:
    target = 'target.name = "Scheer"\nconditions = { range_areas = 10'
    later = f'firer.name = "Norfolk"\n{target}, later_firer = true }}'
    found = forecast(f'firer.name = "London"\n{target} }}', later)
    sunk = boxes = 0.0
    hits: dict[int, float] = defaultdict(float)
    for first, second, third, fourth in product(TEN, repeat=4):
        one, _ = blow("8", -4, Fraction(1), True, first, second)
        two, _ = blow("4", -4, Fraction(1), True, third, fourth)
        hits[(one > 0) + (two > 0)] += 1e-4
        sunk += (one + two >= 4) * 1e-4
        boxes += min(4, one + two) * 1e-4
    assert dict(found.hits) == pytest.approx(dict(hits))
    assert found.outcomes["sunk"] == pytest.approx(sunk)
    assert found.expected_boxes["damage"] == pytest.approx(boxes)


def flak(column: str, die: int) -> tuple[int, int]:
    taken, _, steps = FLAK[str(die), column].partition("/")
    return int(taken), int(steps or 0)


def bombed(
    kind: tuple[dict[int, str], int, Fraction],
    critical: bool,
    fire: list[tuple[int, int]],
    die: int,
    more: int,
) -> tuple[int, bool, frozenset[str]]:
    """What becomes of one air unit: by column for each step lost, its modifier, its multiplier."""
    columns, modifier, factor = kind
    steps = sum(lost for _, lost in fire)
    if steps not in columns:
        return 0, False, frozenset(["air unit destroyed"])
    words = frozenset(["air unit loses a step"] if steps else [])
    modifier += sum(taken for taken, _ in fire)
    return *blow(columns[steps], modifier, factor, critical, die, more), words


JU_88 = {0: "4", 1: "2"}


def test_an_air_attack_on_a_carrier_with_support() -> None:
    # Victorious fires in column 12, Washington's half of 18 in column 7; -1 for the flight deck.
    found = forecast('target.name = "Victorious"\nfire.battery = "air"\nconditions.support_1 = 18')
    falls = (
        bombed((JU_88, -1, Fraction(1)), True, [flak("12", a), flak("7", b)], die, more)
        for a, b, die, more in product(TEN, repeat=4)
    )
    agree(found, tally(falls, 10**4, 6))


def test_a_torpedo_bomber_of_one_step_at_a_merchant_ship() -> None:
    found = forecast(
        'target = { name = "Bellingham", type = "Merchant ship" }\nfire.battery = "air"\n'
        'conditions = { aircraft = "Albacore of 817 Squadron", setting = "convoy", end_on = true }'
    )
    falls = (
        bombed(({0: "5"}, -1, Fraction(2)), False, [flak("2", fire)], die, 1)
        for fire, die in product(TEN, TEN)
    )
    agree(found, tally(falls, 100, 2))


def test_a_second_air_attack_meets_the_ship_that_the_first_has_left() -> None:
    text = 'target = { name = "Bellingham", type = "Merchant ship" }\nfire.battery = "air"\n'
    found = forecast(text, text)
    sunk = boxes = 0.0
    hits: dict[int, float] = defaultdict(float)
    for first, one, second, two in product(TEN, repeat=4):
        damage, _, _ = bombed((JU_88, 0, Fraction(1)), False, [flak("2", first)], one, 1)
        struck = int(damage > 0)
        if damage < 2:
            # A merchant ship with one hit of two fires with 1 instead of 2.
            column = "1" if damage else "2"
            more, _, _ = bombed((JU_88, 0, Fraction(1)), False, [flak(column, second)], two, 1)
            damage, struck = damage + more, struck + (more > 0)
        hits[struck] += 1e-4
        sunk += (damage >= 2) * 1e-4
        boxes += min(2, damage) * 1e-4
    assert dict(found.hits) == pytest.approx(dict(hits))
    assert found.outcomes["sunk"] == pytest.approx(sunk)
    assert found.expected_boxes["damage"] == pytest.approx(boxes)


def test_a_submarine_with_its_contact_and_the_counterattack() -> None:
    found = forecast('target.name = "London"\nfire.battery = "submarine"\nconditions.escorts = 9\n')
    sinks, gone = frozenset(["submarine sunk"]), frozenset(["no attack"])

    def falls() -> Iterator[tuple[int, bool, frozenset[str]]]:
        for contact, die, more, answer in product(TEN, repeat=4):
            if contact - 2 < 6:
                yield 0, False, gone
            else:
                words = sinks if answer == 10 else frozenset[str]()
                yield *blow("4", 0, Fraction(2), True, die, more), words

    agree(found, tally(falls(), 10**4, 4))


def test_the_patrol_and_those_who_fire_back() -> None:
    found = forecast('fire.battery = "air-to-air"\nconditions = { fighters = 8, attackers = 1 }')
    lost, column = 0.0, table("air_to_air")
    hits: dict[int, float] = defaultdict(float)
    for die, answer in product(TEN, TEN):
        steps = int(column[str(die), "8"])
        hits[steps] += 0.01
        lost += 0.01 * (steps > 0 and answer == 10)
    assert dict(found.hits) == pytest.approx(dict(hits))
    assert found.results[Message("arctic.note.fighters_lose")] == pytest.approx(lost)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ('fire.battery = "disengage"\nconditions.round = 3', lambda die: die + 2 >= 10),
        ('fire.battery = "disengage"\nconditions = { round = 1, fog = true }',
         lambda die: die >= 8),
        ('fire.battery = "shadow"\nconditions.detached = 1', lambda die: die == 10),
        ('fire.battery = "search"\nconditions = { distance_hexes = 1, ice = true }',
         lambda die: die >= 5),
        ('fire.battery = "search"\nconditions = { fog = true, tactical = "2" }',
         lambda die: die >= 4),
        ('fire.battery = "hitler"\nconditions = { victorious = "sunk", scattered = true }',
         lambda die: die >= 6),
        ('fire.battery = "shadow-in-fog"', lambda die: die <= 5),
    ],
    ids=["third round", "fog", "shadow", "ice", "marker", "hitler", "shadow in fog"],
)  # fmt: skip
def test_single_dice(text: str, good: Callable[[int], bool]) -> None:
    assert forecast(text).hits[1] == pytest.approx(sum(map(good, TEN)) / 10)


def test_who_moves_first() -> None:
    results = forecast('fire.battery = "first-move"').results
    assert results == pytest.approx(
        {
            Message("arctic.note.active_decides"): 0.45,
            Message("arctic.note.other_decides"): 0.45,
            Message("arctic.note.tie"): 0.1,
        }
    )
