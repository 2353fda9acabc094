"""Record sheets as pages and on paper: own ships first, live, and nobody's secrets told."""

import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest
from flask import Flask

from combat.guided_actions import Entrant
from tabletop.table import Pose
from tests.web.battles import SCENE, TARGETS, Fought
from tests.web.phones import Phone, host_of, seated
from web import create_app
from web.http.context import ServerContext


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fought]:
    fought = Fought(tmp_path_factory.mktemp("sheets") / "t.db", seed=3).segments(3)
    yield fought
    fought.session.close()


@pytest.fixture(scope="module")
def app(fought: Fought) -> Flask:
    app = create_app(server_context=ServerContext(fought.session))
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
    assert "No battle in progress" in host.get("/sheets").text
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
    hidden = create_app(server_context=ServerContext(fought.session))
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
