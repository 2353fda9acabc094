"""`dreyer replay` and `--batch`: whole fights and many shots from the command line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.battles import Fought
from tests.web.fleets import Players, begin, line_ahead
from tests.web.phones import running_in
from web.archive.exports import export_battle
from web.cli import main

EXPORTS = Path(__file__).parents[2] / "compatibility" / "data" / "exports"
STUCK = """
ruleset = "arctic-disaster"
[[ship]]
name = "Z28"
type = "German destroyer"
side = "german"
[[ship]]
name = "Z29"
type = "German destroyer"
side = "german"
[[ship]]
name = "Norfolk"
side = "british"
[[action]]
action = "main"
by = "Z28"
at = "Norfolk"
dice = "9"
[[action]]
action = "torpedoes"
by = "Norfolk"
at = "Z28"
dice = "5"
answers = { range_areas = 5 }
"""
SHOT = {
    "ruleset": "arctic-disaster", "firer": {"name": "Norfolk"}, "target": {"name": "Hipper"},
}  # fmt: skip
AGAIN = '[[action]]\naction = "main"\nby = "Z29"\nat = "Norfolk"\n'


class Commands:
    """Runs commands in a folder."""

    def __init__(self, folder: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.folder, self._captured = folder, captured

    def replay(self, text: str) -> dict[str, Any]:
        """The document of a fight that must play."""
        code, out, err = self.run("replay", self._file(text), "--json")
        assert (code, err) == (0, "")
        document: dict[str, Any] = json.loads(out)
        return document

    def refused(self, text: str) -> str:
        """The one line of a fight that must not play."""
        code, out, err = self.run("replay", self._file(text), "--json")
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """A command's exit code, and what it printed."""
        code = main([*arguments, "--data", str(self.folder / "data")])
        out, err = self._captured.readouterr()
        return code, out, err

    def _file(self, text: str) -> str:
        path = self.folder / "fight.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)


@pytest.fixture
def commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path, capsys)


def state_of(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in document["ships"] if each["name"] == name)
    return found


def test_flags_stay_flags_and_sisters_stay_apart(commands: Commands) -> None:
    document = commands.replay(f'{STUCK}[[action]]\naction = "next-round"\n{AGAIN}dice = "9"\n')
    assert (document["ruleset"], document["edition"], document["round"]) == (
        "arctic-disaster", 3, 2,
    )  # fmt: skip
    norfolk = state_of(document, "Norfolk")
    assert norfolk["state"] == {
        "damage": 2, "move_lost": 0, "guns_lost": 0, "torpedoes_fired": True,
    }  # fmt: skip
    assert norfolk["status"] == "in action"
    assert state_of(document, "Z29")["state"]["damage"] == 0
    assert document["wanted"] is None
    assert document["story"]


def test_events_say_which_action_and_round_they_belong_to(commands: Commands) -> None:
    document = commands.replay(f'{STUCK}[[action]]\naction = "next-round"\n{AGAIN}dice = "1"\n')
    acted = [each for each in document["events"] if each["kind"] == "acted"]
    assert [(e["n"], e["round"], e["ship"], e["target"]) for e in acted] == [
        (1, 1, "Z28", "Norfolk"), (2, 1, "Norfolk", "Z28"), (4, 2, "Z29", "Norfolk"),
    ]  # fmt: skip
    assert all(each["rule"] for each in acted)


def test_undo_takes_back_and_keeps_the_dice_of_that_very_action(commands: Commands) -> None:
    undone = commands.replay(f'{STUCK}[[action]]\naction = "undo"\nto = 1\n')
    assert undone["events"] == []
    assert state_of(undone, "Norfolk")["state"]["damage"] == 0
    again = f'{STUCK}{AGAIN}seed = 3\n[[action]]\naction = "undo"\n{AGAIN}'
    first = commands.replay(f"{STUCK}{AGAIN}seed = 3\n")
    assert commands.replay(again)["ships"] == first["ships"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (f'{AGAIN}dice = "9 9"\n', "action 3: dice: too many"),
        (AGAIN, "action 3: dice: too few"),
        ('[[action]]\naction = "main"\nby = "Z28"\nat = "Z28"\ndice = "1"\n', "action 3"),
        ('[[action]]\naction = "torpedoes"\nby = "Norfolk"\nat = "Z29"\ndice = "5"\n', "11.4.7"),
        ('[[action]]\naction = "mian"\n', "did you mean 'main'"),
        ('[[ship]]\nname = "Z28"\ntype = "German destroyer"\n', "name"),
    ],
)
def test_what_cannot_be_played_is_one_line(commands: Commands, more: str, words: str) -> None:
    assert words in commands.refused(STUCK + more)


def test_hundreds_of_actions_play(commands: Commands) -> None:
    searches = '[[action]]\naction = "search"\nseed = 1\n' * 800
    document = commands.replay(STUCK + searches)
    assert len([each for each in document["events"] if each["kind"] == "acted"]) == 802


@pytest.mark.parametrize("name", ["resolve-umpire", "undone-umpire", "two-of-one-type-umpire"])
def test_an_exported_battle_is_played_to_its_end(commands: Commands, name: str) -> None:
    code, out, err = commands.run("replay", str(EXPORTS / f"{name}.dreyer.json"), "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["ruleset"] == "bismarck-advanced"
    assert document["edition"] == 1
    assert {each["kind"] for each in document["events"]} >= {"moved", "fired", "committed"}
    assert {each["status"] for each in document["ships"]} <= {"in action", "sunk", "gone"}


def test_an_exported_battle_of_grand_fleets_is_replayed(
    app: Flask, commands: Commands, tmp_path: Path
) -> None:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    while players.step():
        pass
    session = running_in(app).session
    battle = session.moment.battle
    assert battle is not None
    _, data = export_battle(session.log(most=9_999), session.moment, sees_all=True)
    (tmp_path / "battle.json").write_bytes(data)
    code, out, err = commands.run("replay", str(tmp_path / "battle.json"), "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert (document["ruleset"], document["round"]) == ("grand-fleets", battle.place.round_number)
    assert document["wanted"] is None
    written = [
        event["kind"]
        for played in battle.game.played
        for event in battle.rulebook.write_events(played.events)
    ]
    assert [each["kind"] for each in document["events"]] == written
    status = {each["name"]: each["status"] for each in document["ships"]}
    assert {name for name, each in status.items() if each == "sunk"} == set(session.moment.fates)
    code, text, err = commands.run("replay", str(tmp_path / "battle.json"))
    assert (code, err) == (0, "")
    assert "sunk" in text


def test_an_exported_battle_with_rates_of_fire_is_replayed(
    commands: Commands, tmp_path: Path
) -> None:
    fought = Fought(tmp_path / "battle.db")
    fought.move()
    for firer, target in (("Prince of Wales", "Bismarck"), ("Bismarck", "Hood")):
        fought.do("designate", ship=firer, orders=[{"target": target}])
    fought.do("commit")
    fought.do("dice", values=["24"])
    rates = [{"target": "Bismarck", "guns": {"A": 1}}]
    fought.do("reduce", ship="Prince of Wales", rates=rates)
    fought.roll()
    entries, moment = fought.session.log(most=9_999), fought.session.moment
    _, data = export_battle(entries, moment, sees_all=True)
    fought.session.close()
    (tmp_path / "battle.json").write_bytes(data)
    code, out, err = commands.run("replay", str(tmp_path / "battle.json"), "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["edition"] == 3
    (reduced,) = [each for each in document["events"] if each["kind"] == "rate-reduced"]
    assert reduced["guns"] == {"A": 1}
    fired = [each for each in document["events"] if each["kind"] == "fired"]
    by_firer = {each["ship"]: each for each in fired}
    assert by_firer["Prince of Wales"]["guns"] == reduced["firing"]
    held = {
        ship: [line["value"] for line in each["modifiers"] if line["number"] == "held_back"]
        for ship, each in by_firer.items()
    }
    # Two guns of A have jammed and do not count; of the other two one is held back (67.42).
    assert len(held["Prince of Wales"]) == 1
    assert held["Bismarck"] == []


@pytest.mark.parametrize(("written", "edition"), [("", 3), ("edition = 1\n", 1)])
def test_a_fight_is_played_by_the_edition_that_it_names(
    commands: Commands, written: str, edition: int
) -> None:
    fight = f"""{written}
[[ship]]
name = "Hood"
[[ship]]
name = "Bismarck"
[[action]]
action = "main"
by = "Hood"
at = "Bismarck"
dice = "66"
answers = {{ range_yards = 20000, quadrant = "port", aspect = "port", guns = 5, held_back = true }}
"""
    document = commands.replay(fight)
    assert document["edition"] == edition
    (fired,) = [each for each in document["events"] if each["kind"] == "fired"]
    held = [each["value"] for each in fired["modifiers"] if each["number"] == "held_back"]
    # Three guns held back; the columns are 5, 4, 4 and 3.
    assert held == [{1: -3, 3: -2}[edition]]


ABORTED = """
ruleset = "chase-of-the-bismarck"
[[ship]]
name = "Norfolk"
position = "breaking-off"
[[ship]]
name = "Bismarck"
[[action]]
action = "abort"
by = "Norfolk"
dice = "0"
answers = { zones_between = 6 }
"""


def test_the_text_has_a_line_of_each_ships_sheet(commands: Commands) -> None:
    path = commands.folder / "fight.toml"
    document = commands.replay(STUCK)
    _, out, _ = commands.run("replay", str(path))
    end = out[out.index("\nRound 1\n") :]
    ships = [line for line in end.splitlines() if line.startswith("  ")]
    assert len(ships) == len(document["ships"])
    assert "unharmed" in ships[1]
    assert "3 of 4 left" in ships[2]


def test_a_ship_that_left_is_gone(commands: Commands) -> None:
    assert state_of(commands.replay(ABORTED), "Norfolk")["status"] == "gone"


def test_an_export_may_be_larger_than_a_file_that_people_write(commands: Commands) -> None:
    """A battle of some hundred fires has more events than anybody would write down."""
    export = (EXPORTS / "finished-player.dreyer.json").read_bytes()
    path = commands.folder / "long.json"
    path.write_bytes(b" " * 5_000_000 + export)
    assert commands.run("replay", str(path))[0] == 0
    path.write_bytes(b" " * 33_000_000 + export)
    code, _, err = commands.run("replay", str(path))
    assert (code, "at most 32,000,000 bytes" in err) == (2, True)
    path.write_bytes(b"# written\n" * 500_000)
    code, _, err = commands.run("replay", str(path))
    assert (code, "at most 4,000,000 bytes of TOML" in err) == (2, True)


def test_a_file_that_is_no_battle_is_refused(commands: Commands) -> None:
    assert "not a Dreyer Table battle" in commands.refused("{}")


def test_a_batch_answers_every_line_in_order(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        {"id": "a", "shot": SHOT, "dice": "9"},
        {"id": "b", "shot": {**SHOT, "target": {"name": "Norfolk"}}, "dice": "9"},
        {"id": "c", "shot": SHOT, "seed": 7},
        {"id": "d", "shot": SHOT},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\nnot json\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    code, out, err = commands.run("resolve", "--batch", "-")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [(each["id"], each["ok"]) for each in answers] == [
        ("a", True), ("b", False), ("c", True), ("d", False), (None, False),
    ]  # fmt: skip
    assert answers[0]["result"]["damage"] == 1
    assert "another ship" in answers[1]["error"]


@pytest.mark.parametrize(
    ("given", "known", "words"),
    [
        (
            '{"id": NaN, "shot": {}, "seed": 1}',
            None,
            "line 1: id: expected text",
        ),
        ('{"id": 1e999, "shot": {}, "seed": 1}', None, "id: expected text or a finite number"),
        ('{"id": 5, "shot": {"ruleset": []}, "seed": 1}', 5, "ruleset: expected the name"),
        ('{"id": 6, "shot": {"ruleset": {}}, "seed": 1}', 6, "ruleset: expected the name"),
    ],
)
def test_a_line_of_a_batch_that_cannot_be_read_is_answered_with_its_error(
    commands: Commands, given: str, known: object, words: str
) -> None:
    path = commands.folder / "shots.jsonl"
    good = json.dumps({"id": "good", "shot": SHOT, "dice": "9"})
    path.write_text(f"{given}\n{good}\n", encoding="utf-8")
    for command in ("resolve", "forecast"):
        code, out, err = commands.run(command, "--batch", str(path))
        wrong, right = map(json.loads, out.splitlines())
        assert (code, err) == (0, "")
        assert (wrong["id"], wrong["ok"]) == (known, False)
        assert words in wrong["error"]
        assert (right["id"], right["ok"]) == ("good", True)


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_a_batch_is_read_as_utf8_and_by_line_feeds_alone(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    name = "Kö\u0085\u2028ln"
    line = json.dumps({"id": name, "shot": SHOT, "dice": "9"}, ensure_ascii=False)
    path = commands.folder / "shots.jsonl"
    for data, expected in (
        (f"\ufeff{line}\r\n{line}".encode(), (0, "")),
        (line.encode("latin-1", "replace"), (2, "not UTF-8 text")),
    ):
        path.write_bytes(data)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "ascii"))
        code, out, err = commands.run("resolve", "--batch", str(path) if source == "file" else "-")
        assert (code, expected[1] in err) == (expected[0], True)
        found = [json.loads(each) for each in out.split("\n") if each]
        assert [each["id"] for each in found] == ([] if code else [name, name])


def test_a_batch_of_forecasts(commands: Commands) -> None:
    path = commands.folder / "shots.jsonl"
    path.write_text(json.dumps({"id": 1, "shot": SHOT}) + "\n", encoding="utf-8")
    code, out, _ = commands.run("forecast", "--batch", str(path))
    (answer,) = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert sum(answer["result"]["hits"].values()) == pytest.approx(1, abs=1e-12)
