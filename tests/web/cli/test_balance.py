"""`dreyer balance`: text, JSON and a page; resumed, and refused in one line."""

import json
import re
from pathlib import Path

import pytest

from tests.combat.balance.grounds import MIRRORED
from web.cli import main

FIGHT = Path(__file__).parents[2] / "combat" / "fights" / "arctic_disaster.toml"
QUICK = ["balance", "tutorial", "--captains", "quick", "--processes", "1"]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles in this process, because new ones take longer than they do."""
    from combat.balance.run import one_process

    monkeypatch.setattr(
        "web.cli.balance.all_cores", lambda plan, works, _: one_process(plan, works)
    )


def test_the_report_is_text_json_and_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, kept = tmp_path / "fair.html", tmp_path / "kept.jsonl"
    line = [*QUICK, "--battles", "2", "--vary", "visibility=1..2", "--resume", str(kept)]
    assert main([*line, "--html", str(page)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Tutorial: 4 battles between captains (seed 1)\n")
    html = page.read_text("utf-8")
    assert html.count("<svg") == 3
    assert re.search(r"<(?:script|link|img)\b", html) is None
    assert len(kept.read_text("utf-8").splitlines()) == 5
    # All battles are in the file: nothing is fought again, and the report is the same.
    assert main([*line, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["fought"], document["planned"], document["varied"]) == (4, 4, "visibility")
    assert [part["value"] for part in document["parts"]] == [1.0, 2.0]
    assert len(kept.read_text("utf-8").splitlines()) == 5


def test_a_scenario_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MIRRORED, "utf-8")
    line = ["balance", str(path), "--battles", "1", "--captains", "quick,by-lot", "--json"]
    assert main(line) == 0
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    assert {side["side"]: side["captain"] for side in part["sides"]} == {
        "british": "quick",
        "german": "by-lot",
    }


def test_ctrl_c_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from combat.balance.run import one_process

    def interrupted(plan: object, works: object, _: object) -> object:
        yield next(one_process(plan, works))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    kept = tmp_path / "kept.jsonl"
    line = [*QUICK, "--battles", "3", "--resume", str(kept)]
    with monkeypatch.context() as patch:
        patch.setattr("web.cli.balance.all_cores", interrupted)
        assert main(line) == 130
    stopped = capsys.readouterr()
    assert "1 battle between" in stopped.out
    assert "1 of 3" in stopped.err
    assert main(line) == 0
    assert "3 battles" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["balance", "trafalgar"], "trafalgar"),
        (["balance", "no-such-file.toml"], "no-such-file.toml"),
        (["balance", "arctic-disaster"], "Arctic Disaster"),
        (["balance", "grand-fleets"], "Grand Fleets"),
        (["balance", str(FIGHT)], FIGHT.name),
        ([*QUICK, "--battles", "0"], "from 1 to 100,000"),
        ([*QUICK, "--vary", "visibility=9"], "--vary"),
        ([*QUICK, "--captains", "nelson"], "nelson"),
        ([*QUICK, "--processes", "0"], "at least one process"),
    ],
)
def test_a_slip_is_told_in_one_line(
    wrong: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(wrong) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
