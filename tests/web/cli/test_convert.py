"""`dreyer convert`: files, exported battles, ranges, and what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pytest

from tabletop.documents import parse_toml
from tests.web.battles import Fought
from web.archive.exports import export_battle
from web.cli import main

MARKS = """
[[ship]]
name = "Bismarck"
[ship.marks]
midships_hits = 3
bow_hits = 3
evasion_lost = 7
ammunition_spent = 5
[ship.beside]
director_destroyed = true
[[ship]]
name = "Hood"
"""
STATE = """
[[ship]]
name = "Bismarck"
[ship.state]
hull_lost = 6.25
turrets_lost = { A = 3.0 }
plot_destroyed = true
[[ship]]
name = "Number 1"
type = "Destroyer"
[ship.state]
hull_lost = 0.5
"""


class Commands:
    """Runs the command in a folder."""

    def __init__(self, folder: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.folder, self._captured = folder, captured

    def run(self, text: str | None, *options: str) -> tuple[int, str, str]:
        """Exit code, output and errors; with a file of this text."""
        path = self.folder / "ships.toml"
        if text is not None:
            path.write_text(text, encoding="utf-8")
        file = [] if text is None else [str(path)]
        code = main(["convert", *file, *options, "--data", str(self.folder / "data")])
        out, err = self._captured.readouterr()
        return code, out, err

    def document(self, text: str | None, *options: str) -> dict[str, Any]:
        """What must be converted."""
        code, out, err = self.run(text, "--json", *options)
        assert (code, err) == (0, "")
        found: dict[str, Any] = json.loads(out)
        return found

    def refused(self, text: str | None, *options: str) -> str:
        """The one line of what must not."""
        code, out, err = self.run(text, *options)
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err


@pytest.fixture
def commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path, capsys)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    fought = Fought(tmp_path_factory.mktemp("convert") / "t.db", seed=3).segments(4)
    try:
        session = fought.session
        return export_battle(session.log(most=10**9), session.moment, sees_all=True)[1]
    finally:
        fought.session.close()


def test_marks_become_sheets(commands: Commands) -> None:
    document = commands.document(MARKS)
    assert (document["ruleset"], document["to"]) == ("bismarck-advanced", "advanced")
    bismarck, hood = document["ships"]
    assert (bismarck["side"], hood["side"]) == ("german", "british")
    state = bismarck["state"]
    assert (state["hull_lost"], state["movement_factors_lost"]) == (4, 2)
    assert (state["turrets_lost"], state["ammunition"]) == ({"A": 3, "B": 1.5}, {"main": 480})
    assert bismarck["beside"] == {"director_destroyed": True}
    assert state["director_destroyed"] is True
    lines = {line["what"]: line for line in bismarck["lines"]}
    assert (lines["midships"]["from"], lines["midships"]["to"]) == (3, 4)
    assert (lines["midships"]["rounded"], lines["midships"]["rule"]) == (True, "72.2, 72.3")
    assert lines["bow"]["rounded"] is False
    assert hood["sunk"] is False
    assert {line["to"] for line in hood["lines"]} == {0}


def test_sheets_become_marks(commands: Commands) -> None:
    bismarck, destroyer = commands.document(STATE)["ships"]
    assert (bismarck["marks"]["midships_hits"], bismarck["marks"]["bow_hits"]) == (4, 2)
    assert bismarck["beside"] == {"plot_destroyed": True}
    assert (destroyer["marks"], destroyer["lines"]) == (None, [])
    assert destroyer["remark"]


def test_a_result_can_be_read_again_and_begins_a_fight(
    commands: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    code, states, _ = commands.run(MARKS, "--toml")
    assert code == 0
    back = commands.document(states)
    assert back["to"] == "basic"
    assert back["ships"][0]["marks"]["bow_hits"] == 3
    fight = commands.folder / "ships.toml"
    assert main(["replay", str(fight), "--json", "--data", str(commands.folder / "data")]) == 0
    ships = json.loads(capsys.readouterr().out)["ships"]
    assert ships[0]["state"]["hull_lost"] == 4


def test_a_whole_battle_is_handed_back(commands: Commands, exported: bytes) -> None:
    document = commands.document(exported.decode())
    assert document["to"] == "basic"
    names = {ship["name"] for ship in document["ships"]}
    assert names == {"Hood", "Prince of Wales", "Bismarck", "Prinz Eugen"}
    assert any(line["to"] for ship in document["ships"] for line in ship["lines"])
    german = commands.document(exported.decode(), "--side", "German")
    assert {ship["name"] for ship in german["ships"]} == {"Bismarck", "Prinz Eugen"}
    assert "--to basic" in commands.refused(exported.decode(), "--to", "advanced")


def test_hexes_and_yards(commands: Commands) -> None:
    ranges = commands.document(None, "--hexes", "2", "--yards", "8000.5")["ranges"]
    assert [(each["hexes"], each["from_yards"], each["to_yards"]) for each in ranges] == [
        (2, 4001, 8000), (3, 8001, 12000),
    ]  # fmt: skip
    assert [each["provenance"] for each in ranges] == ["printed", "derived"]
    in_file = commands.document("hexes = [1]\nyards = [0]\n")["ranges"]
    assert [each["to_yards"] for each in in_file] == [4000, 4000]


def test_the_text_has_the_rule_of_every_line(commands: Commands) -> None:
    _, out, _ = commands.run(MARKS)
    marked = [line for line in out.splitlines() if "→" in line]
    assert len(marked) == 4
    assert all("[72.2" in line for line in marked)


def test_it_can_be_printed(commands: Commands) -> None:
    path = commands.folder / "out.pdf"
    assert commands.run(MARKS, "--pdf", str(path))[0] == 0
    pages = pypdfium2.PdfDocument(path.read_bytes())
    text = pages[0].get_textpage().get_text_range()
    pages.close()
    assert "Bismarck" in text
    assert "72.2, 72.3" in text


def test_the_file_is_described(commands: Commands) -> None:
    keys = {each["name"] for each in commands.document(None, "--describe")["keys"]}
    assert {"ship.name", "ship.marks.bow_hits", "ship.beside", "ship.state", "hexes"} <= keys
    assert commands.run(None, "--describe")[0] == 0


@pytest.mark.parametrize(
    ("text", "options", "named"),
    [
        (None, [], "--describe"),
        (None, ["--hexes", "0"], "--hexes"),
        (None, ["--yards", "nan"], "--yards"),
        ("", [], "[[ship]]"),
        ("ruleset = 3", [], "ships.toml"),
        ('ruleset = "grand-fleets"', [], "Grand Fleets"),
        ('ruleset = "bismark-advanced"', [], "bismarck-advanced"),
        ('[[ship]]\nname = "Bismark"', [], "Bismarck"),
        ('[[ship]]\nname = "Hood"\n[ship.marks]\nbow_hit = 1', [], "bow_hits"),
        ('[[ship]]\nname = "Hood"\n[ship.marks]\nmidships_hits = 8', [], "from 0 to 7"),
        ('[[ship]]\nname = "Hood"\n[ship.state]\nhull_lots = 1', [], "hull_lost"),
        ('[[ship]]\nname = "Hood"\n[ship.state]\nhull_lost = 11', [], "hull_lost"),
        ('[[ship]]\nname = "Hood"\n[ship.state]\nhull_lost = 0.3', [], "hull_lost"),
        ('[[ship]]\nname = "Destroyer"\n[ship.marks]', [], "23.13"),
        (MARKS, ["--to", "basic"], "ship.state"),
        (MARKS, ["--side", "french"], "german"),
        (MARKS, ["--json", "--toml"], "--toml"),
        (f"{MARKS}[ship.state]\n", [], "--to"),
        ("{}", [], "ships.toml"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    commands: Commands, text: str | None, options: list[str], named: str
) -> None:
    assert named in commands.refused(text, *options)


FIGHT = """
ruleset = "bismarck-battle-board"
[[ship]]
name = "Rodney"
side = "british"
[[ship]]
name = "Bismarck"
side = "german"
state = { midships_hits = 2, evasion_lost = 2 }
[[ship]]
name = "1st Flotilla"
type = "Destroyer Flotilla"
side = "british"
[[action]]
action = "guns"
by = "Rodney"
at = "Bismarck"
dice = "46"
answers = { hexes = 3, bow = 2, stern = 0, secondary = 0 }
"""


def test_a_fight_on_the_battle_board_is_carried_as_it_ends(commands: Commands) -> None:
    document = commands.document(FIGHT)
    assert (document["ruleset"], document["to"]) == ("bismarck-advanced", "advanced")
    rodney, bismarck = document["ships"]
    assert (rodney["name"], bismarck["marks"]["midships_hits"]) == ("Rodney", 3)
    assert bismarck["state"]["hull_lost"] == 4
    (alone,) = commands.document(FIGHT, "--side", "german")["ships"]
    assert alone["name"] == "Bismarck"


def test_sheets_become_a_fight_file_of_the_battle_board(commands: Commands) -> None:
    code, out, err = commands.run(STATE, "--board")
    assert (code, err) == (0, "")
    written: Any = parse_toml(out.encode(), "board")
    (bismarck,) = written["ship"]
    assert bismarck["state"]["midships_hits"] == 4
    there = commands.document(out)
    assert there["ships"][0]["state"]["hull_lost"] == 6


SISTERS = """
ruleset = "bismarck-battle-board"
[[ship]]
name = "Hood"
side = "british"
state = { midships_hits = 2 }
[[ship]]
name = "Anson"
type = "Hood"
side = "british"
state = { bow_hits = 1, evasion_lost = 6 }
"""


def test_sisters_keep_their_names_and_their_marks_both_ways(commands: Commands) -> None:
    first, second = commands.document(SISTERS)["ships"]
    assert [(each["name"], each["type"]) for each in (first, second)] == [
        ("Hood", "Hood"), ("Anson", "Hood"),
    ]  # fmt: skip
    assert (first["state"]["hull_lost"], first["state"]["turrets_lost"]) == (3, {})
    assert (second["state"]["hull_lost"], second["state"]["turrets_lost"]) == (0, {"A": 1.5})
    states = commands.run(SISTERS, "--toml")[1]
    board: Any = parse_toml(commands.run(states, "--board")[1].encode(), "board")
    assert [(each["name"], each["type"], each["state"]) for each in board["ship"]] == [
        ("Hood", "Hood", {"midships_hits": 2}),
        ("Anson", "Hood", {"bow_hits": 1, "evasion_lost": 6}),
    ]


@pytest.mark.parametrize(
    ("text", "options"),
    [(FIGHT, ("--to", "basic")), (MARKS, ("--board",)), (STATE, ("--board", "--toml"))],
)
def test_a_board_is_no_other_document(
    commands: Commands, text: str, options: tuple[str, ...]
) -> None:
    commands.refused(text, *options)


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ("superstructure_lost = 4", "[beside]: superstructure_lost: expected a number of boxes"),
        ("hull_solid = 11", "[beside]: hull_solid"),
        ("turrets_solid = { A = 4 }", "[beside], [turrets_solid]: A"),
        ('secondaries_solid = ["P9"]', "[beside]: secondaries_solid"),
        ("hull_lost = 1", "[beside]: hull_lost"),
    ],
)
def test_what_is_wrong_beside_the_pad_is_placed_there(
    commands: Commands, beside: str, named: str
) -> None:
    marks = '[[ship]]\nname = "Hood"\n[ship.marks]\nmidships_hits = 1\n[ship.beside]\n'
    told = commands.refused(marks + beside)
    assert f"ship 1 'Hood', {named}" in told
    assert "[state]" not in told
