"""Torpedoes by 69 and 19: who may fire, when it is resolved, whom it meets, how it rolls."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import Pair, TypedDice
from combat.forecast import every_outcome
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.conversion import Hexes
from combat.rulebooks.bismarck_advanced.fire.torpedoes import (
    Salvo,
    SalvoTarget,
    TorpedoReport,
    check_launch,
    due_in,
    find_receiver,
    launch,
    modifications,
    resolve_salvo,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef, verbatim
from tabletop.table import Base, Model, Pose, Table
from web.strings import words

TABLES, SHIPS = load_tables(), load_warships()
PHASE = CombatPhase(5)
BASE = Base(1000, 400)
HERE = Pose(0, 0, 0)


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


EUGEN, HOOD, BISMARCK = fresh("Prinz Eugen"), fresh("Hood"), fresh("Bismarck")


def fired(range_yards: float = 3000, target: Vessel = HOOD, by: Vessel = EUGEN) -> Salvo:
    return launch(by, target, HERE, range_yards, PHASE, TABLES)[1]


def ship(name: str, x: float, y: float, heading: float = 0.0, sigma: float = 0.0) -> Model:
    return Model(name, Pose(x, y, heading, sigma), BASE)


def met(name: str, quadrant: Quadrant | None = Quadrant.PORT) -> SalvoTarget:
    return SalvoTarget(name, (), quadrant, verbatim("typed in"))


def resolved(
    dice: str,
    target: Vessel = HOOD,
    *,
    quadrant: Quadrant | None = Quadrant.PORT,
    evolution: Evolution = Evolution.STEADY,
    range_yards: float = 3000,
    by: Vessel = EUGEN,
) -> TorpedoReport:
    typed = TypedDice(dice)
    salvo = fired(range_yards, target, by)
    report = resolve_salvo(salvo, met(target.name, quadrant), target, evolution, typed, TABLES)
    typed.finish()
    return report


# Who may fire (69.1, 19.3), and when it is resolved (69.4).


@pytest.mark.parametrize(
    ("yards", "hexes", "delay"),
    [(0, Hexes.ONE, 0), (4000, Hexes.ONE, 0), (4001, Hexes.TWO, 1), (8000, Hexes.TWO, 1)],
)
def test_near_salvos_are_due_next_phase_far_ones_the_one_after(
    yards: float, hexes: Hexes, delay: int
) -> None:
    vessel, salvo = launch(EUGEN, HOOD, HERE, yards, PHASE, TABLES)
    assert vessel == replace(EUGEN, torpedoes_fired=True)
    assert (salvo.hexes, salvo.due) == (hexes, PHASE.later(delay))
    assert (salvo.torpedoes, salvo.marker, salvo.plotted) == (6, HERE, PHASE)
    assert due_in([salvo], PHASE) == ((salvo,) if delay == 0 else ())
    assert due_in([salvo], PHASE.later(delay)) == (salvo,)


@pytest.mark.parametrize(
    ("vessel", "target", "yards", "blocked", "rule"),
    [
        (BISMARCK, HOOD, 3000, False, "69.1"),
        (replace(EUGEN, torpedoes_fired=True), HOOD, 3000, False, "19.3"),
        (EUGEN, HOOD, 8001, False, "69.1"),
        (EUGEN, HOOD, 3000, True, "69.1"),
        (EUGEN, replace(HOOD, sunk_outright=True), 3000, False, "64.8"),
        (replace(EUGEN, hull_lost=24), HOOD, 3000, False, "64.8"),
        (EUGEN, EUGEN, 3000, False, "69.1"),
    ],
)
def test_who_may_not_fire(
    vessel: Vessel, target: Vessel, yards: float, blocked: bool, rule: str
) -> None:
    with pytest.raises(Forbidden) as refused:
        check_launch(vessel, target, yards, TABLES, blocked=blocked)
    assert refused.value.rule == rule
    assert words(refused.value).endswith(f"({rule})")


def test_once_fired_a_ship_has_none_left() -> None:
    vessel, _ = launch(EUGEN, HOOD, HERE, 3000, PHASE, TABLES)
    assert vessel.torpedoes_fired
    assert check_launch(replace(vessel, torpedoes_fired=False), HOOD, 3000, TABLES) is Hexes.ONE


def test_one_torpedo_is_below_the_table_and_five_are_four() -> None:
    lone = replace(EUGEN, warship=replace(EUGEN.warship, torpedoes=1))
    with pytest.raises(Forbidden) as refused:
        fired(by=lone)
    assert refused.value.rule == "69.2"
    assert refused.value.reason == Message("advanced.forbidden.salvo_too_small", least=2)
    five = replace(EUGEN, warship=replace(EUGEN.warship, torpedoes=5))
    report = resolved("11", by=five)
    assert (report.column, report.provenance) == ("one 4", Provenance.RECONSTRUCTED)


# Who receives it (69.5, 69.6).


def test_the_target_receives_it_wherever_she_is() -> None:
    salvo = fired()
    for x, y in ((0, 3000), (20_000, -9000)):
        reception = find_receiver(salvo, Table((ship("Prinz Eugen", 0, 2000), ship("Hood", x, y))))
        assert (reception.receiver, reception.in_the_way, reception.rule) == ("Hood", (), "69.6")


def test_the_first_other_ship_on_the_line_takes_it() -> None:
    table = Table(
        (
            ship("Hood", 0, 6000),
            ship("Norfolk", 100, 4000, 90),
            ship("Bismarck", 0, 2000, 90),
            ship("Suffolk", 900, 3000),
        )
    )
    reception = find_receiver(fired(), table)
    assert reception.receiver == "Bismarck"
    assert [blocker.name for blocker in reception.in_the_way] == ["Bismarck", "Norfolk"]
    assert [blocker.at_yards for blocker in reception.in_the_way] == pytest.approx([1800, 3800])
    assert reception.why == Message(
        "advanced.torpedo.line.taken",
        ship=ShipRef("Bismarck"),
        yards=reception.in_the_way[0].at_yards,
        target=ShipRef("Hood"),
    )


def test_beyond_the_target_nobody_is_in_the_way_and_the_whole_line_counts() -> None:
    table = Table((ship("Hood", 0, 3000), ship("Norfolk", 0, 4500)))
    assert find_receiver(fired(), table).receiver == "Hood"
    # 67.52 looks 4,000 yards far at such a range; 69.6 looks all the way.
    table = Table((ship("Hood", 0, 19_000), ship("Norfolk", 0, 15_000)))
    assert find_receiver(fired(), table).receiver == "Norfolk"


def test_the_line_runs_from_the_marker_not_from_the_ship() -> None:
    table = Table(
        (ship("Prinz Eugen", 3000, 0), ship("Norfolk", 1500, 2000), ship("Hood", 0, 4000))
    )
    assert find_receiver(fired(), table).receiver == "Hood"


def test_the_launching_ship_is_not_in_her_own_way() -> None:
    table = Table((ship("Prinz Eugen", 0, 300), ship("Hood", 0, 3000)))
    assert find_receiver(fired(), table).receiver == "Hood"


def test_a_target_that_has_gone() -> None:
    reception = find_receiver(fired(), Table((ship("Norfolk", 0, 3000),)))
    assert (reception.receiver, reception.from_quadrant) == (None, None)
    assert reception.why == Message("advanced.torpedo.line.gone", target=ShipRef("Hood"))
    with pytest.raises(DreyerError, match=r"advanced\.torpedo\.not_her"):
        resolve_salvo(fired(), reception, HOOD, Evolution.STEADY, TypedDice("66"), TABLES)


@pytest.mark.parametrize(
    ("heading", "quadrant"),
    [(0, Quadrant.STERN), (180, Quadrant.BOW), (90, Quadrant.STARBOARD), (270, Quadrant.PORT)],
)
def test_where_the_marker_lies_for_the_receiver(heading: float, quadrant: Quadrant) -> None:
    reception = find_receiver(fired(), Table((ship("Hood", 0, 3000, heading),)))
    assert reception.from_quadrant is quadrant


def test_a_receiver_on_the_marker_itself_shows_no_quadrant() -> None:
    reception = find_receiver(fired(), Table((ship("Hood", 0, 0),)))
    assert (reception.receiver, reception.from_quadrant) == ("Hood", None)


def test_close_calls_of_line_and_quadrant_are_passed_on() -> None:
    table = Table((ship("Hood", 0, 6000, 45, sigma=5), ship("Norfolk", 201, 3000, sigma=5)))
    reception = find_receiver(fired(), table)
    assert [call.what for call in reception.close_calls] == [
        CloseCallKind.SIGHT,
        CloseCallKind.ASPECT,
    ]


# How it rolls (69.2, 69.7).


@pytest.mark.parametrize(
    ("factor", "coloured"),
    list(enumerate((5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0))),
)
def test_evasion_is_three_times_the_movement_factor(factor: int, coloured: int) -> None:
    slow = replace(fresh("Destroyer"), movement_factors_lost=12 - factor)
    evasion, dodging = modifications(met("Destroyer"), slow, Evolution.STEADY, TABLES)
    assert (evasion.value, dodging.value) == (6 * coloured, 0)
    assert evasion.label["value"] == coloured


@pytest.mark.parametrize(
    ("quadrant", "evolution", "value"),
    [
        (Quadrant.PORT, Evolution.STEADY, 0),
        (Quadrant.BOW, Evolution.STEADY, -9),
        (Quadrant.STERN, Evolution.STEADY, -9),
        (Quadrant.STARBOARD, Evolution.WEAVING, -9),
        (Quadrant.BOW, Evolution.WEAVING, -9),
        (Quadrant.PORT, Evolution.SALVO_CHASING, 0),
        (Quadrant.BOW, Evolution.SALVO_CHASING, -9),
        (None, Evolution.STEADY, 0),
    ],
)
def test_dodging_counts_once(quadrant: Quadrant | None, evolution: Evolution, value: int) -> None:
    _, dodging = modifications(met("Hood", quadrant), HOOD, evolution, TABLES)
    assert (dodging.value, dodging.reference) == (value, "69.7")


@pytest.mark.parametrize(
    ("range_yards", "dice", "hits"),
    [
        (3000, "46", 0),
        (3000, "51 1", 1),
        (3000, "56 1", 1),
        (3000, "61 1 1", 2),
        (5000, "54", 0),
        (5000, "55 1", 1),
        (5000, "66 1", 1),
    ],
)
def test_six_torpedoes_at_one_and_two_hexes(range_yards: float, dice: str, hits: int) -> None:
    report = resolved(dice, range_yards=range_yards)
    assert (report.hits, len(report.hit_reports)) == (hits, hits)
    assert report.receiver_after.hull_lost == 4 * hits
    assert report.provenance is Provenance.PRINTED


def test_modifiers_carry_in_base_six_and_stop_at_the_ends_of_the_table() -> None:
    combing = resolved("61", quadrant=Quadrant.BOW)
    assert (combing.ledger.total, combing.row, combing.hits) == (-9, "44", 0)
    assert resolved("12", quadrant=Quadrant.BOW).row == "11"
    rodney = fresh("Rodney")
    # Movement factor 7 is evasion 21: two more on the coloured die.
    assert resolved("31 1", rodney).row == "51"
    assert resolved("65 1 1", rodney).row == "66"
    dead_in_the_water = replace(rodney, movement_factors_lost=7)
    assert resolved("11 1 1", dead_in_the_water).row == "61"


def test_marks_of_the_same_phase_come_on_top_and_change_no_odds() -> None:
    crippled = replace(HOOD, hull_lost=8, movement_factors_lost=9)
    report = resolve_salvo(
        fired(), met("Hood"), HOOD, Evolution.STEADY, TypedDice("51 1"), TABLES,
        receiver_now=crippled,
    )  # fmt: skip
    assert report.ledger.total == 0
    assert report.receiver_after == replace(crippled, hull_lost=12)


def test_an_intercepting_ship_is_judged_by_her_own_speed_and_heading() -> None:
    table = Table((ship("Hood", 0, 6000, 90), ship("Rodney", 0, 3000, 0)))
    reception = find_receiver(fired(), table)
    rodney = fresh("Rodney")
    report = resolve_salvo(fired(), reception, rodney, Evolution.STEADY, TypedDice("11"), TABLES)
    assert [modifier.value for modifier in report.ledger] == [12, -9]
    assert report.receiver_after == rodney


@pytest.mark.parametrize(
    ("by", "yards", "chances"),
    [("Hood", 3000, {1: 4}), ("Prinz Eugen", 3000, {1: 6, 2: 6}), ("Norfolk", 5000, {1: 6})],
)
def test_exact_odds_against_a_fast_ship(by: str, yards: float, chances: dict[int, int]) -> None:
    salvo = fired(yards, BISMARCK, fresh(by))
    odds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for outcome in every_outcome(
        lambda dice: (
            resolve_salvo(salvo, met("Bismarck"), BISMARCK, Evolution.STEADY, dice, TABLES).hits
        )
    ):
        odds[outcome.result] += outcome.probability
    assert sum(odds.values()) == 1
    assert {hits: odds[hits] for hits in odds if hits} == {
        hits: Fraction(ways, 36) for hits, ways in chances.items()
    }


@given(
    st.integers(1, 36),
    st.sampled_from(Quadrant),
    st.sampled_from(Evolution),
    st.integers(0, 10),
    st.floats(0, 8000),
)
def test_no_roll_leaves_the_table(
    index: int, quadrant: Quadrant, evolution: Evolution, lost: int, yards: float
) -> None:
    target = replace(HOOD, movement_factors_lost=lost)
    report = resolved_index(index, target, quadrant, evolution, yards)
    assert report.row in TABLES["torpedo_hits"].rows
    assert report.hits <= 2


def resolved_index(
    index: int, target: Vessel, quadrant: Quadrant, evolution: Evolution, yards: float
) -> TorpedoReport:
    class Fixed(TypedDice):
        def pair(self, purpose: Message) -> Pair:
            return Pair.of_index(index)

    salvo = fired(yards, target)
    reception = met(target.name, quadrant)
    return resolve_salvo(salvo, reception, target, evolution, Fixed("1 1"), TABLES)
