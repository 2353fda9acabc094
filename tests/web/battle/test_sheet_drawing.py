"""Record sheets: drawn whole, damage where it happened, printable, and nobody's secrets told."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest
from flask import Flask

from combat.dice import TypedDice
from combat.guided_actions import Entrant
from combat.participants import UMPIRE, ShipStatus
from combat.record_sheets import RecordSheet, SheetPart
from combat.rulebooks import get_ruleset
from combat.sides import usual
from tabletop.messages import NO_WORDS, verbatim
from tabletop.table import Pose
from tests.web.battles import SCENE, TARGETS, Fought
from tests.web.phones import Phone, host_of, seated
from web import create_app
from web.battle.sheet_drawing import draw_hull, draw_plan, draw_small
from web.battle.sheet_ink import PAPER, Drawing, Stroke, Words, as_svg, box, hatched, smooth
from web.battle.sheet_paper import PrintedSheet, print_sheets
from web.battle.sheet_plan import lay_out, spread
from web.battle.sheet_words import boxes_words, glance, state_key, stores, wrong
from web.http.context import Running

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
    state = rules.begin(rules.read_setup({"sides": ["british", "german"], "ships": ships}))
    if damage:
        data = {"ship": name, "values": damage, "reason": "a test"}
        correction = rules.read_request("correct", data, None)
        state = rules.play(state, correction, TypedDice("")).state
    return rules.sheet(state, name, UMPIRE)


def words_in(drawing: Drawing) -> set[str]:
    return {item.text for item in drawing.items if isinstance(item, Words)}


def struck_at(drawing: Drawing) -> list[tuple[float, float]]:
    """The middles of everything that is struck out."""
    return [
        (
            sum(x for x, _ in item.lines[0]) / len(item.lines[0]),
            sum(y for _, y in item.lines[0]) / len(item.lines[0]),
        )
        for item in drawing.items
        if isinstance(item, Stroke) and item.fill == "struck"
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
        for item in drawing.items:
            if isinstance(item, Stroke):
                assert {item.fill, item.stroke} - {""} <= PAPER.keys()
                for x, y in (point for line in item.lines for point in line):
                    assert -3 <= x <= drawing.width + 3
                    assert -3 <= y <= drawing.height + 3
            elif isinstance(item, Words):
                left = item.at[0] - {"start": 0, "middle": 0.5, "end": 1}[item.anchor] * item.width
                assert left >= -1, item
                assert left + item.width <= drawing.width + 1, item
        ET.fromstring(as_svg(drawing))  # noqa: S314 - our own


def test_a_fresh_ship_has_nothing_struck_out() -> None:
    sheet = sheet_of("Bismarck")
    hull = draw_hull(sheet)
    assert hull is not None
    assert not struck_at(draw_plan(sheet, SIDE))
    assert not struck_at(hull)
    assert not wrong(sheet)
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


def test_quarters_in_words() -> None:
    assert [boxes_words(n) for n in (0, 1, 2, 7, 8)] == ["0", "¼", "½", "1¾", "2"]


def test_places_are_kept_apart_in_their_order() -> None:
    places = spread([10, 11, 12, 95], [20, 20, 20, 20], (0, 100))
    assert places == [10, 30, 50, 90]


def test_hatching_stays_within_its_figure() -> None:
    _, lines, *_ = hatched(box(10, 10, 20, 8))
    assert isinstance(lines, Stroke)
    assert len(lines.lines) > 3
    assert all(10 <= x <= 30 and 10 <= y <= 18 for pair in lines.lines for x, y in pair)


def test_a_smooth_line_passes_its_points() -> None:
    points = [(0.0, 0.0), (5.0, 1.0), (9.0, 7.0)]
    assert set(points) <= {(round(x, 9), round(y, 9)) for x, y in smooth(points)}


def test_nothing_in_a_name_breaks_the_drawing() -> None:
    name = 'Ship <b>&"\x07'
    svg = as_svg(Drawing(9, 9, name, (Words((0, 0), name, 9),)))
    assert "<b>" not in svg
    assert "\x07" not in re.sub("aria-label=.*?>", ">", svg)


# Pages


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fought]:
    fought = Fought(tmp_path_factory.mktemp("sheets") / "t.db", seed=3).segments(3)
    yield fought
    fought.session.close()


@pytest.fixture(scope="module")
def app(fought: Fought) -> Flask:
    app = create_app(running=Running(fought.session))
    app.config["TESTING"] = True
    return app


@pytest.fixture(scope="module")
def ann(app: Flask) -> Phone:
    return seated(app, "Ann", side="british")


@pytest.fixture(scope="module")
def bob(app: Flask) -> Phone:
    return seated(app, "Bob", side="german")


def test_own_ships_come_first(ann: Phone, bob: Phone) -> None:
    for phone, first, last in ((ann, "Hood", "Bismarck"), (bob, "Bismarck", "Hood")):
        page = phone.get("/sheets").text
        assert page.index(f"/sheet/{first}") < page.index(f"/sheet/{last}")
        assert "Your ships" in page
        assert page.count('<svg class="trouble"') == 4


def test_a_sheet_is_live_and_links_to_the_next(ann: Phone) -> None:
    page = ann.get("/sheet/Hood").text
    assert 'data-live="/sheet/Hood/part" data-when="battle"' in page
    assert "/sheet/Prince%20of%20Wales" in page
    part = ann.get("/sheet/Hood/part")
    assert part.status_code == 200
    assert "<html" not in part.text
    assert 'class="plan"' in part.text


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_sheets_are_printed_as_they_stand(ann: Phone, paper: str) -> None:
    one = ann.get(f"/sheet/Bismarck.pdf?paper={paper}")
    assert one.mimetype == "application/pdf"
    document = pypdfium2.PdfDocument(one.data)
    assert len(document) == 1
    width, height = document[0].get_size()
    assert (round(width), round(height)) == {"a4": (595, 842), "letter": (612, 792)}[paper]
    words = document[0].get_textpage().get_text_range()
    assert "Bismarck" in words
    assert "Denmark Strait · round 2, segment 2" in words
    assert len(pypdfium2.PdfDocument(ann.get("/sheets-record.pdf").data)) == 4


def test_wrong_addresses_are_answered_in_words(ann: Phone) -> None:
    missing = ann.get("/sheet/Yamato")
    assert missing.status_code == 404
    assert "Yamato" in missing.text
    assert ann.get("/sheet/Yamato.pdf").status_code == 404
    assert ann.get("/sheets-record.pdf?paper=quarto").status_code == 400


def test_without_a_battle_the_page_says_what_to_do() -> None:
    bare = create_app()
    bare.config["TESTING"] = True
    host = host_of(bare)
    assert "No battle is under way" in host.get("/sheets").text
    assert host.get("/sheet/Hood").status_code == 404
    assert host.get("/sheets-record.pdf").status_code == 404


def test_nobody_without_a_seat_sees_a_sheet(app: Flask) -> None:
    for path in ("/sheets", "/sheet/Hood", "/sheet/Hood.pdf", "/sheets-record.pdf", "/sheets/list"):
        assert Phone(app, "192.168.1.77").get(path).status_code in (303, 401), path


def hidden_ships() -> tuple[Entrant, ...]:
    """The same ships face down, on parallel courses: nobody comes near enough to be known."""
    numbers = {"Hood": 4, "Prince of Wales": 2, "Prinz Eugen": 3, "Bismarck": 1}
    poses = re.findall(r'name = "(.+)"\nx = (\d+)\ny = (\d+)', SCENE)
    sides = {firer: "british" if firer in ("Hood", "Prince of Wales") else "german"
             for firer, _ in TARGETS}  # fmt: skip
    return tuple(
        Entrant(
            name=name,
            side=sides[name],
            number=numbers[name],
            pose=Pose(float(x), float(y), 300.0),
        )
        for name, x, y in poses
    )


def test_a_face_down_ship_keeps_her_sheet(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", hidden=hidden_ships())
    hidden = create_app(running=Running(fought.session))
    hidden.config["TESTING"] = True
    phone = seated(hidden, "Ann", side="british")
    for path in ("/sheets", "/sheets/list", "/sheets-record.pdf"):
        answer = phone.get(path)
        assert answer.status_code == 200
        said = answer.text if "pdf" not in path else _printed(answer.data)
        assert "Hood" in said
        # The table's own list of models is not the battle's secret; the sheets are.
        assert "Bismarck" not in said
        assert "Prinz Eugen" not in said
    assert "Ship 1" in phone.get("/sheets").text
    for name in ("Bismarck", "Ship 1"):
        for ending in ("", ".pdf", "/part"):
            refused = phone.get(f"/sheet/{name}{ending}")
            assert refused.status_code >= 400, (name, ending)
            assert 'class="plan"' not in refused.text
    fought.session.close()


def _printed(data: bytes) -> str:
    pages = pypdfium2.PdfDocument(data)
    return "".join(page.get_textpage().get_text_range() for page in pages)
