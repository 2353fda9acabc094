"""The command line answers as it did in version 0.1.0."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.compatibility.comparing import assert_same, lines_of
from tests.compatibility.reading import DATA, described, resolve, run_command

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
            # What a key takes and means may be said in other words.
            assert_same(described(case["output"]), described(found))
        else:
            assert_same(case["output"], found)
        return
    assert said.out == ""
    assert said.err.startswith("dreyer: ")
    assert said.err.count("\n") == 1
    if case["rule"] is not None:
        assert f"({case['rule']})" in said.err


def test_a_batch_of_shots_resolves_as_recorded() -> None:
    """Each line is a shot with its dice, and its result or the exit code of its refusal."""
    different = []
    for case in BATCH:
        found = resolve(case["shot"], case["dice"])
        try:
            assert_same(case.get("result"), found.document)
            assert found.rule == case.get("error", {}).get("rule")
            for role, marks in found.marks.items():
                # Who was not changed was left out.
                expected = case["after"].get(role, case["shot"][role].get("state", {}))
                assert_same({**marks.unmarked, **expected}, marks.found)
        except AssertionError as error:
            different.append(f"{case['id']}: {error}")
    assert not different, "\n\n".join(different[:5])
