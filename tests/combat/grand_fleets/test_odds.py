"""Forecasts against a twin that knows the book's words and counts every way the dice can fall."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product

import pytest

from combat.dice import RolledDice
from combat.forecast import Forecast
from combat.rulebooks.grand_fleets import load
from tabletop.errors import DreyerError
from tests.combat.shot_runner import ShotRunner, outcomes_in_words
from tests.refusals import refused

RULES = load()
TABLES = RULES.tables
DESK = ShotRunner(RULES)
DIE = range(1, 7)
CHECK = {1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 0}
HITS = {3: {7, 8, 10, 11, 12}, 0: {10, 11, 12}, -1: {10, 12}, 1: {8, 11, 12}}


def shot(firer: str, target: str, more: str = "") -> str:
    return (
        f'firer.name = "{firer}"\ntarget.name = "{target}"\n'
        f'fire.quadrant = "port"\nfire.aspect = "port"\n{more}'
    )


def forecast(*files: str) -> Forecast:
    return DESK.forecast(files)


def health(hull: Sequence[int], lost: int) -> int:
    return sum(lost >= sum(hull[: n + 1]) for n in range(3))


def twin(
    hull: Sequence[int],
    lost: int,
    boxes: Mapping[int, Fraction],
    parts: Mapping[str, int],
    torpedoes: int = 6,
) -> dict[str, Fraction]:
    """What follows from so many hull boxes: fates, and boxes lost on average by the checks."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    for taken, share in boxes.items():
        after = min(lost + taken, sum(hull))
        found["hull"] += (after - lost) * share
        for stage, name in enumerate(("damaged", "crippled", "sunk"), start=1):
            found[name] += share * (health(hull, after) >= stage)
        series = 0 if after == sum(hull) else health(hull, after) - health(hull, lost)
        for part, left in parts.items():
            for dice in product(DIE, repeat=series):
                gone = min(left, sum(CHECK[die] for die in dice))
                found[part] += share * gone / 6**series
                found[f"{part} damaged"] += share * (gone > 0) / 6**series
        if not torpedoes:
            continue
        # A torpedo is lost on a 1 or 2, so that it outlives a series two times in three.
        kept = Fraction(2, 3) ** series
        found["torpedoes"] += share * torpedoes * (1 - kept)
        found["torpedoes lost"] += share * (1 - kept**torpedoes)
    return found


def agrees(got: Forecast, expected: Mapping[str, Fraction], parts: Mapping[str, int]) -> None:
    assert got.expected_boxes == pytest.approx(
        {name: float(expected[name]) for name in ("hull", *parts, "torpedoes") if name in expected}
    )
    assert got.outcomes.get("torpedoes_lost") == (
        pytest.approx(float(expected["torpedoes lost"])) if "torpedoes" in expected else None
    )
    for stage in ("damaged", "crippled", "sunk"):
        if stage in got.outcomes:
            assert got.outcomes[stage] == pytest.approx(float(expected[stage]))
    for part in parts:
        name = f"{part.replace(' ', '_')}_damaged"
        assert got.outcomes[name] == pytest.approx(float(expected[f"{part} damaged"]))
    assert sum(got.hits.values()) == pytest.approx(1.0)


def by_hits(count: int, hit: Callable[[int], bool]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = defaultdict(Fraction)
    for dice in product(DIE, repeat=count):
        found[sum(hit(die) for die in dice)] += Fraction(1, 6**count)
    return found


CRUISER = {"engines": 5, "guns 1": 5, "anti_air": 3}
"""Boxes of the sample cruiser that checks can take; her hull is 4, 4, 4."""


@pytest.mark.parametrize(
    ("lost", "marker", "lowest", "count"),
    [
        (0, "none", 5, 3),
        (3, "none", 5, 3),
        (7, "stop", 4, 5),
        (11, "none", 5, 3),
        (3, "slow", 5, 4),
    ],
)
def test_gunfire(lost: int, marker: str, lowest: int, count: int) -> None:
    """Destroyers' 5-inch guns, 5 4 3 2, at side armour 2: 3 dice; 4 if she is slow, 5 stopped."""
    state = f'target.state.hull_lost = {lost}\ntarget.state.marker = "{marker}"\n'
    range_yards = 2000 if marker == "stop" else 5000
    got = forecast(
        shot("Sample destroyers", "Sample cruiser", f"fire.range_yards = {range_yards}\n{state}")
    )
    boxes = by_hits(count, lambda die: die >= lowest)
    assert got.hits == pytest.approx({hits: float(share) for hits, share in boxes.items()})
    agrees(got, twin((4, 4, 4), lost, boxes, CRUISER), CRUISER)


def test_two_sets_at_once_make_two_series() -> None:
    """At stopped destroyers, hull 2, 1, 1: 3 boxes fill two sets, 4 sink."""
    state = 'target.state.marker = "stop"\n'
    got = forecast(
        shot("Sample light cruiser", "Sample destroyers", f"fire.range_yards = 14000\n{state}")
    )
    # Long range −2, very small −1, stopped +2: −1, so the second box, 6 dice on 5 or more.
    boxes = by_hits(6, lambda die: die >= 5)
    parts = {"engines": 5, "guns 1": 4}
    agrees(got, twin((2, 1, 1), 0, boxes, parts, torpedoes=7), parts)


def test_boxes_that_are_gone_cannot_be_lost_again() -> None:
    state = (
        'target.state = { hull_lost = 3, speed_lost = 4, dice_lost = { "guns 1" = 4, '
        "anti_air = 3 }, torpedoes_fired = { P = 2 }, torpedoes_lost = { P = 1, S = 1 } }\n"
    )
    got = forecast(shot("Sample destroyers", "Sample cruiser", f"fire.range_yards = 5000\n{state}"))
    parts = {"engines": 1, "guns 1": 1}
    boxes = by_hits(3, lambda die: die >= 5)
    agrees(got, twin((4, 4, 4), 3, boxes, parts, torpedoes=2), parts)
    assert "anti_air_damaged" not in got.outcomes


def one_torpedo(modifier: int, damage: int, enough: int) -> dict[tuple[int, int], Fraction]:
    """Hits and boxes of one torpedo, a chain of sixes cut where nothing is left to hit."""
    hit = Fraction(sum(a + b in HITS[modifier] for a, b in product(DIE, DIE)), 36)
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    found[0, 0] = 1 - hit
    done, share = 0, hit
    while done < enough:
        for die in DIE[:-1]:
            found[1, min(enough, done + max(0, die + damage))] += share / 6
        done, share = done + 6 + damage, share / 6
    found[1, enough] += share
    return found


@pytest.mark.parametrize(
    ("lost", "count", "modifier"), [(0, 1, 0), (0, 2, 0), (7, 2, 0), (2, 3, 3)]
)
def test_torpedoes(lost: int, count: int, modifier: int) -> None:
    """The book's torpedoes at Pensacola, and at short range when she has stopped: +1 +2."""
    marker = {0: "fast", 3: "stop"}[modifier]
    got = forecast(
        shot(
            "Sample destroyers",
            "Pensacola",
            f'fire.battery = "torpedoes"\nfire.torpedoes = {count}\nfire.range_yards = 4000\n'
            f'target.state = {{ hull_lost = {lost}, marker = "{marker}" }}\n',
        )
    )
    left = 11 - lost
    one = one_torpedo(modifier, 2, left)
    hits: dict[int, Fraction] = defaultdict(Fraction)
    boxes: dict[int, Fraction] = defaultdict(Fraction)
    for way in product(one.items(), repeat=count):
        share = Fraction(1)
        for _, chance in way:
            share *= chance
        hits[sum(marks[0] for marks, _ in way)] += share
        boxes[min(left, sum(marks[1] for marks, _ in way))] += share
    assert got.hits == pytest.approx({number: float(share) for number, share in hits.items()})
    agrees(got, twin((4, 4, 3), lost, boxes, {}, torpedoes=0), {})


def test_several_attacks_on_one_ship_add_up() -> None:
    guns = shot("Sample destroyers", "Sample cruiser", "fire.range_yards = 5000\n")
    tubes = shot(
        "Sample light cruiser",
        "Sample cruiser",
        'fire.battery = "torpedoes"\nfire.torpedoes = 1\nfire.range_yards = 6000\n',
    )
    got = forecast(guns, tubes)
    gun, tube = by_hits(3, lambda die: die >= 5), one_torpedo(0, 1, 12)
    boxes: dict[int, Fraction] = defaultdict(Fraction)
    hits: dict[int, Fraction] = defaultdict(Fraction)
    for (shells, share), ((fish, taken), chance) in product(gun.items(), tube.items()):
        hits[shells + fish] += share * chance
        boxes[min(12, shells + taken)] += share * chance
    assert got.hits == pytest.approx({number: float(share) for number, share in hits.items()})
    agrees(got, twin((4, 4, 4), 0, boxes, CRUISER), CRUISER)


def test_a_series_of_checks_alone() -> None:
    got = DESK.forecast(['firer.name = "Sample cruiser"\nfire.battery = "damage check"'])
    assert got.expected_boxes == pytest.approx({**dict.fromkeys(CRUISER, 7 / 6), "torpedoes": 2})
    assert got.outcomes == pytest.approx(
        {"engines_damaged": 5 / 6, "guns_1_damaged": 5 / 6, "anti_air_damaged": 5 / 6,
         "torpedoes_lost": 1 - (2 / 3) ** 6}
    )  # fmt: skip


def two_dice(total: Callable[[int], str]) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for first, second in product(DIE, DIE):
        found[total(first + second)] += 1 / 36
    return found


@pytest.mark.parametrize("quality", [-2, 0, 2])
def test_the_other_rolls(quality: int) -> None:
    def odds(battery: str) -> Mapping[str, float]:
        text = f'firer.name = "Iron Duke"\nfire.battery = "{battery}"\n'
        asked = f'conditions.quality = "{quality}"\n'
        return outcomes_in_words(DESK.forecast([text + asked]))

    assert odds("initiative") == pytest.approx(two_dice(lambda two: f"initiative {two + quality}"))
    words = {True: "returns to command", False: "stays out of command"}
    assert odds("command check") == pytest.approx(two_dice(lambda two: words[two + quality >= 7]))

    def name(total: int) -> str:
        steps = ((11, "superb"), (9, "good"), (6, "average"), (4, "poor"))
        return next((word for lowest, word in steps if total >= lowest), "terrible")

    assert odds("command quality") == pytest.approx(two_dice(name))
    assert odds("flag transfer") == pytest.approx(two_dice(lambda two: name(two - 1)))
    assert odds("order") == {"first player low": 0.5, "second player low": 0.5}


def test_a_roll_is_foretold_alone_and_targets_are_the_same() -> None:
    roll = 'firer.name = "Iron Duke"\nfire.battery = "initiative"'
    with pytest.raises(DreyerError, match=r"combat\.forecast\.alone"):
        forecast(roll, roll)
    near = "fire.range_yards = 5000\n"
    with refused(DreyerError, match="with the same marks, got another"):
        forecast(
            shot("Sample destroyers", "Sample cruiser", near),
            shot("Sample destroyers", "Iron Duke", near),
        )


def test_many_rolls_come_close_to_the_forecast() -> None:
    import random

    file = shot("Sample battleship", "Iron Duke", "fire.range_yards = 12000\n")
    foretold = forecast(file)
    dice = RolledDice(random.Random(1914))
    reports = [DESK.resolve(file, dice) for _ in range(2000)]
    hits = [report.document["hits"] for report in reports]
    assert sum(map(int, map(str, hits))) / 2000 == pytest.approx(foretold.expected_hits, rel=0.03)
    damaged = sum(report.document["health"] != "sound" for report in reports) / 2000
    assert damaged == pytest.approx(foretold.outcomes["damaged"], abs=0.03)
    speed = sum(int(str(report.document["speed_lost"])) for report in reports) / 2000
    assert speed == pytest.approx(foretold.expected_boxes["engines"], abs=0.05)
