"""Battles in free play in exported files: whole, typed, and played on elsewhere."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.compatibility.reading import DATA, journal_opened
from tests.web.data_folders import battles_of, begin, import_battle
from tests.web.free.conftest import Server
from tests.web.free.fights import CHASE, FLEETS, HOST, Fight, body_of, fight_in, joins
from tests.web.owner.cards.conftest import CARD
from tests.web.phones import Phone, host_of, running_in, words_of
from web.archive.exports import checksum_of
from web.scenes import demo_scene, opening

Document = dict[str, Any]
SHIPS = [joins("Z28"), joins("Norfolk")]


def exported(host: Phone) -> Document:
    (id_,) = (each["id"] for each in battles_of(host) if each["open"])
    answer = host.get(f"/api/battles/kept/{id_}/export")
    assert answer.status_code == 200, answer.text
    document: Document = json.loads(answer.data)
    return document


def laid_elsewhere(app: Flask, document: Document) -> Phone:
    host = host_of(app)
    taken = import_battle(host, document)
    assert taken.status_code == 200, taken.text
    answer = host.post(f"/api/battles/kept/{taken.get_json()['id']}/resume")
    assert answer.status_code == 200, answer.text
    return host


def fought(app: Flask) -> Fight:
    """A table with a battle of flags, sisters, rounds and undos."""
    begin(host_of(app), "river-plate", lay_only=True)
    fight = fight_in(app)
    fight.must("main", "Z28", "Norfolk", "9")
    fight.must("torpedoes", "Norfolk", "Z29", "5", range_areas=1)
    fight.next_round()
    fight.must("main", "Z29", "Norfolk", roll=True)
    fight.must("main", "Norfolk", "Z29", "8")
    fight.undo()
    fight.corrected("Z28", damage=1)
    return fight


def test_a_battle_moves_to_another_server_and_goes_on(serve: Server) -> None:
    here = fought(serve("here"))
    fight_in(here.phone.app, CHASE).must("guns", "Prinz Eugen", "Hood", "1 1 9 9 9 9 9")
    views = here.view(), fight_in(here.phone.app, CHASE).view()
    log = [line["text"] for line in here.phone.view()["log"]]
    document = exported(here.phone)
    host = laid_elsewhere(serve("there"), document)
    there = Fight(host)
    assert (there.view(), Fight(host, CHASE).view()) == views
    assert [line["text"] for line in host.view()["log"]][-len(log) :] == log
    assert there.page()
    # The dice of what was taken back are kept for it there too.
    there.must("main", "Norfolk", "Z29")
    assert there.dice()[-1] == ["8"]
    while there.view()["played"]:
        assert there.undo().status_code == 200
    assert exported(host)["entries"][: len(document["entries"])] == document["entries"]


def test_a_battle_that_is_older_than_the_table_is_in_the_file(serve: Server) -> None:
    fight = fought(serve("here"))
    host = fight.phone
    kept = fight.view()
    running_in(host.app).session.act(HOST, opening(demo_scene()))
    document = exported(host)
    assert Fight(laid_elsewhere(serve("there"), document)).view() == kept


def test_a_battle_that_ended_is_told_and_no_more(serve: Server) -> None:
    fight = fought(serve("here"))
    assert fight.end().status_code == 200
    document = exported(fight.phone)
    host = laid_elsewhere(serve("there"), document)
    assert Fight(host).now() is None
    assert any("started a new fight" in line["text"] for line in host.view()["log"])


def test_a_player_exports_it_beside_a_guided_battle(serve: Server) -> None:
    app = serve("here")
    fight = fought(app)
    assert fight.phone.post("/api/battle/begin", {}).status_code == 200
    kept = fight.view()
    for name, side in (("Ann", "british"), ("Bob", "german")):
        assert Phone(app).join(name, side=side).status_code == 200
    document = exported(fight.phone)
    kinds = {entry["kind"] for entry in document["entries"]}
    assert {"battle_begun", "free_played"} <= kinds
    assert Fight(laid_elsewhere(serve("there"), document)).view() == kept


@pytest.mark.parametrize("name", ["fight-grand-fleets", "stuck-arctic-disaster",
                                  "fights-begun-anew", "fight-bismarck-advanced"])  # fmt: skip
def test_fights_of_version_0_1_0_move_too(serve: Server, tmp_path: Path, name: str) -> None:
    with journal_opened(DATA / "journals" / f"{name}.db", tmp_path / "old") as app:
        host = host_of(app)
        rulebooks = list(Fight(host).phone.app.extensions["dreyer"].session.moment.free.known)
        kept = {each: Fight(host, each).view() for each in rulebooks}
        document = exported(host)
    host = laid_elsewhere(serve("there"), document)
    assert {each: Fight(host, each).view() for each in rulebooks} == kept
    for each in rulebooks:
        Fight(host, each).next_round()
        assert Fight(host, each).page()


# Ships of the players' own


def with_own_card(app: Flask) -> Fight:
    host = host_of(app)
    begin(host, "river-plate", lay_only=True)
    answer = host.post(f"/api/cards?ruleset={FLEETS}", {"toml": CARD})
    assert answer.status_code == 200, answer.text
    fight = Fight(host, FLEETS)
    said = {"firer": "My Ship", "target": "Iron Duke", "battery": "guns 1", "range": "4000"}
    body = body_of(fight.calculator(**said), "roll")
    assert host.post("/api/free", body).status_code == 200
    return fight


def test_a_ship_of_ones_own_needs_her_card_there(serve: Server) -> None:
    fight = with_own_card(serve("here"))
    kept, document = fight.view(), exported(fight.phone)
    host = host_of(serve("there"))
    refused = import_battle(host, document)
    assert (refused.status_code, "My Ship" in words_of(refused)) == (400, True)
    assert host.post(f"/api/cards?ruleset={FLEETS}", {"toml": CARD}).status_code == 200
    assert Fight(laid_elsewhere(host.app, document), FLEETS).view() == kept


def test_a_kept_battle_with_ships_of_ones_own_is_listed_and_exported(serve: Server) -> None:
    fight = with_own_card(serve("here"))
    host = fight.phone
    (id_,) = (each["id"] for each in battles_of(host) if each["open"])
    begin(host, "river-plate", lay_only=True)
    assert host.get(f"/api/battles/kept/{id_}/export").status_code == 200
    assert host.post(f"/api/battles/kept/{id_}/resume").status_code == 200
    assert Fight(host, FLEETS).dice()


def test_a_changed_card_changes_nothing_that_was_marked(serve: Server) -> None:
    """Whatever the rules would say of it today, also after a restart."""
    fight = with_own_card(serve("here"))
    fight.corrected("My Ship", hull_lost=1)
    kept = fight.view()
    weaker = CARD.replace("[9, 6, 4]", "[9]")
    assert weaker != CARD
    answer = fight.phone.post(f"/api/cards?ruleset={FLEETS}", {"toml": weaker})
    assert answer.status_code == 200
    assert fight.view()["ships"] == kept["ships"]
    after = Fight(host_of(serve("here")), FLEETS)
    assert after.view()["ships"] == kept["ships"]
    assert [each["events"] for each in after.view()["played"]] == [
        each["events"] for each in kept["played"]
    ]
    assert after.page()


# Files that are wrong


def entry(document: Document, kind: str) -> Document:
    found: Document = next(each["data"] for each in document["entries"] if each["kind"] == kind)
    return found


def step(document: Document, number: int = -1) -> Document:
    found: Document = entry(document, "free_played")["steps"][number]
    return found


WRONG: list[tuple[Callable[[Document], object], str]] = [
    (lambda d: entry(d, "free_begun").update(ruleset="chess"), "ruleset"),
    (lambda d: entry(d, "free_begun").update(edition=0), "edition: expected a whole number from 1"),
    (lambda d: entry(d, "free_begun").update(edition=77), "cannot be played"),
    (lambda d: entry(d, "free_begun").pop("owner_values"), "owner_values: expected a text"),
    (lambda d: entry(d, "free_played").update(more=1), "unknown key 'more'"),
    (
        lambda d: entry(d, "free_played").update(steps=[]),
        "steps: expected a list of objects",
    ),
    (lambda d: entry(d, "free_undone").update(to="x"), "to: expected a whole number"),
    (lambda d: step(d).update(strange=1), "unknown key 'strange'"),
    (lambda d: step(d)["action"].update(kind="maim"), "steps 3, action: kind: expected one of"),
    (lambda d: step(d)["action"].update(range_areas="5"), "range_areas: expected a whole number"),
    (
        lambda d: step(d)["action"].update(range_areas=99),
        "range_areas: expected a whole number from 0 to 20",
    ),
    (lambda d: step(d)["action"].update(fog=1), "fog: expected true or false"),
    (lambda d: step(d)["action"].update(rang=1), "steps 3, action: unknown key 'rang'"),
    (lambda d: step(d)["action"].update(by=3), "by: expected a text"),
    (lambda d: step(d, 0)["action"]["ship"].update(type="Nobody"), "unknown ship 'Nobody'"),
    (lambda d: step(d, 0)["action"]["ship"].update(more=1), "action, ship: unknown key 'more'"),
    (lambda d: step(d)["rolls"][0].update(value="99"), "rolls 1: value: expected one die"),
    (lambda d: step(d)["rolls"][0].update(by_server=1), "by_server: expected true or false"),
    (lambda d: step(d)["rolls"][0].update(purpose=3), "purpose"),
    (
        lambda d: step(d)["events"][0].update(kind="exploded"),
        "steps 3, events 1: kind: expected one of",
    ),
    (lambda d: step(d)["events"][0].update(factor="many"), "factor: expected a whole number"),
    (lambda d: step(d)["events"][0].update(sunk=True), "events 1: unknown key 'sunk'"),
    (lambda d: step(d)["events"][0].update(ship="Nobody"), "cannot be played"),
    (lambda d: step(d)["marks"]["Norfolk"].update(damage="1"), "damage: expected a whole number"),
    (lambda d: step(d)["marks"]["Norfolk"].update(damge=1), "damge"),
]


def test_values_that_are_wrong_are_refused_in_one_sentence(serve: Server) -> None:
    host = fought(serve("here")).phone
    good = exported(host)
    before = battles_of(host)
    for change, words in WRONG:
        document = json.loads(json.dumps(good))
        change(document)
        document["checksum"] = checksum_of(document["entries"])
        answer = import_battle(host, document)
        assert answer.status_code == 400, (words, answer.text)
        said = words_of(answer)
        assert words in said
        assert said.startswith("The file cannot be used: ")
        assert said.count("\n") == 0
    assert battles_of(host) == before


def test_an_old_undo_of_nothing_is_refused(serve: Server, tmp_path: Path) -> None:
    journal = tmp_path / "copy.db"
    shutil.copy(DATA / "journals" / "fight-grand-fleets.db", journal)
    with journal_opened(journal, tmp_path / "old") as app:
        document = exported(host_of(app))
    last = document["entries"][-1]["n"]
    row = {"n": last + 1, "seconds": 0.0, "who": "Ann", "kind": "attack_undone"}
    document["entries"].append({**row, "data": {"n": last + 1, "words": "x"}})
    document["checksum"] = checksum_of(document["entries"])
    refused = import_battle(host_of(serve("there")), document)
    assert (refused.status_code, "not there" in words_of(refused)) == (400, True)


def test_ships_names_are_free(serve: Server) -> None:
    """Names that are no plain words survive the journal, the file and the pages."""
    app = serve("here")
    begin(host_of(app), "river-plate", lay_only=True)
    fight = fight_in(app)
    name = "<b>Z 28 & “Ü”</b>"
    ships = [{**joins("Z28"), "name": name}, joins("Norfolk")]
    fight.must("main", name, "Norfolk", "9", ships=ships)
    assert "<b>Z 28" not in fight.page() + fight.calculator(firer=name)
    kept, document = fight.view(), exported(fight.phone)
    assert Fight(laid_elsewhere(serve("there"), document)).view() == kept


def test_marks_as_large_as_a_card_has_them_move_and_are_corrected(serve: Server) -> None:
    """Prince of Wales carries 1,200 rounds for her secondary guns (65)."""
    app = serve("here")
    begin(host_of(app), "river-plate", lay_only=True)
    fight = fight_in(app, "bismarck-advanced")
    answers = {"range_yards": 9000, "quadrant": "port", "aspect": "port", "visibility": 8}
    fight.must("secondary", "Prince of Wales", "Bismarck", "66", night=True, **answers)
    left = fight.state("Prince of Wales")["ammunition"]["secondary"]
    assert 1_000 < left < 1_200
    fight.corrected("Prince of Wales", hull_lost=1)
    assert fight.state("Prince of Wales")["ammunition"]["secondary"] == left
    kept, document = fight.view(), exported(fight.phone)
    assert Fight(laid_elsewhere(serve("there"), document), "bismarck-advanced").view() == kept
