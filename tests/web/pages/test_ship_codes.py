"""QR codes of ships: one for each that everybody knows, and it leads to her sheet."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from flask import Flask

from tests.web.battle.test_sheet_drawing import hidden_ships
from tests.web.battles import Fought
from tests.web.data_folders import begin
from tests.web.phones import host_of, seated
from web import create_app
from web.http.context import ServerContext


def addresses_in(data: bytes) -> set[str]:
    """What all codes of a PDF say."""
    found: set[str] = set()
    for page in pypdfium2.PdfDocument(data):
        picture = np.asarray(page.render(scale=3).to_numpy(), dtype=np.uint8)
        done, words, *_ = cv2.QRCodeDetector().detectAndDecodeMulti(picture)
        assert done
        found |= {each for each in words if each}
    return found


def test_every_ship_has_a_code_that_opens_her_sheet(app: Flask) -> None:
    host = host_of(app)
    begin(host, "denmark-strait")
    answer = host.get("/sheets-codes.pdf?paper=letter")
    assert answer.mimetype == "application/pdf"
    addresses = addresses_in(answer.data)
    assert len(addresses) == 4
    paths = {"/" + address.split("/", 3)[3] for address in addresses}
    assert "/sheet/Prince%20of%20Wales" in paths
    assert all(host.get(path).status_code == 200 for path in paths)
    assert "/sheets-codes.pdf?paper=a4" in host.get("/sheets").text


def test_hidden_ships_have_none(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    app = create_app(server_context=ServerContext(fought.session))
    for side in ("british", "german"):
        answer = seated(app, f"Of {side}", side=side).get("/sheets-codes.pdf")
        if answer.status_code == 200:
            assert not any(name in str(addresses_in(answer.data)) for name in ("Bismarck", "Prinz"))
        else:
            assert answer.status_code == 404


def test_without_a_battle_and_for_other_paper_there_are_none(app: Flask) -> None:
    host = host_of(app)
    assert host.get("/sheets-codes.pdf").status_code == 404
    begin(host, "denmark-strait")
    assert host.get("/sheets-codes.pdf?paper=a9").status_code == 400
