"""The command line as a whole: every command by itself, and no more than it needs."""

import subprocess
import sys

import pytest

from web.cli import MODULES, build_parser, main


def test_the_help_lists_every_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    listed = [line.split()[0] for line in said.splitlines() if line.startswith("    ")]
    assert [word for word in listed if word in MODULES] == list(MODULES)


@pytest.mark.parametrize("command", MODULES)
def test_every_command_that_is_listed_is_one(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser(command).parse_args([command, "--help"])
    assert ended.value.code == 0
    assert f"dreyer {command} " in capsys.readouterr().out


def test_rules_are_looked_up_without_any_camera() -> None:
    code = "import sys; from web.cli import main; main(['rulesets']); print('cv2' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_a_slip_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["camra"], ["check"], ["serve", "--port", "x"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("dreyer")
        assert said.count("\n") == 1
