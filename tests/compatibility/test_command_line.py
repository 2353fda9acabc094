"""The command line answers as it did in version 0.1.0, by the edition of the rules of that time.

Shots are played by edition 1, as a file of today says it. Tables are listed as they are now, so
their cells and their checksum are compared with those of edition 1.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from combat.provenance import Provenance
from tests.compatibility.comparing import assert_same, lines_of
from tests.compatibility.reading import (
    ADDED_KEYS,
    ADDED_RULESETS,
    DATA,
    described,
    in_recorded_edition,
    listed_in_recorded_edition,
    resolve,
    run_command,
    without_what_is_missing_now,
)

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
    written = {name: (DATA / source).read_text("utf-8") for name, source in case["copies"].items()}
    command, *arguments = case["arguments"]
    for name, content in (written | case["files"]).items():
        played = command in ("resolve", "forecast")
        text = in_recorded_edition(content) if played else content
        Path(name).write_text(text, encoding="utf-8")
    code = run_command(case["arguments"])
    said = capsys.readouterr()
    assert code == case["exit"], said.err
    if code == 0:
        found = json.loads(said.out)
        if "--describe" in case["arguments"]:
            # What a key takes and means may be said in other words.
            added = ADDED_KEYS.get(arguments[arguments.index("--describe") + 1], set())
            assert_same(sorted({*described(case["output"]), *added}), described(found))
        elif command == "tables":
            data_folder = Path(arguments[arguments.index("--data") + 1])
            listed = listed_in_recorded_edition(found, arguments[0], data_folder)
            assert_same(case["output"], listed)
        elif command == "rulesets":
            known = [each for each in found["rulesets"] if each["name"] not in ADDED_RULESETS]
            assert_same(
                without_what_is_missing_now(case["output"]),
                without_what_is_missing_now({**found, "rulesets": known}),
            )
        else:
            if command == "forecast":
                # It did not say yet what the odds rest on.
                assert found.pop("provenance") in list(Provenance)
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
