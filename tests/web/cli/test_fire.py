"""`dreyer resolve` and `dreyer forecast`: the documents scripts rely on, and every error path."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from web.cli import main

Captured = pytest.CaptureFixture[str]
SHOT = """
ruleset = "bismarck-advanced"
[firer]
name = "Hood"
speed = 9
[target]
name = "Prinz Eugen"
speed = 9
[fire]
battery = "main"
guns = 4
range_yards = 26000
quadrant = "bow"
aspect = "port"
blocked = false
smoke = false
[conditions]
visibility = 2
night = false
first_fire_at_target = true
under_fire = false
"""
CLOSE = SHOT.replace("26000", "9000").replace("guns = 4", "guns = 1")
RESOLVED_KEYS = [
    "gunnery_factor", "segment", "modifiers", "modifier_total", "dice", "row", "hits",
    "hit_results", "ammunition", "provenance",
]  # fmt: skip
MODIFIER_KEYS = ["number", "value", "label", "reference", "provenance"]
HIT_KEYS = {
    "dice", "location", "armour", "armour_inches", "penetration_inches", "penetrated", "effect",
}  # fmt: skip
MORE_HIT_KEYS = {"place", "provenance"}
"""Beyond what is promised: the location in words with its turret, and where it comes from."""
OUTCOMES = {
    "sunk", "turret_lost", "secondary_lost", "speed_lost", "director_lost", "plot_lost",
    "rudder_damaged", "conning_tower_damaged",
    "turret_A_lost", "turret_B_lost", "turret_X_lost", "turret_Y_lost",
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "not yet made"


class Commands:
    """A folder with a shot file, and the commands run on it."""

    def __init__(self, folder: Path, captured: Captured) -> None:
        self.path, self.data, self._captured = folder / "shot.toml", folder / "data", captured

    def run(self, command: str, content: str | bytes, *arguments: str) -> str:
        """What the command prints; it must succeed and say nothing else."""
        code, out, err = self._run(command, content, arguments)
        assert (code, err) == (0, "")
        return out

    def refused(self, command: str, content: str | bytes, *arguments: str) -> str:
        """The one line of complaint of a command that must fail."""
        code, out, err = self._run(command, content, arguments)
        assert (code, out) == (2, "")
        assert err.startswith("dreyer: ")
        assert err.count("\n") == 1
        return err

    def _run(
        self, command: str, content: str | bytes, arguments: tuple[str, ...]
    ) -> tuple[int, str, str]:
        self.path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        code = main([command, str(self.path), "--data", str(self.data), *arguments])
        captured = self._captured.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def commands(tmp_path: Path, capsys: Captured) -> Commands:
    return Commands(tmp_path, capsys)


# --- resolve -------------------------------------------------------------------------------


def test_the_worked_example(commands: Commands) -> None:
    document = json.loads(commands.run("resolve", SHOT, "--dice", "12", "--json"))
    assert list(document) == RESOLVED_KEYS
    assert all(list(modifier) == MODIFIER_KEYS for modifier in document["modifiers"])
    assert [modifier["number"] for modifier in document["modifiers"]] == [
        "targeting",
        *range(1, 17),
    ]
    assert [modifier["value"] for modifier in document["modifiers"]] == [
        18, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, -2, 0, 0, 1,
    ]  # fmt: skip
    del document["modifiers"]
    assert document == {
        "gunnery_factor": 1,
        "segment": "extreme",
        "modifier_total": 20,
        "dice": "12",
        "row": "44",
        "hits": 0,
        "hit_results": [],
        "ammunition": {"spent": 6, "remaining": 714},
        "provenance": "reconstructed",
    }
    assert not commands.data.exists(), "resolving leaves no trace"


def test_hits_with_their_dice(commands: Commands) -> None:
    """One gun × 1.7 at medium low is a factor of 2; 22 + 7 + 3 − 2 + 1 = row 35: one hit."""
    document = json.loads(commands.run("resolve", CLOSE, "--dice", "22 22 5", "--json"))
    assert (document["gunnery_factor"], document["modifier_total"]) == (2, 9)
    assert (document["row"], document["hits"]) == ("35", 1)
    (hit,) = document["hit_results"]
    assert set(hit) == HIT_KEYS | MORE_HIT_KEYS
    assert {key: hit[key] for key in HIT_KEYS} == {
        "dice": "22 5",
        "location": "bow_turret",
        "armour": "MG",
        "armour_inches": 4,
        "penetration_inches": 12,
        "penetrated": True,
        "effect": "turret B destroyed (64.32)",
    }


def test_nulls_where_there_is_nothing(commands: Commands) -> None:
    shot = CLOSE.replace("Prinz Eugen", "Destroyer")
    document = json.loads(commands.run("resolve", shot, "--dice", "13", "--json"))
    (hit,) = document["hit_results"]
    nothing = {key for key, value in hit.items() if value is None}
    assert nothing == {"location", "armour", "armour_inches", "penetration_inches"}
    assert hit["dice"] == ""
    weak = SHOT.replace("guns = 4", "guns = 2")
    document = json.loads(commands.run("resolve", weak, "--dice", "", "--json"))
    assert (document["gunnery_factor"], document["dice"], document["row"]) == (0, None, None)
    assert document["ammunition"] == {"spent": 3, "remaining": 717}


@pytest.mark.parametrize(
    ("change", "number", "value"),
    [
        (("blocked = false", "blocked = true"), "sight", 15),
        (("smoke = false", "smoke = true"), "smoke", 15),
        (("guns = 4", "guns = 3\nheld_back = true"), "held_back", 0),
    ],
)
def test_modifiers_without_a_number(
    commands: Commands, change: tuple[str, str], number: str, value: int
) -> None:
    document = json.loads(commands.run("resolve", SHOT.replace(*change), "--dice", "66", "--json"))
    assert {m["number"]: m["value"] for m in document["modifiers"]}[number] == value


def test_rows_beyond_the_ends(commands: Commands) -> None:
    blind = SHOT.replace("blocked = false", "blocked = true").replace("= 2\n", "= 8\n")
    assert json.loads(commands.run("resolve", blind, "--dice", "66", "--json"))["row"] == "86+"
    gift = (
        CLOSE.replace("Prinz Eugen", "Destroyer").replace("9000", "3000")
        .replace("at_target = true", "at_target = false\nhit_target_last_segment = true")
        .replace("guns = 1", "guns = 1\nheld_back = true")
        .replace('Destroyer"\nspeed = 9', 'Destroyer"\nspeed = 0')
    )  # fmt: skip
    document = json.loads(commands.run("resolve", gift, "--dice", "11", "--json"))
    assert document["row"] == "11 or less"
    assert (document["gunnery_factor"], document["hits"]) == (7, 5)


def test_a_seed_rolls_and_its_dice_can_be_typed(commands: Commands) -> None:
    close = SHOT.replace("26000", "6000")
    rolled = commands.run("resolve", close, "--seed", "3", "--json")
    assert rolled == commands.run("resolve", close, "--seed", "3", "--json")
    document = json.loads(rolled)
    assert document["hits"] > 0
    dice = " ".join([document["dice"], *(hit["dice"] for hit in document["hit_results"])])
    assert commands.run("resolve", close, "--dice", dice, "--json") == rolled
    others = {commands.run("resolve", close, "--seed", str(seed), "--json") for seed in range(9)}
    assert len(others) > 1


def test_text_is_for_people(commands: Commands) -> None:
    text = commands.run("resolve", CLOSE, "--dice", "22 22 5")
    assert text.startswith("Hood fires 1 main gun at Prinz Eugen, 9,000 yards, medium low range")
    for words in (
        "Gunnery factor 2  [62.43]",
        "+7  first fire of these guns at this target  [62.53]",
        "Roll 22 +9: row 35, 1 hit",
        'Hit 1: turret B, 12" penetration against 4": turret B destroyed (64.32)',
        "Ammunition: 3 spent, 717 left",
        "Relies on reconstructed values",
    ):
        assert words in text


def test_a_result_that_rests_on_the_owners_values_says_so(commands: Commands) -> None:
    assert "◆" not in commands.run("resolve", CLOSE, "--dice", "22 22 5")
    own = ["--set", "modifiers", "2 visibility 2", "value", "1"]
    assert main(["tables", "--data", str(commands.data), *own]) == 0
    assert "◆" in commands.run("resolve", CLOSE, "--dice", "22 22 5").splitlines()[-1]


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("", "too few: 0 given, number 1 is for the hit roll (a pair)"),
        ("11", "too few: 1 given, number 2 is for the location of hit 1 (a pair)"),
        ("11 22", "too few: 2 given, number 3 is for the turret of hit 1 (one die)"),
        ("22 22 5 6", "too many: 4 given, 3 needed"),
        ("22 22 5 6 61", "leave out 6 61"),
        ("66 1", "too many: 2 given, 1 needed (the hit roll); leave out 1"),
        ("17", "number 1 is '17'"),
        ("11 0", "number 2 is for the location of hit 1: expected a pair, got 0"),
        ("123", "number 1 is '123'"),
        ("eleven", "number 1 is 'eleven'"),
        ("1", "number 1 is for the hit roll: expected a pair, got 1"),
        ("11 2", "number 2 is for the location of hit 1: expected a pair, got 2"),
        ("11 22 33", "number 3 is for the turret of hit 1: expected one die, got 33"),
    ],
)
def test_wrong_dice(commands: Commands, dice: str, words: str) -> None:
    assert words in commands.refused("resolve", CLOSE, "--dice", dice, "--json")


@pytest.mark.parametrize("arguments", [[], ["--dice", "12", "--seed", "3"]])
def test_dice_or_seed_but_not_both_nor_neither(commands: Commands, arguments: list[str]) -> None:
    message = commands.refused("resolve", SHOT, *arguments)
    assert "--dice" in message
    assert "--seed" in message


# --- editions ------------------------------------------------------------------------------


def test_a_shot_is_resolved_by_the_edition_that_it_names(commands: Commands) -> None:
    """Guns held back: two of four at a multiplier of .2; a first salvo of four at 6,000 yards."""
    held = SHOT.replace("guns = 4", "guns = 3\nheld_back = true")
    near = SHOT.replace("26000", "6000")
    found = {}
    for edition in ("", "edition = 1\n", "edition = 3\n"):
        document = json.loads(commands.run("resolve", f"{edition}{held}", "--dice", "66", "--json"))
        odds = json.loads(commands.run("forecast", f"{edition}{near}", "--json"))
        found[edition] = document["modifier_total"], odds["expected_hits"]
    assert found[""] == found["edition = 3\n"]
    assert found["edition = 1\n"][0] == found[""][0] - 1
    assert found["edition = 1\n"][1] != found[""][1]
    printed = f"{held}[options]\nevery_held_back_gun_counts = true\n"
    document = json.loads(commands.run("resolve", printed, "--dice", "66", "--json"))
    assert document["modifier_total"] == found["edition = 1\n"][0]


@pytest.mark.parametrize("edition", ["0", "4", "true", '"2"', "1.0"])
def test_an_edition_that_is_not_known_is_refused(commands: Commands, edition: str) -> None:
    message = commands.refused("resolve", f"edition = {edition}\n{SHOT}", "--dice", "66")
    assert "edition" in message
    assert "1, 2 or 3" in message or "1, 2, 3" in message


# --- describe ------------------------------------------------------------------------------


def test_describe_lists_every_key(capsys: Captured) -> None:
    assert main(["resolve", "--describe", "bismarck-advanced", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document = json.loads(captured.out)
    assert list(document) == ["keys"]
    assert all(list(key) == ["name", "takes", "default", "meaning"] for key in document["keys"])
    defaults = {key["name"]: key["default"] for key in document["keys"]}
    assert defaults["ruleset"] == "bismarck-advanced"
    assert defaults["fire.range_yards"] == "required"
    assert defaults["conditions.visibility"] == "2"
    assert {"target.state.hull_lost", "firer.state.ammunition", "conditions.jammed"} <= set(
        defaults
    )


def test_describe_for_people(capsys: Captured) -> None:
    assert main(["resolve", "--describe", "bismarck-advanced"]) == 0
    text = capsys.readouterr().out
    assert "fire.range_yards" in text
    assert "a number of yards from 0 to 1,000,000; required" in text
    assert "1 to 8; default 2" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["resolve", "--describe", "bismark-advanced"], "'bismarck-advanced'"),
        (["resolve", "--dice", "12"], "name a shot file, or --describe RULESET"),
        (["resolve", "nowhere.toml", "--dice", "12"], "nowhere.toml: there is no such file"),
        (["resolve", ".", "--dice", "12"], "cannot be read"),
        (["resolve", "a\0b", "--dice", "12"], "not a file name"),
        (["forecast", "nowhere.toml"], "there is no such file"),
        (["resolve", "nowhere.toml", "--seed", "x"], "invalid int value: 'x'"),
        (["forecast"], "SHOT.toml"),
    ],
)
def test_wrong_command_lines(arguments: list[str], words: str, capsys: Captured) -> None:
    try:
        code = main(arguments)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.count("\n") == 1
    assert words in captured.err


# --- forecast ------------------------------------------------------------------------------


def test_a_forecast_has_exactly_the_promised_keys(commands: Commands) -> None:
    document = json.loads(commands.run("forecast", SHOT.replace("26000", "6000"), "--json"))
    keys = ["hits", "expected_hits", "outcomes", "expected_boxes", "provenance"]
    assert list(document) == keys
    assert document["provenance"] == "reconstructed"
    assert all(number.isdecimal() for number in document["hits"])
    assert abs(sum(document["hits"].values()) - 1) <= 1e-12
    mean = sum(int(number) * chance for number, chance in document["hits"].items())
    assert document["expected_hits"] == pytest.approx(mean)
    assert set(document["outcomes"]) == OUTCOMES
    assert all(0 < chance < 1 for chance in document["outcomes"].values())
    assert list(document["expected_boxes"]) == ["hull", "superstructure"]
    assert not commands.data.exists()


def test_a_forecast_of_several_fires_at_one_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A segment: the same salvo twice hits twice as often, and sinks more than twice as likely."""
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    close = SHOT.replace("26000", "6000")
    first.write_text(close, "utf-8")
    second.write_text(close, "utf-8")
    options = ["--json", "--boxes", "--data", str(tmp_path)]
    assert main(["forecast", str(first), *options]) == 0
    one = json.loads(capsys.readouterr().out)
    assert main(["forecast", str(first), str(second), *options]) == 0
    two = json.loads(capsys.readouterr().out)
    assert two["expected_hits"] == pytest.approx(2 * one["expected_hits"])
    assert two["outcomes"]["sunk"] > 2 * one["outcomes"]["sunk"]
    assert sum(state["probability"] for state in two["boxes"]) == pytest.approx(1, abs=1e-12)
    second.write_text(close.replace("Prinz Eugen", "Bismarck"), "utf-8")
    assert main(["forecast", str(first), str(second), *options]) == 2
    assert "expected Prinz Eugen of " in capsys.readouterr().err


def test_the_forecast_of_the_worked_example(commands: Commands) -> None:
    """ "In fact, no chance to score a hit.\""""
    document = json.loads(commands.run("forecast", SHOT, "--json"))
    assert (document["hits"], document["expected_hits"]) == ({"0": 1.0}, 0.0)
    assert set(document["outcomes"].values()) == {0.0}


def test_a_forecast_for_people(commands: Commands) -> None:
    text = commands.run("forecast", SHOT.replace("26000", "6000"))
    heading, _, _ = text.partition("\n")
    assert heading.startswith("Hits, ")
    assert "◌" in heading
    assert "turret lost" in text
    assert "Boxes marked on average: " in text


# --- torpedoes and jams --------------------------------------------------------------------

SALVO = """
firer = { name = "Prinz Eugen" }
target = { name = "Hood" }
fire = { battery = "torpedoes", range_yards = 4000, aspect = "port" }
"""
JAMS = """
firer = { name = "Prince of Wales" }
fire = { battery = "jams" }
"""


def test_a_salvo_of_torpedoes_is_resolved_and_foretold(commands: Commands) -> None:
    document = json.loads(commands.run("resolve", SALVO, "--dice", "61 5 1", "--json"))
    told = {key: document[key] for key in ("torpedoes", "column", "row", "hits", "provenance")}
    assert told == {
        "torpedoes": 6,
        "column": "one 6",
        "row": "61",
        "hits": 2,
        "provenance": "printed",
    }
    assert [hit["hull_boxes"] for hit in document["hit_results"]] == [3, 1]
    assert [list(line) for line in document["modifiers"]] == [MODIFIER_KEYS] * 2
    odds = json.loads(commands.run("forecast", SALVO, "--json"))
    assert odds["hits"] == pytest.approx({"0": 24 / 36, "1": 6 / 36, "2": 6 / 36})
    assert list(odds["outcomes"]) == ["speed_lost", "sunk"]
    assert list(odds["expected_boxes"]) == ["hull", "superstructure"]
    # The torpedo tables are printed: nothing to mark.
    assert "◌" not in commands.run("forecast", SALVO)
    assert "(19.3)" in commands.refused(
        "resolve",
        SALVO.replace('Prinz Eugen"', 'Prinz Eugen", state = { torpedoes_fired = true }'),
        *("--dice", "11"),
    )


def test_a_roll_for_jams_is_resolved_and_foretold(commands: Commands) -> None:
    document = json.loads(commands.run("resolve", JAMS, "--dice", "11", "--json"))
    assert (document["turret"], document["guns"], document["permanent"]) == ("A", 1, True)
    assert "[71.4]" in commands.run("resolve", JAMS, "--dice", "11")
    odds = json.loads(commands.run("forecast", JAMS, "--json"))
    assert odds["outcomes"]["jammed"] == pytest.approx(15 / 36)
    text = commands.run("forecast", JAMS)
    assert not text.startswith("Hits")
    assert "(71.1)" in commands.refused(
        "resolve", JAMS.replace("Prince of Wales", "Bismarck"), "--dice", "11"
    )


def test_guns_and_torpedoes_are_foretold_together(tmp_path: Path, capsys: Captured) -> None:
    guns, salvo = tmp_path / "guns.toml", tmp_path / "salvo.toml"
    guns.write_text(SHOT.replace("26000", "6000"), "utf-8")
    salvo.write_text(
        SALVO.replace("Prinz Eugen", "Norfolk").replace("Hood", "Prinz Eugen"), "utf-8"
    )
    found = []
    for files in ([guns], [salvo], [guns, salvo]):
        paths = [str(path) for path in files]
        assert main(["forecast", *paths, "--json", "--data", str(tmp_path)]) == 0
        found.append(json.loads(capsys.readouterr().out))
    apart = found[0]["expected_hits"] + found[1]["expected_hits"]
    assert found[2]["expected_hits"] == pytest.approx(apart)
    assert found[2]["outcomes"]["sunk"] > max(each["outcomes"]["sunk"] for each in found[:2])
    assert [each["provenance"] for each in found] == ["reconstructed", "printed", "reconstructed"]


# --- wrong input, the same for both --------------------------------------------------------

WRONG = [
    (b"[firer]\nname = '\xff'\n", "line 2 is not UTF-8"),
    ("hello", "not a TOML file"),
    ("", "[firer]: name"),
    ("ruleset = 7\n", "ruleset: expected the name of a ruleset, got 7"),
    ('ruleset = "bismark"\n', "did you mean"),
    (SHOT.replace("Prinz Eugen", "Prinz Eugn"), "did you mean 'Prinz Eugen'"),
    (SHOT.replace("26000", "nan"), "range_yards: expected a number of yards"),
    (SHOT.replace("26000", "28000.5"), "no gun reaches beyond 28,000 (61.5)"),
    (SHOT.replace('"Hood"', '"Norfolk"'), "cannot reach extreme range (62.42)"),
    (SHOT.replace("guns = 4", "guns = 5"), "5 guns cannot fire: 4 main guns of Hood bear"),
    (SHOT.replace("guns = 4", 'turrets = ["X"]'), "turret X does not bear into her bow"),
    (SHOT.replace("guns = 4", 'turrets = ["Q"]'), "no main turret 'Q'"),
    (SHOT.replace("guns = 4", 'turrets = ["A", "A"]'), "named twice; each fires only once (61.2)"),
    (SHOT.replace("[target]", "[firer.state]\nammunition = { main = 0 }\n[target]"),
     "no ammunition left for her main guns (65.5)"),
    (SHOT.replace("[target]", "[firer.state]\nhull_lost = 10\n[target]"), "Hood is sunk (64.8)"),
    (SHOT.replace("[target]", "[firer.state]\nturrets_lost = { A = 3, B = 3 }\n[target]"),
     "no main gun of Hood can fire into her bow quadrant (61.4)"),
    (SHOT.replace("smoke = false", "smok = false"), "nearest known key is 'smoke'"),
    (SHOT.replace("visibility = 2", "visibility = 9"), "visibility: expected a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words"), WRONG, ids=[words for _, words in WRONG])
def test_wrong_input_is_one_line_and_exit_2(
    commands: Commands, content: str | bytes, words: str
) -> None:
    for command, arguments in (("resolve", ["--dice", "12", "--json"]), ("forecast", ["--json"])):
        message = commands.refused(command, content, *arguments)
        assert words in message


def test_a_destroyer_can_fire(commands: Commands) -> None:
    """70.3: four guns ahead."""
    shot = SHOT.replace('"Hood"', '"Destroyer"').replace("26000", "3000")
    document = json.loads(commands.run("resolve", shot, "--seed", "1", "--json"))
    assert document["gunnery_factor"] > 0


# --- the owner's values --------------------------------------------------------------------


def test_the_owners_values_change_the_result(commands: Commands, capsys: Captured) -> None:
    before = json.loads(commands.run("resolve", SHOT, "--dice", "12", "--json"))
    odds_before = json.loads(commands.run("forecast", SHOT, "--json"))
    for cell in (("hit_table", "44", "1", "1"), ("modifiers", "8 CA", "value", "-4")):
        assert main(["tables", "--data", str(commands.data), "--set", *cell]) == 0
    capsys.readouterr()
    after = json.loads(commands.run("resolve", SHOT, "--dice", "23 14", "--json"))
    assert (before["modifier_total"], after["modifier_total"]) == (20, 13)
    assert before["hits"] == 0
    assert (after["row"], after["hits"]) == ("44", 1)
    size = next(m for m in after["modifiers"] if m["number"] == 8)
    assert (size["value"], size["provenance"]) == (-4, "owner")
    odds_after = json.loads(commands.run("forecast", SHOT, "--json"))
    assert odds_before["expected_hits"] == 0
    assert odds_after["expected_hits"] > 0


def test_a_spoilt_file_of_owners_values(commands: Commands) -> None:
    path = commands.data / "tables" / "bismarck-advanced.toml"
    path.parent.mkdir(parents=True)
    path.write_text("format = 1\n")
    assert str(path) in commands.refused("resolve", SHOT, "--dice", "12")
    assert str(path) in commands.refused("forecast", SHOT)


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    path = tmp_path / "shot.toml"
    path.write_text(SHOT)
    command = [sys.executable, "-c", "from web.cli import main; raise SystemExit(main())"]
    with subprocess.Popen(
        [*command, "forecast", str(path), "--json", "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
