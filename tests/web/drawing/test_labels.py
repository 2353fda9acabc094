"""The label placer: nothing over anything, nothing outside, the same every time."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from web.drawing.geometry import Box
from web.drawing.labels import AvoidedLine, FreeLabel, LabelRequest, LabelSpot, around, place

FRAME = Box(0, 0, 600, 500)
coordinate = st.floats(-40, 640, allow_nan=False)


@st.composite
def crowds(draw: st.DrawFn) -> list[LabelRequest[int]]:
    count = draw(st.integers(1, 14))
    return [
        LabelRequest(
            number,
            around(
                (draw(coordinate), draw(coordinate)),
                draw(st.floats(0, 30)),
                draw(st.floats(10, 200)),
                draw(st.floats(8, 40)),
                gap=draw(st.floats(1, 20)),
                frame=FRAME,
            ),
        )
        for number in range(count)
    ]


@given(crowds())
def test_labels_keep_apart_and_inside(wanted: list[LabelRequest[int]]) -> None:
    placed = place(wanted, frame=FRAME)
    boxes = [box for spot in placed.values() for box in spot.boxes]
    assert all(FRAME.contains(box) for box in boxes)
    for number, box in enumerate(boxes):
        assert not any(box.overlap(other) for other in boxes[number + 1 :])
    assert place(wanted, frame=FRAME) == placed


@given(crowds())
def test_a_lonely_label_always_finds_a_place(wanted: list[LabelRequest[int]]) -> None:
    assert 0 in place(wanted[:1], frame=FRAME)


def test_a_label_moves_aside_for_a_ship_a_line_and_a_title() -> None:
    free, on_ship, on_line, on_title = (Box.around((x, 100), 40, 20) for x in (500, 100, 200, 300))
    wanted = LabelRequest(
        "name",
        tuple(LabelSpot((box,), n) for n, box in enumerate((on_ship, on_line, on_title, free))),
    )
    placed = place(
        [wanted],
        frame=FRAME,
        obstacles=[Box.around((100, 100), 10, 10)],
        lines=[AvoidedLine((200, 0), (200, 400))],
        taken=[Box.around((300, 100), 5, 5)],
    )
    assert placed["name"].boxes == (free,)


def test_a_label_may_ride_on_its_own_line() -> None:
    line = AvoidedLine((0, 100), (600, 100), price=50)
    box = Box.around((300, 100), 40, 20)
    placed = place(
        [LabelRequest("pill", (LabelSpot((box,)),), on_line=line, worst=5)],
        frame=FRAME,
        lines=[line],
    )
    assert placed["pill"].boxes == (box,)


def test_a_label_without_room_is_left_out() -> None:
    spot = LabelSpot((Box.around((300, 100), 40, 20),))
    assert set(place([LabelRequest(1, (spot,)), LabelRequest(2, (spot,))], frame=FRAME)) == {1}


@given(coordinate, coordinate, coordinate, coordinate)
def test_a_line_meets_a_box_that_it_ends_in(x1: float, y1: float, x2: float, y2: float) -> None:
    box = Box.around((x2, y2), 20, 20)
    assert box.meets_line((x1, y1), (x2, y2))
    beyond = Box(700, 700, 720, 720)
    assert not beyond.meets_line((x1, y1), (x2, y2))


def test_what_must_be_seen_roams_but_never_over_what_it_must_spare() -> None:
    spot = LabelSpot((Box(100, 100, 160, 120),))
    ship = Box(90, 90, 170, 130)
    assert place([LabelRequest(1, (spot,), clear_of=(ship,))], frame=FRAME) == {}
    roam = FreeLabel((130, 110), 60, 20, 0.8)
    found = place([LabelRequest(1, (spot,), clear_of=(ship,), roams=roam)], frame=FRAME)[1]
    assert found.scale == 0.8
    assert FRAME.contains(found.boxes[0])
    assert not found.boxes[0].overlap(ship)
    assert abs(found.centre[0] - 130) + abs(found.centre[1] - 110) < 80
    assert place([LabelRequest(1, (), roams=FreeLabel((0, 0), 900, 20))], frame=FRAME) == {}


BOXES = st.tuples(st.floats(0, 400), st.floats(0, 300), st.floats(8, 90), st.floats(8, 30))


@settings(max_examples=60, deadline=None)
@given(st.lists(BOXES, min_size=1, max_size=12), st.lists(BOXES, max_size=4))
def test_labels_stay_inside_and_apart_and_all_are_placed_where_there_is_room(
    labels: list[tuple[float, float, float, float]],
    ships: list[tuple[float, float, float, float]],
) -> None:
    frame = Box(0, 0, 400, 300)
    wanted = [
        LabelRequest(
            number,
            around((x, y), 6, width, height, gap=8, frame=frame),
            roams=FreeLabel((x, y), width, height),
        )
        for number, (x, y, width, height) in enumerate(labels)
    ]
    obstacles = [Box.around((x, y), width, height) for x, y, width, height in ships]
    spots = place(wanted, frame=frame, obstacles=obstacles)
    # Twelve labels of this size never fill the frame.
    assert len(spots) == len(labels)
    boxes = [spot.boxes[0] for spot in spots.values()]
    assert all(frame.contains(box) for box in boxes)
    assert not any(one.overlap(other) for one, other in combinations(boxes, 2))
