"""Plots: the book's examples, every error at its character, the steps along each class's arc."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution, read_evolution
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, Arc
from combat.rulebooks.bismarck_advanced.movement.plot import (
    Helm,
    Plot,
    PlotNote,
    StraightMove,
    TurnSide,
    parse_plot,
)
from combat.ships import ShipClass
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message
from tabletop.movement import Path, Straight, Turn, following
from tabletop.referee import referee
from tabletop.table import Pose

BB, CA, CL, DD = (
    ShipClass.BATTLESHIP,
    ShipClass.HEAVY_CRUISER,
    ShipClass.LIGHT_CRUISER,
    ShipClass.DESTROYER,
)
L, R = TurnSide.LEFT, TurnSide.RIGHT
FACTOR = MOVEMENT.factor_yards


@pytest.mark.parametrize(
    ("text", "orders", "factors"),
    [
        # 57.53 has the first two as examples, the Hood's sheet in the worked example the next two.
        ("3Ll", (StraightMove(3), Helm(L), Helm(L, short=True)), 5),
        ("LL1R1", (Helm(L), Helm(L), StraightMove(1), Helm(R), StraightMove(1)), 5),
        ("5", (StraightMove(5),), 5),
        ("3L", (StraightMove(3), Helm(L)), 4),
        ("", (), 0),
        ("  ", (), 0),
        ("12", (StraightMove(12),), 12),
        ("r1l", (Helm(R, short=True), StraightMove(1), Helm(L, short=True)), 3),
        ("3, L ,l", (StraightMove(3), Helm(L), Helm(L, short=True)), 5),
        ("1 2", (StraightMove(3),), 3),
        ("1 C 2", (StraightMove(3),), 3),
    ],
)
def test_a_plot_is_read_factor_by_factor(
    text: str, orders: tuple[StraightMove | Helm, ...], factors: int
) -> None:
    plot = parse_plot(text, BB)
    assert plot.orders == orders
    assert plot.factors == factors
    assert not plot.follows


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("5", set()),
        ("5C", {PlotNote.CHASE}),
        ("C 5", {PlotNote.CHASE}),
        ("2SC3", {PlotNote.SMOKE_COVER}),
        ("5 SF C", {PlotNote.SMOKE_FRONT, PlotNote.CHASE}),
        ("SCC", {PlotNote.SMOKE_COVER, PlotNote.CHASE}),
        ("follow SC", {PlotNote.SMOKE_COVER}),
    ],
)
def test_notes_stand_anywhere(text: str, notes: set[PlotNote]) -> None:
    assert parse_plot(text, BB).notes == notes


@pytest.mark.parametrize("text", ["follow", "FOLLOW", " Follow ", "follow C", "C,follow"])
def test_a_follower_has_no_factors_of_her_own(text: str) -> None:
    plot = parse_plot(text, BB)
    assert plot.follows
    assert plot.factors is None
    with pytest.raises(DreyerError, match=r"advanced\.plot\.no_own_steps"):
        plot.steps()
    with pytest.raises(DreyerError, match=r"advanced\.plot\.no_own_steps"):
        _ = plot.evolution


TOO_FAR = Message("advanced.plot.too_far", most=99)
STRAY = Message("advanced.plot.stray_mark", mark="+")


def character(case: str, written: str) -> Message:
    return Message(f"advanced.plot.character.{case}", character=written)


def choice(mark: str, ship_class: str, arcs: Message) -> Message:
    return Message("advanced.plot.choice", mark=mark, ship_class=ship_class, choice=arcs)


def wider(mark: str, arc: str) -> Message:
    return Message("advanced.plot.wider_arc", mark=mark, arc=Message(f"advanced.arc.{arc}"))


def either(one: Message, other: Message) -> Message:
    return Message("advanced.plot.or", one=one, other=other)


@pytest.mark.parametrize(
    ("text", "ship_class", "at", "reason", "rule"),
    [
        ("3x", BB, 1, character("unknown", "x"), "57.52"),
        ("3LL٣", BB, 3, character("unknown", "٣"), "57.52"),
        ("2c", BB, 1, character("small_c", "c"), "67.32"),
        ("2 S", BB, 2, character("lone_s", "S"), "67.63"),
        ("2Sc", BB, 1, character("lone_s", "S"), "67.63"),
        ("sf", BB, 0, character("small_s", "s"), "67.63"),
        ("folow", BB, 0, character("lone_f", "f"), "57.7"),
        ("2F", BB, 1, character("lone_f", "F"), "57.7"),
        ("1P", BB, 1, character("port", "P"), "57.522"),
        ("3I", BB, 1, character("capital_i", "I"), "57.523"),
        ("2-L", BB, 1, character("dash", "-"), "57.521"),
        ("L†", DD, 1, character("dagger", "†"), "67.23"),
        ("L0", BB, 1, Message("advanced.plot.zero"), "57.521"),
        ("05", BB, 0, Message("advanced.plot.zero"), "57.521"),
        ("100", BB, 0, TOO_FAR, "58.1"),
        ("60 1C 39", BB, 6, TOO_FAR, "58.1"),
        ("9" * 5000, BB, 0, TOO_FAR, "58.1"),
        ("3lL", BB, 1, Message("advanced.plot.short_turn", full="L"), "57.4"),
        ("lr", BB, 0, Message("advanced.plot.short_turn", full="L"), "57.4"),
        ("2l C R", BB, 1, Message("advanced.plot.short_turn", full="L"), "57.4"),
        ("follow3", BB, 6, Message("advanced.plot.follower_moves"), "57.7"),
        ("follow l", BB, 7, Message("advanced.plot.follower_moves"), "57.7"),
        ("3 follow", BB, 2, Message("advanced.plot.follow_alone"), "57.7"),
        ("follow follow", BB, 7, Message("advanced.plot.follow_alone"), "57.7"),
        ("2C1C", BB, 3, Message("advanced.plot.note_twice", note="C"), ""),
        ("SC 2 SF", BB, 5, Message("advanced.plot.both_smokes"), "67.63"),
        ("+L", CA, 0, STRAY, "67.23"),
        ("3+", CA, 1, STRAY, "67.23"),
        ("L,+", CA, 2, STRAY, "67.23"),
        ("LC+", CA, 2, STRAY, "67.23"),
        ("follow +", CA, 7, STRAY, "67.23"),
        ("L++", CA, 2, Message("advanced.plot.mark_twice", mark="+"), "67.23"),
        ("L‡#", DD, 2, Message("advanced.plot.mark_twice", mark="#"), "67.23"),
        ("2L+", BB, 2, Message("advanced.plot.no_choice", mark="+", ship_class="BB"), "67.22"),
        ("2L+", DD, 2, choice("+", "DD", either(wider("‡", "outer"), wider("+‡", "intermediate"))),
         "67.23"),
        ("L1 R ‡", CA, 5, choice("‡", "CA", wider("+", "outer")), "67.23"),
        ("L+‡", CL, 2, choice("+‡", "CL", wider("+", "outer")), "67.23"),
        ("L‡+", CL, 1, choice("+‡", "CL", wider("+", "outer")), "67.23"),
    ],
)  # fmt: skip
def test_an_error_points_at_its_character(
    text: str, ship_class: ShipClass, at: int, reason: Message, rule: str
) -> None:
    with pytest.raises(BadPlot) as caught:
        parse_plot(text, ship_class)
    assert (caught.value.position, caught.value.rule) == (at, rule)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("ship_class", "text", "arc", "angle_deg"),
    [
        (BB, "R", Arc.OUTER, 30),
        (ShipClass.BATTLE_CRUISER, "R", Arc.OUTER, 30),
        (ShipClass.POCKET_BATTLESHIP, "R", Arc.OUTER, 30),
        (ShipClass.CARRIER, "R", Arc.OUTER, 30),
        (CA, "R", Arc.INTERMEDIATE, 45),
        (CA, "R+", Arc.OUTER, 30),
        (CL, "R +", Arc.OUTER, 30),
        (DD, "R", Arc.INNER, 60),
        (DD, "R‡", Arc.OUTER, 30),
        (DD, "R#", Arc.OUTER, 30),
        (DD, "R+ ‡", Arc.INTERMEDIATE, 45),
        (DD, "R#+", Arc.INTERMEDIATE, 45),
    ],
)
def test_each_class_turns_along_its_arcs(
    ship_class: ShipClass, text: str, arc: Arc, angle_deg: float
) -> None:
    plot = parse_plot(text, ship_class)
    assert plot.steps() == (Turn(angle_deg, FACTOR),)
    assert MOVEMENT.turn_deg[arc] == angle_deg
    assert parse_plot(text.replace("R", "L"), ship_class).steps() == (Turn(-angle_deg, FACTOR),)


def test_a_short_turn_may_end_anywhere_and_costs_a_factor() -> None:
    plot = parse_plot("3Ll", BB)
    assert plot.steps() == (
        Straight(3 * FACTOR),
        Turn(-30, FACTOR),
        Turn(-30, FACTOR, least_fraction=0.0),
    )
    assert plot.factors == 5


def test_the_books_second_example_leads_where_the_gauge_leads() -> None:
    end = Path(Pose(0, 0, 0), parse_plot("LL1R1", BB).steps()).end
    # Two turns to port, one factor, one turn back, one factor: each arc by its chord.
    radius = FACTOR / math.radians(30)
    x = -radius * (1 - math.cos(math.radians(60)))
    y = radius * math.sin(math.radians(60))
    x, y = x - FACTOR * math.sin(math.radians(60)), y + FACTOR * math.cos(math.radians(60))
    chord = 2 * radius * math.sin(math.radians(15))
    x, y = x - chord * math.sin(math.radians(45)), y + chord * math.cos(math.radians(45))
    x, y = x - FACTOR * math.sin(math.radians(30)), y + FACTOR * math.cos(math.radians(30))
    assert (end.x_yards, end.y_yards) == pytest.approx((x, y))
    assert end.heading_deg == pytest.approx(330)


def test_a_referee_judges_a_plot() -> None:
    before, plot = Pose(1000, 1000, 0), parse_plot("3Ll", CA)
    seen = Path(before, (Straight(900), Turn(-45, 300), Turn(-18, 120))).end
    for after, in_place in ((seen, True), (seen.moved(ahead_yards=-320), False)):
        ruling = referee(
            before,
            plot.steps(),
            after,
            placing_tolerance_yards=MOVEMENT.placing_tolerance_yards,
            heading_tolerance_deg=MOVEMENT.heading_tolerance_deg,
        )
        assert ruling.in_place is in_place


def reading(case: str, **turns: int) -> Message:
    return Message(f"advanced.evolution.{case}", **turns)


@pytest.mark.parametrize(
    ("text", "evolution", "why"),
    [
        ("5", Evolution.STEADY, reading("steady", turns=0, least=3)),
        ("3LL", Evolution.STEADY, reading("steady", turns=2, least=3)),
        ("3LR C", Evolution.STEADY, reading("steady_with_chase", turns=2, least=3)),
        ("2LLL", Evolution.WEAVING, reading("weaving", turns=3)),
        ("LL1R1", Evolution.WEAVING, reading("weaving_without_chase", turns=3)),
        ("LL1R1C", Evolution.SALVO_CHASING, reading("chase", turns=3, left=2, right=1)),
        ("2RRR C", Evolution.WEAVING, reading("weaving_one_way", turns=3)),
        ("L1R1l C", Evolution.SALVO_CHASING, reading("chase", turns=3, left=2, right=1)),
        ("C", Evolution.STEADY, reading("steady_with_chase", turns=0, least=3)),
    ],
)
def test_weaving_and_salvo_chasing_are_read_off_the_plot(
    text: str, evolution: Evolution, why: Message
) -> None:
    plot = parse_plot(text, BB)
    assert plot.evolution is evolution
    assert plot.reading.why == why
    # The same turns, run by a follower, are the same evolution.
    assert read_evolution(plot.steps(), chase=PlotNote.CHASE in plot.notes).evolution is evolution


def test_a_follower_weaves_by_the_turns_she_reaches() -> None:
    track = Path(Pose(0, 0, 0), parse_plot("2LRL", DD).steps())
    near, far = (
        following(Pose(0, -astern, 0), track, 5 * FACTOR, off_track_yards=MOVEMENT.off_track_yards)
        for astern in (0, 600)
    )
    assert read_evolution(near.steps, chase=False).evolution is Evolution.WEAVING
    assert read_evolution(near.steps, chase=True).evolution is Evolution.SALVO_CHASING
    assert read_evolution(far.steps, chase=True).evolution is Evolution.STEADY


def test_the_bends_of_a_run_in_are_no_turns() -> None:
    track = Path(Pose(0, 0, 0), parse_plot("1L", DD).steps())
    path = following(Pose(200, -800, 0), track, 1400, off_track_yards=250)
    assert sum(isinstance(step, Turn) for step in path.steps) == 3
    assert read_evolution(path.steps, chase=False).why == reading("steady", turns=1, least=3)


def test_a_hair_of_an_arc_is_no_turn() -> None:
    steps = (Turn(-30, 300), Turn(30, 300), Turn(-2, 20))
    assert read_evolution(steps, chase=False).evolution is Evolution.STEADY
    assert read_evolution((*steps, Turn(30, 150)), chase=False).evolution is Evolution.WEAVING


numbers = st.integers(1, 9).map(StraightMove)
helms = st.sampled_from(list(MOVEMENT.handling[DD].arc_by_mark)).flatmap(
    lambda mark: st.builds(Helm, st.sampled_from(TurnSide), st.booleans(), st.just(mark))
)
note_sets = st.sampled_from(
    [
        frozenset(notes)
        for smoke in ((), (PlotNote.SMOKE_COVER,), (PlotNote.SMOKE_FRONT,))
        for notes in (smoke, (*smoke, PlotNote.CHASE))
    ]
)


@st.composite
def destroyer_plots(draw: st.DrawFn) -> Plot:
    orders: list[StraightMove | Helm] = []
    for order in draw(st.lists(numbers | helms, max_size=7)):
        last = orders[-1] if orders else None
        if isinstance(order, StraightMove) and isinstance(last, StraightMove):
            continue
        if isinstance(order, Helm) and isinstance(last, Helm) and last.short:
            continue
        orders.append(order)
    return Plot(DD, tuple(orders), draw(note_sets))


@given(destroyer_plots())
def test_a_plot_written_out_reads_back_the_same(plot: Plot) -> None:
    assert parse_plot(str(plot), DD) == plot


def test_a_plot_is_written_out_tidily() -> None:
    assert str(parse_plot("SF 1,2 R # + ,C", DD)) == "3R+‡ C SF"
    assert str(parse_plot("Follow sc".replace("sc", "SC"), BB)) == "follow SC"
    assert str(parse_plot("", BB)) == ""


@given(destroyer_plots(), st.floats(0, 359))
def test_a_plot_and_its_reverse_lead_back_to_the_start(plot: Plot, heading: float) -> None:
    start = Pose(1234, -567, heading)
    back = Path(start, plot.steps()).reversed().end
    assert (back.x_yards, back.y_yards) == pytest.approx((start.x_yards, start.y_yards))
    assert math.cos(math.radians(back.heading_deg - heading)) == pytest.approx(-1)


@given(st.text(alphabet="LRlr0123456789+‡#CSF followx,|", max_size=12), st.sampled_from(ShipClass))
def test_whatever_is_typed_is_read_or_pointed_at(text: str, ship_class: ShipClass) -> None:
    fault = None
    try:
        plot = parse_plot(text, ship_class)
    except BadPlot as error:
        fault = error
    if fault is not None:
        assert 0 <= fault.position < len(text)
    else:
        assert parse_plot(str(plot), ship_class) == plot
