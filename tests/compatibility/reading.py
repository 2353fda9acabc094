"""What the recorded files are compared with: the one place that reads the application.

Where an interface changes, only this module is to change; the recorded files never do.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from combat.battle import plain
from combat.dice import TypedDice
from combat.report import Forbidden, ShotFile
from combat.rulesets import NAMES, get_ruleset, restore
from tabletop.errors import DreyerError
from web.cli import main

Json = dict[str, Any]
DATA = Path(__file__).with_name("data")


# The command line


def run_command(arguments: list[str]) -> int:
    """The exit code of `dreyer` with these arguments; what it says goes to the usual places."""
    try:
        return main(arguments)
    except SystemExit as left:
        return int(left.code or 0)
    finally:
        # Cards that the command has read must not stay for the next one.
        for name in NAMES:
            restore(name)


@dataclass(frozen=True, slots=True)
class Resolved:
    """What came of a shot: its document and the marks afterwards, or the refusal."""

    document: Json | None
    after: Json | None
    rule: str | None = None
    """The rule that forbids it; None where it is allowed, or wrong for another reason."""


def resolve(shot: str, ruleset: str, dice: str) -> Resolved:
    """One shot file resolved with typed dice, as `dreyer resolve` does it."""
    found = get_ruleset(ruleset)
    assert found.fire is not None
    typed = TypedDice(dice)
    try:
        report = found.fire.resolve(ShotFile(shot.encode(), "shot.toml"), typed, found.tables)
        typed.finish()
    except Forbidden as error:
        return Resolved(None, None, error.rule)
    except DreyerError:
        return Resolved(None, None)
    return Resolved(plain(report.document), plain(report.after))
