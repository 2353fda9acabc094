"""Plots: the book's examples, every error at its character, the steps along each class's arc."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.editions import CURRENT, FIRST, Edition
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution, read_evolution
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, Arc
from combat.rulebooks.bismarck_advanced.movement.plot import (
    Helm,
    Plot,
    PlotNote,
    StraightMove,
    TurnSide,
    full_turn_deg,
    least_turn_deg,
    parse_plot,
)
from combat.rulebooks.bismarck_advanced.movement.short_turns import Amount, Degrees, Part
from combat.ships import ShipClass
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message, Value
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
SHORT_L, SHORT_R = (Helm(side, short=True, amount=Part.HALF) for side in TurnSide)
FACTOR = MOVEMENT.factor_yards


@pytest.mark.parametrize(
    ("text", "orders", "factors"),
    [
        # 57.53 has the first two as examples, the Hood's sheet in the worked example the next two.
        ("3Ll", (StraightMove(3), Helm(L), SHORT_L), 5),
        ("LL1R1", (Helm(L), Helm(L), StraightMove(1), Helm(R), StraightMove(1)), 5),
        ("5", (StraightMove(5),), 5),
        ("3L", (StraightMove(3), Helm(L)), 4),
        ("", (), 0),
        ("  ", (), 0),
        ("12", (StraightMove(12),), 12),
        ("r1l", (SHORT_R, StraightMove(1), SHORT_L), 3),
        ("3, L ,l", (StraightMove(3), Helm(L), SHORT_L), 5),
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


def amount(case: str, written: str, **params: Value) -> Message:
    return Message(f"advanced.plot.{case}", amount=written, **params)


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
        ("3⅓", BB, 1, amount("stray_amount", "⅓"), "57.3"),
        ("1/3", BB, 0, amount("stray_amount", "1/3"), "57.3"),
        ("l,⅓", BB, 2, amount("stray_amount", "⅓"), "57.3"),
        ("l2 12°", BB, 3, amount("stray_amount", "12°"), "57.3"),
        ("follow ½", BB, 7, amount("stray_amount", "½"), "57.3"),
        ("L⅓", BB, 1, amount("full_turn_amount", "⅓", short="l"), "57.3"),
        ("R+12d", CA, 2, amount("full_turn_amount", "12d", short="r"), "57.3"),
        ("l⅓½", BB, 2, amount("amount_twice", "½"), "57.3"),
        ("r12°1/3", BB, 4, amount("amount_twice", "1/3"), "57.3"),
        ("l1/5", BB, 1, amount("unknown_part", "1/5", parts=tuple(Part)), "57.3"),
        ("l3/2", BB, 1, amount("unknown_part", "3/2", parts=tuple(Part)), "57.3"),
        ("2l5°", BB, 2, amount("amount_least", "5°", least=6), "57.3"),
        ("l0d", BB, 1, amount("amount_least", "0°", least=6), "57.3"),
        ("l8°", CA, 1, amount("amount_least", "8°", least=9), "57.3"),
        ("l11°", DD, 1, amount("amount_least", "11°", least=12), "57.3"),
        ("l‡5°", DD, 2, amount("amount_least", "5°", least=6), "57.3"),
        ("l31°", BB, 1, amount("amount_most", "31°", most=30, full="L"), "57.3"),
        ("r46°", CA, 1, amount("amount_most", "46°", most=45, full="R"), "57.3"),
        ("r31°+", CA, 1, amount("amount_most", "31°", most=30, full="R"), "57.3"),
        ("l" + "9" * 5000 + "°", BB, 1, amount("amount_most", "999°", most=30, full="L"), "57.3"),
        ("l⅓R", BB, 0, Message("advanced.plot.short_turn", full="L"), "57.4"),
        ("l12/3", BB, 3, character("slash", "/"), "57.3"),
        ("l7.5°", BB, 2, character("point", "."), "57.3"),
        ("l°", BB, 1, character("degrees", "°"), "57.3"),
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


def test_in_edition_1_a_short_turn_may_end_anywhere() -> None:
    plot = parse_plot("3Ll", BB, FIRST)
    assert plot.steps() == (
        Straight(3 * FACTOR),
        Turn(-30, FACTOR),
        Turn(-30, FACTOR, least_fraction=0.0),
    )
    assert plot.factors == 5
    assert str(plot) == "3Ll"


@pytest.mark.parametrize("written", ["½", "1/2", "12°", "12d"])
def test_edition_1_has_no_amounts(written: str) -> None:
    with pytest.raises(BadPlot) as caught:
        parse_plot(f"2l{written}", BB, FIRST)
    assert (caught.value.position, caught.value.rule) == (2, "57.3")
    assert caught.value.reason == amount("no_amounts", written)


@pytest.mark.parametrize(
    ("ship_class", "text", "angle_deg"),
    [
        (BB, "r", 15),
        (BB, "r½", 15),
        (BB, "r⅓", 10),
        (BB, "r 1/3", 10),
        (BB, "r2/3", 20),
        (BB, "r¼", 7.5),
        (BB, "r3/4", 22.5),
        (BB, "r12°", 12),
        (BB, "r 12 d", 12),
        (BB, "r12º", 12),
        (BB, "r6°", 6),
        (BB, "r30°", 30),
        (CA, "r", 22.5),
        (CA, "r+", 15),
        (CA, "r+⅓", 10),
        (CA, "r⅓+", 10),
        (DD, "r", 30),
        (DD, "r+‡1/3", 15),
        (DD, "r#12°+", 12),
    ],
)
def test_a_short_turn_runs_a_part_of_its_arc_and_costs_a_factor(
    ship_class: ShipClass, text: str, angle_deg: float
) -> None:
    plot = parse_plot(text, ship_class)
    (step,) = plot.steps()
    (helm,) = plot.orders
    assert isinstance(helm, Helm)
    assert isinstance(step, Turn)
    run_yards = FACTOR * angle_deg / full_turn_deg(ship_class, helm.mark)
    assert (step.angle_deg, step.length_yards) == pytest.approx((angle_deg, run_yards))
    assert step.cost_yards == pytest.approx(FACTOR)
    assert not step.is_open_ended
    assert plot.factors == 1
    (other,) = parse_plot(text.replace("r", "l"), ship_class).steps()
    assert other.angle_deg == -step.angle_deg


def test_a_number_after_an_amount_is_straight() -> None:
    for text in ("l⅓1", "l1/31", "l1/3 1", "l10°1", "l10d1"):
        plot = parse_plot(text, BB)
        assert plot.factors == 2
        assert plot.orders[1] == StraightMove(1)
    assert parse_plot("l1", BB).orders == (SHORT_L, StraightMove(1))


def test_a_short_turn_ends_on_the_arc_of_the_full_one() -> None:
    # A third of a battleship's turn: 10 degrees about a centre 573 yards to port, worked by hand.
    end = Path(Pose(0, 0, 0), parse_plot("l⅓", BB).steps()).end
    assert end.heading_deg == pytest.approx(350)
    assert (end.x_yards, end.y_yards) == pytest.approx((-8.704, 99.493), abs=0.001)
    # The full turn passes through the same place.
    full = Path(Pose(0, 0, 0), parse_plot("L", BB).steps()).pose_at(100)
    assert (full.x_yards, full.y_yards) == pytest.approx((end.x_yards, end.y_yards))


def test_a_follower_pays_for_the_short_turns_of_the_ship_ahead() -> None:
    # Both make five factors; the leader's short turn runs half of one (57.7, 58.4).
    track = Path(Pose(0, 0, 0), parse_plot("1l3", BB).steps())
    astern = Pose(0, -FACTOR, 0)
    path = following(astern, track, 5 * FACTOR, off_track_yards=MOVEMENT.off_track_yards)
    behind = track.nearest(path.end.x_yards, path.end.y_yards)
    assert behind.off_yards == pytest.approx(0, abs=1e-6)
    assert track.length_yards - behind.along_yards == pytest.approx(FACTOR)
    # She ends her run within the turn where it runs out there.
    within = following(astern, track, 2.5 * FACTOR, off_track_yards=MOVEMENT.off_track_yards)
    assert within.end.heading_deg == pytest.approx(360 - 7.5)
    assert within.length_yards == pytest.approx(2 * FACTOR + FACTOR / 4)


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


@pytest.mark.parametrize(
    ("text", "edition", "turned_deg", "in_place"),
    [
        ("3Ll", FIRST, 18, True),
        ("3Ll", FIRST, 45, True),
        ("3Ll", CURRENT, 22.5, True),
        ("3Ll", CURRENT, 18, True),
        ("3Ll", CURRENT, 10, False),
        ("3Ll", CURRENT, 45, False),
        ("3Ll⅔", CURRENT, 30, True),
        ("3Ll⅔", CURRENT, 22.5, False),
        ("3Ll10°", CURRENT, 10, True),
    ],
)
def test_a_referee_judges_a_plot(
    text: str, edition: Edition, turned_deg: float, in_place: bool
) -> None:
    before, plot = Pose(1000, 1000, 0), parse_plot(text, CA, edition)
    last = Turn(-turned_deg, 300 * turned_deg / 45)
    seen = Path(before, (Straight(900), Turn(-45, 300), last)).end
    for after, wanted in ((seen, in_place), (seen.moved(ahead_yards=-420), False)):
        ruling = referee(
            before,
            plot.steps(),
            after,
            placing_tolerance_yards=MOVEMENT.placing_tolerance_yards,
            heading_tolerance_deg=MOVEMENT.heading_tolerance_deg,
        )
        assert ruling.in_place is wanted


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
        ("L1R1l6° C", Evolution.SALVO_CHASING, reading("chase", turns=3, left=2, right=1)),
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


def amounts(mark: str) -> st.SearchStrategy[Amount]:
    degrees = st.integers(least_turn_deg(DD, mark), int(full_turn_deg(DD, mark)))
    return st.sampled_from(Part) | degrees.map(Degrees)


helms = st.sampled_from(list(MOVEMENT.handling[DD].arc_by_mark)).flatmap(
    lambda mark: (
        st.builds(Helm, st.sampled_from(TurnSide), st.just(False), st.just(mark))
        | st.builds(Helm, st.sampled_from(TurnSide), st.just(True), st.just(mark), amounts(mark))
    )
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
    # A mark may stand before its amount or behind it, and keyboards have their own signs.
    plain = str(plot).replace("°", "d").replace("‡", "#")
    for part in Part:
        plain = plain.replace(part, part.ascii)
    assert parse_plot(plain, DD) == plot


def test_a_plot_is_written_out_tidily() -> None:
    assert str(parse_plot("SF 1,2 R # + ,C", DD)) == "3R+‡ C SF"
    assert str(parse_plot("Follow sc".replace("sc", "SC"), BB)) == "follow SC"
    assert str(parse_plot("", BB)) == ""
    assert str(parse_plot("l1/31 r 12 d + 2 l1/2", CA)) == "l⅓1r+12°2l"


@given(destroyer_plots(), st.floats(0, 359))
def test_a_plot_and_its_reverse_lead_back_to_the_start(plot: Plot, heading: float) -> None:
    start = Pose(1234, -567, heading)
    back = Path(start, plot.steps()).reversed().end
    assert (back.x_yards, back.y_yards) == pytest.approx((start.x_yards, start.y_yards))
    assert math.cos(math.radians(back.heading_deg - heading)) == pytest.approx(-1)


@given(
    st.text(alphabet="LRlr0123456789+‡#CSF followx,|/°d½⅓", max_size=12),
    st.sampled_from(ShipClass),
    st.sampled_from((FIRST, CURRENT)),
)
def test_whatever_is_typed_is_read_or_pointed_at(
    text: str, ship_class: ShipClass, edition: Edition
) -> None:
    fault = None
    try:
        plot = parse_plot(text, ship_class, edition)
    except BadPlot as error:
        fault = error
    if fault is not None:
        assert 0 <= fault.position < len(text)
    else:
        assert parse_plot(str(plot), ship_class, edition) == plot
