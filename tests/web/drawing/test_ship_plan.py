"""Ship plans and hull tracks: laid out without overlap, damage where it happened, printable."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from shapely import LineString, box

from combat.dice import TypedDice
from combat.participants import UMPIRE, ShipStatus
from combat.record_sheets import RecordSheet, SheetPart
from combat.rulebooks import get_ruleset
from combat.sides import usual
from tabletop.messages import NO_WORDS, verbatim
from tests.web.drawing.inspected import box_of, figures_of, words_in
from web.drawing.figures import Drawing, Figure, Group, Shape, Text, hatched
from web.drawing.geometry import corners, smooth, spread
from web.drawing.record_sheet import PrintedSheet, print_sheets
from web.drawing.sheet_words import (
    boxes_words,
    damage_lines,
    glance,
    right_notes,
    state_key,
    stores,
)
from web.drawing.ship_layout import MOUNT_WIDTH, lay_out
from web.drawing.ship_plan import RIGHT, draw_hull, draw_plan, draw_small
from web.drawing.svg import inline_svg
from web.drawing.theme import colours
from web.strings import text

RULESET = get_ruleset("bismarck-advanced")
SIDE = usual().sides["british"]
FLEET = ("Hood", "Bismarck", "Rodney", "North Carolina", "Eagle", "Victorious", "Destroyer",
         "Hermione", "Prinz Eugen", "Dunkerque", "Scharnhorst")  # fmt: skip
DAMAGE = {
    "hull_lost": 6.75,
    "superstructure_lost": 2.5,
    "turrets_lost": {"B": 1.25, "X": 3},
    "secondaries_lost": ["P2", "S3"],
    "director_destroyed": True,
    "helm": ["no_port"],
    "movement_factors_lost": 2,
    "ammunition": {"main": 464},
}


def sheet_of(name: str, damage: dict[str, object] | None = None) -> RecordSheet:
    assert RULESET.battle is not None
    rules = RULESET.battle(RULESET.tables)
    ships = [
        {"name": name, "side": "german", "pose": {"x": 0.0, "y": 0.0, "heading": 0.0}},
        {"name": "Norfolk", "side": "british", "pose": {"x": 0.0, "y": 9e3, "heading": 0.0}},
    ]
    state = rules.begin(rules.schemas.setup.read({"sides": ["british", "german"], "ships": ships}))
    if damage:
        data = {"kind": "correct", "ship": name, "values": damage, "reason": "a test"}
        correction = rules.schemas.action.read(data)
        state = rules.play(state, correction, TypedDice("")).state
    return rules.sheet(state, name, UMPIRE)


def struck_at(drawing: Drawing) -> list[tuple[float, float]]:
    """The middles of everything that is struck out."""
    return [
        (
            sum(x for x, _ in item.path.points) / len(item.path.points),
            sum(y for _, y in item.path.points) / len(item.path.points),
        )
        for item in figures_of(drawing)
        if isinstance(item, Shape) and item.fill == "struck"
    ]


@pytest.mark.parametrize("name", FLEET)
def test_every_kind_of_ship_is_laid_out_with_nothing_upon_anything_else(name: str) -> None:
    plan = lay_out(sheet_of(name), "round")
    rows = sorted(
        (spot.at[1], spot.height) for spot in plan.turrets if abs(spot.at[0] - 195) < 1
    )  # fmt: skip
    for (y, _), (lower, _) in pairwise(rows):
        assert lower - y >= 26
    if plan.block is not None:
        top, bottom = plan.block
        for spot in plan.turrets:
            assert spot.at[1] <= top - 10 or spot.at[1] >= bottom + 10
        for spot in plan.block_parts:
            assert top <= spot.at[1] - spot.height / 2
            assert spot.at[1] + spot.height / 2 <= bottom
    for side in (-1, 1):
        lane = sorted(s.at[1] for s in plan.secondaries if (s.at[0] - 195) * side > 1)
        assert all(b - a >= 25 for a, b in pairwise(lane))


@pytest.mark.parametrize("name", FLEET)
def test_every_figure_lies_on_the_sheet_and_every_colour_is_known(name: str) -> None:
    sheet = sheet_of(name)
    for drawing in (draw_plan(sheet, SIDE), draw_small(sheet, SIDE), draw_hull(sheet)):
        assert drawing is not None
        for item in on_sheet(drawing):
            if isinstance(item, Shape):
                assert {item.fill, item.stroke} - {""} <= colours("paper").keys()
                for x, y in item.path.points:
                    assert -3 <= x <= drawing.width + 3
                    assert -3 <= y <= drawing.height + 3
            elif isinstance(item, Text):
                assert box_of(item).left >= -1, item
                assert box_of(item).right <= drawing.width + 1, item
        ET.fromstring(inline_svg(drawing))  # noqa: S314 - our own


def on_sheet(drawing: Drawing) -> Iterator[Figure]:
    """The figures where they stand on the sheet, out of their groups."""
    for item in drawing.items:
        if not isinstance(item, Group):
            yield item
            continue
        for part in item.items:
            if isinstance(part, Shape):
                yield replace(part, path=part.path.placed(*item.at, turn_deg=item.turn_deg))


def test_a_fresh_ship_has_nothing_struck_out() -> None:
    sheet = sheet_of("Bismarck")
    hull = draw_hull(sheet)
    assert hull is not None
    assert not struck_at(draw_plan(sheet, SIDE))
    assert not struck_at(hull)
    assert not damage_lines(sheet)
    assert state_key(sheet) == "sheet.state_0"
    assert "No damage." in draw_plan(sheet, SIDE).spoken


def test_damage_appears_where_it_happened() -> None:
    sheet = sheet_of("Bismarck", DAMAGE)
    plan, drawing = lay_out(sheet, SIDE.shape.hull), draw_plan(sheet, SIDE)
    places = struck_at(drawing)

    def near(x: float, y: float, across: float, up: float) -> int:
        return sum(abs(px - x) < across and abs(py - y) < up for px, py in places)

    turrets = {spot.part.key: spot.at for spot in plan.turrets}
    assert near(*turrets["A"], 40, 15) == 0
    assert near(*turrets["B"], 40, 15) == 2  # a whole box, and a quarter of the next
    assert near(*turrets["X"], 40, 15) == 3
    mounts = {spot.part.key: spot.at for spot in plan.secondaries}
    assert [key for key, at in mounts.items() if near(*at, 10, 10)] == ["P2", "S3"]
    rows = {spot.part.kind: spot.at for spot in plan.block_parts}
    assert near(*rows["director"], 5, 5) == 1
    assert near(*rows["superstructure"], 36, 22) == 2 + 2
    assert plan.rudder is not None
    assert near(*plan.rudder.at, 5, 5) == 1
    assert {"1¼ of 3", "still fires", "destroyed", "P2 lost", "S3 lost", "2½ of 5"} <= words_in(
        drawing
    )


def test_the_hull_track_loses_its_quarters_in_order() -> None:
    hull = draw_hull(sheet_of("Bismarck", DAMAGE))
    assert hull is not None
    assert len(struck_at(hull)) == 6 + 3
    assert "now: second third" in words_in(hull)


def test_a_sunk_ship_says_so() -> None:
    sheet = sheet_of("Hood", {"sunk": True})
    assert "SUNK" in words_in(draw_plan(sheet, SIDE))
    assert state_key(sheet) == "sheet.sunk"


def test_the_glance_and_the_stores_count_what_is_left() -> None:
    sheet = sheet_of("Bismarck", DAMAGE)
    assert [(c.left, c.whole) for c in glance(sheet)] == [
        ("8", "10"),
        ("6", "8"),
        ("8", "12"),
        ("8¼", "15"),
    ]
    assert [store.words for store in stores(sheet)][:2] == ["464", "270"]


def test_a_rulebook_that_has_little_to_say_is_drawn_too() -> None:
    parts = (
        SheetPart("hull", "hull", verbatim("Hull"), 6, 2, "points", verbatim("2 points lost")),
        SheetPart("Q", "turret", verbatim("Turret Q"), 0, 0, "mounts", NO_WORDS, station=0.5),
        SheetPart(
            "W", "turret", verbatim("Wing"), 4, 4, "quarters", verbatim("gone"), True, 0.5, "port"
        ),
    )
    sheet = RecordSheet(
        "Ship",
        "Ship",
        "XX",
        "red",
        ShipStatus.IN_ACTION,
        0.3,
        verbatim("ship"),
        0.1,
        (0.4, 0.6),
        (),
        "both",
        parts,
    )
    assert draw_hull(sheet) is None
    assert {"Turret Q", "destroyed"} <= words_in(draw_plan(sheet, SIDE))
    assert print_sheets([PrintedSheet(sheet, SIDE, "Ship", "Hurt")], "A battle", "a4").startswith(
        b"%PDF"
    )


@pytest.mark.parametrize("name", ["Hood", "Bismarck", "Rodney", "North Carolina", "Scharnhorst"])
def test_lines_to_damage_cross_neither_each_other_nor_a_mount(name: str) -> None:
    mounts = [part.key for part in sheet_of(name).parts if part.kind == "secondary"]
    lost = [key for key in mounts if key.startswith("S")][:2]
    damage = {
        "superstructure_lost": 0.5,
        "secondaries_lost": lost,
        "director_destroyed": True,
        "plot_destroyed": True,
        "helm": ["no_port"],
    }
    plan = lay_out(sheet_of(name, damage), SIDE.shape.hull)
    notes = right_notes(plan, 14.0, 13.0, 102.0, sunk=False)
    assert len(notes) == 4 + len(lost)
    lines = [LineString([(RIGHT - 12, note.y), *note.line]) for note in notes]
    assert not any(one.intersects(other) for one, other in combinations(lines, 2))
    for spot in plan.secondaries:
        x, y = spot.at
        half = MOUNT_WIDTH / 2 - 1
        inside = box(x - half, y - spot.height / 2 + 1, x + half, y + spot.height / 2 - 1)
        assert not any(line.intersects(inside) for line in lines)


def test_a_turrets_armour_is_not_taken_for_its_calibre() -> None:
    said = words_in(draw_plan(sheet_of("Hood"), SIDE))
    turret = next(part for part in sheet_of("Hood").parts if part.kind == "turret")
    assert str(text("sheet.guns", n=turret.details.guns)) in said
    assert str(text("sheet.turret_armour", inches="16")) in said


def test_quarters_in_words() -> None:
    assert [boxes_words(n) for n in (0, 1, 2, 7, 8)] == ["0", "¼", "½", "1¾", "2"]


def test_places_are_kept_apart_in_their_order() -> None:
    places = spread([10, 11, 12, 95], [20, 20, 20, 20], (0, 100))
    assert places == [10, 30, 50, 90]


def test_hatching_stays_within_its_figure() -> None:
    _, lines, *_ = hatched(corners(10, 10, 20, 8))
    assert len(lines.path.points) > 6
    assert all(10 <= x <= 30 and 10 <= y <= 18 for x, y in lines.path.points)


def test_a_smooth_line_passes_its_points() -> None:
    points = [(0.0, 0.0), (5.0, 1.0), (9.0, 7.0)]
    assert set(points) <= {(round(x, 9), round(y, 9)) for x, y in smooth(points)}


def test_nothing_in_a_name_breaks_the_drawing() -> None:
    name = 'Ship <b>&"\x07'
    svg = inline_svg(Drawing(9, 9, (Text((0, 0), name, 9),), name))
    assert "<b>" not in svg
    assert "\x07" not in svg
