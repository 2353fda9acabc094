"""The tables as pages and over the API: who sees what, who may change it, and what it changes."""

import json
import re
from pathlib import Path

import pytest
from flask import Flask

from combat.owner_values import read_overlay, short_checksum
from combat.provenance import Provenance
from combat.rulebooks import NAMES, get_ruleset
from tests.rulebooks import QUIET, quiet_rules, registered
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated, words_of
from web import create_app
from web.cli import main
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.owner.tables.files import overlay_path
from web.owner.tables.store import OwnedTables
from web.scenes import demo_scene

RULESET = "bismarck-advanced"
BOOK = get_ruleset(RULESET).tables
SHORT = {"changes": [{"row": "G", "column": "short", "value": "19"}]}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return fresh_app(ServerContext(table_in_memory(demo_scene), data_folder=tmp_path))


@pytest.fixture
def host(app: Flask) -> Phone:
    return host_of(app)


def owned(host: Phone, ruleset: str = RULESET) -> OwnedTables:
    """The values that count now."""
    return running_in(host.app).owner.now(ruleset)


def grouped(checksum: str) -> str:
    short = short_checksum(checksum)
    return " ".join((short[:4], short[4:8], short[8:]))


def sheet(phone: Phone) -> str:
    """The check sheet of a pair, whatever the number of the table's last change."""
    page = phone.get("/check?firer=Hood&target=Bismarck")
    assert page.status_code == 200
    return re.sub(r"&amp;n=[0-9]+", "", page.text)


def test_every_table_is_listed_with_its_sources(host: Phone) -> None:
    page = host.get("/tables").text
    assert grouped(BOOK.checksum) in page
    for table in BOOK:
        assert f'href="/tables/{table.name}"' in page
    lost, sound = page.split('id="group-sound"')
    assert 'href="/tables/hit_table"' in lost
    assert 'href="/tables/torpedo_hits"' in sound


@pytest.mark.parametrize("name", [table.name for table in BOOK])
def test_every_table_has_its_card(host: Phone, name: str) -> None:
    page = host.get(f"/tables/{name}").text
    table = BOOK[name]
    assert len(re.findall(r"<td data-provenance=", page)) == len(table.cells)
    for provenance, count in table.counts.items():
        assert page.count(f'<td data-provenance="{provenance}"') == count


def test_an_unknown_table_is_not_found(host: Phone) -> None:
    page = host.get("/tables/hitt_table")
    assert page.status_code == 404
    assert "No such table" in page.text
    assert "ship on this table" not in page.text
    assert host.post("/api/tables/hitt_table", SHORT).status_code == 404


def test_players_look_and_do_not_touch(app: Flask) -> None:
    ann = seated(app)
    assert grouped(BOOK.checksum) in ann.get("/tables").text
    page = ann.get("/tables/penetration").text
    assert "<input name=" not in page.split('id="where"')[0]
    assert 'id="paste"' not in page
    cell = ann.get("/tables/penetration/cell?row=G&column=short")
    assert cell.status_code == 200
    assert "our notes: penetration" in cell.text
    for path, body in (
        ("/api/tables/penetration", SHORT),
        ("/api/tables/penetration/reset", {}),
        ("/api/owner/undo", {}),
    ):
        assert ann.post(path, body).status_code == 403
    assert ann.get("/tables/penetration/paste?row=G&column=short&block=1").status_code == 403


def test_nobody_looks_without_a_seat(app: Flask) -> None:
    phone = Phone(app)
    assert phone.get("/tables").status_code == 303
    assert phone.get("/tables/penetration").status_code == 303
    assert phone.get("/tables/list").status_code in (303, 401)
    assert phone.get("/tables/export").status_code in (303, 401)


def test_a_value_is_entered_seen_by_all_and_undone(app: Flask, host: Phone) -> None:
    ann = seated(app)
    before = ann.view()
    assert before["tables"]["checksum"] == short_checksum(BOOK.checksum)
    answer = host.post("/api/tables/penetration", SHORT).get_json()
    (cell,) = answer["cells"]
    assert (cell["value"], cell["provenance"], cell["book"]) == ("19", "owner", "18")
    assert answer["undo"] == {"what": "enter", "table": "penetration", "cells": 1}
    after = ann.view()
    assert after["seq"] != before["seq"]
    assert after["tables"]["checksum"] == short_checksum(answer["checksum"])
    assert after["tables"]["owner"] == 1
    assert grouped(answer["checksum"]) in ann.get("/tables/penetration/head").text
    assert 'data-provenance="owner"' in ann.get("/tables/penetration/grid").text
    slip = ann.get("/tables/penetration/cell?row=G&column=short").text
    assert "The book says 18" in slip
    assert "1 value in Penetration Table" in host.get("/tables/penetration/head").text
    assert host.post("/api/owner/undo").get_json()["checksum"] == BOOK.checksum
    assert "nothing to undo" in words_of(host.post("/api/owner/undo"))


def test_a_wrong_value_is_refused_in_words(host: Phone) -> None:
    wrong = {"changes": [{"row": "G", "column": "medium_low", "value": "plenty"}]}
    response = host.post("/api/tables/penetration", wrong)
    assert response.status_code == 400
    assert words_of(response).startswith("Penetration Table, row G, column medium low: expected")
    assert owned(host).tables.checksum == BOOK.checksum


def test_sent_twice_a_change_is_one_step(app: Flask, host: Phone) -> None:
    for _ in range(2):
        assert host.post("/api/tables/penetration", SHORT, key="once-and-again").status_code == 200
    host.post("/api/owner/undo")
    assert running_in(app).owner.last_edit(RULESET) is None


def test_the_whole_hit_table_can_be_sent_at_once(host: Phone) -> None:
    table = BOOK["hit_table"]
    block = "\n".join("\t".join(table.text(row, c) for c in table.columns) for row in table.rows)
    page = host.send(
        "GET",
        "/tables/hit_table/paste",
        query_string={"row": table.rows[0], "column": "1", "block": block},
    ).text
    assert "Enter 1344 values" in page
    found = re.search(r"data-body='([^']+)'", page)
    assert found is not None
    answer = host.post("/api/tables/hit_table", json.loads(found[1]))
    assert len(answer.get_json()["cells"]) == 1344
    assert answer.get_json()["checksum"] == BOOK.checksum
    listed = host.get("/tables").text.split('id="group-sound"')
    assert 'href="/tables/hit_table"' in listed[1], "nothing in it is reconstructed any more"
    assert host.post("/api/tables/hit_table/reset").status_code == 200
    assert owned(host).tables["hit_table"].counts[Provenance.OWNER] == 0


def test_a_paste_says_what_it_would_do(host: Phone) -> None:
    def preview(block: str) -> str:
        query = {"row": "G", "column": "short", "block": block}
        return host.send("GET", "/tables/penetration/paste", query_string=query).text

    assert "1 value changes" in preview("19\t16")
    assert "Enter 2 values" in preview("19\t16")
    assert "row F, column short" in preview("19\nx")
    assert "data-act" not in preview("19\nx")
    assert "data-act" not in preview("")
    assert "too large" in preview("1\t" * 30_001)


def test_the_file_is_the_command_lines(
    app: Flask, host: Phone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host.post("/api/tables/penetration", SHORT)
    exported = host.get("/tables/export")
    assert "attachment" in exported.headers["Content-Disposition"]
    assert read_overlay(exported.data, "it").values == {("penetration", "G", "short"): "19"}
    path = tmp_path / "by-command.toml"
    assert main(["tables", "--data", str(tmp_path), "--export", str(path)]) == 0
    assert path.read_bytes() == exported.data
    assert main(["tables", "--data", str(tmp_path), "--unset", "penetration", "G", "short"]) == 0
    assert running_in(app).owner.tables(RULESET).checksum == BOOK.checksum
    sent = host.send(
        "POST", "/api/owner/import", data=exported.data, content_type="application/octet-stream"
    )
    assert sent.status_code == 200, sent.text
    assert sent.get_json()["words"]
    capsys.readouterr()
    assert main(["tables", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checksum"] == sent.get_json()["checksum"]


def test_a_bad_file_is_refused_and_nothing_is_lost(host: Phone) -> None:
    host.post("/api/tables/penetration", SHORT)
    before = host.get("/tables/export").data
    for data in (b"", b"\xff", before[:-4], before.replace(b"19", b"18")):
        sent = host.send(
            "POST", "/api/owner/import", data=data, content_type="application/octet-stream"
        )
        assert sent.status_code == 400
        assert words_of(sent).lower().startswith("the file")
    assert host.get("/tables/export").data == before


def test_checksums_are_compared(host: Phone) -> None:
    def compare(other: str) -> str:
        return host.send("GET", "/tables/compare", query_string={"other": other}).text

    assert "They match" in compare(grouped(BOOK.checksum).upper())
    assert "They match" in compare(BOOK.checksum)
    assert "They differ" in compare("0123456789ab")
    assert "They" not in compare(BOOK.checksum[:7])


def hits_expected(page: str) -> float:
    found = re.search(r"Average hits</dt><dd>([\d.]+)", page)
    assert found is not None
    return float(found.group(1))


def test_an_entered_value_changes_the_forecast(host: Phone) -> None:
    """Every hit taken away: the same fire has nothing to expect any more."""
    before = sheet(host)
    assert hits_expected(before) > 0
    table = BOOK["hit_table"]
    changes = [
        {"row": row, "column": column, "value": "0"}
        for row in table.rows
        for column in table.columns
    ]
    assert host.post("/api/tables/hit_table", {"changes": changes}).status_code == 200
    assert hits_expected(sheet(host)) == 0
    assert "100 %" in sheet(host)
    host.post("/api/owner/undo")
    assert sheet(host) == before


def test_a_battle_keeps_the_tables_of_its_beginning(app: Flask, host: Phone) -> None:
    ann = seated(app)
    assert host.post("/api/battle/begin", {"visibility": 2}).status_code == 200
    assert "keeps them to the end" in ann.get("/tables").text
    before = sheet(host)
    changes = [{"row": row, "column": "9", "value": "0"} for row in BOOK["hit_table"].rows]
    host.post("/api/tables/hit_table", {"changes": changes})
    assert sheet(host) == before
    view = ann.view()
    assert view["tables"]["battle"] == {"checksum": short_checksum(BOOK.checksum), "same": False}
    assert view["battle"]["tables"] == short_checksum(BOOK.checksum)
    assert view["tables"]["checksum"] != short_checksum(BOOK.checksum)
    for path in ("/tables", "/tables/hit_table"):
        assert "count from the next battle" in ann.get(path).text


def test_values_in_memory_go_into_a_battle_too() -> None:
    app = create_app()
    app.config["TESTING"] = True
    host = host_of(app)
    assert "lost when the program ends" in host.get("/tables").text
    checksum = host.post("/api/tables/penetration", SHORT).get_json()["checksum"]
    assert host.post("/api/battle/begin", {"visibility": 2}).status_code == 200
    assert host.view()["battle"]["tables"] == short_checksum(checksum)


def test_an_unreadable_file_is_told_to_the_host_alone(
    app: Flask, host: Phone, tmp_path: Path
) -> None:
    path = overlay_path(RULESET, tmp_path)
    path.parent.mkdir()
    path.write_text("scribble")
    assert str(path) in host.get("/tables").text
    ann = seated(app)
    page = ann.get("/tables").text
    assert str(path) not in page
    assert "the host is told why" in page
    assert ann.view()["tables"]["fault"] is True
    assert host.post("/api/tables/penetration", SHORT).status_code == 400
    assert path.read_text() == "scribble"


def test_odd_values_are_warned_of_and_taken(host: Phone) -> None:
    odd = {"changes": [{"row": "G", "column": "extreme", "value": "40"}]}
    assert host.post("/api/tables/penetration", odd).status_code == 200
    assert "Worth a second look" in host.get("/tables/penetration/head").text
    assert list(owned(host).tables["penetration"].warnings())


def test_hostile_bodies_are_refused(host: Phone) -> None:
    bodies: tuple[dict[str, object], ...] = (
        {},
        {"changes": []},
        {"changes": [{"row": "G", "column": "short", "value": 19}]},
        {"changes": [{"row": "G", "column": "short"}]},
        {"changes": [{"row": "G", "column": "short", "value": "1\u0000"}]},
        {"changes": [{"row": "G", "column": "short", "value": "9" * 121}]},
        {"changes": [{"row": "G", "column": "short", "value": "19", "more": 1}]},
    )
    for body in bodies:
        assert host.post("/api/tables/penetration", body).status_code == 400
    text = {"changes": [{"row": "G", "column": "calibres", "value": "<b>&'\""}]}
    assert host.post("/api/tables/gun_types", text).status_code == 200
    for path in ("", "/grid", "/cell?row=G&column=calibres"):
        assert "<b>" not in host.get(f"/tables/gun_types{path}").text


def test_the_documentation_lists_the_routes(host: Phone) -> None:
    paths = host.get("/openapi.json").get_json()["paths"]
    assert {"/api/tables/{name}", "/api/owner/undo", "/api/owner/import"} <= set(paths)
    assert set(paths["/api/tables/{name}"]) >= {"post"}


def test_rules_without_tables_say_so(host: Phone) -> None:
    with registered(QUIET, quiet_rules):
        assert "has no tables here" in host.get(f"/tables?ruleset={QUIET}").text


@pytest.mark.parametrize("name", NAMES)
def test_the_tables_of_every_rulebook_are_for_their_owner(host: Phone, name: str) -> None:
    """Also those that are not on the table: they are played on the calculator."""
    table = next(iter(get_ruleset(name).tables))
    row, column = next(iter(table.cells))
    page = host.get(f"/tables?ruleset={name}").text
    assert table.title in page
    value = table.text(row, column)
    change = {"changes": [{"row": row, "column": column, "value": value}]}
    assert host.post(f"/api/tables/{table.name}?ruleset={name}", change).status_code == 200
    shown = owned(host, name).tables[table.name].cell(row, column)
    assert shown.provenance is Provenance.OWNER
    assert host.post(f"/api/owner/undo?ruleset={name}").status_code == 200
    assert host.get(f"/tables/{table.name}?ruleset={name}").status_code == 200
    assert host.get("/tables?ruleset=nonsense").status_code == 404
