"""The command line answers as it did in version 0.1.0."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.compatibility.comparing import assert_same, lines_of
from tests.compatibility.reading import DATA, resolve, run_command

COMMANDS = lines_of(DATA / "command_line.jsonl")
BATCH = lines_of(DATA / "batch.jsonl")


@pytest.mark.parametrize("case", COMMANDS, ids=[case["id"] for case in COMMANDS])
def test_a_command_answers_as_recorded(
    case: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DATA / "owner", "owner")
    for name, content in case["files"].items():
        Path(name).write_text(content, encoding="utf-8")
    for name, source in case["copies"].items():
        shutil.copy(DATA / source, name)
    code = run_command(case["arguments"])
    said = capsys.readouterr()
    assert code == case["exit"], said.err
    if code == 0:
        found = json.loads(said.out)
        if "--describe" in case["arguments"]:
            # What a key means may be said in other words, and the keys come in another order.
            assert_same(described(case["output"]), described(found))
        else:
            assert_same(case["output"], found)
        return
    assert said.out == ""
    assert said.err.startswith("dreyer: ")
    assert said.err.count("\n") == 1
    if case["rule"] is not None:
        assert f"({case['rule']})" in said.err


def described(document: dict[str, Any]) -> dict[str, list[str]]:
    """What each key of a shot file takes, and what it is without it."""
    return {key["name"]: [key["takes"], key["default"]] for key in document["keys"]}


def test_a_batch_of_shots_resolves_as_recorded() -> None:
    """Each line is a shot with its dice, and its result or the exit code of its refusal."""
    different = []
    for case in BATCH:
        found = resolve(as_toml(case["shot"]), case["shot"]["ruleset"], case["dice"])
        try:
            assert_same(case.get("result"), found.document)
            assert_same(case.get("after"), found.after)
            assert found.rule == case.get("error", {}).get("rule")
        except AssertionError as error:
            different.append(f"{case['id']}: {error}")
    assert not different, "\n\n".join(different[:5])


def as_toml(shot: dict[str, Any]) -> str:
    """A shot file with the same content."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in shot.items())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
