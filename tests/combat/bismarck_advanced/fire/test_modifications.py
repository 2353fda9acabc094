"""Rule 62: the sixteen modifications of a fire, one by one and together."""

from dataclasses import replace

import pytest

from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Crew,
    Shot,
)
from combat.rulebooks.bismarck_advanced.guns import RangeBand
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from tabletop.arcs import Quadrant
from tests.combat.bismarck_advanced.sheets import CARD, fresh
from tests.combat.bismarck_advanced.shots import (
    BOW,
    PLAIN,
    PORT,
    SECONDARY,
    STERN,
    Values,
    line,
    shot,
    values,
    with_firer,
)

PLAIN_VALUES: Values = {
    "targeting": 11, **dict.fromkeys(range(1, 17), 0), 13: -2,
}  # fmt: skip


def under(**conditions: object) -> Shot:
    return replace(PLAIN, conditions=Conditions(**conditions))  # type: ignore[arg-type]


def at(target: str) -> Shot:
    return replace(PLAIN, target=fresh(target))


def test_the_plain_shot_has_all_sixteen_in_order() -> None:
    assert values(PLAIN) == PLAIN_VALUES
    assert [entry.number for entry in modifications(PLAIN, CARD)] == ["targeting", *range(1, 17)]
    assert all(entry.label and entry.reference for entry in modifications(PLAIN, CARD))


MODIFIED: list[tuple[str, Shot, Values, str]] = [
    ("on target", under(first_fire_at_target=False), {"targeting": 0, 9: -2}, "62.53"),
    ("fired and hit", under(first_fire_at_target=False, hit_target_last_segment=True),
     {"targeting": 0, 9: -4}, "62.53"),
    ("radar lost", with_firer(radar_lost=True), {1: 2}, "Hit Record sheet, 1"),
    ("visibility 1", under(visibility=1), {}, ""),
    ("visibility 3", under(visibility=3), {2: 1}, "modifier 2"),
    ("visibility 4", under(visibility=4), {2: 2}, "modifier 2"),
    ("visibility 5", under(visibility=5), {2: 3}, "modifier 2"),
    ("visibility 6", under(visibility=6), {2: 5}, "modifier 2"),
    ("visibility 7", under(visibility=7), {2: 7}, "modifier 2"),
    ("visibility 8", under(visibility=8), {2: 9}, "modifier 2"),
    ("night", under(night=True), {2: 6}, "62.551"),
    ("night, visibility 8", under(night=True, visibility=8), {2: 15}, "modifier 2"),
    ("first third", with_firer(hull_lost=19), {}, ""),
    ("second third", with_firer(hull_lost=20), {3: 2}, "modifier 3"),
    ("last third", with_firer(hull_lost=40), {3: 4}, "modifier 3"),
    ("director", with_firer(director_destroyed=True), {4: 4}, "modifier 4"),
    ("plot", with_firer(plot_destroyed=True), {4: 4}, "modifier 4"),
    ("both", with_firer(director_destroyed=True, plot_destroyed=True), {4: 8}, "modifier 4"),
    ("hit before", under(hit_last_segment=True), {5: 2}, "62.8"),
    ("full speed", replace(PLAIN, firer_speed=10, target_speed=9), {6: 3}, "Hit Record sheet, 6"),
    ("full damaged speed", with_firer(movement_factors_lost=3), {6: 3}, "Hit Record sheet, 6"),
    ("own weaving", under(firer_evolution=Evolution.WEAVING), {7: 4}, "modifier 7"),
    ("own chasing", under(firer_evolution=Evolution.SALVO_CHASING), {7: 6}, "modifier 7"),
    ("BB", at("Rodney"), {}, ""),
    ("CV", at("Ark Royal"), {}, ""),
    ("PB", at("Admiral Scheer"), {8: 2}, "modifier 8"),
    ("CA", at("Norfolk"), {8: 3}, "62.554"),
    ("CL", at("Sheffield"), {8: 4}, "modifier 8"),
    ("DD", at("Destroyer"), {8: 8}, "modifier 8"),
    ("tired", under(crew=Crew.TIRED), {10: 2}, "modifier 10"),
    ("exhausted", under(crew=Crew.EXHAUSTED), {10: 4}, "modifier 10"),
    ("several targets", under(several_targets=True), {11: 3}, "Hit Record sheet, 11"),
    ("several firers", under(several_firers=True), {12: 3}, "Hit Record sheet, 12"),
    ("under fire", under(under_fire=True), {13: 2}, "62.8"),
    ("target weaving", under(target_evolution=Evolution.WEAVING), {14: 4}, "modifier 14"),
    ("target chasing", under(target_evolution=Evolution.SALVO_CHASING), {14: 8}, "modifier 14"),
    ("blocked", replace(PLAIN, sightline=line(RangeBand.LONG_LOW, blocked=True)),
     {"sight": 15}, "67.54"),
    ("smoke front", replace(PLAIN, sightline=line(RangeBand.LONG_LOW, smoke=True)),
     {"smoke": 15}, "67.652"),
    ("target's cover", under(target_smoke_cover=True), {"smoke": 8}, "67.64"),
    ("own cover", under(firer_smoke_cover=True), {"smoke": 15}, "67.64"),
    ("held back", replace(PLAIN, guns=5, held_back=True), {"held_back": -2}, "67.42"),
    ("not fired, not held back", replace(PLAIN, guns=5), {}, ""),
    ("nothing held back", replace(PLAIN, held_back=True), {}, ""),
    ("conning tower", with_firer(command_modifier=4), {"command": 4}, "64.72"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fire", "changed", "reference"),
    [case[1:] for case in MODIFIED],
    ids=[case[0] for case in MODIFIED],
)
def test_each_modification_alone(fire: Shot, changed: Values, reference: str) -> None:
    """Exactly the lines named change, and the first of them cites its rule or our proposal."""
    assert values(fire) == PLAIN_VALUES | changed
    if changed:
        first = next(entry for entry in modifications(fire, CARD) if entry.number in changed)
        assert reference in first.reference


@pytest.mark.parametrize(
    ("speed", "value"),
    [(0, -6), (1, -4), (3, -4), (4, -2), (6, -2), (7, 0), (9, 0), (10, 1), (11, 1), (12, 2),
     (13, 2)],
)  # fmt: skip
def test_target_speed(speed: int, value: int) -> None:
    assert values(shot(speeds=(speed, speed)))[15] == value


@pytest.mark.parametrize(
    ("difference", "unlike", "like"),
    [(13, 3, 2), (7, 3, 2), (6, 2, 1), (3, 2, 1), (2, 1, 0), (0, 1, 0), (-1, 1, 0), (-2, 2, 1),
     (-5, 2, 1), (-6, 3, 2), (-9, 3, 2), (-10, 4, 3), (-13, 4, 3)],
)  # fmt: skip
@pytest.mark.parametrize("quadrant", Quadrant)
@pytest.mark.parametrize("aspect", Quadrant)
def test_ship_speed_by_attitude(
    difference: int, unlike: int, like: int, quadrant: Quadrant, aspect: Quadrant
) -> None:
    """16: ship less target; bow to broadside is unlike, bow to stern is like."""
    speeds = (13, 13 - difference) if difference > 0 else (13 + difference, 13)
    fire = shot(sightline=line(RangeBand.LONG_LOW, quadrant, aspect), speeds=speeds)
    end_on = {BOW, STERN}
    expected = unlike if (quadrant in end_on) != (aspect in end_on) else like
    assert values(fire)[16] == expected


def test_a_stopped_ship_is_not_at_full_speed() -> None:
    crippled = replace(PLAIN.firer, movement_factors_lost=10)
    assert crippled.movement_factor == 0
    assert values(shot(crippled, speeds=(0, 0)))[6] == 0


def test_a_ship_without_radar() -> None:
    assert values(shot("Dunkerque"))[1] == 2


@pytest.mark.parametrize(
    ("ship", "by_range"),
    [("Bismarck", (6, 6, 6, 8, 11, 14, 16)), ("Hood", (6, 6, 7, 10, 13, 16, 18))],
)
def test_targeting_by_range(ship: str, by_range: tuple[int, ...]) -> None:
    for band, expected in zip(RangeBand, by_range, strict=True):
        assert values(shot(ship, sightline=line(band)))["targeting"] == expected


def test_targeting_is_by_gun_type() -> None:
    """62.53: the secondaries find the range for themselves, with the same column."""
    secondary = shot(battery=SECONDARY)
    assert values(secondary)["targeting"] == 11
    on_target = Conditions(first_fire_at_target=False)
    assert values(replace(secondary, conditions=on_target))["targeting"] == 0


@pytest.mark.parametrize(
    ("blocked", "front", "target_cover", "own_cover", "total"),
    [
        (True, True, False, False, 30),
        (True, False, True, False, 23),
        (False, True, True, True, 38),
        (True, True, True, True, 53),
    ],
)
def test_sight_and_smoke_add_up(
    blocked: bool, front: bool, target_cover: bool, own_cover: bool, total: int
) -> None:
    fire = replace(
        PLAIN,
        sightline=line(RangeBand.LONG_LOW, blocked=blocked, smoke=front),
        conditions=Conditions(target_smoke_cover=target_cover, firer_smoke_cover=own_cover),
    )
    plain = modifications(PLAIN, CARD).total
    assert modifications(fire, CARD).total - plain == total


def test_everything_at_once_is_the_sum() -> None:
    """62.52: cumulative, without exception."""
    worn = replace(
        PLAIN.firer,
        radar_lost=True, hull_lost=40, director_destroyed=True, plot_destroyed=True,
        command_modifier=2,
    )  # fmt: skip
    fire = shot(
        worn,
        "Destroyer",
        line(RangeBand.EXTREME, BOW, PORT, blocked=True, smoke=True),
        speeds=(10, 12),
        guns=1,
        held_back=True,
        conditions=Conditions(
            visibility=8, night=True, hit_last_segment=True, under_fire=True,
            crew=Crew.EXHAUSTED, several_targets=True, several_firers=True,
            firer_evolution=Evolution.SALVO_CHASING, target_evolution=Evolution.SALVO_CHASING,
            firer_smoke_cover=True, target_smoke_cover=True,
        ),
    )  # fmt: skip
    expected: Values = {
        "targeting": 16, 1: 2, 2: 15, 3: 4, 4: 8, 5: 2, 6: 3, 7: 6, 8: 8, 9: 0, 10: 4, 11: 3,
        12: 3, 13: 2, 14: 8, 15: 2, 16: 2, "sight": 15, "smoke": 38, "held_back": -1, "command": 2,
    }  # fmt: skip
    assert values(fire) == expected
    assert modifications(fire, CARD).total == sum(expected.values()) == 142


@pytest.mark.parametrize(
    ("guns", "factor", "bonus"), [(4, 4, 0), (3, 3, -1), (2, 2, -2), (1, 1, -3)]
)
def test_reduced_rate_of_fire(guns: int, factor: int, bonus: int) -> None:
    """67.41, 67.42: the four guns of Prince of Wales's turret A, three, two or one of them."""
    at_medium = line(RangeBand.MEDIUM_HIGH, BOW)
    fire = shot("Prince of Wales", "Bismarck", at_medium, turrets=("A",), guns=guns, held_back=True)
    assert gunnery_factor(fire) == factor
    assert values(fire).get("held_back", 0) == bonus


@pytest.mark.parametrize(
    ("rounds", "crew"),
    [(0, Crew.FRESH), (5, Crew.FRESH), (6, Crew.TIRED), (11, Crew.TIRED), (12, Crew.EXHAUSTED)],
)
def test_crews_tire(rounds: int, crew: Crew) -> None:
    assert Crew.after(rounds) is crew
