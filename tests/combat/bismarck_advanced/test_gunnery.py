"""Rules 60 to 62, 65, 67.3 to 67.6 and 70: from guns to hits, with the book's own examples."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from math import exp, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import Pair, TypedDice
from combat.overlay import Overlay
from combat.provenance import Provenance
from combat.rulesets.bismarck_advanced.bands import Battery, RangeBand
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.evolution import Evolution
from combat.rulesets.bismarck_advanced.gunnery import (
    FireReport,
    Options,
    columns,
    gunnery_factor,
    resolve_fire,
)
from combat.rulesets.bismarck_advanced.ledger import modifications
from combat.rulesets.bismarck_advanced.shot import (
    Conditions,
    Crew,
    FireForbidden,
    Shot,
    Sightline,
    check_allowed,
    turrets_bearing,
)
from combat.rulesets.bismarck_advanced.tabledata import load_tables
from combat.rulesets.bismarck_advanced.vessel import TurretState, Vessel
from combat.rulesets.bismarck_advanced.warship_files import load_warships
from tabletop.arcs import Quadrant

TABLES, SHIPS = load_tables(), load_warships()
CARD = Card.of(TABLES)
BOW, STERN, PORT, STARBOARD = Quadrant.BOW, Quadrant.STERN, Quadrant.PORT, Quadrant.STARBOARD
MAIN, SECONDARY = Battery.MAIN, Battery.SECONDARY
NEAR = (
    RangeBand.POINT_BLANK,
    RangeBand.SHORT,
    RangeBand.MEDIUM_LOW,
    RangeBand.MEDIUM_HIGH,
)
FAR = (RangeBand.LONG_LOW, RangeBand.LONG_HIGH, RangeBand.EXTREME)
Values = dict[int | str, int]


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def line(
    band: RangeBand | None,
    quadrant: Quadrant = STARBOARD,
    aspect: Quadrant = PORT,
    *,
    blocked: bool = False,
    smoke: bool = False,
) -> Sightline:
    """A line to a target in the middle of a range segment, or 2,000 yards beyond them all."""
    number = len(RangeBand) if band is None else list(RangeBand).index(band)
    return Sightline(4000 * number + 2000, band, quadrant, aspect, blocked, smoke)


def shot(
    firer: str | Vessel = "Bismarck",
    target: str | Vessel = "Hood",
    sightline: Sightline | None = None,
    *,
    speeds: tuple[int, int] = (7, 7),
    battery: Battery = MAIN,
    turrets: tuple[str, ...] = (),
    guns: int | None = None,
    held_back: bool = False,
    conditions: Conditions | None = None,
) -> Shot:
    """Bismarck's broadside at Hood, broadside to broadside, unless told otherwise."""
    return Shot(
        fresh(firer) if isinstance(firer, str) else firer,
        fresh(target) if isinstance(target, str) else target,
        *speeds,
        battery,
        sightline or line(RangeBand.LONG_LOW),
        turrets,
        guns,
        held_back,
        conditions or Conditions(),
    )


def values(fire: Shot) -> Values:
    """The ledger by number; modifiers that share a word are added up."""
    found: Values = {}
    for modifier in modifications(fire, CARD):
        found[modifier.number] = found.get(modifier.number, 0) + modifier.value
    return found


def resolved(fire: Shot, dice: str, options: Options | None = None) -> FireReport:
    typed = TypedDice(dice)
    report = resolve_fire(fire, typed, CARD, options=options)
    typed.finish()
    return report


def refusal(fire: Shot) -> FireForbidden:
    with pytest.raises(FireForbidden) as refused:
        resolved(fire, "")
    return refused.value


# --- the worked examples -------------------------------------------------------------------

HOOD_FIRST = shot("Hood", "Prinz Eugen", line(RangeBand.EXTREME, BOW, PORT), speeds=(9, 9))
PRINCE_FIRST = shot(
    "Prince of Wales", "Bismarck", line(RangeBand.EXTREME, BOW, PORT), speeds=(9, 9)
)


def test_example_of_62_43() -> None:
    """Bismarck's eight main guns at 26,000 yards: 8 × .3 = 2.4, a factor of 2."""
    assert gunnery_factor(shot(sightline=line(RangeBand.EXTREME))) == 2


@pytest.mark.parametrize(
    ("conditions", "targeting"),
    [(Conditions(), 16), (Conditions(first_fire_at_target=False), 0)],
)
def test_example_of_62_53(conditions: Conditions, targeting: int) -> None:
    fire = shot(sightline=line(RangeBand.EXTREME), conditions=conditions)
    assert values(fire)["targeting"] == targeting


HOOD_LEDGER = [
    ("targeting", 18), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 3), (9, 0),
    (10, 0), (11, 0), (12, 0), (13, -2), (14, 0), (15, 0), (16, 1),
]  # fmt: skip


def test_hood_fires_at_prinz_eugen() -> None:
    report = resolved(HOOD_FIRST, "12")
    assert (report.guns, report.gunnery_factor) == (4, 1)
    assert [(entry.number, entry.value) for entry in report.ledger] == HOOD_LEDGER
    assert report.ledger.total == 20
    assert (report.row, report.hits, report.hit_reports) == ("44", 0, ())
    assert (report.ammunition_spent, report.ammunition_left) == (6, 714)
    assert report.target_after == HOOD_FIRST.target


def test_prince_of_wales_fires_at_bismarck() -> None:
    report = resolved(PRINCE_FIRST, "11")
    assert (report.guns, report.gunnery_factor, report.ledger.total) == (6, 1, 16)
    seen = {number: value for number, value in values(PRINCE_FIRST).items() if value}
    assert seen == {"targeting": 17, 13: -2, 16: 1}
    assert report.row == "35"
    assert (report.ammunition_spent, report.ammunition_left) == (9, 591)


@pytest.mark.parametrize("fire", [HOOD_FIRST, PRINCE_FIRST])
@pytest.mark.parametrize("roll", range(1, 37))
def test_neither_can_possibly_hit(fire: Shot, roll: int) -> None:
    assert resolved(fire, str(Pair.of_index(roll))).hits == 0


@pytest.mark.parametrize(
    ("firer", "target", "left", "targeting", "factor", "spent"),
    [
        ("Prince of Wales", "Bismarck", 591, False, 3, 18),
        ("Hood", "Bismarck", 714, True, 2, 6),
    ],
)
def test_second_segment_at_long_high(
    firer: str, target: str, left: int, targeting: bool, factor: int, spent: int
) -> None:
    """6 × .5 = 3 and the two logs: 591 to 573, 714 to 708."""
    fire = shot(
        fresh(firer).with_ammunition(MAIN, left),
        target,
        line(RangeBand.LONG_HIGH, BOW, PORT),
        conditions=Conditions(first_fire_at_target=targeting),
    )
    report = resolved(fire, "66")
    assert report.gunnery_factor == factor
    assert (report.ammunition_spent, report.ammunition_left) == (spent, left - spent)


def test_bismarcks_first_fire_uses_the_german_rate() -> None:
    """Her sheet in the example took the Allied 3 a gun; 65.2 says 4."""
    report = resolved(shot(sightline=line(RangeBand.LONG_HIGH)), "66")
    assert (report.gunnery_factor, values(report.shot)["targeting"]) == (4, 14)
    assert report.ammunition_spent == 8 * 4 // 2


# --- the modifications, one by one ---------------------------------------------------------

PLAIN = shot()
PLAIN_VALUES: Values = {
    "targeting": 11, **dict.fromkeys(range(1, 17), 0), 13: -2,
}  # fmt: skip


def with_firer(**marks: object) -> Shot:
    return replace(PLAIN, firer=replace(PLAIN.firer, **marks))  # type: ignore[arg-type]


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
    ("held back", replace(PLAIN, guns=5, held_back=True), {"held_back": -3}, "67.42"),
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
        12: 3, 13: 2, 14: 8, 15: 2, 16: 2, "sight": 15, "smoke": 38, "held_back": -3, "command": 2,
    }  # fmt: skip
    assert values(fire) == expected
    assert modifications(fire, CARD).total == sum(expected.values()) == 140


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


# --- the roll and the Hit Table ------------------------------------------------------------


@given(
    ship=st.sampled_from([ship.name for ship in SHIPS]),
    band=st.sampled_from(list(RangeBand)),
    battery=st.sampled_from(list(Battery)),
    guns=st.integers(1, 16),
)
def test_the_factor_rounds_halves_up(
    ship: str, band: RangeBand, battery: Battery, guns: int
) -> None:
    fire = shot(ship, sightline=line(band), battery=battery, guns=guns)
    multiplier = fire.multiplier
    if multiplier is None:
        assert gunnery_factor(fire) == 0
        return
    product = Decimal(multiplier.numerator) / Decimal(multiplier.denominator) * guns
    assert gunnery_factor(fire) == int(product.to_integral_value(ROUND_HALF_UP))


@pytest.mark.parametrize(("guns", "factor"), [(1, 1), (2, 1), (3, 2), (5, 3), (7, 4), (9, 5)])
def test_half_a_factor_rounds_up(guns: int, factor: int) -> None:
    """Prince of Wales at long high: a multiplier of .5."""
    fire = shot("Prince of Wales", "Bismarck", line(RangeBand.LONG_HIGH), guns=guns)
    assert gunnery_factor(fire) == factor


def test_a_factor_of_nothing_takes_no_dice_but_ammunition() -> None:
    """Two guns × .2 = .4."""
    fire = shot("Hood", "Bismarck", line(RangeBand.EXTREME), turrets=("A",))
    report = resolved(fire, "")
    assert (report.gunnery_factor, report.dice, report.row, report.hits) == (0, None, None, 0)
    assert (report.ammunition_spent, report.ammunition_left) == (3, 717)
    assert report.firer_after.main_ammunition == 717


@pytest.mark.parametrize(
    ("factor", "adding", "expected"),
    [
        (0, False, ()), (0, True, ()), (1, False, (1,)), (28, True, (28,)), (29, False, (28,)),
        (29, True, (28, 1)), (56, True, (28, 28)), (80, True, (28, 28, 24)), (80, False, (28,)),
    ],
)  # fmt: skip
def test_columns_of_a_factor(factor: int, adding: bool, expected: tuple[int, ...]) -> None:
    assert columns(factor, Options(factors_past_the_table_add_up=adding)) == expected


def hits_by_formula(factor: int, index: int) -> int:
    """The proposal for the lost Hit Table, row 86+ missing throughout."""
    if index >= 48:
        return 0
    return floor(factor * min(1.0, 1.8 * exp(-0.1 * (max(index, 1) - 1))) + 0.5)


@pytest.mark.parametrize("adding", [False, True])
def test_a_factor_past_the_table(adding: bool) -> None:
    """Bismarck at short range against a destroyer, which takes no location dice: 8 × 4.9 = 39."""
    fire = shot(
        "Bismarck",
        "Destroyer",
        line(RangeBand.SHORT),
        speeds=(7, 7),
        conditions=Conditions(first_fire_at_target=False, under_fire=True),
    )
    total = modifications(fire, CARD).total
    assert (gunnery_factor(fire), total) == (39, 8 + 2 - 2)
    report = resolved(fire, "21", Options(factors_past_the_table_add_up=adding))
    expected = hits_by_formula(28, 7 + total) + (hits_by_formula(11, 7 + total) if adding else 0)
    assert report.hits == len(report.hit_reports) == expected > 0


@given(roll=st.integers(1, 36), extra=st.integers(0, 45), guns=st.integers(1, 8))
def test_the_row_is_roll_and_modifiers_in_base_six(roll: int, extra: int, guns: int) -> None:
    """Against a destroyer, so that no further dice fall."""
    fire = shot(
        replace(PLAIN.firer, command_modifier=extra),
        "Destroyer",
        line(RangeBand.MEDIUM_LOW),
        speeds=(7, 0),
        guns=guns,
        held_back=True,
        conditions=Conditions(first_fire_at_target=False, hit_target_last_segment=True),
    )
    report = resolved(fire, str(Pair.of_index(roll)))
    index = roll + report.ledger.total
    tens, units = divmod(index - 1, 6)
    expected = "11 or less" if index <= 1 else "86+" if index >= 48 else f"{tens + 1}{units + 1}"
    assert report.row == expected
    assert report.hits == hits_by_formula(report.gunnery_factor, index)


def test_the_two_ends_of_the_table() -> None:
    at_rest = replace(
        PLAIN, target_speed=0, firer_speed=0,
        conditions=Conditions(first_fire_at_target=False, hit_target_last_segment=True),
        guns=3, held_back=True,
    )  # fmt: skip
    assert modifications(at_rest, CARD).total == -4 - 2 - 6 - 5
    report = resolved(replace(at_rest, target=fresh("Destroyer")), "23")
    assert (report.row, report.hits) == ("11 or less", 3)
    blind = with_firer(command_modifier=40)
    assert (resolved(blind, "11").row, resolved(blind, "11").hits) == ("86+", 0)


# --- ammunition ----------------------------------------------------------------------------


@pytest.mark.parametrize("targeting", [True, False])
@pytest.mark.parametrize(
    ("ship", "guns", "far", "near"),
    [("Hood", 7, 21, 42), ("Bismarck", 7, 28, 42), ("Dunkerque", 5, 15, 30),
     ("North Carolina", 9, 27, 54), ("Scharnhorst", 9, 36, 54)],
)  # fmt: skip
def test_ammunition_by_nation_and_range(
    ship: str, guns: int, far: int, near: int, targeting: bool
) -> None:
    """65.1 to 65.4; the French, whoever commands them, use the Allied rate."""
    conditions = Conditions(first_fire_at_target=targeting)
    for band in RangeBand:
        fire = shot(ship, "Destroyer", line(band), guns=guns, conditions=conditions)
        whole = near if band in NEAR else far
        expected = whole // 2 if targeting else whole
        report = resolved(fire, "66")
        assert report.ammunition_spent == expected
        assert report.ammunition_left == fresh(ship).main_ammunition - expected
        assert report.firer_after == replace(fire.firer, main_ammunition=report.ammunition_left)


def test_each_gun_type_has_its_own_magazine() -> None:
    report = resolved(shot(battery=SECONDARY, target="Destroyer"), "66")
    assert (report.guns, report.ammunition_spent) == (6, 12)
    assert report.firer_after.secondary_ammunition == 270 - 12
    assert report.firer_after.main_ammunition == 600


def test_the_last_salvo_fires_with_what_is_there() -> None:
    fire = replace(PLAIN, firer=PLAIN.firer.with_ammunition(MAIN, 5), target=fresh("Destroyer"))
    report = resolved(fire, "66")
    assert (report.ammunition_spent, report.ammunition_left) == (5, 0)
    assert refusal(replace(fire, firer=report.firer_after)).rule == "65.5"


# --- what the rules forbid -----------------------------------------------------------------


def turret_state(number: int, **state: object) -> Vessel:
    return fresh("Bismarck").with_turret(number, TurretState(**state))  # type: ignore[arg-type]


FORBIDDEN: list[tuple[str, Callable[[], Shot], str, str]] = [
    ("out of range", lambda: shot(sightline=line(None)), "61.5", "30,000 yards"),
    ("not at this range", lambda: shot("Prinz Eugen", sightline=line(RangeBand.EXTREME)),
     "62.42", "do not reach extreme range"),
    ("secondaries", lambda: shot(sightline=line(RangeBand.EXTREME), battery=SECONDARY),
     "62.42", "secondary guns do not reach"),
    ("secondaries ahead", lambda: shot(sightline=line(RangeBand.SHORT, BOW), battery=SECONDARY),
     "61.4", "no secondary gun"),
    ("Rodney astern", lambda: shot("Rodney", sightline=line(RangeBand.SHORT, STERN)), "61.4",
     "no main gun of Rodney can fire into her stern quadrant"),
    ("does not bear", lambda: shot(sightline=line(RangeBand.SHORT, BOW), turrets=("A", "X")),
     "61.4", "turret X does not bear into her bow quadrant"),
    ("nine of eight", lambda: shot(guns=9), "61.4", "9 guns cannot fire: 8 main guns"),
    ("five of four", lambda: shot(guns=5, turrets=("A", "B")), "61.4", "4 main guns"),
    ("no gun at all", lambda: shot(guns=0), "61.4", "0 guns"),
    ("unknown turret", lambda: shot(turrets=("Q",)), "60.2", "no main turret 'Q', only A, B, X, Y"),
    ("secondary by a main name", lambda: shot(turrets=("A",), battery=SECONDARY), "60.2", "'A'"),
    ("twice", lambda: shot(turrets=("A", "A")), "61.2", "twice"),
    ("destroyed", lambda: shot(turret_state(0, destroyed=True), turrets=("A",)),
     "64.32", "turret A cannot fire"),
    ("out for a phase", lambda: shot(turret_state(1, out_for_phases=1), turrets=("B",)),
     "64.32", "turret B cannot fire"),
    ("out for the battle", lambda: shot(turret_state(1, out_for_battle=True), turrets=("B",)),
     "64.32", "turret B cannot fire"),
    ("jammed now", lambda: shot(turrets=("A",), conditions=Conditions(jammed={"A": 2})),
     "71.2", "turret A cannot fire"),
    ("jammed for good", lambda: shot(turret_state(0, jammed_guns=2), turrets=("A",)),
     "71.2", "turret A cannot fire"),
    ("guns of a jammed turret", lambda: shot(guns=8, conditions=Conditions(jammed={"A": 1})),
     "61.4", "7 main guns"),
    ("firer sunk", lambda: shot(replace(fresh("Bismarck"), hull_lost=60)), "64.8",
     "Bismarck is sunk"),
    ("target sunk", lambda: shot(target=replace(fresh("Hood"), sunk_outright=True)), "64.8",
     "Hood is sunk"),
    ("no ammunition", lambda: shot(fresh("Bismarck").with_ammunition(MAIN, 0)), "65.5",
     "no ammunition left for her main guns"),
    ("no secondaries", lambda: shot("Tourville", "Hood", line(RangeBand.SHORT), battery=SECONDARY),
     "", "Tourville"),
    ("carrier's main guns", lambda: shot("Ark Royal", sightline=line(RangeBand.SHORT)),
     "", "Ark Royal"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fire", "rule", "reason"),
    [case[1:] for case in FORBIDDEN],
    ids=[case[0] for case in FORBIDDEN],
)
def test_forbidden(fire: Callable[[], Shot], rule: str, reason: str) -> None:
    refused = refusal(fire())
    assert rule in refused.rule
    assert refused.rule, "a refusal cites its rule"
    assert reason in refused.reason
    assert str(refused) == f"{refused.reason} ({refused.rule})"
    assert "\n" not in str(refused)


@pytest.mark.parametrize("yards", [24_000.5, 28_000.0])
def test_the_last_yard_is_in_range(yards: float) -> None:
    check_allowed(shot(sightline=replace(line(RangeBand.EXTREME), range_yards=yards)))


def test_half_a_turret_still_fires() -> None:
    partly = turret_state(0, jammed_guns=1, lost_quarters=8)
    assert shot(partly).guns_firing == 7
    assert shot(partly, turrets=("A",)).guns_firing == 1


# --- destroyers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost", "ahead", "abeam", "speed"), [(0, 4, 8, 12), (1, 3, 6, 9), (2, 2, 4, 6), (3, 1, 2, 3)]
)
def test_a_destroyer_shrinks_with_her_box(lost: int, ahead: int, abeam: int, speed: int) -> None:
    """70.3 to 70.5."""
    ship = replace(fresh("Destroyer"), hull_lost=lost)
    for quadrant in Quadrant:
        mounts = turrets_bearing(ship, MAIN, quadrant, {})
        expected = ahead if quadrant in (BOW, STERN) else abeam
        assert sum(mount.guns for mount in mounts) == expected
    assert ship.movement_factor == speed


def test_a_destroyer_fires_and_a_sunk_one_does_not() -> None:
    ship = fresh("Destroyer")
    report = resolved(shot(ship, "Destroyer", line(RangeBand.SHORT)), "66")
    assert report.guns == 8
    assert refusal(shot(replace(ship, hull_lost=4), sightline=line(RangeBand.SHORT))).rule == "64.8"


# --- simultaneous fire, and what a result rests on -----------------------------------------


def test_fire_of_one_segment_sees_the_sheets_as_they_were() -> None:
    """62.2: marks made by others in the segment are kept and change nothing about this fire."""
    fire = shot("Bismarck", "Hood", line(RangeBand.SHORT), guns=1, turrets=("A",))
    others = replace(fire.target, hull_lost=12, director_destroyed=True)
    report = resolve_fire(fire, TypedDice("66"), CARD, target_now=others)
    assert report.hits == 0
    assert report.target_after == others
    typed = TypedDice("11 14 14 14 14 14")
    hit = resolve_fire(fire, typed, CARD, target_now=others)
    typed.finish()
    assert hit.hits == 5
    assert hit.target_after.superstructure_lost == 12
    assert hit.target_after.hull_lost == 12 + 8
    assert hit.ledger == report.ledger


def test_a_result_says_what_it_rests_on() -> None:
    """A lost cell anywhere in the ledger shows; with the owner's value there it is the owner's."""
    assert resolved(HOOD_FIRST, "12").provenance is Provenance.RECONSTRUCTED
    lines = [entry for entry in modifications(HOOD_FIRST, CARD) if entry.provenance != "printed"]
    typed_in = Overlay(
        "bismarck-advanced",
        {("modifiers", "3 hull first third", "value"): "0", ("modifiers", "15 7-9", "value"): "0"},
    )
    assert {entry.number for entry in lines} == {3, 15}
    owned = Card.of(TABLES.with_overlay(typed_in))
    assert resolve_fire(HOOD_FIRST, TypedDice("12"), owned).provenance is Provenance.OWNER
