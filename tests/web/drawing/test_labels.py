"""The label placer: nothing over anything, nothing outside, the same every time."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from web.drawing.geometry import Box
from web.drawing.labels import (
    AvoidedLine,
    FreeLabel,
    LabelRequest,
    LabelSpot,
    NamedModel,
    around,
    leader_line,
    model_boxes,
    name_requests,
    place,
)

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
    found = place([LabelRequest(1, (spot,), clear_of=(ship,), roams=(roam,))], frame=FRAME)[1]
    assert found.scale == 0.8
    assert FRAME.contains(found.boxes[0])
    assert not found.boxes[0].overlap(ship)
    assert abs(found.centre[0] - 130) + abs(found.centre[1] - 110) < 80
    assert place([LabelRequest(1, (), roams=(FreeLabel((0, 0), 900, 20),))], frame=FRAME) == {}


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
            roams=(FreeLabel((x, y), width, height),),
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


SHEET = Box(0, 0, 390, 300)
"""As large as the map of a phone."""
Ship = tuple[float, float, float]
inside_x, inside_y = st.floats(20, 370), st.floats(20, 280)
ahead = st.floats(0, 359)


@st.composite
def fleets(draw: st.DrawFn) -> list[Ship]:
    """Twenty-four ships anywhere, in a clump, or in line."""
    shape = draw(st.sampled_from(["anywhere", "clump", "line"]))
    x, y = draw(inside_x), draw(inside_y)
    if shape == "anywhere":
        return [(draw(inside_x), draw(inside_y), draw(ahead)) for _ in range(24)]
    if shape == "clump":
        aside = st.floats(-25, 25)
        return [(x + draw(aside), y + draw(aside), draw(ahead)) for _ in range(24)]
    heading, apart = draw(ahead), draw(st.floats(3, 15))
    return [
        (
            x + math.sin(math.radians(heading)) * apart * number,
            y - math.cos(math.radians(heading)) * apart * number,
            heading,
        )
        for number in range(-12, 12)
    ]


def named(fleet: list[Ship], before: dict[int, LabelSpot] | None = None) -> list[NamedModel[int]]:
    return [
        NamedModel(
            number,
            (x, y),
            10,
            model_boxes((x, y), heading, 24, 8),
            52 + 3 * (number % 7),
            16,
            (before or {}).get(number),
        )
        for number, (x, y, heading) in enumerate(fleet)
    ]


def names_of(models: list[NamedModel[int]]) -> dict[int, LabelSpot]:
    return dict(place(name_requests(models, SHEET, gap=8), frame=SHEET))


@settings(max_examples=20, deadline=None)
@given(fleets())
def test_twenty_four_ships_all_have_names_that_cover_nobody(fleet: list[Ship]) -> None:
    models = named(fleet)
    spots = names_of(models)
    assert spots.keys() == set(range(24))
    boxes = [spot.boxes[0] for spot in spots.values()]
    assert all(SHEET.contains(box) for box in boxes)
    assert not any(one.overlap(other) for one, other in combinations(boxes, 2))
    assert not any(box.overlap(hull) for box in boxes for each in models for hull in each.boxes)
    assert names_of(models) == spots
    points = [model.at for model in models]
    for number, spot in spots.items():
        box, at = spot.boxes[0], models[number].at
        if math.dist(box.nearest(at), at) > 40:
            assert leader_line(box, at, 12, points, far=34) is not None


@settings(max_examples=20, deadline=None)
@given(fleets(), st.integers(0, 23), st.floats(-2, 2), st.floats(-2, 2))
def test_names_stay_where_they_were_when_a_ship_moves_a_little(
    fleet: list[Ship], which: int, across: float, down: float
) -> None:
    first = names_of(named(fleet))
    x, y, heading = fleet[which]
    moved = [*fleet[:which], (x + across, y + down, heading), *fleet[which + 1 :]]
    models = named(moved, first)
    second = names_of(models)
    assert second.keys() == first.keys()
    hulls = models[which].boxes
    for number, spot in first.items():
        if not any(spot.boxes[0].overlap(hull) for hull in hulls):
            assert second[number] == spot or second[number].penalty < spot.penalty - 10


def test_a_name_goes_home_once_there_is_room() -> None:
    (ship,) = named([(200, 150, 0)])
    far = LabelSpot((Box.around((60, 40), ship.width, ship.height),), penalty=90)
    away = NamedModel(0, ship.at, ship.reach, ship.boxes, ship.width, ship.height, far)
    assert names_of([away]) == names_of([ship])


@pytest.mark.parametrize(
    ("box", "others", "has_leader"),
    [
        (Box(112, 92, 160, 108), [], False),
        (Box(150, 92, 198, 108), [], True),
        # Nearer to another ship: it would be taken for hers.
        (Box(120, 92, 168, 108), [(170.0, 100.0)], True),
    ],
)
def test_a_name_that_could_be_anothers_has_a_line(
    box: Box, others: list[tuple[float, float]], has_leader: bool
) -> None:
    found = leader_line(box, (100, 100), 12, [(100, 100), *others], far=34)
    assert found == (((box.left, 100), (112, 100)) if has_leader else None)
