"""The file of results: it goes on where it stopped, and is never mixed with another plan's."""

from pathlib import Path

import pytest

from combat.balance.results_file import ResultsFile
from combat.balance.run import one_process
from tabletop.errors import DreyerError
from tests.combat.balance.grounds import tutorial_plan

PLAN = tutorial_plan(battles=2, vary="visibility=2..3")


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    works = list(PLAN.works)
    results = list(one_process(PLAN, works[:3]))
    file = ResultsFile(path, PLAN)
    assert file.results == {}
    for result in results:
        file.add(result)
    file.close()
    # The machine went down in the middle of the last line.
    path.write_bytes(path.read_bytes()[:-10])
    again = ResultsFile(path, PLAN)
    assert again.results == {each.number: each for each in results[:2]}
    again.add(results[2])
    again.close()
    last = ResultsFile(path, PLAN)
    last.close()
    assert last.results == {each.number: each for each in results}


def test_the_results_of_another_plan_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    ResultsFile(path, PLAN).close()
    before = path.read_bytes()
    for plan in (tutorial_plan(battles=2), tutorial_plan(battles=2, seed=9)):
        with pytest.raises(DreyerError) as refused:
            ResultsFile(path, plan)
        assert refused.value.message.code == "balance.fault.other_plan"
    text = tmp_path / "letter.txt"
    text.write_text("Dear captain,\n", "utf-8")
    with pytest.raises(DreyerError):
        ResultsFile(text, PLAN)
    assert path.read_bytes() == before
    assert text.read_text("utf-8") == "Dear captain,\n"
    with pytest.raises(DreyerError) as missing:
        ResultsFile(tmp_path / "no folder" / "file", PLAN)
    assert missing.value.message.code == "balance.fault.file"
