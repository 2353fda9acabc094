"""Rules 60, 65, 67.3 to 67.6 and 70: the Hit Table, ammunition, forbidden fires, destroyers."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import Pair, TypedDice
from combat.owner_values import Overlay
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.factor import columns, gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import (
    Conditions,
    Shot,
    check_allowed,
    turrets_bearing,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import TurretState, Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import Quadrant
from tabletop.messages import Message, ShipRef, Value
from tests.combat.bismarck_advanced.sheets import CARD, SHIPS, TABLES, fresh
from tests.combat.bismarck_advanced.shots import (
    BOW,
    HOOD_FIRST,
    MAIN,
    PLAIN,
    SECONDARY,
    STERN,
    line,
    resolved,
    shot,
    with_firer,
)
from web.strings import words

NEAR = (
    RangeBand.POINT_BLANK,
    RangeBand.SHORT,
    RangeBand.MEDIUM_LOW,
    RangeBand.MEDIUM_HIGH,
)


def refusal(fire: Shot) -> Forbidden:
    with pytest.raises(Forbidden) as refused:
        resolved(fire, "")
    return refused.value


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
    """The proposal for the lost Hit Table: four hits 2 rows apart, further ones 10 rows."""
    last = 14 + 2 * factor if factor <= 5 else 19 + factor
    needs = [last - 2 * hit for hit in range(4)]
    needs += [needs[-1] - 10 * hit for hit in range(1, 10)]
    return min(factor, sum(max(index, 1) <= row for row in needs))


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
    assert modifications(at_rest, CARD).total == -4 - 2 - 6 - 4
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


MAIN_GUNS, SECONDARY_GUNS = Message("advanced.battery.main"), Message("advanced.battery.secondary")
AHEAD = Message("advanced.quadrant.bow")


def refused(why: str, ship: str, **more: Value) -> Message:
    return Message(f"advanced.forbidden.{why}", ship=ShipRef(ship), **more)


def too_many(guns: int, *, of: int) -> Message:
    return refused(
        "too_many_guns",
        "Bismarck",
        guns=guns,
        bearing=of,
        battery=MAIN_GUNS,
        quadrant=Message("advanced.quadrant.starboard"),
    )


def cannot_fire(turret: str) -> Message:
    return refused("turret_cannot_fire", "Bismarck", turret=turret)


FORBIDDEN: list[tuple[str, Callable[[], Shot], str, Message]] = [
    ("out of range", lambda: shot(sightline=line(None)), "61.5",
     refused("beyond_all_guns", "Hood", range_yards=30_000)),
    ("not at this range", lambda: shot("Prinz Eugen", sightline=line(RangeBand.EXTREME)),
     "62.42", refused("beyond_reach", "Prinz Eugen", battery=MAIN_GUNS,
                      band=Message("advanced.band.extreme"))),
    ("secondaries", lambda: shot(sightline=line(RangeBand.EXTREME), battery=SECONDARY),
     "62.42", refused("beyond_reach", "Bismarck", battery=SECONDARY_GUNS,
                      band=Message("advanced.band.extreme"))),
    ("secondaries ahead", lambda: shot(sightline=line(RangeBand.SHORT, BOW), battery=SECONDARY),
     "61.4", refused("no_gun_bears", "Bismarck", battery=SECONDARY_GUNS, quadrant=AHEAD)),
    ("Rodney astern", lambda: shot("Rodney", sightline=line(RangeBand.SHORT, STERN)), "61.4",
     refused("no_gun_bears", "Rodney", battery=MAIN_GUNS,
             quadrant=Message("advanced.quadrant.stern"))),
    ("does not bear", lambda: shot(sightline=line(RangeBand.SHORT, BOW), turrets=("A", "X")),
     "61.4", refused("turret_does_not_bear", "Bismarck", turret="X", quadrant=AHEAD)),
    ("nine of eight", lambda: shot(guns=9), "61.4", too_many(9, of=8)),
    ("five of four", lambda: shot(guns=5, turrets=("A", "B")), "61.4", too_many(5, of=4)),
    ("no gun at all", lambda: shot(guns=0), "61.4", too_many(0, of=8)),
    ("unknown turret", lambda: shot(turrets=("Q",)), "60.2",
     refused("no_such_turret", "Bismarck", battery=MAIN_GUNS, turret="Q",
             known=("A", "B", "X", "Y"))),
    ("secondary by a main name", lambda: shot(turrets=("A",), battery=SECONDARY), "60.2",
     refused("no_such_turret", "Bismarck", battery=SECONDARY_GUNS, turret="A",
             known=("P1", "P2", "P3", "S1", "S2", "S3"))),
    ("twice", lambda: shot(turrets=("A", "A")), "61.2",
     Message("advanced.forbidden.turret_twice")),
    ("destroyed", lambda: shot(turret_state(0, destroyed=True), turrets=("A",)),
     "64.32", cannot_fire("A")),
    ("out for a phase", lambda: shot(turret_state(1, out_for_phases=1), turrets=("B",)),
     "64.32", cannot_fire("B")),
    ("out for the battle", lambda: shot(turret_state(1, out_for_battle=True), turrets=("B",)),
     "64.32", cannot_fire("B")),
    ("jammed now", lambda: shot(turrets=("A",), conditions=Conditions(jammed={"A": 2})),
     "71.2", cannot_fire("A")),
    ("jammed for good", lambda: shot(turret_state(0, jammed_guns=2), turrets=("A",)),
     "71.2", cannot_fire("A")),
    ("guns of a jammed turret", lambda: shot(guns=8, conditions=Conditions(jammed={"A": 1})),
     "61.4", too_many(8, of=7)),
    ("firer sunk", lambda: shot(replace(fresh("Bismarck"), hull_lost=60)), "64.8",
     refused("sunk", "Bismarck")),
    ("target sunk", lambda: shot(target=replace(fresh("Hood"), sunk_outright=True)), "64.8",
     refused("sunk", "Hood")),
    ("no ammunition", lambda: shot(fresh("Bismarck").with_ammunition(MAIN, 0)), "65.5",
     refused("no_ammunition", "Bismarck", battery=MAIN_GUNS)),
    ("no secondaries", lambda: shot("Tourville", "Hood", line(RangeBand.SHORT), battery=SECONDARY),
     "", refused("no_guns", "Tourville", battery=SECONDARY_GUNS)),
    ("carrier's main guns", lambda: shot("Ark Royal", sightline=line(RangeBand.SHORT)),
     "", refused("no_guns", "Ark Royal", battery=MAIN_GUNS)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fire", "rule", "reason"),
    [case[1:] for case in FORBIDDEN],
    ids=[case[0] for case in FORBIDDEN],
)
def test_forbidden(fire: Callable[[], Shot], rule: str, reason: Message) -> None:
    error = refusal(fire())
    assert rule in error.rule
    assert error.rule, "a refusal cites its rule"
    assert error.reason == reason
    assert words(error) == f"{words(reason)} ({error.rule})"
    assert "\n" not in words(error)


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
    owned = CombatTables.of(TABLES.with_overlay(typed_in))
    assert resolve_fire(HOOD_FIRST, TypedDice("12"), owned).provenance is Provenance.OWNER
