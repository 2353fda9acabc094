"""`dreyer verify` and `dreyer rulesets`: the documents scripts rely on, and their exit codes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from combat.rulebooks.bismarck_advanced.worked_examples.examples import Examples
from web.cli import main, verify

RULESET = "bismarck-advanced"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "not yet made"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One example right and one wrong, from a file, in the place of the ruleset's own."""
    path = tmp_path / "examples.toml"
    path.write_text(
        """
        [[case]]
        rule = "58.3"
        source = "example"
        what = "speed 9"
        kind = "halves"
        given = { speed = 9 }
        expected = [5, 4]
        [[case]]
        rule = "58.3"
        source = "rule"
        what = "speed 7"
        kind = "halves"
        given = { speed = 7 }
        expected = [3, 4]
        book_conflict = "a slip"
        """,
        encoding="utf-8",
    )

    def get_broken(name: str) -> Ruleset:
        ruleset = get_ruleset(name)
        examples = Examples.read(path.read_bytes(), str(path), ruleset.table_rules)
        return replace(ruleset, cases=examples.replayed) if name == RULESET else ruleset

    monkeypatch.setattr(verify, "get_ruleset", get_broken)


def run(data: Path, *arguments: str) -> int:
    return main(["verify", "--data", str(data), *arguments])


def test_json_has_exactly_the_promised_keys(data: Path, capsys: Captured) -> None:
    assert run(data, RULESET, "--json") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document = json.loads(captured.out)
    assert list(document) == ["cases", "passed", "failed"]
    assert (document["passed"], document["failed"]) == (len(document["cases"]), 0)
    assert document["passed"] >= 40
    for case in document["cases"]:
        assert list(case) == [
            "ruleset", "rule", "source", "what", "expected", "got", "ok", "book_conflict",
        ]  # fmt: skip
        assert case["source"] in ("example", "rule")
        assert case["ok"] is True
    assert {
        "ruleset": RULESET, "rule": "62.43", "source": "example",
        "what": "Bismarck's gunnery factor, 8 × .3", "expected": 2, "got": 2, "ok": True,
        "book_conflict": None,
    } in document["cases"]  # fmt: skip
    assert not data.exists(), "looking leaves no trace"


def test_without_a_name_all_rulesets_are_replayed(data: Path, capsys: Captured) -> None:
    assert run(data) == 0
    text = capsys.readouterr().out
    assert "BISMARCK, Advanced Game" in text
    for name in NAMES:
        if get_ruleset(name).cases is None:
            assert f"{get_ruleset(name).title}: no cases yet." in text
    assert text.rstrip().endswith("agree, 0 failed.")
    assert "✗" not in text


def test_a_ruleset_without_cases(
    data: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = replace(get_ruleset(RULESET), cases=None)
    monkeypatch.setattr(verify, "get_ruleset", lambda name: silent)
    assert run(data, RULESET, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"cases": [], "passed": 0, "failed": 0}


@pytest.mark.usefixtures("broken")
def test_a_failure_is_shown_and_exits_1(data: Path, capsys: Captured) -> None:
    assert run(data, RULESET, "--json") == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["passed"], document["failed"]) == (1, 1)
    assert document["cases"][1] == {
        "ruleset": RULESET, "rule": "58.3", "source": "rule", "what": "speed 7",
        "expected": [3, 4], "got": [4, 3], "ok": False, "book_conflict": "a slip",
    }  # fmt: skip
    assert run(data, RULESET) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "✗  58.3  ○  speed 7  3, 4  4, 3" in lines
    assert "✓  58.3  ●  speed 9  5, 4  5, 4" in lines
    assert "Conflict: a slip" in [line.strip() for line in lines]
    assert lines[-1] == "1 of 2 agree, 1 failed."


def test_an_unknown_ruleset_is_wrong_input(data: Path, capsys: Captured) -> None:
    assert run(data, "bismarck-advance") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("dreyer: ")
    assert "did you mean 'bismarck-advanced'" in captured.err
    assert captured.err.count("\n") == 1


def test_rulesets_as_json(capsys: Captured) -> None:
    assert main(["rulesets", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document = json.loads(captured.out)
    assert list(document) == ["rulesets"]
    assert [ruleset["name"] for ruleset in document["rulesets"]] == list(NAMES)
    for ruleset in document["rulesets"]:
        assert list(ruleset) == ["name", "title", "source", "needs_table", "complete", "missing"]
        assert isinstance(ruleset["needs_table"], bool)
        assert ruleset["complete"] is (ruleset["missing"] == [])
    advanced = document["rulesets"][0]
    assert (advanced["needs_table"], advanced["complete"]) == (True, False)
    assert any("hit_table" in gap for gap in advanced["missing"])


def test_rulesets_in_words(capsys: Captured) -> None:
    assert main(["rulesets"]) == 0
    text = capsys.readouterr().out
    for name in NAMES:
        assert f"{name}: {get_ruleset(name).title}" in text
