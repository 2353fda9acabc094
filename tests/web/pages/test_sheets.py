"""Every ship of the Advanced Game has a record sheet that opens and prints."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest

from combat.guided_actions import Entrant
from combat.participants import ShipStatus
from combat.record_sheets import PartDetails, RecordSheet, SheetPart
from combat.rulebooks import get_ruleset
from tabletop.messages import NO_WORDS, verbatim
from tabletop.table import Pose
from tests.web.phones import Phone, fresh_app, seated
from web.actions.battle import BeginBattle
from web.auth.seats import Caller
from web.drawing.sheet_words import armour_words, row_label
from web.http.context import ServerContext
from web.journal.store import Store
from web.scenes import demo_scene, opening
from web.session import Session

SHIPS = tuple(ship.name for ship in get_ruleset("bismarck-advanced").ships)
UNARMOURED = ("Destroyer", "Contre-torpilleur")


@pytest.fixture(scope="module")
def umpire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """At a battle with a ship of every type, half of them on each side."""
    session = begun(tmp_path_factory.mktemp("sheets") / "battle.db")
    yield seated(fresh_app(ServerContext(session)), "Uma", role="umpire", side=None)
    session.close()


def begun(path: Path) -> Session:
    host = Caller("h", host=True)
    session = Session(Store(path))
    session.act(host, opening(demo_scene()))
    ships = tuple(
        Entrant(
            name=name,
            side=("british", "german")[number % 2],
            pose=Pose(3000.0 * number, 9000.0 * (number % 2), 0.0),
        )
        for number, name in enumerate(SHIPS)
    )
    session.act(host, BeginBattle(ships=ships))
    return session


@pytest.mark.parametrize("name", SHIPS)
def test_every_ship_has_her_page_her_drawing_and_her_print(umpire: Phone, name: str) -> None:
    page = umpire.get(f"/sheet/{name}")
    assert page.status_code == 200, page.text
    assert name in page.text
    part = umpire.get(f"/sheet/{name}/part")
    assert part.status_code == 200
    assert "None" not in part.text
    drawings = part.text.split("<svg")[1:]
    assert drawings
    for each in drawings:
        ET.fromstring("<svg" + each.split("</svg>")[0] + "</svg>")  # noqa: S314 - our own
    printed = umpire.get(f"/sheet/{name}.pdf")
    assert printed.status_code == 200
    words = pypdfium2.PdfDocument(printed.data)[0].get_textpage().get_text_range()
    assert name in words
    assert "None" not in words
    assert umpire.get(f"/api/battle/sheet?ship={name}").get_json()["sheet"]["ship"] == name


def test_all_sheets_of_a_battle_open_and_print_together(umpire: Phone) -> None:
    for address in ("/sheets", "/sheets/list"):
        assert umpire.get(address).status_code == 200
    for paper in ("a4", "letter"):
        printed = umpire.get(f"/sheets-record.pdf?paper={paper}")
        assert len(pypdfium2.PdfDocument(printed.data)) == len(SHIPS)


@pytest.mark.parametrize("name", UNARMOURED)
def test_armour_that_a_ship_does_not_have_is_left_out(umpire: Phone, name: str) -> None:
    part = umpire.get(f"/sheet/{name}/part").text
    assert "belt 2/4″" in part
    assert "deck" not in part.split("belt 2/4″")[1].split("<")[0]


def test_a_plate_without_armour_among_others_is_a_dash() -> None:
    hull = part("hull", PartDetails(belt=(None, 4, 4), deck=(None, None)))
    assert armour_words(sheet(hull)) == "belt –/4″"
    assert armour_words(sheet(part("hull", PartDetails(belt=(), deck=())))) == ""
    bare = part("plot", PartDetails(armour=(None, None)))
    assert row_label(bare) == row_label(part("plot", PartDetails()))


def part(kind: str, details: PartDetails) -> SheetPart:
    return SheetPart(
        kind, kind, verbatim(kind.title()), 0, 0, "quarters", NO_WORDS, details=details
    )


def sheet(*parts: SheetPart) -> RecordSheet:
    return RecordSheet(
        "Ship",
        "Ship",
        "DD",
        "british",
        ShipStatus.IN_ACTION,
        0.0,
        NO_WORDS,
        0.1,
        (0.3, 0.6),
        (),
        "",
        parts,
    )
